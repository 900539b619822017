package desk

import (
	"context"
	"fmt"
	"strings"
	"time"

	"wcpp/internal/identity/access"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/text"
)

// Link is a link that was emailed to a user.
type Link struct {
	Exists    bool
	Minted    bool // its email was written
	Over      bool // it was used or replaced
	ExpiresAt time.Time
}

// Account contains the facts for the sign-in diagnosis.
type Account struct {
	AnyPerson
	ID             int64
	Mirrorable     bool // staff can act as this user
	Email          string
	State          string // status code
	GroupEnded     bool   // the network made the group inactive
	LastSignIn     time.Time
	LockedUntil    time.Time // zero: not locked; the year 9999: until a reset
	NoEmployee     bool      // staff without an employee ID
	Failures       int       // consecutive wrong passwords
	LastFailed     time.Time
	FailedFrom     string // IP address, "device ..." for a known device, or empty
	LockFailures   int    // number of wrong passwords that locks the account
	Registration   Link
	Reset          Link
	MailID         int64  // latest email to the user
	MailStatus     string // its status
	MailAttempts   int
	MailError      string
	SecondRequired bool
	SecondSetUp    bool
}

// Action is what staff can do about a problem, elsewhere in the portal.
type Action string

// The actions.
const (
	NoAction            Action = ""
	ResetPassword       Action = "reset"
	ResendRegistration  Action = "registration"
	ResendMail          Action = "mail"
	ResetSecond         Action = "second"
	CompleteDraft       Action = "draft"
	EnterEmployeeNumber Action = "employee"
)

// Account states, as in package users.
const (
	stateNew         = "NEW"
	stateDraft       = "DRAFT"
	stateInactive    = "INACT"
	stateLocked      = "LOCK"
	stateDeactivated = "DISABL"
	stateTerminated  = "TERM"
)

// diagnose explains in one sentence why a user can't sign in, or that nothing prevents it, and
// suggests an action. Times use the time zone of now.
func diagnose(a Account, now time.Time) (sentence string, do Action) {
	switch a.State {
	case stateTerminated:
		return "Terminated. This account stays closed, so the user needs a new one.", NoAction
	case stateDraft:
		return "Draft. Registration isn't complete, and no registration email was sent.", CompleteDraft
	}
	if a.GroupEnded {
		return "The group is inactive. Its users can't sign in until a system administrator makes it active.", NoAction
	}
	switch a.State {
	case stateNew:
		if explanation, do := a.describeEmailProblem(); explanation != "" {
			return "Registered but never set a password. " + explanation, do
		}
		return "Registered but never set a password. " + a.Registration.describe(now, "The registration link"), ResendRegistration
	case stateInactive:
		if explanation, do := a.describeEmailProblem(); explanation != "" {
			return "Deactivated by an administrator's reset. " + explanation, do
		}
		return "Deactivated by an administrator's reset. " + a.Reset.describe(now, "The reset link"), ResetPassword
	case stateDeactivated:
		return "Deactivated after a long time without sign-in. " + formatLastSignIn(a.LastSignIn, now) + ".", ResetPassword
	case stateLocked:
		if explanation := a.describeLock(now); explanation != "" {
			return explanation, ResetPassword
		}
	}
	if a.NoEmployee {
		return "Staff need an employee ID to sign in, and none is on file.", EnterEmployeeNumber
	}
	return a.describeSuccess(now)
}

// describeEmailProblem reports that the latest email wasn't delivered.
func (a Account) describeEmailProblem() (string, Action) {
	switch {
	case a.MailStatus == "failed":
		return "Their mail server rejected the last email: " + strings.TrimRight(a.MailError, ". ") + ".", ResendMail
	case a.MailStatus == "waiting" && a.MailAttempts > 0:
		return fmt.Sprintf("The last email hasn't arrived after %s. We'll retry automatically.", formatTimes(a.MailAttempts)), NoAction
	}
	return "", NoAction
}

