package desk

import (
	"context"
	"fmt"
	"strings"
	"time"

	"wcpp/internal/access"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/text"
)

// Link is a link that was mailed to somebody.
type Link struct {
	There     bool
	Minted    bool // its mail was written
	Over      bool // it was used, or another took its place
	ExpiresAt time.Time
}

// Account is what is known of how somebody gets in.
type Account struct {
	Person
	ID           int64
	Mirrorable   bool // the staff may act as them
	Email        string
	State        string // code of the status
	LastSignIn   time.Time
	LockedUntil  time.Time // zero: none; the year 9999: until a reset
	NoEmployee   bool      // staff without an employee number
	Failures     int       // wrong passwords in a row
	LastFailed   time.Time
	FailedFrom   string // address, "device ..." of one that they know, or empty
	LockFailures int    // wrong passwords that lock
	Registration Link
	Reset        Link
	MailID       int64  // of the last mail to them
	MailStatus   string // of it
	MailAttempts int
	MailError    string
	SecondAsked  bool
	SecondHeld   bool
}

// Action is what the staff can do about it, as the portal has it elsewhere.
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

// States of accounts, as users has them.
const (
	stateNew         = "NEW"
	stateDraft       = "DRAFT"
	stateInactive    = "INACT"
	stateLocked      = "LOCK"
	stateDeactivated = "DISABL"
	stateTerminated  = "TERM"
)

// diagnose tells in one sentence why somebody cannot get in, or that nothing keeps them
// out, and what can be done. Times are where now is.
func diagnose(a Account, now time.Time) (sentence string, do Action) {
	switch a.State {
	case stateTerminated:
		return "Terminated: this account stays closed; the person needs a new one.", NoAction
	case stateDraft:
		return "A draft: the account was not finished, and no registration mail was sent.", CompleteDraft
	case stateNew:
		if said, do := a.mailTrouble(); said != "" {
			return "Registered, never set a password; " + said, do
		}
		return "Registered, never set a password; " + a.Registration.tell(now, "the registration link"), ResendRegistration
	case stateInactive:
		if said, do := a.mailTrouble(); said != "" {
			return "Deactivated by an administrator's reset; " + said, do
		}
		return "Deactivated by an administrator's reset; " + a.Reset.tell(now, "the reset link"), ResetPassword
	case stateDeactivated:
		return "Deactivated, because nobody signed in for too long; " + lastSignIn(a.LastSignIn, now) + ".", ResetPassword
	case stateLocked:
		if said := a.lock(now); said != "" {
			return said, ResetPassword
		}
	}
	if a.NoEmployee {
		return "Kept out: staff need an employee number, and none is on file.", EnterEmployeeNumber
	}
	return a.fine(now)
}

// mailTrouble tells that the last mail did not arrive.
func (a Account) mailTrouble() (string, Action) {
	switch {
	case a.MailStatus == "failed":
		return "the last mail was refused by their mail server: " + strings.TrimRight(a.MailError, ". ") + ".", ResendMail
	case a.MailStatus == "waiting" && a.MailAttempts > 0:
		return fmt.Sprintf("the last mail has not arrived: it was tried %s, and is tried again by itself.", times(a.MailAttempts)), NoAction
	}
	return "", NoAction
}

// tell says what became of a link.
func (l Link) tell(now time.Time, name string) string {
	switch {
	case !l.There || l.Over:
		return "no link is open."
	case !l.Minted:
		return "the mail with the link is on its way."
	case !l.ExpiresAt.After(now):
		return name + " ran out on " + day(l.ExpiresAt, now) + "."
	case l.ExpiresAt.Sub(now) < 2*time.Hour:
		return fmt.Sprintf("%s is still good for %s.", name, minutes(l.ExpiresAt.Sub(now)))
	default:
		return name + " is good until " + moment(l.ExpiresAt, now) + "."
	}
}

// lock tells of a lock in force.
func (a Account) lock(now time.Time) string {
	from := ""
	switch {
	case strings.HasPrefix(a.FailedFrom, "device "):
		from = "; the last came from a browser that they have used before"
	case a.FailedFrom != "":
		from = "; the last came from " + a.FailedFrom
	}
	switch {
	case a.LockedUntil.IsZero():
		return "Locked without an end: the lock came with the account, and ends with a reset of the password."
	case a.LockedUntil.Year() == 9999:
		return fmt.Sprintf("Locked by %d wrong passwords in a row until the password is reset%s.", a.Failures, from)
	case a.LockedUntil.After(now) && a.Failures > 0 && a.Failures <= a.LockFailures:
		return fmt.Sprintf("Locked by %d wrong passwords until %s%s.", a.Failures, moment(a.LockedUntil, now), from)
	case a.LockedUntil.After(now):
		return "Locked by wrong passwords until " + moment(a.LockedUntil, now) + from + "."
	}
	return "" // it has run out
}

// fine tells that nothing keeps somebody out.
func (a Account) fine(now time.Time) (string, Action) {
	said := "Nothing keeps this person out: " + lastSignIn(a.LastSignIn, now)
	if a.Failures > 0 && a.LastFailed.After(a.LastSignIn) {
		said += fmt.Sprintf("; %s in a row since, the last %s", wrongs(a.Failures), "on "+moment(a.LastFailed, now))
	}
	switch {
	case a.SecondHeld && a.SecondAsked:
		return said + ". After the password their second step is asked for.", ResetSecond
	case a.SecondAsked:
		return said + ". At the next sign-in they set up a second step.", NoAction
	}
	return said + ".", NoAction
}

func wrongs(n int) string {
	if n == 1 {
		return "one wrong password"
	}
	return fmt.Sprintf("%d wrong passwords", n)
}

func times(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}

func minutes(d time.Duration) string {
	n := int((d + time.Minute - 1) / time.Minute)
	if n == 1 {
		return "a minute"
	}
	return fmt.Sprintf("%d minutes", n)
}

func lastSignIn(at, now time.Time) string {
	if at.IsZero() {
		return "they have not signed in yet"
	}
	return "they last signed in on " + day(at, now)
}

func day(t, now time.Time) string    { return date.Of(t.In(now.Location())).US() }
func moment(t, now time.Time) string { return date.Moment(t, now.Location()) }

// Card is somebody and how they get in.
type Card struct {
	Account
	Sentence string
	Do       Action
}

// OpenUser is the card of somebody. The opening is written down before.
func (s *Service) OpenUser(ctx context.Context, a access.Actor, userName string) (Card, error) {
	var c Card
	userName = text.Clean(userName)
	if _, err := s.sitting(ctx, a); err != nil {
		return c, err
	}
	found, err := s.sources.PeopleNamed(ctx, userName)
	if err == nil && len(found) == 0 {
		err = problem.Say(problem.NotFound, "Nobody has this user name.")
	}
	if err != nil {
		return c, err
	}
	if err := s.enter(ctx, a, audit.Entry{Operation: "desk-open-user", Subject: found[0].UserName}); err != nil {
		return c, err
	}
	if c.Account, err = s.sources.Account(ctx, found[0].UserName); err != nil {
		return c, err
	}
	c.Sentence, c.Do = diagnose(c.Account, s.now())
	return c, nil
}
