package app

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"wcpp/internal/account"
	"wcpp/internal/bills/alerts"
	"wcpp/internal/bills/billstate"
	"wcpp/internal/bills/detail"
	"wcpp/internal/bills/ledger"
	"wcpp/internal/bills/openbills"
	"wcpp/internal/bills/record"
	"wcpp/internal/bills/remittances"
	"wcpp/internal/deadlines"
	"wcpp/internal/directory"
	"wcpp/internal/feeschedules"
	"wcpp/internal/identity/access"
	"wcpp/internal/identity/tins"
	"wcpp/internal/identity/users"
	"wcpp/internal/identity/users/administration"
	"wcpp/internal/identity/users/signin"
	"wcpp/internal/mfa"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/ingest"
	"wcpp/internal/platform/problem"
	"wcpp/internal/reasoncodes"
	"wcpp/internal/rosters"
	"wcpp/internal/sessions"
	"wcpp/internal/sso"
	"wcpp/internal/support"
)

// newPasswordChecker signs users in with username and password, for packages that need only their
// identity.
func newPasswordChecker(s *signin.Service) sessions.Passwords {
	return func(ctx context.Context, userName, password string) (int64, db.Guard, error) {
		e, err := s.SignIn(ctx, userName, password)
		return e.ID, e.Guard, err
	}
}

// newFormChecker signs users in with the portal's own form. A required second factor remains to be
// completed.
func newFormChecker(s *signin.Service) sso.PasswordChecker {
	return func(ctx context.Context, userName, password string) (sso.Authenticated, sso.Half, error) {
		e, err := s.SignIn(ctx, userName, password)
		if half, ok := signin.GetHalf(err); ok {
			return sso.Authenticated{}, sso.Half(half), nil
		}
		return toAuthenticated(e), sso.Half{}, err
	}
}

func toAuthenticated(e signin.Entry) sso.Authenticated {
	return sso.Authenticated{UserID: e.ID, Guard: e.Guard}
}

// colleagues provides users as other group members see them.
type colleagues struct{ users *users.Service }

func (c colleagues) GetName(ctx context.Context, userName string, groupID int64) (string, error) {
	u, err := c.users.ByName(ctx, userName)
	if errors.Is(err, db.ErrNotFound) || err == nil && (groupID == 0 || u.GroupID != groupID) {
		return "", nil
	}
	return strings.TrimSpace(u.FirstName + " " + u.LastName), err
}

// workers provides the users in a group who can be assigned its bills.
type workers struct {
	users  *users.Service
	scopes *tins.Scopes
	access access.Settings
}

func (w workers) Colleagues(ctx context.Context, groupID int64) ([]openbills.Colleague, error) {
	list, err := w.users.Active(ctx, groupID)
	out := make([]openbills.Colleague, len(list))
	for i, u := range list {
		out[i] = openbills.Colleague{ID: u.ID, UserName: u.UserName, Name: strings.TrimSpace(u.FirstName + " " + u.LastName)}
	}
	return out, err
}

func (w workers) LoadScope(ctx context.Context, groupID, userID int64) (access.Scope, error) {
	u, err := w.users.ByID(ctx, userID)
	if err != nil {
		return access.Scope{}, err
	}
	tins, err := w.scopes.ListTINs(ctx, access.Person{ID: u.ID, UserName: u.UserName, Type: u.TypeCd, GroupID: groupID})
	return access.NewScope(tins), err
}

func (w workers) ReadTINs(ctx context.Context, tx *sql.Tx, groupID, userID int64) ([]string, error) {
	u, err := users.Find(ctx, tx, userID)
	if err != nil || u.GroupID != groupID || u.StatusCd == users.Terminated {
		return nil, err
	}
	return w.scopes.ReadTINs(ctx, tx, u.Person())
}

func (w workers) GetName(ctx context.Context, userID int64) (string, error) {
	u, err := w.users.ByID(ctx, userID)
	return strings.TrimSpace(u.FirstName + " " + u.LastName), err
}

