package bulklookup

import (
	"bytes"
	"context"
	"net/http"
	"path/filepath"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"wcpp/internal/bills/billstate"
	"wcpp/internal/bills/detail"
	"wcpp/internal/bills/search"
	"wcpp/internal/identity/access"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/fileexport"
	"wcpp/internal/platform/httpapi"
	"wcpp/internal/platform/module"
	"wcpp/internal/platform/money"
	"wcpp/internal/platform/retention"
	"wcpp/internal/platform/spool"
	"wcpp/internal/platform/spreadsheet"
)

// Schema describes the meanings.
func (Kind) Schema(huma.Registry) *huma.Schema {
	return httpapi.Enum("Empty if the column is only copied", Kinds...)
}

// lookupColumn is how a column of a table is interpreted.
type lookupColumn struct {
	Index int    `json:"index" minimum:"0" doc:"From 0"`
	Name  string `json:"name,omitempty" maxLength:"500" doc:"Name in the header"`
	Kind  Kind   `json:"kind"`
}

// lookupSample is the first rows of a table.
type lookupSample struct {
	Rows [][]string `json:"rows" nullable:"false" doc:"The first 20 lines"`
}

// lookupColumns is how a table is interpreted.
type lookupColumns struct {
	Columns    []lookupColumn `json:"columns" nullable:"false"`
	HeaderRows int            `json:"headerRows" doc:"Number of header lines, 0 to 2"`
}

// lookupChoice is the chosen meaning of a table's columns.
type lookupChoice struct {
	Columns    []lookupColumn `json:"columns" nullable:"false" doc:"Columns that aren't listed are only copied"`
	HeaderRows int            `json:"headerRows" minimum:"0" maximum:"2"`
}

// lookupTable is a table of lines to look up.
type lookupTable struct {
	Columns    []lookupColumn `json:"columns" nullable:"false" doc:"Columns that aren't listed are only copied"`
	HeaderRows int            `json:"headerRows" minimum:"0" maximum:"2"`
	Rows       [][]string     `json:"rows" nullable:"false" doc:"Up to 500 lines after the header"`
}

// foundMany is a bill with the conclusions of its page. Amounts are in dollars.
type foundMany struct {
	ID                string    `json:"id" doc:"ID of the bill's page"`
	FTIN              string    `json:"ftin"`
	BillControlNumber string    `json:"billControlNumber"`
	PatientFirstName  string    `json:"patientFirstName"`
	PatientLastName   string    `json:"patientLastName"`
	BeginServiceDate  date.Date `json:"beginServiceDate" format:"date" nullable:"true"`
	ReceivedOn        date.Date `json:"receivedOn" format:"date" nullable:"true"`
	Status            string    `json:"status" enum:"paid,denied,takenBack,priced,received,other" doc:"State, as counted in counts"`
	State             string    `json:"state" doc:"State as text, as on the bill's page"`
	Tone              string    `json:"tone" enum:"success,info,neutral,warning,error" doc:"Tone of the state, as on the bill's page"`
	Allowance         *float64  `json:"allowance" doc:"Network allowance. Null if not repriced"`
	Paid              *float64  `json:"paid"`
	PaidOn            date.Date `json:"paidOn" format:"date" nullable:"true"`
	CheckNumber       string    `json:"checkNumber"`
	RemittanceID      string    `json:"remittanceId" doc:"ID of the page of the check's remittance. Empty if unknown"`
	Reasons           []string  `json:"reasons" nullable:"false" doc:"Reason codes, such as CO-45, remark N130 or pharmacy RX-70"`
	Jurisdiction      string    `json:"jurisdiction" doc:"Jurisdiction, two letters. Its code texts take precedence. Empty if unknown"`
	NextStep          string    `json:"nextStep" doc:"Next step as text. Empty if there is none"`
}

// lookupCell is a problem with a cell.
type lookupCell struct {
	Index   int    `json:"index" doc:"Column index, from 0"`
	Message string `json:"message"`
}

// matchedBy is what found the bills of a line.
type matchedBy search.By

// Schema describes the kinds.
func (matchedBy) Schema(huma.Registry) *huma.Schema {
	return httpapi.Enum("Kind of match", "", search.ByNumber, search.ByFormer, search.ByDocID, search.ByAccount, search.ByPayer,
		search.ByClaimDay, search.ByPerson, search.ByCheck)
}

