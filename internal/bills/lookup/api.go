package lookup

import (
	"bytes"
	"context"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"wcpp/internal/access"
	"wcpp/internal/bills"
	"wcpp/internal/platform/check"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/dollars"
	"wcpp/internal/platform/filework"
	"wcpp/internal/platform/httpapi"
	"wcpp/internal/platform/kept"
	"wcpp/internal/platform/module"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/sheetrows"
)

// lookupColumn is what a column of a table is read as.
type lookupColumn struct {
	Index int    `json:"index" minimum:"0" doc:"From 0"`
	Name  string `json:"name,omitempty" maxLength:"500" doc:"Of its header"`
	Kind  string `json:"kind" enum:",billControlNumber,documentId,patientControlNumber,payerControlNumber,claimNumber,checkNumber,lastName,firstName,fullName,birthDate,serviceDate,ftin" doc:"Empty: it is only kept"`
}

// lookupSample is how a table begins.
type lookupSample struct {
	Rows [][]string `json:"rows" nullable:"false" doc:"Up to 20 lines"`
}

// lookupColumns is what a table is read as.
type lookupColumns struct {
	Columns    []lookupColumn `json:"columns" nullable:"false"`
	HeaderRows int            `json:"headerRows" doc:"Lines at the top that name the columns, 0 to 2"`
}

// lookupChoice is what the columns of a table are.
type lookupChoice struct {
	Columns    []lookupColumn `json:"columns" nullable:"false" doc:"Those that are not named are only kept"`
	HeaderRows int            `json:"headerRows" minimum:"0" maximum:"2"`
}

// lookupTable is a table whose lines are looked up.
type lookupTable struct {
	Columns    []lookupColumn `json:"columns" nullable:"false" doc:"Those that are not named are only kept"`
	HeaderRows int            `json:"headerRows" minimum:"0" maximum:"2"`
	Rows       [][]string     `json:"rows" nullable:"false" doc:"At most 500 lines below the header"`
}

// foundMany is a bill as its page concludes it. Amounts are decimal dollars.
type foundMany struct {
	ID                string    `json:"id" doc:"Names the bill's page"`
	FTIN              string    `json:"ftin"`
	BillControlNumber string    `json:"billControlNumber"`
	PatientFirstName  string    `json:"patientFirstName"`
	PatientLastName   string    `json:"patientLastName"`
	BeginServiceDate  date.Date `json:"beginServiceDate" format:"date" nullable:"true"`
	ReceivedOn        date.Date `json:"receivedOn" format:"date" nullable:"true"`
	Status            string    `json:"status" enum:"paid,denied,takenBack,priced,received,other" doc:"As counts counts it"`
	State             string    `json:"state" doc:"In words, as the bill's page says it"`
	Tone              string    `json:"tone" enum:"success,info,neutral,warning,error" doc:"Of the state, as on the bill's page"`
	Allowance         *float64  `json:"allowance" doc:"The network's; null: not priced"`
	Paid              *float64  `json:"paid"`
	PaidOn            date.Date `json:"paidOn" format:"date" nullable:"true"`
	CheckNumber       string    `json:"checkNumber"`
	RemittanceID      string    `json:"remittanceId" doc:"Names the page of the remittance that the check came with; empty where none is known"`
	Reasons           []string  `json:"reasons" nullable:"false" doc:"Codes of why less was paid than charged: adjustments as CO-45, remarks as N130, of pharmacies as RX-70"`
	Jurisdiction      string    `json:"jurisdiction" doc:"State whose law applies, two letters: its own texts of the codes go first; empty where it is not told"`
	NextStep          string    `json:"nextStep" doc:"In words; empty where nothing is left to do"`
}

// lookupCell says what is wrong with a cell of a line.
type lookupCell struct {
	Index   int    `json:"index" doc:"Of its column, from 0"`
	Message string `json:"message"`
}

// lookupLine is the answer to a line.
type lookupLine struct {
	Line    int          `json:"line" doc:"Of the table, from 1, its header counted"`
	Answer  string       `json:"answer" enum:"found,several,none,unreadable"`
	Matches int          `json:"matches" doc:"100 stands for more, too"`
	By      string       `json:"by" enum:",billControlNumber,formerNumber,documentId,patientControlNumber,payerControlNumber,claimNumber,claimant,checkNumber" doc:"What the bills are found by"`
	Bills   []foundMany  `json:"bills" nullable:"false" doc:"The newest service first, at most 5"`
	Cells   []lookupCell `json:"cells" nullable:"false"`
}

