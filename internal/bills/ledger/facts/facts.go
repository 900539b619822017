package facts

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"

	"wcpp/internal/platform/date"
	"wcpp/internal/platform/text"
)

// The sources of a submission.
const (
	FromClaim   = "837"
	FromTable   = "table"   // a table row with the state of a bill; the last one counts
	FromEarlier = "earlier" // a bill stored before there were facts
)

// Submission is one bill as it was sent: a CLM of an 837, or a row of a table.
type Submission struct {
	Fact    string // identity, 32 hexadecimal digits
	Version string // equal for submissions that differ only in numbers of their own, clearinghouse number and pricing
	Source  string
	// Written is the earliest date and time in its files, but the latest for a table row.
	Written       string
	Kind          string // P professional, I institutional, D dental
	Repriced      string // REF 9A
	Adjusted      string // REF 9C
	Original      string // REF F8
	Clearinghouse string // REF D9
	Bill          string // key of the bill derived from it
	File          string // SHA-256 of its file; of several, the one written first
	Offset        int64  // of its transaction set in the file, in bytes
	Reported      Bill   // the bill as far as the submission describes it
	Detail        Detail

	encoded       string // Detail as JSON
	withoutDetail bool   // read without its detail
	found         *FactLinks
}

// Detail is the part of a bill that documents show and searches don't use.
type Detail struct {
	PlaceOfService string   `json:"placeOfService,omitempty"`
	Diagnoses      []string `json:"diagnoses,omitempty"`
	BillingName    string   `json:"billingName,omitempty"`
	BillingNPI     string   `json:"billingNpi,omitempty"`
	RepricerID     string   `json:"repricerId,omitempty"`
	RejectReason   string   `json:"rejectReason,omitempty"`
	// Authorization is the payer's prior authorization number.
	Authorization string       `json:"authorization,omitempty"`
	Attachments   []Attachment `json:"attachments,omitempty"`
	Pricing       Pricing      `json:"pricing,omitzero"`
	Lines         []Line       `json:"lines,omitempty"`
}

// Pricing is additional information from the network about its price.
type Pricing struct {
	Savings   *int64 `json:"savings,omitempty"`   // cents below the charge
	Rate      string `json:"rate,omitempty"`      // per day, or for everything
	Policy    string `json:"policy,omitempty"`    // code of the policy that the price follows
	Exception string `json:"exception,omitempty"` // code of the exception that the price makes
}

// Attachment is a document that the office announces with the bill.
type Attachment struct {
	Report  string `json:"report"`            // code of its type
	Sent    string `json:"sent,omitempty"`    // code of its transmission method
	Control string `json:"control,omitempty"` // the office's number for it
}

// Line is one service line of a bill.
type Line struct {
	Number          int       `json:"number"`
	Revenue         string    `json:"revenue,omitempty"`
	Procedure       string    `json:"procedure,omitempty"`
	Qualifier       string    `json:"qualifier,omitempty"`
	Modifiers       []string  `json:"modifiers,omitempty"`
	Description     string    `json:"description,omitempty"`
	Charge          int64     `json:"charge"`
	Units           string    `json:"units,omitempty"`
	UnitBasis       string    `json:"unitBasis,omitempty"`
	PlaceOfService  string    `json:"placeOfService,omitempty"`
	BeginDate       date.Date `json:"beginDate,omitempty"`
	EndDate         date.Date `json:"endDate,omitempty"`
	Allowance       *int64    `json:"allowance,omitempty"`
	RepricingMethod string    `json:"repricingMethod,omitempty"`
	// Control is the office's line item control number, which the payment repeats.
	Control     string       `json:"control,omitempty"`
	Attachments []Attachment `json:"attachments,omitempty"`
	Pricing     Pricing      `json:"pricing,omitzero"`
}

