package reasoncodes

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

	"wcpp/internal/identity/access"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/httpapi"
	"wcpp/internal/platform/module"
	"wcpp/internal/platform/retention"
	"wcpp/internal/platform/spreadsheet"
)

// ReasonCode is the explanation of one code, as plain text.
type ReasonCode struct {
	List         string    `json:"list" enum:"CAGC,CARC,RARC,PLB,CLP02,HCP13,LOCAL" doc:"Explained in the description of reasonCodes"`
	Code         string    `json:"code" example:"45"`
	Jurisdiction string    `json:"jurisdiction" doc:"State of this text, which takes precedence over the general one. Empty for all states"`
	Title        string    `json:"title" doc:"One sentence"`
	Plain        string    `json:"plain" doc:"More details"`
	Advice       string    `json:"advice" doc:"Next step for the office"`
	Official     string    `json:"official" doc:"Official text of the list's owner. Empty if the network doesn't have it"`
	Status       string    `json:"status" enum:"ACTIVE,ENDED" doc:"ENDED codes are kept for bills that use them"`
	Effective    date.Date `json:"effective,omitempty" doc:"First day"`
	Ended        date.Date `json:"ended,omitempty" doc:"Last day"`
}

func toReasonCode(r Reason) ReasonCode {
	return ReasonCode{
		List: r.List, Code: r.Code, Jurisdiction: r.Jurisdiction, Title: r.Title, Plain: r.Plain, Advice: r.Advice, Official: r.Official,
		Status: r.Status, Effective: r.Effective, Ended: r.Ended,
	}
}

// codesAnswer is cached by browsers, which revalidate it each time, so that changed texts appear
// at once.
type codesAnswer struct {
	Status       int
	ETag         string       `header:"ETag"`
	CacheControl string       `header:"Cache-Control"`
	Body         []ReasonCode `nullable:"false"`
}

// DeskCode is a code with its explanation and the number of bills with it.
type DeskCode struct {
	ReasonCode
	Version   int64      `json:"version" doc:"Version of the network's text. 0 if the portal's default is used"`
	UpdatedAt *time.Time `json:"updatedAt" nullable:"true"`
	UpdatedBy string     `json:"updatedBy"`
	Bills     int64      `json:"bills" doc:"Bills in the counted period with this code"`
	LastSeen  date.Date  `json:"lastSeen,omitempty" doc:"Latest payment date"`
}

func toDeskCode(l Listed) DeskCode {
	return DeskCode{
		ReasonCode: toReasonCode(l.Reason), Version: l.Version, UpdatedBy: l.UpdatedBy, UpdatedAt: l.UpdatedAt.OrNone(),
		Bills: l.Bills, LastSeen: l.LastSeen,
	}
}

// Desk is the staff's view of the codes.
type Desk struct {
	CountedAt *time.Time `json:"countedAt" nullable:"true" doc:"When bills were counted. Null if not yet"`
	Since     date.Date  `json:"since,omitempty" doc:"Start of the counted period"`
	Codes     []DeskCode `json:"codes" nullable:"false"`
}

