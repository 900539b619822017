package batch

import (
	"cmp"
	"context"
	"database/sql"
	"maps"
	"slices"
	"strings"

	"wcpp/internal/bills/ledger/derive"
	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/bills/ledger/matching"
	"wcpp/internal/bills/ledger/store"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/ingest"
	"wcpp/internal/platform/text"
)

// derive loads all the facts related to the batch, derives their bills and stores the changes.
// It also loads the bills with a number that another bill requests.
func (w *Batch) derive(ctx context.Context) error {
	if len(w.loaded.submissions) == 0 && len(w.loaded.payments) == 0 && len(w.former.left) == 0 {
		return nil
	}
	for {
		if err := w.expandGroups(ctx); err != nil {
			return err
		}
		if err := w.checkBalance(ctx); err != nil {
			return err
		}
		concluded, err := w.deriveAll(ctx)
		if err != nil {
			return err
		}
		if found, err := w.loadTruncated(ctx, w.untied.refs); err != nil {
			return err
		} else if found {
			continue
		}
		mine, others, err := w.readEarlierBills(ctx, concluded)
		if err != nil {
			return err
		}
		if found, err := w.loadFormerFacts(ctx, mine); err != nil {
			return err
		} else if found {
			continue
		}
		renamed := derive.AssignNumbers(concluded, others)
		if len(renamed) == 0 {
			return w.store(ctx, concluded, mine)
		}
		if err := w.loadRequested(ctx, renamed); err != nil {
			return err
		}
	}
}

// loadFormerFacts loads the facts that the stored bills were derived from, and reports whether any
// weren't loaded. A payment that leaves a bill, or finds a stronger match, can separate facts
// that only it connected. Without the others, their bill would be lost.
func (w *Batch) loadFormerFacts(ctx context.Context, mine map[facts.BillRef]facts.Bill) (found bool, err error) {
	var ask []facts.BillRef
	for k := range mine {
		if !w.former.asked[k] {
			w.former.asked[k] = true
			ask = append(ask, k)
		}
	}
	slices.SortFunc(ask, facts.BillRef.Compare)
	all, err := store.FindFactsOfBills(ctx, w.Tx, ask)
	if err != nil {
		return false, err
	}
	absent := slices.DeleteFunc(all, func(l facts.Link) bool { return w.loaded.has(l.Ref()) })
	return len(absent) > 0, w.loadFacts(ctx, absent)
}

// expandGroups follows the links of the facts until no fact is missing.
func (w *Batch) expandGroups(ctx context.Context) error {
	for {
		var ask []facts.LinkRef
		var begins []facts.LinkRef
		var joined []facts.Link
		want := func(list *[]facts.LinkRef, tin string, texts ...string) {
			for _, t := range texts {
				k := facts.LinkRef{FTIN: tin, Link: t}
				if !w.search.asked[k] && !w.crowded[k] {
					w.search.asked[k] = true
					*list = append(*list, k)
				}
			}
		}
		expand := func(k facts.FactRef, fact interface{ Links() *facts.FactLinks }) {
			if w.search.expanded[k] {
				return
			}
			w.search.expanded[k] = true
			found := fact.Links()
			if w.arrived.fresh[k] {
				w.search.hold(k, found.Links)
			}
			account := facts.LinkRef{FTIN: k.FTIN, Link: found.Account}
			for _, t := range slices.Concat(found.Links, found.Seeks) {
				if found.Account == "" || w.crowded[account] || !strings.HasPrefix(t, found.Account) {
					want(&ask, k.FTIN, t)
				}
			}
			want(&begins, k.FTIN, found.Prefixes...)
			if found.Account != "" {
				want(&begins, k.FTIN, found.Account)
			}
			joined = append(joined, w.joins.byFact[k]...)
		}
		for k, s := range w.loaded.submissions {
			expand(k, s)
		}
		for k, list := range w.loaded.payments {
			expand(k, list[0])
		}
		if len(ask) == 0 && len(begins) == 0 && len(joined) == 0 {
			return nil
		}
		found, err := w.followLinks(ctx, ask, begins)
		if err != nil {
			return err
		}
		if err := w.loadFacts(ctx, append(found, joined...)); err != nil {
			return err
		}
	}
}

