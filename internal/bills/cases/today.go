package cases

import (
	"context"

	"wcpp/internal/bills/alerts"
	"wcpp/internal/identity/access"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/httpapi"
	"wcpp/internal/platform/paging"
)

// CountForUser counts the cases that need a user with a scope.
func (s *Service) CountForUser(ctx context.Context, q db.Queryer, p access.Person, scope access.Scope) (alerts.Questions, error) {
	if !isOffice(p) {
		return alerts.Questions{}, nil
	}
	return countForUser(ctx, q, viewer{p, scope})
}

// isOffice reports whether a person asks questions for an office.
func isOffice(p access.Person) bool {
	return p.GroupID != 0 && access.Allow(access.Actor{Person: p}, "cases.own", httpapi.Read) == nil
}

// CountOverdue counts the cases whose promised time or legal day has passed.
func (s *Service) CountOverdue(ctx context.Context) (paging.Backlog, error) {
	now := db.At(s.now())
	b, err := countOverdue(ctx, s.db.Reader, now)
	if err != nil {
		return b, err
	}
	legal, err := countLegalOverdue(ctx, s.db.Reader, now, s.today())
	if err != nil || legal.Due == "" {
		return b, err
	}
	if since := s.endOf(legal.Due); b.Count == 0 || since.Before(b.Since.Time) {
		b.Since = since
	}
	b.Count = min(b.Count+legal.Count, paging.Bound+1)
	return b, nil
}
