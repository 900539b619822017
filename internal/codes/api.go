package codes

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"wcpp/internal/access"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/httpapi"
	"wcpp/internal/platform/kept"
	"wcpp/internal/platform/module"
	"wcpp/internal/platform/sheetrows"
)

// ReasonCode is what the network tells of one code, as plain text.
type ReasonCode struct {
	List         string    `json:"list" enum:"CAGC,CARC,RARC,PLB,CLP02,HCP13,LOCAL" doc:"Groups and reasons of adjustments, remarks, adjustments of whole payments, claim statuses, why the network set no price, and local codes"`
	Code         string    `json:"code" example:"45"`
	Jurisdiction string    `json:"jurisdiction" doc:"Code of the state whose text this is, which goes before the one for all; empty: for all"`
	Title        string    `json:"title" doc:"One sentence"`
	Plain        string    `json:"plain" doc:"More of it"`
	Advice       string    `json:"advice" doc:"What to do about it"`
	Official     string    `json:"official" doc:"The text of the list's owner; empty where the network has none"`
	Status       string    `json:"status" enum:"ACTIVE,ENDED" doc:"ENDED: kept for the bills that carry it"`
	Effective    date.Date `json:"effective,omitempty" doc:"First day"`
	Ended        date.Date `json:"ended,omitempty" doc:"Last day"`
}

func codeOf(r Reason) ReasonCode {
	return ReasonCode{
		List: r.List, Code: r.Code, Jurisdiction: r.Jurisdiction, Title: r.Title, Plain: r.Plain, Advice: r.Advice, Official: r.Official,
		Status: r.Status, Effective: r.Effective, Ended: r.Ended,
	}
}

// codesAnswer is kept by browsers, which ask each time whether it still holds: so
// that a text that was changed is seen.
type codesAnswer struct {
	Status       int
	ETag         string       `header:"ETag"`
	CacheControl string       `header:"Cache-Control"`
	Body         []ReasonCode `nullable:"false"`
}

// DeskCode is what the network tells of a code, and how many bills carry it.
type DeskCode struct {
	ReasonCode
	Version   int64      `json:"version" doc:"Of the network's own text; 0: it has none, and the portal's own is told"`
	UpdatedAt *time.Time `json:"updatedAt" nullable:"true"`
	UpdatedBy string     `json:"updatedBy"`
	Bills     int64      `json:"bills" doc:"Bills of the days that were counted whose payments carry the code"`
	LastSeen  date.Date  `json:"lastSeen,omitempty" doc:"When one was paid last"`
}

func deskOf(l Listed) DeskCode {
	return DeskCode{ReasonCode: codeOf(l.Reason), Version: l.Version, UpdatedBy: l.UpdatedBy, UpdatedAt: l.UpdatedAt.OrNone(), Bills: l.Bills, LastSeen: l.LastSeen}
}

// Desk is what the network's staff see.
type Desk struct {
	CountedAt *time.Time `json:"countedAt" nullable:"true" doc:"When bills were counted; null: not yet"`
	Since     date.Date  `json:"since,omitempty" doc:"Payments from this day on were counted"`
	Codes     []DeskCode `json:"codes" nullable:"false"`
}

// Wording is the network's text of a code; a text that is left empty is told by the
// one for all states, or the portal's own.
type Wording struct {
	Jurisdiction string    `json:"jurisdiction" doc:"Code of the state that it holds for; empty: for all"`
	Version      int64     `json:"version" doc:"The version that it takes the place of; 0: there is none"`
	Title        string    `json:"title" doc:"One sentence, at most 160 characters"`
	Plain        string    `json:"plain" doc:"At most 400 characters"`
	Advice       string    `json:"advice" doc:"At most 400 characters"`
	Official     string    `json:"official" doc:"At most 1,000 characters"`
	Status       string    `json:"status" enum:"ACTIVE,ENDED"`
	Effective    date.Date `json:"effective,omitempty" doc:"First day"`
	Ended        date.Date `json:"ended,omitempty" doc:"Last day"`
}

