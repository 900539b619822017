package feeds

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/prometheus/client_golang/prometheus"

	"wcpp/internal/identity/access"
	"wcpp/internal/platform/csvio"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/httpapi"
	"wcpp/internal/platform/ingest"
	"wcpp/internal/platform/module"
	"wcpp/internal/platform/paging"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/retention"
	"wcpp/internal/platform/spreadsheet"
	"wcpp/internal/platform/version"
)

// FeedSourceEdit is a source as staff edit it.
type FeedSourceEdit struct {
	Name         string `json:"name" doc:"Up to 80 characters, unique"`
	Kind         string `json:"kind" doc:"Kind of its files, such as x12 or csv-claims"`
	Pattern      string `json:"pattern" doc:"File name pattern with * and ?. Empty for files of this kind that no other source matches"`
	Expected     string `json:"expected" doc:"When a file is expected (cron, business time zone). Empty if there's no schedule"`
	GraceMinutes int    `json:"graceMinutes" doc:"Allowed delay in minutes, 0 to 10,080"`
	OwnerMail    string `json:"ownerMail" doc:"Email address for late-file alerts. Empty for none"`
	Version      string `json:"version,omitempty" maxLength:"100" doc:"The version you loaded. Fails with STALE if the source changed"`
}

func (e FeedSourceEdit) source(id int64) Source {
	return Source{ID: id, Name: e.Name, Kind: e.Kind, Pattern: e.Pattern, Expected: e.Expected, GraceMinutes: e.GraceMinutes,
		OwnerMail: e.OwnerMail}
}

// FeedSource is a source with its status.
type FeedSource struct {
	FeedSourceEdit
	ID       int64      `json:"id"`
	Light    Light      `json:"light" enum:"ON_TIME,LATE,NEVER,NONE" doc:"NEVER: late, and no file received yet. NONE: no schedule"`
	LastAt   *time.Time `json:"lastAt" nullable:"true" doc:"When the last accepted file arrived. Null if never"`
	LateFrom *time.Time `json:"lateFrom" nullable:"true" doc:"When the late file was expected. Null if none is late"`
	NextAt   *time.Time `json:"nextAt" nullable:"true" doc:"When the next file is expected. Null if there's no schedule"`
}

func toFeedSource(l Listed) FeedSource {
	return FeedSource{
		FeedSourceEdit: FeedSourceEdit{l.Name, l.Kind, l.Pattern, l.Expected, l.GraceMinutes, l.OwnerMail, version.Hash(l.editable())},
		ID:             l.ID, Light: l.Light, LastAt: l.LastAt.OrNone(), LateFrom: db.At(l.LateFrom).OrNone(),
		NextAt: db.At(l.Next).OrNone(),
	}
}

// FeedSources are the sources of files.
type FeedSources struct {
	Sources []FeedSource `json:"sources" nullable:"false"`
	Kinds   []string     `json:"kinds" nullable:"false" doc:"Kinds of files"`
	Zone    string       `json:"zone" doc:"IANA time zone of the business, used for schedules"`
	Takes   bool         `json:"takes" doc:"True if files can be uploaded, which needs a watched folder"`
	AsOf    time.Time    `json:"asOf"`
}

// FeedFile is an imported file with its result.
type FeedFile struct {
	ID        int64               `json:"id"`
	SourceID  int64               `json:"sourceId" doc:"0 if the source is unknown"`
	Kind      string              `json:"kind" doc:"Empty if the name doesn't give one"`
	Name      string              `json:"name"`
	Via       ingest.Via          `json:"via" enum:"FOLDER,COMMAND,DESK"`
	StartedBy string              `json:"startedBy" doc:"Username of the uploader. Empty if not uploaded"`
	CheckOnly bool                `json:"checkOnly"`
	Again     bool                `json:"again" doc:"True if re-imported"`
	Status    ingest.FileStatus   `json:"status"`
	Stopped   bool                `json:"stopped" doc:"True if the import hasn't responded for 10 minutes. The next attempt resumes"`
	Phase     string              `json:"phase" doc:"Current phase: reading, checking, keeping or taking. Empty if idle"`
	Bytes     int64               `json:"bytes" doc:"Records read in this phase"`
	Total     int64               `json:"total" doc:"Of the file"`
	Records   int64               `json:"records"`
	Taken     int64               `json:"taken"`
	Updated   int64               `json:"updated"`
	Unchanged int64               `json:"unchanged"`
	Rejected  int64               `json:"rejected"`
	Warnings  int64               `json:"warnings"`
	Refused   string              `json:"refused" doc:"Reason the whole file was rejected. Otherwise empty"`
	BeganAt   time.Time           `json:"beganAt"`
	EndedAt   *time.Time          `json:"endedAt" nullable:"true" doc:"Null if not finished"`
	Problems  []FeedProblemsAlike `json:"problems,omitempty" nullable:"false" doc:"Problems found in this file, most frequent first"`
	More      int64               `json:"more" doc:"Number of problems beyond the 1,000 stored"`
}

