package app_test

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/danielgtaylor/huma/v2"
	"github.com/stretchr/testify/assert"

	"wcpp/internal/app"
	"wcpp/internal/identity/access"
)

// No database stores NUL, and PostgreSQL rejects invalid UTF-8. Wherever they're sent, the error
// is the client's.
func TestTextsThatCannotBeKept(t *testing.T) {
	each(t, func(c *app.Config) { c.TrustedProxies = []string{"127.0.0.0/8"} }, func(t *testing.T, p *portal) {
		isad, prad := p.signIn("isad"), p.signIn("prad")
		bad := func(what string, r reply) {
			t.Helper()
			assert.Equalf(t, http.StatusBadRequest, r.status, "%s: %d %s", what, r.status, r.body)
		}
		doc := p.API.OpenAPI()
		for n, op := range p.API.Operations() {
			p.from = fmt.Sprintf("10.0.%d.%d", n/250, n%250)
			item := doc.Paths[strings.Replace(op.Path, "...}", "}", 1)]
			described := map[string]*huma.Operation{"GET": item.Get, "PUT": item.Put, "POST": item.Post, "DELETE": item.Delete,
				"PATCH": item.Patch}[op.Method]
			actor := bearer(isad)
			if access.Allow(access.Actor{Person: access.Person{Type: access.ISAD}}, op.Access, op.Effect) != nil {
				actor = bearer(prad)
			}
			plain := "/api" + parameter.ReplaceAllString(op.Path, "1")
			for _, escaped := range []string{"a%00b", "a%FFb"} {
				if strings.Contains(op.Path, "{") {
					bad(op.ID+" path "+escaped, p.do(op.Method, "/api"+parameter.ReplaceAllString(op.Path, escaped), "{}", actor))
				}
				for _, asked := range described.Parameters {
					if asked.In == "query" {
						bad(op.ID+" "+asked.Name+" "+escaped, p.do(op.Method, plain+"?"+asked.Name+"="+escaped, "{}", actor))
					}
				}
			}
			if described.RequestBody == nil {
				continue
			}
			schema := described.RequestBody.Content["application/json"].Schema
			if schema.Ref != "" {
				schema = doc.Components.Schemas.SchemaFromRef(schema.Ref)
			}
			for _, value := range []string{`a\u0000b`, "a\xffb"} {
				for _, name := range slices.Sorted(maps.Keys(schema.Properties)) {
					bad(fmt.Sprintf("%s %s %q", op.ID, name, value), p.do(op.Method, plain, fmt.Sprintf(`{%q:"%s"}`, name, value), actor))
				}
				bad(fmt.Sprintf("%s, in a list, %q", op.ID, value), p.do(op.Method, plain, `{"x":["`+value+`"]}`, actor))
			}
		}
		// The forms.
		p.sources()
		bad("a roster's group", p.roster(p.signIn("road"), "upload", fields{"groupId": "G\x001"}, sent{"r.csv", rosterHead}))
		if r := p.roster(p.signIn("road"), "upload", nil, sent{"r\xff.csv", rosterHead}); r.status != http.StatusOK {
			t.Errorf("a file's name: %d %s", r.status, r.body)
		}
		pending, state := p.form()
		r := p.do("POST", "/sso/sign-in", url.Values{"username": {"a\x00b"}, "password": {"x\xff"}, "state": {state}},
			cookie(ssoCookie, pending))
		if r.status != http.StatusSeeOther || r.header.Get("Location") != "/sso/sign-in" {
			t.Errorf("the sign-in form: %d %s", r.status, r.header.Get("Location"))
		}
		bad("a list in place of a TIN", p.post("/billSearch/mitchBillSearch", `{"tins":[[]],"billControlNumber":"B4444"}`, bearer(isad)))
		bad("a TIN twice", p.post("/billSearch/mitchBillSearch", `{"tins":["111111111","111111111"],"billControlNumber":"B4444"}`,
			bearer(prad)))
	})
}
