// Package administration is what administrators do with accounts and groups:
// search, create, keep drafts, convert, terminate, and read who did what.
package administration

import (
	"context"
	"database/sql"
	"errors"
	"log/slog"
	"slices"

	"wcpp/internal/access"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/text"
	"wcpp/internal/users"
)

// TINs are those of groups and users, changed in the transaction of the call.
type TINs interface {
	// GroupTINs lists the TINs of a group.
	GroupTINs(ctx context.Context, q db.Queryer, groupID int64) ([]string, error)
	// GivenTo lists the TINs that were given to each of several users, in ascending order;
	// who is no provider user has none.
	GivenTo(ctx context.Context, q db.Queryer, userIDs []int64) (map[int64][]string, error)
	// AddGroupTINs gives a new group TINs without proof; those of other groups are refused
	// unless they are confirmed.
	AddGroupTINs(ctx context.Context, tx *sql.Tx, group access.GroupGrant, ftins, confirmed []string) error
	// AssignTINs makes these the TINs of a user, out of the group's.
	AssignTINs(ctx context.Context, tx *sql.Tx, groupID int64, user access.UserGrant, ftins []string) error
	// Check refuses TINs that nobody may register.
	Check(ftin string) error
	// CheckNonNetwork refuses TINs that a non-network user may not have.
	CheckNonNetwork(ctx context.Context, ftin string) error
	// HoldersOf lists the groups that have a TIN, and the provider users who do.
	HoldersOf(ctx context.Context, ftin string) (groups, users []int64, err error)
}

// Registrations bring new accounts to their owners.
type Registrations interface {
	// Invite mails the registration link; the request is the account request it
	// answers, or 0.
	Invite(ctx context.Context, tx *sql.Tx, user access.UserGrant, request int64) error
	// Open has a request wait for whoever answers it until the transaction ends; NotFound
	// where there is none, Conflict where it was answered.
	Open(ctx context.Context, tx *sql.Tx, request access.RequestGrant) error
	// Close ends an account request with the account made of it; NotFound where
	// there is none, Conflict where it was answered.
	Close(ctx context.Context, tx *sql.Tx, request access.RequestGrant, userID int64) error
}

// RosterSources are the sources of rosters that roster groups have.
type RosterSources interface {
	// OfGroups lists the sources of each of the groups by name.
	OfGroups(ctx context.Context, groupIDs []int64) (map[int64][]RosterSource, error)
	// GroupsWithSource lists the groups that have a source.
	GroupsWithSource(ctx context.Context, sourceID int64) ([]int64, error)
	// GroupsWithSourceGroup lists the groups whose sources keep a provider group,
	// named by its own id or the hub's number of it.
	GroupsWithSourceGroup(ctx context.Context, groupID string) ([]int64, error)
	// Known tells whether all the sources exist.
	Known(ctx context.Context, sourceIDs []int64) (bool, error)
	// Give gives a group sources, Take takes them away.
	Give(ctx context.Context, tx *sql.Tx, group access.GroupGrant, sourceIDs []int64) error
	Take(ctx context.Context, tx *sql.Tx, group access.GroupGrant, sourceIDs []int64) error
}

// Sessions are those of people who are signed in.
type Sessions interface {
	// EndAll ends every session of a user.
	EndAll(ctx context.Context, tx *sql.Tx, user access.UserGrant) error
	// OfGroup lists who of a group is signed in.
	OfGroup(ctx context.Context, q db.Queryer, groupID int64) ([]access.Person, error)
}

// Factors are those of the second step of signing in.
type Factors interface {
	// Holders lists those of several users who have set up a factor.
	Holders(ctx context.Context, userIDs []int64) ([]int64, error)
}

// Mailings are the mails that people have asked for.
type Mailings interface {
	// OfGroup counts the addresses of a group, its own and those of its users, to
	// which such mails go.
	OfGroup(ctx context.Context, groupID int64) (int, error)
}

