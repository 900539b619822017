package facts

import (
	"cmp"
	"slices"
	"strings"

	"wcpp/internal/platform/date"
)

// Link is one row of bill_links.
type Link struct {
	FTIN, Link, Fact string
	Payment          bool
}

// Ref returns the fact that has the link.
func (l *Link) Ref() FactRef { return FactRef{l.FTIN, l.Fact} }

// Prefix returns everything before the last part of the link, including the separator.
func (l *Link) Prefix() LinkRef {
	return LinkRef{l.FTIN, l.Link[:strings.LastIndex(l.Link, between)+1]}
}

// AccountPrefix returns the link prefix of a folded account number on any day.
func AccountPrefix(account string) string { return byAccount + account + between }

// The links by which facts find each other. Facts with a common link are in one group. Rules
// within the group decide which facts belong to one bill.
const (
	ByNumber    = "n:" // the network's, the payer's or the original's number
	byDocument  = "d:" // the clearinghouse's number
	byAccount   = "a:" // the patient control number and the first day of service
	byTruncated = "c:" // the first characters of the patient control number, the charge and the last name
	ByOther     = "o:" // patient control number of a submission with a bill that shows another number or other days
)

// undated replaces the day for payments without one.
const undated = "?"

func accountLink(account string, begin date.Date) string {
	return AccountPrefix(account) + cmp.Or(string(begin), undated)
}

// FactLinks are the links of a fact. The seeks are links that only other facts have, and the
// Prefixes match several such links. The account is the link prefix of its patient control
// number on any day. Submissions find a payment by its truncated link if the payer truncated that
// number.
type FactLinks struct {
	Links, Seeks, Prefixes []string
	Account, Truncated     string
}

// truncatedLink returns the link shared by a payment and a submission if the payer truncated the
// Account number. It's empty if they lack the data for such a match. See byTruncatedAccount.
func truncatedLink(b Bill, account string, charge int64) string {
	bare := []rune(StripAccount(FoldOrEmpty(account)))
	last := NewPerson(b).Last
	if len(bare) == 0 || last == "" || charge == 0 {
		return ""
	}
	return byTruncated + joinParts(string(bare[:min(len(bare), MinTruncated)]), formatAmount(charge), last)
}

// Links returns the links of the submission. They depend only on its identity, so they're
// cached.
func (s *Submission) Links() *FactLinks {
	if s.found == nil {
		s.found = s.findFactLinks()
	}
	return s.found
}

func (s *Submission) findFactLinks() *FactLinks {
	var links, seeks, prefixes []string
	add := func(to []string, kind, value string) []string {
		if value = FoldOrEmpty(value); value != "" && !slices.Contains(to, kind+value) {
			to = append(to, kind+value)
		}
		return to
	}
	for _, value := range []string{s.Repriced, s.Adjusted, s.Original} {
		links = add(links, ByNumber, value)
	}
	links = add(links, byDocument, s.Clearinghouse)
	ofAccount := ""
	if account := FoldOrEmpty(s.Reported.PatientControlNumber); account != "" {
		ofAccount = AccountPrefix(account)
		links = append(links, accountLink(account, s.Reported.BeginServiceDate))
		seeks = append(seeks, accountLink(account, ""))
		seeks = add(seeks, ByNumber, account) // for facts that refer to the account
	}
	if cut := truncatedLink(s.Reported, s.Reported.PatientControlNumber, s.Reported.BillCharges); cut != "" {
		seeks = append(seeks, cut)
	}
	seeks = add(seeks, ByNumber, s.Clearinghouse)
	if reference := FoldOrEmpty(s.Original); reference != "" && s.IsCorrection() {
		seeks = append(seeks, byDocument+reference)
		prefixes = append(prefixes, AccountPrefix(reference))
	}
	return &FactLinks{Links: links, Seeks: seeks, Prefixes: prefixes, Account: ofAccount}
}

// Links returns the links of the payment. They depend only on its identity, so they're
// cached.
func (p *Payment) Links() *FactLinks {
	if p.found == nil {
		p.found = p.findFactLinks()
	}
	return p.found
}

func (p *Payment) findFactLinks() *FactLinks {
	var links, seeks, prefixes []string
	for _, value := range []string{p.Repriced, p.PayerControlNumber, p.FormerNumber} {
		if value = FoldOrEmpty(value); value != "" && !slices.Contains(links, ByNumber+value) {
			links = append(links, ByNumber+value)
		}
	}
	ofAccount := ""
	if account := FoldOrEmpty(p.PatientControlNumber); account != "" {
		ofAccount = AccountPrefix(account)
		links = append(links, accountLink(account, p.Reported.BeginServiceDate))
		seeks = append(seeks, ByNumber+account) // for facts that refer to the account
		if p.Reported.BeginServiceDate != "" {
			seeks = append(seeks, accountLink(account, ""))
		}
	}
	if former := FoldOrEmpty(p.FormerNumber); former != "" {
		seeks = append(seeks, byDocument+former)
		prefixes = append(prefixes, AccountPrefix(former))
	}
	return &FactLinks{links, seeks, prefixes, ofAccount, truncatedLink(p.Reported, p.PatientControlNumber, Magnitude(p.Charge))}
}

// MinTruncated is how many characters of an account number must be left to identify it.
const MinTruncated = 6

// StripAccount returns an account number without hyphens, spaces and leading zeros, like the
// index bills_account.
func StripAccount(account string) string {
	return strings.TrimLeft(withoutGaps.Replace(account), "0")
}

// OtherLink returns the link by which a payment with a truncated account number finds this
// submission. It's needed if the bill shows another number or other days, and empty otherwise.
func (s *Submission) OtherLink(shown Bill) string {
	fields := s.Reported
	if fields.PatientControlNumber == shown.PatientControlNumber && fields.BeginServiceDate == shown.BeginServiceDate &&
		fields.EndServiceDate ==
			shown.EndServiceDate {
		return ""
	}
	if account := StripAccount(FoldOrEmpty(fields.PatientControlNumber)); account != "" {
		return ByOther + account
	}
	return ""
}

// ByCheck is the link of a check. It finds files that give the payee's TIN.
const ByCheck = "r:"

// ProofLinks returns the links by which a submission that proves the payee finds the payment.
func (p *Payment) ProofLinks() []string {
	t := p.Links()
	list := slices.Concat(t.Links, t.Seeks, t.Prefixes, []string{ByCheck + p.Remittance})
	for _, link := range []string{t.Account, t.Truncated} {
		if link != "" {
			list = append(list, link)
		}
	}
	return list
}
