// Package paging returns a page of rows for a table on a screen: sorted, filtered, and with the
// total count.
package paging

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"wcpp/internal/platform/db"
	"wcpp/internal/platform/names"
	"wcpp/internal/platform/text"
	"wcpp/internal/platform/validate"
)

// Maximum number of rows that a list skips, because each must be read. Screens reach later rows
// by the position after an earlier page.
const (
	mostSkipped = 2000
	mostBefore  = 200_000 // before a table's page, which the database counts anyway
)

// CheckSkip returns an error if a request skips more rows than a list can.
func CheckSkip(rows int) error {
	if rows <= mostSkipped {
		return nil
	}
	return validate.RefuseField("Narrow the search. You can skip up to 2,000 rows.", "skip", "Use 2000 or less.")
}

// Table is the state of a table on a screen.
type Table struct {
	Page     int               `json:"page" minimum:"0" maximum:"1000000" doc:"First row, starting at 0"`
	PageSize int               `json:"pageSize" minimum:"1" maximum:"1000" doc:"Number of rows"`
	Sort     *Sort             `json:"sort,omitempty" doc:"Rows without a value are last"`
	Filters  map[string]string `json:"filters,omitempty" doc:"Text to find in each column, not case-sensitive"`

	Zone string `json:"zone,omitempty" maxLength:"60" example:"America/New_York" doc:"IANA time zone for dates; UTC if missing"`
}

// Sort is the order of a table.
type Sort struct {
	ID   string `json:"id" maxLength:"40" doc:"Column name"`
	Desc bool   `json:"desc"`
}

// Page is one page of the rows.
type Page[Row any] struct {
	Rows  []Row `json:"rows" nullable:"false"`
	Count int   `json:"count" doc:"Rows on all pages"`
}

// NewPage returns a page with converted rows.
func NewPage[T, Row any](rows []T, count int, row func(T) Row) Page[Row] {
	p := Page[Row]{Rows: make([]Row, len(rows)), Count: count}
	for i, r := range rows {
		p.Rows[i] = row(r)
	}
	return p
}

// Answer is the response with a page.
type Answer[Row any] struct{ Body Page[Row] }

// NewAnswer returns a response with a page of converted rows.
func NewAnswer[T, Row any](rows []T, count int, row func(T) Row) *Answer[Row] {
	return &Answer[Row]{NewPage(rows, count, row)}
}

// Columns maps the screen's column IDs to columns.
type Columns map[string]Column

// Column is the SQL of a column.
type Column struct {
	text    string // cell text, folded
	name    bool   // a person or an office, compared by letters
	sort    string
	instant bool
	zeros   bool // leading zeros don't count
}

// Text returns a column with folded text that is never NULL.
func Text(sql string) Column { return Column{text: sql, sort: sql} }

// Name returns a column with a folded name, which filters also match by letters only.
func Name(sql string) Column { return Column{text: sql, sort: sql, name: true} }

// SortedBy returns the column with another sort expression.
func (c Column) SortedBy(sql string) Column {
	c.sort = sql
	return c
}

// WithZeros returns the column of a number that can be written with leading zeros.
func (c Column) WithZeros() Column {
	c.zeros = true
	return c
}

// Number returns a column of whole numbers.
func Number(sql string) Column { return Column{text: "cast(" + sql + " AS text)", sort: sql} }

// Day returns a column that shows a timestamp's date in the request's time zone.
func Day(sql string) Column { return Column{text: sql, sort: sql, instant: true} }

// Words returns a column that shows a word for each stored code.
func Words[Code ~string](sql string, words map[Code]string) Column {
	var b strings.Builder
	b.WriteString("CASE " + sql)
	for _, code := range slices.Sorted(maps.Keys(words)) {
		fmt.Fprintf(&b, " WHEN '%s' THEN '%s'", code, strings.ReplaceAll(text.Key(words[code]), "'", "''"))
	}
	return Text(b.String() + " ELSE '' END")
}

// Statement selects the rows of a table.
type Statement struct {
	Select string // select list
	From   string // FROM clause and condition
	Args   []any
	// Columns for sorting and filtering.
	Columns Columns
	// Order of equal rows, down to a key.
	Order string
}

