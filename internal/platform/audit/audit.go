// Package audit writes the append-only audit log: the actor, operation, subject, and result.
package audit

import (
	"cmp"
	"context"
	"crypto/ed25519"
	"database/sql"
	"encoding/json"
	"errors"
	"log/slog"
	"slices"
	"strconv"
	"sync"
	"time"

	"wcpp/internal/platform/db"
	"wcpp/internal/platform/httpapi"
	"wcpp/internal/platform/seal"
	"wcpp/internal/platform/text"
)

// Entry is one row of the log. Empty Actor and ActingFor are filled from the context (see
// WithActor).
type Entry struct {
	At        db.Instant
	Actor     string // username; empty before sign-in
	ActingFor string // username of the mirrored user; empty without mirroring
	Operation Operation
	Subject   string // target of the operation
	Result    string // ok, refused, failed, or a code
	Detail    string
	RequestID string `db:"request_id"`
	Client    string // client address; empty for jobs and commands

	// About are the search keys of the entry. Without them, the whole subject is the key, which
	// can be a username.
	About []string `db:"-"`
	// Answered are the bill and claim numbers that were shown. Searches filter the entries of
	// their TIN instead. An index row for each number would cost more than the search.
	Answered []string `db:"-"`
	// Searched is the search input. It is stored sealed.
	Searched any `db:"-"`
	// Groups are additional groups that can see the entry, besides the groups of its users.
	Groups []int64 `db:"-"`
	// Discreet omits the actor and the client address of the request. Only Groups can see the
	// entry, not the groups of its users.
	Discreet bool `db:"-"`
	groups   []int64
}

// People returns the groups of the users with these names. Names are folded (text.Key). Unknown
// names are skipped.
type People func(ctx context.Context, q db.Queryer, names []string) (groups []int64, err error)

// Log writes entries. Record writes in the transaction of the change, RecordNow in its own.
type Log struct {
	db    *db.DB
	now   func() time.Time
	log   *slog.Logger
	queue chan queuedEntry
	idle  sync.WaitGroup

	sealer *seal.Sealer
	signer ed25519.PrivateKey
	people People
}

// queuedEntry is an entry that isn't stored yet. Its writer waits for the result.
type queuedEntry struct {
	Entry
	stored chan error
}

// Deps are what the log needs.
type Deps struct {
	DB     *db.DB
	Clock  func() time.Time
	Log    *slog.Logger
	Sealer *seal.Sealer       // seals what was searched
	Signer ed25519.PrivateKey // signs segments
	People People             // nil: entries are listed by their own groups only
}

// New starts a log. Close writes the remaining entries.
func New(d Deps) *Log {
	l := &Log{db: d.DB, now: d.Clock, log: d.Log, queue: make(chan queuedEntry, together), sealer: d.Sealer, signer: d.Signer,
		people: d.People}
	l.idle.Add(1)
	go l.write()
	return l
}

// Record writes an entry in the caller's transaction, so both are stored or neither.
func (l *Log) Record(ctx context.Context, tx *sql.Tx, e Entry) error {
	return l.insert(ctx, tx, l.fill(ctx, e))
}

// RecordNow writes an entry before it returns. Entries that arrive during a write share the next
// transaction, so a caller waits for at most two, whatever the load.
func (l *Log) RecordNow(ctx context.Context, e Entry) error {
	w := queuedEntry{l.fill(ctx, e), make(chan error, 1)}
	select {
	case l.queue <- w:
	case <-ctx.Done():
		return ctx.Err()
	}
	select {
	case err := <-w.stored:
		return err
	case <-ctx.Done(): // the entry is written anyway
		return ctx.Err()
	}
}

// ListAbout lists the named operations on a user, or by someone who acted as that user, newest
// first.
func (l *Log) ListAbout(ctx context.Context, userName string, operations []string, limit int) ([]Entry, error) {
	return listAbout(ctx, l.db.Reader, aboutKey(userName), operations, limit)
}

type actorKey struct{}

type actor struct {
	name, actingFor string
	groups          []int64
}

// WithActor sets the actor of all entries in the context that don't name one, the mirrored user
// if any, and the groups of both (0 is none).
func WithActor(ctx context.Context, name, actingFor string, groups ...int64) context.Context {
	return context.WithValue(ctx, actorKey{}, actor{name, actingFor, groups})
}

// MostOfUnknown is how many typed characters are stored for a client without a session.
const MostOfUnknown = 60

func (l *Log) fill(ctx context.Context, e Entry) Entry {
	e.At = db.At(l.now())
	if e.Discreet {
		return e
	}
	if a, ok := ctx.Value(actorKey{}).(actor); ok {
		e.Actor, e.ActingFor, e.groups = cmp.Or(e.Actor, a.name), cmp.Or(e.ActingFor, a.actingFor), a.groups
	} else if typed := []rune(e.Subject); e.Actor == "" && len(typed) > MostOfUnknown {
		e.Subject = string(typed[:MostOfUnknown])
	}
	e.RequestID = httpapi.RequestID(ctx)
	if from := httpapi.Client(ctx); from.IsValid() {
		e.Client = from.String()
	}
	return e
}

