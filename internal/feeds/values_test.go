package feeds

import "testing"

func TestValidNPI(t *testing.T) {
	for npi, want := range map[string]bool{
		"1234567893": true, "1245319599": true, "1234567890": false, "123456789": false, "12345678931": false, "123456789a": false, "": false,
	} {
		if ValidNPI(npi) != want {
			t.Errorf("ValidNPI(%q) = %v", npi, !want)
		}
	}
}

func TestCents(t *testing.T) {
	for s, want := range map[string]int64{
		"0": 0, "12": 1200, "12.5": 1250, "12.34": 1234, ".75": 75, "-.75": -75, "-1.27": -127, "5.": 500, "12.500": 1250, "999999999999999.99": 99999999999999999,
	} {
		if got, err := cents(s); err != nil || got != want {
			t.Errorf("cents(%q) = %d, %v; want %d", s, got, err, want)
		}
	}
	for _, s := range []string{"", "-", ".", "--1", "+1", "1,000", "1.234", "1e3", "1 2", "x", "9999999999999999", "1.-2", "١"} {
		if got, err := cents(s); err == nil {
			t.Errorf("cents(%q) = %d, want an error", s, got)
		}
	}
}
