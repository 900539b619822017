package deadlines

import (
	"context"
	"math"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"wcpp/internal/identity/access"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/httpapi"
	"wcpp/internal/platform/identifiers"
	"wcpp/internal/platform/module"
	"wcpp/internal/platform/money"
	"wcpp/internal/platform/retention"
)

// ruleKind is the kind of deadline that a rule sets.
type ruleKind string

// Schema describes the kinds.
func (ruleKind) Schema(huma.Registry) *huma.Schema {
	return httpapi.Enum("The deadline it sets. FOLLOW_UP_FROM and INTEREST set a start date", Kinds...)
}

// RuleTerms are the terms of a rule and their source.
type RuleTerms struct {
	Kind  ruleKind `json:"kind"`
	Basis string   `json:"basis" enum:"SERVICE,RECEIVED,PAYER_RECEIVED,EOR_AVAILABLE,EOR_OPENED,PAID,CASE_SENT" doc:"Date it starts from"`

	Amount      int     `json:"amount"`
	Unit        string  `json:"unit" enum:"DAYS,BUSINESS_DAYS,MONTHS"`
	NextWorkday bool    `json:"nextWorkday" doc:"If the deadline falls on a non-business day, it moves to the next business day"`
	Condition   string  `json:"condition" enum:",ELECTRONIC,PAPER,PUBLIC,NON_NETWORK,CONTRACT" doc:"Empty for all. CONTRACT overrides"`
	Rate        float64 `json:"rate" doc:"Interest in percent per month. 0 if not on file"`
	Citation    string  `json:"citation" doc:"Citation"`
	URL         string  `json:"url" doc:"Link to its text"`
	Text        string  `json:"text" doc:"Summary"`
	ReviewedBy  string  `json:"reviewedBy" doc:"Reviewer. Empty if not reviewed"`
}

func toTerms(r Rule) RuleTerms {
	return RuleTerms{
		ruleKind(r.Kind), r.Basis, r.Amount, r.Unit, r.NextWorkday, r.Condition, float64(r.RateBP) / 100, r.Citation, r.URL, r.Text,
		r.ReviewedBy,
	}
}

// RuleEdit is a rule as staff edit it.
type RuleEdit struct {
	RuleTerms
	State     string    `json:"state" example:"TX"`
	Line      string    `json:"line" enum:"WC,AUTO" doc:"Workers' compensation, auto"`
	Status    string    `json:"status" enum:"DRAFT,ACTIVE" doc:"DRAFT rules aren't applied"`
	Effective date.Date `json:"effective" format:"date" doc:"Applies to periods starting on or after this date"`
	Ended     date.Date `json:"ended,omitempty" doc:"Applies to periods starting on or before this date"`
	Version   int64     `json:"version" doc:"Version it replaces"`
}

// DeadlineRule is a rule as staff see it.
type DeadlineRule struct {
	RuleEdit
	ID         string     `json:"id"`
	ReviewedOn date.Date  `json:"reviewedOn,omitempty"`
	UpdatedAt  *time.Time `json:"updatedAt" nullable:"true" doc:"Null for a draft supplied with the portal"`
	UpdatedBy  string     `json:"updatedBy"`
}

func wireRule(r Rule) DeadlineRule {
	return DeadlineRule{
		RuleEdit: RuleEdit{RuleTerms: toTerms(r), State: r.State, Line: r.Line, Status: r.Status, Effective: r.Effective, Ended: r.Ended,
			Version: r.Version},
		ID: r.ID, ReviewedOn: r.ReviewedOn, UpdatedBy: r.UpdatedBy, UpdatedAt: r.UpdatedAt.OrNone(),
	}
}

func (e RuleEdit) rule(id string) Rule {
	return Rule{
		ID: id, State: e.State, Line: e.Line, Kind: string(e.Kind), Basis: e.Basis, Amount: e.Amount, Unit: e.Unit,
		NextWorkday: e.NextWorkday, Condition: e.Condition, RateBP: int(math.Round(e.Rate * 100)), Citation: e.Citation, URL: e.URL,
		Text: e.Text, Status: e.Status, Effective: e.Effective, Ended: e.Ended, ReviewedBy: e.ReviewedBy, Version: e.Version,
	}
}

// StateHoliday is a state holiday, in addition to the federal ones.
type StateHoliday struct {
	State string    `json:"state"`
	Day   date.Date `json:"day" format:"date"`
	Name  string    `json:"name"`
}

// DeskRules are the rules and holidays as staff see them.
type DeskRules struct {
	Rules    []DeadlineRule `json:"rules" nullable:"false"`
	Holidays []StateHoliday `json:"holidays" nullable:"false"`
	Counting bool           `json:"counting" doc:"True while deadlines of open bills are recalculated"`
}

