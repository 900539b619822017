package administration

import (
	"context"
	"slices"
	"strings"

	"wcpp/internal/identity/access"
	"wcpp/internal/identity/users"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/names"
	"wcpp/internal/platform/paging"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/text"
	"wcpp/internal/platform/validate"
)

// ListByGroup lists a group's users for Manage Users, by first name, up to 1,000. More reports
// whether the list was cut off. Internal staff can list any group, and provider users their own.
func (s *Service) ListByGroup(ctx context.Context, a access.Actor, groupID int64, acting string) (list []users.User, more bool, err error) {
	if err := a.CheckName(acting); err != nil {
		return nil, false, err
	}
	if groupID == 0 {
		return nil, false, nil
	}
	if !a.Reach().SeesGroup(groupID) {
		return nil, false, access.RefuseGroup(groupID)
	}
	list, err = usersOfGroup(ctx, s.db.Reader, groupID, maxGroupUsers+1)
	return list[:min(len(list), maxGroupUsers)], len(list) > maxGroupUsers, err
}

// GroupPage returns a page of a group's users and the total, under the rules of ListByGroup.
func (s *Service) GroupPage(ctx context.Context, a access.Actor, groupID int64, t paging.Table) ([]users.User, int, error) {
	if !a.Reach().SeesGroup(groupID) {
		return nil, 0, access.RefuseGroup(groupID)
	}
	return usersOfGroupPage(ctx, s.db.Reader, s.db.Dialect, groupID, t)
}

// EmailExists reports whether an account has the address. Anyone's address can be checked, so each check
// is audited.
func (s *Service) EmailExists(ctx context.Context, email string) (bool, error) {
	_, err := s.accounts.ByEmail(ctx, email)
	if err != nil && !problem.Is(err, problem.NotFound) {
		return false, err
	}
	return err == nil, s.recordEmailCheck(ctx, email)
}

func (s *Service) recordEmailCheck(ctx context.Context, email string) error {
	return s.audit.RecordNow(ctx, audit.Entry{Operation: "email-check", Searched: map[string]string{"email": email}, Result: "ok"})
}

// Search contains the criteria of User Search and the recipient search: one criterion, and
// optionally an account type.
type Search struct {
	Type      access.Type // optional, with any criterion
	UserName  string      // any substring of at least 3 characters
	Name      string      // a prefix of the person's first or last name (at least 2 characters), then prefixes of more words
	Email     string      // the full address; with a leading *, any substring of at least 3 characters
	FTIN      string
	GroupID   int64
	IDs       []int64
	UserNames []string // full usernames; an unknown one is a prefix of at least 3 characters
	Status    users.Status
}

// Find lists the matching users by username, up to 1,000. More reports whether the list was cut
// off.
func (s *Service) Find(ctx context.Context, q Search) (list []users.User, more bool, err error) {
	c, err := s.newCriterion(ctx, q)
	if err != nil {
		return nil, false, err
	}
	if list, err = usersFound(ctx, s.db.Reader, c, maxFound+1); err != nil {
		return nil, false, err
	}
	if err := s.audit.RecordNow(ctx, audit.Entry{Operation: "user-search", Searched: q, Result: "ok"}); err != nil {
		return nil, false, err
	}
	return list[:min(len(list), maxFound)], len(list) > maxFound, nil
}

// FindPage returns a page of the matching users, and the total.
func (s *Service) FindPage(ctx context.Context, q Search, t paging.Table) ([]users.User, int, error) {
	c, err := s.newCriterion(ctx, q)
	if err != nil {
		return nil, 0, err
	}
	list, count, err := usersFoundPage(ctx, s.db.Reader, s.db.Dialect, c, t)
	if err == nil {
		err = s.audit.RecordNow(ctx, audit.Entry{Operation: "user-search", Searched: q, Result: "ok"})
	}
	if err != nil {
		return nil, 0, err
	}
	return list, count, nil
}

const maxWords = 6 // in a name

// newCriterion returns the single criterion of a search, combined with the account type.
func (s *Service) newCriterion(ctx context.Context, q Search) (criterion, error) {
	q.UserName, q.Email = text.Clean(q.UserName), text.Clean(q.Email)
	name := strings.Fields(text.Key(strings.ReplaceAll(q.Name, ",", " ")))
	given := 0
	for _, set := range []bool{q.UserName != "", len(name) > 0, q.Email != "", q.FTIN != "", q.GroupID != 0, len(q.IDs) > 0,
		len(q.UserNames) > 0, q.Status != ""} {
		if set {
			given++
		}
	}
	if given != 1 {
		return criterion{}, problem.WithMessage(problem.Invalid,
			"Error: Enter Username or Email Address or Tax ID Number (TIN) or Group ID")
	}
	var c criterion
	switch {
	case q.UserName != "":
		if len([]rune(q.UserName)) < 3 {
			return c, problem.WithMessage(problem.Invalid, "Error: Enter a minimum of 3 characters in username field")
		}
		c = byUserNamePart(text.Key(q.UserName))
	case len(name) > 0:
		if letters, _ := names.SplitWords(q.Name); len(letters) == 0 || len([]rune(letters[0])) < 2 || len(name) > maxWords {
			return c, validate.RefuseField(badName, "name", badName)
		}
		c = byPerson(name)
	case q.Email != "":
		part, anywhere := strings.CutPrefix(q.Email, "*")
		if !anywhere {
			c = byEmail(text.Key(part))
			break
		}
		if part = strings.Trim(part, "*"); len([]rune(part)) < 3 {
			return c, problem.WithMessage(problem.Invalid, "Enter at least 3 characters after the * of a partial email address.")
		}
		c = byEmailPart(text.Key(part))
	case q.FTIN != "":
		groups, holders, err := s.tins.FindHolders(ctx, q.FTIN)
		if err != nil {
			return c, err
		}
		c = byTIN(groups, holders)
	case q.GroupID != 0:
		c = byGroup(q.GroupID)
	case len(q.IDs) > 0:
		c = byIDs(q.IDs)
	case len(q.UserNames) > 0:
		keys := make([]string, len(q.UserNames))
		for i, name := range q.UserNames {
			keys[i] = text.Key(name)
		}
		whole, err := namesAmong(ctx, s.db.Reader, keys)
		if err != nil {
			return c, err
		}
		c = byNames(keys, slices.DeleteFunc(slices.Clone(keys), func(key string) bool { return whole[key] || len([]rune(key)) < 3 }))
	default:
		c = byStatus(q.Status)
	}
	return c.withType(q.Type), nil
}

const badName = "Enter at least the first 2 letters of a first or last name, and up to 6 words."
