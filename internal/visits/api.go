package visits

import (
	"context"
	"net/http"
	"slices"
	"time"

	"wcpp/internal/access"
	"wcpp/internal/platform/httpapi"
	"wcpp/internal/platform/kept"
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
	Override  bool       `json:"override" doc:"The group wanted to be asked first, and had not agreed"`
	StartedAt time.Time  `json:"startedAt"`
	EndedAt   *time.Time `json:"endedAt,omitempty" doc:"Absent while it goes on"`
	Opened    int        `json:"opened" doc:"Bills and remittances, each counted once"`
}

func visitOf(v Summary) NetworkVisit {
	return NetworkVisit{v.ID, v.GroupName, v.Who, v.Whom, v.Reason, v.Override, v.StartedAt.Time, v.EndedAt.OrNone(), v.Opened}
}

// VisitOpening is that a bill or a remittance was opened in a visit.
type VisitOpening struct {
	What   string    `json:"what" enum:"bill,remittance"`
	Number string    `json:"number" doc:"TIN and number; of a file of several remittances its name"`
	At     time.Time `json:"at"`
}

func (o Openings) opening(opened Opened) VisitOpening {
	what := "bill"
	if slices.Contains(o.Remittances, opened.Operation) {
		what = "remittance"
	}
	return VisitOpening{what, opened.Subject, opened.At.Time}
}

// VisitSettings are what an office has chosen about visits.
type VisitSettings struct {
	Mails     string `json:"mails" enum:"weekly,at-once,never" doc:"When administrators are mailed of visits; weekly: in the first digest of a week"`
	AsksFirst bool   `json:"asksFirst" doc:"The staff must ask before they act as users of the group"`
	Version   int64  `json:"version" doc:"Of what was seen"`
}

// VisitRequest is that somebody of the staff wants to act as users of a group.
type VisitRequest struct {
	ID         int64      `json:"id"`
	Who        string     `json:"who" doc:"User name of the staff"`
	Whom       string     `json:"whom" doc:"User name of the user for whom it was asked"`
	Reason     string     `json:"reason" doc:"Empty: none was given"`
	State      State      `json:"state" enum:"ASKED,APPROVED,REFUSED,EXPIRED,NEEDLESS,OVERRIDE" doc:"ASKED: it waits; NEEDLESS: the group wanted to be asked no more; OVERRIDE: a system administrator went in without an answer"`
	AskedAt    time.Time  `json:"askedAt"`
	AnsweredAt *time.Time `json:"answeredAt,omitempty"`
	AnsweredBy string     `json:"answeredBy" doc:"User name"`
	Words      string     `json:"words" doc:"With a refusal"`
	Until      *time.Time `json:"until,omitempty" doc:"Until then the staff may act as users of the group"`
}

func requestOf(r Request) VisitRequest {
	return VisitRequest{r.ID, r.Who, r.Whom, r.Reason, r.State, r.AskedAt.Time, r.AnsweredAt.OrNone(), r.AnsweredBy, r.Words, r.Until.OrNone()}
}

// VisitAnswer agrees to a request for 60 minutes, or refuses it.
type VisitAnswer struct {
	Agree bool   `json:"agree"`
	Words string `json:"words,omitempty" maxLength:"400" doc:"With a refusal, for who has asked; at most 200 characters once blanks are taken out"`
}

// VisitStanding is what somebody of the staff must know before acting as a user.
type VisitStanding struct {
	AsksFirst bool          `json:"asksFirst" doc:"The user's office wants to be asked first"`
	Allowed   bool          `json:"allowed" doc:"It has agreed, or could not be waited for"`
	Request   *VisitRequest `json:"request,omitempty" doc:"One's newest"`
}

type visitedInput struct {
	Body struct {
		UserName string `json:"userName" maxLength:"60"`
	}
}

type tableBody struct {
	Table paging.Table `json:"table"`
}