func (w workers) LoadActor(ctx context.Context, userID int64) (access.Actor, bool, error) {
	return finders{w.users, w.access, "work.bills"}.LoadActor(ctx, userID)
}

// recipients provides the users who get news by email.
type recipients struct{ users *users.Service }

func (r recipients) Recipient(ctx context.Context, userID int64) (alerts.Recipient, error) {
	u, err := r.users.ByID(ctx, userID)
	if errors.Is(err, db.ErrNotFound) {
		err = problem.New(problem.NotFound)
	}
	return alerts.Recipient{Person: u.Person(), Email: u.Email, Active: u.CanSignIn()}, err
}

func (r recipients) GroupActive(ctx context.Context, groupID int64) (bool, error) {
	found, err := r.users.Groups(ctx, []int64{groupID})
	return err == nil && len(found) == 1 && found[0].StatusCd != users.GroupInactive, err
}

// secondStep completes form sign-ins with a second factor. signIn decides about access and
// counts attempts, and factors checks the code.
type secondStep struct {
	signIn  *signin.Service
	factors *mfa.Service
}

func (s secondStep) IsOffered() bool { return s.factors.IsOffered() }

func (s secondStep) FindFactors(ctx context.Context, h sso.Half) (factor, passkey bool, err error) {
	if factor, err = s.factors.HasFactor(ctx, h.UserID); err == nil {
		passkey, err = s.factors.HasPasskey(ctx, h.UserID)
	}
	return factor, passkey, err
}

func (s secondStep) VerifyCode(ctx context.Context, h sso.Half, code string) (sso.Authenticated, error) {
	e, err := s.signIn.Finish(ctx, signin.Half(h), func(ctx context.Context) (int64, error) {
		return s.factors.VerifyCode(ctx, h.UserID, code)
	})
	return toAuthenticated(e), err
}

func (s secondStep) NewChallenge(ctx context.Context, h sso.Half) (json.RawMessage, string, error) {
	c, err := s.factors.Challenge(ctx, h.UserID)
	return c.Options, c.State, err
}

func (s secondStep) VerifyPasskey(ctx context.Context, h sso.Half, state string, answer []byte) (sso.Authenticated, error) {
	if h.UserID != 0 {
		e, err := s.signIn.Finish(ctx, signin.Half(h), func(ctx context.Context) (int64, error) {
			return s.factors.VerifyPasskey(ctx, h.UserID, false, state, answer)
		})
		return toAuthenticated(e), err
	}
	userID, err := s.factors.FindOwner(ctx, answer)
	if err != nil {
		return sso.Authenticated{}, err
	}
	e, err := s.signIn.SignInWithPasskey(ctx, userID, func(ctx context.Context) (int64, error) {
		return s.factors.VerifyPasskey(ctx, userID, true, state, answer)
	})
	return toAuthenticated(e), err
}

func (s secondStep) NewApp(ctx context.Context, h sso.Half, state string) (secret, picture, next string, err error) {
	a, err := s.factors.NewApp(ctx, h.UserID, state)
	return a.Secret, a.Picture, a.State, err
}

func (s secondStep) newAddRequest(ctx context.Context, h sso.Half) (mfa.AddRequest, error) {
	grant, err := s.signIn.FindUnfinished(ctx, signin.Half(h))
	return mfa.AddRequest{Grant: grant, First: true}, err
}

func (s secondStep) AddApp(ctx context.Context, h sso.Half, state, code string) (int64, error) {
	a, err := s.newAddRequest(ctx, h)
	if err != nil {
		return 0, err
	}
	added, err := s.factors.AddApp(ctx, a, state, code)
	return added.ID, err
}

func (s secondStep) NewPasskey(ctx context.Context, h sso.Half) (json.RawMessage, string, error) {
	c, err := s.factors.NewPasskey(ctx, h.UserID)
	return c.Options, c.State, err
}

