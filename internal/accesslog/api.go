package accesslog

import (
	"context"
	"net/http"
	"slices"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"wcpp/internal/identity/access"
	"wcpp/internal/platform/httpapi"
	"wcpp/internal/platform/module"
	"wcpp/internal/platform/paging"
	"wcpp/internal/platform/retention"
)

// NetworkVisit is a network access session, when network staff acted as a user.
type NetworkVisit struct {
	ID        int64      `json:"id"`
	GroupName string     `json:"groupName" doc:"The user's group at the start; empty if none"`
	Who       string     `json:"who" doc:"Staff member's username"`
	Whom      string     `json:"whom" doc:"Username"`
	Reason    string     `json:"reason" doc:"Empty if none was given"`
	Override  bool       `json:"override" doc:"The group required approval and hadn't approved the access"`
	StartedAt time.Time  `json:"startedAt"`
	EndedAt   *time.Time `json:"endedAt,omitempty" doc:"Missing while the session is active"`
	Opened    int        `json:"opened" doc:"Bills and remittances, each counted once"`
}

func toNetworkVisit(v Summary) NetworkVisit {
	return NetworkVisit{v.ID, v.GroupName, v.Who, v.Whom, v.Reason, v.Override, v.StartedAt.Time, v.EndedAt.OrNone(), v.Opened}
}

// VisitOpening is a bill or remittance that was opened in a network access session.
type VisitOpening struct {
	What   string    `json:"what" enum:"bill,remittance"`
	Number string    `json:"number" doc:"TIN and number, or file name for several remittances"`
	At     time.Time `json:"at"`
}

func (o Openings) toVisitOpening(opened Opened) VisitOpening {
	what := "bill"
	if slices.Contains(o.Remittances, opened.Operation) {
		what = "remittance"
	}
	return VisitOpening{what, opened.Subject, opened.At.Time}
}

// VisitSettings are an office's choices about network access.
type VisitSettings struct {
	Mails     string `json:"mails" enum:"weekly,at-once,never" doc:"When to email administrators; weekly: in the week's first digest"`
	AsksFirst bool   `json:"asksFirst" doc:"Staff need approval before they act as users of this group"`
	Version   int64  `json:"version" doc:"Version from the last read"`
}

// Schema describes the states.
func (State) Schema(huma.Registry) *huma.Schema {
	return httpapi.Enum("ASKED: pending; NEEDLESS: the group no longer requires approval; OVERRIDE: a system administrator used "+
		"emergency access", Asked, Approved, Refused, Expired, NotNeeded, Override)
}

// VisitRequest is a staff member's request to act as users of a group.
type VisitRequest struct {
	ID         int64      `json:"id"`
	Who        string     `json:"who" doc:"Staff member's username"`
	Whom       string     `json:"whom" doc:"Username of the user to act as"`
	Reason     string     `json:"reason" doc:"Empty if none was given"`
	State      State      `json:"state"`
	AskedAt    time.Time  `json:"askedAt"`
	AnsweredAt *time.Time `json:"answeredAt,omitempty"`
	AnsweredBy string     `json:"answeredBy" doc:"Username"`
	Words      string     `json:"words" doc:"Reason for declining"`
	Until      *time.Time `json:"until,omitempty" doc:"Staff can act as users of the group until then"`
}

func toVisitRequest(r Request) VisitRequest {
	return VisitRequest{r.ID, r.Who, r.Whom, r.Reason, r.State, r.AskedAt.Time, r.AnsweredAt.OrNone(), r.AnsweredBy, r.Words,
		r.Until.OrNone()}
}

// VisitAnswer approves a request for 60 minutes, or declines it.
type VisitAnswer struct {
	Agree bool   `json:"agree"`
	Words string `json:"words,omitempty" maxLength:"400" doc:"Note when declining; up to 200 characters without extra spaces"`
}

// VisitStanding is the state of a group's approval, for staff about to act as a user.
type VisitStanding struct {
	AsksFirst bool          `json:"asksFirst" doc:"The user's office requires approval"`
	Allowed   bool          `json:"allowed" doc:"The office approved access, or a system administrator overrode it"`
	Request   *VisitRequest `json:"request,omitempty" doc:"Your latest request"`
}

type visitedInput struct {
	Body struct {
		UserName string `json:"userName" maxLength:"60"`
	}
}

type tableBody struct {
	Table paging.Table `json:"table"`
}

// Module describes this domain to the program.
func (s *Service) Module() module.Module {
	return module.Module{Operations: s.register, Cleanup: s.Cleanup, Retention: []retention.Item{
		retention.Forever("Network access settings of offices", "visit_settings"),
		retention.Until("400 days", "Network access sessions and requests", "visits", "mirror_requests"),
	}}
}

func (s *Service) register(api *httpapi.API) {
	s.registerOffice(api)
	s.registerDesk(api)
}

