package rosters

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"wcpp/internal/platform/identifiers"
	"wcpp/internal/platform/spreadsheet"
	"wcpp/internal/platform/text"
	"wcpp/internal/platform/validate"
)

// Problem is an error in a roster file.
type Problem struct {
	Row     int    // row number in the file, from 1; 0: the whole file
	Column  string // template column; empty: the whole row
	Code    string
	Message string
	// Provider is the row's provider by name and NPI, as far as the row has them.
	Provider string
	Value    string // the cell's content, cut to a length that fits a screen
}

// Report is the result of checking a file.
type Report struct {
	Format   spreadsheet.Format
	Rows     int
	BadRows  int
	Problems []Problem // the first maxProblems
	Found    int       // total number of problems
	Counts   map[string]int
	Missing  []string // required columns missing in the file
	Ignored  []string // headings that match no template column
	Layout
	Sheets []string // unread sheets of a workbook
	// Adds, Changes and Terms count the rows of a partial roster by action.
	Adds, Changes, Terms int
	Providers            int // distinct NPIs in rows without problems
	// NotUpdated explains why the last directory update from the file failed.
	NotUpdated string `json:",omitempty"`
	// Unreadable explains why the file can't be read as a table.
	Unreadable string
}

// Size limits. Larger files are rejected rather than read in part.
const (
	maxColumns  = 200
	maxRows     = 1_000_000
	longestCell = 2_000
)

// maxProblems is the maximum number of problems in a report.
const maxProblems = 500

// row is a row being checked.
type row struct {
	values  []string // by template column
	partial bool
	action  byte
}

func (r *row) get(name string) string { return r.values[byName[name]] }

// checker checks the rows of one file.
type checker struct {
	partial  bool
	chosen   *Layout // nil: find the columns by their headings
	report   *Report
	rowByKey map[uint64]int // row numbers by provider, TIN and location
	npis     map[string]bool
	progress func(rows int)
	take     func(npi string, t tally) // receives the data of each row with a valid NPI
	mark     func(cells []string, number int, problems []Problem) error
	each     func(r *row) error // receives each row without problems
}

// check reads the file and fills the report, including problems with the file as a whole. It
// returns an error only if the stored file can't be read at all.
func (c *checker) check(ctx context.Context, path string, format spreadsheet.Format) error {
	rows, err := spreadsheet.Open(path, format, "roster")
	if err == nil {
		defer rows.Close() //nolint:errcheck // only read
		err = c.walk(ctx, rows)
	}
	var cannot *spreadsheet.Unreadable
	if errors.As(err, &cannot) {
		c.report.Unreadable = cannot.Message
		return nil
	}
	return err
}

func (c *checker) walk(ctx context.Context, rows spreadsheet.Rows) error {
	c.report.Sheets = slices.DeleteFunc(slices.Clone(rows.Unread()), func(sheet string) bool { return sheet == helpSheet })
	ahead := readAhead(rows)
	if len(ahead.First) == 0 {
		return cmp.Or(ahead.Err(), spreadsheet.NewUnreadable("The file is empty. Its first row must have the column names."))
	}
	a, err := arrange(ahead.First, c.chosen, c.partial)
	c.report.Layout = a.Layout
	if err != nil {
		return err
	}
	c.report.Ignored, c.report.Missing = a.ignored, a.missing
	if !slices.ContainsFunc(a.kinds, func(kind int) bool { return kind >= 0 }) {
		return cmp.Or(ahead.Err(), errNoColumns(a.Header))
	}
	if len(a.missing) > 0 {
		return nil // every row would miss the same column
	}
	if c.mark != nil {
		if err := c.mark(a.headings(), a.Header, nil); err != nil {
			return err
		}
	}
	return c.checkRows(ctx, ahead, a.kinds)
}

func errNoColumns(header int) error {
	if header == 0 {
		return spreadsheet.NewUnreadable("No row has the template's column names.")
	}
	return spreadsheet.NewUnreadable("Row %d doesn't have any of the template's column names.", header)
}

// checkRows checks the rows below the header. kinds maps cells to template columns.
func (c *checker) checkRows(ctx context.Context, rows spreadsheet.Rows, kinds []int) error {
	r := &row{values: make([]string, len(Template)), partial: c.partial}
	for {
		cells, number, err := rows.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if number <= c.report.Header || spreadsheet.IsBlank(cells) {
			continue
		}
		if c.report.Rows++; c.report.Rows > maxRows {
			return spreadsheet.NewUnreadable("The file has more than %d rows. Split it into smaller files.", maxRows)
		}
		if c.report.Rows%1000 == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
			if c.progress != nil {
				c.progress(c.report.Rows)
			}
		}
		clear(r.values)
		for i, cell := range cells {
			if i >= len(kinds) || kinds[i] < 0 {
				if spreadsheet.Text(cell) != "" {
					c.report.noticeUnread(i)
				}
				continue
			}
			if Template[kinds[i]].isDate {
				cell = rows.Days(i)
				cells[i] = cell
			}
			r.values[kinds[i]] = spreadsheet.Text(cell)
		}
		if err := c.checkRow(r, cells, number); err != nil {
			return err
		}
	}
}

