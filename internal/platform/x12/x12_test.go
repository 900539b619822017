package x12

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/platform/x12/x12test"
)

const isa = "ISA*00*          *00*          *ZZ*SENDER         *ZZ*RECEIVER       *260102*0304*^*00501*000000001*0*P*:~"

// whole is an interchange with one set of four segments.
const whole = isa + "GS*HC*S*R*20260102*0304*7*X*005010X222A1~ST*837*0001*005010X222A1~BHT*1~NM1*85*2*A:B~SE*4*0001~GE*1*7~IEA*1*000000001~"

// scan reads all segments of all sets, as text.
func scan(text string) (got []string, err error) {
	s := NewScanner(strings.NewReader(text))
	for {
		seg, err := s.Next()
		if errors.Is(err, io.EOF) {
			return got, nil
		}
		if err != nil {
			return got, err
		}
		got = append(got, fmt.Sprint(seg.Number, " ", strings.Join(seg.elements, "*")))
	}
}

func TestForms(t *testing.T) {
	want := []string{"3 ST*837*0001*005010X222A1", "4 BHT*1", "5 NM1*85*2*A:B", "6 SE*4*0001"}
	for name, text := range map[string]string{
		"one line":                         whole,
		"a line for each segment":          strings.ReplaceAll(whole, "~", "~\n"),
		"lines of Windows":                 strings.ReplaceAll(whole, "~", "~\r\n"),
		"line ends as terminators":         strings.ReplaceAll(whole, "~", "\n"),
		"Windows line ends as such":        strings.ReplaceAll(whole, "~", "\r\n"),
		"byte order mark":                  "\xEF\xBB\xBF" + whole,
		"blank lines around":               "\n\n" + whole + "\n\n\x1a",
		"no last terminator":               strings.TrimSuffix(whole, "~"),
		"wrapped at 80 columns":            wrap(whole),
		"control characters as separators": strings.NewReplacer("~", "\x1c", "*", "\x1d", ":", "\x1f", "^", "\x1e").Replace(whole),
		"acknowledgement beside the group": strings.Replace(whole, "GS*", "TA1*000000001*260102*0304*A*000~GS*", 1),
	} {
		t.Run(name, func(t *testing.T) {
			expect := want
			switch {
			case strings.Contains(text, "TA1"):
				expect = []string{"4 ST*837*0001*005010X222A1", "5 BHT*1", "6 NM1*85*2*A:B", "7 SE*4*0001"}
			case strings.Contains(text, "\x1f"):
				expect = slices.Clone(want)
				expect[2] = "5 NM1*85*2*A\x1fB"
			}
			if got, err := scan(text); err != nil || !slices.Equal(got, expect) {
				t.Errorf("%v\ngot  %q\nwant %q", err, got, expect)
			}
		})
	}
}

