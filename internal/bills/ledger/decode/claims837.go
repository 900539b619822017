// Package decode reads bills and payments from X12 files and tables as facts.
package decode

import (
	"cmp"
	"slices"
	"strings"

	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/identifiers"
	"wcpp/internal/platform/ingest"
	"wcpp/internal/platform/x12"
)

// claimDecoder follows the loops of a professional, institutional or dental 837 and makes a
// Submission of every claim.
type claimDecoder struct {
	out      ingest.Sink
	billType string // P professional and dental, I institutional
	service  string // the segment of a line: SV1, SV2 or SV3

	loop      string
	reporting bool
	set       *x12.Set
	written   string    // BHT04 and BHT05, otherwise the set's date and time
	made      date.Date // BHT04
	billing   party
	// The subscriber is the policyholder; in workers' compensation, that's the employer.
	subscriber, patient, payer party
	filing                     string // claim filing indicator of the subscriber's insurance
	dependent                  bool   // the claim belongs to a patient level of its own
	// named is the party that N4, DMG and REF segments belong to.
	named *party
	other party // receives data of parties we don't store
	claim *claim
}

// claim is the claim being decoded.
type claim struct {
	ingest.Record
	sent                            facts.Submission
	clm                             x12.Segment // only its number and name are kept
	chargesRead, priced, linePriced bool
	refused                         bool // the network didn't reprice the claim
	allowance, lineAllowance        *int64
	lineUnpriced                    bool // a line with a charge has no allowance
	rendering, attending, facility  party
	lineRendering                   party
	placeState                      string // state of an auto accident
	lineCharges                     int64
	line                            *facts.Line
	lx                              x12.Segment // LX of the line; only its number and name are kept
	serviced                        bool        // the line has its service segment
	lines                           int
}

// The implementation guides, in versions 5010 and 4010, with any addendum.
var (
	professionalGuides  = []string{"005010X222", "004010X098"}
	institutionalGuides = []string{"005010X223", "004010X096"}
	dentalGuides        = []string{"005010X224", "004010X097"}
)

func newClaimDecoder(set *x12.Set, out ingest.Sink) ingest.SetDecoder {
	of := func(guides []string) bool {
		return slices.ContainsFunc(guides, func(guide string) bool { return strings.HasPrefix(set.Implementation, guide) })
	}
	switch {
	case of(institutionalGuides):
		return &claimDecoder{out: out, set: set, written: set.Written, billType: "I", service: "SV2"}
	case of(dentalGuides):
		return &claimDecoder{out: out, set: set, written: set.Written, billType: "P", service: "SV3"}
	}
	return &claimDecoder{out: out, set: set, written: set.Written, billType: "P", service: "SV1"}
}

func (d *claimDecoder) Segment(seg x12.Segment) error {
	switch seg.ID {
	case "ST":
		d.loop = "header"
	case "BHT":
		d.header(seg)
	case "HL":
		return d.level(seg)
	case "SBR":
		if d.claim == nil {
			d.filing = ingest.Clean(seg.Element(9))
		} else {
			d.loop, d.named = "2320", nil
		}
	case "NM1":
		d.name(seg)
	case "N4":
		if d.named != nil {
			d.named.state = seg.Element(2)
		}
	case "DMG":
		if d.named != nil && seg.Element(1) == "D8" {
			d.named.birthDate, d.named.gender = seg.Element(2), seg.Element(3)
		}
	case "REF":
		d.reference(seg)
	case "CLM":
		err := d.finish()
		d.begin(seg)
		return err
	case "SE":
		return d.finish()
	default:
		if d.claim != nil {
			d.detail(seg)
		}
	}
	return nil
}

// kind returns the kind of the guide, because each writes service lines differently.
func (d *claimDecoder) kind() string {
	return map[string]string{"SV1": "P", "SV2": "I", "SV3": "D"}[d.service]
}

// header reads the purpose of the set and when it was written. If the date is invalid or in the
// future, the date of the group or the interchange is used.
func (d *claimDecoder) header(seg x12.Segment) {
	d.reporting = seg.Element(6) == "RP"
	written, wrong := x12.FormatMoment(seg.Element(4), seg.Element(5))
	made, err := x12.ParseDay(strings.TrimSpace(seg.Element(4)))
	if err == nil {
		if wrong[0] = d.out.WrittenDate(made); wrong[0] != nil {
			written = ""
		}
	}
	for i, err := range wrong {
		if err != nil {
			d.problem(ingest.SeverityWarning, seg, 4+i, err.Error())
		}
	}
	if written == "" {
		return
	}
	d.written, d.made = written, made
}

