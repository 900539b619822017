package account

import (
	"context"
	"net/http"

	"wcpp/internal/identity/access"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/httpapi"
	"wcpp/internal/platform/module"
	"wcpp/internal/platform/paging"
	"wcpp/internal/platform/retention"
	"wcpp/internal/platform/validate"
)

// EmailAddress starts an account request or a forgotten-username request.
type EmailAddress struct {
	EmailAddress string `json:"emailAddress" maxLength:"400"`
}

// RegistrationStart starts an account request and names the campaign behind it.
type RegistrationStart struct {
	EmailAddress string `json:"emailAddress" maxLength:"400"`
	Campaign     string `json:"campaign,omitempty" maxLength:"64"`
}

// RequestForm is the second step of an account request.
type RequestForm struct {
	Token              string `json:"token" maxLength:"400" doc:"Token from the emailed link"`
	AuthenticationCode string `json:"authenticationCode" maxLength:"400" doc:"Code from the email, XXXXX-XXXXX-XXXXX-XXXXX"`
	Applicant
}

// Applicant is the person who requests an account.
type Applicant struct {
	Affiliation      string     `json:"affiliation" maxLength:"400" doc:"OFC_STAFF, BILLING_CO or OTHER"`
	OtherAffiliation string     `json:"otherAffiliation" maxLength:"400" required:"false" doc:"Required for OTHER"`
	FirstName        string     `json:"firstName" maxLength:"400"`
	LastName         string     `json:"lastName" maxLength:"400"`
	MiddleInitial    string     `json:"middleInitial" maxLength:"400" required:"false"`
	PhoneNumber      string     `json:"phoneNumber" maxLength:"400"`
	JobTitle         string     `json:"jobTitle" maxLength:"400"`
	CompanyName      string     `json:"companyName" maxLength:"400"`
	CompanyURL       string     `json:"companyUrl" maxLength:"400" required:"false"`
	ProviderList     []Provider `json:"providerList" maxItems:"20" nullable:"false" doc:"Exactly 1"`
}

// Provider is the provider that the applicant works for.
type Provider struct {
	FTIN         string `json:"ftin" maxLength:"400" doc:"Tax ID, 9 digits"`
	ProviderName string `json:"providerName" maxLength:"400"`
}

// ResetStart asks for a link to choose a new password.
type ResetStart struct {
	UserName     string `json:"userName" maxLength:"400"`
	EmailAddress string `json:"emailAddress" maxLength:"400"`
}

// NewPassword finishes a registration or a reset.
type NewPassword struct {
	Token       string `json:"token" maxLength:"1000" doc:"Token from the emailed link"`
	NewPassword string `json:"newPassword" maxLength:"400"`
}

// AdminReset is an administrator's reset of another user's password.
type AdminReset struct {
	UserName      string `json:"userName" minLength:"1" maxLength:"50"`
	EmailAddress  string `json:"emailAddress,omitempty" maxLength:"120"`
	AdminUserName string `json:"adminUserName,omitempty" maxLength:"50" doc:"Must be the acting administrator"`
}

// PasswordChange is a person's change of their own password.
type PasswordChange struct {
	Username    string `json:"username" maxLength:"50"`
	Password    string `json:"password" maxLength:"400" doc:"Current password"`
	NewPassword string `json:"newPassword" maxLength:"400"`
}

// FactorReset is an administrator's reset of another user's second factors.
type FactorReset struct {
	UserName string `json:"userName" minLength:"1" maxLength:"50"`
}

// FactorResetLink contains the token of the emailed link.
type FactorResetLink struct {
	Token string `json:"token" maxLength:"400"`
}

// RequestedAccount is an account request as system administrators see it.
type RequestedAccount struct {
	ID int64 `json:"id"`
	Applicant
	EmailAddress string `json:"emailAddress"`
	Campaign     string `json:"campaign"`
	Status       string `json:"status" enum:"SUBMITTED,CLOSED,DECLINED" doc:"Closed when a user is created from it or it's declined"`
	SubmittedDt  string `json:"submittedDt" format:"date-time"`
}

// Refusal is the reason for declining an account request.
type Refusal struct {
	Reason string `json:"reason,omitempty" maxLength:"2000" doc:"Reason for the email, up to 400 characters without extra spaces"`
}

