package record

import (
	"context"

	"wcpp/internal/identity/access"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/db"
)

// Desk records why staff look at an office's data.
type Desk interface {
	// AuthorizeOpening records that a staff member opens the bill or check of a TIN, before it returns. It
	// rejects access without a reason, and too many openings.
	AuthorizeOpening(ctx context.Context, a access.Actor, operation audit.Operation, ftin, number string) error
	// AuditShown records the other bills of the TIN that the page shows.
	AuditShown(ctx context.Context, a access.Actor, operation audit.Operation, ftin string, numbers []string) error
}

// SeenByOffice is the user of an office who first opened something.
type SeenByOffice struct {
	By string `json:"by" doc:"Username"`
	At string `json:"at" doc:"ISO 8601 in UTC"`
}

// NewSeenByOffice returns the first opening, or nil if there was none.
func NewSeenByOffice(by string, at db.Instant) *SeenByOffice {
	if by == "" {
		return nil
	}
	return &SeenByOffice{By: by, At: at.RFC3339()}
}

// DeskOpening identifies what staff open. Ids are sent in the body, so logs of URLs don't reveal
// what was opened.
type DeskOpening struct {
	ID string `json:"id" maxLength:"1000" doc:"ID returned by a service desk page"`
}
