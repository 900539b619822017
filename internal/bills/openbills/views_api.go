package openbills

import (
	"context"
	"errors"
	"net/http"
	"time"

	"wcpp/internal/identity/access"
	"wcpp/internal/platform/httpapi"
)

// SavedView is a saved view of the user, or one shared with the group.
type SavedView struct {
	ID         string         `json:"id" doc:"Random ID, the only part of its link"`
	Name       string         `json:"name"`
	Shared     bool           `json:"shared" doc:"True if shared with the group"`
	Pinned     bool           `json:"pinned" doc:"True if shown as a tab above the list"`
	Position   int            `json:"position" doc:"Position among its owner's views, from 0"`
	Version    int64          `json:"version"`
	Definition ViewDefinition `json:"definition"`
	Dropped    []string       `json:"dropped" nullable:"false" doc:"Parts of the definition that no longer exist"`
	Owner      string         `json:"owner" doc:"Name. Empty for a former user"`
	Mine       bool           `json:"mine"`
	Changeable bool           `json:"changeable" doc:"True if you can change it"`
	UpdatedAt  time.Time      `json:"updatedAt"`
	UpdatedBy  string         `json:"updatedBy" doc:"Username"`
}

// SavedViewText is the new content of a view.
type SavedViewText struct {
	Name       string         `json:"name" doc:"Up to 60 characters, unique among your views"`
	Shared     bool           `json:"shared"`
	Pinned     bool           `json:"pinned"`
	Definition ViewDefinition `json:"definition"`
}

func (t SavedViewText) change() ViewChange {
	return ViewChange{Name: t.Name, Shared: t.Shared, Pinned: t.Pinned, Definition: t.Definition}
}

// SavedViewChange is the new content of an existing view.
type SavedViewChange struct {
	SavedViewText
	Version  int64 `json:"version" doc:"The version you loaded"`
	Position int   `json:"position" minimum:"0" doc:"Position among its owner's views, from 0. Only its owner can move it"`
}

// SavedViewCount is how many bills a view currently has for the user.
type SavedViewCount struct {
	ID    string `json:"id"`
	Bills int    `json:"bills"`
}

// OpenBillPayer is a payer of open bills.
type OpenBillPayer struct {
	Name  string `json:"name"`
	Bills int    `json:"bills"`
}

func toSavedView(v VisibleView) SavedView {
	out := SavedView{
		ID: v.ID, Name: v.Name, Shared: v.Shared, Pinned: v.Pinned, Position: v.Position, Version: v.Version, Definition: v.Definition,
		Dropped: append([]string{}, v.Dropped...), Mine: v.Mine, Changeable: v.Changeable, UpdatedAt: v.UpdatedAt.Time,
		UpdatedBy: v.UpdatedBy,
	}
	if v.Owner != nil {
		out.Owner = v.Owner.FullName()
	}
	return out
}

type viewAnswer struct {
	Status int
	Body   SavedView
}

// newViewAnswer returns a view, or the version of another user who was faster.
func newViewAnswer(v VisibleView, err error, status int) (*viewAnswer, error) {
	if errors.Is(err, ErrStaleView) {
		return &viewAnswer{http.StatusConflict, toSavedView(v)}, nil
	}
	return &viewAnswer{status, toSavedView(v)}, err
}

func (s *Service) registerViews(api *httpapi.API) {
	httpapi.Register(api, httpapi.Operation{
		ID: "savedViews", Method: http.MethodGet, Path: "/work/views", Summary: "List your saved views and those your group shares",
		Description: "Yours first. Other groups and mirroring staff can't see them.", Access: "work.notes", Effect: httpapi.Read,
	}, func(ctx context.Context, _ *struct{}) (*httpapi.List[SavedView], error) {
		list, err := s.Views(ctx, access.From(ctx))
		return httpapi.NewList(list, toSavedView), err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "savedViewCounts", Method: http.MethodGet, Path: "/work/views/counts", Summary: "Count the bills in pinned views",
		Description: "Counts the bills of your TINs now.", Access: "work.notes", Effect: httpapi.Read, Expensive: true, Background: true,
	}, func(ctx context.Context, _ *struct{}) (*httpapi.List[SavedViewCount], error) {
		list, err := s.Counts(ctx, access.From(ctx))
		return httpapi.NewList(list, func(c SavedViewCount) SavedViewCount { return c }), err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "openBillPayers", Method: http.MethodGet, Path: "/work/views/payers", Summary: "List the payers with the most open bills",
		Description: "Up to 8, suggested as views.", Access: "work.notes", Effect: httpapi.Read, Expensive: true,
	}, func(ctx context.Context, _ *struct{}) (*httpapi.List[OpenBillPayer], error) {
		list, err := s.Payers(ctx, access.From(ctx))
		return httpapi.NewList(list, func(p OpenBillPayer) OpenBillPayer { return p }), err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "addSavedView", Method: http.MethodPost, Path: "/work/views", Summary: "Save a view of open bills",
		Description: "Up to 30 per user, and 60 shared views per group.", Access: "work.notes", Effect: httpapi.Write,
	}, func(ctx context.Context, in *struct{ Body SavedViewText }) (*viewAnswer, error) {
		v, err := s.AddView(ctx, access.From(ctx), in.Body.change())
		return newViewAnswer(v, err, http.StatusCreated)
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "changeSavedView", Method: http.MethodPut, Path: "/work/views/{id}", Summary: "Edit a saved view",
		Description: "Yours, or as a group administrator a shared one. Returns 409 with the current view if someone else changed it first.",
		Access:      "work.notes", Effect: httpapi.Write,
	}, func(ctx context.Context, in *struct {
		ID   string `path:"id" maxLength:"40"`
		Body SavedViewChange
	}) (*viewAnswer, error) {
		c := in.Body.change()
		c.Version, c.Position = in.Body.Version, in.Body.Position
		v, err := s.ChangeView(ctx, access.From(ctx), in.ID, c)
		return newViewAnswer(v, err, http.StatusOK)
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "removeSavedView", Method: http.MethodDelete, Path: "/work/views/{id}", Summary: "Delete a saved view",
		Access: "work.notes", Effect: httpapi.Write,
	}, func(ctx context.Context, in *struct {
		ID string `path:"id" maxLength:"40"`
	}) (*struct{}, error) {
		return nil, s.RemoveView(ctx, access.From(ctx), in.ID)
	})
}
