package db

import (
	"database/sql/driver"
	"fmt"

	"modernc.org/sqlite"

	"wcpp/internal/platform/names"
)

// Letters is the SQL of a name as names.Fold writes it. PostgreSQL has the function from a
// migration.
func Letters(name string) string { return "wcpp_letters(" + name + ")" }

func init() {
	sqlite.MustRegisterDeterministicScalarFunction("wcpp_letters", 1, func(_ *sqlite.FunctionContext, args []driver.Value) (driver.Value, error) {
		if args[0] == nil {
			return nil, nil
		}
		return names.Fold(fmt.Sprint(args[0])), nil
	})
}
