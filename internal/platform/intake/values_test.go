package intake

import "testing"

func TestCents(t *testing.T) {
	for s, want := range map[string]int64{
		"0": 0, "12": 1200, "12.5": 1250, "12.34": 1234, ".75": 75, "-.75": -75, "-1.27": -127, "5.": 500, "12.500": 1250, "999999999999999.99": 99999999999999999,
	} {
		if got, err := Cents(s); err != nil || got != want {
			t.Errorf("Cents(%q) = %d, %v; want %d", s, got, err, want)
		}
	}
	for _, s := range []string{"", "-", ".", "--1", "+1", "1,000", "1.234", "1e3", "1 2", "x", "9999999999999999", "1.-2", "١"} {
		if got, err := Cents(s); err == nil {
			t.Errorf("Cents(%q) = %d, want an error", s, got)
		}
	}
}
