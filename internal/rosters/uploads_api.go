package rosters

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/xuri/excelize/v2"

	"wcpp/internal/identity/access"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/events"
	"wcpp/internal/platform/httpapi"
	"wcpp/internal/platform/paging"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/ratelimit"
	"wcpp/internal/platform/spool"
	"wcpp/internal/platform/spreadsheet"
	"wcpp/internal/platform/text"
	"wcpp/internal/platform/validate"
)

// RosterUploadLog is a sent roster.
type RosterUploadLog struct {
	LogID              int64            `json:"logId"`
	GrpName            string           `json:"grpName" doc:"Provider group"`
	UploadDt           string           `json:"uploadDt"`
	UpdateType         string           `json:"updateType" enum:"full,delta"`
	UploadedByUserName string           `json:"uploadedByUserName"`
	FileName           string           `json:"fileName" doc:"Names of its files, comma separated"`
	SourceID           int64            `json:"sourceId"`
	SourceGroupID      int64            `json:"sourceGroupId,omitempty" doc:"ID of the provider group. Absent without the Workspace"`
	Files              []RosterUploaded `json:"files" nullable:"false"`
	Receiving          *RosterReceiving `json:"receiving,omitempty" doc:"Processing state. Absent without the Workspace"`
}

// RosterReceiving is the network's processing state of a sent roster.
type RosterReceiving struct {
	State  Handling   `json:"state" enum:"NEW,TAKEN,DONE,RETURNED"`
	At     *time.Time `json:"at,omitempty" doc:"When the state was set. Absent for a new roster"`
	Reason string     `json:"reason,omitempty" doc:"Reason it was returned"`
}

// RosterUploaded is a file of a sent roster.
type RosterUploaded struct {
	Number   int    `json:"number"`
	FileName string `json:"fileName"`
	Size     int64  `json:"size" doc:"Bytes"`
	Checked  bool   `json:"checked" doc:"True if its rows could be read"`
	Unread   string `json:"unread,omitempty" doc:"Reason the rows couldn't be checked"`
	Rows     int    `json:"rows"`
	BadRows  int    `json:"badRows" doc:"Rows with problems"`
}

// RosterProblem is an error in a roster file.
type RosterProblem struct {
	Row      int    `json:"row" doc:"Row number in the file, from 1"`
	Column   string `json:"column" doc:"Template column. Empty for the whole row"`
	Code     string `json:"code"`
	Message  string `json:"message" doc:"How to fix it"`
	Provider string `json:"provider" doc:"Provider of the row by name and NPI. Empty if unknown, and in rosters sent earlier"`
	Value    string `json:"value" doc:"Content of the cell, up to 80 characters. Empty for the whole row, and in rosters sent earlier"`
}

// RosterFileCheck is the result of checking a file.
type RosterFileCheck struct {
	FileName   string          `json:"fileName"`
	Format     string          `json:"format" enum:"csv,xlsx," doc:"Empty for a file that isn't checked"`
	CheckID    string          `json:"checkId" doc:"ID of the corrected copy. Empty if there's nothing to correct"`
	Unreadable string          `json:"unreadable" doc:"Reason the rows couldn't be read, or empty"`
	Missing    []string        `json:"missing" nullable:"false" doc:"Missing required columns. If any, rows aren't checked"`
	Ignored    []string        `json:"ignored" nullable:"false" doc:"Columns that aren't in the template"`
	Sheets     []string        `json:"sheets" nullable:"false" doc:"Other visible sheets with rows. They aren't read"`
	HeaderRow  int             `json:"headerRow" doc:"Header row, from 1. 0 if there is none"`
	HeaderRows []int           `json:"headerRows,omitempty" nullable:"false" doc:"Possible header rows, until the roster is sent"`
	Columns    []RosterColumn  `json:"columns,omitempty" nullable:"false" doc:"Column mapping, without empty columns"`
	Chosen     bool            `json:"chosen,omitempty" doc:"True if the sender mapped the columns. Otherwise mapped by headings"`
	SentBefore *RosterSent     `json:"sentBefore,omitempty" doc:"When your group last sent a file with the same content"`
	Rows       int             `json:"rows"`
	BadRows    int             `json:"badRows" doc:"Rows with problems"`
	Found      int             `json:"found" doc:"Total problems"`
	Problems   []RosterProblem `json:"problems" nullable:"false" doc:"The first 500"`
	Providers  int             `json:"providers" doc:"Distinct NPIs in rows without problems"`
	Adds       int             `json:"adds" doc:"Rows that add a provider, in a partial roster"`
	Changes    int             `json:"changes"`
	Terms      int             `json:"terms"`
}

