package db_test

import (
	"errors"
	"fmt"
	"net"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
)

func TestFaultsOfTheOperator(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	address := l.Addr().String()
	l.Close()
	_, unreachable := db.Open(t.Context(), "postgres://wcpp@"+address+"/wcpp")
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	require.NoError(t, err)
	defer full.Close()
	_, noSpace := full.WriteString("x")

	lite := dbtest.Open(t, "sqlite")
	require.NoError(t, dbtest.Err(lite.Writer.ExecContext(t.Context(), `CREATE TABLE heap (content text)`)))
	if _, err := lite.Writer.ExecContext(t.Context(), `PRAGMA max_page_count = 1`); err != nil { // the current size
		t.Fatal(err)
	}
	_, liteFull := lite.Writer.ExecContext(t.Context(), `INSERT INTO heap SELECT hex(randomblob(100000))`)
	_, liteOther := lite.Writer.ExecContext(t.Context(), `INSERT INTO nothing VALUES (1)`)
	faults := map[string]struct {
		err               error
		away, storageFull bool
	}{
		"an address where nobody listens": {unreachable, true, false},
		"a full disk":                     {noSpace, false, true},
		"a full disk of SQLite":           {liteFull, false, true},
		"a mistake":                       {liteOther, false, false},
		"nothing":                         {nil, false, false},
		"any other":                       {errors.New("x"), false, false},
	}
	pg := dbtest.Open(t, "postgres")
	for name, code := range map[string]string{"PostgreSQL's full disk": "53100", "PostgreSQL's failing disk": "58030",
		"PostgreSQL shutting down": "57P01", "a server that follows another": "25006", "deadlocks time after time": "40P01",
		"writers who meet time after time": "40001", "PostgreSQL's mistake": "42P01"} {
		_, err := pg.Writer.ExecContext(t.Context(), fmt.Sprintf(`DO $$ BEGIN RAISE EXCEPTION 'x' USING ERRCODE = '%s'; END $$`, code))
		fault := faults["nothing"]
		fault.err, fault.away, fault.storageFull = err, code == "57P01" || code == "25006" || code[:2] == "40", code[0] == '5' &&
			code != "57P01"
		faults[name] = fault
	}
	for name, test := range faults {
		if test.err == nil && name != "nothing" {
			t.Errorf("%s: no error", name)
		}
		wrapped := fmt.Errorf("import: %w", test.err)
		if away, full := db.IsUnavailable(wrapped), db.IsStorageFault(wrapped); away != test.away || full != test.storageFull {
			t.Errorf("%s: %v is unavailable %v, storage %v", name, test.err, away, full)
		}
	}
}
