// Package db opens SQLite or PostgreSQL behind one code path. Both use the same SQL with $1
// placeholders, and rows are scanned directly into structs. A Dialect covers the real
// differences.
package db

import (
	"cmp"
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/georgysavva/scany/v2/dbscan"
	"github.com/georgysavva/scany/v2/sqlscan"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/sethvargo/go-retry"
	"modernc.org/sqlite"
	sqlitelib "modernc.org/sqlite/lib"

	"wcpp/internal/platform/fileperm"
	"wcpp/internal/platform/text"
)

// ErrNotFound is returned by Get if no row matches.
var ErrNotFound = errors.New("not found")

// Queryer reads and writes: the writer, the readers, or a transaction.
type Queryer interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
}

// Dialect has the differences between the two databases.
type Dialect struct {
	// Name is "sqlite" or "postgres".
	Name string
	// ForUpdate ends a SELECT that locks its row. SQLite has one writer and needs none.
	ForUpdate string
	// SkipLocked is ForUpdate that skips rows with a lock.
	SkipLocked string
	// ForShare ends a SELECT that blocks changes to its row until the transaction ends.
	ForShare string
}

var (
	sqliteDialect   = Dialect{Name: "sqlite"}
	postgresDialect = Dialect{Name: "postgres", ForUpdate: " FOR UPDATE", SkipLocked: " FOR UPDATE SKIP LOCKED", ForShare: " FOR SHARE"}
)

// DB is an open database. SQLite has one writer and a pool of readers, PostgreSQL one pool for
// both.
type DB struct {
	Dialect Dialect
	Writer  *sql.DB
	Reader  *sql.DB
	// URL is the address as given.
	URL string
	// BeforeTx runs before each write transaction, unless it is nil. Tests use it to pause.
	BeforeTx func(ctx context.Context)

	connections int    // maximum size of the pool; PostgreSQL only
	pooled      bool   // a connection pooler is between the program and PostgreSQL
	direct      string // address without a connection pooler; empty: URL
	lines       openConns
	replica     *replica

	stopWatching context.CancelFunc // for silent connections; PostgreSQL only
}

// Trace receives each statement before it runs, in the goroutine that runs it.
type Trace func(ctx context.Context, query string, args []any)

// Open opens "sqlite:PATH" or "postgres://...".
func Open(ctx context.Context, rawURL string) (*DB, error) { return OpenTraced(ctx, rawURL, nil) }

// OpenTraced opens a database that passes each statement to trace, unless trace is nil.
func OpenTraced(ctx context.Context, rawURL string, trace Trace) (*DB, error) {
	switch {
	case strings.HasPrefix(rawURL, "sqlite:"):
		return openSQLite(ctx, rawURL, trace)
	case strings.HasPrefix(rawURL, "postgres://"), strings.HasPrefix(rawURL, "postgresql://"):
		return openPostgres(ctx, rawURL, trace)
	default:
		return nil, fmt.Errorf("database URL must start with sqlite: or postgres://")
	}
}

// Companions lists the files in which SQLite stores changes to an embedded database before they are
// in the database file.
func Companions(path string) []string {
	return []string{path + "-wal", path + "-shm", path + "-journal"}
}

func openSQLite(ctx context.Context, rawURL string, trace Trace) (*DB, error) {
	path, _ := Path(rawURL)
	if path == "" {
		return nil, fmt.Errorf("database URL sqlite: needs a file path")
	}
	if err := checkRestored(path); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, fmt.Errorf("database directory: %w", err)
	}
	// SQLite creates these files with the mode of the database file.
	for _, name := range Companions(path) {
		if err := fileperm.Restrict(slog.Default(), name); err != nil {
			return nil, fmt.Errorf("open database: %w", err)
		}
	}
	if err := fileperm.CreateFile(slog.Default(), path); err != nil {
		return nil, fmt.Errorf("open database: %w", err)
	}
	// synchronous FULL: confirmed transactions survive a crash of the machine.
	pragmas := []string{
		"busy_timeout(10000)", "journal_mode(WAL)", "synchronous(FULL)", "foreign_keys(1)",
		"cache_size(-32000)", "temp_store(MEMORY)",
	}
	// Only the writer maps the file, up to SQLite's maximum of 2 GB minus a page of 64 KB. A
	// reader that notices a write unmaps the whole file and faults each page in again. Because
	// reads are audited, this would happen before nearly every statement.
	query := url.Values{"_pragma": append(slices.Clip(pragmas), "mmap_size(2147418112)"), "_txlock": {"immediate"},
		"_time_format": {"sqlite"}}
	dsn := "file:" + (&url.URL{Path: path}).EscapedPath() + "?" + query.Encode()
	writer, err := openPreparing(dsn, newWriteLock(path), trace)
	if err != nil {
		return nil, err
	}
	writer.SetMaxOpenConns(1)
	if err := writer.PingContext(ctx); err != nil {
		writer.Close()
		if isSQLite(err, sqlitelib.SQLITE_READONLY) {
			err = newNotWritable(path, err)
		}
		return nil, fmt.Errorf("open database: %w", err)
	}
	query["_pragma"] = pragmas
	query.Set("mode", "ro")
	query.Set("_txlock", "deferred")
	reader, err := openPreparing("file:"+(&url.URL{Path: path}).EscapedPath()+"?"+query.Encode(), nil, trace)
	if err != nil {
		writer.Close()
		return nil, err
	}
	reader.SetMaxOpenConns(max(4, runtime.NumCPU()))
	reader.SetMaxIdleConns(max(4, runtime.NumCPU()))
	return &DB{Dialect: sqliteDialect, Writer: writer, Reader: reader, URL: rawURL}, nil
}

