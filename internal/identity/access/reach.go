package access

import (
	"context"
	"fmt"
	"slices"

	"wcpp/internal/platform/problem"
)

// extent is the range of people or groups that a right covers.
type extent int

const (
	nobody   extent = iota
	ownGroup        // the actor's group; for people, its provider users and administrators
	anyone
)

// reaches defines what each account type can access beyond its own account:
// - users and groups it can see or manage
// - whether the directory returns results for TINs other than its own
// - account requests it can answer
// - whether it can assign a roster hub source to more than one group
// - groups for which it can object to TIN sharing
// - whether it approves TIN sharing
var reaches = map[Type]struct {
	seesUsers, managesUsers   extent
	seesGroups, managesGroups extent
	seesTINs, answersRequests extent
	givesSources              extent
	seesAudit                 extent // audit log entries, by the users in them
	objects, decidesSharings  extent
}{
	PRUS: {seesGroups: ownGroup},
	PRAD: {seesUsers: ownGroup, managesUsers: ownGroup, seesGroups: ownGroup, managesGroups: ownGroup, seesAudit: ownGroup,
		objects: ownGroup},
	NNUS: {seesGroups: ownGroup, objects: ownGroup},
	ROAD: {seesGroups: ownGroup, managesGroups: ownGroup},
	ROUS: {seesGroups: ownGroup},
	IRAD: {seesUsers: anyone, seesGroups: anyone, seesTINs: anyone},
	ISAD: {seesUsers: anyone, managesUsers: anyone, seesGroups: anyone, managesGroups: anyone, seesTINs: anyone, answersRequests: anyone,
		givesSources: anyone, seesAudit: anyone, decidesSharings: anyone},
}

// OutOfReach is the cause of an access error. Each one is audited with its subject.
type OutOfReach struct{ Subject string }

func (*OutOfReach) Error() string { return "out of reach" }

// Refuse returns NotFound for something out of reach. The subject (a TIN, username or group)
// appears only in the audit log.
func Refuse(subject string) error {
	return problem.New(problem.NotFound).WithCause(&OutOfReach{subject})
}

// RefuseGroup rejects a group that's out of reach.
func RefuseGroup(id int64) error { return Refuse(fmt.Sprintf("group %d", id)) }

// maxNamed is how many characters of a refused name are audited. No username is longer.
const maxNamed = 50

// RefuseName returns Forbidden for a request that names someone other than the actor.
func RefuseName(name string) error {
	typed := []rune(name)
	return problem.New(problem.Forbidden).WithCause(&OutOfReach{string(typed[:min(len(typed), maxNamed)])})
}

// RefuseID does the same as RefuseName for a user's ID.
func RefuseID(id int64) error { return RefuseName(fmt.Sprintf("user %d", id)) }

// Reach defines which users and groups an actor may see and change when a request has their ID
// or name. The policy decides beforehand whether the actor may make the request at all. Anything
// out of reach returns NotFound.
type Reach struct {
	acting Person
	by     string
}

// Reach returns the reach of the acting person, which is the mirrored one while mirroring.
func (a Actor) Reach() Reach { return Reach{acting: a.Acting(), by: a.Person.UserName} }

// includesUser reports whether the extent includes the other account.
func (r Reach) includesUser(e extent, other Person) bool {
	return e == anyone || e == ownGroup && r.acting.GroupID != 0 && other.GroupID == r.acting.GroupID &&
		slices.Contains([]Type{PRAD, PRUS}, other.Type)
}

func (r Reach) includesGroup(e extent, id int64) bool {
	return e == anyone || e == ownGroup && id != 0 && id == r.acting.GroupID
}

// SeesUser reports whether the actor may read the other user's details and TINs.
func (r Reach) SeesUser(other Person) bool {
	return other.ID == r.acting.ID || r.includesUser(reaches[r.acting.Type].seesUsers, other)
}

// ManagesUser reports whether the actor may administer the other account.
func (r Reach) ManagesUser(other Person) bool {
	return r.includesUser(reaches[r.acting.Type].managesUsers, other)
}

// SeesGroup reports whether the actor may read a group's data.
func (r Reach) SeesGroup(id int64) bool {
	return r.includesGroup(reaches[r.acting.Type].seesGroups, id)
}

// ManagesGroup reports whether the actor may change a group's data.
func (r Reach) ManagesGroup(id int64) bool {
	return r.includesGroup(reaches[r.acting.Type].managesGroups, id)
}

// SeesTIN reports whether the actor may look up a TIN in the directory (providers, clients,
// rates): one in scope, or any for internal staff. Bills don't use it because they're always
// limited to the scope.
func (r Reach) SeesTIN(scope Scope, ftin string) bool { return r.SeesAllTINs() || scope.Has(ftin) }

