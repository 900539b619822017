package app_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"wcpp/internal/platform/httpapi"
)

var polled = regexp.MustCompile(`api\.(GET|POST)\(\s*'([^']+)'`)

// Requests that the browser repeats on its own don't extend a session, unless they end after a minute.
func TestPollingDoesNotExtendSessions(t *testing.T) {
	brief := []string{"/notifications/list", "/notifications/announcements"}
	ops, found := newPortal(t, "sqlite", nil).API.Operations(), 0
	err := filepath.WalkDir("../../web/src", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".ts") && !strings.HasSuffix(path, ".tsx") {
			return err
		}
		source, err := os.ReadFile(path)
		parts := strings.Split(string(source), "refetchInterval:")
		for _, part := range parts[:len(parts)-1] {
			calls := polled.FindAllStringSubmatch(part[max(0, strings.LastIndex(part, "useQuery(")):], -1)
			assert.NotEmptyf(t, calls, "%s: no request before a refetchInterval", path)
			for _, call := range calls {
				found++
				if !slices.Contains(brief, call[2]) && !slices.ContainsFunc(ops, func(op httpapi.Operation) bool {
					return op.Background && op.Method == call[1] && op.Path == call[2]
				}) {
					t.Errorf("%s: %s %s isn't Background", path, call[1], call[2])
				}
			}
		}
		return err
	})
	assert.NoError(t, err)
	assert.NotEqual(t, 0, found)
}