// RosterColumn maps a column of a file to a template column.
type RosterColumn struct {
	Index  int      `json:"index" doc:"From 0"`
	Name   string   `json:"name,omitempty" doc:"Heading"`
	Kind   string   `json:"kind" doc:"Template column. Empty if it isn't read"`
	Sample []string `json:"sample,omitempty" nullable:"false" doc:"Values of up to 3 rows, until the roster is sent"`
}

// RosterSent is when a file was sent before.
type RosterSent struct {
	At       time.Time `json:"at"`
	By       string    `json:"by" doc:"Username"`
	FileName string    `json:"fileName" doc:"Name at that time"`
}

// RosterComparison is what a full roster would change from the previous one.
type RosterComparison struct {
	Before      int  `json:"before" doc:"Number of providers in the last roster"`
	Add         int  `json:"add"`
	Change      int  `json:"change"`
	End         int  `json:"end"`
	MustConfirm bool `json:"mustConfirm" doc:"True if the number of terminations needs confirmation"`
}

// RosterCheck is the final message of a check.
type RosterCheck struct {
	Files      []RosterFileCheck `json:"files" nullable:"false"`
	Comparison *RosterComparison `json:"comparison" nullable:"true" doc:"Only for a full roster with readable files"`
	Template   []string          `json:"template" nullable:"false" doc:"Template columns that can be mapped"`
}

// RosterProgress is a progress message of a check.
type RosterProgress struct {
	File int `json:"file" doc:"File index, from 0"`
	Rows int `json:"rows" doc:"Rows read so far"`
}

const formDocs = "A form (multipart/form-data) with the fields sourceId, groupName, groupId (the source's ID of the provider group), " +
	"rosterType (full or delta; type also works), username and one or more files. If a file's headings differ from the template, send " +
	"the field columns: a JSON object with file (index among the files, from 0), headerRow (from 1; " +
	"0 for none; omit to detect it) and columns, a list of objects with index (from 0) and kind (the template column). Unlisted " +
	"columns are " +
	"ignored. Without columns, they're detected by their headings. Returns 400 with the field columns if the mapping doesn't fit the file."

func (s *Service) registerUploads(api *httpapi.API) {
	s.registerSending(api)
	s.registerFiles(api)
}

