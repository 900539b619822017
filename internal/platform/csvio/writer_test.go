package csvio

import (
	"io"
	"strings"
	"testing"
)

// No cell is evaluated, whatever its prefix. Numbers and phone numbers stay unchanged only in
// copies.
func TestNothingBecomesAFormula(t *testing.T) {
	for cell, want := range map[string]string{
		"":                   "",
		"plain":              "plain",
		"a=1+1":              "a=1+1",
		"=1+1":               "'=1+1",
		"＝1+1":               "'＝1+1",
		`=HYPERLINK("x")`:    `"'=HYPERLINK(""x"")"`,
		"+SUM(A1)":           "'+SUM(A1)",
		"-A1":                "'-A1",
		"-1+cmd|' /C calc'!": "'-1+cmd|' /C calc'!",
		"@cmd":               "'@cmd",
		"\t=1":               "'\t=1",
		"\r=1":               "\"'\r=1\"",
		"\n=1":               "\"'\n=1\"",
		" =1":                "' =1",
		"\u00a0\u200b=1":     "'\u00a0\u200b=1",
		"\ufeff@cmd":         "'\ufeff@cmd",
		" \t-A1":             "' \t-A1",
		" -12.50":            "\" -12.50\"",
		" a=1":               "\" a=1\"",
		"+1 (814) 555-0100":  "+1 (814) 555-0100",
		"-12.50":             "-12.50",
	} {
		if got := written(t, NewCopy, cell, cell, "x"); got != want+","+want+",x\n" {
			t.Errorf("%q is copied as %q", cell, got)
		}
	}
	if got := written(t, NewWriter, "=1", "2", "-12.50", "+1 (814) 555-0100"); got != "'=1,2,'-12.50,'+1 (814) 555-0100\r\n" {
		t.Errorf("written: %q", got)
	}
}

func written(t *testing.T, to func(io.Writer) *Writer, cells ...string) string {
	t.Helper()
	var out strings.Builder
	w := to(&out)
	if err := w.Write(cells); err != nil {
		t.Fatal(err)
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}
