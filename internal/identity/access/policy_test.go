package access

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestEachRouteHasAnAddress(t *testing.T) {
	paths, err := os.ReadFile("../../../web/src/shared/paths.ts")
	require.NoError(t, err)
	for _, r := range policy {
		if r.Route != "" && !strings.Contains(string(paths), "= '/"+r.Route+"';") {
			t.Errorf("web/src/shared/paths.ts has no address of the route %s", r.Route)
		}
	}
}
