package unmatched

import (
	"context"
	"net/http"
	"time"

	"wcpp/internal/access"
	"wcpp/internal/bills/ledger"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/dollars"
	"wcpp/internal/platform/httpapi"
)

// DuplicateCheck is one of two checks of one number.
type DuplicateCheck struct {
	Number    string    `json:"number"`
	PaidOn    date.Date `json:"paidOn" format:"date" nullable:"true"`
	Payer     string    `json:"payer"`
	Amount    float64   `json:"amount" doc:"Decimal dollars; where the check pays several payees, what this TIN's part comes to"`
	Bills     int       `json:"bills"`
	FirstSeen time.Time `json:"firstSeen" doc:"When a file brought it first"`
}

func duplicateCheckOf(r ledger.Remittance) DuplicateCheck {
	amount := r.Paid - r.Adjusted
	if r.Amount != nil {
		amount = *r.Amount
	}
	return DuplicateCheck{r.TraceNumber, r.PaidOn, r.PayerName, dollars.Of(amount), r.Bills, r.FirstSeenAt.Time}
}

// PossibleDuplicate is a check that is not counted until staff decide.
type PossibleDuplicate struct {
	ID     string         `json:"id" doc:"Names it with the check that counts"`
	FTIN   string         `json:"ftin"`
	Check  DuplicateCheck `json:"check"`
	Counts DuplicateCheck `json:"counts" doc:"The check that counts"`
}

// PossibleDuplicates are those that are listed.
type PossibleDuplicates struct {
	Checks []PossibleDuplicate `json:"checks" nullable:"false" doc:"TIN by TIN, at most 100"`
	More   bool                `json:"more" doc:"There are more: they are listed once some of these are decided"`
}

// DuplicateDecision is what somebody of the staff decided.
type DuplicateDecision struct {
	ID       string     `json:"id"`
	FTIN     string     `json:"ftin"`
	Number   string     `json:"number" doc:"Of the two checks"`
	PaidOn   date.Date  `json:"paidOn" format:"date" nullable:"true"`
	Payer    string     `json:"payer"`
	Same     bool       `json:"same" doc:"They are the same check; else two"`
	By       string     `json:"by"`
	At       time.Time  `json:"at"`
	UndoneBy string     `json:"undoneBy"`
	UndoneAt *time.Time `json:"undoneAt" nullable:"true" doc:"null: it is in force"`
}

func decisionOf(d Decision) DuplicateDecision {
	return DuplicateDecision{
		d.ID, d.FTIN, d.Check.TraceNumber, d.Check.PaidOn, d.Check.PayerName, d.Same, d.By, d.At.Time, d.UndoneBy, d.UndoneAt.OrNone(),
	}
}

// DecisionMade names a new decision.
type DecisionMade struct {
	ID string `json:"id"`
}

func (s *Service) registerDuplicates(api *httpapi.API) {
	httpapi.Register(api, httpapi.Operation{
		ID: "possibleDuplicates", Method: http.MethodPost, Path: "/desk/feeds/duplicates", Summary: "Checks that are possible duplicates",
		Description: "The listing is written down before it is answered; offices read it in their access history.",
		Access:      "feeds.watch", Effect: httpapi.Read,
	}, func(ctx context.Context, _ *struct{}) (*struct{ Body PossibleDuplicates }, error) {
		list, more, err := s.Duplicates(ctx)
		page := PossibleDuplicates{Checks: make([]PossibleDuplicate, len(list)), More: more}
		for i, d := range list {
			page.Checks[i] = PossibleDuplicate{d.ID, d.Check.FTIN, duplicateCheckOf(d.Check), duplicateCheckOf(d.Counts)}
		}
		return &struct{ Body PossibleDuplicates }{page}, err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "decideDuplicate", Method: http.MethodPost, Path: "/desk/feeds/duplicates/decide", Summary: "Decide whether two checks are the same",
		Description: "409 where somebody decided meanwhile, or a file changed what is known of them.",
		Access:      "feeds.manage", Effect: httpapi.Write,
	}, func(ctx context.Context, in *struct {
		Body struct {
			ID   string `json:"id" doc:"As the list answers it"`
			Same bool   `json:"same" doc:"They are the same check; else two"`
		}
	}) (*struct{ Body DecisionMade }, error) {
		id, err := s.Decide(ctx, access.From(ctx), in.Body.ID, in.Body.Same)
		return &struct{ Body DecisionMade }{DecisionMade{id}}, err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "duplicateDecisions", Method: http.MethodGet, Path: "/desk/feeds/duplicates/decisions", Summary: "What was decided on possible duplicates last, the newest first",
		Description: "At most 200.",
		Access:      "feeds.watch", Effect: httpapi.Read,
	}, func(ctx context.Context, _ *struct{}) (*httpapi.List[DuplicateDecision], error) {
		list, err := s.Decisions(ctx)
		return httpapi.ListOf(list, decisionOf), err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "undoDuplicateDecision", Method: http.MethodPost, Path: "/desk/feeds/duplicates/undo", Summary: "Undo a decision on two checks",
		Description: "The check is judged as if nobody had decided. 409 where the decision is undone already.",
		Access:      "feeds.manage", Effect: httpapi.Write,
	}, func(ctx context.Context, in *struct {
		Body struct {
			ID string `json:"id" doc:"As the list of decisions answers it"`
		}
	}) (*struct{}, error) {
		return nil, s.UndoDecision(ctx, access.From(ctx), in.Body.ID)
	})
}
