package sessions

import (
	"context"
	"crypto/rand"
	"net/http"
	"strings"

	"wcpp/internal/identity/access"
	"wcpp/internal/platform/httpapi"
	"wcpp/internal/platform/module"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/retention"
)

// SSOCookie contains what a sign-in in progress must prove on its return.
const SSOCookie = "__Host-wcpp-sso"

// Credentials is the request body of POST /authenticate.
type Credentials struct {
	Username string `json:"username" maxLength:"200" doc:"Username; the literal checkAuth completes single sign-on"`
	Password string `json:"password" maxLength:"4096" doc:"Password; with checkAuth, the code that single sign-on returned"`
	State    string `json:"state,omitempty" maxLength:"200" doc:"With checkAuth, the state returned with the code"`
	Iss      string `json:"iss,omitempty" maxLength:"400" doc:"With checkAuth, the issuer returned with the code, if any"`
}

// SessionToken is a new session.
type SessionToken struct {
	Username string `json:"username"`
	Token    string `json:"token" doc:"Send as a bearer token with each request"`
}

// Session is the session and its rights, as the browser sees it.
type Session struct {
	Username     string   `json:"username"`
	Token        string   `json:"token"`
	User         Account  `json:"user"`
	MirroredUser *Account `json:"mirroredUser,omitempty" doc:"Mirrored user; missing if not mirroring"`

	MirrorEnded  string `json:"mirrorEnded,omitempty" doc:"User whose mirroring ended. See DELETE /session/mirror"`
	MirrorOver   bool   `json:"mirrorOver,omitempty" doc:"Mirroring ended because the office's approval expired"`
	MirrorReason bool   `json:"mirrorReason,omitempty" doc:"A reason is required to mirror a user"`

	Routes      []string                `json:"routes" nullable:"false" doc:"Screens with a permission check that the acting type can open"`
	Menu        []access.MenuEntry      `json:"menu" nullable:"false"`
	Workspace   []access.WorkspaceEntry `json:"workspace,omitempty" doc:"Workspace screens; missing if it's off or the type has none"`
	Permissions []string                `json:"permissions" nullable:"false"`

	IdleMinutes  int  `json:"idleMinutes" doc:"Minutes without activity before the session ends"`
	SignsInAgain bool `json:"signsInAgain" doc:"PROOF_NEEDED requires a new sign-in with the provider, not POST /session/proof"`
}

// Outline is the session data in the page itself, which the browser uses until the session
// endpoint responds. It contains what to show and allow, but no personal data.
type Outline struct {
	Type        access.Type             `json:"type"` // of the current account, or the mirrored one while mirroring
	Routes      []string                `json:"routes"`
	Menu        []access.MenuEntry      `json:"menu"`
	Workspace   []access.WorkspaceEntry `json:"workspace,omitempty"`
	Permissions []string                `json:"permissions"`
	IdleMinutes int                     `json:"idleMinutes"`
}

// Account is a user in the session response.
type Account struct {
	ID              int64       `json:"id"`
	UserNm          string      `json:"userNm"`
	UserFirstName   string      `json:"userFirstName"`
	UserLastName    string      `json:"userLastName"`
	UserMidName     string      `json:"userMidName"`
	EmailAddr       string      `json:"emailAddr"`
	PhoneNum        string      `json:"phoneNum" doc:"Digits"`
	TypeCd          access.Type `json:"typeCd" enum:"PRUS,PRAD,NNUS,ROAD,ROUS,IRAD,ISAD"`
	TypeDesc        string      `json:"typeDesc"`
	StatusCd        string      `json:"statusCd" enum:"NEW,DRAFT,ACTIV,INACT,LOCK,DISABL,TERM"`
	StatusDesc      string      `json:"statusDesc"`
	GrpInfoID       *int64      `json:"grpInfoId" doc:"Group; null for internal staff"`
	AppVersion      string      `json:"appVersion"`
	JobTitle        string      `json:"jobTitle"`
	CompanyNm       string      `json:"companyNm"`
	CompanyURL      string      `json:"companyUrl"`
	AffiliationCd   string      `json:"affiliationCd"`
	AffiliationDesc string      `json:"affiliationDesc"`
	// FeeSchedRqstsCnt and FeeSchedRqsts are the fee schedule files created for this user.
	FeeSchedRqstsCnt int                  `json:"feeSchedRqstsCnt"`
	FeeSchedRqsts    []FeeScheduleRequest `json:"feeSchedRqsts" nullable:"false"`
}

