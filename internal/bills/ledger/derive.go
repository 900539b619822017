package ledger

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/platform/text"
)

// DerivedBill is one derived bill and its facts.
type DerivedBill struct {
	Bill             facts.Bill // without a bill control number, because that depends on other groups too
	Number           string
	Written          string // when its oldest fact was written
	Submissions      []string
	Payments         []facts.FactID
	ReplacedBy       string // anchor of the bill that replaced it
	Ambiguous        int    // facts that fit several bills, so they became bills of their own
	HasReversal      bool   // a reversal is counted
	WaitingReversals int    // reversals that wait for the payment they reverse
	// PatientResponsibility is the patient responsibility of all payments in force, in cents.
	PatientResponsibility int64
	// Untied are payments that no number and no complete account number matches to a bill.
	Untied []facts.FactID
}

// Derive derives the bills from the facts in a bill group. The result doesn't depend on when
// or in which order they arrived. needsLines reports that service lines were needed to
// distinguish facts, but weren't loaded. The result is then incomplete.
func Derive(f BillGroup) (list []DerivedBill, needsLines bool) {
	c := deriveGroup(f)
	list = make([]DerivedBill, 0, len(c.bills))
	for _, b := range c.bills {
		list = append(list, c.deriveBill(b))
	}
	slices.SortFunc(list, func(a, b DerivedBill) int {
		return cmp.Or(strings.Compare(a.Written, b.Written), strings.Compare(a.Bill.Anchor, b.Bill.Anchor))
	})
	return list, c.needsLines
}

// deriveGroup finds the bills of a group and assigns each its facts.
func deriveGroup(f BillGroup) *derivation {
	f.sort()
	c := newDerivation(f)
	c.addNumberedBills()
	c.addUnnumberedBills()
	c.groupPayments()
	c.tieGroups(ranksOfOriginals, (*bill).hasOriginal)
	c.joinCorrections()
	c.findReplaced()
	c.tieGroups(ranks)
	c.addPaymentBills()
	c.distribute()
	return c
}

// submission is a Submission with its numbers folded.
type submission struct {
	*facts.Submission
	own, reference, document, account string
	patient                           facts.Person
}

// payment is a Payment with its numbers folded.
type payment struct {
	*facts.Payment
	own, former, payerNumber, account string
	patient                           facts.Person
	group                             *group
	canceled, waits                   bool
	uncounted                         bool // another check counts instead
	reduced                           int64
	reverses                          *payment // the payment that a reversal reverses
}

// group is a set of payments with the same payer claim number. They go to the same bill.
type group struct {
	payments  []*payment
	tied      *bill
	rank      int // of the evidence that matched them; 0 is the strongest
	ambiguous bool
	untied    bool // matched by nothing stronger than byTruncatedAccount
}

// bill is a bill while it's being derived.
type bill struct {
	own       string
	members   []*submission
	payments  []*payment
	replaced  *bill // the bill that replaced this one
	chain     *bill // represents all the bills that replace each other
	ambiguous int
	made      *group // the payment it was made of, if there's no submission
}

// derivation is the state of a group while its bills are derived.
type derivation struct {
	outdated    []*submission                     // table rows that later rows replaced
	superseded  map[*facts.Payment]*facts.Payment // payments replaced by a later report, with their replacements
	joined      map[*facts.Payment][]string       // matched to submissions by staff
	submissions []*submission
	payments    []*payment // counted payments
	groups      []*group
	bills       []*bill
	unjoined    []*submission
	needsLines  bool // service lines of some facts were needed but not loaded
}