// lookupLine is the result of a line.
type lookupLine struct {
	Line    int          `json:"line" doc:"Line number in the table, from 1, including the header"`
	Answer  string       `json:"answer" enum:"found,several,none,unreadable"`
	Matches int          `json:"matches" doc:"100 means 100 or more"`
	By      matchedBy    `json:"by"`
	Bills   []foundMany  `json:"bills" nullable:"false" doc:"Newest service first, up to 5"`
	Cells   []lookupCell `json:"cells" nullable:"false"`
}

// lookupCounts are the number of lines by result.
type lookupCounts struct {
	Paid       int `json:"paid"`
	Denied     int `json:"denied"`
	TakenBack  int `json:"takenBack"`
	Priced     int `json:"priced"`
	Received   int `json:"received"`
	Other      int `json:"other"`
	Several    int `json:"several"`
	NotFound   int `json:"notFound"`
	Unreadable int `json:"unreadable"`
}

// lookupAnswer are the results of a table.
type lookupAnswer struct {
	Lines  []lookupLine `json:"lines" nullable:"false"`
	AsOf   string       `json:"asOf" doc:"Date of the bill data, ISO 8601 in UTC. Empty before the first import"`
	Counts lookupCounts `json:"counts"`
}

// lookupFile is an uploaded file with its interpreted columns.
type lookupFile struct {
	ID         string         `json:"id"`
	Columns    []lookupColumn `json:"columns" nullable:"false"`
	HeaderRows int            `json:"headerRows" doc:"Number of header lines, 0 to 2"`
	Sample     [][]string     `json:"sample" nullable:"false" doc:"The first 20 lines, including the header"`
	Rows       int            `json:"rows" doc:"Lines after the header"`
	Warnings   []string       `json:"warnings" nullable:"false"`
	Claims     bool           `json:"claims" doc:"True for an 837. Its lines are bills, and its columns are known"`
}

// lookupJob is a file that's looked up in the background.
type lookupJob struct {
	ID        string `json:"id"`
	FileName  string `json:"fileName"`
	Status    string `json:"status" enum:"sent,waiting,done,failed" doc:"sent: columns not selected yet"`
	Done      int    `json:"done" doc:"Lines processed so far"`
	Rows      int    `json:"rows" doc:"Lines after the header"`
	Found     int    `json:"found" doc:"Lines with matching bills"`
	CreatedAt string `json:"createdAt" doc:"ISO 8601 in UTC"`
	DoneAt    string `json:"doneAt" doc:"ISO 8601 in UTC. Empty until finished"`
	ExpiresAt string `json:"expiresAt" doc:"When it's deleted, ISO 8601 in UTC"`
	Claims    bool   `json:"claims" doc:"True for an 837. Each line is a bill"`
	Withheld  bool   `json:"withheld" doc:"True if you no longer have a TIN of its bills. You can't download the result"`
}

func wireJob(j Job) lookupJob {
	return lookupJob{
		ID: j.ID, FileName: j.FileName, Status: j.Status, Done: j.Done, Rows: j.Lines, Found: j.Found, Claims: j.Claims,
		CreatedAt: j.CreatedAt.RFC3339(), DoneAt: j.DoneAt.RFC3339(), ExpiresAt: j.ExpiresAt().Format(time.RFC3339),
	}
}

// lookupExport is a table to be returned as a file.
type lookupExport struct {
	Columns    []lookupColumn `json:"columns" nullable:"false" doc:"Columns that aren't listed are only copied"`
	HeaderRows int            `json:"headerRows" minimum:"0" maximum:"2"`
	Rows       [][]string     `json:"rows" nullable:"false" doc:"Up to 500 lines after the header"`
	Format     string         `json:"format" enum:"xlsx,csv"`
}

// Module returns the domain's module.
func (s *Service) Module() module.Module {
	return module.Module{Operations: s.Register, Jobs: s.RegisterJobs, Cleanup: s.Cleanup, Retention: []retention.Item{
		retention.Until("7 days", "Bulk lookup files and results", "lookup_jobs").In("lookups/").
			If(func(ctx context.Context, names []string) ([]string, error) {
				return s.exports.ListKnown(ctx, s.db.Reader, names)
			}),
	}}
}

// maxTable is the maximum request size of a pasted table.
const maxTable = 1 << 20

