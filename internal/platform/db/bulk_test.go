package db_test

import (
	"database/sql"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/platform/db"
)

// Every value is stored unchanged, and uncommitted rows don't exist.
func TestBulk(t *testing.T) {
	for _, kind := range []string{"sqlite", "postgres"} {
		t.Run(kind, func(t *testing.T) {
			d := library(t, kind)
			var many []book
			for n, room := range []string{"", `\N`, `\.`, "a\tb", "a\nb", "a\r\nb", `a\tb`, `\`, `"quoted"`, "MUÑOZ", " ", "NULL",
				"plain"} {
				b := book{Title: fmt.Sprintf("%02d %s", n, room), Lent: n%2 == 0, Notes: []string{room}, shelf: shelf{room}}
				if pages := int64(n) - 3; n%3 > 0 {
					b.Pages, b.Day = &pages, "2026-01-02"
				}
				many = append(many, b)
			}
			read := func() []book {
				t.Helper()
				got, err := bookTable.Select(t.Context(), d.Reader, `ORDER BY title_key`)
				require.NoError(t, err)
				return got
			}
			undone := errors.New("undone")
			if err := d.Bulk(t.Context(), func(tx *sql.Tx) error {
				return errors.Join(bookTable.Insert(t.Context(), tx, many...), undone)
			}); !errors.Is(err, undone) || len(read()) > 0 {
				t.Errorf("%v, %d rows", err, len(read()))
			}
			require.NoError(t, d.Bulk(t.Context(), func(tx *sql.Tx) error { return bookTable.Insert(t.Context(), tx, many...) }))
			assert.Equal(t, many, read())
			err := d.Bulk(t.Context(), func(tx *sql.Tx) error { return bookTable.Insert(t.Context(), tx, many...) })
			if !db.IsUnique(err) || len(read()) != len(many) {
				t.Errorf("the same once more: %v, %d rows", err, len(read()))
			}
			assert.LessOrEqual(t, d.Writer.Stats().InUse, 0)
		})
	}
}
