package cases

import (
	"context"
	"database/sql"
	"errors"
	"net/http"

	"wcpp/internal/identity/access"
	"wcpp/internal/identity/users"
	"wcpp/internal/platform"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/httpapi"
	"wcpp/internal/platform/mail"
	"wcpp/internal/platform/problem"
)

// mailAssigned is the email to a staff member to whom someone else assigned a question. Its subject is
// the staff member.
const mailAssigned mail.Kind = "case-assigned"

// The owner of a case is a staff member who can answer it. Locks are always taken in this order:
// the staff member, then the case.

// changeAs does the same as change for a staff member, who is refused if they can't answer any longer.
func (s *Service) changeAs(ctx context.Context, staff int64, seen Seen, e event,
	may func(tx *sql.Tx, c Case) error, apply func(tx *sql.Tx, c *Case) error,
) (c Case, err error) {
	err = s.db.Tx(ctx, func(tx *sql.Tx) error {
		if _, err := s.users.RequireAnswerer(ctx, tx, staff); err != nil {
			return err
		}
		c, err = s.changeIn(ctx, tx, seen, e, may, apply)
		return err
	})
	return c, err
}

// Assign makes a staff member the owner of a case, without an email. 0 removes the owner.
func (s *Service) Assign(ctx context.Context, seen Seen, owner int64) (Case, error) {
	return s.assign(ctx, seen, owner, assigning{by: owner, may: anyCase, refusal: problem.New(problem.Forbidden)})
}

// AssignTo assigns a case to the staff member with a username, who gets an email if they aren't the
// actor. It returns Conflict for someone who can't answer, and Forbidden if an actor with the role
// Cases doesn't own the case.
func (s *Service) AssignTo(ctx context.Context, a access.Actor, seen Seen, userName string) (Case, error) {
	refusal := problem.WithMessage(problem.Conflict, "This person can't answer questions. Select someone else.")
	u, err := s.users.ByName(ctx, userName)
	if problem.Is(err, problem.NotFound) {
		err = refusal
	}
	if err != nil {
		return Case{}, err
	}
	may := func(_ *sql.Tx, c Case) error {
		if a.Person.Role == access.Cases && c.Owner != a.Person.ID {
			return problem.WithMessage(problem.Forbidden, "Take the question before you assign it.")
		}
		return nil
	}
	return s.assign(ctx, seen, u.ID, assigning{by: a.Person.ID, may: may, refusal: refusal})
}

// assigning is who assigns which cases, and the error if the new owner can't answer.
type assigning struct {
	by      int64
	may     func(tx *sql.Tx, c Case) error
	refusal error
}

func (s *Service) assign(ctx context.Context, seen Seen, owner int64, how assigning) (c Case, err error) {
	err = s.db.Tx(ctx, func(tx *sql.Tx) error {
		detail := "to nobody"
		var u users.User
		if owner != 0 {
			u, err = s.users.RequireAnswerer(ctx, tx, owner)
			if problem.Is(err, problem.Forbidden) {
				err = how.refusal
			}
			if err != nil {
				return err
			}
			detail = "to " + u.UserName
		}
		c, err = s.changeIn(ctx, tx, seen, eventAssign, how.may, func(tx *sql.Tx, c *Case) error {
			c.Owner = owner
			entry := newAuditEntry("case-assign", *c)
			entry.Detail = detail
			return errors.Join(putCase(ctx, tx, *c), s.audit.Record(ctx, tx, entry))
		})
		if err != nil || owner == 0 || owner == how.by || s.silent {
			return err
		}
		return s.mails.Enqueue(ctx, tx, mailAssigned, u.Email, owner)
	})
	return c, err
}

// assignedEmail says that someone else assigned a question to a staff member, without anything about it.
// It isn't sent if they have no open question by then.
func (s *Service) assignedEmail(ctx context.Context, tx *sql.Tx, staff int64) (mail.Content, error) {
	u, err := users.Find(ctx, tx, staff)
	if err != nil {
		return mail.Content{}, err
	}
	owned, err := listOwned(ctx, tx, staff, "")
	if err == nil && (len(owned) == 0 || !u.CanAnswer()) {
		err = mail.ErrObsolete
	}
	return mail.Content{
		Subject: s.brand.BrandName + ": a question was assigned to you", Greeting: "Hello,",
		Paragraphs: []string{"A question from a provider office was assigned to you."},
		Button:     &mail.Link{Text: "Open questions", URL: s.url + "/wcpp/desk/cases"},
	}, err
}

// checkOwner unassigns a reopened or merged case whose owner can't answer any longer.
func (s *Service) checkOwner(ctx context.Context, tx *sql.Tx, c *Case) error {
	if c.Owner == 0 {
		return nil
	}
	_, err := s.users.RequireAnswerer(ctx, tx, c.Owner)
	if problem.Is(err, problem.Forbidden) {
		c.Owner = 0
		return s.record(ctx, tx, "case-unassign", *c, nil)
	}
	return err
}

// Owners unassigns cases. The service of the accounts needs it, and this package's service needs
// the accounts.
type Owners struct {
	db    *db.DB
	audit *audit.Log
}

// NewOwners creates the service of owners.
func NewOwners(kit platform.Kit) *Owners { return &Owners{kit.DB, kit.Audit} }

// ReleaseCases unassigns the open cases of a staff member who can't answer any longer.
func (o *Owners) ReleaseCases(ctx context.Context, tx *sql.Tx, g access.UserGrant) error {
	list, err := listOwned(ctx, tx, g.ID(), o.db.Dialect.ForUpdate)
	if err != nil {
		return err
	}
	for _, c := range list {
		c.Owner = 0
		c.Version++
		entry := newAuditEntry("case-unassign", c)
		entry.Actor = g.By()
		if err := errors.Join(putCase(ctx, tx, c), o.audit.Record(ctx, tx, entry)); err != nil {
			return err
		}
	}
	return nil
}

func (s *Service) registerAssign(api *httpapi.API) {
	httpapi.Register(api, httpapi.Operation{
		ID: "assignCase", Method: http.MethodPost, Path: "/desk/cases/{number}/assign", Summary: "Assign a question to a staff member",
		Description: "The role Cases assigns only its own questions. Returns 409 if the question has changed since, or if the " +
			"staff member can't answer.",
		Access: "cases.work", Effect: httpapi.Write,
	}, func(ctx context.Context, in *struct {
		Number string `path:"number" maxLength:"20"`
		Body   struct {
			UserName string `json:"userName" maxLength:"50"`
			Version  int64  `json:"version" doc:"Version that the user saw"`
		}
	}) (*threadBody, error) {
		c, err := s.AssignTo(ctx, access.From(ctx), Seen{in.Number, in.Body.Version}, in.Body.UserName)
		return s.changed(ctx, c, Network, err)
	})
}
