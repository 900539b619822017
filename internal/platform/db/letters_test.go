package db_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/names"
)

// Both databases return the same letters of a name as names.FoldPart.
func TestLetters(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		for _, name := range []string{
			"NUÑEZ", "nun\u0303ez", "O'Brien", "O’BRIEN", "Hawaiʻi", "Smith-Jones, Ann M.", "Łukasz Żółć", "Søren", "Straße", "ÆGIR & cœur",
			"Þór", "İstanbul", "Erdős 50% [x]_y", "ﬁne", "Юлия", "",
		} {
			var got string
			require.NoError(t, db.Get(t.Context(), d.Reader, &got, `SELECT `+
				db.FoldSQL("$1"+map[string]string{"postgres": "::text"}[d.Dialect.Name]), name))
			assert.Equal(t, names.FoldPart(name), got, name)
		}
	})
}
