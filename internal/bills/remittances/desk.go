package remittances

import (
	"context"
	"errors"
	"net/http"

	"wcpp/internal/bills/record"
	"wcpp/internal/identity/access"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/httpapi"
)

// The service desk operations in the audit log.
const (
	deskRemittance = "desk-open-remittance"
	deskBills      = "desk-see-bills"
)

// AtDesk returns a remittance page for staff, and its first opening by an office. The opening is
// audited first. Groups' posted statuses aren't shown.
func (s *Service) AtDesk(ctx context.Context, a access.Actor, sealed string) (p Page, first audit.Found, err error) {
	id, err := s.records.OpenRemittance(sealed)
	if err != nil {
		return p, first, errNoRemittance()
	}
	number, err := s.findCheckNumber(ctx, id)
	if err != nil {
		return p, first, err
	}
	if err := s.desk.AuthorizeOpening(ctx, a, deskRemittance, id.FTIN, number); err != nil {
		return p, first, err
	}
	if p, err = s.readPage(ctx, id); err != nil {
		return p, first, err
	}
	first, err = s.audit.First(ctx, id.FTIN+" "+p.TraceNumber, openRemittance)
	if err != nil && !errors.Is(err, db.ErrNotFound) {
		return p, first, err
	}
	return p, first, s.desk.AuditShown(ctx, a, deskBills, id.FTIN, p.openingEntry(deskBills).Answered)
}

// findCheckNumber returns the check number of an id for the audit log.
func (s *Service) findCheckNumber(ctx context.Context, id ID) (string, error) {
	number, err := traceNumber(ctx, s.db.Reader, id)
	return number, db.IfNotFound(err, errNoRemittance())
}

// DeskRemittancePage is a remittance page as the office sees it, and whether the office opened
// it.
type DeskRemittancePage struct {
	Page RemittancePage       `json:"page"`
	Seen *record.SeenByOffice `json:"seen,omitempty" doc:"First user in the offices with this Tax ID to open it. Absent if no one has"`
}

func (s *Service) registerDesk(api *httpapi.API) {
	httpapi.Register(api, httpapi.Operation{
		ID: "deskRemittance", Method: http.MethodPost, Path: "/desk/remittances/open", Summary: "Get a remittance's page for network staff",
		Description: "Requires a support session. Each view is logged first, and offices with the Tax ID can read the log.",
		Access:      "desk.open", Effect: httpapi.Read,
	}, func(ctx context.Context, in *struct{ Body record.DeskOpening }) (*struct{ Body DeskRemittancePage }, error) {
		p, first, err := s.AtDesk(ctx, access.From(ctx), in.Body.ID)
		if err != nil {
			return nil, err
		}
		page, err := s.toPage(p, in.Body.ID)
		return &struct{ Body DeskRemittancePage }{DeskRemittancePage{page, record.NewSeenByOffice(first.Actor, first.At)}}, err
	})
}
