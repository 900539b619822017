package administration

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"wcpp/internal/identity/access"
	"wcpp/internal/identity/users"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/csvio"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/text"
	"wcpp/internal/platform/validate"
)

// Limits of a file with new users.
const (
	maxUploadRows  = 500     // rows
	maxUploadBytes = 1 << 20 // bytes
)

const fieldFile = "file"

func refuseFile(message string) error { return validate.RefuseField(message, fieldFile, message) }

// Column is a column of a file with new users.
type Column struct {
	Name string
	Hint string // format of the cells, for people
	// field is the account field, as named in problems.
	field string
	// of lists the account types with this column. nil means all.
	of []access.Type
	// network means that only network staff fill it in.
	network bool
	set     func(n *NewUser, cell string) (wrong string)
}

var (
	grouped     = []access.Type{access.PRAD, access.PRUS, access.ROAD, access.ROUS}
	withTINs    = []access.Type{access.PRUS, access.NNUS, access.PRAD}
	officeTypes = []access.Type{access.PRAD, access.PRUS, access.NNUS, access.ROAD, access.ROUS}
	offices     = []access.Type{access.PRAD, access.PRUS, access.NNUS}
)

// uploadColumns are the columns in template order.
var uploadColumns = []Column{
	{Name: "Account Type", field: users.FieldType, Hint: "Name, such as Provider User, or code, such as PRUS", set: setType},
	{Name: "First Name", field: "first_name", Hint: "Up to 40 characters", set: setField(func(n *NewUser) *string {
		return &n.User.FirstName
	})},
	{Name: "Middle Initial", field: "middle_name", Hint: "1 character, or leave blank", set: setField(func(n *NewUser) *string {
		return &n.User.MiddleName
	})},
	{Name: "Last Name", field: "last_name", Hint: "Up to 40 characters", set: setField(func(n *NewUser) *string {
		return &n.User.LastName
	})},
	{Name: "Phone Number", field: "phone", Hint: "10 to 15 digits", set: setField(func(n *NewUser) *string { return &n.User.Phone })},
	{Name: "Email Address", field: users.FieldEmail, Hint: "Must be unique. We'll send the registration link here",
		set: setField(func(n *NewUser) *string { return &n.User.Email })},
	{Name: "Group ID", field: users.FieldGroup,
		Hint: "For a provider user or roster user. For an administrator, leave blank for a new group", of: grouped, network: true,
		set: setGroup},
	{Name: "TINs", field: users.FieldTINs,
		Hint: "9 digits each, with spaces or semicolons between them: of a provider user those out of the group's, of a new group or a " +
			"non-network user all", of: withTINs, set: setTINs},
	{Name: "Employee ID", field: users.FieldEmployeeID,
		Hint: "For internal administrators: letters, digits, periods, hyphens and underscores",
		of:   []access.Type{access.ISAD, access.IRAD}, network: true,
		set: setField(func(n *NewUser) *string { return &n.User.EmployeeID })},
	{Name: "Roster Hub Sources", field: "sources", Hint: "For roster accounts. Separate numbers with spaces or semicolons",
		of: []access.Type{access.ROAD, access.ROUS}, network: true, set: setSources},
	{Name: "Affiliation", field: "affiliation", Hint: "OFC_STAFF, BILLING_CO or OTHER, or the name shown in Add User", of: offices,
		set: setAffiliation},
	{Name: "Other Affiliation", field: "affiliation_desc", Hint: "Required for affiliation OTHER. Up to 40 characters", of: offices,
		set: setLimited(40, func(n *NewUser) *string { return &n.User.AffiliationDesc })},
	{Name: "Job Title", field: "job_title", Hint: "Up to 120 characters", of: officeTypes,
		set: setLimited(120, func(n *NewUser) *string { return &n.User.JobTitle })},
	{Name: "Company Name", field: "company_name", Hint: "Up to 120 characters", of: officeTypes,
		set: setLimited(120, func(n *NewUser) *string { return &n.User.CompanyName })},
	{Name: "Company URL", field: "company_url", Hint: "Up to 120 characters, or leave blank", of: offices,
		set: setLimited(120, func(n *NewUser) *string { return &n.User.CompanyURL })},
}

// setField sets a text as typed. The form's own validation reports errors.
func setField(of func(n *NewUser) *string) func(*NewUser, string) string {
	return func(n *NewUser, cell string) string {
		*of(n) = cell
		return ""
	}
}

