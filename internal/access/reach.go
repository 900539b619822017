package access

import (
	"context"
	"fmt"
	"slices"

	"wcpp/internal/platform/problem"
)

// extent is how many people or groups something reaches.
type extent int

const (
	nobody   extent = iota
	ownGroup        // the own group; of people its provider users and administrators
	anyone
)

// reaches is whom an account type reaches beside the own account: whose account
// and TINs, and which groups, it sees and manages, whether the directory answers
// it for TINs that are not its own, whose account requests it answers, of which
// roster hub sources it gives more than one group, for which groups it objects to
// the sharing of TINs, and about whose sharings it decides.
var reaches = map[Type]struct {
	seesUsers, managesUsers   extent
	seesGroups, managesGroups extent
	seesTINs, answersRequests extent
	givesSources              extent
	seesAudit                 extent // entries of the audit log, by the users in them
	objects, decidesSharings  extent
}{
	PRUS: {seesGroups: ownGroup},
	PRAD: {seesUsers: ownGroup, managesUsers: ownGroup, seesGroups: ownGroup, managesGroups: ownGroup, seesAudit: ownGroup, objects: ownGroup},
	NNUS: {seesGroups: ownGroup, objects: ownGroup},
	ROAD: {seesGroups: ownGroup, managesGroups: ownGroup},
	ROUS: {seesGroups: ownGroup},
	IRAD: {seesUsers: anyone, seesGroups: anyone, seesTINs: anyone},
	ISAD: {seesUsers: anyone, managesUsers: anyone, seesGroups: anyone, managesGroups: anyone, seesTINs: anyone, answersRequests: anyone, givesSources: anyone, seesAudit: anyone, decidesSharings: anyone},
}

// OutOfReach is why something is answered as what does not exist. Each is audited.
type OutOfReach struct{ Subject string }

func (*OutOfReach) Error() string { return "out of reach" }

// Refuse answers what is out of reach as what does not exist: NotFound. The subject
// (a TIN, a user name, a group) is for the audit log alone.
func Refuse(subject string) error {
	return problem.New(problem.NotFound).Because(&OutOfReach{subject})
}

// RefuseGroup refuses a group that is out of reach.
func RefuseGroup(id int64) error { return Refuse(fmt.Sprintf("group %d", id)) }

// Reach is whom and what an actor may see and change by an id or a name that a
// call carries. Whether the actor may make the call at all, the policy decides
// before. What is out of reach is answered as what does not exist: NotFound.
type Reach struct {
	acting Person
	by     string
}

// Reach is the reach of the person whose rights count: the mirrored one while
// mirroring.
func (a Actor) Reach() Reach { return Reach{acting: a.Acting(), by: a.Person.UserName} }

// user tells whether the extent takes in the other's account.
func (r Reach) user(e extent, other Person) bool {
	return e == anyone || e == ownGroup && r.acting.GroupID != 0 && other.GroupID == r.acting.GroupID && slices.Contains([]Type{PRAD, PRUS}, other.Type)
}

func (r Reach) group(e extent, id int64) bool {
	return e == anyone || e == ownGroup && id != 0 && id == r.acting.GroupID
}

// SeesUser tells whether the actor may read the other's details and TINs.
func (r Reach) SeesUser(other Person) bool {
	return other.ID == r.acting.ID || r.user(reaches[r.acting.Type].seesUsers, other)
}

// ManagesUser tells whether the actor administers the other's account.
func (r Reach) ManagesUser(other Person) bool {
	return r.user(reaches[r.acting.Type].managesUsers, other)
}

// SeesGroup tells whether the actor may read what a group has.
func (r Reach) SeesGroup(id int64) bool { return r.group(reaches[r.acting.Type].seesGroups, id) }

// ManagesGroup tells whether the actor may change what a group has.
func (r Reach) ManagesGroup(id int64) bool { return r.group(reaches[r.acting.Type].managesGroups, id) }