func newDerivation(f BillGroup) *derivation {
	c := &derivation{}
	payerNumbers := map[string]bool{}
	for _, p := range f.Payments {
		row := &payment{
			Payment: p, own: facts.FoldOrEmpty(p.Repriced), former: facts.FoldOrEmpty(p.FormerNumber), payerNumber: facts.FoldOrEmpty(p.PayerControlNumber),
			account: facts.FoldOrEmpty(p.PatientControlNumber), patient: facts.NewPerson(p.Reported), uncounted: !p.IsCounted(),
		}
		payerNumbers[row.payerNumber] = true
		c.payments = append(c.payments, row)
	}
	c.superseded = findSuperseded(f.Payments)
	c.joined = joinedPayments(f, c.superseded)
	c.payments = slices.DeleteFunc(c.payments, func(p *payment) bool { return c.superseded[p.Payment] != nil })
	for _, s := range f.Submissions {
		row := &submission{
			Submission: s, document: facts.FoldOrEmpty(s.Clearinghouse), account: facts.FoldOrEmpty(s.Reported.PatientControlNumber),
			patient: facts.NewPerson(s.Reported),
			own:     cmp.Or(facts.FoldOrEmpty(s.Repriced), facts.FoldOrEmpty(s.Adjusted)), reference: facts.FoldOrEmpty(s.Original),
		}
		// An original's number comes from the repricer, unless the payer uses that number.
		if row.own == "" && !s.IsCorrection() && !payerNumbers[row.reference] {
			row.own, row.reference = row.reference, ""
		}
		if row.reference == row.own {
			row.reference = ""
		}
		c.submissions = append(c.submissions, row)
	}
	c.keepLastRows()
	return c
}

// keepLastRows keeps the last table row for each patient and number. Each row gives the complete
// state of the bill.
func (c *derivation) keepLastRows() {
	kept := map[string][]*submission{}
	for _, s := range slices.Backward(c.submissions) { // last row first
		isSame := func(row *submission) bool { return row.patient.MatchesByRow(s.patient) }
		if s.Source == facts.FromTable && !slices.ContainsFunc(kept[s.own], isSame) {
			kept[s.own] = append(kept[s.own], s)
		}
	}
	c.submissions = slices.DeleteFunc(c.submissions, func(s *submission) bool {
		outdated := s.Source == facts.FromTable && !slices.Contains(kept[s.own], s)
		if outdated {
			c.outdated = append(c.outdated, s)
		}
		return outdated
	})
}

// findSuperseded returns payments that were reported again with other amounts, mapped to their
// replacements. A check pays each claim once, unless the same transaction set repeats the claim.
// The payment written last counts. Among payments written at the same time, one from a balanced
// set counts.
func findSuperseded(list []*facts.Payment) map[*facts.Payment]*facts.Payment {
	bySlot := map[string][]*facts.Payment{}
	for _, p := range list {
		bySlot[p.Slot] = append(bySlot[p.Slot], p)
	}
	set := map[*facts.Payment]*facts.Payment{}
	for _, slot := range bySlot {
		slices.SortFunc(slot, func(a, b *facts.Payment) int {
			return cmp.Or(strings.Compare(b.Written, a.Written), b.BalanceRank()-a.BalanceRank(), strings.Compare(b.Fact, a.Fact),
				cmp.Compare(a.Occurrence, b.Occurrence))
		})
		var counted []*facts.Payment
		for _, p := range slot {
			if i := slices.IndexFunc(counted, p.IsRival); i >= 0 {
				set[p] = counted[i]
				continue
			}
			counted = append(counted, p)
		}
	}
	return set
}

// addNumberedBills makes one bill for each pair of network number and patient.
func (c *derivation) addNumberedBills() {
	for _, s := range c.submissions {
		if s.own == "" {
			continue
		}
		i := slices.IndexFunc(c.bills, func(b *bill) bool {
			return b.matchesSubmission(s) && b.accepts(s)
		})
		if i < 0 {
			c.bills = append(c.bills, &bill{own: s.own})
			i = len(c.bills) - 1
		}
		c.bills[i].members = append(c.bills[i].members, s)
	}
}

// matchesSubmission reports whether a bill has the number and patient of a submission.
func (b *bill) matchesSubmission(s *submission) bool {
	return b.own == s.own && b.hasPatient(s.patient, facts.Person.MatchesByNumber)
}

