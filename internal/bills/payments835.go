package bills

import (
	"errors"

	"wcpp/internal/platform/date"
	"wcpp/internal/platform/identifiers"
	"wcpp/internal/platform/intake"
	"wcpp/internal/platform/text"
	"wcpp/internal/platform/x12"
)

// paymentDecoder follows the loops of an 835 and makes a Remittance of every
// claim in it.
type paymentDecoder struct {
	out intake.Sink

	loop           string
	method, trace  string
	total          int64 // BPR02
	totalAt        x12.Segment
	paidDate       date.Date
	produced       date.Date // DTM*405
	payer, payee   party
	payeeTaxID     string // REF*TJ
	occurrence     int
	paidSum        int64
	providerAdjust int64
	remit          *remit
}

// remit is the claim payment under way.
type remit struct {
	intake.Record
	Remittance
	clp                 x12.Segment
	patient, rendering  party
	amountsRead         bool
	line                *PaidLine
	lines               int
	adjusted            int64 // sum of all adjustments
	lineBegin, lineEnd  date.Date
	claimBegin, claimTo date.Date
}

func newPaymentDecoder(_ x12.Set, out intake.Sink) intake.SetDecoder {
	return &paymentDecoder{out: out}
}

func (d *paymentDecoder) Segment(seg x12.Segment) error {
	switch seg.ID {
	case "ST":
		d.loop = "header"
	case "BPR":
		d.money(seg)
	case "TRN":
		if d.remit == nil {
			d.trace = intake.Clean(seg.Element(2))
		}
	case "N1":
		d.name(seg)
	case "LX":
		err := d.finish()
		d.loop = "2000"
		return err
	case "CLP":
		err := d.finish()
		d.begin(seg)
		return err
	case "PLB":
		err := d.finish()
		d.loop = "summary"
		d.providerAdjustments(seg)
		return err
	case "SE":
		err := d.finish()
		if d.totalAt.Number > 0 && d.total != d.paidSum-d.providerAdjust {
			d.out.Note(intake.Located(intake.SeverityWarning, "header", d.totalAt, 2, "the total is not the sum of the claims paid less the provider adjustments"))
		}
		return err
	case "REF":
		d.reference(seg)
	case "DTM":
		d.dates(seg)
	default:
		if d.remit != nil {
			d.detail(seg)
		}
	}
	return nil
}

func (d *paymentDecoder) problem(s intake.Severity, seg x12.Segment, element int, reason string) {
	if d.remit != nil {
		d.remit.Add(intake.Located(s, d.loop, seg, element, reason))
		return
	}
	d.out.Note(intake.Located(s, d.loop, seg, element, reason))
}

// money reads BPR: how much is paid, how and when.
func (d *paymentDecoder) money(seg x12.Segment) {
	d.method = seg.Element(4)
	total, err := intake.Cents(seg.Element(2))
	if err != nil {
		d.problem(intake.SeverityWarning, seg, 2, "the total "+err.Error())
	} else {
		d.total, d.totalAt = total, x12.Segment{ID: seg.ID, Number: seg.Number}
	}
	if seg.Element(16) != "" {
		if d.paidDate, err = x12.Date(seg.Element(16)); err != nil {
			d.problem(intake.SeverityWarning, seg, 16, "the date of payment "+err.Error())
		}
	}
}

// name reads N1, the payer or the payee; unlike NM1 it knows no persons.
func (d *paymentDecoder) name(seg x12.Segment) {
	p := party{
		at:   x12.Segment{ID: seg.ID, Number: seg.Number},
		last: intake.Clean(seg.Element(2)), qualifier: seg.Element(3), id: seg.Element(4),
	}
	switch seg.Element(1) {
	case "PR":
		d.loop, d.payer = "1000A", p
	case "PE":
		d.loop, d.payee = "1000B", p
		if p.qualifier == "XX" && !identifiers.ValidNPI(p.id) {
			d.problem(intake.SeverityWarning, seg, 4, "the NPI fails its check digit")
		}
	}
}

