package cases

import (
	"context"
	"database/sql"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/httpapi"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/ratelimit"
	"wcpp/internal/platform/text"
	"wcpp/internal/platform/validate"
	"wcpp/internal/platform/version"
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
			old, err := findReply(all, r.ID)
			if err != nil {
				return err
			}
			if old.Version != r.Version {
				err = checkReplyVersion(old, r)
				r = old // if the same change was already stored
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
func (s *Service) DeleteReply(ctx context.Context, id, of int64) error {
	return s.changeReplies(ctx, "case-reply-delete", func(tx *sql.Tx, all []SavedReply) error {
		r, err := findReply(all, id)
		if err != nil {
			return err
		}
		if r.Version != of {
			return problem.WithMessage(problem.Conflict, "Someone else changed this saved reply. Read it, then try again.")
		}
		return deleteReply(ctx, tx, id)
	})
}

func findReply(all []SavedReply, id int64) (SavedReply, error) {
	at := slices.IndexFunc(all, func(r SavedReply) bool { return r.ID == id })
	if at < 0 {
		return SavedReply{}, problem.New(problem.NotFound)
	}
	return all[at], nil
}

// checkReplyVersion rejects a change of an older version, unless the stored reply has the same texts.
func checkReplyVersion(theirs, mine SavedReply) error {
	stored, err := version.ListFields(CaseSavedReply(theirs), "id", "version")
	if err != nil {
		return err
	}
	wanted, err := version.ListFields(CaseSavedReply(mine), "id", "version")
	if err != nil {
		return err
	}
	return version.CheckAs(strconv.FormatInt(mine.Version, 10), strconv.FormatInt(theirs.Version, 10), stored, wanted)
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
