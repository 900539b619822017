package db

import (
	"database/sql"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

type fieldsRow struct {
	FTIN       string
	NextDue    *int64
	Wanted     string   `db:"wanted_key"`
	Owner      int64    `db:"owner_id,null"`
	Days       []string `db:",json"`
	Unstored   bool     `db:"-"`
	unexported int
}

func TestFieldsAreColumns(t *testing.T) {
	table := NewTable("t", Fields[fieldsRow]("ftin")...)
	assert.Equal(t, "[ftin next_due wanted_key owner_id days]", fmt.Sprint(table.Names()))
	assert.Equal(t, "[ftin wanted_key]", fmt.Sprint(table.WithFields([]string{"Wanted", "Other"}, "ftin").Names()))
	row := fieldsRow{FTIN: "1", unexported: 2}
	if got, err := table.values([]fieldsRow{row}); err != nil || fmt.Sprint(got) != "[1 <nil>  <nil> null]" {
		t.Errorf("%v, %v", got, err)
	}
	*table.columns[0].target(&row).(*string) = "2"
	if row.FTIN != "2" || !table.columns[0].key || table.columns[1].key {
		t.Errorf("%+v", row)
	}
}

func TestFieldsArriveThroughDatabase(t *testing.T) {
	d, err := sql.Open("sqlite", ":memory:")
	require.NoError(t, err)
	defer d.Close()
	d.SetMaxOpenConns(1)
	if _, err := d.ExecContext(t.Context(),
		`CREATE TABLE t (ftin text, next_due bigint, wanted_key text, owner_id bigint, days text)`); err != nil {
		t.Fatal(err)
	}
	table, due := NewTable("t", Fields[fieldsRow]("ftin")...), int64(5)
	require.NoError(t, table.Insert(t.Context(), d, fieldsRow{FTIN: "1", NextDue: &due, Wanted: "w", Owner: 7, Days: []string{"Mon",
		"Tue"}}, fieldsRow{FTIN: "2"}))
	got, err := table.Select(t.Context(), d, "ORDER BY ftin")
	if err != nil || len(got) != 2 || *got[0].NextDue != 5 || got[0].Wanted != "w" || got[1].NextDue != nil ||
		got[0].Owner != 7 || got[1].Owner != 0 || strings.Join(got[0].Days, " ") != "Mon Tue" || got[1].Days != nil {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestFieldsWithUnknownOption(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("an unknown option of a tag is ignored")
		}
	}()
	Fields[struct {
		At int64 `db:",nul"`
	}]()
}
