package bills

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"maps"
	"slices"
	"strings"

	"wcpp/internal/access"
	"wcpp/internal/bills/ledger"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/date"
)

// Wanted is what somebody knows of one bill that is looked for. What is empty is not
// known; numbers may be written with hyphens, with spaces and in any case.
type Wanted struct {
	FTIN                string // nine digits; of these bills alone
	BillControlNumber   string // now or before
	DocumentID          string
	Account             string // the office's own number of the bill
	PayerNumber         string // the payer's number of the claim
	ClaimNumber         string // with a service date
	CheckNumber         string // with an account
	LastName, FirstName string // with birth date and service date
	BirthDate           date.Date
	ServiceDate         date.Date
}

// By is the kind of number that a bill is found by.
type By string

// The kinds, in the order in which they are tried.
const (
	ByNumber   By = "billControlNumber"
	ByFormer   By = "formerNumber"
	ByDocID    By = "documentId"
	ByAccount  By = "patientControlNumber"
	ByPayer    By = "payerControlNumber"
	ByClaimDay By = "claimNumber"
	ByPerson   By = "claimant"
	ByCheck    By = "checkNumber"
)

// Usable tells whether anything can be looked for by what is known.
func (w Wanted) Usable() bool {
	return slices.ContainsFunc(ways, func(way way) bool { return way.key(w) != "" }) || w.person()
}

// person tells whether all of a claimant is known.
func (w Wanted) person() bool {
	return w.LastName != "" && w.FirstName != "" && w.BirthDate != "" && w.ServiceDate != ""
}

// partReferences parts a bill's number from its document ID where both are in one cell.
func (w *Wanted) partReferences() {
	number, document := reference(w.BillControlNumber)
	w.BillControlNumber, w.DocumentID = number, cmp.Or(w.DocumentID, document)
	if number, document := reference(w.DocumentID); document != "" {
		w.BillControlNumber, w.DocumentID = cmp.Or(w.BillControlNumber, number), document
	}
}

func (w Wanted) claimant() ledger.Claimant {
	return ledger.Claimant{LastName: w.LastName, FirstName: w.FirstName, BirthDate: w.BirthDate}
}

// way is one way to find bills, by a number.
type way struct {
	by    By
	key   func(w Wanted) string // of the number, as ledger.Bare writes it; empty where it is not known
	dated bool                  // the day of service must fit
	find  finder
}

var ways = []way{
	{ByNumber, func(w Wanted) string { return ledger.Bare(w.BillControlNumber) }, false, ledger.OfNumbers},
	{ByFormer, func(w Wanted) string { return ledger.Bare(w.BillControlNumber) }, false, ledger.OfFormerNumbers},
	{ByDocID, func(w Wanted) string { return ledger.Bare(w.DocumentID) }, false, ledger.OfDocuments},
	{ByAccount, func(w Wanted) string { return ledger.Bare(w.Account) }, false, ledger.OfAccounts},
	{ByPayer, func(w Wanted) string { return ledger.Bare(w.PayerNumber) }, false, ledger.OfPayerNumbers},
	{ByClaimDay, func(w Wanted) string {
		if w.ServiceDate == "" {
			return ""
		}
		return ledger.Bare(w.ClaimNumber)
	}, true, ledger.OfClaims},
}

// nearDays is how far the day of service that somebody tells may be from that of a
// bill of the claim.
const nearDays = 7

// MostMatches is how many bills are told of one that is looked for.
const MostMatches = 5

// Answered is what is found of one that was looked for.
type Answered struct {
	By      By          // empty where nothing is found
	Matches int         // ledger.MostHits stands for more, too
	Bills   []Concluded // the newest service first, at most MostMatches
}

// Concluded is a bill as its page concludes it; its reasons are stored with it.
type Concluded struct {
	Bill
	Page       string // sealed id of its page
	Remittance string // sealed id of the page of what its check came with; empty where none is known
	Status     string // one of Paid to Other
	State      State
	NextStep   string // empty: nothing is left to do
}

