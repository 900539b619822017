package bulklookup

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"maps"
	"slices"
	"strings"

	"wcpp/internal/bills/detail"
	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/bills/ledger/store"
	"wcpp/internal/bills/record"
	"wcpp/internal/bills/search"
	"wcpp/internal/identity/access"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/date"
)

// LookupRequest is the known data of a bill to look up. Empty fields are unknown. Numbers can
// contain hyphens and spaces, in any case.
type LookupRequest struct {
	FTIN                string // nine digits; limits the lookup to this TIN
	BillControlNumber   string // current or former
	DocumentID          string
	Account             string // patient account number
	PayerNumber         string // the payer's claim number
	ClaimNumber         string // needs a service date
	CheckNumber         string // alone, it finds every bill that the check pays
	LastName, FirstName string // needs birth date and service date
	BirthDate           date.Date
	ServiceDate         date.Date
}

// IsUsable reports whether there's enough data for a lookup.
func (w LookupRequest) IsUsable() bool {
	return slices.ContainsFunc(lookupWays, func(way lookupWay) bool { return store.FoldNumber(way.number(w)) != "" }) || w.hasClaimant()
}

// hasClaimant reports whether all of the claimant's data is known.
func (w LookupRequest) hasClaimant() bool {
	return w.LastName != "" && w.FirstName != "" && w.BirthDate != "" && w.ServiceDate != ""
}

// splitReferences splits a bill number and its document ID if both are in one cell.
func (w *LookupRequest) splitReferences() {
	number, document := search.SplitReference(w.BillControlNumber)
	w.BillControlNumber, w.DocumentID = number, cmp.Or(w.DocumentID, document)
	if number, document := search.SplitReference(w.DocumentID); document != "" {
		w.BillControlNumber, w.DocumentID = cmp.Or(w.BillControlNumber, number), document
	}
}

func (w LookupRequest) claimant() store.Claimant {
	return store.Claimant{LastName: w.LastName, FirstName: w.FirstName, BirthDate: w.BirthDate}
}

// lookupWay is one way to find bills by a number.
type lookupWay struct {
	by     search.By
	number func(w LookupRequest) string // empty if unknown
	dated  bool                         // the service date must match
	find   search.Finder
}

var lookupWays = []lookupWay{
	{search.ByNumber, func(w LookupRequest) string { return w.BillControlNumber }, false, store.FindByNumbers},
	{search.ByFormer, func(w LookupRequest) string { return w.BillControlNumber }, false, store.FindByFormerNumbers},
	{search.ByDocID, func(w LookupRequest) string { return w.DocumentID }, false, store.FindByDocuments},
	{search.ByAccount, func(w LookupRequest) string { return w.Account }, false, store.FindByAccounts},
	{search.ByPayer, func(w LookupRequest) string { return w.PayerNumber }, false, store.FindByPayerNumbers},
	{search.ByClaimDay, func(w LookupRequest) string {
		if w.ServiceDate == "" {
			return ""
		}
		return w.ClaimNumber
	}, true, store.FindByClaims},
}

// maxDayDistance is how many days the given service date can differ from that of a bill of the
// claim.
const maxDayDistance = 7

// MaxMatches is how many bills are returned per lookup.
const MaxMatches = 5

// LookupResult is the result of one lookup.
type LookupResult struct {
	By      search.By        // empty if no bill was found
	Matches int              // store.MaxHits can also mean more
	Bills   []detail.Summary // latest service first, at most MaxMatches
}

// BulkLookup looks up bills under the TINs in scope, and returns one result per lookup in the same
// order. It audits all results before returning them.
func (s *Service) BulkLookup(ctx context.Context, a access.Actor, wanted []LookupRequest) ([]LookupResult, error) {
	scope, err := s.scopes.Scope(ctx, a)
	if err != nil {
		return nil, err
	}
	var answers []LookupResult
	err = s.db.Read(ctx, func(tx *sql.Tx) error {
		found, err := s.findMatches(ctx, tx, scope, wanted)
		if err != nil {
			return err
		}
		answers, err = s.describeMatches(ctx, tx, found)
		return err
	})
	if err != nil {
		return nil, err
	}
	return answers, s.audit.RecordNow(ctx, lookupEntry(scope, wanted, answers))
}

