package ledger

import (
	"cmp"
	"maps"
	"slices"

	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/platform/text"
)

// matchGroup finds the bills of a group and assigns each its facts.
func matchGroup(f BillGroup) *match {
	f.sort()
	c := newMatch(f)
	c.addNumberedBills()
	c.addUnnumberedBills()
	c.groupPayments()
	c.tieGroups(ranksOfOriginals, (*matchedBill).hasOriginal)
	c.joinCorrections()
	c.findReplaced()
	c.tieGroups(ranks)
	c.addPaymentBills()
	c.distribute()
	return c
}

// matchedSubmission is a Submission with its numbers folded.
type matchedSubmission struct {
	*facts.Submission
	own, reference, document, account string
	patient                           facts.Person
}

// matchedPayment is a Payment with its numbers folded.
type matchedPayment struct {
	*facts.Payment
	own, former, payerNumber, account string
	patient                           facts.Person
	group                             *paymentGroup
}

// paymentGroup is a set of payments with the same payer claim number. They go to the same bill.
type paymentGroup struct {
	payments  []*matchedPayment
	tied      *matchedBill
	rank      int // of the evidence that matched them; 0 is the strongest
	ambiguous bool
	untied    bool // matched by nothing stronger than byTruncatedAccount
}

// matchedBill is a bill while it's being derived.
type matchedBill struct {
	own       string
	members   []*matchedSubmission
	payments  []*matchedPayment
	replaced  *matchedBill // the bill that replaced this one
	chain     *matchedBill // represents all the bills that replace each other
	ambiguous int
	made      *paymentGroup // the payment it was made of, if there's no submission
}

// match is the state of a group while its bills are derived.
type match struct {
	outdated    []*matchedSubmission              // table rows that later rows replaced
	superseded  map[*facts.Payment]*facts.Payment // payments replaced by a later report, with their replacements
	joined      map[*facts.Payment][]string       // matched to submissions by staff
	submissions []*matchedSubmission
	payments    []*matchedPayment // counted payments
	groups      []*paymentGroup
	bills       []*matchedBill
	unjoined    []*matchedSubmission
	needsLines  bool // service lines of some facts were needed but not loaded
}

