package deadlines

import (
	"context"
	"math"
	"net/http"
	"time"

	"wcpp/internal/access"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/dollars"
	"wcpp/internal/platform/httpapi"
	"wcpp/internal/platform/identifiers"
	"wcpp/internal/platform/kept"
	"wcpp/internal/platform/module"
)

// RuleTerms are what a rule sets and where that stands.
type RuleTerms struct {
	Kind        string  `json:"kind" enum:"PAYER_ANSWER,PAYER_PAY,FOLLOW_UP_FROM,OFFICE_RECONSIDER,PAYER_RECONSIDER,OFFICE_DISPUTE,INTEREST" doc:"What it sets a time for; FOLLOW_UP_FROM and INTEREST: what begins"`
	Basis       string  `json:"basis" enum:"SERVICE,RECEIVED,PAYER_RECEIVED,EOR_AVAILABLE,EOR_OPENED,PAID,CASE_SENT" doc:"The day that it counts from"`
	Amount      int     `json:"amount"`
	Unit        string  `json:"unit" enum:"DAYS,BUSINESS_DAYS,MONTHS"`
	NextWorkday bool    `json:"nextWorkday" doc:"A last day without work is moved to the next one with"`
	Condition   string  `json:"condition" enum:",ELECTRONIC,PAPER,PUBLIC,NON_NETWORK,CONTRACT" doc:"Of bills that it holds for; empty: all; CONTRACT goes before the others"`
	Rate        float64 `json:"rate" doc:"Of interest: percent a month; 0: not on file"`
	Citation    string  `json:"citation" doc:"Where the rule stands"`
	URL         string  `json:"url" doc:"Its text on the web"`
	Text        string  `json:"text" doc:"In own words"`
	ReviewedBy  string  `json:"reviewedBy" doc:"Who says that it is right; empty: nobody yet"`
}

func termsOf(r Rule) RuleTerms {
	return RuleTerms{r.Kind, r.Basis, r.Amount, r.Unit, r.NextWorkday, r.Condition, float64(r.RateBP) / 100, r.Citation, r.URL, r.Text, r.ReviewedBy}
}

// RuleEdit is a rule as the staff set it.
type RuleEdit struct {
	RuleTerms
	State     string    `json:"state" example:"TX"`
	Line      string    `json:"line" enum:"WC,AUTO" doc:"Workers' compensation, auto"`
	Status    string    `json:"status" enum:"DRAFT,ACTIVE" doc:"DRAFT: counts for nothing"`
	Effective date.Date `json:"effective" format:"date" doc:"Holds for times counted from this day"`
	Ended     date.Date `json:"ended,omitempty" doc:"To this one"`
	Version   int64     `json:"version" doc:"The version that it takes the place of"`
}

// DeadlineRule is a rule as the staff see it.
type DeadlineRule struct {
	RuleEdit
	ID         string     `json:"id"`
	ReviewedOn date.Date  `json:"reviewedOn,omitempty"`
	UpdatedAt  *time.Time `json:"updatedAt" nullable:"true" doc:"null: a draft as the portal brings it"`
	UpdatedBy  string     `json:"updatedBy"`
}

func wireRule(r Rule) DeadlineRule {
	return DeadlineRule{
		RuleEdit: RuleEdit{RuleTerms: termsOf(r), State: r.State, Line: r.Line, Status: r.Status, Effective: r.Effective, Ended: r.Ended, Version: r.Version},
		ID:       r.ID, ReviewedOn: r.ReviewedOn, UpdatedBy: r.UpdatedBy, UpdatedAt: r.UpdatedAt.OrNone(),
	}
}

func (e RuleEdit) rule(id string) Rule {
	return Rule{
		ID: id, State: e.State, Line: e.Line, Kind: e.Kind, Basis: e.Basis, Amount: e.Amount, Unit: e.Unit, NextWorkday: e.NextWorkday, Condition: e.Condition,
		RateBP: int(math.Round(e.Rate * 100)), Citation: e.Citation, URL: e.URL, Text: e.Text, Status: e.Status, Effective: e.Effective, Ended: e.Ended,
		ReviewedBy: e.ReviewedBy, Version: e.Version,
	}
}

// StateHoliday is a day on which a state does not work, beside the federal ones.
type StateHoliday struct {
	State string    `json:"state"`
	Day   date.Date `json:"day" format:"date"`
	Name  string    `json:"name"`
}