// Service administers accounts and groups.
type Service struct {
	db            *db.DB
	accounts      *users.Service
	tins          TINs
	registrations Registrations
	sources       RosterSources
	sessions      Sessions
	factors       Factors
	mailings      Mailings
	audit         *audit.Log
	log           *slog.Logger
}

// NewService makes the service over the accounts.
func NewService(d *db.DB, accounts *users.Service, tins TINs, registrations Registrations, sources RosterSources, sessions Sessions, factors Factors, mailings Mailings, entries *audit.Log, log *slog.Logger) *Service {
	return &Service{db: d, accounts: accounts, tins: tins, registrations: registrations, sources: sources, sessions: sessions, factors: factors, mailings: mailings, audit: entries, log: log}
}

// What can be done with a user, as the menus of their rows name it.
const (
	actEdit       = "Edit Profile"
	actTINs       = "Manage TINs"
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
	mostUsersOf   = 1000 // of a group
	mostFound     = 1000 // by a search
	mostHistory   = 200
	noOtherAdmin  = 600
	oneTerminated = 1
)

// managedActions are what Manage Users offers for a user: to a group's
// administrator and to system administrators; to everyone else nothing, whoever
// they mirror.
func managedActions(a access.Actor, u users.User) []string {
	if a.Person.Type == access.IRAD || !a.Reach().ManagesUser(u.Person()) {
		return []string{}
	}
	return slices.DeleteFunc(actions(a, u, access.PRAD, access.PRUS), func(action string) bool {
		return slices.Contains([]string{actMirror, actViewTINs, actRosters, actContinue, actDelete}, action)
	})
}

// searchActions are what User Search offers for a user.
func searchActions(a access.Actor, u users.User) []string { return actions(a, u, access.NNUS) }

// actions are what can be done with a user by type and state. The TINs are
// managed of users of the types named.
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
			{actEdit, all}, {actTINs, managed}, {actViewTINs, both},
			{actToAdmin, []access.Type{access.PRUS}}, {actToUser, []access.Type{access.PRAD}},
			{actRosters, []access.Type{access.ROAD, access.ROUS}}, {actReset, all}, {actTerminate, all},
		}
		if u.MaySignIn() {
			rules = append([]rule{{actMirror, []access.Type{access.PRUS, access.PRAD, access.NNUS}}}, rules...)
		}
	case users.New:
		rules = []rule{{actResend, all}, {actEdit, all}, {actTINs, managed}, {actViewTINs, both}, {actTerminate, all}}
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
		case u.GroupEnded && slices.Contains([]string{actReset, actResend}, r.action): // nobody of the group is mailed
		case own && slices.Contains([]string{actToAdmin, actToUser, actReset, actTerminate}, r.action):
		default:
			actions = append(actions, r.action)
		}
	}
	return actions
}

// ConvertToAdmin makes a provider administrator of a provider user, who has all
// TINs of the group from then on.
func (s *Service) ConvertToAdmin(ctx context.Context, a access.Actor, requester, name string) error {
	return s.administer(ctx, a, requester, name, "user-convert-to-admin", func(tx *sql.Tx, g access.UserGrant, u users.User) error {
		if u.TypeCd != access.PRUS || !convertible(u) {
			return problem.Say(problem.Conflict, "You can convert only a registered provider user to a provider administrator.")
		}
		if err := a.MustBeProven(); err != nil {
			return err
		}
		if err := s.tins.AssignTINs(ctx, tx, u.GroupID, g, nil); err != nil {
			return err
		}
		return s.accounts.SetType(ctx, tx, g, access.PRAD)
	})
}

// ConvertToUser makes a provider user of a provider administrator, with the
// TINs the group has. It answers ErrLastAdmin for the group's last one.
func (s *Service) ConvertToUser(ctx context.Context, a access.Actor, requester, name string) error {
	return s.administer(ctx, a, requester, name, "user-convert-to-user", func(tx *sql.Tx, g access.UserGrant, u users.User) error {
		if u.TypeCd != access.PRAD || !convertible(u) {
			return problem.Say(problem.Conflict, "You can convert only a registered provider administrator to a provider user.")
		}
		if err := keepsAdmin(ctx, tx, u); err != nil {
			return err
		}
		if err := a.MustBeProven(); err != nil {
			return err
		}
		tins, err := s.tins.GroupTINs(ctx, tx, u.GroupID)
		if err != nil {
			return err
		}
		if err := s.accounts.SetType(ctx, tx, g, access.PRUS); err != nil {
			return err
		}
		return s.tins.AssignTINs(ctx, tx, u.GroupID, g, tins)
	})
}