// Identify sets the identity of the submission. It doesn't include transport data: control
// numbers, file and position.
func (s *Submission) Identify() {
	b := &s.Reported
	if s.Source == FromTable {
		s.Fact = hashParts("table", s.row()...)
		s.Version = s.Fact
		return
	}
	lines := make([]string, len(s.Detail.Lines))
	priced := make([]string, len(s.Detail.Lines))
	for i, l := range s.Detail.Lines {
		lines[i] = joinParts(l.Procedure, strings.Join(l.Modifiers, ","), l.Revenue, formatAmount(l.Charge), l.Units, string(l.BeginDate),
			string(l.EndDate))
		priced[i] = joinParts(lines[i], formatOptional(l.Allowance))
	}
	slices.Sort(lines)
	slices.Sort(priced)
	reference := ""
	if s.IsCorrection() || s.Repriced != "" || s.Adjusted != "" {
		reference = text.Key(s.Original)
	}
	common := slices.Concat([]string{
		s.Kind, text.Key(b.PatientControlNumber), b.FrequencyCode, reference, formatAmount(b.BillCharges),
		text.Key(b.PatientLastName), text.Key(b.PatientFirstName), text.Key(b.PatientMiddleName), string(b.PatientBirthDate),
		string(b.BeginServiceDate), string(b.EndServiceDate), text.Key(b.PayerID), text.Key(b.PayerName),
		s.Detail.BillingNPI, text.Key(s.Detail.BillingName), b.PhysicianNPI, text.Key(b.PhysicianLastName), text.Key(b.PhysicianFirstName),
		strings.Join(s.Detail.Diagnoses, " "), strconv.FormatBool(b.PricingSheet),
	}, lines)
	s.Version = hashParts("version", common...)
	s.Fact = hashParts("submission", slices.Concat(common, []string{
		text.Key(s.Repriced), text.Key(s.Adjusted), text.Key(s.Original), text.Key(s.Clearinghouse),
		formatOptional(b.RecommendedAllowance), s.Detail.RejectReason,
	}, priced)...)
}

// row lists all the columns of a table row.
func (s *Submission) row() []string {
	b := s.Reported
	row := []string{
		text.Key(s.Repriced), b.DocumentID, b.PatientControlNumber, b.BillingID, b.ClaimNumber, b.BillType, b.FrequencyCode,
		b.PatientFirstName, b.PatientMiddleName, b.PatientLastName, string(b.PatientBirthDate), b.PatientGender,
		string(b.BeginServiceDate), string(b.EndServiceDate), string(b.DateOfInjury), b.StateOfJurisdiction,
		b.PhysicianFirstName, b.PhysicianMiddleName, b.PhysicianLastName, b.PhysicianNPI, b.FacilityName, b.FacilityNPI,
		b.PayerID, b.PayerName, formatAmount(b.BillCharges), formatOptional(b.RecommendedAllowance), b.BillStatus,
		strconv.FormatBool(b.EOR), strconv.FormatBool(b.PricingSheet), formatOptional(b.PaidAmount), string(b.PaidDate), b.CheckNumber,
	}
	if b.Filing != "" { // older rows had no such column
		row = append(row, b.Filing)
	}
	return row
}

// IsCorrection reports whether the submission corrects an earlier one: adjustment (6),
// replacement (7), void (8) or repricer's correction (Q).
func (s *Submission) IsCorrection() bool {
	switch s.Reported.FrequencyCode {
	case "6", "7", "8", "Q":
		return true
	}
	return false
}

// IsPartOfStay reports whether it's an interim bill (2 to 4) or a late charge (5). These add to
// the other bills of a stay.
func (s *Submission) IsPartOfStay() bool {
	switch s.Reported.FrequencyCode {
	case "2", "3", "4", "5":
		return true
	}
	return false
}

