package users

import (
	"context"
	"database/sql"
	"errors"
	"slices"

	"wcpp/internal/identity/access"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/problem"
)

// SetStaffRole changes what a locked account of the network's staff can do beyond its type. Someone
// without a role has no questions to answer, so theirs become unassigned.
func (s *Service) SetStaffRole(ctx context.Context, tx *sql.Tx, g access.UserGrant, role access.Role) error {
	if err := setStaffRole(ctx, tx, g, role, db.At(s.now())); err != nil || role != access.NoRole {
		return err
	}
	return s.cases.ReleaseCases(ctx, tx, g)
}

// ListStaff lists the network's staff who can sign in, by name.
func (s *Service) ListStaff(ctx context.Context) ([]User, error) {
	list, err := listStaff(ctx, s.db.Reader)
	return slices.DeleteFunc(list, func(u User) bool { return !u.CanWork() }), err
}

// RequireAnswerer returns an account that can answer questions of offices, and prevents changes of
// it until the transaction ends. It returns Forbidden for any other account.
func (s *Service) RequireAnswerer(ctx context.Context, tx *sql.Tx, id int64) (User, error) {
	u, err := shareUser(ctx, tx, s.db.Dialect, id)
	if errors.Is(err, db.ErrNotFound) || err == nil && !u.CanAnswer() {
		return u, problem.New(problem.Forbidden)
	}
	return u, err
}
