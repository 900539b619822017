package desk

import (
	"context"
	"net/http"
	"time"

	"wcpp/internal/identity/access"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/httpapi"
	"wcpp/internal/platform/module"
	"wcpp/internal/platform/money"
	"wcpp/internal/platform/ratelimit"
	"wcpp/internal/platform/retention"
)

// LookReason is the reason why staff open an office's data.
type LookReason struct {
	Reason    Reason `json:"reason" enum:"CALL,CASE,FEED,COMPLAINT,OTHER"`
	Reference string `json:"reference,omitempty" doc:"Case number, up to 20 characters"`
	Text      string `json:"text,omitempty" doc:"Details; up to 120 characters and no 9-digit numbers"`
}

// LookSitting is a support session. It ends when another one begins, or after 12 hours.
type LookSitting struct {
	LookReason
	Since time.Time `json:"since"`
}

// CurrentLook is the current support session, if any.
type CurrentLook struct {
	Sitting *LookSitting `json:"sitting,omitempty"`
}

func toCurrentLook(n Session, there bool) CurrentLook {
	if !there {
		return CurrentLook{}
	}
	return CurrentLook{&LookSitting{LookReason{n.Reason, n.Reference, n.Text}, n.At.Time}}
}

// LookedFor is a search term.
type LookedFor struct {
	Q string `json:"q" doc:"Full number, username or email address; or a TIN, a space and a bill-related number"`
}

// AnyBill is a bill in the search results.
type AnyBill struct {
	ID        string    `json:"id" doc:"ID of the bill's page"`
	FTIN      string    `json:"ftin"`
	Number    string    `json:"number"`
	Claimant  string    `json:"claimant"`
	ServiceOn date.Date `json:"serviceOn" format:"date" nullable:"true"`
	Charges   float64   `json:"charges" doc:"Decimal dollars"`
	Payer     string    `json:"payer"`
}

// AnyRemittance is a check or transfer in the search results.
type AnyRemittance struct {
	ID     string    `json:"id" doc:"ID of the remittance's page"`
	FTIN   string    `json:"ftin"`
	Number string    `json:"number"`
	Payer  string    `json:"payer"`
	PaidOn date.Date `json:"paidOn" format:"date" nullable:"true"`
	Amount float64   `json:"amount" doc:"Decimal dollars"`
}

// AnyClaim is a claim in the search results.
type AnyClaim struct {
	Number string `json:"number"`
	Payer  string `json:"payer"`
	State  string `json:"state"`
}

// AnyOffice is a group in the search results.
type AnyOffice struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
	Kind string `json:"kind" enum:"PROVIDER,NONNETWORK,ROSTER"`
}

// AnyPerson is a user in the search results.
type AnyPerson struct {
	UserName string `json:"userName"`
	Name     string `json:"name"`
	Type     string `json:"type" doc:"Status label"`
	Status   string `json:"status" doc:"Status label"`
	GroupID  int64  `json:"groupId" doc:"0: none"`
}

// AnyFound contains the exact matches for a number or name: up to 20 in total.
type AnyFound struct {
	Offices     []AnyOffice     `json:"offices" nullable:"false"`
	People      []AnyPerson     `json:"people" nullable:"false"`
	Bills       []AnyBill       `json:"bills" nullable:"false"`
	Remittances []AnyRemittance `json:"remittances" nullable:"false"`
	Claims      []AnyClaim      `json:"claims" nullable:"false"`
	More        bool            `json:"more" doc:"More results exist; narrow the search"`
	Hint        string          `json:"hint" doc:"Further hint"`
}

func toAnyFound(f Found) AnyFound {
	out := AnyFound{
		Offices: append([]AnyOffice{}, f.Offices...), People: append([]AnyPerson{}, f.People...), Bills: make([]AnyBill, len(f.Bills)),
		Remittances: make([]AnyRemittance, len(f.Remittances)), Claims: append([]AnyClaim{}, f.Claims...), More: f.More, Hint: f.Hint,
	}
	for i, b := range f.Bills {
		out.Bills[i] = AnyBill{b.Page, b.FTIN, b.Number, b.Claimant, b.ServiceOn, money.Of(b.Charges), b.Payer}
	}
	for i, r := range f.Remittances {
		out.Remittances[i] = AnyRemittance{r.Page, r.FTIN, r.Number, r.Payer, r.PaidOn, money.Of(r.Amount)}
	}
	return out
}