// FeeScheduleRequest is a fee schedule file in the bell menu.
type FeeScheduleRequest struct {
	FeeSchedRqstID int64  `json:"feeSchedRqstId"`
	FileName       string `json:"fileName"`
	SchedURI       string `json:"schedUri"`
	FileViwed      string `json:"fileViwed" doc:"Y after it's opened"`
}

type authenticateInput struct {
	Pending string `cookie:"__Host-wcpp-sso"`
	Before  string `cookie:"__Host-wcpp"`
	Body    Credentials
}

type authenticateOutput struct {
	SetCookie []*http.Cookie `header:"Set-Cookie"`
	Body      SessionToken
}

// SessionInput is exported because Huma fills embedded fields only of exported types.
type SessionInput struct {
	Authorization string `header:"Authorization"`
	Cookie        string `cookie:"__Host-wcpp"`
}

func (in SessionInput) token() string {
	if bearer, ok := strings.CutPrefix(in.Authorization, "Bearer "); ok {
		return bearer
	}
	return in.Cookie
}

type sessionOutput struct {
	Body Session
}

type mirrorInput struct {
	SessionInput
	Body struct {
		UserNm string `json:"userNm" minLength:"1" maxLength:"50" doc:"User to mirror: active, of type PRUS, PRAD or NNUS"`
		Reason string `json:"reason,omitempty" maxLength:"400" doc:"Reason for the audit log; up to 200 characters without extra spaces"`
	}
}

type deskMirrorInput struct {
	SessionInput
	Body struct {
		UserName string `json:"userName" maxLength:"60" doc:"User to mirror"`
	}
}

type proofInput struct {
	Body struct {
		Password string `json:"password" maxLength:"4096" doc:"For the signed-in user"`
	}
}

type signOutInput struct {
	Idle bool `query:"idle" doc:"Ended without a sign-out, after inactivity or a denied page. The user can still read typed text"`
}

type formKeyOutput struct {
	Body struct {
		Key []byte `json:"key" doc:"AES key of 32 bytes, base64"`
	}
}

type signOutOutput struct {
	SetCookie []*http.Cookie `header:"Set-Cookie"`
	Body      struct {
		SignOutURL *string `json:"signOutUrl" doc:"URL that ends the single sign-on provider's session; null if there is none"`
	}
}

type propertyInput struct {
	Name string `path:"name" maxLength:"200" doc:"FE_APP_TIMEOUT: minutes without activity before a session ends"`
}

type propertyOutput struct {
	Body int
}

// Module describes this domain to the program.
func (s *Service) Module() module.Module {
	return module.Module{Operations: s.Register, Cleanup: s.Cleanup, Retention: []retention.Item{
		retention.Until("WCPP_IDLE_MINUTES, WCPP_SESSION_HOURS", "Sessions", "sessions"),
		retention.Until("8 hours", "Keys of saved forms", "form_keys"),
	}}
}

