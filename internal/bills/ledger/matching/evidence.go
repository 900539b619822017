package matching

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/platform/date"
)

// These rules match a payment to a bill without a network or payer number. The patient must
// always match. Account number, charge, dates and service lines must match well enough to leave
// one bill. Payers' dates differ from the bill's: line dates for a hospital's statement, or the
// part of a split claim. Some payers truncate the account number.

// period returns the first and last day of service. Both are empty for a fact without a date.
func period(b facts.Bill) (begin, end date.Date) {
	return b.BeginServiceDate, max(b.BeginServiceDate, b.EndServiceDate)
}

// Overlaps reports whether the periods of two bills share a day.
func Overlaps(a, b facts.Bill) bool {
	aBegin, aEnd := period(a)
	bBegin, bEnd := period(b)
	return aBegin != "" && bBegin != "" && aBegin <= bEnd && bBegin <= aEnd
}

// isWithin reports whether one period is inside another.
func isWithin(inner, outer facts.Bill) bool {
	begin, end := period(inner)
	first, last := period(outer)
	return begin != "" && first != "" && first <= begin && end <= last
}

// isSameAccount reports whether the payment has the submission's account number.
func (p *Payment) isSameAccount(s *Submission) bool {
	return p.account != "" && p.account == s.account
}

// hasTruncatedAccount reports whether the payer returned part of the submission's account
// number: a prefix, or the number without leading zeros, hyphens and spaces.
func (p *Payment) hasTruncatedAccount(s *Submission) bool {
	return isTruncated(p.account, s.account)
}

func isTruncated(paid, sent string) bool {
	if paid == sent {
		return false
	}
	paid, sent = facts.StripAccount(paid), facts.StripAccount(sent)
	return paid != "" && (paid == sent || utf8.RuneCountInString(paid) >= facts.MinTruncated && strings.HasPrefix(sent, paid))
}

// serviceLine is the part of a line that is compared.
type serviceLine struct {
	code   string // procedure, or revenue code if there is none
	charge int64
	on     date.Date
}

func (s *Submission) serviceLines() []serviceLine {
	list := make([]serviceLine, len(s.Detail.Lines))
	for i, l := range s.Detail.Lines {
		list[i] = serviceLine{cmp.Or(l.Procedure, l.Revenue), l.Charge, l.BeginDate}
	}
	return list
}

func (p *Payment) serviceLines() []serviceLine {
	list := make([]serviceLine, len(p.Detail.Lines))
	for i, l := range p.Detail.Lines {
		list[i] = serviceLine{cmp.Or(l.BilledAs.Code, l.Procedure, l.Revenue), facts.Magnitude(l.Charge), l.BeginDate}
	}
	return list
}

// hasMatchingLines reports whether each line of the payment matches a different line of the submission.
// It returns false for a payment without lines, and notes facts with lines that weren't loaded.
func (c *Match) hasMatchingLines(p *Payment, s *Submission) bool {
	if p.LacksDetail() || s.LacksDetail() {
		c.NeedsLines = true
		return false
	}
	paid, sent := p.serviceLines(), s.serviceLines()
	for _, l := range paid {
		i := slices.IndexFunc(sent, func(o serviceLine) bool {
			return o.code == l.code && o.charge == l.charge && (o.on == l.on || o.on == "" || l.on == "")
		})
		if i < 0 {
			return false
		}
		sent = slices.Delete(sent, i, i+1)
	}
	return len(paid) > 0
}

// isPartialPayment reports whether the payment is for part of the submission, because payers
// split claims by date. It's less than the charge, within the period, and its lines match if
// both have lines.
func (c *Match) isPartialPayment(p *Payment, s *Submission) bool {
	if facts.Magnitude(p.Charge) >= s.charge() || !isWithin(p.Reported, s.Reported) {
		return false
	}
	if p.LacksDetail() || s.LacksDetail() {
		c.NeedsLines = true
		return false
	}
	return len(p.Detail.Lines) == 0 || len(s.Detail.Lines) == 0 || c.hasMatchingLines(p, s)
}

// byEvidence are the ranks for payments without a matching number, strongest first.
var byEvidence = []rank{
	func(c *Match, p *Payment, b *Bill) bool { // the visit, with its charge
		return b.hasSubmission(func(s *Submission) bool { return p.isOfVisit(s) && s.charge() == facts.Magnitude(p.Charge) })
	},
	func(c *Match, p *Payment, b *Bill) bool { // account and charge, for a payment without a date
		return p.Reported.BeginServiceDate == "" && b.hasSubmission(func(s *Submission) bool {
			return p.isSameAccount(s) && s.charge() == facts.Magnitude(p.Charge) && s.patient.Matches(p.patient)
		})
	},
	func(c *Match, p *Payment, b *Bill) bool { // account and charge, and a shared day
		return b.hasSubmission(func(s *Submission) bool {
			return p.isSameAccount(s) && s.charge() == facts.Magnitude(p.Charge) && s.patient.Matches(p.patient) &&
				Overlaps(p.Reported, s.Reported)
		})
	},
	func(c *Match, p *Payment, b *Bill) bool { // the visit with another charge, or part of the bill
		return b.hasSubmission(func(s *Submission) bool {
			return p.isOfVisit(s) || p.isSameAccount(s) && s.patient.Matches(p.patient) && c.isPartialPayment(p, s)
		})
	},
}

// byTruncatedAccount is the weakest rank. It needs a truncated account number, charge and day.
func byTruncatedAccount(_ *Match, p *Payment, b *Bill) bool {
	return b.hasSubmission(func(s *Submission) bool {
		return p.hasTruncatedAccount(s) && s.charge() == facts.Magnitude(p.Charge) && s.patient.Matches(p.patient) &&
			Overlaps(p.Reported, s.Reported)
	})
}