// SeesTIN tells whether the directory (providers, clients, rates) answers the
// actor for a TIN: one in scope, or any for internal staff. Bills never ask this:
// they are read in scope only.
func (r Reach) SeesTIN(scope Scope, ftin string) bool { return r.SeesAllTINs() || scope.Has(ftin) }

// RequireTIN refuses a TIN that the directory does not answer the actor for, as one
// that does not exist.
func RequireTIN(ctx context.Context, scopes interface {
	Scope(ctx context.Context, a Actor) (Scope, error)
}, a Actor, ftin string) error {
	scope, err := scopes.Scope(ctx, a)
	if err == nil && !a.Reach().SeesTIN(scope, ftin) {
		err = Refuse(ftin)
	}
	return err
}

// SharesSources tells whether the actor may give a roster group a source that
// another group has.
func (r Reach) SharesSources() bool { return reaches[r.acting.Type].givesSources == anyone }

// SeesAllTINs tells whether the directory answers the actor for every TIN, so
// that no scope need be looked for.
func (r Reach) SeesAllTINs() bool { return reaches[r.acting.Type].seesTINs == anyone }

// AuditGroup is the group whose entries of the audit log the actor may read: 0 is
// every entry.
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

// Objector grants objections to the sharing of TINs in the name of the own group.
func (r Reach) Objector() (GroupGrant, error) {
	id := r.acting.GroupID
	if !r.group(reaches[r.acting.Type].objects, id) {
		return GroupGrant{}, RefuseGroup(id)
	}
	return GroupGrant{id, r.by}, nil
}

// DecidesSharings tells whether the actor decides which groups share a TIN: what
// such an actor gives a group waits for nobody's review.
func (r Reach) DecidesSharings() bool { return reaches[r.acting.Type].decidesSharings == anyone }

// UserGrant is leave to change one account. Functions that change accounts take
// it in place of an id, so that none of them can be called with an id that
// nobody has checked. Only a Reach makes it, or System.
type UserGrant struct {
	id int64
	by string
}

// ID is the account's id.
func (g UserGrant) ID() int64 { return g.id }

// By is the user name, or the part of the portal, that makes the change.
func (g UserGrant) By() string { return g.by }

// GroupGrant is leave to change what one group has, as UserGrant is for an
// account.
type GroupGrant struct {
	id int64
	by string
}

// ID is the group's id.
func (g GroupGrant) ID() int64 { return g.id }

// By is the user name, or the part of the portal, that makes the change.
func (g GroupGrant) By() string { return g.by }

// ManageUser grants the administration of an account in reach.
func (r Reach) ManageUser(other Person) (UserGrant, error) {
	return r.grant(other, r.ManagesUser(other))
}

// EditUser grants the change of a profile: one's own, or that of an account
// that the actor administers.
func (r Reach) EditUser(other Person) (UserGrant, error) {
	return r.grant(other, other.ID == r.acting.ID || r.ManagesUser(other))
}

// RequestGrant is leave to answer one account request, as UserGrant is for an
// account. Only a Reach makes it.
type RequestGrant struct {
	id int64
	by string
}

// ID is the request's id.
func (g RequestGrant) ID() int64 { return g.id }

// By is the user name of who answers.
func (g RequestGrant) By() string { return g.by }

// AnswerRequest grants the reading and answering of an account request. Requests
// are of nobody's group.
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

// ManageGroup grants changes of what a group in reach has.
func (r Reach) ManageGroup(id int64) (GroupGrant, error) {
	if !r.ManagesGroup(id) {
		return GroupGrant{}, RefuseGroup(id)
	}
	return GroupGrant{id, r.by}, nil
}

// System is a part of the portal that changes accounts and groups with nobody's
// reach: the command line, feeds, signing in, links that prove their owner, and
// what is made in the very transaction. Its text is written down as who made the
// change. A test lists every file that uses it.
type System string

// User grants the change of any account.
func (s System) User(id int64) UserGrant { return UserGrant{id, string(s)} }

// Group grants the change of any group.
func (s System) Group(id int64) GroupGrant { return GroupGrant{id, string(s)} }
