// Package ratelimit limits how often a key (an account, an address) can do something. Limiter
// works within one instance, Shared across all of them.
package ratelimit

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"time"

	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/text"
)

// Windows in which the attempts of a key are counted together.
const (
	Quarter = 15 * time.Minute
	Hour    = time.Hour
	Day     = 24 * time.Hour // the longest; Cleanup deletes older counts
)

// Shared limits attempts across all instances. It counts them in the database by a hash of the
// action and the key.
type Shared struct {
	db  *db.DB
	now func() time.Time
}

// NewShared returns a limiter on the database.
func NewShared(d *db.DB, now func() time.Time) *Shared { return &Shared{db: d, now: now} }

func hashKey(action, key string) []byte {
	h := sha256.Sum256([]byte(action + " " + text.Key(key)))
	return h[:]
}

// Allow counts an attempt, and returns problem.TooMany if it exceeds the limit within the
// window. It ignores case and surrounding spaces in keys.
func (s *Shared) Allow(ctx context.Context, action, key string, limit int, window time.Duration) error {
	return s.allow(ctx, s.db.Writer, hashKey(action, key), limit, window)
}

// AllowOther counts the different others (such as recipients) of a key within the window. An
// other beyond the limit is refused as in Allow and not counted. A counted one is always
// allowed.
func (s *Shared) AllowOther(ctx context.Context, action, key, other string, limit int, window time.Duration) error {
	all := hashKey(action, key)
	pair := hashKey(action, hex.EncodeToString(all)+" "+other)
	return s.db.Tx(ctx, func(tx *sql.Tx) error {
		// Refused unless the other is known. Counting first serializes concurrent attempts.
		refused := s.allow(ctx, tx, all, limit, window)
		if refused != nil && !problem.Is(refused, problem.TooMany) {
			return refused
		}
		now := s.now()
		times, err := count(ctx, tx, pair, 1, db.At(now), db.At(now.Add(-window)))
		switch {
		case err != nil:
			return err
		case times.Attempts > 1:
			return takeBack(ctx, tx, all)
		}
		return refused // the rollback undoes both counts
	})
}

// AllowMany counts n things together, such as the lines of a file. If they exceed the limit
// within the window, it counts none and returns when they are allowed. Otherwise, it returns the
// zero time.
func (s *Shared) AllowMany(ctx context.Context, action, key string, n, limit int, window time.Duration) (again time.Time, err error) {
	now, refused := s.now(), errors.New("limit exceeded")
	err = s.db.Tx(ctx, func(tx *sql.Tx) error {
		all, err := count(ctx, tx, hashKey(action, key), n, db.At(now), db.At(now.Add(-window)))
		if err == nil && all.Attempts > limit {
			again, err = all.Since.Add(window), refused
		}
		return err
	})
	if errors.Is(err, refused) {
		err = nil
	}
	return again, err
}

// RetryAfter returns the error for the result of AllowMany, or nil if that's zero. limit is a
// sentence.
func RetryAfter(again, now time.Time, limit string) error {
	if again.IsZero() {
		return nil
	}
	return problem.RetryLater(again.Sub(now), limit+" Try again after "+date.FormatTime(again, now.Location())+".")
}

func (s *Shared) allow(ctx context.Context, q db.Queryer, hash []byte, limit int, window time.Duration) error {
	now := s.now()
	attempts, err := count(ctx, q, hash, 1, db.At(now), db.At(now.Add(-window)))
	if err == nil && attempts.Attempts > limit {
		err = problem.TooManyAttempts(attempts.Since.Add(window).Sub(now))
	}
	return err
}

// Undo subtracts one successful attempt if only failures count. Earlier attempts still
// count.
func (s *Shared) Undo(ctx context.Context, action, key string) error {
	return takeBack(ctx, s.db.Writer, hashKey(action, key))
}

// Reset deletes the attempts of a key after a success.
func (s *Shared) Reset(ctx context.Context, q db.Queryer, action, key string) error {
	return forget(ctx, q, hashKey(action, key))
}

// Cleanup deletes counts that are older than every window. Repeating it is safe.
func (s *Shared) Cleanup(ctx context.Context) error {
	return s.db.DeleteInBatches(ctx, func(tx *sql.Tx) (int64, error) { return forgetOld(ctx, tx, db.At(s.now().Add(-Day))) })
}
