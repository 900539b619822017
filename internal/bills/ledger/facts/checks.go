package facts

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/ingest"
	"wcpp/internal/platform/text"
)

// ClaimKey returns what identifies the bill of a payment within its check.
func (p *Payment) ClaimKey() string {
	return joinParts(text.Key(p.PatientControlNumber), text.Key(p.PayerControlNumber), text.Key(p.Reported.PatientLastName),
		text.Key(p.Reported.PatientFirstName), string(p.Reported.BeginServiceDate), formatAmount(Magnitude(p.Charge)))
}

// RemittanceSet is the part of a transaction set about a check or transfer that concerns one
// TIN. Amounts are in cents. Totals of the whole set are for all of its payees.
type RemittanceSet struct {
	FTIN        string
	Fact        string // identity, 32 hexadecimal digits
	Remittance  string // ID of its check or transfer
	Written     string // the earliest date and time in its files
	PayeeNPI    string // of a payee without a TIN in the set
	Payees      int    // number of payees in the set
	Payer       string // the payer, as the check identifies it
	PayerTaxID  string
	PayerID     string
	PayerName   string
	TraceNumber string
	PaidOn      date.Date // EffectiveOn, or else ProducedOn
	EffectiveOn date.Date // BPR16
	ProducedOn  date.Date // DTM*405
	Handling    string    // BPR01
	CreditDebit string    // BPR03; C and D both pay the payee
	Method      string    // BPR04
	Amount      int64     // BPR02
	AmountKnown bool      // the set has it
	ClaimsPaid  int64     // sum of CLP04 in the whole set
	Adjusted    int64     // sum of PLB in the whole set
	Payments    []FactID  `db:",json"`
	Adjustments []FactID  `db:",json"`
	Contacts    []Contact `db:",json"`       // at the payer
	File        string    `db:"file_sha256"` // SHA-256 of its file
	Offset      int64     `db:"set_offset"`  // in the file, in bytes
	Length      int64     `db:"set_length"`
}

// ProviderAdjustment is a provider-level adjustment: one reason of a PLB. Below zero, the payer
// adds it to the payment; above zero, the payer withholds it. It doesn't change any bill's
// amounts.
type ProviderAdjustment struct {
	FTIN       string
	Fact       string
	Occurrence int // among equal adjustments of its transaction set, from 1
	Remittance string
	Provider   string    // PLB01
	Period     date.Date // end of the payer's fiscal year: PLB02
	Reason     string
	Reference  string
	Amount     int64 // cents
}

// Remittance is one check or transfer to a TIN, derived from all of its sets. Amounts are in
// cents.
type Remittance struct {
	FTIN        string
	Remittance  string // id, 32 hexadecimal digits
	TraceNumber string
	Payer       string
	PayerTaxID  string
	PayerID     string
	PayerName   string
	PaidOn      date.Date
	EffectiveOn date.Date
	ProducedOn  date.Date
	Handling    string
	Method      string
	Payees      int    // payees that share the amount; 0 if it was assembled from payments without a set
	Amount      *int64 // announced; nil if shared, assembled or not in the file
	Paid        int64  // total of all counted payments
	Adjusted    int64  // total of provider-level adjustments
	Bills       int    // counted by patient account number, payer's number, patient, day and charge
	Reversals   int
	Balanced    bool           // the amount equals payments minus adjustments
	Contacts    []Contact      `db:",json"`
	File        string         `db:"file_sha256"` // of the set that covers this TIN alone and completely; otherwise empty
	Offset      int64          `db:"set_offset"`
	Length      int64          `db:"set_length"`
	Duplicate   DuplicateState // whether it counts, if another check has its number
	DuplicateOf string         // the check that counts instead, if any
	FirstSeenAt db.Instant
}

// NumberKey folds the number of a check or transfer for comparison, because people and systems
// add spaces and hyphens or leave them out.
func NumberKey(trace string) string {
	return withoutGaps.Replace(text.Key(trace))
}

