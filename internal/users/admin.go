package users

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"strings"
	"time"

	"wcpp/internal/access"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/text"
)

// Others are the other areas' parts in making, changing and ending accounts,
// each done in the transaction it is called with.
type Others interface {
	// GroupTINs lists the TINs of a group.
	GroupTINs(ctx context.Context, q db.Queryer, groupID int64) ([]string, error)
	// AddGroupTINs gives a group TINs without proof.
	AddGroupTINs(ctx context.Context, tx *sql.Tx, groupID int64, ftins []string, by string) error
	// AssignTINs makes these the TINs of a user, out of the group's.
	AssignTINs(ctx context.Context, tx *sql.Tx, groupID, userID int64, ftins []string, by string) error
	// CheckTIN refuses TINs that nobody may register.
	CheckTIN(ctx context.Context, ftin string) error
	// CheckNonNetworkTIN refuses TINs that a non-network user may not have.
	CheckNonNetworkTIN(ctx context.Context, ftin string) error
	// HoldersOf lists the groups that have a TIN, and the provider users who do.
	HoldersOf(ctx context.Context, ftin string) (groups, users []int64, err error)
	// Invite mails the registration link; the request is the account request it
	// answers, or 0.
	Invite(ctx context.Context, tx *sql.Tx, userID, request int64, by string) error
	// CloseRequest ends an account request with the account made of it.
	CloseRequest(ctx context.Context, tx *sql.Tx, request, userID int64, by string) error
	// RosterSourcesOf lists the roster sources of each of the groups by name.
	RosterSourcesOf(ctx context.Context, groupIDs []int64) (map[int64][]RosterSource, error)
	// GroupsWithSource lists the groups that have a roster source.
	GroupsWithSource(ctx context.Context, sourceID int64) ([]int64, error)
	// GroupsWithSourceGroup lists the groups whose sources keep a provider group.
	GroupsWithSourceGroup(ctx context.Context, sourceGroupID int64) ([]int64, error)
	// KnowsRosterSources tells whether all the sources exist.
	KnowsRosterSources(ctx context.Context, sourceIDs []int64) (bool, error)
	// AddRosterSources gives a group roster sources.
	AddRosterSources(ctx context.Context, tx *sql.Tx, groupID int64, sourceIDs []int64, by string) error
	// EndSessions ends every session of a user.
	EndSessions(ctx context.Context, tx *sql.Tx, userID int64) error
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
// administrator and to system administrators; to everyone else nothing.
func managedActions(a access.Actor, u User) []string {
	if !manages(a.Acting(), u) {
		return []string{}
	}
	return slices.DeleteFunc(actions(a, u, access.PRAD, access.PRUS), func(action string) bool {
		return slices.Contains([]string{actMirror, actViewTINs, actRosters, actContinue}, action)
	})
}

// searchActions are what User Search offers for a user.
func searchActions(a access.Actor, u User) []string { return actions(a, u, access.NNUS) }

// actions are what can be done with a user by type and state. The TINs are
// managed of users of the types named.
func actions(a access.Actor, u User, managed ...access.Type) []string {
	type rule struct {
		action string
		types  []access.Type
	}
	all := access.Types
	both := []access.Type{access.PRAD, access.PRUS}
	var rules []rule
	switch u.StatusCd {
	case Active, Locked, Inactive, Deactivated:
		rules = []rule{
			{actEdit, all}, {actTINs, managed}, {actViewTINs, both},
			{actToAdmin, []access.Type{access.PRUS}}, {actToUser, []access.Type{access.PRAD}},
			{actRosters, []access.Type{access.ROAD, access.ROUS}}, {actReset, all}, {actTerminate, all},
		}
		if u.StatusCd == Active {
			rules = append([]rule{{actMirror, []access.Type{access.PRUS, access.PRAD, access.NNUS}}}, rules...)
		}
	case New:
		rules = []rule{{actResend, all}, {actEdit, all}, {actTerminate, all}}
	case Draft:
		rules = []rule{{actContinue, all}}
	case Terminated:
		rules = []rule{{actViewTINs, both}}
	}
	acting := a.Acting()
	own := acting.ID == u.ID
	actions := []string{}
	for _, r := range rules {
		switch {
		case !slices.Contains(r.types, u.TypeCd):
		case acting.Type == access.IRAD && r.action != actMirror && r.action != actViewTINs:
		case own && slices.Contains([]string{actToAdmin, actToUser, actReset, actTerminate}, r.action):
		default:
			actions = append(actions, r.action)
		}
	}
	return actions
}

// OfGroup lists the users of a group for Manage Users, by first name, at most a
// thousand; more tells that there are others. Internal staff may ask for any
// group, provider users for their own.
func (s *Service) OfGroup(ctx context.Context, a access.Actor, groupID int64, acting string) (list []User, more bool, err error) {
	if err := a.Named(acting); err != nil {
		return nil, false, err
	}
	if groupID == 0 {
		return nil, false, nil
	}
	if !a.Acting().Type.Internal() && groupID != a.Acting().GroupID {
		return nil, false, problem.New(problem.NotFound)
	}
	list, err = usersOfGroup(ctx, s.db.Reader, groupID, mostUsersOf+1)
	return list[:min(len(list), mostUsersOf)], len(list) > mostUsersOf, err
}

// ConvertToAdmin makes a provider administrator of a provider user, who has all
// TINs of the group from then on.
func (s *Service) ConvertToAdmin(ctx context.Context, a access.Actor, requester, name string) error {
	return s.administer(ctx, a, requester, name, "user-convert-to-admin", func(tx *sql.Tx, u User) error {
		if u.TypeCd != access.PRUS || !convertible(u) {
			return problem.Say(problem.Conflict, "Only a registered provider user can be converted to a provider administrator.")
		}
		if err := s.others.AssignTINs(ctx, tx, u.GroupID, u.ID, nil, a.Person.UserName); err != nil {
			return err
		}
		return setType(ctx, tx, u.ID, access.PRAD, db.At(s.now()), a.Person.UserName)
	})
}

// ConvertToUser makes a provider user of a provider administrator, with the
// TINs the group has. It answers ErrLastAdmin for the group's last one.
func (s *Service) ConvertToUser(ctx context.Context, a access.Actor, requester, name string) error {
	return s.administer(ctx, a, requester, name, "user-convert-to-user", func(tx *sql.Tx, u User) error {
		if u.TypeCd != access.PRAD || !convertible(u) {
			return problem.Say(problem.Conflict, "Only a registered provider administrator can be converted to a provider user.")
		}
		if last, err := s.lastAdmin(ctx, tx, u); last || err != nil {
			return orLast(err)
		}
		tins, err := s.others.GroupTINs(ctx, tx, u.GroupID)
		if err != nil {
			return err
		}
		if err := setType(ctx, tx, u.ID, access.PRUS, db.At(s.now()), a.Person.UserName); err != nil {
			return err
		}
		return s.others.AssignTINs(ctx, tx, u.GroupID, u.ID, tins, a.Person.UserName)
	})
}

func convertible(u User) bool {
	return slices.Contains([]Status{Active, Locked, Inactive, Deactivated}, u.StatusCd)
}

// Terminate ends an account for good, with its sessions. It answers
// ErrLastAdmin for the last administrator of a group.
func (s *Service) Terminate(ctx context.Context, a access.Actor, requester, name string) error {
	return s.administer(ctx, a, requester, name, "user-terminate", func(tx *sql.Tx, u User) error {
		if u.StatusCd == Terminated {
			return nil // asked for twice
		}
		if !u.StatusCd.May(Terminated) {
			return problem.New(problem.Conflict)
		}
		if last, err := s.lastAdmin(ctx, tx, u); last || err != nil {
			return orLast(err)
		}
		if err := terminate(ctx, tx, u.ID, db.At(s.now()), a.Person.UserName); err != nil {
			return err
		}
		return s.others.EndSessions(ctx, tx, u.ID)
	})
}

// ErrLastAdmin refuses what would leave a group without an administrator.
var ErrLastAdmin = errors.New("the last administrator of the group")

func orLast(err error) error {
	if err != nil {
		return err
	}
	return ErrLastAdmin
}

// lastAdmin tells whether the group, or the portal for system administrators,
// has no other registered administrator. The group's row is locked by then.
func (s *Service) lastAdmin(ctx context.Context, tx *sql.Tx, u User) (bool, error) {
	if u.TypeCd != access.PRAD && u.TypeCd != access.ISAD || u.StatusCd == New || u.StatusCd == Draft {
		return false, nil
	}
	n, err := otherAdmins(ctx, tx, u.GroupID, u.TypeCd, u.ID)
	return n == 0, err
}

// administer changes one user whom the actor administers: the group's row is
// locked first, so that changes of its administrators and TINs wait for each
// other.
func (s *Service) administer(ctx context.Context, a access.Actor, requester, name, operation string, do func(*sql.Tx, User) error) error {
	if err := a.Named(requester); err != nil {
		return err
	}
	err := s.db.Tx(ctx, func(tx *sql.Tx) error {
		found, err := byNameKey(ctx, tx, text.Key(name))
		if errors.Is(err, db.ErrNotFound) || err == nil && !manages(a.Acting(), found) {
			return problem.New(problem.NotFound)
		}
		if err != nil {
			return err
		}
		if found.ID == a.Person.ID {
			return problem.Say(problem.Invalid, "This cannot be done with your own account.")
		}
		if err := s.LockGroup(ctx, tx, found.GroupID); err != nil {
			return err
		}
		u, err := s.Locked(ctx, tx, found.ID)
		if err != nil {
			return err
		}
		if err := do(tx, u); err != nil {
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

// LockGroup makes changes of one group wait for each other. Group 0 stands for
// internal staff, who have none.
func (s *Service) LockGroup(ctx context.Context, tx *sql.Tx, id int64) error {
	_, err := lockGroup(ctx, tx, s.db.Dialect, id)
	return err
}

// GroupKind locks a group and answers its kind: PROVIDER, NONNETWORK or ROSTER.
func (s *Service) GroupKind(ctx context.Context, tx *sql.Tx, id int64) (string, error) {
	g, err := lockGroup(ctx, tx, s.db.Dialect, id)
	if err == nil && g.ID == 0 {
		err = problem.New(problem.NotFound)
	}
	return g.Kind, err
}

// AdminsOf lists the registered administrators of a group.
func (s *Service) AdminsOf(ctx context.Context, tx *sql.Tx, groupID int64) ([]User, error) {
	return adminsOf(ctx, tx, groupID)
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
	"mirror-start": "Started acting as this user", "mirror-stop": "Stopped acting as this user",
	"user-add": "Account created", "user-create": "Account created", "user-draft": "Draft saved", "user-update": "Profile changed",
	"user-backfill": "Profile completed", "user-convert-to-admin": "Converted to Provider Admin",
	"user-convert-to-user": "Converted to Provider User", "user-terminate": "Account terminated", "user-tins": "TINs changed",
	"password-reset": "Password reset by an administrator", "registration-resend": "Registration mail sent again",
	"registration-complete": "Registration finished", "reset-complete": "Password chosen anew", "password-change": "Password changed",
	"account-locked": "Account locked",
}

// History lists who acted as a user or changed the account, the newest first,
// at most 200 entries; for the administrators of the user.
func (s *Service) History(ctx context.Context, a access.Actor, name string) ([]HistoryEntry, error) {
	u, err := s.Managed(ctx, a, name, 0)
	if err != nil {
		return nil, err
	}
	entries, err := s.audit.About(ctx, u.UserName, operationsOf(historyOperations), mostHistory)
	if err != nil {
		return nil, err
	}
	list := make([]HistoryEntry, len(entries))
	for i, e := range entries {
		list[i] = HistoryEntry{At: e.At, Actor: e.Actor, Operation: historyOperations[e.Operation], Result: e.Result}
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

// EmailExists tells whether an account has the address.
func (s *Service) EmailExists(ctx context.Context, email string) (bool, error) {
	_, err := byEmailKey(ctx, s.db.Reader, text.Key(email))
	if errors.Is(err, db.ErrNotFound) {
		return false, nil
	}
	return err == nil, err
}

// Search is what User Search and the search for recipients ask for: one
// criterion, and the account type beside it.
type Search struct {
	Type      access.Type // may narrow any criterion
	UserName  string      // its beginning, from 3 characters on
	Email     string      // the whole address; with a leading * any part of it, from 3 characters on
	FTIN      string
	GroupID   int64
	IDs       []int64
	UserNames []string // whole names
	Status    Status
}

// Find lists the users of a search in the order of their user names, at most a
// thousand; more tells that there are others.
func (s *Service) Find(ctx context.Context, a access.Actor, q Search) (list []User, more bool, err error) {
	q.UserName, q.Email = text.Clean(q.UserName), text.Clean(q.Email)
	given := 0
	for _, set := range []bool{q.UserName != "", q.Email != "", q.FTIN != "", q.GroupID != 0, len(q.IDs) > 0, len(q.UserNames) > 0, q.Status != ""} {
		if set {
			given++
		}
	}
	if given != 1 {
		return nil, false, problem.Say(problem.Invalid, "Error: Enter Username or Email Address or Tax ID Number (TIN) or Group ID")
	}
	list, err = s.find(ctx, q)
	if err != nil {
		return nil, false, err
	}
	s.audit.Later(ctx, audit.Entry{Operation: "user-search", Result: "ok"})
	return list[:min(len(list), mostFound)], len(list) > mostFound, nil
}

func (s *Service) find(ctx context.Context, q Search) ([]User, error) {
	const limit = mostFound + 1
	r := s.db.Reader
	switch {
	case q.UserName != "":
		if len([]rune(q.UserName)) < 3 {
			return nil, problem.Say(problem.Invalid, "Error: Enter a minimum of 3 characters in username field")
		}
		return usersByNamePrefix(ctx, r, text.Key(q.UserName), q.Type, limit)
	case q.Email != "":
		part, anywhere := strings.CutPrefix(q.Email, "*")
		if !anywhere {
			return usersByEmail(ctx, r, text.Key(part), q.Type, limit)
		}
		if part = strings.Trim(part, "*"); len([]rune(part)) < 3 {
			return nil, problem.Say(problem.Invalid, "Enter at least 3 characters after the * of a partial email address.")
		}
		return usersByEmailPart(ctx, r, text.Key(part), q.Type, limit)
	case q.FTIN != "":
		groups, holders, err := s.others.HoldersOf(ctx, q.FTIN)
		if err != nil {
			return nil, err
		}
		return usersHolding(ctx, r, groups, holders, q.Type, limit)
	case q.GroupID != 0:
		return usersInGroup(ctx, r, q.GroupID, q.Type, limit)
	case len(q.IDs) > 0:
		return usersByIDs(ctx, r, q.IDs, q.Type, limit)
	case len(q.UserNames) > 0:
		keys := make([]string, len(q.UserNames))
		for i, name := range q.UserNames {
			keys[i] = text.Key(name)
		}
		return usersByNames(ctx, r, keys, q.Type, limit)
	default:
		return usersByStatus(ctx, r, q.Status, q.Type, limit)
	}
}

func day(i db.Instant) string {
	if i.IsZero() {
		return ""
	}
	return i.Format(time.RFC3339)
}