// Register adds the domain's operations.
func (s *Service) Register(api *httpapi.API) {
	looking := httpapi.Operation{Method: http.MethodPost, Access: "work.find", Effect: httpapi.Read, MaxBytes: maxTable}

	op := looking
	op.ID, op.Path, op.Summary = "findManyColumns", "/work/findMany/columns", "Detect the columns of a table"
	op.Expensive = true
	httpapi.Register(api, op, func(_ context.Context, in *struct{ Body lookupSample }) (*struct{ Body lookupColumns }, error) {
		columns, headers := Recognize(in.Body.Rows)
		return &struct{ Body lookupColumns }{lookupColumns{wireColumns(columns), headers}}, nil
	})

	op = looking
	op.ID, op.Path, op.Summary = "findMany", "/work/findMany", "Find the bills for the lines of a table"
	op.Expensive = true
	op.Description = "Searches every TIN in scope and returns one result per line. A group can look up 30,000 lines per day."
	httpapi.Register(api, op, func(ctx context.Context, in *struct{ Body lookupTable }) (*struct{ Body lookupAnswer }, error) {
		lines, err := s.LookUpTable(ctx, access.From(ctx), Table{convertColumns(in.Body.Columns), in.Body.HeaderRows, in.Body.Rows})
		if err != nil {
			return nil, err
		}
		asOf, err := s.ages.AsOf(ctx)
		return &struct{ Body lookupAnswer }{lookupAnswer{wireLines(lines), asOf, countLines(lines)}}, err
	})

	op = looking
	op.ID, op.Path, op.Summary = "findManyExport", "/work/findMany/export", "Download the lines of a table with their bills"
	op.Expensive = true
	op.Description = "CSV or XLSX, one row per bill, with the table's columns first. Lines count toward the group's daily limit."
	httpapi.Register(api, op, func(ctx context.Context, in *struct{ Body lookupExport }) (*huma.StreamResponse, error) {
		var out bytes.Buffer
		format, table := spreadsheet.Format(in.Body.Format), Table{convertColumns(in.Body.Columns), in.Body.HeaderRows, in.Body.Rows}
		if err := s.Export(ctx, access.From(ctx), table, format, &out); err != nil {
			return nil, err
		}
		return httpapi.Attachment{Name: "bills." + string(format), ContentType: format.ContentType()}.SendBytes(out.Bytes()), nil
	})
	s.registerFiles(api)
	s.registerClaims(api)
}

// uploads are the limits of uploaded files. readLimit is the time limit for reading one.
var uploads = spool.Limits{Bytes: MaxBytesPerFile, Wanted: saySend, Smaller: "Split it into smaller files."}

const readLimit = time.Minute