func (s secondStep) AddPasskey(ctx context.Context, h sso.Half, state string, answer []byte) (int64, error) {
	a, err := s.newAddRequest(ctx, h)
	if err != nil {
		return 0, err
	}
	added, err := s.factors.AddPasskey(ctx, a, state, answer)
	return added.ID, err
}

func (s secondStep) Codes(ctx context.Context, h sso.Half, added int64) ([]string, error) {
	a, err := s.newAddRequest(ctx, h)
	if err != nil {
		return nil, err
	}
	return s.factors.CreateFirstCodes(ctx, a.Grant, added)
}

func (s secondStep) Finish(ctx context.Context, h sso.Half, added int64) (sso.Authenticated, error) {
	e, err := s.signIn.Finish(ctx, signin.Half(h), func(ctx context.Context) (int64, error) {
		return added, s.factors.AcceptAdded(ctx, h.UserID, added)
	})
	return toAuthenticated(e), err
}

// factorOwners provides the accounts that own second factors.
type factorOwners struct{ users *users.Service }

func toFactorOwner(u users.User, err error) (mfa.Account, error) {
	if errors.Is(err, db.ErrNotFound) {
		err = problem.New(problem.NotFound)
	}
	return mfa.Account{ID: u.ID, UserName: u.UserName, FirstName: u.FirstName, LastName: u.LastName, Email: u.Email, Type: u.TypeCd}, err
}

func (o factorOwners) ByID(ctx context.Context, id int64) (mfa.Account, error) {
	return toFactorOwner(o.users.ByID(ctx, id))
}

func (o factorOwners) LockUser(ctx context.Context, tx *sql.Tx, id int64) (mfa.Account, error) {
	return toFactorOwner(o.users.LockUser(ctx, tx, id))
}

// newIdentityFinder signs in users whom an external identity provider authenticated.
func newIdentityFinder(s *signin.Service, asserts bool) sso.IdentityFinder {
	return func(ctx context.Context, issuer, subject, userName string) (sso.Authenticated, error) {
		e, err := s.SignInIdentity(ctx, signin.Identity{Issuer: issuer, Subject: subject, UserName: userName, Asserted: asserts})
		return toAuthenticated(e), err
	}
}

// newSignOutHandler ends sessions that an external identity provider signed out.
func newSignOutHandler(signedIn *sessions.Registry) sso.SignOutHandler {
	return func(ctx context.Context, tx *sql.Tx, issuer, subject, sid string) error {
		u, err := users.FindBySubject(ctx, tx, issuer, subject)
		if err != nil && !errors.Is(err, db.ErrNotFound) {
			return err
		}
		return signedIn.EndBySSO(ctx, tx, sid, u.ID)
	}
}

// singleSignOn provides users who signed in with single sign-on to the sessions.
type singleSignOn struct{ *sso.Service }

func (s singleSignOn) Exchange(ctx context.Context, code, state, issuer, pending string) (sessions.Proven, error) {
	proven, err := s.Service.Exchange(ctx, code, state, issuer, pending)
	return sessions.Proven(proven), err
}

// chatPeople provides the users to register with the chat provider.
type chatPeople struct{ users *users.Service }

func (c chatPeople) Contact(ctx context.Context, id int64) (support.Person, error) {
	u, err := c.users.ByID(ctx, id)
	return toChatPerson(u), err
}

func toChatPerson(u users.User) support.Person {
	return support.Person{Name: u.FirstName + " " + u.LastName, Email: u.Email, Phone: u.Phone, AccountType: users.ShortTypeName(u.TypeCd)}
}

// sessionAccounts provides the account data that sessions show.
type sessionAccounts struct {
	users        *users.Service
	feeSchedules *feeschedules.Service
}

func (s sessionAccounts) Account(ctx context.Context, id int64) (sessions.Account, error) {
	u, err := s.users.ByID(ctx, id)
	if err != nil {
		return sessions.Account{}, err
	}
	made, err := s.feeSchedules.ListForUser(ctx, u.ID)
	return toSessionAccount(u, made), err
}