// Register adds the session endpoints.
func (s *Service) Register(api *httpapi.API) {
	httpapi.Register(api, httpapi.Operation{
		ID: "authenticate", Method: http.MethodPost, Path: "/authenticate", Summary: "Sign in",
		Description: "Errors return 401 with the code as message.",
		Access:      httpapi.Public, Effect: httpapi.Write, OwnPages: true,
	}, s.authenticate)

	own := httpapi.Operation{Access: "session.own", Effect: httpapi.Read, Path: "/session", Method: http.MethodGet}

	restore := own
	restore.ID, restore.Summary, restore.Cookie, restore.Background = "session", "Get the current session after a reload", true, true
	httpapi.Register(api, restore, func(ctx context.Context, in *SessionInput) (*sessionOutput, error) {
		return s.newSessionOutput(ctx, access.From(ctx), in.token())
	})

	touched := own
	touched.ID, touched.Summary, touched.Method, touched.Path, touched.Effect = "touchSession", "Report activity", http.MethodPost,
		"/session/touch", httpapi.Write
	httpapi.Register(api, touched, func(context.Context, *struct{}) (*struct{}, error) {
		return nil, nil // Enter has already extended the session
	})

	s.registerMirroring(api)

	httpapi.Register(api, httpapi.Operation{
		ID: "prove", Method: http.MethodPost, Path: "/session/proof", Summary: "Re-authenticate",
		Description: "For requests that returned PROOF_NEEDED; repeat the request afterward. Returns 409 with an external provider; " +
			"sign in there again.",
		Access: "session.own", Effect: httpapi.Write,
	}, func(ctx context.Context, in *proofInput) (*struct{}, error) {
		return nil, s.Prove(ctx, access.From(ctx), in.Body.Password)
	})

	httpapi.Register(api, httpapi.Operation{
		ID: "logout", Method: http.MethodPost, Path: "/logout", Summary: "Sign out",
		Access: "session.own", Effect: httpapi.Write, Background: true,
	}, func(ctx context.Context, in *signOutInput) (*signOutOutput, error) {
		address, err := s.End(ctx, access.From(ctx), in.Idle)
		if err != nil {
			return nil, err
		}
		out := &signOutOutput{}
		if !in.Idle { // single sign-on recognizes a timeout by the cookie
			out.SetCookie = []*http.Cookie{newCookie(httpapi.SessionCookie, "", -1)}
		}
		if address != "" {
			out.Body.SignOutURL = &address
		}
		return out, nil
	})

	s.registerOpen(api)

	httpapi.Register(api, httpapi.Operation{
		ID: "formKey", Method: http.MethodPut, Path: "/session/form-key", Summary: "Get the key that encrypts saved form text",
		Description: "Stays the same for 8 hours after the user's last activity, until sign-out. Not available while mirroring.",
		Access:      "account.own", Effect: httpapi.Write, Background: true,
	}, func(ctx context.Context, _ *struct{}) (*formKeyOutput, error) {
		key, err := s.FormKey(ctx, access.From(ctx))
		out := &formKeyOutput{}
		out.Body.Key = key
		return out, err
	})

	httpapi.Register(api, httpapi.Operation{
		ID: "property", Method: http.MethodGet, Path: "/appProperties/property/{name}", Summary: "Get an application setting",
		Access: "session.own", Effect: httpapi.Read, Background: true,
	}, func(_ context.Context, in *propertyInput) (*propertyOutput, error) {
		if in.Name != "FE_APP_TIMEOUT" {
			return nil, problem.New(problem.NotFound)
		}
		return &propertyOutput{Body: s.settings.IdleMinutes}, nil
	})
}