// FeedProblemsAlike are problems with the same reason.
type FeedProblemsAlike struct {
	Severity ingest.Severity `json:"severity" enum:"error,warning"`
	Reason   string          `json:"reason"`
	Element  string          `json:"element" doc:"X12 element or table column. Empty if there are several"`
	Count    int             `json:"count"`
	First    string          `json:"first" doc:"First location, such as segment 14, loop 2300"`
}

func (s *Service) toFeedFile(f ingest.Arrival) FeedFile {
	return FeedFile{
		ID: f.ID, SourceID: f.SourceID, Kind: f.Kind, Name: f.Name, Via: f.Via, StartedBy: f.StartedBy, CheckOnly: f.CheckOnly,
		Again:  f.Again,
		Status: f.Status, Stopped: f.Stopped(s.now()), Phase: f.Phase, Bytes: f.Bytes, Total: f.Total, Records: f.Records,
		Taken:     f.Imported,
		Updated:   f.Updated,
		Unchanged: f.Unchanged, Rejected: f.Rejected, Warnings: f.Warnings, Refused: f.Refused, BeganAt: f.BeganAt.Time,
		EndedAt: f.EndedAt.OrNone(), More: f.MoreProblems,
	}
}

// groupProblems groups problems by reason, most frequent first.
func groupProblems(list []ingest.Problem) []FeedProblemsAlike {
	type reason struct {
		severity ingest.Severity
		text     string
	}
	places := map[reason]int{}
	var groups []FeedProblemsAlike
	for _, p := range list {
		why := reason{p.Severity, p.Reason}
		i, known := places[why]
		if !known {
			i = len(groups)
			places[why] = i
			groups = append(groups, FeedProblemsAlike{Severity: p.Severity, Reason: p.Reason, Element: p.Element, First: p.Place()})
		}
		g := &groups[i]
		g.Count++
		if g.Element != p.Element {
			g.Element = ""
		}
	}
	slices.SortStableFunc(groups, func(a, b FeedProblemsAlike) int { return cmp.Compare(b.Count, a.Count) })
	return groups
}

// Module describes this domain to the program.
func (s *Service) Module() module.Module {
	return module.Module{Operations: s.Register, Jobs: s.Jobs, Cleanup: s.Cleanup, Metrics: []prometheus.Collector{s},
		Retention: []retention.Item{
			retention.Forever("Import sources", "feed_sources"),
			retention.For(s.settings.FeedQualityDays, "WCPP_FEED_QUALITY_DAYS", "Data quality measures", "feed_quality",
				"feed_quality_days",
				"feed_measures"),
		}}
}

// Register adds the import endpoints.
func (s *Service) Register(api *httpapi.API) {
	s.registerSources(api)
	s.registerFiles(api)
	s.registerUploads(api)
	s.registerQuality(api)
}

type sourceOut struct{ Body FeedSource }

