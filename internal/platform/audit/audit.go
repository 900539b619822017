// Package audit writes the append-only log of who did what, for whom, to what
// and with which result.
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

// Entry is one line of the log. Actor and ActingFor that are left empty are
// those of the context (see WithActor).
type Entry struct {
	At        db.Instant
	Actor     string // user name of the signed-in person; empty before sign-in
	ActingFor string // user name of the mirrored person; empty without mirroring
	Operation Operation
	Subject   string // what it was done to
	Result    string // ok, refused, failed, or a code
	Detail    string
	RequestID string `db:"request_id"`
	Client    string // address that the call came from; empty for jobs and commands

	// About is what the entry is found by, each by itself; without it, by the
	// subject as a whole, which may be a user's name.
	About []string `db:"-"`
	// Answered are the numbers of the bills and claims that were shown. They are
	// looked for among the entries about their TIN: a row of the index for each
	// would cost more than the search.
	Answered []string `db:"-"`
	// Searched is what was searched for. It is stored sealed.
	Searched any `db:"-"`
	// Groups find the entry beside those of the people in it.
	Groups []int64 `db:"-"`
	// Discreet tells nothing of the call that caused the entry, neither who made it
	// nor from where, and the groups of those people do not find it: Groups alone do.
	Discreet bool `db:"-"`
	groups   []int64
}

// People tell of which groups the users of these names are; names are folded
// (text.Key), those of nobody are passed over.
type People func(ctx context.Context, q db.Queryer, names []string) (groups []int64, err error)

// Log writes entries: those of changes in the transaction of the change, with Record,
// all others with Now.
type Log struct {
	db    *db.DB
	now   func() time.Time
	log   *slog.Logger
	queue chan waiting
	idle  sync.WaitGroup

	sealer *seal.Sealer
	signer ed25519.PrivateKey
	people People
}

// waiting is an entry whose writer waits until it is stored.
type waiting struct {
	Entry
	stored chan error
}

// New starts a log; Close writes what is still waiting.
func New(d *db.DB, now func() time.Time, log *slog.Logger) *Log {
	l := &Log{db: d, now: now, log: log, queue: make(chan waiting, together)}
	l.idle.Add(1)
	go l.write()
	return l
}

// Use gives the log what seals searches, what signs segments, and who knows the
// groups of users.
func (l *Log) Use(sealer *seal.Sealer, signer ed25519.PrivateKey, people People) {
	l.sealer, l.signer, l.people = sealer, signer, people
}

// Record writes an entry in the caller's transaction: both happen or neither.
func (l *Log) Record(ctx context.Context, tx *sql.Tx, e Entry) error {
	return l.insert(ctx, tx, l.fill(ctx, e))
}

// Now writes an entry before it returns, in one transaction with those that came while
// the one before was written: however many ask, none waits for more than two.
func (l *Log) Now(ctx context.Context, e Entry) error {
	w := waiting{l.fill(ctx, e), make(chan error, 1)}
	select {
	case l.queue <- w:
	case <-ctx.Done():
		return ctx.Err()
	}
	select {
	case err := <-w.stored:
		return err
	case <-ctx.Done(): // it is written all the same
		return ctx.Err()
	}
}

// About lists what was done to a user, or by someone who acted as them, of the
// operations named, the newest first.
func (l *Log) About(ctx context.Context, userName string, operations []string, limit int) ([]Entry, error) {
	return about(ctx, l.db.Reader, aboutKey(userName), operations, limit)
}

type actorKey struct{}

type actor struct {
	name, actingFor string
	groups          []int64
}

// WithActor names who acts from here on, and for whom where they mirror
// somebody, with their groups (0 is none), for every entry that does not name
// them itself.
func WithActor(ctx context.Context, name, actingFor string, groups ...int64) context.Context {
	return context.WithValue(ctx, actorKey{}, actor{name, actingFor, groups})
}

// MostOfUnknown is how many characters are kept of what somebody typed who is
// not signed in.
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

// Close writes the waiting entries. No entry may be added afterwards.
func (l *Log) Close() {
	close(l.queue)
	l.idle.Wait()
}

const (
	// So many entries are written in one transaction at most.
	together = 1000
	// So many one statement has: databases keep the texts of statements, of every length.
	ofStatement = 100
	// A transaction that takes so long has failed.
	writtenIn = 15 * time.Second
)

// write writes what waits, all of it at once.
func (l *Log) write() {
	defer l.idle.Done()
	for first := range l.queue {
		batch := []waiting{first}
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

// store writes a batch; where that fails, each for itself, so that nobody pays for
// another's.
func (l *Log) store(batch []waiting) {
	err := l.storeAll(batch)
	for _, w := range batch {
		if err != nil && len(batch) > 1 {
			w.stored <- l.storeAll([]waiting{w})
			continue
		}
		w.stored <- err
	}
}

func (l *Log) storeAll(batch []waiting) error {
	ctx, cancel := context.WithTimeout(context.Background(), writtenIn)
	defer cancel()
	entries := make([]Entry, len(batch))
	for i, w := range batch {
		entries[i] = w.Entry
	}
	if len(entries) <= ofStatement { // a transaction by itself
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

// The keys that entries are found by.
func aboutKey(subject string) string { return "about " + text.Key(subject) }
func byKey(userName string) string   { return "by " + text.Key(userName) }
func groupKey(id int64) string       { return "group " + strconv.FormatInt(id, 10) }

// PersonKey is the key by which entries are found in which somebody acted, or was
// acted for.
func PersonKey(userName string) string { return byKey(userName) }

// insert writes entries with their keys, and what was searched for sealed.
func (l *Log) insert(ctx context.Context, q db.Queryer, entries ...Entry) error {
	rows := make([]row, len(entries))
	for i, e := range entries {
		keys, err := l.keysOf(ctx, q, e)
		if err != nil {
			return err
		}
		if rows[i], err = l.rowOf(e, keys); err != nil {
			return err
		}
	}
	return insert(ctx, q, rows...)
}

func (l *Log) rowOf(e Entry, keys []string) (row, error) {
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

// keysOf lists what an entry is found by, each once: what it is about, who acted,
// and the groups of the users in it.
func (l *Log) keysOf(ctx context.Context, q db.Queryer, e Entry) ([]string, error) {
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
