// Package audit writes the append-only log of who did what, for whom, to what
// and with which result.
package audit

import (
	"cmp"
	"context"
	"database/sql"
	"log/slog"
	"slices"
	"sync"
	"time"

	"wcpp/internal/platform/db"
	"wcpp/internal/platform/httpapi"
)

// Entry is one line of the log. Actor and ActingFor that are left empty are
// those of the context (see WithActor).
type Entry struct {
	At        db.Instant
	Actor     string // user name of the signed-in person; empty before sign-in
	ActingFor string // user name of the mirrored person; empty without mirroring
	Operation string
	Subject   string // what it was done to
	Result    string // ok, refused, failed, or a code
	Detail    string
	RequestID string `db:"request_id"`
	Client    string // address that the call came from; empty for jobs and commands
}

// Log writes entries. Changes are written in their own transaction with
// Record; reads may be handed to Later, which writes them in batches.
type Log struct {
	db    *db.DB
	now   func() time.Time
	log   *slog.Logger
	queue chan Entry
	ended chan struct{}
	idle  sync.WaitGroup
}

// New starts a log; Close writes what is still waiting.
func New(d *db.DB, now func() time.Time, log *slog.Logger) *Log {
	l := &Log{db: d, now: now, log: log, queue: make(chan Entry, 4096), ended: make(chan struct{})}
	l.idle.Add(1)
	go l.write()
	return l
}

// Record writes an entry in the caller's transaction: both happen or neither.
func (l *Log) Record(ctx context.Context, tx *sql.Tx, e Entry) error {
	return insert(ctx, tx, l.fill(ctx, e))
}

// Now writes an entry before it returns.
func (l *Log) Now(ctx context.Context, e Entry) error {
	return insert(ctx, l.db.Writer, l.fill(ctx, e))
}

// About lists what was done to a user, or by someone who acted as them, of the
// operations named, the newest first.
func (l *Log) About(ctx context.Context, userName string, operations []string, limit int) ([]Entry, error) {
	return about(ctx, l.db.Reader, userName, operations, limit)
}

// Later writes an entry within a moment. It waits when the log cannot keep up,
// so that no entry is dropped.
func (l *Log) Later(ctx context.Context, e Entry) {
	l.queue <- l.fill(ctx, e)
}

type actorKey struct{}

type actor struct{ name, actingFor string }

// WithActor names who acts from here on, and for whom where they mirror
// somebody, for every entry that does not name them itself.
func WithActor(ctx context.Context, name, actingFor string) context.Context {
	return context.WithValue(ctx, actorKey{}, actor{name, actingFor})
}

func (l *Log) fill(ctx context.Context, e Entry) Entry {
	e.At = db.At(l.now())
	if a, ok := ctx.Value(actorKey{}).(actor); ok {
		e.Actor, e.ActingFor = cmp.Or(e.Actor, a.name), cmp.Or(e.ActingFor, a.actingFor)
	}
	e.RequestID = httpapi.RequestID(ctx)
	if from := httpapi.Client(ctx); from.IsValid() {
		e.Client = from.String()
	}
	return e
}

// Close writes the waiting entries. No entry may be added afterwards.
func (l *Log) Close() {
	close(l.ended)
	close(l.queue)
	l.idle.Wait()
}

// write gathers what arrives within a tenth of a second into one transaction.
func (l *Log) write() {
	defer l.idle.Done()
	for first := range l.queue {
		batch := []Entry{first}
		timer := time.NewTimer(100 * time.Millisecond)
	gather:
		for len(batch) < 1000 {
			select {
			case e, open := <-l.queue:
				if !open {
					break gather
				}
				batch = append(batch, e)
			case <-timer.C:
				break gather
			}
		}
		timer.Stop()
		l.store(batch)
	}
}

func (l *Log) store(batch []Entry) {
	ctx := context.Background()
	for wait := 100 * time.Millisecond; ; wait = min(2*wait, 5*time.Second) {
		err := l.db.Tx(ctx, func(tx *sql.Tx) error {
			for part := range slices.Chunk(batch, 100) {
				if err := insert(ctx, tx, part...); err != nil {
					return err
				}
			}
			return nil
		})
		if err == nil {
			return
		}
		l.log.Error("audit log not written, trying again", "entries", len(batch), "error", err)
		select {
		case <-l.ended:
			l.log.Error("audit entries lost at the end of the program", "entries", len(batch))
			return
		case <-time.After(wait):
		}
	}
}
