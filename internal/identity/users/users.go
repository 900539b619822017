// Package users owns the accounts and groups: the person, the account's status, and its changes.
// Signing in is in package signin, and managing accounts in package administration. Both depend
// on this package and not on each other.
//
// Functions that change an account or group take a grant instead of an id (see
// access.UserGrant). The grant shows that the caller can reach the account, or names the portal
// function that changes it.
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

	"wcpp/internal/identity/access"
	"wcpp/internal/platform"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/httpapi"
	"wcpp/internal/platform/mail"
	"wcpp/internal/platform/paging"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/text"
	"wcpp/internal/platform/validate"
)

// Status is the status of an account.
type Status string

// The statuses. TERM is final, and its email address can be used for a new account.
const (
	New         Status = "NEW"    // complete, but the person hasn't finished registration
	Draft       Status = "DRAFT"  // incomplete
	Active      Status = "ACTIV"  // can sign in
	Inactive    Status = "INACT"  // an administrator reset the password
	Locked      Status = "LOCK"   // too many failed attempts
	Deactivated Status = "DISABL" // not signed in for too long
	Terminated  Status = "TERM"
)

var statusNames = map[Status]string{
	New: "New", Draft: "Draft", Active: "Active", Inactive: "Inactive", Locked: "Locked",
	Deactivated: "Deactivated", Terminated: "Terminated",
}

// Name returns the display name of the status.
func (s Status) Name() string { return statusNames[s] }

// transitions lists all allowed changes of status.
var transitions = map[Status][]Status{
	Draft:       {New, Terminated},
	New:         {Active, Terminated},
	Active:      {Inactive, Locked, Deactivated, Terminated},
	Inactive:    {Active, Terminated},
	Locked:      {Active, Inactive, Terminated},
	Deactivated: {Active, Inactive, Terminated},
}

// CanChangeTo reports whether an account can change from this status to another.
func (s Status) CanChangeTo(to Status) bool { return slices.Contains(transitions[s], to) }

var typeNames = map[access.Type]string{
	access.PRUS: "Provider User", access.PRAD: "Provider Admin", access.NNUS: "Non-Network User",
	access.ROAD: "Roster Admin", access.ROUS: "Roster User",
	access.IRAD: "Internal Read-Only Admin", access.ISAD: "Internal System Admin",
}

// TypeName returns the account type as administration screens show it.
func TypeName(t access.Type) string { return typeNames[t] }

// ShortTypeName returns the account type as the header and live chat show it.
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
	StaffRole       access.Role // counts only for IRAD
	StatusCd        Status
	EmployeeID      string
	GroupID         int64 `db:",null"` // 0: none
	GroupEnded      bool  // the network made the group inactive
	AffiliationCd   string
	AffiliationDesc string
	JobTitle        string
	CompanyName     string
	CompanyURL      string
	PasswordHash    string
	LockedUntil     db.Instant
	LastLoginAt     db.Instant
	CreatedAt       db.Instant
	Draft           string // JSON; only for a draft
	ManagerID       int64  `db:",null"` // administrator who created or terminated it; 0: the portal
	SSOIssuer       string
	SSOSubject      string
	SSOBoundAt      db.Instant
}

// FullName returns the first and last name.
func (u User) FullName() string { return strings.TrimSpace(u.FirstName + " " + u.LastName) }

// CanSignIn reports whether the account is active and its group isn't inactive.
func (u User) CanSignIn() bool { return u.StatusCd == Active && !u.GroupEnded }

// CanWork reports whether the sessions of the account continue. A lock after failed attempts blocks
// signing in but doesn't end them. An imported lock does.
func (u User) CanWork() bool {
	return u.CanSignIn() || u.StatusCd == Locked && !u.LockedUntil.IsZero() && !u.GroupEnded
}

// CanAnswer reports whether the account can answer questions of offices.
func (u User) CanAnswer() bool {
	return u.CanWork() && access.Allow(access.Actor{Person: u.Person()}, "cases.work", httpapi.Write) == nil
}

// Person returns the account in the form that the access rules use.
func (u User) Person() access.Person {
	return access.Person{ID: u.ID, UserName: u.UserName, Type: u.TypeCd, GroupID: u.GroupID, Role: u.StaffRole}
}