// registerSending adds the endpoints for checking and sending rosters.
func (s *Service) registerSending(api *httpapi.API) {
	httpapi.Register(api, httpapi.Operation{
		ID: "rosterUploadLogs", Method: http.MethodGet, Path: "/roster/uploadLogs/group/{id}",
		Summary:     "List rosters sent by a portal user group, newest first",
		Description: "Up to 500.",
		Access:      "rosters.upload", Effect: httpapi.Read,
	}, func(ctx context.Context, in *portalGroup) (*httpapi.List[RosterUploadLog], error) {
		list, err := s.Uploads(ctx, access.From(ctx), in.ID)
		return httpapi.NewList(list, s.toUploadLog), err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "rosterUploadPage", Method: http.MethodPost, Path: "/roster/uploadLogs/page",
		Summary:     "List rosters sent by a portal user group, one page at a time",
		Description: "Newest first by default. Columns: group, date, type, by, files, correction (needed: returned and not sent again).",
		Access:      "rosters.upload", Effect: httpapi.Read,
	}, func(ctx context.Context, in *struct {
		Body struct {
			GroupID int64        `json:"groupId"`
			Table   paging.Table `json:"table"`
		}
	}) (*paging.Answer[RosterUploadLog], error) {
		list, count, err := s.UploadPage(ctx, access.From(ctx), in.Body.GroupID, in.Body.Table)
		return paging.NewAnswer(list, count, s.toUploadLog), err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "uploadRoster", Method: http.MethodPost, Path: "/roster/upload", Summary: "Send a roster",
		Description: formDocs + " Stores all files or none. Returns 409 with the code ROSTER_ENDS_MANY if a full roster would " +
			"terminate too many providers, and more than the number in the field confirmed (true for any number). The error's field " +
			"confirmed has the number to send. Returns 413 for files that are too large or too many.",
		Access: "rosters.upload", Effect: httpapi.Write,
	}, s.upload)
	httpapi.Register(api, httpapi.Operation{
		ID: "checkRoster", Method: http.MethodPost, Path: "/roster/check", Summary: "Check the files of a roster before it is sent",
		Description: formDocs + " Returns an event stream (text/event-stream) of RosterProgress events and a final RosterCheck as the " +
			"event 'report'. Doesn't send the roster. Files with problems are kept for an hour for their corrected copy.",
		Access: "rosters.upload", Effect: httpapi.Write, Expensive: true, Limit: ratelimit.Hourly(s.settings.RosterChecks),
	}, func(ctx context.Context, in *httpapi.Form) (*huma.StreamResponse, error) {
		a := access.From(ctx)
		u, received, err := s.receive(ctx, in)
		if err != nil {
			return nil, err
		}
		group, err := s.FindGroup(ctx, a, u)
		if err != nil {
			return nil, errors.Join(err, received.Close())
		}
		return &huma.StreamResponse{Body: func(hc huma.Context) {
			defer received.Close() //nolint:errcheck // the next start removes temporary files
			s.streamCheck(hc, a, u, group, received.Files)
		}}, nil
	})
}

// sentRoster is an alias, so that the schema has the name of the operation.
type sentRoster = struct {
	Body struct {
		LogID int64 `json:"logId"`
	}
}

func (s *Service) upload(ctx context.Context, in *httpapi.Form) (*sentRoster, error) {
	a := access.From(ctx)
	if err := s.checkUploadLimit(a); err != nil {
		in.Drain(s.settings.fileBytes())
		return nil, err
	}
	u, received, err := s.receive(ctx, in)
	if err != nil {
		return nil, err
	}
	defer received.Close() //nolint:errcheck // the next start removes temporary files
	id, err := s.Send(ctx, a, u, received.Files)
	if err != nil {
		return nil, err
	}
	out := &sentRoster{}
	out.Body.LogID = id
	return out, nil
}

// registerFiles adds the endpoints that return files.
func (s *Service) registerFiles(api *httpapi.API) {
	httpapi.Register(api, httpapi.Operation{
		ID: "correctedRosterCheck", Method: http.MethodGet, Path: "/roster/check/{id}/corrected",
		Summary: "Download a checked file with an error column",
		Access:  "rosters.upload", Effect: httpapi.Read, Cookie: true,
	}, func(ctx context.Context, in *struct {
		ID string `path:"id" maxLength:"40"`
	}) (*huma.StreamResponse, error) {
		name, write, err := s.CorrectChecked(ctx, access.From(ctx), in.ID)
		return newAttachment(name).Send(write), err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "rosterFile", Method: http.MethodGet, Path: "/roster/file/{logId}/{number}", Summary: "Download a roster file as sent",
		Access: "rosters.upload", Effect: httpapi.Read, Cookie: true,
	}, func(ctx context.Context, in *struct {
		LogID  int64 `path:"logId"`
		Number int32 `path:"number"`
	}) (*huma.StreamResponse, error) {
		f, file, err := s.Open(ctx, access.From(ctx), in.LogID, int(in.Number))
		return newAttachment(f.Name).SendAll(file), err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "correctedRosterFile", Method: http.MethodGet, Path: "/roster/file/{logId}/{number}/corrected",
		Summary: "Download a sent file with an error column",
		Access:  "rosters.upload", Effect: httpapi.Read, Cookie: true,
	}, func(ctx context.Context, in *struct {
		LogID  int64 `path:"logId"`
		Number int32 `path:"number"`
	}) (*huma.StreamResponse, error) {
		name, write, err := s.CorrectSent(ctx, access.From(ctx), in.LogID, int(in.Number))
		return newAttachment(name).Send(write), err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "rosterTemplate", Method: http.MethodGet, Path: "/roster/template", Summary: "Download the roster template (XLSX)",
		Access: "rosters.upload", Effect: httpapi.Read, Cookie: true,
	}, func(context.Context, *struct{}) (*huma.StreamResponse, error) {
		return newAttachment("Roster_Template.xlsx").Send(writeTemplate), nil
	})
}

