package alerts

import (
	"cmp"
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/identity/access"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/httpapi"
	"wcpp/internal/platform/module"
	"wcpp/internal/platform/money"
	"wcpp/internal/platform/retention"
	"wcpp/internal/platform/validate"
)

// AlertCount is a count on Today.
type AlertCount struct {
	Kind   string  `json:"kind" enum:"paid,denied,takenBack,overdue,priced,notPriced,received,replaced,documents,watched"`
	Bills  int     `json:"bills" doc:"Each counts once"`
	Amount float64 `json:"amount" doc:"Dollars paid if paid, else charged. 0 if watched"`
}

// StoppedMailbox is a mailbox of the group that no longer gets emails.
type StoppedMailbox struct {
	ID    int64     `json:"id"`
	Email string    `json:"email"`
	Why   string    `json:"why" enum:"link,refused" doc:"Unsubscribed by a link, or permanently rejected by the mail server"`
	At    time.Time `json:"at"`
}

// Alerts are the changes to the user's bills since their last visit.
type Alerts struct {
	First   bool             `json:"first" doc:"True before the first time updates are marked as seen. Counts are 0 until then"`
	Since   *time.Time       `json:"since" nullable:"true" doc:"When it was last marked as seen"`
	AsOf    string           `json:"asOf" doc:"Date of the bill data, ISO 8601 in UTC. Empty before the first import"`
	Counts  []AlertCount     `json:"counts" nullable:"false" doc:"Figures above 0"`
	Answers int              `json:"answers" doc:"Questions to the network with an answer that the user hasn't read"`
	Replies int              `json:"replies" doc:"Questions that need the office's reply"`
	Window  string           `json:"window" doc:"ID of the counted period, for lists and for marking it as seen"`
	Asked   bool             `json:"asked" doc:"True if the email choice was made"`
	Stopped []StoppedMailbox `json:"stopped" nullable:"false" doc:"For group administrators"`
}

// SeenUpdates names a change of what was seen, so that it can be undone.
type SeenUpdates struct {
	Undo string `json:"undo" maxLength:"800" doc:"Empty after the first visit, which can't be undone"`
}

// AlertList requests a page of the list behind a count.
type AlertList struct {
	Kind   string `json:"kind" doc:"The window of the figure"`
	Window string `json:"window" maxLength:"400"`
	After  string `json:"after,omitempty" maxLength:"400" doc:"The next value of the previous page"`
	Skip   int    `json:"skip,omitempty" minimum:"0" doc:"Bills to skip, up to 2,000"`
	Limit  int    `json:"limit,omitempty" minimum:"1" maximum:"200" doc:"Bills per page. Defaults to 50"`
}

// billChange is the kind of a bill's latest change.
type billChange string

// Schema describes the kinds.
func (billChange) Schema(huma.Registry) *huma.Schema {
	return httpapi.Enum("Latest change in the figure. OVERDUE means the payer's deadline passed",
		facts.Received, facts.Priced, facts.NotPriced, facts.Repriced, facts.Paid, facts.PaidShort, facts.Denied,
		facts.Reversed, facts.Voided, facts.Replaced, facts.Document, changeOverdue)
}

// AlertBill is a bill with an update. Amounts are in dollars.
type AlertBill struct {
	ID                string     `json:"id" doc:"ID of the bill's page"`
	FTIN              string     `json:"ftin"`
	BillControlNumber string     `json:"billControlNumber"`
	PatientFirstName  string     `json:"patientFirstName"`
	PatientMiddleName string     `json:"patientMiddleName"`
	PatientLastName   string     `json:"patientLastName"`
	ClaimNumber       string     `json:"claimNumber"`
	BeginServiceDate  date.Date  `json:"beginServiceDate" format:"date" nullable:"true"`
	PayerName         string     `json:"payerName"`
	Charge            float64    `json:"charge"`
	Allowance         *float64   `json:"allowance" doc:"Set by the network"`
	Paid              *float64   `json:"paid"`
	Change            billChange `json:"change"`
	At                *time.Time `json:"at" nullable:"true" doc:"When the portal recorded it"`
	On                date.Date  `json:"on" format:"date" nullable:"true" doc:"When it happened, or the payer's deadline if OVERDUE"`
}

// AlertBills is a page of the list.
type AlertBills struct {
	Bills []AlertBill `json:"bills" nullable:"false" doc:"Newest change first"`
	Next  string      `json:"next" doc:"Cursor of the next page. Empty on the last page"`
}

