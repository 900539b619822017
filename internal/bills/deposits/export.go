package deposits

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"strings"

	"wcpp/internal/bills/remittances"
	"wcpp/internal/identity/access"
	"wcpp/internal/platform/money"
	"wcpp/internal/platform/spreadsheet"
)

// names are the answers as the screen shows them.
var names = map[Answer]string{
	NoRemittance: "No remittance", Short: "Short", Over: "Over", Differs: "Amount differs", Repeated: "Repeated trace",
	Unreadable: "Not readable", Outside: "Date outside range", Negative: "Withdrawal", Zero: "Zero amount", Proposed: "Proposed",
	Several: "Several remittances", Matched: "Matched", NoDeposit: "No deposit", NoPayment: "No payment", Possible: "Possible duplicate",
}

// addedColumns are the columns after the list's own.
var addedColumns = []spreadsheet.Column{
	{Title: "Answer", Width: 20}, {Title: "Difference", Width: 14, Kind: spreadsheet.Amounts}, {Title: "Remittance", Width: 18},
	{Title: "Payer", Width: 30}, {Title: "Paid On", Width: 12, Kind: spreadsheet.Dates},
	{Title: "Remittance Amount", Width: 18, Kind: spreadsheet.Amounts}, {Title: "Share Only", Width: 11}, {Title: "TIN", Width: 11},
	{Title: "Bills", Width: 8, Kind: spreadsheet.Counts}, {Title: "Posted", Width: 12}, {Title: "Note", Width: 50},
}

// Export matches a list and writes it with the results.
func (s *Service) Export(ctx context.Context, a access.Actor, t Table, format spreadsheet.Format, w io.Writer) error {
	r, err := s.Match(ctx, a, t, listedInFile)
	if err != nil {
		return err
	}
	return spreadsheet.WriteTable(w, format, "Deposits", t.titles(), func(out spreadsheet.Table) error { return t.writeResult(out, r) })
}

// titles returns the list's own columns, followed by the added ones.
func (t Table) titles() []spreadsheet.Column {
	columns := make([]spreadsheet.Column, t.width())
	for i := range columns {
		columns[i].Title = cmp.Or(spreadsheet.HeaderText(t.Rows[:min(t.Headers, len(t.Rows))], i), fmt.Sprintf("Column %d", i+1))
	}
	return append(columns, addedColumns...)
}

func (t Table) width() (width int) {
	for _, r := range t.Rows {
		width = max(width, len(r))
	}
	return width
}

func (t Table) writeResult(out spreadsheet.Table, r Result) error {
	write := func(line int, added []string) error {
		own := make([]string, t.width())
		if line > 0 {
			copy(own, t.Rows[line-1])
		}
		return out.Row(append(own, added...))
	}
	for _, l := range r.Lines {
		first := addedCells(l.Answer, nil)
		if l.Answer == Short || l.Answer == Over {
			first[1] = money.Text(l.Difference)
		}
		first[len(first)-1] = l.describe()
		for i, found := range l.Found {
			cells := addedCells(l.Answer, &found)
			if i == 0 {
				cells[1], cells[len(cells)-1] = first[1], first[len(first)-1]
			}
			if err := write(l.Line, cells); err != nil {
				return err
			}
		}
		if len(l.Found) == 0 {
			if err := write(l.Line, first); err != nil {
				return err
			}
		}
	}
	for _, u := range r.Rest {
		if err := write(0, addedCells(u.Answer, &u.Listed)); err != nil {
			return err
		}
	}
	return r.writeMore(write)
}

// writeMore adds a row for the remittances that the file doesn't list.
func (r Result) writeMore(write func(int, []string) error) error {
	more := -len(r.Rest)
	for _, sum := range r.Sums {
		more += sum.Count
	}
	if more == 0 {
		return nil
	}
	cells := addedCells(NoDeposit, nil)
	cells[len(cells)-1] = fmt.Sprintf("%d more aren't listed. Search Remittances from %s to %s.", more, r.Window.From.US(),
		r.Window.To.US())
	return write(0, cells)
}

// addedCells returns the added cells of an answer and its remittance.
func addedCells(answer Answer, r *remittances.Listed) []string {
	cells := make([]string, len(addedColumns))
	cells[0] = names[answer]
	if r == nil {
		return cells
	}
	share := ""
	if r.IsShared() {
		share = "Yes"
	}
	copy(cells[2:], []string{r.TraceNumber, r.PayerName, r.PaidOn.US(), money.Text(r.ListedAmount()), share, r.FTIN, fmt.Sprint(r.Bills),
		r.PostedState()})
	return cells
}

// describe explains a line's answer in a sentence.
func (l Line) describe() string {
	switch l.Answer {
	case Repeated:
		return fmt.Sprintf("Line %d has the same trace number.", l.Other)
	case Proposed:
		if l.Candidates > 1 {
			return fmt.Sprintf("%d remittances have this amount.", l.Candidates)
		}
	case Unreadable:
		messages := make([]string, len(l.Cells))
		for i, c := range l.Cells {
			messages[i] = c.Message
		}
		return strings.Join(messages, " ")
	}
	return ""
}