// Select returns the page and the total number of rows. It returns an error for an unknown
// column or time zone.
func Select[T any](ctx context.Context, q db.Queryer, d db.Dialect, t Table, s Statement,
	scan func(ctx context.Context, q db.Queryer, query string, args ...any) ([]T, error),
) (rows []T, count int, err error) {
	if err := t.check(s.Columns); err != nil {
		return nil, 0, err
	}
	where, args := s.Columns.where(d, t, slices.Clone(s.Args))
	if err := db.Get(ctx, q, &count, "SELECT count(*) "+s.From+where, args...); err != nil {
		return nil, 0, err
	}
	order := s.Order
	if t.Sort != nil {
		c := s.Columns[t.Sort.ID]
		empty, direction := c.text+" = ''", ""
		if c.instant || c.sort != c.text {
			empty = c.sort + " IS NULL"
		}
		if t.Sort.Desc {
			direction = " DESC"
		}
		order = empty + ", " + c.sort + direction + ", " + order
	}
	n := len(args)
	query := fmt.Sprintf("SELECT %s %s%s ORDER BY %s LIMIT $%d OFFSET $%d", s.Select, s.From, where, order, n+1, n+2)
	rows, err = scan(ctx, q, query, append(args, t.PageSize, t.Page*t.PageSize)...)
	return rows, count, err
}

// Rows scans the rows of a query into structs, for Select.
func Rows[T any](ctx context.Context, q db.Queryer, query string, args ...any) ([]T, error) {
	return db.List[T](ctx, q, query, args...)
}

const maxFilter = 200 // characters

func (t Table) check(columns Columns) error {
	var wrong validate.Fields
	if t.Sort != nil {
		_, known := columns[t.Sort.ID]
		wrong.Require(known, "table.sort.id", "Unknown column.")
	}
	for _, id := range slices.Sorted(maps.Keys(t.Filters)) {
		_, known := columns[id]
		wrong.Require(known, "table.filters."+id, "Unknown column.")
		wrong.Require(validate.Length(t.Filters[id], 0, maxFilter), "table.filters."+id,
			fmt.Sprintf("Enter up to %d characters.", maxFilter))
	}
	_, err := time.LoadLocation(t.zone())
	wrong.Require(err == nil && t.Zone != "Local", "table.zone", "Unknown time zone.")
	if err := wrong.Refuse("These table settings aren't valid."); err != nil {
		return err
	}
	wrong.Require(t.Page*t.PageSize <= mostBefore, "table.page", "Use an earlier page.")
	return wrong.Refuse("Narrow the search. Tables show up to 200,000 rows.")
}

func (t Table) zone() string {
	if t.Zone == "" {
		return "UTC"
	}
	return t.Zone
}

// where returns the filter condition, and args with its values appended.
func (c Columns) where(d db.Dialect, t Table, args []any) (string, []any) {
	var b strings.Builder
	add := func(value any) string {
		args = append(args, value)
		return fmt.Sprintf("$%d", len(args))
	}
	for _, id := range slices.Sorted(maps.Keys(t.Filters)) {
		typed := text.Key(text.Clean(t.Filters[id]))
		if typed == "" {
			continue
		}
		column := c[id]
		if column.zeros {
			typed = cmp.Or(strings.TrimLeft(typed, "0"), typed)
		}
		if !column.instant {
			has := func(sql, typed string) string { return sql + ` LIKE ` + add(db.ContainsPattern(typed)) + ` ESCAPE '\'` }
			ways := []string{has(column.text, typed)}
			if column.name {
				ways = append(ways, has(db.FoldSQL(column.text), names.FoldPart(typed)))
			}
			if isNumber.MatchString(typed) {
				ways = append(ways, has(`replace(replace(`+column.text+`, '-', ''), ' ', '')`, text.TIN(typed)))
			}
			if len(ways) == 1 {
				b.WriteString(` AND ` + ways[0])
			} else {
				b.WriteString(` AND (` + strings.Join(ways, " OR ") + `)`)
			}
			continue
		}
		day := d.Day(column.sort, add(t.zone()))
		fmt.Fprintf(&b, ` AND (%s LIKE %s ESCAPE '\' OR %s LIKE %s ESCAPE '\')`, day, add(db.ContainsPattern(typed)), day,
			add(db.ContainsPattern(padDate(typed))))
	}
	return b.String(), args
}

// isNumber matches an identifying number, which users write with or without hyphens and spaces.
// It doesn't match amounts or dates.
var isNumber = regexp.MustCompile(`^[\p{L}\s\p{Pd}]*\d[\p{L}\d\s\p{Pd}]*$`)

var monthAndDay = regexp.MustCompile(`^(\d{1,2})/(\d{1,2})(/\d{0,4})?$`)

// padDate pads a typed date or its prefix as cells do: 6/3/2025 to 06/03/2025.
func padDate(typed string) string {
	m := monthAndDay.FindStringSubmatch(typed)
	if m == nil {
		return typed
	}
	return fmt.Sprintf("%02s/%02s%s", m[1], m[2], m[3])
}