func (w Wording) reason(list, code string) Reason {
	return Reason{
		List: list, Code: code, Jurisdiction: w.Jurisdiction, Title: w.Title, Plain: w.Plain, Advice: w.Advice, Official: w.Official,
		Status: w.Status, Effective: w.Effective, Ended: w.Ended, Version: w.Version,
	}
}

func wordingOf(r Reason) Wording {
	return Wording{r.Jurisdiction, r.Version, r.Title, r.Plain, r.Advice, r.Official, r.Status, r.Effective, r.Ended}
}

// EarlierWording is what was told until somebody changed it.
type EarlierWording struct {
	ReasonCode
	Until time.Time `json:"until"`
	By    string    `json:"by" doc:"User name of who changed it; feed: a file did"`
}

// ReasonTable is a table of texts, as the feed reason_codes has them.
type ReasonTable struct {
	CSV string `json:"csv" doc:"The text of the file, its first line the names of the columns"`
}

// RowProblem is something wrong in a row of a table.
type RowProblem struct {
	Line    int64  `json:"line" doc:"In the file, counted from 1"`
	Column  string `json:"column" doc:"Empty for the row"`
	Message string `json:"message"`
}

// ReasonImport is what became of a table.
type ReasonImport struct {
	Rows      int          `json:"rows"`
	Taken     int          `json:"taken" doc:"New"`
	Updated   int          `json:"updated"`
	Unchanged int          `json:"unchanged"`
	Rejected  int          `json:"rejected"`
	Problems  []RowProblem `json:"problems" nullable:"false" doc:"The first 500, by line"`
	More      int          `json:"more" doc:"Problems beyond those"`
}

const mostProblems = 500

func importOf(i Imported) ReasonImport {
	first := i.Problems[:min(len(i.Problems), mostProblems)]
	out := ReasonImport{
		Rows: i.Rows, Taken: i.Taken, Updated: i.Updated, Unchanged: i.Unchanged, Rejected: i.Rejected,
		Problems: make([]RowProblem, len(first)), More: len(i.Problems) - len(first),
	}
	for n, p := range first {
		out.Problems[n] = RowProblem{p.Line, p.Element, p.Reason}
	}
	return out
}

// Module is what the area brings to the program.
func (s *Service) Module() module.Module {
	return module.Module{Operations: s.Register, Jobs: s.Jobs, Keeps: []kept.Item{
		kept.Stays("What the network tells of reason codes", "reason_codes"),
		kept.Until("the next count", "How often reason codes are told", "reason_counts", "reason_count_runs").RemovedBy("job `count-reasons`"),
	}}
}

// Register adds the area's operations.
func (s *Service) Register(api *httpapi.API) {
	s.registerReading(api)
	s.registerDesk(api)
	s.registerTables(api)
}

func (s *Service) registerReading(api *httpapi.API) {
	httpapi.Register(api, httpapi.Operation{
		ID: "reasonCodes", Method: http.MethodGet, Path: "/codes", Summary: "What reason codes mean, in plain words",
		Description: "By list and code. 304 where If-None-Match names what is told still.",
		Access:      "codes.read", Effect: httpapi.Read,
	}, func(ctx context.Context, in *struct {
		List        string `query:"list" enum:"CAGC,CARC,RARC,PLB,CLP02,HCP13,LOCAL" doc:"Only the codes of this list"`
		IfNoneMatch string `header:"If-None-Match" maxLength:"500"`
	}) (*codesAnswer, error) {
		reasons, err := s.All(ctx, in.List)
		if err != nil {
			return nil, err
		}
		out := &codesAnswer{Status: http.StatusOK, CacheControl: "private, no-cache", Body: make([]ReasonCode, len(reasons))}
		for i, r := range reasons {
			out.Body[i] = codeOf(r)
		}
		text, err := json.Marshal(out.Body)
		if err != nil {
			return nil, err
		}
		sum := sha256.Sum256(text)
		out.ETag = `"` + hex.EncodeToString(sum[:16]) + `"`
		// A proxy that packs the answer marks the tag as weak.
		if strings.Contains(in.IfNoneMatch, out.ETag) {
			out.Status = http.StatusNotModified
		}
		return out, nil
	})
}

