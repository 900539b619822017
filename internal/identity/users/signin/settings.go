package signin

import (
	"time"

	"wcpp/internal/platform/settings"
)

// Settings are the configured limits of sign-in.
type Settings struct {
	LockFailures     int    `env:"WCPP_LOCK_FAILURES" default:"5" help:"Failed sign-ins that lock the address or device; at least 2."`
	LockMinutes      int    `env:"WCPP_LOCK_MINUTES" default:"30" help:"How long that lock lasts, in minutes."`
	LockDayFailures  int    `env:"WCPP_LOCK_DAY_FAILURES" default:"20" help:"Failed sign-ins per day before a lock on unknown devices."`
	LockRowFailures  int    `env:"WCPP_LOCK_ROW_FAILURES" default:"100" help:"Failed sign-ins in a row before a lock until a reset."`
	SignInMails      string `env:"WCPP_SIGN_IN_MAILS" default:"on" enum:"on,off" help:"Email users about new browsers, failures and locks."`
	DisableAfterDays int    `env:"WCPP_DISABLE_AFTER_DAYS" default:"0" help:"Days without sign-in before deactivation (0: never)."`
}

// Check reports invalid settings.
func (s Settings) Check(p *settings.Problems) {
	// With two-step verification, the password counts as a failed attempt until the second step.
	p.AtLeast(s.LockFailures, 2, "WCPP_LOCK_FAILURES")
	p.Require(s.LockMinutes >= 1, "WCPP_LOCK_MINUTES", "must be at least 1")
	p.Require(s.LockDayFailures >= s.LockFailures, "WCPP_LOCK_DAY_FAILURES", "must be at least WCPP_LOCK_FAILURES")
	p.Require(s.LockRowFailures >= s.LockDayFailures, "WCPP_LOCK_ROW_FAILURES", "must be at least WCPP_LOCK_DAY_FAILURES")
	p.Days(s.DisableAfterDays, 0, "WCPP_DISABLE_AFTER_DAYS")
}

// lockDuration returns how long a name stays locked.
func (s Settings) lockDuration() time.Duration { return time.Duration(s.LockMinutes) * time.Minute }

// sendsMails reports whether emails about sign-ins are turned on.
func (s Settings) sendsMails() bool { return s.SignInMails == "on" }
