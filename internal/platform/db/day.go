package db

import (
	"database/sql/driver"
	"fmt"
	"time"

	"modernc.org/sqlite"
)

// Day returns the SQL of a timestamp's date in a time zone, as MM/DD/YYYY. zone is the SQL of an
// IANA name. A missing timestamp gives NULL.
func (d Dialect) Day(instant, zone string) string {
	if d.Name == "postgres" {
		return "to_char(" + instant + " AT TIME ZONE " + zone + ", 'MM/DD/YYYY')"
	}
	return "wcpp_day(" + instant + ", " + zone + ")"
}

// SQLite doesn't support time zones.
func init() {
	sqlite.MustRegisterDeterministicScalarFunction("wcpp_day", 2,
		func(_ *sqlite.FunctionContext, args []driver.Value) (driver.Value, error) {
			var at Instant
			if err := at.Scan(args[0]); err != nil || at.IsZero() {
				return nil, err
			}
			zone, err := time.LoadLocation(fmt.Sprint(args[1]))
			if err != nil {
				return nil, err
			}
			return at.In(zone).Format("01/02/2006"), nil
		})
}