// accepts reports whether a submission can join the bill. A partial bill for a stay joins only a
// bill with the same period and charge. Table rows that were both kept belong to different
// patients.
func (b *bill) accepts(s *submission) bool {
	first := b.members
	if s.Source == facts.FromTable && s.own != "" && b.hasSubmission(func(m *submission) bool { return m.Source == facts.FromTable }) {
		return false
	}
	if len(first) == 0 || !s.IsPartOfStay() && !first[0].IsPartOfStay() {
		return true
	}
	x, y := first[0].Reported, s.Reported
	return x.BeginServiceDate == y.BeginServiceDate && x.EndServiceDate == y.EndServiceDate && x.BillCharges == y.BillCharges
}

func (b *bill) hasPatient(p facts.Person, agrees func(facts.Person, facts.Person) bool) bool {
	return slices.ContainsFunc(b.members, func(s *submission) bool { return agrees(s.patient, p) })
}

// isSameVisit reports whether account, day and patient are the same.
func (s *submission) isSameVisit(other *submission) bool {
	return s.account != "" && s.account == other.account && s.Reported.BeginServiceDate == other.Reported.BeginServiceDate &&
		s.patient.Matches(other.patient)
}

func (s *submission) charge() int64 { return s.Reported.BillCharges }

// addUnnumberedBills handles originals that no number matches. Each joins the one bill with its
// account, day and charge, or becomes a new bill.
func (c *derivation) addUnnumberedBills() {
	var own []*bill
	for _, s := range c.submissions {
		if s.own != "" {
			continue
		}
		if s.IsCorrection() || s.reference != "" {
			c.unjoined = append(c.unjoined, s)
			continue
		}
		i := slices.IndexFunc(own, func(b *bill) bool {
			return b.accepts(s) && slices.ContainsFunc(b.members, func(m *submission) bool {
				return m.Version == s.Version || m.isSameVisit(s) && m.charge() == s.charge()
			})
		})
		if i < 0 {
			own = append(own, &bill{})
			i = len(own) - 1
		}
		own[i].members = append(own[i].members, s)
	}
	numbered := c.bills
	for _, b := range own {
		s := b.members[0]
		fit := filter(numbered, func(n *bill) bool {
			return n.accepts(s) && n.hasSubmission(func(m *submission) bool { return m.isSameVisit(s) && m.charge() == s.charge() })
		})
		if len(fit) == 1 {
			fit[0].members = append(fit[0].members, b.members...)
			continue
		}
		if len(fit) > 1 {
			b.ambiguous++
		}
		c.bills = append(c.bills, b)
	}
}

// groupPayments groups payments by the payer's claim number. Without that number, it uses
// account, day and charge.
func (c *derivation) groupPayments() {
	joined := newSets(len(c.payments))
	for i, p := range c.payments {
		for j, q := range c.payments[:i] {
			if p.isSameClaim(q) {
				joined.join(i, j)
			}
		}
	}
	groups := map[int]*group{}
	for i, p := range c.payments {
		root := joined.find(i)
		if groups[root] == nil {
			groups[root] = &group{}
			c.groups = append(c.groups, groups[root])
		}
		p.group = groups[root]
		p.group.payments = append(p.group.payments, p)
	}
}

func (p *payment) isSameClaim(other *payment) bool {
	if !p.patient.Matches(other.patient) && (p.patient != facts.Person{} || other.patient != facts.Person{}) {
		return false
	}
	samePayer, sameAccount := text.Key(p.Payer) == text.Key(other.Payer), p.account != "" && p.account == other.account
	if p.payerNumber == "" && other.payerNumber == "" {
		return samePayer && sameAccount && p.Reported.BeginServiceDate == other.Reported.BeginServiceDate && facts.Magnitude(p.Charge) ==
			facts.Magnitude(other.Charge)
	}
	same := p.payerNumber != "" && (p.payerNumber == other.payerNumber || p.payerNumber == other.former) ||
		other.payerNumber != "" && other.payerNumber == p.former
	return same && (samePayer || sameAccount)
}

