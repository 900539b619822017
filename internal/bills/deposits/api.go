package deposits

import (
	"bytes"
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"wcpp/internal/bills/remittances"
	"wcpp/internal/identity/access"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/httpapi"
	"wcpp/internal/platform/module"
	"wcpp/internal/platform/money"
	"wcpp/internal/platform/spreadsheet"
)

// Schema describes the meanings.
func (Kind) Schema(huma.Registry) *huma.Schema {
	return httpapi.Enum("Empty if the column is only copied", Kinds...)
}

// Schema describes the answers.
func (Answer) Schema(huma.Registry) *huma.Schema {
	return httpapi.Enum("Of a deposit, or of a remittance without one: missing, noPayment ($0 or less), possible (duplicate)",
		append(append([]Answer{}, Answers...), NoDeposit, NoPayment, Possible)...)
}

// depositColumn is how a column of the list is interpreted.
type depositColumn struct {
	Index int    `json:"index" minimum:"0" doc:"From 0"`
	Name  string `json:"name,omitempty" maxLength:"500" doc:"Name in the header"`
	Kind  Kind   `json:"kind"`
}

// depositList is a list as read from a file, with its interpreted columns.
type depositList struct {
	Columns    []depositColumn `json:"columns" nullable:"false"`
	HeaderRows int             `json:"headerRows" doc:"Number of header lines, 0 to 2"`
	Rows       [][]string      `json:"rows" nullable:"false" doc:"All lines, including the header"`
	Warnings   []string        `json:"warnings" nullable:"false" doc:"Parts of the file that aren't read"`
}

// DepositTable is a list to match.
type DepositTable struct {
	Columns    []depositColumn `json:"columns" nullable:"false" doc:"Columns that aren't listed are only copied"`
	HeaderRows int             `json:"headerRows" minimum:"0" maximum:"2"`
	Rows       [][]string      `json:"rows" nullable:"false" doc:"Up to 5,000 lines after the header"`
}

func (t DepositTable) table() Table {
	columns := make([]Column, len(t.Columns))
	for i, c := range t.Columns {
		columns[i] = Column(c)
	}
	return Table{columns, t.HeaderRows, t.Rows}
}

// depositExport is a list to match, to be returned as a file.
type depositExport struct {
	DepositTable
	Format string `json:"format" enum:"xlsx,csv"`
}

// depositCell is a problem with a cell.
type depositCell struct {
	Index   int    `json:"index" doc:"Column index, from 0"`
	Message string `json:"message"`
}

// matchedDeposit is a deposit with its remittances. Amounts are in dollars.
type matchedDeposit struct {
	Line        int                         `json:"line" doc:"Line number in the list, from 1, including the header"`
	On          date.Date                   `json:"on" format:"date" nullable:"true"`
	Amount      *float64                    `json:"amount" doc:"Null if the list has none"`
	Trace       string                      `json:"trace" doc:"Trace or check number"`
	Description string                      `json:"description"`
	Answer      Answer                      `json:"answer"`
	Difference  float64                     `json:"difference" doc:"Deposit minus remittances, for short and over"`
	OtherLine   int                         `json:"otherLine" doc:"The other line with the same trace number. 0 unless repeated"`
	Candidates  int                         `json:"candidates" doc:"Remittances of this amount nearby, for proposed. 64 means more"`
	Remittances []remittances.RemittanceRow `json:"remittances" nullable:"false"`
	Cells       []depositCell               `json:"cells" nullable:"false"`
}

// unmatchedRemittance is a remittance without a deposit.
type unmatchedRemittance struct {
	Answer     Answer                    `json:"answer"`
	Remittance remittances.RemittanceRow `json:"remittance"`
}

// unmatchedSum is how many remittances have no deposit.
type unmatchedSum struct {
	Answer Answer  `json:"answer"`
	Count  int     `json:"count"`
	Amount float64 `json:"amount" doc:"Their total in dollars, with your share of shared checks"`
}

// matchedDeposits is the result of a list.
type matchedDeposits struct {
	Deposits    []matchedDeposit      `json:"deposits" nullable:"false" doc:"Each line of the list, in its order"`
	Remittances []unmatchedRemittance `json:"remittances" nullable:"false" doc:"The first 2,000 remittances without a deposit"`
	Unmatched   []unmatchedSum        `json:"unmatched" nullable:"false" doc:"All remittances without a deposit"`
	From        date.Date             `json:"from" format:"date" doc:"First day of the compared remittances"`
	To          date.Date             `json:"to" format:"date"`
	AsOf        string                `json:"asOf" doc:"Date of the remittance data, ISO 8601 in UTC. Empty before the first import"`
}