func (d *paymentDecoder) reference(seg x12.Segment) {
	value := intake.Clean(seg.Element(2))
	switch {
	case d.loop == "1000A" && seg.Element(1) == "2U" && d.payer.id == "":
		d.payer.id = value
	case d.loop == "1000B" && seg.Element(1) == "TJ":
		d.payeeTaxID = value
	case d.loop == "2100" && seg.Element(1) == "9A":
		d.remit.RepricedClaimNumber = value
	}
}

// begin starts the payment of a CLP segment.
func (d *paymentDecoder) begin(seg x12.Segment) {
	d.loop = "2100"
	d.occurrence++
	r := &remit{clp: x12.Segment{ID: seg.ID, Number: seg.Number}, amountsRead: true}
	r.At = intake.Located(intake.SeverityError, d.loop, seg, 0, "")
	d.remit = r
	r.Payment = Payment{
		Occurrence: d.occurrence, PatientControlNumber: intake.Clean(seg.Element(1)), ClaimStatus: seg.Element(2),
		PayerControlNumber: intake.Clean(seg.Element(7)),
	}
	r.Bill = Bill{FrequencyCode: firstOf(seg.Element(9), "1"), Detail: Detail{PlaceOfService: seg.Element(8)}}
	if r.Payment.PatientControlNumber == "" {
		d.problem(intake.SeverityError, seg, 1, "the patient control number is missing")
	}
	if r.Payment.ClaimStatus == "" {
		d.problem(intake.SeverityError, seg, 2, "the claim's status is missing")
	}
	amount := func(element int, what string) int64 {
		n, err := intake.Cents(seg.Element(element))
		if err != nil {
			d.problem(intake.SeverityError, seg, element, what+" "+err.Error())
			r.amountsRead = false
		}
		return n
	}
	r.Payment.Charge = amount(3, "the charge")
	r.Payment.Paid = amount(4, "the payment")
	if seg.Element(5) != "" {
		r.Payment.PatientResponsibility = amount(5, "the patient's part")
	}
	d.paidSum += r.Payment.Paid
}

// detail takes the segments of a claim and its service lines.
func (d *paymentDecoder) detail(seg x12.Segment) {
	r := d.remit
	switch seg.ID {
	case "NM1":
		switch seg.Element(1) {
		case "QC":
			r.patient = partyOf(d.loop, seg)
		case "82":
			r.rendering = partyOf(d.loop, seg)
			if r.rendering.qualifier == "XX" && !identifiers.ValidNPI(r.rendering.id) {
				d.problem(intake.SeverityWarning, seg, 9, "the NPI fails its check digit")
			}
		}
	case "SVC":
		d.beginLine(seg)
	case "CAS":
		d.adjustments(seg)
	case "AMT":
		if r.line != nil && seg.Element(1) == "B6" {
			allowed, err := intake.Cents(seg.Element(2))
			if err != nil {
				d.problem(intake.SeverityWarning, seg, 2, "the allowed amount "+err.Error())
				return
			}
			r.line.Allowed = &allowed
		}
	}
}

func (d *paymentDecoder) beginLine(seg x12.Segment) {
	d.finishLine()
	d.loop = "2110"
	r := d.remit
	r.lines++
	switch {
	case r.lines > maxLines+1:
		return
	case r.lines > maxLines:
		d.problem(intake.SeverityError, seg, 0, "is one service line more than the 999 a claim may have")
		return
	}
	l := &PaidLine{Number: r.lines, Revenue: seg.Element(4), Units: seg.Element(5)}
	l.Qualifier, l.Procedure, l.Modifiers = procedure(seg, 1)
	if l.Qualifier == "NU" { // the line is known by its revenue code alone
		l.Revenue, l.Qualifier, l.Procedure = firstOf(l.Revenue, l.Procedure), "", ""
	}
	var err error
	if l.Charge, err = intake.Cents(seg.Element(2)); err != nil {
		d.problem(intake.SeverityError, seg, 2, "the line's charge "+err.Error())
	}
	if l.Paid, err = intake.Cents(firstOf(seg.Element(3), "0")); err != nil {
		d.problem(intake.SeverityError, seg, 3, "the line's payment "+err.Error())
	}
	r.line = l
}

