package tins

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"wcpp/internal/identity/access"
	"wcpp/internal/identity/users"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/text"
	"wcpp/internal/platform/validate"
)

// Kind is the kind of a bulk change.
type Kind string

// The kinds.
const (
	Give Kind = "give" // in addition to existing ones
	Take Kind = "take"
	Set  Kind = "set" // replaces existing ones
)

// Change is a bulk change of users' TINs.
type Change struct {
	Kind      Kind
	FTINs     []string
	UserNames []string
}

// Limits of a bulk change.
const (
	maxUsers   = 500
	maxChanged = 500 // TINs
	// Time limit. Users not processed by then are reported as left.
	changesFor = time.Minute
)

// State is the result of a bulk change for one user.
type State string

// The states.
const (
	Done    State = "done"
	Nothing State = "nothing" // no change needed
	Refused State = "refused"
	Left    State = "left" // not attempted, or failed on our side: repeat the request to continue
)

// Outcome is the actual or expected result for one user.
type Outcome struct {
	UserName  string // as requested
	FirstName string // empty if the user is out of reach
	LastName  string
	State     State
	Gains     []string // in ascending order, like Loses
	Loses     []string
	Reason    string // for Refused and Left
}

const (
	sayNobody     = "Unknown account, or you don't manage it."
	sayTerminated = "This account is terminated."
	sayDraft      = "This account is a draft. Continue its registration first."
	sayAdmin      = "A provider administrator has all of the group's TINs."
	sayNoTINs     = "You can assign TINs only to provider users and non-network users."
	sayAll        = "You cannot remove all TINs."
	sayLast       = "Cannot delete the last record"
	sayInUse      = "This TIN was approved, so it's in use now. To stop using it, remove it from the list."
	sayLeft       = "Not processed yet. Submit again to continue. Completed changes are kept."
)

// clean removes duplicate users and TINs, sorts the TINs, and validates the change.
func (c Change) clean() (Change, error) {
	var wrong validate.Fields
	wrong.Require(slices.Contains([]Kind{Give, Take, Set}, c.Kind), "change", "Select an action.")
	wrong.Require(len(c.UserNames) > 0 && len(c.UserNames) <= maxUsers, "userNames", "Choose 1 to 500 users.")
	for i, ftin := range c.FTINs {
		c.FTINs[i] = text.TIN(ftin)
		if !validate.TIN(c.FTINs[i]) {
			wrong.Require(false, "ftins", fmt.Sprintf("Entry %d isn't a Tax ID Number (TIN). Enter 9 digits.", i+1))
			break
		}
	}
	wrong.Require(len(c.FTINs) > 0 && len(c.FTINs) <= maxChanged, "ftins", "Enter 1 to 500 TINs.")
	c.FTINs = slices.Compact(slices.Sorted(slices.Values(c.FTINs)))
	named := map[string]bool{}
	c.UserNames = slices.DeleteFunc(slices.Clone(c.UserNames), func(name string) bool {
		key := text.Key(name)
		defer func() { named[key] = true }()
		return named[key]
	})
	return c, wrong.Refuse("The change is incomplete.")
}

// bulkChange is a bulk change in progress, with cached data about groups and TINs.
type bulkChange struct {
	*Service
	Change
	actor  access.Actor
	wanted map[string]error // why a non-network user can't have a TIN; nil if they can
}

