package auditlog

import (
	"context"
	"net/http"
	"sync"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"wcpp/internal/identity/access"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/httpapi"
	"wcpp/internal/platform/module"
	"wcpp/internal/platform/spreadsheet"
)

// AuditSearch selects audit entries. Empty fields don't filter. The days are in the business time zone, and
// both are inclusive.
type AuditSearch struct {
	Person    string    `json:"person,omitempty" maxLength:"60" doc:"Username of the user or the mirrored user"`
	Subject   string    `json:"subject,omitempty" maxLength:"80" doc:"A TIN, username or claim number; or a TIN, a space and a bill number"`
	Operation string    `json:"operation,omitempty" maxLength:"60"`
	From      date.Date `json:"from,omitempty" doc:"Start date, YYYY-MM-DD, in the organization's time zone"`
	To        date.Date `json:"to,omitempty" doc:"End date"`
}

// AuditPlace is the position of an entry in the log.
type AuditPlace struct {
	At time.Time `json:"at"`
	ID int64     `json:"id"`
}

// AuditPage requests a page of entries, newest first.
type AuditPage struct {
	Search   AuditSearch `json:"search"`
	After    *AuditPlace `json:"after,omitempty" doc:"ID of the last entry received, to get older ones. Omit to start with the newest"`
	Skip     int         `json:"skip,omitempty" minimum:"0" doc:"Number of entries to skip after that, up to 2000"`
	PageSize int         `json:"pageSize" minimum:"1" maximum:"200"`
}

// AuditEntry is one recorded action.
type AuditEntry struct {
	ID        int64     `json:"id"`
	At        time.Time `json:"at"`
	Who       string    `json:"who" doc:"Username; empty before sign-in"`
	ActingFor string    `json:"actingFor" doc:"Username of the mirrored user; empty if not mirroring"`
	Operation string    `json:"operation"`
	Call      string    `json:"call,omitempty" doc:"Label of an API operation; failed requests are labeled as such"`
	Subject   string    `json:"subject"`
	Answered  []string  `json:"answered" nullable:"false" doc:"Numbers of bills and claims shown"`
	Result    string    `json:"result" doc:"ok, refused, or a code"`
	Detail    string    `json:"detail"`
	From      string    `json:"from" doc:"Client address"`
	Searched  bool      `json:"searched" doc:"Search criteria are available"`
}

func toAuditEntry(e audit.Found, call string) AuditEntry {
	return AuditEntry{
		ID: e.ID, At: e.At.Time, Who: e.Actor, ActingFor: e.ActingFor, Operation: string(e.Operation), Call: call, Subject: e.Subject,
		Answered: append([]string{}, e.Numbers()...), Result: e.Result, Detail: e.Detail, From: e.Client, Searched: e.Sealed != "",
	}
}

// AuditEntries is a page of entries.
type AuditEntries struct {
	Rows      []AuditEntry `json:"rows" nullable:"false"`
	Following int          `json:"following" doc:"Total entries; 1001 means more than 1,000"`
}

// Part is one value of a search.
type Part struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Module describes this domain to the program.
func (s *Service) Module() module.Module { return module.Module{Operations: s.Register} }

// Register adds the audit log endpoints.
func (s *Service) Register(api *httpapi.API) {
	// Evaluated on first use, because other domains register their endpoints later.
	calls := sync.OnceValue(func() map[string]string {
		words := map[string]string{}
		for _, op := range api.Operations() {
			words[op.ID] = op.Summary
		}
		return words
	})
	reading := httpapi.Operation{Method: http.MethodPost, Access: "audit.read", Effect: httpapi.Read}

	op := reading
	op.ID, op.Path, op.Summary = "auditEntries", "/audit/entries", "Get a page of the audit log"
	op.Expensive = true
	op.Description = "Provider administrators see what users of their group did, and changes made for or to them. Requests are audited."
	httpapi.Register(api, op, func(ctx context.Context, in *struct{ Body AuditPage }) (*struct{ Body AuditEntries }, error) {
		var after audit.Place
		if in.Body.After != nil {
			after = audit.Place{At: db.At(in.Body.After.At), ID: in.Body.After.ID}
		}
		list, following, err := s.Find(ctx, access.From(ctx), in.Body.Search, after, in.Body.Skip, in.Body.PageSize)
		out := &struct{ Body AuditEntries }{AuditEntries{Rows: make([]AuditEntry, len(list)), Following: following}}
		for i, e := range list {
			out.Body.Rows[i] = toAuditEntry(e, calls()[string(e.Operation)])
		}
		return out, err
	})

	op = reading
	op.ID, op.Path, op.Summary, op.Method = "auditedSearch", "/audit/entries/{id}/search", "Get search criteria", http.MethodGet
	op.Description = "For entries that have search criteria. Requests are audited."
	httpapi.Register(api, op, func(ctx context.Context, in *struct {
		ID int64 `path:"id"`
	}) (*httpapi.List[Part], error) {
		searched, err := s.ReadCriteria(ctx, access.From(ctx), in.ID)
		return &httpapi.List[Part]{Body: listParts(searched)}, err
	})

	op = reading
	op.ID, op.Path, op.Summary = "auditExport", "/audit/export", "Export the audit log as CSV"
	op.Expensive = true
	op.Description = "Doesn't include search criteria. The request is audited."
	httpapi.Register(api, op, func(ctx context.Context, in *struct{ Body AuditSearch }) (*huma.StreamResponse, error) {
		write, err := s.Export(ctx, access.From(ctx), in.Body)
		if err != nil {
			return nil, err
		}
		return httpapi.Attachment{Name: "AuditLog.csv", ContentType: spreadsheet.CSV.ContentType()}.Send(write), nil
	})
}