func (d *paymentDecoder) finishLine() {
	if r := d.remit; r.line != nil {
		r.lineBegin, r.lineEnd = earliest(r.lineBegin, r.line.BeginDate), latest(r.lineEnd, r.line.EndDate)
		r.Payment.Detail.Lines = append(r.Payment.Detail.Lines, *r.line)
		r.line = nil
	}
}

// maxAdjustments is what the guides allow for one claim or line: 99 segments
// of six.
const maxAdjustments = 99 * 6

// adjustments reads CAS: a group and up to six reasons with their amounts.
func (d *paymentDecoder) adjustments(seg x12.Segment) {
	r := d.remit
	list := &r.Payment.Detail.Adjustments
	if r.line != nil {
		list = &r.line.Adjustments
	} else if r.lines > 0 {
		return // of a line past the limit
	}
	for i := 2; i+1 <= seg.Len() && i <= 17; i += 3 {
		if seg.Element(i) == "" && seg.Element(i+1) == "" {
			continue
		}
		amount, err := intake.Cents(seg.Element(i + 1))
		if err != nil {
			d.problem(intake.SeverityWarning, seg, i+1, "the adjustment "+err.Error())
			continue
		}
		r.adjusted += amount
		if len(*list) < maxAdjustments {
			*list = append(*list, Adjustment{Group: seg.Element(1), Reason: seg.Element(i), Amount: amount})
		}
	}
}

// dates reads DTM: 405 the file's date; 232 and 233 a claim's; 472, or 150 and
// 151, a line's.
func (d *paymentDecoder) dates(seg x12.Segment) {
	var to []*date.Date
	switch q := seg.Element(1); {
	case d.remit == nil && q == "405":
		to = []*date.Date{&d.produced}
	case d.remit == nil:
	case q == "232" && d.loop == "2100":
		to = []*date.Date{&d.remit.claimBegin}
	case q == "233" && d.loop == "2100":
		to = []*date.Date{&d.remit.claimTo}
	case d.remit.line == nil:
	case q == "472":
		to = []*date.Date{&d.remit.line.BeginDate, &d.remit.line.EndDate}
	case q == "150":
		to = []*date.Date{&d.remit.line.BeginDate}
	case q == "151":
		to = []*date.Date{&d.remit.line.EndDate}
	}
	if to == nil {
		return
	}
	day, err := x12.Date(seg.Element(2))
	if err == nil && d.remit != nil {
		err = d.out.ServiceDate(day)
	}
	switch {
	case errors.Is(err, x12.ErrTooEarly), errors.Is(err, intake.ErrTooLate):
		d.problem(intake.SeverityError, seg, 2, err.Error())
		return
	case err != nil:
		d.problem(intake.SeverityWarning, seg, 2, err.Error())
		return
	}
	for _, field := range to {
		*field = day
	}
}

// providerAdjustments sums PLB, whose amounts stand in every second element
// from the fourth on.
func (d *paymentDecoder) providerAdjustments(seg x12.Segment) {
	for i := 4; i <= seg.Len() && i <= 14; i += 2 {
		if seg.Element(i) == "" {
			continue
		}
		amount, err := intake.Cents(seg.Element(i))
		if err != nil {
			d.problem(intake.SeverityWarning, seg, i, "the adjustment "+err.Error())
			continue
		}
		d.providerAdjust += amount
	}
}

