package ledger

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"

	"wcpp/internal/platform/date"
	"wcpp/internal/platform/text"
)

// Where a submission comes from.
const (
	FromClaim   = "837"
	FromTable   = "table"   // a row that tells a bill's state: the last one counts
	FromEarlier = "earlier" // a bill stored before facts were kept
)

// Submission is one bill as it was sent: a CLM of an 837, or a row of a table.
type Submission struct {
	Fact    string // what identifies it, 32 hexadecimal digits
	Version string // the same but for own numbers, clearinghouse number and pricing
	Source  string
	// Written is the earliest date and time that its files give, of a row of a
	// table the latest.
	Written       string
	Kind          string // P professional, I institutional, D dental
	Repriced      string // REF 9A
	Adjusted      string // REF 9C
	Original      string // REF F8
	Clearinghouse string // REF D9
	Bill          string // key of the bill it was concluded into
	File          string // SHA-256 of the file that told it, of several the one written first
	Offset        int64  // of its transaction set in the file, in bytes
	Reported      Bill   // the bill as far as it tells
	Detail        Detail

	detail string // Detail as JSON, made where files are read, while others are stored
	bare   bool   // read without its detail
	found  *ties
}

// Detail is what documents show of a bill and no search asks for.
type Detail struct {
	PlaceOfService string   `json:"placeOfService,omitempty"`
	Diagnoses      []string `json:"diagnoses,omitempty"`
	BillingName    string   `json:"billingName,omitempty"`
	BillingNPI     string   `json:"billingNpi,omitempty"`
	RepricerID     string   `json:"repricerId,omitempty"`
	RejectReason   string   `json:"rejectReason,omitempty"`
	// Authorization is the number under which the payer agreed beforehand.
	Authorization string       `json:"authorization,omitempty"`
	Attachments   []Attachment `json:"attachments,omitempty"`
	Pricing       Pricing      `json:"pricing,omitzero"`
	Lines         []Line       `json:"lines,omitempty"`
}

// Pricing is what else the network tells of the price that it set.
type Pricing struct {
	Savings   *int64 `json:"savings,omitempty"`   // cents below the charge
	Rate      string `json:"rate,omitempty"`      // for a day, or for all
	Policy    string `json:"policy,omitempty"`    // code of the policy that the price follows
	Exception string `json:"exception,omitempty"` // code of what the price makes an exception for
}

// Attachment is a paper or file that the office announces beside the bill.
type Attachment struct {
	Report  string `json:"report"`            // code of its kind
	Sent    string `json:"sent,omitempty"`    // code of the way it goes
	Control string `json:"control,omitempty"` // the office's number of it
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
	// Control is the office's own number of the line, which its payment repeats.
	Control     string       `json:"control,omitempty"`
	Attachments []Attachment `json:"attachments,omitempty"`
	Pricing     Pricing      `json:"pricing,omitzero"`
}

// Identify sets what identifies the submission. What only tells how it travelled
// (control numbers, file, place) is no part of it.
func (s *Submission) Identify() {
	b := &s.Reported
	if s.Source == FromTable {
		s.Fact = identity("table", s.row()...)
		s.Version = s.Fact
		return
	}
	lines := make([]string, len(s.Detail.Lines))
	priced := make([]string, len(s.Detail.Lines))
	for i, l := range s.Detail.Lines {
		lines[i] = join(l.Procedure, strings.Join(l.Modifiers, ","), l.Revenue, amount(l.Charge), l.Units, string(l.BeginDate), string(l.EndDate))
		priced[i] = join(lines[i], optional(l.Allowance))
	}
	slices.Sort(lines)
	slices.Sort(priced)
	reference := ""
	if s.correction() || s.Repriced != "" || s.Adjusted != "" {
		reference = text.Key(s.Original)
	}
	common := slices.Concat([]string{
		s.Kind, text.Key(b.PatientControlNumber), b.FrequencyCode, reference, amount(b.BillCharges),
		text.Key(b.PatientLastName), text.Key(b.PatientFirstName), text.Key(b.PatientMiddleName), string(b.PatientBirthDate),
		string(b.BeginServiceDate), string(b.EndServiceDate), text.Key(b.PayerID), text.Key(b.PayerName),
		s.Detail.BillingNPI, text.Key(s.Detail.BillingName), b.PhysicianNPI, text.Key(b.PhysicianLastName), text.Key(b.PhysicianFirstName),
		strings.Join(s.Detail.Diagnoses, " "), strconv.FormatBool(b.PricingSheet),
	}, lines)
	s.Version = identity("version", common...)
	s.Fact = identity("submission", slices.Concat(common, []string{
		text.Key(s.Repriced), text.Key(s.Adjusted), text.Key(s.Original), text.Key(s.Clearinghouse),
		optional(b.RecommendedAllowance), s.Detail.RejectReason,
	}, priced)...)
}

