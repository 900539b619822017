// Package users owns the accounts and groups: who a person is, in which state
// the account is, and whether it may sign in.
package users

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"wcpp/internal/access"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/check"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/mail"
	"wcpp/internal/platform/passwords"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/text"
)

// Status is the state of an account.
type Status string

// The states. TERM is final; its e-mail is free again for a new account.
const (
	New         Status = "NEW"    // complete, registration not yet finished by the person
	Draft       Status = "DRAFT"  // not yet complete
	Active      Status = "ACTIV"  // may sign in
	Inactive    Status = "INACT"  // an administrator reset the password
	Locked      Status = "LOCK"   // too many failed tries
	Deactivated Status = "DISABL" // not signed in for too long
	Terminated  Status = "TERM"
)

var statusNames = map[Status]string{
	New: "New", Draft: "Draft", Active: "Active", Inactive: "Inactive", Locked: "Locked",
	Deactivated: "Deactivated", Terminated: "Terminated",
}

// Name is the status as people read it.
func (s Status) Name() string { return statusNames[s] }

// transitions lists every change of state there is.
var transitions = map[Status][]Status{
	Draft:       {New, Terminated},
	New:         {Active, Terminated},
	Active:      {Inactive, Locked, Deactivated, Terminated},
	Inactive:    {Active, Terminated},
	Locked:      {Active, Inactive, Terminated},
	Deactivated: {Active, Inactive, Terminated},
}

// May tells whether an account may go from this state to the other.
func (s Status) May(to Status) bool { return slices.Contains(transitions[s], to) }

var typeNames = map[access.Type]string{
	access.PRUS: "Provider User", access.PRAD: "Provider Admin", access.NNUS: "Non-Network User",
	access.ROAD: "Roster Admin", access.ROUS: "Roster User",
	access.IRAD: "Internal Read-Only Admin", access.ISAD: "Internal System Admin",
}

// TypeName is the account type as the administration screens call it.
func TypeName(t access.Type) string { return typeNames[t] }

// ShortTypeName is the account type as the header and the live chat call it.
func ShortTypeName(t access.Type) string {
	switch t {
	case access.PRUS:
		return "Sub User"
	case access.PRAD:
		return "Admin User"
	}
	return TypeName(t)
}

// User is an account.
type User struct {
	ID              int64
	UserName        string
	FirstName       string
	MiddleName      string
	LastName        string
	Email           string
	Phone           string // digits
	TypeCd          access.Type
	StatusCd        Status
	EmployeeID      string `db:"employee_id"`
	GroupID         int64  `db:"group_id"` // 0: none
	AffiliationCd   string
	AffiliationDesc string
	JobTitle        string
	CompanyName     string
	CompanyURL      string `db:"company_url"`
	PasswordHash    string
	LockedUntil     db.Instant
	LastLoginAt     db.Instant
	CreatedAt       db.Instant
	Draft           string // JSON; of a draft only
	SSOIssuer       string `db:"sso_issuer"`
	SSOSubject      string `db:"sso_subject"`
}

// Person is the account as the access rules know it.
func (u User) Person() access.Person {
	return access.Person{ID: u.ID, UserName: u.UserName, Type: u.TypeCd, GroupID: u.GroupID}
}

// Group is a provider group, a roster group, or the group of one non-network user.
type Group struct {
	ID   int64
	Name string
	Kind string // PROVIDER, NONNETWORK or ROSTER
}

// Rules are the configured limits of signing in.
type Rules struct {
	Failures  int           // tries before an account is locked
	LockFor   time.Duration // how long
	DisableIn time.Duration // not signed in for so long deactivates; 0: never
}

// Service answers about accounts and signs people in.
type Service struct {
	db    *db.DB
	audit *audit.Log
	mails *mail.Outbox
	// others are the other areas' parts in changing accounts.
	others Others
	now    func() time.Time
	rules  Rules
}

// NewService makes the service.
func NewService(d *db.DB, log *audit.Log, mails *mail.Outbox, others Others, now func() time.Time, rules Rules) *Service {
	s := &Service{db: d, audit: log, mails: mails, others: others, now: now, rules: rules}
	s.letters(mails)
	return s
}

// Codes a sign-in fails with. The screen has a sentence for each.
const (
	codeInvalid     = "INVALID_CREDENTIALS"
	codeLocked      = "USER_ACCT_LOCKED"
	codeTerminated  = "USER_ACCT_TERMINATED"
	codeInactive    = "USER_ACCT_INACTIVE"
	codeDeactivated = "USER_ACCT_DEACTIVATED"
	codeNotActive   = "INACTIVE_CREDENTIALS"
	codeNoEmployee  = "MISSING_EMPLOYEE_ID"
)