// withoutGaps removes the separators in a number.
var withoutGaps = strings.NewReplacer(" ", "", "-", "")

// CheckKey returns the search key of a check number: without leading zeros. It's empty if
// there's nothing but zeros.
func CheckKey(trace string) string { return strings.TrimLeft(NumberKey(trace), "0") }

// IdentifyRemittance returns the id of a check or transfer. It includes the day, because a payer
// can reuse a number.
func IdentifyRemittance(payer, trace string, on date.Date) string {
	return hashParts("remittance", text.Key(payer), text.Key(trace), string(on))
}

// ID returns what identifies the payment within its TIN.
func (p *Payment) ID() FactID { return FactID{p.Fact, p.Occurrence} }

// OutlineID returns the id of the same check for payments known in outline.
func (s *RemittanceSet) OutlineID() string {
	return IdentifyRemittance(text.Key(s.PayerName), s.TraceNumber, s.PaidOn)
}

// IsBalanced reports whether the amount of the set equals payments minus adjustments.
func (s *RemittanceSet) IsBalanced() bool {
	return s.AmountKnown && s.Amount == s.ClaimsPaid-s.Adjusted
}

// IdentifySets sorts the facts in the parts of a set, and sets the identity of the parts. The
// identity covers the whole set for all payees.
func IdentifySets(parts []*RemittancePart) {
	s := &parts[0].Set
	about := []string{text.Key(s.Payer), text.Key(s.TraceNumber), string(s.PaidOn), s.Handling, formatAmount(s.Amount), s.CreditDebit,
		s.Method}
	var contents []string
	for _, part := range parts {
		s := &part.Set
		payee := cmp.Or(s.FTIN, s.PayeeNPI)
		contents = append(contents, payee)
		for _, list := range [][]FactID{s.Payments, s.Adjustments} {
			slices.SortFunc(list, FactID.Compare)
			for _, id := range list {
				contents = append(contents, joinParts(payee, id.Fact, strconv.Itoa(id.Occurrence)))
			}
		}
	}
	slices.Sort(contents)
	fact := hashParts("set", append(about, contents...)...)
	for _, part := range parts {
		part.Set.Fact = fact
	}
}

// Identify sets the identity of the adjustment from its content.
func (a *ProviderAdjustment) Identify() {
	a.Fact = hashParts("adjustment", a.Remittance, text.Key(a.Provider), string(a.Period), a.Reason, text.Key(a.Reference),
		formatAmount(a.Amount))
}

// ID returns what identifies the adjustment within its TIN.
func (a *ProviderAdjustment) ID() FactID { return FactID{a.Fact, a.Occurrence} }

// Text returns everything in a set, and its position.
func (s RemittanceSet) Text() string { return toJSON(s) }

// Remitted is one record of an 835: a payment, or the set's own data for each payee. That
// follows after all of the payments.
type Remitted struct {
	Payment *Payment
	Parts   []RemittancePart
}

// RemittancePart is a transaction set as far as it concerns one payee.
type RemittancePart struct {
	Set         RemittanceSet
	Adjustments []ProviderAdjustment
}

// Contains reports whether a set includes everything in another one.
func (s *RemittanceSet) Contains(other RemittanceSet) bool {
	return s.ContainsAll(other.Payments) && s.ContainsAll(other.Adjustments)
}

// ContainsAll reports whether a set includes some payments or adjustments.
func (s *RemittanceSet) ContainsAll(ids []FactID) bool {
	for _, id := range ids {
		if _, is := slices.BinarySearchFunc(s.Payments, id, FactID.Compare); is {
			continue
		}
		if _, is := slices.BinarySearchFunc(s.Adjustments, id, FactID.Compare); !is {
			return false
		}
	}
	return true
}

// PayeeFact is one payment, or one set, to a payee known by NPI.
type PayeeFact struct {
	NPI        string
	Remittance string
	Fact       string
	Occurrence int      // 0 for a set
	FTIN       string   // the TIN where a payment is placed; empty until a bill proves it
	Dismissed  bool     // by staff; no longer listed
	Paid       int64    // the payment's amount, 0 for a set
	Body       Remitted `db:",json"`
}