// level starts a hierarchical level: billing provider, subscriber or patient.
func (d *claimDecoder) level(seg x12.Segment) error {
	err := d.finish()
	d.named = nil
	switch seg.Element(3) {
	case "20":
		d.loop, d.dependent = "2000A", false
		d.billing, d.subscriber, d.patient, d.payer, d.filing = party{}, party{}, party{}, party{}, ""
	case "22":
		d.loop, d.dependent = "2000B", false
		d.subscriber, d.patient, d.payer, d.filing = party{}, party{}, party{}, ""
	case "23":
		d.loop, d.dependent = "2000C", true
		d.patient = party{}
	default:
		d.problem(ingest.SeverityWarning, seg, 3, "isn't level 20, 22 or 23")
	}
	return err
}

// loops maps an NM1 entity to the loop it opens before the claim, claimLoops within it.
var (
	loops = map[string]string{
		"41": "1000A", "40": "1000B", "85": "2010AA", "87": "2010AB", "PE": "2010AC",
		"IL": "2010BA", "PR": "2010BB", "QC": "2010CA",
	}
	claimLoops = map[string]map[string]string{
		"P": {"DN": "2310A", "P3": "2310A", "82": "2310B", "77": "2310C", "FA": "2310C", "LI": "2310C", "TL": "2310C",
			"DQ": "2310D", "PW": "2310E", "45": "2310F"},
		"I": {"71": "2310A", "72": "2310B", "73": "2310C", "ZZ": "2310C", "82": "2310D", "77": "2310E", "FA": "2310E", "DN": "2310F"},
	}
)

// name opens the loop of a party.
func (d *claimDecoder) name(seg x12.Segment) {
	code := seg.Element(1)
	d.named = &d.other
	if d.claim == nil {
		d.loop = cmp.Or(loops[code], d.loop)
		switch code {
		case "85":
			d.named = &d.billing
		case "IL":
			d.named = &d.subscriber
		case "QC":
			d.named = &d.patient
		case "PR":
			d.named = &d.payer
		}
	} else {
		switch {
		case d.loop >= "2400":
			d.loop = "2420"
			if code == "82" && d.claim.lineRendering.last == "" {
				d.named = &d.claim.lineRendering
			}
		case d.loop >= "2320":
			d.loop = "2330" // parties of another payer
		default:
			d.loop = cmp.Or(claimLoops[d.billType][code], "2310")
			switch code {
			case "82":
				d.named = &d.claim.rendering
			case "71":
				d.named = &d.claim.attending
			case "77", "FA", "LI", "TL":
				d.named = &d.claim.facility
			}
		}
	}
	*d.named = newParty(d.loop, seg)
	if d.named != &d.other && d.named.qualifier == "XX" && !identifiers.IsNPI(d.named.id) {
		d.problem(ingest.SeverityWarning, seg, 9, "the NPI fails its check digit")
	}
}

// reference reads the REF segments for a tax ID, the claim or the bill.
func (d *claimDecoder) reference(seg x12.Segment) {
	value := ingest.Clean(seg.Element(2))
	c := d.claim
	if c != nil && d.loop == "2400" && c.line != nil && seg.Element(1) == "6R" {
		c.line.Control = value
	}
	if c != nil && d.loop == "2300" {
		switch seg.Element(1) {
		case "G1":
			c.sent.Detail.Authorization = value
		case "9A":
			c.sent.Repriced = value
		case "9C":
			c.sent.Adjusted = value
		case "F8":
			c.sent.Original = value
		case "D9":
			c.sent.Clearinghouse = value
		case "LU":
			if d.billType == "I" {
				c.placeState = value
			}
		}
		return
	}
	if d.named == nil {
		return
	}
	switch seg.Element(1) {
	case "EI":
		d.named.employerID = value
	case "SY":
		d.named.socialNumber = value
	case "Y4":
		d.named.claimNumber = value
	}
}

