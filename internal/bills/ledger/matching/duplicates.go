package matching

import (
	"cmp"
	"slices"
	"strings"

	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/text"
)

// duplicateDays is how many days the dates of one check can differ. Clearinghouses leave out the
// transfer date, and the file's date replaces it.
const duplicateDays = 10

// CheckReport is the counted data of one check.
type CheckReport struct {
	remittance string
	paidOn     date.Date
	identified bool // by TRN03
	written    string
	amount     *int64
	payers     map[string]bool // identifications and folded names
	payments   []*facts.Payment
}

// NewCheckReport returns the counted data of a check.
func NewCheckReport(remittance string, sets []facts.RemittanceSet, payments []*facts.Payment) CheckReport {
	// Outlines are only removed when the file is imported again; see FindObsoleteOutlines.
	c := SelectCounted(sets, filter(payments, func(p *facts.Payment) bool { return p.Source != facts.FromEarlier }), nil)
	t := CheckReport{remittance: remittance, payers: map[string]bool{}, payments: c.Payments}
	note := func(names ...string) {
		for _, name := range names {
			if key := text.Key(name); key != "" {
				t.payers[key] = true
			}
		}
	}
	for _, p := range c.Payments {
		t.paidOn = p.PaidDate
		note(p.Payer, p.Reported.PayerID, p.Reported.PayerName)
		if facts.IsEarlier(p.Written, t.written) || t.written == "" {
			t.written = p.Written
		}
	}
	for _, s := range c.Sets {
		note(s.Payer, s.PayerTaxID, s.PayerID, s.PayerName)
		t.paidOn, t.identified = s.PaidOn, t.identified || s.PayerTaxID != ""
		if sum := s.Amount; s.AmountKnown {
			if t.amount != nil {
				sum += *t.amount
			}
			t.amount = &sum
		}
	}
	return t
}

// compare sorts checks with the same number by which one should count.
func (t CheckReport) compare(other CheckReport) int {
	rank := func(t CheckReport) int {
		if t.identified {
			return 0
		}
		return 1
	}
	return cmp.Or(rank(t)-rank(other), strings.Compare(t.written, other.written), strings.Compare(t.remittance, other.remittance))
}

// claimReport are the fields that two reports of one payment share, whatever else they leave out.
type claimReport struct {
	account, last string
	begin         date.Date
	charge, paid  int64
}

func newClaimReport(p *facts.Payment) claimReport {
	return claimReport{facts.FoldOrEmpty(p.PatientControlNumber), facts.NewPerson(p.Reported).Last, p.Reported.BeginServiceDate, p.Charge,
		p.Paid}
}

// matchPayments maps payments of another check to equal payments of this one.
func (t CheckReport) matchPayments(other CheckReport) map[*facts.Payment]*facts.Payment {
	free := map[claimReport][]*facts.Payment{}
	for _, p := range t.payments {
		free[newClaimReport(p)] = append(free[newClaimReport(p)], p)
	}
	found := map[*facts.Payment]*facts.Payment{}
	for _, p := range other.payments {
		if list := free[newClaimReport(p)]; len(list) > 0 {
			found[p], free[newClaimReport(p)] = list[0], list[1:]
		}
	}
	return found
}

// countNonzero counts the payments above or below $0.
func (t CheckReport) countNonzero() (n int) {
	for _, p := range t.payments {
		if p.Paid != 0 {
			n++
		}
	}
	return n
}

func (t CheckReport) isSamePayer(other CheckReport) bool {
	for key := range t.payers {
		if other.payers[key] {
			return true
		}
	}
	return false
}

// relation returns the relation of another check to this one.
func (t CheckReport) relation(other CheckReport) facts.DuplicateState {
	apart := t.paidOn != other.paidOn
	if apart && (t.paidOn == "" || other.paidOn == "" || t.paidOn.AddDays(duplicateDays) < other.paidOn ||
		other.paidOn.AddDays(duplicateDays) < t.paidOn) {
		return facts.Counted
	}
	shared := 0
	for p := range t.matchPayments(other) {
		if p.Paid != 0 {
			shared++
		}
	}
	all := shared == t.countNonzero() && shared == other.countNonzero()
	switch {
	case shared == 0:
		return facts.Counted
	case all && !apart && t.isSamePayer(other) && (t.amount == nil || other.amount == nil || *t.amount == *other.amount):
		return facts.SameCheck
	case all || !apart:
		return facts.PossibleDuplicate
	default:
		return facts.Counted
	}
}

// checkResult is the result or decision about a check.
type checkResult struct {
	State   facts.DuplicateState
	Of      string                            // the check that counts
	Twins   map[*facts.Payment]*facts.Payment // uncounted payments of the check, with the payments that count instead
	IsWhole bool                              // no current payment of the check with an amount counts
}

// FindDuplicates decides which checks with the same number count. The result doesn't depend on
// when or in which order they arrived.
func FindDuplicates(checks []CheckReport, decided map[[2]string]facts.DuplicateState) map[string]checkResult {
	slices.SortFunc(checks, CheckReport.compare)
	found := map[string]checkResult{}
	var counting []CheckReport
	for _, t := range checks {
		v := checkResult{}
		for _, other := range counting {
			state, isDecided := decided[facts.SortPair(other.remittance, t.remittance)]
			if !isDecided {
				state = other.relation(t)
			}
			if state == facts.Counted {
				continue
			}
			v = checkResult{State: state, Of: other.remittance, Twins: other.matchPayments(t)}
			for _, p := range t.payments {
				if _, paired := v.Twins[p]; !paired && state == facts.PossibleDuplicate {
					v.Twins[p] = nil
				}
			}
			v.IsWhole = !slices.ContainsFunc(t.payments, func(p *facts.Payment) bool {
				_, paired := v.Twins[p]
				return !paired && p.Paid != 0
			})
			break
		}
		found[t.remittance] = v
		if v.State == facts.Counted {
			counting = append(counting, t)
		}
	}
	return found
}