// registerFiles adds the operations for files that are looked up in the background.
func (s *Service) registerFiles(api *httpapi.API) {
	type jobPath struct {
		ID string `path:"id" maxLength:"40"`
	}
	httpapi.Register(api, httpapi.Operation{
		ID: "findManySend", Method: http.MethodPost, Path: "/work/findMany/files", Summary: "Upload a file for bulk lookup",
		Description: "A form (multipart/form-data) with one CSV, XLSX or 837 file, up to 10,000 lines or bills and 5 MB. " +
			"An 837 is recognized by its ISA segment. Kept for 7 days. Nothing in it changes any bill.",
		Access: "work.find", Effect: httpapi.Write,
	}, func(ctx context.Context, in *httpapi.Form) (*struct{ Body lookupFile }, error) {
		file, err := spool.Receive(in, uploads)
		if err != nil {
			return nil, err
		}
		defer file.Close()
		in.ExtendDeadline(readLimit)
		f, err := s.Upload(ctx, access.From(ctx), file.Name, file.Path)
		return &struct{ Body lookupFile }{lookupFile{f.ID, wireColumns(f.Columns), f.Headers, f.Sample, f.Lines, f.Warnings, f.Claims}}, err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "findManyRun", Method: http.MethodPost, Path: "/work/findMany/files/{id}/run", Summary: "Start a bulk lookup",
		Description: "Runs in the background. A started lookup isn't changed. Up to 20 files per hour.",
		Access:      "work.find", Effect: httpapi.Write,
	}, func(ctx context.Context, in *struct {
		ID   string `path:"id" maxLength:"40"`
		Body lookupChoice
	}) (*struct{ Body lookupJob }, error) {
		j, err := s.Run(ctx, access.From(ctx), in.ID, convertColumns(in.Body.Columns), in.Body.HeaderRows)
		return &struct{ Body lookupJob }{wireJob(j)}, err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "findManyJobs", Method: http.MethodGet, Path: "/work/findMany/jobs", Summary: "List your bulk lookup files, newest first",
		Access: "work.find", Effect: httpapi.Read, Background: true,
	}, func(ctx context.Context, _ *struct{}) (*httpapi.List[lookupJob], error) {
		list, scope, err := s.ListJobs(ctx, access.From(ctx))
		return httpapi.NewList(list, func(j Job) lookupJob {
			out := wireJob(j)
			out.Withheld = j.isWithheld(scope)
			return out
		}), err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "findManyJob", Method: http.MethodGet, Path: "/work/findMany/jobs/{id}", Summary: "Get the progress of a bulk lookup",
		Access: "work.find", Effect: httpapi.Read, Background: true,
	}, func(ctx context.Context, in *jobPath) (*struct{ Body lookupJob }, error) {
		j, err := s.OwnJob(ctx, access.From(ctx), in.ID)
		return &struct{ Body lookupJob }{wireJob(j)}, err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "findManyRemove", Method: http.MethodDelete, Path: "/work/findMany/jobs/{id}",
		Summary: "Delete a bulk lookup file and its results",
		Access:  "work.find", Effect: httpapi.Write,
	}, func(ctx context.Context, in *jobPath) (*struct{}, error) {
		return nil, s.Remove(ctx, access.From(ctx), in.ID)
	})
	for _, format := range fileexport.Formats {
		httpapi.Register(api, httpapi.Operation{
			ID: "findManyResult" + strings.ToUpper(string(format)), Method: http.MethodGet, Path: "/work/findMany/jobs/{id}/result." +
				string(format),
			Summary:     "Download the results of a bulk lookup (" + strings.ToUpper(string(format)) + ")",
			Description: "Returns 409 while the lookup runs, and 404 if you no longer have a TIN of its bills.",
			Access:      "work.find", Effect: httpapi.Read, Cookie: true,
		}, func(ctx context.Context, in *jobPath) (*huma.StreamResponse, error) {
			j, file, err := s.Result(ctx, access.From(ctx), in.ID, format)
			if err != nil {
				return nil, err
			}
			return fileexport.NewResponse(file, strings.TrimSuffix(j.FileName, filepath.Ext(j.FileName))+" - bills", format), nil
		})
	}
}

func convertColumns(chosen []lookupColumn) []Column {
	columns := make([]Column, len(chosen))
	for i, column := range chosen {
		columns[i] = Column(column)
	}
	return columns
}

func wireColumns(columns []Column) []lookupColumn {
	out := make([]lookupColumn, len(columns))
	for i, c := range columns {
		out[i] = lookupColumn(c)
	}
	return out
}

func wireLines(lines []Line) []lookupLine {
	out := make([]lookupLine, len(lines))
	for i, l := range lines {
		out[i] = lookupLine{Line: l.Number, Answer: l.Answer, Matches: l.Matches, By: matchedBy(l.By),
			Bills: make([]foundMany, len(l.Bills)),
			Cells: make([]lookupCell, len(l.Cells))}
		for n, b := range l.Bills {
			out[i].Bills[n] = wireBill(b)
		}
		for n, c := range l.Cells {
			out[i].Cells[n] = lookupCell(c)
		}
	}
	return out
}

func wireBill(b detail.Summary) foundMany {
	return foundMany{
		ID: b.Page, FTIN: b.FTIN, BillControlNumber: b.BillControlNumber, PatientFirstName: b.PatientFirstName,
		PatientLastName:  b.PatientLastName,
		BeginServiceDate: b.BeginServiceDate, ReceivedOn: b.ReceivedOn, Status: b.Status, State: b.State.Text, Tone: b.State.Tone,
		Allowance: money.OrNone(b.RecommendedAllowance), Paid: money.OrNone(b.PaidAmount), PaidOn: b.PaidDate, CheckNumber: b.CheckNumber,
		RemittanceID: b.Remittance,
		Reasons:      append([]string{}, strings.Fields(b.Reasons)...), Jurisdiction: b.StateOfJurisdiction, NextStep: b.NextStep,
	}
}

func countLines(lines []Line) (c lookupCounts) {
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
			case billstate.NamePaid:
				c.Paid++
			case billstate.NameDenied:
				c.Denied++
			case billstate.NameReversed:
				c.TakenBack++
			case billstate.NamePriced:
				c.Priced++
			case billstate.NameReceived:
				c.Received++
			default:
				c.Other++
			}
		}
	}
	return c
}