// PreviewBulk returns the expected results, in the order of the given users.
func (s *Service) PreviewBulk(ctx context.Context, a access.Actor, c Change) ([]Outcome, error) {
	c, err := c.clean()
	if err != nil {
		return nil, err
	}
	m, list := &bulkChange{s, c, a, map[string]error{}}, make([]Outcome, len(c.UserNames))
	for i, name := range c.UserNames {
		who, grant, err := m.find(ctx, s.db.Reader, name)
		var planned Outcome
		if err == nil {
			err = m.check(ctx, who)
		}
		if err == nil {
			planned, err = m.plan(ctx, s.db.Reader, who, grant)
		}
		if list[i], err = m.outcome(ctx, name, who, planned, err); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// ChangeBulk adds or removes TINs of many users under the rules for a single user. Each user has
// a separate transaction and result. An error stops the change. Completed users stay changed,
// and repeating the request does the rest.
func (s *Service) ChangeBulk(ctx context.Context, a access.Actor, c Change) ([]Outcome, error) {
	c, err := c.clean()
	if err != nil {
		return nil, err
	}
	m, list := &bulkChange{s, c, a, map[string]error{}}, make([]Outcome, len(c.UserNames))
	if err := m.requireProof(ctx); err != nil {
		return nil, err
	}
	begun, failed := time.Now(), false
	for i, name := range c.UserNames {
		if failed || time.Since(begun) > changesFor {
			list[i] = Outcome{UserName: name, State: Left, Reason: sayLeft}
			continue
		}
		if list[i], err = m.changeUser(ctx, name); err != nil {
			s.log.ErrorContext(ctx, "a change of many users was interrupted", "done", i, "of", len(list), "error", err)
			failed = true
		}
	}
	return list, nil
}

// requireProof requires a recent sign-in before adding TINs to a non-network user, as for a
// single user. It protects against stolen sessions.
func (m *bulkChange) requireProof(ctx context.Context) error {
	for _, name := range m.UserNames {
		who, _, err := m.find(ctx, m.db.Reader, name)
		var refused *problem.Error
		if err != nil && !errors.As(err, &refused) {
			return err
		}
		if err == nil && who.TypeCd == access.NNUS && m.Kind != Take {
			return m.actor.RequireProof()
		}
	}
	return nil
}

// changeUser changes one user. It returns only internal errors, and the user then counts as
// Left.
func (m *bulkChange) changeUser(ctx context.Context, name string) (Outcome, error) {
	found, _, err := m.find(ctx, m.db.Reader, name)
	if err == nil {
		err = m.check(ctx, found)
	}
	var planned Outcome
	if err == nil {
		err = m.db.Tx(ctx, func(tx *sql.Tx) error {
			who, grant, err := m.users.LockManaged(ctx, tx, m.actor, found)
			if err == nil {
				err = checkCanChange(who)
			}
			if err == nil {
				planned, err = m.plan(ctx, tx, who, grant)
			}
			if err != nil || len(planned.Gains)+len(planned.Loses) == 0 {
				return err
			}
			if who.TypeCd == access.NNUS {
				return m.changeGroupTINs(ctx, tx, who, planned)
			}
			return m.changeUserTINs(ctx, tx, who, grant, planned)
		})
	}
	return m.outcome(ctx, name, found, planned, err)
}

// find finds one of the users, within the actor's reach and in a state where TINs can be
// changed.
func (m *bulkChange) find(ctx context.Context, q db.Queryer, name string) (users.User, access.UserGrant, error) {
	who, err := users.FindByName(ctx, q, name)
	if err != nil {
		return users.User{}, access.UserGrant{}, err
	}
	grant, err := m.actor.Reach().ManageUser(who.Person())
	if err != nil {
		return users.User{}, grant, err
	}
	return who, grant, checkCanChange(who)
}

// checkCanChange rejects account types without individual TINs.
func checkCanChange(who users.User) error {
	switch {
	case who.StatusCd == users.Terminated:
		return problem.WithMessage(problem.Conflict, sayTerminated)
	case who.StatusCd == users.Draft:
		return problem.WithMessage(problem.Conflict, sayDraft)
	case who.TypeCd == access.PRAD:
		return problem.WithMessage(problem.Conflict, sayAdmin)
	case who.TypeCd != access.PRUS && who.TypeCd != access.NNUS:
		return problem.WithMessage(problem.Conflict, sayNoTINs)
	default:
		return nil
	}
}

// check rejects TINs that a non-network user can't have.
func (m *bulkChange) check(ctx context.Context, who users.User) error {
	if who.TypeCd != access.NNUS || m.Kind == Take {
		return nil
	}
	for _, ftin := range m.FTINs {
		err, known := m.wanted[ftin]
		if !known {
			if err = m.CheckNonNetwork(ctx, ftin); err != nil && !problem.Is(err, problem.Invalid) {
				return err
			}
			m.wanted[ftin] = err
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// plan calculates what a user would gain and lose, or why no change is allowed.
func (m *bulkChange) plan(ctx context.Context, q db.Queryer, who users.User, grant access.UserGrant) (Outcome, error) {
	var o Outcome
	owned, err := groupTINs(ctx, q, who.GroupID)
	if err != nil {
		return o, err
	}
	has, last := owned, sayLast
	if who.TypeCd == access.PRUS {
		last = sayAll
		if has, err = userTINs(ctx, q, grant.ID()); err != nil {
			return o, err
		}
		if foreign := subtract(m.FTINs, owned); len(foreign) > 0 && m.Kind != Take {
			return o, problem.WithMessage(problem.Invalid, "The user's group doesn't have "+joinTINs(foreign)+".")
		}
	}
	switch m.Kind {
	case Give:
		o.Gains = subtract(m.FTINs, has)
	case Take:
		o.Loses = subtract(has, subtract(has, m.FTINs))
	case Set:
		o.Gains, o.Loses = subtract(m.FTINs, has), subtract(has, m.FTINs)
	}
	if len(o.Loses) > 0 && len(o.Loses) == len(has)+len(o.Gains) {
		return Outcome{}, problem.WithMessage(problem.Conflict, last)
	}
	return o, nil
}

// subtract returns the items of a list that aren't in the other, sorted list.
func subtract(list, other []string) []string {
	var rest []string
	for _, ftin := range list {
		if _, found := slices.BinarySearch(other, ftin); !found {
			rest = append(rest, ftin)
		}
	}
	return rest
}

// joinTINs names the first few of many TINs.
func joinTINs(ftins []string) string {
	const most = 5
	if len(ftins) > most {
		return fmt.Sprintf("%s and %d more of these TINs", strings.Join(ftins[:most], ", "), len(ftins)-most)
	}
	return strings.Join(ftins, ", ")
}

// changeUserTINs changes a provider user's TINs. Their group is locked.
func (m *bulkChange) changeUserTINs(ctx context.Context, tx *sql.Tx, who users.User, grant access.UserGrant, o Outcome) error {
	if err := errors.Join(
		giveUserTINs(ctx, tx, who.GroupID, grant, o.Gains, db.At(m.now())),
		takeUserTINs(ctx, tx, grant, o.Loses),
	); err != nil {
		return err
	}
	if len(o.Loses) > 0 {
		if err := m.assignments.RemoveLostAssignments(ctx, tx, who.GroupID, who.ID, grant.By()); err != nil {
			return err
		}
	}
	return m.audit.Record(ctx, tx, audit.Entry{Operation: "user-tins", Subject: who.UserName, Result: "ok"})
}

// changeGroupTINs changes the TINs of a non-network user's group, which is locked. It sends one email
// for all of them.
func (m *bulkChange) changeGroupTINs(ctx context.Context, tx *sql.Tx, who users.User, o Outcome) error {
	grant, err := m.actor.Reach().ManageGroup(who.GroupID)
	if err != nil {
		return err
	}
	for _, ftin := range o.Gains {
		waits, err := m.addGroupTIN(ctx, tx, grant, ftin, Proof{}, m.actor.Reach().DecidesSharings())
		if err != nil {
			return err
		}
		if err := m.auditChange(ctx, tx, "tin-add", who.GroupID, ftin, auditResult(waits)); err != nil {
			return err
		}
	}
	if len(o.Gains) > 0 {
		if err := m.mailTo(ctx, tx, getAddedEmail(kindNonNetwork, false), who.GroupID); err != nil {
			return err
		}
	}
	for _, ftin := range o.Loses {
		if err := m.remove(ctx, tx, grant, kindNonNetwork, ftin); err != nil {
			return err
		}
	}
	return nil
}

// outcome converts a plan or an error to one user's result. An attempt to change a user out of
// reach is audited, as everywhere. It returns only internal errors.
func (m *bulkChange) outcome(ctx context.Context, name string, who users.User, o Outcome, err error) (Outcome, error) {
	o.UserName, o.FirstName, o.LastName, o.State = name, who.FirstName, who.LastName, Nothing
	if err == nil {
		if len(o.Gains)+len(o.Loses) > 0 {
			o.State = Done
		}
		return o, nil
	}
	o.Gains, o.Loses = nil, nil
	var out *access.OutOfReach
	if errors.As(err, &out) {
		if unwritten := m.audit.RecordNow(ctx, audit.Entry{Operation: "user-tins", Subject: out.Subject, Result: "refused"}); unwritten !=
			nil {
			err = unwritten
		}
	}
	var e *problem.Error
	var refused *RefusedTIN
	switch {
	case errors.As(err, &refused):
		o.State, o.Reason = Refused, refused.MessageWithTIN()
	case !errors.As(err, &e) || e.Kind == problem.Internal:
		o.State, o.Reason = Left, sayLeft
		return o, err
	case e.Kind == problem.NotFound:
		o.State, o.Reason = Refused, sayNobody
	default:
		o.State, o.Reason = Refused, e.Message
	}
	return o, nil
}