// checkRow checks and counts a row of the file.
func (c *checker) checkRow(r *row, cells []string, number int) error {
	r.action = 'A'
	if c.partial {
		if code, _ := isAction(r, r.get(colAction)); code == "" && r.get(colAction) != "" {
			r.action = parseAction(r.get(colAction))
		}
	}
	problems := append(c.checkCells(r, number), c.checkWhole(r, number)...)
	c.count(r, problems)
	if npi := r.get(colNPI); c.take != nil && identifiers.IsNPI(npi) {
		good := len(problems) == 0
		t := tally{listed: good && r.action != 'T', ended: good && r.action == 'T'}
		if t.listed {
			t.digest = r.digest()
		}
		c.take(npi, t)
	}
	if c.each != nil && len(problems) == 0 {
		if err := c.each(r); err != nil {
			return err
		}
	}
	if c.mark != nil {
		return c.mark(cells, number, problems)
	}
	return nil
}

// checkCells checks each cell of a row against its template column.
func (c *checker) checkCells(r *row, number int) (problems []Problem) {
	fault := func(column, code, message string) {
		problems = append(problems, Problem{Row: number, Column: column, Code: code, Message: message})
	}
	for i, column := range Template {
		value := r.values[i]
		if utf8.RuneCountInString(value) > longestCell || strings.ContainsFunc(value, isControl) {
			fault(column.Name, "TEXT", "Use plain text without control characters.")
			continue
		}
		if value == "" {
			if c.isNeeded(column.required, r.action) {
				fault(column.Name, "REQUIRED", "Enter "+column.Name+".")
			}
			continue
		}
		if text.IsExponent(value) {
			fault(column.Name, "SHORTENED", "Excel shortened this number. Format the column as text and enter it again.")
			continue
		}
		if column.max > 0 && utf8.RuneCountInString(value) > column.max {
			fault(column.Name, "TOO_LONG", fmt.Sprintf("Use %d characters or fewer.", column.max))
		}
		if column.check != nil {
			if code, message := column.check(r, value); code != "" {
				fault(column.Name, code, message)
			}
		}
	}
	return problems
}

// checkWhole checks rules across several cells.
func (c *checker) checkWhole(r *row, number int) (problems []Problem) {
	fault := func(column, code, message string) {
		problems = append(problems, Problem{Row: number, Column: column, Code: code, Message: message})
	}
	if r.get(colOrganization) == "" && (r.get(colLastName) == "" || r.get(colFirstName) == "") {
		fault(colLastName, "REQUIRED", "Enter Last Name and First Name, or Organization Name.")
	}
	if begin, end := spreadsheet.Date(r.get(colEffective)), spreadsheet.Date(r.get(colTerm)); begin != "" && end != "" && end < begin {
		fault(colTerm, "DATES", "The Term Date is before the Effective Date.")
	}
	key := r.key()
	if before, twice := c.rowByKey[key]; twice {
		fault("", "DUPLICATE", fmt.Sprintf("Duplicate of row %d: same provider, TIN and location.", before))
	} else {
		c.rowByKey[key] = number
	}
	return problems
}

// count adds a row and its problems to the report.
func (c *checker) count(r *row, problems []Problem) {
	rep := c.report
	for _, p := range problems {
		rep.Found++
		rep.Counts[p.Code]++
		if len(rep.Problems) < maxProblems {
			p.Provider = cutForReport(r.describeProvider())
			if p.Column != "" {
				p.Value = cutForReport(r.get(p.Column))
			}
			rep.Problems = append(rep.Problems, p)
		}
	}
	if len(problems) > 0 {
		rep.BadRows++
		return
	}
	switch r.action {
	case 'A':
		rep.Adds++
	case 'C':
		rep.Changes++
	case 'T':
		rep.Terms++
	}
	if npi := r.get(colNPI); !c.npis[npi] {
		c.npis[strings.Clone(npi)] = true
		rep.Providers++
	}
}

// describeProvider returns the row's provider by name and NPI.
func (r *row) describeProvider() string {
	name := cmp.Or(r.get(colOrganization), strings.TrimSpace(r.get(colFirstName)+" "+r.get(colLastName)))
	if npi := r.get(colNPI); npi != "" {
		return strings.TrimSpace(name + " (" + npi + ")")
	}
	return name
}

