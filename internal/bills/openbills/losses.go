package openbills

import (
	"context"
	"database/sql"
	"fmt"
	"net/http"
	"slices"
	"time"

	"wcpp/internal/identity/access"
	"wcpp/internal/identity/tins"
	"wcpp/internal/platform"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/httpapi"
	"wcpp/internal/platform/text"
)

// Loss records that a user lost a TIN with bills assigned to them.
type Loss struct {
	ID     int64
	Group  int64 `db:"group_id"`
	UserID int64
	FTIN   string
	At     db.Instant
}

const (
	maxLosses  = 20                  // shown together
	readLosses = 2_000               // most of them without remaining bills
	lossKept   = 90 * 24 * time.Hour // unless it's dismissed
)

// Assignments removes assignments. The service of the TINs needs it, and this package's service
// needs the TINs.
type Assignments struct {
	scopes *tins.Scopes
	audit  *audit.Log
	now    func() time.Time
}

// NewAssignments creates the service of assignments.
func NewAssignments(kit platform.Kit, scopes *tins.Scopes) *Assignments {
	return &Assignments{scopes: scopes, audit: kit.Audit, now: kit.LocalTime}
}

// RemoveLostAssignments removes assignments on bills of TINs that the assignee no longer has. It does so for
// one user of a group, or for all if user is 0, in the transaction that revoked the TINs. by is
// the user who revoked them.
func (s *Assignments) RemoveLostAssignments(ctx context.Context, tx *sql.Tx, group, user int64, by string) error {
	list, err := assignedIn(ctx, tx, group, user)
	if err != nil {
		return err
	}
	has := map[int64][]string{}
	for _, a := range list {
		if _, asked := has[a.UserID]; !asked {
			if has[a.UserID], err = s.scopes.ReadTINsInGroup(ctx, tx, group, a.UserID); err != nil {
				return err
			}
		}
		if slices.Contains(has[a.UserID], a.FTIN) {
			continue
		}
		if err := recordLoss(ctx, tx, Loss{Group: group, UserID: a.UserID, FTIN: a.FTIN, At: db.At(s.now())}, by); err != nil {
			return err
		}
		e := audit.Entry{Operation: "bill-work-lost", Subject: a.FTIN, About: []string{a.FTIN},
			Detail: fmt.Sprintf("user %d, %s", a.UserID, text.FormatCount(a.Bills, "bill", "bills")), Result: "ok"}
		if err := s.audit.Record(ctx, tx, e); err != nil {
			return err
		}
	}
	return nil
}

// ReportedLoss is a loss as shown to a group's administrators.
type ReportedLoss struct {
	Loss
	Name  string
	Bills int // still open and unassigned
}

// Losses returns the group's losses with remaining bills, newest first, up to maxLosses.
func (s *Service) Losses(ctx context.Context, a access.Actor) ([]ReportedLoss, error) {
	who := s.newRequester(a)
	if who.group == 0 {
		return nil, nil
	}
	list, err := listLosses(ctx, s.db.Reader, who.group, readLosses)
	if err != nil || len(list) == 0 {
		return nil, err
	}
	if who.scope, err = s.scopes.Scope(ctx, a); err != nil {
		return nil, err
	}
	left := map[int64]int{}
	var everything Filter
	for tins := range slices.Chunk(everything.selectTINs(who.scope), tinsPerQuery) {
		rows, err := countLost(ctx, s.db.Reader, who, tins)
		if err != nil {
			return nil, err
		}
		for _, r := range rows {
			left[r.Lost] += r.Bills
		}
	}
	var reported []ReportedLoss
	for _, l := range list {
		if left[l.ID] == 0 || len(reported) == maxLosses {
			continue
		}
		name, err := s.users.GetName(ctx, l.UserID)
		if err != nil {
			return nil, err
		}
		reported = append(reported, ReportedLoss{l, name, left[l.ID]})
	}
	return reported, nil
}

// DismissLoss dismisses a loss for the group's administrators.
func (s *Service) DismissLoss(ctx context.Context, a access.Actor, id int64) error {
	return s.db.Tx(ctx, func(tx *sql.Tx) error {
		n, err := removeLoss(ctx, tx, s.newRequester(a).group, id)
		if err != nil {
			return err
		}
		subject := fmt.Sprintf("lost assignment %d", id)
		if n == 0 {
			return access.Refuse(subject)
		}
		return s.audit.Record(ctx, tx, audit.Entry{Operation: "bill-work-lost-seen", Subject: subject, About: []string{subject},
			Result: "ok"})
	})
}

// LostAssignment reports that a user in the group lost a Tax ID with bills assigned to them.
type LostAssignment struct {
	ID    int64     `json:"id"`
	Name  string    `json:"name" doc:"Name of the user who lost the TIN"`
	FTIN  string    `json:"ftin"`
	Bills int       `json:"bills" doc:"Number of open bills that are still unassigned"`
	At    time.Time `json:"at"`
}

func (s *Service) registerLosses(api *httpapi.API) {
	httpapi.Register(api, httpapi.Operation{
		ID: "lostAssignments", Method: http.MethodGet, Path: "/work/lost-assignments",
		Summary:     "List users who lost a Tax ID with bills assigned to them",
		Description: "The newest 20 of the last 90 days with bills left unassigned. Empty while mirroring.",
		Access:      "work.lead", Effect: httpapi.Read, Background: true,
	}, func(ctx context.Context, _ *struct{}) (*httpapi.List[LostAssignment], error) {
		list, err := s.Losses(ctx, access.From(ctx))
		return httpapi.NewList(list, func(l ReportedLoss) LostAssignment {
			return LostAssignment{l.ID, l.Name, l.FTIN, l.Bills, l.At.Time}
		}), err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "putAwayLostAssignment", Method: http.MethodDelete, Path: "/work/lost-assignments/{id}",
		Summary:     "Dismiss an unassigned-bills alert",
		Description: "Dismisses it for all administrators of the group.", Access: "work.lead", Effect: httpapi.Write,
	}, func(ctx context.Context, in *struct {
		ID int64 `path:"id"`
	}) (*struct{}, error) {
		return nil, s.DismissLoss(ctx, access.From(ctx), in.ID)
	})
}