// readReport returns the check report of a file, or an empty one for a file that isn't checked.
func readReport(f UploadFile) (r Report) {
	if f.Report == "" || json.Unmarshal([]byte(f.Report), &r) != nil {
		return Report{}
	}
	return r
}

// isReadable reports whether the rows could be read.
func (r Report) isReadable() bool {
	return r.Format != spreadsheet.Other && r.Unreadable == "" && len(r.Missing) == 0
}

// explainUnread explains why the rows of a table couldn't be checked.
func (r Report) explainUnread() string {
	if r.Unreadable == "" && len(r.Missing) > 0 {
		return "These columns are missing: " + strings.Join(r.Missing, "; ") + "."
	}
	return r.Unreadable
}

func (s *Service) toUploadLog(u UploadLog) RosterUploadLog {
	log := RosterUploadLog{
		LogID: u.ID, GrpName: u.GroupName, UploadDt: u.UploadedAt.RFC3339(), UpdateType: u.UpdateType,
		UploadedByUserName: u.UploadedBy, SourceID: u.SourceID, Files: make([]RosterUploaded, len(u.Files)),
	}
	names := make([]string, len(u.Files))
	for i, f := range u.Files {
		names[i] = f.Name
		file := RosterUploaded{Number: f.Number, FileName: f.Name, Size: f.Size}
		r := readReport(f)
		file.Checked, file.Unread, file.Rows, file.BadRows = r.isReadable(), r.explainUnread(), r.Rows, r.BadRows
		log.Files[i] = file
	}
	log.FileName = strings.Join(names, ", ")
	if s.receives {
		log.SourceGroupID = u.SourceGroupID
		log.Receiving = &RosterReceiving{u.Handling, u.HandledAt.OrNone(), u.ReturnedFor}
	}
	return log
}

// Limits of a form, besides its files.
const (
	maxFields     = 40
	longestField  = 1000
	longestChoice = 20_000 // for the columns of a file
	// Time limit for checking and storing a roster's files.
	checkLimit = 5 * time.Minute
)

// receive saves a form to disk and checks its files for viruses. The caller must close them.
func (s *Service) receive(ctx context.Context, f *httpapi.Form) (u Upload, received *LocalFiles, err error) {
	parts, err := f.Parts()
	if err != nil {
		return u, nil, problem.WithMessage(problem.Invalid, "Send the roster as a form (multipart/form-data).")
	}
	received = s.NewLocalFiles()
	if err = s.readForm(parts, &u, received); err == nil {
		err = received.choose(u.choices)
	}
	if err != nil {
		f.Drain(s.settings.fileBytes())
		return u, nil, errors.Join(err, received.Close())
	}
	f.ExtendDeadline(checkLimit)
	for _, file := range received.Files {
		if err := s.uploads.Scan(ctx, file.File); err != nil {
			return u, nil, errors.Join(err, received.Close())
		}
	}
	return u, received, nil
}

func (s *Service) readForm(parts *multipart.Reader, u *Upload, received *LocalFiles) error {
	for n := 0; ; n++ {
		part, err := parts.NextPart()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return spool.Interrupted(err)
		}
		if n >= maxFields+2*s.settings.RosterFiles {
			return problem.WithMessage(problem.TooLarge, "The form has too many fields.")
		}
		if part.FormName() == "files" {
			err = received.Save(httpapi.FileName(part), part)
		} else {
			err = u.set(part)
		}
		if err != nil {
			return spool.Interrupted(err)
		}
	}
}

