// Package users owns the accounts and groups: who a person is, in which state
// the account is, and how it changes. How people sign in is the package signin,
// what administrators do with accounts the package administration; both stand
// on this one and know nothing of each other.
//
// What changes an account or a group takes a grant in place of an id (see
// access.UserGrant): whoever calls it has been found to reach the account, or is
// named as a part of the portal.
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

	"golang.org/x/text/unicode/norm"

	"wcpp/internal/access"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/mail"
	"wcpp/internal/platform/paging"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/text"
	"wcpp/internal/platform/validate"
)

// Status is the state of an account.
type Status string

// The states. TERM is final; its e-mail is free again for a new account.
const (
	New         Status = "NEW"    // complete, registration not yet finished by the person
	Draft       Status = "DRAFT"  // not yet complete
	Active      Status = "ACTIV"  // may sign in
	Inactive    Status = "INACT"  // an administrator reset the password
	Locked      Status = "LOCK"   // too many failed attempts
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
	EmployeeID      string
	GroupID         int64 // 0: none
	GroupEnded      bool  // the network has made the group inactive
	AffiliationCd   string
	AffiliationDesc string
	JobTitle        string
	CompanyName     string
	CompanyURL      string
	PasswordHash    string
	LockedUntil     db.Instant
	LastLoginAt     db.Instant
	CreatedAt       db.Instant
	Draft           string // JSON; of a draft only
	ManagerID       int64  // the administrator who made or ended it; 0 where the portal did
	SSOIssuer       string
	SSOSubject      string
	SSOBoundAt      db.Instant
}

// MaySignIn tells whether the account is in use: registered, in force, and of a group
// that is active.
func (u User) MaySignIn() bool { return u.StatusCd == Active && !u.GroupEnded }

// Person is the account as the access rules know it.
func (u User) Person() access.Person {
	return access.Person{ID: u.ID, UserName: u.UserName, Type: u.TypeCd, GroupID: u.GroupID}
}

// Select answers the accounts that the rest of a statement, from its condition
// on, asks for: for the packages that stand on this one.
func Select(ctx context.Context, q db.Queryer, rest string, args ...any) ([]User, error) {
	return userTable.Select(ctx, q, rest, args...)
}

// pageColumns are what tables of accounts show.
var pageColumns = paging.Columns{
	"firstName": paging.Name("first_name_key"), "lastName": paging.Name("last_name_key"), "userName": paging.Text("user_name_key"),
	"email": paging.Text("email_key"), "status": paging.Words("status_cd", statusNames), "type": paging.Words("type_cd", typeNames),
	"group": paging.Number("group_id"), "created": paging.Day("created_at"), "lastLogin": paging.Day("last_login_at"),
}

// NameUsers gives accounts of before the letters of their names. It may stop at any
// moment.
func (s *Service) NameUsers(ctx context.Context) error {
	return s.db.Steps(ctx, func(tx *sql.Tx) (int, error) {
		list, err := unnamed(ctx, tx, s.db.Dialect)
		if err != nil {
			return 0, err
		}
		return len(list), putNames(ctx, tx, list)
	})
}

// Page answers a page of the accounts that a condition (WHERE ...) finds, and how
// many there are, in an order that ends in a key: for the packages that stand on
// this one.
func Page(ctx context.Context, q db.Queryer, d db.Dialect, t paging.Table, condition, order string, args ...any) ([]User, int, error) {
	return paging.Select(ctx, q, d, t, paging.Statement{
		Select: userTable.List(""), From: "FROM users " + condition, Args: args, Columns: pageColumns, Order: order,
	}, userTable.Query)
}

// Group is a provider group, a roster group, or the group of one non-network user.
type Group struct {
	ID       int64
	Name     string
	Kind     string
	StatusCd GroupStatus
	NamedBy  string // who of the network named it; empty: the portal or the feed
}

// GroupStatus is the state of a group. Of the codes that groups can have the portal
// gives these two; any other counts as active.
type GroupStatus string

// The states. Nobody of an inactive group signs in or is mailed; all it has is kept.
const (
	GroupActive   GroupStatus = "ACTIV"
	GroupInactive GroupStatus = "INACT"
)