// row lists all columns of a table's row.
func (s *Submission) row() []string {
	b := s.Reported
	row := []string{
		text.Key(s.Repriced), b.DocumentID, b.PatientControlNumber, b.BillingID, b.ClaimNumber, b.BillType, b.FrequencyCode,
		b.PatientFirstName, b.PatientMiddleName, b.PatientLastName, string(b.PatientBirthDate), b.PatientGender,
		string(b.BeginServiceDate), string(b.EndServiceDate), string(b.DateOfInjury), b.StateOfJurisdiction,
		b.PhysicianFirstName, b.PhysicianMiddleName, b.PhysicianLastName, b.PhysicianNPI, b.FacilityName, b.FacilityNPI,
		b.PayerID, b.PayerName, amount(b.BillCharges), optional(b.RecommendedAllowance), b.BillStatus,
		strconv.FormatBool(b.EOR), strconv.FormatBool(b.PricingSheet), optional(b.PaidAmount), string(b.PaidDate), b.CheckNumber,
	}
	if b.Filing != "" { // rows of before had no such column
		row = append(row, b.Filing)
	}
	return row
}

// correction tells submissions that stand for an earlier one: adjustments (6),
// replacements (7), voids (8) and corrections of the repricer (Q).
func (s *Submission) correction() bool {
	switch s.Reported.FrequencyCode {
	case "6", "7", "8", "Q":
		return true
	}
	return false
}

// partOfStay tells interim bills (2 to 4) and late charges (5), which stand
// beside the others of a stay.
func (s *Submission) partOfStay() bool {
	switch s.Reported.FrequencyCode {
	case "2", "3", "4", "5":
		return true
	}
	return false
}

// Payment is what a payer's remittance says of one bill: a CLP of an 835. Amounts
// are cents.
type Payment struct {
	Fact       string // what identifies it, 32 hexadecimal digits
	Occurrence int    // among equals of its transaction set, from 1
	Slot       string // what payments share that correct each other
	// ToldWith names the other payments of the slot that stand in one transaction
	// set with it, which therefore do not correct each other.
	ToldWith              []string
	Source                string // FromRemittance or FromEarlier
	Written               string // the earliest date and time that its files give
	Payer                 string // who paid, by the identification of the check
	TraceNumber           string
	PaidDate              date.Date
	ReceivedOn            date.Date // by the payer
	Filing                string    // code of the kind of insurance, such as WC
	Method                string
	PatientControlNumber  string
	PayerControlNumber    string
	FormerNumber          string // the payer's number of the claim before: REF F8
	Repriced              string // REF 9A
	ClaimStatus           string // CLP02
	Charge                int64
	Paid                  int64 // negative when it is taken back
	PatientResponsibility int64
	Nature                Nature
	Reasons               string // codes of its adjustments and remarks, with blanks between
	Bill                  string // key of the bill it was concluded into
	// Reported is the bill as far as it tells. Facts of payees are stored under its first name.
	Reported   Bill `json:"Told"`
	Detail     PaymentDetail
	File       string    // SHA-256 of the file that brought it
	Offset     int64     // of its transaction set in the file, in bytes
	Remittance string    // identifies its check or transfer
	PayeeNPI   string    // of a payee whose TIN no set tells
	Duplicate  TwinState // whether it counts beside that of another check
	Twin       string    // fact of the payment that counts in its place, where one does
	balanced   bool      // a set whose amounts add up tells it; known where that decides

	detail string // Detail as JSON, made where files are read, while others are stored
	bare   bool   // read without its detail
	found  *ties
}

// FromRemittance is the source of a payment that an 835 brought.
const FromRemittance = "835"

// PaymentDetail is what the EOR shows of a payment.
type PaymentDetail struct {
	PlaceOfService string       `json:"placeOfService,omitempty"`
	Adjustments    []Adjustment `json:"adjustments,omitempty"`
	Remarks        []Remark     `json:"remarks,omitempty"`
	Amounts        Amounts      `json:"amounts,omitzero"`
	Contract       string       `json:"contract,omitempty"` // that the payer names
	// Contacts at the payer for this claim.
	Contacts []Contact  `json:"contacts,omitempty"`
	Lines    []PaidLine `json:"lines,omitempty"`
}

