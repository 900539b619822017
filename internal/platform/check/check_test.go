package check

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"wcpp/internal/platform/problem"
)

func TestFields(t *testing.T) {
	var f Fields
	f.Require(true, "first_name", "never")
	if err := f.Refuse("Nothing."); err != nil {
		t.Errorf("refused without a field: %v", err)
	}
	f.Require(false, "first_name", "Enter a first name.")
	f.Require(false, "email", "Enter an address.")
	err := Names{"first_name": "userFirstName"}.Wire(f.Refuse("Some values are wrong."))
	e := problem.From(err)
	if e.Kind != problem.Invalid || e.Message != "Some values are wrong." ||
		fmt.Sprint(e.Fields) != "[{userFirstName INVALID Enter a first name.} {email INVALID Enter an address.}]" {
		t.Errorf("%+v", e)
	}
	if f[0].Path != "first_name" {
		t.Error("naming the fields changed them")
	}
	other := errors.New("other")
	if got := (Names{}).Wire(other); !errors.Is(got, other) {
		t.Errorf("%v", got)
	}
	if got := (Names{}).Wire(nil); got != nil {
		t.Errorf("%v", got)
	}
	if e := problem.From(RefuseField("Wrong.", "tin", "Enter 9 digits.")); len(e.Fields) != 1 || e.Fields[0].Path != "tin" {
		t.Errorf("%+v", e)
	}
}

func TestRules(t *testing.T) {
	for rule, c := range map[string]struct {
		ok        func(string) bool
		yes, nope []string
	}{
		"TIN":     {TIN, []string{"123456789"}, []string{"", "12345678", "1234567890", "12345678a", "12-345678", "１２３４５６７８９"}},
		"phone":   {Phone, []string{"2165550176", "442079460000123"}, []string{"", "216555017", "4420794600001234", "216 555 017"}},
		"letters": {func(s string) bool { return Letters(s, 4) }, []string{"ab", "Zoë", "a1b2"}, []string{"", "a1", "abcde"}},
		"length":  {func(s string) bool { return Length(s, 1, 3) }, []string{"a", "éàü"}, []string{"", "abcd"}},
		"e-mail": {
			Email, []string{"a@b.c", "zoe.o'brien+x@example.com", strings.Repeat("a", 108) + "@example.com"},
			[]string{"", "a", "@b.c", "a@b", "a@.b.c", "a@b.c.", "a@b..c", "a b@c.d", "a@b@c.d", "a,b@c.d", strings.Repeat("a", 109) + "@example.com"},
		},
	} {
		for _, s := range c.yes {
			if !c.ok(s) {
				t.Errorf("%s: %q is refused", rule, s)
			}
		}
		for _, s := range c.nope {
			if c.ok(s) {
				t.Errorf("%s: %q passes", rule, s)
			}
		}
	}
}
