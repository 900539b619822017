package users

import (
	"context"
	"database/sql"
	"encoding/json"
	"slices"

	"wcpp/internal/access"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/text"
)

// RosterSource is a source of rosters that a roster group has.
type RosterSource struct {
	SourceID   int64  `json:"sourceId"`
	SourceName string `json:"sourceName"`
}

// NewUser is an account to be made, or a draft to be kept or completed.
type NewUser struct {
	User    User // ID of a draft, or 0
	TINs    []string
	Sources []RosterSource
	Request int64 // the account request it answers, or 0
	// WorkLater leaves out where the person works: a group's administrator need
	// not know it, and the person is asked at the first sign-in.
	WorkLater bool
}

// Create makes an account that waits for its registration, mails the link and
// answers the account. A group's administrator makes provider users and
// administrators of the own group; a system administrator any type.
func (s *Service) Create(ctx context.Context, a access.Actor, n NewUser) (User, error) {
	return s.make(ctx, a, n, New, "user-create")
}

// SaveDraft keeps what is known of an account so far: it cannot sign in and
// nobody is mailed.
func (s *Service) SaveDraft(ctx context.Context, a access.Actor, n NewUser) (User, error) {
	return s.make(ctx, a, n, Draft, "user-draft")
}

func (s *Service) make(ctx context.Context, a access.Actor, n NewUser, status Status, operation string) (User, error) {
	u := n.User
	u.clean()
	u.StatusCd = status
	if a.Person.Type == access.PRAD {
		u.GroupID = a.Person.GroupID
	}
	if !slices.Contains(TypesFor(a.Person.Type), u.TypeCd) {
		return User{}, refuseFields([]problem.Field{{Path: "typeCd", Code: "INVALID", Message: "Error: Select Account Type"}})
	}
	wrong := u.creationProblems(status, n.TINs)
	if !n.WorkLater || a.Person.Type != access.PRAD {
		wrong = append(wrong, u.workProblems()...)
	}
	if len(wrong) > 0 {
		return User{}, refuseFields(wrong)
	}
	for _, ftin := range n.TINs {
		if err := s.checkTIN(ctx, u.TypeCd, ftin); err != nil {
			return User{}, err
		}
	}
	sourceIDs, err := s.chosenSources(ctx, n.Sources)
	if err != nil {
		return User{}, err
	}
	if status == Draft {
		kept, err := json.Marshal(n.Sources)
		if err != nil {
			return User{}, err
		}
		u.Draft = string(kept)
	}
	err = s.db.Tx(ctx, func(tx *sql.Tx) error {
		if err := s.place(ctx, tx, &u, n, a.Person.UserName); err != nil {
			return err
		}
		if err := s.store(ctx, tx, &u, a.Person.UserName); err != nil {
			return err
		}
		if u.TypeCd == access.PRUS && u.GroupID != 0 {
			if err := s.others.AssignTINs(ctx, tx, u.GroupID, u.ID, n.TINs, a.Person.UserName); err != nil {
				return err
			}
		}
		if status == New && groupKind(u.TypeCd) == "ROSTER" {
			if err := s.others.AddRosterSources(ctx, tx, u.GroupID, sourceIDs, a.Person.UserName); err != nil {
				return err
			}
		}
		if status == New {
			if err := s.others.Invite(ctx, tx, u.ID, n.Request, a.Person.UserName); err != nil {
				return err
			}
			if n.Request != 0 {
				if err := s.others.CloseRequest(ctx, tx, n.Request, u.ID, a.Person.UserName); err != nil {
					return err
				}
			}
		}
		return s.audit.Record(ctx, tx, audit.Entry{Operation: operation, Subject: u.UserName, Result: "ok", Detail: string(u.TypeCd)})
	})
	if db.IsUnique(err) {
		e := problem.Say(problem.Conflict, "Error: The Email Address is associated to another account")
		e.Fields = []problem.Field{{Path: "emailAddr", Code: "EMAIL_EXISTS", Message: e.Message}}
		return User{}, e
	}
	return u, err
}

