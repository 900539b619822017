package bills

import (
	"fmt"
	"strings"

	"wcpp/internal/bills/ledger"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/sheets"
)

const disclaimer = "The amounts shown are recommended reimbursements. They may differ from the actual reimbursement because of " +
	"compensability decisions or authorizations, and this document may differ in format from mailed documents."

// drawn stands on documents of which the network has no paper.
const drawn = "Drawn by the portal from the data of the bill: this is no copy of a paper."

func optionalMoney(cents *int64) string {
	if cents == nil {
		return ""
	}
	return sheets.Money(*cents)
}

func fullName(parts ...string) string {
	return strings.Join(strings.Fields(strings.Join(parts, " ")), " ")
}

func span(begin, end date.Date) string {
	if end == "" || end == begin {
		return begin.US()
	}
	return begin.US() + " - " + end.US()
}

func (b detailed) claimant() string {
	return fullName(b.PatientFirstName, b.PatientMiddleName, b.PatientLastName)
}

func (b detailed) physician() string {
	return fullName(b.PhysicianFirstName, b.PhysicianMiddleName, b.PhysicianLastName)
}

func (b detailed) kind() string {
	if b.BillType == "I" {
		return "Institutional bill"
	}
	return "Professional bill"
}

var statusNames = map[string]string{
	StatusPaid: "Paid", StatusReceived: "Received", StatusPriced: "Priced", StatusPaidCorrected: "Paid after correction",
	StatusDenied: "Denied", StatusVoid: "Void",
}

var repricingMethods = map[string]string{
	"00": "Zero pricing (not covered)", "01": "Priced as billed at 100 %", "02": "Priced at the standard fee schedule",
	"03": "Priced at a contractual percentage", "04": "Bundled pricing", "05": "Peer review pricing", "06": "Per diem pricing",
	"07": "Flat rate pricing", "08": "Combination pricing", "09": "Maternity pricing", "10": "Other pricing",
	"11": "Lower of cost", "12": "Ratio of cost", "13": "Cost reimbursed", "14": "Adjustment pricing",
}

// code names a line's procedure, or its revenue code.
func code(l ledger.Line) string {
	code := l.Procedure
	if code == "" {
		code = l.Revenue
	} else if l.Revenue != "" {
		code = l.Revenue + " / " + code
	}
	return strings.Join(append([]string{code}, l.Modifiers...), " ")
}

func (b detailed) reference() string {
	if b.DocumentID == "" {
		return b.BillControlNumber
	}
	return b.BillControlNumber + " / " + b.DocumentID
}

func (b detailed) parties() [][2]string {
	return [][2]string{
		{"Bill Control Number", b.BillControlNumber}, {"Document ID (DCN)", b.DocumentID},
		{"Claimant Name", b.claimant()}, {"Claimant Date of Birth", b.PatientBirthDate.US()},
		{"Claim Number", b.ClaimNumber}, {"Date of Injury", b.DateOfInjury.US()},
		{"Payer", b.PayerName}, {"Dates of Service", span(b.BeginServiceDate, b.EndServiceDate)},
		{"Tax ID (TIN)", b.FTIN}, {"Billing Provider", fullName(b.Detail.BillingName)},
		{"Provider Name", b.physician()}, {"NPI", b.PhysicianNPI},
		{"Facility Name", b.FacilityName}, {"Facility NPI", b.FacilityNPI},
	}
}

// renderImage draws the bill as it was received.
func renderImage(b detailed, brand string, withNote bool) ([]byte, error) {
	p := sheets.New("Bill", brand, b.reference())
	p.Facts(append([][2]string{{"Form", b.kind()}, {"Patient Control Number", b.PatientControlNumber}}, b.parties()...)...)
	p.Facts([2]string{"Diagnoses", strings.Join(b.Detail.Diagnoses, "  ")}, [2]string{"Place of Service", b.Detail.PlaceOfService})
	p.Heading("Services")
	columns := []sheets.Column{sheets.Left("Line", 12), sheets.Left("Dates of Service", 42), sheets.Left("Procedure", 40), sheets.Left("Description", 47.9), sheets.Right("Units", 16), sheets.Right("Charge", 28)}
	p.Head(columns)
	for _, l := range b.Detail.Lines {
		p.Row(columns, false, fmt.Sprint(l.Number), span(l.BeginDate, l.EndDate), code(l), l.Description, l.Units, sheets.Money(l.Charge))
	}
	p.Row(columns, true, "", "Total", "", "", "", sheets.Money(b.BillCharges))
	if withNote {
		p.Ln(4)
		p.Note(drawn)
	}
	return p.Bytes()
}