func postgresConfig(rawURL string, dial pgconn.DialFunc) (*pgx.ConnConfig, error) {
	cfg, err := pgx.ParseConfig(rawURL)
	if err != nil {
		return nil, fmt.Errorf("database URL: %w", redact(err))
	}
	cfg.DialFunc = dial
	if cfg.ConnectTimeout == 0 {
		cfg.ConnectTimeout = 5 * time.Second
		if n := countHosts(cfg); n > 1 { // all hosts must be tried within the pulse timeout
			cfg.ConnectTimeout = (pulseWithin - time.Second) / time.Duration(n)
		}
	}
	return cfg, nil
}

// countHosts counts the servers in an address.
func countHosts(cfg *pgx.ConnConfig) int {
	named := map[string]bool{net.JoinHostPort(cfg.Host, strconv.Itoa(int(cfg.Port))): true}
	for _, other := range cfg.Fallbacks { // includes the same hosts without TLS
		named[net.JoinHostPort(other.Host, strconv.Itoa(int(other.Port)))] = true
	}
	return len(named)
}

// UseDirect sets an address that reaches PostgreSQL without a connection pooler. Listening for
// events and migrations need it, because a pooler changes connections between transactions. It
// must be the same database. Otherwise, migrations would run on another one.
func (d *DB) UseDirect(ctx context.Context, rawURL string) error {
	if d.Dialect.Name != "postgres" {
		return errors.New("is for PostgreSQL, but WCPP_DATABASE_URL isn't")
	}
	d.direct = requireTLS(rawURL)
	direct, done, err := d.Direct(ctx)
	if err != nil {
		return err
	}
	same, err := sameDatabase(ctx, direct, d)
	if err == nil && !same {
		err = errors.New("is a different database than WCPP_DATABASE_URL")
	}
	return errors.Join(err, done())
}

// sameDatabase reports whether two addresses reach one database. If so, a lock taken through one
// is unavailable through the other.
func sameDatabase(ctx context.Context, at, other *DB) (bool, error) {
	var random [8]byte
	_, _ = rand.Read(random[:])                         // never fails
	key := int64(binary.NativeEndian.Uint64(random[:])) //nolint:gosec // any number is as good
	taken := true
	err := transact(ctx, at.Writer, at.Writer.BeginTx, func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, `SELECT pg_advisory_xact_lock($1)`, key); err != nil {
			return err
		}
		var free bool
		err := other.Writer.QueryRowContext(ctx, `SELECT pg_try_advisory_xact_lock($1)`, key).Scan(&free)
		taken = !free
		return err
	})
	return taken, redact(err)
}

// Pooled reports whether a connection pooler such as PgBouncer is in use, and no direct address
// of PostgreSQL is set.
func (d *DB) Pooled() bool { return d.pooled && d.direct == "" }

// findPooler reports whether a connection pooler is in use. If so, the process ID from the
// connection's start isn't one of the server's.
func (d *DB) findPooler(ctx context.Context) (pooled bool, err error) {
	conn, err := d.connect(ctx, d.URL)
	if err != nil {
		return false, err
	}
	defer conn.Close(ctx) //nolint:errcheck // it has answered
	results, err := conn.PgConn().Exec(ctx, `SELECT pg_backend_pid()`).ReadAll()
	if err == nil && len(results) == 1 && len(results[0].Rows) == 1 {
		pooled = string(results[0].Rows[0][0]) != strconv.FormatUint(uint64(conn.PgConn().PID()), 10)
	}
	return pooled, err
}

