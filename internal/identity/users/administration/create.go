package administration

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"wcpp/internal/identity/access"
	"wcpp/internal/identity/users"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/validate"
)

// RosterSource is a roster source of a roster group.
type RosterSource struct {
	SourceID   int64  `json:"sourceId"`
	SourceName string `json:"sourceName"`
}

// NewUser is an account to create, or a draft to save or complete.
type NewUser struct {
	User users.User // ID of a draft, or 0
	TINs []string
	// SharedTINs are TINs that the new group can share with other groups.
	SharedTINs []string
	Sources    []RosterSource
	Version    string // version of the draft that was read; empty: any
	// Existing requests an existing group, which can still be unspecified in a draft.
	Existing bool
	// Removed are the ids of the sources to remove from the group.
	Removed []int64
	Request int64 // the account request it completes; 0: the draft's, if any
	// inherited reports that the request comes from the stored draft.
	inherited bool
	// WorkLater allows missing work details. A group's administrator may not know them, so the
	// person is asked at the first sign-in.
	WorkLater bool
}

// Account is an account as administrators see it.
type Account struct {
	users.User
	TINs []string // those selected for a draft, in ascending order
}

// loadAccounts adds the data that administrators see besides the account's own columns.
func (s *Service) loadAccounts(ctx context.Context, q db.Queryer, list ...users.User) ([]Account, error) {
	var drafts []int64
	for _, u := range list {
		if u.StatusCd == users.Draft {
			drafts = append(drafts, u.ID)
		}
	}
	given, err := s.tins.ListByUsers(ctx, q, drafts)
	accounts := make([]Account, len(list))
	for i, u := range list {
		accounts[i] = Account{u, given[u.ID]}
	}
	return accounts, err
}

// Create creates an account that is pending registration, emails the link and returns the
// account. A group's administrator can create provider users and administrators in their own
// group, and a system administrator any type.
func (s *Service) Create(ctx context.Context, a access.Actor, n NewUser) (Account, error) {
	return s.createAccount(ctx, a, n, users.New, "user-create", false)
}

// CheckNew checks whether Create would succeed, by running it and rolling it back. It stores and
// emails nothing.
func (s *Service) CheckNew(ctx context.Context, a access.Actor, n NewUser) error {
	_, err := s.createAccount(ctx, a, n, users.New, "user-create", true)
	return err
}

// errTried rolls back a trial run.
var errTried = errors.New("only tried")

// SaveDraft saves an incomplete account. It can't sign in, and no email is sent.
func (s *Service) SaveDraft(ctx context.Context, a access.Actor, n NewUser) (Account, error) {
	return s.createAccount(ctx, a, n, users.Draft, "user-draft", false)
}

func (s *Service) createAccount(
	ctx context.Context, a access.Actor, n NewUser, status users.Status, operation audit.Operation, tryOnly bool,
) (Account, error) {
	u := &n.User
	u.Clean()
	u.StatusCd, u.ManagerID = status, a.Person.ID
	if a.Person.Type == access.PRAD {
		if u.GroupID != 0 && u.GroupID != a.Person.GroupID {
			return Account{}, access.RefuseName(fmt.Sprintf("group %d", u.GroupID))
		}
		u.GroupID = a.Person.GroupID
	}
	if err := n.check(a); err != nil {
		return Account{}, err
	}
	if status == users.New { // a stolen session could otherwise create lasting access
		if err := a.RequireProof(); err != nil {
			return Account{}, err
		}
	}
	for _, ftin := range n.TINs {
		if err := s.checkTIN(ctx, u.TypeCd, ftin); err != nil {
			return Account{}, err
		}
	}
	sourceIDs, err := s.resolveSources(ctx, n.Sources)
	if err != nil {
		return Account{}, err
	}
	var made Account
	err = s.accounts.AddWithRetry(ctx, func(tx *sql.Tx) error {
		u, err := s.createInTx(ctx, tx, a, n, sourceIDs)
		if err != nil {
			return err
		}
		if tryOnly {
			return errTried
		}
		// Read in the same transaction, to exclude later changes by others.
		accounts, err := s.loadAccounts(ctx, tx, u)
		if err != nil {
			return err
		}
		made = accounts[0]
		return s.audit.Record(ctx, tx, audit.Entry{Operation: operation, Subject: made.UserName, Result: "ok", Detail: string(made.TypeCd)})
	})
	if errors.Is(err, errTried) {
		return made, nil
	}
	if db.IsUnique(err) { // shows that an account has the address, so it's audited as EmailExists is
		if err := s.recordEmailCheck(ctx, u.Email); err != nil {
			return Account{}, err
		}
		e := problem.WithMessage(problem.Conflict, "Error: The Email Address is associated to another account")
		e.Fields = []problem.Field{{Path: users.FieldEmail, Code: "EMAIL_EXISTS", Message: e.Message}}
		return Account{}, e
	}
	return made, err
}