func convertible(u users.User) bool {
	return slices.Contains([]users.Status{users.Active, users.Locked, users.Inactive, users.Deactivated}, u.StatusCd)
}

// Terminate ends an account for good, with its sessions. It answers
// ErrLastAdmin for the last administrator of a group.
func (s *Service) Terminate(ctx context.Context, a access.Actor, requester, name string) error {
	return s.administer(ctx, a, requester, name, "user-terminate", func(tx *sql.Tx, g access.UserGrant, u users.User) error {
		if u.StatusCd == users.Terminated {
			return nil // asked for twice
		}
		if err := keepsAdmin(ctx, tx, u); err != nil {
			return err
		}
		if u.TypeCd.Administers() {
			if err := a.MustBeProven(); err != nil {
				return err
			}
		}
		if err := s.accounts.Terminate(ctx, tx, g, a.Person.ID); err != nil {
			return err
		}
		return s.sessions.EndAll(ctx, tx, g)
	})
}

// unreviewed ends accounts whom nobody confirmed in an access review, by the rule of
// the network.
const unreviewed = access.System("access-review")

// EndUnreviewed ends the account of a provider user, as Terminate does; one of another
// type, or that has ended meanwhile, it leaves as it is.
func (s *Service) EndUnreviewed(ctx context.Context, userID int64) error {
	return s.db.Tx(ctx, func(tx *sql.Tx) error {
		grant := unreviewed.User(userID)
		u, err := users.Find(ctx, tx, userID)
		if err != nil {
			return err
		}
		if err := s.accounts.LockPeers(ctx, tx, u); err != nil {
			return err
		}
		if u, err = s.accounts.LockUser(ctx, tx, userID); err != nil || u.TypeCd != access.PRUS || u.StatusCd == users.Terminated {
			return err
		}
		if err := s.accounts.Terminate(ctx, tx, grant, 0); err != nil {
			return err
		}
		if err := s.sessions.EndAll(ctx, tx, grant); err != nil {
			return err
		}
		return s.audit.Record(ctx, tx, audit.Entry{Actor: grant.By(), Operation: "user-terminate", Subject: u.UserName, Result: "ok", Detail: "removed in the access review"})
	})
}

// Unbind takes the person of the outside provider off an account and ends its
// sessions: whoever signs in next is bound anew.
func (s *Service) Unbind(ctx context.Context, a access.Actor, name string) error {
	return s.administer(ctx, a, "", name, "sso-unbind", func(tx *sql.Tx, g access.UserGrant, _ users.User) error {
		if err := a.MustBeProven(); err != nil {
			return err
		}
		if err := s.accounts.UnbindSubject(ctx, tx, g); err != nil {
			return err
		}
		return s.sessions.EndAll(ctx, tx, g)
	})
}

// ErrLastAdmin refuses what would leave a group without an administrator.
var ErrLastAdmin = errors.New("last administrator of the group")

// keepsAdmin answers ErrLastAdmin where the group, or the portal for system
// administrators, has no registered administrator beside the user. Their peers
// are locked by then.
func keepsAdmin(ctx context.Context, tx *sql.Tx, u users.User) error {
	if !slices.Contains([]access.Type{access.PRAD, access.ROAD, access.ISAD}, u.TypeCd) || u.StatusCd == users.New || u.StatusCd == users.Draft {
		return nil
	}
	n, err := otherAdmins(ctx, tx, u.GroupID, u.TypeCd, u.ID)
	if err == nil && n == 0 {
		err = ErrLastAdmin
	}
	return err
}