func toSessionAccount(u users.User, made feeschedules.FinishedFiles) sessions.Account {
	files := feeschedules.ToFiles(made)
	account := sessions.Account{
		ID: u.ID, UserNm: u.UserName, UserFirstName: u.FirstName, UserLastName: u.LastName, UserMidName: u.MiddleName,
		EmailAddr: u.Email, PhoneNum: u.Phone, TypeCd: u.TypeCd, TypeDesc: users.TypeName(u.TypeCd),
		StatusCd: string(u.StatusCd), StatusDesc: u.StatusCd.Name(), AppVersion: Version,
		JobTitle: u.JobTitle, CompanyNm: u.CompanyName, CompanyURL: u.CompanyURL,
		AffiliationCd: u.AffiliationCd, AffiliationDesc: u.AffiliationDesc,
		FeeSchedRqstsCnt: files.SuccessCount, FeeSchedRqsts: make([]sessions.FeeScheduleRequest, len(files.FeeSchedList)),
	}
	for i, f := range files.FeeSchedList {
		account.FeeSchedRqsts[i] = sessions.FeeScheduleRequest(f)
	}
	if u.GroupID != 0 {
		account.GrpInfoID = &u.GroupID
	}
	return account
}

func (s sessionAccounts) ActiveByName(ctx context.Context, userName string) (access.Person, error) {
	u, err := s.users.ByName(ctx, userName)
	if errors.Is(err, db.ErrNotFound) || err == nil && !u.CanSignIn() {
		return access.Person{}, problem.New(problem.NotFound)
	}
	return u.Person(), err
}

// groups provides users and groups to other packages in the form they need.
type groups struct{ users *users.Service }

func (g groups) PersonByName(ctx context.Context, userName string) (access.Person, error) {
	u, err := g.users.ByName(ctx, userName)
	if errors.Is(err, db.ErrNotFound) {
		return access.Person{}, problem.New(problem.NotFound)
	}
	return u.Person(), err
}

// Account returns the user to whom TINs are assigned.
func (g groups) Account(ctx context.Context, q db.Queryer, userName string) (tins.Account, error) {
	u, err := users.FindByName(ctx, q, userName)
	if errors.Is(err, db.ErrNotFound) {
		return tins.Account{}, problem.New(problem.NotFound)
	}
	return tins.Account{
		Person: u.Person(), FirstName: u.FirstName, LastName: u.LastName,
		Terminated: u.StatusCd == users.Terminated, Draft: u.StatusCd == users.Draft,
	}, err
}

// LockGroup locks a group and returns its type.
func (g groups) LockGroup(ctx context.Context, tx *sql.Tx, groupID int64) (string, error) {
	group, err := g.users.LockGroup(ctx, tx, groupID)
	return group.Kind, err
}

// Mailbox returns the email address of a user with an active account.
func (g groups) Mailbox(ctx context.Context, tx *sql.Tx, userName string) (string, error) {
	u, err := users.FindByName(ctx, tx, userName)
	if errors.Is(err, db.ErrNotFound) || err == nil && !u.CanSignIn() {
		return "", nil
	}
	return u.Email, err
}

func (g groups) AdminEmails(ctx context.Context, tx *sql.Tx, groupID int64) ([]string, error) {
	list, err := g.users.ListAdmins(ctx, tx, groupID)
	emails := make([]string, len(list))
	for i, u := range list {
		emails[i] = u.Email
	}
	return emails, err
}

// reviewers provides the users who review a group's access.
type reviewers struct {
	groups
	workers
}

// listings imports rosters into the directory.
type listings struct{ directory *directory.Service }

func (l listings) ImportListing(ctx context.Context, tx *sql.Tx, sourceGroupID, uploadID int64, of rosters.Listing) (bool, error) {
	return l.directory.ImportListing(ctx, tx, sourceGroupID, uploadID, directory.Listing(of))
}

