// Package matching decides which payment belongs to which bill, which of several reports of a
// payment count, and which checks are the same. It's pure and reads nothing.
package matching

import (
	"cmp"
	"maps"
	"slices"

	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/platform/text"
)

// MatchGroup finds the bills of a group and assigns each its facts.
func MatchGroup(f BillGroup) *Match {
	f.sort()
	c := newMatch(f)
	c.addNumberedBills()
	c.addUnnumberedBills()
	c.groupPayments()
	c.tieGroups(ranksOfOriginals, (*Bill).hasOriginal)
	c.joinCorrections()
	c.findReplaced()
	c.tieGroups(ranks)
	c.addPaymentBills()
	c.distribute()
	return c
}

// Submission is a Submission with its numbers folded.
type Submission struct {
	*facts.Submission
	Own, Reference, Document, account string
	patient                           facts.Person
}

// Payment is a Payment with its numbers folded.
type Payment struct {
	*facts.Payment
	own, former, payerNumber, account string
	patient                           facts.Person
	Group                             *PaymentGroup
}

// PaymentGroup is a set of payments with the same payer claim number. They go to the same bill.
type PaymentGroup struct {
	Payments  []*Payment
	tied      *Bill
	rank      int // of the evidence that matched them; 0 is the strongest
	ambiguous bool
	Untied    bool // matched by nothing stronger than byTruncatedAccount
}

// Bill is a bill while it's being derived.
type Bill struct {
	Own       string
	Members   []*Submission
	Payments  []*Payment
	Replaced  *Bill // the bill that replaced this one
	chain     *Bill // represents all the bills that replace each other
	Ambiguous int
	Made      *PaymentGroup // the payment it was made of, if there's no submission
}

// Match is the state of a group while its bills are derived.
type Match struct {
	Outdated    []*Submission                     // table rows that later rows replaced
	Superseded  map[*facts.Payment]*facts.Payment // Payments replaced by a later report, with their replacements
	joined      map[*facts.Payment][]string       // matched to submissions by staff
	submissions []*Submission
	payments    []*Payment // counted payments
	groups      []*PaymentGroup
	Bills       []*Bill
	unjoined    []*Submission
	NeedsLines  bool // service lines of some facts were needed but not loaded
}

func newMatch(f BillGroup) *Match {
	c := &Match{}
	payerNumbers := map[string]bool{}
	for _, p := range f.Payments {
		row := &Payment{
			Payment: p, own: facts.FoldOrEmpty(p.Repriced), former: facts.FoldOrEmpty(p.FormerNumber),
			payerNumber: facts.FoldOrEmpty(p.PayerControlNumber), account: facts.FoldOrEmpty(p.PatientControlNumber),
			patient: facts.NewPerson(p.Reported),
		}
		payerNumbers[row.payerNumber] = true
		c.payments = append(c.payments, row)
	}
	c.Superseded = findSuperseded(f.Payments)
	c.joined = joinedPayments(f, c.Superseded)
	c.payments = slices.DeleteFunc(c.payments, func(p *Payment) bool { return c.Superseded[p.Payment] != nil })
	for _, s := range f.Submissions {
		row := &Submission{
			Submission: s, Document: facts.FoldOrEmpty(s.Clearinghouse), account: facts.FoldOrEmpty(s.Reported.PatientControlNumber),
			patient: facts.NewPerson(s.Reported),
			Own:     cmp.Or(facts.FoldOrEmpty(s.Repriced), facts.FoldOrEmpty(s.Adjusted)), Reference: facts.FoldOrEmpty(s.Original),
		}
		// An original's number comes from the repricer, unless the payer uses that number.
		if row.Own == "" && !s.IsCorrection() && !payerNumbers[row.Reference] {
			row.Own, row.Reference = row.Reference, ""
		}
		if row.Reference == row.Own {
			row.Reference = ""
		}
		c.submissions = append(c.submissions, row)
	}
	c.keepLastRows()
	return c
}