// requestNames are the names that the screens use for the fields of an account request.
var requestNames = validate.Names{
	"email": "emailAddress", "code": "authenticationCode", "affiliation": "affiliation", "affiliation_desc": "otherAffiliation",
	"first_name": "firstName", "last_name": "lastName", "middle_initial": "middleInitial", "phone": "phoneNumber",
	"job_title": "jobTitle", "company_name": "companyName", "company_url": "companyUrl", "provider": "providerList",
}

func (f RequestForm) application() Application {
	a := Application{
		Token: f.Token, Code: f.AuthenticationCode, AffiliationCd: f.Affiliation, AffiliationDesc: f.OtherAffiliation,
		FirstName: f.FirstName, LastName: f.LastName, MiddleInitial: f.MiddleInitial, Phone: f.PhoneNumber,
		JobTitle: f.JobTitle, CompanyName: f.CompanyName, CompanyURL: f.CompanyURL,
	}
	for _, p := range f.ProviderList {
		a.Providers = append(a.Providers, AppliedProvider{FTIN: p.FTIN, Name: p.ProviderName})
	}
	return a
}

// SubmittedRequests asks for a page of the account requests under review.
type SubmittedRequests struct {
	Table paging.Table `json:"table"`
}

func requestedAccount(r Request) RequestedAccount {
	return RequestedAccount{
		ID: r.ID, EmailAddress: r.Email, Campaign: r.Campaign, Status: r.Status, SubmittedDt: r.SubmittedAt.RFC3339(),
		Applicant: Applicant{
			Affiliation: r.AffiliationCd, OtherAffiliation: r.AffiliationDesc, FirstName: r.FirstName, LastName: r.LastName,
			MiddleInitial: r.MiddleInitial, PhoneNumber: r.Phone, JobTitle: r.JobTitle, CompanyName: r.CompanyName,
			CompanyURL:   r.CompanyURL,
			ProviderList: []Provider{{FTIN: r.ProviderFTIN, ProviderName: r.ProviderName}},
		},
	}
}

// SecurityQuestion is a question for a forgotten password. None are in use.
type SecurityQuestion struct {
	SecQstnID int64  `json:"secQstnId"`
	SecQstn   string `json:"secQstn"`
}

// MailedLink is a token from an emailed link, as the screen received it.
type MailedLink struct {
	Purpose string `json:"purpose" enum:"RESET,REGISTRATION,REQUEST,BIND,FACTORS" doc:"BIND: SSO confirmation; FACTORS: MFA reset"`
	Token   string `json:"token" maxLength:"1000"`
}

const success = "success"

// BindingLink is the emailed link that binds an account to a subject at the SSO provider.
type BindingLink struct {
	Token string `json:"token" maxLength:"1000" doc:"Token from the emailed link"`
}

type done struct {
	Body string `enum:"success"`
}

type textAnswer struct {
	Body string
}

// Module describes this domain to the program.
func (s *Service) Module() module.Module {
	return module.Module{Operations: s.Register, Cleanup: s.Cleanup, Retention: []retention.Item{
		retention.Until("90 days", "Emailed links and account requests that weren't submitted", "account_links"),
		retention.For(s.settings.AccountRequestKeepDays, "WCPP_ACCOUNT_REQUEST_KEEP_DAYS", "Closed account requests", "account_requests"),
	}}
}

// Register adds the account endpoints.
func (s *Service) Register(api *httpapi.API) {
	s.registerPublic(api)
	s.registerPasswords(api)
	s.registerRequests(api)
}

