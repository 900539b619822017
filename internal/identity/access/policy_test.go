package access

import (
	"os"
	"strings"
	"testing"
)

func TestEachRouteHasAnAddress(t *testing.T) {
	paths, err := os.ReadFile("../../../web/src/shared/paths.ts")
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range policy {
		if r.Route != "" && !strings.Contains(string(paths), "= '/"+r.Route+"';") {
			t.Errorf("web/src/shared/paths.ts has no address of the route %s", r.Route)
		}
	}
}