// The kinds of groups.
const (
	ProviderGroup   = "PROVIDER"
	NonNetworkGroup = "NONNETWORK"
	RosterGroup     = "ROSTER"
)

// Service answers about accounts and groups, and changes them.
type Service struct {
	db    *db.DB
	audit *audit.Log
	mails *mail.Outbox
	now   func() time.Time
	// publicURL is the portal's, for links.
	publicURL string
	onLeave   func(ctx context.Context, tx *sql.Tx, groupID, userID int64, by string) error
	onEmail   func(ctx context.Context, tx *sql.Tx, g access.UserGrant) error
}

// NewService makes the service. The URL is the portal's, for links.
func NewService(d *db.DB, log *audit.Log, mails *mail.Outbox, now func() time.Time, publicURL string) *Service {
	s := &Service{db: d, audit: log, mails: mails, now: now, publicURL: publicURL}
	s.letters(mails)
	return s
}

// ByID finds an account, db.ErrNotFound where there is none.
func (s *Service) ByID(ctx context.Context, id int64) (User, error) {
	return byID(ctx, s.db.Reader, id)
}

// ByName finds an account by its user name, ignoring case; db.ErrNotFound where
// there is none.
func (s *Service) ByName(ctx context.Context, name string) (User, error) {
	return FindByName(ctx, s.db.Reader, name)
}

// ByEmail finds the account of an e-mail address; terminated ones have none:
// db.ErrNotFound.
func (s *Service) ByEmail(ctx context.Context, email string) (User, error) {
	return byEmailKey(ctx, s.db.Reader, text.Key(email))
}

// FindByName finds an account as ByName does, as of the moment of the queryer: a
// transaction, or the writer for what was stored just now.
func FindByName(ctx context.Context, q db.Queryer, name string) (User, error) {
	return byNameKey(ctx, q, text.Key(name))
}

// Find finds an account as a transaction sees it.
func Find(ctx context.Context, q db.Queryer, id int64) (User, error) { return byID(ctx, q, id) }

// Groups are those of these ids that there are.
func (s *Service) Groups(ctx context.Context, ids []int64) ([]Group, error) {
	return groupsAmong(ctx, s.db.Reader, ids)
}

// AdminsOf lists the registered administrators of a group.
func (s *Service) AdminsOf(ctx context.Context, tx *sql.Tx, groupID int64) ([]User, error) {
	return adminsOf(ctx, tx, groupID)
}

// Active lists those of a group who see bills and can sign in, by name, at most
// 1,000.
func (s *Service) Active(ctx context.Context, groupID int64) ([]User, error) {
	return workersOf(ctx, s.db.Reader, groupID)
}

// LockUser reads an account and keeps it from being changed by others until the
// transaction ends; NotFound where there is none.
func (s *Service) LockUser(ctx context.Context, tx *sql.Tx, id int64) (User, error) {
	u, err := lockUser(ctx, tx, s.db.Dialect, id)
	if errors.Is(err, db.ErrNotFound) {
		err = problem.New(problem.NotFound)
	}
	return u, err
}

// LockGroup reads a group and makes changes of its accounts and TINs wait for
// each other until the transaction ends; NotFound where there is none.
func (s *Service) LockGroup(ctx context.Context, tx *sql.Tx, id int64) (Group, error) {
	g, err := lockGroup(ctx, tx, s.db.Dialect, id)
	if errors.Is(err, db.ErrNotFound) {
		err = problem.New(problem.NotFound)
	}
	return g, err
}

// NameGroup gives a group the name that staff know it by. Files leave it alone from
// then on.
func (s *Service) NameGroup(ctx context.Context, tx *sql.Tx, group access.GroupGrant, name string) error {
	return nameGroup(ctx, tx, group, name)
}

// SetGroupStatus makes a group, which is locked, inactive or active again, with all its
// accounts. What they have stays as it is.
func (s *Service) SetGroupStatus(ctx context.Context, tx *sql.Tx, group access.GroupGrant, status GroupStatus) error {
	return setGroupStatus(ctx, tx, group, status)
}