// Payment is the payment of one bill in a payer's remittance: a CLP of an 835. Amounts are in
// cents.
type Payment struct {
	Fact       string // identity, 32 hexadecimal digits
	Occurrence int    // among equal payments of its transaction set, from 1
	Slot       string // shared by payments that correct each other
	// ToldWith lists the other payments of the slot in the same transaction set. So they don't
	// correct each other.
	ToldWith              []string
	Source                string // FromRemittance or FromEarlier
	Written               string // the earliest date and time in its files
	Payer                 string // the payer, as the check identifies it
	TraceNumber           string
	PaidDate              date.Date
	ReceivedOn            date.Date // by the payer
	Filing                string    // claim filing indicator code, such as WC
	Method                string
	PatientControlNumber  string
	PayerControlNumber    string
	FormerNumber          string // the payer's previous claim number: REF F8
	Repriced              string // REF 9A
	ClaimStatus           string // CLP02
	Charge                int64
	Paid                  int64 // negative for a reversal
	PatientResponsibility int64
	Nature                Nature
	Reasons               string // space-separated codes of its adjustments and remarks
	Bill                  string // key of the bill derived from it
	// Reported is the bill as far as the payment describes it. Payee facts store it under its
	// old name.
	Reported   Bill `json:"Told"`
	Detail     PaymentDetail
	File       string         // SHA-256 of its file
	Offset     int64          // of its transaction set in the file, in bytes
	Remittance string         // id of its check or transfer
	PayeeNPI   string         // of a payee without a TIN in any set
	Duplicate  DuplicateState // whether it counts, if another check may be the same
	Twin       string         // fact of the payment that counts instead, if any
	balanced   bool           // a balanced set contains it; set only if that decides

	encoded       string // Detail as JSON
	withoutDetail bool   // read without its detail
	found         *FactLinks
}

// FromRemittance is the source of a payment from an 835.
const FromRemittance = "835"

// PaymentDetail is the part of a payment that the EOR shows.
type PaymentDetail struct {
	PlaceOfService string       `json:"placeOfService,omitempty"`
	Adjustments    []Adjustment `json:"adjustments,omitempty"`
	Remarks        []Remark     `json:"remarks,omitempty"`
	Amounts        Amounts      `json:"amounts,omitzero"`
	Contract       string       `json:"contract,omitempty"` // named by the payer
	// Contacts at the payer for this claim.
	Contacts []Contact  `json:"contacts,omitempty"`
	Lines    []PaidLine `json:"lines,omitempty"`
}

// Remark is a code that adds to the adjustments.
type Remark struct {
	List string `json:"list"` // RemarkCodes or PharmacyCodes
	Code string `json:"code"`
}

// The remark code lists, as files name them.
const (
	RemarkCodes   = "HE"
	PharmacyCodes = "RX" // pharmacy claim reject codes
)

// ReasonCode returns the remark as one of a bill's reasons. Pharmacy codes include their list,
// because remark codes can have the same letters.
func (r Remark) ReasonCode() string {
	if r.List == RemarkCodes {
		return r.Code
	}
	return r.List + "-" + r.Code
}

// Amounts are amounts in addition to the paid one, in cents.
type Amounts struct {
	Interest int64 `json:"interest,omitempty"` // never included in the paid amount
	Coverage int64 `json:"coverage,omitempty"` // what the policy covers
}

// Contact is how to reach the payer's help, without names of persons.
type Contact struct {
	For       string `json:"for"` // CX claims, BL technical, IC website
	Telephone string `json:"telephone,omitempty"`
	Extension string `json:"extension,omitempty"`
	Web       string `json:"web,omitempty"`
}

// PaidLine is one service line of a payment.
type PaidLine struct {
	Number      int          `json:"number"`
	Revenue     string       `json:"revenue,omitempty"`
	Procedure   string       `json:"procedure,omitempty"`
	Qualifier   string       `json:"qualifier,omitempty"`
	Modifiers   []string     `json:"modifiers,omitempty"`
	Charge      int64        `json:"charge"`
	Paid        int64        `json:"paid"`
	PaidUnknown bool         `json:"paidUnknown,omitempty"` // the payment of the line is missing in the file
	Allowed     *int64       `json:"allowed,omitempty"`
	Units       string       `json:"units,omitempty"`
	BeginDate   date.Date    `json:"beginDate,omitempty"`
	EndDate     date.Date    `json:"endDate,omitempty"`
	Adjustments []Adjustment `json:"adjustments,omitempty"`
	Remarks     []Remark     `json:"remarks,omitempty"`
	// BilledAs and BilledUnits are what was charged, if the payer pays another procedure or
	// count.
	BilledAs      Procedure `json:"billedAs,omitzero"`
	BilledUnits   string    `json:"billedUnits,omitempty"`
	LateReduction int64     `json:"lateReduction,omitempty"` // for a late bill
	Control       string    `json:"control,omitempty"`       // the office's line item control number
	Policy        string    `json:"policy,omitempty"`        // the payer's policy behind the decision
}

