package app_test

import (
	"context"
	"flag"
	"fmt"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/app"
	"wcpp/internal/identity/access"
	"wcpp/internal/platform/httpapi"
)

var update = flag.Bool("update", false, "write the golden files anew")

// on enables every optional feature of the policy.
var on = access.Settings{Workspace: "on"}

const goldenFile = "testdata/access.golden"

// actors returns every kind of caller: anonymous, each type, IRAD with each staff role, and internal
// staff who mirror each type that can be mirrored.
func actors() []string {
	names := []string{"nobody"}
	for _, t := range access.Types {
		names = append(names, strings.ToLower(string(t)))
	}
	return append(names, "clerk", "lead", "isad>prad", "isad>prus", "isad>nnus", "irad>prad")
}

func (p *portal) tokenOf(actor string) string {
	if actor == "nobody" {
		return ""
	}
	person, mirrored, _ := strings.Cut(actor, ">")
	token := p.signIn(person)
	if mirrored != "" {
		r := p.do("POST", "/api/session/mirror", map[string]string{"userNm": mirrored}, bearer(token))
		require.Equal(p.t, http.StatusOK, r.status, actor)
	}
	return token
}

var parameter = regexp.MustCompile(`\{[^}]+\}`)

// TestAccessMatrix sends every operation as every kind of caller and compares the access results
// with the golden file. Each access change then shows in review. Run with -update to write the
// file. The test uses the running server.
func TestAccessMatrix(t *testing.T) {
	p := newPortal(t, "sqlite", func(c *app.Config) { c.TrustedProxies = []string{"127.0.0.0/8"} })
	passed := false
	p.addStaffRoles()
	p.API.Observe(func(httpapi.Operation, context.Context) { passed = true })
	tokens := map[string]string{}
	for _, actor := range actors() {
		tokens[actor] = p.tokenOf(actor)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%-72s", "operation")
	for _, actor := range actors() {
		fmt.Fprintf(&b, " %-9s", actor)
	}
	b.WriteString("\n")
	ops := slices.Clone(p.API.Operations())
	slices.SortFunc(ops, func(a, b httpapi.Operation) int { return strings.Compare(a.Path+a.Method, b.Path+b.Method) })
	for _, op := range ops {
		fmt.Fprintf(&b, "%-72s", fmt.Sprintf("%s %s %s", op.Effect, op.Method, op.Path))
		for n, actor := range actors() {
			p.from = fmt.Sprintf("10.0.0.%d", n) // public endpoints are rate-limited by address
			token := tokens[actor]
			if op.ID == "logout" || op.ID == "stopMirror" || op.ID == "startMirror" || op.ID == "actFromDesk" ||
				op.ID == "endOtherSessions" {
				token = p.tokenOf(actor) // these operations change the caller's session
			}
			passed = false
			var opts []option
			if token != "" {
				opts = append(opts, bearer(token))
			}
			r := p.do(op.Method, "/api"+parameter.ReplaceAllString(op.Path, "x"), map[string]string{}, opts...)
			door := "refused"
			if passed {
				door = "yes"
			} else if r.status != http.StatusUnauthorized && r.status != http.StatusForbidden {
				t.Errorf("%s as %s: not let in, yet status %d", op.ID, actor, r.status)
			}
			fmt.Fprintf(&b, " %-9s", door)
		}
		b.WriteString("\n")
		if op.ID == "endOtherSessions" {
			for _, actor := range actors() {
				tokens[actor] = p.tokenOf(actor)
			}
		}
	}
	b.WriteString("\nroutes\n")
	for _, kind := range access.Types {
		fmt.Fprintf(&b, "%s: %s\n", kind, strings.Join(on.Routes(access.Person{Type: kind}), " "))
	}
	b.WriteString("\nworkspace\n")
	for _, kind := range access.Types {
		var labels []string
		for _, e := range on.WorkspaceMenu(access.Person{Type: kind}) {
			labels = append(labels, e.Group+": "+e.Label)
		}
		fmt.Fprintf(&b, "%s: %s\n", kind, strings.Join(labels, ", "))
	}
	b.WriteString("\nmenus\n")
	for _, kind := range access.Types {
		var labels []string
		for _, e := range access.Menu(kind) {
			labels = append(labels, e.Label)
		}
		fmt.Fprintf(&b, "%s: %s\n", kind, strings.Join(labels, ", "))
	}
	if *update {
		require.NoError(t, os.MkdirAll("testdata", 0o755))
		require.NoError(t, os.WriteFile(goldenFile, []byte(b.String()), 0o644))
	}
	golden, err := os.ReadFile(goldenFile)
	require.NoError(t, err)
	assert.Equal(t, b.String(), string(golden))
}

// A write while mirroring is rejected unless it ends the mirroring or the session. The test
// checks the policy itself, so it covers future operations too.
func TestMirroringRefusesWrites(t *testing.T) {
	isad := access.Person{ID: 1, UserName: "isad", Type: access.ISAD}
	prad := access.Person{ID: 2, UserName: "prad", Type: access.PRAD}
	mirroring := access.Actor{Person: isad, Mirrored: &prad}
	for _, permission := range []string{"bills.search", "bills.open", "tins.read", "settings.read"} {
		assert.Errorf(t, access.Allow(mirroring, permission, httpapi.Write), "a write of %s passes while mirroring", permission)
		assert.NoErrorf(t, access.Allow(mirroring, permission, httpapi.Read), "a read of %s is refused while mirroring", permission)
	}
	assert.NoError(t, access.Allow(mirroring, "session.own", httpapi.Write))
	assert.Error(t, access.Allow(mirroring, "unheard.of", httpapi.Read), "a permission that is not in the policy passes")
}

// Every menu entry links to a screen that the type may open. A rejected route would end the
// session.
func TestMenusOfferNothingRefused(t *testing.T) {
	unchecked := []string{"ManageRosters", "ManageGroups"}
	for _, kind := range access.Types {
		for _, e := range access.Menu(kind) {
			if !slices.Contains(unchecked, e.To) && !slices.Contains(on.Routes(access.Person{Type: kind}), e.To) {
				t.Errorf("%s is offered %s, which it may not open", kind, e.To)
			}
		}
	}
}