// RequireTIN returns NotFound for a TIN that the actor may not look up in the directory.
func RequireTIN(ctx context.Context, scopes interface {
	Scope(ctx context.Context, a Actor) (Scope, error)
}, a Actor, ftin string) error {
	scope, err := scopes.Scope(ctx, a)
	if err == nil && !a.Reach().SeesTIN(scope, ftin) {
		err = Refuse(ftin)
	}
	return err
}

// RequireTINs returns withheld if the actor's scope lacks one of the TINs.
func RequireTINs(ctx context.Context, scopes interface {
	Scope(ctx context.Context, a Actor) (Scope, error)
}, a Actor, tins []string, withheld error) error {
	scope, err := scopes.Scope(ctx, a)
	if err == nil && !scope.HasAll(tins) {
		err = withheld
	}
	return err
}

// SharesSources reports whether the actor may assign a roster source that another group already
// has.
func (r Reach) SharesSources() bool { return reaches[r.acting.Type].givesSources == anyone }

// SeesAllTINs reports whether the actor may look up every TIN in the directory, so that no scope
// is needed.
func (r Reach) SeesAllTINs() bool { return reaches[r.acting.Type].seesTINs == anyone }

// AuditGroup returns the group whose audit log entries the actor may read. 0 means all entries.
func (r Reach) AuditGroup() (int64, error) {
	switch e := reaches[r.acting.Type].seesAudit; {
	case e == anyone:
		return 0, nil
	case e == ownGroup && r.acting.GroupID != 0:
		return r.acting.GroupID, nil
	default:
		return 0, Refuse("audit log")
	}
}

// ObjectionGrant returns a grant to object to TIN sharing for the actor's group.
func (r Reach) ObjectionGrant() (GroupGrant, error) {
	id := r.acting.GroupID
	if !r.includesGroup(reaches[r.acting.Type].objects, id) {
		return GroupGrant{}, RefuseGroup(id)
	}
	return GroupGrant{id, r.by}, nil
}

// DecidesSharings reports whether the actor approves TIN sharing between groups. Sharing that
// such an actor sets up skips the review.
func (r Reach) DecidesSharings() bool { return reaches[r.acting.Type].decidesSharings == anyone }

// UserGrant permits changes to one account. Functions that change accounts require it instead of
// an ID, so that callers can't pass an unchecked ID. Only Reach and System create it.
type UserGrant struct {
	id int64
	by string
}

// ID returns the account's ID.
func (g UserGrant) ID() int64 { return g.id }

// By returns the username or portal component that makes the change.
func (g UserGrant) By() string { return g.by }

// GroupGrant permits changes to one group's data, as UserGrant does for an account.
type GroupGrant struct {
	id int64
	by string
}

// ID returns the group's ID.
func (g GroupGrant) ID() int64 { return g.id }

// By returns the username or portal component that makes the change.
func (g GroupGrant) By() string { return g.by }

// ManageUser returns a grant to administer an account in reach.
func (r Reach) ManageUser(other Person) (UserGrant, error) {
	return r.grant(other, r.ManagesUser(other))
}

// EditUser returns a grant to change a profile: the actor's own or one the actor administers.
func (r Reach) EditUser(other Person) (UserGrant, error) {
	return r.grant(other, other.ID == r.acting.ID || r.ManagesUser(other))
}

// RequestGrant permits answering one account request, as UserGrant does for an account. Only
// Reach creates it.
type RequestGrant struct {
	id int64
	by string
}

// ID returns the request's ID.
func (g RequestGrant) ID() int64 { return g.id }

// By returns the username of the person who answers.
func (g RequestGrant) By() string { return g.by }

// AnswerRequest returns a grant to read and answer an account request. Requests don't belong to
// a group.
func (r Reach) AnswerRequest(id int64) (RequestGrant, error) {
	if reaches[r.acting.Type].answersRequests != anyone {
		return RequestGrant{}, problem.New(problem.NotFound)
	}
	return RequestGrant{id, r.by}, nil
}

func (r Reach) grant(other Person, reached bool) (UserGrant, error) {
	if !reached {
		return UserGrant{}, Refuse(other.UserName)
	}
	return UserGrant{other.ID, r.by}, nil
}

// ManageGroup returns a grant to change a group in reach.
func (r Reach) ManageGroup(id int64) (GroupGrant, error) {
	if !r.ManagesGroup(id) {
		return GroupGrant{}, RefuseGroup(id)
	}
	return GroupGrant{id, r.by}, nil
}

// System is a portal component that changes accounts and groups without an actor's reach: the
// command line, feeds, sign-in, links that prove their owner, and changes within the same
// transaction. Its text is recorded as the author. A test lists every file that uses it.
type System string

// User returns a grant to change any account.
func (s System) User(id int64) UserGrant { return UserGrant{id, string(s)} }

// Group returns a grant to change any group.
func (s System) Group(id int64) GroupGrant { return GroupGrant{id, string(s)} }