// PaidKnown returns the payment of the line in cents, or nil if the file doesn't have it.
func (l *PaidLine) PaidKnown() *int64 {
	if l.PaidUnknown {
		return nil
	}
	return &l.Paid
}

// Procedure is a procedure code.
type Procedure struct {
	Qualifier string   `json:"qualifier,omitempty"`
	Code      string   `json:"code,omitempty"`
	Modifiers []string `json:"modifiers,omitempty"`
}

// Adjustment is why a payer paid more or less than charged.
type Adjustment struct {
	Group    string `json:"group"`
	Reason   string `json:"reason"`
	Amount   int64  `json:"amount"`
	Quantity string `json:"quantity,omitempty"` // units of the service
	Unknown  bool   `json:"unknown,omitempty"`  // the amount is missing in the file
}

// Identify sets the identity, slot and nature of the payment from its content.
func (p *Payment) Identify() {
	p.Nature = p.nature()
	p.Remittance = IdentifyRemittance(p.Payer, p.TraceNumber, p.PaidDate)
	patient := joinParts(text.Key(p.Reported.PatientLastName), text.Key(p.Reported.PatientFirstName),
		text.Key(p.Reported.PatientMiddleName))
	dates := joinParts(string(p.Reported.BeginServiceDate), string(p.Reported.EndServiceDate))
	check := []string{text.Key(p.Payer), text.Key(p.TraceNumber), string(p.PaidDate)}
	numbers := []string{text.Key(p.PatientControlNumber), text.Key(p.PayerControlNumber), patient, dates, formatAmount(p.Charge)}
	lines := make([]string, len(p.Detail.Lines))
	charged := make([]string, len(p.Detail.Lines))
	for i, l := range p.Detail.Lines {
		charged[i] = joinParts(l.Procedure, l.Revenue, formatAmount(l.Charge), string(l.BeginDate))
		lines[i] = joinParts(charged[i], strings.Join(l.Modifiers, ","), formatAmount(l.Paid), l.Units, string(l.EndDate),
			formatAdjustments(l.Adjustments))
	}
	slices.Sort(lines)
	slices.Sort(charged)
	p.Fact = hashParts("payment", slices.Concat(check, numbers, []string{
		p.ClaimStatus, formatAmount(p.Paid), formatAmount(p.PatientResponsibility), text.Key(p.FormerNumber), text.Key(p.Repriced),
		formatAdjustments(p.Detail.Adjustments),
	}, lines)...)
	p.Slot = hashParts("slot", slices.Concat(check, numbers, []string{strconv.FormatBool(p.IsReversal())}, charged)...)
	p.negateReversal()
}

// negateReversal makes the amounts of a reversal negative, as the guide requires. Some payers
// repeat the positive amounts of the reversed payment. The identity is based on the amounts as
// sent.
func (p *Payment) negateReversal() {
	if p.ClaimStatus != ClaimReversed || p.Paid <= 0 {
		return
	}
	p.Paid = -p.Paid
	if p.Charge > 0 {
		p.Charge, p.PatientResponsibility = -p.Charge, -p.PatientResponsibility
		negate(p.Detail.Adjustments)
	}
	for i := range p.Detail.Lines {
		if l := &p.Detail.Lines[i]; l.Charge > 0 || l.Paid > 0 {
			l.Charge, l.Paid = -l.Charge, -l.Paid
			negate(l.Adjustments)
		}
	}
}