// lookupCounts are how many lines have which answer.
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

// lookupAnswer are the answers to the lines of a table.
type lookupAnswer struct {
	Lines  []lookupLine `json:"lines" nullable:"false"`
	AsOf   string       `json:"asOf" doc:"As of when the bills are, ISO 8601 in UTC; empty where no file was taken"`
	Counts lookupCounts `json:"counts"`
}

// lookupFile is a file that came in, as its columns are read.
type lookupFile struct {
	ID         string         `json:"id"`
	Columns    []lookupColumn `json:"columns" nullable:"false"`
	HeaderRows int            `json:"headerRows" doc:"Lines at the top that name the columns, 0 to 2"`
	Sample     [][]string     `json:"sample" nullable:"false" doc:"The first 20 lines, the header among them"`
	Rows       int            `json:"rows" doc:"Lines below the header"`
	Warnings   []string       `json:"warnings" nullable:"false"`
}

// lookupJob is a file whose lines are looked up in the background.
type lookupJob struct {
	ID        string `json:"id"`
	FileName  string `json:"fileName"`
	Status    string `json:"status" enum:"sent,waiting,done,failed" doc:"sent: its columns are not chosen yet"`
	Done      int    `json:"done" doc:"Lines that are looked up"`
	Rows      int    `json:"rows" doc:"Lines below the header"`
	Found     int    `json:"found" doc:"Lines for which there are bills"`
	CreatedAt string `json:"createdAt" doc:"ISO 8601 in UTC"`
	DoneAt    string `json:"doneAt" doc:"ISO 8601 in UTC; empty while it is not"`
	ExpiresAt string `json:"expiresAt" doc:"When it is removed, ISO 8601 in UTC"`
	Withheld  bool   `json:"withheld" doc:"The person has lost a TIN of its bills, and gets what was found no more"`
}

func wireJob(j Job) lookupJob {
	return lookupJob{
		ID: j.ID, FileName: j.FileName, Status: j.Status, Done: j.Done, Rows: j.Lines, Found: j.Found,
		CreatedAt: j.CreatedAt.RFC3339(), DoneAt: j.DoneAt.RFC3339(), ExpiresAt: j.ExpiresAt().Format(time.RFC3339),
	}
}

// lookupExport is a table that is answered as a file.
type lookupExport struct {
	Columns    []lookupColumn `json:"columns" nullable:"false" doc:"Those that are not named are only kept"`
	HeaderRows int            `json:"headerRows" minimum:"0" maximum:"2"`
	Rows       [][]string     `json:"rows" nullable:"false" doc:"At most 500 lines below the header"`
	Format     string         `json:"format" enum:"xlsx,csv"`
}

// Module is what the area brings to the program.
func (s *Service) Module() module.Module {
	return module.Module{Operations: s.Register, Jobs: s.Work, Tidy: s.Tidy, Keeps: []kept.Item{
		kept.Until("7 days", "Files whose lines are looked up, and their results", "lookup_jobs").In("lookups/").If(func(ctx context.Context, names []string) ([]string, error) { return jobsAmong(ctx, s.db.Reader, names) }),
	}}
}

// maxTable is how large the body of a pasted table may be.
const maxTable = 1 << 20