func (s *Service) registerSources(api *httpapi.API) {
	httpapi.Register(api, httpapi.Operation{
		ID: "feedSources", Method: http.MethodGet, Path: "/desk/feeds/sources", Summary: "List import sources and late files",
		Access: "feeds.watch", Effect: httpapi.Read, Background: true,
	}, func(ctx context.Context, _ *struct{}) (*struct{ Body FeedSources }, error) {
		list, err := s.Sources(ctx)
		out := FeedSources{Sources: make([]FeedSource, len(list)), Kinds: s.importer.Kinds(), Zone: s.zone.String(), Takes: s.CanUpload(),
			AsOf: s.now()}
		for i, l := range list {
			out.Sources[i] = toFeedSource(l)
		}
		return &struct{ Body FeedSources }{out}, err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "addFeedSource", Method: http.MethodPost, Path: "/desk/feeds/sources", Summary: "Add an import source",
		Access: "feeds.manage", Effect: httpapi.Write,
	}, func(ctx context.Context, in *struct{ Body FeedSourceEdit }) (*sourceOut, error) {
		l, err := s.Add(ctx, in.Body.source(0))
		return &sourceOut{toFeedSource(l)}, err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "saveFeedSource", Method: http.MethodPut, Path: "/desk/feeds/sources/{id}", Summary: "Update an import source",
		Description: "Recalculates late files if the schedule changes.",
		Access:      "feeds.manage", Effect: httpapi.Write,
	}, func(ctx context.Context, in *struct {
		ID   int64 `path:"id"`
		Body FeedSourceEdit
	}) (*sourceOut, error) {
		l, err := s.Save(ctx, in.Body.source(in.ID), in.Body.Version)
		return &sourceOut{toFeedSource(l)}, err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "deleteFeedSource", Method: http.MethodDelete, Path: "/desk/feeds/sources/{id}", Summary: "Delete an import source",
		Description: "Keeps its files, without a source.",
		Access:      "feeds.manage", Effect: httpapi.Write,
	}, func(ctx context.Context, in *struct {
		ID int64 `path:"id"`
	}) (*struct{}, error) {
		return nil, s.Delete(ctx, in.ID)
	})
}

type fileOut struct{ Body FeedFile }

func (s *Service) registerFiles(api *httpapi.API) {
	httpapi.Register(api, httpapi.Operation{
		ID: "feedFilePage", Method: http.MethodPost, Path: "/desk/feeds/files/page", Summary: "List received files",
		Description: "Newest first by default. Columns: file, kind, began, status, records, taken, updated, unchanged, rejected, warnings.",
		Access:      "feeds.watch", Effect: httpapi.Read,
	}, func(ctx context.Context, in *struct {
		Body struct {
			Days     int          `json:"days" minimum:"1" maximum:"400" doc:"Only files from this many days"`
			SourceID int64        `json:"sourceId,omitempty" doc:"Only files of this source"`
			Problems bool         `json:"problems,omitempty" doc:"Only files with problems, and unfinished ones"`
			Table    paging.Table `json:"table"`
		}
	}) (*paging.Answer[FeedFile], error) {
		of := ingest.ArrivalFilter{
			Since: s.now().AddDate(0, 0, -in.Body.Days), SourceID: in.Body.SourceID, ProblemsOnly: in.Body.Problems,
		}
		list, count, err := s.importer.Arrivals(ctx, of, in.Body.Table)
		return paging.NewAnswer(list, count, s.toFeedFile), err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "feedFile", Method: http.MethodGet, Path: "/desk/feeds/files/{id}", Summary: "Get a received file and its problems",
		Access: "feeds.watch", Effect: httpapi.Read, Background: true,
	}, func(ctx context.Context, in *struct {
		ID int64 `path:"id"`
	}) (*fileOut, error) {
		f, found, err := s.File(ctx, in.ID)
		out := s.toFeedFile(f)
		out.Problems = groupProblems(found)
		return &fileOut{out}, err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "feedPlaces", Method: http.MethodGet, Path: "/desk/feeds/files/{id}/places",
		Summary:     "Export the error locations of a file as CSV",
		Description: "Meant for the sender. Doesn't include values from the file.",
		Access:      "feeds.watch", Effect: httpapi.Read,
	}, func(ctx context.Context, in *struct {
		ID int64 `path:"id"`
	}) (*huma.StreamResponse, error) {
		_, found, err := s.File(ctx, in.ID)
		if err != nil {
			return nil, err
		}
		var table bytes.Buffer
		if err := writePlaces(&table, found); err != nil {
			return nil, err
		}
		return httpapi.Attachment{Name: fmt.Sprintf("Problems of file %d.csv", in.ID),
			ContentType: spreadsheet.CSV.ContentType()}.SendBytes(table.Bytes()), nil
	})
}

