package date

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestParse(t *testing.T) {
	for in, want := range map[string]Date{
		"2026-01-31": "2026-01-31", " 2026-01-31 ": "2026-01-31", "": "",
		"2026-01-31T08:00:00": "2026-01-31", "2026-01-31T23:59:59-05:00": "2026-01-31", "2026-01-31 08:00": "2026-01-31",
	} {
		if got, err := Parse(in); err != nil || got != want {
			t.Errorf("%q is %q, %v", in, got, err)
		}
	}
	for _, in := range []string{"2026-02-30", "01/31/2026", "2026-1-31", "20260131", "2026-01-31x", "0000-01-01", "x"} {
		if got, err := Parse(in); err == nil {
			t.Errorf("%q is taken as %q", in, got)
		}
	}
	if got, err := ParseCompact("20240229"); err != nil || got != "2024-02-29" {
		t.Errorf("%q, %v", got, err)
	}
	if _, err := ParseCompact("20230229"); err == nil {
		t.Error("29 February 2023 is taken")
	}
}

func TestArithmeticAndForms(t *testing.T) {
	d := New(2024, time.February, 28)
	if d.AddDays(2) != "2024-03-01" || d.US() != "02/28/2024" || Date("").AddDays(1) != "" || Date("").US() != "" {
		t.Errorf("%s %s", d.AddDays(2), d.US())
	}
	var scanned Date
	for _, src := range []any{"2024-02-28", []byte("2024-02-28"), time.Date(2024, 2, 28, 23, 0, 0, 0, time.UTC)} {
		if err := scanned.Scan(src); err != nil || scanned != d {
			t.Errorf("%v scans as %s, %v", src, scanned, err)
		}
	}
	if err := scanned.Scan(nil); err != nil || scanned != "" {
		t.Errorf("NULL scans as %q, %v", scanned, err)
	}
	assert.Error(t, scanned.Scan(7), "a number scans as a date")
	b, err := json.Marshal([]Date{d, ""})
	if err != nil || string(b) != `["2024-02-28",null]` {
		t.Errorf("%s, %v", b, err)
	}
	var back []Date
	if err := json.Unmarshal([]byte(`["2024-02-28T08:00:00",null]`), &back); err != nil || back[0] != d || back[1] != "" {
		t.Errorf("%v, %v", back, err)
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"2026-01-31", "2026-01-31T08:00:00Z", "9999-12-31", "2026-13-01", "\xff"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		d, err := Parse(s)
		if err != nil {
			assert.Emptyf(t, d, "%q is refused and yet", s)
			return
		}
		if again, err := Parse(string(d)); err != nil || again != d {
			t.Errorf("%q is %q and then %q, %v", s, d, again, err)
		}
		if d != "" && Of(d.Time()) != d {
			t.Errorf("%q is not a day of the calendar", d)
		}
	})
}

func TestTyped(t *testing.T) {
	for s, want := range map[string]Date{
		"2026-01-02": "2026-01-02", "2026-01-02T00:00:00": "2026-01-02", "2026-01-02 13:30:05.250": "2026-01-02",
		"2026-01-02T13:30:05Z": "2026-01-02",
		"01/02/2026":           "2026-01-02", "1/2/2026": "2026-01-02", "01/02/2026 00:00:00": "2026-01-02", "1/2/2026 0:00": "2026-01-02",
		"1/2/2026 12:00 AM": "2026-01-02",
		"2026-02-30":        "", "13/5/2026": "", "1/2/26": "", "1.2.2026": "", "46027": "", "2026-01-02 soon": "", "2026-01-02 25:00": "",
		"soon": "", "T": "",
	} {
		if got, err := ParseTyped(s); got != want || (err == nil) != (want != "") {
			t.Errorf("%q is %q, want %q (%v)", s, got, want, err)
		}
	}
}