// followLinks finds the facts at the other ends of links, and notes the crowded links.
func (w *Batch) followLinks(ctx context.Context, ask, begins []facts.LinkRef) ([]facts.Link, error) {
	slices.SortFunc(ask, func(a, b facts.LinkRef) int {
		return cmp.Or(strings.Compare(a.FTIN, b.FTIN), strings.Compare(a.Link, b.Link))
	})
	found, err := store.FindLinks(ctx, w.Tx, ask)
	if err != nil {
		return nil, err
	}
	count := map[facts.LinkRef]int{}
	for _, l := range found {
		count[facts.LinkRef{FTIN: l.FTIN, Link: l.Link}]++
	}
	for _, k := range ask {
		if count[k]+len(w.search.holders[k]) > crowdedAt {
			w.crowded[k] = true
		}
	}
	beginning, err := store.FindLinksByPrefix(ctx, w.Tx, begins)
	if err != nil {
		return nil, err
	}
	for k, list := range beginning {
		if len(list) > crowdedAt {
			w.crowded[k] = true
			w.expandByDay(k)
			continue
		}
		found = append(found, list...)
	}
	for _, k := range slices.Concat(ask, begins) {
		if w.crowded[k] && !w.readOnly {
			ingest.Count(ctx, "numbers shared by too many bills", 1)
			if err := store.AddCrowded(ctx, w.Tx, k); err != nil {
				return nil, err
			}
		}
	}
	return found, nil
}

// expandByDay looks up an overcrowded account by day only.
func (w *Batch) expandByDay(account facts.LinkRef) {
	of := func(k facts.FactRef, t *facts.FactLinks) {
		if k.FTIN == account.FTIN && t.Account == account.Link {
			delete(w.search.expanded, k)
		}
	}
	for k, s := range w.loaded.submissions {
		of(k, s.Links())
	}
	for k, list := range w.loaded.payments {
		of(k, list[0].Links())
	}
}

// loadFacts adds the facts of links.
func (w *Batch) loadFacts(ctx context.Context, found []facts.Link) error {
	var sent, paid []facts.FactRef
	noted := map[facts.FactRef]bool{}
	for _, l := range found {
		k := l.Ref()
		if noted[k] || w.loaded.has(k) {
			continue
		}
		noted[k] = true
		if l.Payment {
			paid = append(paid, k)
		} else {
			sent = append(sent, k)
		}
	}
	if len(sent) > 0 {
		list, err := store.LoadSubmissions(ctx, w.Tx, sent)
		if err != nil {
			return err
		}
		for k, s := range list {
			s.OmitDetail()
			w.loaded.submissions[k] = &s
		}
	}
	if len(paid) > 0 {
		list, err := store.LoadPayments(ctx, w.Tx, paid)
		if err != nil {
			return err
		}
		for i := range list {
			k := list[i].Ref()
			list[i].OmitDetail()
			w.loaded.payments[k] = append(w.loaded.payments[k], &list[i])
		}
	}
	return nil
}

// loadRequested loads the groups of bills that need another number.
func (w *Batch) loadRequested(ctx context.Context, bills []facts.Bill) error {
	found := make([]facts.Link, len(bills))
	for i, b := range bills {
		found[i] = facts.Link{FTIN: b.FTIN, Fact: b.Fact, Payment: b.Source == facts.SourcePayment}
	}
	return w.loadFacts(ctx, found)
}

// deriveAll derives the groups of all loaded facts.
func (w *Batch) deriveAll(ctx context.Context) ([]*derive.UnnumberedBill, error) {
	var list []*derive.UnnumberedBill
	w.untied.reset()
	err := w.eachGroup(ctx, func(tin string, f matching.BillGroup) (needsLines bool) {
		conclusions, needsLines := derive.Bills(f)
		if needsLines {
			return true
		}
		for _, c := range conclusions {
			n := &derive.UnnumberedBill{DerivedBill: c, TIN: tin, Wanted: text.Key(c.Number)}
			n.FormerBills = w.listFormerBills(n)
			list = append(list, n)
			w.untied.add(tin, c.Untied)
		}
		return false
	})
	return list, err
}

