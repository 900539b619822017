package ingest

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/text/encoding/unicode"

	"wcpp/internal/platform/csvio"
)

// Group is a row of the test table.
type Group struct {
	ID         int64
	Name, Kind string
}

// GroupFields are the columns of the test table.
var GroupFields = []Column[Group]{
	Required("group_id", Number(func(g *Group) *int64 { return &g.ID })),
	Required("name", Text(func(g *Group) *string { return &g.Name }, 128)),
	Required("kind", OneOf(func(g *Group) *string { return &g.Kind }, "PROVIDER", "NONNETWORK", "ROSTER")),
}

// SetBatch sets the number of records per batch.
func (im *Importer) SetBatch(records int) { im.batchRecords = records }

func decodeGroups(text string) (records []Record, err error) {
	err = decodeTable(strings.NewReader(text), Sink{Record: func(r Record) error { records = append(records, r); return nil }},
		GroupFields, nil)
	return records, err
}

// Columns can have any order and case, fields can contain line breaks and quotes, and Excel's
// byte order mark isn't part of the first name.
func TestTableForms(t *testing.T) {
	records, err := decodeGroups("\xEF\xBB\xBFKIND, Name ,group_id\r\nPROVIDER,\"Lake \"\"Side\"\"\nOrthopedic\",1\r\nROSTER,x,2")
	require.NoError(t, err)
	require.Len(t, records, 2)
	assert.Equal(t, Group{1, `Lake "Side" Orthopedic`, "PROVIDER"}, *records[0].Row.(*Group))
	assert.Equal(t, int64(4), records[1].At.Line)
}

// Spreadsheet programs save the same table in many ways.
func TestTablesAsSpreadsheetsSaveThem(t *testing.T) {
	const plain = "group_id,name,kind\r\n1,Żółć,PROVIDER\r\n"
	utf16 := func(order unicode.Endianness, mark unicode.BOMPolicy, text string) string {
		out, err := unicode.UTF16(order, mark).NewEncoder().String(text)
		require.NoError(t, err)
		return out
	}
	for name, c := range map[string]struct {
		text string
		line int64
	}{
		"plain":                          {plain, 2},
		"tabs":                           {strings.ReplaceAll(plain, ",", "\t"), 2},
		"semicolons":                     {strings.ReplaceAll(plain, ",", ";"), 2},
		"semicolons, named":              {"sep=;\r\n" + strings.ReplaceAll(plain, ",", ";"), 3},
		"commas, named, with a mark":     {"\xEF\xBB\xBFsep=,\r\n" + plain, 3},
		"tabs, named in quotes":          {"\"sep=\t\"\n" + strings.ReplaceAll(plain, ",", "\t"), 3},
		"UTF-16, little end":             {utf16(unicode.LittleEndian, unicode.UseBOM, plain), 2},
		"UTF-16, big end":                {utf16(unicode.BigEndian, unicode.UseBOM, plain), 2},
		"UTF-16, little end, no mark":    {utf16(unicode.LittleEndian, unicode.IgnoreBOM, plain), 2},
		"UTF-16, big end, no mark, tabs": {utf16(unicode.BigEndian, unicode.IgnoreBOM, strings.ReplaceAll(plain, ",", "\t")), 2},
		"UTF-16, named separator":        {utf16(unicode.LittleEndian, unicode.UseBOM, "sep=;\r\n"+strings.ReplaceAll(plain, ",", ";")), 3},
		"carriage returns alone":         {strings.ReplaceAll(plain, "\r\n", "\r"), 2},
		"empty columns":                  {"group_id,name,kind,,\n1,Żółć,PROVIDER,,\n", 2},
		"an empty column between":        {"group_id,,name,kind\n1,,Żółć,PROVIDER\n", 2},
		"more empty fields":              {"group_id,name,kind\n1,Żółć,PROVIDER,,,\n", 2},
		"empty rows":                     {",,\ngroup_id,name,kind\n,,\n\n1,Żółć,PROVIDER\n , ,\n,,\n", 5},
		"a title":                        {"\"Our groups, as of 11/01/2026\",,\n,,\ngroup_id,name,kind\n1,Żółć,PROVIDER\n", 4},
		"a title with semicolons":        {"Our groups, North, South\nGroup ID;NAME; kind\n1;Żółć;PROVIDER\n", 3},
		"names as people write them":     {"Group ID,Name,\u00a0KIND \n1,Żółć,provider\n", 2},
	} {
		records, err := decodeGroups(c.text)
		if err != nil || len(records) != 1 || records[0].Rejected() || records[0].At.Line != c.line || *records[0].Row.(*Group) !=
			(Group{1, "Żółć", "PROVIDER"}) {
			t.Errorf("%s: %v %+v", name, err, records)
		}
	}
	records, err := decodeGroups("group_id,,name,kind\n1,x,North,PROVIDER\n1,,North,PROVIDER,x\n1,,North\n")
	var got []string
	for _, r := range records {
		for _, p := range r.Problems {
			got = append(got, p.String())
		}
	}
	want := []string{"error: line 2: field 2 has a value but no column name", "error: line 3: the row has 5 fields, but the header has 4",
		"error: line 4: the row has 3 fields, but the header has 4"}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%v %q", err, got)
	}
}

