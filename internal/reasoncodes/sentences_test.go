package reasoncodes

import (
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// wanted are the codes that have built-in explanations.
var wanted = map[string]string{
	"CAGC": "CO PR OA PI CR",
	"CARC": "4 11 16 18 22 23 27 29 31 45 50 54 59 94 95 96 97 107 109 119 129 131 133 146 147 150 151 163 167 170 171 177 181 182 185 " +
		"189 190 193 194 197 198 204 " +
		"216 219 222 226 227 231 234 236 237 242 243 246 251 252 256 272 A1 B7 B10 B13 B15 B16 B20 " +
		"P1 P2 P3 P4 P5 P6 P7 P8 P9 P10 P11 P12 P13 P14 P16 P17 P18 P19 P20 P21 P22 P23 P24 P25 P26",
	"PLB":   "50 51 72 90 AM AP B2 CS E3 FB IR IS J1 L3 L6 LE LS OB WO WU",
	"CLP02": "1 2 3 4 19 20 21 22 23 25",
	"HCP13": "T1 T2 T3 T4 T5 T6",
}

// Every important code has a complete and short explanation, readable with a ninth-grade
// education.
func TestSentences(t *testing.T) {
	own, err := readBuiltIn()
	require.NoError(t, err)
	for list, codes := range wanted {
		for code := range strings.FieldsSeq(codes) {
			if _, explained := own[key{list, code, ""}]; !explained {
				t.Errorf("%s %s is not explained", list, code)
			}
		}
	}
	for k, r := range own {
		for name, part := range map[string]struct {
			text string
			most int
		}{"title": {r.Title, MaxTitle}, "plain": {r.Plain, MaxText}, "advice": {r.Advice, MaxText}} {
			if n := utf8.RuneCountInString(part.text); n == 0 || n > part.most {
				t.Errorf("%s %s: %s has %d characters, of %d", k.list, k.code, name, n, part.most)
			}
		}
		assert.LessOrEqualf(t, gradeLevel(r.Title+" "+r.Plain+" "+r.Advice), float64(9), "%s %s reads at grade", k.list, k.code)
	}
}

func TestGradeOf(t *testing.T) {
	for text, want := range map[string][2]float64{
		"The cat sat on the mat.":                             {-2, 0},
		"The payer paid less than the charge. Ask the payer.": {-1, 4},
		"Notwithstanding jurisdictional considerations, reimbursement determinations necessitate comprehensive documentation.": {20, 50},
	} {
		if got := gradeLevel(text); got < want[0] || got > want[1] {
			t.Errorf("grade %.1f of %q", got, text)
		}
	}
}

var (
	sentenceEnds = regexp.MustCompile(`[.!?:;]+(\s|$)`)
	words        = regexp.MustCompile(`[A-Za-z]+(?:['’][A-Za-z]+)?`)
	vowels       = regexp.MustCompile(`[aou]y|[aeiouy]+`)
)

// gradeLevel returns the Flesch-Kincaid grade level, based on the length of sentences and words. A
// syllable is a group of vowels, except a silent final e.
func gradeLevel(text string) float64 {
	sentences := max(len(sentenceEnds.FindAllString(text, -1)), 1)
	found := words.FindAllString(text, -1)
	syllables := 0
	for _, w := range found {
		w = strings.ToLower(w)
		n := len(vowels.FindAllString(w, -1))
		for _, silent := range []string{"e", "es", "ed"} {
			if strings.HasSuffix(w, silent) && !strings.HasSuffix(w, "le") && !strings.HasSuffix(w, "ted") && !strings.HasSuffix(w, "ded") {
				n--
				break
			}
		}
		syllables += max(n, 1)
	}
	return 0.39*float64(len(found))/float64(sentences) + 11.8*float64(syllables)/float64(len(found)) - 15.59
}
