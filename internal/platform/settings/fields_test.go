package settings

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

type color string

func (color) Choices() []string { return []string{"red", "blue"} }

type inner struct {
	LogLevel string        `env:"WCPP_TEST_LEVEL" default:"info" enum:"info,warn" help:"Level."`
	Wait     time.Duration `default:"90s" help:"Wait."`
	Derived  bool          // no setting
}

type sample struct {
	inner
	Named struct {
		TINs []string `name:"tins" env:"WCPP_TEST_TINS" default:"1,2" placeholder:"TIN" help:"TINs."`
	}
	Policy map[string]string `env:"WCPP_TEST_POLICY" placeholder:"TYPE=POLICY" help:"Policy."`
	Heads  map[int64]string  `placeholder:"SEGMENT=HEAD" help:"Heads."`
	Most   int               `default:"20" help:"Most."`
	On     bool              `help:"On."`
	Color  color             `required:"" help:"One of ${enum}."`
	Files  []string          `arg:"" name:"file" help:"Files."`
}

func byName(s *sample) map[string]*Field {
	named := map[string]*Field{}
	for _, f := range ListFields(s) {
		named[f.Name] = f
	}
	return named
}

func TestFieldsHaveTheirDefaults(t *testing.T) {
	var s sample
	fields := byName(&s)
	assert.Equal(t, "color file heads log-level most on policy tins wait", strings.Join(slices.Sorted(maps.Keys(fields)), " "))
	if s.LogLevel != "info" || s.Wait != 90*time.Second || !slices.Equal(s.Named.TINs, []string{"1", "2"}) || s.Most != 20 {
		t.Errorf("%+v", s)
	}
	if f := fields["color"]; f.Help != "One of red, blue." || !f.Required || f.Given || !fields["file"].Argument {
		t.Errorf("%+v", f)
	}
	types := ""
	for _, name := range []string{"color", "tins", "wait", "most", "on", "policy"} {
		types += fields[name].Type() + " "
	}
	assert.Equal(t, "TEXT TIN,... DURATION N bool TYPE=POLICY ", types)
}

func TestFlagName(t *testing.T) {
	for field, want := range map[string]string{
		"Data": "data", "LogLevel": "log-level", "DatabaseDirectURL": "database-direct-url", "TLSCertFile": "tls-cert-file",
	} {
		assert.Equal(t, want, flagName(field), field)
	}
}

func TestWhatIsGivenTakesTheDefaultsPlace(t *testing.T) {
	var s sample
	fields := byName(&s)
	for _, given := range [][2]string{
		{"tins", "3, 4 "}, {"tins", "5"}, {"policy", "A=x, B=y "}, {"heads", "7=ab"}, {"heads", "8=cd"}, {"most", "7"}, {"on", "true"},
		{"wait", "2m"}, {"color", "blue"}, {"log-level", "warn"}, {"file", "a,b.837"}, {"file", "c.837"},
	} {
		assert.NoError(t, fields[given[0]].Set(given[1]), given)
	}
	if !slices.Equal(s.Named.TINs, []string{"3", "4", "5"}) || s.Policy["B"] != "y" || len(s.Policy) != 2 || s.Heads[7] != "ab" ||
		s.Heads[8] != "cd" ||
		s.Most != 7 || !s.On || s.Wait != 2*time.Minute || s.Color != "blue" || s.LogLevel != "warn" ||
		!slices.Equal(s.Files, []string{"a,b.837", "c.837"}) {
		t.Errorf("%+v", s)
	}
}

func TestYesAndNoAreTrueAndFalse(t *testing.T) {
	for given, want := range map[string]bool{"yes": true, "true": true, "1": true, "no": false, "false": false, "0": false} {
		s := sample{On: !want}
		for _, f := range ListFields(&s) {
			if f.Name == "on" {
				if err := f.Set(given); err != nil || s.On != want {
					t.Errorf("%s: %v, %v", given, s.On, err)
				}
			}
		}
	}
}

func TestWhatAFieldIsNotIsRefused(t *testing.T) {
	var s sample
	fields := byName(&s)
	for name, given := range map[string][2]string{
		"log-level": {"loud", "one of info, warn"}, "color": {"green", "one of red, blue"}, "most": {"many", "whole number"},
		"on":   {"perhaps", "true or false"},
		"wait": {"soon", "90s"}, "policy": {"A", "TYPE=POLICY"}, "heads": {"x=ab", "whole number"},
	} {
		if err := fields[name].Set(given[0]); err == nil || !strings.Contains(err.Error(), given[1]) {
			t.Errorf("%s %q: %v", name, given[0], err)
		}
	}
}

func TestAFlagWinsOverAVariableAndThatOverTheFile(t *testing.T) {
	t.Setenv("WCPP_TEST_LEVEL", "warn")
	t.Setenv("WCPP_TEST_POLICY", "")
	file := map[string]string{"log-level": "info", "tins": "9", "policy": "C=z", "most": "3"}
	var s sample
	fields := byName(&s)
	require.NoError(t, fields["tins"].Set("8"))
	for _, f := range fields {
		assert.NoError(t, f.Resolve(file))
	}
	// A flag without a variable applies only to the current command, so files don't set it.
	if s.LogLevel != "warn" || !slices.Equal(s.Named.TINs, []string{"8"}) || s.Policy["C"] != "z" || s.Most != 20 {
		t.Errorf("%+v", s)
	}
	t.Setenv("WCPP_TEST_LEVEL", "loud")
	var other sample
	if err := byName(&other)["log-level"].Resolve(nil); err == nil ||
		err.Error() != `WCPP_TEST_LEVEL must be one of info, warn, got "loud"` {
		t.Error(err)
	}
}
