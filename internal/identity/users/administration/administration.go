// Package administration lets administrators manage accounts and groups: search, create, save
// drafts, convert, terminate, and view the access history.
package administration

import (
	"context"
	"database/sql"
	"errors"
	"log/slog"
	"slices"

	"wcpp/internal/identity/access"
	"wcpp/internal/identity/users"
	"wcpp/internal/platform"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/text"
)

// TINs manages the TINs of groups and users in the caller's transaction.
type TINs interface {
	// GroupTINs lists the TINs of a group.
	GroupTINs(ctx context.Context, q db.Queryer, groupID int64) ([]string, error)
	// ListByUsers lists the TINs assigned to each of several users, in ascending order. Only
	// provider users have any.
	ListByUsers(ctx context.Context, q db.Queryer, userIDs []int64) (map[int64][]string, error)
	// AddGroupTINs adds TINs without proof to a new group. TINs of other groups must be
	// confirmed.
	AddGroupTINs(ctx context.Context, tx *sql.Tx, group access.GroupGrant, ftins, confirmed []string) error
	// AssignTINs replaces a user's TINs. All must belong to the group.
	AssignTINs(ctx context.Context, tx *sql.Tx, groupID int64, user access.UserGrant, ftins []string) error
	// CheckRestricted rejects restricted TINs.
	CheckRestricted(ftin string) error
	// CheckNonNetwork rejects TINs that a non-network user can't have.
	CheckNonNetwork(ctx context.Context, ftin string) error
	// FindHolders lists the groups with a TIN, and the provider users to whom it was assigned.
	FindHolders(ctx context.Context, ftin string) (groups, users []int64, err error)
}

// Registrations invites the owners of new accounts.
type Registrations interface {
	// Invite emails the registration link. The request is the account request it completes, or
	// 0.
	Invite(ctx context.Context, tx *sql.Tx, user access.UserGrant, request int64) error
	// LockRequest locks an account request until the transaction ends. It returns NotFound if there is
	// none and Conflict if it was already decided.
	LockRequest(ctx context.Context, tx *sql.Tx, request access.RequestGrant) error
	// CloseRequest closes an account request with the account created from it. It returns NotFound if
	// there is none and Conflict if it was already decided.
	CloseRequest(ctx context.Context, tx *sql.Tx, request access.RequestGrant, userID int64) error
}

// RosterSources manages the roster sources of groups.
type RosterSources interface {
	// ListByGroup lists each group's sources by name.
	ListByGroup(ctx context.Context, groupIDs []int64) (map[int64][]RosterSource, error)
	// GroupsWithSource lists the groups with a source.
	GroupsWithSource(ctx context.Context, sourceID int64) ([]int64, error)
	// GroupsWithSourceGroup lists the groups whose sources have a provider group, given by its
	// own id or the hub's id.
	GroupsWithSourceGroup(ctx context.Context, groupID string) ([]int64, error)
	// AllExist reports whether all the sources exist.
	AllExist(ctx context.Context, sourceIDs []int64) (bool, error)
	// AddSources adds sources to a group, and RemoveSources removes them.
	AddSources(ctx context.Context, tx *sql.Tx, group access.GroupGrant, sourceIDs []int64) error
	RemoveSources(ctx context.Context, tx *sql.Tx, group access.GroupGrant, sourceIDs []int64) error
}

// Sessions manages sign-in sessions.
type Sessions interface {
	// EndAll ends every session of a user.
	EndAll(ctx context.Context, tx *sql.Tx, user access.UserGrant) error
	// ListByGroup lists a group's signed-in users.
	ListByGroup(ctx context.Context, q db.Queryer, groupID int64) ([]access.Person, error)
}

// Reviews are the access reviews of groups.
type Reviews interface {
	// KeepConverted records that a converted user keeps access, if a review asks for it.
	KeepConverted(ctx context.Context, tx *sql.Tx, u users.User, by string) error
}

// Factors finds users with second factors.
type Factors interface {
	// ListHolders returns the users who have set up a factor.
	ListHolders(ctx context.Context, userIDs []int64) ([]int64, error)
}

// Mailings counts subscriptions to bill updates.
type Mailings interface {
	// CountRecipients counts the addresses of a group and its users that receive such emails.
	CountRecipients(ctx context.Context, groupID int64) (int, error)
}

// Service manages accounts and groups for administrators.
type Service struct {
	db            *db.DB
	accounts      *users.Service
	tins          TINs
	registrations Registrations
	sources       RosterSources
	sessions      Sessions
	reviews       Reviews
	factors       Factors
	mailings      Mailings
	audit         *audit.Log
	log           *slog.Logger
}