// renderEOR draws the explanation of review: what was charged, what is
// recommended, and what payers paid.
func renderEOR(b detailed, payments []Payment, brand string, withNote bool) ([]byte, error) {
	p := sheets.New("Explanation of Review", brand, b.reference())
	p.Facts(append(b.parties(), [2]string{"Status", statusNames[b.BillStatus]}, [2]string{"Pricing", repricingMethods[b.RepricingMethod]})...)
	p.Heading("Review")
	columns := []sheets.Column{sheets.Left("Line", 12), sheets.Left("Dates of Service", 42), sheets.Left("Procedure", 38), sheets.Right("Units", 14), sheets.Right("Charge", 27), sheets.Right("Reduction", 26), sheets.Right("Allowance", 26.9)}
	p.Head(columns)
	for _, l := range b.Detail.Lines {
		p.Row(columns, false, fmt.Sprint(l.Number), span(l.BeginDate, l.EndDate), code(l), l.Units, sheets.Money(l.Charge), reduction(l.Charge, l.Allowance), optionalMoney(l.Allowance))
	}
	p.Row(columns, true, "", "Total", "", "", sheets.Money(b.BillCharges), reduction(b.BillCharges, b.RecommendedAllowance), optionalMoney(b.RecommendedAllowance))
	if b.Detail.RejectReason != "" {
		p.Note("Not priced by the network, reason " + b.Detail.RejectReason + ".")
	}
	if len(payments) > 0 {
		p.Heading("Payments")
		columns := []sheets.Column{sheets.Left("Paid Date", 28), sheets.Left("Check Number", 52), sheets.Left("Payer", 52), sheets.Right("Charge", 27), sheets.Right("Paid Amount", 26.9)}
		p.Head(columns)
		for _, paid := range payments {
			p.Row(columns, false, paid.PaidDate.US(), paid.TraceNumber, paid.Reported.PayerName, sheets.Money(paid.Charge), sheets.Money(paid.Paid))
			for _, l := range paid.Detail.Lines {
				for _, a := range l.Adjustments {
					p.Row(columns, false, "", fmt.Sprintf("Line %d %s", l.Number, code(ledger.Line{Procedure: l.Procedure, Revenue: l.Revenue, Modifiers: l.Modifiers})), "Adjustment "+a.Group+" "+a.Reason, "", adjusted(a))
				}
			}
			for _, a := range paid.Detail.Adjustments {
				p.Row(columns, false, "", "Claim", "Adjustment "+a.Group+" "+a.Reason, "", adjusted(a))
			}
		}
		if b.PaidAmount != nil {
			p.Row(columns, true, "", "Total Paid", "", "", sheets.Money(*b.PaidAmount))
		}
	}
	p.Ln(4)
	p.Note(disclaimer)
	if withNote {
		p.Note(drawn)
	}
	return p.Bytes()
}

func reduction(charge int64, allowance *int64) string {
	if allowance == nil {
		return ""
	}
	return sheets.Money(charge - *allowance)
}