// ID returns what identifies the fact within its check.
func (f PayeeFact) ID() FactID { return FactID{f.Fact, f.Occurrence} }

// NewPayeeFact returns the fact of a record without a TIN.
func NewPayeeFact(r Remitted) PayeeFact {
	if p := r.Payment; p != nil {
		return PayeeFact{NPI: p.PayeeNPI, Remittance: p.Remittance, Fact: p.Fact, Occurrence: p.Occurrence, Paid: p.Paid, Body: r}
	}
	s := r.Parts[0].Set
	return PayeeFact{NPI: s.PayeeNPI, Remittance: s.Remittance, Fact: s.Fact, Body: r}
}

// Merge merges a fact reported again with the known one, and reports whether anything changed.
func (f *PayeeFact) Merge(known PayeeFact, run ingest.Run) bool {
	f.FTIN, f.Dismissed = known.FTIN, known.Dismissed
	if p := f.Body.Payment; p != nil {
		kept := *known.Body.Payment
		changed, _ := kept.MergeRetransmission(*p, run)
		f.Body.Payment = &kept
		return changed
	}
	received, before := f.Body.Parts[0].Set, known.Body.Parts[0].Set
	return IsPreferred(received.Written, before.Written, run, received.Text, before.Text)
}

// WithTIN returns a payment addressed to a TIN.
func (r Remitted) WithTIN(tin string) Remitted {
	p := *r.Payment
	p.Reported.FTIN = tin
	return Remitted{Payment: &p}
}

// SplitByTIN returns the parts of a set for the TINs of its payments. A TIN with all the payments
// gets the whole set. Otherwise it gets a share without the adjustments, because their payee is
// unknown.
func (r Remitted) SplitByTIN(to map[FactID]string) []Remitted {
	whole := r.Parts[0]
	byTIN := map[string][]FactID{}
	for _, id := range whole.Set.Payments {
		byTIN[to[id]] = append(byTIN[to[id]], id)
	}
	var rows []Remitted
	for _, tin := range slices.Sorted(maps.Keys(byTIN)) {
		if tin == "" {
			continue
		}
		part := RemittancePart{Set: whole.Set}
		part.Set.FTIN, part.Set.Payments = tin, byTIN[tin]
		if len(byTIN) == 1 {
			part.Adjustments = slices.Clone(whole.Adjustments)
			for i := range part.Adjustments {
				part.Adjustments[i].FTIN = tin
			}
		} else {
			part.Set.Payees, part.Set.Adjustments = max(whole.Set.Payees, len(byTIN)), nil
		}
		rows = append(rows, Remitted{Parts: []RemittancePart{part}})
	}
	return rows
}

// Unplaced identifies a payment to a payee known by NPI that no office's bill proves.
type Unplaced struct {
	NPI        string
	Remittance string
	Fact       string
	Occurrence int
}

// UnplacedPayment is an unplaced payment and its bill as far as the payment describes it,
// without a TIN.
type UnplacedPayment struct {
	Unplaced
	Made Bill
}

// ToUnplaced returns the payment and its bill, as staff see them.
func (f PayeeFact) ToUnplaced() UnplacedPayment {
	p := f.Body.Payment
	made := p.Reported
	made.Source, made.BillCharges, made.PatientControlNumber = SourcePayment, Magnitude(p.Charge), p.PatientControlNumber
	made.BillControlNumber, made.FacilityNPI = cmp.Or(p.Repriced, p.PayerControlNumber, p.PatientControlNumber), f.NPI
	made.PaidAmount, made.PaidDate, made.CheckNumber = &p.Paid, p.PaidDate, p.TraceNumber
	return UnplacedPayment{Unplaced{f.NPI, f.Remittance, f.Fact, f.Occurrence}, made}
}
