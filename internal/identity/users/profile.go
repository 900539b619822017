package users

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"strings"
	"unicode/utf8"

	"wcpp/internal/identity/access"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/text"
	"wcpp/internal/platform/validate"
	"wcpp/internal/platform/version"
)

// Profile contains the fields of an account that people can change. The ID or the username
// identifies the account.
type Profile struct {
	ID              int64
	UserName        string
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
	Version         string // of the profile that was read; empty: unknown
}

// Affiliations are the ways a person belongs to a provider. OTHER needs a description.
var Affiliations = []string{"OFC_STAFF", "BILLING_CO", affiliationOther}

const affiliationOther = "OTHER"

// maxEmployeeID is the maximum length of an employee ID, in characters.
const maxEmployeeID = 120

// IsEmployeeID reports whether internal staff can get an employee ID. A stored one can have other
// characters.
func IsEmployeeID(id string) bool { return hasIDLength(id) && !strings.ContainsFunc(id, isNotInID) }

func hasIDLength(id string) bool { return id != "" && utf8.RuneCountInString(id) <= maxEmployeeID }

// codeEmployeeID rejects internal staff without a valid employee ID.
const codeEmployeeID = "INVALID_ENLYTE_EMPLOYEE_ID"

// FindVisible finds a user whose details the actor can read. Users can read their own,
// administrators those of their group's users, and internal staff anyone's. A user out of reach
// is reported as missing.
func (s *Service) FindVisible(ctx context.Context, a access.Actor, name string) (User, error) {
	u, err := s.ByName(ctx, name)
	if err == nil && !a.Reach().SeesUser(u.Person()) {
		return User{}, access.Refuse(u.UserName)
	}
	return u, err
}

// FindManaged finds a user whom the actor administers, by username or else by id. It returns NotFound for
// anyone else.
func (s *Service) FindManaged(ctx context.Context, a access.Actor, name string, id int64) (User, error) {
	u, err := find(ctx, s.db.Reader, name, id)
	if errors.Is(err, db.ErrNotFound) {
		err = problem.New(problem.NotFound)
	}
	if err == nil && !a.Reach().ManagesUser(u.Person()) {
		err = access.Refuse(u.UserName)
	}
	return u, err
}

// LockManaged locks a user's peers and the user, and grants the change. It returns Conflict if the user was
// in another group when found.
func (s *Service) LockManaged(ctx context.Context, tx *sql.Tx, a access.Actor, found User) (User, access.UserGrant, error) {
	if err := s.LockPeers(ctx, tx, found); err != nil {
		return User{}, access.UserGrant{}, err
	}
	u, err := s.LockUser(ctx, tx, found.ID)
	if err != nil {
		return User{}, access.UserGrant{}, err
	}
	grant, err := a.Reach().ManageUser(u.Person())
	if err == nil && u.GroupID != found.GroupID {
		err = problem.New(problem.Conflict)
	}
	return u, grant, err
}

func find(ctx context.Context, q db.Queryer, name string, id int64) (User, error) {
	if name != "" {
		return byNameKey(ctx, q, text.Key(name))
	}
	return byID(ctx, q, id)
}

// UpdateProfile changes the details of the actor, or of a user whom the actor administers.
func (s *Service) UpdateProfile(ctx context.Context, a access.Actor, p Profile) error {
	return s.change(ctx, a, p, "user-update", func(u *User) error {
		own, stored := a.Person.ID == u.ID, *u
		u.FirstName, u.MiddleName, u.LastName = text.Clean(p.FirstName), text.Clean(p.MiddleName), text.Clean(p.LastName)
		u.Email, u.Phone = text.Clean(p.Email), text.Phone(p.Phone)
		if a.Person.Type == access.ISAD && u.TypeCd.IsInternal() && !own {
			u.EmployeeID = text.Clean(p.EmployeeID)
			changed := u.EmployeeID != stored.EmployeeID
			if !hasIDLength(u.EmployeeID) || changed && !IsEmployeeID(u.EmployeeID) {
				return problem.WithCode(problem.Invalid, codeEmployeeID)
			}
		}
		u.setWork(p)
		var wrong validate.Fields
		u.CheckPerson(&wrong, stored)
		u.CheckWork(&wrong, noProfileCompany)
		return wrong.Refuse(validate.MarkedFields)
	})
}