// The standard requires segment names in capital letters and digits.
func TestNamesInSmallLettersAreRefused(t *testing.T) {
	for name, text := range map[string]string{
		"all of them": strings.ToLower(whole), "one": strings.Replace(whole, "NM1*", "nm1*", 1),
		"a letter of one": strings.Replace(whole, "BHT", "BhT", 1),
	} {
		var broken *Error
		if _, err := scan(text); !errors.As(err, &broken) || !strings.Contains(broken.Reason, "capital letters") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestAFileWithoutTransactionSetsIsRefused(t *testing.T) {
	for name, text := range map[string]string{
		"no group": isa + "IEA*0*000000001~", "an empty group": isa + "GS*HC*S*R*20260102*0304*7*X*005010X222A1~GE*0*7~IEA*1*000000001~",
	} {
		if _, err := scan(text); err == nil || !strings.Contains(err.Error(), "without a transaction set") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// The bytes at a set's position in the file are the set, whatever surrounds it or is in it.
func TestPlacesOfSets(t *testing.T) {
	crossed := strings.NewReplacer("~", "'", "*", "|", ":", "<").Replace(whole)
	text := strings.Replace(whole, "A:B", "GARC\u00cdA", 1)
	single := strings.ReplaceAll(text, "\u00cd", "\xcd")
	for name, test := range map[string]struct {
		file   string
		single string // the decoded text of the file, if it isn't UTF-8
		want   []string
	}{
		"one line":        {file: text + whole, want: []string{set(text, "~"), set(whole, "~")}},
		"byte order mark": {file: "\xEF\xBB\xBF" + text, want: []string{set(text, "~")}},
		"blank lines": {file: "\r\n\n" + strings.ReplaceAll(text, "~", "~\r\n"),
			want: []string{set(strings.ReplaceAll(text, "~", "~\r\n"), "~")}},
		"lines":            {file: strings.ReplaceAll(text, "~", "\n"), want: []string{set(strings.ReplaceAll(text, "~", "\n"), "\n")}},
		"lines of Windows": {file: strings.ReplaceAll(text, "~", "\r\n"), want: []string{set(strings.ReplaceAll(text, "~", "\r\n"), "\r")}},
		"wrapped":          {file: wrap(text), want: []string{set(wrap(text), "~")}},
		"interchanges":     {file: text + "\n" + crossed, want: []string{set(text, "~"), set(crossed, "'")}},
		"Windows-1252":     {file: single + single, single: text + text, want: []string{set(single, "~"), set(single, "~")}},
	} {
		t.Run(name, func(t *testing.T) {
			s := NewScanner(strings.NewReader(test.file))
			if test.single != "" {
				s = NewScanner(strings.NewReader(test.single))
				s.SetSingleByte()
			}
			var got []string
			for {
				seg, err := s.Next()
				if errors.Is(err, io.EOF) {
					break
				}
				require.NoError(t, err)
				if at := s.Set(); seg.ID == "SE" {
					got = append(got, test.file[at.Offset:at.Offset+at.Length])
				}
			}
			assert.Equal(t, test.want, got)
		})
	}
}

// set returns the only transaction set of a text, up to the terminator of SE.
func set(text, terminator string) string {
	from := strings.Index(text, "ST")
	from = strings.Index(text, "ST"+text[from+2:from+3]+"837")
	se := strings.Index(text, "SE"+text[from+2:from+3]+"4")
	return text[from : se+strings.Index(text[se:], terminator)+1]
}

func wrap(text string) string {
	var lines []string
	for ; len(text) > 80; text = text[80:] {
		lines = append(lines, text[:80])
	}
	return strings.Join(append(lines, text), "\r\n")
}

// Each interchange has its own separators.
func TestSeveralInterchanges(t *testing.T) {
	second := strings.NewReplacer("~", "'", "*", "|", ":", "<").Replace(whole)
	got, err := scan(whole + "\n" + second)
	if err != nil || len(got) != 8 || got[7] != "14 SE*4*0001" {
		t.Errorf("%v %q", err, got)
	}
}

func TestTextIsUTF8(t *testing.T) {
	got, err := scan(strings.Replace(whole, "A:B", "GARC\u00cdA", 1))
	if err != nil || got[2] != "5 NM1*85*2*GARC\u00cdA" {
		t.Errorf("%v %q", err, got)
	}
	if _, err := scan(strings.Replace(whole, "A:B", "GARC\xcdA", 1)); err == nil ||
		!strings.Contains(err.Error(), "segment 5: contains text that isn't UTF-8") {
		t.Errorf("%v", err)
	}
}

func TestSegment(t *testing.T) {
	s := Segment{ID: "SV1", elements: []string{"SV1", " HC:99213 :GP", ""}, component: ':'}
	for _, test := range []struct{ got, want string }{
		{s.Element(1), "HC:99213 :GP"}, {s.Element(2), ""}, {s.Element(9), ""},
		{s.Component(1, 1), "HC"}, {s.Component(1, 2), "99213"}, {s.Component(1, 3), "GP"}, {s.Component(1, 4), ""},
		{s.Component(7, 1), ""},
	} {
		assert.Equal(t, test.want, test.got)
	}
	assert.Equal(t, 2, s.Len())
}

// 4010 names its guide in the group.
func TestSet(t *testing.T) {
	text := strings.Replace(strings.Replace(whole, "*005010X222A1~BHT", "~BHT", 1), "005010X222A1", "004010X098A1", 1)
	s := NewScanner(strings.NewReader(text))
	if _, err := s.Next(); err != nil {
		t.Fatal(err)
	}
	if got, want := *s.Set(), (Set{Code: "837", Control: "0001", Implementation: "004010X098A1", Segment: 3, Written: "20260102T0304",
		Offset: int64(strings.Index(text, "ST*")), Interchange: 1}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestBrokenStructure(t *testing.T) {
	swap := func(old, by string) string { return strings.Replace(whole, old, by, 1) }
	for name, test := range map[string]struct{ text, want string }{
		"empty":                 {"", "segment 1: the file is empty"},
		"blank":                 {" \n ", "segment 1: the file is empty"},
		"no X12":                {"%PDF-1.7", "segment 1: the file doesn't begin with an ISA segment"},
		"no ISA":                {whole[len(isa):], "segment 1: the file doesn't begin with an ISA segment"},
		"ISA cut off":           {isa[:90], "segment 1 ISA: the segment is incomplete"},
		"letters as separators": {strings.Replace(isa, "*:~", "*:A", 1), "segment 1 ISA16: the separators also appear in the data"},
		"count of segments": {swap("SE*4", "SE*5"),
			"segment 6 SE01: the count of segments is wrong; found 4 since the ST of segment 3"},
		"count that is none":   {swap("SE*4", "SE*x"), "segment 6 SE01: the count of segments is wrong"},
		"control of the set":   {swap("SE*4*0001", "SE*4*0002"), "segment 6 SE02: the control number doesn't match the ST of segment 3"},
		"count of sets":        {swap("GE*1*7", "GE*2*7"), "segment 7 GE01: the count of transaction sets is wrong; found 1"},
		"control of the group": {swap("GE*1*7", "GE*1*8"), "segment 7 GE02: the control number doesn't match the GS of segment 2"},
		"count of groups":      {swap("IEA*1", "IEA*2"), "segment 8 IEA01: the count of functional groups is wrong"},
		"control of the file":  {swap("IEA*1*000000001", "IEA*1*000000002"), "segment 8 IEA02: the control number doesn't match the ISA"},
		"cut in a set":         {before(whole, "SE*"), "segment 5: the file ends before SE closes segment 3"},
		"cut in a group":       {before(whole, "GE*"), "segment 6: the file ends before GE closes segment 2"},
		"cut before IEA":       {before(whole, "IEA*"), "segment 7: the file ends before IEA closes segment 1"},
		"ISA within":           {swap("ST*", isa+"ST*"), "segment 3 ISA: begins before IEA closes the interchange of segment 1"},
		"GS within":            {swap("ST*", "GS*HC~ST*"), "segment 3 GS: a functional group must be directly"},
		"ST within":            {swap("BHT*", "ST*837*2~BHT*"), "segment 4 ST: a transaction set must be directly"},
		"ST alone": {swap("GS*HC*S*R*20260102*0304*7*X*005010X222A1~", ""),
			"segment 2 ST: a transaction set must be directly"},
		"GE in a set": {swap("BHT*1", "GE*1*7"),
			"segment 4 GE: closes the group before SE closes the transaction set of segment 3"},
		"IEA in a group":    {swap("GE*1*7~", ""), "segment 7 IEA: closes the interchange before GE closes the group of segment 2"},
		"SE without ST":     {isa + "SE*1*0001~", "segment 2 SE: closes a ST that wasn't opened"},
		"SE twice":          {swap("SE*4*0001~", "SE*4*0001~SE*4*0001~"), "segment 7 SE: closes a ST that wasn't opened"},
		"segment alone":     {swap("ST*", "BHT*1~ST*"), "segment 3 BHT: is outside of a transaction set"},
		"TA1 in a group":    {swap("ST*", "TA1*1~ST*"), "segment 3 TA1: must be directly in an interchange"},
		"after the end":     {whole + "NM1*1~", "segment 9 NM1: is outside"},
		"empty segment":     {swap("BHT*1~", "~"), "segment 4: isn't an X12 segment"},
		"no name":           {swap("BHT*1~", "*1~"), "segment 4: isn't an X12 segment"},
		"control character": {swap("BHT*1~", "BHT*\x00~"), "segment 4: contains a control character"},
		"no terminator":     {swap("BHT*1~", "BHT*"+strings.Repeat("1", maxSegment)+"~"), "segment 4: is longer than 65536 bytes"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := scan(test.text)
			var broken *Error
			if !errors.As(err, &broken) || !strings.HasPrefix(err.Error(), test.want) {
				t.Errorf("error %v\nwant  %s", err, test.want)
			}
		})
	}
}

func TestReadErrorsPassThrough(t *testing.T) {
	s := NewScanner(io.MultiReader(strings.NewReader(whole[:200]), failing{}))
	var err error
	for err == nil {
		_, err = s.Next()
	}
	assert.ErrorIs(t, err, errDisk)
}

var errDisk = errors.New("disk failed")

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, errDisk }

func FuzzReader(f *testing.F) {
	f.Add(whole)
	f.Add(strings.ReplaceAll(whole, "~", "\r\n"))
	f.Add(strings.NewReplacer("~", "'", "*", "|", ":", "<").Replace(whole))
	f.Fuzz(func(t *testing.T, text string) {
		r := NewReader(strings.NewReader(text))
		for last := int64(0); ; last++ {
			seg, err := r.Read()
			if err != nil {
				var broken *Error
				if !errors.Is(err, io.EOF) && !errors.As(err, &broken) {
					t.Fatalf("error %v of a kind that a text cannot cause", err)
				}
				return
			}
			if seg.Number != last+1 || seg.ID == "" {
				t.Fatalf("segment %d %q after %d", seg.Number, seg.ID, last)
			}
			for i := range seg.Len() + 2 {
				seg.Component(i, 2)
			}
		}
	})
}

func before(s, sep string) string {
	head, _, _ := strings.Cut(s, sep)
	return head
}

func TestMoments(t *testing.T) {
	for _, test := range []struct{ day, clock, want string }{
		{"20260102", "0304", "20260102T0304"}, {"20260102", "030400", "20260102T0304"}, {"20260102", "03040000", "20260102T0304"},
		{"20260102", "030405", "20260102T030405"}, {"20260102", "03040550", "20260102T0304055"}, {"20260102", "0304050", "20260102T030405"},
		{"20260102", "03040005", "20260102T03040005"}, {"20260102", "0000", "20260102T0000"}, {"20260102", "", "20260102"},
		{"260102", "0304", "20260102T0304"}, {"680101", "", "20680101"}, {"690101", "", "19690101"}, {" 260102 ", "0304 ", "20260102T0304"},
		{"", "0304", ""},
		{"20240229", "", "20240229"},
	} {
		if got, wrong := FormatMoment(test.day, test.clock); got != test.want || wrong != [2]error{} {
			t.Errorf("%q %q: %q, %v, want %q", test.day, test.clock, got, wrong, test.want)
		}
	}
	for _, test := range []struct{ day, clock, want, wrong string }{
		{"20261301", "0304", "", "date"}, {"20260230", "", "", "date"}, {"261301", "", "", "date"}, {"20250229", "", "", "date"},
		{"2026", "", "", "date"},
		{"2026010", "", "", "date"}, {"18000101", "", "", "date"}, {"ABCDEF", "", "", "date"},
		{"20260102", "2400", "20260102", "time"}, {"20260102", "0360", "20260102", "time"}, {"20260102", "030460", "20260102", "time"},
		{"20260102", "304", "20260102", "time"},
		{"20260102", "03:04", "20260102", "time"}, {"20260102", "030405678", "20260102", "time"},
	} {
		got, wrong := FormatMoment(test.day, test.clock)
		if got != test.want || (wrong[0] != nil) != (test.wrong == "date") || (wrong[1] != nil) != (test.wrong == "time") {
			t.Errorf("%q %q: %q, %v", test.day, test.clock, got, wrong)
		}
	}
	// In the order of time.
	last := ""
	for _, clock := range []string{"", "0000", "000001", "0001", "0304", "03040005", "0304001", "030401", "03040149", "0304015", "0305",
		"2359", "23595999"} {
		got, wrong := FormatMoment("20260102", clock)
		if got <= last || wrong != [2]error{} {
			t.Errorf("%s is not after %s: %v", got, last, wrong)
		}
		last = got
	}
}

func TestControlNumbers(t *testing.T) {
	for _, test := range []struct {
		opened, closed string
		same           bool
	}{
		{"0161", "161", true}, {"161", "000000161", true}, {"000000161", "000000161", true}, {"0", "000", true}, {"A161", "A161", true},
		{"161 ", "161", true},
		{"161", "1610", false}, {"A161", "0A161", false}, {"161", "162", false}, {"161", "", false}, {"0", "", false}, {"-1", "-01", false},
	} {
		s := NewScanner(strings.NewReader(strings.NewReplacer(
			"GS*HC*SENDER*RECEIVER*20260102*0304*1*", "GS*HC*SENDER*RECEIVER*20260102*0304*"+test.opened+"*", "GE*1*1~",
			"GE*1*"+test.closed+"~",
			"ST*837*0001*", "ST*837*"+test.opened+"*", "*0001~", "*"+test.closed+"~",
		).Replace(x12test.File(1, x12test.Group{Code: "HC", Guide: "005010X222A1", Date: "20260102", Time: "0304",
			Sets: []string{x12test.Set("837", "005010X222A1", "BHT*0019")}}))))
		var err error
		for err == nil {
			_, err = s.Next()
		}
		assert.Equalf(t, test.same, errors.Is(err, io.EOF), "%q closed by %q: %v", test.opened, test.closed, err)
	}
}

// An envelope with invalid dates is read with one warning.
func TestEnvelopesWithoutADate(t *testing.T) {
	set := x12test.Set("837", "005010X222A1", "BHT*0019")
	text := x12test.File(1,
		x12test.Group{Code: "HC", Guide: "005010X222A1", Date: "20261399", Time: "0304", Sets: []string{set, set}},
		x12test.Group{Code: "HC", Guide: "005010X222A1", Date: "251231", Time: "2561", Sets: []string{set}})
	for _, test := range []struct{ text, written, warnings string }{
		{text, "20260102T0304 20260102T0304 20251231", "GS04 GS05"},
		{strings.Replace(text, "*20261399*", "*20991231*", 1), "20260102T0304 20260102T0304 20251231", "GS04 GS05"},
		{strings.Replace(text, "*20261399*", "*20260301*", 1), "20260301T0304 20260301T0304 20251231", "GS05"},
		{strings.Replace(text, "*260102*0304*", "*991399*0304*", 1), "  20251231", "ISA09 GS04 GS05"},
	} {
		s := NewScanner(strings.NewReader(test.text))
		s.SetLastWritten("2026-03-01")
		var written, warnings []string
		for {
			seg, err := s.Next()
			if err != nil {
				break
			}
			for _, w := range s.Warnings() {
				warnings = append(warnings, ElementName(w.ID, w.Element))
			}
			if seg.ID == "ST" {
				written = append(written, s.Set().Written)
			}
		}
		if strings.Join(written, " ") != test.written || strings.Join(warnings, " ") != test.warnings {
			t.Errorf("%q, %q", written, warnings)
		}
	}
}