// Close writes the waiting entries. Don't add entries afterwards.
func (l *Log) Close() {
	close(l.queue)
	l.idle.Wait()
}

const (
	// Maximum number of entries per transaction.
	together = 1000
	// Maximum number of entries per statement. Databases cache a statement text for each length.
	ofStatement = 100
	// Transaction timeout.
	writtenIn = 15 * time.Second
)

// write stores all waiting entries together.
func (l *Log) write() {
	defer l.idle.Done()
	for first := range l.queue {
		batch := []queuedEntry{first}
	gather:
		for len(batch) < together {
			select {
			case w, open := <-l.queue:
				if !open {
					break gather
				}
				batch = append(batch, w)
			default:
				break gather
			}
		}
		l.store(batch)
	}
}

// store writes a batch. If that fails, it writes each entry by itself, so that a bad entry
// doesn't affect the others.
func (l *Log) store(batch []queuedEntry) {
	err := l.storeAll(batch)
	for _, w := range batch {
		if err != nil && len(batch) > 1 {
			w.stored <- l.storeAll([]queuedEntry{w})
			continue
		}
		w.stored <- err
	}
}

func (l *Log) storeAll(batch []queuedEntry) error {
	ctx, cancel := context.WithTimeout(context.Background(), writtenIn)
	defer cancel()
	entries := make([]Entry, len(batch))
	for i, w := range batch {
		entries[i] = w.Entry
	}
	if len(entries) <= ofStatement { // one statement is a transaction by itself
		return l.insert(ctx, l.db.Writer, entries...)
	}
	return l.db.Tx(ctx, func(tx *sql.Tx) error {
		for part := range slices.Chunk(entries, ofStatement) {
			if err := l.insert(ctx, tx, part...); err != nil {
				return err
			}
		}
		return nil
	})
}

// Search keys of entries.
func aboutKey(subject string) string { return "about " + text.Key(subject) }
func byKey(userName string) string   { return "by " + text.Key(userName) }
func groupKey(id int64) string       { return "group " + strconv.FormatInt(id, 10) }

// PersonKey returns the search key of the entries in which the user acted or was mirrored.
func PersonKey(userName string) string { return byKey(userName) }

// insert writes entries with their keys and seals the search input.
func (l *Log) insert(ctx context.Context, q db.Queryer, entries ...Entry) error {
	rows := make([]row, len(entries))
	for i, e := range entries {
		keys, err := l.collectKeys(ctx, q, e)
		if err != nil {
			return err
		}
		if rows[i], err = l.newRow(e, keys); err != nil {
			return err
		}
	}
	return insert(ctx, q, rows...)
}

func (l *Log) newRow(e Entry, keys []string) (row, error) {
	found, err := json.Marshal(keys)
	if err != nil {
		return row{}, err
	}
	answered, err := json.Marshal(append([]string{}, e.Answered...))
	r := row{Entry: e, Answered: string(answered), Keys: string(found)}
	if err != nil || e.Searched == nil {
		return r, err
	}
	if l.sealer == nil {
		return r, errors.New("audit: missing key to encrypt searches")
	}
	r.Searched, err = l.sealer.Seal(searchPurpose, e.Searched)
	return r, err
}

const searchPurpose = "audited search"

// collectKeys returns the distinct search keys of an entry: its subjects, its actors, and the groups
// of its users.
func (l *Log) collectKeys(ctx context.Context, q db.Queryer, e Entry) ([]string, error) {
	keys := make([]string, 0, len(e.About)+4)
	about, names := e.About, []string(nil)
	if about == nil && e.Subject != "" {
		about, names = []string{e.Subject}, []string{text.Key(e.Subject)}
	}
	for _, subject := range about {
		keys = append(keys, aboutKey(subject))
	}
	for _, name := range []string{e.Actor, e.ActingFor} {
		if name != "" {
			keys = append(keys, byKey(name))
		}
	}
	groups := slices.Concat(e.Groups, e.groups)
	if e.groups == nil && e.Actor != "" && !e.Discreet {
		names = append(names, text.Key(e.Actor))
	}
	if l.people != nil && len(names) > 0 {
		found, err := l.people(ctx, q, names)
		if err != nil {
			return nil, err
		}
		groups = slices.Concat(groups, found)
	}
	for _, id := range groups {
		if id != 0 {
			keys = append(keys, groupKey(id))
		}
	}
	slices.Sort(keys)
	return slices.Compact(keys), nil
}
