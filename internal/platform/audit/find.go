package audit

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"wcpp/internal/platform/db"
	"wcpp/internal/platform/text"
)

// Filter selects entries. Empty fields match all.
type Filter struct {
	// Group matches entries in which a user of the group is the actor, mirrored, or the subject;
	// 0 matches all.
	Group int64
	// Person is the username of the actor or the mirrored user.
	Person string
	// Subject is a TIN, username, or claim number. With a number after the TIN, it matches only
	// that bill.
	Subject   string
	Operation string
	// From is inclusive, To exclusive.
	From, To time.Time
}

// Place is the position of an entry in the order of time, newest first. The zero Place is before
// all entries.
type Place struct {
	At db.Instant
	ID int64
}

// Found is a stored entry.
type Found struct {
	ID int64 `db:"id"`
	Entry
	Sealed   string `db:"searched"` // search input
	Answered string // JSON
}

// Place returns the position of the entry.
func (f Found) Place() Place { return Place{f.At, f.ID} }

// Numbers lists the bills and claims that were shown.
func (f Found) Numbers() []string {
	var list []string
	if json.Unmarshal([]byte(f.Answered), &list) != nil {
		return nil
	}
	return list
}

// MostCounted is the highest number of entries that are counted.
const MostCounted = 1000

// Find returns the entries after a place, without the first skip ones. following counts the
// entries from there, up to MostCounted plus one. The cost doesn't depend on the place.
func (l *Log) Find(ctx context.Context, f Filter, after Place, skip, limit int) (list []Found, following int, err error) {
	c := newCondition(f, after)
	list, err = found(ctx, l.db.Reader, c, skip, limit)
	if err == nil {
		following, err = countFound(ctx, l.db.Reader, c, skip, MostCounted+1)
	}
	return list, following, err
}

// First returns the oldest successful entry of an operation on a whole subject by an actor who
// didn't mirror. It returns db.ErrNotFound without one.
func (l *Log) First(ctx context.Context, subject, operation string) (Found, error) {
	return first(ctx, l.db.Reader, aboutKey(subject), operation)
}

// PrunedUntil returns the time of the last entry that was removed after its retention period. It's zero if
// none was.
func (l *Log) PrunedUntil(ctx context.Context) (db.Instant, error) {
	at, err := prunedUntil(ctx, l.db.Reader)
	return at, db.IfNotFound(err, nil)
}

// Each passes all entries that match a filter to take, in batches.
func (l *Log) Each(ctx context.Context, f Filter, take func([]Found) error) error {
	const step = 1000
	for after := (Place{}); ; {
		list, err := found(ctx, l.db.Reader, newCondition(f, after), 0, step)
		if err == nil && len(list) > 0 {
			err = take(list)
		}
		if err != nil || len(list) < step {
			return err
		}
		after = list[len(list)-1].Place()
	}
}

// Get returns an entry and decodes its search input into searched. It returns db.ErrNotFound if
// the entry doesn't exist or doesn't belong to the group.
func (l *Log) Get(ctx context.Context, id, group int64, searched any) (Found, error) {
	e, err := foundByID(ctx, l.db.Reader, id)
	if err == nil && group != 0 {
		err = checkKey(ctx, l.db.Reader, groupKey(group), e.Place())
	}
	if err != nil || e.Sealed == "" {
		return e, err
	}
	return e, l.sealer.Open(searchPurpose, e.Sealed, searched)
}

// condition is a filter in the form that the store queries.
type condition struct {
	keys      []string // an entry has all of them; the query uses the index of the first
	operation string
	number    string // bill number, as a pattern for the list of shown ones
	after     Place
	from      db.Instant
}

func newCondition(f Filter, after Place) condition {
	c := condition{operation: f.Operation, after: after, from: db.At(f.From)}
	if f.To.IsZero() {
		f.To = time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC)
	}
	// Start at the end of the period, not at the newest entry.
	if after.At.IsZero() || f.To.Before(after.At.Time) {
		c.after = Place{At: db.At(f.To)}
	}
	if f.From.IsZero() {
		c.from = db.At(time.Date(1, 1, 2, 0, 0, 0, 0, time.UTC))
	}
	subject, number := text.Clean(f.Subject), ""
	if first, rest, two := strings.Cut(subject, " "); two && len(first) == 9 && text.Digits(first) == first {
		subject, number = first, rest
	}
	if number != "" {
		quoted, _ := json.Marshal(number) // a string can always be encoded
		c.number = db.ContainsPattern(strings.ToUpper(string(quoted)))
	}
	if subject != "" {
		c.keys = append(c.keys, aboutKey(subject))
	}
	if f.Person != "" {
		c.keys = append(c.keys, byKey(f.Person))
	}
	if f.Group != 0 {
		c.keys = append(c.keys, groupKey(f.Group))
	}
	return c
}
