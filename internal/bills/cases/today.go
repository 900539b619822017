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

// CountOverdue counts the cases whose promised time has passed.
func (s *Service) CountOverdue(ctx context.Context) (paging.Backlog, error) {
	return countOverdue(ctx, s.db.Reader, db.At(s.now()))
}
