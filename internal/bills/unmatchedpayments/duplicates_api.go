package unmatchedpayments

import (
	"context"
	"net/http"
	"time"

	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/identity/access"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/httpapi"
	"wcpp/internal/platform/money"
)

// DuplicateCheck is one of two checks with the same number.
type DuplicateCheck struct {
	Number    string    `json:"number"`
	PaidOn    date.Date `json:"paidOn" format:"date" nullable:"true"`
	Payer     string    `json:"payer"`
	Amount    float64   `json:"amount" doc:"Decimal dollars. If the check pays several payees, this TIN's share"`
	Bills     int       `json:"bills"`
	FirstSeen time.Time `json:"firstSeen" doc:"When it was first imported"`
}

func newDuplicateCheck(r facts.Remittance) DuplicateCheck {
	amount := r.Paid - r.Adjusted
	if r.Amount != nil {
		amount = *r.Amount
	}
	return DuplicateCheck{r.TraceNumber, r.PaidOn, r.PayerName, money.Of(amount), r.Bills, r.FirstSeenAt.Time}
}

// PossibleDuplicate is a check that isn't counted until staff decide.
type PossibleDuplicate struct {
	ID     string         `json:"id" doc:"ID of this pair of checks"`
	FTIN   string         `json:"ftin"`
	Check  DuplicateCheck `json:"check"`
	Counts DuplicateCheck `json:"counts" doc:"The counted check"`
}

// PossibleDuplicates is the list of possible duplicates.
type PossibleDuplicates struct {
	Checks []PossibleDuplicate `json:"checks" nullable:"false" doc:"By TIN, up to 100"`
	More   bool                `json:"more" doc:"True if there are more. They're listed after you decide some of these"`
}

// DuplicateDecision is a staff decision about a possible duplicate.
type DuplicateDecision struct {
	ID       string     `json:"id"`
	FTIN     string     `json:"ftin"`
	Number   string     `json:"number" doc:"ID of the pair of checks"`
	PaidOn   date.Date  `json:"paidOn" format:"date" nullable:"true"`
	Payer    string     `json:"payer"`
	Same     bool       `json:"same" doc:"True if they're the same check"`
	By       string     `json:"by"`
	At       time.Time  `json:"at"`
	UndoneBy string     `json:"undoneBy"`
	UndoneAt *time.Time `json:"undoneAt" nullable:"true" doc:"Null if not undone"`
}

func newDuplicateDecision(d Decision) DuplicateDecision {
	return DuplicateDecision{
		d.ID, d.FTIN, d.Check.TraceNumber, d.Check.PaidOn, d.Check.PayerName, d.Same, d.By, d.At.Time, d.UndoneBy, d.UndoneAt.OrNone(),
	}
}

// DecisionMade identifies a new decision.
type DecisionMade struct {
	ID string `json:"id"`
}

func (s *Service) registerDuplicates(api *httpapi.API) {
	httpapi.Register(api, httpapi.Operation{
		ID: "possibleDuplicates", Method: http.MethodPost, Path: "/desk/feeds/duplicates", Summary: "List possible duplicate checks",
		Description: "The view is added to the audit log first.",
		Access:      "feeds.watch", Effect: httpapi.Read,
	}, func(ctx context.Context, _ *struct{}) (*struct{ Body PossibleDuplicates }, error) {
		list, more, err := s.Duplicates(ctx)
		page := PossibleDuplicates{Checks: make([]PossibleDuplicate, len(list)), More: more}
		for i, d := range list {
			page.Checks[i] = PossibleDuplicate{d.ID, d.Check.FTIN, newDuplicateCheck(d.Check), newDuplicateCheck(d.Counts)}
		}
		return &struct{ Body PossibleDuplicates }{page}, err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "decideDuplicate", Method: http.MethodPost, Path: "/desk/feeds/duplicates/decide",
		Summary:     "Decide whether two checks are duplicates",
		Description: "Returns 409 if someone else decided first or a file changed them.",
		Access:      "feeds.manage", Effect: httpapi.Write,
	}, func(ctx context.Context, in *struct {
		Body struct {
			ID   string `json:"id" doc:"The ID from the list"`
			Same bool   `json:"same" doc:"True if they're the same check"`
		}
	}) (*struct{ Body DecisionMade }, error) {
		id, err := s.Decide(ctx, access.From(ctx), in.Body.ID, in.Body.Same)
		return &struct{ Body DecisionMade }{DecisionMade{id}}, err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "duplicateDecisions", Method: http.MethodGet, Path: "/desk/feeds/duplicates/decisions",
		Summary:     "List recent duplicate decisions, newest first",
		Description: "Up to 200.",
		Access:      "feeds.watch", Effect: httpapi.Read,
	}, func(ctx context.Context, _ *struct{}) (*httpapi.List[DuplicateDecision], error) {
		list, err := s.Decisions(ctx)
		return httpapi.NewList(list, newDuplicateDecision), err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "undoDuplicateDecision", Method: http.MethodPost, Path: "/desk/feeds/duplicates/undo", Summary: "Undo a duplicate decision",
		Description: "The check is evaluated again without the decision. Returns 409 if it was already undone.",
		Access:      "feeds.manage", Effect: httpapi.Write,
	}, func(ctx context.Context, in *struct {
		Body struct {
			ID string `json:"id" doc:"The ID from the list of decisions"`
		}
	}) (*struct{}, error) {
		return nil, s.UndoDecision(ctx, access.From(ctx), in.Body.ID)
	})
}
