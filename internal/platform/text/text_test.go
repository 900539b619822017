package text

import (
	"testing"

	"golang.org/x/text/cases"
)

func TestCleanAndKey(t *testing.T) {
	for in, want := range map[string]string{"  Ada   Lovelace\t": "Ada Lovelace", "e\u0301": "\u00e9", "": "", "\u00a0x": "x"} {
		if got := Clean(in); got != want {
			t.Errorf("Clean(%q) is %q", in, got)
		}
	}
	for _, pair := range [][2]string{{"STRASSE", "straße"}, {"ORTI\u0301Z", "ortíz"}, {" O'Neil", "o'neil"}} {
		if Key(pair[0]) != Key(pair[1]) {
			t.Errorf("%q and %q differ: %q, %q", pair[0], pair[1], Key(pair[0]), Key(pair[1]))
		}
	}
	if Digits("(216) 555-0176 x9") != "21655501769" {
		t.Error(Digits("(216) 555-0176 x9"))
	}
}

// The short way for plain text answers as the long one does.
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
		if got := Counted(n, "person", "people"); got != want {
			t.Errorf("%d: %s", n, got)
		}
	}
}
