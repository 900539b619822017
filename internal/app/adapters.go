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

	"wcpp/internal/bills/billstate"
	"wcpp/internal/bills/cases"
	"wcpp/internal/bills/detail"
	"wcpp/internal/bills/ledger"
	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/bills/ledger/store"
	"wcpp/internal/bills/remittances"
	"wcpp/internal/clients"
	"wcpp/internal/deadlines"
	"wcpp/internal/directory"
	"wcpp/internal/feeschedules"
	"wcpp/internal/identity/access"
	"wcpp/internal/identity/users"
	"wcpp/internal/identity/users/administration"
	"wcpp/internal/identity/users/signin"
	"wcpp/internal/mfa"
	"wcpp/internal/payercontacts"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/ingest"
	"wcpp/internal/reasoncodes"
	"wcpp/internal/rosters"
	"wcpp/internal/sessions"
	"wcpp/internal/sso"
)

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
	if err := mfa.CheckCode(code); err != nil {
		return sso.Authenticated{}, err
	}
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

func (singleSignOn) DeleteCodes(ctx context.Context, tx *sql.Tx, userID int64) error {
	return sso.DeleteCodes(ctx, tx, userID)
}

// sessionEnder ends sessions, and codes that could still become one.
type sessionEnder struct{ *sessions.Registry }

func (s sessionEnder) EndAll(ctx context.Context, tx *sql.Tx, user access.UserGrant) error {
	return errors.Join(s.Registry.EndAll(ctx, tx, user), sso.DeleteCodes(ctx, tx, user.ID()))
}

func (s sessionEnder) EndOthers(ctx context.Context, tx *sql.Tx, user access.UserGrant, keep []byte) error {
	return errors.Join(s.Registry.EndOthers(ctx, tx, user, keep), sso.DeleteCodes(ctx, tx, user.ID()))
}

// feeScheduleFiles provides fee schedule files to the sessions.
type feeScheduleFiles struct{ *feeschedules.Service }

