package lookup

import (
	"context"
	"net/http"

	"wcpp/internal/access"
	"wcpp/internal/bills"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/httpapi"
	"wcpp/internal/platform/module"
)

// LookupColumn is what a column of a table is read as.
type LookupColumn struct {
	Index int    `json:"index" minimum:"0" doc:"From 0"`
	Name  string `json:"name,omitempty" maxLength:"500" doc:"Of its header"`
	Kind  string `json:"kind" enum:",billControlNumber,documentId,patientControlNumber,payerControlNumber,claimNumber,checkNumber,lastName,firstName,fullName,birthDate,serviceDate,ftin" doc:"Empty: it is only kept"`
}

// LookupSample is how a table begins.
type LookupSample struct {
	Rows [][]string `json:"rows" nullable:"false" doc:"Up to 20 lines"`
}

// LookupColumns is what a table is read as.
type LookupColumns struct {
	Columns    []LookupColumn `json:"columns" nullable:"false"`
	HeaderRows int            `json:"headerRows" doc:"Lines at the top that name the columns, 0 to 2"`
}

// LookupChoice is what the columns of a table are.
type LookupChoice struct {
	Columns    []LookupColumn `json:"columns" nullable:"false" doc:"Those that are not named are only kept"`
	HeaderRows int            `json:"headerRows" minimum:"0" maximum:"2"`
}

// LookupTable is a table whose lines are looked up.
type LookupTable struct {
	LookupChoice
	Rows [][]string `json:"rows" nullable:"false" doc:"At most 500 lines below the header"`
}

// LookupReason is why less was paid than was charged, in cents of dollars.
type LookupReason struct {
	Group  string  `json:"group"`
	Code   string  `json:"code"`
	Amount float64 `json:"amount" doc:"Decimal dollars"`
}

// FoundMany is a bill as its page concludes it. Amounts are decimal dollars.
type FoundMany struct {
	ID                string         `json:"id" doc:"Names the bill's page"`
	FTIN              string         `json:"ftin"`
	BillControlNumber string         `json:"billControlNumber"`
	PatientFirstName  string         `json:"patientFirstName"`
	PatientLastName   string         `json:"patientLastName"`
	BeginServiceDate  date.Date      `json:"beginServiceDate" format:"date" nullable:"true"`
	ReceivedOn        date.Date      `json:"receivedOn" format:"date" nullable:"true"`
	Status            string         `json:"status" enum:"paid,denied,priced,received,other" doc:"As counts counts it"`
	State             string         `json:"state" doc:"In words, as the bill's page says it"`
	Allowance         *float64       `json:"allowance" doc:"The network's; null: not priced"`
	Paid              *float64       `json:"paid"`
	PaidOn            date.Date      `json:"paidOn" format:"date" nullable:"true"`
	CheckNumber       string         `json:"checkNumber"`
	RemittanceID      string         `json:"remittanceId" doc:"Empty"`
	Reasons           []LookupReason `json:"reasons" nullable:"false"`
	NextStep          string         `json:"nextStep" doc:"In words; empty where nothing is left to do"`
}

// LookupCell says what is wrong with a cell of a line.
type LookupCell struct {
	Index   int    `json:"index" doc:"Of its column, from 0"`
	Message string `json:"message"`
}

// LookupLine is the answer to a line.
type LookupLine struct {
	Line    int          `json:"line" doc:"Of the table, from 1, its header counted"`
	Answer  string       `json:"answer" enum:"found,several,none,unreadable"`
	Matches int          `json:"matches" doc:"100 stands for more, too"`
	By      string       `json:"by" enum:",billControlNumber,formerNumber,documentId,patientControlNumber,payerControlNumber,claimNumber,claimant,checkNumber" doc:"What the bills are found by"`
	Bills   []FoundMany  `json:"bills" nullable:"false" doc:"The newest service first, at most 5"`
	Cells   []LookupCell `json:"cells" nullable:"false"`
}

// LookupCounts are how many lines have which answer.
type LookupCounts struct {
	Paid       int `json:"paid"`
	Denied     int `json:"denied"`
	Priced     int `json:"priced"`
	Received   int `json:"received"`
	Other      int `json:"other"`
	Several    int `json:"several"`
	NotFound   int `json:"notFound"`
	Unreadable int `json:"unreadable"`
}