// administer changes one user whom the actor administers: the group's row, or
// those of internal staff, are locked first, so that changes of its
// administrators and TINs wait for each other.
func (s *Service) administer(ctx context.Context, a access.Actor, requester, name string, operation audit.Operation, do func(*sql.Tx, access.UserGrant, users.User) error) error {
	if err := a.Named(requester); err != nil {
		return err
	}
	err := s.db.Tx(ctx, func(tx *sql.Tx) error {
		found, err := users.FindByName(ctx, tx, name)
		if errors.Is(err, db.ErrNotFound) {
			return problem.New(problem.NotFound)
		}
		if err != nil {
			return err
		}
		grant, err := a.Reach().ManageUser(found.Person())
		if err != nil {
			return err
		}
		if found.ID == a.Person.ID {
			return problem.Say(problem.Invalid, "You can't do this with your own account.")
		}
		if err := s.accounts.LockPeers(ctx, tx, found); err != nil {
			return err
		}
		u, err := s.accounts.LockUser(ctx, tx, grant.ID())
		if err != nil {
			return err
		}
		if u.StatusCd == users.Terminated && operation != "user-terminate" { // which may be asked for twice
			return users.ErrTerminated()
		}
		if err := do(tx, grant, u); err != nil {
			return err
		}
		return s.audit.Record(ctx, tx, audit.Entry{Operation: operation, Subject: u.UserName, Result: "ok"})
	})
	if errors.Is(err, ErrLastAdmin) {
		if unwritten := s.audit.Now(ctx, audit.Entry{Operation: operation, Subject: text.Key(name), Result: "last-admin"}); unwritten != nil {
			return unwritten
		}
	}
	return err
}

// HistoryEntry is something that was done to a user or in the user's name.
type HistoryEntry struct {
	At        db.Instant
	Actor     string
	Operation string
	Result    string
}

// historyOperations are what an access history tells, with the words for it.
var historyOperations = map[string]string{
	"mirror-start": "Started mirroring this user", "mirror-stop": "Stopped mirroring this user",
	"user-add": "Account created", "user-create": "Account created", "user-draft": "Draft saved", "user-update": "Profile changed",
	"user-backfill": "Profile completed", "user-convert-to-admin": "Converted to Provider Admin",
	"user-convert-to-user": "Converted to Provider User", "user-terminate": "Account terminated", "user-tins": "TINs changed",
	"password-reset": "Password reset by an administrator", "registration-resend": "Registration email resent",
	"registration-complete": "Registration completed", "reset-complete": "Password reset completed", "password-change": "Password changed",
	"account-locked": "Account locked", "email-confirm": "New email address confirmed",
	"sso-bind": "Sign-in linked", "sso-unbind": "Sign-in unlinked by an administrator",
	"factor-add": "Passkey or authenticator app added", "factor-remove": "Passkey or authenticator app removed",
	"recovery-codes": "New recovery codes created", "recovery-code": "Recovery code used", "session-end": "Signed out of another session",
	"factor-reset-start": "Two-step verification reset started", "factor-reset": "Two-step verification reset",
}

// History lists who acted as a user or changed the account, the newest first,
// at most 200 entries; for the administrators of the user.
func (s *Service) History(ctx context.Context, a access.Actor, name string) ([]HistoryEntry, error) {
	u, _, err := s.accounts.Managed(ctx, a, name, 0)
	if err != nil {
		return nil, err
	}
	entries, err := s.audit.About(ctx, u.UserName, operationsOf(historyOperations), mostHistory)
	if err != nil {
		return nil, err
	}
	list := make([]HistoryEntry, len(entries))
	for i, e := range entries {
		list[i] = HistoryEntry{At: e.At, Actor: e.Actor, Operation: historyOperations[string(e.Operation)], Result: e.Result}
	}
	return list, nil
}

func operationsOf(words map[string]string) []string {
	var list []string
	for operation := range words {
		list = append(list, operation)
	}
	slices.Sort(list)
	return list
}

// TypesFor lists the account types that the actor may create.
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