// lookupEntry returns the audit entry for a bulk lookup. It can be found by the TINs and by each
// returned bill.
func lookupEntry(scope access.Scope, wanted []LookupRequest, answers []LookupResult) audit.Entry {
	e := audit.Entry{
		Operation: "findMany", Subject: strings.Join(scope.TINs(), " "), About: slices.Clone(scope.TINs()), Result: record.OK,
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

// lookupMatch are the bills found by one lookup.
type lookupMatch struct {
	by   search.By
	hits []store.Hit
}

// findMatches finds bills by the first way that finds any.
func (s *Service) findMatches(ctx context.Context, tx *sql.Tx, scope access.Scope, wanted []LookupRequest) ([]lookupMatch, error) {
	found := make([]lookupMatch, len(wanted))
	wanted = slices.Clone(wanted)
	for i := range wanted {
		wanted[i].splitReferences()
	}
	tins := scope.TINs()
	if len(tins) == 0 {
		return found, nil
	}
	if err := s.db.ForceIndexScans(ctx, tx); err != nil {
		return nil, err
	}
	for _, way := range lookupWays {
		asked := map[string]bool{}
		for i, w := range wanted {
			if found[i].by != "" {
				continue
			}
			for _, key := range store.FoldNumbers(way.number(w)) {
				asked[key] = true
			}
		}
		hits, err := way.find(ctx, tx, tins, slices.Sorted(maps.Keys(asked)))
		if err != nil {
			return nil, err
		}
		byNumber := map[string][]store.Hit{}
		for _, h := range hits {
			byNumber[h.Number] = append(byNumber[h.Number], h)
		}
		for i, w := range wanted {
			var matching []store.Hit
			for _, key := range store.FoldNumbers(way.number(w)) {
				matching = append(matching, byNumber[key]...)
			}
			found[i].addHits(way.by, w, matching, way.dated)
		}
	}
	if err := matchClaimants(ctx, tx, tins, wanted, found); err != nil {
		return nil, err
	}
	return found, matchChecks(ctx, tx, tins, wanted, found)
}

func matchClaimants(ctx context.Context, tx *sql.Tx, tins []string, wanted []LookupRequest, found []lookupMatch) error {
	asked := map[store.Claimant]bool{}
	for i, w := range wanted {
		if w.hasClaimant() && found[i].by == "" {
			asked[w.claimant()] = true
		}
	}
	hits, err := store.FindByClaimants(ctx, tx, tins, slices.Collect(maps.Keys(asked)))
	if err != nil {
		return err
	}
	born := map[date.Date][]store.Hit{}
	for _, h := range hits {
		born[h.BirthDate] = append(born[h.BirthDate], h)
	}
	for i, w := range wanted {
		if w.hasClaimant() {
			c := w.claimant()
			of := slices.DeleteFunc(slices.Clone(born[c.BirthDate]), func(h store.Hit) bool { return !c.Is(h) })
			found[i].addHits(search.ByPerson, w, of, true)
			search.SortSpelled(found[i].hits, c)
		}
	}
	return nil
}

// checkKey returns the check number to find the bill by. A number that no bill has can be that of a
// check, because a column of numbers without a header doesn't say what they are.
func (w LookupRequest) checkKey() string {
	if w == (LookupRequest{FTIN: w.FTIN, BillControlNumber: w.BillControlNumber}) {
		return facts.CheckKey(w.BillControlNumber)
	}
	return facts.CheckKey(w.CheckNumber)
}

// matchChecks finds bills by their check, and by the patient account number in the payment if it's
// known.
func matchChecks(ctx context.Context, tx *sql.Tx, tins []string, wanted []LookupRequest, found []lookupMatch) error {
	checks, paying, accounts := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for i, w := range wanted {
		check, account := w.checkKey(), store.FoldNumber(w.Account)
		switch {
		case check == "" || found[i].by != "":
		case account != "":
			checks[check] = true
			for _, key := range store.FoldNumbers(w.Account) {
				accounts[key] = true
			}
		default:
			paying[check] = true
		}
	}
	of := map[[2]string][]store.Hit{} // by check, and by check and account
	for _, search := range []struct{ checks, accounts map[string]bool }{{checks, accounts}, {paying, nil}} {
		hits, err := store.FindByChecks(ctx, tx, tins, slices.Sorted(maps.Keys(search.checks)), slices.Sorted(maps.Keys(search.accounts)))
		if err != nil {
			return err
		}
		for _, h := range hits {
			at := [2]string{h.Number}
			if search.accounts != nil {
				at[1] = store.FoldNumber(h.Account)
			}
			of[at] = append(of[at], h)
		}
	}
	for i, w := range wanted {
		if check := w.checkKey(); check != "" {
			found[i].addHits(search.ByCheck, w, of[[2]string{check, store.FoldNumber(w.Account)}], false)
		}
	}
	return nil
}

// addHits keeps the matching hits, unless another way already found some. It drops a bill if its
// replacement is among the hits. If dated, bills with service on exactly that day win over
// others.
func (m *lookupMatch) addHits(by search.By, w LookupRequest, hits []store.Hit, dated bool) {
	if m.by != "" {
		return
	}
	list := slices.DeleteFunc(slices.Clone(hits), func(h store.Hit) bool {
		return w.FTIN != "" && h.FTIN != w.FTIN || dated && !isServed(h, w.ServiceDate, maxDayDistance)
	})
	if onDay := func(h store.Hit) bool { return isServed(h, w.ServiceDate, 0) }; dated && slices.ContainsFunc(list, onDay) {
		list = slices.DeleteFunc(list, func(h store.Hit) bool { return !onDay(h) })
	}
	list = search.SortByService(list)
	all := slices.Clone(list)
	list = slices.DeleteFunc(list, func(h store.Hit) bool {
		return h.ReplacedBy != "" && slices.ContainsFunc(all, func(o store.Hit) bool { return o.FTIN == h.FTIN && o.Bill == h.ReplacedBy })
	})
	if len(list) > 0 {
		m.by, m.hits = by, list
	}
}

// isServed reports whether a bill's service is on a day, or within some days of it.
func isServed(h store.Hit, on date.Date, days int) bool {
	return h.BeginOn != "" && h.BeginOn <= on.AddDays(days) && cmp.Or(h.EndOn, h.BeginOn) >= on.AddDays(-days)
}

// describeMatches returns the found bills with the conclusions of their pages.
func (s *Service) describeMatches(ctx context.Context, tx *sql.Tx, found []lookupMatch) ([]LookupResult, error) {
	asked, shown := map[[2]string]bool{}, []store.Hit(nil)
	for _, m := range found {
		for _, h := range m.hits[:min(len(m.hits), MaxMatches)] {
			if at := [2]string{h.FTIN, h.Bill}; !asked[at] {
				asked[at] = true
				shown = append(shown, h)
			}
		}
	}
	bills, err := store.SelectHitBills(ctx, tx, shown)
	if err != nil {
		return nil, err
	}
	concluded, err := detail.Summarize(ctx, s.db, tx, s.records, bills)
	if err != nil {
		return nil, err
	}
	answers := make([]LookupResult, len(found))
	for i, m := range found {
		answers[i] = LookupResult{By: m.by, Matches: min(len(m.hits), store.MaxHits)}
		for _, h := range m.hits[:min(len(m.hits), MaxMatches)] {
			answers[i].Bills = append(answers[i].Bills, concluded[[2]string{h.FTIN, h.Bill}])
		}
	}
	return answers, nil
}