// UserOpening names the user to open.
type UserOpening struct {
	UserName string `json:"userName" maxLength:"60"`
}

// UserCard is a user with a one-sentence sign-in diagnosis.
type UserCard struct {
	AnyPerson
	ID         int64      `json:"id"`
	Mirrorable bool       `json:"mirrorable" doc:"Staff can mirror this user"`
	Email      string     `json:"email"`
	LastSignIn *time.Time `json:"lastSignIn,omitempty"`
	Sentence   string     `json:"sentence" doc:"Sign-in problem, or that there is none"`
	Action     Action     `json:"action" enum:",reset,registration,mail,second,draft,employee" doc:"Suggested action; empty if none"`
	MailID     int64      `json:"mailId,omitempty" doc:"Email that can be resent"`
}

func toUserCard(c Card) UserCard {
	out := UserCard{AnyPerson: c.AnyPerson, ID: c.ID, Mirrorable: c.Mirrorable, Email: c.Email, Sentence: c.Sentence, Action: c.Do}
	if !c.LastSignIn.IsZero() {
		out.LastSignIn = &c.LastSignIn
	}
	if c.Do == ResendMail {
		out.MailID = c.MailID
	}
	return out
}

// maxSearches is the limit of searches per person and hour.
const maxSearches = 600

// Module describes this domain to the program.
func (s *Service) Module() module.Module {
	return module.Module{Operations: s.Register, Cleanup: s.Cleanup, Retention: []retention.Item{
		retention.For(s.settings.DeskKeepDays, "WCPP_DESK_KEEP_DAYS", "Staff reasons for access to office data", "desk_access"),
	}}
}

// Register adds the service desk endpoints.
func (s *Service) Register(api *httpapi.API) {
	httpapi.Register(api, httpapi.Operation{
		ID: "deskSitting", Method: http.MethodGet, Path: "/desk/sitting", Summary: "Get your current support session",
		Access: "desk.open", Effect: httpapi.Read,
	}, func(ctx context.Context, _ *struct{}) (*struct{ Body CurrentLook }, error) {
		n, there, err := s.Current(ctx, access.From(ctx))
		return &struct{ Body CurrentLook }{toCurrentLook(n, there)}, err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "beginDeskSitting", Method: http.MethodPost, Path: "/desk/sitting", Summary: "Start a support session",
		Description: "Ends the previous session. Without one, the service desk doesn't find or open anything.",
		Access:      "desk.open", Effect: httpapi.Write,
	}, func(ctx context.Context, in *struct{ Body LookReason }) (*struct{ Body CurrentLook }, error) {
		n, err := s.Begin(ctx, access.From(ctx), Session{Reason: in.Body.Reason, Reference: in.Body.Reference, Text: in.Body.Text})
		return &struct{ Body CurrentLook }{toCurrentLook(n, true)}, err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "endDeskSitting", Method: http.MethodDelete, Path: "/desk/sitting", Summary: "End the support session",
		Access: "desk.open", Effect: httpapi.Write,
	}, func(ctx context.Context, _ *struct{}) (*struct{}, error) {
		return nil, s.End(ctx, access.From(ctx))
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "deskUser", Method: http.MethodPost, Path: "/desk/users/open", Summary: "Get a user's card and sign-in problems",
		Description: "Requires a support session. Access is recorded first.",
		Access:      "desk.open", Effect: httpapi.Read,
	}, func(ctx context.Context, in *struct{ Body UserOpening }) (*struct{ Body UserCard }, error) {
		c, err := s.OpenUser(ctx, access.From(ctx), in.Body.UserName)
		return &struct{ Body UserCard }{toUserCard(c)}, err
	})
	s.registerOffice(api)
	s.registerReport(api)
	s.registerQueues(api)
	httpapi.Register(api, httpapi.Operation{
		ID: "deskFind", Method: http.MethodPost, Path: "/desk/find", Summary: "Find an exact number or name in any office",
		Description: "Requires a support session. Finds bill, check, claim, TIN, NPI and group numbers. Put the TIN before " +
			"document, patient account and payer numbers. Case, hyphens and spaces are ignored.",
		Access: "desk.open", Effect: httpapi.Read, Expensive: true, Limit: ratelimit.Hourly(maxSearches),
	}, func(ctx context.Context, in *struct{ Body LookedFor }) (*struct{ Body AnyFound }, error) {
		f, err := s.Find(ctx, access.From(ctx), in.Body.Q)
		return &struct{ Body AnyFound }{toAnyFound(f)}, err
	})
}