func refuse(code string) error { return problem.Coded(problem.Unauthenticated, code) }

func lockedFor(until, now time.Time) error {
	minutes := int((until.Sub(now) + time.Minute - 1) / time.Minute)
	return refuse(codeLocked + ":" + strconv.Itoa(max(1, minutes)))
}

// reservedName is the literal that marks a single sign-on code in POST
// /authenticate; nobody may have it as a user name.
const reservedName = "checkauth"

// SignIn checks a user name and password. Failed tries are counted by the name
// that was typed, existing or not, and a lock is answered without looking at
// the password, so that it tells neither whether the name exists nor whether
// the password was right. The state of an account is told only after the right
// password.
func (s *Service) SignIn(ctx context.Context, name, password string) (User, error) {
	u, err := s.signIn(ctx, name, password)
	if err != nil {
		return User{}, s.refused(ctx, name, err)
	}
	return u, nil
}

func (s *Service) signIn(ctx context.Context, name, password string) (User, error) {
	key := text.Key(name)
	if key == "" || key == reservedName || len(name) > 200 || len(password) > 200 {
		return User{}, refuse(codeInvalid)
	}
	// The try is counted before the password is looked at, so that many at
	// once are still only so many.
	tries, err := s.countTry(ctx, key)
	if err != nil {
		return User{}, err
	}
	u, err := byNameKey(ctx, s.db.Writer, key)
	if err != nil && !errors.Is(err, db.ErrNotFound) {
		return User{}, err
	}
	found := err == nil
	if found && u.StatusCd == Locked && u.LockedUntil.IsZero() {
		return User{}, refuse(codeLocked)
	}
	right, err := passwords.Verify(ctx, u.PasswordHash, password)
	if err != nil {
		return User{}, err
	}
	if !found || !right {
		if tries >= s.rules.Failures {
			return User{}, s.lock(ctx, key)
		}
		return User{}, refuse(codeInvalid)
	}
	return s.enter(ctx, u)
}

// countTry counts one try by the name, or answers its lock.
func (s *Service) countTry(ctx context.Context, key string) (int, error) {
	now := s.now()
	var tries int
	err := s.db.Tx(ctx, func(tx *sql.Tx) error {
		a, err := attemptsOf(ctx, tx, s.db.Dialect, key)
		if err != nil {
			return err
		}
		if a.LockedUntil.After(now) {
			return lockedFor(a.LockedUntil.Time, now)
		}
		if !a.LockedUntil.IsZero() || now.Sub(a.LastFailedAt.Time) > s.rules.LockFor {
			a.Failures = 0
		}
		tries = a.Failures + 1
		if tries > s.rules.Failures {
			// Tries at the same time that already used up what is allowed.
			return lockedFor(now.Add(s.rules.LockFor), now)
		}
		return saveAttempts(ctx, tx, key, tries, db.At(now), db.Instant{})
	})
	return tries, err
}

// lock locks the name, and the account of that name if it is active.
func (s *Service) lock(ctx context.Context, key string) error {
	now := s.now()
	until := db.At(now.Add(s.rules.LockFor))
	err := s.db.Tx(ctx, func(tx *sql.Tx) error {
		if err := saveAttempts(ctx, tx, key, s.rules.Failures, db.At(now), until); err != nil {
			return err
		}
		n, err := lockActive(ctx, tx, key, until, db.At(now))
		if err != nil || n == 0 {
			return err
		}
		return s.audit.Record(ctx, tx, audit.Entry{Operation: "account-locked", Subject: key, Result: "ok"})
	})
	if err != nil {
		return err
	}
	return lockedFor(until.Time, now)
}

// mayEnter tells whether the account, its owner proven, may sign in.
func (s *Service) mayEnter(u User) error {
	switch u.StatusCd {
	case Active:
	case Locked:
		if u.LockedUntil.IsZero() {
			return refuse(codeLocked)
		}
		if u.LockedUntil.After(s.now()) {
			return lockedFor(u.LockedUntil.Time, s.now())
		}
	case Inactive:
		return refuse(codeInactive)
	case Deactivated:
		return refuse(codeDeactivated)
	case Terminated:
		return refuse(codeTerminated)
	default:
		return refuse(codeNotActive)
	}
	if u.TypeCd.Internal() && u.EmployeeID == "" {
		return refuse(codeNoEmployee)
	}
	return nil
}

