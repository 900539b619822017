package bills

import (
	"bytes"
	"fmt"
	"strings"

	"codeberg.org/go-pdf/fpdf"

	"wcpp/internal/bills/ledger"
	"wcpp/internal/platform/date"
)

const disclaimer = "The amounts shown are recommended reimbursements. They may differ from the actual reimbursement because of " +
	"compensability decisions or authorizations, and this document may differ in format from mailed documents."

// drawn stands on documents of which the network has no paper.
const drawn = "Drawn by the portal from the data of the bill: this is no copy of a paper."

// money writes cents as 1,234.56.
func money(cents int64) string {
	sign := ""
	if cents < 0 {
		sign, cents = "-", -cents
	}
	whole := fmt.Sprint(cents / 100)
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	return fmt.Sprintf("%s%s.%02d", sign, whole, cents%100)
}

func optionalMoney(cents *int64) string {
	if cents == nil {
		return ""
	}
	return money(*cents)
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

// page draws the portal's documents: Letter paper, one hand for all of them.
type page struct {
	*fpdf.Fpdf
	tr func(string) string
}

const (
	pageWidth = 215.9
	margin    = 15.0
	inner     = pageWidth - 2*margin
)

func newPage(title, brand, reference string) page {
	f := fpdf.New("P", "mm", "Letter", "")
	p := page{f, f.UnicodeTranslatorFromDescriptor("")}
	f.SetTitle(title+" "+reference, true)
	f.SetMargins(margin, margin, margin)
	f.SetAutoPageBreak(true, 20)
	f.AliasNbPages("")
	f.SetHeaderFunc(func() {
		f.SetFillColor(8, 61, 85)
		f.Rect(0, 0, pageWidth, 22, "F")
		f.SetTextColor(255, 255, 255)
		f.SetXY(margin, 6)
		f.SetFont("Helvetica", "B", 15)
		f.CellFormat(inner/2, 10, p.tr(title), "", 0, "L", false, 0, "")
		f.SetFont("Helvetica", "", 10)
		f.CellFormat(inner/2, 10, p.tr(brand), "", 0, "R", false, 0, "")
		f.SetTextColor(22, 32, 44)
		f.SetXY(margin, 28)
	})
	f.SetFooterFunc(func() {
		f.SetXY(margin, -15)
		f.SetFont("Helvetica", "", 8)
		f.SetTextColor(63, 75, 90)
		f.CellFormat(inner/2, 8, p.tr(reference), "", 0, "L", false, 0, "")
		f.CellFormat(inner/2, 8, fmt.Sprintf("Page %d of {nb}", f.PageNo()), "", 0, "R", false, 0, "")
		f.SetTextColor(22, 32, 44)
	})
	f.AddPage()
	return p
}

// facts writes labelled values in two columns; empty ones are left out.
func (p page) facts(pairs ...[2]string) {
	column, top, bottom := 0, p.GetY(), p.GetY()
	for _, pair := range pairs {
		if pair[1] == "" {
			continue
		}
		p.SetXY(margin+float64(column)*inner/2, top)
		p.SetFont("Helvetica", "", 8)
		p.SetTextColor(63, 75, 90)
		p.CellFormat(inner/2, 4, p.tr(pair[0]), "", 2, "L", false, 0, "")
		p.SetFont("Helvetica", "", 10)
		p.SetTextColor(22, 32, 44)
		for _, line := range p.wrap(pair[1], inner/2-4) {
			p.CellFormat(inner/2-4, 5, line, "", 2, "L", false, 0, "")
		}
		bottom = max(bottom, p.GetY()+2)
		column++
		if column == 2 {
			column, top = 0, bottom
		}
	}
	p.SetXY(margin, bottom+2)
}

// wrap breaks a text into the lines that its cell has room for: nothing of it is cut.
func (p page) wrap(s string, width float64) []string {
	var lines []string
	for _, line := range p.SplitLines([]byte(p.tr(s)), width) {
		lines = append(lines, string(line))
	}
	return lines
}

func (p page) heading(s string) {
	p.Ln(2)
	p.SetFont("Helvetica", "B", 11)
	p.CellFormat(inner, 7, p.tr(s), "", 1, "L", false, 0, "")
}

func (p page) note(s string) {
	p.SetFont("Helvetica", "", 8)
	p.SetTextColor(63, 75, 90)
	p.MultiCell(inner, 4, p.tr(s), "", "L", false)
	p.SetTextColor(22, 32, 44)
}

type column struct {
	title string
	width float64
	right bool
}

func (p page) head(columns []column) {
	p.SetFont("Helvetica", "B", 8)
	p.SetFillColor(232, 238, 242)
	for _, c := range columns {
		p.CellFormat(c.width, 7, p.tr(c.title), "B", 0, align(c), true, 0, "")
	}
	p.Ln(-1)
}

func align(c column) string {
	if c.right {
		return "R"
	}
	return "L"
}

// In a table: the height of a row, how much each further line of a cell adds, and where the page is full.
const (
	rowHeight  = 6.5
	lineHeight = 4
	fullAt     = 257
)

func (p page) row(columns []column, bold bool, cells ...string) {
	style := ""
	if bold {
		style = "B"
	}
	p.SetFont("Helvetica", style, 9)
	lines, most := make([][]string, len(columns)), 1
	for i, c := range columns {
		lines[i] = p.wrap(cells[i], c.width)
		most = max(most, len(lines[i]))
	}
	height := rowHeight + lineHeight*float64(most-1)
	if p.GetY()+height > fullAt {
		p.AddPage()
		p.head(columns)
		p.SetFont("Helvetica", style, 9)
	}
	x, top := margin, p.GetY()
	for i, c := range columns {
		for n, line := range lines[i] {
			p.SetXY(x, top+lineHeight*float64(n))
			p.CellFormat(c.width, rowHeight, line, "", 0, align(c), false, 0, "")
		}
		x += c.width
	}
	p.Line(margin, top+height, x, top+height)
	p.SetXY(margin, top+height)
}

func (p page) bytes() ([]byte, error) {
	var b bytes.Buffer
	err := p.Output(&b)
	return b.Bytes(), err
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
func renderImage(b detailed, brand string, told bool) ([]byte, error) {
	p := newPage("Bill", brand, b.reference())
	p.facts(append([][2]string{{"Form", b.kind()}, {"Patient Control Number", b.PatientControlNumber}}, b.parties()...)...)
	p.facts([2]string{"Diagnoses", strings.Join(b.Detail.Diagnoses, "  ")}, [2]string{"Place of Service", b.Detail.PlaceOfService})
	p.heading("Services")
	columns := []column{{"Line", 12, false}, {"Dates of Service", 42, false}, {"Procedure", 40, false}, {"Description", 47.9, false}, {"Units", 16, true}, {"Charge", 28, true}}
	p.head(columns)
	for _, l := range b.Detail.Lines {
		p.row(columns, false, fmt.Sprint(l.Number), span(l.BeginDate, l.EndDate), code(l), l.Description, l.Units, money(l.Charge))
	}
	p.row(columns, true, "", "Total", "", "", "", money(b.BillCharges))
	if told {
		p.Ln(4)
		p.note(drawn)
	}
	return p.bytes()
}

// renderEOR draws the explanation of review: what was charged, what is
// recommended, and what payers paid.
func renderEOR(b detailed, payments []Payment, brand string, told bool) ([]byte, error) {
	p := newPage("Explanation of Review", brand, b.reference())
	p.facts(append(b.parties(), [2]string{"Status", statusNames[b.BillStatus]}, [2]string{"Pricing", repricingMethods[b.RepricingMethod]})...)
	p.heading("Review")
	columns := []column{{"Line", 12, false}, {"Dates of Service", 42, false}, {"Procedure", 38, false}, {"Units", 14, true}, {"Charge", 27, true}, {"Reduction", 26, true}, {"Allowance", 26.9, true}}
	p.head(columns)
	for _, l := range b.Detail.Lines {
		p.row(columns, false, fmt.Sprint(l.Number), span(l.BeginDate, l.EndDate), code(l), l.Units, money(l.Charge), reduction(l.Charge, l.Allowance), optionalMoney(l.Allowance))
	}
	p.row(columns, true, "", "Total", "", "", money(b.BillCharges), reduction(b.BillCharges, b.RecommendedAllowance), optionalMoney(b.RecommendedAllowance))
	if b.Detail.RejectReason != "" {
		p.note("Not priced by the network, reason " + b.Detail.RejectReason + ".")
	}
	if len(payments) > 0 {
		p.heading("Payments")
		columns := []column{{"Paid Date", 28, false}, {"Check Number", 52, false}, {"Payer", 52, false}, {"Charge", 27, true}, {"Paid Amount", 26.9, true}}
		p.head(columns)
		for _, paid := range payments {
			p.row(columns, false, paid.PaidDate.US(), paid.TraceNumber, paid.Told.PayerName, money(paid.Charge), money(paid.Paid))
			for _, l := range paid.Detail.Lines {
				for _, a := range l.Adjustments {
					p.row(columns, false, "", fmt.Sprintf("Line %d %s", l.Number, code(ledger.Line{Procedure: l.Procedure, Revenue: l.Revenue, Modifiers: l.Modifiers})), "Adjustment "+a.Group+" "+a.Reason, "", money(-a.Amount))
				}
			}
			for _, a := range paid.Detail.Adjustments {
				p.row(columns, false, "", "Claim", "Adjustment "+a.Group+" "+a.Reason, "", money(-a.Amount))
			}
		}
		if b.PaidAmount != nil {
			p.row(columns, true, "", "Total Paid", "", "", money(*b.PaidAmount))
		}
	}
	p.Ln(4)
	p.note(disclaimer)
	if told {
		p.note(drawn)
	}
	return p.bytes()
}

func reduction(charge int64, allowance *int64) string {
	if allowance == nil {
		return ""
	}
	return money(charge - *allowance)
}

// renderPricingSheet draws the network's pricing of a bill that somebody else
// reviews and pays.
func renderPricingSheet(b detailed, brand string, told bool) ([]byte, error) {
	p := newPage("Pricing Sheet", brand, b.reference())
	p.facts(append(b.parties(), [2]string{"Pricing", repricingMethods[b.RepricingMethod]})...)
	p.heading("Network Pricing")
	columns := []column{{"Line", 12, false}, {"Dates of Service", 42, false}, {"Procedure", 38, false}, {"Units", 14, true}, {"Charge", 27, true}, {"Savings", 26, true}, {"Network Price", 26.9, true}}
	p.head(columns)
	for _, l := range b.Detail.Lines {
		p.row(columns, false, fmt.Sprint(l.Number), span(l.BeginDate, l.EndDate), code(l), l.Units, money(l.Charge), reduction(l.Charge, l.Allowance), optionalMoney(l.Allowance))
	}
	p.row(columns, true, "", "Total", "", "", money(b.BillCharges), reduction(b.BillCharges, b.RecommendedAllowance), optionalMoney(b.RecommendedAllowance))
	p.Ln(4)
	p.note(disclaimer)
	if told {
		p.note(drawn)
	}
	return p.bytes()
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
		for _, line := range broken(strings.ReplaceAll(value, "PAGE ", "PAGE\u00a0"), 64) {
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
			add("%-5d%-11s%-25s%8s%12s%12s%12s", l.Number, l.BeginDate.US(), code(l), l.Units, money(l.Charge), reduction(l.Charge, l.Allowance), optionalMoney(l.Allowance))
		}
		if n == pages-1 {
			add("%s", strings.Repeat("-", 85))
			add("%-49s%12s%12s%12s", "TOTAL", money(b.BillCharges), reduction(b.BillCharges, b.RecommendedAllowance), optionalMoney(b.RecommendedAllowance))
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