// Direct opens the database at the direct address, or returns the same one without a direct
// address. The caller must call done.
func (d *DB) Direct(ctx context.Context) (direct *DB, done func() error, err error) {
	if d.direct == "" {
		return d, func() error { return nil }, nil
	}
	direct, err = Open(ctx, d.direct)
	if err != nil {
		return nil, nil, err
	}
	return direct, direct.Close, nil
}

// Connect opens a connection outside of the pool, without a connection pooler.
func (d *DB) Connect(ctx context.Context) (*pgx.Conn, error) {
	return d.connect(ctx, cmp.Or(d.direct, d.URL))
}

func (d *DB) connect(ctx context.Context, rawURL string) (*pgx.Conn, error) {
	cfg, err := postgresConfig(rawURL, d.lines.dial)
	if err != nil {
		return nil, err
	}
	return pgx.ConnectConfig(ctx, cfg)
}

// renew closes idle connections, because some are broken after an outage.
func (d *DB) renew() {
	d.Writer.SetMaxIdleConns(0)
	d.Writer.SetMaxIdleConns(d.connections)
}

const defaultConnections = 20

// Limit sets the maximum size of the PostgreSQL pool. SQLite's pool has the size that SQLite can
// use.
func (d *DB) Limit(connections int) {
	if d.Dialect.Name != "postgres" {
		return
	}
	d.connections = connections
	d.Writer.SetMaxOpenConns(connections)
	d.Writer.SetMaxIdleConns(connections)
}

func openPostgres(ctx context.Context, rawURL string, trace Trace) (*DB, error) {
	rawURL = requireTLS(rawURL)
	d := &DB{Dialect: postgresDialect, URL: rawURL}
	cfg, err := postgresConfig(rawURL, d.lines.dial)
	if err != nil {
		return nil, err
	}
	if trace != nil {
		cfg.Tracer = pgxTracer(trace)
	}
	if d.pooled, err = d.findPooler(ctx); err != nil {
		return nil, fmt.Errorf("open database: %w", redact(err))
	}
	var options []stdlib.OptionOpenDB
	if !d.pooled {
		limitSession(cfg)
		options = append(options, stdlib.OptionAfterConnect(identify))
	} else if !strings.Contains(rawURL, execMode) {
		// A connection pooler can assign each transaction another connection, without the
		// prepared statements of the previous one.
		cfg.DefaultQueryExecMode = pgx.QueryExecModeExec
	}
	pool := openPool(cfg, options...)
	d.Writer, d.Reader = pool, pool
	d.Limit(defaultConnections)
	var watching context.Context
	watching, d.stopWatching = context.WithCancel(context.WithoutCancel(ctx))
	go d.closeSilent(watching)
	return d, nil
}

// execMode is the address parameter for how statements are sent.
const execMode = "default_query_exec_mode"

// openPool opens a pool of connections with the portal's application name and UTC.
func openPool(cfg *pgx.ConnConfig, options ...stdlib.OptionOpenDB) *sql.DB {
	if cfg.RuntimeParams["application_name"] == "" {
		cfg.RuntimeParams["application_name"] = "wcpp"
	}
	cfg.RuntimeParams["timezone"] = "UTC"
	pool := stdlib.OpenDB(*cfg, options...)
	pool.SetConnMaxIdleTime(5 * time.Minute)
	return pool
}

type pgxTracer Trace

// TraceQueryStart passes a statement to the trace.
func (t pgxTracer) TraceQueryStart(ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryStartData) context.Context {
	t(ctx, data.SQL, data.Args)
	return ctx
}

// TraceQueryEnd does nothing.
func (pgxTracer) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

// requireTLS requires TLS and a verified certificate if the URL doesn't say. The driver's default
// falls back to plain text if the server has no TLS. A server on the same machine needs no TLS.
func requireTLS(rawURL string) string {
	cfg, err := pgx.ParseConfig(rawURL)
	if err != nil || strings.Contains(rawURL, "sslmode=") || os.Getenv("PGSSLMODE") != "" || text.IsLoopback(cfg.Host) ||
		strings.HasPrefix(cfg.Host, "/") {
		return rawURL
	}
	if strings.Contains(rawURL, "?") {
		return rawURL + "&sslmode=verify-full"
	}
	return rawURL + "?sslmode=verify-full"
}

// redact removes the URL's password from an error. It lists each unreachable address once, on
// one line.
func redact(err error) error {
	var parse *pgconn.ParseConfigError
	if errors.As(err, &parse) {
		var file *fs.PathError
		if errors.As(err, &file) {
			return errors.New(file.Error()) // such as sslrootcert; not for a retry
		}
		return errors.New("must be postgres://user:password@host:port/name; in a password, write @ / : ? # % and spaces as %40 %2F %3A " +
			"%3F %23 %25 and %20")
	}
	var unreached *pgconn.ConnectError
	if errors.As(err, &unreached) {
		return oneLineError{err}
	}
	return err
}

