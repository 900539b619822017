package users

import (
	"context"
	"database/sql"
	"errors"

	"wcpp/internal/identity/access"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/ingest"
	"wcpp/internal/platform/text"
	"wcpp/internal/platform/validate"
)

// Feeds returns the tables of groups and accounts that can be imported.
func (s *Service) Feeds() []ingest.Feed {
	return []ingest.Feed{
		ingest.Table("groups", groupFields, nil, ingest.Each(s.ImportGroup)),
		ingest.Table("users", userFields, checkUser, ingest.Each(s.ImportUser)),
	}
}

var groupFields = []ingest.Column[Group]{
	ingest.Required("group_id", ingest.Number(func(g *Group) *int64 { return &g.ID })),
	ingest.Required("name", ingest.Text(func(g *Group) *string { return &g.Name }, 128)),
	ingest.Required("kind", ingest.OneOf(func(g *Group) *string { return &g.Kind }, "PROVIDER", "NONNETWORK", "ROSTER")),
}

var userFields = []ingest.Column[User]{
	ingest.Optional("user_name", ingest.Text(func(u *User) *string { return &u.UserName }, 50)),
	ingest.Required("first_name", ingest.Text(func(u *User) *string { return &u.FirstName }, 40)),
	ingest.Optional("middle_name", ingest.Text(func(u *User) *string { return &u.MiddleName }, 40)),
	ingest.Required("last_name", ingest.Text(func(u *User) *string { return &u.LastName }, 40)),
	ingest.Required("email", setEmail),
	ingest.Optional("phone", ingest.Phone(func(u *User) *string { return &u.Phone })),
	ingest.Required("type", ingest.OneOf(func(u *User) *access.Type {
		return &u.TypeCd
	}, "PRUS", "PRAD", "NNUS", "ROAD", "ROUS", "IRAD", "ISAD")),
	ingest.Required("status", ingest.OneOf(func(u *User) *Status {
		return &u.StatusCd
	}, "NEW", "DRAFT", "ACTIV", "INACT", "LOCK", "DISABL", "TERM")),
	ingest.Optional("employee_id", ingest.Text(func(u *User) *string { return &u.EmployeeID }, 120)),
	ingest.Optional("group_id", ingest.Number(func(u *User) *int64 { return &u.GroupID })),
	ingest.Optional("affiliation", ingest.OneOf(func(u *User) *string { return &u.AffiliationCd }, "OFC_STAFF", "BILLING_CO", "OTHER")),
	ingest.Optional("affiliation_description", ingest.Text(func(u *User) *string { return &u.AffiliationDesc }, 80)),
	ingest.Optional("job_title", ingest.Text(func(u *User) *string { return &u.JobTitle }, 128)),
	ingest.Optional("company_name", ingest.Text(func(u *User) *string { return &u.CompanyName }, 128)),
	ingest.Optional("company_url", ingest.Text(func(u *User) *string { return &u.CompanyURL }, 128)),
}

func setEmail(u *User, value string) error {
	if !validate.Email(value) {
		return errors.New("isn't an email address of up to 120 characters")
	}
	u.Email = value
	return nil
}

// checkUser requires a group for account types that need one.
func checkUser(u *User) error {
	switch internal := u.TypeCd == "IRAD" || u.TypeCd == "ISAD"; {
	case internal && u.GroupID != 0:
		return errors.New("group_id must be empty for types IRAD and ISAD")
	case !internal && u.GroupID == 0 && u.StatusCd != "DRAFT":
		return errors.New("group_id is required for all types except IRAD and ISAD")
	}
	return nil
}

// byFeed grants changes from files of any sender.
const byFeed = access.System("feed")

// ImportGroup stores an imported group by id. It never changes the status, or a name that network
// staff set.
func (s *Service) ImportGroup(ctx context.Context, tx *sql.Tx, g Group) (ingest.Outcome, error) {
	g.Name = text.Clean(g.Name)
	old, err := lockGroup(ctx, tx, s.db.Dialect, g.ID)
	if errors.Is(err, db.ErrNotFound) {
		_, err := insertGroup(ctx, tx, g, db.At(s.now()), string(byFeed))
		return ingest.Imported, err
	}
	if err != nil {
		return ingest.Outcome{}, err
	}
	g.StatusCd, g.NamedBy = old.StatusCd, old.NamedBy
	if g.NamedBy != "" {
		g.Name = old.Name
	}
	if g == old {
		return ingest.Unchanged, nil
	}
	return ingest.Updated, updateGroup(ctx, tx, byFeed.Group(g.ID), g)
}

