package db

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"time"

	"github.com/gofrs/flock"
)

// OpenReadOnly opens a database for reading. It creates, repairs, and locks nothing, and writes fail on
// SQLite. It returns fs.ErrNotExist if an embedded database doesn't exist.
func OpenReadOnly(ctx context.Context, rawURL string) (*DB, error) {
	path, embedded := Path(rawURL)
	if !embedded {
		return OpenTraced(ctx, rawURL, nil)
	}
	if err := checkRestored(path); err != nil {
		return nil, err
	}
	if _, err := os.Stat(path); err != nil {
		return nil, err
	}
	query := url.Values{"mode": {"ro"}, "_time_format": {"sqlite"}}
	if _, err := os.Stat(path + "-wal"); errors.Is(err, fs.ErrNotExist) {
		query.Set("immutable", "1") // otherwise SQLite would create that file
	}
	reader, err := openPreparing("file:"+(&url.URL{Path: path}).EscapedPath()+"?"+query.Encode(), nil, nil)
	if err != nil {
		return nil, err
	}
	return &DB{Dialect: sqliteDialect, Writer: reader, Reader: reader, URL: rawURL}, nil
}

// IsLocked reports whether a program has the lock of an embedded database (see LockDatabase). It briefly
// takes a shared lock.
func IsLocked(rawURL string) (bool, error) {
	path, embedded := Path(rawURL)
	path += ".lock"
	if _, err := os.Stat(path); !embedded || errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	held := flock.New(path, flock.SetFlag(os.O_RDONLY))
	free, err := held.TryRLock()
	return !free, errors.Join(err, held.Close())
}

// Server is what a PostgreSQL server reports about itself.
type Server struct {
	Version     string    // such as 17.2
	Number      int       // such as 170002
	Encoding    string    // such as UTF8
	TimeZone    string    // of this program's connections
	Connections int       // maximum for all clients together
	MayCreate   bool      // can create tables, as migrations do
	ReadOnly    bool      // it is a replica
	Now         time.Time // its clock
}

// Server asks PostgreSQL about itself.
func (d *DB) Server(ctx context.Context) (Server, error) {
	var s Server
	err := d.Reader.QueryRowContext(ctx, `SELECT current_setting('server_version'), current_setting('server_version_num')::int,
		current_setting('server_encoding'), current_setting('TimeZone'),
		current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int,
		has_schema_privilege(current_schema(), 'CREATE'), pg_is_in_recovery(), clock_timestamp()`).
		Scan(&s.Version, &s.Number, &s.Encoding, &s.TimeZone, &s.Connections, &s.MayCreate, &s.ReadOnly, &s.Now)
	if err != nil {
		return s, fmt.Errorf("query server settings: %w", redact(err))
	}
	return s, nil
}