// eachGroup calls conclude for the groups of all loaded facts, by TIN. It repeats a group with
// service lines if they're needed.
func (w *Batch) eachGroup(ctx context.Context, conclude func(tin string, f matching.BillGroup) (needsLines bool)) error {
	families := w.splitGroups()
	var again []matching.BillGroup
	for _, tin := range slices.Sorted(maps.Keys(families)) {
		for _, f := range families[tin] {
			if conclude(tin, f) {
				again = append(again, f)
			}
		}
	}
	if err := w.readLines(ctx, again); err != nil {
		return err
	}
	for _, f := range again {
		conclude(f.TIN(), f)
	}
	return nil
}

// splitGroups splits the loaded facts into the groups of each TIN.
func (w *Batch) splitGroups() map[string][]matching.BillGroup {
	byTIN := map[string]*matching.BillGroup{}
	of := func(tin string) *matching.BillGroup {
		if byTIN[tin] == nil {
			byTIN[tin] = &matching.BillGroup{Joins: w.joins.byTIN[tin]}
		}
		return byTIN[tin]
	}
	for k, s := range w.loaded.submissions {
		f := of(k.FTIN)
		f.Submissions = append(f.Submissions, s)
	}
	for k, list := range w.loaded.payments {
		f := of(k.FTIN)
		f.Payments = append(f.Payments, list...)
	}
	parted := make(map[string][]matching.BillGroup, len(byTIN))
	for tin, all := range byTIN {
		crowded := map[string]bool{}
		for k := range w.crowded {
			if k.FTIN == tin {
				crowded[k.Link] = true
			}
		}
		parted[tin] = matching.SplitGroups(*all, crowded)
	}
	return parted
}

// listFormerBills returns the bills of the facts as they are stored.
func (w *Batch) listFormerBills(n *derive.UnnumberedBill) []string {
	var keys []string
	note := func(key string) {
		if key != "" && !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
	}
	for _, fact := range n.Submissions {
		note(w.loaded.submissions[facts.FactRef{FTIN: n.TIN, Fact: fact}].Bill)
	}
	for _, id := range n.Payments {
		note(w.loaded.payment(n.TIN, id).Bill)
	}
	slices.Sort(keys)
	return keys
}

// readEarlierBills reads the bills previously derived from the facts, and the other bills that have
// or request the same numbers.
func (w *Batch) readEarlierBills(
	ctx context.Context, concluded []*derive.UnnumberedBill,
) (mine map[facts.BillRef]facts.Bill, others map[facts.BillRef][]facts.Bill, err error) {
	asked, ours := map[facts.BillRef]bool{}, maps.Clone(w.former.left)
	for k, s := range w.loaded.submissions {
		ours[facts.BillRef{FTIN: k.FTIN, Key: s.Bill}] = true
	}
	for k, list := range w.loaded.payments {
		for _, p := range list {
			ours[facts.BillRef{FTIN: k.FTIN, Key: p.Bill}] = true
		}
	}
	for k := range ours {
		if k.Key == "" {
			delete(ours, k)
		} else {
			asked[k] = true
		}
	}
	for _, n := range concluded {
		asked[facts.BillRef{FTIN: n.TIN, Key: n.Wanted}] = true
	}
	keys := slices.SortedFunc(maps.Keys(asked), facts.BillRef.Compare)
	holding, err := store.LoadBillsBefore(ctx, w.Tx, keys)
	if err != nil {
		return nil, nil, err
	}
	suffixed, err := store.FindSuffixed(ctx, w.Tx, keys)
	if err != nil {
		return nil, nil, err
	}
	mine, others = map[facts.BillRef]facts.Bill{}, map[facts.BillRef][]facts.Bill{}
	for _, b := range slices.Concat(holding, suffixed) {
		k := b.Ref()
		if ours[k] {
			mine[k] = b
			continue
		}
		wanted := facts.BillRef{FTIN: b.FTIN, Key: b.Wanted}
		if !slices.ContainsFunc(others[wanted], func(o facts.Bill) bool { return o.Key() == b.Key() }) {
			others[wanted] = append(others[wanted], b)
		}
	}
	return mine, others, nil
}

