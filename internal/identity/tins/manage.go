package tins

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"wcpp/internal/identity/access"
	"wcpp/internal/identity/users"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/ratelimit"
	"wcpp/internal/platform/text"
	"wcpp/internal/platform/validate"
	"wcpp/internal/platform/version"
)

// Codes for rejecting a new TIN.
const (
	codeExists           = "TIN_EXISTS_INTGRP"
	codeKnownBadBCN      = "VALID_FTIN_INVALID_BCN"
	codeUnknownBCN       = "INVALID_FTIN_BCN"
	codeKnownBadProvider = "VALID_FTIN_INVALID_CPDID"
	codeUnknownProvider  = "INVALID_FTIN_CPDID"
	codeRestricted       = "FTIN_RESTRICTED_FOR_REGISTRATION"
	codeInNetwork        = "INVALID_FTIN_IN_NETWORK"
	codeNoBills          = "INVALID_FTIN_NO_BILLS_FOUND"
)

const (
	kindProvider   = "PROVIDER"
	kindNonNetwork = "NONNETWORK"
	// Limit of attempts in 15 minutes, to prevent guessing TINs.
	maxAttempts = 10
	maxTINs     = 5000
	maxNamed    = 1000 // users with a TIN
)

func newCodeError(c string) error { return problem.WithCode(problem.Invalid, c) }

// RefusedTIN names the rejected TIN and the reason, for responses that contain only a code.
type RefusedTIN struct {
	FTIN string
	Why  string
}

func (r *RefusedTIN) Error() string { return "refused: " + r.Why }

// MessageWithTIN returns the error message for a request with several TINs.
func (r *RefusedTIN) MessageWithTIN() string { return "TIN " + r.FTIN + ": " + r.Why }

// messages are the messages for the error codes.
var messages = map[string]string{
	codeRestricted: "Not available for registration.",
	codeInNetwork:  "In network. Non-network users can have only out-of-network TINs.",
	codeNoBills:    "No bills on file.",
}

func refuseTIN(ftin, c string) error {
	return problem.WithCode(problem.Invalid, c).WithCause(&RefusedTIN{ftin, messages[c]})
}

// refuseMalformed rejects an invalid TIN before looking it up.
func refuseMalformed(ftin string) error {
	const message = "Error: Enter a 9-digit Tax ID Number (TIN)"
	if validate.TIN(ftin) {
		return nil
	}
	return validate.RefuseField(message, "ftin", message)
}

// GroupTIN is a TIN of a group.
type GroupTIN struct {
	FTIN      string `db:"ftin"`
	AddedAt   db.Instant
	UpdatedBy string
}

// ListByGroup lists the TINs of a group, newest first. Users can list only their own group, and
// internal staff any group.
func (s *Service) ListByGroup(ctx context.Context, a access.Actor, groupID int64) ([]GroupTIN, error) {
	if !a.Reach().SeesGroup(groupID) {
		return nil, access.RefuseGroup(groupID)
	}
	return groupRecords(ctx, s.db.Reader, groupID, maxTINs)
}

// Proof connects a group to a TIN. It is either the number of one of the TIN's bills, or the id
// of a provider who bills under the TIN.
type Proof struct {
	BillControlNumber string
	ProviderID        string
}

func (p Proof) clean() Proof { return Proof{text.Clean(p.BillControlNumber), text.Clean(p.ProviderID)} }

// Validate checks that the TIN can be added and that the proof is on file for it. Every attempt is audited.
func (s *Service) Validate(ctx context.Context, a access.Actor, ftin string, p Proof) error {
	if err := s.validate(ctx, a, ftin, p.clean()); err != nil {
		return s.auditRefusal(ctx, a, "tin-validate", ftin, err)
	}
	return s.audit.RecordNow(ctx, audit.Entry{Operation: "tin-validate", Subject: groupSubject(a.Acting().GroupID), Result: "ok",
		Detail: ftin})
}