// Register adds the area's operations.
func (s *Service) Register(api *httpapi.API) {
	looking := httpapi.Operation{Method: http.MethodPost, Access: "work.find", Effect: httpapi.Read, MaxBytes: maxTable}

	op := looking
	op.ID, op.Path, op.Summary = "findManyColumns", "/work/findMany/columns", "What the columns of a table are read as"
	op.Expensive = true
	httpapi.Register(api, op, func(_ context.Context, in *struct{ Body lookupSample }) (*struct{ Body lookupColumns }, error) {
		columns, headers := Recognise(in.Body.Rows)
		return &struct{ Body lookupColumns }{lookupColumns{wireColumns(columns), headers}}, nil
	})

	op = looking
	op.ID, op.Path, op.Summary = "findMany", "/work/findMany", "The bills of the lines of a table"
	op.Expensive = true
	op.Description = "Of every TIN in scope, one answer for each line. Lines count for the group's day: at most 30,000."
	httpapi.Register(api, op, func(ctx context.Context, in *struct{ Body lookupTable }) (*struct{ Body lookupAnswer }, error) {
		lines, err := s.Look(ctx, access.From(ctx), Table{columnsOf(in.Body.Columns), in.Body.HeaderRows, in.Body.Rows})
		if err != nil {
			return nil, err
		}
		asOf, err := s.ages.AsOf(ctx)
		return &struct{ Body lookupAnswer }{lookupAnswer{wireLines(lines), asOf, countsOf(lines)}}, err
	})

	op = looking
	op.ID, op.Path, op.Summary = "findManyExport", "/work/findMany/export", "The lines of a table with their bills, as a file"
	op.Expensive = true
	op.Description = "CSV or XLSX, one row for each bill, the table's own columns first. Lines count for the group's day."
	httpapi.Register(api, op, func(ctx context.Context, in *struct{ Body lookupExport }) (*huma.StreamResponse, error) {
		var out bytes.Buffer
		format, table := sheetrows.Format(in.Body.Format), Table{columnsOf(in.Body.Columns), in.Body.HeaderRows, in.Body.Rows}
		if err := s.Export(ctx, access.From(ctx), table, format, &out); err != nil {
			return nil, err
		}
		return httpapi.Attachment{Name: "bills." + string(format), ContentType: format.ContentType()}.SendBytes(out.Bytes()), nil
	})
	s.registerFiles(api)
}

// registerFiles adds the operations about files whose lines are looked up in the
// background.
func (s *Service) registerFiles(api *httpapi.API) {
	type jobPath struct {
		ID string `path:"id" maxLength:"40"`
	}
	httpapi.Register(api, httpapi.Operation{
		ID: "findManySend", Method: http.MethodPost, Path: "/work/findMany/files", Summary: "Send a file whose lines are to be looked up",
		Description: "A multipart form (multipart/form-data) with one file: CSV or XLSX, at most 10,000 lines and 5 MiB. It is kept for 7 days.",
		Access:      "work.find", Effect: httpapi.Write,
	}, func(ctx context.Context, in *form) (*struct{ Body lookupFile }, error) {
		name, path, err := in.spool()
		if err != nil {
			return nil, err
		}
		defer os.Remove(path) //nolint:errcheck // of the operating system's temporary files
		f, err := s.Take(ctx, access.From(ctx), name, path)
		return &struct{ Body lookupFile }{lookupFile{f.ID, wireColumns(f.Columns), f.Headers, f.Sample, f.Lines, f.Warnings}}, err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "findManyRun", Method: http.MethodPost, Path: "/work/findMany/files/{id}/run", Summary: "Look up the lines of a file",
		Description: "In the background; one that is begun goes on as it is. At most 20 files an hour.",
		Access:      "work.find", Effect: httpapi.Write,
	}, func(ctx context.Context, in *struct {
		ID   string `path:"id" maxLength:"40"`
		Body lookupChoice
	}) (*struct{ Body lookupJob }, error) {
		j, err := s.Run(ctx, access.From(ctx), in.ID, columnsOf(in.Body.Columns), in.Body.HeaderRows)
		return &struct{ Body lookupJob }{wireJob(j)}, err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "findManyJobs", Method: http.MethodGet, Path: "/work/findMany/jobs", Summary: "The person's own files whose lines are looked up, the newest first",
		Access: "work.find", Effect: httpapi.Read, Background: true,
	}, func(ctx context.Context, _ *struct{}) (*httpapi.List[lookupJob], error) {
		list, scope, err := s.Jobs(ctx, access.From(ctx))
		return httpapi.ListOf(list, func(j Job) lookupJob {
			out := wireJob(j)
			out.Withheld = j.withheld(scope)
			return out
		}), err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "findManyJob", Method: http.MethodGet, Path: "/work/findMany/jobs/{id}", Summary: "How far the look-up of a file is",
		Access: "work.find", Effect: httpapi.Read, Background: true,
	}, func(ctx context.Context, in *jobPath) (*struct{ Body lookupJob }, error) {
		j, err := s.Own(ctx, access.From(ctx), in.ID)
		return &struct{ Body lookupJob }{wireJob(j)}, err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "findManyRemove", Method: http.MethodDelete, Path: "/work/findMany/jobs/{id}", Summary: "Remove a file and what was found",
		Access: "work.find", Effect: httpapi.Write,
	}, func(ctx context.Context, in *jobPath) (*struct{}, error) {
		return nil, s.Remove(ctx, access.From(ctx), in.ID)
	})
	for _, format := range filework.Formats {
		httpapi.Register(api, httpapi.Operation{
			ID: "findManyResult" + strings.ToUpper(string(format)), Method: http.MethodGet, Path: "/work/findMany/jobs/{id}/result." + string(format),
			Summary:     "The lines of a file with their bills (" + strings.ToUpper(string(format)) + ")",
			Description: "Answers 409 while they are being looked up, and 404 once a TIN of its bills is no longer the person's.",
			Access:      "work.find", Effect: httpapi.Read, Cookie: true,
		}, func(ctx context.Context, in *jobPath) (*huma.StreamResponse, error) {
			j, file, err := s.Result(ctx, access.From(ctx), in.ID, format)
			if err != nil {
				return nil, err
			}
			return filework.Send(file, strings.TrimSuffix(j.FileName, filepath.Ext(j.FileName))+" - bills", format), nil
		})
	}
}