// Select returns the accounts for the rest of a statement, starting with its condition. It is
// for packages that depend on this one.
func Select(ctx context.Context, q db.Queryer, rest string, args ...any) ([]User, error) {
	return userTable.Select(ctx, q, rest, args...)
}

// pageColumns are the columns in tables of accounts.
var pageColumns = paging.Columns{
	"firstName": paging.Name("first_name_key"), "lastName": paging.Name("last_name_key"), "userName": paging.Text("user_name_key"),
	"email": paging.Text("email_key"), "status": paging.Words("status_cd", statusNames), "type": paging.Words("type_cd", typeNames),
	"group": paging.Number("group_id"), "created": paging.Day("created_at"), "lastLogin": paging.Day("last_login_at"),
}

// NameUsers adds name keys to older accounts. It can be interrupted at any time.
func (s *Service) NameUsers(ctx context.Context) error {
	return s.db.RunSteps(ctx, func(tx *sql.Tx) (int, error) {
		list, err := lockUnnamed(ctx, tx, s.db.Dialect)
		if err != nil {
			return 0, err
		}
		return len(list), putNames(ctx, tx, list)
	})
}

// Page returns a page of accounts, and the total. Of the statement, it uses From, Args and
// Order, which must end with a unique key. It is for packages that depend on this one.
func Page(ctx context.Context, q db.Queryer, d db.Dialect, t paging.Table, s paging.Statement) ([]User, int, error) {
	s.Select, s.Columns = userTable.List(""), pageColumns
	return paging.Select(ctx, q, d, t, s, userTable.Query)
}

// Group is a provider group, a roster group, or the group of one non-network user.
type Group struct {
	ID       int64
	Name     string
	Kind     string
	StatusCd GroupStatus
	NamedBy  string // network staff who set the name; empty: the portal or a feed
}

// GroupStatus is the status of a group. The portal itself sets only these two codes. Any other
// counts as active.
type GroupStatus string

// The statuses. Users of an inactive group can't sign in and get no emails, but all data is
// retained.
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

// Service finds and changes accounts and groups.
type Service struct {
	db     *db.DB
	audit  *audit.Log
	mails  *mail.Outbox
	now    func() time.Time
	access access.Settings
	// publicURL is the portal's URL, for links.
	publicURL   string
	links       Links
	assignments Assignments
	cases       Cases
	tins        TINs
	sessions    Sessions
}

// Links are the links that were emailed to accounts.
type Links interface {
	// InvalidateLinks invalidates the links sent to an account's old address.
	InvalidateLinks(ctx context.Context, tx *sql.Tx, g access.UserGrant) error
}

// Assignments are the bills assigned to users.
type Assignments interface {
	// RemoveLostAssignments unassigns bills from users who lost their TINs: from one user of the
	// group, or from any if user is 0.
	RemoveLostAssignments(ctx context.Context, tx *sql.Tx, groupID, userID int64, by string) error
}

// Cases are the questions of offices that network staff answer.
type Cases interface {
	// ReleaseCases unassigns the open questions of a staff member.
	ReleaseCases(ctx context.Context, tx *sql.Tx, g access.UserGrant) error
}

// TINs are the TINs assigned to users.
type TINs interface {
	// RemoveTINs unassigns all TINs from a user.
	RemoveTINs(ctx context.Context, tx *sql.Tx, g access.UserGrant) error
}

// Sessions are the sign-in sessions of accounts.
type Sessions interface {
	// EndAll ends every session of a user, and all mirroring of them.
	EndAll(ctx context.Context, tx *sql.Tx, g access.UserGrant) error
	// EndMirrors ends all mirroring of a user and records why.
	EndMirrors(ctx context.Context, tx *sql.Tx, g access.UserGrant, why string) error
}

// Deps are what the service needs.
type Deps struct {
	platform.Kit
	Links       Links
	Assignments Assignments
	Cases       Cases
	TINs        TINs
	Sessions    Sessions
}

