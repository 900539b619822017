package users

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"strings"

	"wcpp/internal/access"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/text"
	"wcpp/internal/platform/validate"
	"wcpp/internal/platform/version"
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
	Version         string // of the profile that was read; empty: unknown
}

// Affiliations are how a person belongs to a provider; OTHER needs a description.
var Affiliations = []string{"OFC_STAFF", "BILLING_CO", affiliationOther}

const affiliationOther = "OTHER"

// MaxEmployeeID is the most characters of an employee id.
const MaxEmployeeID = 120

// codeEmployeeID is internal staff without a valid employee id.
const codeEmployeeID = "INVALID_ENLYTE_EMPLOYEE_ID"

// Visible finds a user whose details the actor may read: oneself, for a
// group's administrator its users, for internal staff anyone. Whoever is out
// of reach is answered as one who does not exist.
func (s *Service) Visible(ctx context.Context, a access.Actor, name string) (User, error) {
	u, err := s.ByName(ctx, name)
	if errors.Is(err, db.ErrNotFound) {
		return User{}, problem.New(problem.NotFound)
	}
	if err == nil && !a.Reach().SeesUser(u.Person()) {
		return User{}, access.Refuse(u.UserName)
	}
	return u, err
}

// Managed finds, by user name or else by id, a user whom the actor administers,
// and grants the change; NotFound for everyone else.
func (s *Service) Managed(ctx context.Context, a access.Actor, name string, id int64) (User, access.UserGrant, error) {
	u, err := find(ctx, s.db.Reader, name, id)
	if errors.Is(err, db.ErrNotFound) {
		err = problem.New(problem.NotFound)
	}
	if err != nil {
		return User{}, access.UserGrant{}, err
	}
	grant, err := a.Reach().ManageUser(u.Person())
	return u, grant, err
}

func find(ctx context.Context, q db.Queryer, name string, id int64) (User, error) {
	if name != "" {
		return FindByName(ctx, q, name)
	}
	return byID(ctx, q, id)
}