// begin starts the claim of a CLM segment.
func (d *claimDecoder) begin(seg x12.Segment) {
	d.loop, d.named = "2300", nil
	c := &claim{clm: x12.Segment{ID: seg.ID, Number: seg.Number}}
	c.At = ingest.Located(ingest.SeverityError, d.loop, seg, 0, "")
	d.claim = c
	c.sent = facts.Submission{
		Source: facts.FromClaim, Kind: d.kind(), Written: d.written, Offset: d.set.Offset,
		Detail: facts.Detail{PlaceOfService: seg.Component(5, 1)},
		Reported: facts.Bill{
			PatientControlNumber: ingest.Clean(seg.Element(1)), BillType: d.billType,
			FrequencyCode: cmp.Or(seg.Component(5, 3), "1"),
			ReceivedOn:    d.made, ReceivedBasis: facts.ReceivedWithFile,
		},
	}
	if c.sent.Reported.PatientControlNumber == "" {
		d.problem(ingest.SeverityError, seg, 1, "the patient control number is missing")
	}
	var err error
	if c.sent.Reported.BillCharges, err = ingest.ParseCents(seg.Element(2)); err != nil {
		d.problem(ingest.SeverityError, seg, 2, "the charge "+err.Error())
	}
	c.chargesRead = err == nil
	if d.billType == "P" {
		c.placeState = seg.Component(11, 4)
	}
}

// detail reads the segments of a claim and its lines.
func (d *claimDecoder) detail(seg x12.Segment) {
	c := d.claim
	switch seg.ID {
	case "LX":
		d.beginLine(seg)
	case "SV1", "SV2", "SV3":
		d.serviceLine(seg)
	case "LIN":
		d.loop = "2410"
	case "SVD":
		d.loop = "2430"
	case "LQ":
		d.loop = "2440"
	case "DTP":
		d.dates(seg)
	case "PWK":
		switch {
		case d.loop == "2300":
			addAttachment(&c.sent.Detail.Attachments, seg)
		case d.loop == "2400" && c.line != nil:
			addAttachment(&c.line.Attachments, seg)
		}
	case "HI":
		if d.loop == "2300" {
			d.codes(seg)
		}
	case "HCP":
		switch {
		case d.loop == "2300":
			c.priced, c.refused = true, isRefused(seg)
			c.sent.Reported.RepricingMethod, c.sent.Detail.RepricerID, c.sent.Detail.RejectReason = seg.Element(1), seg.Element(4),
				seg.Element(13)
			c.allowance, c.sent.Detail.Pricing = d.allowance(seg), d.pricing(seg)
		case d.loop == "2400" && c.line != nil:
			c.linePriced = true
			c.line.RepricingMethod, c.line.Allowance, c.line.Pricing = seg.Element(1), d.allowance(seg), d.pricing(seg)
			if c.line.Allowance != nil {
				sum := *c.line.Allowance
				if c.lineAllowance != nil {
					sum += *c.lineAllowance
				}
				c.lineAllowance = &sum
			}
		}
	}
}

// isRefused reports whether an HCP means that the network didn't reprice the bill: method 00 with
// a reject reason. In that case, the zero amount isn't an allowance.
func isRefused(seg x12.Segment) bool { return seg.Element(1) == "00" && seg.Element(13) != "" }

// allowance reads HCP02.
func (d *claimDecoder) allowance(seg x12.Segment) *int64 {
	if isRefused(seg) || seg.Element(2) == "" {
		return nil
	}
	amount, err := ingest.ParseCents(seg.Element(2))
	if err != nil {
		d.problem(ingest.SeverityError, seg, 2, "the allowed amount "+err.Error())
		return nil
	}
	return &amount
}

// pricing reads the rest of HCP.
func (d *claimDecoder) pricing(seg x12.Segment) facts.Pricing {
	p := facts.Pricing{Rate: seg.Element(5), Policy: ingest.Clean(seg.Element(14)), Exception: ingest.Clean(seg.Element(15))}
	if seg.Element(3) != "" {
		savings, err := ingest.ParseCents(seg.Element(3))
		if err != nil {
			d.problem(ingest.SeverityWarning, seg, 3, "the savings "+err.Error())
			return p
		}
		p.Savings = &savings
	}
	return p
}

// maxAttachments is the number of PWK segments that the guides allow in one claim or line.
const maxAttachments = 10

