package remittances

import (
	"context"
	"fmt"
	"io"
	"strings"

	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/identity/access"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/money"
	"wcpp/internal/platform/spreadsheet"
	"wcpp/internal/platform/text"
)

// line is a row of the table of lines. Amounts are in cents. The paid amounts of all rows add up
// to the check.
type line struct {
	row                    *Row // nil for a provider-level adjustment
	number                 string
	procedure, modifiers   string
	revenue, units         string
	begin, end             date.Date
	charge, allowed, paid  *int64
	adjustments, reference string
	remarks                string
	bears                  map[string]int64 // adjustment group to total
}

// Each of these adjustment groups has a column.
var adjustmentGroups = []string{"CO", "PR", "OA", "PI"}

// lineColumns are the columns of the table of lines.
var lineColumns = []spreadsheet.Column{
	{Title: "Paid On", Width: 11, Kind: spreadsheet.Dates}, {Title: "Payer", Width: 26}, {Title: "Number", Width: 16},
	{Title: "Method", Width: 8}, {Title: "Tax ID (TIN)", Width: 12},
	{Title: "Bill Control Number", Width: 18}, {Title: "Patient Control Number", Width: 18}, {Title: "Payer Claim Number", Width: 18},
	{Title: "Claimant", Width: 24}, {Title: "Status", Width: 12}, {Title: "Line", Width: 6},
	{Title: "Service From", Width: 12, Kind: spreadsheet.Dates}, {Title: "Service To", Width: 12, Kind: spreadsheet.Dates},
	{Title: "Procedure", Width: 10}, {Title: "Modifiers", Width: 10}, {Title: "Revenue Code", Width: 9},
	{Title: "Units", Width: 7, Kind: spreadsheet.Counts},
	{Title: "Charge", Width: 12, Kind: spreadsheet.Amounts}, {Title: "Payer Allowed", Width: 12, Kind: spreadsheet.Amounts},
	{Title: "Paid", Width: 12, Kind: spreadsheet.Amounts},
	{Title: "CO", Width: 11, Kind: spreadsheet.Amounts}, {Title: "PR", Width: 11, Kind: spreadsheet.Amounts},
	{Title: "OA", Width: 11, Kind: spreadsheet.Amounts}, {Title: "PI", Width: 11, Kind: spreadsheet.Amounts},
	{Title: "Adjustment Codes", Width: 30}, {Title: "Remark Codes", Width: 14}, {Title: "Provider-Level Code", Width: 10},
	{Title: "Reference", Width: 18}, {Title: "Note", Width: 28},
}

// lines returns the rows of a remittance, by bill: one for each service line, one for the rest
// of the bill, and one for each provider-level adjustment.
func (p *Page) lines() []line {
	var list []line
	for i := range p.Bills {
		r := &p.Bills[i]
		charge, paid, unknown := r.Charge, r.Paid, false
		for _, l := range r.Detail.Lines {
			charge, paid, unknown = charge-l.Charge, paid-l.Paid, unknown || l.PaidUnknown
			list = append(list, line{
				row: r, number: fmt.Sprint(l.Number), procedure: l.Procedure, modifiers: strings.Join(l.Modifiers, " "), revenue: l.Revenue,
				units: l.Units,
				begin: l.BeginDate, end: l.EndDate, charge: &l.Charge, allowed: l.Allowed, paid: l.PaidKnown(),
			}.withCodes(l.Adjustments, l.Remarks))
		}
		d := r.Detail
		if len(d.Lines) == 0 || unknown || charge != 0 || paid != 0 || len(d.Adjustments)+len(d.Remarks) > 0 {
			list = append(list, line{row: r, begin: r.Reported.BeginServiceDate, end: r.Reported.EndServiceDate, charge: &charge,
				paid: &paid}.withCodes(d.Adjustments, d.Remarks))
		}
	}
	for _, b := range p.ProviderAdjustments {
		paid := -b.Amount
		list = append(list, line{paid: &paid, adjustments: b.Reason, reference: b.Reference})
	}
	return list
}

// withCodes adds the codes to the line: CO-45 40.00; PR-1 20.00.
func (l line) withCodes(adjustments []facts.Adjustment, remarks []facts.Remark) line {
	l.bears = map[string]int64{}
	var codes, remarkCodes []string
	for _, a := range adjustments {
		l.bears[a.Group] += a.Amount
		amount := "no amount given"
		if !a.Unknown {
			amount = money.Text(a.Amount)
		}
		codes = append(codes, a.Group+"-"+a.Reason+" "+amount)
	}
	for _, r := range remarks {
		remarkCodes = append(remarkCodes, r.ReasonCode())
	}
	l.adjustments, l.remarks = strings.Join(codes, "; "), strings.Join(remarkCodes, "; ")
	return l
}

// cells returns the cells of a row, one per column.
func (p *Page) cells(l line) []string {
	out := []string{p.PaidOn.US(), p.PayerName, p.TraceNumber, p.Method, p.FTIN}
	if r := l.row; r != nil {
		number := ""
		if r.Bill != nil {
			number = r.Bill.BillControlNumber
		}
		out = append(out, number, r.PatientControlNumber, r.PayerControlNumber, r.claimant(), r.ClaimStatus)
	} else {
		out = append(out, "", "", "", "", "")
	}
	out = append(out, l.number, l.begin.US(), l.end.US(), l.procedure, l.modifiers, l.revenue, l.units,
		money.TextOrNone(l.charge), money.TextOrNone(l.allowed), money.TextOrNone(l.paid))
	for _, g := range adjustmentGroups {
		if sum, is := l.bears[g]; is {
			out = append(out, money.Text(sum))
		} else {
			out = append(out, "")
		}
	}
	if l.row == nil {
		return append(out, "", "", l.adjustments, l.reference, duplicateNames[p.Duplicate])
	}
	return append(out, l.adjustments, l.remarks, "", "", duplicateNames[l.row.Duplicate])
}

// writeLines writes the table of lines.
func (p *Page) writeLines(w io.Writer, format spreadsheet.Format) error {
	return spreadsheet.WriteTable(w, format, "Remittance", lineColumns, func(out spreadsheet.Table) error {
		for _, l := range p.lines() {
			if err := out.Row(p.cells(l)); err != nil {
				return err
			}
		}
		return nil
	})
}

// Lines returns the file name and a function that writes the table of lines, as CSV or as a
// workbook. It's audited first.
func (s *Service) Lines(
	ctx context.Context, a access.Actor, sealed string, format spreadsheet.Format,
) (name string, write func(context.Context, io.Writer) error, err error) {
	p, err := s.openDocument(ctx, a, openLines, sealed)
	if err != nil {
		return "", nil, err
	}
	write = func(_ context.Context, w io.Writer) error { return p.writeLines(w, format) }
	return p.fileName("." + string(format)), write, s.audit.RecordNow(ctx, p.openingEntry(openLines))
}

// openDocument reads the remittance of a sealed id for one of its documents.
func (s *Service) openDocument(ctx context.Context, a access.Actor, operation audit.Operation, sealed string) (Page, error) {
	id, err := s.openID(ctx, a, operation, sealed)
	if err != nil {
		return Page{}, err
	}
	return s.readPage(ctx, id)
}

// fileName returns a document's file name from day and number, which don't identify a patient.
func (p *Page) fileName(extension string) string {
	return strings.Trim(string(p.PaidOn)+"_"+text.FileName(p.TraceNumber), "_") + extension
}
