package announcements

import (
	"context"
	"encoding/json"
	"net/http"
	"time"

	"wcpp/internal/identity/access"
	"wcpp/internal/platform/httpapi"
	"wcpp/internal/platform/module"
	"wcpp/internal/platform/retention"
)

// PublicPath is the URL that browsers poll for the announcement each minute, signed in or not.
// It isn't an API endpoint because offices share an IP address: polling must not use up the rate
// limit for their sign-ins.
const PublicPath = "/js/status.json"

// StatusLine is an announcement as its authors see it.
type StatusLine struct {
	ID        int64     `json:"id"`
	Text      string    `json:"text"`
	Kind      Kind      `json:"kind" enum:"INFO,WARNING"`
	From      time.Time `json:"from"`
	To        time.Time `json:"to"`
	CreatedAt time.Time `json:"createdAt"`
	CreatedBy string    `json:"createdBy" doc:"Username"`
}

func toStatusLine(l Announcement) StatusLine {
	return StatusLine{l.ID, l.Text, l.Kind, l.StartsAt.Time, l.EndsAt.Time, l.CreatedAt.Time, l.CreatedBy}
}

// NewStatusLine is a new announcement. Its times are in the business time zone.
type NewStatusLine struct {
	Text string `json:"text" doc:"Plain text, up to 200 characters"`
	Kind Kind   `json:"kind" doc:"INFO or WARNING"`
	From string `json:"from,omitempty" doc:"YYYY-MM-DDTHH:MM in the organization's time zone; starts now if missing or in the past"`
	To   string `json:"to" doc:"YYYY-MM-DDTHH:MM in the same time zone"`
}

// publicAnnouncement is the public form of an announcement.
type publicAnnouncement struct {
	Text string    `json:"text"`
	Kind Kind      `json:"kind"`
	To   time.Time `json:"to"`
}

// Module describes this domain to the program.
func (s *Service) Module() module.Module {
	return module.Module{Operations: s.register, Routes: func(mux *http.ServeMux) {
		mux.Handle("GET "+PublicPath, httpapi.Route(PublicPath, http.HandlerFunc(s.serve)))
	}, Retention: []retention.Item{retention.Forever("Announcements; the service desk lists past ones", "status_lines")}}
}

// serve returns the current announcement, or null.
func (s *Service) serve(w http.ResponseWriter, r *http.Request) {
	l, there, err := s.Current(r.Context())
	if err != nil {
		w.Header().Set("Cache-Control", "no-store")
		http.Error(w, "Couldn't load the announcement.", http.StatusServiceUnavailable)
		return
	}
	var answer *publicAnnouncement
	if there {
		answer = &publicAnnouncement{l.Text, l.Kind, l.EndsAt.Time}
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "public, max-age=60")
	_ = json.NewEncoder(w).Encode(answer) // the browser disconnected
}

const permission = "status.manage"

func (s *Service) register(api *httpapi.API) {
	httpapi.Register(api, httpapi.Operation{
		ID: "statusLines", Method: http.MethodGet, Path: "/desk/status", Summary: "List all announcements, newest first, up to 1,000",
		Access: permission, Effect: httpapi.Read,
	}, func(ctx context.Context, _ *struct{}) (*httpapi.List[StatusLine], error) {
		lines, err := s.List(ctx)
		return httpapi.NewList(lines, toStatusLine), err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "addStatusLine", Method: http.MethodPost, Path: "/desk/status", Summary: "Show an announcement",
		Description: "Shown to everyone, signed in or not, within two minutes. Returns 409 if it overlaps another one.",
		Access:      permission, Effect: httpapi.Write,
	}, func(ctx context.Context, in *struct{ Body NewStatusLine }) (*struct{ Body StatusLine }, error) {
		l, err := s.Add(ctx, access.From(ctx), in.Body)
		return &struct{ Body StatusLine }{toStatusLine(l)}, err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "endStatusLine", Method: http.MethodDelete, Path: "/desk/status/{id}", Summary: "End or cancel an announcement",
		Description: "Safe to repeat.",
		Access:      permission, Effect: httpapi.Write,
	}, func(ctx context.Context, in *struct {
		ID int64 `path:"id"`
	}) (*struct{}, error) {
		return nil, s.End(ctx, in.ID)
	})
}