// finish hands out the payment under way.
func (d *paymentDecoder) finish() error {
	r := d.remit
	if r == nil {
		return nil
	}
	d.finishLine()
	p := &r.Payment
	p.TraceNumber, p.Method, p.PayerName = d.trace, d.method, d.payer.last
	p.PaidDate = d.paidDate
	if p.PaidDate == "" {
		p.PaidDate = d.produced
	}

	taxID := d.payeeTaxID
	if d.payee.qualifier == "FI" {
		taxID = d.payee.id
	}
	if taxID == "" && r.rendering.qualifier == "FI" {
		taxID = r.rendering.id
	}
	var valid bool
	switch p.FTIN, valid = intake.TaxID(taxID); {
	case taxID == "":
		r.Problems = append(r.Problems, d.atPayee(r, "the payee has no tax ID: N1*PE with FI or REF*TJ is needed"))
	case !valid:
		r.Problems = append(r.Problems, d.atPayee(r, "the payee's tax ID is not nine digits"))
	}
	if p.TraceNumber == "" {
		r.Add(intake.Located(intake.SeverityError, "2100", r.clp, 0, "the file names no check or transfer for it: TRN02 is needed"))
	}

	p.PatientFirstNameKey, p.PatientLastNameKey = text.Key(r.patient.first), text.Key(r.patient.last)
	p.BeginServiceDate = earliest(r.claimBegin, r.lineBegin)
	if r.amountsRead && r.lines <= maxLines && p.Charge-r.adjusted != p.Paid {
		r.Add(intake.Located(intake.SeverityWarning, "2100", r.clp, 4, "the payment is not the charge less the adjustments"))
	}
	d.tellBill(r)

	d.remit = nil
	r.Weight = 1 + len(p.Detail.Lines)
	if !r.Rejected() {
		r.Row = &r.Remittance
	}
	return d.out.Record(r.Record)
}

// tellBill makes the bill as far as its payment tells it, for payments of bills
// that no 837 brought.
func (d *paymentDecoder) tellBill(r *remit) {
	p, b := &r.Payment, &r.Bill
	b.Source, b.BillType, b.BillStatus, b.EOR = SourcePayment, "P", StatusReceived, true
	b.FTIN, b.PatientControlNumber, b.DocumentID = p.FTIN, p.PatientControlNumber, p.PatientControlNumber
	b.BillControlNumber = firstOf(r.RepricedClaimNumber, p.PayerControlNumber, p.PatientControlNumber)
	b.PatientFirstName, b.PatientMiddleName, b.PatientLastName = r.patient.first, r.patient.middle, r.patient.last
	if r.rendering.person {
		b.PhysicianFirstName, b.PhysicianMiddleName = r.rendering.first, r.rendering.middle
		b.PhysicianLastName, b.PhysicianNPI = r.rendering.last, r.rendering.npi()
	}
	b.FacilityName, b.FacilityNPI = d.payee.last, d.payee.npi()
	b.Detail.BillingName, b.Detail.BillingNPI = b.FacilityName, b.FacilityNPI
	b.PayerID, b.PayerName = d.payer.id, d.payer.last
	b.BillCharges = p.Charge
	b.BeginServiceDate, b.EndServiceDate = p.BeginServiceDate, latest(r.claimTo, r.lineEnd)
	if b.EndServiceDate == "" {
		b.EndServiceDate = b.BeginServiceDate
	}
	for _, l := range p.Detail.Lines {
		if l.Revenue != "" {
			b.BillType = "I"
		}
		b.Detail.Lines = append(b.Detail.Lines, Line{
			Number: l.Number, Revenue: l.Revenue, Procedure: l.Procedure, Qualifier: l.Qualifier, Modifiers: l.Modifiers,
			Charge: l.Charge, Units: l.Units, BeginDate: l.BeginDate, EndDate: l.EndDate, Allowance: l.Allowed,
		})
	}
}

func (d *paymentDecoder) atPayee(r *remit, reason string) intake.Problem {
	if d.payee.at.Number == 0 {
		return intake.Located(intake.SeverityError, "1000B", r.clp, 0, reason)
	}
	return intake.Located(intake.SeverityError, "1000B", d.payee.at, 4, reason)
}
