package administration

import (
	"context"
	"strings"

	"wcpp/internal/identity/access"
	"wcpp/internal/identity/users"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/text"
)

// GroupSearch finds portal user groups by one criterion.
type GroupSearch struct {
	GroupID     int64
	FTIN        string
	SourceID    int64  // roster hub source
	SourceGroup string // provider group of a source: its own id, or the hub's id
	UserName    string // username prefix
	Email       string // full address, or a domain
}

// FoundGroup is a portal user group in the search results.
type FoundGroup struct {
	users.Group
	CreatedAt db.Instant
	Sources   []RosterSource
}

// FindGroups lists the matching groups by id, up to 1,000. More reports whether the list was cut
// off.
func (s *Service) FindGroups(ctx context.Context, a access.Actor, q GroupSearch) (list []FoundGroup, more bool, err error) {
	q.UserName, q.Email = text.Clean(q.UserName), text.Clean(q.Email)
	given := 0
	for _, set := range []bool{q.GroupID != 0, q.FTIN != "", q.SourceID != 0, q.SourceGroup != "", q.UserName != "", q.Email != ""} {
		if set {
			given++
		}
	}
	if given != 1 {
		return nil, false, problem.WithMessage(problem.Invalid, "Error: Enter at least one search criteria")
	}
	if list, err = s.findGroups(ctx, q); err != nil {
		return nil, false, err
	}
	more = len(list) > maxFound
	list = list[:min(len(list), maxFound)]
	var rosters []int64
	for _, g := range list {
		if g.Kind == users.RosterGroup {
			rosters = append(rosters, g.ID)
		}
	}
	sources, err := s.sources.ListByGroup(ctx, rosters)
	if err != nil {
		return nil, false, err
	}
	for i := range list {
		list[i].Sources = sources[list[i].ID]
	}
	if err := s.audit.RecordNow(ctx, audit.Entry{Operation: "group-search", Searched: q, Result: "ok"}); err != nil {
		return nil, false, err
	}
	return list, more, nil
}

func (s *Service) findGroups(ctx context.Context, q GroupSearch) ([]FoundGroup, error) {
	const limit = maxFound + 1
	r := s.db.Reader
	var ids []int64
	var err error
	switch {
	case q.GroupID != 0:
		ids = []int64{q.GroupID}
	case q.FTIN != "":
		ids, _, err = s.tins.FindHolders(ctx, q.FTIN)
	case q.SourceID != 0:
		ids, err = s.sources.GroupsWithSource(ctx, q.SourceID)
	case q.SourceGroup != "":
		ids, err = s.sources.GroupsWithSourceGroup(ctx, q.SourceGroup)
	case q.UserName != "":
		if len([]rune(q.UserName)) < 3 {
			return nil, problem.WithMessage(problem.Invalid, "Error: Enter a minimum of 3 characters in username field")
		}
		return groupsByUserName(ctx, r, text.Key(q.UserName), limit)
	default:
		if local, _, whole := strings.Cut(q.Email, "@"); whole && strings.Trim(local, "*") != "" {
			return groupsByEmail(ctx, r, text.Key(q.Email), limit)
		}
		domain := strings.TrimLeft(q.Email, "*@")
		if len([]rune(domain)) < 3 {
			return nil, problem.WithMessage(problem.Invalid, "Enter at least 3 characters of an email domain.")
		}
		return groupsByEmailDomain(ctx, r, text.Key(domain), limit)
	}
	if err != nil || len(ids) == 0 {
		return nil, err
	}
	return groupsByIDs(ctx, r, ids[:min(len(ids), limit)])
}