func (s *Service) validate(ctx context.Context, a access.Actor, ftin string, p Proof) error {
	if err := refuseMalformed(ftin); err != nil {
		return err
	}
	if (p.BillControlNumber == "") == (p.ProviderID == "") || len(p.BillControlNumber) > 22 || len(p.ProviderID) > 8 {
		return problem.WithMessage(problem.Invalid, "Error: Enter a Bill Control Number or Provider ID Number")
	}
	if err := s.CheckRestricted(ftin); err != nil {
		return err
	}
	// Count before checking, so that parallel attempts can't exceed the limit.
	if err := s.attempts.Allow(ctx, "tin", a.Person.UserName, maxAttempts, ratelimit.Quarter); err != nil {
		return err
	}
	known, valid, err := s.bills.OnFile(ctx, ftin, p.BillControlNumber)
	bad, unknown := codeKnownBadBCN, codeUnknownBCN
	if p.ProviderID != "" {
		var listed bool
		listed, valid, err = s.providers.OnFile(ctx, ftin, p.ProviderID)
		known = known || listed
		if err == nil && valid {
			valid, err = s.isUnseen(ctx, a, p.ProviderID, ftin)
		}
		bad, unknown = codeKnownBadProvider, codeUnknownProvider
	}
	switch {
	case err != nil:
		return err
	case valid:
		return s.attempts.Undo(ctx, "tin", a.Person.UserName)
	case known:
		return newCodeError(bad)
	default:
		return newCodeError(unknown)
	}
}

// isUnseen reports whether the directory showed a provider to the actor at most because of the TIN. It
// shows the ID of a provider who bills under one of the actor's TINs, so that ID proves no other TIN,
// even after the group removed its own.
func (s *Service) isUnseen(ctx context.Context, a access.Actor, providerID, ftin string) (bool, error) {
	if a.Reach().SeesAllTINs() {
		return true, nil
	}
	scope, err := s.Scope(ctx, a)
	if err != nil {
		return false, err
	}
	former, err := formerTINs(ctx, s.db.Reader, a.Acting().GroupID)
	if err != nil {
		return false, err
	}
	seen, err := s.providers.ListAllTINs(ctx, providerID)
	return !slices.ContainsFunc(seen, func(other string) bool {
		return other != ftin && (scope.Has(other) || slices.Contains(former, other))
	}), err
}

// CheckRestricted rejects restricted TINs.
func (s *Service) CheckRestricted(ftin string) error {
	if slices.Contains(s.settings.RestrictedTINs, ftin) {
		return refuseTIN(ftin, codeRestricted)
	}
	return nil
}

// CheckNonNetwork rejects TINs that a non-network user can't have: those of network providers,
// and those without bills.
func (s *Service) CheckNonNetwork(ctx context.Context, ftin string) error {
	if err := refuseMalformed(ftin); err != nil {
		return err
	}
	if err := s.CheckRestricted(ftin); err != nil {
		return err
	}
	inNetwork, _, err := s.providers.OnFile(ctx, ftin, "")
	if err != nil {
		return err
	}
	if inNetwork {
		return refuseTIN(ftin, codeInNetwork)
	}
	known, _, err := s.bills.OnFile(ctx, ftin, "")
	if err != nil {
		return err
	}
	if !known {
		return refuseTIN(ftin, codeNoBills)
	}
	return nil
}

// Add adds a TIN with proof to a group, immediately or after a review. It emails the group's
// administrators and those of other groups with the TIN.
func (s *Service) Add(ctx context.Context, a access.Actor, groupID int64, ftin string, p Proof) error {
	grant, err := a.Reach().ManageGroup(groupID)
	if err != nil {
		return err
	}
	p = p.clean()
	err = a.RequireProof() // first, because a right guess would otherwise be confirmed without an audit entry
	if err == nil {
		err = s.validate(ctx, a, ftin, p)
	}
	if err == nil {
		err = s.add(ctx, a, grant, ftin, kindProvider, p)
	}
	return s.auditRefusal(ctx, a, "tin-add", ftin, err)
}

// AddUnproven adds a TIN without proof to a provider group. Only system administrators can do
// so.
func (s *Service) AddUnproven(ctx context.Context, a access.Actor, groupID int64, ftin string) error {
	grant, err := a.Reach().ManageGroup(groupID)
	if err != nil {
		return err
	}
	err = refuseMalformed(ftin)
	if err == nil {
		err = s.CheckRestricted(ftin)
	}
	if err == nil {
		err = a.RequireProof()
	}
	if err == nil {
		err = s.add(ctx, a, grant, ftin, kindProvider, Proof{})
	}
	return s.auditRefusal(ctx, a, "tin-add", ftin, err)
}

// AddNonNetwork adds a TIN to the group of a non-network user.
func (s *Service) AddNonNetwork(ctx context.Context, a access.Actor, groupID int64, ftin string) error {
	grant, err := a.Reach().ManageGroup(groupID)
	if err != nil {
		return err
	}
	err = s.CheckNonNetwork(ctx, ftin)
	if err == nil {
		err = a.RequireProof()
	}
	if err == nil {
		err = s.add(ctx, a, grant, ftin, kindNonNetwork, Proof{})
	}
	return s.auditRefusal(ctx, a, "tin-add", ftin, err)
}