// WatchChange follows or unfollows bills or their claims.
type WatchChange struct {
	Bills   []string `json:"bills" doc:"1 to 500 page IDs"`
	Of      string   `json:"of" doc:"bill, or claim for all bills of their claims"`
	Watched bool     `json:"watched"`
}

// Watches are the bills and claims the user follows.
type Watches struct {
	Watches []WatchOf `json:"watches" nullable:"false" doc:"Up to 2,000, by TIN, kind and number"`
}

// WatchOf is a bill or claim the user follows.
type WatchOf struct {
	ID               string    `json:"id"`
	Of               string    `json:"of" enum:"bill,claim"`
	FTIN             string    `json:"ftin"`
	Number           string    `json:"number" doc:"Number of the bill or claim"`
	Page             string    `json:"page" doc:"ID of the bill's page. Empty for a claim, or if the bill no longer exists"`
	PatientFirstName string    `json:"patientFirstName"`
	PatientLastName  string    `json:"patientLastName"`
	PayerName        string    `json:"payerName"`
	At               time.Time `json:"at" doc:"Since when"`
}

// WatchedBill reports whether the user follows a bill and its claim.
type WatchedBill struct {
	Bill  bool `json:"bill"`
	Claim bool `json:"claim"`
}

// Mails are the schedule and kinds of update emails.
type Mails struct {
	Digest     string   `json:"digest" doc:"daily, mondays or never"`
	Days       []int    `json:"days,omitempty" maxItems:"20" doc:"Weekdays of daily emails, 0 is Sunday. Defaults to Monday to Friday"`
	Hour       int      `json:"hour" doc:"Hour from 0 to 23. Emails go out at half past, in the business's time zone"`
	Kinds      []string `json:"kinds,omitempty" maxItems:"20" doc:"Empty for all"`
	TINs       []string `json:"tins,omitempty" maxItems:"1000" doc:"Empty for all your TINs"`
	QuietWeeks bool     `json:"quietWeeks,omitempty" doc:"Send an email after a week without changes"`
}

func (m Mails) mailing() Mailing {
	days := m.Days
	if days == nil {
		days = workdays
	}
	return Mailing{Digest: m.Digest, Days: days, Hour: m.Hour, Kinds: m.Kinds, TINs: m.TINs, QuietWeeks: m.QuietWeeks}
}

func toMails(m Mailing) Mails {
	return Mails(m)
}

// OwnMails are the user's email settings.
type OwnMails struct {
	Mails
	Watches   bool `json:"watches" doc:"Emails about bills and claims you follow, up to one per hour"`
	Questions bool `json:"questions" doc:"Emails about answers to your questions to the network, up to one per hour"`
}

// AlertSettings are the user's email settings and the available options.
type AlertSettings struct {
	OwnMails
	Asked   bool     `json:"asked" doc:"True if the choice was made. No emails are sent before that"`
	Email   string   `json:"email" doc:"Recipient address"`
	AllTINs []string `json:"allTins" nullable:"false" doc:"Your TINs"`
}

// NewMailbox is a new shared mailbox.
type NewMailbox struct {
	Mails
	Email string `json:"email" maxLength:"400"`
}

// GroupMailbox is a shared mailbox.
type GroupMailbox struct {
	Mails
	ID    int64      `json:"id"`
	Email string     `json:"email"`
	State string     `json:"state" enum:"waiting,on,link,refused" doc:"waiting: unconfirmed. link: unsubscribed. refused: mail rejected"`
	At    *time.Time `json:"at" nullable:"true" doc:"Since when"`
}

func toGroupMailbox(m Mailbox) GroupMailbox {
	out := GroupMailbox{Mails: toMails(m.Mailing), ID: m.ID, Email: m.Email, State: "waiting", At: &m.AddedAt.Time}
	if !m.ConfirmedAt.IsZero() {
		out.State, out.At = "on", &m.ConfirmedAt.Time
	}
	if !m.StoppedAt.IsZero() {
		out.State, out.At = m.StoppedWhy, &m.StoppedAt.Time
	}
	return out
}

const (
	windowPurpose = "window of alerts"
	placePurpose  = "place in alerts"
	undoPurpose   = "undo of seen alerts"
)

