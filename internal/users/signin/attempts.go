package signin

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"time"

	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/httpapi"
	"wcpp/internal/platform/text"
)

const (
	day = 24 * time.Hour
	// rememberNames is how long failures in a row are remembered after the last
	// one, but for those that lock the name until a reset.
	rememberNames = 90 * day
)

// untilReset stands for no end of a lock but a reset of the password.
var untilReset = time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC)

// attempt is one that was counted.
type attempt struct {
	key, source string
	known       bool      // it came from a device that the name has signed in from
	locks       time.Time // until when the name is locked if it fails; zero: it is not
	everywhere  bool      // it is locked for other sources, too
	earlier     int       // steps of the same sign-in that were counted before it
}

// Tried is how attempts by a name failed last.
type Tried struct {
	Failures     int // in a row
	LastFailedAt db.Instant
	Source       string // address that the last one came from, or "device ..." of one that the user knows; empty where it is forgotten
}

// Tried tells how attempts by a name failed last.
func (s *Service) Tried(ctx context.Context, name string) (Tried, error) {
	t, err := lastSource(ctx, s.db.Reader, text.Key(name))
	if errors.Is(err, db.ErrNotFound) {
		err = nil
	}
	return t, err
}

// LockFailures is how many attempts from one source lock it.
func (s *Service) LockFailures() int { return s.settings.LockFailures }

// countAttempt counts an attempt by the name as one that failed, or answers the
// lock that holds for its source.
func (s *Service) countAttempt(ctx context.Context, key string) (attempt, error) {
	now := s.now()
	counted := attempt{key: key, source: httpapi.Source(ctx)}
	if device := httpapi.Device(ctx); device != "" {
		hash := sha256.Sum256([]byte(device))
		known, err := isDeviceOf(ctx, s.db.Writer, key, hash[:])
		if err != nil {
			return counted, err
		}
		if known {
			counted.known, counted.source = true, "device "+hex.EncodeToString(hash[:16])
		}
	}
	err := s.db.Tx(ctx, func(tx *sql.Tx) error {
		all, err := attemptsOf(ctx, tx, s.db.Dialect, key)
		if err != nil {
			return err
		}
		from, err := sourceOf(ctx, tx, key, counted.source)
		if err != nil {
			return err
		}
		if from.LockedUntil.After(now) {
			return lockedFor(from.LockedUntil.Time, now)
		}
		if !from.LockedUntil.IsZero() || now.Sub(from.LastFailedAt.Time) > s.settings.lockFor() {
			from = fromSource{}
		}
		if now.Sub(all.DayBegan.Time) >= day {
			all.DayFailures, all.DayBegan = 0, db.At(now)
		}
		switch dayEnds := all.DayBegan.Add(day); {
		case all.Failures >= s.settings.LockRowFailures:
			return lockedFor(now.Add(day), now)
		case !counted.known && all.DayFailures >= s.settings.LockDayFailures:
			return lockedFor(dayEnds, now)
		case from.Failures >= s.settings.LockFailures:
			// Attempts at the same time that already used up what is allowed.
			return lockedFor(now.Add(s.settings.lockFor()), now)
		}
		from.Failures++
		from.LastFailedAt, all.LastFailedAt = db.At(now), db.At(now)
		all.Failures++
		if !counted.known {
			all.DayFailures++
		}
		counted.locks, counted.everywhere = s.locks(all, from, counted.known)
		if from.Failures >= s.settings.LockFailures {
			from.LockedUntil = db.At(now.Add(s.settings.lockFor()))
		}
		if err := saveSource(ctx, tx, key, counted.source, from); err != nil {
			return err
		}
		return saveAttempts(ctx, tx, key, all)
	})
	return counted, err
}

// locks is until when the name is locked by attempts that failed, zero where it
// is not, and whether for more than their source.
func (s *Service) locks(all attempts, from fromSource, known bool) (until time.Time, everywhere bool) {
	switch {
	case all.Failures >= s.settings.LockRowFailures:
		return untilReset, true
	case !known && all.DayFailures >= s.settings.LockDayFailures:
		return all.DayBegan.Add(day), true
	case from.Failures >= s.settings.LockFailures:
		return s.now().Add(s.settings.lockFor()), false
	}
	return time.Time{}, false
}

// succeeded takes back that the attempt failed: none has failed in a row, nor
// from its source. What others tried this day stays counted.
func (s *Service) succeeded(ctx context.Context, tx *sql.Tx, a attempt) error {
	all, err := attemptsOf(ctx, tx, s.db.Dialect, a.key)
	if err != nil {
		return err
	}
	all.Failures = 0
	if !a.known {
		all.DayFailures = max(0, all.DayFailures-1-a.earlier)
	}
	if err := saveAttempts(ctx, tx, a.key, all); err != nil {
		return err
	}
	return forgetSource(ctx, tx, a.key, a.source)
}

// lock shows the account of the name as locked, if it is active, tells its owner,
// and answers the lock.
func (s *Service) lock(ctx context.Context, a attempt) error {
	now, key, until := s.now(), a.key, a.locks
	err := s.db.Tx(ctx, func(tx *sql.Tx) error {
		locked, err := s.accounts.LockOut(ctx, tx, key, until)
		if err != nil || !locked {
			return err
		}
		if err := s.noticeLock(ctx, tx, a); err != nil {
			return err
		}
		return s.audit.Record(ctx, tx, audit.Entry{Operation: "account-locked", Subject: key, Result: "ok"})
	})
	if err != nil {
		return err
	}
	if until.Equal(untilReset) {
		until = now.Add(day)
	}
	return lockedFor(until, now)
}

// RememberDevice notes that the user has signed in from the device, so that what
// others try elsewhere does not keep them out of it. Whoever has signed in from
// another one before is told of one that is new.
func (s *Service) RememberDevice(ctx context.Context, userID int64, device string) error {
	hash := sha256.Sum256([]byte(device))
	return s.db.Tx(ctx, func(tx *sql.Tx) error {
		// Before anything refers to the user: two who sign in at once would each keep the
		// other from locking them for the notice.
		if _, err := s.accounts.LockUser(ctx, tx, userID); err != nil {
			return err
		}
		hasOther, err := hasDevices(ctx, tx, userID)
		if err != nil {
			return err
		}
		added, err := saveDevice(ctx, tx, userID, hash[:], db.At(s.now()))
		if err != nil || !added || !hasOther {
			return err
		}
		return s.notice(ctx, tx, userID, noticeDevice)
	})
}