// Deps are what the service needs.
type Deps struct {
	platform.Kit
	Accounts      *users.Service
	TINs          TINs
	Registrations Registrations
	Sources       RosterSources
	Sessions      Sessions
	Reviews       Reviews
	Factors       Factors
	Mailings      Mailings
}

// NewService creates the service.
func NewService(d Deps) *Service {
	platform.Require(d)
	return &Service{db: d.DB, accounts: d.Accounts, tins: d.TINs, registrations: d.Registrations, sources: d.Sources, sessions: d.Sessions,
		reviews: d.Reviews, factors: d.Factors, mailings: d.Mailings, audit: d.Audit, log: d.Log}
}

// Actions on a user, as in the row menus.
const (
	actEdit       = "Edit Profile"
	actionTINs    = "Manage TINs"
	actToAdmin    = "Convert to Provider Admin"
	actToUser     = "Convert to Provider User"
	actTerminate  = "Terminate"
	actReset      = "Reset Password"
	actResend     = "Resend Registration"
	actDelete     = "Delete Draft"
	actMirror     = "Mirror"
	actViewTINs   = "View TINs"
	actRosters    = "Manage Roster Hub Sources"
	actContinue   = "Continue Registration"
	maxGroupUsers = 1000 // in a group
	maxFound      = 1000 // in a search
	maxHistory    = 200
	noOtherAdmin  = 600
	oneTerminated = 1
)

// managedActions returns the actions in Manage Users. Only system administrators and the group's
// administrators have any, even while mirroring.
func managedActions(a access.Actor, u users.User) []string {
	if a.Person.Type == access.IRAD || !a.Reach().ManagesUser(u.Person()) {
		return []string{}
	}
	return slices.DeleteFunc(actions(a, u, access.PRAD, access.PRUS), func(action string) bool {
		return slices.Contains([]string{actMirror, actViewTINs, actRosters, actContinue, actDelete}, action)
	})
}

// searchActions returns the actions in User Search.
func searchActions(a access.Actor, u users.User) []string { return actions(a, u, access.NNUS) }

// actions returns the actions available for a user's type and status. Managing TINs is available
// for the given types.
func actions(a access.Actor, u users.User, managed ...access.Type) []string {
	type rule struct {
		action string
		types  []access.Type
	}
	all := access.Types
	both := []access.Type{access.PRAD, access.PRUS}
	var rules []rule
	switch u.StatusCd {
	case users.Active, users.Locked, users.Inactive, users.Deactivated:
		rules = []rule{
			{actEdit, all}, {actionTINs, managed}, {actViewTINs, both},
			{actToAdmin, []access.Type{access.PRUS}}, {actToUser, []access.Type{access.PRAD}},
			{actRosters, []access.Type{access.ROAD, access.ROUS}}, {actReset, all}, {actTerminate, all},
		}
		if u.CanSignIn() {
			rules = append([]rule{{actMirror, []access.Type{access.PRUS, access.PRAD, access.NNUS}}}, rules...)
		}
	case users.New:
		rules = []rule{{actResend, all}, {actEdit, all}, {actionTINs, managed}, {actViewTINs, both}, {actTerminate, all}}
	case users.Draft:
		rules = []rule{{actContinue, all}, {actDelete, all}}
	case users.Terminated:
		rules = []rule{{actViewTINs, both}}
	}
	acting := a.Acting()
	own := acting.ID == u.ID
	actions := []string{}
	for _, r := range rules {
		switch {
		case !slices.Contains(r.types, u.TypeCd):
		case acting.Type == access.IRAD && r.action != actMirror && r.action != actViewTINs:
		case u.GroupEnded && slices.Contains([]string{actReset, actResend}, r.action): // an inactive group gets no emails
		case own && slices.Contains([]string{actToAdmin, actToUser, actReset, actTerminate}, r.action):
		default:
			actions = append(actions, r.action)
		}
	}
	return actions
}

// ConvertToAdmin turns a provider user into a provider administrator, who then has all TINs of
// the group.
func (s *Service) ConvertToAdmin(ctx context.Context, a access.Actor, requester, name string) error {
	return s.administer(ctx, a, requester, name, "user-convert-to-admin", func(tx *sql.Tx, g access.UserGrant, u users.User) error {
		if u.TypeCd != access.PRUS || !isConvertible(u) {
			return problem.WithMessage(problem.Conflict, "You can convert only a registered provider user to a provider administrator.")
		}
		if err := a.RequireProof(); err != nil {
			return err
		}
		if err := s.tins.AssignTINs(ctx, tx, u.GroupID, g, nil); err != nil {
			return err
		}
		return s.accounts.SetType(ctx, tx, g, access.PRAD)
	})
}

