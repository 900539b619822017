package names

import (
	"encoding/json"
	"os"
	"slices"
	"testing"
)

// The browser's tests also use the cases in letters.json.
func TestLetters(t *testing.T) {
	file, err := os.ReadFile("testdata/letters.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases map[string]string
	if err := json.Unmarshal(file, &cases); err != nil {
		t.Fatal(err)
	}
	for typed, want := range cases {
		if got := FoldPart(typed); got != want {
			t.Errorf("%q is %q, not %q", typed, got, want)
		}
		if again := FoldPart(FoldPart(typed)); again != want {
			t.Errorf("%q folded twice is %q", typed, again)
		}
	}
}

// agree reports whether a search for one name finds the other.
func agree(a, b Name) bool { return slices.Contains(a.Keys(), b.Key()) }

func TestNamesAgree(t *testing.T) {
	for _, c := range []struct {
		a, b [2]string // last and first name
		want bool
	}{
		{[2]string{"NUNEZ", "JOSE"}, [2]string{"NUÑEZ", "JOSÉ"}, true},
		{[2]string{"O'Brien", "Pat"}, [2]string{"OBRIEN", "PAT"}, true},
		{[2]string{"Smith", "John"}, [2]string{"Smith Jr", "John"}, true},
		{[2]string{"Smith, Jr.", "John"}, [2]string{"SMITH JR", "JOHN"}, true},
		{[2]string{"Smith", "John Jr."}, [2]string{"SMITH JR", "JOHN"}, true},
		{[2]string{"Smith-Jr", "John"}, [2]string{"Smith", "John"}, true},
		{[2]string{"Smith 3rd", "John"}, [2]string{"Smith III", "John"}, true},
		{[2]string{"Smith Jr", "John"}, [2]string{"Smith Sr", "John"}, false},
		{[2]string{"Smith Jr", "John"}, [2]string{"Smith", "John Sr"}, false},
		{[2]string{"Smith II", "John"}, [2]string{"Smith III", "John"}, false},
		{[2]string{"Smith", "Jr"}, [2]string{"Smith", ""}, false}, // Jr as a real name
		{[2]string{"Smith", "John"}, [2]string{"Smith", "Joan"}, false},
		{[2]string{"Smith", "John"}, [2]string{"Smithj", "ohn"}, false},
		{[2]string{"-", "John"}, [2]string{"", "John"}, false},
	} {
		a, b := Of(c.a[0], c.a[1]), Of(c.b[0], c.b[1])
		if agree(a, b) != c.want || agree(b, a) != c.want {
			t.Errorf("%v and %v: %v, %v", c.a, c.b, agree(a, b), agree(b, a))
		}
	}
	if key := Of("", "").Key(); key == "" {
		t.Error("the key of no name is that of a name without a key")
	}
}