func (l listings) EndListings(ctx context.Context, tx *sql.Tx, sourceGroupID, uploadID int64, limit int) (int, error) {
	return l.directory.EndListings(ctx, tx, sourceGroupID, uploadID, limit)
}

// rosterSources provides roster sources to user administration.
type rosterSources struct{ rosters *rosters.Service }

func (r rosterSources) ListByGroup(ctx context.Context, groupIDs []int64) (map[int64][]administration.RosterSource, error) {
	found, err := r.rosters.ListSourcesByGroup(ctx, groupIDs)
	out := make(map[int64][]administration.RosterSource, len(found))
	for id, list := range found {
		for _, source := range list {
			out[id] = append(out[id], administration.RosterSource{SourceID: source.SourceID, SourceName: source.Name})
		}
	}
	return out, err
}

func (r rosterSources) GroupsWithSource(ctx context.Context, sourceID int64) ([]int64, error) {
	return r.rosters.GroupsWithSource(ctx, sourceID)
}

func (r rosterSources) GroupsWithSourceGroup(ctx context.Context, groupID string) ([]int64, error) {
	return r.rosters.GroupsWithSourceGroup(ctx, groupID)
}

func (r rosterSources) AllExist(ctx context.Context, sourceIDs []int64) (bool, error) {
	return r.rosters.AllExist(ctx, sourceIDs)
}

func (r rosterSources) AddSources(ctx context.Context, tx *sql.Tx, group access.GroupGrant, sourceIDs []int64) error {
	return r.rosters.AddSources(ctx, tx, group, sourceIDs)
}

func (r rosterSources) RemoveSources(ctx context.Context, tx *sql.Tx, group access.GroupGrant, sourceIDs []int64) error {
	return r.rosters.RemoveSources(ctx, tx, group, sourceIDs)
}

// accountHolders provides the user data that account flows need.
type accountHolders struct {
	users  *users.Service
	signIn *signin.Service
}

func toAccountHolder(u users.User, err error) (account.Account, error) {
	if errors.Is(err, db.ErrNotFound) {
		err = problem.New(problem.NotFound)
	}
	return account.Account{
		ID: u.ID, UserName: u.UserName, FirstName: u.FirstName, LastName: u.LastName, Email: u.Email,
		Status: string(u.StatusCd), GroupEnded: u.GroupEnded, PasswordHash: u.PasswordHash,
	}, err
}

func (h accountHolders) ByID(ctx context.Context, id int64) (account.Account, error) {
	return toAccountHolder(h.users.ByID(ctx, id))
}

func (h accountHolders) ByName(ctx context.Context, userName string) (account.Account, error) {
	return toAccountHolder(h.users.ByName(ctx, userName))
}

func (h accountHolders) ByEmail(ctx context.Context, email string) (account.Account, error) {
	return toAccountHolder(h.users.ByEmail(ctx, email))
}

func (h accountHolders) FindManaged(
	ctx context.Context, a access.Actor, userName string, id int64,
) (account.Account, access.UserGrant, error) {
	u, grant, err := h.users.FindManaged(ctx, a, userName, id)
	held, err := toAccountHolder(u, err)
	return held, grant, err
}

func (h accountHolders) LockUser(ctx context.Context, tx *sql.Tx, id int64) (account.Account, error) {
	return toAccountHolder(h.users.LockUser(ctx, tx, id))
}

func (h accountHolders) Activate(ctx context.Context, tx *sql.Tx, g access.UserGrant, hash string) error {
	return h.signIn.Activate(ctx, tx, g, hash)
}

func (h accountHolders) Bind(ctx context.Context, tx *sql.Tx, g access.UserGrant, issuer, subject string) (bool, error) {
	return h.signIn.Bind(ctx, tx, g, issuer, subject)
}

func (h accountHolders) Suspend(ctx context.Context, tx *sql.Tx, g access.UserGrant) error {
	return h.signIn.Suspend(ctx, tx, g)
}

// sessionEnder ends sessions, and codes that could still become one.
type sessionEnder struct{ *sessions.Registry }