// NewService creates the service.
func NewService(d Deps, settings access.Settings) *Service {
	platform.Require(d)
	return &Service{db: d.DB, audit: d.Audit, mails: d.Mail, now: d.Clock, publicURL: d.PublicURL, access: settings, links: d.Links,
		assignments: d.Assignments, cases: d.Cases, tins: d.TINs, sessions: d.Sessions}
}

// ByID finds an account, or returns NotFound.
func (s *Service) ByID(ctx context.Context, id int64) (User, error) {
	return Find(ctx, s.db.Reader, id)
}

// ByName finds an account by username, ignoring case, or returns NotFound.
func (s *Service) ByName(ctx context.Context, name string) (User, error) {
	return FindByName(ctx, s.db.Reader, name)
}

// ByEmail finds the account with an email address, or returns NotFound. It ignores terminated
// accounts.
func (s *Service) ByEmail(ctx context.Context, email string) (User, error) {
	u, err := byEmailKey(ctx, s.db.Reader, text.Key(email))
	return u, orNotFound(err)
}

func orNotFound(err error) error {
	return db.IfNotFound(err, problem.New(problem.NotFound))
}

// FindActive finds an account that can sign in, by username. It returns NotFound for any other.
func (s *Service) FindActive(ctx context.Context, name string) (User, error) {
	u, err := s.ByName(ctx, name)
	if err == nil && !u.CanSignIn() {
		return User{}, problem.New(problem.NotFound)
	}
	return u, err
}

// FindMailbox returns the email address of an account that can sign in, or empty.
func (s *Service) FindMailbox(ctx context.Context, tx *sql.Tx, name string) (string, error) {
	u, err := byNameKey(ctx, tx, text.Key(name))
	if errors.Is(err, db.ErrNotFound) || err == nil && !u.CanSignIn() {
		return "", nil
	}
	return u.Email, err
}

// GetName returns the full name of a user, even if the account is terminated.
func (s *Service) GetName(ctx context.Context, id int64) (string, error) {
	u, err := s.ByID(ctx, id)
	return u.FullName(), err
}

// GetColleagueName returns the full name of a user in the group. It's empty for users of other
// groups and unknown users.
func (s *Service) GetColleagueName(ctx context.Context, name string, groupID int64) (string, error) {
	u, err := byNameKey(ctx, s.db.Reader, text.Key(name))
	if errors.Is(err, db.ErrNotFound) || err == nil && (groupID == 0 || u.GroupID != groupID) {
		return "", nil
	}
	return u.FullName(), err
}

// ActFor returns a user as the actor of a background job without mirroring, and the context for its
// audit entries. Users who no longer have the permission for the job's work are forbidden.
func (s *Service) ActFor(ctx context.Context, id int64, permission string) (context.Context, access.Actor, error) {
	u, err := byID(ctx, s.db.Reader, id)
	a := access.Actor{Person: u.Person()}
	can := !u.GroupEnded && (u.StatusCd == Active || u.StatusCd == Locked) && slices.Contains(s.access.Permissions(a), permission)
	if errors.Is(err, db.ErrNotFound) || err == nil && !can {
		err = problem.New(problem.Forbidden)
	}
	return audit.WithActor(ctx, u.UserName, "", u.GroupID), a, err
}

// FindByName does the same as ByName through a queryer: a transaction, or the writer for data
// that was just stored.
func FindByName(ctx context.Context, q db.Queryer, name string) (User, error) {
	u, err := byNameKey(ctx, q, text.Key(name))
	return u, orNotFound(err)
}

// Find does the same as ByID through a queryer.
func Find(ctx context.Context, q db.Queryer, id int64) (User, error) {
	u, err := byID(ctx, q, id)
	return u, orNotFound(err)
}

// Groups returns those of the ids that exist.
func (s *Service) Groups(ctx context.Context, ids []int64) ([]Group, error) {
	return groupsAmong(ctx, s.db.Reader, ids)
}

// IsGroupActive reports whether a group exists and is active.
func (s *Service) IsGroupActive(ctx context.Context, id int64) (bool, error) {
	found, err := s.Groups(ctx, []int64{id})
	return err == nil && len(found) == 1 && found[0].StatusCd != GroupInactive, err
}

