package administration

import (
	"context"
	"errors"
	"strings"

	"wcpp/internal/access"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/text"
	"wcpp/internal/users"
)

// OfGroup lists the users of a group for Manage Users, by first name, at most a
// thousand; more tells that there are others. Internal staff may ask for any
// group, provider users for their own.
func (s *Service) OfGroup(ctx context.Context, a access.Actor, groupID int64, acting string) (list []users.User, more bool, err error) {
	if err := a.Named(acting); err != nil {
		return nil, false, err
	}
	if groupID == 0 {
		return nil, false, nil
	}
	if !a.Reach().SeesGroup(groupID) {
		return nil, false, problem.New(problem.NotFound)
	}
	list, err = usersOfGroup(ctx, s.db.Reader, groupID, mostUsersOf+1)
	return list[:min(len(list), mostUsersOf)], len(list) > mostUsersOf, err
}

// EmailExists tells whether an account has the address.
func (s *Service) EmailExists(ctx context.Context, email string) (bool, error) {
	_, err := s.accounts.ByEmail(ctx, email)
	if errors.Is(err, db.ErrNotFound) {
		return false, nil
	}
	return err == nil, err
}

// Search is what User Search and the search for recipients ask for: one
// criterion, and the account type beside it.
type Search struct {
	Type      access.Type // may narrow any criterion
	UserName  string      // its beginning, from 3 characters on
	Email     string      // the whole address; with a leading * any part of it, from 3 characters on
	FTIN      string
	GroupID   int64
	IDs       []int64
	UserNames []string // whole names
	Status    users.Status
}

// Find lists the users of a search in the order of their user names, at most a
// thousand; more tells that there are others.
func (s *Service) Find(ctx context.Context, a access.Actor, q Search) (list []users.User, more bool, err error) {
	q.UserName, q.Email = text.Clean(q.UserName), text.Clean(q.Email)
	given := 0
	for _, set := range []bool{q.UserName != "", q.Email != "", q.FTIN != "", q.GroupID != 0, len(q.IDs) > 0, len(q.UserNames) > 0, q.Status != ""} {
		if set {
			given++
		}
	}
	if given != 1 {
		return nil, false, problem.Say(problem.Invalid, "Error: Enter Username or Email Address or Tax ID Number (TIN) or Group ID")
	}
	list, err = s.find(ctx, q)
	if err != nil {
		return nil, false, err
	}
	s.audit.Later(ctx, audit.Entry{Operation: "user-search", Result: "ok"})
	return list[:min(len(list), mostFound)], len(list) > mostFound, nil
}

func (s *Service) find(ctx context.Context, q Search) ([]users.User, error) {
	const limit = mostFound + 1
	r := s.db.Reader
	switch {
	case q.UserName != "":
		if len([]rune(q.UserName)) < 3 {
			return nil, problem.Say(problem.Invalid, "Error: Enter a minimum of 3 characters in username field")
		}
		return usersByNamePrefix(ctx, r, text.Key(q.UserName), q.Type, limit)
	case q.Email != "":
		part, anywhere := strings.CutPrefix(q.Email, "*")
		if !anywhere {
			return usersByEmail(ctx, r, text.Key(part), q.Type, limit)
		}
		if part = strings.Trim(part, "*"); len([]rune(part)) < 3 {
			return nil, problem.Say(problem.Invalid, "Enter at least 3 characters after the * of a partial email address.")
		}
		return usersByEmailPart(ctx, r, text.Key(part), q.Type, limit)
	case q.FTIN != "":
		groups, holders, err := s.tins.HoldersOf(ctx, q.FTIN)
		if err != nil {
			return nil, err
		}
		return usersHolding(ctx, r, groups, holders, q.Type, limit)
	case q.GroupID != 0:
		return usersInGroup(ctx, r, q.GroupID, q.Type, limit)
	case len(q.IDs) > 0:
		return usersByIDs(ctx, r, q.IDs, q.Type, limit)
	case len(q.UserNames) > 0:
		keys := make([]string, len(q.UserNames))
		for i, name := range q.UserNames {
			keys[i] = text.Key(name)
		}
		return usersByNames(ctx, r, keys, q.Type, limit)
	default:
		return usersByStatus(ctx, r, q.Status, q.Type, limit)
	}
}
