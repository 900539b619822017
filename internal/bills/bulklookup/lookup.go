// Package bulklookup finds many bills in one request, from the lines of a table with columns
// that the office chose.
package bulklookup

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"wcpp/internal/bills/detail"
	"wcpp/internal/bills/record"
	"wcpp/internal/bills/search"
	"wcpp/internal/identity/access"
	"wcpp/internal/identity/tins"
	"wcpp/internal/identity/users"
	"wcpp/internal/platform"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/fileexport"
	"wcpp/internal/platform/jobs"
	"wcpp/internal/platform/ratelimit"
	"wcpp/internal/platform/validate"
)

// Ages returns how current the bills are.
type Ages interface {
	// AsOf returns a timestamp, ISO 8601 in UTC. It's empty if no file was imported.
	AsOf(ctx context.Context) (string, error)
}

// Service looks up the lines of tables.
type Service struct {
	db      *db.DB
	jobs    jobs.Queue
	records *record.Service
	scopes  *tins.Scopes
	users   *users.Service
	ages    Ages
	limits  *ratelimit.Shared
	audit   *audit.Log
	now     func() time.Time
	exports *fileexport.Exports[Job, string]
	find    func(ctx context.Context, a access.Actor, wanted []LookupRequest) ([]LookupResult, error)
}

// Deps are what the service needs.
type Deps struct {
	platform.Kit
	Records *record.Service
	Scopes  *tins.Scopes
	Users   *users.Service
	Ages    Ages
}

// NewService creates the service.
func NewService(d Deps, quota fileexport.Quota) *Service {
	platform.Require(d)
	s := &Service{db: d.DB, jobs: d.Jobs, records: d.Records, scopes: d.Scopes, users: d.Users, ages: d.Ages, limits: d.Limits,
		audit: d.Audit, now: d.LocalTime}
	s.find = s.BulkLookup
	s.exports = s.newExports(d.DB, d.Files, quota)
	return s
}

// MaxLines is how many lines one request can look up, MaxColumns how many columns they can
// have.
const (
	MaxLines   = 500
	MaxColumns = 100
)

// Table is a table, or part of one, with the meaning of its columns.
type Table struct {
	Columns []Column
	Headers int // header lines at the top
	Rows    [][]string
}

// The results of a line.
const (
	Found      = "found"
	Several    = "several"
	None       = "none"
	Unreadable = "unreadable"
)

// Line is the result of a line of a table.
type Line struct {
	Number  int // in the table, from 1, including the header
	Answer  string
	Matches int
	By      search.By
	Bills   []detail.Summary
	Cells   []Cell
}

// invalid fields
const (
	fieldColumns = "columns"
	fieldRows    = "rows"
)

const (
	sayColumns = "Select what each column contains"
	sayTooMany = "Save the lines as a file to look up as many as 10,000."
)

// check rejects a table that can't be looked up.
func (t Table) check() error {
	if len(t.lines()) > MaxLines {
		return validate.RefuseField(sayTooMany, fieldRows, sayTooMany)
	}
	for i, r := range t.Rows {
		if len(r) > MaxColumns {
			message := fmt.Sprintf("Use up to %d columns for the lookup.", MaxColumns)
			return validate.RefuseField(message, fieldRows, message)
		}
		for _, cell := range r {
			if len(cell) > maxCellBytes {
				message := fmt.Sprintf(sayLongCell, i+1, maxCellBytes)
				return validate.RefuseField(message, fieldRows, message)
			}
		}
	}
	return checkColumns(t.Columns)
}

// checkColumns rejects columns that can't find any bill, and duplicate columns.
func checkColumns(columns []Column) error {
	has := map[Kind]bool{}
	for _, c := range columns {
		if c.Index < 0 || c.Index >= MaxColumns || !slices.Contains(Kinds, c.Kind) {
			return validate.RefuseField(sayColumns, fieldColumns, sayColumns)
		}
		if c.Kind != Ignored && has[c.Kind] {
			const twice = "Use each kind for one column only"
			return validate.RefuseField(twice, fieldColumns, twice)
		}
		has[c.Kind] = true
	}
	named := (has[LastName] && has[FirstName] || has[FullName]) && has[BirthDate] && has[ServiceDate]
	numbered := has[BillNumber] || has[DocumentID] || has[Account] || has[PayerNumber] || has[CheckNumber]
	if numbered || has[ClaimNumber] && has[ServiceDate] || named {
		return nil
	}
	return validate.RefuseField(sayColumns, fieldColumns, sayColumns)
}

// lines returns the rows below the header.
func (t Table) lines() [][]string { return t.Rows[min(t.Headers, len(t.Rows)):] }

// LookUpTable looks up the lines of a table, and counts them toward the group's daily limit.
func (s *Service) LookUpTable(ctx context.Context, a access.Actor, t Table) ([]Line, error) {
	if err := t.check(); err != nil {
		return nil, err
	}
	if err := s.countTowardLimit(ctx, a, len(t.lines())); err != nil {
		return nil, err
	}
	return s.lookUpLines(ctx, a, t, countDigits(t.Columns, t.lines()))
}

// MaxLinesPerDay is how many lines a group can look up in a day.
const MaxLinesPerDay = 30_000

// countTowardLimit counts lines toward the daily limit of the group, or of the user without a group.
func (s *Service) countTowardLimit(ctx context.Context, a access.Actor, lines int) error {
	who := a.Acting()
	key := fmt.Sprintf("group %d", who.GroupID)
	if who.GroupID == 0 {
		key = fmt.Sprintf("user %d", who.ID)
	}
	again, err := s.limits.AllowMany(ctx, "look up lines", key, lines, MaxLinesPerDay, ratelimit.Day)
	return cmp.Or(err, ratelimit.RetryAfter(again, s.now(), "A group can look up 30,000 lines per day."))
}

// lookUpLines looks up lines. most are the usual lengths in the whole list.
func (s *Service) lookUpLines(ctx context.Context, a access.Actor, t Table, most usualLengths) ([]Line, error) {
	rows := t.lines()
	lines, answers := make([]line, len(rows)), make([]Line, len(rows))
	var wanted []LookupRequest
	var of []int // lines of the lookups
	for i, row := range rows {
		lines[i] = readLine(t.Columns, row)
		answers[i] = Line{Number: t.Headers + i + 1, Answer: Unreadable}
		if lines[i].checkReadable(t.Columns) {
			wanted, of = append(wanted, lines[i].wanted), append(of, i)
		}
	}
	found, err := s.find(ctx, a, wanted)
	if err != nil {
		return nil, err
	}
	for n, i := range of {
		answer := &answers[i]
		answer.Matches, answer.By, answer.Bills = found[n].Matches, found[n].By, found[n].Bills
		switch {
		case answer.Matches > 1:
			answer.Answer = Several
		case answer.Matches == 1:
			answer.Answer = Found
		case lines[i].damaged: // the unreadable cell may be the one that finds the bill
			answer.Answer = Unreadable
		default:
			answer.Answer = None
			lines[i].flagLostZeros(t.Columns, rows[i], most)
		}
	}
	for i := range answers {
		answers[i].Cells = lines[i].cells
	}
	return answers, nil
}
