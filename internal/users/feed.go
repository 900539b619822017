package users

import (
	"context"
	"database/sql"
	"errors"

	"wcpp/internal/access"
	"wcpp/internal/platform/check"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/intake"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/text"
)

// Feeds are tables of groups and accounts.
func (s *Service) Feeds() []intake.Feed {
	return []intake.Feed{
		intake.Table("groups", groupFields, nil, intake.Each(s.TakeGroup)),
		intake.Table("users", userFields, checkUser, intake.Each(s.TakeUser)),
	}
}

var groupFields = []intake.Column[Group]{
	intake.Required("group_id", intake.Number(func(g *Group) *int64 { return &g.ID })),
	intake.Required("name", intake.Text(func(g *Group) *string { return &g.Name }, 128)),
	intake.Required("kind", intake.OneOf(func(g *Group) *string { return &g.Kind }, "PROVIDER", "NONNETWORK", "ROSTER")),
}

var userFields = []intake.Column[User]{
	intake.Optional("user_name", intake.Text(func(u *User) *string { return &u.UserName }, 50)),
	intake.Required("first_name", intake.Text(func(u *User) *string { return &u.FirstName }, 40)),
	intake.Optional("middle_name", intake.Text(func(u *User) *string { return &u.MiddleName }, 40)),
	intake.Required("last_name", intake.Text(func(u *User) *string { return &u.LastName }, 40)),
	intake.Required("email", emailField),
	intake.Optional("phone", intake.Phone(func(u *User) *string { return &u.Phone })),
	intake.Required("type", intake.OneOf(func(u *User) *access.Type { return &u.TypeCd }, "PRUS", "PRAD", "NNUS", "ROAD", "ROUS", "IRAD", "ISAD")),
	intake.Required("status", intake.OneOf(func(u *User) *Status { return &u.StatusCd }, "NEW", "DRAFT", "ACTIV", "INACT", "LOCK", "DISABL", "TERM")),
	intake.Optional("employee_id", intake.Text(func(u *User) *string { return &u.EmployeeID }, 120)),
	intake.Optional("group_id", intake.Number(func(u *User) *int64 { return &u.GroupID })),
	intake.Optional("affiliation", intake.OneOf(func(u *User) *string { return &u.AffiliationCd }, "OFC_STAFF", "BILLING_CO", "OTHER")),
	intake.Optional("affiliation_description", intake.Text(func(u *User) *string { return &u.AffiliationDesc }, 80)),
	intake.Optional("job_title", intake.Text(func(u *User) *string { return &u.JobTitle }, 128)),
	intake.Optional("company_name", intake.Text(func(u *User) *string { return &u.CompanyName }, 128)),
	intake.Optional("company_url", intake.Text(func(u *User) *string { return &u.CompanyURL }, 128)),
}

func emailField(u *User, value string) error {
	if !check.Email(value) {
		return errors.New("isn't an email address of up to 120 characters")
	}
	u.Email = value
	return nil
}

// checkUser holds the types that live in a group to having one.
func checkUser(u *User) error {
	switch internal := u.TypeCd == "IRAD" || u.TypeCd == "ISAD"; {
	case internal && u.GroupID != 0:
		return errors.New("group_id must be empty for types IRAD and ISAD")
	case !internal && u.GroupID == 0 && u.StatusCd != "DRAFT":
		return errors.New("group_id is required for all types except IRAD and ISAD")
	}
	return nil
}

// byFeed changes accounts and groups as the files say, whoever sent them.
const byFeed = access.System("feed")

// TakeGroup stores a group that came in by feed, by its id. A feed never changes its
// state, nor a name that somebody of the network gave it.
func (s *Service) TakeGroup(ctx context.Context, tx *sql.Tx, g Group) (intake.Outcome, error) {
	g.Name = text.Clean(g.Name)
	old, err := groupByID(ctx, tx, g.ID)
	if errors.Is(err, db.ErrNotFound) {
		_, err := insertGroup(ctx, tx, g.ID, g.Name, g.Kind, db.At(s.now()), string(byFeed))
		return intake.Taken, err
	}
	if err != nil {
		return intake.Outcome{}, err
	}
	g.StatusCd, g.NamedBy = old.StatusCd, old.NamedBy
	if g.NamedBy != "" {
		g.Name = old.Name
	}
	if g == old {
		return intake.Unchanged, nil
	}
	return intake.Updated, updateGroup(ctx, tx, byFeed.Group(g.ID), g)
}

// TakeUser stores an account that came in by feed: by its user name where the
// row has one, else by its e-mail. A feed never changes passwords, the state
// of an account that is there, or its user name.
func (s *Service) TakeUser(ctx context.Context, tx *sql.Tx, u User) (intake.Outcome, error) {
	u, wrong := normalise(u)
	if len(wrong) > 0 {
		return intake.Rejected(wrong[0].Path + ": " + wrong[0].Message), nil
	}
	if u.GroupID != 0 {
		group, err := groupByID(ctx, tx, u.GroupID)
		if errors.Is(err, db.ErrNotFound) {
			return intake.Rejected("unknown group ID; import the groups first"), nil
		} else if err != nil {
			return intake.Outcome{}, err
		}
		u.GroupEnded = group.StatusCd == GroupInactive
	}
	old, err := s.known(ctx, tx, u)
	switch {
	case errors.Is(err, db.ErrNotFound):
		if taken, err := emailTaken(ctx, tx, u); taken || err != nil {
			return intake.Rejected("another account uses this email address"), err
		}
		if _, err := s.addIn(ctx, tx, u, string(byFeed)); err != nil {
			return intake.Outcome{}, err
		}
		return intake.Taken, nil
	case err != nil:
		return intake.Outcome{}, err
	}
	next := u
	next.ID, next.UserName, next.StatusCd, next.PasswordHash = old.ID, old.UserName, old.StatusCd, old.PasswordHash
	next.LockedUntil, next.LastLoginAt, next.CreatedAt, next.Draft = old.LockedUntil, old.LastLoginAt, old.CreatedAt, old.Draft
	next.SSOIssuer, next.SSOSubject = old.SSOIssuer, old.SSOSubject
	if next.GroupID == 0 {
		next.GroupID, next.GroupEnded = old.GroupID, old.GroupEnded
	}
	if next == old {
		return intake.Unchanged, nil
	}
	if text.Key(next.Email) != text.Key(old.Email) {
		if taken, err := emailTaken(ctx, tx, next); taken || err != nil {
			return intake.Rejected("another account uses this email address"), err
		}
	}
	err = updateFromFeed(ctx, tx, byFeed.User(old.ID), next, byFeed.Group(next.GroupID), db.At(s.now()))
	if err == nil && (next.GroupID != old.GroupID || next.TypeCd != old.TypeCd) {
		err = s.left(ctx, tx, old, byFeed.User(old.ID))
	}
	if err == nil {
		err = s.moved(ctx, tx, byFeed.User(old.ID), old.Email, next.Email)
	}
	return intake.Updated, err
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