func (s sessionEnder) EndAll(ctx context.Context, tx *sql.Tx, user access.UserGrant) error {
	return errors.Join(s.Registry.EndAll(ctx, tx, user), sso.DeleteCodes(ctx, tx, user.ID()))
}

func (s sessionEnder) EndOthers(ctx context.Context, tx *sql.Tx, user access.UserGrant, keep []byte) error {
	return errors.Join(s.Registry.EndOthers(ctx, tx, user, keep), sso.DeleteCodes(ctx, tx, user.ID()))
}

// paymentCodes provides the codes on payments to the reason codes.
type paymentCodes struct{ ledger *ledger.Ledger }

func (p paymentCodes) NextTIN(ctx context.Context, after string) (string, error) {
	return p.ledger.NextPaid(ctx, after)
}

func (p paymentCodes) EachSince(
	ctx context.Context, tin string, since date.Date, each func(bill string, on date.Date, codes []reasoncodes.Code),
) error {
	return p.ledger.EachPaymentSince(ctx, tin, since, func(payment ledger.Payment) {
		each(payment.Bill, payment.PaidDate, collectCodes(payment))
	})
}

// collectCodes returns the codes on a payment and its lines.
func collectCodes(p ledger.Payment) []reasoncodes.Code {
	list := []reasoncodes.Code{{List: "CLP02", Code: p.ClaimStatus}}
	add := func(adjustments []ledger.Adjustment, remarks []ledger.Remark) {
		for _, a := range adjustments {
			list = append(list, reasoncodes.Code{List: "CAGC", Code: a.Group}, reasoncodes.Code{List: "CARC", Code: a.Reason})
		}
		for _, r := range remarks {
			if r.List == ledger.RemarkCodes {
				list = append(list, reasoncodes.Code{List: "RARC", Code: r.Code})
			}
		}
	}
	add(p.Detail.Adjustments, p.Detail.Remarks)
	for _, l := range p.Detail.Lines {
		add(l.Adjustments, l.Remarks)
	}
	return slices.DeleteFunc(list, func(c reasoncodes.Code) bool { return c.Code == "" })
}

// glossary reports to the ledger which payment codes have an explanation.
type glossary struct{ codes *reasoncodes.Catalog }

func (g glossary) CountExplained(ctx context.Context, tx *sql.Tx, list []ledger.Payment) (total, explained int64, err error) {
	var all []reasoncodes.Code
	for _, p := range list {
		carried := collectCodes(p)
		slices.SortFunc(carried, func(a, b reasoncodes.Code) int {
			return cmp.Or(cmp.Compare(a.List, b.List), cmp.Compare(a.Code, b.Code))
		})
		all = append(all, slices.Compact(carried)...)
	}
	unexplained, err := g.codes.FindUnexplained(ctx, tx, all)
	return int64(len(all)), int64(len(slices.DeleteFunc(slices.Clone(all), func(c reasoncodes.Code) bool { return unexplained[c] }))), err
}

// reasonTexts provides the explanations of codes for documents.
type reasonTexts struct{ codes *reasoncodes.Service }

func (t reasonTexts) LoadTexts(ctx context.Context) (remittances.CodeTexts, error) {
	reasons, err := t.codes.ListAll(ctx, "")
	sentences := make(map[[3]string]string, len(reasons))
	for _, r := range reasons {
		sentences[[3]string{r.List, r.Code, r.Jurisdiction}] = cmp.Or(r.Title, r.Official)
	}
	return func(list, code, jurisdiction string) string {
		return cmp.Or(sentences[[3]string{list, code, jurisdiction}], sentences[[3]string{list, code, ""}])
	}, err
}

// finders provides the users with a given permission.
type finders struct {
	users      *users.Service
	access     access.Settings
	permission string
}

