package validate

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/platform/problem"
)

func TestFields(t *testing.T) {
	var f Fields
	f.Require(true, "first_name", "never")
	assert.NoError(t, f.Refuse("Nothing."))
	f.Require(false, "first_name", "Enter a first name.")
	f.Require(false, "email", "Enter an address.")
	err := Names{"first_name": "userFirstName"}.Wire(f.Refuse("Some values are wrong."))
	e := problem.From(err)
	if e.Kind != problem.Invalid || e.Message != "Some values are wrong." ||
		fmt.Sprint(e.Fields) != "[{userFirstName INVALID Enter a first name. <nil>} {email INVALID Enter an address. <nil>}]" {
		t.Errorf("%+v", e)
	}
	assert.Equal(t, "first_name", f[0].Path, "naming the fields changed them")
	other := errors.New("other")
	assert.ErrorIs(t, (Names{}).Wire(other), other)
	assert.NoError(t, (Names{}).Wire(nil))
	if e := problem.From(RefuseField("Wrong.", "tin", "Enter 9 digits.")); len(e.Fields) != 1 || e.Fields[0].Path != "tin" {
		t.Errorf("%+v", e)
	}
}

// The browser's tests also use the cases in formats.json, so both sides accept the same values.
func TestFormats(t *testing.T) {
	text, err := os.ReadFile("testdata/formats.json")
	require.NoError(t, err)
	var formats map[string]struct{ Accepted, Refused []string }
	require.NoError(t, json.Unmarshal(text, &formats))
	rules := map[string]func(string) bool{"email": Email, "phone": Phone, "tin": TIN, "name": Name}
	assert.Equal(t, len(rules), len(formats))
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
		assert.Truef(t, ok(s), "%s: %q is refused", rule, s)
	}
	for _, s := range refused {
		assert.Falsef(t, ok(s), "%s: %q passes", rule, s)
	}
}