// DeadlineTrial contains dates for trying rules.
type DeadlineTrial struct {
	State         string    `json:"state"`
	Line          string    `json:"line" enum:"WC,AUTO"`
	Service       date.Date `json:"service,omitempty"`
	Received      date.Date `json:"received,omitempty"`
	ReceivedSure  bool      `json:"receivedSure,omitempty" doc:"True if the date comes from the repricer, otherwise from a file"`
	PayerReceived date.Date `json:"payerReceived,omitempty"`
	Paid          date.Date `json:"paid,omitempty"`
}

// DayBasis is the day that a deadline is calculated from.
type DayBasis struct {
	On    date.Date `json:"on" format:"date"`
	From  string    `json:"from" enum:"bill,repricer,file,seen,payer,payment" doc:"Source of the date"`
	About bool      `json:"about" doc:"True if the date is an estimate"`
}

// RuleOutcome is the result of a rule.
type RuleOutcome struct {
	Rule  DeadlineRule `json:"rule"`
	On    date.Date    `json:"on" format:"date" nullable:"true" doc:"Null if the rule sets no period"`
	Basis *DayBasis    `json:"basis,omitempty" doc:"Absent if it sets no period"`
}

// BillDeadline is a deadline that a rule sets for a bill.
type BillDeadline struct {
	RuleTerms
	ReviewedOn date.Date `json:"reviewedOn" format:"date"`
	On         date.Date `json:"on" format:"date" doc:"The deadline, or for FOLLOW_UP_FROM and INTEREST the start date"`
	DaysLeft   int       `json:"daysLeft" doc:"Negative if it has passed"`
	From       DayBasis  `json:"from"`
}

// BillInterest is interest that could be due. The portal doesn't claim any.
type BillInterest struct {
	BillDeadline
	Until    date.Date `json:"until" format:"date" doc:"The payment date, or today"`
	Interest *float64  `json:"interest" doc:"Simple daily interest with 30-day months. Null if the rate isn't on file"`
}

// BillDeadlines are a bill's deadlines, or the reason why there are none.
type BillDeadlines struct {
	Answer    string         `json:"answer" enum:"counted,nothing,noState,assumed,noLine,noRule,noDay"`
	State     string         `json:"state" doc:"Name of the state of jurisdiction"`
	Line      string         `json:"line" enum:",WC,AUTO"`
	Today     date.Date      `json:"today,omitempty" doc:"The date remaining days are counted from"`
	Deadlines []BillDeadline `json:"deadlines" nullable:"false"`
	Interest  []BillInterest `json:"interest" nullable:"false"`
}

// DeskDeadlines identifies the bill for which staff open the deadlines.
type DeskDeadlines struct {
	ID string `json:"id" maxLength:"1000" doc:"ID of the bill's page"`
}

func (c Card) deadline(d Deadline) BillDeadline {
	return BillDeadline{toTerms(d.Rule), d.Rule.ReviewedOn, d.On, int(d.On.Time().Sub(c.Today.Time()).Hours() / 24), d.Basis}
}

func wireCard(c Card) BillDeadlines {
	out := BillDeadlines{
		Answer: c.Answer, State: identifiers.StateName(c.Bill.State), Line: c.Bill.Line, Today: c.Today,
		Deadlines: make([]BillDeadline, len(c.Deadlines)), Interest: make([]BillInterest, len(c.Interest)),
	}
	for i, d := range c.Deadlines {
		out.Deadlines[i] = c.deadline(d)
	}
	for i, a := range c.Interest {
		out.Interest[i] = BillInterest{c.deadline(a.Deadline), a.Until, money.OrNone(a.Amount)}
	}
	return out
}

// Module describes this domain to the program.
func (s *Service) Module() module.Module {
	return module.Module{Operations: s.Register, Jobs: s.Jobs, Retention: []retention.Item{
		retention.Forever("Deadline rules and their calculation progress", "jurisdiction_rules", "holidays", "deadline_versions",
			"deadline_runs", "due_recounts"),
	}}
}

// Register adds the deadline endpoints.
func (s *Service) Register(api *httpapi.API) {
	httpapi.Register(api, httpapi.Operation{
		ID: "billDeadlines", Method: http.MethodGet, Path: "/work/bills/{id}/deadlines",
		Summary: "Get a bill's deadlines under the active rules",
		Access:  "deadlines.read", Effect: httpapi.Read,
	}, func(ctx context.Context, in *struct {
		ID string `path:"id" maxLength:"1000" doc:"ID of the bill's page"`
	}) (*struct{ Body BillDeadlines }, error) {
		card, err := s.Card(ctx, access.From(ctx), in.ID)
		return &struct{ Body BillDeadlines }{wireCard(card)}, err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "deskDeadlines", Method: http.MethodPost, Path: "/desk/bills/deadlines", Summary: "Get a bill's deadlines for network staff",
		Description: "Requires a support session. Each view is logged first.",
		Access:      "desk.open", Effect: httpapi.Read,
	}, func(ctx context.Context, in *struct{ Body DeskDeadlines }) (*struct{ Body BillDeadlines }, error) {
		card, err := s.CardAtDesk(ctx, access.From(ctx), in.Body.ID)
		return &struct{ Body BillDeadlines }{wireCard(card)}, err
	})
	s.registerRules(api)
	s.registerHolidays(api)
}