// ListAdminEmails lists the addresses of a group's registered administrators.
func (s *Service) ListAdminEmails(ctx context.Context, tx *sql.Tx, groupID int64) ([]string, error) {
	list, err := listAdmins(ctx, tx, groupID)
	emails := make([]string, len(list))
	for i, u := range list {
		emails[i] = u.Email
	}
	return emails, err
}

// ListColleagues lists a group's users who see bills and can work, by name, up to 1,000.
func (s *Service) ListColleagues(ctx context.Context, groupID int64) ([]User, error) {
	list, err := listWorkers(ctx, s.db.Reader, groupID)
	return slices.DeleteFunc(list, func(u User) bool { return !u.CanWork() }), err
}

// LockUser reads an account and locks it until the transaction ends, or returns NotFound.
func (s *Service) LockUser(ctx context.Context, tx *sql.Tx, id int64) (User, error) {
	return Lock(ctx, tx, s.db.Dialect, id)
}

// Lock does the same as LockUser for what the service depends on.
func Lock(ctx context.Context, tx *sql.Tx, d db.Dialect, id int64) (User, error) {
	u, err := lockUser(ctx, tx, d, id)
	return u, orNotFound(err)
}

// LockGroup reads a group, or returns NotFound. Until the transaction ends, other changes of its
// accounts and TINs wait.
func (s *Service) LockGroup(ctx context.Context, tx *sql.Tx, id int64) (Group, error) {
	g, err := lockGroup(ctx, tx, s.db.Dialect, id)
	return g, orNotFound(err)
}

// NameGroup sets the name that staff use for a group. Imports don't change it anymore.
func (s *Service) NameGroup(ctx context.Context, tx *sql.Tx, group access.GroupGrant, name string) error {
	return nameGroup(ctx, tx, group, name)
}

// SetGroupStatus deactivates or reactivates a locked group with all its accounts. Their data
// stays as it is.
func (s *Service) SetGroupStatus(ctx context.Context, tx *sql.Tx, group access.GroupGrant, status GroupStatus) error {
	return setGroupStatus(ctx, tx, group, status)
}

// LockPeers serializes changes of an account's group, or of internal staff, until the
// transaction ends.
func (s *Service) LockPeers(ctx context.Context, tx *sql.Tx, u User) error {
	if u.GroupID == 0 {
		return lockStaff(ctx, tx, s.db.Dialect)
	}
	_, err := s.LockGroup(ctx, tx, u.GroupID)
	return err
}

// Add creates an account for an internal caller of the portal. If there is no username, it
// assigns the next free one. It creates a missing group for a type with its own group. It
// returns Invalid for missing or wrong values, and Conflict for an email address or username in
// use.
func (s *Service) Add(ctx context.Context, u User, by string) (User, error) {
	given, err := completeUser(u)
	if err != nil {
		return User{}, err
	}
	err = s.AddWithRetry(ctx, func(tx *sql.Tx) error {
		u = given
		if u.GroupID != 0 {
			if g, err := groupByID(ctx, tx, u.GroupID); err != nil && !errors.Is(err, db.ErrNotFound) {
				return err
			} else if err != nil || u.TypeCd.IsInternal() || g.Kind != GroupKind(u.TypeCd) {
				return problem.WithMessage(problem.Invalid, fmt.Sprintf("Group %d doesn't exist or doesn't accept account type %s.",
					u.GroupID,
					u.TypeCd))
			} else if g.StatusCd == GroupInactive {
				return problem.WithMessage(problem.Conflict, fmt.Sprintf("Group %d is inactive. Reactivate it first.", g.ID))
			}
		}
		var err error
		u, err = s.addInTx(ctx, tx, u, by)
		if err != nil {
			return err
		}
		return s.audit.Record(ctx, tx, audit.Entry{Actor: by, Operation: "user-add", Subject: u.UserName, Result: "ok"})
	})
	if db.IsUnique(err) {
		return User{}, problem.WithMessage(problem.Conflict, "An account with this email address or username already exists.")
	}
	return u, err
}

