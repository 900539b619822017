package audit

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"wcpp/internal/platform/db"
	"wcpp/internal/platform/text"
)

// Filter says which entries are looked for; what is empty narrows nothing.
type Filter struct {
	// Group leaves the entries in which a user of the group acted, was acted for or
	// was the subject; 0 leaves all.
	Group int64
	// Person is the user name of who acted or was acted for.
	Person string
	// Subject is a TIN, a user name or a claim number; with a number after the TIN
	// that bill alone.
	Subject   string
	Operation string
	// From and To are the first instant and the first one after.
	From, To time.Time
}

// Place is where an entry stands: entries are in the order of time, the newest
// first. The zero Place is before all of them.
type Place struct {
	At db.Instant
	ID int64
}

// Found is an entry as it was stored.
type Found struct {
	ID int64 `db:"id"`
	Entry
	Sealed   string `db:"searched"` // what was searched for
	Answered string // JSON
}

// Place is where the entry stands.
func (f Found) Place() Place { return Place{f.At, f.ID} }

// Numbers lists the bills and claims that were answered.
func (f Found) Numbers() []string {
	var list []string
	if json.Unmarshal([]byte(f.Answered), &list) != nil {
		return nil
	}
	return list
}

// MostCounted is as far as entries are counted.
const MostCounted = 1000

// Find answers the entries after a place, but for the first few, and how many
// there are from there on, counted up to one more than MostCounted. It costs the
// same wherever the place is.
func (l *Log) Find(ctx context.Context, f Filter, after Place, skip, limit int) (list []Found, following int, err error) {
	c := conditionOf(f, after)
	list, err = found(ctx, l.db.Reader, c, skip, limit)
	if err == nil {
		following, err = countFound(ctx, l.db.Reader, c, skip, MostCounted+1)
	}
	return list, following, err
}

// First is the oldest entry that is about a subject as a whole and tells that an
// operation ended well, by somebody who did not mirror; db.ErrNotFound where there
// is none.
func (l *Log) First(ctx context.Context, subject, operation string) (Found, error) {
	return first(ctx, l.db.Reader, aboutKey(subject), operation)
}

// Each answers all entries of a filter, some at a time.
func (l *Log) Each(ctx context.Context, f Filter, take func([]Found) error) error {
	const step = 1000
	for after := (Place{}); ; {
		list, err := found(ctx, l.db.Reader, conditionOf(f, after), 0, step)
		if err == nil && len(list) > 0 {
			err = take(list)
		}
		if err != nil || len(list) < step {
			return err
		}
		after = list[len(list)-1].Place()
	}
}

// One answers an entry and what was searched for by it, into searched;
// db.ErrNotFound where there is none, or none of the group.
func (l *Log) One(ctx context.Context, id, group int64, searched any) (Found, error) {
	e, err := foundByID(ctx, l.db.Reader, id)
	if err == nil && group != 0 {
		err = isKeyOf(ctx, l.db.Reader, groupKey(group), e.Place())
	}
	if err != nil || e.Sealed == "" {
		return e, err
	}
	return e, l.sealer.Open(searchPurpose, e.Sealed, searched)
}

// condition is a filter as the store asks by it.
type condition struct {
	keys      []string // an entry has all of them; the first is the way to it
	operation string
	number    string // of a bill, as a pattern for the list of those answered
	after     Place
	from      db.Instant
}

func conditionOf(f Filter, after Place) condition {
	c := condition{operation: f.Operation, after: after, from: db.At(f.From)}
	if f.To.IsZero() {
		f.To = time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC)
	}
	// The way begins at the end of the time, and not at the newest entry.
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
		quoted, _ := json.Marshal(number) // a text can be written
		c.number = db.Containing(strings.ToUpper(string(quoted)))
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