// setLimited sets a text that Add User limits to fewer characters than are stored.
func setLimited(most int, of func(n *NewUser) *string) func(*NewUser, string) string {
	return func(n *NewUser, cell string) string {
		*of(n) = cell
		if !validate.Length(cell, 0, most) {
			return validate.TooLong(most)
		}
		return ""
	}
}

func setType(n *NewUser, cell string) string {
	for _, t := range access.Types {
		if strings.EqualFold(cell, string(t)) || strings.EqualFold(cell, users.TypeName(t)) {
			n.User.TypeCd = t
		}
	}
	return "" // the service rejects an unknown type, or one that the actor can't create
}

func setGroup(n *NewUser, cell string) string {
	id, err := strconv.ParseInt(cell, 10, 64)
	if err != nil || id < 1 {
		return "Enter a group number."
	}
	n.User.GroupID, n.Existing = id, true
	return ""
}

func setTINs(n *NewUser, cell string) string {
	for _, item := range splitCell(cell) {
		ftin := text.TIN(item)
		if !validate.TIN(ftin) {
			return "Enter 9 digits for each TIN."
		}
		n.TINs = append(n.TINs, ftin)
	}
	return ""
}

func setSources(n *NewUser, cell string) string {
	for _, item := range splitCell(cell) {
		id, err := strconv.ParseInt(item, 10, 64)
		if err != nil {
			return "Enter roster hub source numbers."
		}
		n.Sources = append(n.Sources, RosterSource{SourceID: id})
	}
	return ""
}

func setAffiliation(n *NewUser, cell string) string {
	n.User.AffiliationCd = cell
	for code, name := range map[string]string{
		"OFC_STAFF": "Provider or facility employee", "BILLING_CO": "3rd party billing employee", "OTHER": "Other",
	} {
		if strings.EqualFold(cell, code) || strings.EqualFold(cell, name) {
			n.User.AffiliationCd = code
		}
	}
	return ""
}

func splitCell(cell string) []string {
	return strings.FieldsFunc(cell, func(r rune) bool { return strings.ContainsRune(" ;,\n\t", r) })
}

// UploadColumns lists the columns that the actor can fill in.
func UploadColumns(t access.Type) []Column {
	return slices.DeleteFunc(slices.Clone(uploadColumns), func(c Column) bool { return c.network && t != access.ISAD })
}

// RowState is the actual or expected result for a row.
type RowState string

// The states.
const (
	RowGood    RowState = "good" // the account would be created
	RowMade    RowState = "made"
	RowRefused RowState = "refused"
	RowLeft    RowState = "left" // not attempted, or failed on our side
)

// RowProblem is an error in a row, or with the whole row if there is no column.
type RowProblem struct {
	Column string
	Reason string
}

// UploadedRow is a row of a file with its result.
type UploadedRow struct {
	Line     int // in the file; the headings are in line 1
	State    RowState
	User     users.User // the values read so far; once created, with the username
	Problems []RowProblem

	wanted NewUser
}

// Sheet is a file with new users, validated or imported.
type Sheet struct {
	Digest string // identifies the file when it is confirmed
	Rows   []UploadedRow
}

// CheckUpload validates a file with new users. It tries each row the way Create would. It stores
// nothing.
func (s *Service) CheckUpload(ctx context.Context, a access.Actor, file []byte) (Sheet, error) {
	return s.upload(ctx, a, "user-file-check", file, func(row *UploadedRow) error {
		row.State = RowGood
		return s.CheckNew(ctx, a, row.wanted)
	})
}

// Upload creates the accounts of a validated file, each the way Create does, and returns a
// result per row. Each row is validated again. An internal error stops the import, and the
// accounts created so far stay. If the file is imported again, these rows are rejected because
// their email addresses exist. It returns Conflict for a file other than the validated one.
func (s *Service) Upload(ctx context.Context, a access.Actor, checked string, file []byte) (Sheet, error) {
	if computeDigest(file) != checked {
		return Sheet{}, problem.WithMessage(problem.Conflict, "This isn't the file that was validated. Validate it again.")
	}
	return s.upload(ctx, a, "user-file", file, func(row *UploadedRow) error {
		made, err := s.Create(ctx, a, row.wanted)
		if err == nil {
			row.State, row.User = RowMade, made.User
		}
		return err
	})
}

func computeDigest(file []byte) string {
	sum := sha256.Sum256(file)
	return hex.EncodeToString(sum[:])
}

