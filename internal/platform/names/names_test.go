package names

import (
	"encoding/json"
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The browser's tests also use the cases in letters.json.
func TestLetters(t *testing.T) {
	file, err := os.ReadFile("testdata/letters.json")
	require.NoError(t, err)
	var cases map[string]string
	require.NoError(t, json.Unmarshal(file, &cases))
	for typed, want := range cases {
		assert.Equal(t, want, FoldPart(typed), typed)
		assert.Equalf(t, want, FoldPart(FoldPart(typed)), "%q folded twice", typed)
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
	assert.NotEmpty(t, Of("", "").Key(), "the key of no name is that of a name without a key")
}
