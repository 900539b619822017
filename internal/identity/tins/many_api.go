package tins

import (
	"context"
	"net/http"

	"wcpp/internal/identity/access"
	"wcpp/internal/platform/httpapi"
)

// ManyChange is a bulk change of users' TINs.
type ManyChange struct {
	Change    string   `json:"change" enum:"give,take,set" doc:"give: add to the user's TINs; set: replace them"`
	FTINs     []string `json:"ftins" minItems:"1" maxItems:"500" nullable:"false" doc:"TINs, 9 digits each"`
	UserNames []string `json:"userNames" minItems:"1" maxItems:"500" nullable:"false"`
}

func (c ManyChange) change() Change { return Change{Kind(c.Change), c.FTINs, c.UserNames} }

// ManyOutcome is the actual or expected result for one user.
type ManyOutcome struct {
	UserNm        string   `json:"userNm" doc:"As requested"`
	UserFirstName string   `json:"userFirstName" doc:"Empty for users the caller doesn't manage"`
	UserLastName  string   `json:"userLastName"`
	Outcome       string   `json:"outcome" enum:"done,nothing,refused,left" doc:"left: not processed, or our error; submit it again"`
	Gains         []string `json:"gains" nullable:"false" doc:"TINs, in ascending order"`
	Loses         []string `json:"loses" nullable:"false" doc:"TINs, in ascending order"`
	Reason        string   `json:"reason" doc:"Set for refused and left"`
}

func toManyOutcome(o Outcome) ManyOutcome {
	return ManyOutcome{o.UserName, o.FirstName, o.LastName, string(o.State), append([]string{}, o.Gains...), append([]string{}, o.Loses...),
		o.Reason}
}

// registerMany adds the endpoints for bulk changes of TINs.
func (s *Service) registerMany(api *httpapi.API) {
	const limits = "Up to 500 users and 500 TINs. Returns one result per user, in the same order."
	httpapi.Register(api, httpapi.Operation{
		ID: "previewManyFtins", Method: http.MethodPost, Path: "/work/users/ftins/preview", Summary: "Preview a bulk TIN update",
		Description: limits + " Doesn't change anything.",
		Access:      "users.many", Effect: httpapi.Read, MaxBytes: 256 << 10,
	}, func(ctx context.Context, in *struct{ Body ManyChange }) (*httpapi.List[ManyOutcome], error) {
		list, err := s.PreviewBulk(ctx, access.From(ctx), in.Body.change())
		return httpapi.NewList(list, toManyOutcome), err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "changeManyFtins", Method: http.MethodPost, Path: "/work/users/ftins", Summary: "Update many users' TINs",
		Description: limits + " Updates each user in its own transaction, with the rules of saveManagedUserFtins and, for a " +
			"non-network user, of the group's TINs. Safe to repeat.",
		Access: "users.many", Effect: httpapi.Write, MaxBytes: 256 << 10,
	}, func(ctx context.Context, in *struct{ Body ManyChange }) (*httpapi.List[ManyOutcome], error) {
		list, err := s.ChangeBulk(ctx, access.From(ctx), in.Body.change())
		return httpapi.NewList(list, toManyOutcome), err
	})
}
