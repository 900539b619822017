package app_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"wcpp/internal/app"
	"wcpp/internal/platform/httpapi"
)

// badMark is in each bad value and must not appear in the log.
const badMark = "Zq7badZq7"

// badValues are path values that match nothing. Each states whether all requests must reject it,
// because a search for an unknown number returns no results instead.
var badValues = []struct {
	what, value string
	refused     bool
}{
	{"empty", "", true},
	{"too long", badMark + strings.Repeat("x", 2000), true},
	{"with NUL", badMark + "%00", true},
	{"with a line break", badMark + "%0a", true},
	{"not UTF-8", badMark + "%ff%fe", true},
	{"a huge number", "7351973519735197351973519735197351973519", false},
	{"a number of 8 bytes", "7351973519735197351", false},
	{"a number of 5 bytes", "73519735197", false},
	{"a negative number", "-73519735", false},
	{"no date", badMark, false},
	{"a quote", badMark + "'%22%5c%25_", false},
}

var pathValue = regexp.MustCompile(`\{[^}]+\}`)

// With any path value, no operation fails internally or accepts a value that can't be stored.
// The log doesn't repeat it.
func TestBadPathValues(t *testing.T) {
	each(t, func(c *app.Config) { c.TINs.RestrictedTINs = nil }, func(t *testing.T, p *portal) {
		cases := foreignCases(p)
		ops, tokens := map[string]httpapi.Operation{}, map[string]string{}
		for _, op := range p.API.Operations() {
			ops[op.ID] = op
		}
		for _, name := range []string{"prad", "prus", "nnus", "road", "rous", "irad", "isad"} {
			tokens[name] = p.signIn(name)
		}
		try := func(op httpapi.Operation, path string, body any, actor string) {
			for _, bad := range badValues {
				p.exec(`DELETE FROM rate_limits`)
				at := strings.ReplaceAll(path, "$", bad.value)
				r := p.do(op.Method, "/api"+at, body, bearer(tokens[actor]))
				// Without its last value, an object's path is the list's path.
				list := bad.value == "" && strings.HasSuffix(path, "$") && op.Effect == httpapi.Read
				if r.status >= 500 || bad.refused && r.status < 400 && !list {
					t.Errorf("%s %s by %s, %s: %d %s", op.Method, op.Path, actor, bad.what, r.status, r.body)
				}
				if r.status == http.StatusUnauthorized { // the session has ended
					tokens[actor] = p.signIn(actor)
				}
			}
		}
		tried := map[string]bool{}
		for _, c := range cases {
			id, _, _ := strings.Cut(c.value, " ")
			path, body, hasBody := strings.Cut(c.call, " ")
			address, _, _ := strings.Cut(path, "?")
			if op, ok := ops[id]; ok && strings.Contains(address, "$") {
				var sent any
				if hasBody {
					sent = strings.ReplaceAll(body, "$", c.id.unknown)
				}
				try(op, path, sent, c.actor)
				tried[c.value] = true
			}
		}
		// For the other operations, required data outside the path is omitted.
		for _, op := range p.API.Operations() {
			values := pathValue.FindAllString(op.Path, -1)
			for n, value := range values {
				if tried[op.ID+" "+strings.Trim(value, "{.}")] {
					continue
				}
				i := -1
				path := pathValue.ReplaceAllStringFunc(op.Path, func(string) string {
					if i++; i == n {
						return "$"
					}
					return "1"
				})
				for _, actor := range []string{"isad", "prad", "road"} {
					try(op, path, nil, actor)
				}
			}
		}
		for _, part := range []string{badMark, "73519735"} {
			if i := strings.Index(p.logged(), part); i >= 0 {
				log := p.logged()
				t.Errorf("the log has the value: %s", log[max(0, i-300):min(len(log), i+100)])
			}
		}
	})
}
