package text

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"golang.org/x/text/cases"
)

func TestCleanAndKey(t *testing.T) {
	for in, want := range map[string]string{"  Ada   Lovelace\t": "Ada Lovelace", "e\u0301": "\u00e9", "": "", "\u00a0x": "x"} {
		assert.Equalf(t, want, Clean(in), "Clean(%q)", in)
	}
	for _, pair := range [][2]string{{"STRASSE", "straße"}, {"ORTI\u0301Z", "ortíz"}, {" O'Neil", "o'neil"}} {
		if Key(pair[0]) != Key(pair[1]) {
			t.Errorf("%q and %q differ: %q, %q", pair[0], pair[1], Key(pair[0]), Key(pair[1]))
		}
	}
	assert.Equal(t, "21655501769", Digits("(216) 555-0176 x9"))
}

// The shortcut for plain text has the same result as the full conversion.
func FuzzKey(f *testing.F) {
	for _, s := range []string{"Ada Lovelace", " a", "a ", "a  b", "STRASSE", "straße", "\x7f", "a\tb", "", "ORTI\u0301Z"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if got, want := Key(s), cases.Fold().String(Clean(s)); got != want {
			t.Errorf("Key(%q) is %q, not %q", s, got, want)
		}
	})
}

func TestCounted(t *testing.T) {
	for n, want := range map[int]string{0: "0 people", 1: "1 person", 2: "2 people", 1000: "1000 people"} {
		assert.Equal(t, want, FormatCount(n, "person", "people"), n)
	}
}

// Spreadsheets and programs write long numbers with an exponent, but some identifiers also
// contain an E.
func TestIsExponent(t *testing.T) {
	for _, s := range []string{
		"7.10001E+09", "7.10001e+09", "7,10001E+09", "7E+09", "7e+09", "7.10001E09", "7.10001E9", "7.E+09", "1.2E-05", "7E-09",
		"-7.1E+09", "+7.1E+09", "1.2345678901234501E+17", "1E+100", "710.0E+7", "9.61E+08",
	} {
		assert.Truef(t, IsExponent(s), "%q is taken for a number that somebody gave out", s)
	}
	for _, s := range []string{
		"", "E", "E+09", "7E", "7E09", "7E4567", "12E4567", "12E+09", "2026E-01", "7100010000", "7.10001", "A7.1E+09", "7.1E+09A",
		"7.1E+", "7.1E+1234", "1E5A", "E11.9", "7.1 E+09", "CLAIM-7E+09", "7100.1E+09",
	} {
		assert.Falsef(t, IsExponent(s), "%q is taken for a damaged number", s)
	}
}

func TestParagraphs(t *testing.T) {
	for in, want := range map[string]string{
		"":       "",
		" \r\n ": "",
		"  one  two \r\nthree\r\n\r\n\r\nfour \n": "one two\nthree\n\nfour",
		"\rone\rtwo": "one\ntwo",
		"e\u0301":    "é",
	} {
		assert.Equal(t, want, Paragraphs(in), in)
	}
}
