package app_test

import (
	"cmp"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/platform/httpapi"
)

// docs/writes.md describes the locks and checks of each write in one group, and of no others. A
// group lists permissions, and calls that differ from their permission's group.
func TestWritesAreListed(t *testing.T) {
	page, err := os.ReadFile("../../docs/writes.md")
	require.NoError(t, err)
	group := map[string]string{}
	used := map[string]bool{}
	for line := range strings.Lines(string(page)) {
		cells := strings.Split(line, " | ")
		if len(cells) < 3 {
			continue
		}
		for _, name := range regexp.MustCompile("`[^`]+`").FindAllString(cells[1], -1) {
			assert.Emptyf(t, group[name], "docs/writes.md lists %s in two groups", name)
			group[name] = cells[0]
		}
	}
	for _, op := range newPortal(t, "sqlite", nil).API.Operations() {
		call, permission := "`"+op.Method+" "+op.Path+"`", "`"+op.Access+"`"
		if op.Effect != httpapi.Write {
			continue
		}
		assert.NotEmptyf(t, cmp.Or(group[call], group[permission]), "docs/writes.md lists neither %s nor %s", call, permission)
		used[permission] = used[permission] || group[call] == ""
		used[call] = true
	}
	for name := range group {
		assert.Truef(t, used[name], "docs/writes.md lists %s, which no write needs", name)
	}
}