// Remark is a code that explains more than the adjustments do.
type Remark struct {
	List string `json:"list"` // RemarkCodes or PharmacyCodes
	Code string `json:"code"`
}

// The lists of remarks, as files name them.
const (
	RemarkCodes   = "HE"
	PharmacyCodes = "RX" // why a pharmacy's claim was refused
)

// Word is the remark among the reasons of a bill: codes of pharmacies go with their list,
// as remark codes may have the same letters.
func (r Remark) Word() string {
	if r.List == RemarkCodes {
		return r.Code
	}
	return r.List + "-" + r.Code
}

// Amounts are cents that stand beside what was paid.
type Amounts struct {
	Interest int64 `json:"interest,omitempty"` // never part of what was paid
	Coverage int64 `json:"coverage,omitempty"` // what the policy covers
}

// Contact tells how to reach those at a payer who help. It names no person.
type Contact struct {
	For       string `json:"for"` // CX claims, BL technical matters, IC information on the web
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
	PaidUnknown bool         `json:"paidUnknown,omitempty"` // the file has no payment for the line
	Allowed     *int64       `json:"allowed,omitempty"`
	Units       string       `json:"units,omitempty"`
	BeginDate   date.Date    `json:"beginDate,omitempty"`
	EndDate     date.Date    `json:"endDate,omitempty"`
	Adjustments []Adjustment `json:"adjustments,omitempty"`
	Remarks     []Remark     `json:"remarks,omitempty"`
	// BilledAs and BilledUnits are what was charged, where the payer pays another
	// procedure or count.
	BilledAs      Procedure `json:"billedAs,omitzero"`
	BilledUnits   string    `json:"billedUnits,omitempty"`
	LateReduction int64     `json:"lateReduction,omitempty"` // for a bill that came late
	Control       string    `json:"control,omitempty"`       // the office's own number of the line
	Policy        string    `json:"policy,omitempty"`        // the payer's rule by which it was decided
}

// PaidKnown is what was paid for the line, in cents; nil where the file does not tell it.
func (l *PaidLine) PaidKnown() *int64 {
	if l.PaidUnknown {
		return nil
	}
	return &l.Paid
}

// Procedure is a code of what was done.
type Procedure struct {
	Qualifier string   `json:"qualifier,omitempty"`
	Code      string   `json:"code,omitempty"`
	Modifiers []string `json:"modifiers,omitempty"`
}

// Adjustment is why a payer paid other than what was charged.
type Adjustment struct {
	Group    string `json:"group"`
	Reason   string `json:"reason"`
	Amount   int64  `json:"amount"`
	Quantity string `json:"quantity,omitempty"` // units of the service it is for
	Unknown  bool   `json:"unknown,omitempty"`  // the file has no amount for it
}

// Identify sets what follows from what the payment tells: its identity, its slot
// and its nature.
func (p *Payment) Identify() {
	p.Nature = p.nature()
	p.Remittance = remittanceOf(p.Payer, p.TraceNumber, p.PaidDate)
	patient := join(text.Key(p.Reported.PatientLastName), text.Key(p.Reported.PatientFirstName), text.Key(p.Reported.PatientMiddleName))
	dates := join(string(p.Reported.BeginServiceDate), string(p.Reported.EndServiceDate))
	check := []string{text.Key(p.Payer), text.Key(p.TraceNumber), string(p.PaidDate)}
	numbers := []string{text.Key(p.PatientControlNumber), text.Key(p.PayerControlNumber), patient, dates, amount(p.Charge)}
	lines := make([]string, len(p.Detail.Lines))
	charged := make([]string, len(p.Detail.Lines))
	for i, l := range p.Detail.Lines {
		charged[i] = join(l.Procedure, l.Revenue, amount(l.Charge), string(l.BeginDate))
		lines[i] = join(charged[i], strings.Join(l.Modifiers, ","), amount(l.Paid), l.Units, string(l.EndDate), adjustments(l.Adjustments))
	}
	slices.Sort(lines)
	slices.Sort(charged)
	p.Fact = identity("payment", slices.Concat(check, numbers, []string{
		p.ClaimStatus, amount(p.Paid), amount(p.PatientResponsibility), text.Key(p.FormerNumber), text.Key(p.Repriced), adjustments(p.Detail.Adjustments),
	}, lines)...)
	p.Slot = identity("slot", slices.Concat(check, numbers, []string{strconv.FormatBool(p.TakesBack())}, charged)...)
	p.takeBack()
}