// SetPatientResponsibility sets the patient responsibility to the sum of the PR adjustments if
// the file doesn't have it, and the nature that follows.
func (p *Payment) SetPatientResponsibility() {
	sum := func(list []Adjustment) {
		for _, a := range list {
			if a.Group == "PR" {
				p.PatientResponsibility += a.Amount
			}
		}
	}
	sum(p.Detail.Adjustments)
	for _, l := range p.Detail.Lines {
		sum(l.Adjustments)
	}
	p.Nature = p.nature()
}

func negate(list []Adjustment) {
	for i := range list {
		list[i].Amount = -list[i].Amount
	}
}

// Reasons lists adjustment codes with their group, and remark codes. Pharmacy codes include
// their list.
func (d PaymentDetail) Reasons() string {
	var codes []string
	note := func(list []Adjustment, remarks []Remark) {
		for _, a := range list {
			codes = append(codes, a.Group+"-"+a.Reason)
		}
		for _, r := range remarks {
			codes = append(codes, r.ReasonCode())
		}
	}
	note(d.Adjustments, d.Remarks)
	for _, l := range d.Lines {
		note(l.Adjustments, l.Remarks)
	}
	return JoinWords(codes)
}

// Codes explain why payers paid more or less than charged.
type Codes struct {
	Adjustments []Adjustment
	Remarks     []Remark
}

// CollectCodes combines the codes of payments, for whole bills and for their lines. Each group
// and reason appears once, with its total amount.
func CollectCodes(payments ...Payment) (c Codes) {
	add := func(adjustments []Adjustment, remarks []Remark) {
		for _, a := range adjustments {
			if at := slices.IndexFunc(c.Adjustments, func(o Adjustment) bool { return o.Group == a.Group && o.Reason == a.Reason }); at >=
				0 {
				c.Adjustments[at].Amount += a.Amount
				c.Adjustments[at].Unknown = c.Adjustments[at].Unknown || a.Unknown
			} else {
				c.Adjustments = append(c.Adjustments, Adjustment{Group: a.Group, Reason: a.Reason, Amount: a.Amount, Unknown: a.Unknown})
			}
		}
		for _, m := range remarks {
			if !slices.Contains(c.Remarks, m) {
				c.Remarks = append(c.Remarks, m)
			}
		}
	}
	for _, p := range payments {
		add(p.Detail.Adjustments, p.Detail.Remarks)
		for _, l := range p.Detail.Lines {
			add(l.Adjustments, l.Remarks)
		}
	}
	return c
}

// JoinWords joins the words with spaces, without duplicates, in their order.
func JoinWords(words []string) string {
	return strings.Join(slices.Compact(slices.Sorted(slices.Values(words))), " ")
}

// formatAdjustments returns the adjustments as part of an identity. Those without an amount are left
// out, because older versions didn't store them.
func formatAdjustments(list []Adjustment) string {
	var texts []string
	for _, a := range list {
		if !a.Unknown {
			texts = append(texts, joinParts(a.Group, a.Reason, formatAmount(a.Amount)))
		}
	}
	slices.Sort(texts)
	return strings.Join(texts, ";")
}

// Nature is what a payment does to its bill.
type Nature string

// The natures of payments.
const (
	Money        Nature = "money"     // paid above $0
	Reversal     Nature = "takeback"  // paid below $0
	ZeroReversal Nature = "zeroback"  // a reversal of $0
	Denial       Nature = "denial"    // denied
	Duplicate    Nature = "duplicate" // denied as a duplicate
	Zero         Nature = "zero"      // this payer owes nothing
	Notice       Nature = "notice"    // doesn't affect the bill: an estimate, forwarded or pending
)

// ClaimReversed is the CLP02 status of a reversal.
const ClaimReversed = "22"

// CLP02 statuses: without effect (4010 has more of them), and decided.
var (
	notices = []string{"23", "25", "5", "10", "13", "15", "16", "17", "27"}
	decided = []string{"1", "2", "3", "19", "20", "21"}
)