func addAttachment(to *[]facts.Attachment, seg x12.Segment) {
	if len(*to) < maxAttachments {
		*to = append(*to, facts.Attachment{Report: seg.Element(1), Sent: seg.Element(2), Control: ingest.Clean(seg.Element(6))})
	}
}

func (d *claimDecoder) dates(seg x12.Segment) {
	c := d.claim
	qualifier := seg.Element(1)
	service := qualifier == "472" && (d.loop == "2400" || d.loop == "2300") || qualifier == "434" && d.loop == "2300"
	injury := qualifier == "439" && d.loop == "2300"
	received := qualifier == "050" && d.loop == "2300"
	if !service && !injury && !received {
		return
	}
	begin, end, err := x12.ParsePeriod(seg.Element(2), seg.Element(3))
	if err == nil && service {
		err = d.out.ServiceDate(end)
	}
	switch {
	case err != nil:
		d.problem(ingest.SeverityError, seg, 3, err.Error())
	case received:
		c.sent.Reported.ReceivedOn, c.sent.Reported.ReceivedBasis = begin, facts.ReceivedByRepricer
	case injury:
		c.sent.Reported.DateOfInjury = begin
	case d.loop == "2300":
		c.sent.Reported.BeginServiceDate, c.sent.Reported.EndServiceDate = begin, end
	case c.line != nil:
		c.line.BeginDate, c.line.EndDate = begin, end
	}
}

// diagnosisLists are the HI code lists for diagnoses, in ICD-9 and ICD-10: principal, other,
// admitting, external cause and reason for visit.
var diagnosisLists = []string{"BK", "ABK", "BF", "ABF", "BJ", "ABJ", "BN", "ABN", "PR", "APR"}

const maxDiagnoses = 50

// codes reads diagnoses and the accident date among the occurrence codes. Codes 01 to 06 are
// accidents and crimes, including employment-related ones.
func (d *claimDecoder) codes(seg x12.Segment) {
	b, detail := &d.claim.sent.Reported, &d.claim.sent.Detail
	for i := 1; i <= seg.Len(); i++ {
		list, code := seg.Component(i, 1), seg.Component(i, 2)
		switch {
		case slices.Contains(diagnosisLists, list):
			if code != "" && !slices.Contains(detail.Diagnoses, code) && len(detail.Diagnoses) < maxDiagnoses {
				detail.Diagnoses = append(detail.Diagnoses, code)
			}
		case list == "BH" && len(code) == 2 && code >= "01" && code <= "06" && b.DateOfInjury == "":
			begin, _, err := x12.ParsePeriod(seg.Component(i, 3), seg.Component(i, 4))
			if err != nil {
				d.problem(ingest.SeverityWarning, seg, i, "the occurrence "+err.Error())
			}
			b.DateOfInjury = begin
		}
	}
}

func (d *claimDecoder) beginLine(seg x12.Segment) {
	d.finishLine()
	d.loop, d.named = "2400", nil
	c := d.claim
	c.lines++
	c.line = nil
	switch {
	case c.lines <= maxLines:
		c.line = &facts.Line{Number: c.lines}
		c.lx, c.serviced = x12.Segment{ID: seg.ID, Number: seg.Number}, false
	case c.lines == maxLines+1:
		d.problem(ingest.SeverityError, seg, 0, "exceeds the limit of 999 service lines per claim")
	}
}

// serviceLine reads the service of a line: SV1 from a physician, SV2 from a hospital, SV3 from a
// dentist.
func (d *claimDecoder) serviceLine(seg x12.Segment) {
	l := d.claim.line
	if l == nil || d.loop != "2400" {
		return
	}
	d.claim.serviced = true
	if seg.ID != d.service {
		d.problem(ingest.SeverityError, seg, 0, "isn't a line of this guide, which has "+d.service)
		return
	}
	place := d.claim.sent.Detail.PlaceOfService
	switch seg.ID {
	case "SV1":
		d.lineProcedure(seg, 1)
		d.lineCharge(seg, 2)
		l.UnitBasis, l.Units = seg.Element(3), seg.Element(4)
		l.PlaceOfService = cmp.Or(seg.Element(5), place)
	case "SV2":
		l.Revenue = seg.Element(1)
		d.lineProcedure(seg, 2)
		d.lineCharge(seg, 3)
		l.UnitBasis, l.Units = seg.Element(4), seg.Element(5)
	case "SV3":
		d.lineProcedure(seg, 1)
		d.lineCharge(seg, 2)
		l.PlaceOfService = cmp.Or(seg.Element(3), place)
		l.UnitBasis, l.Units = "UN", cmp.Or(seg.Element(6), "1") // counts procedures, 1 if there's no count
	}
}

