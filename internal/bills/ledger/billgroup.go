package ledger

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"sync"

	"wcpp/internal/platform/date"
)

// BillGroup contains all the submissions and payments of one TIN that share numbers,
// directly or through others.
type BillGroup struct {
	Submissions []*Submission
	Payments    []*Payment
	Joins       []Join // in force for the TIN
}

// The links by which facts find each other. Facts with a common link are in one group. Rules
// within the group decide which facts belong to one bill.
const (
	byNumber    = "n:" // the network's, the payer's or the original's number
	byDocument  = "d:" // the clearinghouse's number
	byAccount   = "a:" // the patient control number and the first day of service
	byTruncated = "c:" // the first characters of the patient control number, the charge and the last name
	byOther     = "o:" // patient control number of a submission with a bill that shows another number or other days
)

// undated replaces the day for payments without one.
const undated = "?"

func accountLink(account string, begin date.Date) string {
	return byAccount + account + between + cmp.Or(string(begin), undated)
}

// factLinks are the links of a fact. The seeks are links that only other facts have, and the
// prefixes match several such links. The account is the link prefix of its patient control
// number on any day. Submissions find a payment by its truncated link if the payer truncated that
// number.
type factLinks struct {
	links, seeks, prefixes []string
	account, truncated     string
}

// truncatedLink returns the link shared by a payment and a submission if the payer truncated the
// account number. It's empty if they lack the data for such a match. See byTruncatedAccount.
func truncatedLink(b Bill, account string, charge int64) string {
	bare := []rune(stripAccount(foldOrEmpty(account)))
	last := newPerson(b).last
	if len(bare) == 0 || last == "" || charge == 0 {
		return ""
	}
	return byTruncated + joinParts(string(bare[:min(len(bare), minTruncated)]), formatAmount(charge), last)
}

// tin returns the TIN of the facts.
func (f *BillGroup) tin() string {
	if len(f.Submissions) > 0 {
		return f.Submissions[0].Reported.FTIN
	}
	return f.Payments[0].Reported.FTIN
}

// factLinks returns the links of the submission. They depend only on its identity, so they're
// cached.
func (s *Submission) factLinks() *factLinks {
	if s.found == nil {
		s.found = s.findFactLinks()
	}
	return s.found
}

func (s *Submission) findFactLinks() *factLinks {
	var links, seeks, prefixes []string
	add := func(to []string, kind, value string) []string {
		if value = foldOrEmpty(value); value != "" && !slices.Contains(to, kind+value) {
			to = append(to, kind+value)
		}
		return to
	}
	for _, value := range []string{s.Repriced, s.Adjusted, s.Original} {
		links = add(links, byNumber, value)
	}
	links = add(links, byDocument, s.Clearinghouse)
	ofAccount := ""
	if account := foldOrEmpty(s.Reported.PatientControlNumber); account != "" {
		ofAccount = byAccount + account + between
		links = append(links, accountLink(account, s.Reported.BeginServiceDate))
		seeks = append(seeks, accountLink(account, ""))
		seeks = add(seeks, byNumber, account) // for facts that refer to the account
	}
	if cut := truncatedLink(s.Reported, s.Reported.PatientControlNumber, s.Reported.BillCharges); cut != "" {
		seeks = append(seeks, cut)
	}
	seeks = add(seeks, byNumber, s.Clearinghouse)
	if reference := foldOrEmpty(s.Original); reference != "" && s.isCorrection() {
		seeks = append(seeks, byDocument+reference)
		prefixes = append(prefixes, byAccount+reference+between)
	}
	return &factLinks{links: links, seeks: seeks, prefixes: prefixes, account: ofAccount}
}

// factLinks returns the links of the payment. They depend only on its identity, so they're
// cached.
func (p *Payment) factLinks() *factLinks {
	if p.found == nil {
		p.found = p.findFactLinks()
	}
	return p.found
}

func (p *Payment) findFactLinks() *factLinks {
	var links, seeks, prefixes []string
	for _, value := range []string{p.Repriced, p.PayerControlNumber, p.FormerNumber} {
		if value = foldOrEmpty(value); value != "" && !slices.Contains(links, byNumber+value) {
			links = append(links, byNumber+value)
		}
	}
	ofAccount := ""
	if account := foldOrEmpty(p.PatientControlNumber); account != "" {
		ofAccount = byAccount + account + between
		links = append(links, accountLink(account, p.Reported.BeginServiceDate))
		seeks = append(seeks, byNumber+account) // for facts that refer to the account
		if p.Reported.BeginServiceDate != "" {
			seeks = append(seeks, accountLink(account, ""))
		}
	}
	if former := foldOrEmpty(p.FormerNumber); former != "" {
		seeks = append(seeks, byDocument+former)
		prefixes = append(prefixes, byAccount+former+between)
	}
	return &factLinks{links, seeks, prefixes, ofAccount, truncatedLink(p.Reported, p.PatientControlNumber, magnitude(p.Charge))}
}

