package signin

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"time"

	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/httpapi"
	"wcpp/internal/platform/text"
)

const (
	day = 24 * time.Hour
	// rememberNames is how long consecutive failures are remembered after the last one. Failures
	// that lock the name until a reset are remembered longer.
	rememberNames = 90 * day
)

// untilReset means that only a password reset ends the lock.
var untilReset = time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC)

// attempt is a counted attempt.
type attempt struct {
	key, source string
	known       bool      // from a device that this user has signed in with
	locks       time.Time // end of the lock if the attempt fails; zero: no lock
	everywhere  bool      // the lock applies to other sources too
	earlier     int       // steps of the same sign-in counted before it
}

// FailedAttempts describes the latest failed attempts by a name.
type FailedAttempts struct {
	Failures     int // consecutive
	LastFailedAt db.Instant
	Source       string // IP address of the last attempt, or "device ..." for a known device; empty if no longer stored
}

// LoadAttempts returns the latest failed attempts by a name.
func (s *Service) LoadAttempts(ctx context.Context, name string) (FailedAttempts, error) {
	t, err := lastSource(ctx, s.db.Reader, text.Key(name))
	return t, db.IfNotFound(err, nil)
}

// LockFailures returns the number of failures that locks a source.
func (s *Service) LockFailures() int { return s.settings.LockFailures }

// countAttempt counts an attempt by the name as failed. If its source is locked, it returns the
// lock instead.
func (s *Service) countAttempt(ctx context.Context, key string) (attempt, error) {
	now := s.now()
	counted := attempt{key: key, source: httpapi.Source(ctx)}
	if device := httpapi.Device(ctx); device != "" {
		hash := sha256.Sum256([]byte(device))
		known, err := isKnownDevice(ctx, s.db.Writer, key, hash[:])
		if err != nil {
			return counted, err
		}
		if known {
			counted.known, counted.source = true, "device "+hex.EncodeToString(hash[:16])
		}
	}
	err := s.db.Tx(ctx, func(tx *sql.Tx) error {
		all, err := lockAttempts(ctx, tx, s.db.Dialect, key)
		if err != nil {
			return err
		}
		from, err := lockSource(ctx, tx, key, counted.source)
		if err != nil {
			return err
		}
		if from.LockedUntil.After(now) {
			return newLockedError(from.LockedUntil.Time, now)
		}
		if !from.LockedUntil.IsZero() || now.Sub(from.LastFailedAt.Time) > s.settings.lockDuration() {
			from = fromSource{}
		}
		if now.Sub(all.DayBegan.Time) >= day {
			all.DayFailures, all.DayBegan = 0, db.At(now)
		}
		switch dayEnds := all.DayBegan.Add(day); {
		case all.Failures >= s.settings.LockRowFailures:
			return newLockedError(now.Add(day), now)
		case !counted.known && all.DayFailures >= s.settings.LockDayFailures:
			return newLockedError(dayEnds, now)
		case from.Failures >= s.settings.LockFailures:
			// Parallel attempts have already used up the limit.
			return newLockedError(now.Add(s.settings.lockDuration()), now)
		}
		from.Failures++
		from.LastFailedAt, all.LastFailedAt = db.At(now), db.At(now)
		all.Failures++
		if !counted.known {
			all.DayFailures++
		}
		counted.locks, counted.everywhere = s.lockUntil(all, from, counted.known)
		if from.Failures >= s.settings.LockFailures {
			from.LockedUntil = db.At(now.Add(s.settings.lockDuration()))
		}
		if err := saveSource(ctx, tx, key, counted.source, from); err != nil {
			return err
		}
		return saveAttempts(ctx, tx, key, all)
	})
	return counted, err
}

// lockUntil returns until when failed attempts lock the name, or zero if they don't. It also reports
// whether the lock applies beyond their source.
func (s *Service) lockUntil(all attempts, from fromSource, known bool) (until time.Time, everywhere bool) {
	switch {
	case all.Failures >= s.settings.LockRowFailures:
		return untilReset, true
	case !known && all.DayFailures >= s.settings.LockDayFailures:
		return all.DayBegan.Add(day), true
	case from.Failures >= s.settings.LockFailures:
		return s.now().Add(s.settings.lockDuration()), false
	}
	return time.Time{}, false
}

// clearAttempts undoes the failure and resets the consecutive failures of the name and the source.
// Attempts by others today stay counted.
func (s *Service) clearAttempts(ctx context.Context, tx *sql.Tx, a attempt) error {
	all, err := lockAttempts(ctx, tx, s.db.Dialect, a.key)
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

// lock marks the name's account as locked if it is active, notifies its owner, and returns the
// lock.
func (s *Service) lock(ctx context.Context, a attempt) error {
	now, key, until := s.now(), a.key, a.locks
	err := s.db.Tx(ctx, func(tx *sql.Tx) error {
		locked, err := s.accounts.LockOut(ctx, tx, key, until)
		if err != nil || !locked {
			return err
		}
		if err := s.notifyLock(ctx, tx, a); err != nil {
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
	return newLockedError(until, now)
}

// RememberDevice records that the user has signed in from the device, so that failed attempts
// elsewhere don't lock the user out of it. A user with another known device is notified about
// the new one.
func (s *Service) RememberDevice(ctx context.Context, userID int64, device string) error {
	hash := sha256.Sum256([]byte(device))
	return s.db.Tx(ctx, func(tx *sql.Tx) error {
		// Lock the user before other rows refer to it. Otherwise two concurrent sign-ins would
		// deadlock when each locks the user for the notice.
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
		return s.notifySignIn(ctx, tx, userID, noticeDevice)
	})
}