// takeBack makes the amounts of a reversal negative, as the guide has them: some payers
// repeat the positive amounts of the payment that they reverse. What identifies the payment
// stays as sent.
func (p *Payment) takeBack() {
	if p.ClaimStatus != reversal || p.Paid <= 0 {
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

// takePatientsPart sets the patient responsibility to the sum of the adjustments of group PR,
// where the file does not tell it, and the nature that follows.
func (p *Payment) takePatientsPart() {
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

// reasons lists the codes of adjustments, with who bears them, and of remarks, with their
// list where it is that of pharmacies.
func (d PaymentDetail) reasons() string {
	var codes []string
	note := func(list []Adjustment, remarks []Remark) {
		for _, a := range list {
			codes = append(codes, a.Group+"-"+a.Reason)
		}
		for _, r := range remarks {
			codes = append(codes, r.Word())
		}
	}
	note(d.Adjustments, d.Remarks)
	for _, l := range d.Lines {
		note(l.Adjustments, l.Remarks)
	}
	return wordsOf(codes)
}

// Codes are why payers paid other than what was charged.
type Codes struct {
	Adjustments []Adjustment
	Remarks     []Remark
}

// CodesOf brings together the codes of payments, for bills as a whole and for their
// lines: each group and reason once, with the sum of its amounts.
func CodesOf(payments ...Payment) (c Codes) {
	add := func(adjustments []Adjustment, remarks []Remark) {
		for _, a := range adjustments {
			if at := slices.IndexFunc(c.Adjustments, func(o Adjustment) bool { return o.Group == a.Group && o.Reason == a.Reason }); at >= 0 {
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

// wordsOf are words in their order, each once, with blanks between.
func wordsOf(words []string) string {
	return strings.Join(slices.Compact(slices.Sorted(slices.Values(words))), " ")
}

// adjustments are those of an identity. One without an amount is no part of it: it was not
// kept once.
func adjustments(list []Adjustment) string {
	var texts []string
	for _, a := range list {
		if !a.Unknown {
			texts = append(texts, join(a.Group, a.Reason, amount(a.Amount)))
		}
	}
	slices.Sort(texts)
	return strings.Join(texts, ";")
}

// Nature is what a payment does to its bill.
type Nature string

// The natures of payments.
const (
	Money        Nature = "money"     // more than nothing was paid
	TakeBack     Nature = "takeback"  // less than nothing
	ZeroTakeBack Nature = "zeroback"  // a reversal of nothing
	Denial       Nature = "denial"    // refused
	Duplicate    Nature = "duplicate" // refused as a duplicate of another
	Zero         Nature = "zero"      // nothing is due from this payer
	Notice       Nature = "notice"    // moves nothing: an estimate, passed on, pending
)

// Statuses of CLP02: those that move nothing (4010 has more of them), those that
// tell of a decision, and a reversal.
var (
	notices  = []string{"23", "25", "5", "10", "13", "15", "16", "17", "27"}
	decided  = []string{"1", "2", "3", "19", "20", "21"}
	reversal = "22"
)

// nature: in 5010 status 4 tells an unknown patient only; refusals come as
// processed claims that pay nothing, leave nothing to the patient and were not
// paid by another payer before.
func (p *Payment) nature() Nature {
	switch {
	case slices.Contains(notices, p.ClaimStatus):
		return Notice
	case p.Paid < 0, p.Paid > 0 && p.ClaimStatus == reversal:
		return TakeBack
	case p.Paid > 0:
		return Money
	case p.ClaimStatus == reversal:
		return ZeroTakeBack
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

func join(parts ...string) string { return strings.Join(parts, between) }

func amount(n int64) string { return strconv.FormatInt(n, 10) }

func optional(n *int64) string {
	if n == nil {
		return ""
	}
	return amount(*n)
}

// identity is the first half of a SHA-256 over the parts.
func identity(kind string, parts ...string) string {
	const end = "\x1e"
	sum := sha256.Sum256([]byte(kind + end + strings.Join(parts, end) + end))
	return hex.EncodeToString(sum[:16])
}