// registerPublic adds the endpoints that work without sign-in.
func (s *Service) registerPublic(api *httpapi.API) {
	registerPublicOperation(api, "startRequestAccount", "/public/registration/startRequestAccount", "Request an account: email a link",
		"Returns INTERNAL_USER for addresses in internal domains.",
		func(ctx context.Context, in EmailAddress) error {
			return requestNames.Wire(s.StartRequest(ctx, in.EmailAddress, ""))
		})
	registerPublicOperation(api, "startRegistration", "/public/registration/start", "Request an account from a campaign link",
		"Same as startRequestAccount.",
		func(ctx context.Context, in RegistrationStart) error {
			return requestNames.Wire(s.StartRequest(ctx, in.EmailAddress, in.Campaign))
		})
	registerPublicOperation(api, "completeRequestAccount", "/public/registration/completeRequestAccount", "Submit an account request",
		"Returns INVALID_TOKEN or EXPIRED_TOKEN if the link or the authentication code is used, incorrect or expired.",
		func(ctx context.Context, in RequestForm) error {
			return requestNames.Wire(s.CompleteRequest(ctx, in.application()))
		})
	registerPublicOperation(api, "completeRegistration", "/public/registration/complete", "Finish registration and set a password",
		"Returns INVALID_PW, INVALID_TOKEN or EXPIRED_TOKEN. The password is ignored if all users sign in with an external provider.",
		func(ctx context.Context, in NewPassword) error {
			return s.CompleteRegistration(ctx, in.Token, in.NewPassword)
		})
	registerPublicOperation(api, "startResetPassword", "/public/resetPasswordByUser/start", "Request a password reset link",
		"Returns INVALID_USERNAME_OR_EMAIL or USER_ACCT_TERMINATED, unless the portal hides whether accounts exist.",
		func(ctx context.Context, in ResetStart) error { return s.StartReset(ctx, in.UserName, in.EmailAddress) })
	registerPublicOperation(api, "completeResetPassword", "/public/resetPassword/complete", "Reset a password with an emailed link",
		"Returns INVALID_PW, INVALID_TOKEN or EXPIRED_TOKEN. The password is ignored if all users sign in with an external provider.",
		func(ctx context.Context, in NewPassword) error { return s.CompleteReset(ctx, in.Token, in.NewPassword) })
	registerPublicOperation(api, "completeBinding", "/public/signIn/confirm", "Confirm a first sign-in with the external provider",
		"Returns INVALID_TOKEN or EXPIRED_TOKEN.",
		func(ctx context.Context, in BindingLink) error { return s.CompleteBinding(ctx, in.Token) })
	registerPublicOperation(api, "completeFactorReset", "/public/factorReset/complete",
		"Reset your two-step verification with an emailed link",
		"Returns INVALID_TOKEN or EXPIRED_TOKEN. Doesn't sign the user in.",
		func(ctx context.Context, in FactorResetLink) error { return s.CompleteFactorReset(ctx, in.Token) })
	registerPublicOperation(api, "forgotUsername", "/public/forgotUsername", "Email a forgotten username",
		"Returns INVALID_EMAIL or USER_ACCT_NEW, unless the portal hides whether accounts exist.",
		func(ctx context.Context, in EmailAddress) error { return s.ForgotUsername(ctx, in.EmailAddress) })

	httpapi.Register(api, httpapi.Operation{
		ID: "checkLink", Method: http.MethodPost, Path: "/public/checkLink", Summary: "Check an emailed link",
		Description: "Returns INVALID_TOKEN or EXPIRED_TOKEN. Doesn't use up the link.",
		Access:      httpapi.Public, Effect: httpapi.Read,
	}, func(ctx context.Context, in *struct{ Body MailedLink }) (*done, error) {
		return &done{success}, s.CheckLink(ctx, in.Body.Purpose, in.Body.Token)
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "publicSecurityQuestions", Method: http.MethodGet, Path: "/public/secQuestions",
		Summary: "List security questions (always empty)",
		Access:  httpapi.Public, Effect: httpapi.Read,
	}, listNoQuestions)
	httpapi.Register(api, httpapi.Operation{
		ID: "securityQuestions", Method: http.MethodGet, Path: "/appProperties/secQuestions",
		Summary: "List security questions (always empty)",
		Access:  "settings.read", Effect: httpapi.Read, Background: true,
	}, listNoQuestions)
}