// AddWithRetry runs a function that adds accounts in one transaction. It retries if a concurrent
// transaction took the same username or group number.
func (s *Service) AddWithRetry(ctx context.Context, add func(tx *sql.Tx) error) error {
	for attempts := 1; ; attempts++ {
		err := s.db.Tx(ctx, add)
		if attempts == maxAdding || !errors.Is(err, errTaken) && !db.IsUniqueColumn(err, "groups", "id") {
			return err
		}
	}
}

// maxAdding is how many concurrent additions with similar names are supported.
const maxAdding = 100

// errTaken means that an assigned username was taken in the meantime.
var errTaken = errors.New("username already taken")

func (s *Service) addInTx(ctx context.Context, tx *sql.Tx, u User, by string) (User, error) {
	group := access.System(by).Group(u.GroupID)
	if u.GroupID == 0 && !u.TypeCd.IsInternal() {
		var err error
		if group, err = s.MakeGroup(ctx, tx, u, by); err != nil {
			return u, err
		}
	}
	return s.Insert(ctx, tx, u, group, by)
}

// MakeGroup creates the group that an account of this type needs, named after the company or the
// person, and grants it to the creator.
func (s *Service) MakeGroup(ctx context.Context, tx *sql.Tx, u User, by string) (access.GroupGrant, error) {
	name := u.CompanyName
	if name == "" {
		name = u.FirstName + " " + u.LastName
	}
	id, err := insertGroup(ctx, tx, Group{Name: text.Clean(name), Kind: GroupKind(u.TypeCd)}, db.At(s.now()), by)
	return access.System(by).Group(id), err
}

// Insert stores a new account in the granted group, or in none if the grant is empty. It returns
// the account with its id, its group and, within AddWithRetry, the next free username if it has none.
// A username or email address in use is an error that db.IsUnique reports.
func (s *Service) Insert(ctx context.Context, tx *sql.Tx, u User, group access.GroupGrant, by string) (User, error) {
	var err error
	assigned := u.UserName == ""
	if assigned {
		if u.UserName, err = findFreeName(ctx, tx, u.FirstName, u.LastName); err != nil {
			return u, err
		}
	}
	u.GroupID, u.CreatedAt = group.ID(), db.At(s.now())
	u.ID, err = insertUser(ctx, tx, u, group, u.CreatedAt, by)
	if assigned && db.IsUniqueColumn(err, "users", "user_name_key") {
		err = errors.Join(errTaken, err)
	}
	return u, err
}

// ReplaceDraft replaces a draft in the granted group or in none, or turns it into an account
// that is pending registration. It returns Conflict if the account is no longer a draft.
func (s *Service) ReplaceDraft(ctx context.Context, tx *sql.Tx, g access.UserGrant, u User, group access.GroupGrant) (User, error) {
	old, err := s.LockUser(ctx, tx, g.ID())
	if err != nil {
		return u, err
	}
	if old.StatusCd != Draft {
		return u, problem.WithMessage(problem.Conflict, "This user is no longer a draft. Search for the user again.")
	}
	u.ID, u.UserName, u.CreatedAt, u.GroupID = old.ID, old.UserName, old.CreatedAt, group.ID()
	return u, updateDraft(ctx, tx, g, u, group, db.At(s.now()))
}

// SetType changes the type of an account.
func (s *Service) SetType(ctx context.Context, tx *sql.Tx, g access.UserGrant, typ access.Type) error {
	return setType(ctx, tx, g, typ, db.At(s.now()))
}

// Terminate ends an account permanently on behalf of an administrator. It returns Conflict if
// the account has already ended.
func (s *Service) Terminate(ctx context.Context, tx *sql.Tx, g access.UserGrant, managerID int64) error {
	u, err := s.LockUser(ctx, tx, g.ID())
	if err != nil {
		return err
	}
	if !u.StatusCd.CanChangeTo(Terminated) {
		return problem.New(problem.Conflict)
	}
	return errors.Join(terminate(ctx, tx, g, managerID, db.At(s.now())), s.left(ctx, tx, u, g))
}