func (f feeScheduleFiles) ListFiles(ctx context.Context, userID int64) (int, []sessions.FeeScheduleRequest, error) {
	made, err := f.ListForUser(ctx, userID)
	files := feeschedules.ToFiles(made)
	list := make([]sessions.FeeScheduleRequest, len(files.FeeSchedList))
	for i, file := range files.FeeSchedList {
		list[i] = sessions.FeeScheduleRequest(file)
	}
	return files.SuccessCount, list, err
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

// paymentCodes provides the codes on payments to the reason codes.
type paymentCodes struct{ ledger *ledger.Ledger }

func (p paymentCodes) NextTIN(ctx context.Context, after string) (string, error) {
	return p.ledger.NextPaid(ctx, after)
}

func (p paymentCodes) EachSince(
	ctx context.Context, tin string, since date.Date, each func(bill string, on date.Date, codes []reasoncodes.Code),
) error {
	return p.ledger.EachPaymentSince(ctx, tin, since, func(payment facts.Payment) {
		each(payment.Bill, payment.PaidDate, collectCodes(payment))
	})
}

// collectCodes returns the codes on a payment and its lines.
func collectCodes(p facts.Payment) []reasoncodes.Code {
	list := []reasoncodes.Code{{List: "CLP02", Code: p.ClaimStatus}}
	add := func(adjustments []facts.Adjustment, remarks []facts.Remark) {
		for _, a := range adjustments {
			list = append(list, reasoncodes.Code{List: "CAGC", Code: a.Group}, reasoncodes.Code{List: "CARC", Code: a.Reason})
		}
		for _, r := range remarks {
			if r.List == facts.RemarkCodes {
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

func (g glossary) CountExplained(ctx context.Context, tx *sql.Tx, list []facts.Payment) (total, explained int64, err error) {
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

// codeReasons provides the explanation of one code for a bill's page.
type codeReasons struct{ codes *reasoncodes.Service }

func (c codeReasons) Explain(ctx context.Context, list, code, jurisdiction string) (title, advice string, err error) {
	r, err := c.codes.Explain(ctx, list, code, jurisdiction)
	return cmp.Or(r.Title, r.Official), r.Advice, err
}

// remittanceContacts provides the payer's contact in its latest 835 to a TIN: that for claims first.
type remittanceContacts struct{ db *db.DB }

func (r remittanceContacts) FindContact(ctx context.Context, ftin, payerID string) (payercontacts.Contact, bool, error) {
	check, err := store.FindContact(ctx, r.db.Reader, ftin, payerID)
	if errors.Is(err, db.ErrNotFound) {
		return payercontacts.Contact{}, false, nil
	}
	if err != nil || len(check.Contacts) == 0 {
		return payercontacts.Contact{}, false, err
	}
	rank := func(c facts.Contact) int {
		if c.Telephone == "" {
			return 3
		}
		return slices.Index([]string{"CX", "BL", "IC"}, c.For)
	}
	best := slices.MinFunc(check.Contacts, func(a, b facts.Contact) int { return cmp.Compare(rank(a), rank(b)) })
	c := payercontacts.Contact{Payer: check.PayerName, Phone: best.Telephone, Extension: best.Extension, Web: best.Web, On: check.PaidOn}
	for _, other := range check.Contacts {
		c.Web = cmp.Or(c.Web, other.Web)
	}
	return c, true, nil
}

// clientContacts provides the billing phone and address of the client list.
type clientContacts struct{ clients *clients.Service }

func (c clientContacts) FindContact(ctx context.Context, q payercontacts.Query) (payercontacts.Contact, bool, error) {
	return toContact(c.clients.FindBilling(ctx, q.PayerID, q.PayerName, q.State, q.LineOfBusiness))
}

func (c clientContacts) FindContactByName(ctx context.Context, q payercontacts.Query) (payercontacts.Contact, bool, error) {
	return toContact(c.clients.FindBilling(ctx, "", q.PayerName, q.State, q.LineOfBusiness))
}

func toContact(b clients.Billing, found bool, err error) (payercontacts.Contact, bool, error) {
	address := []string{b.BillAttention, b.BillAddress}
	return payercontacts.Contact{
		Payer: b.Name, Phone: b.BillPhone, Possibly: !b.Sure,
		Address: strings.Join(slices.DeleteFunc(address, func(line string) bool { return line == "" }), ", "),
	}, found, err
}

// payerContacts provides the payer's contact for a bill's page.
type payerContacts struct{ contacts *payercontacts.Service }

func (p payerContacts) FindContact(ctx context.Context, of detail.Payer) (*detail.PageContact, error) {
	c, found, err := p.contacts.Find(ctx, payercontacts.Query{FTIN: of.FTIN, PayerID: of.ID, PayerName: of.Name, State: of.State,
		LineOfBusiness: deadlines.LineFromFiling(of.Filing)})
	if !found || err != nil {
		return nil, err
	}
	return &detail.PageContact{Payer: c.Payer, Phone: c.Phone, Extension: c.Extension, Web: c.Web, Address: c.Address, Hours: c.Hours,
		Ready: c.Ready, Source: c.Source, On: c.On, Possibly: c.Possibly}, nil
}

// billQuestions provides what offices asked the network about a bill, for its page at the desk.
type billQuestions struct {
	db    *db.DB
	users *users.Service
}

func (b billQuestions) ListQuestions(ctx context.Context, ftin, key string) ([]detail.BillQuestion, error) {
	about, err := cases.ListAboutBill(ctx, b.db.Reader, b.users, ftin, key)
	list := make([]detail.BillQuestion, len(about))
	for i, c := range about {
		list[i] = detail.BillQuestion{Number: c.Number, State: string(c.State), Office: c.Office}
	}
	return list, err
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

func (d dues) Rules(ctx context.Context, tx *sql.Tx) (func(facts.Bill, date.Date) date.Date, error) {
	law, err := d.deadlines.SharedLaw(ctx, tx)
	return func(b facts.Bill, payerReceived date.Date) date.Date {
		return law.Next(d.newFacts(b, payerReceived), stages[b.OpenState.NextToAct()])
	}, err
}

func (d dues) newFacts(b facts.Bill, payerReceived date.Date) deadlines.Facts {
	f := deadlines.Facts{
		State: b.StateOfJurisdiction, StateGiven: b.StateBasis == facts.StateGiven, Line: deadlines.LineFromFiling(b.Filing),
		Service:  b.BeginServiceDate,
		Received: b.ReceivedOn, ReceivedSure: b.ReceivedBasis == facts.ReceivedByRepricer,
		PayerReceived: payerReceived, Paid: b.PaidDate,
	}
	if !b.FirstSeenAt.IsZero() {
		f.FirstSeen = date.Of(b.FirstSeenAt.In(d.zone))
	}
	return f
}

// complaintLaw provides the deadlines of complaints to the cases.
type complaintLaw struct{ deadlines *deadlines.Service }

func (l complaintLaw) FindClocks(ctx context.Context, tx *sql.Tx, state, filing string, received date.Date) (cases.Clocks, error) {
	found, err := l.deadlines.FindComplaintDeadlines(ctx, tx, deadlines.Complaint{State: state, Line: deadlines.LineFromFiling(filing),
		Received: received})
	clock := func(kind string) cases.Clock {
		d := found[kind]
		return cases.Clock{Due: d.On, Citation: d.Rule.Citation, Text: d.Rule.Text}
	}
	return cases.Clocks{Ack: clock(deadlines.ComplaintAck), Resolve: clock(deadlines.ComplaintResolve)}, err
}

// stages are the sides that must act on a bill next.
var stages = map[billstate.Side]deadlines.Stage{
	billstate.Payer: deadlines.ForPayer, billstate.Office: deadlines.ForOffice, billstate.Nobody: deadlines.Over,
}

// openBills recalculates the deadlines of open bills.
type openBills struct{ ledger *ledger.Ledger }

func (o openBills) UpdateDueDates(ctx context.Context, after deadlines.Place, limit int) (deadlines.Place, error) {
	reached, err := o.ledger.UpdateDueDates(ctx, store.OpenPlace{FTIN: after.TIN, Since: after.Since, Bill: after.Bill}, limit)
	return deadlines.Place{TIN: reached.FTIN, Since: reached.Since, Bill: reached.Bill}, err
}

// billFacts provides the bill data that deadlines depend on.
type billFacts struct {
	bills *detail.Service
	zone  *time.Location
}

func (s billFacts) Find(ctx context.Context, a access.Actor, page string) (deadlines.Bill, bool, error) {
	b, second, err := s.bills.BillFacts(ctx, a, "open-deadlines", page)
	if err != nil || second {
		return deadlines.Bill{}, false, err
	}
	return s.newBill(b), true, nil
}

func (s billFacts) FindAtDesk(ctx context.Context, a access.Actor, page string) (deadlines.Bill, error) {
	b, err := s.bills.BillFactsAtDesk(ctx, a, page)
	if err != nil {
		return deadlines.Bill{}, err
	}
	return s.newBill(b), nil
}

func (s billFacts) newBill(found detail.BillFacts) deadlines.Bill {
	b := found.Bill
	known := deadlines.Bill{Facts: dues{zone: s.zone}.newFacts(b, found.PayerReceived), Stage: stages[b.OpenState.NextToAct()]}
	switch b.OpenState {
	case billstate.Priced:
		known.Owed = b.RecommendedAllowance
	case billstate.Short, billstate.Settled:
		known.Owed = b.PaidAmount
		for _, p := range found.Payments {
			known.Payments = append(known.Payments, deadlines.Payment(p))
		}
	}
	return known
}