// tieGroups finds the bill for each payment group. It uses the first rank that any bill fits,
// and prefers bills of the given kinds if several fit. If no bill fits, or several do, a match
// by staff decides.
func (c *derivation) tieGroups(ranks []rank, kinds ...func(*bill) bool) {
	for _, g := range c.groups {
		g.tied, g.ambiguous = nil, false
		for n, rank := range ranks {
			g.rank = n
			g.untied = g.untied || n == rankOfCuts
			fit := map[*bill]bool{}
			for _, p := range g.payments {
				for _, b := range c.bills {
					if b.made == nil && rank(c, p, b) {
						fit[b] = true
					}
				}
			}
			if len(fit) == 0 {
				continue
			}
			found := narrowToOne(c.sortBills(fit), append(slices.Clone(kinds), func(b *bill) bool { return g.hasPayment(b.hasCharge) },
				func(b *bill) bool { return g.hasPayment(b.hasDay) }, func(b *bill) bool { return g.hasPayment(b.hasFirstName) },
				func(b *bill) bool { return g.hasPayment(func(p *payment) bool { return c.hasLines(b, p) }) })...)
			g.tied, g.ambiguous = singleBill(found), singleBill(found) == nil
			break
		}
		if g.tied == nil {
			g.rank = 0 // matched by staff
			g.tied = c.findJoinedBill(g)
			g.ambiguous = g.ambiguous && g.tied == nil
		}
	}
}

// rank reports whether a payment can belong to a bill.
type rank func(*derivation, *payment, *bill) bool

// The ranks, strongest first. A correction names the bill it corrects by a number. Until we know
// which bills replace others, that number matches payments to the corrected bill. It doesn't
// match them to the correction.
var (
	ranks            = slices.Concat([]rank{byOwnNumber, byReference}, byEvidence, []rank{byTruncatedAccount})
	ranksOfOriginals = slices.Concat([]rank{byOwnNumber, byReferenceOfOriginals}, byEvidence, []rank{byTruncatedAccount, byReference})
	rankOfCuts       = 2 + len(byEvidence) // in both lists
)

func byOwnNumber(_ *derivation, p *payment, b *bill) bool {
	return p.own != "" && p.own == b.own && b.hasPatient(p.patient, facts.Person.MatchesByNumber)
}

func byReference(_ *derivation, p *payment, b *bill) bool {
	return b.hasSubmission(func(s *submission) bool { return (p.refersTo(s) || s.refersToClaim(p)) && s.patient.Matches(p.patient) })
}

func byReferenceOfOriginals(_ *derivation, p *payment, b *bill) bool {
	return b.hasSubmission(func(s *submission) bool {
		return (p.refersTo(s) || !s.IsCorrection() && s.refersToClaim(p)) && s.patient.Matches(p.patient)
	})
}

func (p *payment) refersTo(s *submission) bool {
	// Some payers use the network's number as their own.
	return p.former != "" && (p.former == s.own || p.former == s.document || p.former == s.account) || p.payerNumber != "" &&
		p.payerNumber == s.own
}

// refersToClaim reports whether a submission refers to the payer's number of a payment.
func (s *submission) refersToClaim(p *payment) bool {
	return s.reference != "" && (s.reference == p.payerNumber || s.reference == p.former)
}

func (p *payment) isOfVisit(s *submission) bool {
	return p.isSameAccount(s) && p.Reported.BeginServiceDate == s.Reported.BeginServiceDate && s.patient.Matches(p.patient)
}

func (b *bill) hasSubmission(ok func(*submission) bool) bool {
	return slices.ContainsFunc(b.members, ok)
}

func (g *group) hasPayment(ok func(*payment) bool) bool { return slices.ContainsFunc(g.payments, ok) }

func (b *bill) hasOriginal() bool {
	return b.hasSubmission(func(s *submission) bool { return !s.IsCorrection() })
}

func (b *bill) hasCharge(p *payment) bool {
	return b.hasSubmission(func(s *submission) bool { return s.charge() == facts.Magnitude(p.Charge) })
}

func (b *bill) hasDay(p *payment) bool {
	return b.hasSubmission(func(s *submission) bool { return s.Reported.BeginServiceDate == p.Reported.BeginServiceDate })
}

// hasPeriod reports whether a day of the payment is within a submission's period.
func (b *bill) hasPeriod(p *payment) bool {
	return b.hasSubmission(func(s *submission) bool { return overlaps(p.Reported, s.Reported) })
}