// ConvertToUser turns a provider administrator into a provider user with the group's TINs. It
// returns ErrLastAdmin for the group's last administrator.
func (s *Service) ConvertToUser(ctx context.Context, a access.Actor, requester, name string) error {
	return s.administer(ctx, a, requester, name, "user-convert-to-user", func(tx *sql.Tx, g access.UserGrant, u users.User) error {
		if u.TypeCd != access.PRAD || !isConvertible(u) {
			return problem.WithMessage(problem.Conflict, "You can convert only a registered provider administrator to a provider user.")
		}
		if err := checkKeepsAdmin(ctx, tx, u); err != nil {
			return err
		}
		if err := a.RequireProof(); err != nil {
			return err
		}
		tins, err := s.tins.GroupTINs(ctx, tx, u.GroupID)
		if err != nil {
			return err
		}
		if err := s.accounts.SetType(ctx, tx, g, access.PRUS); err != nil {
			return err
		}
		if err := s.tins.AssignTINs(ctx, tx, u.GroupID, g, tins); err != nil {
			return err
		}
		return s.reviews.KeepConverted(ctx, tx, u, a.Person.UserName)
	})
}

func isConvertible(u users.User) bool {
	return slices.Contains([]users.Status{users.Active, users.Locked, users.Inactive, users.Deactivated}, u.StatusCd)
}

// Terminate ends an account and its sessions permanently. It returns ErrLastAdmin for the
// group's last administrator.
func (s *Service) Terminate(ctx context.Context, a access.Actor, requester, name string) error {
	return s.administer(ctx, a, requester, name, "user-terminate", func(tx *sql.Tx, g access.UserGrant, u users.User) error {
		if u.StatusCd == users.Terminated {
			return nil // already terminated
		}
		if err := checkKeepsAdmin(ctx, tx, u); err != nil {
			return err
		}
		if u.TypeCd.IsAdministrator() {
			if err := a.RequireProof(); err != nil {
				return err
			}
		}
		if err := s.accounts.Terminate(ctx, tx, g, a.Person.ID); err != nil {
			return err
		}
		return s.sessions.EndAll(ctx, tx, g)
	})
}

// unreviewed grants ending accounts that weren't confirmed in an access review, if the network
// has that rule.
const unreviewed = access.System("access-review")

// EndUnreviewed terminates a provider user's account if isDue, called in the same transaction, is true.
// It does nothing if the account has another type or has already ended, or if its group is inactive.
func (s *Service) EndUnreviewed(ctx context.Context, userID int64, isDue func(tx *sql.Tx) (bool, error)) error {
	return s.db.Tx(ctx, func(tx *sql.Tx) error {
		if due, err := isDue(tx); err != nil || !due {
			return err
		}
		grant := unreviewed.User(userID)
		u, err := users.Find(ctx, tx, userID)
		if err != nil {
			return err
		}
		if err := s.accounts.LockPeers(ctx, tx, u); err != nil {
			return err
		}
		u, err = s.accounts.LockUser(ctx, tx, userID)
		if err != nil || u.GroupEnded || u.TypeCd != access.PRUS || u.StatusCd == users.Terminated {
			return err
		}
		if err := s.accounts.Terminate(ctx, tx, grant, 0); err != nil {
			return err
		}
		if err := s.sessions.EndAll(ctx, tx, grant); err != nil {
			return err
		}
		return s.audit.Record(ctx, tx, audit.Entry{Actor: grant.By(), Operation: "user-terminate", Subject: u.UserName, Result: "ok",
			Detail: "removed in the access review"})
	})
}

// Unbind removes an account's SSO identity and ends its sessions. The next sign-in links it
// again.
func (s *Service) Unbind(ctx context.Context, a access.Actor, name string) error {
	return s.administer(ctx, a, "", name, "sso-unbind", func(tx *sql.Tx, g access.UserGrant, _ users.User) error {
		if err := a.RequireProof(); err != nil {
			return err
		}
		if err := s.accounts.UnbindSubject(ctx, tx, g); err != nil {
			return err
		}
		return s.sessions.EndAll(ctx, tx, g)
	})
}

// ErrLastAdmin rejects a change that would leave a group without an administrator.
var ErrLastAdmin = errors.New("last administrator of the group")

// checkKeepsAdmin returns ErrLastAdmin if the user is the group's last registered administrator, or
// the portal's last system administrator. The caller must have locked the user's peers.
func checkKeepsAdmin(ctx context.Context, tx *sql.Tx, u users.User) error {
	if !slices.Contains([]access.Type{access.PRAD, access.ROAD, access.ISAD}, u.TypeCd) || u.StatusCd == users.New ||
		u.StatusCd == users.Draft {
		return nil
	}
	n, err := otherAdmins(ctx, tx, u.GroupID, u.TypeCd, u.ID)
	if err == nil && n == 0 {
		err = ErrLastAdmin
	}
	return err
}