// store writes the changes: facts, links, bills and their changes.
func (w *Batch) store(ctx context.Context, concluded []*derive.UnnumberedBill, mine map[facts.BillRef]facts.Bill) error {
	byAnchor := map[string]*derive.UnnumberedBill{}
	for _, n := range concluded {
		byAnchor[n.TIN+n.AnchorFact()] = n
	}
	for _, n := range concluded {
		if n.ReplacedBy != "" {
			n.Bill.ReplacedBy = byAnchor[n.TIN+n.ReplacedBy].Bill.Key()
		}
	}
	if err := w.storeFacts(ctx, concluded); err != nil {
		return err
	}
	return w.storeBills(ctx, concluded, mine)
}

// factChanges are the rows of facts to store.
type factChanges struct {
	newSubmissions, oldSubmissions, placedSubmissions []facts.Submission
	newPayments, oldPayments, placedPayments          []facts.Payment
	links                                             []facts.Link
}

func (c *factChanges) tie(k facts.FactRef, texts []string, isPayment bool) {
	for _, t := range texts {
		c.links = append(c.links, facts.Link{FTIN: k.FTIN, Link: t, Fact: k.Fact, Payment: isPayment})
	}
}

func (w *Batch) storeFacts(ctx context.Context, concluded []*derive.UnnumberedBill) error {
	sentInto, paidInto := map[facts.FactRef]string{}, map[*facts.Payment]string{}
	var c factChanges
	for _, n := range concluded {
		for _, fact := range n.Submissions {
			k := facts.FactRef{FTIN: n.TIN, Fact: fact}
			sentInto[k] = n.Bill.Key()
			if other := w.loaded.submissions[k].OtherLink(n.Bill); other != "" {
				c.tie(k, []string{other}, false)
			}
		}
		for _, id := range n.Payments {
			p := w.loaded.payment(n.TIN, id)
			paidInto[p] = n.Bill.Key()
			if w.arrived.freshPaid[p] && n.Bill.Source == facts.SourceBill {
				w.arrived.matched++
			}
		}
	}
	w.addSubmissionChanges(&c, sentInto)
	w.addPaymentChanges(&c, paidInto)
	return c.store(ctx, w.Tx)
}

// addSubmissionChanges adds the changed submissions, with the keys of their bills.
func (w *Batch) addSubmissionChanges(c *factChanges, sentInto map[facts.FactRef]string) {
	for _, k := range slices.SortedFunc(maps.Keys(w.loaded.submissions), facts.FactRef.Compare) {
		s := w.loaded.submissions[k]
		before := s.Bill
		s.Bill = sentInto[k]
		if w.rewrite { // new rules can have new kinds of links
			c.tie(k, s.Links().Links, false)
		}
		switch {
		case w.arrived.fresh[k]:
			c.newSubmissions = append(c.newSubmissions, *s)
			c.tie(k, s.Links().Links, false)
		case w.arrived.rewritten[k]:
			c.oldSubmissions = append(c.oldSubmissions, *s)
		case s.Bill != before:
			c.placedSubmissions = append(c.placedSubmissions, *s)
		}
	}
}

// addPaymentChanges adds the changed payments, with the keys of their bills.
func (w *Batch) addPaymentChanges(c *factChanges, paidInto map[*facts.Payment]string) {
	for _, k := range slices.SortedFunc(maps.Keys(w.loaded.payments), facts.FactRef.Compare) {
		for _, p := range w.loaded.payments[k] {
			before := p.Bill
			p.Bill = paidInto[p]
			switch {
			case w.arrived.freshPaid[p]:
				c.newPayments = append(c.newPayments, *p)
			case w.arrived.rewritten[k] && w.arrived.whole[p]:
				c.oldPayments = append(c.oldPayments, *p)
			case p.Bill != before || w.arrived.rewritten[k]:
				c.placedPayments = append(c.placedPayments, *p)
			}
		}
		if w.arrived.fresh[k] || w.rewrite {
			c.tie(k, w.loaded.payments[k][0].Links().Links, true)
		}
		if cut := w.loaded.payments[k][0].Links().Truncated; w.untied.refs[k] && cut != "" {
			c.tie(k, []string{cut}, true)
		}
	}
}

