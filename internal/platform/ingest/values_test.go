package ingest

import "testing"

func TestCents(t *testing.T) {
	for s, want := range map[string]int64{
		"0": 0, "12": 1200, "12.5": 1250, "12.34": 1234, ".75": 75, "-.75": -75, "-1.27": -127, "5.": 500, "12.500": 1250,
		"999999999999999.99": 99999999999999999,
	} {
		if got, err := ParseCents(s); err != nil || got != want {
			t.Errorf("Cents(%q) = %d, %v; want %d", s, got, err, want)
		}
	}
	for _, s := range []string{"", "-", ".", "--1", "+1", "1,000", "1.234", "1e3", "1 2", "x", "9999999999999999", "1.-2", "١"} {
		if got, err := ParseCents(s); err == nil {
			t.Errorf("Cents(%q) = %d, want an error", s, got)
		}
	}
}

func TestTypedCents(t *testing.T) {
	for s, want := range map[string]int64{
		"1234.5": 123450, "$1,234.50": 123450, "$ 1,234.50": 123450, "1,234": 123400, "1,234,567.89": 123456789, "$.50": 50, "$12": 1200,
		"(12.50)": -1250, "($1,234.00)": -123400, "$-12.50": -1250, "-$12.50": -1250, "-12.50": -1250,
	} {
		if got, err := parseTypedCents(s); got != want || err != nil {
			t.Errorf("%q is %d (%v), want %d", s, got, err, want)
		}
	}
	for _, s := range []string{"", "$", "()", "(12.50", "12.50)", "-(12.50)", "(-12.50)", "--1", "12,50", "1,23", "1.234,56", "12,3456",
		"1 234.50", "12.345", "12 USD", "€12", "1e3", "12.5-"} {
		if got, err := parseTypedCents(s); err == nil {
			t.Errorf("%q is %d", s, got)
		}
	}
}