func TestTablesThatCannotBeRead(t *testing.T) {
	for name, test := range map[string]struct{ text, want string }{
		"empty":          {"", "line 1: the file is empty"},
		"unknown column": {"group_id,name,kind,colour\n", "line 1, colour: unknown column; use these columns: group_id, name, kind"},
		"no header":      {"1,Lake 12-3456789,PROVIDER\n", "line 1, 1: unknown column"},
		"twice":          {"group_id,name,kind,name\n", "line 1, name: this column appears twice"},
		"missing":        {"group_id,name\n", "line 1, kind: this column is missing"},
		"quote":          {"group_id,name,kind\n1,a\"b,PROVIDER\n", "line 2: bare \" in non-quoted-field at character 4"},
		"quote in head":  {"group_id,na\"me,kind\n", "line 1: bare"},
		"open quote": {"group_id,name,kind\n1,\"" + strings.Repeat("x\n", csvio.MaxRow),
			"line 2: the row is longer than 1048576 bytes"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := decodeGroups(test.text)
			var refused *tableError
			if !errors.As(err, &refused) || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want %q", err, test.want)
			}
		})
	}
}

// A number that a spreadsheet shortened is unknown, so the row is rejected.
func TestShortenedNumbersAreRefused(t *testing.T) {
	records, err := decodeGroups("group_id,name,kind\n1,7.10001E+09,PROVIDER\n2,\"7,1e+09\",PROVIDER\n3,12E4567,PROVIDER\n4E+02,x," +
		"PROVIDER\n")
	require.NoError(t, err)
	require.Len(t, records, 4)
	for i, want := range []string{"line 2, name: " + errExponent.Error(), "line 3, name: " + errExponent.Error(), "",
		"line 5, group_id: " + errExponent.Error()} {
		r := records[i]
		if r.Rejected() != (want != "") || want != "" && (len(r.Problems) != 1 || r.Problems[0].String() != "error: "+want) {
			t.Errorf("row %d: %+v", i+1, r)
		}
	}
}

func TestReportIsBounded(t *testing.T) {
	var r Report
	for range maxProblems + 7 {
		r.add(Problem{Severity: SeverityWarning, Line: 1, Reason: "x"})
	}
	assert.Len(t, r.Problems, maxProblems)
	assert.Equal(t, int64(7), r.MoreProblems)
}

func TestProgressIsTold(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x")
	require.NoError(t, os.WriteFile(path, []byte(strings.Repeat("x", 100)), 0o600))
	file, err := os.Open(path)
	require.NoError(t, err)
	defer file.Close()
	var reports []Progress
	s := &source{ctx: t.Context(), file: file, progress: Progress{Total: 100}, report: func(p Progress) { reports = append(reports, p) }}
	require.NoError(t, s.rewind("reading"))
	for range 3 {
		if _, err := s.Read(make([]byte, 40)); err != nil {
			t.Fatal(err)
		}
	}
	if len(reports) != 1 || reports[0] != (Progress{Phase: "reading", Bytes: 40, Total: 100}) {
		t.Errorf("reported %+v, want once and then silence for half a second", reports)
	}
}