func (u *Upload) set(p *multipart.Part) error {
	longest := longestField
	if p.FormName() == fieldColumns {
		longest = longestChoice
	}
	value, err := io.ReadAll(io.LimitReader(p, int64(longest)+1))
	if err != nil {
		return err
	}
	if len(value) > longest {
		return problem.WithMessage(problem.TooLarge, "A form field is too long. Shorten it.")
	}
	if !text.IsStorable(string(value)) {
		return validate.RefuseField("A form field has characters that aren't allowed.", p.FormName(), "Enter text.")
	}
	typed := strings.TrimSpace(string(value))
	switch p.FormName() {
	case "sourceId":
		u.SourceID, _ = strconv.ParseInt(typed, 10, 64) // an invalid number becomes 0, an unknown source
	case "groupId":
		u.GroupID = typed
	case "rosterType", "type":
		u.RosterType = typed
	case "username":
		u.UserName = typed
	case "confirmed":
		u.Confirmed = parseConfirmed(typed)
	case fieldColumns:
		var c fileChoice
		if err := json.Unmarshal(value, &c); err != nil {
			return refuseChoice("Send the columns of a file as JSON.")
		}
		u.choices = append(u.choices, c)
	}
	return nil
}

// parseConfirmed returns the confirmed number of terminated providers; 0 if there is none.
func parseConfirmed(typed string) int {
	if typed == "true" {
		return confirmedAny
	}
	n, err := strconv.Atoi(typed)
	if err != nil {
		return 0
	}
	return n
}

// streamCheck checks the files, and streams the progress and the result.
func (s *Service) streamCheck(hc huma.Context, a access.Actor, u Upload, group SourceGroup, files []*File) {
	ctx := hc.Context()
	stream := events.NewStream(hc)
	defer stream.Close()
	last, at := time.Now(), RosterProgress{}
	err := s.Check(ctx, files, u.RosterType, func(file, rows int) {
		at = RosterProgress{file, rows}
		if time.Since(last) > 200*time.Millisecond {
			last = time.Now()
			progress, _ := json.Marshal(at) // two numbers can't fail
			stream.Send(string(progress))
		}
	})
	var found RosterCheck
	if err == nil {
		found, err = s.newCheckResult(ctx, a, u, group, files)
	}
	var report []byte
	if err == nil {
		report, err = json.Marshal(found)
	}
	if err != nil && ctx.Err() != nil { // the client disconnected
		s.log.DebugContext(ctx, "roster check abandoned", "file", at.File, "rows", at.Rows)
		return
	}
	if err != nil {
		s.log.ErrorContext(ctx, "roster not checked", "error", err)
		stream.SendEvent("failed", problem.New(problem.Internal).Message)
		return
	}
	stream.SendEvent("report", string(report))
}

func (s *Service) newCheckResult(ctx context.Context, a access.Actor, u Upload, group SourceGroup, files []*File) (RosterCheck, error) {
	ids, err := s.StoreChecked(ctx, a, u.RosterType, files)
	if err != nil {
		return RosterCheck{}, err
	}
	out := RosterCheck{Files: make([]RosterFileCheck, len(files)), Template: make([]string, len(Template))}
	for i, c := range Template {
		out.Template[i] = c.Name
	}
	for i, f := range files {
		var report Report // empty for a file that isn't checked
		if f.Report != nil {
			report = *f.Report
		}
		c := toFileCheck(f.Name, report, u.RosterType)
		c.CheckID = ids[i]
		if c.SentBefore, err = s.findSentBefore(ctx, a, f.SHA256); err != nil {
			return out, err
		}
		out.Files[i] = c
	}
	if u.RosterType == Full {
		c, err := s.Compare(ctx, group, files)
		if err != nil {
			return out, err
		}
		if c != nil {
			out.Comparison = &RosterComparison{c.Before, c.Add, c.Change, c.End, c.MustConfirm}
		}
	}
	return out, nil
}