func writePlaces(out io.Writer, list []ingest.Problem) error {
	w := csvio.NewWriter(out)
	err := w.Write([]string{"severity", "segment", "line", "loop", "element", "reason"})
	number := func(n int64) string {
		if n == 0 {
			return ""
		}
		return strconv.FormatInt(n, 10)
	}
	for _, p := range list {
		err = errors.Join(err, w.Write([]string{string(p.Severity), number(p.Segment), number(p.Line), p.Loop, p.Element, p.Reason}))
	}
	return errors.Join(err, w.Flush())
}

// maxBytes is the maximum size of a file uploaded in the browser.
const maxBytes = 10 << 30

var tooLarge = problem.WithMessage(problem.TooLarge, "Files over 10 GB can't be uploaded. Put the file in the watched folder.")

// limitedReader fails with tooLarge after a maximum number of bytes.
type limitedReader struct {
	io.Reader
	left int64
}

func (l *limitedReader) Read(p []byte) (int, error) {
	n, err := l.Reader.Read(p)
	if l.left -= int64(n); l.left < 0 {
		return n, tooLarge
	}
	return n, err
}

func (s *Service) registerUploads(api *httpapi.API) {
	httpapi.Register(api, httpapi.Operation{
		ID: "bringFeedFile", Method: http.MethodPost, Path: "/desk/feeds/upload", Summary: "Upload a file to import or validate",
		Description: "A form (multipart/form-data) with the field check (true: validate only, don't import) followed by file. The file " +
			"goes to the watched folder and a job imports it. Poll the file until it's finished. " +
			"Returns 400 for an unknown kind, 409 if the same content was or is being imported or no folder is watched, and 413 over " +
			"10 GB.",
		Access: "feeds.manage", Effect: httpapi.Write,
	}, func(ctx context.Context, in *httpapi.Form) (*fileOut, error) {
		f, err := s.receive(ctx, in)
		if err != nil {
			in.Drain(maxBytes)
			return nil, err
		}
		in.ExtendDeadline(time.Minute)
		return &fileOut{s.toFeedFile(f)}, nil
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "takeFeedFileAgain", Method: http.MethodPost, Path: "/desk/feeds/files/{id}/again", Summary: "Re-import a file",
		Description: "Works for a rejected file or one whose content is stored. Returns 409 if it's no longer stored or is being imported.",
		Access:      "feeds.manage", Effect: httpapi.Write,
	}, func(ctx context.Context, in *struct {
		ID int64 `path:"id"`
	}) (*fileOut, error) {
		f, err := s.Reimport(ctx, access.From(ctx), in.ID)
		return &fileOut{s.toFeedFile(f)}, err
	})
}

const formRequired = "Send a form (multipart/form-data) with the field check and the file."

// receive reads the form. The fields about the file come before the file itself.
func (s *Service) receive(ctx context.Context, form *httpapi.Form) (f ingest.Arrival, err error) {
	parts, err := form.Parts()
	if err != nil {
		return f, problem.WithMessage(problem.Invalid, formRequired)
	}
	checkOnly := false
	for range 2 {
		part, err := parts.NextPart()
		if err != nil {
			return f, problem.WithMessage(problem.Invalid, formRequired)
		}
		switch part.FormName() {
		case "check":
			value, err := io.ReadAll(io.LimitReader(part, 10))
			if err != nil {
				return f, connectionError(err)
			}
			checkOnly = string(value) == "true"
		case "file":
			return s.receiveFile(ctx, part, checkOnly)
		}
	}
	return f, problem.WithMessage(problem.Invalid, formRequired)
}

func (s *Service) receiveFile(ctx context.Context, part *multipart.Part, checkOnly bool) (ingest.Arrival, error) {
	f, err := s.Upload(ctx, access.From(ctx), httpapi.FileName(part), checkOnly, &limitedReader{part, maxBytes})
	if err != nil {
		return f, connectionError(err)
	}
	return f, nil
}

// connectionError distinguishes a dropped connection from other errors. The form reader's error can
// contain form data, so it isn't passed on.
func connectionError(err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return problem.WithMessage(problem.Invalid, "The upload was interrupted. Upload the file again.")
	}
	return err
}
