package sessions

import (
	"time"

	"wcpp/internal/platform/settings"
)

// Settings are the configured limits of sessions.
type Settings struct {
	IdleMinutes  int    `env:"WCPP_IDLE_MINUTES" default:"30" help:"Minutes without activity before a session ends (FE_APP_TIMEOUT)."`
	SessionHours int    `env:"WCPP_SESSION_HOURS" default:"12" help:"Maximum session length, in hours."`
	ProofMinutes int    `env:"WCPP_PROOF_MINUTES" default:"10" help:"Minutes before sensitive changes require the password again."`
	MirrorReason string `env:"WCPP_MIRROR_REASON" default:"optional" enum:"optional,required" help:"Reason to mirror a user: ${enum}."`
	LegacySignIn bool   `env:"WCPP_LEGACY_SIGN_IN" help:"Show the username and password form on the sign-in screen."`
}

// Check reports invalid settings.
func (s Settings) Check(p *settings.Problems) {
	p.Require(s.IdleMinutes >= 3 && s.IdleMinutes <= 1440, "WCPP_IDLE_MINUTES", "must be between 3 and 1440")
	p.Require(s.idle() <= s.lifetime(), "WCPP_IDLE_MINUTES", "must not be longer than WCPP_SESSION_HOURS")
	p.Require(s.ProofMinutes >= 1, "WCPP_PROOF_MINUTES", "must be at least 1")
	p.Require(s.SessionHours >= 1, "WCPP_SESSION_HOURS", "must be at least 1")
}

func (s Settings) requiresMirrorReason() bool { return s.MirrorReason == "required" }

func (s Settings) idle() time.Duration     { return time.Duration(s.IdleMinutes) * time.Minute }
func (s Settings) proof() time.Duration    { return time.Duration(s.ProofMinutes) * time.Minute }
func (s Settings) lifetime() time.Duration { return time.Duration(s.SessionHours) * time.Hour }

// ExpiresAt returns when a session expires if it isn't used again.
func (s Settings) ExpiresAt(created, lastActive time.Time) time.Time {
	idle, oldest := lastActive.Add(s.idle()), created.Add(s.lifetime())
	if oldest.Before(idle) {
		return oldest
	}
	return idle
}