func (c *factChanges) store(ctx context.Context, tx *sql.Tx) error {
	if err := store.AddSubmissions(ctx, tx, c.newSubmissions); err != nil {
		return err
	}
	if err := store.PutSubmissions(ctx, tx, c.oldSubmissions); err != nil {
		return err
	}
	if err := store.PlaceSubmissions(ctx, tx, c.placedSubmissions); err != nil {
		return err
	}
	if err := store.AddPayments(ctx, tx, c.newPayments); err != nil {
		return err
	}
	if err := store.PutPayments(ctx, tx, c.oldPayments); err != nil {
		return err
	}
	if err := store.PlacePayments(ctx, tx, c.placedPayments); err != nil {
		return err
	}
	return store.AddLinks(ctx, tx, c.links)
}

func (w *Batch) storeBills(ctx context.Context, concluded []*derive.UnnumberedBill, mine map[facts.BillRef]facts.Bill) error {
	paired, taken := derive.PairBills(concluded, mine)
	for _, n := range concluded {
		n.Bill.FirstSeenAt = w.At
		if old := paired[n]; old != nil {
			n.Bill.FirstSeenAt = old.FirstSeenAt
		} else if made, again := w.former.madeAt[facts.FactRef{FTIN: n.TIN, Fact: n.Bill.Fact}]; again {
			n.Bill.FirstSeenAt = made
		}
	}
	if err := w.setDueDates(ctx, concluded); err != nil {
		return err
	}
	restated, err := w.findRestated(ctx, paired)
	if err != nil {
		return err
	}
	var added, put, settled []facts.Bill
	var happened []facts.Change
	var moved []store.Renumbering
	gone := maps.Clone(mine)
	for _, n := range concluded {
		now, old := &n.Bill, paired[n]
		if old != nil && old.Key() == now.Key() {
			delete(gone, facts.BillRef{FTIN: n.TIN, Key: now.Key()})
			switch {
			case w.rewrite || restated[n] || !store.AreNamedAlike(*old, *now):
				put = append(put, *now)
			case store.AreSettledAlike(*old, *now):
				continue
			default:
				settled = append(settled, *now)
			}
		} else {
			added = append(added, *now)
			if old != nil {
				moved = append(moved, store.Renumbering{From: facts.BillRef{FTIN: n.TIN, Key: old.Key()}, To: now.Key()})
			}
		}
		kinds := derive.DiffBills(old, *now)
		countChanges(ctx, old, n, kinds)
		happened = append(happened, derive.NewChangeEntries(kinds, *now, w.At.In(w.Zone), w.Run.Quiet)...)
	}
	joined, err := w.removeBills(ctx, gone, taken, concluded)
	if err != nil {
		return err
	}
	if err := store.MoveChanges(ctx, w.Tx, moved); err != nil {
		return err
	}
	if err := w.movePapers(ctx, slices.Concat(moved, joined)); err != nil {
		return err
	}
	if err := w.moveKeyed(ctx, concluded, paired, moved, joined, mine); err != nil {
		return err
	}
	if err := store.PutBills(ctx, w.Tx, put); err != nil {
		return err
	}
	if err := store.SettleBills(ctx, w.Tx, settled); err != nil {
		return err
	}
	if err := store.InsertBills(ctx, w.Tx, added); err != nil {
		return err
	}
	return w.StoreChanges(ctx, happened)
}

// removeBills removes the bills that are gone. Of those that no bill took over, it returns the
// bills that have their facts now.
func (w *Batch) removeBills(
	ctx context.Context, gone map[facts.BillRef]facts.Bill, taken map[facts.BillRef]bool, concluded []*derive.UnnumberedBill,
) (joined []store.Renumbering, err error) {
	for _, k := range slices.SortedFunc(maps.Keys(gone), facts.BillRef.Compare) {
		if err := store.RemoveBill(ctx, w.Tx, k); err != nil {
			return nil, err
		}
		if err := store.AddNumber(ctx, w.Tx, k, gone[k].Fact); err != nil {
			return nil, err
		}
		if !taken[k] {
			if err := store.RemoveChanges(ctx, w.Tx, k); err != nil {
				return nil, err
			}
			joined = append(joined, newOwner(k, concluded)...)
		}
	}
	return joined, nil
}