// form is a multipart form as it comes in.
type form struct{ request *http.Request }

// Resolve takes the request as it is.
func (f *form) Resolve(hc huma.Context) []error {
	f.request, _ = humago.Unwrap(hc)
	return nil
}

// spool writes the form's file to disk, and answers its name and path.
func (f *form) spool() (name, path string, err error) {
	refused := check.RefuseField(saySend, fieldFile, saySend)
	kind, params, err := mime.ParseMediaType(f.request.Header.Get("Content-Type"))
	if err != nil || kind != "multipart/form-data" || params["boundary"] == "" {
		return "", "", refused
	}
	parts := multipart.NewReader(io.LimitReader(f.request.Body, MostBytesOfFile+(1<<20)), params["boundary"])
	for {
		part, err := parts.NextPart()
		if err != nil {
			return "", "", refused
		}
		if part.FileName() != "" {
			path, err := spooled(part)
			return part.FileName(), path, err
		}
	}
}

func spooled(part io.Reader) (string, error) {
	file, err := os.CreateTemp("", "wcpp-look-up")
	if err != nil {
		return "", err
	}
	n, err := io.Copy(file, io.LimitReader(part, MostBytesOfFile+1))
	switch closed := file.Close(); {
	case err != nil:
		err = problem.Say(problem.Invalid, "The file broke off. Send it again.")
	case n > MostBytesOfFile:
		err = problem.Say(problem.TooLarge, "The file is larger than 5 MiB. Send it in parts.")
	default:
		err = closed
	}
	if err != nil {
		return "", errors.Join(err, os.Remove(file.Name()))
	}
	return file.Name(), nil
}

func columnsOf(chosen []lookupColumn) []Column {
	columns := make([]Column, len(chosen))
	for i, column := range chosen {
		columns[i] = Column{column.Index, column.Name, Kind(column.Kind)}
	}
	return columns
}

func wireColumns(columns []Column) []lookupColumn {
	out := make([]lookupColumn, len(columns))
	for i, c := range columns {
		out[i] = lookupColumn{c.Index, c.Name, string(c.Kind)}
	}
	return out
}

func wireLines(lines []Line) []lookupLine {
	out := make([]lookupLine, len(lines))
	for i, l := range lines {
		out[i] = lookupLine{Line: l.Number, Answer: l.Answer, Matches: l.Matches, By: string(l.By), Bills: make([]foundMany, len(l.Bills)), Cells: make([]lookupCell, len(l.Cells))}
		for n, b := range l.Bills {
			out[i].Bills[n] = wireBill(b)
		}
		for n, c := range l.Cells {
			out[i].Cells[n] = lookupCell(c)
		}
	}
	return out
}

func wireBill(b bills.Concluded) foundMany {
	return foundMany{
		ID: b.Page, FTIN: b.FTIN, BillControlNumber: b.BillControlNumber, PatientFirstName: b.PatientFirstName, PatientLastName: b.PatientLastName,
		BeginServiceDate: b.BeginServiceDate, ReceivedOn: b.ReceivedOn, Status: b.Status, State: b.State.Text, Tone: b.State.Tone,
		Allowance: dollars.OrNone(b.RecommendedAllowance), Paid: dollars.OrNone(b.PaidAmount), PaidOn: b.PaidDate, CheckNumber: b.CheckNumber,
		RemittanceID: b.Remittance,
		Reasons:      append([]string{}, strings.Fields(b.Reasons)...), Jurisdiction: b.StateOfJurisdiction, NextStep: b.NextStep,
	}
}

func countsOf(lines []Line) (c lookupCounts) {
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
			case bills.TakenBack:
				c.TakenBack++
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