// enter lets a proven person in: a lock that has run out ends, tries are
// forgotten, the time is noted.
func (s *Service) enter(ctx context.Context, u User) (User, error) {
	if err := s.mayEnter(u); err != nil {
		return User{}, err
	}
	err := s.db.Tx(ctx, func(tx *sql.Tx) error {
		if err := forgetAttempts(ctx, tx, text.Key(u.UserName)); err != nil {
			return err
		}
		n, err := noteSignIn(ctx, tx, u.ID, db.At(s.now()))
		if err != nil {
			return err
		}
		if n == 0 { // terminated or reset since it was read
			return refuse(codeNotActive)
		}
		return s.audit.Record(ctx, tx, audit.Entry{Actor: u.UserName, Operation: "sign-in", Subject: u.UserName, Result: "ok"})
	})
	u.StatusCd = Active
	return u, err
}

// Identity is a person as an outside provider knows them.
type Identity struct {
	Issuer   string
	Subject  string
	UserName string
}

// SignInIdentity finds the account of a person whom the outside provider has
// proven: by the issuer's subject once bound, at first by the user name, never
// by e-mail.
func (s *Service) SignInIdentity(ctx context.Context, id Identity) (User, error) {
	u, err := bySubject(ctx, s.db.Writer, id.Issuer, id.Subject)
	if errors.Is(err, db.ErrNotFound) {
		u, err = byNameKey(ctx, s.db.Writer, text.Key(id.UserName))
		if err == nil && u.SSOSubject != "" {
			// The name belongs to an account of another subject.
			err = db.ErrNotFound
		}
		if err == nil {
			var n int64
			n, err = bindSubject(ctx, s.db.Writer, u.ID, id.Issuer, id.Subject)
			if err == nil && n == 0 {
				err = db.ErrNotFound
			}
		}
	}
	if err == nil {
		u, err = s.enter(ctx, u)
	} else if errors.Is(err, db.ErrNotFound) {
		err = refuse(codeNotActive)
	}
	if err != nil {
		return User{}, s.refused(ctx, id.UserName, err)
	}
	return u, nil
}

// refused notes a refused sign-in by the name that was given.
func (s *Service) refused(ctx context.Context, name string, err error) error {
	e := problem.From(err)
	if e.Kind != problem.Unauthenticated {
		return err
	}
	if unwritten := s.audit.Now(ctx, audit.Entry{Operation: "sign-in", Subject: text.Key(name), Result: e.Code}); unwritten != nil {
		return unwritten
	}
	return err
}

// ByID finds an account.
func (s *Service) ByID(ctx context.Context, id int64) (User, error) {
	return byID(ctx, s.db.Reader, id)
}

// ByName finds an account by its user name, ignoring case.
func (s *Service) ByName(ctx context.Context, name string) (User, error) {
	return byNameKey(ctx, s.db.Reader, text.Key(name))
}

// Count tells how many accounts there are.
func (s *Service) Count(ctx context.Context) (int, error) { return count(ctx, s.db.Reader) }

// Tidy ends locks whose time has run out, forgets old tries and deactivates
// accounts that were not used for the configured time. It is safe to repeat.
func (s *Service) Tidy(ctx context.Context) error {
	now := s.now()
	if err := unlockExpired(ctx, s.db.Writer, db.At(now)); err != nil {
		return err
	}
	if err := forgetOldAttempts(ctx, s.db.Writer, db.At(now.Add(-24*time.Hour-s.rules.LockFor))); err != nil {
		return err
	}
	if s.rules.DisableIn == 0 {
		return nil
	}
	return deactivateUnused(ctx, s.db.Writer, db.At(now.Add(-s.rules.DisableIn)), db.At(now))
}

// Add makes an account. Without a user name the next free one is assigned;
// without a group a type that needs one of its own gets it.
func (s *Service) Add(ctx context.Context, u User, by string) (User, error) {
	u, problems := normalise(u)
	if len(problems) > 0 {
		e := problem.Say(problem.Invalid, "The account is not complete.")
		e.Fields = problems
		return User{}, e
	}
	err := s.db.Tx(ctx, func(tx *sql.Tx) error {
		if u.GroupID != 0 {
			if g, err := groupByID(ctx, tx, u.GroupID); err != nil && !errors.Is(err, db.ErrNotFound) {
				return err
			} else if err != nil || u.TypeCd.Internal() || g.Kind != groupKind(u.TypeCd) {
				return problem.Say(problem.Invalid, fmt.Sprintf("There is no group %d for an account of type %s.", u.GroupID, u.TypeCd))
			}
		}
		var err error
		u, err = s.insertNew(ctx, tx, u, by)
		if err != nil {
			return err
		}
		return s.audit.Record(ctx, tx, audit.Entry{Actor: by, Operation: "user-add", Subject: u.UserName, Result: "ok"})
	})
	if db.IsUnique(err) {
		return User{}, problem.Say(problem.Conflict, "There is an account with this e-mail address or user name already.")
	}
	return u, err
}