// nature returns the nature. In 5010, status 4 only means that the patient is unknown. A denial
// is a processed claim with $0 paid, no patient responsibility and no earlier payment by another
// payer.
func (p *Payment) nature() Nature {
	switch {
	case slices.Contains(notices, p.ClaimStatus):
		return Notice
	case p.Paid < 0, p.Paid > 0 && p.ClaimStatus == ClaimReversed:
		return Reversal
	case p.Paid > 0:
		return Money
	case p.ClaimStatus == ClaimReversed:
		return ZeroReversal
	}
	allowed, reasons := p.Detail.Amounts.Coverage, []string(nil)
	each := func(list []Adjustment) {
		for _, a := range list {
			reasons = append(reasons, a.Reason)
		}
	}
	each(p.Detail.Adjustments)
	for _, l := range p.Detail.Lines {
		if l.Allowed != nil {
			allowed = max(allowed, *l.Allowed)
		}
		each(l.Adjustments)
	}
	byOther := slices.Contains(reasons, "23")
	if p.ClaimStatus != "4" && (!slices.Contains(decided, p.ClaimStatus) || p.PatientResponsibility != 0 || allowed > 0 || byOther) {
		return Zero
	}
	ofDuplicate := func(reason string) bool { return reason == "18" || reason == "B13" }
	if len(reasons) > 0 && !slices.ContainsFunc(reasons, func(r string) bool { return !ofDuplicate(r) }) {
		return Duplicate
	}
	return Denial
}

const between = "\x1f"

func joinParts(parts ...string) string { return strings.Join(parts, between) }

// Outline identifies a payment by the fields that older versions stored. A full payment with the
// same outline replaces it.
func (p *Payment) Outline() string {
	return hashParts("outline", text.Key(p.TraceNumber), string(p.PaidDate), text.Key(p.PatientControlNumber),
		text.Key(p.PayerControlNumber),
		p.ClaimStatus, formatAmount(p.Charge), formatAmount(p.Paid), formatAmount(p.PatientResponsibility),
		string(p.Reported.BeginServiceDate))
}

func formatAmount(n int64) string { return strconv.FormatInt(n, 10) }

func formatOptional(n *int64) string {
	if n == nil {
		return ""
	}
	return formatAmount(*n)
}

// hashParts returns the first half of a SHA-256 over the parts.
func hashParts(kind string, parts ...string) string {
	const end = "\x1e"
	sum := sha256.Sum256([]byte(kind + end + strings.Join(parts, end) + end))
	return hex.EncodeToString(sum[:16])
}

// Compare sorts submissions in the order they were written.
func (s *Submission) Compare(other *Submission) int {
	return cmp.Or(strings.Compare(s.Written, other.Written), strings.Compare(s.Fact, other.Fact))
}

