package ingest

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// A chunk can end within a character.
func TestUTF8Check(t *testing.T) {
	for text, valid := range map[string]bool{
		"": true, "plain": true, "MUÑOZ, ZOË, 山, \U0001F600": true, "MU\xd1OZ": false, "Ñ\xc3": false, "\xff": false, "山\xe5\xb1": false,
		"\x91": false,
	} {
		for size := 1; size <= len(text)+1; size++ {
			var c utf8Check
			for rest := text; rest != ""; {
				piece := rest[:min(size, len(rest))]
				if n, err := c.Write([]byte(piece)); n != len(piece) || err != nil {
					t.Fatal(n, err)
				}
				rest = rest[len(piece):]
			}
			assert.Equalf(t, valid, c.valid(), "%q in pieces of %d", text, size)
		}
	}
}

func FuzzUTF8Check(f *testing.F) {
	f.Add("MUÑOZ\xd1", 3)
	f.Fuzz(func(t *testing.T, text string, size int) {
		var c utf8Check
		for rest := text; rest != ""; {
			piece := rest[:min(max(size, 1), len(rest))]
			_, _ = c.Write([]byte(piece))
			rest = rest[len(piece):]
		}
		assert.Equal(t, strings.ToValidUTF8(text, "?") == text, c.valid(), text)
	})
}