// registerDesk adds the operations by which the staff look after texts.
func (s *Service) registerDesk(api *httpapi.API) {
	httpapi.Register(api, httpapi.Operation{
		ID: "deskCodes", Method: http.MethodGet, Path: "/codes/desk", Summary: "All codes, and how many bills carry each",
		Description: "Those without an explanation first, then those that most bills carry.",
		Access:      "desk.open", Effect: httpapi.Read,
	}, func(ctx context.Context, _ *struct{}) (*struct{ Body Desk }, error) {
		list, counts, err := s.Desk(ctx)
		out := &struct{ Body Desk }{Desk{Since: counts.Since, CountedAt: counts.At.OrNone(), Codes: make([]DeskCode, len(list))}}
		for i, l := range list {
			out.Body.Codes[i] = deskOf(l)
		}
		return out, err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "earlierCodes", Method: http.MethodGet, Path: "/codes/{list}/{code}/earlier", Summary: "What the network told of a code before",
		Description: "The last 20 versions, the latest first.",
		Access:      "desk.open", Effect: httpapi.Read,
	}, func(ctx context.Context, in *struct {
		List         string `path:"list" maxLength:"10"`
		Code         string `path:"code" maxLength:"10"`
		Jurisdiction string `query:"jurisdiction" maxLength:"2"`
	}) (*httpapi.List[EarlierWording], error) {
		list, err := s.Earlier(ctx, in.List, in.Code, in.Jurisdiction)
		return httpapi.ListOf(list, func(e Earlier) EarlierWording { return EarlierWording{codeOf(e.Reason), e.Until.Time, e.By} }), err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "saveCode", Method: http.MethodPut, Path: "/codes/{list}/{code}", Summary: "Set the network's text of a code",
		Description: "409 where the text has another version by now. The text before stays in the audit log.",
		Access:      "codes.manage", Effect: httpapi.Write,
	}, func(ctx context.Context, in *struct {
		List string `path:"list" maxLength:"200"`
		Code string `path:"code" maxLength:"200"`
		Body Wording
	}) (*struct{ Body DeskCode }, error) {
		saved, err := s.Save(ctx, access.From(ctx), in.Body.reason(in.List, in.Code))
		return &struct{ Body DeskCode }{deskOf(Listed{Reason: saved})}, err
	})
}

// registerTables adds the operations by which texts go out and come in as tables.
func (s *Service) registerTables(api *httpapi.API) {
	httpapi.Register(api, httpapi.Operation{
		ID: "exportCodes", Method: http.MethodGet, Path: "/codes/export", Summary: "All texts as CSV",
		Description: "In the columns that the import takes.",
		Access:      "desk.open", Effect: httpapi.Read,
	}, func(ctx context.Context, _ *struct{}) (*huma.StreamResponse, error) {
		var table bytes.Buffer
		if err := s.Export(ctx, &table); err != nil {
			return nil, err
		}
		return httpapi.Attachment{Name: "Reasons.csv", ContentType: sheetrows.CSV.ContentType()}.SendBytes(table.Bytes()), nil
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "importCodes", Method: http.MethodPost, Path: "/codes/import", Summary: "Take a table of texts",
		Description: "The columns are those of the feed reason_codes. All rows are checked first; those in which something is wrong are told and left out.",
		Access:      "codes.manage", Effect: httpapi.Write, MaxBytes: 8 << 20,
	}, func(ctx context.Context, in *struct{ Body ReasonTable }) (*struct{ Body ReasonImport }, error) {
		done, err := s.Import(ctx, access.From(ctx), in.Body.CSV)
		return &struct{ Body ReasonImport }{importOf(done)}, err
	})
}
