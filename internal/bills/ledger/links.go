package ledger

import (
	"cmp"
	"slices"
	"strings"
	"wcpp/internal/platform/date"
)

// link is one row of bill_links.
type link struct {
	FTIN, Link, Fact string
	Payment          bool
}

// ref returns the fact that has the link.
func (l *link) ref() factRef { return factRef{l.FTIN, l.Fact} }

// prefix returns everything before the last part of the link, including the separator.
func (l *link) prefix() linkRef {
	return linkRef{l.FTIN, l.Link[:strings.LastIndex(l.Link, between)+1]}
}

// accountPrefix returns the link prefix of a folded account number on any day.
func accountPrefix(account string) string { return byAccount + account + between }

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
	return accountPrefix(account) + cmp.Or(string(begin), undated)
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
		ofAccount = accountPrefix(account)
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
		prefixes = append(prefixes, accountPrefix(reference))
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
		ofAccount = accountPrefix(account)
		links = append(links, accountLink(account, p.Reported.BeginServiceDate))
		seeks = append(seeks, byNumber+account) // for facts that refer to the account
		if p.Reported.BeginServiceDate != "" {
			seeks = append(seeks, accountLink(account, ""))
		}
	}
	if former := foldOrEmpty(p.FormerNumber); former != "" {
		seeks = append(seeks, byDocument+former)
		prefixes = append(prefixes, accountPrefix(former))
	}
	return &factLinks{links, seeks, prefixes, ofAccount, truncatedLink(p.Reported, p.PatientControlNumber, magnitude(p.Charge))}
}

// minTruncated is how many characters of an account number must be left to identify it.
const minTruncated = 6

// stripAccount returns an account number without hyphens, spaces and leading zeros, like the
// index bills_account.
func stripAccount(account string) string {
	return strings.TrimLeft(withoutGaps.Replace(account), "0")
}

// otherLink returns the link by which a payment with a truncated account number finds this
// submission. It's needed if the bill shows another number or other days, and empty otherwise.
func (s *Submission) otherLink(shown Bill) string {
	fields := s.Reported
	if fields.PatientControlNumber == shown.PatientControlNumber && fields.BeginServiceDate == shown.BeginServiceDate &&
		fields.EndServiceDate ==
			shown.EndServiceDate {
		return ""
	}
	if account := stripAccount(foldOrEmpty(fields.PatientControlNumber)); account != "" {
		return byOther + account
	}
	return ""
}

// byCheck is the link of a check. It finds files that give the payee's TIN.
const byCheck = "r:"

// proofLinks returns the links by which a submission that proves the payee finds the payment.
func (p *Payment) proofLinks() []string {
	t := p.factLinks()
	list := slices.Concat(t.links, t.seeks, t.prefixes, []string{byCheck + p.Remittance})
	for _, link := range []string{t.account, t.truncated} {
		if link != "" {
			list = append(list, link)
		}
	}
	return list
}
