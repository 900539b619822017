package app_test

import (
	"net/http"
	"strings"
	"testing"

	"wcpp/internal/app"
)

// Off, the Workspace is not there: no operation and no permission of it, which is
// all that browsers go by.
func TestWorkspaceOff(t *testing.T) {
	for _, setting := range []string{"on", "off"} {
		t.Run(setting, func(t *testing.T) {
			each(t, func(c *app.Config) { c.Access.Workspace = setting }, func(t *testing.T, p *portal) {
				var session struct{ Permissions []string }
				p.do(http.MethodGet, "/api/session", nil, bearer(p.tokenOf("prus"))).into(t, &session)
				found := 0
				for _, name := range session.Permissions {
					if strings.HasPrefix(name, "work.") {
						found++
					}
				}
				for _, op := range p.API.Operations() {
					if strings.HasPrefix(op.Access, "work.") {
						found++
					}
				}
				if (found > 0) != (setting == "on") {
					t.Errorf("%d permissions and operations of the Workspace", found)
				}
			})
		})
	}
}