// registerMirroring adds the endpoints with which staff act as a user.
func (s *Service) registerMirroring(api *httpapi.API) {
	httpapi.Register(api, httpapi.Operation{
		ID: "startMirror", Method: http.MethodPost, Path: "/session/mirror", Summary: "Mirror a user",
		Access: "session.mirror", Effect: httpapi.Write,
	}, func(ctx context.Context, in *mirrorInput) (*sessionOutput, error) {
		if err := s.StartMirror(ctx, access.From(ctx), in.Body.UserNm, in.Body.Reason); err != nil {
			return nil, err
		}
		return s.respondAgain(ctx, in.token())
	})

	httpapi.Register(api, httpapi.Operation{
		ID: "actFromDesk", Method: http.MethodPost, Path: "/desk/users/mirror", Summary: "Mirror a user with the support session's reason",
		Description: "Requires a support session. Its reason is recorded in the audit log. Otherwise the same as startMirror.",
		Access:      "desk.open", Effect: httpapi.Write,
	}, func(ctx context.Context, in *deskMirrorInput) (*sessionOutput, error) {
		if err := s.ActFromDesk(ctx, access.From(ctx), in.Body.UserName); err != nil {
			return nil, err
		}
		return s.respondAgain(ctx, in.token())
	})

	httpapi.Register(api, httpapi.Operation{
		ID: "stopMirror", Method: http.MethodDelete, Path: "/session/mirror", Summary: "Stop mirroring",
		Description: "After the mirrored account was reset, terminated or moved to another group, requests as that user return 409 " +
			"MIRROR_ENDED until this one.",
		Access: "session.own", Effect: httpapi.Write,
	}, func(ctx context.Context, in *SessionInput) (*sessionOutput, error) {
		if err := s.StopMirror(ctx, access.From(ctx)); err != nil {
			return nil, err
		}
		return s.respondAgain(ctx, in.token())
	})
}

func (s *Service) authenticate(ctx context.Context, in *authenticateInput) (*authenticateOutput, error) {
	proof, err := s.prove(ctx, signInCredentials{UserName: in.Body.Username, Secret: in.Body.Password, State: in.Body.State,
		Issuer:  in.Body.Iss,
		Pending: in.Pending})
	if err != nil {
		return nil, err
	}
	token, err := s.startSession(ctx, proof, in.Before, httpapi.Browser(ctx))
	if err != nil {
		return nil, err
	}
	account, err := s.loadAccount(ctx, proof.UserID)
	if err != nil {
		return nil, err
	}
	device := httpapi.Device(ctx)
	if device == "" {
		device = rand.Text()
	}
	if err := s.signIn.RememberDevice(ctx, proof.UserID, device); err != nil {
		return nil, err
	}
	return &authenticateOutput{
		SetCookie: []*http.Cookie{
			newCookie(httpapi.SessionCookie, token, 0), newCookie(SSOCookie, "", -1),
			newCookie(httpapi.DeviceCookie, device, int(httpapi.DeviceFor.Seconds())),
		},
		Body: SessionToken{Username: account.UserNm, Token: token},
	}, nil
}

func newCookie(name, value string, maxAge int) *http.Cookie {
	return &http.Cookie{Name: name, Value: value, Path: "/", MaxAge: maxAge, Secure: true, HttpOnly: true, SameSite: http.SameSiteLaxMode}
}

// respondAgain returns the session after its mirroring changed.
func (s *Service) respondAgain(ctx context.Context, token string) (*sessionOutput, error) {
	_, actor, err := s.find(ctx, token)
	if err != nil {
		return nil, err
	}
	return s.newSessionOutput(ctx, actor, token)
}

func (s *Service) newSessionOutput(ctx context.Context, a access.Actor, token string) (*sessionOutput, error) {
	user, err := s.loadAccount(ctx, a.Person.ID)
	if err != nil {
		return nil, err
	}
	may := s.outline(a)
	out := &sessionOutput{Body: Session{
		Username: user.UserNm, Token: token, User: user,
		Routes: may.Routes, Menu: may.Menu, Workspace: may.Workspace, Permissions: may.Permissions,
		IdleMinutes: may.IdleMinutes, SignsInAgain: a.Outside,
		MirrorReason: s.settings.requiresMirrorReason() && a.Person.Type.IsInternal(),
	}}
	if a.MirrorEnded != 0 {
		ended, err := s.loadAccount(ctx, a.MirrorEnded)
		if err != nil {
			return nil, err
		}
		out.Body.MirrorEnded = ended.UserFirstName + " " + ended.UserLastName
		out.Body.MirrorOver = a.MirrorTimeOver
	}
	if a.Mirrored != nil {
		mirrored, err := s.loadAccount(ctx, a.Mirrored.ID)
		if err != nil {
			return nil, err
		}
		out.Body.MirroredUser = &mirrored
	}
	return out, nil
}
