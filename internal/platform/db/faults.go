package db

import (
	"database/sql/driver"
	"errors"
	"io"
	"net"
	"slices"
	"strings"
	"syscall"

	"github.com/jackc/pgx/v5/pgconn"
	"modernc.org/sqlite"
	sqlitelib "modernc.org/sqlite/lib"
)

// IsUnavailable reports whether the database is unreachable or can't accept work now. It may be
// stopped or locked by another program, or all attempts hit a conflict.
func IsUnavailable(err error) bool {
	var connect *pgconn.ConnectError
	var network *net.OpError
	if errors.As(err, &connect) || errors.As(err, &network) || errors.Is(err, driver.ErrBadConn) || errors.Is(err, io.ErrUnexpectedEOF) ||
		errors.Is(err, pgconn.ErrConnClosed) || errors.Is(err, net.ErrClosed) || errors.Is(err, ErrCommitUnknown) ||
		errors.Is(err, errRolledBack) || errors.Is(err, errWriteLocked) {
		return true
	}
	var pg *pgconn.PgError
	if errors.As(err, &pg) { // lost connections, shutdowns, too many connections, replicas, timeouts of session limits
		return isRetryable(err) || strings.HasPrefix(pg.Code, "08") || strings.HasPrefix(pg.Code, "57P") || pg.Code == "53300" ||
			pg.Code == readOnly || pg.Code == lockTimeout || pg.Code == "25P03"
	}
	return isSQLite(err, sqlitelib.SQLITE_CANTOPEN, sqlitelib.SQLITE_BUSY, sqlitelib.SQLITE_LOCKED)
}

// IsStorageFault reports whether a disk of this machine or of the database is full or failing.
func IsStorageFault(err error) bool {
	for _, fault := range []error{syscall.ENOSPC, syscall.EDQUOT, syscall.EFBIG, syscall.EROFS, syscall.EIO} {
		if errors.Is(err, fault) {
			return true
		}
	}
	var pg *pgconn.PgError
	if errors.As(err, &pg) { // disk full, I/O error
		return pg.Code == "53100" || pg.Code == "58030"
	}
	return isSQLite(err, sqlitelib.SQLITE_FULL, sqlitelib.SQLITE_IOERR)
}

// Refusal returns why PostgreSQL refuses work because of an operator's setting, or an empty
// string. It contains no usernames.
func Refusal(err error) string {
	var pg *pgconn.PgError
	if !errors.As(err, &pg) {
		return ""
	}
	switch {
	case strings.HasPrefix(pg.Code, "28"): // unknown user, wrong password, pg_hba.conf
		return "Access denied. Check the username, password and allowed addresses."
	case pg.Code == "3D000":
		return "The server doesn't have this database."
	case pg.Code == readOnly:
		return "The server is a read-only replica."
	case pg.Code == "42501":
		return "The account doesn't have a required privilege."
	case pg.Code == "53300":
		return "All of the server's connections are in use."
	}
	return ""
}

// IsNoTable reports whether a table is missing in PostgreSQL.
func IsNoTable(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && pg.Code == "42P01"
}

// lockTimeout is the error code for a lock that another transaction has for too long.
const lockTimeout = "55P03"

// readOnly is the error code for writes on a replica.
const readOnly = "25006"

// isSQLite reports whether the error has one of SQLite's primary codes.
func isSQLite(err error, codes ...int) bool {
	var lite *sqlite.Error
	return errors.As(err, &lite) && slices.Contains(codes, lite.Code()&0xff)
}
