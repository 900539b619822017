package desk

import (
	"context"
	"errors"

	"wcpp/internal/identity/access"
	"wcpp/internal/identity/users"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/problem"
)

// toPeople returns the account that was found, or nobody.
func toPeople(u users.User, err error) ([]AnyPerson, error) {
	if problem.Is(err, problem.NotFound) {
		return nil, nil
	}
	return []AnyPerson{toPerson(u)}, err
}

func toPerson(u users.User) AnyPerson {
	return AnyPerson{UserName: u.UserName, Name: u.FirstName + " " + u.LastName, Type: users.TypeName(u.TypeCd),
		Status: u.StatusCd.Name(), GroupID: u.GroupID}
}

// loadOffices returns the groups with these ids.
func (s *Service) loadOffices(ctx context.Context, ids []int64) ([]AnyOffice, error) {
	list, err := s.users.Groups(ctx, ids)
	found := make([]AnyOffice, len(list))
	for i, g := range list {
		found[i] = AnyOffice{ID: g.ID, Name: g.Name, Kind: g.Kind}
	}
	return found, err
}

// loadAccount returns the facts for a user's sign-in diagnosis.
func (s *Service) loadAccount(ctx context.Context, u users.User) (Account, error) {
	a := Account{
		AnyPerson: toPerson(u), ID: u.ID, Mirrorable: u.CanSignIn() && u.TypeCd.IsMirrorable(), Email: u.Email,
		State: string(u.StatusCd), GroupEnded: u.GroupEnded, LastSignIn: u.LastLoginAt.Time, LockedUntil: u.LockedUntil.Time,
		NoEmployee: u.TypeCd.IsInternal() && u.EmployeeID == "", LockFailures: s.signIn.LockFailures(),
	}
	tried, err := s.signIn.LoadAttempts(ctx, u.UserName)
	if err != nil {
		return a, err
	}
	a.Failures, a.LastFailed, a.FailedFrom = tried.Failures, tried.LastFailedAt.Time, tried.Source
	if a.Registration, a.Reset, err = s.sources.LastLinks(ctx, u.ID); err != nil {
		return a, err
	}
	last, err := s.mails.LastTo(ctx, u.Email)
	if err != nil && !errors.Is(err, db.ErrNotFound) {
		return a, err
	}
	a.MailID, a.MailStatus, a.MailAttempts, a.MailError = last.ID, last.Status, last.Attempts, last.LastError
	if !s.ownForm {
		return a, nil
	}
	if a.SecondSetUp, err = s.factors.HasFactor(ctx, u.ID); err != nil {
		return a, err
	}
	a.SecondRequired, err = s.factors.IsRequired(ctx, s.db.Reader, u.ID, u.TypeCd)
	return a, err
}

func (s *Service) listPeople(ctx context.Context, a access.Actor, group int64, limit int) (People, error) {
	list, more, err := s.administration.ListByGroup(ctx, a, group, a.Person.UserName)
	p := People{More: more || len(list) > limit}
	for i, u := range list {
		p.IDs, p.Emails = append(p.IDs, u.ID), append(p.Emails, u.Email)
		if i < limit {
			p.List = append(p.List, OfficePerson{AnyPerson: toPerson(u), LastSignIn: u.LastLoginAt.Time})
		}
	}
	return p, err
}

func (s *Service) listFailedMails(ctx context.Context, emails []string, limit int) ([]OfficeMail, error) {
	list, err := s.mails.FailedTo(ctx, emails, limit)
	out := make([]OfficeMail, len(list))
	for i, m := range list {
		out[i] = OfficeMail{ID: m.ID, To: m.ToAddress, Kind: string(m.Kind), Error: m.LastError, At: m.CreatedAt.Time}
	}
	return out, err
}
