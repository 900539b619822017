package accessreview

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"wcpp/internal/identity/access"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/httpapi"
	"wcpp/internal/platform/module"
	"wcpp/internal/platform/paging"
	"wcpp/internal/platform/retention"

	"github.com/danielgtaylor/huma/v2"
)

// AccessReview is one quarter's review of a group.
type AccessReview struct {
	ID         int64      `json:"id"`
	DueOn      date.Date  `json:"dueOn"`
	OpenedAt   time.Time  `json:"openedAt"`
	FinishedAt *time.Time `json:"finishedAt,omitempty" doc:"Missing while the review is open"`
	FinishedBy string     `json:"finishedBy,omitempty" doc:"Username"`
}

func toAccessReview(r Review) AccessReview {
	return AccessReview{r.ID, r.DueOn, r.OpenedAt.Time, r.FinishedAt.OrNone(), r.FinishedBy}
}

// AccessReviews are a group's reviews.
type AccessReviews struct {
	Reviews    []AccessReview `json:"reviews" nullable:"false" doc:"Newest first, up to 40; only 1 can be open"`
	People     int            `json:"people" doc:"Users with access in the open review"`
	Unanswered int            `json:"unanswered" doc:"Users left to review"`
	Overdue    bool           `json:"overdue" doc:"The open review is overdue"`
	CountedTo  date.Date      `json:"countedTo" doc:"Last day included in bill counts; empty before the first"`
}

// ReviewedPerson is a user in the open review.
type ReviewedPerson struct {
	ID         int64       `json:"id"`
	UserName   string      `json:"userName"`
	Name       string      `json:"name"`
	TypeCd     access.Type `json:"typeCd" enum:"PRAD,PRUS"`
	TINs       int         `json:"tins" doc:"Number of TINs"`
	LastSignIn *time.Time  `json:"lastSignIn,omitempty" doc:"Missing before the first sign-in"`
	Opened     int         `json:"opened" doc:"Bills opened in 90 days, counted once a day each"`
	Outcome    string      `json:"outcome" enum:",KEPT,ENDED" doc:"Empty if not reviewed. ENDED: terminated during the review"`
	KeptBy     string      `json:"keptBy,omitempty" doc:"Username"`
	KeptAt     *time.Time  `json:"keptAt,omitempty"`
	Version    int64       `json:"version" doc:"Version of this decision, to send with the next one"`
}

func toReviewedPerson(p Person) ReviewedPerson {
	return ReviewedPerson{p.ID, p.UserName, p.Name(), p.TypeCd, p.TINs, p.LastSignInAt.OrNone(), p.Opened, p.Outcome(), p.KeptBy,
		p.KeptAt.OrNone(), p.Version}
}

// ReviewAnswer is the decision whether a user keeps access.
type ReviewAnswer struct {
	Kept    bool  `json:"kept"`
	Version int64 `json:"version" doc:"Version of the decision from the last read"`
}

// GroupBehind is a group with an overdue review.
type GroupBehind struct {
	ID         int64     `json:"id"`
	GroupID    int64     `json:"groupId"`
	GroupName  string    `json:"groupName"`
	DueOn      date.Date `json:"dueOn"`
	People     int       `json:"people"`
	Unanswered int       `json:"unanswered"`
}

type tableInput struct {
	Body struct {
		Table paging.Table `json:"table"`
	}
}

// Module describes this domain to the program.
func (s *Service) Module() module.Module {
	return module.Module{Operations: s.register, Jobs: s.Jobs, Cleanup: s.Cleanup, Retention: []retention.Item{
		retention.For(s.settings.ReviewKeepDays, "WCPP_REVIEW_KEEP_DAYS", "Completed access reviews", "access_reviews",
			"access_review_items"),
		retention.Until(fmt.Sprintf("%d days", openedDays), "Bills opened per user and day", "bills_opened", "bills_opened_days"),
	}}
}

func (s *Service) register(api *httpapi.API) {
	const review, watch = "access.review", "reviews.watch"
	httpapi.Register(api, httpapi.Operation{
		ID: "accessReviews", Method: http.MethodGet, Path: "/work/access", Summary: "List your group's access reviews",
		Access: review, Effect: httpapi.Read,
	}, func(ctx context.Context, _ *struct{}) (*struct{ Body AccessReviews }, error) {
		c, err := s.Current(ctx, access.From(ctx))
		out := AccessReviews{Reviews: make([]AccessReview, len(c.Reviews)), People: c.People, Unanswered: c.Unanswered,
			CountedTo: c.CountedTo}
		for i, r := range c.Reviews {
			out.Reviews[i] = toAccessReview(r)
		}
		if r, is := findOpen(c.Reviews); is {
			out.Overdue = r.DueOn < s.today()
		}
		return &struct{ Body AccessReviews }{out}, err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "reviewedPeople", Method: http.MethodPost, Path: "/work/access/people",
		Summary: "Get a page of users in the open access review",
		Description: "Sorted by first name by default; empty if no review is open. Columns: name, userName, type, tins, lastSignIn, " +
			"opened, answer.",
		Access: review, Effect: httpapi.Read,
	}, func(ctx context.Context, in *tableInput) (*paging.Answer[ReviewedPerson], error) {
		list, count, err := s.Page(ctx, access.From(ctx), in.Body.Table)
		return paging.NewAnswer(list, count, toReviewedPerson), err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "answerReview", Method: http.MethodPut, Path: "/work/access/items/{id}", Summary: "Confirm a user's access, or undo that",
		Description: "The ID is the user's. Returns 409 if someone else already decided or the account is terminated.",
		Access:      review, Effect: httpapi.Write,
	}, func(ctx context.Context, in *struct {
		ID   int64 `path:"id"`
		Body ReviewAnswer
	}) (*struct{}, error) {
		return nil, s.Answer(ctx, access.From(ctx), in.ID, in.Body.Kept, in.Body.Version)
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "finishReview", Method: http.MethodPost, Path: "/work/access/{id}/finish", Summary: "Complete the access review",
		Description: "Returns 409 if users are left to review or it's already completed.",
		Access:      review, Effect: httpapi.Write,
	}, func(ctx context.Context, in *struct {
		ID   int64 `path:"id"`
		Body struct {
			Name string `json:"name" maxLength:"200" doc:"The reviewer's first and last name, as typed"`
		}
	}) (*struct{}, error) {
		return nil, s.Finish(ctx, access.From(ctx), in.ID, in.Body.Name)
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "accessReviewFile", Method: http.MethodGet, Path: "/work/access/{id}/file",
		Summary:     "Download a completed access review as PDF",
		Description: "Returns 409 while the review is open.",
		Access:      review, Effect: httpapi.Read, Expensive: true, Cookie: true,
	}, func(ctx context.Context, in *struct {
		ID int64 `path:"id"`
	}) (*huma.StreamResponse, error) {
		body, err := s.File(ctx, access.From(ctx), in.ID)
		return httpapi.Attachment{Name: "AccessReview.pdf", ContentType: "application/pdf"}.SendBytes(body), err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "groupsBehind", Method: http.MethodPost, Path: "/desk/reviews", Summary: "Get a page of groups with overdue access reviews",
		Description: "Most overdue first by default. Columns: group, name, due.",
		Access:      watch, Effect: httpapi.Read,
	}, func(ctx context.Context, in *tableInput) (*paging.Answer[GroupBehind], error) {
		list, count, err := s.ListOverdue(ctx, in.Body.Table)
		return paging.NewAnswer(list, count, func(g GroupBehind) GroupBehind { return g }), err
	})
}
