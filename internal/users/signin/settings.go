package signin

import (
	"time"

	"wcpp/internal/platform/settings"
)

// Settings are the configured limits of signing in.
type Settings struct {
	LockFailures     int `env:"WCPP_LOCK_FAILURES" default:"5" help:"Failed tries to sign in that lock a name."`
	LockMinutes      int `env:"WCPP_LOCK_MINUTES" default:"30" help:"Minutes a name stays locked."`
	DisableAfterDays int `env:"WCPP_DISABLE_AFTER_DAYS" default:"0" help:"Days without sign-in that deactivate an account; 0 never."`
}

// Check notes what is wrong with the settings.
func (s Settings) Check(p *settings.Problems) {
	p.Require(s.LockFailures >= 1, "WCPP_LOCK_FAILURES", "must be at least 1")
	p.Require(s.LockMinutes >= 1, "WCPP_LOCK_MINUTES", "must be at least 1")
	p.Require(s.DisableAfterDays >= 0, "WCPP_DISABLE_AFTER_DAYS", "must be 0 or more")
}

// lockFor is how long a name stays locked.
func (s Settings) lockFor() time.Duration { return time.Duration(s.LockMinutes) * time.Minute }

// disableIn is after how long without sign-in an account is deactivated; 0: never.
func (s Settings) disableIn() time.Duration {
	return time.Duration(s.DisableAfterDays) * 24 * time.Hour
}