// registerOffice adds the endpoints with which an office sees and approves network access.
func (s *Service) registerOffice(api *httpapi.API) {
	const read, manage = "visits.read", "visits.manage"
	httpapi.Register(api, httpapi.Operation{
		ID: "networkVisits", Method: http.MethodPost, Path: "/work/visits", Summary: "Get a page of network access sessions",
		Description: "For the caller's group; system administrators see all. Covers 400 days, newest first by default. Columns: start, " +
			"who, whom, group. Requests are audited.",
		Access: read, Effect: httpapi.Read,
	}, func(ctx context.Context, in *struct{ Body tableBody }) (*paging.Answer[NetworkVisit], error) {
		list, count, err := s.Page(ctx, access.From(ctx), in.Body.Table)
		return paging.NewAnswer(list, count, toNetworkVisit), err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "visitOpenings", Method: http.MethodPost, Path: "/work/visits/{id}/openings",
		Summary:     "Get a page of bills and remittances opened in a session",
		Description: "Oldest first by default. Columns: at, number. Requests are audited.",
		Access:      read, Effect: httpapi.Read,
	}, func(ctx context.Context, in *struct {
		ID   int64 `path:"id"`
		Body tableBody
	}) (*paging.Answer[VisitOpening], error) {
		list, count, err := s.ListOpened(ctx, access.From(ctx), in.ID, in.Body.Table)
		return paging.NewAnswer(list, count, s.openings.toVisitOpening), err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "visitSettings", Method: http.MethodGet, Path: "/work/visits/settings", Summary: "Get your group's network access settings",
		Access: manage, Effect: httpapi.Read,
	}, func(ctx context.Context, _ *struct{}) (*struct{ Body VisitSettings }, error) {
		c, err := s.Settings(ctx, access.From(ctx))
		return &struct{ Body VisitSettings }{c}, err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "setVisitSettings", Method: http.MethodPut, Path: "/work/visits/settings", Summary: "Update network access settings",
		Description: "For the whole group. Returns 409 if someone else changed them.",
		Access:      manage, Effect: httpapi.Write,
	}, func(ctx context.Context, in *struct{ Body VisitSettings }) (*struct{}, error) {
		return nil, s.SetSettings(ctx, access.From(ctx), in.Body)
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "visitRequests", Method: http.MethodPost, Path: "/work/visits/requests",
		Summary:     "Get a page of network access requests to your group",
		Description: "Pending requests first, then newest, by default. Columns: asked, who, whom.",
		Access:      manage, Effect: httpapi.Read,
	}, func(ctx context.Context, in *struct{ Body tableBody }) (*paging.Answer[VisitRequest], error) {
		list, count, err := s.ListRequests(ctx, access.From(ctx), in.Body.Table)
		return paging.NewAnswer(list, count, toVisitRequest), err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "answerVisitRequest", Method: http.MethodPost, Path: "/work/visits/requests/{id}/answer",
		Summary:     "Approve network access for 60 minutes, or decline it",
		Description: "Returns 409 with the reason if the request is closed.",
		Access:      manage, Effect: httpapi.Write,
	}, func(ctx context.Context, in *struct {
		ID   int64 `path:"id"`
		Body VisitAnswer
	}) (*struct{}, error) {
		return nil, s.Answer(ctx, access.From(ctx), in.ID, in.Body.Agree, in.Body.Words)
	})
}

// registerDesk adds the endpoints with which network staff request access.
func (s *Service) registerDesk(api *httpapi.API) {
	const desk = "desk.open"
	httpapi.Register(api, httpapi.Operation{
		ID: "visitStanding", Method: http.MethodPost, Path: "/desk/visits/standing", Summary: "Get the approval status of a user's office",
		Access: desk, Effect: httpapi.Read, Background: true,
	}, func(ctx context.Context, in *visitedInput) (*struct{ Body VisitStanding }, error) {
		st, err := s.ApprovalStatus(ctx, access.From(ctx), in.Body.UserName)
		out := &struct{ Body VisitStanding }{VisitStanding{AsksFirst: st.AsksFirst, Allowed: st.Allowed}}
		if st.Request.ID != 0 {
			r := toVisitRequest(st.Request)
			out.Body.Request = &r
		}
		return out, err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "askVisit", Method: http.MethodPost, Path: "/desk/visits/ask", Summary: "Request access to a user's office",
		Description: "Requires an open support session, whose reason is shown to the office. Returns 409 ASK_FIRST if no one in the " +
			"office can approve, or 409 if approval isn't required.",
		Access: desk, Effect: httpapi.Write,
	}, func(ctx context.Context, in *visitedInput) (*struct{}, error) {
		return nil, s.RequestApproval(ctx, access.From(ctx), in.Body.UserName)
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "overrideVisit", Method: http.MethodPost, Path: "/desk/visits/override",
		Summary:     "Override approval and access an office for 60 minutes",
		Description: "For emergencies. The office's administrators are notified right away.",
		Access:      "visits.override", Effect: httpapi.Write,
	}, func(ctx context.Context, in *struct {
		Body struct {
			UserName string `json:"userName" maxLength:"60"`
			Reason   string `json:"reason" maxLength:"400" doc:"Reason for the emergency; up to 200 characters without extra spaces"`
		}
	}) (*struct{}, error) {
		return nil, s.Override(ctx, access.From(ctx), in.Body.UserName, in.Body.Reason)
	})
}
