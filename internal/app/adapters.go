package app

import (
	"context"
	"database/sql"
	"errors"

	"wcpp/internal/access"
	"wcpp/internal/account"
	"wcpp/internal/feeschedules"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/problem"
	"wcpp/internal/sessions"
	"wcpp/internal/sso"
	"wcpp/internal/support"
	"wcpp/internal/users"
)

// accounts gives other areas what they need of the users.
type accounts struct{ app *App }

func (a accounts) SignIn(ctx context.Context, userName, password string) (int64, error) {
	u, err := a.app.Users.SignIn(ctx, userName, password)
	return u.ID, err
}

func (a accounts) identified(ctx context.Context, issuer, subject, userName string) (int64, error) {
	u, err := a.app.Users.SignInIdentity(ctx, users.Identity{Issuer: issuer, Subject: subject, UserName: userName})
	return u.ID, err
}

// Contact is the person whom the live chat is introduced to.
func (a accounts) Contact(ctx context.Context, id int64) (support.Person, error) {
	u, err := a.app.Users.ByID(ctx, id)
	return support.Person{Name: u.FirstName + " " + u.LastName, Email: u.Email, Phone: u.Phone, AccountType: users.ShortTypeName(u.TypeCd)}, err
}

func (a accounts) Account(ctx context.Context, id int64) (sessions.Account, error) {
	u, err := a.app.Users.ByID(ctx, id)
	if err != nil {
		return sessions.Account{}, err
	}
	account := sessions.Account{
		ID: u.ID, UserNm: u.UserName, UserFirstName: u.FirstName, UserLastName: u.LastName, UserMidName: u.MiddleName,
		EmailAddr: u.Email, PhoneNum: u.Phone, TypeCd: u.TypeCd, TypeDesc: users.TypeName(u.TypeCd),
		StatusCd: string(u.StatusCd), StatusDesc: u.StatusCd.Name(), AppVersion: Version,
		JobTitle: u.JobTitle, CompanyNm: u.CompanyName, CompanyURL: u.CompanyURL,
		AffiliationCd: u.AffiliationCd, AffiliationDesc: u.AffiliationDesc,
	}
	made, err := a.app.FeeSchedules.Of(ctx, u.ID)
	if err != nil {
		return sessions.Account{}, err
	}
	files := feeschedules.FilesOf(made)
	account.FeeSchedRqstsCnt, account.FeeSchedRqsts = files.SuccessCount, make([]sessions.FeeScheduleRequest, len(made))
	for i, f := range files.FeeSchedList {
		account.FeeSchedRqsts[i] = sessions.FeeScheduleRequest(f)
	}
	if u.GroupID != 0 {
		account.GrpInfoID = &u.GroupID
	}
	return account, nil
}

func (a accounts) ActiveByName(ctx context.Context, userName string) (access.Person, error) {
	u, err := a.app.Users.ByName(ctx, userName)
	if errors.Is(err, db.ErrNotFound) || err == nil && u.StatusCd != users.Active {
		return access.Person{}, problem.New(problem.NotFound)
	}
	return u.Person(), err
}

func (a accounts) PersonByName(ctx context.Context, userName string) (access.Person, error) {
	u, err := a.app.Users.ByName(ctx, userName)
	if errors.Is(err, db.ErrNotFound) {
		return access.Person{}, problem.New(problem.NotFound)
	}
	return u.Person(), err
}

func (a accounts) GroupKind(ctx context.Context, tx *sql.Tx, groupID int64) (string, error) {
	return a.app.Users.GroupKind(ctx, tx, groupID)
}

func (a accounts) AdminEmails(ctx context.Context, tx *sql.Tx, groupID int64) ([]string, error) {
	list, err := a.app.Users.AdminsOf(ctx, tx, groupID)
	emails := make([]string, len(list))
	for i, u := range list {
		emails[i] = u.Email
	}
	return emails, err
}

// records gives the TINs area the bills and providers on file.
type records struct{ app *App }

func (r records) BillOnFile(ctx context.Context, ftin, billControlNumber string) (known, valid bool, err error) {
	return r.app.Bills.OnFile(ctx, ftin, billControlNumber)
}

func (r records) ProviderOnFile(ctx context.Context, ftin, providerID string) (known, valid bool, err error) {
	return r.app.Directory.OnFile(ctx, ftin, providerID)
}

// userOthers gives the users area the other areas' parts in changing accounts.
// They are made after it, so that they are found when they are needed.
type userOthers struct {
	app      *App
	signedIn *signedIn
}

func (o userOthers) GroupTINs(ctx context.Context, q db.Queryer, groupID int64) ([]string, error) {
	return o.app.TINs.GroupOwns(ctx, q, groupID)
}

func (o userOthers) AddGroupTINs(ctx context.Context, tx *sql.Tx, groupID int64, ftins []string, by string) error {
	return o.app.TINs.GiveIn(ctx, tx, groupID, ftins, by)
}

func (o userOthers) AssignTINs(ctx context.Context, tx *sql.Tx, groupID, userID int64, ftins []string, by string) error {
	return o.app.TINs.AssignIn(ctx, tx, groupID, userID, ftins, by)
}

