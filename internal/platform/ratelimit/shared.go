// Package ratelimit bounds how often a key (an account, an address) may do
// something: Limiter within one instance, Shared across all of them.
package ratelimit

import (
	"context"
	"crypto/sha256"
	"fmt"
	"time"

	"wcpp/internal/platform/db"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/text"
)

// Window is the time in which the attempts of a key are counted together.
const Window = 15 * time.Minute

// Shared limits attempts across all instances: it counts them in the database,
// by a hash of the action and the key. The table is called tries, a name that
// instances of an earlier release use while they still serve.
type Shared struct {
	db  *db.DB
	now func() time.Time
}

// NewShared makes a limiter on the database.
func NewShared(d *db.DB, now func() time.Time) *Shared { return &Shared{db: d, now: now} }

func hashOf(action, key string) []byte {
	h := sha256.Sum256([]byte(action + " " + text.Key(key)))
	return h[:]
}

// Allow counts an attempt and refuses it, with problem.TooMany, when it is more
// than the limit within the Window. Spellings of a key that differ in case or
// outer spaces count together.
func (s *Shared) Allow(ctx context.Context, action, key string, limit int) error {
	now := s.now()
	attempts, err := count(ctx, s.db.Writer, hashOf(action, key), db.At(now), db.At(now.Add(-Window)))
	if err == nil && attempts > limit {
		err = problem.Say(problem.TooMany, fmt.Sprintf("Too many tries. Please wait %d minutes and try again.", int(Window.Minutes())))
	}
	return err
}

// Reset forgets the attempts of a key after a success.
func (s *Shared) Reset(ctx context.Context, q db.Queryer, action, key string) error {
	return forget(ctx, q, hashOf(action, key))
}

// Tidy removes counts that are past the Window. It is safe to repeat.
func (s *Shared) Tidy(ctx context.Context) error {
	return forgetOld(ctx, s.db.Writer, db.At(s.now().Add(-Window)))
}