// FindMany finds bills under the TINs in scope, one answer for each that is looked
// for, in their order. All that is found is audited before it is answered.
func (s *Service) FindMany(ctx context.Context, a access.Actor, wanted []Wanted) ([]Answered, error) {
	scope, err := s.scopes.Scope(ctx, a)
	if err != nil {
		return nil, err
	}
	var answers []Answered
	err = s.db.Read(ctx, func(tx *sql.Tx) error {
		found, err := s.match(ctx, tx, scope, wanted)
		if err != nil {
			return err
		}
		answers, err = s.tellMany(ctx, tx, found)
		return err
	})
	if err != nil {
		return nil, err
	}
	return answers, s.audit.Now(ctx, lookedUp(scope, wanted, answers))
}

// lookedUp audits a call that looks up many: it is found by the TINs and by each bill
// that is answered.
func lookedUp(scope access.Scope, wanted []Wanted, answers []Answered) audit.Entry {
	e := audit.Entry{
		Operation: "findMany", Subject: strings.Join(scope.TINs(), " "), About: slices.Clone(scope.TINs()), Result: ok,
		Detail: fmt.Sprintf("%d lines", len(wanted)),
	}
	for _, answer := range answers {
		for _, b := range answer.Bills {
			e.Answered = append(e.Answered, b.BillControlNumber)
			e.About = append(e.About, b.FTIN+" "+b.BillControlNumber)
		}
	}
	return e
}

// matched are the bills of one that is looked for.
type matched struct {
	by   By
	hits []ledger.Hit
}

// match finds bills by the first way in which there are any.
func (s *Service) match(ctx context.Context, tx *sql.Tx, scope access.Scope, wanted []Wanted) ([]matched, error) {
	found := make([]matched, len(wanted))
	wanted = slices.Clone(wanted)
	for i := range wanted {
		wanted[i].partReferences()
	}
	tins := scope.TINs()
	if len(tins) == 0 {
		return found, nil
	}
	if err := s.db.ByKeys(ctx, tx); err != nil {
		return nil, err
	}
	for _, way := range ways {
		asked := map[string]bool{}
		for i, w := range wanted {
			if key := way.key(w); key != "" && found[i].by == "" {
				asked[key] = true
			}
		}
		hits, err := way.find(ctx, tx, tins, slices.Sorted(maps.Keys(asked)))
		if err != nil {
			return nil, err
		}
		byNumber := map[string][]ledger.Hit{}
		for _, h := range hits {
			byNumber[h.Number] = append(byNumber[h.Number], h)
		}
		for i, w := range wanted {
			if key := way.key(w); key != "" {
				found[i].take(way.by, w, byNumber[key], way.dated)
			}
		}
	}
	if err := matchClaimants(ctx, tx, tins, wanted, found); err != nil {
		return nil, err
	}
	return found, matchChecks(ctx, tx, tins, wanted, found)
}

func matchClaimants(ctx context.Context, tx *sql.Tx, tins []string, wanted []Wanted, found []matched) error {
	asked := map[ledger.Claimant]bool{}
	for i, w := range wanted {
		if w.person() && found[i].by == "" {
			asked[w.claimant()] = true
		}
	}
	hits, err := ledger.OfClaimants(ctx, tx, tins, slices.Collect(maps.Keys(asked)))
	if err != nil {
		return err
	}
	born := map[date.Date][]ledger.Hit{}
	for _, h := range hits {
		born[h.BirthDate] = append(born[h.BirthDate], h)
	}
	for i, w := range wanted {
		if w.person() {
			c := w.claimant()
			of := slices.DeleteFunc(slices.Clone(born[c.BirthDate]), func(h ledger.Hit) bool { return !c.Is(h) })
			found[i].take(ByPerson, w, of, true)
			spelledFirst(found[i].hits, c)
		}
	}
	return nil
}