func (s *Service) add(ctx context.Context, a access.Actor, g access.GroupGrant, ftin, kind string, p Proof) error {
	return s.db.Tx(ctx, func(tx *sql.Tx) error {
		if group, err := s.users.LockGroup(ctx, tx, g.ID()); err != nil || group.Kind != kind {
			return cmp.Or[error](err, problem.New(problem.NotFound))
		}
		waits, err := s.addGroupTIN(ctx, tx, g, ftin, p, a.Reach().DecidesSharings())
		if err != nil {
			return err
		}
		if err := s.mailTo(ctx, tx, getAddedEmail(kind, waits), g.ID()); err != nil {
			return err
		}
		return s.auditChange(ctx, tx, "tin-add", g.ID(), ftin, auditResult(waits))
	})
}

// Remove removes a TIN from a group and all its users, or cancels its pending review. The last
// one can't be removed. Withdrawing only cancels a review, because it can be approved first.
func (s *Service) Remove(ctx context.Context, a access.Actor, groupID int64, ftin string, isWithdrawal bool) error {
	grant, err := a.Reach().ManageGroup(groupID)
	if err != nil {
		return err
	}
	return s.db.Tx(ctx, func(tx *sql.Tx) error {
		group, err := s.users.LockGroup(ctx, tx, groupID)
		if err != nil {
			return err
		}
		n, err := endSharing(ctx, tx, grant, ftin, SharingWaiting)
		if err != nil {
			return err
		}
		if n > 0 {
			return s.auditChange(ctx, tx, "tin-withdraw", groupID, ftin, "ok")
		}
		if isWithdrawal {
			return refuseWithdrawal(ctx, tx, groupID, ftin)
		}
		if a.Reach().DecidesSharings() && group.Kind == kindProvider {
			if err := s.revoke(ctx, tx, grant, ftin); err != nil {
				return err
			}
		}
		return s.remove(ctx, tx, grant, group.Kind, ftin)
	})
}

// refuseWithdrawal returns the error for withdrawing a TIN that isn't under review.
func refuseWithdrawal(ctx context.Context, tx *sql.Tx, groupID int64, ftin string) error {
	owned, err := groupTINs(ctx, tx, groupID)
	if err == nil && slices.Contains(owned, ftin) {
		return problem.WithMessage(problem.Conflict, sayInUse)
	}
	return cmp.Or[error](err, problem.New(problem.NotFound))
}

// remove removes a TIN from a locked group of the given kind.
func (s *Service) remove(ctx context.Context, tx *sql.Tx, g access.GroupGrant, kind, ftin string) error {
	owned, err := groupTINs(ctx, tx, g.ID())
	if err != nil {
		return err
	}
	switch {
	case !slices.Contains(owned, ftin):
		return problem.New(problem.NotFound)
	case len(owned) == 1 && kind == kindNonNetwork:
		return problem.WithMessage(problem.Conflict, sayLast)
	case len(owned) == 1:
		return problem.WithMessage(problem.Conflict, sayAll)
	}
	if err := deleteGroupTIN(ctx, tx, g, ftin); err != nil {
		return err
	}
	if err := s.assignments.RemoveLostAssignments(ctx, tx, g.ID(), 0, g.By()); err != nil {
		return err
	}
	if _, err := endSharing(ctx, tx, g, ftin, SharingInUse, SharingDisputed); err != nil {
		return err
	}
	return s.auditChange(ctx, tx, "tin-remove", g.ID(), ftin, "ok")
}

// Holder is a provider user to whom a TIN was assigned.
type Holder struct {
	UserName  string
	FirstName string
	LastName  string
}

// Holders lists the users affected by removing TINs from a group. These are its provider users
// with any of them, by name, up to 1,000.
func (s *Service) Holders(ctx context.Context, a access.Actor, groupID int64, ftins []string) ([]Holder, error) {
	if !a.Reach().ManagesGroup(groupID) {
		return nil, access.RefuseGroup(groupID)
	}
	return holdersIn(ctx, s.db.Reader, groupID, ftins, maxNamed)
}

// Assigned is a TIN of a group, and whether a user in the group has it.
type Assigned struct {
	FTIN    string `db:"ftin"`
	Has     bool
	AddedAt db.Instant
	Version string // version of all the user's TINs
}