// Compare sorts payments by day and check, reversals before their replacements.
func (p *Payment) Compare(other *Payment) int {
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

// FactID identifies one of several equal facts of a TIN.
type FactID struct {
	Fact       string `json:"fact"`
	Occurrence int    `json:"occurrence"`
}

// Compare sorts by fact first.
func (id FactID) Compare(other FactID) int {
	return cmp.Or(strings.Compare(id.Fact, other.Fact), cmp.Compare(id.Occurrence, other.Occurrence))
}

// BalanceRank ranks payments of balanced sets higher.
func (p *Payment) BalanceRank() int {
	if p.balanced {
		return 1
	}
	return 0
}

// IsRival reports whether only one of two payments of a slot can count.
func (p *Payment) IsRival(other *Payment) bool {
	return p.Fact != other.Fact && !slices.Contains(p.ToldWith, other.Fact) && !slices.Contains(other.ToldWith, p.Fact)
}

// Magnitude returns an amount without its sign.
func Magnitude(n int64) int64 { return max(n, -n) }

func optionalMagnitude(n *int64) *int64 {
	if n == nil {
		return nil
	}
	return new(Magnitude(*n))
}

// IsReversal reports whether the payment is a reversal.
func (p *Payment) IsReversal() bool { return p.Nature == Reversal || p.Nature == ZeroReversal }

// ServiceDates returns the dates that must be valid for a service.
func (s *Submission) ServiceDates() []date.Date {
	return []date.Date{s.Reported.BeginServiceDate, s.Reported.EndServiceDate}
}

// ToDetail returns the document details of a bill known only from the payment. Those of a reversal have
// positive amounts.
func (p *Payment) ToDetail() Detail {
	d := Detail{PlaceOfService: p.Detail.PlaceOfService, BillingName: p.Reported.FacilityName, BillingNPI: p.Reported.FacilityNPI}
	for _, l := range p.Detail.Lines {
		if p.IsReversal() {
			l.Charge, l.Allowed = Magnitude(l.Charge), optionalMagnitude(l.Allowed)
		}
		revenue, billed := l.Revenue, Procedure{l.Qualifier, l.Procedure, l.Modifiers}
		switch {
		case l.BilledAs.Qualifier == "NU": // a revenue code
			revenue, billed = l.BilledAs.Code, Procedure{}
		case l.BilledAs.Code != "":
			billed = l.BilledAs
		}
		d.Lines = append(d.Lines, Line{
			Number: l.Number, Revenue: revenue, Procedure: billed.Code, Qualifier: billed.Qualifier, Modifiers: billed.Modifiers,
			Charge: l.Charge, Units: cmp.Or(l.BilledUnits, l.Units), BeginDate: l.BeginDate, EndDate: l.EndDate, Allowance: l.Allowed,
			Control: l.Control,
		})
	}
	return d
}

// DuplicateState is whether a check or payment counts, if another check may be the same.
type DuplicateState string

// The relations between two checks with the same number.
const (
	Counted           DuplicateState = ""
	SameCheck         DuplicateState = "SAME"     // the other one counts instead
	PossibleDuplicate DuplicateState = "POSSIBLE" // until staff decide
)

// IsCounted reports whether totals include a payment. They exclude the payments of duplicate
// checks and possible duplicates.
func (p *Payment) IsCounted() bool { return p.Duplicate == Counted }

// EncodeDetail encodes the detail. It's called while files are read, so storing isn't delayed.
func (s *Submission) EncodeDetail() { s.encoded = toJSON(s.Detail) }

// EncodedDetail returns the encoded detail, or empty if it isn't encoded yet.
func (s *Submission) EncodedDetail() string { return s.encoded }

// OmitDetail records that the detail wasn't read.
func (s *Submission) OmitDetail() { s.withoutDetail = true }

// LacksDetail reports whether the detail wasn't read.
func (s *Submission) LacksDetail() bool { return s.withoutDetail }

// FillDetail sets the detail that wasn't read before.
func (s *Submission) FillDetail(d Detail) { s.Detail, s.withoutDetail = d, false }

// EarlierReceipt returns the day on which the payer received the bill, according to a counted payment,
// if it's before the one known so far.
func (p *Payment) EarlierReceipt(known date.Date) date.Date {
	if p.IsCounted() && p.ReceivedOn != "" && (known == "" || p.ReceivedOn < known) {
		return p.ReceivedOn
	}
	return known
}

// EncodeDetail encodes the detail. It's called while files are read, so storing isn't delayed.
func (p *Payment) EncodeDetail() { p.encoded = toJSON(p.Detail) }

// EncodedDetail returns the encoded detail, or empty if it isn't encoded yet.
func (p *Payment) EncodedDetail() string { return p.encoded }

// OmitDetail records that the detail wasn't read.
func (p *Payment) OmitDetail() { p.withoutDetail = true }

// LacksDetail reports whether the detail wasn't read.
func (p *Payment) LacksDetail() bool { return p.withoutDetail }

// FillDetail sets the detail that wasn't read before.
func (p *Payment) FillDetail(d PaymentDetail) { p.Detail, p.withoutDetail = d, false }

// NoteBalance records whether a balanced set contains the payment.
func (p *Payment) NoteBalance(balanced bool) { p.balanced = balanced }
