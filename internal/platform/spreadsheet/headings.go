package spreadsheet

import (
	"strings"
	"unicode"

	"wcpp/internal/platform/text"
)

// HeadingKey folds a heading, so that different spellings match. It keeps letters and digits
// only, and reads "#" as "No".
func HeadingKey(heading string) string {
	heading = strings.ReplaceAll(text.Key(heading), "#", "no")
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, heading)
}