// ListAssigned lists the TINs of a user's group and which of them the user has. A provider
// administrator has them all.
func (s *Service) ListAssigned(ctx context.Context, a access.Actor, userName string) ([]Assigned, error) {
	p, err := s.findAssignable(ctx, userName)
	if err == nil && !a.Reach().SeesUser(p) {
		err = access.Refuse(userName)
	}
	if err != nil {
		return nil, err
	}
	records, err := groupRecords(ctx, s.db.Reader, p.GroupID, maxTINs)
	if err != nil {
		return nil, err
	}
	own, err := s.ListTINs(ctx, p)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(records, func(x, y GroupTIN) int { return strings.Compare(x.FTIN, y.FTIN) })
	list, current := make([]Assigned, len(records)), computeVersion(own)
	for i, r := range records {
		list[i] = Assigned{FTIN: r.FTIN, Has: slices.Contains(own, r.FTIN), AddedAt: r.AddedAt, Version: current}
	}
	return list, nil
}

// Assign assigns the TINs marked true to a provider user and removes those marked false. At
// least one must be true, and all must belong to the user's group. Unmarked TINs stay as they
// are, because the caller's list can be older than they are. The version is that of the list.
// Without a version the marks replace any state.
func (s *Service) Assign(ctx context.Context, a access.Actor, userName string, marked map[string]bool, read string) error {
	if _, err := s.findAssignable(ctx, userName); err != nil {
		return err
	}
	found, err := s.users.FindManaged(ctx, a, userName, 0)
	if err != nil {
		return err
	}
	var given []string
	for ftin, has := range marked {
		if has {
			given = append(given, ftin)
		}
	}
	return s.db.Tx(ctx, func(tx *sql.Tx) error {
		p, grant, err := s.users.LockManaged(ctx, tx, a, found)
		switch {
		case err != nil:
			return err
		case p.TypeCd == access.PRAD:
			return problem.WithMessage(problem.Conflict, sayAdmin)
		case p.StatusCd == users.Terminated:
			return problem.WithMessage(problem.Conflict, sayTerminated)
		case len(given) == 0:
			return problem.WithMessage(problem.Invalid, sayAll)
		}
		own, err := userTINs(ctx, tx, p.ID)
		if err != nil {
			return err
		}
		if err := checkVersion(read, own, marked); err != nil {
			return err
		}
		ftins := slices.Clone(given)
		for _, ftin := range own {
			if _, chosen := marked[ftin]; !chosen {
				ftins = append(ftins, ftin)
			}
		}
		if err := s.AssignTINs(ctx, tx, p.GroupID, grant, ftins); err != nil {
			return err
		}
		if err := s.assignments.RemoveLostAssignments(ctx, tx, p.GroupID, p.ID, grant.By()); err != nil {
			return err
		}
		return s.audit.Record(ctx, tx, audit.Entry{Operation: "user-tins", Subject: p.UserName, Result: "ok"})
	})
}

// computeVersion returns the version of a user's TINs.
func computeVersion(own []string) string {
	f := make(version.Fields, len(own))
	for i, ftin := range own {
		f[i] = version.Field{Name: ftin, Value: "true"}
	}
	return version.Hash(f)
}

// checkVersion rejects marks based on an outdated version, if they differ from what the user has.
func checkVersion(read string, own []string, marked map[string]bool) error {
	var theirs, mine version.Fields
	for _, ftin := range slices.Sorted(maps.Keys(marked)) {
		theirs = append(theirs, version.Field{Name: ftin, Value: strconv.FormatBool(slices.Contains(own, ftin))})
		mine = append(mine, version.Field{Name: ftin, Value: strconv.FormatBool(marked[ftin])})
	}
	return version.CheckAs(read, computeVersion(own), theirs, mine)
}

// AssignTINs replaces a user's TINs in the caller's transaction. All must belong to the group.
func (s *Service) AssignTINs(ctx context.Context, tx *sql.Tx, groupID int64, user access.UserGrant, ftins []string) error {
	if _, err := s.users.LockGroup(ctx, tx, groupID); err != nil {
		return err
	}
	owned, err := groupTINs(ctx, tx, groupID)
	if err != nil {
		return err
	}
	if err := deleteUserTINs(ctx, tx, user); err != nil {
		return err
	}
	now := db.At(s.now())
	for _, ftin := range ftins {
		if !slices.Contains(owned, ftin) {
			return problem.WithMessage(problem.Invalid, "This group doesn't have one of the TINs. Reload the list and try again.").
				WithCause(&RefusedTIN{ftin, "Not in this group."})
		}
		if _, err := insertUserTIN(ctx, tx, user, ftin, now); err != nil {
			return err
		}
	}
	return nil
}

// CodeShared rejects a new group with another group's TIN, until the caller confirms that they
// share it.
const CodeShared = "TIN_SHARED"

// office is a group with a TIN, as system administrators see it.
type office struct {
	ID   int64
	Name string
}

