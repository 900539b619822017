package remittances

import (
	"context"

	"wcpp/internal/identity/access"
)

// Scope returns the TINs whose remittances the actor can see.
func (s *Service) Scope(ctx context.Context, a access.Actor) (access.Scope, error) {
	return s.scopes.Scope(ctx, a)
}

// Rows returns a function that converts remittances for a response to the actor.
func (s *Service) Rows(ctx context.Context, a access.Actor) func(Listed) (RemittanceRow, error) {
	names := s.posterNames(a)
	return func(r Listed) (RemittanceRow, error) { return s.toRow(ctx, r, names) }
}

// IsShared reports whether other payees can be paid with the same check.
func (r *Listed) IsShared() bool { return r.Payees > 1 }

// ListedAmount returns the amount of the check, or the TIN's share.
func (r *Listed) ListedAmount() int64 { return r.content().Amount }

// postedNames are the posted states as files have them.
var postedNames = map[string]string{IsPosted: "Posted", IsPartly: "Partially posted", IsStale: "Changed since posted"}

// PostedState describes whether the group posted the remittance. It's empty if it hasn't.
func (r *Listed) PostedState() string {
	if m := r.mark(); m != nil {
		return postedNames[m.State(r.content())]
	}
	return ""
}
