package sheetrows

import (
	"testing"

	"wcpp/internal/platform/date"
)

func TestCells(t *testing.T) {
	for cell, want := range map[string]date.Date{
		"1/5/2026": "2026-01-05", "01-05-2026": "2026-01-05", "1.5.2026": "2026-01-05", "2026-01-05": "2026-01-05", "20260105": "2026-01-05",
		"2026-01-05T00:00:00Z": "2026-01-05", "46027": "2026-01-05", "4602": "", "13/5/2026": "", "1/5/26": "", "1/5/1899": "", "": "", "soon": "",
	} {
		if got := Date(cell); got != want {
			t.Errorf("%q is %q, want %q", cell, got, want)
		}
	}
	for cell, want := range map[string]string{"'=1": "=1", "'-1": "-1", "'1": "'1", "'": "'", "": ""} {
		if got := Text(cell); got != want {
			t.Errorf("%q is %q, want %q", cell, got, want)
		}
	}
	if got := Text(" a \t"); got != "a" {
		t.Errorf("a cell among spaces is %q", got)
	}
	if !Blank([]string{"", " \t"}) || !Blank(nil) || Blank([]string{"", "0"}) {
		t.Error("what is blank")
	}
}