// Module returns the domain's module.
func (s *Service) Module() module.Module {
	return module.Module{Operations: s.Register, Jobs: s.Jobs, Cleanup: s.Cleanup, Retention: []retention.Item{
		retention.Until("when the account is terminated", "Followed bills, seen updates and email settings", "watches", "alerts_seen",
			"alert_settings"),
		retention.Until("7 days if not confirmed", "Shared office mailboxes", "group_mailboxes"),
		retention.Until("90 days", "Sent updates", "digests_sent"),
	}}
}

// Register adds the domain's operations.
func (s *Service) Register(api *httpapi.API) {
	s.registerToday(api)
	s.registerWatches(api)
	s.registerMails(api)
	s.registerLinks(api)
}

// window opens the sealed window of a list.
func (s *Service) window(sealed, field string) (w Window, err error) {
	if s.sealer.Open(windowPurpose, sealed, &w) != nil {
		err = validate.RefuseField("These figures are out of date.", field, "Reload the page.")
	}
	return w, err
}

func (s *Service) registerToday(api *httpapi.API) {
	httpapi.Register(api, httpapi.Operation{
		ID: "today", Method: http.MethodGet, Path: "/work/alerts", Summary: "Get changes to your bills since your last visit",
		Access: "work.bills", Effect: httpapi.Read, Expensive: true,
	}, func(ctx context.Context, in *struct {
		History bool `query:"history" doc:"Count the last 30 days instead, seen or not"`
	}) (*struct{ Body Alerts }, error) {
		list := s.Today
		if in.History {
			list = s.History
		}
		t, err := list(ctx, access.From(ctx))
		if err != nil {
			return nil, err
		}
		out := &struct{ Body Alerts }{Alerts{
			First: t.First, Since: t.Since.OrNone(), AsOf: t.AsOf, Asked: t.Asked, Answers: t.Questions.Answers,
			Replies: t.Questions.Replies, Counts: make([]AlertCount, len(t.Counts)),
			Stopped: make([]StoppedMailbox, len(t.Stopped)),
		}}
		for i, c := range t.Counts {
			out.Body.Counts[i] = AlertCount{c.Kind, c.Bills, money.Of(c.Amount)}
		}
		for i, m := range t.Stopped {
			out.Body.Stopped[i] = StoppedMailbox{m.ID, m.Email, m.StoppedWhy, m.StoppedAt.Time}
		}
		out.Body.Window, err = s.sealer.Seal(windowPurpose, t.Window)
		return out, err
	})

	httpapi.Register(api, httpapi.Operation{
		ID: "todayList", Method: http.MethodPost, Path: "/work/alerts/list", Summary: "List the bills of a figure in Today",
		Description: "Newest change first, one page at a time.",
		Access:      "work.bills", Effect: httpapi.Read, Expensive: true,
	}, func(ctx context.Context, in *struct{ Body AlertList }) (*struct{ Body AlertBills }, error) {
		w, err := s.window(in.Body.Window, "window")
		if err != nil {
			return nil, err
		}
		var after *Place
		if in.Body.After != "" {
			after = &Place{}
			if s.sealer.Open(placePurpose, in.Body.After, after) != nil {
				return nil, validate.RefuseField("Couldn't load the list.", "after", "Reload the list.")
			}
		}
		figure := Figure{Kind: in.Body.Kind, Window: w}
		list, next, err := s.List(ctx, access.From(ctx), figure, after, in.Body.Skip, cmp.Or(in.Body.Limit, 50))
		if err != nil {
			return nil, err
		}
		out := &struct{ Body AlertBills }{AlertBills{Bills: make([]AlertBill, len(list))}}
		for i, l := range list {
			out.Body.Bills[i] = AlertBill{
				ID: l.Page, FTIN: l.FTIN, BillControlNumber: l.BillControlNumber, PatientFirstName: l.PatientFirstName,
				PatientMiddleName: l.PatientMiddleName,
				PatientLastName:   l.PatientLastName, ClaimNumber: l.ClaimNumber, BeginServiceDate: l.BeginServiceDate,
				PayerName: l.PayerName,
				Charge:    money.Of(l.BillCharges), Allowance: money.OrNone(l.RecommendedAllowance), Paid: money.OrNone(l.PaidAmount),
				Change: billChange(l.Kind), At: l.At.OrNone(), On: l.OccurredOn,
			}
		}
		if next != nil {
			out.Body.Next, err = s.sealer.Seal(placePurpose, next)
		}
		return out, err
	})
	s.registerSeen(api)
}

