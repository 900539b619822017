package worklist

import (
	"context"
	"errors"
	"net/http"
	"time"

	"wcpp/internal/access"
	"wcpp/internal/platform/httpapi"
)

// SavedView is a list of open bills that one keeps, or that somebody shares with the
// group.
type SavedView struct {
	ID         string         `json:"id" doc:"Random; its link has nothing else"`
	Name       string         `json:"name"`
	Shared     bool           `json:"shared" doc:"Seen by the group"`
	Pinned     bool           `json:"pinned" doc:"A tab above the list"`
	Position   int            `json:"position" doc:"Among its owner's, from 0"`
	Version    int64          `json:"version"`
	Definition ViewDefinition `json:"definition"`
	Dropped    []string       `json:"dropped" nullable:"false" doc:"What of the definition this program does not know, or is no longer there"`
	Owner      string         `json:"owner" doc:"Name; empty: one who left"`
	Mine       bool           `json:"mine"`
	Changeable bool           `json:"changeable" doc:"By who asks"`
	UpdatedAt  time.Time      `json:"updatedAt"`
	UpdatedBy  string         `json:"updatedBy" doc:"User name"`
}

// SavedViewText is what a view is to be.
type SavedViewText struct {
	Name       string         `json:"name" doc:"At most 60 characters; no two of one's own have the same"`
	Shared     bool           `json:"shared"`
	Pinned     bool           `json:"pinned"`
	Definition ViewDefinition `json:"definition"`
}

func (t SavedViewText) change() ViewChange {
	return ViewChange{Name: t.Name, Shared: t.Shared, Pinned: t.Pinned, Definition: t.Definition}
}

// SavedViewChange is what a view is to be that was seen.
type SavedViewChange struct {
	SavedViewText
	Version  int64 `json:"version" doc:"As it was seen"`
	Position int   `json:"position" minimum:"0" doc:"Among its owner's, from 0; only its owner moves it"`
}

// SavedViewCount is how many bills a view has for who asks, now.
type SavedViewCount struct {
	ID    string `json:"id"`
	Bills int    `json:"bills"`
}

// OpenBillPayer is a payer of open bills.
type OpenBillPayer struct {
	Name  string `json:"name"`
	Bills int    `json:"bills"`
}

func viewOut(v VisibleView) SavedView {
	out := SavedView{
		ID: v.ID, Name: v.Name, Shared: v.Shared, Pinned: v.Pinned, Position: v.Position, Version: v.Version, Definition: v.Definition,
		Dropped: append([]string{}, v.Dropped...), Mine: v.Mine, Changeable: v.Changeable, UpdatedAt: v.UpdatedAt.Time, UpdatedBy: v.UpdatedBy,
	}
	if v.Owner != nil {
		out.Owner = v.Owner.Name
	}
	return out
}

type viewAnswer struct {
	Status int
	Body   SavedView
}

// answerView answers a view, or what somebody made of it who was faster.
func answerView(v VisibleView, err error, status int) (*viewAnswer, error) {
	if errors.Is(err, ErrStaleView) {
		return &viewAnswer{http.StatusConflict, viewOut(v)}, nil
	}
	return &viewAnswer{status, viewOut(v)}, err
}

func (s *Service) registerViews(api *httpapi.API) {
	httpapi.Register(api, httpapi.Operation{
		ID: "savedViews", Method: http.MethodGet, Path: "/work/views", Summary: "The lists of open bills that one keeps, and those that the group shares",
		Description: "One's own first. Neither another group nor whoever mirrors sees any.", Access: "work.notes", Effect: httpapi.Read,
	}, func(ctx context.Context, _ *struct{}) (*httpapi.List[SavedView], error) {
		list, err := s.Views(ctx, access.From(ctx))
		return httpapi.ListOf(list, viewOut), err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "savedViewCounts", Method: http.MethodGet, Path: "/work/views/counts", Summary: "How many bills the pinned views have",
		Description: "Each of the own scope, now.", Access: "work.notes", Effect: httpapi.Read, Expensive: true, Background: true,
	}, func(ctx context.Context, _ *struct{}) (*httpapi.List[SavedViewCount], error) {
		list, err := s.Counts(ctx, access.From(ctx))
		return httpapi.ListOf(list, func(c Count) SavedViewCount { return SavedViewCount(c) }), err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "openBillPayers", Method: http.MethodGet, Path: "/work/views/payers", Summary: "The payers of most open bills",
		Description: "At most 8, for which a view is offered.", Access: "work.notes", Effect: httpapi.Read, Expensive: true,
	}, func(ctx context.Context, _ *struct{}) (*httpapi.List[OpenBillPayer], error) {
		list, err := s.Payers(ctx, access.From(ctx))
		return httpapi.ListOf(list, func(p Payer) OpenBillPayer { return OpenBillPayer(p) }), err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "addSavedView", Method: http.MethodPost, Path: "/work/views", Summary: "Keep a list of open bills",
		Description: "At most 30 of one's own, and 60 that a group shares.", Access: "work.notes", Effect: httpapi.Write,
	}, func(ctx context.Context, in *struct{ Body SavedViewText }) (*viewAnswer, error) {
		v, err := s.AddView(ctx, access.From(ctx), in.Body.change())
		return answerView(v, err, http.StatusCreated)
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "changeSavedView", Method: http.MethodPut, Path: "/work/views/{id}", Summary: "Change a view",
		Description: "One's own, or as an administrator of the group one that it shares. 409 where somebody was faster: the view is answered as they left it.",
		Access:      "work.notes", Effect: httpapi.Write,
	}, func(ctx context.Context, in *struct {
		ID   string `path:"id" maxLength:"40"`
		Body SavedViewChange
	}) (*viewAnswer, error) {
		c := in.Body.change()
		c.Version, c.Position = in.Body.Version, in.Body.Position
		v, err := s.ChangeView(ctx, access.From(ctx), in.ID, c)
		return answerView(v, err, http.StatusOK)
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "removeSavedView", Method: http.MethodDelete, Path: "/work/views/{id}", Summary: "Remove a view",
		Access: "work.notes", Effect: httpapi.Write,
	}, func(ctx context.Context, in *struct {
		ID string `path:"id" maxLength:"40"`
	}) (*struct{}, error) {
		return nil, s.RemoveView(ctx, access.From(ctx), in.ID)
	})
}
