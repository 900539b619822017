package db_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
)

type book struct {
	Title string
	Pages *int64
	Day   date.Date
	Lent  bool
	Notes []string
	shelf
}

type shelf struct{ Room string }

var bookTable = db.NewTable("books", append([]db.Column[book]{
	db.Col("title", func(b *book) *string { return &b.Title }),
	db.Computed("title_key", func(b *book) any { return strings.ToLower(b.Title) }).Key(),
	db.Col("pages", func(b *book) **int64 { return &b.Pages }),
	db.Col("day", func(b *book) *date.Date { return &b.Day }),
	db.Col("lent", func(b *book) *bool { return &b.Lent }),
	db.JSON("notes", func(b *book) *[]string { return &b.Notes }),
}, db.Within(func(b *book) *shelf { return &b.shelf }, []db.Column[shelf]{
	db.Col("room", func(s *shelf) *string { return &s.Room }),
})...)...)

// library returns a database with an empty table of books.
func library(t *testing.T, kind string) *db.DB {
	d := dbtest.Open(t, kind)
	must(t, d, `CREATE TABLE books (title text NOT NULL, title_key text PRIMARY KEY, pages bigint, day date, lent boolean NOT NULL,
		notes text NOT NULL, room text NOT NULL)`)
	return d
}

func TestTable(t *testing.T) {
	for _, kind := range []string{"sqlite", "postgres"} {
		t.Run(kind, func(t *testing.T) {
			d := library(t, kind)
			var many []book
			for n := range int64(120) {
				b := book{Title: fmt.Sprintf("Book %03d", n), Day: "2026-01-02", Lent: n%2 == 0, Notes: []string{"x"}, shelf: shelf{"A"}}
				if n > 0 {
					b.Pages = &n
				}
				many = append(many, b)
			}
			require.NoError(t, bookTable.Insert(t.Context(), d.Writer, many...))
			got, err := bookTable.Select(t.Context(), d.Reader, `WHERE room = $1 ORDER BY title_key`, "A")
			if err != nil || !reflect.DeepEqual(got, many) {
				t.Errorf("%v\ngot  %+v\nwant %+v", err, got, many)
			}
			changed := book{Title: "BOOK 007", Lent: true, Notes: []string{}, shelf: shelf{"B"}}
			if n, err := bookTable.Update(t.Context(), d.Writer, changed); err != nil || n != 1 {
				t.Errorf("%d rows, %v", n, err)
			}
			if b, err := bookTable.Get(t.Context(), d.Writer, `WHERE title_key = $1`, "book 007"); err != nil ||
				!reflect.DeepEqual(b, changed) {
				t.Errorf("%+v, %v", b, err)
			}
			pages := int64(9)
			require.NoError(t, bookTable.Only("title_key", "pages", "day", "lent").UpdateAll(t.Context(), d.Writer,
				book{Title: "book 003", Pages: &pages, Day: "2026-02-03", Lent: true}, book{Title: "none"}, book{Title: "BOOK 004"}))
			want := []book{{Title: "Book 003", Pages: &pages, Day: "2026-02-03", Lent: true, Notes: []string{"x"}, shelf: shelf{"A"}},
				{Title: "Book 004", Notes: []string{"x"}, shelf: shelf{"A"}}, many[5]}
			if got, err := bookTable.Select(t.Context(), d.Reader,
				`WHERE title_key IN ('book 003', 'book 004', 'book 005') ORDER BY title_key`); err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%v\ngot  %+v\nwant %+v", err, got, want)
			}
			fresh := book{Title: "New", Notes: []string{"y"}}
			changed.Room = "C"
			require.NoError(t, bookTable.Upsert(t.Context(), d.Writer, changed, fresh))
			if b, err := bookTable.Get(t.Context(), d.Writer, `WHERE title_key = $1`, "book 007"); err != nil || b.Room != "C" {
				t.Errorf("%+v, %v", b, err)
			}
			changed.Room = "D"
			require.NoError(t, bookTable.InsertMissing(t.Context(), d.Writer, changed, book{Title: "Newer", Notes: []string{}}))
			if list, err := bookTable.Select(t.Context(), d.Writer, `WHERE title_key IN ('book 007', 'newer') ORDER BY title_key`); err !=
				nil || len(list) != 2 || list[0].Room != "C" {
				t.Errorf("%+v, %v", list, err)
			}
			bare, err := bookTable.Without("notes", "room").Get(t.Context(), d.Writer, `WHERE title_key = $1`, "new")
			if err != nil || bare.Title != "New" || bare.Notes != nil {
				t.Errorf("%+v, %v", bare, err)
			}
			assert.ErrorIs(t, dbtest.Err(bookTable.Get(t.Context(), d.Writer, `WHERE title_key = 'none'`)), db.ErrNotFound)
			if n, err := bookTable.Update(t.Context(), d.Writer, book{Title: "none"}); err != nil || n != 0 {
				t.Errorf("%d rows, %v", n, err)
			}
		})
	}
}

func TestSameRows(t *testing.T) {
	pages, again, other := int64(7), int64(7), int64(8)
	a := book{Title: "A", Pages: &pages, Notes: []string{"x"}}
	b := book{Title: "A", Pages: &again, Notes: []string{"x"}}
	assert.True(t, bookTable.IsSame(a, b), "the same row differs")
	for _, change := range []func(*book){func(b *book) {
		b.Pages = &other
	}, func(b *book) { b.Pages = nil }, func(b *book) { b.Notes = nil }, func(b *book) { b.Room = "B" }} {
		c := b
		change(&c)
		assert.Falsef(t, bookTable.IsSame(a, c), "%+v is not told from %+v", c, a)
	}
}

func TestColumnsOfAList(t *testing.T) {
	assert.Equal(t, "b.title, b.pages, b.day, b.lent, b.room", bookTable.Without("notes").List("b."))
}