// hasLines reports whether the payment's service lines are lines of a submission.
func (c *derivation) hasLines(b *bill, p *payment) bool {
	return b.hasSubmission(func(s *submission) bool { return c.hasMatchingLines(p, s) })
}

func (b *bill) hasFirstName(p *payment) bool {
	return b.hasSubmission(func(s *submission) bool { return s.patient.First == p.patient.First })
}

// sortBills sorts bills in the order of the group.
func (c *derivation) sortBills(some map[*bill]bool) []*bill {
	return filter(c.bills, func(b *bill) bool { return some[b] })
}

// filter returns the items that pass the filter.
func filter[T any](list []T, is func(T) bool) []T {
	return slices.DeleteFunc(slices.Clone(list), func(t T) bool { return !is(t) })
}

// narrow applies each filter in turn, and skips a filter that would leave no bills.
func narrow(list []*bill, kinds ...func(*bill) bool) []*bill {
	for _, is := range kinds {
		if kept := filter(list, is); len(kept) > 0 {
			list = kept
		}
	}
	return list
}

// narrowToOne is like narrow, but stops as soon as one bill is left.
func narrowToOne(list []*bill, kinds ...func(*bill) bool) []*bill {
	for _, is := range kinds {
		if singleBill(list) != nil {
			break
		}
		list = narrow(list, is)
	}
	return list
}

// singleBill returns the only bill of a list, or the first if all of them replace each other.
func singleBill(list []*bill) *bill {
	if len(list) == 0 {
		return nil
	}
	for _, b := range list[1:] {
		if b.root() != list[0].root() {
			return nil
		}
	}
	return list[0]
}

func (b *bill) root() *bill {
	for b.chain != nil {
		b = b.chain
	}
	return b
}

// findNamedBills finds the bills that match a submission's reference.
func (c *derivation) findNamedBills(s *submission) []*bill {
	if s.reference == "" {
		return nil
	}
	found := map[*bill]bool{}
	for _, b := range c.bills {
		found[b] = b.hasSubmission(func(m *submission) bool {
			// Only corrections search numbers other than the network's; see links.
			other := s.IsCorrection() && (m.document == s.reference || m.account == s.reference)
			return m != s && (m.own == s.reference || other) &&
				(m.patient.Matches(s.patient) || m.own == s.reference && m.patient.MatchesByNumber(s.patient))
		})
	}
	for _, g := range c.groups {
		if g.tied != nil && g.hasPayment(func(p *payment) bool {
			return (p.payerNumber == s.reference || p.former == s.reference) && p.patient.Matches(s.patient)
		}) {
			found[g.tied] = true
		}
	}
	maps.DeleteFunc(found, func(b *bill, is bool) bool { return !is || slices.Contains(b.members, s) })
	return narrowToOne(c.sortBills(found),
		func(b *bill) bool {
			return b.hasSubmission(func(m *submission) bool { return m.charge() == s.charge() })
		},
		func(b *bill) bool {
			return b.hasSubmission(func(m *submission) bool { return m.Reported.BeginServiceDate == s.Reported.BeginServiceDate })
		},
		func(b *bill) bool {
			return b.hasSubmission(func(m *submission) bool { return m.patient.First == s.patient.First })
		})
}