// spelledFirst puts bills of a claimant's very name before those that agree with it.
func spelledFirst(hits []ledger.Hit, c ledger.Claimant) {
	slices.SortStableFunc(hits, func(a, b ledger.Hit) int {
		return rank(c.IsSpelled(a.LastName, a.FirstName)) - rank(c.IsSpelled(b.LastName, b.FirstName))
	})
}

func rank(first bool) int {
	if first {
		return 0
	}
	return 1
}

// matchChecks finds bills by the check that pays them and the number of the office
// that its payment repeats.
func matchChecks(ctx context.Context, tx *sql.Tx, tins []string, wanted []Wanted, found []matched) error {
	checks, accounts := map[string]bool{}, map[string]bool{}
	for i, w := range wanted {
		if check, account := ledger.CheckKey(w.CheckNumber), ledger.Bare(w.Account); check != "" && account != "" && found[i].by == "" {
			checks[check], accounts[account] = true, true
		}
	}
	hits, err := ledger.OfChecks(ctx, tx, tins, slices.Sorted(maps.Keys(checks)), slices.Sorted(maps.Keys(accounts)))
	if err != nil {
		return err
	}
	of := map[[2]string][]ledger.Hit{}
	for _, h := range hits {
		at := [2]string{h.Number, ledger.Bare(h.Account)}
		of[at] = append(of[at], h)
	}
	for i, w := range wanted {
		if account := ledger.Bare(w.Account); account != "" {
			found[i].take(ByCheck, w, of[[2]string{ledger.CheckKey(w.CheckNumber), account}], false)
		}
	}
	return nil
}

// take takes those of hits that fit, unless another way found some before. A bill in
// whose place another of them came is left out; with a day of service, those whose
// service is not on that day go where others' is.
func (m *matched) take(by By, w Wanted, hits []ledger.Hit, dated bool) {
	if m.by != "" {
		return
	}
	list := slices.DeleteFunc(slices.Clone(hits), func(h ledger.Hit) bool {
		return w.FTIN != "" && h.FTIN != w.FTIN || dated && !served(h, w.ServiceDate, nearDays)
	})
	if onDay := func(h ledger.Hit) bool { return served(h, w.ServiceDate, 0) }; dated && slices.ContainsFunc(list, onDay) {
		list = slices.DeleteFunc(list, func(h ledger.Hit) bool { return !onDay(h) })
	}
	list = inOrderOfService(list)
	all := slices.Clone(list)
	list = slices.DeleteFunc(list, func(h ledger.Hit) bool {
		return h.ReplacedBy != "" && slices.ContainsFunc(all, func(o ledger.Hit) bool { return o.FTIN == h.FTIN && o.Bill == h.ReplacedBy })
	})
	if len(list) > 0 {
		m.by, m.hits = by, list
	}
}

// served tells whether the service of a bill is on a day, or so many days from it.
func served(h ledger.Hit, on date.Date, days int) bool {
	return h.BeginOn != "" && h.BeginOn <= on.AddDays(days) && cmp.Or(h.EndOn, h.BeginOn) >= on.AddDays(-days)
}

// tellMany tells of the bills that were found what their pages conclude.
func (s *Service) tellMany(ctx context.Context, tx *sql.Tx, found []matched) ([]Answered, error) {
	asked, shown := map[[2]string]bool{}, []ledger.Hit(nil)
	for _, m := range found {
		for _, h := range m.hits[:min(len(m.hits), MostMatches)] {
			if at := [2]string{h.FTIN, h.Bill}; !asked[at] {
				asked[at] = true
				shown = append(shown, h)
			}
		}
	}
	bills, err := ledger.BillsOf(ctx, tx, shown)
	if err != nil {
		return nil, err
	}
	concluded, err := s.concludeMany(ctx, tx, bills)
	if err != nil {
		return nil, err
	}
	answers := make([]Answered, len(found))
	for i, m := range found {
		answers[i] = Answered{By: m.by, Matches: min(len(m.hits), ledger.MostHits)}
		for _, h := range m.hits[:min(len(m.hits), MostMatches)] {
			answers[i].Bills = append(answers[i].Bills, concluded[[2]string{h.FTIN, h.Bill}])
		}
	}
	return answers, nil
}

