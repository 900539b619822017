package feeds

import (
	"wcpp/internal/feeds/x12"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/identifiers"
)

// paymentDecoder follows the loops of an 835 and makes a Payment of every
// claim in it.
type paymentDecoder struct {
	out sink

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
	record
	payment             Payment
	clp                 x12.Segment
	patient, rendering  party
	amountsRead         bool
	line                *PaidLine
	lines               int
	adjusted            int64 // sum of all adjustments
	lineBegin, lineEnd  date.Date
	claimBegin, claimTo date.Date
}

func (d *paymentDecoder) segment(seg x12.Segment) error {
	switch seg.ID {
	case "ST":
		d.loop = "header"
	case "BPR":
		d.money(seg)
	case "TRN":
		if d.remit == nil {
			d.trace = clean(seg.Element(2))
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
			d.out.note(located(SeverityWarning, "header", d.totalAt, 2, "the total is not the sum of the claims paid less the provider adjustments"))
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

func (d *paymentDecoder) problem(s Severity, seg x12.Segment, element int, reason string) {
	if d.remit != nil {
		d.remit.problem(s, d.loop, seg, element, reason)
		return
	}
	d.out.note(located(s, d.loop, seg, element, reason))
}

// money reads BPR: how much is paid, how and when.
func (d *paymentDecoder) money(seg x12.Segment) {
	d.method = seg.Element(4)
	total, err := cents(seg.Element(2))
	if err != nil {
		d.problem(SeverityWarning, seg, 2, "the total "+err.Error())
	} else {
		d.total, d.totalAt = total, x12.Segment{ID: seg.ID, Number: seg.Number}
	}
	if seg.Element(16) != "" {
		if d.paidDate, err = compact(seg.Element(16)); err != nil {
			d.problem(SeverityWarning, seg, 16, "the date of payment "+err.Error())
		}
	}
}

// name reads N1, the payer or the payee; unlike NM1 it knows no persons.
func (d *paymentDecoder) name(seg x12.Segment) {
	p := party{
		at:   x12.Segment{ID: seg.ID, Number: seg.Number},
		last: clean(seg.Element(2)), qualifier: seg.Element(3), id: seg.Element(4),
	}
	switch seg.Element(1) {
	case "PR":
		d.loop, d.payer = "1000A", p
	case "PE":
		d.loop, d.payee = "1000B", p
		if p.qualifier == "XX" && !identifiers.ValidNPI(p.id) {
			d.problem(SeverityWarning, seg, 4, "the NPI fails its check digit")
		}
	}
}

func (d *paymentDecoder) reference(seg x12.Segment) {
	value := clean(seg.Element(2))
	switch {
	case d.loop == "1000A" && seg.Element(1) == "2U" && d.payer.id == "":
		d.payer.id = value
	case d.loop == "1000B" && seg.Element(1) == "TJ":
		d.payeeTaxID = value
	case d.loop == "2100" && seg.Element(1) == "9A":
		d.remit.payment.RepricedClaimNumber = value
	}
}

// begin starts the payment of a CLP segment.
func (d *paymentDecoder) begin(seg x12.Segment) {
	d.loop = "2100"
	d.occurrence++
	r := &remit{clp: x12.Segment{ID: seg.ID, Number: seg.Number}, amountsRead: true}
	r.at = located(SeverityError, d.loop, seg, 0, "")
	d.remit = r
	r.payment = Payment{
		Occurrence: d.occurrence, PatientControlNumber: clean(seg.Element(1)), ClaimStatus: seg.Element(2),
		PayerControlNumber: clean(seg.Element(7)), PlaceOfService: seg.Element(8), FrequencyCode: seg.Element(9),
	}
	if r.payment.PatientControlNumber == "" {
		d.problem(SeverityError, seg, 1, "the patient control number is missing")
	}
	if r.payment.ClaimStatus == "" {
		d.problem(SeverityError, seg, 2, "the claim's status is missing")
	}
	amount := func(element int, what string) int64 {
		n, err := cents(seg.Element(element))
		if err != nil {
			d.problem(SeverityError, seg, element, what+" "+err.Error())
			r.amountsRead = false
		}
		return n
	}
	r.payment.Charge = amount(3, "the charge")
	r.payment.Paid = amount(4, "the payment")
	if seg.Element(5) != "" {
		r.payment.PatientResponsibility = amount(5, "the patient's part")
	}
	d.paidSum += r.payment.Paid
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
				d.problem(SeverityWarning, seg, 9, "the NPI fails its check digit")
			}
		}
	case "SVC":
		d.beginLine(seg)
	case "CAS":
		d.adjustments(seg)
	case "AMT":
		if r.line != nil && seg.Element(1) == "B6" {
			allowed, err := cents(seg.Element(2))
			if err != nil {
				d.problem(SeverityWarning, seg, 2, "the allowed amount "+err.Error())
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
		d.problem(SeverityError, seg, 0, "is one service line more than the 999 a claim may have")
		return
	}
	l := &PaidLine{Number: r.lines, Revenue: seg.Element(4), Units: seg.Element(5)}
	l.Qualifier, l.Procedure, l.Modifiers = procedure(seg, 1)
	if l.Qualifier == "NU" { // the line is known by its revenue code alone
		l.Revenue, l.Qualifier, l.Procedure = firstOf(l.Revenue, l.Procedure), "", ""
	}
	var err error
	if l.Charge, err = cents(seg.Element(2)); err != nil {
		d.problem(SeverityError, seg, 2, "the line's charge "+err.Error())
	}
	if l.Paid, err = cents(firstOf(seg.Element(3), "0")); err != nil {
		d.problem(SeverityError, seg, 3, "the line's payment "+err.Error())
	}
	r.line = l
}

func (d *paymentDecoder) finishLine() {
	if r := d.remit; r.line != nil {
		r.lineBegin, r.lineEnd = earliest(r.lineBegin, r.line.BeginDate), latest(r.lineEnd, r.line.EndDate)
		r.payment.Lines = append(r.payment.Lines, *r.line)
		r.line = nil
	}
}

// maxAdjustments is what the guides allow for one claim or line: 99 segments
// of six.
const maxAdjustments = 99 * 6

// adjustments reads CAS: a group and up to six reasons with their amounts.
func (d *paymentDecoder) adjustments(seg x12.Segment) {
	r := d.remit
	list := &r.payment.Adjustments
	if r.line != nil {
		list = &r.line.Adjustments
	} else if r.lines > 0 {
		return // of a line past the limit
	}
	for i := 2; i+1 <= seg.Len() && i <= 17; i += 3 {
		if seg.Element(i) == "" && seg.Element(i+1) == "" {
			continue
		}
		amount, err := cents(seg.Element(i + 1))
		if err != nil {
			d.problem(SeverityWarning, seg, i+1, "the adjustment "+err.Error())
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
	day, err := compact(seg.Element(2))
	if err != nil {
		d.problem(SeverityWarning, seg, 2, err.Error())
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
		amount, err := cents(seg.Element(i))
		if err != nil {
			d.problem(SeverityWarning, seg, i, "the adjustment "+err.Error())
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
	p := &r.payment
	p.PayeeName, p.TraceNumber, p.Method = d.payee.last, d.trace, d.method
	p.PayerID, p.PayerName = d.payer.id, d.payer.last
	p.PaidDate = d.paidDate
	if p.PaidDate == "" {
		p.PaidDate = d.produced
	}
	if d.payee.qualifier == "XX" {
		p.PayeeNPI = d.payee.id
	}

	taxID := d.payeeTaxID
	if d.payee.qualifier == "FI" {
		taxID = d.payee.id
	}
	if taxID == "" && r.rendering.qualifier == "FI" {
		taxID = r.rendering.id
	}
	var valid bool
	switch p.FTIN, valid = ftin(taxID); {
	case taxID == "":
		r.problems = append(r.problems, d.atPayee(r, "the payee has no tax ID: N1*PE with FI or REF*TJ is needed"))
	case !valid:
		r.problems = append(r.problems, d.atPayee(r, "the payee's tax ID is not nine digits"))
	}
	if p.TraceNumber == "" {
		r.problem(SeverityError, "2100", r.clp, 0, "the file names no check or transfer for it: TRN02 is needed")
	}

	p.PatientFirstName, p.PatientMiddleName, p.PatientLastName = r.patient.first, r.patient.middle, r.patient.last
	if r.rendering.person {
		p.PhysicianFirstName, p.PhysicianMiddleName = r.rendering.first, r.rendering.middle
		p.PhysicianLastName, p.PhysicianNPI = r.rendering.last, r.rendering.npi()
	}
	p.BeginServiceDate, p.EndServiceDate = earliest(r.claimBegin, r.lineBegin), latest(r.claimTo, r.lineEnd)
	if p.EndServiceDate == "" {
		p.EndServiceDate = p.BeginServiceDate
	}
	if r.amountsRead && r.lines <= maxLines && p.Charge-r.adjusted != p.Paid {
		r.problem(SeverityWarning, "2100", r.clp, 4, "the payment is not the charge less the adjustments")
	}

	d.remit = nil
	r.weight = 1 + len(p.Lines)
	if !r.rejected() {
		r.row = p
	}
	return d.out.record(r.record)
}

func (d *paymentDecoder) atPayee(r *remit, reason string) Problem {
	if d.payee.at.Number == 0 {
		return located(SeverityError, "1000B", r.clp, 0, reason)
	}
	return located(SeverityError, "1000B", d.payee.at, 4, reason)
}