func (d *claimDecoder) lineProcedure(seg x12.Segment, element int) {
	l := d.claim.line
	l.Qualifier, l.Procedure, l.Modifiers = procedure(seg, element)
	l.Description = ingest.Clean(seg.Component(element, 7))
}

func (d *claimDecoder) lineCharge(seg x12.Segment, element int) {
	amount, err := ingest.ParseCents(seg.Element(element))
	if err != nil {
		d.problem(ingest.SeverityError, seg, element, "the line's charge "+err.Error())
	}
	d.claim.line.Charge = amount
}

// finishLine adds the current line to its claim.
func (d *claimDecoder) finishLine() {
	c := d.claim
	if c.line == nil {
		return
	}
	if !c.serviced {
		c.Add(ingest.Located(ingest.SeverityError, "2400", c.lx, 0, "has no "+d.service+" behind it, and so no charge"))
	}
	c.lineCharges += c.line.Charge
	c.lineUnpriced = c.lineUnpriced || c.line.Allowance == nil && c.line.Charge != 0
	c.sent.Detail.Lines = append(c.sent.Detail.Lines, *c.line)
	c.line = nil
}

// finish emits the current claim as a bill.
func (d *claimDecoder) finish() error {
	c := d.claim
	if c == nil {
		return nil
	}
	d.finishLine()
	b := &c.sent.Reported
	d.providers(b, &c.sent.Detail)
	d.people(b)
	if n := cmp.Or(c.sent.Repriced, c.sent.Adjusted, c.sent.Original, c.sent.Clearinghouse, b.PatientControlNumber); len(n) >
		facts.MaxNumber {
		c.Add(ingest.Located(ingest.SeverityWarning, "2300", c.clm, 0,
			"the bill control number has more than 22 characters, the maximum for the search"))
	}

	b.RecommendedAllowance = c.allowance
	if c.allowance == nil && !c.refused && !c.lineUnpriced {
		b.RecommendedAllowance = c.lineAllowance
	}
	if !c.priced {
		for _, l := range c.sent.Detail.Lines {
			b.RepricingMethod = cmp.Or(b.RepricingMethod, l.RepricingMethod)
		}
	}
	b.EOR = c.priced || c.linePriced
	b.PricingSheet = d.reporting && b.EOR

	var begin, end date.Date
	for _, l := range c.sent.Detail.Lines {
		begin, end = earliest(begin, l.BeginDate), max(end, l.EndDate)
	}
	// A hospital's statement period covers its lines. A physician's claim doesn't have one in
	// 5010, and 4010 uses it for lines without dates.
	if d.billType == "P" && begin != "" || b.BeginServiceDate == "" {
		b.BeginServiceDate, b.EndServiceDate = begin, end
	}
	if b.BeginServiceDate == "" {
		c.Add(ingest.Located(ingest.SeverityError, "2300", c.clm, 0,
			"the service date is missing: DTP*472 of its lines or DTP*434 is required"))
	}
	if c.chargesRead && len(c.sent.Detail.Lines) > 0 && c.lines <= maxLines && c.lineCharges != b.BillCharges {
		c.Add(ingest.Located(ingest.SeverityWarning, "2300", c.clm, 2, "the charge isn't the sum of its lines' charges"))
	}
	if len(c.sent.Detail.Lines) == 0 {
		c.Add(ingest.Located(ingest.SeverityWarning, "2300", c.clm, 0, "the service lines are missing"))
	}

	d.claim, d.named = nil, nil
	c.Weight = 1 + len(c.sent.Detail.Lines)
	if !c.Rejected() || d.out.KeepRejected {
		if !d.out.Checking {
			c.sent.Identify()
			c.sent.EncodeDetail()
		}
		c.Row = &c.sent
	}
	return d.out.Record(c.Record)
}