// renderPricingSheet draws the network's pricing of a bill that somebody else
// reviews and pays.
func renderPricingSheet(b detailed, brand string, withNote bool) ([]byte, error) {
	p := sheets.New("Pricing Sheet", brand, b.reference())
	p.Facts(append(b.parties(), [2]string{"Pricing", repricingMethods[b.RepricingMethod]})...)
	p.Heading("Network Pricing")
	columns := []sheets.Column{sheets.Left("Line", 12), sheets.Left("Dates of Service", 42), sheets.Left("Procedure", 38), sheets.Right("Units", 14), sheets.Right("Charge", 27), sheets.Right("Savings", 26), sheets.Right("Network Price", 26.9)}
	p.Head(columns)
	for _, l := range b.Detail.Lines {
		p.Row(columns, false, fmt.Sprint(l.Number), span(l.BeginDate, l.EndDate), code(l), l.Units, sheets.Money(l.Charge), reduction(l.Charge, l.Allowance), optionalMoney(l.Allowance))
	}
	p.Row(columns, true, "", "Total", "", "", sheets.Money(b.BillCharges), reduction(b.BillCharges, b.RecommendedAllowance), optionalMoney(b.RecommendedAllowance))
	p.Ln(4)
	p.Note(disclaimer)
	if withNote {
		p.Note(drawn)
	}
	return p.Bytes()
}

// Service lines on one page of a text pricing sheet.
const linesPerPage = 36

// pricingSheetLines writes the pricing sheet for a monospaced font, 85 columns
// wide: as many as fit beside each other at the largest size. Each page starts
// with a line that contains "PAGE ", and no other line does.
func pricingSheetLines(b detailed, brand string) []string {
	pages := max(1, (len(b.Detail.Lines)+linesPerPage-1)/linesPerPage)
	var out []string
	add := func(format string, args ...any) {
		out = append(out, strings.TrimRight(fmt.Sprintf(format, args...), " "))
	}
	fact := func(label, value string) {
		for _, line := range broken(strings.ReplaceAll(sheets.Named(value), "PAGE ", "PAGE\u00a0"), 64) {
			add("%-21s%s", label, line)
			label = ""
		}
	}
	for n := range pages {
		add("%-65s%20s", strings.ToUpper(brand)+" PRICING SHEET", fmt.Sprintf("PAGE %d OF %d", n+1, pages))
		add("")
		fact("BILL CONTROL NUMBER", b.BillControlNumber)
		fact("BILLING ID", b.BillingID)
		fact("TAX ID (TIN)", b.FTIN)
		fact("CLAIM NUMBER", b.ClaimNumber)
		fact("CLAIMANT NAME", b.claimant())
		fact("PAYER", b.PayerName)
		fact("PROVIDER NAME", b.physician())
		fact("FACILITY NAME", b.FacilityName)
		fact("DATES OF SERVICE", span(b.BeginServiceDate, b.EndServiceDate))
		add("")
		add("%-5s%-11s%-25s%8s%12s%12s%12s", "LINE", "DATE", "PROCEDURE", "UNITS", "CHARGE", "SAVINGS", "PRICE")
		add("%s", strings.Repeat("-", 85))
		for _, l := range b.Detail.Lines[n*linesPerPage : min(len(b.Detail.Lines), (n+1)*linesPerPage)] {
			add("%-5d%-11s%-25s%8s%12s%12s%12s", l.Number, l.BeginDate.US(), code(l), l.Units, sheets.Money(l.Charge), reduction(l.Charge, l.Allowance), optionalMoney(l.Allowance))
		}
		if n == pages-1 {
			add("%s", strings.Repeat("-", 85))
			add("%-49s%12s%12s%12s", "TOTAL", sheets.Money(b.BillCharges), reduction(b.BillCharges, b.RecommendedAllowance), optionalMoney(b.RecommendedAllowance))
		}
	}
	return out
}

// broken gives a text as lines of at most so many letters, broken between words where it can be; at least one line.
func broken(s string, width int) []string {
	var lines []string
	for rest := []rune(s); ; {
		if len(rest) <= width {
			return append(lines, string(rest))
		}
		end := width
		for end > 0 && rest[end] != ' ' {
			end--
		}
		if end == 0 {
			end = width
		}
		lines = append(lines, string(rest[:end]))
		rest = []rune(strings.TrimLeft(string(rest[end:]), " "))
	}
}

// adjusted is the amount of an adjustment, as it changes what is paid.
func adjusted(a ledger.Adjustment) string {
	if a.Unknown {
		return "not given"
	}
	return sheets.Money(-a.Amount)
}
