package administration

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"wcpp/internal/identity/access"
	"wcpp/internal/identity/users"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/paging"
	"wcpp/internal/platform/text"
	"wcpp/internal/platform/validate"
	"wcpp/internal/platform/version"
)

const maxGroupName = 128 // characters

// GroupsPage returns a page of all groups, and the total. The default order is by name.
func (s *Service) GroupsPage(ctx context.Context, t paging.Table) ([]FoundGroup, int, error) {
	list, count, err := groupsPage(ctx, s.db.Reader, s.db.Dialect, t)
	if err == nil {
		err = s.audit.RecordNow(ctx, audit.Entry{Operation: "group-search", Searched: t.Filters, Result: "ok"})
	}
	if err != nil {
		return nil, 0, err
	}
	return list, count, nil
}

// nameFields returns the fields of the group name form.
func nameFields(name string) version.Fields { return version.Fields{{Name: "name", Value: name}} }

// NameGroup sets the name that staff use for a group, if the version matches the one that was
// read.
func (s *Service) NameGroup(ctx context.Context, a access.Actor, groupID int64, name, read string) error {
	name = text.Clean(name)
	var wrong validate.Fields
	wrong.Require(name != "", "name", "Enter a name.")
	wrong.Limit(name, maxGroupName, "name")
	if err := wrong.Refuse("This group can't be renamed."); err != nil {
		return err
	}
	return s.changeGroup(ctx, a, groupID, "group-name", func(tx *sql.Tx, grant access.GroupGrant, g users.Group) (string, error) {
		if err := version.Check(read, nameFields(g.Name), nameFields(name)); err != nil {
			return "", err
		}
		return g.Name + " -> " + name, s.accounts.NameGroup(ctx, tx, grant, name)
	})
}

// CountUsage counts what would stop working if a group became inactive.
func (s *Service) CountUsage(ctx context.Context, a access.Actor, groupID int64) (GroupUse, error) {
	if !a.Reach().SeesGroup(groupID) {
		return GroupUse{}, access.RefuseGroup(groupID)
	}
	if found, err := s.accounts.Groups(ctx, []int64{groupID}); err != nil || len(found) == 0 {
		return GroupUse{}, errors.Join(err, access.RefuseGroup(groupID))
	}
	u, err := countUse(ctx, s.db.Reader, groupID)
	if err != nil {
		return u, err
	}
	signedIn, err := s.sessions.ListByGroup(ctx, s.db.Reader, groupID)
	if err != nil {
		return u, err
	}
	u.SignedIn = len(signedIn)
	u.Mailed, err = s.mailings.CountRecipients(ctx, groupID)
	return u, err
}

// SetGroupStatus deactivates a group and ends its sessions, or reactivates it. It is safe to
// repeat.
func (s *Service) SetGroupStatus(ctx context.Context, a access.Actor, groupID int64, status users.GroupStatus) error {
	if status != users.GroupActive && status != users.GroupInactive {
		return validate.RefuseField("The group can't have this status.", "statusCd", "Select ACTIV or INACT.")
	}
	if err := a.RequireProof(); err != nil {
		return err
	}
	return s.changeGroup(ctx, a, groupID, "group-status", func(tx *sql.Tx, grant access.GroupGrant, g users.Group) (string, error) {
		detail := fmt.Sprintf("%s -> %s", g.StatusCd, status)
		if err := s.accounts.SetGroupStatus(ctx, tx, grant, status); err != nil || status == users.GroupActive {
			return detail, err
		}
		signedIn, err := s.sessions.ListByGroup(ctx, tx, groupID)
		for _, p := range signedIn {
			var user access.UserGrant
			if user, err = a.Reach().ManageUser(p); err == nil {
				err = s.sessions.EndAll(ctx, tx, user)
			}
			if err != nil {
				break
			}
		}
		return detail, err
	})
}

// changeGroup locks and changes a group, and audits the change.
func (s *Service) changeGroup(ctx context.Context, a access.Actor, groupID int64, operation audit.Operation,
	do func(*sql.Tx, access.GroupGrant, users.Group) (string, error)) error {
	grant, err := a.Reach().ManageGroup(groupID)
	if err != nil {
		return err
	}
	return s.db.Tx(ctx, func(tx *sql.Tx) error {
		g, err := s.accounts.LockGroup(ctx, tx, grant.ID())
		if err != nil {
			return err
		}
		detail, err := do(tx, grant, g)
		if err != nil {
			return err
		}
		return s.audit.Record(ctx, tx, audit.Entry{
			Operation: operation, Subject: fmt.Sprintf("group %d", groupID), Groups: []int64{groupID}, Result: "ok", Detail: detail,
		})
	})
}