// administer changes a user whom the actor manages. It first locks the group, or the accounts of
// internal staff, to serialize changes of administrators and TINs.
func (s *Service) administer(ctx context.Context, a access.Actor, requester, name string, operation audit.Operation,
	do func(*sql.Tx, access.UserGrant, users.User) error) error {
	if err := a.CheckName(requester); err != nil {
		return err
	}
	err := s.db.Tx(ctx, func(tx *sql.Tx) error {
		found, err := users.FindByName(ctx, tx, name)
		if err != nil {
			return err
		}
		if _, err := a.Reach().ManageUser(found.Person()); err != nil {
			return err
		}
		if found.ID == a.Person.ID {
			return problem.WithMessage(problem.Invalid, "You can't do this with your own account.")
		}
		u, grant, err := s.accounts.LockManaged(ctx, tx, a, found)
		if err != nil {
			return err
		}
		if u.StatusCd == users.Terminated && operation != "user-terminate" { // terminating twice is allowed
			return users.ErrTerminated()
		}
		if err := do(tx, grant, u); err != nil {
			return err
		}
		return s.audit.Record(ctx, tx, audit.Entry{Operation: operation, Subject: u.UserName, Result: "ok"})
	})
	if errors.Is(err, ErrLastAdmin) {
		if unwritten := s.audit.RecordNow(ctx, audit.Entry{Operation: operation, Subject: text.Key(name),
			Result: "last-admin"}); unwritten !=
			nil {
			return unwritten
		}
	}
	return err
}

// HistoryEntry is an action on a user's account or on the user's behalf.
type HistoryEntry struct {
	At        db.Instant
	Actor     string
	Operation string
	Result    string
}

// historyOperations are the operations in an access history, with their display names.
var historyOperations = map[string]string{
	"mirror-start": "Started mirroring this user", "mirror-stop": "Stopped mirroring this user",
	"user-add": "Account created", "user-create": "Account created", "user-draft": "Draft saved", "user-update": "Profile changed",
	"user-backfill": "Profile completed", "user-convert-to-admin": "Converted to Provider Admin",
	"user-convert-to-user": "Converted to Provider User", "user-staff-role": "Staff role changed",
	"user-terminate": "Account terminated", "user-tins": "TINs changed",
	"password-reset": "Password reset by an administrator", "registration-resend": "Registration email resent",
	"registration-link": "Registration link printed", "registration-complete": "Registration completed",
	"reset-complete": "Password reset completed", "password-change": "Password changed",
	"account-locked": "Account locked", "email-confirm": "New email address confirmed", "email-cancel": "Change of email address canceled",
	"sso-bind": "Sign-in linked", "sso-unbind": "Sign-in unlinked by an administrator",
	"factor-add": "Passkey or authenticator app added", "factor-remove": "Passkey or authenticator app removed",
	"recovery-codes": "New recovery codes created", "recovery-code": "Recovery code used", "session-end": "Signed out of another session",
	"factor-reset-start": "Two-step verification reset started", "factor-reset": "Two-step verification reset",
}

// History lists who acted as a user or changed the account, newest first, up to 200 entries.
// Only the user's administrators can see it.
func (s *Service) History(ctx context.Context, a access.Actor, name string) ([]HistoryEntry, error) {
	u, err := s.accounts.FindManaged(ctx, a, name, 0)
	if err != nil {
		return nil, err
	}
	entries, err := s.audit.ListAbout(ctx, u.UserName, listOperations(historyOperations), maxHistory)
	if err != nil {
		return nil, err
	}
	list := make([]HistoryEntry, len(entries))
	for i, e := range entries {
		list[i] = HistoryEntry{At: e.At, Actor: e.Actor, Operation: historyOperations[string(e.Operation)], Result: e.Result}
	}
	return list, nil
}

func listOperations(words map[string]string) []string {
	var list []string
	for operation := range words {
		list = append(list, operation)
	}
	slices.Sort(list)
	return list
}

// TypesFor lists the account types that the actor can create.
func TypesFor(t access.Type) []access.Type {
	switch t {
	case access.ISAD:
		return []access.Type{access.PRAD, access.PRUS, access.NNUS, access.IRAD, access.ISAD, access.ROAD, access.ROUS}
	case access.PRAD:
		return []access.Type{access.PRAD, access.PRUS}
	default:
		return nil
	}
}