// providers sets the billing and the rendering provider.
func (d *claimDecoder) providers(b *facts.Bill, detail *facts.Detail) {
	c := d.claim
	taxID, element := cmp.Or(d.billing.employerID, d.billing.socialNumber), 0
	// 4010 can put the tax ID into the NM1 itself: 24 for an employer's, 34 for a social
	// security number.
	if q := d.billing.qualifier; d.billing.employerID == "" && (q == "24" || q == "34" && d.billing.socialNumber == "") {
		taxID, element = d.billing.id, 9
	}
	var valid bool
	switch b.FTIN, valid = ingest.ParseTaxID(taxID); {
	case taxID == "":
		c.Problems = append(c.Problems, d.newPartyProblem(&d.billing, c, "2010AA", 0,
			"the billing provider's tax ID is missing: REF*EI or REF*SY is required"))
	case !valid:
		c.Problems = append(c.Problems, d.newPartyProblem(&d.billing, c, "2010AA", element,
			"the billing provider's tax ID must have 9 digits"))
	}

	detail.BillingName, detail.BillingNPI = strings.TrimSpace(d.billing.first+" "+d.billing.last), d.billing.npi()
	candidates := []*party{&c.rendering, &c.attending, &c.lineRendering, &d.billing}
	if d.billType == "I" {
		candidates[0], candidates[1] = candidates[1], candidates[0]
	}
	for _, p := range candidates {
		if p.person && p.last != "" {
			b.PhysicianFirstName, b.PhysicianMiddleName, b.PhysicianLastName, b.PhysicianNPI = p.first, p.middle, p.last, p.npi()
			break
		}
	}
	b.FacilityName, b.FacilityNPI = c.facility.organization(), c.facility.npi()
	if b.FacilityName == "" && d.billing.organization() != "" {
		b.FacilityName, b.FacilityNPI = d.billing.organization(), d.billing.npi()
	}
}

// people sets the patient and the payer of the bill.
func (d *claimDecoder) people(b *facts.Bill) {
	c := d.claim
	patient, loop := &d.subscriber, "2010BA"
	if d.dependent {
		patient, loop = &d.patient, "2010CA"
	}
	b.PatientFirstName, b.PatientMiddleName, b.PatientLastName = patient.first, patient.middle, patient.last
	if patient.last == "" || !patient.person {
		c.Problems = append(c.Problems, d.newPartyProblem(patient, c, loop, 3, "the patient's last name is missing"))
	}
	if patient.birthDate != "" {
		birth, err := x12.ParseDate(patient.birthDate)
		if err != nil {
			p := d.newPartyProblem(patient, c, loop, 0, "the birth date "+err.Error())
			p.Severity, p.Element = ingest.SeverityWarning, "DMG02"
			c.Problems = append(c.Problems, p)
		}
		b.PatientBirthDate = birth
	}
	if g := patient.gender; g == "F" || g == "M" || g == "U" {
		b.PatientGender = g
	}
	b.ClaimNumber = cmp.Or(d.patient.claimNumber, d.subscriber.claimNumber)
	b.PayerID, b.PayerName = d.payer.id, d.payer.last

	// Only auto claims name a state. Workers' compensation law follows the place of work. So the
	// employer's state comes next, then the place of care.
	employerState := ""
	if !d.subscriber.person {
		employerState = d.subscriber.state
	}
	b.Filing = d.filing
	b.StateOfJurisdiction = cmp.Or(c.placeState, employerState, c.facility.state, d.billing.state)
	switch {
	case c.placeState != "":
		b.StateBasis = facts.StateGiven
	case employerState != "":
		b.StateBasis = facts.StateEmployer
	case b.StateOfJurisdiction != "":
		b.StateBasis = facts.StateCare
	}
}

// newPartyProblem locates a problem at a party, or at the claim if there's no party.
func (d *claimDecoder) newPartyProblem(p *party, c *claim, loop string, element int, reason string) ingest.Problem {
	if p.at.Number == 0 {
		return ingest.Located(ingest.SeverityError, loop, c.clm, 0, reason)
	}
	return ingest.Located(ingest.SeverityError, loop, p.at, element, reason)
}

// problem reports a problem with the current claim, or with none.
func (d *claimDecoder) problem(s ingest.Severity, seg x12.Segment, element int, reason string) {
	if d.claim != nil {
		d.claim.Add(ingest.Located(s, d.loop, seg, element, reason))
		return
	}
	d.out.Note(ingest.Located(s, d.loop, seg, element, reason))
}
