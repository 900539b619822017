package administration

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"wcpp/internal/access"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/paging"
	"wcpp/internal/platform/text"
	"wcpp/internal/platform/validate"
	"wcpp/internal/platform/version"
	"wcpp/internal/users"
)

const maxGroupName = 128 // characters

// GroupsPage answers a page of all groups, by name unless they are sorted, and how
// many there are.
func (s *Service) GroupsPage(ctx context.Context, t paging.Table) ([]FoundGroup, int, error) {
	list, count, err := groupsPage(ctx, s.db.Reader, s.db.Dialect, t)
	if err == nil {
		err = s.audit.Now(ctx, audit.Entry{Operation: "group-search", Searched: t.Filters, Result: "ok"})
	}
	if err != nil {
		return nil, 0, err
	}
	return list, count, nil
}

// named is what the form of a group's name edits.
func named(name string) version.Fields { return version.Fields{{Name: "name", Value: name}} }

// NameGroup gives a group a name that staff know it by, in place of the version that was read.
func (s *Service) NameGroup(ctx context.Context, a access.Actor, groupID int64, name, read string) error {
	name = text.Clean(name)
	var wrong validate.Fields
	wrong.Require(name != "", "name", "Enter a name.")
	wrong.Limit(name, maxGroupName, "name")
	if err := wrong.Refuse("This group can't be renamed."); err != nil {
		return err
	}
	return s.changeGroup(ctx, a, groupID, "group-name", func(tx *sql.Tx, grant access.GroupGrant, g users.Group) (string, error) {
		if err := version.Check(read, named(g.Name), named(name)); err != nil {
			return "", err
		}
		return g.Name + " -> " + name, s.accounts.NameGroup(ctx, tx, grant, name)
	})
}

// Use is what of a group is in use, and stops once it is inactive.
type Use struct {
	Users       int // not terminated
	MaySignIn   int
	Registering int // mailed a registration link, which stops working
	SignedIn    int
	Mailed      int // addresses to which digests go, of users and of the group
}

// UseOf counts what of a group is in use.
func (s *Service) UseOf(ctx context.Context, a access.Actor, groupID int64) (Use, error) {
	if !a.Reach().SeesGroup(groupID) {
		return Use{}, access.RefuseGroup(groupID)
	}
	if found, err := s.accounts.Groups(ctx, []int64{groupID}); err != nil || len(found) == 0 {
		return Use{}, errors.Join(err, access.RefuseGroup(groupID))
	}
	u, err := useOf(ctx, s.db.Reader, groupID)
	if err != nil {
		return u, err
	}
	signedIn, err := s.sessions.OfGroup(ctx, s.db.Reader, groupID)
	if err != nil {
		return u, err
	}
	u.SignedIn = len(signedIn)
	u.Mailed, err = s.mailings.OfGroup(ctx, groupID)
	return u, err
}

// SetGroupStatus makes a group inactive, which ends what is signed in of it, or active
// again. It is safe to repeat.
func (s *Service) SetGroupStatus(ctx context.Context, a access.Actor, groupID int64, status users.GroupStatus) error {
	if status != users.GroupActive && status != users.GroupInactive {
		return validate.RefuseField("The group can't have this status.", "statusCd", "Select ACTIV or INACT.")
	}
	if err := a.MustBeProven(); err != nil {
		return err
	}
	return s.changeGroup(ctx, a, groupID, "group-status", func(tx *sql.Tx, grant access.GroupGrant, g users.Group) (string, error) {
		detail := fmt.Sprintf("%s -> %s", g.StatusCd, status)
		if err := s.accounts.SetGroupStatus(ctx, tx, grant, status); err != nil || status == users.GroupActive {
			return detail, err
		}
		signedIn, err := s.sessions.OfGroup(ctx, tx, groupID)
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

// changeGroup changes a group, which is locked first, and audits what became of it.
func (s *Service) changeGroup(ctx context.Context, a access.Actor, groupID int64, operation audit.Operation, do func(*sql.Tx, access.GroupGrant, users.Group) (string, error)) error {
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