// LookupAnswer are the answers to the lines of a table.
type LookupAnswer struct {
	Lines  []LookupLine `json:"lines" nullable:"false"`
	AsOf   string       `json:"asOf" doc:"As of when the bills are, ISO 8601 in UTC; empty where no file was taken"`
	Counts LookupCounts `json:"counts"`
}

// Module is what the area brings to the program.
func (s *Service) Module() module.Module {
	return module.Module{Operations: s.Register}
}

// maxTable is how large the body of a pasted table may be.
const maxTable = 1 << 20

// Register adds the area's operations.
func (s *Service) Register(api *httpapi.API) {
	looking := httpapi.Operation{Method: http.MethodPost, Access: "work.find", Effect: httpapi.Read, MaxBytes: maxTable}

	op := looking
	op.ID, op.Path, op.Summary = "findManyColumns", "/work/findMany/columns", "What the columns of a table are read as"
	httpapi.Register(api, op, func(_ context.Context, in *struct{ Body LookupSample }) (*struct{ Body LookupColumns }, error) {
		columns, headers := Recognise(in.Body.Rows)
		return &struct{ Body LookupColumns }{LookupColumns{wireColumns(columns), headers}}, nil
	})

	op = looking
	op.ID, op.Path, op.Summary = "findMany", "/work/findMany", "The bills of the lines of a table"
	op.Description = "Of every TIN in scope, one answer for each line. Lines count for the group's day: at most 30,000."
	httpapi.Register(api, op, func(ctx context.Context, in *struct{ Body LookupTable }) (*struct{ Body LookupAnswer }, error) {
		lines, err := s.Look(ctx, access.From(ctx), in.Body.table())
		if err != nil {
			return nil, err
		}
		asOf, err := s.ages.AsOf(ctx)
		return &struct{ Body LookupAnswer }{LookupAnswer{wireLines(lines), asOf, countsOf(lines)}}, err
	})
}

func (c LookupChoice) columns() []Column {
	columns := make([]Column, len(c.Columns))
	for i, one := range c.Columns {
		columns[i] = Column{one.Index, one.Name, Kind(one.Kind)}
	}
	return columns
}

func (t LookupTable) table() Table { return Table{t.columns(), t.HeaderRows, t.Rows} }

func wireColumns(columns []Column) []LookupColumn {
	out := make([]LookupColumn, len(columns))
	for i, c := range columns {
		out[i] = LookupColumn{c.Index, c.Name, string(c.Kind)}
	}
	return out
}

func wireLines(lines []Line) []LookupLine {
	out := make([]LookupLine, len(lines))
	for i, l := range lines {
		out[i] = LookupLine{Line: l.Number, Answer: l.Answer, Matches: l.Matches, By: string(l.By), Bills: make([]FoundMany, len(l.Bills)), Cells: make([]LookupCell, len(l.Cells))}
		for n, b := range l.Bills {
			out[i].Bills[n] = wireBill(b)
		}
		for n, c := range l.Cells {
			out[i].Cells[n] = LookupCell(c)
		}
	}
	return out
}

func wireBill(b bills.Told) FoundMany {
	reasons := make([]LookupReason, len(b.Reasons))
	for i, r := range b.Reasons {
		reasons[i] = LookupReason{r.Group, r.Reason, float64(r.Amount) / 100}
	}
	return FoundMany{
		ID: b.Page, FTIN: b.FTIN, BillControlNumber: b.BillControlNumber, PatientFirstName: b.PatientFirstName, PatientLastName: b.PatientLastName,
		BeginServiceDate: b.BeginServiceDate, ReceivedOn: b.ReceivedOn, Status: b.Status, State: b.State,
		Allowance: dollars(b.RecommendedAllowance), Paid: dollars(b.PaidAmount), PaidOn: b.PaidDate, CheckNumber: b.CheckNumber,
		Reasons: reasons, NextStep: b.NextStep,
	}
}

func dollars(cents *int64) *float64 {
	if cents == nil {
		return nil
	}
	d := float64(*cents) / 100
	return &d
}

func countsOf(lines []Line) (c LookupCounts) {
	for _, l := range lines {
		switch l.Answer {
		case Several:
			c.Several++
		case None:
			c.NotFound++
		case Unreadable:
			c.Unreadable++
		default:
			switch l.Bills[0].Status {
			case bills.Paid:
				c.Paid++
			case bills.Denied:
				c.Denied++
			case bills.Priced:
				c.Priced++
			case bills.Received:
				c.Received++
			default:
				c.Other++
			}
		}
	}
	return c
}
