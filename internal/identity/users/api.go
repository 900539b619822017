package users

import (
	"context"
	"net/http"
	"time"

	"github.com/riverqueue/river"

	"wcpp/internal/identity/access"
	"wcpp/internal/platform/httpapi"
	"wcpp/internal/platform/jobs"
	"wcpp/internal/platform/module"
	"wcpp/internal/platform/retention"
	"wcpp/internal/platform/validate"
	"wcpp/internal/platform/version"
)

// UserDetails is a user as the profile screens read and send it.
type UserDetails struct {
	ID                int64       `json:"id"`
	UserNm            string      `json:"userNm" doc:"Can't be changed"`
	UserFirstName     string      `json:"userFirstName"`
	UserLastName      string      `json:"userLastName"`
	UserMidName       string      `json:"userMidName"`
	EmailAddr         string      `json:"emailAddr"`
	PhoneNum          string      `json:"phoneNum" doc:"Digits"`
	EmployeeID        *string     `json:"employeeId" doc:"Null if empty"`
	TypeCd            access.Type `json:"typeCd" enum:"PRUS,PRAD,NNUS,ROAD,ROUS,IRAD,ISAD"`
	TypeDesc          string      `json:"typeDesc"`
	StatusCd          Status      `json:"statusCd" enum:"NEW,DRAFT,ACTIV,INACT,LOCK,DISABL,TERM"`
	StatusDesc        string      `json:"statusDesc"`
	InternalStaffFlag bool        `json:"internalStaffFlag"`
	AffiliationCd     string      `json:"affiliationCd" doc:"OFC_STAFF, BILLING_CO, OTHER, or empty"`
	AffiliationDesc   string      `json:"affiliationDesc"`
	JobTitle          string      `json:"jobTitle"`
	CompanyNm         string      `json:"companyNm"`
	CompanyURL        *string     `json:"companyUrl" doc:"Null if empty"`
	GrpInfoID         *int64      `json:"grpInfoId" doc:"Group; null for internal staff"`
	SSOBoundDt        string      `json:"ssoBoundDt,omitempty" format:"date-time" doc:"When it was linked to the SSO user; missing if not"`
}

// UserByName is a user as the profile screens read it.
type UserByName struct {
	UserDetails
	Version      string `json:"version,omitempty" doc:"Version of the editable fields, to send with a change"`
	NewEmailAddr string `json:"newEmailAddr,omitempty" doc:"New address, used after its link is opened; empty if none is pending"`
}

// ToDetails converts an account for the screens.
func ToDetails(u User) UserDetails {
	d := UserDetails{
		ID: u.ID, UserNm: u.UserName, UserFirstName: u.FirstName, UserLastName: u.LastName, UserMidName: u.MiddleName,
		EmailAddr: u.Email, PhoneNum: u.Phone, TypeCd: u.TypeCd, TypeDesc: TypeName(u.TypeCd),
		StatusCd: u.StatusCd, StatusDesc: u.StatusCd.Name(), InternalStaffFlag: u.TypeCd.IsInternal(),
		AffiliationCd: u.AffiliationCd, AffiliationDesc: u.AffiliationDesc, JobTitle: u.JobTitle, CompanyNm: u.CompanyName,
		EmployeeID: orNull(u.EmployeeID), CompanyURL: orNull(u.CompanyURL), SSOBoundDt: u.SSOBoundAt.RFC3339(),
	}
	if u.GroupID != 0 {
		d.GrpInfoID = &u.GroupID
	}
	return d
}

func orNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

