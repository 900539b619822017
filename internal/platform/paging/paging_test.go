package paging_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/paging"
	"wcpp/internal/platform/problem"
)

var columns = paging.Columns{
	"title":  paging.Text("title"),
	"copies": paging.Number("copies"),
	"bought": paging.Day("bought"),
	"state":  paging.Words("state", map[string]string{"A": "Owner's Shelf", "B": "Lent"}),
}

type book struct {
	Title  string
	Copies *int
}

func TestSelect(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		instant := map[string]string{"sqlite": "text", "postgres": "timestamptz"}[d.Dialect.Name]
		for _, statement := range []string{
			"CREATE TABLE books (title text, copies bigint, bought " + instant + ", state text)",
			"INSERT INTO books VALUES ('alpha', 12, '2025-06-04T03:30:00.000000Z', 'A'), ('beta', NULL, NULL, 'B'), ('100% gamma', 7, " +
				"'2025-12-03T12:00:00.000000Z', 'A'), ('', 120, NULL, 'B')",
		} {
			require.NoError(t, dbtest.Err(db.Exec(t.Context(), d.Writer, statement)))
		}
		ask := func(table paging.Table) (string, error) {
			table.PageSize = max(table.PageSize, 1)
			rows, count, err := paging.Select(t.Context(), d.Reader, d.Dialect, table, paging.Statement{
				Select: "title, copies", From: "FROM books WHERE title <> $1", Args: []any{"-"}, Columns: columns, Order: "title",
			}, paging.Rows[book])
			titles := make([]string, len(rows))
			for i, b := range rows {
				titles[i] = b.Title
			}
			return fmt.Sprintf("%s of %d", strings.Join(titles, "|"), count), err
		}
		by := func(id string, desc bool) *paging.Sort { return &paging.Sort{ID: id, Desc: desc} }
		filter := func(id, typed string) map[string]string { return map[string]string{id: typed} }
		for _, c := range []struct {
			table paging.Table
			want  string
		}{
			{paging.Table{PageSize: 3}, "|100% gamma|alpha of 4"},
			{paging.Table{PageSize: 3, Page: 1}, "beta of 4"},
			{paging.Table{PageSize: 3, Page: 9}, " of 4"},
			{paging.Table{PageSize: 9, Sort: by("title", false)}, "100% gamma|alpha|beta| of 4"},
			{paging.Table{PageSize: 9, Sort: by("title", true)}, "beta|alpha|100% gamma| of 4"},
			{paging.Table{PageSize: 9, Sort: by("copies", false)}, "100% gamma|alpha||beta of 4"},
			{paging.Table{PageSize: 9, Sort: by("copies", true)}, "|alpha|100% gamma|beta of 4"},
			{paging.Table{PageSize: 9, Sort: by("bought", true)}, "100% gamma|alpha||beta of 4"},
			{paging.Table{PageSize: 9, Sort: by("state", false)}, "|beta|100% gamma|alpha of 4"},
			{paging.Table{PageSize: 9, Filters: filter("title", "  LPH ")}, "alpha of 1"},
			{paging.Table{PageSize: 9, Filters: filter("title", "0%")}, "100% gamma of 1"},
			{paging.Table{PageSize: 9, Filters: filter("title", "_")}, " of 0"},
			{paging.Table{PageSize: 9, Filters: filter("copies", "12")}, "|alpha of 2"},
			{paging.Table{PageSize: 9, Filters: filter("state", "'s")}, "100% gamma|alpha of 2"},
			{paging.Table{PageSize: 9, Filters: map[string]string{"state": "shelf", "copies": "7", "title": ""}}, "100% gamma of 1"},
			{paging.Table{PageSize: 9, Filters: filter("copies", "1-2")}, "|alpha of 2"},
			{paging.Table{PageSize: 9, Filters: filter("bought", "06/04/2025")}, "alpha of 1"},
			{paging.Table{PageSize: 9, Filters: filter("bought", "6/3/2025"), Zone: "America/New_York"}, "alpha of 1"},
			{paging.Table{PageSize: 9, Filters: filter("bought", "6/3"), Zone: "America/New_York"}, "alpha of 1"},
			{paging.Table{PageSize: 9, Filters: filter("bought", "2025")}, "100% gamma|alpha of 2"},
		} {
			if have, err := ask(c.table); err != nil || have != c.want {
				t.Errorf("%+v: %s and not %s, %v", c.table, have, c.want, err)
			}
		}
		for field, table := range map[string]paging.Table{
			"table.sort.id":       {Sort: by("password", false)},
			"table.filters.other": {Filters: filter("other", "x")},
			"table.filters.title": {Filters: filter("title", strings.Repeat("x", 201))},
			"table.zone":          {Zone: "Mars/Olympus"},
		} {
			var e *problem.Error
			if _, err := ask(table); !errors.As(err, &e) || e.Kind != problem.Invalid || len(e.Fields) != 1 || e.Fields[0].Path != field {
				t.Errorf("%s: %v", field, err)
			}
		}
	})
}

// Neither a list nor a table skips more rows than its maximum, and the error has advice.
func TestFarRowsAreRefused(t *testing.T) {
	for rows, message := range map[int]string{0: "", 2000: "", 2001: "Narrow the search. You can skip up to 2,000 rows."} {
		err := paging.CheckSkip(rows)
		if message == "" && err != nil || message != "" && (!problem.Is(err, problem.Invalid) || problem.From(err).Message != message) {
			t.Errorf("%d: %v", rows, err)
		}
	}
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		for page, message := range map[int]string{200: "", 201: "Narrow the search. Tables show up to 200,000 rows."} {
			_, _, err := paging.Select(t.Context(), d.Reader, d.Dialect, paging.Table{Page: page, PageSize: 1000}, paging.Statement{
				Select: "1", From: "FROM (SELECT 1 AS a) t WHERE a = 1", Order: "a",
			}, paging.Rows[int])
			if message == "" && err != nil || message != "" && (!problem.Is(err, problem.Invalid) || problem.From(err).Message != message) {
				t.Errorf("page %d: %v", page, err)
			}
		}
	})
}