func (s *Service) createInTx(ctx context.Context, tx *sql.Tx, a access.Actor, n NewUser, sourceIDs []int64) (users.User, error) {
	n, err := s.continueDraft(ctx, tx, n)
	if err != nil {
		return n.User, err
	}
	request, err := s.openRequest(ctx, tx, a, n)
	if n.inherited && (problem.Is(err, problem.NotFound) || problem.Is(err, problem.Conflict)) {
		n.Request, err = 0, nil // answered since the draft was saved
	}
	if err != nil {
		return n.User, err
	}
	group, err := s.place(ctx, tx, a, n)
	if err != nil {
		return n.User, err
	}
	u, grant, err := s.store(ctx, tx, a, n, group)
	if err != nil {
		return u, err
	}
	if u.TypeCd == access.PRUS && u.GroupID != 0 {
		if err := s.tins.AssignTINs(ctx, tx, u.GroupID, grant, n.TINs); err != nil {
			return u, err
		}
	}
	if u.StatusCd == users.Draft {
		return u, nil
	}
	if users.GroupKind(u.TypeCd) == users.RosterGroup {
		if err := s.sources.RemoveSources(ctx, tx, group, n.Removed); err != nil {
			return u, err
		}
		if err := s.sources.AddSources(ctx, tx, group, sourceIDs); err != nil {
			return u, err
		}
	}
	if n.Request != 0 {
		if err := s.registrations.CloseRequest(ctx, tx, request, u.ID); err != nil {
			return u, err
		}
	}
	return u, s.registrations.Invite(ctx, tx, grant, n.Request)
}

// continueDraft adds the account request for which the draft was first saved, and encodes a draft
// to be stored.
func (s *Service) continueDraft(ctx context.Context, tx *sql.Tx, n NewUser) (NewUser, error) {
	if n.User.ID != 0 && n.Request == 0 {
		draft, err := users.Find(ctx, tx, n.User.ID)
		if err != nil && !problem.Is(err, problem.NotFound) {
			return n, err
		}
		n.Request, n.inherited = parseDraft(draft).Request, true
	}
	if n.User.StatusCd != users.Draft {
		return n, nil
	}
	var err error
	n.User.Draft, err = n.encodeDraft()
	return n, err
}

// openRequest locks the account request before anything is created from it. If two people complete
// it, the second one gets an error about the request rather than about the address.
func (s *Service) openRequest(ctx context.Context, tx *sql.Tx, a access.Actor, n NewUser) (request access.RequestGrant, err error) {
	if n.Request == 0 || n.User.StatusCd == users.Draft {
		return request, nil
	}
	if request, err = a.Reach().AnswerRequest(n.Request); err != nil {
		return request, err
	}
	return request, s.registrations.LockRequest(ctx, tx, request)
}