// findSentBefore returns when the actor's group last sent a file with the same content, or nil.
func (s *Service) findSentBefore(ctx context.Context, a access.Actor, sha256 string) (*RosterSent, error) {
	sent, err := lastSent(ctx, s.db.Reader, a.Acting().GroupID, sha256)
	if errors.Is(err, db.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return &RosterSent{sent.UploadedAt.Time, sent.UploadedBy, sent.Name}, nil
}

// toFileCheck converts a check report for the API.
func toFileCheck(name string, r Report, updateType string) RosterFileCheck {
	c := RosterFileCheck{
		FileName: name, Format: string(r.Format), Unreadable: r.Unreadable, Rows: r.Rows, BadRows: r.BadRows, Found: r.Found,
		Providers: r.Providers,
		HeaderRow: r.Header, HeaderRows: r.Candidates, Columns: wireColumns(r.Columns), Chosen: r.Chosen,
		Sheets:  append([]string{}, r.Sheets...),
		Missing: append([]string{}, r.Missing...), Ignored: append([]string{}, r.Ignored...),
		Problems: make([]RosterProblem, len(r.Problems)),
	}
	for i, p := range r.Problems {
		c.Problems[i] = RosterProblem(p)
	}
	if updateType == Delta {
		c.Adds, c.Changes, c.Terms = r.Adds, r.Changes, r.Terms
	}
	return c
}

func wireColumns(columns []FileColumn) []RosterColumn {
	out := make([]RosterColumn, len(columns))
	for i, c := range columns {
		out[i] = RosterColumn(c)
	}
	return out
}

// newAttachment makes the browser save the file instead of displaying it, because its content is
// untrusted.
func newAttachment(name string) httpapi.Attachment {
	kind := spreadsheet.Other
	if spreadsheet.GetFormat(name) == spreadsheet.XLSX {
		kind = spreadsheet.XLSX
	}
	return httpapi.Attachment{Name: name, ContentType: kind.ContentType()}
}

// writeTemplate writes the template, with a sheet to fill in and one with instructions.
func writeTemplate(_ context.Context, out io.Writer) error {
	book := excelize.NewFile()
	err := fillTemplate(book)
	if err == nil {
		_, err = book.WriteTo(out)
	}
	return errors.Join(err, book.Close())
}

// helpSheet is the template's sheet with instructions.
const helpSheet = "Instructions"

func fillTemplate(book *excelize.File) error {
	const sheet, help = "Roster", helpSheet
	if err := book.SetSheetName("Sheet1", sheet); err != nil {
		return err
	}
	if _, err := book.NewSheet(help); err != nil {
		return err
	}
	bold, err := book.NewStyle(&excelize.Style{Font: &excelize.Font{Bold: true}})
	if err != nil {
		return err
	}
	asText, err := book.NewStyle(&excelize.Style{NumFmt: 49}) // text format preserves leading zeros
	if err != nil {
		return err
	}
	head := make([]any, len(Template))
	explained := [][]any{{"Column", "Required", "Holds", "Example"}}
	for i, c := range Template {
		head[i] = c.Name
		explained = append(explained, []any{c.Name, c.required.String(), c.Hint, c.Example})
	}
	last, err := excelize.ColumnNumberToName(len(Template))
	if err != nil {
		return err
	}
	steps := []func() error{
		func() error { return book.SetColStyle(sheet, "A:"+last, asText) },
		func() error { return book.SetColWidth(sheet, "A", last, 18) },
		func() error { return book.SetSheetRow(sheet, "A1", &head) },
		func() error { return book.SetRowStyle(sheet, 1, 1, bold) },
		func() error { return book.SetColWidth(help, "A", "D", 34) },
		func() error { return book.SetRowStyle(help, 1, 1, bold) },
	}
	for i, line := range explained {
		steps = append(steps, func() error { return book.SetSheetRow(help, fmt.Sprintf("A%d", i+1), &line) })
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

func (n need) String() string {
	switch n {
	case always:
		return "always"
	case partialOnly:
		return "in a partial roster"
	case toList:
		return "unless the provider is terminated (T)"
	case toEnd:
		return "when the provider is terminated (T)"
	}
	return ""
}