// joinCorrections finds the bills of corrections without a number of their own. It uses the
// reference, otherwise account and day.
func (c *derivation) joinCorrections() {
	waiting := c.unjoined
	for {
		var rest []*submission
		for _, s := range waiting {
			if b := singleBill(c.findNamedBills(s)); b != nil {
				b.members = append(b.members, s)
			} else {
				rest = append(rest, s)
			}
		}
		if len(rest) == len(waiting) {
			break
		}
		waiting = rest
	}
	known := slices.Clone(c.bills)
	var own []*bill
	for _, s := range waiting {
		var fit []*bill
		if len(c.findNamedBills(s)) == 0 {
			fit = filter(known, func(b *bill) bool {
				return b.accepts(s) && b.hasSubmission(func(m *submission) bool {
					return m.isSameVisit(s) && (s.IsCorrection() || m.charge() == s.charge())
				})
			})
			fit = narrowToOne(fit, func(b *bill) bool {
				return b.hasSubmission(func(m *submission) bool { return m.charge() == s.charge() })
			})
			if b := singleBill(fit); b != nil {
				b.members = append(b.members, s)
				continue
			}
		}
		ambiguous := len(fit) > 1 || len(c.findNamedBills(s)) > 1
		i := slices.IndexFunc(own, func(b *bill) bool {
			return b.hasSubmission(func(m *submission) bool {
				return m.Version == s.Version || !ambiguous && b.ambiguous == 0 && m.isSameVisit(s)
			})
		})
		if i < 0 {
			own = append(own, &bill{})
			i = len(own) - 1
			if ambiguous {
				own[i].ambiguous++
			}
		}
		own[i].members = append(own[i].members, s)
	}
	c.bills = append(c.bills, own...)
}

// findReplaced marks the replaced bills. A correction with a number of its own is a separate
// bill.
func (c *derivation) findReplaced() {
	for _, b := range c.bills {
		for _, s := range b.members {
			if s.own == "" || !s.IsCorrection() {
				continue
			}
			if old := singleBill(c.findNamedBills(s)); old != nil && old.root() != b.root() {
				old.replaced = b
				old.root().chain = b.root()
			}
		}
	}
}

// addPaymentBills makes bills of payments that no file brought a bill for.
func (c *derivation) addPaymentBills() {
	for _, g := range c.groups {
		if g.tied == nil {
			made := &bill{made: g}
			if g.ambiguous {
				made.ambiguous++
			}
			g.tied = made
			c.bills = append(c.bills, made)
		}
	}
}

// distribute assigns each payment to its bill. If bills replace each other, the payment goes to
// the one with its number, charge or day, otherwise to the last.
func (c *derivation) distribute() {
	for _, p := range c.payments {
		b := p.group.tied
		if b.made == nil {
			chain := filter(c.bills, func(other *bill) bool { return other.root() == b.root() })
			chain = narrow(chain, func(b *bill) bool { return p.own != "" && b.own == p.own },
				func(b *bill) bool { return b.hasCharge(p) }, func(b *bill) bool { return b.hasDay(p) },
				func(b *bill) bool { return b.hasPeriod(p) }, func(b *bill) bool { return b.replaced == nil })
			b = chain[0]
		}
		b.payments = append(b.payments, p)
	}
}

// version is a list of submissions that differ only in numbers and pricing.
type version struct {
	members []*submission // in the order they were written
	depth   int           // how many versions written at the same time it follows by reference
}

func (v *version) first() *submission { return v.members[0] }
func (v *version) last() *submission  { return v.members[len(v.members)-1] }

// lastPriced returns the last priced submission. A bill keeps its price when it's sent again without
// one.
func (v *version) lastPriced() *submission {
	for _, m := range slices.Backward(v.members) {
		if m.Reported.EOR || m.Reported.RecommendedAllowance != nil {
			return m
		}
	}
	return v.last()
}

// versions sorts the versions of a bill; the last one is current. Corrections come after
// originals, regardless of their dates. A replacement comes after a void only if it was written
// later.
func (b *bill) versions() []*version {
	members := slices.Clone(b.members)
	slices.SortFunc(members, func(x, y *submission) int {
		return cmp.Or(strings.Compare(x.Written, y.Written), strings.Compare(x.Fact, y.Fact))
	})
	byVersion := map[string]*version{}
	var list []*version
	for _, m := range members {
		v := byVersion[m.Version]
		if v == nil {
			v = &version{}
			byVersion[m.Version] = v
			list = append(list, v)
		}
		v.members = append(v.members, m)
	}
	for range list {
		for _, v := range list {
			for _, w := range list {
				if v != w && v.first().Written == w.first().Written && v.depth <= w.depth && w.depth < len(list) && v.refersTo(w) {
					v.depth = w.depth + 1
				}
			}
		}
	}
	slices.SortFunc(list, func(v, w *version) int {
		x, y := v.first(), w.first()
		return cmp.Or(
			cmp.Compare(correctionRank(x), correctionRank(y)),
			strings.Compare(x.Written, y.Written),
			cmp.Compare(v.depth, w.depth),
			cmp.Compare(frequencyRank(x), frequencyRank(y)),
			strings.Compare(x.Fact, y.Fact))
	})
	return list
}