// LockPeers makes changes of an account's group, or of internal staff, wait for
// each other until the transaction ends.
func (s *Service) LockPeers(ctx context.Context, tx *sql.Tx, u User) error {
	if u.GroupID == 0 {
		return lockStaff(ctx, tx, s.db.Dialect)
	}
	_, err := s.LockGroup(ctx, tx, u.GroupID)
	return err
}

// Count tells how many accounts there are.
func (s *Service) Count(ctx context.Context) (int, error) { return count(ctx, s.db.Reader) }

// Add makes an account on behalf of a part of the portal. Without a user name
// the next free one is assigned; without a group a type that needs one of its
// own gets it. It answers Invalid for what is missing or wrong, and Conflict for
// an e-mail address or a user name in use.
func (s *Service) Add(ctx context.Context, u User, by string) (User, error) {
	given, err := complete(u)
	if err != nil {
		return User{}, err
	}
	err = s.Adding(ctx, func(tx *sql.Tx) error {
		u = given
		if u.GroupID != 0 {
			if g, err := groupByID(ctx, tx, u.GroupID); err != nil && !errors.Is(err, db.ErrNotFound) {
				return err
			} else if err != nil || u.TypeCd.Internal() || g.Kind != KindFor(u.TypeCd) {
				return problem.Say(problem.Invalid, fmt.Sprintf("Group %d doesn't exist or doesn't accept account type %s.", u.GroupID, u.TypeCd))
			} else if g.StatusCd == GroupInactive {
				return problem.Say(problem.Conflict, fmt.Sprintf("Group %d is inactive. Reactivate it first.", g.ID))
			}
		}
		var err error
		u, err = s.addIn(ctx, tx, u, by)
		if err != nil {
			return err
		}
		return s.audit.Record(ctx, tx, audit.Entry{Actor: by, Operation: "user-add", Subject: u.UserName, Result: "ok"})
	})
	if db.IsUnique(err) {
		return User{}, problem.Say(problem.Conflict, "An account with this email address or username already exists.")
	}
	return u, err
}

// Adding runs what adds accounts in one transaction: again, where others took the
// next user name or the next number of a group at the same moment.
func (s *Service) Adding(ctx context.Context, add func(tx *sql.Tx) error) error {
	for attempts := 1; ; attempts++ {
		err := s.db.Tx(ctx, add)
		if attempts == mostAdding || !errors.Is(err, errTaken) && !db.IsUniqueOf(err, "groups", "id") {
			return err
		}
	}
}

// mostAdding is how many may add at the same moment, each with a name that is alike.
const mostAdding = 100

// errTaken tells that a user name was free when it was assigned, and then not.
var errTaken = errors.New("username already taken")

func (s *Service) addIn(ctx context.Context, tx *sql.Tx, u User, by string) (User, error) {
	group := access.System(by).Group(u.GroupID)
	if u.GroupID == 0 && !u.TypeCd.Internal() {
		var err error
		if group, err = s.MakeGroup(ctx, tx, u, by); err != nil {
			return u, err
		}
	}
	return s.Insert(ctx, tx, u, group, by)
}

// MakeGroup makes the group that an account of this type needs, named after the
// company or else the person, and grants it to whoever makes the account.
func (s *Service) MakeGroup(ctx context.Context, tx *sql.Tx, u User, by string) (access.GroupGrant, error) {
	name := u.CompanyName
	if name == "" {
		name = u.FirstName + " " + u.LastName
	}
	id, err := insertGroup(ctx, tx, 0, text.Clean(name), KindFor(u.TypeCd), db.At(s.now()), by)
	return access.System(by).Group(id), err
}

// Insert stores a new account in the group that is granted, or in none where the
// grant is empty, and answers it with its id, its group, and the next free user
// name where it has none, within Adding. A user name or an e-mail address in use
// is an error that db.IsUnique knows.
func (s *Service) Insert(ctx context.Context, tx *sql.Tx, u User, group access.GroupGrant, by string) (User, error) {
	var err error
	assigned := u.UserName == ""
	if assigned {
		if u.UserName, err = freeName(ctx, tx, u.FirstName, u.LastName); err != nil {
			return u, err
		}
	}
	u.GroupID, u.CreatedAt = group.ID(), db.At(s.now())
	u.ID, err = insertUser(ctx, tx, u, group, u.CreatedAt, by)
	if assigned && db.IsUniqueOf(err, "users", "user_name_key") {
		err = errors.Join(errTaken, err)
	}
	return u, err
}