// concludeMany is what the pages of bills conclude, by TIN and key.
func (s *Service) concludeMany(ctx context.Context, tx *sql.Tx, bills []Bill) (map[[2]string]Concluded, error) {
	paid, err := ledger.PaymentsOfAll(ctx, tx, bills)
	if err != nil {
		return nil, err
	}
	explained, err := ledger.ExplanationsOf(ctx, s.db, tx, bills)
	if err != nil {
		return nil, err
	}
	var places []ledger.Hit
	for _, b := range bills {
		if b.ReplacedBy != "" {
			places = append(places, ledger.Hit{FTIN: b.FTIN, Bill: b.ReplacedBy})
		}
	}
	replacements, err := ledger.BillsOf(ctx, tx, places)
	if err != nil {
		return nil, err
	}
	concluded := make(map[[2]string]Concluded, len(bills))
	for _, b := range bills {
		at := [2]string{b.FTIN, b.Key()}
		e, known := explained.Of(b)
		p := Page{Bill: detailed{Bill: b}, Family: familyOf(e, known, paid[at])}
		if other := slices.IndexFunc(replacements, func(o Bill) bool { return o.FTIN == b.FTIN && o.Key() == b.ReplacedBy }); other >= 0 {
			p.ReplacedBy = &replacements[other]
		}
		p.conclude()
		page, err := s.SealPage(b)
		if err != nil {
			return nil, err
		}
		remittance, err := s.linkRemittance(b.FTIN, p.remittance())
		if err != nil {
			return nil, err
		}
		concluded[at] = Concluded{Bill: b, Page: page, Remittance: remittance, Status: statusOf(b), State: p.State, NextStep: p.nextStep()}
	}
	return concluded, nil
}

// remittance is what the check came with that the bill names.
func (p *Page) remittance() string {
	for _, payment := range slices.Backward(p.Family.Payments) {
		if payment.Explains && payment.TraceNumber == p.Bill.CheckNumber && payment.PaidDate == p.Bill.PaidDate {
			return payment.remittance()
		}
	}
	return ""
}

// The statuses by which many bills are counted.
const (
	Paid      = "paid"
	Denied    = "denied"
	TakenBack = "takenBack"
	Priced    = "priced"
	Received  = "received"
	Other     = "other" // void, replaced, or nothing paid
)

// statusOf tells which of them is a bill's.
func statusOf(b Bill) string {
	switch b.Standing() {
	case ledger.StandsDenied:
		return Denied
	case ledger.StandsTakenBack:
		return TakenBack
	case ledger.StandsPriced, ledger.StandsElsewhere:
		return Priced
	case ledger.StandsReceived:
		return Received
	case ledger.StandsShort, ledger.StandsFinished:
		if b.PaidAmount != nil && *b.PaidAmount > 0 {
			return Paid
		}
	}
	return Other
}

// nextStep is what is left to do about the bill; nothing where that is empty.
func (p *Page) nextStep() string {
	switch p.Bill.Standing() {
	case ledger.StandsVoid:
		if p.ReplacedBy != nil {
			return "See bill " + p.ReplacedBy.BillControlNumber
		}
	case ledger.StandsDenied:
		return "Review the reason codes"
	case ledger.StandsTakenBack:
		return "Ask the payer for the reason"
	case ledger.StandsNothingPaid:
		return "Review the payment details"
	case ledger.StandsElsewhere:
		return "Ask who reviews and pays this bill"
	case ledger.StandsPriced:
		return "Ask the payer for the payment"
	case ledger.StandsReceived:
		return "Wait for repricing"
	case ledger.StandsShort:
		if p.Bill.TakeBackOpen {
			return "Ask the payer for the reason"
		}
		if p.State.Tone == toneWarning {
			return "Compare the reason codes with the allowance"
		}
	}
	return ""
}
