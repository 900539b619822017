package csvio

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// A list in a cell isn't a row of columns, even if it has more separators.
func TestDetectSeparator(t *testing.T) {
	for text, want := range map[string]rune{
		"Acct,DOS,Dx\n1001,01/02/2026,M54.5;S33.5;S13.4;M25.5\n":                           ',',
		"Acct,DOS,Dx\n1001,01/02/2026,M54.5;S33.5;S13.4\n1002,01/03/2026,M54.5;S33.5;S1\n": ',',
		"Acct;DOS;Dx\r\n1001;01/02/2026;M54.5,S33.5,S13.4,M25.5\r\n":                       ';',
		"Acct|Name\n1|Brook, Ada, MD, PhD\n2|Ort, Eva\n":                                   '|',
		"Name\tDOS\nBrook, Ada\t01/02/2026\nOrt, Eva\t01/03/2026\n":                        '\t',
		"Our groups, North, South\nID;Name;Kind\n1;a;b\n":                                  ';',
		"Amount;Paid;Due\n1,50;2,50;3,50\n":                                                ';',
		"a;b;c":                                                                            ';',
		"a":                                                                                ',',
		"":                                                                                 ',',
	} {
		got, named := detectSeparator([]byte(text))
		assert.Equal(t, string(want), string(got), text)
		assert.False(t, named)
	}
}