// newOwner returns the bill that has the facts of a bill that is gone.
func newOwner(k facts.BillRef, concluded []*derive.UnnumberedBill) []store.Renumbering {
	for _, n := range concluded {
		if n.TIN == k.FTIN && slices.Contains(n.FormerBills, k.Key) {
			return []store.Renumbering{{From: k, To: n.Bill.Key()}}
		}
	}
	return nil
}

// StoreChanges stores the changes to bills.
func (w *Batch) StoreChanges(ctx context.Context, happened []facts.Change) error {
	if len(happened) == 0 {
		return nil
	}
	// One transaction at a time assigns ids to changes, until it's committed. Otherwise, a
	// reader that remembers its last id could miss a lower one.
	if err := w.DB.Lock(ctx, w.Tx, lockSpace, changesLock); err != nil {
		return err
	}
	return store.AddChanges(ctx, w.Tx, happened)
}

// findRestated returns the bills whose current fact was reported with other values. For these, more
// changes than the results of payments.
func (w *Batch) findRestated(ctx context.Context, paired map[*derive.UnnumberedBill]*facts.Bill) (map[*derive.UnnumberedBill]bool, error) {
	var keys []facts.BillRef
	suspected := map[facts.BillRef]*derive.UnnumberedBill{}
	for n, old := range paired {
		if k := (facts.BillRef{FTIN: n.TIN, Key: n.Bill.Key()}); old.Key() == k.Key && old.Fact == n.Bill.Fact &&
			w.arrived.touched[facts.FactRef{FTIN: n.TIN, Fact: n.Bill.Fact}] {
			keys, suspected[k] = append(keys, k), n
		}
	}
	list, err := store.LoadBills(ctx, w.Tx, keys)
	restated := map[*derive.UnnumberedBill]bool{}
	for _, b := range list {
		n := suspected[b.Ref()]
		now := n.Bill
		now.FirstSeenAt = b.FirstSeenAt
		restated[n] = !store.Bills.IsSame(b, now)
	}
	return restated, err
}

// countChanges adds the changes to a bill to the report.
func countChanges(ctx context.Context, old *facts.Bill, n *derive.UnnumberedBill, kinds []string) {
	if old == nil {
		ingest.Count(ctx, "bills new", 1)
	} else {
		ingest.Count(ctx, "bills changed", 1)
	}
	for _, kind := range kinds {
		if what := counted[kind]; what != "" {
			ingest.Count(ctx, what, 1)
		}
	}
	if n.Bill.Source == facts.SourcePayment && (old == nil || old.Source != facts.SourcePayment) {
		ingest.Count(ctx, "payments waiting for a bill", int64(len(n.Payments)))
	}
	ingest.Count(ctx, "reversals waiting for their original payments", int64(n.WaitingReversals))
	ingest.Count(ctx, "that match several bills", int64(n.Ambiguous))
}

var counted = map[string]string{
	facts.Replaced: "bills replaced", facts.Voided: "bills voided", facts.Paid: "bills paid", facts.PaidShort: "bills paid",
	facts.Reversed: "bills reversed", facts.Denied: "bills denied",
}

// setDueDates sets the next due date of bills.
func (w *Batch) setDueDates(ctx context.Context, concluded []*derive.UnnumberedBill) error {
	if w.DueDates == nil {
		return nil
	}
	dueOf, err := w.DueDates.Rules(ctx, w.Tx)
	if err != nil {
		return err
	}
	for _, n := range concluded {
		var received date.Date
		for _, id := range n.Payments {
			received = w.loaded.payment(n.TIN, id).EarlierReceipt(received)
		}
		n.Bill.NextDue = dueOf(n.Bill, received)
	}
	return nil
}