// Wording is the network's text for a code. Empty fields use the all-states text or the built-in
// one.
type Wording struct {
	Jurisdiction string    `json:"jurisdiction" doc:"State it applies to. Empty for all states"`
	Version      int64     `json:"version" doc:"Version it replaces. 0 for a new text"`
	Title        string    `json:"title" doc:"One sentence, up to 160 characters"`
	Plain        string    `json:"plain" doc:"Up to 400 characters"`
	Advice       string    `json:"advice" doc:"Up to 400 characters"`
	Official     string    `json:"official" doc:"Up to 1,000 characters"`
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

func toWording(r Reason) Wording {
	return Wording{r.Jurisdiction, r.Version, r.Title, r.Plain, r.Advice, r.Official, r.Status, r.Effective, r.Ended}
}

// EarlierWording is an earlier version of a text.
type EarlierWording struct {
	ReasonCode
	Until time.Time `json:"until"`
	By    string    `json:"by" doc:"Username of the editor, or feed if a file changed it"`
}

// ReasonTable is a table of texts in the format of the reason_codes feed.
type ReasonTable struct {
	CSV string `json:"csv" doc:"Contents of the file, with a header line"`
}

// RowProblem is an error in a row of a table.
type RowProblem struct {
	Line    int64  `json:"line" doc:"Line number in the file, from 1"`
	Column  string `json:"column" doc:"Empty for the whole row"`
	Message string `json:"message"`
}

// ReasonImport is the result of importing a table.
type ReasonImport struct {
	Rows      int          `json:"rows"`
	Taken     int          `json:"taken" doc:"New"`
	Updated   int          `json:"updated"`
	Unchanged int          `json:"unchanged"`
	Rejected  int          `json:"rejected"`
	Problems  []RowProblem `json:"problems" nullable:"false" doc:"The first 500, in line order"`
	More      int          `json:"more" doc:"Number of further problems"`
}

const maxProblems = 500

func toReasonImport(i Imported) ReasonImport {
	first := i.Problems[:min(len(i.Problems), maxProblems)]
	out := ReasonImport{
		Rows: i.Rows, Taken: i.Imported, Updated: i.Updated, Unchanged: i.Unchanged, Rejected: i.Rejected,
		Problems: make([]RowProblem, len(first)), More: len(i.Problems) - len(first),
	}
	for n, p := range first {
		out.Problems[n] = RowProblem{p.Line, p.Element, p.Reason}
	}
	return out
}

// Module describes this domain to the program.
func (s *Service) Module() module.Module {
	return module.Module{Operations: s.Register, Jobs: s.Jobs, Retention: []retention.Item{
		retention.Forever("Reason code texts", "reason_codes"),
		retention.Until("until the next count", "Reason code counts", "reason_counts", "reason_count_runs").
			RemovedBy("job `count-reasons`"),
	}}
}

// Register adds the reason code endpoints.
func (s *Service) Register(api *httpapi.API) {
	s.registerReading(api)
	s.registerDesk(api)
	s.registerTables(api)
}

func (s *Service) registerReading(api *httpapi.API) {
	httpapi.Register(api, httpapi.Operation{
		ID: "reasonCodes", Method: http.MethodGet, Path: "/codes", Summary: "List reason codes with plain-language texts",
		Description: "Sorted by list and code. Returns 304 if If-None-Match is current. CAGC has adjustment group codes, CARC " +
			"adjustment reason codes, RARC remark codes, PLB provider-level adjustments, CLP02 claim statuses, HCP13 repricing " +
			"rejections and LOCAL local codes.",
		Access: "codes.read", Effect: httpapi.Read,
	}, func(ctx context.Context, in *struct {
		List        string `query:"list" enum:"CAGC,CARC,RARC,PLB,CLP02,HCP13,LOCAL" doc:"Only the codes of this list"`
		IfNoneMatch string `header:"If-None-Match" maxLength:"500"`
	}) (*codesAnswer, error) {
		reasons, err := s.ListAll(ctx, in.List)
		if err != nil {
			return nil, err
		}
		out := &codesAnswer{Status: http.StatusOK, CacheControl: "private, no-cache", Body: make([]ReasonCode, len(reasons))}
		for i, r := range reasons {
			out.Body[i] = toReasonCode(r)
		}
		text, err := json.Marshal(out.Body)
		if err != nil {
			return nil, err
		}
		sum := sha256.Sum256(text)
		out.ETag = `"` + hex.EncodeToString(sum[:16]) + `"`
		// A proxy that compresses the response makes the ETag weak.
		if strings.Contains(in.IfNoneMatch, out.ETag) {
			out.Status = http.StatusNotModified
		}
		return out, nil
	})
}

// registerDesk adds the endpoints for managing texts.
func (s *Service) registerDesk(api *httpapi.API) {
	httpapi.Register(api, httpapi.Operation{
		ID: "deskCodes", Method: http.MethodGet, Path: "/codes/desk", Summary: "List all codes with the number of bills",
		Description: "Codes without an explanation first, then by number of bills.",
		Access:      "desk.open", Effect: httpapi.Read,
	}, func(ctx context.Context, _ *struct{}) (*struct{ Body Desk }, error) {
		list, counts, err := s.Desk(ctx)
		out := &struct{ Body Desk }{Desk{Since: counts.Since, CountedAt: counts.At.OrNone(), Codes: make([]DeskCode, len(list))}}
		for i, l := range list {
			out.Body.Codes[i] = toDeskCode(l)
		}
		return out, err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "earlierCodes", Method: http.MethodGet, Path: "/codes/{list}/{code}/earlier", Summary: "List previous texts of a code",
		Description: "The last 20 versions, latest first.",
		Access:      "desk.open", Effect: httpapi.Read,
	}, func(ctx context.Context, in *struct {
		List         string `path:"list" maxLength:"10"`
		Code         string `path:"code" maxLength:"10"`
		Jurisdiction string `query:"jurisdiction" maxLength:"2"`
	}) (*httpapi.List[EarlierWording], error) {
		list, err := s.ListEarlier(ctx, in.List, in.Code, in.Jurisdiction)
		return httpapi.NewList(list, func(e EarlierText) EarlierWording {
				return EarlierWording{toReasonCode(e.Reason), e.Until.Time, e.By}
			}),
			err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "saveCode", Method: http.MethodPut, Path: "/codes/{list}/{code}", Summary: "Update the network's text of a code",
		Description: "Returns 409 if the text or the one for all states has a newer version. The previous text stays in the audit log.",
		Access:      "codes.manage", Effect: httpapi.Write,
	}, func(ctx context.Context, in *struct {
		List string `path:"list" maxLength:"200"`
		Code string `path:"code" maxLength:"200"`
		Body Wording
	}) (*struct{ Body DeskCode }, error) {
		saved, err := s.Save(ctx, access.From(ctx), in.Body.reason(in.List, in.Code))
		return &struct{ Body DeskCode }{toDeskCode(Listed{Reason: saved})}, err
	})
}

// registerTables adds the endpoints for exporting and importing texts.
func (s *Service) registerTables(api *httpapi.API) {
	httpapi.Register(api, httpapi.Operation{
		ID: "exportCodes", Method: http.MethodGet, Path: "/codes/export", Summary: "Export all texts as CSV",
		Description: "Uses the columns of the import.",
		Access:      "desk.open", Effect: httpapi.Read,
	}, func(ctx context.Context, _ *struct{}) (*huma.StreamResponse, error) {
		var table bytes.Buffer
		if err := s.Export(ctx, &table); err != nil {
			return nil, err
		}
		return httpapi.Attachment{Name: "Reasons.csv", ContentType: spreadsheet.CSV.ContentType()}.SendBytes(table.Bytes()), nil
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "importCodes", Method: http.MethodPost, Path: "/codes/import", Summary: "Import a table of texts",
		Description: "Uses the columns of the reason_codes feed. All rows are validated first. Invalid rows are reported and skipped.",
		Access:      "codes.manage", Effect: httpapi.Write, MaxBytes: 8 << 20,
	}, func(ctx context.Context, in *struct{ Body ReasonTable }) (*struct{ Body ReasonImport }, error) {
		done, err := s.Import(ctx, access.From(ctx), in.Body.CSV)
		return &struct{ Body ReasonImport }{toReasonImport(done)}, err
	})
}
