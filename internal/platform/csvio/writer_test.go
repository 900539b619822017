package csvio

import (
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
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
		assert.Equalf(t, want+","+want+",x\n", written(t, NewCopy, cell, cell, "x"), "%q is copied as", cell)
	}
	assert.Equal(t, "'=1,2,'-12.50,'+1 (814) 555-0100\r\n", written(t, NewWriter, "=1", "2", "-12.50", "+1 (814) 555-0100"))
}

func written(t *testing.T, to func(io.Writer) *Writer, cells ...string) string {
	t.Helper()
	var out strings.Builder
	w := to(&out)
	require.NoError(t, w.Write(cells))
	require.NoError(t, w.Flush())
	return out.String()
}
