package validate

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
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
		fmt.Sprint(e.Fields) != "[{userFirstName INVALID Enter a first name. <nil>} {email INVALID Enter an address. <nil>}]" {
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

// The browser's tests also use the cases in formats.json, so both sides accept the same values.
func TestFormats(t *testing.T) {
	text, err := os.ReadFile("testdata/formats.json")
	if err != nil {
		t.Fatal(err)
	}
	var formats map[string]struct{ Accepted, Refused []string }
	if err := json.Unmarshal(text, &formats); err != nil {
		t.Fatal(err)
	}
	rules := map[string]func(string) bool{"email": Email, "phone": Phone, "tin": TIN, "name": Name}
	if len(formats) != len(rules) {
		t.Errorf("%d formats for %d rules", len(formats), len(rules))
	}
	for name, ok := range rules {
		cases := formats[name]
		if len(cases.Accepted) == 0 || len(cases.Refused) == 0 {
			t.Errorf("%s: no cases", name)
		}
		hold(t, name, ok, cases.Accepted, cases.Refused)
	}
}

func TestRules(t *testing.T) {
	hold(t, "letters", HasTwoLetters, []string{"ab", "Zoë", "a1b2"}, []string{"", "a1", "1234"})
	hold(t, "length", func(s string) bool { return Length(s, 1, 3) }, []string{"a", "éàü"}, []string{"", "abcd"})
}

// hold checks a rule. The test fails if it refuses an accepted value, or accepts a refused one.
func hold(t *testing.T, rule string, ok func(string) bool, accepted, refused []string) {
	t.Helper()
	for _, s := range accepted {
		if !ok(s) {
			t.Errorf("%s: %q is refused", rule, s)
		}
	}
	for _, s := range refused {
		if ok(s) {
			t.Errorf("%s: %q passes", rule, s)
		}
	}
}
