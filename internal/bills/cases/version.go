package cases

import (
	"context"
	"net/http"

	"wcpp/internal/identity/access"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/httpapi"
	"wcpp/internal/platform/ratelimit"
)

// GetVersion returns the version of an office's case. Open pages call it every 15 seconds, so it
// neither marks the case as read nor writes to the audit log, also if the user doesn't see it anymore.
func (s *Service) GetVersion(ctx context.Context, a access.Actor, number string) (int64, error) {
	v, err := s.viewer(ctx, a)
	if err != nil {
		return 0, err
	}
	c, err := getCase(ctx, s.db.Reader, parseNumber(number), "")
	if err == nil && !v.sees(c) {
		err = db.ErrNotFound
	}
	return c.Version, notFound(err)
}

func (s *Service) registerVersion(api *httpapi.API) {
	httpapi.Register(api, httpapi.Operation{
		ID: "caseVersion", Method: http.MethodGet, Path: "/work/cases/{number}/version", Summary: "Get the version of a question",
		Description: "It changes with each entry and state.",
		Access:      "cases.own", Effect: httpapi.Read, Background: true, Limit: ratelimit.Hourly(deskReads),
	}, func(ctx context.Context, in *struct {
		Number string `path:"number" maxLength:"20"`
	}) (*struct{ Body CaseVersion }, error) {
		version, err := s.GetVersion(ctx, access.From(ctx), in.Number)
		return &struct{ Body CaseVersion }{CaseVersion{version}}, err
	})
}
