package text

import "testing"

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