func (v *version) refersTo(w *version) bool {
	return slices.ContainsFunc(v.members, func(s *submission) bool {
		return s.reference != "" && slices.ContainsFunc(w.members, func(m *submission) bool {
			return m.document == s.reference || m.own == s.reference
		})
	})
}

func correctionRank(s *submission) int {
	if s.IsCorrection() {
		return 1
	}
	return 0
}

func frequencyRank(s *submission) int {
	return slices.Index([]string{"6", "7", "8"}, s.Reported.FrequencyCode) + 1
}

// deriveBill derives what a bill shows.
func (c *derivation) deriveBill(b *bill) DerivedBill {
	out := DerivedBill{Ambiguous: b.ambiguous}
	var shown facts.Bill
	if b.made != nil {
		shown, out.Number = b.fromPayments()
	} else {
		shown, out.Number = b.fromSubmissions()
	}
	out.Written, shown.Anchor = b.anchor()
	if b.replaced != nil {
		_, out.ReplacedBy = b.replaced.anchor()
	}
	c.reconcile(b, &shown, &out)
	for _, m := range b.members {
		out.Submissions = append(out.Submissions, m.Fact)
	}
	for _, p := range b.payments {
		out.Payments = append(out.Payments, p.ID())
		if p.group.untied {
			out.Untied = append(out.Untied, p.ID())
		}
	}
	out.Bill = shown
	return out
}

// anchor returns the oldest fact of a bill, preferably a submission.
func (b *bill) anchor() (written, fact string) {
	oldest := func(w, f string) {
		if fact == "" || cmp.Or(strings.Compare(w, written), strings.Compare(f, fact)) < 0 {
			written, fact = w, f
		}
	}
	for _, m := range b.members {
		oldest(m.Written, m.Fact)
	}
	if len(b.members) == 0 {
		for _, p := range b.made.payments {
			oldest(p.Written, p.Fact)
		}
	}
	return written, fact
}

// fromSubmissions returns the bill of the current version, and the number it requests.
func (b *bill) fromSubmissions() (facts.Bill, string) {
	versions := b.versions()
	inForce := versions[len(versions)-1]
	priced, last := inForce.lastPriced(), inForce.last()
	shown := priced.Reported
	shown.Source, shown.Fact = facts.SourceBill, priced.Fact
	shown.DocumentID = cmp.Or(last.Clearinghouse, last.Reported.DocumentID, last.Reported.PatientControlNumber)
	if inForce.first().Reported.FrequencyCode == "8" {
		shown.BillStatus = facts.StatusVoid
	}

	first := versions[0].first()
	name := ""
	for _, m := range b.members {
		if m.own == b.own && b.own != "" {
			name = cmp.Or(m.Repriced, m.Adjusted, m.Original)
		}
		shown.BillingID = cmp.Or(shown.BillingID, m.Adjusted)
	}
	switch {
	case name != "":
	case !first.IsCorrection():
		name = cmp.Or(first.Clearinghouse, first.Reported.PatientControlNumber)
	default:
		name = cmp.Or(first.Original, first.Clearinghouse, first.Reported.PatientControlNumber)
	}
	return shown, name
}

// fromPayments returns the bill as far as its payments describe it.
func (b *bill) fromPayments() (facts.Bill, string) {
	last := b.made.payments[len(b.made.payments)-1]
	shown := last.Reported
	shown.Source, shown.Fact = facts.SourcePayment, last.Fact
	shown.BillCharges = facts.Magnitude(last.Charge)
	shown.PatientControlNumber, shown.DocumentID = last.PatientControlNumber, last.PatientControlNumber
	var own string
	for _, p := range b.made.payments {
		own = cmp.Or(own, p.Repriced)
	}
	return shown, cmp.Or(own, last.PayerControlNumber, last.PatientControlNumber)
}