// keepLastRows keeps the last table row for each patient and number. Each row gives the complete
// state of the bill.
func (c *Match) keepLastRows() {
	kept := map[string][]*Submission{}
	for _, s := range slices.Backward(c.submissions) { // last row first
		isSame := func(row *Submission) bool { return row.patient.MatchesByRow(s.patient) }
		if s.Source == facts.FromTable && !slices.ContainsFunc(kept[s.Own], isSame) {
			kept[s.Own] = append(kept[s.Own], s)
		}
	}
	c.submissions = slices.DeleteFunc(c.submissions, func(s *Submission) bool {
		outdated := s.Source == facts.FromTable && !slices.Contains(kept[s.Own], s)
		if outdated {
			c.Outdated = append(c.Outdated, s)
		}
		return outdated
	})
}

// addNumberedBills makes one bill for each pair of network number and patient.
func (c *Match) addNumberedBills() {
	for _, s := range c.submissions {
		if s.Own == "" {
			continue
		}
		i := slices.IndexFunc(c.Bills, func(b *Bill) bool {
			return b.MatchesSubmission(s) && b.accepts(s)
		})
		if i < 0 {
			c.Bills = append(c.Bills, &Bill{Own: s.Own})
			i = len(c.Bills) - 1
		}
		c.Bills[i].Members = append(c.Bills[i].Members, s)
	}
}

// MatchesSubmission reports whether a bill has the number and patient of a submission.
func (b *Bill) MatchesSubmission(s *Submission) bool {
	return b.Own == s.Own && b.hasPatient(s.patient, facts.Person.MatchesByNumber)
}

// accepts reports whether a submission can join the bill. A partial bill for a stay joins only a
// bill with the same period and charge. Table rows that were both kept belong to different
// patients.
func (b *Bill) accepts(s *Submission) bool {
	first := b.Members
	if s.Source == facts.FromTable && s.Own != "" && b.hasSubmission(func(m *Submission) bool { return m.Source == facts.FromTable }) {
		return false
	}
	if len(first) == 0 || !s.IsPartOfStay() && !first[0].IsPartOfStay() {
		return true
	}
	x, y := first[0].Reported, s.Reported
	return x.BeginServiceDate == y.BeginServiceDate && x.EndServiceDate == y.EndServiceDate && x.BillCharges == y.BillCharges
}

func (b *Bill) hasPatient(p facts.Person, agrees func(facts.Person, facts.Person) bool) bool {
	return slices.ContainsFunc(b.Members, func(s *Submission) bool { return agrees(s.patient, p) })
}

// isSameVisit reports whether account, day and patient are the same.
func (s *Submission) isSameVisit(other *Submission) bool {
	return s.account != "" && s.account == other.account && s.Reported.BeginServiceDate == other.Reported.BeginServiceDate &&
		s.patient.Matches(other.patient)
}

func (s *Submission) charge() int64 { return s.Reported.BillCharges }

// addUnnumberedBills handles originals that no number matches. Each joins the one bill with its
// account, day and charge, or becomes a new bill.
func (c *Match) addUnnumberedBills() {
	var own []*Bill
	for _, s := range c.submissions {
		if s.Own != "" {
			continue
		}
		if s.IsCorrection() || s.Reference != "" {
			c.unjoined = append(c.unjoined, s)
			continue
		}
		i := slices.IndexFunc(own, func(b *Bill) bool {
			return b.accepts(s) && slices.ContainsFunc(b.Members, func(m *Submission) bool {
				return m.Version == s.Version || m.isSameVisit(s) && m.charge() == s.charge()
			})
		})
		if i < 0 {
			own = append(own, &Bill{})
			i = len(own) - 1
		}
		own[i].Members = append(own[i].Members, s)
	}
	numbered := c.Bills
	for _, b := range own {
		s := b.Members[0]
		fit := filter(numbered, func(n *Bill) bool {
			return n.accepts(s) && n.hasSubmission(func(m *Submission) bool { return m.isSameVisit(s) && m.charge() == s.charge() })
		})
		if len(fit) == 1 {
			fit[0].Members = append(fit[0].Members, b.Members...)
			continue
		}
		if len(fit) > 1 {
			b.Ambiguous++
		}
		c.Bills = append(c.Bills, b)
	}
}

