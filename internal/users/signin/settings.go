package signin

import (
	"time"

	"wcpp/internal/platform/settings"
)

// Settings are the configured limits of signing in.
type Settings struct {
	LockFailures     int    `env:"WCPP_LOCK_FAILURES" default:"5" help:"Failed tries to sign in that lock a name for the address or device they come from."`
	LockMinutes      int    `env:"WCPP_LOCK_MINUTES" default:"30" help:"Minutes a name stays locked for it."`
	LockDayFailures  int    `env:"WCPP_LOCK_DAY_FAILURES" default:"20" help:"Failed tries in a day that lock a name everywhere but on devices it has signed in from."`
	LockRowFailures  int    `env:"WCPP_LOCK_ROW_FAILURES" default:"100" help:"Failed tries in a row that lock a name until its password is reset."`
	SignInMails      string `env:"WCPP_SIGN_IN_MAILS" default:"on" enum:"on,off" help:"Whether people are mailed when somebody signs in to their account from a browser not used before, fails to over and over, or locks it: on or off."`
	DisableAfterDays int    `env:"WCPP_DISABLE_AFTER_DAYS" default:"0" help:"Days without sign-in that deactivate an account; 0 never."`
}

// Check notes what is wrong with the settings.
func (s Settings) Check(p *settings.Problems) {
	p.Require(s.LockFailures >= 1, "WCPP_LOCK_FAILURES", "must be at least 1")
	p.Require(s.LockMinutes >= 1, "WCPP_LOCK_MINUTES", "must be at least 1")
	p.Require(s.LockDayFailures >= s.LockFailures, "WCPP_LOCK_DAY_FAILURES", "must be at least WCPP_LOCK_FAILURES")
	p.Require(s.LockRowFailures >= s.LockDayFailures, "WCPP_LOCK_ROW_FAILURES", "must be at least WCPP_LOCK_DAY_FAILURES")
	p.Require(s.DisableAfterDays >= 0, "WCPP_DISABLE_AFTER_DAYS", "must be 0 or more")
}

// lockFor is how long a name stays locked.
func (s Settings) lockFor() time.Duration { return time.Duration(s.LockMinutes) * time.Minute }

// mails tells whether people are mailed of sign-ins to their accounts.
func (s Settings) mails() bool { return s.SignInMails == "on" }

// disableIn is after how long without sign-in an account is deactivated; 0: never.
func (s Settings) disableIn() time.Duration {
	return time.Duration(s.DisableAfterDays) * 24 * time.Hour
}