// DeskRules are what the staff see of rules.
type DeskRules struct {
	Rules    []DeadlineRule `json:"rules" nullable:"false"`
	Holidays []StateHoliday `json:"holidays" nullable:"false"`
	Counting bool           `json:"counting" doc:"Open bills are being counted anew"`
}

// DeadlineTrial are dates to try rules with.
type DeadlineTrial struct {
	State         string    `json:"state"`
	Line          string    `json:"line" enum:"WC,AUTO"`
	Service       date.Date `json:"service,omitempty"`
	Received      date.Date `json:"received,omitempty"`
	ReceivedSure  bool      `json:"receivedSure,omitempty" doc:"The repricer tells the day; else it is that of a file"`
	PayerReceived date.Date `json:"payerReceived,omitempty"`
	Paid          date.Date `json:"paid,omitempty"`
}

// DayBasis is the day that a time is counted from.
type DayBasis struct {
	On    date.Date `json:"on" format:"date"`
	From  string    `json:"from" enum:"bill,repricer,file,seen,payer,payment" doc:"Who or what tells it"`
	About bool      `json:"about" doc:"It stands for a day that is not known"`
}

// RuleOutcome is what a rule comes to.
type RuleOutcome struct {
	Rule  DeadlineRule `json:"rule"`
	On    date.Date    `json:"on" format:"date" nullable:"true" doc:"null: the rule sets no time"`
	Basis *DayBasis    `json:"basis,omitempty" doc:"Absent where it sets none"`
}

// BillDeadline is a time that a rule sets for a bill.
type BillDeadline struct {
	RuleTerms
	ReviewedOn date.Date `json:"reviewedOn" format:"date"`
	On         date.Date `json:"on" format:"date" doc:"The last day; of FOLLOW_UP_FROM and INTEREST the first"`
	DaysLeft   int       `json:"daysLeft" doc:"Below 0: it has passed"`
	From       DayBasis  `json:"from"`
}

// BillInterest is interest that could be due. The portal claims none.
type BillInterest struct {
	BillDeadline
	Until    date.Date `json:"until" format:"date" doc:"When the bill was paid, or today"`
	Interest *float64  `json:"interest" doc:"Simple, by the day, a month as 30 days; null: the rate is not on file"`
}

// BillDeadlines are those of a bill, or why there are none.
type BillDeadlines struct {
	Answer    string         `json:"answer" enum:"counted,nothing,noState,assumed,noLine,noRule,noDay"`
	State     string         `json:"state" doc:"Name of the state of jurisdiction"`
	Line      string         `json:"line" enum:",WC,AUTO"`
	Today     date.Date      `json:"today,omitempty" doc:"The day that days are counted to"`
	Deadlines []BillDeadline `json:"deadlines" nullable:"false"`
	Interest  []BillInterest `json:"interest" nullable:"false"`
}

// DeskDeadlines names the bill whose deadlines are opened at the desk.
type DeskDeadlines struct {
	ID string `json:"id" maxLength:"1000" doc:"Of the bill's page"`
}

func basisOf(b Basis) DayBasis { return DayBasis(b) }

func (c Card) deadline(d Deadline) BillDeadline {
	return BillDeadline{termsOf(d.Rule), d.Rule.ReviewedOn, d.On, int(d.On.Time().Sub(c.Today.Time()).Hours() / 24), basisOf(d.Basis)}
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
		out.Interest[i] = BillInterest{c.deadline(a.Deadline), a.Until, dollars.OrNone(a.Amount)}
	}
	return out
}

// Module is what the area brings to the program.
func (s *Service) Module() module.Module {
	return module.Module{Operations: s.Register, Jobs: s.Jobs, Keeps: []kept.Item{
		kept.Stays("Deadline rules, and how far they are counted", "jurisdiction_rules", "holidays", "deadline_versions", "deadline_runs", "due_recounts"),
	}}
}