func (o userOthers) CheckTIN(_ context.Context, ftin string) error { return o.app.TINs.Check(ftin) }

func (o userOthers) CheckNonNetworkTIN(ctx context.Context, ftin string) error {
	return o.app.TINs.CheckNonNetwork(ctx, ftin)
}

func (o userOthers) HoldersOf(ctx context.Context, ftin string) (groups, holders []int64, err error) {
	return o.app.TINs.HoldersOf(ctx, ftin)
}

func (o userOthers) Invite(ctx context.Context, tx *sql.Tx, userID, request int64, by string) error {
	return o.app.Account.Invite(ctx, tx, userID, request, by)
}

func (o userOthers) CloseRequest(ctx context.Context, tx *sql.Tx, request, userID int64, by string) error {
	return o.app.Account.Close(ctx, tx, request, userID, by)
}

func (o userOthers) RosterSourcesOf(ctx context.Context, groupIDs []int64) (map[int64][]users.RosterSource, error) {
	found, err := o.app.Rosters.SourcesOfGroups(ctx, groupIDs)
	out := make(map[int64][]users.RosterSource, len(found))
	for id, list := range found {
		for _, source := range list {
			out[id] = append(out[id], users.RosterSource{SourceID: source.SourceID, SourceName: source.Name})
		}
	}
	return out, err
}

func (o userOthers) GroupsWithSource(ctx context.Context, sourceID int64) ([]int64, error) {
	return o.app.Rosters.GroupsWithSource(ctx, sourceID)
}

func (o userOthers) GroupsWithSourceGroup(ctx context.Context, sourceGroupID int64) ([]int64, error) {
	return o.app.Rosters.GroupsWithSourceGroup(ctx, sourceGroupID)
}

func (o userOthers) KnowsRosterSources(ctx context.Context, sourceIDs []int64) (bool, error) {
	return o.app.Rosters.Known(ctx, sourceIDs)
}

func (o userOthers) AddRosterSources(ctx context.Context, tx *sql.Tx, groupID int64, sourceIDs []int64, by string) error {
	return o.app.Rosters.GiveIn(ctx, tx, groupID, sourceIDs, by)
}

func (o userOthers) EndSessions(ctx context.Context, tx *sql.Tx, userID int64) error {
	return o.signedIn.EndAll(ctx, tx, userID)
}

// accountHolders gives the account flows what they need of the users.
type accountHolders struct{ users *users.Service }

func holder(u users.User, err error) (account.Account, error) {
	if errors.Is(err, db.ErrNotFound) {
		err = problem.New(problem.NotFound)
	}
	return account.Account{
		ID: u.ID, UserName: u.UserName, FirstName: u.FirstName, LastName: u.LastName, Email: u.Email,
		Status: string(u.StatusCd), PasswordHash: u.PasswordHash,
	}, err
}

func (h accountHolders) ByID(ctx context.Context, id int64) (account.Account, error) {
	return holder(h.users.ByID(ctx, id))
}

func (h accountHolders) ByName(ctx context.Context, userName string) (account.Account, error) {
	return holder(h.users.ByName(ctx, userName))
}

func (h accountHolders) ByEmail(ctx context.Context, email string) (account.Account, error) {
	return holder(h.users.ByEmail(ctx, email))
}

func (h accountHolders) Managed(ctx context.Context, a access.Actor, userName string, id int64) (account.Account, error) {
	return holder(h.users.Managed(ctx, a, userName, id))
}

func (h accountHolders) Locked(ctx context.Context, tx *sql.Tx, id int64) (account.Account, error) {
	return holder(h.users.Locked(ctx, tx, id))
}

func (h accountHolders) Activate(ctx context.Context, tx *sql.Tx, id int64, hash, by string) error {
	u, err := h.users.Locked(ctx, tx, id)
	if err != nil {
		return err
	}
	return h.users.Activate(ctx, tx, u, hash, by)
}

func (h accountHolders) Suspend(ctx context.Context, tx *sql.Tx, id int64, by string) error {
	u, err := h.users.Locked(ctx, tx, id)
	if err != nil {
		return err
	}
	return h.users.Suspend(ctx, tx, u, by)
}

// signedIn ends what is signed in: sessions, and codes that could still become
// one.
type signedIn struct {
	sessions *sessions.Service
	embedded *sso.Embedded // nil where an outside provider signs people in
}

func (s signedIn) EndAll(ctx context.Context, tx *sql.Tx, userID int64) error {
	return errors.Join(s.sessions.EndAll(ctx, tx, userID), s.forgetCodes(ctx, tx, userID))
}

func (s signedIn) EndOthers(ctx context.Context, tx *sql.Tx, userID int64, keep []byte) error {
	return errors.Join(s.sessions.EndOthers(ctx, tx, userID, keep), s.forgetCodes(ctx, tx, userID))
}

func (s signedIn) forgetCodes(ctx context.Context, tx *sql.Tx, userID int64) error {
	if s.embedded == nil {
		return nil
	}
	return s.embedded.Forget(ctx, tx, userID)
}