func (s *Service) insertNew(ctx context.Context, tx *sql.Tx, u User, by string) (User, error) {
	now := db.At(s.now())
	var err error
	if u.GroupID == 0 && !u.TypeCd.Internal() {
		name := u.CompanyName
		if name == "" {
			name = u.FirstName + " " + u.LastName
		}
		u.GroupID, err = insertGroup(ctx, tx, 0, text.Clean(name), groupKind(u.TypeCd), now, by)
		if err != nil {
			return u, err
		}
	}
	if u.UserName == "" {
		if u.UserName, err = freeName(ctx, tx, u.FirstName, u.LastName); err != nil {
			return u, err
		}
	}
	u.ID, err = insertUser(ctx, tx, u, now, by)
	return u, err
}

func groupKind(t access.Type) string {
	switch t {
	case access.NNUS:
		return "NONNETWORK"
	case access.ROAD, access.ROUS:
		return "ROSTER"
	default:
		return "PROVIDER"
	}
}

// normalise cleans an account's values and names what is missing or wrong.
func normalise(u User) (User, []problem.Field) {
	for _, s := range []*string{
		&u.UserName, &u.FirstName, &u.MiddleName, &u.LastName, &u.Email, &u.EmployeeID,
		&u.AffiliationCd, &u.AffiliationDesc, &u.JobTitle, &u.CompanyName, &u.CompanyURL,
	} {
		*s = text.Clean(*s)
	}
	u.Phone = text.Digits(u.Phone)
	var wrong []problem.Field
	need := func(ok bool, path, message string) {
		if !ok {
			wrong = append(wrong, problem.Field{Path: path, Code: "INVALID", Message: message})
		}
	}
	need(u.FirstName != "" && len([]rune(u.FirstName)) <= 40, "first_name", "Enter a first name of at most 40 characters.")
	need(u.LastName != "" && len([]rune(u.LastName)) <= 40, "last_name", "Enter a last name of at most 40 characters.")
	need(check.Email(u.Email), "email", "Enter an e-mail address of at most 120 characters.")
	need(slices.Contains(access.Types, u.TypeCd), "type", "Enter one of the account types PRUS, PRAD, NNUS, ROAD, ROUS, IRAD, ISAD.")
	_, known := statusNames[u.StatusCd]
	need(known, "status", "Enter one of the statuses NEW, DRAFT, ACTIV, INACT, LOCK, DISABL, TERM.")
	need(len(u.UserName) <= 50 && !strings.ContainsAny(u.UserName, " /\\\"'<>") && text.Key(u.UserName) != reservedName, "user_name", "Enter a user name of at most 50 characters without spaces, quotes or slashes.")
	need(len(u.Phone) <= 15, "phone", "Enter a phone number of at most 15 digits.")
	return u, wrong
}

// freeName assigns a user name: first initial and last name, lower case ASCII
// letters and digits, at most 14, a number added where it is taken.
func freeName(ctx context.Context, tx *sql.Tx, first, last string) (string, error) {
	base := ascii(first)
	if len(base) > 1 {
		base = base[:1]
	}
	base += ascii(last)
	if base == "" || base == reservedName {
		base = "user"
	}
	for n := 1; n < 100_000; n++ {
		suffix := ""
		if n > 1 {
			suffix = strconv.Itoa(n)
		}
		name := base[:min(len(base), 14-len(suffix))] + suffix
		_, err := byNameKey(ctx, tx, name)
		if errors.Is(err, db.ErrNotFound) {
			return name, nil
		}
		if err != nil {
			return "", err
		}
	}
	return "", fmt.Errorf("no free user name left")
}

func ascii(s string) string {
	return strings.Map(func(r rune) rune {
		r = unicode.ToLower(r)
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, norm.NFD.String(s))
}

// SetMissingPasswords gives every registered account without a password the
// same one, as the demo has it. It changes no state.
func (s *Service) SetMissingPasswords(ctx context.Context, password string) error {
	hash, err := passwords.Hash(ctx, password)
	if err != nil {
		return err
	}
	return setMissingPasswords(ctx, s.db.Writer, hash)
}