func isNotInID(r rune) bool {
	return (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z') && r != '-' && r != '_' && r != '.'
}

// NeedsBackfill reports whether the acting user's own profile is missing required fields.
func (s *Service) NeedsBackfill(ctx context.Context, a access.Actor, name string) (bool, error) {
	if err := a.CheckName(name); err != nil {
		return false, err
	}
	u, err := byID(ctx, s.db.Reader, a.Acting().ID)
	var wrong validate.Fields
	u.CheckWork(&wrong, noProfileCompany)
	return err == nil && u.needsAffiliation() && len(wrong) > 0, err
}

// UpdateBackfill adds the missing fields to the user's own profile.
func (s *Service) UpdateBackfill(ctx context.Context, a access.Actor, p Profile) error {
	if err := a.CheckName(p.UserName); err != nil {
		return err
	}
	p.ID, p.UserName = a.Person.ID, ""
	return s.change(ctx, a, p, "user-backfill", func(u *User) error {
		u.setWork(p)
		var wrong validate.Fields
		u.CheckWork(&wrong, noProfileCompany)
		return wrong.Refuse(validate.MarkedFields)
	})
}

// change locks the user of a profile, applies edit and stores the result. It fails if someone
// else saved a change since the profile's version was read.
func (s *Service) change(ctx context.Context, a access.Actor, p Profile, operation audit.Operation, edit func(*User) error) error {
	err := s.db.Tx(ctx, func(tx *sql.Tx) error {
		found, err := find(ctx, tx, p.UserName, p.ID)
		if errors.Is(err, db.ErrNotFound) || err == nil && p.ID != 0 && p.ID != found.ID {
			return problem.New(problem.NotFound)
		}
		if err != nil {
			return err
		}
		u, err := s.LockUser(ctx, tx, found.ID)
		if err != nil {
			return err
		}
		grant, err := a.Reach().EditUser(u.Person()) // now that nobody else can change the group
		if err != nil {
			return err
		}
		if u.StatusCd == Terminated {
			return ErrTerminated()
		}
		old := u
		if err := edit(&u); err != nil {
			return err
		}
		if u == old {
			return nil
		}
		if err := version.Check(p.Version, old.editable(), u.editable()); err != nil {
			return err
		}
		names := strings.Join(listChanges(old, u), " ")
		if text.Key(u.Email) != text.Key(old.Email) {
			if err := a.RequireProof(); err != nil {
				return err
			}
			if u.needsEmailConfirmation() {
				if u.GroupEnded {
					return errGroupInactive()
				}
				if err := s.requestEmailChange(ctx, tx, grant, u, old.Email); err != nil {
					return err
				}
				u.Email = old.Email
			}
		}
		if err := updateProfile(ctx, tx, grant, u, db.At(s.now())); err != nil {
			return err
		}
		if err := s.moved(ctx, tx, grant, old.Email, u.Email); err != nil {
			return err
		}
		return s.audit.Record(ctx, tx, audit.Entry{Operation: operation, Subject: u.UserName, Result: "ok", Detail: names})
	})
	if db.IsUnique(err) {
		return errEmailTaken()
	}
	return err
}

// listChanges lists a profile's changed fields by their audit log names.
func listChanges(old, u User) []string {
	var names []string
	now := u.editable()
	for i, f := range old.editable() {
		if f.Value != now[i].Value {
			names = append(names, audited[f.Name])
		}
	}
	return slices.Compact(names)
}

// audited are the audit log names of a profile's fields.
var audited = map[string]string{
	fieldFirstName: "firstName", fieldMiddleName: "middleName", fieldLastName: "lastName", FieldEmail: "email", FieldPhone: "phone",
	FieldEmployeeID: "employeeId", FieldAffiliation: "affiliation", FieldAffiliationDesc: "affiliation",
	FieldJobTitle: "jobTitle", FieldCompanyName: "companyName", fieldCompanyURL: "companyUrl",
}

// editable returns the fields of the profile forms.
func (u User) editable() version.Fields {
	return version.Fields{
		{Name: fieldFirstName, Value: u.FirstName}, {Name: fieldMiddleName, Value: u.MiddleName}, {Name: fieldLastName, Value: u.LastName},
		{Name: FieldEmail, Value: u.Email}, {Name: FieldPhone, Value: u.Phone}, {Name: FieldEmployeeID, Value: u.EmployeeID},
		{Name: FieldAffiliation, Value: u.AffiliationCd}, {Name: FieldAffiliationDesc, Value: u.AffiliationDesc},
		{Name: FieldJobTitle, Value: u.JobTitle}, {Name: FieldCompanyName, Value: u.CompanyName},
		{Name: fieldCompanyURL, Value: u.CompanyURL},
	}
}

func (u *User) setWork(p Profile) {
	u.JobTitle, u.CompanyName, u.CompanyURL = text.Clean(p.JobTitle), text.Clean(p.CompanyName), text.Clean(p.CompanyURL)
	u.AffiliationCd, u.AffiliationDesc = p.AffiliationCd, text.Clean(p.AffiliationDesc)
	if u.AffiliationCd != affiliationOther {
		u.AffiliationDesc = ""
	}
	if !u.needsAffiliation() {
		u.AffiliationCd, u.AffiliationDesc = "", ""
	}
}

// needsAffiliation reports whether this account type requires an affiliation.
func (u *User) needsAffiliation() bool {
	return u.TypeCd == access.PRAD || u.TypeCd == access.PRUS || u.TypeCd == access.NNUS
}

// needsWorkInfo reports whether this account type requires a job title and a company.
func (u *User) needsWorkInfo() bool {
	return u.needsAffiliation() || u.TypeCd == access.ROAD || u.TypeCd == access.ROUS
}

// Names of account fields in problems.
const (
	fieldFirstName       = "first_name"
	fieldMiddleName      = "middle_name"
	fieldLastName        = "last_name"
	FieldPhone           = "phone"
	FieldAffiliation     = "affiliation"
	FieldAffiliationDesc = "affiliation_desc"
	FieldJobTitle        = "job_title"
	FieldCompanyName     = "company_name"
	fieldCompanyURL      = "company_url"
	FieldEmail           = "email"
	FieldEmployeeID      = "employee_id"
	FieldGroup           = "group"
	FieldTINs            = "tins"
	FieldType            = "type"
)

// CheckPerson validates the name and contact details. A stored name may stay even if it has
// characters no longer allowed, or a middle name that is too long.
func (u *User) CheckPerson(wrong *validate.Fields, stored User) {
	isName := func(name, before string) bool { return validate.Name(name) || name == before }
	wrong.Require(validate.Length(u.FirstName, 1, validate.MaxName) && isName(u.FirstName, stored.FirstName), fieldFirstName,
		"Error: Enter valid First Name")
	wrong.Require(validate.Length(u.LastName, 1, validate.MaxName) && isName(u.LastName, stored.LastName), fieldLastName,
		"Error: Enter valid Last Name")
	wrong.Require(validate.Length(u.MiddleName, 0, 1) && validate.Name(u.MiddleName) || u.MiddleName == stored.MiddleName, fieldMiddleName,
		"Error: Enter Middle Initial")
	wrong.Require(validate.Phone(u.Phone), FieldPhone, "Error: Enter a valid numeric Phone Number")
	wrong.Require(validate.Email(u.Email), FieldEmail, "Error: Enter a valid Email Address")
}

// noProfileCompany is the profile's message for an invalid company name. Add User has its own.
const noProfileCompany = "Error: Enter a valid company Name"

// CheckWork validates the work details that the account type requires.
func (u *User) CheckWork(wrong *validate.Fields, noCompany string) {
	if u.needsAffiliation() {
		wrong.Require(slices.Contains(Affiliations, u.AffiliationCd), FieldAffiliation, "Error: Select Affiliation")
		if wrong.Limit(u.AffiliationDesc, validate.MaxAffiliation, FieldAffiliationDesc) {
			wrong.Require(u.AffiliationCd != affiliationOther || u.AffiliationDesc != "", FieldAffiliationDesc, "Error: Enter Other Desc")
		}
	}
	least := 0
	if u.needsWorkInfo() {
		least = 1
	}
	wrong.Require(validate.Length(u.JobTitle, least, validate.MaxWork), FieldJobTitle, "Error: Enter a valid Job Title")
	wrong.Require(validate.Length(u.CompanyName, least, validate.MaxWork), FieldCompanyName, noCompany)
	wrong.Limit(u.CompanyURL, validate.MaxWork, fieldCompanyURL)
}

// Clean normalizes the values of a new account and removes those that don't apply to its type.
func (u *User) Clean() {
	u.FirstName, u.MiddleName, u.LastName = text.Clean(u.FirstName), text.Clean(u.MiddleName), text.Clean(u.LastName)
	u.Email, u.Phone, u.EmployeeID = text.Clean(u.Email), text.Phone(u.Phone), text.Clean(u.EmployeeID)
	u.setWork(Profile{
		AffiliationCd: u.AffiliationCd, AffiliationDesc: u.AffiliationDesc,
		JobTitle: u.JobTitle, CompanyName: u.CompanyName, CompanyURL: u.CompanyURL,
	})
	if !u.TypeCd.IsInternal() {
		u.EmployeeID = ""
	}
	if u.TypeCd == access.ROAD || u.TypeCd == access.ROUS {
		u.CompanyURL = ""
	}
}