// groupPayments groups payments by the payer's claim number. Without that number, it uses
// account, day and charge.
func (c *Match) groupPayments() {
	joined := newSets(len(c.payments))
	for i, p := range c.payments {
		for j, q := range c.payments[:i] {
			if p.isSameClaim(q) {
				joined.join(i, j)
			}
		}
	}
	groups := map[int]*PaymentGroup{}
	for i, p := range c.payments {
		root := joined.find(i)
		if groups[root] == nil {
			groups[root] = &PaymentGroup{}
			c.groups = append(c.groups, groups[root])
		}
		p.Group = groups[root]
		p.Group.Payments = append(p.Group.Payments, p)
	}
}

func (p *Payment) isSameClaim(other *Payment) bool {
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
func (c *Match) tieGroups(ranks []rank, kinds ...func(*Bill) bool) {
	for _, g := range c.groups {
		g.tied, g.ambiguous = nil, false
		for n, rank := range ranks {
			g.rank = n
			g.Untied = g.Untied || n == rankOfCuts
			fit := map[*Bill]bool{}
			for _, p := range g.Payments {
				for _, b := range c.Bills {
					if b.Made == nil && rank(c, p, b) {
						fit[b] = true
					}
				}
			}
			if len(fit) == 0 {
				continue
			}
			found := narrowToOne(c.sortBills(fit), append(slices.Clone(kinds), func(b *Bill) bool { return g.hasPayment(b.hasCharge) },
				func(b *Bill) bool { return g.hasPayment(b.hasDay) }, func(b *Bill) bool { return g.hasPayment(b.hasFirstName) },
				func(b *Bill) bool {
					return g.hasPayment(func(p *Payment) bool { return c.hasLines(b, p) })
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
type rank func(*Match, *Payment, *Bill) bool

// The ranks, strongest first. A correction names the bill it corrects by a number. Until we know
// which bills replace others, that number matches payments to the corrected bill. It doesn't
// Match them to the correction.
var (
	ranks            = slices.Concat([]rank{byOwnNumber, byReference}, byEvidence, []rank{byTruncatedAccount})
	ranksOfOriginals = slices.Concat([]rank{byOwnNumber, byReferenceOfOriginals}, byEvidence, []rank{byTruncatedAccount, byReference})
	rankOfCuts       = 2 + len(byEvidence) // in both lists
)

func byOwnNumber(_ *Match, p *Payment, b *Bill) bool {
	return p.own != "" && p.own == b.Own && b.hasPatient(p.patient, facts.Person.MatchesByNumber)
}

func byReference(_ *Match, p *Payment, b *Bill) bool {
	return b.hasSubmission(func(s *Submission) bool {
		return (p.refersTo(s) || s.refersToClaim(p)) && s.patient.Matches(p.patient)
	})
}

func byReferenceOfOriginals(_ *Match, p *Payment, b *Bill) bool {
	return b.hasSubmission(func(s *Submission) bool {
		return (p.refersTo(s) || !s.IsCorrection() && s.refersToClaim(p)) && s.patient.Matches(p.patient)
	})
}

func (p *Payment) refersTo(s *Submission) bool {
	// Some payers use the network's number as their own.
	return p.former != "" && (p.former == s.Own || p.former == s.Document || p.former == s.account) || p.payerNumber != "" &&
		p.payerNumber == s.Own
}

// refersToClaim reports whether a submission refers to the payer's number of a payment.
func (s *Submission) refersToClaim(p *Payment) bool {
	return s.Reference != "" && (s.Reference == p.payerNumber || s.Reference == p.former)
}

func (p *Payment) isOfVisit(s *Submission) bool {
	return p.isSameAccount(s) && p.Reported.BeginServiceDate == s.Reported.BeginServiceDate && s.patient.Matches(p.patient)
}

func (b *Bill) hasSubmission(ok func(*Submission) bool) bool {
	return slices.ContainsFunc(b.Members, ok)
}

func (g *PaymentGroup) hasPayment(ok func(*Payment) bool) bool {
	return slices.ContainsFunc(g.Payments, ok)
}

func (b *Bill) hasOriginal() bool {
	return b.hasSubmission(func(s *Submission) bool { return !s.IsCorrection() })
}

func (b *Bill) hasCharge(p *Payment) bool {
	return b.hasSubmission(func(s *Submission) bool { return s.charge() == facts.Magnitude(p.Charge) })
}

func (b *Bill) hasDay(p *Payment) bool {
	return b.hasSubmission(func(s *Submission) bool { return s.Reported.BeginServiceDate == p.Reported.BeginServiceDate })
}

// hasPeriod reports whether a day of the payment is within a submission's period.
func (b *Bill) hasPeriod(p *Payment) bool {
	return b.hasSubmission(func(s *Submission) bool { return Overlaps(p.Reported, s.Reported) })
}

// hasLines reports whether the payment's service lines are lines of a submission.
func (c *Match) hasLines(b *Bill, p *Payment) bool {
	return b.hasSubmission(func(s *Submission) bool { return c.hasMatchingLines(p, s) })
}

func (b *Bill) hasFirstName(p *Payment) bool {
	return b.hasSubmission(func(s *Submission) bool { return s.patient.First == p.patient.First })
}

// sortBills sorts bills in the order of the group.
func (c *Match) sortBills(some map[*Bill]bool) []*Bill {
	return filter(c.Bills, func(b *Bill) bool { return some[b] })
}

// filter returns the items that pass the filter.
func filter[T any](list []T, is func(T) bool) []T {
	return slices.DeleteFunc(slices.Clone(list), func(t T) bool { return !is(t) })
}

// narrow applies each filter in turn, and skips a filter that would leave no bills.
func narrow(list []*Bill, kinds ...func(*Bill) bool) []*Bill {
	for _, is := range kinds {
		if kept := filter(list, is); len(kept) > 0 {
			list = kept
		}
	}
	return list
}

// narrowToOne is like narrow, but stops as soon as one bill is left.
func narrowToOne(list []*Bill, kinds ...func(*Bill) bool) []*Bill {
	for _, is := range kinds {
		if singleBill(list) != nil {
			break
		}
		list = narrow(list, is)
	}
	return list
}

// singleBill returns the only bill of a list, or the first if all of them replace each other.
func singleBill(list []*Bill) *Bill {
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

func (b *Bill) root() *Bill {
	for b.chain != nil {
		b = b.chain
	}
	return b
}

// findNamedBills finds the bills that match a submission's reference.
func (c *Match) findNamedBills(s *Submission) []*Bill {
	if s.Reference == "" {
		return nil
	}
	found := map[*Bill]bool{}
	for _, b := range c.Bills {
		found[b] = b.hasSubmission(func(m *Submission) bool {
			// Only corrections search numbers other than the network's; see links.
			other := s.IsCorrection() && (m.Document == s.Reference || m.account == s.Reference)
			return m != s && (m.Own == s.Reference || other) &&
				(m.patient.Matches(s.patient) || m.Own == s.Reference && m.patient.MatchesByNumber(s.patient))
		})
	}
	for _, g := range c.groups {
		if g.tied != nil && g.hasPayment(func(p *Payment) bool {
			return (p.payerNumber == s.Reference || p.former == s.Reference) && p.patient.Matches(s.patient)
		}) {
			found[g.tied] = true
		}
	}
	maps.DeleteFunc(found, func(b *Bill, is bool) bool { return !is || slices.Contains(b.Members, s) })
	return narrowToOne(c.sortBills(found),
		func(b *Bill) bool {
			return b.hasSubmission(func(m *Submission) bool { return m.charge() == s.charge() })
		},
		func(b *Bill) bool {
			return b.hasSubmission(func(m *Submission) bool { return m.Reported.BeginServiceDate == s.Reported.BeginServiceDate })
		},
		func(b *Bill) bool {
			return b.hasSubmission(func(m *Submission) bool { return m.patient.First == s.patient.First })
		})
}

// joinCorrections finds the bills of corrections without a number of their own. It uses the
// reference, otherwise account and day.
func (c *Match) joinCorrections() {
	waiting := c.unjoined
	for {
		var rest []*Submission
		for _, s := range waiting {
			if b := singleBill(c.findNamedBills(s)); b != nil {
				b.Members = append(b.Members, s)
			} else {
				rest = append(rest, s)
			}
		}
		if len(rest) == len(waiting) {
			break
		}
		waiting = rest
	}
	known := slices.Clone(c.Bills)
	var own []*Bill
	for _, s := range waiting {
		var fit []*Bill
		if len(c.findNamedBills(s)) == 0 {
			fit = filter(known, func(b *Bill) bool {
				return b.accepts(s) && b.hasSubmission(func(m *Submission) bool {
					return m.isSameVisit(s) && (s.IsCorrection() || m.charge() == s.charge())
				})
			})
			fit = narrowToOne(fit, func(b *Bill) bool {
				return b.hasSubmission(func(m *Submission) bool { return m.charge() == s.charge() })
			})
			if b := singleBill(fit); b != nil {
				b.Members = append(b.Members, s)
				continue
			}
		}
		ambiguous := len(fit) > 1 || len(c.findNamedBills(s)) > 1
		i := slices.IndexFunc(own, func(b *Bill) bool {
			return b.hasSubmission(func(m *Submission) bool {
				return m.Version == s.Version || !ambiguous && b.Ambiguous == 0 && m.isSameVisit(s)
			})
		})
		if i < 0 {
			own = append(own, &Bill{})
			i = len(own) - 1
			if ambiguous {
				own[i].Ambiguous++
			}
		}
		own[i].Members = append(own[i].Members, s)
	}
	c.Bills = append(c.Bills, own...)
}

// findReplaced marks the replaced bills. A correction with a number of its own is a separate
// bill.
func (c *Match) findReplaced() {
	for _, b := range c.Bills {
		for _, s := range b.Members {
			if s.Own == "" || !s.IsCorrection() {
				continue
			}
			if old := singleBill(c.findNamedBills(s)); old != nil && old.root() != b.root() {
				old.Replaced = b
				old.root().chain = b.root()
			}
		}
	}
}

// addPaymentBills makes bills of payments that no file brought a bill for.
func (c *Match) addPaymentBills() {
	for _, g := range c.groups {
		if g.tied == nil {
			made := &Bill{Made: g}
			if g.ambiguous {
				made.Ambiguous++
			}
			g.tied = made
			c.Bills = append(c.Bills, made)
		}
	}
}

// distribute assigns each payment to its bill. If bills replace each other, the payment goes to
// the one with its number, charge or day, otherwise to the last.
func (c *Match) distribute() {
	for _, p := range c.payments {
		b := p.Group.tied
		if b.Made == nil {
			chain := filter(c.Bills, func(other *Bill) bool { return other.root() == b.root() })
			chain = narrow(chain, func(b *Bill) bool { return p.own != "" && b.Own == p.own },
				func(b *Bill) bool { return b.hasCharge(p) }, func(b *Bill) bool { return b.hasDay(p) },
				func(b *Bill) bool { return b.hasPeriod(p) }, func(b *Bill) bool { return b.Replaced == nil })
			b = chain[0]
		}
		b.Payments = append(b.Payments, p)
	}
}
