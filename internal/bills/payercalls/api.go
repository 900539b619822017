package payercalls

import (
	"context"
	"net/http"
	"time"

	"wcpp/internal/bills/openbills"
	"wcpp/internal/identity/access"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/httpapi"
	"wcpp/internal/platform/module"
	"wcpp/internal/platform/retention"
)

// PayerCallText is a call to a payer, as the user logs it.
type PayerCallText struct {
	RequestKey string          `json:"requestKey" maxLength:"64" doc:"Random key. A repeated request with the same key is stored once"`
	Bills      []PayerCallBill `json:"bills" nullable:"false" doc:"1 to 50"`
	Payer      string          `json:"payer" doc:"Up to 128 characters"`
	SpokeWith  string          `json:"spokeWith,omitempty" doc:"Up to 60 characters"`
	Outcome    string          `json:"outcome" doc:"promised, notOnFile, resend, denied or other"`
	PromisedOn date.Date       `json:"promisedOn,omitempty" doc:"For promised, today or a later date"`
	Reference  string          `json:"reference,omitempty" doc:"Up to 60 characters"`
	FollowUpOn date.Date       `json:"followUpOn,omitempty" doc:"Today or a later date, for all bills of the call. Empty leaves theirs"`
	Body       string          `json:"body,omitempty" doc:"Up to 1,000 characters"`
}

// PayerCallBill is a bill of a call, in the version that the user saw.
type PayerCallBill struct {
	ID      string `json:"id" maxLength:"400"`
	Version int64  `json:"version" doc:"Version of the follow-up data"`
}

// LoggedPayerCall is the result of logging a call.
type LoggedPayerCall struct {
	ID     int64                       `json:"id" doc:"0 if the call wasn't logged"`
	Failed []openbills.OpenBillOutcome `json:"failed" nullable:"false" doc:"Bills that someone else changed first, or that are gone"`
}

// PayerCall is a call of the group about a bill.
type PayerCall struct {
	ID         int64     `json:"id"`
	On         date.Date `json:"on" format:"date" nullable:"true" doc:"Date of the call, in the business time zone"`
	At         time.Time `json:"at"`
	Author     string    `json:"author" doc:"Name. Empty for a former user"`
	Payer      string    `json:"payer"`
	SpokeWith  string    `json:"spokeWith"`
	Outcome    string    `json:"outcome" enum:"promised,notOnFile,resend,denied,other"`
	PromisedOn date.Date `json:"promisedOn" format:"date" nullable:"true"`
	Reference  string    `json:"reference"`
	FollowUpOn date.Date `json:"followUpOn" format:"date" nullable:"true"`
	Body       string    `json:"body"`
}

func (t PayerCallText) call() (Call, []openbills.Target) {
	targets := make([]openbills.Target, len(t.Bills))
	for i, b := range t.Bills {
		targets[i] = openbills.Target{Page: b.ID, Version: b.Version}
	}
	return Call{RequestKey: t.RequestKey, Payer: t.Payer, Person: t.SpokeWith, Outcome: openbills.CallOutcome(t.Outcome),
		PromisedOn: t.PromisedOn, Reference: t.Reference, FollowUpOn: t.FollowUpOn, Body: t.Body}, targets
}

func toPayerCall(c AuthoredCall) PayerCall {
	out := PayerCall{ID: c.ID, On: c.CalledOn, At: c.At.Time, Payer: c.Payer, SpokeWith: c.Person, Outcome: string(c.Outcome),
		PromisedOn: c.PromisedOn,
		Reference:  c.Reference, FollowUpOn: c.FollowUpOn, Body: c.Body}
	if c.Author != nil {
		out.Author = c.Author.FullName()
	}
	return out
}

// Module returns the domain's module.
func (s *Service) Module() module.Module {
	return module.Module{Operations: s.Register, Retention: []retention.Item{
		retention.Forever("Calls to payers", "payer_calls", "payer_call_bills"),
	}}
}

type logged struct {
	Status int
	Body   LoggedPayerCall
}

// Register adds the domain's operations.
func (s *Service) Register(api *httpapi.API) {
	httpapi.Register(api, httpapi.Operation{
		ID: "logPayerCall", Method: http.MethodPost, Path: "/work/payer-calls", Summary: "Log a call to a payer about bills",
		Description: "Logs one call about 1 to 50 bills. A follow-up date applies to all of them. Returns 409 and logs nothing if a " +
			"bill is gone, or if the call sets a follow-up date and someone else changed a bill first, with their version.",
		Access: "work.notes", Effect: httpapi.Write, MaxBytes: 64 << 10,
	}, func(ctx context.Context, in *struct{ Body PayerCallText }) (*logged, error) {
		c, targets := in.Body.call()
		c, failed, err := s.Log(ctx, access.From(ctx), c, targets)
		if err != nil {
			return nil, err
		}
		out := &logged{http.StatusOK, LoggedPayerCall{c.ID, []openbills.OpenBillOutcome{}}}
		for _, o := range failed {
			out.Status, out.Body.Failed = http.StatusConflict, append(out.Body.Failed, openbills.ToOpenBillOutcome(o))
		}
		return out, nil
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "payerCalls", Method: http.MethodGet, Path: "/work/bills/{id}/payer-calls",
		Summary:     "List your group's calls to payers about a bill",
		Description: "Newest first, up to 200. Other groups and mirroring staff can't see them.",
		Access:      "work.notes", Effect: httpapi.Read,
	}, func(ctx context.Context, in *struct {
		ID string `path:"id" maxLength:"400"`
	}) (*httpapi.List[PayerCall], error) {
		list, err := s.List(ctx, access.From(ctx), in.ID)
		return httpapi.NewList(list, toPayerCall), err
	})
}
