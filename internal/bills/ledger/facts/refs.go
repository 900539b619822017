package facts

import (
	"cmp"
	"strings"
)

// FactRef identifies the equal facts of a TIN.
type FactRef struct{ FTIN, Fact string }

// LinkRef identifies a link within its TIN.
type LinkRef struct{ FTIN, Link string }

// BillRef identifies a bill within its TIN, by the key of its number.
type BillRef struct{ FTIN, Key string }

// CheckRef identifies a check or transfer within its TIN.
type CheckRef struct{ FTIN, Remittance string }

// Compare sorts by TIN first.
func (k CheckRef) Compare(other CheckRef) int {
	return cmp.Or(strings.Compare(k.FTIN, other.FTIN), strings.Compare(k.Remittance, other.Remittance))
}

// Compare sorts by TIN first.
func (k FactRef) Compare(other FactRef) int {
	return cmp.Or(strings.Compare(k.FTIN, other.FTIN), strings.Compare(k.Fact, other.Fact))
}

// Compare sorts by TIN first.
func (k BillRef) Compare(other BillRef) int {
	return cmp.Or(strings.Compare(k.FTIN, other.FTIN), strings.Compare(k.Key, other.Key))
}

// PayeeRef identifies a check or transfer to a payee.
type PayeeRef struct{ NPI, Remittance string }

// Compare sorts by NPI first.
func (k PayeeRef) Compare(other PayeeRef) int {
	return cmp.Or(strings.Compare(k.NPI, other.NPI), strings.Compare(k.Remittance, other.Remittance))
}

// Ref returns what identifies the bill.
func (b Bill) Ref() BillRef { return BillRef{b.FTIN, b.Key()} }

// Ref returns what identifies the submission.
func (s *Submission) Ref() FactRef { return FactRef{s.Reported.FTIN, s.Fact} }

// Ref returns what identifies the payment and its equals.
func (p *Payment) Ref() FactRef { return FactRef{p.Reported.FTIN, p.Fact} }

// Check returns the payment's check.
func (p *Payment) Check() CheckRef { return CheckRef{p.Reported.FTIN, p.Remittance} }

// Ref returns what identifies the set.
func (s *RemittanceSet) Ref() FactRef { return FactRef{s.FTIN, s.Fact} }

// Check returns the set's check.
func (s *RemittanceSet) Check() CheckRef { return CheckRef{s.FTIN, s.Remittance} }

// Check returns the adjustment's check.
func (a *ProviderAdjustment) Check() CheckRef { return CheckRef{a.FTIN, a.Remittance} }

// Check returns what identifies the check.
func (r *Remittance) Check() CheckRef { return CheckRef{r.FTIN, r.Remittance} }

// Check returns the smaller of the two checks.
func (d *Decision) Check() CheckRef { return CheckRef{d.FTIN, d.Remittance} }
