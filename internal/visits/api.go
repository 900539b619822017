package visits

import (
	"context"
	"net/http"
	"time"

	"wcpp/internal/access"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/httpapi"
	"wcpp/internal/platform/module"
	"wcpp/internal/platform/paging"
)

// NetworkVisit is a time in which somebody of the network's staff acted as a user.
type NetworkVisit struct {
	ID        int64      `json:"id"`
	GroupName string     `json:"groupName" doc:"The user's group when it began; empty: none"`
	Who       string     `json:"who" doc:"User name of the staff"`
	Whom      string     `json:"whom" doc:"User name"`
	Reason    string     `json:"reason" doc:"Empty: none was given"`
	StartedAt time.Time  `json:"startedAt"`
	EndedAt   *time.Time `json:"endedAt,omitempty" doc:"Absent while it goes on"`
	Bills     int        `json:"bills" doc:"Opened in it, each counted once"`
}

func moment(at db.Instant) *time.Time {
	if at.IsZero() {
		return nil
	}
	return &at.Time
}

func visitOf(v Seen) NetworkVisit {
	return NetworkVisit{v.ID, v.GroupName, v.Who, v.Whom, v.Reason, v.StartedAt.Time, moment(v.EndedAt), v.Bills}
}

// VisitedBill is that a bill was opened in a visit.
type VisitedBill struct {
	Bill string    `json:"bill" doc:"TIN and number"`
	At   time.Time `json:"at"`
}

// VisitSettings are what an office has chosen about visits.
type VisitSettings struct {
	Mails   string `json:"mails" enum:"weekly,at-once,never" doc:"When administrators are mailed of visits; weekly: in the first digest of a week"`
	Version int64  `json:"version" doc:"Of what was seen"`
}

type tableBody struct {
	Table paging.Table `json:"table"`
}

// Module is what the area brings to the program.
func (s *Service) Module() module.Module {
	return module.Module{Operations: s.register, Tidy: s.Tidy}
}

func (s *Service) register(api *httpapi.API) {
	const read, manage = "visits.read", "visits.manage"
	httpapi.Register(api, httpapi.Operation{
		ID: "networkVisits", Method: http.MethodPost, Path: "/work/visits", Summary: "A page of when the network's staff acted as users",
		Description: "Of the own group; system administrators see all. Of 400 days, the newest first unless they are sorted. Columns: start, who, whom, group. Each call is audited.",
		Access:      read, Effect: httpapi.Read,
	}, func(ctx context.Context, in *struct{ Body tableBody }) (*struct {
		Body paging.Page[NetworkVisit]
	}, error) {
		list, count, err := s.Page(ctx, access.From(ctx), in.Body.Table)
		return &struct {
			Body paging.Page[NetworkVisit]
		}{paging.PageOf(list, count, visitOf)}, err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "visitedBills", Method: http.MethodPost, Path: "/work/visits/{id}/bills", Summary: "A page of which bills were opened in a visit, and when",
		Description: "The first before, unless they are sorted. Columns: at, bill. Each call is audited.",
		Access:      read, Effect: httpapi.Read,
	}, func(ctx context.Context, in *struct {
		ID   int64 `path:"id"`
		Body tableBody
	}) (*struct{ Body paging.Page[VisitedBill] }, error) {
		list, count, err := s.Opened(ctx, access.From(ctx), in.ID, in.Body.Table)
		return &struct{ Body paging.Page[VisitedBill] }{paging.PageOf(list, count, func(o Opened) VisitedBill { return VisitedBill{o.Subject, o.At.Time} })}, err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "visitSettings", Method: http.MethodGet, Path: "/work/visits/settings", Summary: "What one's group has chosen about visits of the network",
		Access: manage, Effect: httpapi.Read,
	}, func(ctx context.Context, _ *struct{}) (*struct{ Body VisitSettings }, error) {
		c, err := s.Settings(ctx, access.From(ctx))
		return &struct{ Body VisitSettings }{VisitSettings(c)}, err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "setVisitSettings", Method: http.MethodPut, Path: "/work/visits/settings", Summary: "Choose about visits of the network",
		Description: "For the whole group. 409 where somebody else has changed it meanwhile.",
		Access:      manage, Effect: httpapi.Write,
	}, func(ctx context.Context, in *struct{ Body VisitSettings }) (*struct{}, error) {
		return nil, s.SetSettings(ctx, access.From(ctx), Settings(in.Body))
	})
}