// AddGroupTINs adds TINs to a new group in the caller's transaction, for a system administrator.
// TINs of other groups must be confirmed. The confirmation counts as the decision even if
// WCPP_TIN_SHARING requires a review. The other groups are notified.
func (s *Service) AddGroupTINs(ctx context.Context, tx *sql.Tx, group access.GroupGrant, ftins, confirmed []string) error {
	ftins = slices.Compact(slices.Sorted(slices.Values(ftins)))
	if err := s.checkConfirmed(ctx, tx, group, ftins, confirmed); err != nil {
		return err
	}
	for _, ftin := range ftins {
		if _, err := s.addGroupTIN(ctx, tx, group, ftin, Proof{}, true); err != nil {
			return err
		}
	}
	return nil
}

// checkConfirmed rejects unconfirmed TINs of other groups. It keeps them locked, so that give
// sees the same holders.
func (s *Service) checkConfirmed(ctx context.Context, tx *sql.Tx, group access.GroupGrant, ftins, confirmed []string) error {
	e := problem.WithMessage(problem.Conflict, "Another group already has one of this new group's Tax IDs. Confirm that they share it.")
	e.Code = CodeShared
	for _, ftin := range ftins {
		if err := s.lockTIN(ctx, tx, ftin); err != nil {
			return err
		}
		if slices.Contains(confirmed, ftin) {
			continue
		}
		offices, err := otherOffices(ctx, tx, ftin, group.ID(), maxNamed)
		if err != nil {
			return err
		}
		if e.Cause == nil && len(offices) > 0 {
			e.Cause = &RefusedTIN{ftin, fmt.Sprintf("Group %d has it too. To share it, add this user in Add User.", offices[0].ID)}
		}
		for _, o := range offices {
			e.Fields = append(e.Fields, problem.Field{
				Path: fieldTINs, Code: CodeShared, Message: strings.TrimSuffix(fmt.Sprintf("Group %d, %s", o.ID, o.Name), ", "),
				Value: &ftin,
			})
		}
	}
	if len(e.Fields) > 0 {
		return e
	}
	return nil
}

// fieldTINs is the name of a new user's TINs in problems.
const fieldTINs = "tins"

// GroupTINs lists the TINs of a group in ascending order.
func (s *Service) GroupTINs(ctx context.Context, q db.Queryer, groupID int64) ([]string, error) {
	return groupTINs(ctx, q, groupID)
}

// ListByUsers lists the TINs assigned to each of several users, in ascending order. Only provider
// users have any.
func (s *Service) ListByUsers(ctx context.Context, q db.Queryer, userIDs []int64) (map[int64][]string, error) {
	return usersTINs(ctx, q, userIDs)
}

// FindGroups lists the groups with a TIN.
func (s *Scopes) FindGroups(ctx context.Context, ftin string) ([]int64, error) {
	return groupsWith(ctx, s.db.Reader, ftin)
}

// FindHolders lists the groups with a TIN, and their users to whom it was assigned.
func (s *Service) FindHolders(ctx context.Context, ftin string) (groups, users []int64, err error) {
	if groups, err = groupsWith(ctx, s.db.Reader, ftin); err != nil {
		return nil, nil, err
	}
	users, err = usersWith(ctx, s.db.Reader, ftin)
	return groups, users, err
}

// findAssignable finds a provider user or administrator. A group's TINs can be assigned only to
// these types.
func (s *Service) findAssignable(ctx context.Context, userName string) (access.Person, error) {
	u, err := s.users.ByName(ctx, userName)
	if err == nil && u.TypeCd != access.PRUS && u.TypeCd != access.PRAD {
		err = problem.New(problem.NotFound)
	}
	return u.Person(), err
}

func (s *Service) auditChange(ctx context.Context, tx *sql.Tx, operation audit.Operation, groupID int64, ftin, result string) error {
	return s.audit.Record(ctx, tx, audit.Entry{Operation: operation, Subject: groupSubject(groupID), Result: result, Detail: ftin})
}

// auditRefusal audits a rejected TIN.
func (s *Service) auditRefusal(ctx context.Context, a access.Actor, operation audit.Operation, ftin string, err error) error {
	var e *problem.Error
	if errors.As(err, &e) && (e.Kind == problem.Invalid || e.Kind == problem.TooMany) {
		if unwritten := s.audit.RecordNow(ctx, audit.Entry{Operation: operation, Subject: groupSubject(a.Acting().GroupID), Result: e.Code,
			Detail: ftin}); unwritten != nil {
			return unwritten
		}
	}
	return err
}