// Register adds the area's operations.
func (s *Service) Register(api *httpapi.API) {
	httpapi.Register(api, httpapi.Operation{
		ID: "billDeadlines", Method: http.MethodGet, Path: "/work/bills/{id}/deadlines", Summary: "The deadlines of a bill, by the rules in force",
		Access: "deadlines.read", Effect: httpapi.Read,
	}, func(ctx context.Context, in *struct {
		ID string `path:"id" maxLength:"1000" doc:"Of the bill's page"`
	}) (*struct{ Body BillDeadlines }, error) {
		card, err := s.Card(ctx, access.From(ctx), in.ID)
		return &struct{ Body BillDeadlines }{wireCard(card)}, err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "deskDeadlines", Method: http.MethodPost, Path: "/desk/bills/deadlines", Summary: "The deadlines of a bill, for the staff",
		Description: "Needs a sitting, and is written down before it is answered.",
		Access:      "desk.open", Effect: httpapi.Read,
	}, func(ctx context.Context, in *struct{ Body DeskDeadlines }) (*struct{ Body BillDeadlines }, error) {
		card, err := s.CardAtDesk(ctx, access.From(ctx), in.Body.ID)
		return &struct{ Body BillDeadlines }{wireCard(card)}, err
	})
	s.registerRules(api)
	s.registerHolidays(api)
}

// registerRules adds the operations by which the staff look after rules.
func (s *Service) registerRules(api *httpapi.API) {
	httpapi.Register(api, httpapi.Operation{
		ID: "deskRules", Method: http.MethodGet, Path: "/desk/rules", Summary: "All rules of deadlines, drafts too, and the states' holidays",
		Access: "desk.open", Effect: httpapi.Read,
	}, func(ctx context.Context, _ *struct{}) (*struct{ Body DeskRules }, error) {
		desk, err := s.Desk(ctx)
		out := &struct{ Body DeskRules }{DeskRules{make([]DeadlineRule, len(desk.Rules)), make([]StateHoliday, len(desk.Holidays)), desk.Counting}}
		for i, r := range desk.Rules {
			out.Body.Rules[i] = wireRule(r)
		}
		for i, h := range desk.Holidays {
			out.Body.Holidays[i] = StateHoliday(h)
		}
		return out, err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "addRule", Method: http.MethodPost, Path: "/desk/rules", Summary: "Add a rule of deadlines, as a draft",
		Description: "Its status and version are passed over.",
		Access:      "deadlines.manage", Effect: httpapi.Write,
	}, func(ctx context.Context, in *struct{ Body RuleEdit }) (*struct{ Body DeadlineRule }, error) {
		r, err := s.Add(ctx, access.From(ctx), in.Body.rule(""))
		return &struct{ Body DeadlineRule }{wireRule(r)}, err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "saveRule", Method: http.MethodPut, Path: "/desk/rules/{id}", Summary: "Change, confirm or end a rule of deadlines",
		Description: "ACTIVE confirms it, in the name of reviewedBy, as of today. 409 where the rule has another version by now. The rule before stays in the audit log.",
		Access:      "deadlines.manage", Effect: httpapi.Write,
	}, func(ctx context.Context, in *struct {
		ID   string `path:"id" maxLength:"60"`
		Body RuleEdit
	}) (*struct{ Body DeadlineRule }, error) {
		r, err := s.Save(ctx, access.From(ctx), in.Body.rule(in.ID))
		return &struct{ Body DeadlineRule }{wireRule(r)}, err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "tryRules", Method: http.MethodPost, Path: "/desk/rules/try", Summary: "What the rules of a state and line come to for some dates",
		Description: "Drafts too. Nothing is stored.",
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
				basis := basisOf(t.Deadline.Basis)
				out.Body[i].On, out.Body[i].Basis = t.Deadline.On, &basis
			}
		}
		return out, err
	})
}

// registerHolidays adds the operations by which the staff set days without work.
func (s *Service) registerHolidays(api *httpapi.API) {
	httpapi.Register(api, httpapi.Operation{
		ID: "setHoliday", Method: http.MethodPut, Path: "/desk/holidays", Summary: "Set a day on which a state does not work",
		Access: "deadlines.manage", Effect: httpapi.Write,
	}, func(ctx context.Context, in *struct{ Body StateHoliday }) (*struct{}, error) {
		return nil, s.SetHoliday(ctx, access.From(ctx), Holiday(in.Body))
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "removeHoliday", Method: http.MethodDelete, Path: "/desk/holidays/{state}/{day}", Summary: "Have a state work on a day",
		Access: "deadlines.manage", Effect: httpapi.Write,
	}, func(ctx context.Context, in *struct {
		State string    `path:"state" maxLength:"2"`
		Day   date.Date `path:"day" format:"date"`
	}) (*struct{}, error) {
		return nil, s.RemoveHoliday(ctx, access.From(ctx), in.State, in.Day)
	})
}
