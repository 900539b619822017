package remittances

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/xuri/excelize/v2"

	"wcpp/internal/access"
	"wcpp/internal/bills/ledger"
	"wcpp/internal/platform/csvrows"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/dollars"
)

// line is a row of the table of lines. Amounts are cents. The amounts paid of all
// rows come to the check.
type line struct {
	row                    *Row // none: it is beside the bills
	number                 string
	procedure, modifiers   string
	revenue, units         string
	begin, end             date.Date
	charge, allowed, paid  *int64
	adjustments, reference string
	remarks                string
	bears                  map[string]int64 // group of adjustments to their sum
}

// groups of adjustments have a column each.
var groups = []string{"CO", "PR", "OA", "PI"}

// heads of the table of lines, and how wide they are in a workbook.
var heads = []struct {
	title string
	width float64
}{
	{"Paid On", 11}, {"Payer", 26}, {"Number", 16}, {"Method", 8}, {"Tax ID (TIN)", 12},
	{"Bill Control Number", 18}, {"Patient Control Number", 18}, {"Payer Claim Number", 18}, {"Claimant", 24}, {"Status", 12},
	{"Line", 6}, {"Service From", 12}, {"Service To", 12}, {"Procedure", 10}, {"Modifiers", 10}, {"Revenue Code", 9}, {"Units", 7},
	{"Charge", 12}, {"Payer Allowed", 12}, {"Paid", 12}, {"CO", 11}, {"PR", 11}, {"OA", 11}, {"PI", 11},
	{"Adjustment Codes", 30}, {"Remark Codes", 14}, {"Whole Payment Code", 10}, {"Reference", 18},
}

// lines are all of a remittance, bill by bill: a row for each service line, one for
// what a bill has beside its lines, and one for each adjustment beside the bills.
func (p *Page) lines() []line {
	var list []line
	for i := range p.Bills {
		r := &p.Bills[i]
		charge, paid := r.Charge, r.Paid
		for _, l := range r.Detail.Lines {
			charge, paid = charge-l.Charge, paid-l.Paid
			list = append(list, line{
				row: r, number: fmt.Sprint(l.Number), procedure: l.Procedure, modifiers: strings.Join(l.Modifiers, " "), revenue: l.Revenue, units: l.Units,
				begin: l.BeginDate, end: l.EndDate, charge: &l.Charge, allowed: l.Allowed, paid: &l.Paid,
			}.adjusted(l.Adjustments, l.Remarks))
		}
		d := r.Detail
		if len(d.Lines) == 0 || charge != 0 || paid != 0 || len(d.Adjustments)+len(d.Remarks) > 0 {
			list = append(list, line{row: r, begin: r.Reported.BeginServiceDate, end: r.Reported.EndServiceDate, charge: &charge, paid: &paid}.adjusted(d.Adjustments, d.Remarks))
		}
	}
	for _, b := range p.Besides {
		paid := -b.Amount
		list = append(list, line{paid: &paid, adjustments: b.Reason, reference: b.Reference})
	}
	return list
}

// adjusted is the line with why it was paid as it was: CO-45 40.00; PR-1 20.00.
func (l line) adjusted(adjustments []ledger.Adjustment, remarks []ledger.Remark) line {
	l.bears = map[string]int64{}
	var codes, remarkCodes []string
	for _, a := range adjustments {
		l.bears[a.Group] += a.Amount
		codes = append(codes, a.Group+"-"+a.Reason+" "+decimal(a.Amount))
	}
	for _, r := range remarks {
		remarkCodes = append(remarkCodes, r.Code)
	}
	l.adjustments, l.remarks = strings.Join(codes, "; "), strings.Join(remarkCodes, "; ")
	return l
}

// decimal writes cents as 1234.56.
func decimal(cents int64) string {
	sign := ""
	if cents < 0 {
		sign, cents = "-", -cents
	}
	return fmt.Sprintf("%s%d.%02d", sign, cents/100, cents%100)
}

