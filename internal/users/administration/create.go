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

	"wcpp/internal/access"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/validate"
	"wcpp/internal/users"
)

// RosterSource is a source of rosters that a roster group has.
type RosterSource struct {
	SourceID   int64  `json:"sourceId"`
	SourceName string `json:"sourceName"`
}

// NewUser is an account to be made, or a draft to be kept or completed.
type NewUser struct {
	User users.User // ID of a draft, or 0
	TINs []string
	// SharedTINs are those that the new group may share with another one.
	SharedTINs []string
	Sources    []RosterSource
	Version    string // of the draft as it was read; empty: whatever it holds by now
	// Existing tells that a group was asked for that there is, named or not yet.
	Existing bool
	// Removed are the ids of the sources that the group loses.
	Removed []int64
	Request int64 // the account request it answers, or 0
	// WorkLater leaves out where the person works: a group's administrator need
	// not know it, and the person is asked at the first sign-in.
	WorkLater bool
}

// Account is an account as administrators are told of it.
type Account struct {
	users.User
	TINs []string // of a draft, those chosen so far in ascending order
}

// told reads what administrators are told of accounts beside their own columns.
func (s *Service) told(ctx context.Context, q db.Queryer, list ...users.User) ([]Account, error) {
	var drafts []int64
	for _, u := range list {
		if u.StatusCd == users.Draft {
			drafts = append(drafts, u.ID)
		}
	}
	given, err := s.tins.GivenTo(ctx, q, drafts)
	told := make([]Account, len(list))
	for i, u := range list {
		told[i] = Account{u, given[u.ID]}
	}
	return told, err
}

// Create makes an account that waits for its registration, mails the link and
// answers the account. A group's administrator makes provider users and
// administrators of the own group; a system administrator any type.
func (s *Service) Create(ctx context.Context, a access.Actor, n NewUser) (Account, error) {
	return s.make(ctx, a, n, users.New, "user-create", false)
}

// Try tells whether Create would make the account, by doing so and taking it back:
// nothing is stored, and nobody is mailed.
func (s *Service) Try(ctx context.Context, a access.Actor, n NewUser) error {
	_, err := s.make(ctx, a, n, users.New, "user-create", true)
	return err
}

// errTried takes back what was only tried.
var errTried = errors.New("only tried")

// SaveDraft keeps what is known of an account so far: it cannot sign in and
// nobody is mailed.
func (s *Service) SaveDraft(ctx context.Context, a access.Actor, n NewUser) (Account, error) {
	return s.make(ctx, a, n, users.Draft, "user-draft", false)
}

func (s *Service) make(ctx context.Context, a access.Actor, n NewUser, status users.Status, operation audit.Operation, tryOnly bool) (Account, error) {
	u := &n.User
	u.Clean()
	u.StatusCd, u.ManagerID = status, a.Person.ID
	if a.Person.Type == access.PRAD {
		if u.GroupID != 0 && u.GroupID != a.Person.GroupID {
			return Account{}, problem.New(problem.Forbidden)
		}
		u.GroupID = a.Person.GroupID
	}
	if err := n.check(a); err != nil {
		return Account{}, err
	}
	if status == users.New { // whoever has a stolen session would keep what it gives
		if err := a.MustBeProven(); err != nil {
			return Account{}, err
		}
	}
	for _, ftin := range n.TINs {
		if err := s.checkTIN(ctx, u.TypeCd, ftin); err != nil {
			return Account{}, err
		}
	}
	sourceIDs, err := s.chosenSources(ctx, n.Sources)
	if err != nil {
		return Account{}, err
	}
	if status == users.Draft {
		if u.Draft, err = n.kept(); err != nil {
			return Account{}, err
		}
	}
	var made Account
	err = s.accounts.Adding(ctx, func(tx *sql.Tx) error {
		u, err := s.makeIn(ctx, tx, a, n, sourceIDs)
		if err != nil {
			return err
		}
		if tryOnly {
			return errTried
		}
		// In its transaction: what others do to it then is not what was saved.
		told, err := s.told(ctx, tx, u)
		if err != nil {
			return err
		}
		made = told[0]
		return s.audit.Record(ctx, tx, audit.Entry{Operation: operation, Subject: made.UserName, Result: "ok", Detail: string(made.TypeCd)})
	})
	if errors.Is(err, errTried) {
		return made, nil
	}
	if db.IsUnique(err) {
		e := problem.Say(problem.Conflict, "Error: The Email Address is associated to another account")
		e.Fields = []problem.Field{{Path: users.FieldEmail, Code: "EMAIL_EXISTS", Message: e.Message}}
		return Account{}, e
	}
	return made, err
}