type oneLineError struct{ error }

// noTLS is the message suffix of a server without TLS.
const noTLS = "tls error: server refused TLS connection"

func (e oneLineError) Unwrap() error { return e.error }

func (e oneLineError) Error() string {
	var said []string
	for line := range strings.Lines(e.error.Error()) {
		if line = strings.TrimSpace(line); line != "" && !slices.Contains(said, line) {
			said = append(said, line)
		}
	}
	// If the driver then tried without TLS, the reason is that later result.
	if told := slices.DeleteFunc(slices.Clone(said), func(line string) bool { return strings.HasSuffix(line, noTLS) }); len(told) > 1 {
		said = told
	}
	return strings.Join(said, " ")
}

// Close closes all connections.
func (d *DB) Close() error {
	if d.stopWatching != nil {
		d.stopWatching()
	}
	if d.replica != nil {
		return errors.Join(d.replica.pool.Close(), d.Writer.Close())
	}
	if d.Reader != d.Writer {
		return errors.Join(d.Reader.Close(), d.Writer.Close())
	}
	return d.Writer.Close()
}

// Tx runs fn in one transaction of the writer. After a serialization failure, a deadlock or a lost
// commit on PostgreSQL, it retries, with up to five attempts in total. The delays vary, so that the same
// transactions don't conflict again.
func (d *DB) Tx(ctx context.Context, fn func(tx *sql.Tx) error) error {
	if d.BeforeTx != nil {
		d.BeforeTx(ctx)
	}
	return runWithRetry(ctx, func() error { return transact(ctx, d.Writer, d.Writer.BeginTx, fn) })
}

func runWithRetry(ctx context.Context, attempt func() error) error {
	waits := retry.WithMaxRetries(4, retry.WithJitterPercent(50, retry.NewExponential(10*time.Millisecond)))
	// Each attempt checks the context itself and returns its plain error.
	return retry.Do(context.WithoutCancel(ctx), waits, func(context.Context) error {
		err := attempt()
		if isRetryable(err) {
			return retry.RetryableError(err)
		}
		return err
	})
}

// Read runs fn in a read-only transaction with one snapshot for all statements. It retries as Tx
// does.
func (d *DB) Read(ctx context.Context, fn func(tx *sql.Tx) error) error {
	how := &sql.TxOptions{ReadOnly: true}
	if d.Dialect.Name == "postgres" { // SQLite always reads one snapshot
		how.Isolation = sql.LevelRepeatableRead
	}
	return runWithRetry(ctx, func() error {
		tx, err := d.Reader.BeginTx(ctx, how)
		if err != nil {
			return err
		}
		defer tx.Rollback() //nolint:errcheck // there is nothing to keep
		return fn(tx)
	})
}

type beginFunc func(context.Context, *sql.TxOptions) (*sql.Tx, error)

