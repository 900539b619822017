package tins

import (
	"context"
	"database/sql"

	"wcpp/internal/identity/users"
	"wcpp/internal/platform/ingest"
	"wcpp/internal/platform/problem"
)

// Feeds returns the tables of group and user TINs that can be imported.
func (s *Service) Feeds() []ingest.Feed {
	return []ingest.Feed{ingest.Table("tins", linkFields, nil, ingest.Each(
		func(ctx context.Context, tx *sql.Tx, l NamedLink) (ingest.Outcome, error) {
			return s.importNamedLink(ctx, tx, l)
		}))}
}

// NamedLink is a TIN of a group, or of the named user in the group.
type NamedLink struct {
	GroupID  int64
	FTIN     string
	UserName string
}

var linkFields = []ingest.Column[NamedLink]{
	ingest.Required("group_id", ingest.Number(func(t *NamedLink) *int64 { return &t.GroupID })),
	ingest.Required("tin", ingest.TIN(func(t *NamedLink) *string { return &t.FTIN })),
	ingest.Optional("user_name", ingest.Text(func(t *NamedLink) *string { return &t.UserName }, 50)),
}

func (s *Service) importNamedLink(ctx context.Context, tx *sql.Tx, l NamedLink) (ingest.Outcome, error) {
	link := Link{GroupID: l.GroupID, FTIN: l.FTIN}
	if l.UserName != "" {
		u, err := users.FindByName(ctx, tx, l.UserName)
		if problem.Is(err, problem.NotFound) {
			return ingest.Rejected("unknown user; import the users first"), nil
		}
		if err != nil {
			return ingest.Outcome{}, err
		}
		if u.GroupID != l.GroupID {
			return ingest.Rejected("the user belongs to another group"), nil
		}
		link.UserID = u.ID
	} else if has, err := s.users.HasGroup(ctx, tx, l.GroupID); err != nil || !has {
		return ingest.Rejected("unknown group ID; import the groups first"), err
	}
	added, reason, err := s.ImportLink(ctx, tx, link)
	switch {
	case err != nil:
		return ingest.Outcome{}, err
	case reason != "":
		return ingest.Rejected(reason), nil
	case added:
		return ingest.Imported, nil
	default:
		return ingest.Unchanged, nil
	}
}