// Module is what the area brings to the program.
func (s *Service) Module() module.Module {
	return module.Module{Operations: s.register, Tidy: s.Tidy, Keeps: []kept.Item{
		kept.Stays("What offices have chosen of visits", "visit_settings"),
		kept.Until("400 days", "When the staff acted as whom, and what they asked first", "visits", "mirror_requests"),
	}}
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
		ID: "visitOpenings", Method: http.MethodPost, Path: "/work/visits/{id}/openings", Summary: "A page of which bills and remittances were opened in a visit, and when",
		Description: "The first before, unless they are sorted. Columns: at, number. Each call is audited.",
		Access:      read, Effect: httpapi.Read,
	}, func(ctx context.Context, in *struct {
		ID   int64 `path:"id"`
		Body tableBody
	}) (*struct{ Body paging.Page[VisitOpening] }, error) {
		list, count, err := s.Opened(ctx, access.From(ctx), in.ID, in.Body.Table)
		return &struct{ Body paging.Page[VisitOpening] }{paging.PageOf(list, count, s.openings.opening)}, err
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
	httpapi.Register(api, httpapi.Operation{
		ID: "visitRequests", Method: http.MethodPost, Path: "/work/visits/requests", Summary: "A page of what the network's staff asked one's group",
		Description: "Those that wait before, then the newest, unless they are sorted. Columns: asked, who, whom.",
		Access:      manage, Effect: httpapi.Read,
	}, func(ctx context.Context, in *struct{ Body tableBody }) (*struct {
		Body paging.Page[VisitRequest]
	}, error) {
		list, count, err := s.Requests(ctx, access.From(ctx), in.Body.Table)
		return &struct {
			Body paging.Page[VisitRequest]
		}{paging.PageOf(list, count, requestOf)}, err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "answerVisitRequest", Method: http.MethodPost, Path: "/work/visits/requests/{id}/answer", Summary: "Agree to a request of the network's staff for 60 minutes, or refuse it",
		Description: "409 where it can be answered no more; it says why.",
		Access:      manage, Effect: httpapi.Write,
	}, func(ctx context.Context, in *struct {
		ID   int64 `path:"id"`
		Body VisitAnswer
	}) (*struct{}, error) {
		return nil, s.Answer(ctx, access.From(ctx), in.ID, in.Body.Agree, in.Body.Words)
	})

	const desk = "desk.open"
	httpapi.Register(api, httpapi.Operation{
		ID: "visitStanding", Method: http.MethodPost, Path: "/desk/visits/standing", Summary: "Whether the office of a user wants to be asked before one acts as them, and what it said",
		Access: desk, Effect: httpapi.Read,
	}, func(ctx context.Context, in *visitedInput) (*struct{ Body VisitStanding }, error) {
		st, err := s.Standing(ctx, access.From(ctx), in.Body.UserName)
		out := &struct{ Body VisitStanding }{VisitStanding{AsksFirst: st.AsksFirst, Allowed: st.Allowed}}
		if st.Request.ID != 0 {
			r := requestOf(st.Request)
			out.Body.Request = &r
		}
		return out, err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "askVisit", Method: http.MethodPost, Path: "/desk/visits/ask", Summary: "Ask the office of a user whether one may act as its users",
		Description: "Needs a sitting, whose reason is told. 409 ASK_FIRST where nobody of the office could answer, 409 where it need not be asked.",
		Access:      desk, Effect: httpapi.Write,
	}, func(ctx context.Context, in *visitedInput) (*struct{}, error) {
		return nil, s.Ask(ctx, access.From(ctx), in.Body.UserName)
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "overrideVisit", Method: http.MethodPost, Path: "/desk/visits/override", Summary: "Act as users of an office for 60 minutes that has not agreed",
		Description: "In an emergency. The office's administrators are told at once.",
		Access:      "visits.override", Effect: httpapi.Write,
	}, func(ctx context.Context, in *struct {
		Body struct {
			UserName string `json:"userName" maxLength:"60"`
			Reason   string `json:"reason" maxLength:"400" doc:"Why it cannot wait; at most 200 characters once blanks are taken out"`
		}
	}) (*struct{}, error) {
		return nil, s.Override(ctx, access.From(ctx), in.Body.UserName, in.Body.Reason)
	})
}