// ImportUser stores an imported account, by username if the row has one, or else by email. It
// never changes an existing account's password, status or username.
func (s *Service) ImportUser(ctx context.Context, tx *sql.Tx, u User) (ingest.Outcome, error) {
	u, wrong := normalize(u)
	if len(wrong) > 0 {
		return ingest.Rejected(wrong[0].Path + ": " + wrong[0].Message), nil
	}
	if u.GroupID != 0 {
		group, err := lockGroup(ctx, tx, s.db.Dialect, u.GroupID)
		if errors.Is(err, db.ErrNotFound) {
			return ingest.Rejected("unknown group ID; import the groups first"), nil
		} else if err != nil {
			return ingest.Outcome{}, err
		}
		u.GroupEnded = group.StatusCd == GroupInactive
	}
	old, err := s.lockKnown(ctx, tx, u)
	switch {
	case errors.Is(err, db.ErrNotFound):
		if taken, err := isEmailTaken(ctx, tx, u); taken || err != nil {
			return ingest.Rejected("another account uses this email address"), err
		}
		if _, err := s.addInTx(ctx, tx, u, string(byFeed)); err != nil {
			return ingest.Outcome{}, err
		}
		return ingest.Imported, nil
	case err != nil:
		return ingest.Outcome{}, err
	}
	next := u
	next.ID, next.UserName, next.StatusCd, next.PasswordHash = old.ID, old.UserName, old.StatusCd, old.PasswordHash
	next.LockedUntil, next.LastLoginAt, next.CreatedAt, next.Draft = old.LockedUntil, old.LastLoginAt, old.CreatedAt, old.Draft
	next.SSOIssuer, next.SSOSubject, next.SSOBoundAt = old.SSOIssuer, old.SSOSubject, old.SSOBoundAt
	next.StaffRole, next.ManagerID = old.StaffRole, old.ManagerID
	if next.GroupID == 0 && !next.TypeCd.IsInternal() {
		next.GroupID, next.GroupEnded = old.GroupID, old.GroupEnded
	}
	if next == old {
		return ingest.Unchanged, nil
	}
	if text.Key(next.Email) != text.Key(old.Email) {
		if taken, err := isEmailTaken(ctx, tx, next); taken || err != nil {
			return ingest.Rejected("another account uses this email address"), err
		}
	}
	err = updateFromFeed(ctx, tx, byFeed.User(old.ID), next, byFeed.Group(next.GroupID), db.At(s.now()))
	if err == nil {
		err = s.reassigned(ctx, tx, old, next)
	}
	if err == nil {
		err = s.moved(ctx, tx, byFeed.User(old.ID), old.Email, next.Email)
	}
	return ingest.Updated, err
}

// reassigned removes what an imported change of the type or group takes away: the TINs, the bills or
// questions, mirroring that the new group didn't approve, and, with another type, the sessions.
func (s *Service) reassigned(ctx context.Context, tx *sql.Tx, was, now User) error {
	if was.GroupID == now.GroupID && was.TypeCd == now.TypeCd {
		return nil
	}
	grant := byFeed.User(was.ID)
	if err := s.tins.RemoveTINs(ctx, tx, grant); err != nil {
		return err
	}
	if was.GroupID != now.GroupID {
		if err := s.sessions.EndMirrors(ctx, tx, grant, "the account moved to another group"); err != nil {
			return err
		}
	}
	if err := s.left(ctx, tx, was, grant); err != nil || was.TypeCd == now.TypeCd {
		return err
	}
	return s.sessions.EndAll(ctx, tx, grant)
}

// lockKnown finds and locks the account of an imported row, after its group like LockManaged.
func (s *Service) lockKnown(ctx context.Context, tx *sql.Tx, u User) (User, error) {
	if u.UserName != "" {
		return lockByNameKey(ctx, tx, s.db.Dialect, text.Key(u.UserName))
	}
	return lockByEmailKey(ctx, tx, s.db.Dialect, text.Key(u.Email))
}

func isEmailTaken(ctx context.Context, tx *sql.Tx, u User) (bool, error) {
	if u.StatusCd == Terminated {
		return false, nil
	}
	other, err := byEmailKey(ctx, tx, text.Key(u.Email))
	if errors.Is(err, db.ErrNotFound) {
		return false, nil
	}
	return err == nil && other.ID != u.ID, err
}

// HasGroup reports whether the group exists, for the TIN feed.
func (s *Service) HasGroup(ctx context.Context, tx *sql.Tx, id int64) (bool, error) {
	_, err := groupByID(ctx, tx, id)
	if errors.Is(err, db.ErrNotFound) {
		return false, nil
	}
	return err == nil, err
}