func newMatch(f BillGroup) *match {
	c := &match{}
	payerNumbers := map[string]bool{}
	for _, p := range f.Payments {
		row := &matchedPayment{
			Payment: p, own: facts.FoldOrEmpty(p.Repriced), former: facts.FoldOrEmpty(p.FormerNumber), payerNumber: facts.FoldOrEmpty(p.PayerControlNumber),
			account: facts.FoldOrEmpty(p.PatientControlNumber), patient: facts.NewPerson(p.Reported),
		}
		payerNumbers[row.payerNumber] = true
		c.payments = append(c.payments, row)
	}
	c.superseded = findSuperseded(f.Payments)
	c.joined = joinedPayments(f, c.superseded)
	c.payments = slices.DeleteFunc(c.payments, func(p *matchedPayment) bool { return c.superseded[p.Payment] != nil })
	for _, s := range f.Submissions {
		row := &matchedSubmission{
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
func (c *match) keepLastRows() {
	kept := map[string][]*matchedSubmission{}
	for _, s := range slices.Backward(c.submissions) { // last row first
		isSame := func(row *matchedSubmission) bool { return row.patient.MatchesByRow(s.patient) }
		if s.Source == facts.FromTable && !slices.ContainsFunc(kept[s.own], isSame) {
			kept[s.own] = append(kept[s.own], s)
		}
	}
	c.submissions = slices.DeleteFunc(c.submissions, func(s *matchedSubmission) bool {
		outdated := s.Source == facts.FromTable && !slices.Contains(kept[s.own], s)
		if outdated {
			c.outdated = append(c.outdated, s)
		}
		return outdated
	})
}

// addNumberedBills makes one bill for each pair of network number and patient.
func (c *match) addNumberedBills() {
	for _, s := range c.submissions {
		if s.own == "" {
			continue
		}
		i := slices.IndexFunc(c.bills, func(b *matchedBill) bool {
			return b.matchesSubmission(s) && b.accepts(s)
		})
		if i < 0 {
			c.bills = append(c.bills, &matchedBill{own: s.own})
			i = len(c.bills) - 1
		}
		c.bills[i].members = append(c.bills[i].members, s)
	}
}

// matchesSubmission reports whether a bill has the number and patient of a submission.
func (b *matchedBill) matchesSubmission(s *matchedSubmission) bool {
	return b.own == s.own && b.hasPatient(s.patient, facts.Person.MatchesByNumber)
}

// accepts reports whether a submission can join the bill. A partial bill for a stay joins only a
// bill with the same period and charge. Table rows that were both kept belong to different
// patients.
func (b *matchedBill) accepts(s *matchedSubmission) bool {
	first := b.members
	if s.Source == facts.FromTable && s.own != "" && b.hasSubmission(func(m *matchedSubmission) bool { return m.Source == facts.FromTable }) {
		return false
	}
	if len(first) == 0 || !s.IsPartOfStay() && !first[0].IsPartOfStay() {
		return true
	}
	x, y := first[0].Reported, s.Reported
	return x.BeginServiceDate == y.BeginServiceDate && x.EndServiceDate == y.EndServiceDate && x.BillCharges == y.BillCharges
}

func (b *matchedBill) hasPatient(p facts.Person, agrees func(facts.Person, facts.Person) bool) bool {
	return slices.ContainsFunc(b.members, func(s *matchedSubmission) bool { return agrees(s.patient, p) })
}

// isSameVisit reports whether account, day and patient are the same.
func (s *matchedSubmission) isSameVisit(other *matchedSubmission) bool {
	return s.account != "" && s.account == other.account && s.Reported.BeginServiceDate == other.Reported.BeginServiceDate &&
		s.patient.Matches(other.patient)
}

func (s *matchedSubmission) charge() int64 { return s.Reported.BillCharges }

// addUnnumberedBills handles originals that no number matches. Each joins the one bill with its
// account, day and charge, or becomes a new bill.
func (c *match) addUnnumberedBills() {
	var own []*matchedBill
	for _, s := range c.submissions {
		if s.own != "" {
			continue
		}
		if s.IsCorrection() || s.reference != "" {
			c.unjoined = append(c.unjoined, s)
			continue
		}
		i := slices.IndexFunc(own, func(b *matchedBill) bool {
			return b.accepts(s) && slices.ContainsFunc(b.members, func(m *matchedSubmission) bool {
				return m.Version == s.Version || m.isSameVisit(s) && m.charge() == s.charge()
			})
		})
		if i < 0 {
			own = append(own, &matchedBill{})
			i = len(own) - 1
		}
		own[i].members = append(own[i].members, s)
	}
	numbered := c.bills
	for _, b := range own {
		s := b.members[0]
		fit := filter(numbered, func(n *matchedBill) bool {
			return n.accepts(s) && n.hasSubmission(func(m *matchedSubmission) bool { return m.isSameVisit(s) && m.charge() == s.charge() })
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
func (c *match) groupPayments() {
	joined := newSets(len(c.payments))
	for i, p := range c.payments {
		for j, q := range c.payments[:i] {
			if p.isSameClaim(q) {
				joined.join(i, j)
			}
		}
	}
	groups := map[int]*paymentGroup{}
	for i, p := range c.payments {
		root := joined.find(i)
		if groups[root] == nil {
			groups[root] = &paymentGroup{}
			c.groups = append(c.groups, groups[root])
		}
		p.group = groups[root]
		p.group.payments = append(p.group.payments, p)
	}
}

func (p *matchedPayment) isSameClaim(other *matchedPayment) bool {
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
func (c *match) tieGroups(ranks []rank, kinds ...func(*matchedBill) bool) {
	for _, g := range c.groups {
		g.tied, g.ambiguous = nil, false
		for n, rank := range ranks {
			g.rank = n
			g.untied = g.untied || n == rankOfCuts
			fit := map[*matchedBill]bool{}
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
			found := narrowToOne(c.sortBills(fit), append(slices.Clone(kinds), func(b *matchedBill) bool { return g.hasPayment(b.hasCharge) },
				func(b *matchedBill) bool { return g.hasPayment(b.hasDay) }, func(b *matchedBill) bool { return g.hasPayment(b.hasFirstName) },
				func(b *matchedBill) bool {
					return g.hasPayment(func(p *matchedPayment) bool { return c.hasLines(b, p) })
				})...)
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
type rank func(*match, *matchedPayment, *matchedBill) bool

// The ranks, strongest first. A correction names the bill it corrects by a number. Until we know
// which bills replace others, that number matches payments to the corrected bill. It doesn't
// match them to the correction.
var (
	ranks            = slices.Concat([]rank{byOwnNumber, byReference}, byEvidence, []rank{byTruncatedAccount})
	ranksOfOriginals = slices.Concat([]rank{byOwnNumber, byReferenceOfOriginals}, byEvidence, []rank{byTruncatedAccount, byReference})
	rankOfCuts       = 2 + len(byEvidence) // in both lists
)

func byOwnNumber(_ *match, p *matchedPayment, b *matchedBill) bool {
	return p.own != "" && p.own == b.own && b.hasPatient(p.patient, facts.Person.MatchesByNumber)
}

func byReference(_ *match, p *matchedPayment, b *matchedBill) bool {
	return b.hasSubmission(func(s *matchedSubmission) bool {
		return (p.refersTo(s) || s.refersToClaim(p)) && s.patient.Matches(p.patient)
	})
}

func byReferenceOfOriginals(_ *match, p *matchedPayment, b *matchedBill) bool {
	return b.hasSubmission(func(s *matchedSubmission) bool {
		return (p.refersTo(s) || !s.IsCorrection() && s.refersToClaim(p)) && s.patient.Matches(p.patient)
	})
}

func (p *matchedPayment) refersTo(s *matchedSubmission) bool {
	// Some payers use the network's number as their own.
	return p.former != "" && (p.former == s.own || p.former == s.document || p.former == s.account) || p.payerNumber != "" &&
		p.payerNumber == s.own
}

// refersToClaim reports whether a submission refers to the payer's number of a payment.
func (s *matchedSubmission) refersToClaim(p *matchedPayment) bool {
	return s.reference != "" && (s.reference == p.payerNumber || s.reference == p.former)
}

func (p *matchedPayment) isOfVisit(s *matchedSubmission) bool {
	return p.isSameAccount(s) && p.Reported.BeginServiceDate == s.Reported.BeginServiceDate && s.patient.Matches(p.patient)
}

func (b *matchedBill) hasSubmission(ok func(*matchedSubmission) bool) bool {
	return slices.ContainsFunc(b.members, ok)
}

func (g *paymentGroup) hasPayment(ok func(*matchedPayment) bool) bool {
	return slices.ContainsFunc(g.payments, ok)
}

func (b *matchedBill) hasOriginal() bool {
	return b.hasSubmission(func(s *matchedSubmission) bool { return !s.IsCorrection() })
}

func (b *matchedBill) hasCharge(p *matchedPayment) bool {
	return b.hasSubmission(func(s *matchedSubmission) bool { return s.charge() == facts.Magnitude(p.Charge) })
}

func (b *matchedBill) hasDay(p *matchedPayment) bool {
	return b.hasSubmission(func(s *matchedSubmission) bool { return s.Reported.BeginServiceDate == p.Reported.BeginServiceDate })
}

// hasPeriod reports whether a day of the payment is within a submission's period.
func (b *matchedBill) hasPeriod(p *matchedPayment) bool {
	return b.hasSubmission(func(s *matchedSubmission) bool { return overlaps(p.Reported, s.Reported) })
}

// hasLines reports whether the payment's service lines are lines of a submission.
func (c *match) hasLines(b *matchedBill, p *matchedPayment) bool {
	return b.hasSubmission(func(s *matchedSubmission) bool { return c.hasMatchingLines(p, s) })
}

func (b *matchedBill) hasFirstName(p *matchedPayment) bool {
	return b.hasSubmission(func(s *matchedSubmission) bool { return s.patient.First == p.patient.First })
}

// sortBills sorts bills in the order of the group.
func (c *match) sortBills(some map[*matchedBill]bool) []*matchedBill {
	return filter(c.bills, func(b *matchedBill) bool { return some[b] })
}

// filter returns the items that pass the filter.
func filter[T any](list []T, is func(T) bool) []T {
	return slices.DeleteFunc(slices.Clone(list), func(t T) bool { return !is(t) })
}

// narrow applies each filter in turn, and skips a filter that would leave no bills.
func narrow(list []*matchedBill, kinds ...func(*matchedBill) bool) []*matchedBill {
	for _, is := range kinds {
		if kept := filter(list, is); len(kept) > 0 {
			list = kept
		}
	}
	return list
}

// narrowToOne is like narrow, but stops as soon as one bill is left.
func narrowToOne(list []*matchedBill, kinds ...func(*matchedBill) bool) []*matchedBill {
	for _, is := range kinds {
		if singleBill(list) != nil {
			break
		}
		list = narrow(list, is)
	}
	return list
}

// singleBill returns the only bill of a list, or the first if all of them replace each other.
func singleBill(list []*matchedBill) *matchedBill {
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

func (b *matchedBill) root() *matchedBill {
	for b.chain != nil {
		b = b.chain
	}
	return b
}

// findNamedBills finds the bills that match a submission's reference.
func (c *match) findNamedBills(s *matchedSubmission) []*matchedBill {
	if s.reference == "" {
		return nil
	}
	found := map[*matchedBill]bool{}
	for _, b := range c.bills {
		found[b] = b.hasSubmission(func(m *matchedSubmission) bool {
			// Only corrections search numbers other than the network's; see links.
			other := s.IsCorrection() && (m.document == s.reference || m.account == s.reference)
			return m != s && (m.own == s.reference || other) &&
				(m.patient.Matches(s.patient) || m.own == s.reference && m.patient.MatchesByNumber(s.patient))
		})
	}
	for _, g := range c.groups {
		if g.tied != nil && g.hasPayment(func(p *matchedPayment) bool {
			return (p.payerNumber == s.reference || p.former == s.reference) && p.patient.Matches(s.patient)
		}) {
			found[g.tied] = true
		}
	}
	maps.DeleteFunc(found, func(b *matchedBill, is bool) bool { return !is || slices.Contains(b.members, s) })
	return narrowToOne(c.sortBills(found),
		func(b *matchedBill) bool {
			return b.hasSubmission(func(m *matchedSubmission) bool { return m.charge() == s.charge() })
		},
		func(b *matchedBill) bool {
			return b.hasSubmission(func(m *matchedSubmission) bool { return m.Reported.BeginServiceDate == s.Reported.BeginServiceDate })
		},
		func(b *matchedBill) bool {
			return b.hasSubmission(func(m *matchedSubmission) bool { return m.patient.First == s.patient.First })
		})
}

// joinCorrections finds the bills of corrections without a number of their own. It uses the
// reference, otherwise account and day.
func (c *match) joinCorrections() {
	waiting := c.unjoined
	for {
		var rest []*matchedSubmission
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
	var own []*matchedBill
	for _, s := range waiting {
		var fit []*matchedBill
		if len(c.findNamedBills(s)) == 0 {
			fit = filter(known, func(b *matchedBill) bool {
				return b.accepts(s) && b.hasSubmission(func(m *matchedSubmission) bool {
					return m.isSameVisit(s) && (s.IsCorrection() || m.charge() == s.charge())
				})
			})
			fit = narrowToOne(fit, func(b *matchedBill) bool {
				return b.hasSubmission(func(m *matchedSubmission) bool { return m.charge() == s.charge() })
			})
			if b := singleBill(fit); b != nil {
				b.members = append(b.members, s)
				continue
			}
		}
		ambiguous := len(fit) > 1 || len(c.findNamedBills(s)) > 1
		i := slices.IndexFunc(own, func(b *matchedBill) bool {
			return b.hasSubmission(func(m *matchedSubmission) bool {
				return m.Version == s.Version || !ambiguous && b.ambiguous == 0 && m.isSameVisit(s)
			})
		})
		if i < 0 {
			own = append(own, &matchedBill{})
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
func (c *match) findReplaced() {
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
func (c *match) addPaymentBills() {
	for _, g := range c.groups {
		if g.tied == nil {
			made := &matchedBill{made: g}
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
func (c *match) distribute() {
	for _, p := range c.payments {
		b := p.group.tied
		if b.made == nil {
			chain := filter(c.bills, func(other *matchedBill) bool { return other.root() == b.root() })
			chain = narrow(chain, func(b *matchedBill) bool { return p.own != "" && b.own == p.own },
				func(b *matchedBill) bool { return b.hasCharge(p) }, func(b *matchedBill) bool { return b.hasDay(p) },
				func(b *matchedBill) bool { return b.hasPeriod(p) }, func(b *matchedBill) bool { return b.replaced == nil })
			b = chain[0]
		}
		b.payments = append(b.payments, p)
	}
}
