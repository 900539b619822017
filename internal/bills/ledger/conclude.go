package ledger

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"wcpp/internal/platform/text"
)

// Conclusion is one bill and the facts that it was concluded from.
type Conclusion struct {
	Bill        Bill // without its bill control number, which other families decide too
	Number      string
	Written     string // of its oldest fact
	Submissions []string
	Payments    []FactID
	ReplacedBy  string // anchor of the bill that took its place
	Ambiguous   int    // facts that fit several bills and stand beside them
	TookBack    bool   // a take-back counts
	Waiting     int    // take-backs that wait for what they take back
	// PatientsPart is the patient responsibility of all payments in force, in cents.
	PatientsPart int64
	// Untied are payments that neither a number nor a whole account number ties to a bill.
	Untied []FactID
}

// FactID names a fact of a TIN among equals.
type FactID struct {
	Fact       string `json:"fact"`
	Occurrence int    `json:"occurrence"`
}

func (id FactID) compare(other FactID) int {
	return cmp.Or(strings.Compare(id.Fact, other.Fact), cmp.Compare(id.Occurrence, other.Occurrence))
}

// Conclude is what the facts of a family come to. It asks neither when nor in
// which order they came. needsLines tells that facts were told apart by their service lines
// whose lines were not read: what it answers is then not the whole truth.
func Conclude(f Family) (list []Conclusion, needsLines bool) {
	c := infer(f)
	list = make([]Conclusion, 0, len(c.bills))
	for _, b := range c.bills {
		list = append(list, c.conclude(b))
	}
	slices.SortFunc(list, func(a, b Conclusion) int {
		return cmp.Or(strings.Compare(a.Written, b.Written), strings.Compare(a.Bill.Anchor, b.Bill.Anchor))
	})
	return list, c.needsLines
}

// infer finds the bills of a family and gives each its facts.
func infer(f Family) *inference {
	f.sort()
	c := newInference(f)
	c.billsOfNumbers()
	c.billsWithoutNumber()
	c.groupPayments()
	c.tieGroups(ranksOfOriginals, (*bill).hasOriginal)
	c.joinCorrections()
	c.findReplaced()
	c.tieGroups(ranks)
	c.billsOfPayments()
	c.distribute()
	return c
}

// submission is one with its numbers folded.
type submission struct {
	*Submission
	own, reference, document, account string
	patient                           person
}

// payment is one with its numbers folded.
type payment struct {
	*Payment
	own, former, payerNumber, account string
	patient                           person
	group                             *group
	canceled, waits                   bool
	uncounted                         bool // beside a check that counts in its place
	reduced                           int64
	of                                *payment // which a take-back takes back
}

// group are payments of one claim at the payer, which go to one bill.
type group struct {
	payments  []*payment
	tied      *bill
	rank      int // of the evidence that tied them, 0 the strongest
	ambiguous bool
	untied    bool // by anything stronger than byCutAccount
}

// bill is one under way.
type bill struct {
	own       string
	members   []*submission
	payments  []*payment
	replaced  *bill // by this one
	chain     *bill // stands for all that replace each other
	ambiguous int
	made      *group // of this payment, which has no submission
}

// inference is a family while it is concluded.
type inference struct {
	outdated    []*submission         // rows of tables after which others came
	superseded  map[*Payment]*Payment // told anew by these
	joined      map[*Payment][]string // to submissions, by the staff
	submissions []*submission
	payments    []*payment // that count
	groups      []*group
	bills       []*bill
	unjoined    []*submission
	needsLines  bool // of facts whose lines were not read
}