// longestShown is the maximum length of a value in a report's problem.
const longestShown = 80

// cutForReport returns a copy of a text, cut to a length that fits a screen and without control
// characters.
func cutForReport(s string) string {
	s = strings.Map(func(r rune) rune {
		if isControl(r) {
			return ' '
		}
		return r
	}, s)
	if utf8.RuneCountInString(s) <= longestShown {
		return strings.Clone(s)
	}
	return string([]rune(s)[:longestShown-1]) + "…"
}

func isControl(r rune) bool { return r < ' ' && r != '\t' && r != '\n' && r != '\r' || r == 0x7F }

func (c *checker) isNeeded(n need, action byte) bool {
	switch n {
	case always:
		return true
	case partialOnly:
		return c.partial
	case toList:
		return action != 'T'
	case toEnd:
		return action == 'T'
	}
	return false
}

// key identifies a row by provider, TIN and location.
func (r *row) key() uint64 {
	h := fnv.New64a()
	for _, name := range []string{colNPI, colTIN, colOrganization, colAddress, colZIP} {
		value := text.Key(r.get(name))
		if name == colTIN || name == colZIP {
			value = cmp.Or(text.Digits(value), value)
		}
		_, _ = io.WriteString(h, value+"\x00")
	}
	return h.Sum64()
}

// digest changes with any value in the row except its action. A provider's digest is the sum
// over its rows, so their order doesn't matter.
func (r *row) digest() int64 {
	h := sha256.New()
	for i, v := range r.values {
		if Template[i].Name != colAction {
			_, _ = io.WriteString(h, text.Key(v)+"\x00")
		}
	}
	return int64(binary.BigEndian.Uint64(h.Sum(nil)))
}

// The checks of single columns return an error code and advice, or nothing.

func parseAction(value string) byte {
	switch spreadsheet.HeadingKey(value) {
	case "a", "add", "new":
		return 'A'
	case "c", "change", "update":
		return 'C'
	case "t", "term", "terminate", "termination", "end":
		return 'T'
	}
	return 0
}

func isAction(r *row, value string) (string, string) {
	if r.partial && parseAction(value) == 0 {
		return "ACTION", "Enter A to add, C to change or T to term."
	}
	return "", ""
}

func isNPI(_ *row, value string) (string, string) {
	if len(value) != 10 || text.Digits(value) != value {
		return "NPI", "Enter the 10 digits of the NPI."
	}
	if !identifiers.IsNPI(value) {
		return "NPI", "The NPI's check digit is wrong. Check for a wrong or swapped digit."
	}
	return "", ""
}

func isTIN(_ *row, value string) (string, string) {
	digits := strings.ReplaceAll(value, "-", "")
	if len(digits) == 8 && text.Digits(digits) == digits {
		return "TIN", "Enter 9 digits. If a leading zero is missing, format the column as text."
	}
	if len(digits) != 9 || text.Digits(digits) != digits {
		return "TIN", "Enter the 9 digits of the TIN."
	}
	return "", ""
}

func isState(_ *row, value string) (string, string) {
	if !identifiers.IsState(strings.ToUpper(value)) {
		return "STATE", "Enter a two-letter state code."
	}
	return "", ""
}

func isZIPCode(_ *row, value string) (string, string) {
	digits := strings.ReplaceAll(value, "-", "")
	isNumber := text.Digits(digits) == digits
	switch {
	case isNumber && (len(digits) == 5 || len(digits) == 9):
		return "", ""
	case isNumber && (len(digits) == 4 || len(digits) == 8):
		return "ZIP", "Enter 5 or 9 digits. If a leading zero is missing, format the column as text."
	}
	return "ZIP", "Enter 5 or 9 digits."
}

func isPhone(_ *row, value string) (string, string) {
	digits := text.Digits(value)
	if len(digits) == 11 && digits[0] == '1' {
		digits = digits[1:]
	}
	if len(digits) != 10 || strings.ContainsFunc(value, func(c rune) bool { return !strings.ContainsRune("0123456789 ()-.+", c) }) {
		return "PHONE", "Enter a 10-digit phone number."
	}
	return "", ""
}

func isEmail(_ *row, value string) (string, string) {
	if !validate.Email(value) {
		return "EMAIL", "Enter an email address such as name@example.com."
	}
	return "", ""
}

func isYesNo(_ *row, value string) (string, string) {
	switch spreadsheet.HeadingKey(value) {
	case "y", "n", "yes", "no":
		return "", ""
	}
	return "YES_NO", "Enter Y or N."
}

func checkDate(_ *row, value string) (string, string) {
	if spreadsheet.Date(value) == "" {
		return "DATE", "Enter a date as MM/DD/YYYY."
	}
	return "", ""
}