// resolveSources returns the distinct ids of roster sources.
func (s *Service) resolveSources(ctx context.Context, list []RosterSource) ([]int64, error) {
	ids := make([]int64, len(list))
	for i, source := range list {
		ids[i] = source.SourceID
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	known, err := s.sources.AllExist(ctx, ids)
	if err == nil && !known {
		err = problem.WithMessage(problem.Invalid, "A selected roster hub source no longer exists. Remove it and select another.")
	}
	return ids, err
}

func (s *Service) checkTIN(ctx context.Context, typ access.Type, ftin string) error {
	switch typ {
	case access.NNUS:
		return s.tins.CheckNonNetwork(ctx, ftin)
	case access.PRAD:
		return s.tins.CheckRestricted(ftin)
	default:
		return nil
	}
}

// place grants the account's group or creates one. A draft with a new group gets it on
// completion.
func (s *Service) place(ctx context.Context, tx *sql.Tx, a access.Actor, n NewUser) (access.GroupGrant, error) {
	u := n.User
	switch {
	case u.TypeCd.IsInternal():
		return access.GroupGrant{}, nil
	case u.GroupID != 0:
		grant, err := a.Reach().ManageGroup(u.GroupID)
		var group users.Group
		if err == nil {
			group, err = s.accounts.LockGroup(ctx, tx, grant.ID())
		}
		if err != nil && !problem.Is(err, problem.NotFound) {
			return grant, err
		}
		if err != nil || group.Kind != users.GroupKind(u.TypeCd) || u.TypeCd == access.NNUS {
			return grant, refuseField(users.FieldGroup, "Error: Enter a valid group Id")
		}
		if group.StatusCd == users.GroupInactive {
			return grant, refuseField(users.FieldGroup, "Error: This group is inactive. Select another one")
		}
		return grant, nil
	case u.StatusCd == users.Draft:
		return access.GroupGrant{}, nil
	}
	grant, err := s.accounts.MakeGroup(ctx, tx, u, a.Person.UserName)
	if err != nil {
		return grant, err
	}
	return grant, s.tins.AddGroupTINs(ctx, tx, grant, n.TINs, n.SharedTINs)
}

// store inserts the account, or replaces its draft. The draft must be within the actor's reach,
// like any account being changed.
func (s *Service) store(
	ctx context.Context, tx *sql.Tx, a access.Actor, n NewUser, group access.GroupGrant,
) (users.User, access.UserGrant, error) {
	u := n.User
	if u.ID != 0 {
		draft, err := s.accounts.LockUser(ctx, tx, u.ID)
		if err != nil {
			return u, access.UserGrant{}, err
		}
		grant, err := a.Reach().ManageUser(draft.Person())
		if err == nil && draft.StatusCd == users.Draft && n.Version != "" {
			err = s.checkDraftVersion(ctx, tx, draft, n.Version)
		}
		if err == nil {
			u, err = s.accounts.ReplaceDraft(ctx, tx, grant, u, group)
		}
		return u, grant, err
	}
	by := a.Person.UserName
	u, err := s.accounts.Insert(ctx, tx, u, group, by)
	return u, access.System(by).User(u.ID), err
}

// checkDraftVersion rejects an outdated version of a draft. The draft's row and, if it stays there, its
// group's row are locked, so that the version can't change before the transaction ends.
func (s *Service) checkDraftVersion(ctx context.Context, tx *sql.Tx, draft users.User, version string) error {
	accounts, err := s.loadAccounts(ctx, tx, draft)
	if err == nil && computeVersion(accounts[0]) != version {
		err = problem.WithMessage(problem.Conflict, "Someone else changed this draft. Copy your changes, then search for the user again.")
	}
	return err
}

// draftContent is the additional data of a draft.
type draftContent struct {
	Existing bool           `json:"existing"`
	Sources  []RosterSource `json:"sources"`
	Removed  []int64        `json:"removed,omitempty"`
	Request  int64          `json:"request,omitempty"`
}

func (n NewUser) encodeDraft() (string, error) {
	text, err := json.Marshal(draftContent{n.Existing, n.Sources, n.Removed, n.Request})
	return string(text), err
}

// parseDraft parses the additional data of a draft. Older drafts contain only their sources.
func parseDraft(u users.User) draftContent {
	var d draftContent
	if json.Unmarshal([]byte(u.Draft), &d) != nil {
		d.Existing = u.GroupID != 0
		_ = json.Unmarshal([]byte(u.Draft), &d.Sources) // neither format: nothing stored
	}
	d.Sources = append([]RosterSource{}, d.Sources...)
	return d
}

// computeVersion returns a draft's version. It changes with any data that saving replaces.
func computeVersion(u Account) string {
	hash := sha256.Sum256(fmt.Appendf(nil, "%d %q", u.GroupID, append([]string{
		string(u.TypeCd), u.FirstName, u.MiddleName, u.LastName, u.Email, u.Phone, u.EmployeeID,
		u.AffiliationCd, u.AffiliationDesc, u.JobTitle, u.CompanyName, u.CompanyURL, u.Draft,
	}, u.TINs...)))
	return hex.EncodeToString(hash[:])
}

func refuseField(field, message string) error {
	return validate.RefuseField(validate.MarkedFields, field, message)
}

// lacks reports whether a field is blank that a draft doesn't need. A draft needs the name,
// which determines its username, and the email address, which identifies it.
func (n NewUser) lacks(field string) bool {
	u := n.User
	switch field {
	case users.FieldPhone:
		return u.Phone == ""
	case users.FieldEmployeeID:
		return u.EmployeeID == ""
	case users.FieldTINs:
		return len(n.TINs) == 0
	case users.FieldAffiliation:
		return u.AffiliationCd == ""
	case users.FieldAffiliationDesc:
		return u.AffiliationDesc == ""
	case users.FieldJobTitle:
		return u.JobTitle == ""
	case users.FieldCompanyName:
		return u.CompanyName == ""
	}
	return false
}

func leaveBlank(t access.Type) string {
	return "Leave this blank for the account type " + users.TypeName(t) + "."
}

// check rejects an incomplete account, or a draft with invalid values. Later checks in the
// transaction cover the group, and the TINs beyond their format.
func (n NewUser) check(a access.Actor) error {
	u := n.User
	if !slices.Contains(TypesFor(a.Person.Type), u.TypeCd) {
		return refuseField(users.FieldType, "Error: Select Account Type")
	}
	var wrong validate.Fields
	u.CheckPerson(&wrong, users.User{})
	if u.TypeCd.IsInternal() {
		wrong.Require(users.IsEmployeeID(u.EmployeeID), users.FieldEmployeeID, "Error: Enter a valid Employee ID")
	}
	newGroup := u.GroupID == 0 && u.StatusCd == users.New
	joins := u.TypeCd == access.PRUS || u.TypeCd == access.ROUS || n.Existing && (u.TypeCd == access.PRAD || u.TypeCd == access.ROAD)
	wrong.Require(!newGroup || !joins, users.FieldGroup, "Error: Enter a valid group Id")
	switch u.TypeCd {
	case access.PRUS:
		wrong.Require(len(n.TINs) > 0, users.FieldTINs, "Error: Select TIN")
	case access.NNUS:
		wrong.Require(len(n.TINs) > 0, users.FieldTINs, "Error: Enter a Tax ID Number (TIN)")
	case access.PRAD:
	default: // a roster group with TINs would count as their holder
		wrong.Require(len(n.TINs) == 0, users.FieldTINs, leaveBlank(u.TypeCd))
	}
	if !n.WorkLater || a.Person.Type != access.PRAD {
		u.CheckWork(&wrong, "Error: Enter a valid Company Name")
	}
	if u.StatusCd == users.Draft {
		wrong = slices.DeleteFunc(wrong, func(f problem.Field) bool { return n.lacks(f.Path) })
	}
	if err := wrong.Refuse(validate.MarkedFields); err != nil {
		return err
	}
	if newGroup && u.TypeCd == access.ROAD && len(n.Sources) == 0 {
		return problem.WithMessage(problem.Invalid, "You must add at least one roster source for the new group")
	}
	return nil
}