// transact runs fn in one transaction that begin starts on a connection of the pool.
func transact(ctx context.Context, pool *sql.DB, begin beginFunc, fn func(tx *sql.Tx) error) error {
	tx, err := begin(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() //nolint:errcheck // after a commit there is nothing to roll back
	if err := fn(tx); err != nil {
		return err
	}
	if refuses := getGuard(ctx); refuses != nil {
		if err := refuses(ctx, tx); err != nil {
			return err
		}
	}
	return commit(ctx, pool, tx)
}

// retryingPool runs each statement in its own transaction, with retries as in Tx.
type retryingPool struct{ pool *sql.DB }

// withRetries returns q with retries for statements that are a whole transaction.
func withRetries(q Queryer) Queryer {
	if pool, is := q.(*sql.DB); is {
		return retryingPool{pool}
	}
	return q
}

func (a retryingPool) QueryContext(ctx context.Context, query string, args ...any) (rows *sql.Rows, err error) {
	err = runWithRetry(ctx, func() error {
		rows, err = a.pool.QueryContext(ctx, query, args...) //nolint:rowserrcheck,sqlclosecheck // who reads them does
		return err
	})
	return rows, err
}

func (a retryingPool) ExecContext(ctx context.Context, query string, args ...any) (result sql.Result, err error) {
	err = runWithRetry(ctx, func() error {
		if getGuard(ctx) == nil {
			result, err = a.pool.ExecContext(ctx, query, args...)
			return err
		}
		return transact(ctx, a.pool, a.pool.BeginTx, func(tx *sql.Tx) error {
			result, err = tx.ExecContext(ctx, query, args...)
			return err
		})
	})
	return result, err
}

func isRetryable(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && (pg.Code == "40001" || pg.Code == "40P01") || errors.Is(err, errRolledBack)
}

// IsUnique reports whether the error is a violation of a unique index.
func IsUnique(err error) bool {
	var pg *pgconn.PgError
	if errors.As(err, &pg) {
		return pg.Code == "23505"
	}
	var lite *sqlite.Error
	if errors.As(err, &lite) {
		return lite.Code() == sqlitelib.SQLITE_CONSTRAINT_UNIQUE || lite.Code() == sqlitelib.SQLITE_CONSTRAINT_PRIMARYKEY
	}
	return false
}

// IsUniqueColumn reports whether the error is a violation of a unique index on one column.
func IsUniqueColumn(err error, table, column string) bool {
	if !IsUnique(err) {
		return false
	}
	var pg *pgconn.PgError
	if errors.As(err, &pg) {
		return pg.TableName == table && strings.HasPrefix(pg.Detail, "Key ("+column+")=")
	}
	return strings.Contains(err.Error(), table+"."+column)
}

var scanner = newScanner()

func newScanner() *sqlscan.API {
	api, err := sqlscan.NewDBScanAPI(dbscan.WithAllowUnknownColumns(false))
	if err != nil {
		panic(err)
	}
	s, err := sqlscan.NewAPI(api)
	if err != nil {
		panic(err)
	}
	return s
}

// Get scans the query's single row into dst, or returns ErrNotFound.
func Get(ctx context.Context, q Queryer, dst any, query string, args ...any) error {
	ctx, end := traceStatement(ctx)
	err := scanner.Get(ctx, withRetries(q), dst, query, args...)
	if sqlscan.NotFound(err) {
		end(nil)
		return ErrNotFound
	}
	end(err)
	return err
}

// Select scans all rows of the query into the slice dst.
func Select(ctx context.Context, q Queryer, dst any, query string, args ...any) error {
	ctx, end := traceStatement(ctx)
	err := scanner.Select(ctx, withRetries(q), dst, query, args...)
	end(err)
	return err
}

// Exec runs a statement and returns the number of affected rows.
func Exec(ctx context.Context, q Queryer, query string, args ...any) (int64, error) {
	ctx, end := traceStatement(ctx)
	res, err := withRetries(q).ExecContext(ctx, query, args...)
	end(err)
	if err != nil {
		return 0, err
	}
	return res.RowsAffected()
}

// One returns the query's single row, or ErrNotFound.
func One[T any](ctx context.Context, q Queryer, query string, args ...any) (row T, err error) {
	err = Get(ctx, q, &row, query, args...)
	return row, err
}

// List returns all rows of the query.
func List[T any](ctx context.Context, q Queryer, query string, args ...any) (rows []T, err error) {
	err = Select(ctx, q, &rows, query, args...)
	return rows, err
}

// Run runs a statement.
func Run(ctx context.Context, q Queryer, query string, args ...any) error {
	_, err := Exec(ctx, q, query, args...)
	return err
}

// IfNotFound returns another error instead of ErrNotFound.
func IfNotFound(err, instead error) error {
	if errors.Is(err, ErrNotFound) {
		return instead
	}
	return err
}

// In returns the placeholders $from.. for an IN list of n values. Callers bound the length of
// lists, so that there are few statement texts.
func In(from, n int) string {
	var b strings.Builder
	for i := range n {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "$%d", from+i)
	}
	return b.String()
}

// Args returns values as statement arguments.
func Args[T any](values []T) []any {
	args := make([]any, len(values))
	for i, v := range values {
		args[i] = v
	}
	return args
}

// ContainsPattern returns a pattern for LIKE ... ESCAPE '\' that matches a text anywhere.
func ContainsPattern(s string) string { return "%" + PrefixPattern(s) }

// PrefixPattern returns a pattern for LIKE ... ESCAPE '\' that matches a prefix.
func PrefixPattern(s string) string {
	return strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`).Replace(s) + "%"
}

// RunSteps repeats step, each time in its own transaction, until rows (the number of processed
// rows) is 0. A stop loses only the current step.
func (d *DB) RunSteps(ctx context.Context, step func(tx *sql.Tx) (rows int, err error)) error {
	for left := true; left; {
		if err := d.Tx(ctx, func(tx *sql.Tx) error {
			rows, err := step(tx)
			left = rows > 0
			return err
		}); err != nil {
			return err
		}
	}
	return nil
}

// StepRows is the maximum number of rows per step.
const StepRows = 500