// Module returns the domain's module. It stores nothing.
func (s *Service) Module() module.Module { return module.Module{Operations: s.Register} }

// maxTable is the maximum request size of a list. JSON takes more room than the file.
const maxTable = 2 * MaxBytes

// Register adds the domain's operations.
func (s *Service) Register(api *httpapi.API) {
	matching := httpapi.Operation{Method: http.MethodPost, Access: "remittances.read", Effect: httpapi.Read, Expensive: true}

	op := matching
	op.ID, op.Path, op.Summary = "readDeposits", "/work/deposits/read", "Read a list of deposits"
	op.Description = "A form (multipart/form-data) with one CSV, XLSX or ACH file, up to 5,000 lines and 5 MB. Nothing is stored."
	httpapi.Register(api, op, func(_ context.Context, in *httpapi.Form) (*struct{ Body depositList }, error) {
		rows, warnings, err := receive(in)
		if err != nil {
			return nil, err
		}
		columns, headers := Recognize(rows)
		out := depositList{Columns: make([]depositColumn, len(columns)), HeaderRows: headers, Rows: rows,
			Warnings: append([]string{}, warnings...)}
		for i, c := range columns {
			out.Columns[i] = depositColumn(c)
		}
		return &struct{ Body depositList }{out}, nil
	})

	op = matching
	op.Limit, op.MaxBytes = s.searches, maxTable
	op.ID, op.Path, op.Summary = "matchDeposits", "/work/deposits", "Match deposits with remittances"
	op.Description = "Compares each line with the remittances from 10 weekdays before the first deposit to 3 after the last one. Each " +
		"line and each remittance has one answer. Nothing is stored."
	httpapi.Register(api, op, func(ctx context.Context, in *struct{ Body DepositTable }) (*struct{ Body matchedDeposits }, error) {
		a := access.From(ctx)
		r, err := s.Match(ctx, a, in.Body.table(), listedOnScreen)
		if err != nil {
			return nil, err
		}
		out, err := wireResult(r, s.remittances.Rows(ctx, a))
		if err == nil {
			out.AsOf, err = s.ages.AsOf(ctx)
		}
		return &struct{ Body matchedDeposits }{out}, err
	})

	op.ID, op.Path, op.Summary = "exportDeposits", "/work/deposits/export", "Download matched deposits"
	op.Description = "CSV or XLSX with the list's columns first, one row per remittance. Remittances without a deposit come last."
	httpapi.Register(api, op, func(ctx context.Context, in *struct{ Body depositExport }) (*huma.StreamResponse, error) {
		var out bytes.Buffer
		format := spreadsheet.Format(in.Body.Format)
		if err := s.Export(ctx, access.From(ctx), in.Body.table(), format, &out); err != nil {
			return nil, err
		}
		return httpapi.Attachment{Name: "deposits." + string(format), ContentType: format.ContentType()}.SendBytes(out.Bytes()), nil
	})
}

func wireResult(r Result, row func(remittances.Listed) (remittances.RemittanceRow, error)) (out matchedDeposits, err error) {
	out = matchedDeposits{Deposits: make([]matchedDeposit, len(r.Lines)), Remittances: make([]unmatchedRemittance, len(r.Rest)),
		Unmatched: []unmatchedSum{}, From: r.Window.From, To: r.Window.To}
	for i, l := range r.Lines {
		d := matchedDeposit{Line: l.Line, On: l.On, Amount: money.OrNone(l.Amount), Trace: l.Trace, Description: l.Note, Answer: l.Answer,
			Difference: money.Of(l.Difference), OtherLine: l.Other, Candidates: l.Candidates,
			Remittances: make([]remittances.RemittanceRow, len(l.Found)), Cells: make([]depositCell, len(l.Cells))}
		for n, f := range l.Found {
			if d.Remittances[n], err = row(f); err != nil {
				return out, err
			}
		}
		for n, c := range l.Cells {
			d.Cells[n] = depositCell(c)
		}
		out.Deposits[i] = d
	}
	for i, u := range r.Rest {
		out.Remittances[i].Answer = u.Answer
		if out.Remittances[i].Remittance, err = row(u.Listed); err != nil {
			return out, err
		}
	}
	for _, kind := range withoutDeposit {
		if sum := r.Sums[kind]; sum.Count > 0 {
			out.Unmatched = append(out.Unmatched, unmatchedSum{kind, sum.Count, money.Of(sum.Amount)})
		}
	}
	return out, nil
}