func newInference(f Family) *inference {
	c := &inference{}
	payerNumbers := map[string]bool{}
	for _, p := range f.Payments {
		row := &payment{
			Payment: p, own: number(p.Repriced), former: number(p.FormerNumber), payerNumber: number(p.PayerControlNumber),
			account: number(p.PatientControlNumber), patient: personOf(p.Reported), uncounted: !p.IsCounted(),
		}
		payerNumbers[row.payerNumber] = true
		c.payments = append(c.payments, row)
	}
	c.superseded = superseded(f.Payments)
	c.joined = joinedPayments(f, c.superseded)
	c.payments = slices.DeleteFunc(c.payments, func(p *payment) bool { return c.superseded[p.Payment] != nil })
	for _, s := range f.Submissions {
		row := &submission{
			Submission: s, document: number(s.Clearinghouse), account: number(s.Reported.PatientControlNumber), patient: personOf(s.Reported),
			own: cmp.Or(number(s.Repriced), number(s.Adjusted)), reference: number(s.Original),
		}
		// An original that names a number has it from the repricer, unless the payer
		// calls it so.
		if row.own == "" && !s.correction() && !payerNumbers[row.reference] {
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

// keepLastRows keeps of a table's rows about one patient under one number the last:
// each tells the bill's whole state.
func (c *inference) keepLastRows() {
	kept := map[string][]*submission{}
	for _, s := range slices.Backward(c.submissions) { // the last one first
		isSame := func(row *submission) bool { return row.patient.agreesByRow(s.patient) }
		if s.Source == FromTable && !slices.ContainsFunc(kept[s.own], isSame) {
			kept[s.own] = append(kept[s.own], s)
		}
	}
	c.submissions = slices.DeleteFunc(c.submissions, func(s *submission) bool {
		outdated := s.Source == FromTable && !slices.Contains(kept[s.own], s)
		if outdated {
			c.outdated = append(c.outdated, s)
		}
		return outdated
	})
}

// superseded are payments that were told anew with other amounts: a check has one
// truth for each claim, unless one transaction set says both. What was written
// last counts, of one moment what stands in a set that adds up. It answers which
// one counts in the place of each.
func superseded(list []*Payment) map[*Payment]*Payment {
	bySlot := map[string][]*Payment{}
	for _, p := range list {
		bySlot[p.Slot] = append(bySlot[p.Slot], p)
	}
	set := map[*Payment]*Payment{}
	for _, slot := range bySlot {
		slices.SortFunc(slot, func(a, b *Payment) int {
			return cmp.Or(strings.Compare(b.Written, a.Written), b.balance()-a.balance(), strings.Compare(b.Fact, a.Fact), cmp.Compare(a.Occurrence, b.Occurrence))
		})
		var counted []*Payment
		for _, p := range slot {
			if i := slices.IndexFunc(counted, p.rivals); i >= 0 {
				set[p] = counted[i]
				continue
			}
			counted = append(counted, p)
		}
	}
	return set
}

func (p *Payment) balance() int {
	if p.balanced {
		return 1
	}
	return 0
}

func (p *Payment) rivals(other *Payment) bool {
	return p.Fact != other.Fact && !slices.Contains(p.ToldWith, other.Fact) && !slices.Contains(other.ToldWith, p.Fact)
}

// billsOfNumbers makes one bill for each number of the network and patient.
func (c *inference) billsOfNumbers() {
	for _, s := range c.submissions {
		if s.own == "" {
			continue
		}
		i := slices.IndexFunc(c.bills, func(b *bill) bool {
			return b.isOf(s) && b.admits(s)
		})
		if i < 0 {
			c.bills = append(c.bills, &bill{own: s.own})
			i = len(c.bills) - 1
		}
		c.bills[i].members = append(c.bills[i].members, s)
	}
}

// isOf reports whether a bill has the number and patient of a submission.
func (b *bill) isOf(s *submission) bool {
	return b.own == s.own && b.hasPatient(s.patient, person.agreesByNumber)
}

// admits: a part of a stay joins only what has its period and charge. Rows of a table
// that were kept beside each other are of different patients.
func (b *bill) admits(s *submission) bool {
	first := b.members
	if s.Source == FromTable && s.own != "" && b.some(func(m *submission) bool { return m.Source == FromTable }) {
		return false
	}
	if len(first) == 0 || !s.partOfStay() && !first[0].partOfStay() {
		return true
	}
	x, y := first[0].Reported, s.Reported
	return x.BeginServiceDate == y.BeginServiceDate && x.EndServiceDate == y.EndServiceDate && x.BillCharges == y.BillCharges
}

func (b *bill) hasPatient(p person, agrees func(person, person) bool) bool {
	return slices.ContainsFunc(b.members, func(s *submission) bool { return agrees(s.patient, p) })
}

// sameVisit: the account on the same day for the same patient.
func (s *submission) sameVisit(other *submission) bool {
	return s.account != "" && s.account == other.account && s.Reported.BeginServiceDate == other.Reported.BeginServiceDate && s.patient.agrees(other.patient)
}

func (s *submission) charge() int64 { return s.Reported.BillCharges }

// billsWithoutNumber joins originals that no number names to the one bill of
// their account, day and charge, or makes bills of them.
func (c *inference) billsWithoutNumber() {
	var own []*bill
	for _, s := range c.submissions {
		if s.own != "" {
			continue
		}
		if s.correction() || s.reference != "" {
			c.unjoined = append(c.unjoined, s)
			continue
		}
		i := slices.IndexFunc(own, func(b *bill) bool {
			return b.admits(s) && slices.ContainsFunc(b.members, func(m *submission) bool {
				return m.Version == s.Version || m.sameVisit(s) && m.charge() == s.charge()
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
		fit := of(numbered, func(n *bill) bool {
			return n.admits(s) && n.some(func(m *submission) bool { return m.sameVisit(s) && m.charge() == s.charge() })
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

// groupPayments puts payments together that the payer has under one number, or,
// where it gives none, under one account, day and charge.
func (c *inference) groupPayments() {
	joined := newSets(len(c.payments))
	for i, p := range c.payments {
		for j, q := range c.payments[:i] {
			if p.sameClaim(q) {
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

func (p *payment) sameClaim(other *payment) bool {
	if !p.patient.agrees(other.patient) && (p.patient != person{} || other.patient != person{}) {
		return false
	}
	samePayer, sameAccount := text.Key(p.Payer) == text.Key(other.Payer), p.account != "" && p.account == other.account
	if p.payerNumber == "" && other.payerNumber == "" {
		return samePayer && sameAccount && p.Reported.BeginServiceDate == other.Reported.BeginServiceDate && magnitude(p.Charge) == magnitude(other.Charge)
	}
	same := p.payerNumber != "" && (p.payerNumber == other.payerNumber || p.payerNumber == other.former) ||
		other.payerNumber != "" && other.payerNumber == p.former
	return same && (samePayer || sameAccount)
}

func magnitude(n int64) int64 { return max(n, -n) }

// tieGroups finds the bill of each group of payments, by the first of the ranks
// that any fits; of several rather one of the kinds. Where none is found, or several
// are, the word of the staff counts.
func (c *inference) tieGroups(ranks []rank, kinds ...func(*bill) bool) {
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
			found := untilOne(c.inOrder(fit), append(slices.Clone(kinds), func(b *bill) bool { return g.some(b.hasCharge) },
				func(b *bill) bool { return g.some(b.hasDay) }, func(b *bill) bool { return g.some(b.hasFirstName) },
				func(b *bill) bool { return g.some(func(p *payment) bool { return c.hasLines(b, p) }) })...)
			g.tied, g.ambiguous = theOne(found), theOne(found) == nil
			break
		}
		if g.tied == nil {
			g.rank = 0 // the word of the staff
			g.tied = c.joinedTo(g)
			g.ambiguous = g.ambiguous && g.tied == nil
		}
	}
}

// rank tells whether a payment may belong to a bill.
type rank func(*inference, *payment, *bill) bool

// The ranks, the strongest first. While it is not known yet which bills replace
// others, the number by which a correction names what it corrects ties the
// payments under it to that bill, not to the correction.
var (
	ranks            = slices.Concat([]rank{byOwnNumber, byReference}, byEvidence, []rank{byCutAccount})
	ranksOfOriginals = slices.Concat([]rank{byOwnNumber, byReferenceOfOriginals}, byEvidence, []rank{byCutAccount, byReference})
	rankOfCuts       = 2 + len(byEvidence) // in both
)

func byOwnNumber(_ *inference, p *payment, b *bill) bool {
	return p.own != "" && p.own == b.own && b.hasPatient(p.patient, person.agreesByNumber)
}

func byReference(_ *inference, p *payment, b *bill) bool {
	return b.some(func(s *submission) bool { return (p.refers(s) || s.namesClaimOf(p)) && s.patient.agrees(p.patient) })
}

func byReferenceOfOriginals(_ *inference, p *payment, b *bill) bool {
	return b.some(func(s *submission) bool {
		return (p.refers(s) || !s.correction() && s.namesClaimOf(p)) && s.patient.agrees(p.patient)
	})
}

func (p *payment) refers(s *submission) bool {
	// Some payers answer with the network's number as their own.
	return p.former != "" && (p.former == s.own || p.former == s.document || p.former == s.account) || p.payerNumber != "" && p.payerNumber == s.own
}

// namesClaimOf tells that a submission refers to the payer's number of a payment.
func (s *submission) namesClaimOf(p *payment) bool {
	return s.reference != "" && (s.reference == p.payerNumber || s.reference == p.former)
}

func (p *payment) ofVisit(s *submission) bool {
	return p.sameAccount(s) && p.Reported.BeginServiceDate == s.Reported.BeginServiceDate && s.patient.agrees(p.patient)
}

func (b *bill) some(ok func(*submission) bool) bool { return slices.ContainsFunc(b.members, ok) }

func (g *group) some(ok func(*payment) bool) bool { return slices.ContainsFunc(g.payments, ok) }

func (b *bill) hasOriginal() bool {
	return b.some(func(s *submission) bool { return !s.correction() })
}

func (b *bill) hasCharge(p *payment) bool {
	return b.some(func(s *submission) bool { return s.charge() == magnitude(p.Charge) })
}

func (b *bill) hasDay(p *payment) bool {
	return b.some(func(s *submission) bool { return s.Reported.BeginServiceDate == p.Reported.BeginServiceDate })
}

// hasPeriod reports whether a submission's period has a day of the payment's.
func (b *bill) hasPeriod(p *payment) bool {
	return b.some(func(s *submission) bool { return overlaps(p.Reported, s.Reported) })
}

// hasLines reports whether the payment's service lines are lines of a submission.
func (c *inference) hasLines(b *bill, p *payment) bool {
	return b.some(func(s *submission) bool { return c.linesIn(p, s) })
}

func (b *bill) hasFirstName(p *payment) bool {
	return b.some(func(s *submission) bool { return s.patient.first == p.patient.first })
}

// inOrder lists bills in the order of the family.
func (c *inference) inOrder(some map[*bill]bool) []*bill {
	return of(c.bills, func(b *bill) bool { return some[b] })
}

// of keeps of a list those that are of a kind.
func of[T any](list []T, is func(T) bool) []T {
	return slices.DeleteFunc(slices.Clone(list), func(t T) bool { return !is(t) })
}

// narrowed keeps of bills those of each kind in turn, where there are any.
func narrowed(list []*bill, kinds ...func(*bill) bool) []*bill {
	for _, is := range kinds {
		if kept := of(list, is); len(kept) > 0 {
			list = kept
		}
	}
	return list
}

// untilOne narrows bills no further than to one.
func untilOne(list []*bill, kinds ...func(*bill) bool) []*bill {
	for _, is := range kinds {
		if theOne(list) != nil {
			break
		}
		list = narrowed(list, is)
	}
	return list
}

// theOne is the only bill of a list, or the first where all replace each other.
func theOne(list []*bill) *bill {
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

// named finds the bills that a submission's reference names.
func (c *inference) named(s *submission) []*bill {
	if s.reference == "" {
		return nil
	}
	found := map[*bill]bool{}
	for _, b := range c.bills {
		found[b] = b.some(func(m *submission) bool {
			// Only corrections look for other numbers than the network's: see links.
			other := s.correction() && (m.document == s.reference || m.account == s.reference)
			return m != s && (m.own == s.reference || other) &&
				(m.patient.agrees(s.patient) || m.own == s.reference && m.patient.agreesByNumber(s.patient))
		})
	}
	for _, g := range c.groups {
		if g.tied != nil && g.some(func(p *payment) bool {
			return (p.payerNumber == s.reference || p.former == s.reference) && p.patient.agrees(s.patient)
		}) {
			found[g.tied] = true
		}
	}
	maps.DeleteFunc(found, func(b *bill, is bool) bool { return !is || slices.Contains(b.members, s) })
	return untilOne(c.inOrder(found),
		func(b *bill) bool { return b.some(func(m *submission) bool { return m.charge() == s.charge() }) },
		func(b *bill) bool {
			return b.some(func(m *submission) bool { return m.Reported.BeginServiceDate == s.Reported.BeginServiceDate })
		},
		func(b *bill) bool {
			return b.some(func(m *submission) bool { return m.patient.first == s.patient.first })
		})
}

// joinCorrections finds the bills of corrections that have no number of their
// own: by what they name, else by their account and day.
func (c *inference) joinCorrections() {
	waiting := c.unjoined
	for {
		var rest []*submission
		for _, s := range waiting {
			if b := theOne(c.named(s)); b != nil {
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
		if len(c.named(s)) == 0 {
			fit = of(known, func(b *bill) bool {
				return b.admits(s) && b.some(func(m *submission) bool {
					return m.sameVisit(s) && (s.correction() || m.charge() == s.charge())
				})
			})
			fit = untilOne(fit, func(b *bill) bool { return b.some(func(m *submission) bool { return m.charge() == s.charge() }) })
			if b := theOne(fit); b != nil {
				b.members = append(b.members, s)
				continue
			}
		}
		ambiguous := len(fit) > 1 || len(c.named(s)) > 1
		i := slices.IndexFunc(own, func(b *bill) bool {
			return b.some(func(m *submission) bool {
				return m.Version == s.Version || !ambiguous && b.ambiguous == 0 && m.sameVisit(s)
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

// findReplaced marks the bills in whose place others came: a correction with a
// number of its own is a bill of its own.
func (c *inference) findReplaced() {
	for _, b := range c.bills {
		for _, s := range b.members {
			if s.own == "" || !s.correction() {
				continue
			}
			if old := theOne(c.named(s)); old != nil && old.root() != b.root() {
				old.replaced = b
				old.root().chain = b.root()
			}
		}
	}
}

// billsOfPayments makes bills of payments whose bill no file brought.
func (c *inference) billsOfPayments() {
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

// distribute gives each payment to its bill. Where bills replace each other it
// goes to the one of its number, charge or day, else to the last.
func (c *inference) distribute() {
	for _, p := range c.payments {
		b := p.group.tied
		if b.made == nil {
			chain := of(c.bills, func(other *bill) bool { return other.root() == b.root() })
			chain = narrowed(chain, func(b *bill) bool { return p.own != "" && b.own == p.own },
				func(b *bill) bool { return b.hasCharge(p) }, func(b *bill) bool { return b.hasDay(p) },
				func(b *bill) bool { return b.hasPeriod(p) }, func(b *bill) bool { return b.replaced == nil })
			b = chain[0]
		}
		b.payments = append(b.payments, p)
	}
}

// version are submissions that tell the same but for numbers and pricing.
type version struct {
	members []*submission // in the order in which they were written
	depth   int           // how many of the same moment it comes after by name
}

func (v *version) first() *submission { return v.members[0] }
func (v *version) last() *submission  { return v.members[len(v.members)-1] }

// priced is the last that tells a price: sent again without one, a bill keeps it.
func (v *version) priced() *submission {
	for _, m := range slices.Backward(v.members) {
		if m.Reported.EOR || m.Reported.RecommendedAllowance != nil {
			return m
		}
	}
	return v.last()
}

// versions orders what was sent of a bill; the last is in force. Corrections come
// after originals whatever their dates, and a replacement that is to stand after
// a void was written after it.
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
				if v != w && v.first().Written == w.first().Written && v.depth <= w.depth && w.depth < len(list) && v.names(w) {
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

func (v *version) names(w *version) bool {
	return slices.ContainsFunc(v.members, func(s *submission) bool {
		return s.reference != "" && slices.ContainsFunc(w.members, func(m *submission) bool { return m.document == s.reference || m.own == s.reference })
	})
}

func correctionRank(s *submission) int {
	if s.correction() {
		return 1
	}
	return 0
}

func frequencyRank(s *submission) int {
	return slices.Index([]string{"6", "7", "8"}, s.Reported.FrequencyCode) + 1
}

// conclude is what a bill shows.
func (c *inference) conclude(b *bill) Conclusion {
	out := Conclusion{Ambiguous: b.ambiguous}
	var shown Bill
	if b.made != nil {
		shown, out.Number = b.ofPayments()
	} else {
		shown, out.Number = b.ofSubmissions()
	}
	out.Written, shown.Anchor = b.anchor()
	if b.replaced != nil {
		_, out.ReplacedBy = b.replaced.anchor()
	}
	c.settle(b, &shown, &out)
	for _, m := range b.members {
		out.Submissions = append(out.Submissions, m.Fact)
	}
	for _, p := range b.payments {
		out.Payments = append(out.Payments, p.id())
		if p.group.untied {
			out.Untied = append(out.Untied, p.id())
		}
	}
	out.Bill = shown
	return out
}

// anchor is the oldest fact of a bill, of those that submit it where there are any.
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

// ofSubmissions is the bill of the version in force, and the number it asks for.
func (b *bill) ofSubmissions() (Bill, string) {
	versions := b.versions()
	inForce := versions[len(versions)-1]
	priced, last := inForce.priced(), inForce.last()
	shown := priced.Reported
	shown.Source, shown.Fact = SourceBill, priced.Fact
	shown.DocumentID = cmp.Or(last.Clearinghouse, last.Reported.DocumentID, last.Reported.PatientControlNumber)
	if inForce.first().Reported.FrequencyCode == "8" {
		shown.BillStatus = StatusVoid
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
	case !first.correction():
		name = cmp.Or(first.Clearinghouse, first.Reported.PatientControlNumber)
	default:
		name = cmp.Or(first.Original, first.Clearinghouse, first.Reported.PatientControlNumber)
	}
	return shown, name
}

// ofPayments is the bill as far as its payments tell it.
func (b *bill) ofPayments() (Bill, string) {
	last := b.made.payments[len(b.made.payments)-1]
	shown := last.Reported
	shown.Source, shown.Fact = SourcePayment, last.Fact
	shown.BillCharges = magnitude(last.Charge)
	shown.PatientControlNumber, shown.DocumentID = last.PatientControlNumber, last.PatientControlNumber
	var own string
	for _, p := range b.made.payments {
		own = cmp.Or(own, p.Repriced)
	}
	return shown, cmp.Or(own, last.PayerControlNumber, last.PatientControlNumber)
}