func (f finders) LoadActor(ctx context.Context, userID int64) (access.Actor, bool, error) {
	u, err := f.users.ByID(ctx, userID)
	if errors.Is(err, db.ErrNotFound) {
		return access.Actor{}, false, nil
	}
	a := access.Actor{Person: u.Person()}
	return a, err == nil && !u.GroupEnded && (u.StatusCd == users.Active || u.StatusCd == users.Locked) &&
		slices.Contains(f.access.Permissions(a), f.permission), err
}

// billAges provides the date of the latest bill data.
type billAges struct{ feeds *ingest.Importer }

func (b billAges) AsOf(ctx context.Context) (string, error) {
	all, err := b.feeds.Intakes(ctx)
	if at := slices.IndexFunc(all, func(i ingest.Intake) bool { return i.Data == "bills" }); at >= 0 {
		return all[at].AsOf, err
	}
	return "", err
}

// dues provides a bill's due date to the ledger. Days start in the business time zone.
type dues struct {
	deadlines *deadlines.Rules
	zone      *time.Location
}

func (d dues) Rules(ctx context.Context, tx *sql.Tx) (func(ledger.Bill) date.Date, error) {
	law, err := d.deadlines.SharedLaw(ctx, tx)
	return func(b ledger.Bill) date.Date { return law.Next(d.newFacts(b), stages[b.OpenState.NextToAct()]) }, err
}

func (d dues) newFacts(b ledger.Bill) deadlines.Facts {
	f := deadlines.Facts{
		State: b.StateOfJurisdiction, StateGiven: b.StateBasis == ledger.StateGiven, Line: deadlines.LineFromFiling(b.Filing),
		Service:  b.BeginServiceDate,
		Received: b.ReceivedOn, ReceivedSure: b.ReceivedBasis == ledger.ReceivedByRepricer, Paid: b.PaidDate,
	}
	if !b.FirstSeenAt.IsZero() {
		f.FirstSeen = date.Of(b.FirstSeenAt.In(d.zone))
	}
	return f
}

// stages are the sides that must act on a bill next.
var stages = map[billstate.Side]deadlines.Stage{
	billstate.Payer: deadlines.ForPayer, billstate.Office: deadlines.ForOffice, billstate.Nobody: deadlines.Over,
}

// openBills recalculates the deadlines of open bills.
type openBills struct{ ledger *ledger.Ledger }

func (o openBills) UpdateDueDates(ctx context.Context, after deadlines.Place, limit int) (deadlines.Place, error) {
	reached, err := o.ledger.UpdateDueDates(ctx, ledger.OpenPlace{FTIN: after.TIN, Since: after.Since, Bill: after.Bill}, limit)
	return deadlines.Place{TIN: reached.FTIN, Since: reached.Since, Bill: reached.Bill}, err
}

// billFacts provides the bill data that deadlines depend on.
type billFacts struct {
	bills *detail.Service
	zone  *time.Location
}

func (s billFacts) Find(ctx context.Context, a access.Actor, page string) (deadlines.Bill, bool, error) {
	b, payerReceived, second, err := s.bills.BillFacts(ctx, a, "open-deadlines", page)
	if err != nil || second {
		return deadlines.Bill{}, false, err
	}
	return s.newBill(b, payerReceived), true, nil
}

func (s billFacts) FindAtDesk(ctx context.Context, a access.Actor, page string) (deadlines.Bill, error) {
	b, payerReceived, err := s.bills.BillFactsAtDesk(ctx, a, page)
	if err != nil {
		return deadlines.Bill{}, err
	}
	return s.newBill(b, payerReceived), nil
}

func (s billFacts) newBill(b record.Bill, payerReceived date.Date) deadlines.Bill {
	known := deadlines.Bill{Facts: dues{zone: s.zone}.newFacts(b), Stage: stages[b.OpenState.NextToAct()]}
	known.PayerReceived = payerReceived
	switch b.OpenState {
	case billstate.Priced:
		known.Owed = b.RecommendedAllowance
	case billstate.Short, billstate.Settled:
		known.Owed = b.PaidAmount
	}
	return known
}