// describe describes the state of a link.
func (l Link) describe(now time.Time, name string) string {
	switch {
	case !l.Exists || l.Over:
		return "No link is active."
	case !l.Minted:
		return "The email with the link is on its way."
	case !l.ExpiresAt.After(now):
		return name + " expired on " + formatDay(l.ExpiresAt, now) + "."
	case l.ExpiresAt.Sub(now) < 2*time.Hour:
		return fmt.Sprintf("%s expires in %s.", name, formatMinutes(l.ExpiresAt.Sub(now)))
	default:
		return name + " is valid until " + formatTime(l.ExpiresAt, now) + "."
	}
}

// describeLock describes a current lock.
func (a Account) describeLock(now time.Time) string {
	from := ""
	switch {
	case strings.HasPrefix(a.FailedFrom, "device "):
		from = ", the last from a known browser"
	case a.FailedFrom != "":
		from = ", the last from " + a.FailedFrom
	}
	switch {
	case a.LockedUntil.IsZero():
		return "Locked until a password reset. The lock was imported with the account."
	case a.LockedUntil.Year() == 9999:
		return fmt.Sprintf("Locked until a password reset after %d wrong passwords in a row%s.", a.Failures, from)
	case a.LockedUntil.After(now) && a.Failures > 0 && a.Failures <= a.LockFailures:
		return fmt.Sprintf("Locked until %[2]s after %[1]d wrong passwords%[3]s.", a.Failures, formatTime(a.LockedUntil, now), from)
	case a.LockedUntil.After(now):
		return "Locked after wrong passwords until " + formatTime(a.LockedUntil, now) + from + "."
	}
	return "" // expired
}

// describeSuccess reports that nothing prevents sign-in.
func (a Account) describeSuccess(now time.Time) (string, Action) {
	sentence := "Can sign in. " + formatLastSignIn(a.LastSignIn, now)
	if a.Failures > 0 && a.LastFailed.After(a.LastSignIn) {
		sentence += fmt.Sprintf(". %s since then, the last %s", formatWrongPasswords(a.Failures), "on "+formatTime(a.LastFailed, now))
	}
	switch {
	case a.SecondSetUp && a.SecondRequired:
		return sentence + ". Two-step verification is on.", ResetSecond
	case a.SecondRequired:
		return sentence + ". They'll set up two-step verification at the next sign-in.", NoAction
	}
	return sentence + ".", NoAction
}

func formatWrongPasswords(n int) string {
	if n == 1 {
		return "1 wrong password"
	}
	return fmt.Sprintf("%d wrong passwords", n)
}

func formatTimes(n int) string {
	if n == 1 {
		return "1 attempt"
	}
	return fmt.Sprintf("%d attempts", n)
}

func formatMinutes(d time.Duration) string {
	n := int((d + time.Minute - 1) / time.Minute)
	if n == 1 {
		return "1 minute"
	}
	return fmt.Sprintf("%d minutes", n)
}

func formatLastSignIn(at, now time.Time) string {
	if at.IsZero() {
		return "No sign-ins yet"
	}
	return "Last sign-in: " + formatDay(at, now)
}

func formatDay(t, now time.Time) string  { return date.Of(t.In(now.Location())).US() }
func formatTime(t, now time.Time) string { return date.FormatTime(t, now.Location()) }

// Card is a user with their sign-in diagnosis.
type Card struct {
	Account
	Sentence string
	Do       Action
}

// OpenUser returns a user's card. The access is audited first.
func (s *Service) OpenUser(ctx context.Context, a access.Actor, userName string) (Card, error) {
	var c Card
	userName = text.Clean(userName)
	if _, err := s.currentSession(ctx, a); err != nil {
		return c, err
	}
	u, err := s.users.ByName(ctx, userName)
	if problem.Is(err, problem.NotFound) {
		err = problem.WithMessage(problem.NotFound, "Unknown username. Check the spelling.")
	}
	if err != nil {
		return c, err
	}
	if err := s.auditAccess(ctx, a, audit.Entry{Operation: "desk-open-user", Subject: u.UserName}); err != nil {
		return c, err
	}
	if c.Account, err = s.loadAccount(ctx, u); err != nil {
		return c, err
	}
	c.Sentence, c.Do = diagnose(c.Account, s.now())
	return c, nil
}
