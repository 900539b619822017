package users

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"strings"

	"wcpp/internal/access"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/check"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/text"
)

// Profile is what people change of an account.
type Profile struct {
	FirstName       string
	MiddleName      string
	LastName        string
	Email           string
	Phone           string
	EmployeeID      string
	AffiliationCd   string
	AffiliationDesc string
	JobTitle        string
	CompanyName     string
	CompanyURL      string
}

// Affiliations are how a person belongs to a provider; OTHER needs a description.
var Affiliations = []string{"OFC_STAFF", "BILLING_CO", affiliationOther}

const affiliationOther = "OTHER"

// codeEmployeeID is internal staff without a valid employee id.
const codeEmployeeID = "INVALID_ENLYTE_EMPLOYEE_ID"

// Visible finds a user whose details the actor may read: oneself, for a
// group's administrator its users, for internal staff anyone. Whoever is out
// of reach is answered as one who does not exist.
func (s *Service) Visible(ctx context.Context, a access.Actor, name string) (User, error) {
	u, err := byNameKey(ctx, s.db.Reader, text.Key(name))
	if errors.Is(err, db.ErrNotFound) || err == nil && !sees(a.Acting(), u) {
		return User{}, problem.New(problem.NotFound)
	}
	return u, err
}

func sees(p access.Person, u User) bool {
	return p.ID == u.ID || p.Type.Internal() || leads(p, u)
}

// leads tells whether the person administers the user's provider group.
func leads(p access.Person, u User) bool {
	return p.Type == access.PRAD && p.GroupID != 0 && p.GroupID == u.GroupID && slices.Contains([]access.Type{access.PRAD, access.PRUS}, u.TypeCd)
}

// manages tells whether the person may change the other's account.
func manages(p access.Person, u User) bool {
	return p.Type == access.ISAD || leads(p, u)
}

// Managed finds, by user name or id, a user whom the actor administers.
func (s *Service) Managed(ctx context.Context, a access.Actor, name string, id int64) (User, error) {
	u, err := one(ctx, s.db.Reader, name, id)
	if errors.Is(err, db.ErrNotFound) || err == nil && !manages(a.Acting(), u) {
		return User{}, problem.New(problem.NotFound)
	}
	return u, err
}

func one(ctx context.Context, q db.Queryer, name string, id int64) (User, error) {
	if name != "" {
		return byNameKey(ctx, q, text.Key(name))
	}
	return byID(ctx, q, id)
}

// UpdateProfile changes a user's details: one's own, or those of a user whom
// the actor administers.
func (s *Service) UpdateProfile(ctx context.Context, a access.Actor, id int64, name string, p Profile) error {
	return s.change(ctx, a, id, name, "user-update", func(u *User) error {
		own := a.Person.ID == u.ID
		u.FirstName, u.MiddleName, u.LastName = text.Clean(p.FirstName), text.Clean(p.MiddleName), text.Clean(p.LastName)
		u.Email, u.Phone = text.Clean(p.Email), text.Digits(p.Phone)
		if a.Person.Type == access.ISAD && u.TypeCd.Internal() && !own {
			u.EmployeeID = text.Clean(p.EmployeeID)
			if u.EmployeeID == "" || len(u.EmployeeID) > 120 || strings.ContainsFunc(u.EmployeeID, notInID) {
				return problem.Coded(problem.Invalid, codeEmployeeID)
			}
		}
		u.setWork(p)
		return refuseFields(append(u.nameProblems(), u.workProblems()...))
	})
}

