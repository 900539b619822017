package app_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/app"
	"wcpp/internal/bills/openbills"
	"wcpp/internal/bills/remittances"
	"wcpp/internal/bills/search"
	"wcpp/internal/deadlines"
	"wcpp/internal/identity/access"
	"wcpp/internal/platform/httpapi"
	"wcpp/internal/reasoncodes"
)

// ofWorkspace reports whether a permission belongs to the Workspace.
func ofWorkspace(permission string) bool {
	area, _, _ := strings.Cut(permission, ".")
	return slices.Contains([]string{"work", "codes", "deadlines", "desk", "remittances", "announcements", "status", "cases", "staff"}, area)
}

// While the Workspace is off, its operations, routes, permissions, menus, jobs and feeds don't
// exist. Browsers depend on these alone.
func TestWorkspaceOff(t *testing.T) {
	for _, setting := range []string{"on", "off"} {
		t.Run(setting, func(t *testing.T) {
			each(t, func(c *app.Config) { c.Access.Workspace = setting }, func(t *testing.T, p *portal) {
				for _, who := range []string{"prus", "isad"} {
					session := p.do(http.MethodGet, "/api/session", nil, bearer(p.tokenOf(who))).body
					var granted struct{ Routes, Permissions []string }
					require.NoError(t, json.Unmarshal(session, &granted))
					there := map[string]bool{
						"route": slices.ContainsFunc(granted.Routes, func(r string) bool {
							return strings.HasPrefix(r, "work/") || strings.HasPrefix(r, "desk/")
						}),
						"permission": slices.ContainsFunc(granted.Permissions, ofWorkspace),
						"operation": slices.ContainsFunc(p.API.Operations(), func(op httpapi.Operation) bool {
							return ofWorkspace(op.Access)
						}),
						"job": p.Works(reasoncodes.CountArgs{}) || p.Works(remittances.ExportArgs{}) ||
							p.Works(openbills.ExportArgs{}) || p.Works(deadlines.RecalculateArgs{}),
						"feed": p.Takes("reason_codes") || p.Takes("jurisdiction_rules"),
						"menu": bytes.Contains(session, []byte(`"workspace"`)),
					}
					for what, is := range there {
						assert.Equalf(t, setting == "on", is, "%s: %s of the Workspace", who, what)
					}
				}
			})
		})
	}
}

// Without the Workspace, the API's shape is the same as before the Workspace existed. Exceptions
// are session and bill properties, which are then absent, and one with the reason why an
// uploaded file wasn't checked. Summaries and descriptions don't count as shape. A changed line
// is a changed shape and needs a reason before -update writes it.
func TestAPIWithoutWorkspace(t *testing.T) {
	const goldenFile = "testdata/api-without-workspace.golden"
	p := newPortal(t, "sqlite", func(c *app.Config) { c.Access.Workspace = "off" })
	text, err := json.Marshal(p.API.OpenAPI())
	require.NoError(t, err)
	var document struct {
		Paths      map[string]map[string]any
		Components struct{ Schemas map[string]any }
	}
	require.NoError(t, json.Unmarshal(text, &document))
	for schema, added := range map[string][]string{"Session": {"workspace", "mirrorOver"}, "BillResult": {"page"},
		"RosterUploadLog": {"receiving", "sourceGroupId"}, "RosterUploaded": {"unread"}} {
		for _, property := range added {
			delete(document.Components.Schemas[schema].(map[string]any)["properties"].(map[string]any), property)
		}
	}
	delete(document.Components.Schemas, "WorkspaceEntry")
	delete(document.Components.Schemas, "RosterReceiving")
	var lines []string
	line := func(name string, shape any) {
		text, err := json.Marshal(withoutProse(shape))
		require.NoError(t, err)
		lines = append(lines, fmt.Sprintf("%s %x\n", name, sha256.Sum256(text)))
	}
	for path, methods := range document.Paths {
		for method, operation := range methods {
			line(path+" "+method, operation)
		}
	}
	for name, schema := range document.Components.Schemas {
		line(name, schema)
	}
	slices.Sort(lines)
	if *update {
		require.NoError(t, os.WriteFile(goldenFile, []byte(strings.Join(lines, "")), 0o644))
	}
	golden, err := os.ReadFile(goldenFile)
	require.NoError(t, err)
	known := strings.SplitAfter(string(golden), "\n")
	for _, l := range lines {
		assert.Contains(t, known, l, "new or changed: ")
	}
	for _, l := range known {
		if l != "" && !slices.Contains(lines, l) {
			t.Error("gone or changed: ", l)
		}
	}
}