// registerPasswords adds the password endpoints for signed-in users and the users they manage.
func (s *Service) registerPasswords(api *httpapi.API) {
	httpapi.Register(api, httpapi.Operation{
		ID: "updatePassword", Method: http.MethodPost, Path: "/users/updatePwd", Summary: "Change your password",
		Description: "Returns success, or a text that contains incorrect_password, failed, or INVALID_PW followed by the reason. " +
			"Returns 409 if all users sign in with an external provider.",
		Access: "account.own", Effect: httpapi.Write,
	}, func(ctx context.Context, in *struct{ Body PasswordChange }) (*textAnswer, error) {
		answer, err := s.ChangePassword(ctx, access.From(ctx), in.Body.Username, in.Body.Password, in.Body.NewPassword)
		return &textAnswer{answer}, err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "resetPasswordByAdmin", Method: http.MethodPost, Path: "/users/resetPasswordByAdmin/start",
		Summary:     "Reset another user's password",
		Description: "The user can't sign in until they set a new password with the emailed link.",
		Access:      "users.manage", Effect: httpapi.Write,
	}, func(ctx context.Context, in *struct{ Body AdminReset }) (*done, error) {
		return &done{success}, s.ResetByAdmin(ctx, access.From(ctx), in.Body.UserName, in.Body.EmailAddress, in.Body.AdminUserName)
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "resetFactors", Method: http.MethodPost, Path: "/users/factorReset/start",
		Summary:     "Email another user a two-step verification reset link",
		Description: "The methods are removed when the user opens the link. Returns 409 if the user has none.",
		Access:      "users.factors", Effect: httpapi.Write,
	}, func(ctx context.Context, in *struct{ Body FactorReset }) (*done, error) {
		return &done{success}, s.StartFactorReset(ctx, access.From(ctx), in.Body.UserName)
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "regenerateRegistration", Method: http.MethodPost, Path: "/users/regenRegistrationByAdmin/{requester}/{id}",
		Summary:     "Resend the registration email",
		Description: "Earlier links stop working.",
		Access:      "users.manage", Effect: httpapi.Write,
	}, func(ctx context.Context, in *struct {
		Requester string `path:"requester" maxLength:"200" doc:"Must be the acting administrator"`
		ID        int64  `path:"id" doc:"User ID"`
	}) (*done, error) {
		return &done{success}, s.ResendRegistration(ctx, access.From(ctx), in.Requester, in.ID)
	})
}

// registerRequests adds the endpoints that show account requests.
func (s *Service) registerRequests(api *httpapi.API) {
	httpapi.Register(api, httpapi.Operation{
		ID: "accountRequests", Method: http.MethodGet, Path: "/accountRequests",
		Summary: "List account requests under review, oldest first",
		Access:  "accountRequests.read", Effect: httpapi.Read,
	}, func(ctx context.Context, _ *struct{}) (*httpapi.List[RequestedAccount], error) {
		list, err := s.ListSubmitted(ctx)
		if err == nil {
			err = s.audit.RecordNow(ctx, audit.Entry{Operation: "account-requests-list", Result: "ok"})
		}
		return httpapi.NewList(list, requestedAccount), err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "submittedRequests", Method: http.MethodPost, Path: "/desk/queues/requests",
		Summary: "Get a page of account requests under review, oldest first",
		Access:  "queues.manage", Effect: httpapi.Read,
	}, func(ctx context.Context, in *struct{ Body SubmittedRequests }) (*paging.Answer[RequestedAccount], error) {
		list, count, err := s.SubmittedPage(ctx, in.Body.Table)
		return paging.NewAnswer(list, count, requestedAccount), err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "accountRequest", Method: http.MethodGet, Path: "/accountRequests/{id}", Summary: "Get an account request",
		Access: "accountRequests.read", Effect: httpapi.Read,
	}, func(ctx context.Context, in *struct {
		ID int64 `path:"id"`
	}) (*struct{ Body RequestedAccount }, error) {
		r, err := s.Request(ctx, access.From(ctx), in.ID)
		return &struct{ Body RequestedAccount }{requestedAccount(r)}, err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "declineAccountRequest", Method: http.MethodPost, Path: "/accountRequests/{id}/decline",
		Summary:     "Decline an account request by email",
		Description: "Returns 409 if it was already answered.",
		Access:      "accountRequests.decline", Effect: httpapi.Write,
	}, func(ctx context.Context, in *struct {
		ID   int64 `path:"id"`
		Body Refusal
	}) (*done, error) {
		return &done{success}, s.Decline(ctx, access.From(ctx), in.ID, in.Body.Reason)
	})
}

// registerPublicOperation adds an endpoint that works without sign-in and returns "success".
func registerPublicOperation[In any](api *httpapi.API, id, path, summary, description string, do func(context.Context, In) error) {
	httpapi.Register(api, httpapi.Operation{
		ID: id, Method: http.MethodPost, Path: path, Summary: summary, Description: description, Access: httpapi.Public,
		Effect: httpapi.Write,
	}, func(ctx context.Context, in *struct{ Body In }) (*done, error) {
		return &done{success}, do(ctx, in.Body)
	})
}

func listNoQuestions(context.Context, *struct{}) (*httpapi.List[SecurityQuestion], error) {
	return &httpapi.List[SecurityQuestion]{Body: []SecurityQuestion{}}, nil
}