// registerRules adds the endpoints for managing rules.
func (s *Service) registerRules(api *httpapi.API) {
	httpapi.Register(api, httpapi.Operation{
		ID: "deskRules", Method: http.MethodGet, Path: "/desk/rules",
		Summary: "List all deadline rules, including drafts, and state holidays",
		Access:  "desk.open", Effect: httpapi.Read, Background: true,
	}, func(ctx context.Context, _ *struct{}) (*struct{ Body DeskRules }, error) {
		desk, err := s.Desk(ctx)
		out := &struct {
			Body DeskRules
		}{DeskRules{make([]DeadlineRule, len(desk.Rules)), append([]StateHoliday{}, desk.Holidays...), desk.Counting}}
		for i, r := range desk.Rules {
			out.Body.Rules[i] = wireRule(r)
		}
		return out, err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "addRule", Method: http.MethodPost, Path: "/desk/rules", Summary: "Add a deadline rule as a draft",
		Description: "Ignores its status and version.",
		Access:      "deadlines.manage", Effect: httpapi.Write,
	}, func(ctx context.Context, in *struct{ Body RuleEdit }) (*struct{ Body DeadlineRule }, error) {
		r, err := s.Add(ctx, access.From(ctx), in.Body.rule(""))
		return &struct{ Body DeadlineRule }{wireRule(r)}, err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "saveRule", Method: http.MethodPut, Path: "/desk/rules/{id}", Summary: "Update, activate or end a deadline rule",
		Description: "ACTIVE activates it from today, on behalf of reviewedBy. Returns 409 if the rule has a newer version. The " +
			"previous rule stays in the audit log.",
		Access: "deadlines.manage", Effect: httpapi.Write,
	}, func(ctx context.Context, in *struct {
		ID   string `path:"id" maxLength:"60"`
		Body RuleEdit
	}) (*struct{ Body DeadlineRule }, error) {
		r, err := s.Save(ctx, access.From(ctx), in.Body.rule(in.ID))
		return &struct{ Body DeadlineRule }{wireRule(r)}, err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "tryRules", Method: http.MethodPost, Path: "/desk/rules/try", Summary: "Test the rules of a state and line of business",
		Description: "Includes drafts. Stores nothing.",
		Access:      "desk.open", Effect: httpapi.Read,
	}, func(ctx context.Context, in *struct{ Body DeadlineTrial }) (*httpapi.List[RuleOutcome], error) {
		b := in.Body
		list, err := s.Try(ctx, Facts{
			State: b.State, StateGiven: true, Line: b.Line, Service: b.Service, Received: b.Received, ReceivedSure: b.ReceivedSure,
			PayerReceived: b.PayerReceived, Paid: b.Paid,
		})
		out := &httpapi.List[RuleOutcome]{Body: make([]RuleOutcome, len(list))}
		for i, t := range list {
			out.Body[i] = RuleOutcome{Rule: wireRule(t.Rule)}
			if t.Sets {
				out.Body[i].On, out.Body[i].Basis = t.Deadline.On, &t.Deadline.Basis
			}
		}
		return out, err
	})
}

// registerHolidays adds the endpoints for managing state holidays.
func (s *Service) registerHolidays(api *httpapi.API) {
	httpapi.Register(api, httpapi.Operation{
		ID: "setHoliday", Method: http.MethodPut, Path: "/desk/holidays", Summary: "Add a state holiday",
		Access: "deadlines.manage", Effect: httpapi.Write,
	}, func(ctx context.Context, in *struct{ Body StateHoliday }) (*struct{}, error) {
		return nil, s.SetHoliday(ctx, access.From(ctx), in.Body)
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "removeHoliday", Method: http.MethodDelete, Path: "/desk/holidays/{state}/{day}", Summary: "Delete a state holiday",
		Access: "deadlines.manage", Effect: httpapi.Write,
	}, func(ctx context.Context, in *struct {
		State string    `path:"state" maxLength:"2"`
		Day   date.Date `path:"day" format:"date"`
	}) (*struct{}, error) {
		return nil, s.RemoveHoliday(ctx, access.From(ctx), in.State, in.Day)
	})
}
