package decode

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/identifiers"
	"wcpp/internal/platform/ingest"
	"wcpp/internal/platform/text"
	"wcpp/internal/platform/x12"
)

// paymentDecoder follows the loops of an 835 and makes a Payment of every claim in it.
type paymentDecoder struct {
	out ingest.Sink

	loop           string
	method, trace  string
	handling       string      // BPR01
	total          int64       // BPR02
	totalAt        x12.Segment // of BPR, if it has a total
	totalKnown     bool        // the total is readable
	creditDebit    string      // BPR03
	effective      date.Date
	produced       date.Date // DTM*405
	payer          party
	payee          payee
	payees         map[string]payee // the paid payees
	named          map[string]bool  // all payees, including those paid nothing
	contacts       []facts.Contact  // at the payer
	set            *x12.Set
	payerTaxID     string // TRN03, and BPR10
	originator     string
	written        string              // GS04 and GS05
	equal          map[string]int      // payments and adjustments of each payee and identity so far
	slots          map[string][]string // identities of each slot so far
	paidSum        int64
	plbs           []facts.ProviderAdjustment // PLB
	providerAdjust int64
	parts          []*facts.RemittancePart // for each TIN, or NPI if there's no TIN
	remit          *remit
}

// payee is a payee of the set.
type payee struct {
	party
	taxID string // N1*PE with FI, otherwise REF*TJ
}

// key distinguishes the payees of a set.
func (p payee) key() string {
	if p.taxID != "" {
		return p.taxID
	}
	return strings.Join([]string{"", p.qualifier, p.id, p.last}, "\x1f")
}

// remit is the claim payment being decoded.
type remit struct {
	ingest.Record
	facts.Payment
	payee               payee
	clp                 x12.Segment
	patient, rendering  party
	amountsRead         bool
	line                *facts.PaidLine
	svc                 x12.Segment // SVC of the line; only its number and name are kept
	patientGiven        bool        // CLP05 is present
	lines               int
	adjusted            int64 // sum of all adjustments
	lineBegin, lineEnd  date.Date
	claimBegin, claimTo date.Date
}

func newPaymentDecoder(set *x12.Set, out ingest.Sink) ingest.SetDecoder {
	return &paymentDecoder{out: out, set: set, written: set.Written, equal: map[string]int{}, slots: map[string][]string{},
		payees: map[string]payee{}, named: map[string]bool{}}
}