// cells are texts, amounts (as cents) or nil, in the order of heads.
func (p *Page) cells(l line) []any {
	cents := func(n *int64) any {
		if n == nil {
			return nil
		}
		return *n
	}
	out := []any{p.PaidOn.US(), p.PayerName, p.TraceNumber, p.Method, p.FTIN}
	if r := l.row; r != nil {
		number := ""
		if r.Bill != nil {
			number = r.Bill.BillControlNumber
		}
		out = append(out, number, r.PatientControlNumber, r.PayerControlNumber, r.claimant(), r.ClaimStatus)
	} else {
		out = append(out, "", "", "", "", "")
	}
	out = append(out, l.number, l.begin.US(), l.end.US(), l.procedure, l.modifiers, l.revenue, l.units, cents(l.charge), cents(l.allowed), cents(l.paid))
	for _, g := range groups {
		if sum, is := l.bears[g]; is {
			out = append(out, sum)
		} else {
			out = append(out, nil)
		}
	}
	if l.row == nil {
		return append(out, "", "", l.adjustments, l.reference)
	}
	return append(out, l.adjustments, l.remarks, "", "")
}

// writeCSV writes the table of lines; no cell becomes a formula.
func (p *Page) writeCSV(out io.Writer) error {
	rows := csvrows.NewCopy(out)
	titles := make([]string, len(heads))
	for i, h := range heads {
		titles[i] = h.title
	}
	if err := rows.Write(titles); err != nil {
		return err
	}
	for _, l := range p.lines() {
		texts := make([]string, len(heads))
		for i, c := range p.cells(l) {
			switch c := c.(type) {
			case string:
				texts[i] = c
			case int64:
				texts[i] = decimal(c)
			}
		}
		if err := rows.Write(texts); err != nil {
			return err
		}
	}
	return rows.Flush()
}

// writeXLSX writes the table of lines as a workbook; texts are texts, and amounts
// numbers.
func (p *Page) writeXLSX(out io.Writer) error {
	book := excelize.NewFile()
	err := p.fill(book)
	if err == nil {
		_, err = book.WriteTo(out)
	}
	return errors.Join(err, book.Close())
}

func (p *Page) fill(book *excelize.File) error {
	const sheet = "Remittance"
	if err := book.SetSheetName("Sheet1", sheet); err != nil {
		return err
	}
	bold, err := book.NewStyle(&excelize.Style{Font: &excelize.Font{Bold: true}})
	if err != nil {
		return err
	}
	money, err := book.NewStyle(&excelize.Style{NumFmt: 4})
	if err != nil {
		return err
	}
	to, err := book.NewStreamWriter(sheet)
	if err != nil {
		return err
	}
	titles := make([]any, len(heads))
	for i, h := range heads {
		if err := to.SetColWidth(i+1, i+1, h.width); err != nil {
			return err
		}
		titles[i] = excelize.Cell{StyleID: bold, Value: h.title}
	}
	if err := to.SetRow("A1", titles); err != nil {
		return err
	}
	for n, l := range p.lines() {
		cells := p.cells(l)
		for i, c := range cells {
			if cents, is := c.(int64); is {
				cells[i] = excelize.Cell{StyleID: money, Value: dollars.Of(cents)}
			}
		}
		at, err := excelize.CoordinatesToCellName(1, n+2)
		if err != nil {
			return err
		}
		if err := to.SetRow(at, cells); err != nil {
			return err
		}
	}
	return to.Flush()
}

// Lines answers what writes the table of lines of a remittance, as CSV or as a
// workbook, once that is audited, and the file's name.
func (s *Service) Lines(ctx context.Context, a access.Actor, sealed string, workbook bool) (name string, write func(io.Writer) error, err error) {
	p, err := s.openDocument(ctx, a, openLines, sealed)
	if err != nil {
		return "", nil, err
	}
	name, write = p.fileName(".csv"), p.writeCSV
	if workbook {
		name, write = p.fileName(".xlsx"), p.writeXLSX
	}
	return name, write, s.audit.Now(ctx, p.shown(openLines))
}

// openDocument reads the remittance of a sealed id for a document of it.
func (s *Service) openDocument(ctx context.Context, a access.Actor, operation, sealed string) (Page, error) {
	id, err := s.open(ctx, a, operation, sealed)
	if err != nil {
		return Page{}, err
	}
	return s.page(ctx, id)
}

// fileName names a document of the remittance by its day and number, which name no
// patient.
func (p *Page) fileName(extension string) string {
	safe := strings.Map(func(c rune) rune {
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' {
			return c
		}
		return '_'
	}, p.TraceNumber)
	return strings.Trim(string(p.PaidOn)+"_"+safe, "_") + extension
}
