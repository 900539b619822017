package cases

import (
	"context"
	"database/sql"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/httpapi"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/ratelimit"
	"wcpp/internal/platform/text"
	"wcpp/internal/platform/validate"
)

// Limits of saved replies.
const (
	maxReplies = 100
	maxTitle   = 80 // characters
)

// SavedReply is a text that staff insert into answers.
type SavedReply struct {
	ID      int64 // 0: a new one
	Title   string
	Body    string
	Version int64
}

// replyLocks is the lock space for saved replies.
const replyLocks = 48

// SaveReply stores a saved reply and returns it. It returns Conflict if another version is stored, or if
// another one has its title.
func (s *Service) SaveReply(ctx context.Context, r SavedReply) (SavedReply, error) {
	r.Title, r.Body = text.Clean(r.Title), text.Paragraphs(r.Body)
	var wrong validate.Fields
	wrong.Require(r.Title != "", "title", "Enter a title.")
	wrong.Limit(r.Title, maxTitle, "title")
	wrong.Require(r.Body != "", "body", "Enter the text.")
	wrong.Limit(r.Body, MaxText, "body")
	if err := wrong.Refuse(validate.MarkedFields); err != nil {
		return r, err
	}
	err := s.changeReplies(ctx, "case-reply-save", func(tx *sql.Tx, all []SavedReply) (err error) {
		at := slices.IndexFunc(all, func(other SavedReply) bool { return strings.EqualFold(other.Title, r.Title) })
		if at >= 0 && all[at].ID != r.ID {
			return validate.RefuseField(validate.MarkedFields, "title", "Another saved reply has this title.")
		}
		if r.ID != 0 {
			if err := requireReply(all, r.ID, r.Version); err != nil {
				return err
			}
			r.Version++
			_, err = savedReplies.Update(ctx, tx, r)
			return err
		}
		if len(all) >= maxReplies {
			return problem.WithMessage(problem.Conflict, fmt.Sprintf("You can save up to %d replies. Delete one first.", maxReplies))
		}
		r.Version = 1
		r.ID, err = newReplies.Add(ctx, tx, r, "id")
		return err
	})
	return r, err
}

// DeleteReply deletes a saved reply. It returns Conflict if another version is stored.
func (s *Service) DeleteReply(ctx context.Context, id, version int64) error {
	return s.changeReplies(ctx, "case-reply-delete", func(tx *sql.Tx, all []SavedReply) error {
		if err := requireReply(all, id, version); err != nil {
			return err
		}
		return deleteReply(ctx, tx, id)
	})
}

// requireReply fails unless the version of a saved reply is stored.
func requireReply(all []SavedReply, id, version int64) error {
	at := slices.IndexFunc(all, func(r SavedReply) bool { return r.ID == id })
	switch {
	case at < 0:
		return problem.New(problem.NotFound)
	case all[at].Version != version:
		return problem.WithMessage(problem.Conflict, "Someone else changed this saved reply. Read it, then try again.")
	}
	return nil
}

// changeReplies locks the saved replies, changes them and audits it.
func (s *Service) changeReplies(ctx context.Context, operation audit.Operation, change func(tx *sql.Tx, all []SavedReply) error) error {
	return s.db.Tx(ctx, func(tx *sql.Tx) error {
		if err := s.db.Lock(ctx, tx, replyLocks, 0); err != nil {
			return err
		}
		all, err := listReplies(ctx, tx)
		if err != nil {
			return err
		}
		if err := change(tx, all); err != nil {
			return err
		}
		return s.audit.Record(ctx, tx, audit.Entry{Operation: operation, Subject: "saved replies", About: []string{}, Result: "ok"})
	})
}

// CaseSavedReply is a saved reply.
type CaseSavedReply struct {
	ID      int64  `json:"id" doc:"0 for a new one"`
	Title   string `json:"title" doc:"Up to 80 characters"`
	Body    string `json:"body" doc:"Up to 4,000 characters"`
	Version int64  `json:"version" doc:"Version that the user saw. 0 for a new one"`
}

func (s *Service) registerSavedReplies(api *httpapi.API) {
	httpapi.Register(api, httpapi.Operation{
		ID: "savedReplies", Method: http.MethodGet, Path: "/desk/replies", Summary: "List saved replies by title",
		Access: "cases.work", Effect: httpapi.Read,
	}, func(ctx context.Context, _ *struct{}) (*httpapi.List[CaseSavedReply], error) {
		list, err := listReplies(ctx, s.db.Reader)
		return httpapi.NewList(list, func(r SavedReply) CaseSavedReply { return CaseSavedReply(r) }), err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "saveReply", Method: http.MethodPost, Path: "/desk/replies", Summary: "Save a reply for staff to insert",
		Description: "Returns 409 if it has changed since.",
		Access:      "cases.lead", Effect: httpapi.Write, MaxBytes: 64 << 10, Limit: ratelimit.Hourly(deskReads),
	}, func(ctx context.Context, in *struct{ Body CaseSavedReply }) (*struct{ Body CaseSavedReply }, error) {
		r, err := s.SaveReply(ctx, SavedReply(in.Body))
		return &struct{ Body CaseSavedReply }{CaseSavedReply(r)}, err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "deleteReply", Method: http.MethodDelete, Path: "/desk/replies/{id}", Summary: "Delete a saved reply",
		Description: "Returns 409 if it has changed since.",
		Access:      "cases.lead", Effect: httpapi.Write, Limit: ratelimit.Hourly(deskReads),
	}, func(ctx context.Context, in *struct {
		ID      int64 `path:"id"`
		Version int64 `query:"version" required:"true" doc:"Version that the user saw"`
	}) (*struct{}, error) {
		return nil, s.DeleteReply(ctx, in.ID, in.Version)
	})
}