func (s *Service) makeIn(ctx context.Context, tx *sql.Tx, a access.Actor, n NewUser, sourceIDs []int64) (users.User, error) {
	request, err := s.answering(ctx, tx, a, n)
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
	if users.KindFor(u.TypeCd) == users.RosterGroup {
		if err := s.sources.Take(ctx, tx, group, n.Removed); err != nil {
			return u, err
		}
		if err := s.sources.Give(ctx, tx, group, sourceIDs); err != nil {
			return u, err
		}
	}
	if n.Request != 0 {
		if err := s.registrations.Close(ctx, tx, request, u.ID); err != nil {
			return u, err
		}
	}
	return u, s.registrations.Invite(ctx, tx, grant, n.Request)
}

// answering locks the account request that an account answers, before anything is made of
// it: the second of two who answer one is told so, and not that its address is taken.
func (s *Service) answering(ctx context.Context, tx *sql.Tx, a access.Actor, n NewUser) (request access.RequestGrant, err error) {
	if n.Request == 0 || n.User.StatusCd == users.Draft {
		return request, nil
	}
	if request, err = a.Reach().AnswerRequest(n.Request); err != nil {
		return request, err
	}
	return request, s.registrations.Open(ctx, tx, request)
}

// chosenSources answers the ids of roster sources, each once.
func (s *Service) chosenSources(ctx context.Context, list []RosterSource) ([]int64, error) {
	ids := make([]int64, len(list))
	for i, source := range list {
		ids[i] = source.SourceID
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	known, err := s.sources.Known(ctx, ids)
	if err == nil && !known {
		err = problem.Say(problem.Invalid, "A selected roster hub source no longer exists. Remove it and select another.")
	}
	return ids, err
}

func (s *Service) checkTIN(ctx context.Context, typ access.Type, ftin string) error {
	switch typ {
	case access.NNUS:
		return s.tins.CheckNonNetwork(ctx, ftin)
	case access.PRAD:
		return s.tins.Check(ftin)
	default:
		return nil
	}
}

// place grants the group of an account, or makes one for it. A draft that asks
// for a new group gets it when it is completed.
func (s *Service) place(ctx context.Context, tx *sql.Tx, a access.Actor, n NewUser) (access.GroupGrant, error) {
	u := n.User
	switch {
	case u.TypeCd.Internal():
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
		if err != nil || group.Kind != users.KindFor(u.TypeCd) || u.TypeCd == access.NNUS {
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

// store inserts the account, or makes it of the draft that it continues, which
// must be within the actor's reach as any account that is changed.
func (s *Service) store(ctx context.Context, tx *sql.Tx, a access.Actor, n NewUser, group access.GroupGrant) (users.User, access.UserGrant, error) {
	u := n.User
	if u.ID != 0 {
		draft, err := s.accounts.LockUser(ctx, tx, u.ID)
		if err != nil {
			return u, access.UserGrant{}, err
		}
		grant, err := a.Reach().ManageUser(draft.Person())
		if err == nil && draft.StatusCd == users.Draft && n.Version != "" {
			err = s.mustBe(ctx, tx, draft, n.Version)
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

// mustBe refuses a version of a draft that is not the one it has. Its row is locked, and its
// group's where it stays there, so that it is this one until the transaction ends.
func (s *Service) mustBe(ctx context.Context, tx *sql.Tx, draft users.User, version string) error {
	told, err := s.told(ctx, tx, draft)
	if err == nil && versionOf(told[0]) != version {
		err = problem.Say(problem.Conflict, "Someone else changed this draft. Copy your changes, then search for the user again.")
	}
	return err
}

// drafted is what a draft keeps beside the columns of an account.
type drafted struct {
	Existing bool           `json:"existing"`
	Sources  []RosterSource `json:"sources"`
	Removed  []int64        `json:"removed,omitempty"`
}

func (n NewUser) kept() (string, error) {
	text, err := json.Marshal(drafted{n.Existing, n.Sources, n.Removed})
	return string(text), err
}

// draftedOf reads what a draft keeps. Earlier ones kept their sources alone.
func draftedOf(u users.User) drafted {
	var d drafted
	if json.Unmarshal([]byte(u.Draft), &d) != nil {
		d.Existing = u.GroupID != 0
		_ = json.Unmarshal([]byte(u.Draft), &d.Sources) // neither: nothing was kept
	}
	d.Sources = append([]RosterSource{}, d.Sources...)
	return d
}

// versionOf names what a draft holds: another once anything is changed of what a save
// puts other things in place of.
func versionOf(u Account) string {
	hash := sha256.Sum256(fmt.Appendf(nil, "%d %q", u.GroupID, append([]string{
		string(u.TypeCd), u.FirstName, u.MiddleName, u.LastName, u.Email, u.Phone, u.EmployeeID,
		u.AffiliationCd, u.AffiliationDesc, u.JobTitle, u.CompanyName, u.CompanyURL, u.Draft,
	}, u.TINs...)))
	return hex.EncodeToString(hash[:])
}

func refuseField(field, message string) error {
	return validate.RefuseField(validate.MarkedFields, field, message)
}

// lacks reports whether a field is blank that a draft can do without. Its user name is made
// of the name, and its email address is what tells it from others.
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

// check refuses an account that is not complete, or a draft that is wrong in what it has.
// The group, and the TINs beyond
// their form, are looked at in the transaction.
func (n NewUser) check(a access.Actor) error {
	u := n.User
	if !slices.Contains(TypesFor(a.Person.Type), u.TypeCd) {
		return refuseField(users.FieldType, "Error: Select Account Type")
	}
	var wrong validate.Fields
	u.CheckPerson(&wrong, users.User{})
	if u.TypeCd.Internal() {
		wrong.Require(u.EmployeeID != "" && len(u.EmployeeID) <= users.MaxEmployeeID, users.FieldEmployeeID, "Error: Enter a valid Employee ID")
	}
	newGroup := u.GroupID == 0 && u.StatusCd == users.New
	joins := u.TypeCd == access.PRUS || u.TypeCd == access.ROUS || n.Existing && (u.TypeCd == access.PRAD || u.TypeCd == access.ROAD)
	wrong.Require(!newGroup || !joins, users.FieldGroup, "Error: Enter a valid group Id")
	switch u.TypeCd {
	case access.PRUS:
		wrong.Require(len(n.TINs) > 0, users.FieldTINs, "Error: Select TIN")
	case access.NNUS:
		wrong.Require(len(n.TINs) > 0, users.FieldTINs, "Error: Enter a Tax ID Number (TIN)")
	}
	if !n.WorkLater || a.Person.Type != access.PRAD {
		u.CheckWork(&wrong)
	}
	if u.StatusCd == users.Draft {
		wrong = slices.DeleteFunc(wrong, func(f problem.Field) bool { return n.lacks(f.Path) })
	}
	if err := wrong.Refuse(validate.MarkedFields); err != nil {
		return err
	}
	if newGroup && u.TypeCd == access.ROAD && len(n.Sources) == 0 {
		return problem.Say(problem.Invalid, "You must add at least one roster source for the new group")
	}
	return nil
}
