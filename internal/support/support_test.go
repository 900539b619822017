package support

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/identity/access"
	"wcpp/internal/identity/identitytest"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/problem"
)

// Test vectors from RFC 4231: case 2 and a portion of case 4.
func TestSign(t *testing.T) {
	for _, c := range []struct{ identifier, key, want string }{
		{"what do ya want for nothing?", "Jefe", "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"},
		{"Hi There", strings.Repeat("\x0b", 20), "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"},
		{"42", "", ""},
	} {
		assert.Equal(t, c.want, sign(c.identifier, c.key), c.identifier)
	}
}

func TestIntroduce(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		identitytest.Add(t, d.Writer, access.Person{ID: 42, UserName: "ada", Type: access.PRUS, GroupID: 7}, "Ada Moore")
		require.NoError(t, dbtest.Err(db.Exec(t.Context(), d.Writer, `UPDATE users SET phone = '2125550100' WHERE id = 42`)))
		people := identitytest.NewUsers(d)
		s := NewService(Settings{ChatURL: "https://chat.example", ChatToken: "inbox", ChatHMACKey: "very-secret"}, people)
		in, err := s.Introduce(t.Context(), 42)
		if err != nil || in.Identifier != "42" || in.Signature != sign("42", "very-secret") ||
			in.Person != (Person{"Ada Moore", "ada@example.com", "+12125550100", "Sub User"}) {
			t.Errorf("%+v %v", in, err)
		}
		if encoded, err := json.Marshal(in); err != nil || strings.Contains(string(encoded), "very-secret") {
			t.Errorf("the key is told: %s", encoded)
		}
		if _, err := s.Introduce(t.Context(), 43); !problem.Is(err, problem.NotFound) {
			t.Errorf("a stranger: %v", err)
		}
		for _, p := range []Settings{{}, {ChatURL: "https://chat.example"}, {ChatToken: "inbox"}} {
			if _, err := NewService(p, people).Introduce(t.Context(), 42); !problem.Is(err, problem.NotFound) {
				t.Errorf("%+v: %v", p, err)
			}
		}
	})
}

func TestInternational(t *testing.T) {
	for phone, want := range map[string]string{
		"212-555-0100": "+12125550100", "(212) 555 0100": "+12125550100", "1-212-555-0100": "+12125550100",
		"+1 212 555 0100": "+12125550100",
		"":                "", "555-0100": "", "012-555-0100": "", "212-555-0100 x12": "", "212555010٣": "",
	} {
		assert.Equal(t, want, toE164(phone), phone)
	}
}