// withoutProse returns a node of an OpenAPI document without summaries and descriptions. A
// property with the name "description" is an object and stays.
func withoutProse(part any) any {
	switch part := part.(type) {
	case map[string]any:
		rest := map[string]any{}
		for name, value := range part {
			if _, isText := value.(string); !isText || name != "summary" && name != "description" {
				rest[name] = withoutProse(value)
			}
		}
		return rest
	case []any:
		rest := make([]any, len(part))
		for i, value := range part {
			rest[i] = withoutProse(value)
		}
		return rest
	}
	return part
}

// With the Workspace, a number finds bills for TINs in scope. Internal staff only have the TINs
// of the user they mirror.
func TestFindBills(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		p.onFile()
		office := p.add("ada", access.PRAD, 0, "444444444", "555555555").GroupID
		p.add("ben", access.PRUS, office, "444444444")
		for _, c := range []struct {
			actor, q string
			status   int
			found    string
		}{
			{"ada", " b4444", 200, "B4444"}, {"ada", "D5555", 200, "B5555"}, {"ada", "B6666", 200, ""},
			{"ben", "B4444", 200, "B4444"}, {"ben", "B5555", 200, ""}, // the group's, but not this user's
			{"nnus", "B4444", 200, ""}, {"isad", "B4444", 200, ""}, {"irad", "B4444", 200, ""},
			{"isad>ada", "B5555", 200, "B5555"}, {"irad>ben", "B5555", 200, ""},
			{"road", "B4444", 403, ""}, {"rous", "B4444", 403, ""}, {"nobody", "B4444", 401, ""},
		} {
			var opts []option
			if token := p.tokenOf(c.actor); token != "" {
				opts = append(opts, bearer(token))
			}
			for _, call := range []string{"/work/find", "/work/find/second"} {
				r := p.post(call, fields{"q": c.q}, opts...)
				p.want(r, c.status, "")
				if c.status != 200 {
					continue
				}
				var answer search.FoundBills
				r.into(t, &answer)
				var found []string
				for _, b := range answer.Bills {
					found = append(found, b.BillControlNumber)
					if b.ID == "" || strings.Contains(b.ID, b.FTIN) || b.PatientLastName != "Doe" || b.BillCharges == nil ||
						*b.BillCharges != 1 {
						t.Errorf("%s of %s: %+v", c.q, c.actor, b)
					}
				}
				want := c.found
				if call != "/work/find" {
					want = "" // there's no second system
				}
				if strings.Join(found, " ") != want || answer.More {
					t.Errorf("%s %s of %s: %s", call, c.q, c.actor, r.body)
				}
			}
		}
		ada := bearer(p.signIn("ada"))
		for q, want := range map[string]string{
			"  ":                     "q: Enter a bill number or a claimant",
			"Doe, Jane":              "q: Add a date of birth, such as 04/17/1980, to find a claimant",
			strings.Repeat("7", 101): "q: Up to 100 characters",
		} {
			for _, call := range []string{"/work/find", "/work/find/second"} {
				if r := p.post(call, fields{"q": q}, ada); r.status != 400 || r.fields() != want {
					t.Errorf("%s %q: %d %s", call, q, r.status, r.body)
				}
			}
		}
		p.audited(1, `operation = 'findBills' AND actor = 'ada' AND result = 'ok' AND searched <> '' AND answered = '["B4444"]'
			AND subject = '444444444 555555555'`)
		p.audited(1, `operation = 'findBills' AND actor = 'ada' AND result = 'ok' AND searched <> '' AND answered = '[]'`)
		p.audited(1, `operation = 'findBills' AND actor = 'isad' AND acting_for = 'ada'`)
		p.audited(3, `operation = 'mitchFindBills' AND actor = 'ada'`)
		assert.NotContains(t, strings.ToLower(p.logged()), "b4444", "the log names a bill")
	})
	p := newPortal(t, "sqlite", func(c *app.Config) { c.Access.Workspace = "off" })
	p.want(p.post("/work/find", fields{"q": "B4444"}, bearer(p.signIn("prad"))), 404, "")
	p.want(p.post("/work/find/second", fields{"q": "B4444"}, bearer(p.signIn("prad"))), 404, "")
}