// splitGroups splits the facts of one TIN into bill groups. Crowded links are ignored.
func splitGroups(all BillGroup, crowded map[string]bool) []BillGroup {
	sets := newSets(len(all.Submissions) + len(all.Payments))
	var seekers []*factLinks // in the order of the facts
	for _, s := range all.Submissions {
		seekers = append(seekers, s.factLinks())
	}
	for _, p := range all.Payments {
		seekers = append(seekers, p.factLinks())
	}
	sets.joinLinked(seekers, crowded)
	for _, j := range all.Joins {
		s := slices.IndexFunc(all.Submissions, func(s *Submission) bool { return s.Fact == j.Submission })
		p := slices.IndexFunc(all.Payments, func(p *Payment) bool { return p.Fact == j.Payment })
		if s >= 0 && p >= 0 {
			sets.join(s, len(all.Submissions)+p)
		}
	}
	return splitGroup(all, sets)
}

// joinLinked joins the facts that a link or an account connects.
func (s sets) joinLinked(seekers []*factLinks, crowded map[string]bool) {
	holders := map[string][]int{}
	for fact, t := range seekers {
		for _, link := range t.links {
			holders[link] = append(holders[link], fact)
		}
		if t.truncated != "" {
			holders[t.truncated] = append(holders[t.truncated], fact)
		}
	}
	for link, facts := range holders {
		if crowded[link] {
			delete(holders, link)
			continue
		}
		for _, fact := range facts[1:] {
			s.join(facts[0], fact)
		}
	}
	accounts := map[string]int{}
	for fact, t := range seekers {
		if t.account == "" || crowded[t.account] {
			continue
		}
		if first, known := accounts[t.account]; known {
			s.join(first, fact)
		} else {
			accounts[t.account] = fact
		}
	}
	sorted := sync.OnceValue(func() []string { return slices.Sorted(maps.Keys(holders)) }) // few facts search by prefix
	for fact, t := range seekers {
		for _, link := range t.seeks {
			if facts := holders[link]; len(facts) > 0 {
				s.join(fact, facts[0])
			}
		}
		for _, prefix := range t.prefixes {
			if crowded[prefix] {
				continue
			}
			from, _ := slices.BinarySearch(sorted(), prefix)
			for _, link := range sorted()[from:] {
				if !strings.HasPrefix(link, prefix) {
					break
				}
				s.join(fact, holders[link][0])
			}
		}
	}
}

// splitGroup returns a group for each of the sets of its facts.
func splitGroup(all BillGroup, sets sets) []BillGroup {
	byRoot := map[int]*BillGroup{}
	var list []*BillGroup
	of := func(fact int) *BillGroup {
		root := sets.find(fact)
		if byRoot[root] == nil {
			byRoot[root] = &BillGroup{Joins: all.Joins}
			list = append(list, byRoot[root])
		}
		return byRoot[root]
	}
	for i, s := range all.Submissions {
		f := of(i)
		f.Submissions = append(f.Submissions, s)
	}
	for i, p := range all.Payments {
		f := of(len(all.Submissions) + i)
		f.Payments = append(f.Payments, p)
	}
	parted := make([]BillGroup, len(list))
	for i, f := range list {
		parted[i] = *f
	}
	return parted
}

// sort sorts the facts independently of their arrival.
func (f *BillGroup) sort() {
	slices.SortFunc(f.Submissions, (*Submission).compare)
	slices.SortFunc(f.Payments, (*Payment).compare)
}

// compare sorts submissions in the order they were written.
func (s *Submission) compare(other *Submission) int {
	return cmp.Or(strings.Compare(s.Written, other.Written), strings.Compare(s.Fact, other.Fact))
}

// compare sorts payments by day and check, reversals before their replacements.
func (p *Payment) compare(other *Payment) int {
	return cmp.Or(
		strings.Compare(string(p.PaidDate), string(other.PaidDate)),
		strings.Compare(p.TraceNumber, other.TraceNumber),
		cmp.Compare(p.Nature.rank(), other.Nature.rank()),
		strings.Compare(p.Payer, other.Payer),
		strings.Compare(p.Fact, other.Fact),
		cmp.Compare(p.Occurrence, other.Occurrence))
}

func (n Nature) rank() int {
	if n == Reversal || n == ZeroReversal {
		return 0
	}
	return 1
}

// sets are disjoint sets of the numbers from 0.
type sets []int

func newSets(n int) sets {
	s := make(sets, n)
	for i := range s {
		s[i] = i
	}
	return s
}

func (s sets) find(i int) int {
	for s[i] != i {
		s[i] = s[s[i]]
		i = s[i]
	}
	return i
}

// join merges two sets; the smaller number represents the result.
func (s sets) join(i, j int) {
	i, j = s.find(i), s.find(j)
	s[max(i, j)] = min(i, j)
}