// upload processes each row of a readable file. It audits the file as a whole, and each created
// account has its own audit entry.
func (s *Service) upload(
	ctx context.Context, a access.Actor, operation audit.Operation, file []byte, do func(*UploadedRow) error,
) (Sheet, error) {
	rows, err := readUpload(a.Person.Type, file)
	if err != nil {
		return Sheet{}, err
	}
	if err := a.RequireProof(); err != nil {
		return Sheet{}, err
	}
	failed, good := false, 0
	for i := range rows {
		row := &rows[i]
		switch {
		case len(row.Problems) > 0:
			row.State = RowRefused
		case failed:
			row.State = RowLeft
		default:
			failed = s.outcome(ctx, row, do(row))
		}
		if row.State == RowGood || row.State == RowMade {
			good++
		}
	}
	if err := s.audit.RecordNow(ctx, audit.Entry{Operation: operation, Result: "ok",
		Detail: fmt.Sprintf("%d of %d rows", good, len(rows))}); err != nil {
		s.log.ErrorContext(ctx, "a user file isn't in the audit log, but each account it created is", "error", err)
	}
	return Sheet{computeDigest(file), rows}, nil
}

// outcome records why a row was rejected. It reports whether an internal error occurred.
func (s *Service) outcome(ctx context.Context, row *UploadedRow, err error) (failed bool) {
	var e *problem.Error
	var tin interface{ MessageWithTIN() string }
	switch {
	case err == nil:
		return false
	case !errors.As(err, &e) || e.Kind == problem.Internal:
		s.log.ErrorContext(ctx, "a user file was interrupted", "line", row.Line, "error", err)
		row.State = RowLeft
		return true
	case errors.As(err, &tin):
		row.Problems = []RowProblem{{columnName(users.FieldTINs), tin.MessageWithTIN()}}
	case len(e.Fields) > 0:
		for _, f := range e.Fields {
			row.Problems = append(row.Problems, RowProblem{columnName(f.Path), stripErrorPrefix(f.Message)})
		}
	default:
		row.Problems = []RowProblem{{"", stripErrorPrefix(e.Message)}}
	}
	row.State = RowRefused
	return false
}

// columnName returns the column of an account field, or empty.
func columnName(field string) string {
	for _, c := range uploadColumns {
		if c.field == field {
			return c.Name
		}
	}
	return ""
}

// stripErrorPrefix removes the prefix from a form's message.
func stripErrorPrefix(message string) string { return strings.TrimPrefix(message, "Error: ") }

// readUpload reads the rows of a file. It rejects the file for errors in the file as a whole,
// and records errors in cells with their rows.
func readUpload(by access.Type, file []byte) ([]UploadedRow, error) {
	switch {
	case len(file) > maxUploadBytes:
		return nil, problem.WithMessage(problem.TooLarge, "The file is larger than 1 MB. Split it into smaller files.")
	case !text.IsStorable(string(file)) && !csvio.IsUTF16(file):
		return nil, refuseFile("The file isn't UTF-8. Save it as “CSV UTF-8”.")
	}
	in := csvio.NewReader(bytes.NewReader(file))
	in.ReuseRecord = false
	columns, err := readColumns(UploadColumns(by), in)
	if err != nil {
		return nil, err
	}
	var rows []UploadedRow
	seen := map[string]int{}
	for {
		cells, err := in.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, explainUnreadable(err, "")
		}
		if csvio.IsBlank(cells) {
			continue // an empty row from a spreadsheet
		}
		if len(rows) == maxUploadRows {
			return nil, problem.WithMessage(problem.TooLarge, "The file has more than 500 users. Split it into smaller files.")
		}
		line, _ := in.FieldPos(0)
		row := readRow(by, columns, cells)
		row.Line = line
		if key := text.Key(row.User.Email); key != "" {
			if before := seen[key]; before != 0 {
				row.Problems = append(row.Problems, RowProblem{columnName(users.FieldEmail),
					fmt.Sprintf("Row %d has the same address.", before)})
			} else {
				seen[key] = line
			}
		}
		rows = append(rows, row)
	}
	if len(rows) == 0 {
		return nil, refuseFile("The file doesn't list any users. Add at least one row below the headings.")
	}
	return rows, nil
}