func notInID(r rune) bool {
	return (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z') && r != '-' && r != '_' && r != '.'
}

// NeedsBackfill tells whether the acting user's own profile lacks what
// accounts of its type must have.
func (s *Service) NeedsBackfill(ctx context.Context, a access.Actor, name string) (bool, error) {
	if err := a.Named(name); err != nil {
		return false, err
	}
	u, err := byID(ctx, s.db.Reader, a.Acting().ID)
	return err == nil && u.asksAffiliation() && len(u.workProblems()) > 0, err
}

// UpdateBackfill completes one's own profile with what the dialog asked for.
func (s *Service) UpdateBackfill(ctx context.Context, a access.Actor, name string, p Profile) error {
	if err := a.Named(name); err != nil {
		return err
	}
	return s.change(ctx, a, a.Person.ID, "", "user-backfill", func(u *User) error {
		u.setWork(p)
		return refuseFields(u.workProblems())
	})
}

// change reads a user for change, lets edit work on it and stores the result.
func (s *Service) change(ctx context.Context, a access.Actor, id int64, name, operation string, edit func(*User) error) error {
	err := s.db.Tx(ctx, func(tx *sql.Tx) error {
		found, err := one(ctx, tx, name, id)
		if errors.Is(err, db.ErrNotFound) || err == nil && (id != 0 && id != found.ID || found.ID != a.Person.ID && !manages(a.Person, found)) {
			return problem.New(problem.NotFound)
		}
		if err != nil {
			return err
		}
		u, err := s.Locked(ctx, tx, found.ID)
		if err != nil {
			return err
		}
		if u.StatusCd == Terminated {
			return problem.Say(problem.Conflict, "The account has been terminated.")
		}
		old := u
		if err := edit(&u); err != nil {
			return err
		}
		if u == old {
			return nil
		}
		if err := updateProfile(ctx, tx, u, db.At(s.now()), a.Person.UserName); err != nil {
			return err
		}
		if text.Key(u.Email) != text.Key(old.Email) && old.Email != "" {
			if err := s.mails.Post(ctx, tx, mailEmailChanged, old.Email, u.ID); err != nil {
				return err
			}
		}
		return s.audit.Record(ctx, tx, audit.Entry{
			Operation: operation, Subject: u.UserName, Result: "ok", Detail: strings.Join(changed(old, u), " "),
		})
	})
	if db.IsUnique(err) {
		e := problem.Say(problem.Conflict, "This email address belongs to another account. Enter a different one.")
		e.Fields = []problem.Field{{Path: "emailAddr", Code: "EMAIL_EXISTS", Message: "Error: " + e.Message}}
		return e
	}
	return err
}

func changed(old, u User) []string {
	var names []string
	for _, f := range []struct {
		name     string
		old, now string
	}{
		{"firstName", old.FirstName, u.FirstName}, {"middleName", old.MiddleName, u.MiddleName}, {"lastName", old.LastName, u.LastName},
		{"email", old.Email, u.Email}, {"phone", old.Phone, u.Phone}, {"employeeId", old.EmployeeID, u.EmployeeID},
		{"affiliation", old.AffiliationCd + old.AffiliationDesc, u.AffiliationCd + u.AffiliationDesc},
		{"jobTitle", old.JobTitle, u.JobTitle}, {"companyName", old.CompanyName, u.CompanyName}, {"companyUrl", old.CompanyURL, u.CompanyURL},
	} {
		if f.old != f.now {
			names = append(names, f.name)
		}
	}
	return names
}

func (u *User) setWork(p Profile) {
	u.JobTitle, u.CompanyName, u.CompanyURL = text.Clean(p.JobTitle), text.Clean(p.CompanyName), text.Clean(p.CompanyURL)
	u.AffiliationCd, u.AffiliationDesc = p.AffiliationCd, text.Clean(p.AffiliationDesc)
	if u.AffiliationCd != affiliationOther {
		u.AffiliationDesc = ""
	}
	if !u.asksAffiliation() {
		u.AffiliationCd, u.AffiliationDesc = "", ""
	}
}

// asksAffiliation tells whether accounts of the type say how they belong to a
// provider.
func (u *User) asksAffiliation() bool {
	return u.TypeCd == access.PRAD || u.TypeCd == access.PRUS || u.TypeCd == access.NNUS
}

// asksWork tells whether accounts of the type must have a job title and a company.
func (u *User) asksWork() bool {
	return u.asksAffiliation() || u.TypeCd == access.ROAD || u.TypeCd == access.ROUS
}

// Limits are the largest of those of the screens that ask for a value.
const (
	maxName        = 40
	maxWork        = 128
	maxAffiliation = 80
)

// nameProblems lists what is wrong with who a person is and how to reach them.
func (u *User) nameProblems() []problem.Field {
	var wrong wrongFields
	wrong.unless(between(u.FirstName, 1, maxName), "userFirstName", "Error: Enter valid First Name")
	wrong.unless(between(u.LastName, 1, maxName), "userLastName", "Error: Enter valid Last Name")
	wrong.unless(between(u.MiddleName, 0, maxName), "userMidName", "Error: Enter Middle Initial")
	wrong.unless(between(u.Phone, 10, 15), "phoneNum", "Error: Enter a valid numeric Phone Number")
	wrong.unless(check.Email(u.Email), "emailAddr", "Error: Enter a valid Email Address")
	return wrong
}

// workProblems lists what is missing or wrong of where a person works.
func (u *User) workProblems() []problem.Field {
	var wrong wrongFields
	if u.asksAffiliation() {
		wrong.unless(slices.Contains(Affiliations, u.AffiliationCd), "affiliationCd", "Error: Select Affiliation")
		wrong.unless(u.AffiliationCd != affiliationOther || between(u.AffiliationDesc, 1, maxAffiliation), "affiliationDesc", "Error: Enter Other Desc")
	}
	least := 0
	if u.asksWork() {
		least = 1
	}
	wrong.unless(between(u.JobTitle, least, maxWork), "jobTitle", "Error: Enter a valid Job Title")
	wrong.unless(between(u.CompanyName, least, maxWork), "companyNm", "Error: Enter a valid company Name")
	wrong.unless(between(u.CompanyURL, 0, maxWork), "companyUrl", "Error: Enter at most 128 characters")
	return wrong
}

type wrongFields []problem.Field

func (w *wrongFields) unless(ok bool, path, message string) {
	if !ok {
		*w = append(*w, problem.Field{Path: path, Code: "INVALID", Message: message})
	}
}

func refuseFields(fields []problem.Field) error {
	if len(fields) == 0 {
		return nil
	}
	e := problem.Say(problem.Invalid, "An error has occurred. Please address all fields marked with “Error”.")
	e.Fields = fields
	return e
}

func between(s string, least, most int) bool {
	n := len([]rune(s))
	return n >= least && n <= most
}

// Locked reads a user for a change in the transaction.
func (s *Service) Locked(ctx context.Context, tx *sql.Tx, id int64) (User, error) {
	u, err := lockedByID(ctx, tx, s.db.Dialect, id)
	if errors.Is(err, db.ErrNotFound) {
		err = problem.New(problem.NotFound)
	}
	return u, err
}

// ByEmail finds the account of an e-mail address; terminated ones have none.
func (s *Service) ByEmail(ctx context.Context, email string) (User, error) {
	return byEmailKey(ctx, s.db.Reader, text.Key(email))
}

// Activate gives an account a password, in force at once: it may sign in, its
// lock and its failed tries are forgotten.
func (s *Service) Activate(ctx context.Context, tx *sql.Tx, u User, hash, by string) error {
	if u.StatusCd != Active && !u.StatusCd.May(Active) {
		return problem.New(problem.Conflict)
	}
	if err := forgetAttempts(ctx, tx, text.Key(u.UserName)); err != nil {
		return err
	}
	return setPassword(ctx, tx, u.ID, hash, db.At(s.now()), by)
}

// Suspend keeps an account from signing in until its owner has chosen a new
// password.
func (s *Service) Suspend(ctx context.Context, tx *sql.Tx, u User, by string) error {
	if u.StatusCd != Inactive && !u.StatusCd.May(Inactive) {
		return problem.Say(problem.Conflict, "The password of a user who has not finished the registration cannot be reset.")
	}
	if err := forgetAttempts(ctx, tx, text.Key(u.UserName)); err != nil {
		return err
	}
	return suspend(ctx, tx, u.ID, db.At(s.now()), by)
}