func (d *paymentDecoder) Segment(seg x12.Segment) error {
	switch seg.ID {
	case "ST":
		d.loop = "header"
	case "BPR":
		d.money(seg)
	case "TRN":
		if d.remit == nil {
			d.trace, d.payerTaxID = ingest.Clean(seg.Element(2)), ingest.Clean(seg.Element(3))
		}
	case "N1":
		err := d.finish()
		d.name(seg)
		return err
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
		switch {
		case d.totalAt.Number == 0:
			d.out.Note(ingest.Located(ingest.SeverityWarning, "header", seg, 0, "BPR02 is empty; the payment amount is shown as unknown"))
		case d.totalKnown && d.total != d.paidSum-d.providerAdjust:
			d.out.Note(ingest.Located(ingest.SeverityWarning, "header", d.totalAt, 2,
				"the total isn't the sum of claims paid minus provider-level adjustments"))
		}
		if err != nil {
			return err
		}
		return d.finishSet()
	case "PER":
		d.contact(seg)
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

func (d *paymentDecoder) problem(s ingest.Severity, seg x12.Segment, element int, reason string) {
	if d.remit != nil {
		d.remit.Add(ingest.Located(s, d.loop, seg, element, reason))
		return
	}
	d.out.Note(ingest.Located(s, d.loop, seg, element, reason))
}

// money reads BPR: payment amount, method and date.
func (d *paymentDecoder) money(seg x12.Segment) {
	d.handling, d.creditDebit, d.method, d.originator = seg.Element(1), seg.Element(3), seg.Element(4), ingest.Clean(seg.Element(10))
	var err error
	if total := seg.Element(2); total != "" {
		d.totalAt = x12.Segment{ID: seg.ID, Number: seg.Number}
		if d.total, err = ingest.ParseCents(total); err != nil {
			d.problem(ingest.SeverityWarning, seg, 2, "the total "+err.Error())
		}
		d.totalKnown = err == nil
	}
	if seg.Element(16) != "" {
		if d.effective, err = x12.ParseDate(seg.Element(16)); err != nil {
			d.problem(ingest.SeverityWarning, seg, 16, "the date of payment "+err.Error())
		}
	}
}

// name reads N1, the payer or the payee. Unlike NM1, it isn't used for persons.
func (d *paymentDecoder) name(seg x12.Segment) {
	p := party{
		at:   x12.Segment{ID: seg.ID, Number: seg.Number},
		last: ingest.Clean(seg.Element(2)), qualifier: seg.Element(3), id: seg.Element(4),
	}
	switch seg.Element(1) {
	case "PR":
		d.loop, d.payer, d.contacts = "1000A", p, nil
	case "PE":
		d.addPayee()
		d.loop, d.payee = "1000B", payee{party: p}
		if p.qualifier == "FI" {
			d.payee.taxID = p.id
		}
		if p.qualifier == "XX" && !identifiers.IsNPI(p.id) {
			d.problem(ingest.SeverityWarning, seg, 4, "the NPI fails its check digit")
		}
	default:
		d.loop = "1000"
	}
}

// addPayee adds the last payee, after all of its segments are read.
func (d *paymentDecoder) addPayee() {
	if d.payee.at.Number > 0 {
		d.named[d.payee.key()] = true
	}
}

func (d *paymentDecoder) reference(seg x12.Segment) {
	value := ingest.Clean(seg.Element(2))
	switch {
	case d.loop == "1000A" && seg.Element(1) == "2U" && d.payer.id == "":
		d.payer.id = value
	case d.loop == "1000B" && seg.Element(1) == "TJ":
		d.payee.taxID = cmp.Or(d.payee.taxID, value)
	case d.loop == "2100" && seg.Element(1) == "9A":
		d.remit.Repriced = value
	case d.loop == "2100" && seg.Element(1) == "F8":
		d.remit.FormerNumber = value
	case d.loop == "2100" && seg.Element(1) == "CE":
		d.remit.Detail.Contract = value
	case d.loop == "2110" && d.remit.line == nil: // of a line past the limit
	case d.loop == "2110" && seg.Element(1) == "6R":
		d.remit.line.Control = value
	case d.loop == "2110" && seg.Element(1) == "0K":
		d.remit.line.Policy = value
	}
}

// maxContacts limits the stored contacts of a payer, and of a claim.
const maxContacts = 5

// contact reads PER: how to reach the payer's help, for all claims, or for one after a CLP.
func (d *paymentDecoder) contact(seg x12.Segment) {
	c := facts.Contact{For: seg.Element(1)}
	var to *[]facts.Contact
	switch {
	case d.loop == "1000A" && slices.Contains([]string{"CX", "BL", "IC"}, c.For):
		to = &d.contacts
	case d.loop == "2100" && c.For == "CX":
		to = &d.remit.Detail.Contacts
	default:
		return
	}
	for i := 3; i <= 7; i += 2 {
		switch value := ingest.Clean(seg.Element(i + 1)); seg.Element(i) {
		case "TE":
			c.Telephone = value
		case "EX":
			c.Extension = value
		case "UR":
			c.Web = value
		}
	}
	if (c.Telephone != "" || c.Web != "") && len(*to) < maxContacts {
		*to = append(*to, c)
	}
}

// begin starts the payment of a CLP segment.
func (d *paymentDecoder) begin(seg x12.Segment) {
	d.loop = "2100"
	r := &remit{clp: x12.Segment{ID: seg.ID, Number: seg.Number}, amountsRead: true, payee: d.payee}
	d.payees[d.payee.key()] = d.payee
	r.At = ingest.Located(ingest.SeverityError, d.loop, seg, 0, "")
	d.remit = r
	r.Payment = facts.Payment{
		Source: facts.FromRemittance, Written: d.written, Detail: facts.PaymentDetail{PlaceOfService: seg.Element(8)},
		Reported: facts.Bill{FrequencyCode: cmp.Or(seg.Element(9), "1")}, PatientControlNumber: ingest.Clean(seg.Element(1)),
		ClaimStatus:        seg.Element(2),
		PayerControlNumber: ingest.Clean(seg.Element(7)), Filing: ingest.Clean(seg.Element(6)), Offset: d.set.Offset,
	}
	if r.PatientControlNumber == "" {
		d.problem(ingest.SeverityError, seg, 1, "the patient control number is missing")
	}
	if r.ClaimStatus == "" {
		d.problem(ingest.SeverityError, seg, 2, "the claim's status is missing")
	}
	amount := func(element int, what string) int64 {
		n, err := ingest.ParseCents(seg.Element(element))
		if err != nil {
			d.problem(ingest.SeverityError, seg, element, what+" "+err.Error())
			r.amountsRead = false
		}
		return n
	}
	r.Charge = amount(3, "the charge")
	r.Paid = amount(4, "the payment")
	if r.patientGiven = seg.Element(5) != ""; r.patientGiven {
		r.PatientResponsibility = amount(5, "the patient responsibility")
	}
}

// detail reads the segments of a claim and its service lines.
func (d *paymentDecoder) detail(seg x12.Segment) {
	r := d.remit
	switch seg.ID {
	case "NM1":
		switch seg.Element(1) {
		case "QC":
			r.patient = newParty(d.loop, seg)
		case "82":
			r.rendering = newParty(d.loop, seg)
			if r.rendering.qualifier == "XX" && !identifiers.IsNPI(r.rendering.id) {
				d.problem(ingest.SeverityWarning, seg, 9, "the NPI fails its check digit")
			}
		}
	case "SVC":
		d.beginLine(seg)
	case "CAS":
		d.adjustments(seg)
	case "AMT":
		d.amount(seg)
	case "LQ":
		if r.line != nil && (seg.Element(1) == facts.RemarkCodes || seg.Element(1) == facts.PharmacyCodes) {
			addRemark(&r.line.Remarks, seg.Element(1), seg.Element(2))
		}
	case "MIA", "MOA":
		for _, i := range remarksAt[seg.ID] {
			addRemark(&r.Detail.Remarks, facts.RemarkCodes, seg.Element(i))
		}
	}
}

// amount reads AMT: interest and coverage of a claim, and the allowed amount and late filing
// reduction of a line.
func (d *paymentDecoder) amount(seg x12.Segment) {
	r := d.remit
	what := map[string]string{"2100I": "the interest", "2100AU": "the coverage", "2110B6": "the allowed amount",
		"2110KH": "the reduction"}[d.loop+seg.Element(1)]
	if what == "" || d.loop == "2110" && r.line == nil {
		return
	}
	cents, err := ingest.ParseCents(seg.Element(2))
	if err != nil {
		d.problem(ingest.SeverityWarning, seg, 2, what+" "+err.Error())
		return
	}
	switch seg.Element(1) {
	case "I":
		r.Detail.Amounts.Interest = cents
	case "AU":
		r.Detail.Amounts.Coverage = cents
	case "B6":
		r.line.Allowed = &cents
	case "KH":
		r.line.LateReduction = cents
	}
}

// remarksAt are the elements of MIA and MOA with remark codes.
var remarksAt = map[string][]int{"MIA": {5, 20, 21, 22, 23}, "MOA": {3, 4, 5, 6, 7}}

// maxRemarks is the number that the guides allow for one claim or line.
const maxRemarks = 99

func addRemark(to *[]facts.Remark, list, code string) {
	if code != "" && len(*to) < maxRemarks {
		*to = append(*to, facts.Remark{List: list, Code: code})
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
		d.problem(ingest.SeverityError, seg, 0, "exceeds the limit of 999 service lines per claim")
		return
	}
	l := &facts.PaidLine{Number: r.lines, Revenue: seg.Element(4), Units: seg.Element(5), BilledUnits: seg.Element(7)}
	l.BilledAs.Qualifier, l.BilledAs.Code, l.BilledAs.Modifiers = procedure(seg, 6)
	l.Qualifier, l.Procedure, l.Modifiers = procedure(seg, 1)
	if l.Qualifier == "NU" { // the line has only a revenue code
		l.Revenue, l.Qualifier, l.Procedure = cmp.Or(l.Revenue, l.Procedure), "", ""
	}
	var err error
	if l.Charge, err = ingest.ParseCents(seg.Element(2)); err != nil {
		d.problem(ingest.SeverityError, seg, 2, "the line's charge "+err.Error())
	}
	if l.Paid, err = ingest.ParseCents(cmp.Or(seg.Element(3), "0")); err != nil {
		d.problem(ingest.SeverityError, seg, 3, "the line's payment "+err.Error())
	}
	l.PaidUnknown = seg.Element(3) == ""
	r.line, r.svc = l, x12.Segment{ID: seg.ID, Number: seg.Number}
}

func (d *paymentDecoder) finishLine() {
	if r := d.remit; r.line != nil {
		if r.line.PaidUnknown {
			adjusted := int64(0)
			for _, a := range r.line.Adjustments {
				adjusted += a.Amount
			}
			if r.line.PaidUnknown = r.line.Charge != adjusted; r.line.PaidUnknown { // otherwise the line was paid $0
				r.Add(ingest.Located(ingest.SeverityWarning, "2110", r.svc, 3, "the line's payment is missing; it's shown as unknown"))
			}
		}
		r.lineBegin, r.lineEnd = earliest(r.lineBegin, r.line.BeginDate), max(r.lineEnd, r.line.EndDate)
		r.Detail.Lines = append(r.Detail.Lines, *r.line)
		r.line = nil
	}
}

// maxAdjustments is the number that the guides allow for one claim or line: 99 segments of six.
const maxAdjustments = 99 * 6

// adjustments reads CAS: a group and up to six reasons with amounts and quantities.
func (d *paymentDecoder) adjustments(seg x12.Segment) {
	r := d.remit
	list := &r.Detail.Adjustments
	if r.line != nil {
		list = &r.line.Adjustments
	} else if r.lines > 0 {
		return // of a line past the limit
	}
	for i := 2; i <= seg.Len() && i <= 17; i += 3 {
		if seg.Element(i) == "" && seg.Element(i+1) == "" {
			continue
		}
		amount, err := ingest.ParseCents(seg.Element(i + 1))
		switch {
		case seg.Element(i+1) == "":
			d.problem(ingest.SeverityWarning, seg, i+1, "the adjustment's amount is missing; its reason is kept and its amount is unknown")
		case err != nil:
			d.problem(ingest.SeverityWarning, seg, i+1, "the adjustment "+err.Error()+"; its reason is kept, its amount is unknown")
		case seg.Element(i) == "":
			d.problem(ingest.SeverityWarning, seg, i, "the adjustment's reason code is missing")
		}
		r.adjusted += amount
		if len(*list) == maxAdjustments {
			d.problem(ingest.SeverityWarning, seg, i, "exceeds the limit of 594 adjustments per claim or line; the rest is ignored")
			return
		}
		*list = append(*list, facts.Adjustment{Group: seg.Element(1), Reason: seg.Element(i), Amount: amount, Quantity: seg.Element(i + 2),
			Unknown: err != nil})
	}
}

// dates reads DTM: 405 is the file's date; 232 and 233 are the claim's dates; 050 is when the
// payer received it. A line has 472, or 150 and 151.
func (d *paymentDecoder) dates(seg x12.Segment) {
	var to []*date.Date
	switch q := seg.Element(1); {
	case d.remit == nil && q == "405":
		to = []*date.Date{&d.produced}
	case d.remit == nil:
	case q == "050" && d.loop == "2100":
		d.readReceived(seg)
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
	day, err := x12.ParseDate(seg.Element(2))
	last := day
	if seg.Element(2) == "" && seg.Element(5) == "RD8" { // a period instead of the day
		day, last, err = x12.ParsePeriod(seg.Element(5), seg.Element(6))
	}
	if err == nil && d.remit != nil {
		err = d.out.ServiceDate(last)
	}
	switch {
	case errors.Is(err, date.ErrTooEarly), errors.Is(err, ingest.ErrTooLate):
		d.problem(ingest.SeverityError, seg, 2, err.Error())
		return
	case err != nil:
		d.problem(ingest.SeverityWarning, seg, 2, err.Error())
		return
	}
	for _, field := range to {
		*field = day
	}
	if len(to) == 2 { // begin and end of a line
		*to[1] = last
	}
}

// readReceived reads when the payer received the claim. An invalid date doesn't reject the payment.
func (d *paymentDecoder) readReceived(seg x12.Segment) {
	day, err := x12.ParseDate(seg.Element(2))
	if err != nil {
		d.problem(ingest.SeverityWarning, seg, 2, err.Error())
	}
	d.remit.ReceivedOn = day
}

// providerAdjustments reads PLB: up to six reasons with references and amounts.
func (d *paymentDecoder) providerAdjustments(seg x12.Segment) {
	period, err := x12.ParseDate(seg.Element(2))
	if err != nil && seg.Element(2) != "" {
		d.problem(ingest.SeverityWarning, seg, 2, "the end of the fiscal year "+err.Error())
	}
	for i := 4; i-1 <= seg.Len() && i <= 14; i += 2 {
		if seg.Element(i) == "" {
			if seg.Element(i-1) != "" {
				d.problem(ingest.SeverityWarning, seg, i, "the provider-level adjustment's amount is missing; it's ignored")
			}
			continue
		}
		amount, err := ingest.ParseCents(seg.Element(i))
		if err != nil {
			d.problem(ingest.SeverityWarning, seg, i, "the adjustment "+err.Error())
			continue
		}
		d.providerAdjust += amount
		d.plbs = append(d.plbs, facts.ProviderAdjustment{
			Provider: ingest.Clean(seg.Element(1)), Period: period, Amount: amount,
			Reason: ingest.Clean(seg.Component(i-1, 1)), Reference: ingest.Clean(seg.Component(i-1, 2)),
		})
	}
}

// finish emits the current payment.
func (d *paymentDecoder) finish() error {
	r := d.remit
	if r == nil {
		return nil
	}
	d.finishLine()
	p := &r.Payment
	p.TraceNumber, p.Method, p.Payer, p.PaidDate = d.trace, d.method, d.identifiedPayer(), d.paidOn()

	taxID := r.payee.taxID
	if taxID == "" && r.rendering.qualifier == "FI" {
		taxID = r.rendering.id
	}
	var valid bool
	switch p.Reported.FTIN, valid = ingest.ParseTaxID(taxID); {
	case taxID == "" && identifiers.IsNPI(r.payee.npi()):
		p.PayeeNPI = r.payee.npi()
	case taxID == "" && r.payee.npi() != "":
		r.Problems = append(r.Problems, d.newPayeeProblem(r,
			"the payee's NPI fails its check digit, and the tax ID is missing: correct the NPI or add REF*TJ"))
	case taxID == "":
		r.Problems = append(r.Problems, d.newPayeeProblem(r,
			"the payee's tax ID is missing: N1*PE with FI or REF*TJ is required, or N1*PE with XX and an NPI"))
	case !valid:
		r.Problems = append(r.Problems, d.newPayeeProblem(r, "the payee's tax ID must have 9 digits"))
	}
	if p.TraceNumber == "" {
		r.Add(ingest.Located(ingest.SeverityError, "2100", r.clp, 0, "the check or transfer number is missing: TRN02 is required"))
	}

	p.Reported.BeginServiceDate = earliest(r.claimBegin, r.lineBegin)
	if r.amountsRead && r.lines <= maxLines && p.Charge-r.adjusted != p.Paid {
		r.Add(ingest.Located(ingest.SeverityWarning, "2100", r.clp, 4, "the payment isn't the charge minus the adjustments"))
	}
	d.fillBill(r)
	if p.ClaimStatus == facts.ClaimReversed && p.Paid > 0 {
		r.Add(ingest.Located(ingest.SeverityWarning, "2100", r.clp, 4,
			"a reversal should have negative amounts; this one is positive and was reversed anyway"))
		d.paidSum -= p.Paid
	} else {
		d.paidSum += p.Paid
	}

	d.remit = nil
	r.Weight = 1 + len(p.Detail.Lines)
	if !r.Rejected() {
		if !d.out.Checking {
			d.identify(p)
			if !r.patientGiven {
				p.SetPatientResponsibility()
			}
			p.EncodeDetail()
		}
		part := d.findPart(p.Reported.FTIN, p.PayeeNPI)
		part.Set.Payments = append(part.Set.Payments, p.ID())
		r.Row = &facts.Remitted{Payment: p}
	}
	return d.out.Record(r.Record)
}

// identifiedPayer returns the payer by the strongest identification in the set. The first digit
// of TRN03 is the type of identifier.
func (d *paymentDecoder) identifiedPayer() string {
	if len(d.payerTaxID) > 1 {
		return d.payerTaxID[1:]
	}
	return cmp.Or(d.originator, d.payer.id, text.Key(d.payer.last))
}

func (d *paymentDecoder) paidOn() date.Date {
	if d.effective == "" {
		return d.produced
	}
	return d.effective
}

// findPart returns the part of the set for a TIN, or for an NPI without a TIN.
func (d *paymentDecoder) findPart(tin, npi string) *facts.RemittancePart {
	for _, part := range d.parts {
		if part.Set.FTIN == tin && part.Set.PayeeNPI == npi {
			return part
		}
	}
	part := &facts.RemittancePart{Set: facts.RemittanceSet{FTIN: tin, PayeeNPI: npi}}
	d.parts = append(d.parts, part)
	return part
}

// finishSet emits the set's own data for its payees. Adjustments belong to the payee they name.
// If they name none of several payees, they belong to none.
func (d *paymentDecoder) finishSet() error {
	if len(d.payees) == 0 {
		d.readWithoutClaims()
	}
	if d.trace == "" || len(d.parts) == 0 {
		return nil
	}
	d.addPayee()
	payer := d.identifiedPayer()
	for _, part := range d.parts {
		s := &part.Set
		s.Remittance, s.Written, s.Payees = facts.IdentifyRemittance(payer, d.trace, d.paidOn()), d.written,
			max(len(d.parts), len(d.payees), len(d.named))
		s.Payer, s.PayerID, s.PayerName, s.TraceNumber = payer, d.payer.id, d.payer.last, d.trace
		if len(d.payerTaxID) > 1 {
			s.PayerTaxID = d.payerTaxID[1:]
		}
		s.PaidOn, s.EffectiveOn, s.ProducedOn = d.paidOn(), d.effective, d.produced
		s.Handling, s.CreditDebit, s.Method, s.Amount, s.AmountKnown = d.handling, d.creditDebit, d.method, d.total, d.totalKnown
		s.ClaimsPaid, s.Adjusted, s.Contacts = d.paidSum, d.providerAdjust, d.contacts
		s.Offset, s.Length = d.set.Offset, d.set.Length
	}
	for _, a := range d.plbs {
		part := d.findAdjustedPart(a.Provider)
		if part == nil {
			continue
		}
		a.FTIN, a.Remittance = part.Set.FTIN, part.Set.Remittance
		a.Identify()
		payee := part.Set.FTIN + part.Set.PayeeNPI
		d.equal[payee+a.Fact]++
		a.Occurrence = d.equal[payee+a.Fact]
		part.Adjustments = append(part.Adjustments, a)
		part.Set.Adjustments = append(part.Set.Adjustments, a.ID())
	}
	if !d.out.Checking {
		facts.IdentifySets(d.parts)
	}
	row := &facts.Remitted{}
	for _, part := range d.parts {
		row.Parts = append(row.Parts, *part)
	}
	return d.out.Record(ingest.Record{Row: row, At: ingest.Problem{Severity: ingest.SeverityError, Segment: d.set.Segment, Loop: "header",
		Element: "ST"}, Weight: 1 + len(d.plbs)})
}

// readWithoutClaims reads a set that has only provider-level adjustments. Without a claim, no bill
// can prove the payee. If no office will see the set, the file's report mentions it.
func (d *paymentDecoder) readWithoutClaims() {
	if d.payee.at.Number > 0 {
		d.payees[d.payee.key()] = d.payee
	}
	unseen := func(reason string) {
		d.out.Note(ingest.Located(ingest.SeverityWarning, "header", d.payee.at, 0, reason))
	}
	tin, valid := ingest.ParseTaxID(d.payee.taxID)
	npi := d.payee.npi()
	switch {
	case d.trace == "":
		unseen("the set has neither a claim nor a trace number (TRN02) and is ignored")
	case valid:
		d.findPart(tin, "")
	case identifiers.IsNPI(npi) && d.payee.taxID == "":
		d.findPart("", npi)
		unseen("the set contains no claims and names its payee by NPI only, so no office sees it")
	case npi != "" && d.payee.taxID == "":
		unseen("the set has no claim, its payee's NPI fails its check digit, and the tax ID is missing, so the set is ignored")
	default:
		unseen("the set has neither a claim nor a payee tax ID and is ignored")
	}
}

// findAdjustedPart returns the part of the set for the payee named by a PLB. Several payees can have an NPI.
func (d *paymentDecoder) findAdjustedPart(provider string) *facts.RemittancePart {
	if len(d.parts) == 1 && len(d.payees) == 1 && len(d.named) <= 1 {
		return d.parts[0]
	}
	tin, npi, named := "", "", map[string]bool{}
	for _, p := range d.payees {
		if own, _ := ingest.ParseTaxID(p.taxID); provider == own || provider == p.npi() {
			tin, npi = own, p.npi()
			named[cmp.Or(own, npi)] = true
		}
	}
	if len(named) > 1 {
		return nil
	}
	for _, part := range d.parts {
		if s := part.Set; s.FTIN != "" && (s.FTIN == tin || s.FTIN == provider) || s.FTIN == "" && s.PayeeNPI == npi {
			return part
		}
	}
	return nil
}

// identify numbers equal payments of the set, and notes payments that don't correct each other
// because they're in the same set.
func (d *paymentDecoder) identify(p *facts.Payment) {
	p.Identify()
	payee := p.Reported.FTIN + p.PayeeNPI
	d.equal[payee+p.Fact]++
	p.Occurrence = d.equal[payee+p.Fact]
	for _, other := range d.slots[payee+p.Slot] {
		if other != p.Fact {
			p.ToldWith = append(p.ToldWith, other)
		}
	}
	if p.Occurrence == 1 {
		d.slots[payee+p.Slot] = append(d.slots[payee+p.Slot], p.Fact)
	}
	slices.Sort(p.ToldWith)
}

// fillBill fills the bill as far as the payment describes it, for payments without a bill in any
// 837.
func (d *paymentDecoder) fillBill(r *remit) {
	b := &r.Reported
	b.BillType = "P"
	if slices.ContainsFunc(r.Detail.Lines, func(l facts.PaidLine) bool { return l.Revenue != "" }) {
		b.BillType = "I"
	}
	b.PatientFirstName, b.PatientMiddleName, b.PatientLastName = r.patient.first, r.patient.middle, r.patient.last
	if r.rendering.person {
		b.PhysicianFirstName, b.PhysicianMiddleName = r.rendering.first, r.rendering.middle
		b.PhysicianLastName, b.PhysicianNPI = r.rendering.last, r.rendering.npi()
	}
	b.FacilityName, b.FacilityNPI = r.payee.last, r.payee.npi()
	b.PayerID, b.PayerName = d.payer.id, d.payer.last
	if b.EndServiceDate = max(r.claimTo, r.lineEnd); b.EndServiceDate == "" {
		b.EndServiceDate = b.BeginServiceDate
	}
}

func (d *paymentDecoder) newPayeeProblem(r *remit, reason string) ingest.Problem {
	if r.payee.at.Number == 0 {
		return ingest.Located(ingest.SeverityError, "1000B", r.clp, 0, reason)
	}
	return ingest.Located(ingest.SeverityError, "1000B", r.payee.at, 4, reason)
}