// explainUnreadable reports where a file stops being valid CSV.
func explainUnreadable(err error, empty string) error {
	var wrong *csv.ParseError
	switch {
	case errors.Is(err, io.EOF):
		return refuseFile(empty)
	case errors.As(err, &wrong):
		return refuseFile(fmt.Sprintf("Couldn't read line %d. Check its quotation marks.", cmp.Or(wrong.Line, wrong.StartLine)))
	default:
		return refuseFile("Couldn't read the file. Save it as comma-separated values (CSV).")
	}
}

// maxTitles is the maximum number of lines above the header.
const maxTitles = 10

// readColumns reads the lines up to the header.
func readColumns(known []Column, in *csvio.Reader) ([]Column, error) {
	var first error
	for n := 0; n <= maxTitles; n++ {
		headings, err := in.Read()
		switch {
		case err != nil && (first == nil || !errors.Is(err, io.EOF)):
			return nil, explainUnreadable(err, "The file is empty. Add a first line with column names.")
		case err != nil:
			return nil, first
		case csvio.IsBlank(headings):
			continue
		}
		for len(headings) > 0 && text.Clean(headings[len(headings)-1]) == "" { // an empty column from a spreadsheet
			headings = headings[:len(headings)-1]
		}
		columns, err := findColumns(known, headings)
		isHeader := slices.ContainsFunc(headings, func(h string) bool {
			return slices.ContainsFunc(known, func(c Column) bool { return text.Key(c.Name) == text.Key(h) })
		})
		if err == nil || isHeader {
			return columns, err
		}
		first = cmp.Or(first, err)
	}
	return nil, first
}

// findColumns finds the columns for the headings, in any order. Missing columns are empty in each
// row.
func findColumns(known []Column, headings []string) ([]Column, error) {
	columns := make([]Column, len(headings))
	named := map[string]bool{}
	for i, heading := range headings {
		at := slices.IndexFunc(known, func(c Column) bool { return text.Key(c.Name) == text.Key(heading) })
		switch {
		case at < 0 && text.Clean(heading) == "":
			return nil, refuseFile(fmt.Sprintf("Column %d needs a name. Use the template's columns.", i+1))
		case at < 0:
			return nil, refuseFile(fmt.Sprintf("Unknown column “%s”. Use the template's columns.", text.Clean(heading)))
		case named[known[at].Name]:
			return nil, refuseFile(fmt.Sprintf("Duplicate column “%s”. Remove one of them.", known[at].Name))
		}
		columns[i], named[known[at].Name] = known[at], true
	}
	for _, c := range known[:6] { // the person and the account type, which all files need
		if !named[c.Name] && c.Name != "Middle Initial" {
			return nil, refuseFile(fmt.Sprintf("The column “%s” is missing. Use the template's columns.", c.Name))
		}
	}
	return columns, nil
}

// readRow reads the cells of one user. Cells that don't apply to the account type must be empty,
// because the form doesn't ask for them.
func readRow(by access.Type, columns []Column, cells []string) UploadedRow {
	var row UploadedRow
	n := &row.wanted
	note := func(column, reason string) { row.Problems = append(row.Problems, RowProblem{column, reason}) }
	for i, c := range columns {
		cell := cellAt(cells, i)
		if cell == "" {
			continue
		}
		if text.IsExponent(cell) {
			note(c.Name, "Excel shortened this number. Format the column as text and enter it again.")
		} else if wrong := c.set(n, cell); wrong != "" {
			note(c.Name, wrong)
		}
	}
	if len(cells) > len(columns) && !csvio.IsBlank(cells[len(columns):]) {
		note("", fmt.Sprintf("The row has %d cells instead of %d. Put quotation marks around cells that contain a comma.", len(cells),
			len(columns)))
	}
	t := n.User.TypeCd
	for i, c := range columns {
		if t != "" && c.of != nil && !slices.Contains(c.of, t) && cellAt(cells, i) != "" {
			note(c.Name, leaveBlank(t))
		}
	}
	if t == access.PRAD && len(n.TINs) > 0 && (by == access.PRAD || n.Existing) {
		note(columnName(users.FieldTINs), "Leave this blank. A provider administrator in an existing group gets all of its TINs.")
	}
	n.WorkLater = n.User.AffiliationCd == "" && n.User.JobTitle == "" && n.User.CompanyName == ""
	row.User = n.User
	return row
}

func cellAt(cells []string, i int) string {
	if i >= len(cells) {
		return ""
	}
	return text.Clean(cells[i])
}
