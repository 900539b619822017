package db

import (
	"database/sql/driver"
	"fmt"

	"modernc.org/sqlite"

	"wcpp/internal/platform/names"
)

// FoldSQL returns the SQL of a name in the form of names.Fold. On PostgreSQL, a migration
// creates the function.
func FoldSQL(name string) string { return "wcpp_letters(" + name + ")" }

func init() {
	sqlite.MustRegisterDeterministicScalarFunction("wcpp_letters", 1,
		func(_ *sqlite.FunctionContext, args []driver.Value) (driver.Value, error) {
			if args[0] == nil {
				return nil, nil
			}
			return names.Fold(fmt.Sprint(args[0])), nil
		})
}