// ReplaceDraft stores a draft anew in the group that is granted, or in none, or
// makes an account of it that waits for its registration. What is no draft any
// more is a Conflict.
func (s *Service) ReplaceDraft(ctx context.Context, tx *sql.Tx, g access.UserGrant, u User, group access.GroupGrant) (User, error) {
	old, err := s.LockUser(ctx, tx, g.ID())
	if err != nil {
		return u, err
	}
	if old.StatusCd != Draft {
		return u, problem.Say(problem.Conflict, "This user is no longer a draft. Search for the user again.")
	}
	u.ID, u.UserName, u.CreatedAt, u.GroupID = old.ID, old.UserName, old.CreatedAt, group.ID()
	return u, updateDraft(ctx, tx, g, u, group, db.At(s.now()))
}

// SetType changes the type of an account.
func (s *Service) SetType(ctx context.Context, tx *sql.Tx, g access.UserGrant, typ access.Type) error {
	return setType(ctx, tx, g, typ, db.At(s.now()))
}

// Terminate ends an account for good, by an administrator; one that is ended
// already is a Conflict.
func (s *Service) Terminate(ctx context.Context, tx *sql.Tx, g access.UserGrant, managerID int64) error {
	u, err := s.LockUser(ctx, tx, g.ID())
	if err != nil {
		return err
	}
	if !u.StatusCd.May(Terminated) {
		return problem.New(problem.Conflict)
	}
	return errors.Join(terminate(ctx, tx, g, managerID, db.At(s.now())), s.left(ctx, tx, u, g))
}

// OnLeave has something done in the transaction in which an account ends, or comes to
// have another type or group: it is told the group that it was of.
func (s *Service) OnLeave(do func(ctx context.Context, tx *sql.Tx, groupID, userID int64, by string) error) {
	s.onLeave = do
}

// OnEmail has something done in the transaction in which an account gets another address.
func (s *Service) OnEmail(do func(ctx context.Context, tx *sql.Tx, g access.UserGrant) error) {
	s.onEmail = do
}

// moved tells of an account that got another address.
func (s *Service) moved(ctx context.Context, tx *sql.Tx, g access.UserGrant, before, now string) error {
	if s.onEmail == nil || text.Key(before) == text.Key(now) {
		return nil
	}
	return s.onEmail(ctx, tx, g)
}

func (s *Service) left(ctx context.Context, tx *sql.Tx, was User, g access.UserGrant) error {
	if s.onLeave == nil || was.GroupID == 0 {
		return nil
	}
	return s.onLeave(ctx, tx, was.GroupID, was.ID, g.By())
}

// Activate gives an account a password, in force at once: it may sign in, and a
// lock ends. It answers the account as it was; one that cannot become active is
// a Conflict.
func (s *Service) Activate(ctx context.Context, tx *sql.Tx, g access.UserGrant, hash string) (User, error) {
	u, err := s.LockUser(ctx, tx, g.ID())
	if err != nil {
		return u, err
	}
	if u.StatusCd != Active && !u.StatusCd.May(Active) {
		return u, problem.New(problem.Conflict)
	}
	return u, errors.Join(setPassword(ctx, tx, g, hash, db.At(s.now())), s.forgetNewEmail(ctx, tx, g))
}

// ErrTerminated refuses a change of an account that has been terminated, perhaps a moment ago.
func ErrTerminated() error {
	return problem.Say(problem.Conflict, "The account has been terminated.")
}