func orEmpty(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// ProfileUpdate contains the fields of a user that can be changed. Other fields from the screen
// are ignored.
type ProfileUpdate struct {
	ID              int64   `json:"id,omitempty"`
	UserNm          string  `json:"userNm" maxLength:"50"`
	UserFirstName   string  `json:"userFirstName" maxLength:"400"`
	UserLastName    string  `json:"userLastName" maxLength:"400"`
	UserMidName     string  `json:"userMidName,omitempty" maxLength:"400"`
	EmailAddr       string  `json:"emailAddr" maxLength:"400"`
	PhoneNum        string  `json:"phoneNum" maxLength:"40"`
	EmployeeID      *string `json:"employeeId,omitempty" maxLength:"400" nullable:"true" doc:"Only system administrators can change this"`
	AffiliationCd   string  `json:"affiliationCd,omitempty" maxLength:"20"`
	AffiliationDesc string  `json:"affiliationDesc,omitempty" maxLength:"400"`
	JobTitle        string  `json:"jobTitle,omitempty" maxLength:"400"`
	CompanyNm       string  `json:"companyNm,omitempty" maxLength:"400"`
	CompanyURL      *string `json:"companyUrl,omitempty" maxLength:"400" nullable:"true"`
	Version         string  `json:"version,omitempty" maxLength:"100" doc:"Version from the last read; STALE if the profile changed"`
}

// Backfill contains the fields of the required-profile dialog.
type Backfill struct {
	UserNm          string  `json:"userNm" maxLength:"50"`
	JobTitle        string  `json:"jobTitle" maxLength:"400"`
	CompanyNm       string  `json:"companyNm" maxLength:"400"`
	CompanyURL      *string `json:"companyUrl,omitempty" maxLength:"400" nullable:"true"`
	AffiliationCd   string  `json:"affiliationCd" maxLength:"20"`
	AffiliationDesc string  `json:"affiliationDesc,omitempty" maxLength:"400"`
	Version         string  `json:"version,omitempty" maxLength:"100" doc:"Version from the last read; STALE if the profile changed"`
}

type done struct {
	Body string `enum:"success"`
}

// WireNames are the names that the screens use for the fields of an account.
var WireNames = validate.Names{
	fieldFirstName: "userFirstName", fieldMiddleName: "userMidName", fieldLastName: "userLastName", FieldEmail: "emailAddr",
	FieldPhone:      "phoneNum",
	FieldEmployeeID: "employeeId", FieldGroup: "grpInfoId", FieldTINs: "userFtins", FieldType: "typeCd",
	FieldAffiliation: "affiliationCd", FieldAffiliationDesc: "affiliationDesc", FieldJobTitle: "jobTitle", FieldCompanyName: "companyNm",
	fieldCompanyURL: "companyUrl",
}

func (p ProfileUpdate) profile() Profile {
	return Profile{
		ID: p.ID, UserName: p.UserNm, FirstName: p.UserFirstName, MiddleName: p.UserMidName, LastName: p.UserLastName, Email: p.EmailAddr,
		Phone:      p.PhoneNum,
		EmployeeID: orEmpty(p.EmployeeID), AffiliationCd: p.AffiliationCd, AffiliationDesc: p.AffiliationDesc,
		JobTitle: p.JobTitle, CompanyName: p.CompanyNm, CompanyURL: orEmpty(p.CompanyURL), Version: p.Version,
	}
}

func (b Backfill) profile() Profile {
	return Profile{
		UserName: b.UserNm, JobTitle: b.JobTitle, CompanyName: b.CompanyNm, CompanyURL: orEmpty(b.CompanyURL),
		AffiliationCd: b.AffiliationCd, AffiliationDesc: b.AffiliationDesc, Version: b.Version,
	}
}

// nameArgs are the arguments of the job that adds name keys to older accounts.
type nameArgs struct{}

// Kind returns the job kind.
func (nameArgs) Kind() string { return "users-names" }

// Module describes this domain to the program.
func (s *Service) Module() module.Module {
	return module.Module{Operations: s.Register, Jobs: func(r *jobs.Runner) {
		jobs.Every(r, time.Hour, nameArgs{}, jobs.InParts(func(ctx context.Context, _ *river.Job[nameArgs]) error {
			return s.NameUsers(ctx)
		}))
	}, Retention: []retention.Item{
		retention.Forever("Accounts and groups, with up to 1 pending email address per account", "users", "groups", "email_changes"),
	}}
}

// Register adds the profile endpoints.
func (s *Service) Register(api *httpapi.API) {
	httpapi.Register(api, httpapi.Operation{
		ID: "userByName", Method: http.MethodGet, Path: "/users/userByName/{name}", Summary: "Get a user's details",
		Description: "Users can get their own details, group administrators those of their users, and internal staff anyone's.",
		Access:      "account.own", Effect: httpapi.Read,
	}, func(ctx context.Context, in *struct {
		Name string `path:"name" maxLength:"200"`
	}) (*struct{ Body UserByName }, error) {
		u, err := s.FindVisible(ctx, access.From(ctx), in.Name)
		if err != nil {
			return nil, err
		}
		pending, err := s.PendingEmail(ctx, u.ID)
		return &struct{ Body UserByName }{UserByName{ToDetails(u), version.Hash(u.editable()), pending}}, err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "updateUser", Method: http.MethodPut, Path: "/users/updateUser", Summary: "Update a user's details",
		Description: "Users can update their own details, group administrators those of their users, and system administrators " +
			"anyone's. Returns " +
			"INVALID_ENLYTE_EMPLOYEE_ID if internal staff wouldn't have a valid employee ID, or PROOF_NEEDED. " +
			"A registered account's new email address is used after its link is opened.",
		Access: "account.own", Effect: httpapi.Write,
	}, func(ctx context.Context, in *struct{ Body ProfileUpdate }) (*done, error) {
		b := in.Body
		return &done{"success"}, WireNames.Wire(s.UpdateProfile(ctx, access.From(ctx), b.profile()))
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "cancelEmailChange", Method: http.MethodDelete, Path: "/users/emailChange/{userName}",
		Summary:     "Cancel a pending change of an email address",
		Description: "Its link no longer works. Returns 409 if no change is pending.",
		Access:      "account.own", Effect: httpapi.Write,
	}, func(ctx context.Context, in *struct {
		UserName string `path:"userName" maxLength:"200"`
	}) (*done, error) {
		return &done{"success"}, s.WithdrawEmail(ctx, access.From(ctx), in.UserName)
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "confirmEmail", Method: http.MethodPost, Path: "/public/confirmEmail", Summary: "Confirm a new email address from its link",
		Description: "Returns INVALID_TOKEN, EXPIRED_TOKEN, or EMAIL_EXISTS if another account uses the address.",
		Access:      httpapi.Public, Effect: httpapi.Write,
	}, func(ctx context.Context, in *struct {
		Body struct {
			Token string `json:"token" maxLength:"100" doc:"Token from the emailed link"`
		}
	}) (*done, error) {
		return &done{"success"}, s.ConfirmEmail(ctx, in.Body.Token)
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "needsBackfill", Method: http.MethodGet, Path: "/users/needsBackfill/{userName}",
		Summary: "Check whether your profile is complete",
		Access:  "account.own", Effect: httpapi.Read, Background: true,
	}, func(ctx context.Context, in *struct {
		UserName string `path:"userName" maxLength:"200"`
	}) (*struct{ Body bool }, error) {
		needs, err := s.NeedsBackfill(ctx, access.From(ctx), in.UserName)
		return &struct{ Body bool }{needs}, err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "updateBackfill", Method: http.MethodPost, Path: "/users/updateBackfill", Summary: "Complete your profile",
		Access: "account.own", Effect: httpapi.Write,
	}, func(ctx context.Context, in *struct{ Body Backfill }) (*done, error) {
		b := in.Body
		return &done{"success"}, WireNames.Wire(s.UpdateBackfill(ctx, access.From(ctx), b.profile()))
	})
}