// moved invalidates the links to an account's old address.
func (s *Service) moved(ctx context.Context, tx *sql.Tx, g access.UserGrant, before, now string) error {
	if text.Key(before) == text.Key(now) {
		return nil
	}
	return s.links.InvalidateLinks(ctx, tx, g)
}

// left unassigns the bills or questions of an account that ended or changed its type or group.
func (s *Service) left(ctx context.Context, tx *sql.Tx, was User, g access.UserGrant) error {
	if was.TypeCd.IsInternal() {
		return s.SetStaffRole(ctx, tx, g, access.NoRole)
	}
	if was.GroupID == 0 {
		return nil
	}
	return s.assignments.RemoveLostAssignments(ctx, tx, was.GroupID, was.ID, g.By())
}

// Activate sets an account's password, allows sign-in immediately and clears its lock. It
// returns the old state of the account, or Conflict if it can't become active.
func (s *Service) Activate(ctx context.Context, tx *sql.Tx, g access.UserGrant, hash string) (User, error) {
	u, err := s.LockUser(ctx, tx, g.ID())
	if err != nil {
		return u, err
	}
	if u.StatusCd != Active && !u.StatusCd.CanChangeTo(Active) {
		return u, problem.New(problem.Conflict)
	}
	return u, errors.Join(setPassword(ctx, tx, g, hash, db.At(s.now())), s.cancelEmailChange(ctx, tx, g))
}

// ErrTerminated rejects a change of an account that has been terminated, possibly just now.
func ErrTerminated() error {
	return problem.WithMessage(problem.Conflict, "The account has been terminated.")
}

// Suspend blocks sign-in until the account's owner chooses a new password. It returns the old
// state of the account, or Conflict if it was never registered or has ended.
func (s *Service) Suspend(ctx context.Context, tx *sql.Tx, g access.UserGrant) (User, error) {
	u, err := s.LockUser(ctx, tx, g.ID())
	if err != nil {
		return u, err
	}
	if u.StatusCd == Terminated {
		return u, ErrTerminated()
	}
	if u.StatusCd != Inactive && !u.StatusCd.CanChangeTo(Inactive) {
		return u, problem.WithMessage(problem.Conflict, "You can't reset the password of a user who hasn't finished registration.")
	}
	return u, errors.Join(suspend(ctx, tx, g, db.At(s.now())), s.cancelEmailChange(ctx, tx, g))
}

// GroupKind returns the kind of group for an account type.
func GroupKind(t access.Type) string {
	switch t {
	case access.NNUS:
		return NonNetworkGroup
	case access.ROAD, access.ROUS:
		return RosterGroup
	default:
		return ProviderGroup
	}
}

// ReservedName is the literal that marks a single sign-on code in POST /authenticate. It can't
// be used as a username.
const ReservedName = "checkauth"

// Check rejects an account with missing or wrong values.
func Check(u User) error {
	_, err := completeUser(u)
	return err
}

// completeUser returns an account with normalized values, if none is missing or wrong.
func completeUser(u User) (User, error) {
	u, wrong := normalize(u)
	return u, wrong.Refuse("The account is incomplete.")
}

// normalize normalizes the values of an account from a feed or the command line, and returns the
// errors.
func normalize(u User) (User, validate.Fields) {
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

// findFreeName assigns a username, with a number if it is taken.
func findFreeName(ctx context.Context, tx *sql.Tx, first, last string) (string, error) {
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

// nameBase returns a username for a person: first initial and last name, as lowercase ASCII letters
// and digits. If the last name has none, it uses the first name. If the result would be reserved or
// too short for a search, it returns "user".
func nameBase(first, last string) string {
	first, last = toASCII(first), toASCII(last)
	base := first
	if last != "" {
		base = first[:min(len(first), 1)] + last
	}
	if base == "" || last == "" && len(base) < 3 || base == ReservedName {
		return "user"
	}
	return base
}

// latin spells out letters that don't decompose into a base letter and a mark.
var latin = strings.NewReplacer("ß", "ss", "æ", "ae", "œ", "oe", "ø", "o", "ł", "l", "đ", "d", "ð", "d", "þ", "th", "ħ", "h", "ı", "i")

func toASCII(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, norm.NFD.String(latin.Replace(strings.ToLower(s))))
}