func (s *Service) registerSeen(api *httpapi.API) {
	httpapi.Register(api, httpapi.Operation{
		ID: "todaySeen", Method: http.MethodPost, Path: "/work/alerts/seen", Summary: "Mark the updates in Today as seen",
		Access: "work.bills", Effect: httpapi.Write,
	}, func(ctx context.Context, in *struct {
		Body struct {
			UpTo string `json:"upTo" maxLength:"400" doc:"The window from Today"`
		}
	}) (*struct{ Body SeenUpdates }, error) {
		w, err := s.window(in.Body.UpTo, "upTo")
		if err != nil {
			return nil, err
		}
		out := &struct{ Body SeenUpdates }{}
		undo, err := s.MarkSeen(ctx, access.From(ctx), w)
		if err == nil && undo != nil {
			out.Body.Undo, err = s.sealer.Seal(undoPurpose, undo)
		}
		return out, err
	})

	httpapi.Register(api, httpapi.Operation{
		ID: "todayUnseen", Method: http.MethodPost, Path: "/work/alerts/unseen", Summary: "Undo marking updates as seen",
		Description: "Returns 409 if later updates have been marked as seen.",
		Access:      "work.bills", Effect: httpapi.Write,
	}, func(ctx context.Context, in *struct{ Body SeenUpdates }) (*struct{}, error) {
		var undo Undo
		if s.sealer.Open(undoPurpose, in.Body.Undo, &undo) != nil {
			return nil, errNoUndo()
		}
		return nil, s.MarkUnseen(ctx, access.From(ctx), undo)
	})
}

func (s *Service) registerWatches(api *httpapi.API) {
	httpapi.Register(api, httpapi.Operation{
		ID: "watches", Method: http.MethodGet, Path: "/work/watches", Summary: "List the bills and claims you follow",
		Access: "work.bills", Effect: httpapi.Read,
	}, func(ctx context.Context, _ *struct{}) (*struct{ Body Watches }, error) {
		list, err := s.ListFollowed(ctx, access.From(ctx))
		out := &struct{ Body Watches }{Watches{make([]WatchOf, len(list))}}
		for i, w := range list {
			watch := WatchOf{ID: w.ID, Of: OfClaim, FTIN: w.FTIN, Number: w.Number, Page: w.Page, At: w.At.Time}
			if w.Kind == watchKinds[OfBill] {
				watch.Of = OfBill
			}
			if b := w.Bill; b != nil {
				watch.PatientFirstName, watch.PatientLastName, watch.PayerName = b.PatientFirstName, b.PatientLastName, b.PayerName
			}
			out.Body.Watches[i] = watch
		}
		return out, err
	})

	httpapi.Register(api, httpapi.Operation{
		ID: "watch", Method: http.MethodPut, Path: "/work/watches", Summary: "Follow or unfollow bills or their claims",
		Description: "Takes 1 to 500 bills and ignores those that don't exist or aren't yours. Returns 404 if none remain.",
		Access:      "work.bills", Effect: httpapi.Write, MaxBytes: 256 << 10,
	}, func(ctx context.Context, in *struct{ Body WatchChange }) (*struct {
		Body struct {
			Bills int `json:"bills" doc:"Number of bills affected"`
		}
	}, error) {
		out := &struct {
			Body struct {
				Bills int `json:"bills" doc:"Number of bills affected"`
			}
		}{}
		var err error
		out.Body.Bills, err = s.SetFollowed(ctx, access.From(ctx), in.Body.Bills, in.Body.Of, in.Body.Watched)
		return out, err
	})

	httpapi.Register(api, httpapi.Operation{
		ID: "endWatch", Method: http.MethodDelete, Path: "/work/watches/{id}", Summary: "Unfollow a bill or claim",
		Access: "work.bills", Effect: httpapi.Write,
	}, func(ctx context.Context, in *struct {
		ID string `path:"id" maxLength:"400"`
	}) (*struct{}, error) {
		return nil, s.Unfollow(ctx, access.From(ctx), in.ID)
	})

	httpapi.Register(api, httpapi.Operation{
		ID: "watched", Method: http.MethodGet, Path: "/work/bills/{id}/watched", Summary: "Check whether you follow a bill and its claim",
		Access: "work.bills", Effect: httpapi.Read,
	}, func(ctx context.Context, in *struct {
		ID string `path:"id" maxLength:"1000"`
	}) (*struct{ Body WatchedBill }, error) {
		bill, claim, err := s.IsFollowing(ctx, access.From(ctx), in.ID)
		return &struct{ Body WatchedBill }{WatchedBill{bill, claim}}, err
	})
}