// chosenSources answers the ids of roster sources, each once.
func (s *Service) chosenSources(ctx context.Context, list []RosterSource) ([]int64, error) {
	ids := make([]int64, len(list))
	for i, source := range list {
		ids[i] = source.SourceID
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	known, err := s.others.KnowsRosterSources(ctx, ids)
	if err == nil && !known {
		err = problem.Say(problem.Invalid, "A chosen roster hub source does not exist any more. Remove it and choose again.")
	}
	return ids, err
}

func (s *Service) checkTIN(ctx context.Context, typ access.Type, ftin string) error {
	switch typ {
	case access.NNUS:
		return s.others.CheckNonNetworkTIN(ctx, ftin)
	case access.PRAD:
		return s.others.CheckTIN(ctx, ftin)
	default:
		return nil
	}
}

// place finds the group of an account, or makes one for it. A draft that asks
// for a new group gets it when it is completed.
func (s *Service) place(ctx context.Context, tx *sql.Tx, u *User, n NewUser, by string) error {
	if u.TypeCd.Internal() {
		u.GroupID = 0
		return nil
	}
	if u.GroupID != 0 {
		kind, err := s.GroupKind(ctx, tx, u.GroupID)
		if err != nil && !problem.Is(err, problem.NotFound) {
			return err
		}
		if err != nil || kind != groupKind(u.TypeCd) || u.TypeCd == access.NNUS {
			return refuseFields([]problem.Field{{Path: "grpInfoId", Code: "INVALID", Message: "Error: Enter a valid group Id"}})
		}
		return nil
	}
	if u.StatusCd == Draft {
		return nil
	}
	name := u.CompanyName
	if name == "" {
		name = u.FirstName + " " + u.LastName
	}
	var err error
	if u.GroupID, err = insertGroup(ctx, tx, 0, name, groupKind(u.TypeCd), db.At(s.now()), by); err != nil {
		return err
	}
	return s.others.AddGroupTINs(ctx, tx, u.GroupID, n.TINs, by)
}

// store inserts the account, or makes it of the draft that it continues.
func (s *Service) store(ctx context.Context, tx *sql.Tx, u *User, by string) error {
	now := db.At(s.now())
	var err error
	if u.ID != 0 {
		old, err := s.Locked(ctx, tx, u.ID)
		if err != nil {
			return err
		}
		if old.StatusCd != Draft {
			return problem.Say(problem.Conflict, "This user is no draft any more. Search for the user again.")
		}
		u.UserName, u.CreatedAt = old.UserName, old.CreatedAt
		return updateDraft(ctx, tx, *u, now, by)
	}
	if u.UserName, err = freeName(ctx, tx, u.FirstName, u.LastName); err != nil {
		return err
	}
	u.CreatedAt = now
	u.ID, err = insertUser(ctx, tx, *u, now, by)
	return err
}

// Drafted answers a draft for its continuation.
func (s *Service) Drafted(u User) []RosterSource {
	var list []RosterSource
	if u.Draft == "" || json.Unmarshal([]byte(u.Draft), &list) != nil {
		return []RosterSource{}
	}
	return list
}

func (u *User) clean() {
	u.FirstName, u.MiddleName, u.LastName = text.Clean(u.FirstName), text.Clean(u.MiddleName), text.Clean(u.LastName)
	u.Email, u.Phone, u.EmployeeID = text.Clean(u.Email), text.Digits(u.Phone), text.Clean(u.EmployeeID)
	u.setWork(Profile{
		AffiliationCd: u.AffiliationCd, AffiliationDesc: u.AffiliationDesc,
		JobTitle: u.JobTitle, CompanyName: u.CompanyName, CompanyURL: u.CompanyURL,
	})
	if !u.TypeCd.Internal() {
		u.EmployeeID = ""
	}
	if u.TypeCd == access.ROAD || u.TypeCd == access.ROUS {
		u.CompanyURL = ""
	}
}

// creationProblems lists what is wrong with an account to be made, but for
// where the person works; the group
// and the TINs beyond their form are looked at in the transaction.
func (u *User) creationProblems(status Status, tins []string) []problem.Field {
	wrong := wrongFields(u.nameProblems())
	if u.TypeCd.Internal() {
		wrong.unless(u.EmployeeID != "" && len(u.EmployeeID) <= 120, "employeeId", "Error: Enter a valid Employee ID")
	}
	wrong.unless(u.GroupID != 0 || status == Draft || u.TypeCd != access.PRUS && u.TypeCd != access.ROUS, "grpInfoId", "Error: Enter a valid group Id")
	switch u.TypeCd {
	case access.PRUS:
		wrong.unless(len(tins) > 0, "userFtins", "Error: Select TIN")
	case access.NNUS:
		wrong.unless(len(tins) > 0, "userFtins", "Error: Enter a Tax ID Number (TIN)")
	}
	return wrong
}