// Suspend keeps an account from signing in until its owner has chosen a new
// password. It answers the account as it was; one that was never registered, or
// is over, is a Conflict.
func (s *Service) Suspend(ctx context.Context, tx *sql.Tx, g access.UserGrant) (User, error) {
	u, err := s.LockUser(ctx, tx, g.ID())
	if err != nil {
		return u, err
	}
	if u.StatusCd == Terminated {
		return u, ErrTerminated()
	}
	if u.StatusCd != Inactive && !u.StatusCd.May(Inactive) {
		return u, problem.Say(problem.Conflict, "You can't reset the password of a user who hasn't finished registration.")
	}
	return u, errors.Join(suspend(ctx, tx, g, db.At(s.now())), s.forgetNewEmail(ctx, tx, g))
}

// KindFor is the kind of the groups of an account type.
func KindFor(t access.Type) string {
	switch t {
	case access.NNUS:
		return NonNetworkGroup
	case access.ROAD, access.ROUS:
		return RosterGroup
	default:
		return ProviderGroup
	}
}

// ReservedName is the literal that marks a single sign-on code in POST
// /authenticate; nobody may have it as a user name.
const ReservedName = "checkauth"

// Check refuses an account of which something is missing or wrong by itself.
func Check(u User) error {
	_, err := complete(u)
	return err
}

// complete is an account with cleaned values, where nothing of it is missing or wrong.
func complete(u User) (User, error) {
	u, wrong := normalise(u)
	return u, wrong.Refuse("The account is incomplete.")
}

// normalise cleans the values of an account that comes in by feed or by the
// command line and names what is missing or wrong.
func normalise(u User) (User, validate.Fields) {
	for _, s := range []*string{
		&u.UserName, &u.FirstName, &u.MiddleName, &u.LastName, &u.Email, &u.EmployeeID,
		&u.AffiliationCd, &u.AffiliationDesc, &u.JobTitle, &u.CompanyName, &u.CompanyURL,
	} {
		*s = text.Clean(*s)
	}
	u.Phone = text.Digits(u.Phone)
	var wrong validate.Fields
	wrong.Require(validate.Length(u.FirstName, 1, validate.MaxName), fieldFirstName, "Enter a first name of up to 40 characters.")
	wrong.Require(validate.Length(u.LastName, 1, validate.MaxName), fieldLastName, "Enter a last name of up to 40 characters.")
	wrong.Require(validate.Email(u.Email), FieldEmail, "Enter an email address of up to 120 characters.")
	wrong.Require(slices.Contains(access.Types, u.TypeCd), FieldType, "Enter an account type: PRUS, PRAD, NNUS, ROAD, ROUS, IRAD or ISAD.")
	wrong.Require(u.StatusCd.Name() != "", "status", "Enter a status: NEW, DRAFT, ACTIV, INACT, LOCK, DISABL or TERM.")
	wrong.Require(len(u.UserName) <= 50 && !strings.ContainsAny(u.UserName, " /\\\"'<>") && text.Key(u.UserName) != ReservedName,
		"user_name", "Enter a username of up to 50 characters, without spaces, quotes or slashes.")
	wrong.Require(validate.Digits(u.Phone, 0, validate.MaxPhone), FieldPhone, "Enter a phone number of up to 15 digits.")
	return u, wrong
}

// freeName assigns a user name, a number added where it is taken.
func freeName(ctx context.Context, tx *sql.Tx, first, last string) (string, error) {
	base := nameBase(first, last)
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
	return "", fmt.Errorf("no available username")
}

// nameBase is a user name of a person's: first initial and last name, lower case ASCII
// letters and digits. Where the last name has none the first one stands for it, unless so
// little is left of both that nobody could be found by it.
func nameBase(first, last string) string {
	first, last = ascii(first), ascii(last)
	base := first
	if last != "" {
		base = first[:min(len(first), 1)] + last
	}
	if base == "" || last == "" && len(base) < 3 || base == ReservedName {
		return "user"
	}
	return base
}

// latin spells letters out that are not made of another one and a mark.
var latin = strings.NewReplacer("ß", "ss", "æ", "ae", "œ", "oe", "ø", "o", "ł", "l", "đ", "d", "ð", "d", "þ", "th", "ħ", "h", "ı", "i")

func ascii(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, norm.NFD.String(latin.Replace(strings.ToLower(s))))
}