func (s *Service) registerMails(api *httpapi.API) {
	httpapi.Register(api, httpapi.Operation{
		ID: "alertSettings", Method: http.MethodGet, Path: "/work/alerts/settings", Summary: "Get your email settings",
		Access: "digest.own", Effect: httpapi.Read,
	}, func(ctx context.Context, _ *struct{}) (*struct{ Body AlertSettings }, error) {
		own, err := s.Settings(ctx, access.From(ctx))
		out := AlertSettings{OwnMails: OwnMails{toMails(own.Mailing), own.Watches, own.Questions}, Asked: own.Asked, Email: own.Email,
			AllTINs: append([]string{}, own.TINs...)}
		return &struct{ Body AlertSettings }{out}, err
	})

	httpapi.Register(api, httpapi.Operation{
		ID: "setAlertSettings", Method: http.MethodPut, Path: "/work/alerts/settings", Summary: "Update your email settings",
		Access: "digest.own", Effect: httpapi.Write,
	}, func(ctx context.Context, in *struct{ Body OwnMails }) (*struct{}, error) {
		return nil, s.SetSettings(ctx, access.From(ctx), in.Body.mailing(), Choices{in.Body.Watches, in.Body.Questions})
	})

	httpapi.Register(api, httpapi.Operation{
		ID: "mailboxes", Method: http.MethodGet, Path: "/work/mailboxes", Summary: "List your group's shared mailboxes",
		Access: "digest.group", Effect: httpapi.Read,
	}, func(ctx context.Context, _ *struct{}) (*httpapi.List[GroupMailbox], error) {
		list, err := s.Mailboxes(ctx, access.From(ctx))
		return httpapi.NewList(list, toGroupMailbox), err
	})

	httpapi.Register(api, httpapi.Operation{
		ID: "addMailbox", Method: http.MethodPost, Path: "/work/mailboxes", Summary: "Add a shared mailbox to your group",
		Description: "Up to 5. Active after someone opens the link emailed to it, within 7 days.",
		Access:      "digest.group", Effect: httpapi.Write,
	}, func(ctx context.Context, in *struct{ Body NewMailbox }) (*struct{}, error) {
		return nil, s.AddMailbox(ctx, access.From(ctx), in.Body.Email, in.Body.mailing())
	})

	httpapi.Register(api, httpapi.Operation{
		ID: "removeMailbox", Method: http.MethodDelete, Path: "/work/mailboxes/{id}", Summary: "Remove a shared mailbox from your group",
		Access: "digest.group", Effect: httpapi.Write,
	}, func(ctx context.Context, in *struct {
		ID int64 `path:"id"`
	}) (*struct{}, error) {
		return nil, s.RemoveMailbox(ctx, access.From(ctx), in.ID)
	})
}

type done struct {
	Body string `enum:"success"`
}

func (s *Service) registerLinks(api *httpapi.API) {
	httpapi.Register(api, httpapi.Operation{
		ID: "confirmMailbox", Method: http.MethodPost, Path: "/public/confirmMailbox", Summary: "Confirm a shared mailbox",
		Description: "Fails with INVALID_TOKEN or EXPIRED_TOKEN.",
		Access:      httpapi.Public, Effect: httpapi.Write,
	}, func(ctx context.Context, in *struct {
		Body struct {
			Token string `json:"token" maxLength:"400" doc:"Token from the emailed link"`
		}
	}) (*done, error) {
		return &done{"success"}, s.ConfirmMailbox(ctx, in.Body.Token)
	})

	httpapi.Register(api, httpapi.Operation{
		ID: "stopMails", Method: http.MethodPost, Path: "/public/stopMails", Summary: "Unsubscribe from the updates of an emailed link",
		Description: "Safe to repeat. Fails with INVALID_TOKEN.",
		Access:      httpapi.Public, Effect: httpapi.Write,
	}, func(ctx context.Context, in *struct {
		Body struct {
			Token string `json:"token" maxLength:"400" doc:"Token from the emailed link"`
		}
	}) (*done, error) {
		return &done{"success"}, s.StopMails(ctx, in.Body.Token)
	})
}
