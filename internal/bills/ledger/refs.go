package ledger

import (
	"cmp"
	"strings"
)

// factRef identifies the equal facts of a TIN.
type factRef struct{ ftin, fact string }

// linkRef identifies a link within its TIN.
type linkRef struct{ ftin, link string }

// billRef identifies a bill within its TIN, by the key of its number.
type billRef struct{ ftin, key string }

// checkRef identifies a check or transfer within its TIN.
type checkRef struct{ ftin, remittance string }

// compare sorts by TIN first.
func (k checkRef) compare(other checkRef) int {
	return cmp.Or(strings.Compare(k.ftin, other.ftin), strings.Compare(k.remittance, other.remittance))
}

// compare sorts by TIN first.
func (k factRef) compare(other factRef) int {
	return cmp.Or(strings.Compare(k.ftin, other.ftin), strings.Compare(k.fact, other.fact))
}

// compare sorts by TIN first.
func (k billRef) compare(other billRef) int {
	return cmp.Or(strings.Compare(k.ftin, other.ftin), strings.Compare(k.key, other.key))
}

// payeeRef identifies a check or transfer to a payee.
type payeeRef struct{ npi, remittance string }

// compare sorts by NPI first.
func (k payeeRef) compare(other payeeRef) int {
	return cmp.Or(strings.Compare(k.npi, other.npi), strings.Compare(k.remittance, other.remittance))
}

// ref returns what identifies the bill.
func (b Bill) ref() billRef { return billRef{b.FTIN, b.Key()} }

// ref returns what identifies the submission.
func (s *Submission) ref() factRef { return factRef{s.Reported.FTIN, s.Fact} }

// ref returns what identifies the payment and its equals.
func (p *Payment) ref() factRef { return factRef{p.Reported.FTIN, p.Fact} }

// check returns the payment's check.
func (p *Payment) check() checkRef { return checkRef{p.Reported.FTIN, p.Remittance} }

// ref returns what identifies the set.
func (s *RemittanceSet) ref() factRef { return factRef{s.FTIN, s.Fact} }

// check returns the set's check.
func (s *RemittanceSet) check() checkRef { return checkRef{s.FTIN, s.Remittance} }

// check returns the adjustment's check.
func (a *ProviderAdjustment) check() checkRef { return checkRef{a.FTIN, a.Remittance} }

// check returns what identifies the check.
func (r *Remittance) check() checkRef { return checkRef{r.FTIN, r.Remittance} }

// check returns the smaller of the two checks.
func (d *Decision) check() checkRef { return checkRef{d.FTIN, d.Remittance} }