// UpdateProfile changes a user's details: one's own, or those of a user whom
// the actor administers.
func (s *Service) UpdateProfile(ctx context.Context, a access.Actor, id int64, name string, p Profile) error {
	return s.change(ctx, a, id, name, "user-update", p.Version, func(u *User) error {
		own, stored := a.Person.ID == u.ID, *u
		u.FirstName, u.MiddleName, u.LastName = text.Clean(p.FirstName), text.Clean(p.MiddleName), text.Clean(p.LastName)
		u.Email, u.Phone = text.Clean(p.Email), text.Phone(p.Phone)
		if a.Person.Type == access.ISAD && u.TypeCd.Internal() && !own {
			u.EmployeeID = text.Clean(p.EmployeeID)
			if u.EmployeeID == "" || len(u.EmployeeID) > MaxEmployeeID || strings.ContainsFunc(u.EmployeeID, notInID) {
				return problem.Coded(problem.Invalid, codeEmployeeID)
			}
		}
		u.setWork(p)
		var wrong validate.Fields
		u.CheckPerson(&wrong, stored)
		u.CheckWork(&wrong)
		return wrong.Refuse(validate.MarkedFields)
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
	var wrong validate.Fields
	u.CheckWork(&wrong)
	return err == nil && u.asksAffiliation() && len(wrong) > 0, err
}

// UpdateBackfill completes one's own profile with what the dialog asked for.
func (s *Service) UpdateBackfill(ctx context.Context, a access.Actor, name string, p Profile) error {
	if err := a.Named(name); err != nil {
		return err
	}
	return s.change(ctx, a, a.Person.ID, "", "user-backfill", p.Version, func(u *User) error {
		u.setWork(p)
		var wrong validate.Fields
		u.CheckWork(&wrong)
		return wrong.Refuse(validate.MarkedFields)
	})
}

// change reads a user for change, lets edit work on it and stores the result, unless
// someone else has stored another one since the version was read.
func (s *Service) change(ctx context.Context, a access.Actor, id int64, name string, operation audit.Operation, read string, edit func(*User) error) error {
	err := s.db.Tx(ctx, func(tx *sql.Tx) error {
		found, err := find(ctx, tx, name, id)
		if errors.Is(err, db.ErrNotFound) || err == nil && id != 0 && id != found.ID {
			return problem.New(problem.NotFound)
		}
		if err != nil {
			return err
		}
		grant, err := a.Reach().EditUser(found.Person())
		if err != nil {
			return err
		}
		u, err := s.LockUser(ctx, tx, grant.ID())
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
		if err := version.Check(read, old.editable(), u.editable()); err != nil {
			return err
		}
		names := strings.Join(changed(old, u), " ")
		if text.Key(u.Email) != text.Key(old.Email) {
			if err := a.MustBeProven(); err != nil {
				return err
			}
			if u.confirmsEmail() {
				if err := s.askEmail(ctx, tx, grant, u, old.Email); err != nil {
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

// changed lists what is different of a profile, by the names of the audit log.
func changed(old, u User) []string {
	var names []string
	now := u.editable()
	for i, f := range old.editable() {
		if f.Value != now[i].Value {
			names = append(names, audited[f.Name])
		}
	}
	return slices.Compact(names)
}

// audited are the fields of a profile as the audit log names them.
var audited = map[string]string{
	fieldFirstName: "firstName", fieldMiddleName: "middleName", fieldLastName: "lastName", FieldEmail: "email", FieldPhone: "phone",
	FieldEmployeeID: "employeeId", FieldAffiliation: "affiliation", FieldAffiliationDesc: "affiliation",
	FieldJobTitle: "jobTitle", FieldCompanyName: "companyName", fieldCompanyURL: "companyUrl",
}

// editable is what the forms of a profile edit.
func (u User) editable() version.Fields {
	return version.Fields{
		{Name: fieldFirstName, Value: u.FirstName}, {Name: fieldMiddleName, Value: u.MiddleName}, {Name: fieldLastName, Value: u.LastName},
		{Name: FieldEmail, Value: u.Email}, {Name: FieldPhone, Value: u.Phone}, {Name: FieldEmployeeID, Value: u.EmployeeID},
		{Name: FieldAffiliation, Value: u.AffiliationCd}, {Name: FieldAffiliationDesc, Value: u.AffiliationDesc},
		{Name: FieldJobTitle, Value: u.JobTitle}, {Name: FieldCompanyName, Value: u.CompanyName}, {Name: fieldCompanyURL, Value: u.CompanyURL},
	}
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

// The fields of an account as problems name them.
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

// CheckPerson notes what is wrong with who a person is and how to reach them. A
// name that was stored with other characters, or a longer middle name, may stay as it is.
func (u *User) CheckPerson(wrong *validate.Fields, stored User) {
	isName := func(name, before string) bool { return validate.Name(name) || name == before }
	wrong.Require(validate.Length(u.FirstName, 1, validate.MaxName) && isName(u.FirstName, stored.FirstName), fieldFirstName, "Error: Enter valid First Name")
	wrong.Require(validate.Length(u.LastName, 1, validate.MaxName) && isName(u.LastName, stored.LastName), fieldLastName, "Error: Enter valid Last Name")
	wrong.Require(validate.Length(u.MiddleName, 0, 1) && validate.Name(u.MiddleName) || u.MiddleName == stored.MiddleName, fieldMiddleName, "Error: Enter Middle Initial")
	wrong.Require(validate.Phone(u.Phone), FieldPhone, "Error: Enter a valid numeric Phone Number")
	wrong.Require(validate.Email(u.Email), FieldEmail, "Error: Enter a valid Email Address")
}

// CheckWork notes what is missing or wrong of where a person works, by what
// accounts of the type must have.
func (u *User) CheckWork(wrong *validate.Fields) {
	if u.asksAffiliation() {
		wrong.Require(slices.Contains(Affiliations, u.AffiliationCd), FieldAffiliation, "Error: Select Affiliation")
		if wrong.Limit(u.AffiliationDesc, validate.MaxAffiliation, FieldAffiliationDesc) {
			wrong.Require(u.AffiliationCd != affiliationOther || u.AffiliationDesc != "", FieldAffiliationDesc, "Error: Enter Other Desc")
		}
	}
	least := 0
	if u.asksWork() {
		least = 1
	}
	wrong.Require(validate.Length(u.JobTitle, least, validate.MaxWork), FieldJobTitle, "Error: Enter a valid Job Title")
	wrong.Require(validate.Length(u.CompanyName, least, validate.MaxWork), FieldCompanyName, "Error: Enter a valid company Name")
	wrong.Limit(u.CompanyURL, validate.MaxWork, fieldCompanyURL)
}

// Clean brings what was typed of a new account into the form that is stored, and
// drops what accounts of its type do not have.
func (u *User) Clean() {
	u.FirstName, u.MiddleName, u.LastName = text.Clean(u.FirstName), text.Clean(u.MiddleName), text.Clean(u.LastName)
	u.Email, u.Phone, u.EmployeeID = text.Clean(u.Email), text.Phone(u.Phone), text.Clean(u.EmployeeID)
	u.setWork(Profile{
		AffiliationCd: u.AffiliationCd, AffiliationDesc: u.AffiliationDesc,
		JobTitle: u.JobTitle, CompanyName: u.CompanyName, CompanyURL: u.CompanyURL,
	})
	if !u.TypeCd.Internal() {
		u.EmployeeID = ""
	}
	if u.TypeCd == access.ROAD || u.TypeCd == access.ROUS {
		u.CompanyURL = ""
	}
}
