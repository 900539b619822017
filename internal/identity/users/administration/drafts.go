package administration

import (
	"context"
	"database/sql"
	"net/http"

	"wcpp/internal/identity/access"
	"wcpp/internal/identity/users"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/httpapi"
	"wcpp/internal/platform/paging"
	"wcpp/internal/platform/problem"
)

// CountDrafts counts the draft accounts.
func (s *Service) CountDrafts(ctx context.Context) (paging.Backlog, error) {
	return drafts(ctx, s.db.Reader)
}

// DraftPage returns a page of the draft accounts, oldest first, and the total.
func (s *Service) DraftPage(ctx context.Context, t paging.Table) ([]users.User, int, error) {
	return draftPage(ctx, s.db.Reader, s.db.Dialect, t)
}

// DeleteDraft deletes a draft account, which frees its address. It returns Conflict if it was
// completed or deleted in the meantime.
func (s *Service) DeleteDraft(ctx context.Context, a access.Actor, id int64) error {
	return s.db.Tx(ctx, func(tx *sql.Tx) error {
		u, err := s.accounts.LockUser(ctx, tx, id)
		if err != nil {
			return err
		}
		grant, err := a.Reach().ManageUser(u.Person())
		if err != nil {
			return err
		}
		if u.StatusCd != users.Draft {
			return problem.WithMessage(problem.Conflict, "This draft has already been completed or deleted.")
		}
		if err := s.accounts.Terminate(ctx, tx, grant, a.Person.ID); err != nil {
			return err
		}
		return s.audit.Record(ctx, tx, audit.Entry{Operation: "user-draft-delete", Subject: u.UserName, Result: "ok",
			Detail: string(u.TypeCd)})
	})
}

// AccountDrafts requests a page of draft accounts.
type AccountDrafts struct {
	Table paging.Table `json:"table"`
}

// registerDrafts adds the endpoints for draft accounts.
func (s *Service) registerDrafts(api *httpapi.API) {
	httpapi.Register(api, httpapi.Operation{
		ID: "accountDrafts", Method: http.MethodPost, Path: "/desk/queues/drafts", Summary: "Get a page of draft accounts, oldest first",
		Access: "queues.manage", Effect: httpapi.Read,
	}, func(ctx context.Context, in *struct{ Body AccountDrafts }) (*paging.Answer[UserRow], error) {
		list, count, err := s.DraftPage(ctx, in.Body.Table)
		if err != nil {
			return nil, err
		}
		a := access.From(ctx)
		return s.toPage(ctx, list, count, func(u users.User) []string { return searchActions(a, u) })
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "deleteAccountDraft", Method: http.MethodDelete, Path: "/desk/queues/drafts/{id}", Summary: "Delete a draft account",
		Description: "For everyone who can edit it. Frees its email address. Returns 409 if it's already completed or deleted.",
		Access:      "users.draft", Effect: httpapi.Write,
	}, func(ctx context.Context, in *struct {
		ID int64 `path:"id"`
	}) (*struct{}, error) {
		return nil, s.DeleteDraft(ctx, access.From(ctx), in.ID)
	})
}
