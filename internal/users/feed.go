package users

import (
	"context"
	"database/sql"
	"errors"

	"wcpp/internal/access"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/text"
)

// Outcome is what became of one row of a feed.
type Outcome struct {
	Kind   string // taken, updated, unchanged or rejected
	Reason string
}

var (
	taken     = Outcome{Kind: "taken"}
	updated   = Outcome{Kind: "updated"}
	unchanged = Outcome{Kind: "unchanged"}
)

func rejected(reason string) Outcome { return Outcome{Kind: "rejected", Reason: reason} }

// byFeed changes accounts and groups as the files say, whoever sent them.
const byFeed = access.System("feed")

// TakeGroup stores a group that came in by feed, by its id.
func (s *Service) TakeGroup(ctx context.Context, tx *sql.Tx, g Group) (Outcome, error) {
	g.Name = text.Clean(g.Name)
	old, err := groupByID(ctx, tx, g.ID)
	switch {
	case errors.Is(err, db.ErrNotFound):
		_, err := insertGroup(ctx, tx, g.ID, g.Name, g.Kind, db.At(s.now()), string(byFeed))
		return taken, err
	case err != nil:
		return Outcome{}, err
	case old == g:
		return unchanged, nil
	default:
		return updated, updateGroup(ctx, tx, byFeed.Group(g.ID), g)
	}
}

// TakeUser stores an account that came in by feed: by its user name where the
// row has one, else by its e-mail. A feed never changes passwords, the state
// of an account that is there, or its user name.
func (s *Service) TakeUser(ctx context.Context, tx *sql.Tx, u User) (Outcome, error) {
	u, wrong := normalise(u)
	if len(wrong) > 0 {
		return rejected(wrong[0].Path + ": " + wrong[0].Message), nil
	}
	if u.GroupID != 0 {
		if _, err := groupByID(ctx, tx, u.GroupID); errors.Is(err, db.ErrNotFound) {
			return rejected("there is no group of this id: import the groups first"), nil
		} else if err != nil {
			return Outcome{}, err
		}
	}
	old, err := s.known(ctx, tx, u)
	switch {
	case errors.Is(err, db.ErrNotFound):
		if taken, err := emailTaken(ctx, tx, u); taken || err != nil {
			return rejected("the e-mail address belongs to another account"), err
		}
		if _, err := s.addIn(ctx, tx, u, string(byFeed)); err != nil {
			return Outcome{}, err
		}
		return taken, nil
	case err != nil:
		return Outcome{}, err
	}
	next := u
	next.ID, next.UserName, next.StatusCd, next.PasswordHash = old.ID, old.UserName, old.StatusCd, old.PasswordHash
	next.LockedUntil, next.LastLoginAt, next.CreatedAt, next.Draft = old.LockedUntil, old.LastLoginAt, old.CreatedAt, old.Draft
	next.SSOIssuer, next.SSOSubject = old.SSOIssuer, old.SSOSubject
	if next.GroupID == 0 {
		next.GroupID = old.GroupID
	}
	if next == old {
		return unchanged, nil
	}
	if text.Key(next.Email) != text.Key(old.Email) {
		if taken, err := emailTaken(ctx, tx, next); taken || err != nil {
			return rejected("the e-mail address belongs to another account"), err
		}
	}
	return updated, updateFromFeed(ctx, tx, byFeed.User(old.ID), next, byFeed.Group(next.GroupID), db.At(s.now()))
}

func (s *Service) known(ctx context.Context, tx *sql.Tx, u User) (User, error) {
	if u.UserName != "" {
		return FindByName(ctx, tx, u.UserName)
	}
	return byEmailKey(ctx, tx, text.Key(u.Email))
}

func emailTaken(ctx context.Context, tx *sql.Tx, u User) (bool, error) {
	if u.StatusCd == Terminated {
		return false, nil
	}
	other, err := byEmailKey(ctx, tx, text.Key(u.Email))
	if errors.Is(err, db.ErrNotFound) {
		return false, nil
	}
	return err == nil && other.ID != u.ID, err
}

// GroupOf finds an account's id and group by its user name, for the TIN feed.
func (s *Service) GroupOf(ctx context.Context, tx *sql.Tx, userName string) (userID, groupID int64, err error) {
	u, err := FindByName(ctx, tx, userName)
	if errors.Is(err, db.ErrNotFound) {
		err = problem.New(problem.NotFound)
	}
	return u.ID, u.GroupID, err
}

// HasGroup tells whether the group exists, for the TIN feed.
func (s *Service) HasGroup(ctx context.Context, tx *sql.Tx, id int64) (bool, error) {
	_, err := groupByID(ctx, tx, id)
	if errors.Is(err, db.ErrNotFound) {
		return false, nil
	}
	return err == nil, err
}
