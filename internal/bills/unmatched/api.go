package unmatched

import (
	"context"
	"net/http"
	"strconv"
	"time"

	"wcpp/internal/access"
	"wcpp/internal/bills/ledger"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/dollars"
	"wcpp/internal/platform/httpapi"
	"wcpp/internal/platform/module"
)

// MatchBill is a bill beside which payments are looked after.
type MatchBill struct {
	ID        string    `json:"id" doc:"Names the bill's page"`
	FTIN      string    `json:"ftin" doc:"Empty: the file names the payee by NPI only, and no office's bill proves whose the payment is"`
	NPI       string    `json:"npi" doc:"Of the payee or facility"`
	Number    string    `json:"number"`
	Claimant  string    `json:"claimant"`
	Account   string    `json:"account" doc:"Patient control number"`
	ServiceOn date.Date `json:"serviceOn" format:"date" nullable:"true"`
	Charges   float64   `json:"charges" doc:"Decimal dollars"`
	Paid      *float64  `json:"paid" doc:"Decimal dollars; null: nothing"`
	PaidOn    date.Date `json:"paidOn" format:"date" nullable:"true"`
	Check     string    `json:"check"`
	Payer     string    `json:"payer"`
}

func billOf(l Listed) MatchBill {
	b := MatchBill{
		ID: l.Page, FTIN: l.FTIN, NPI: l.FacilityNPI, Number: l.BillControlNumber, Claimant: l.PatientFirstName + " " + l.PatientLastName, Account: l.PatientControlNumber,
		ServiceOn: l.BeginServiceDate, Charges: dollars.Of(l.BillCharges), PaidOn: l.PaidDate, Check: l.CheckNumber, Payer: l.PayerName,
	}
	if l.PaidAmount != nil {
		paid := dollars.Of(*l.PaidAmount)
		b.Paid = &paid
	}
	return b
}

// MatchPage is a part of the bills that are known from payments only.
type MatchPage struct {
	Bills []MatchBill `json:"bills" nullable:"false" doc:"Those without a TIN first; then TIN by TIN, the oldest service first; at most 25"`
	Next  string      `json:"next" doc:"After which the next are; empty at the end"`
}

// BillDifference is why nothing ties a payment to a bill.
type BillDifference struct {
	What string `json:"what" enum:"LAST_NAME,FIRST_NAME,BIRTH_DATE,ACCOUNT,DAY,CHARGE"`
	Paid string `json:"paid" doc:"What the payment tells; of CHARGE in decimal dollars"`
	Sent string `json:"sent" doc:"What the bill tells"`
}

func differenceOf(d ledger.Difference) BillDifference {
	if d.What == ledger.DiffersCharge {
		d.Paid, d.Sent = inDollars(d.Paid), inDollars(d.Sent)
	}
	return BillDifference(d)
}

// inDollars writes cents as 12.34.
func inDollars(cents string) string {
	n, _ := strconv.ParseInt(cents, 10, 64) // written by the ledger
	return strconv.FormatFloat(dollars.Of(n), 'f', 2, 64)
}

// MatchCandidate is a bill that a payment could be meant for.
type MatchCandidate struct {
	Bill        MatchBill        `json:"bill"`
	Differences []BillDifference `json:"differences" nullable:"false" doc:"None: several bills are so"`
	Joinable    bool             `json:"joinable" doc:"They differ in one thing at most"`
}

// MatchCandidates are those of a payment, which differ least first; at most 20.
type MatchCandidates struct {
	Made       MatchBill        `json:"made" doc:"What the payment tells"`
	Candidates []MatchCandidate `json:"candidates" nullable:"false"`
}

// PaymentJoin is what somebody said of a payment.
type PaymentJoin struct {
	FTIN       string     `json:"ftin" doc:"Empty: of a payment without a TIN that is left as it is"`
	NPI        string     `json:"npi" doc:"Of the payee, of a payment that no bill proved"`
	Payment    string     `json:"payment" doc:"Identifies the payment in the TIN"`
	Check      string     `json:"check"`
	Paid       float64    `json:"paid" doc:"Decimal dollars"`
	PaidOn     date.Date  `json:"paidOn" format:"date" nullable:"true"`
	Bill       string     `json:"bill" doc:"The number of the bill that shows the payment now"`
	Left       bool       `json:"left" doc:"It is left as it is"`
	Difference string     `json:"difference" enum:",LAST_NAME,FIRST_NAME,BIRTH_DATE,ACCOUNT,DAY,CHARGE" doc:"In what it differs from the bill that it was joined to; empty: in nothing, or it is left"`
	By         string     `json:"by"`
	At         time.Time  `json:"at"`
	UndoneBy   string     `json:"undoneBy"`
	UndoneAt   *time.Time `json:"undoneAt" nullable:"true" doc:"null: it is in force"`
}

func joinOf(j ledger.Said) PaymentJoin {
	return PaymentJoin{j.FTIN, j.NPI, j.Payment, j.Of.TraceNumber, dollars.Of(j.Of.Paid), j.Of.PaidDate, j.Bill, j.Submission == "", j.Difference, j.By, j.At.Time, j.UndoneBy, j.UndoneAt.OrNone()}
}

// Module is what the area brings to the program.
func (s *Service) Module() module.Module { return module.Module{Operations: s.Register} }

type billNamed struct {
	Body struct {
		ID string `json:"id" doc:"Names the bill's page"`
	}
}

// Register adds the area's operations.
func (s *Service) Register(api *httpapi.API) {
	s.registerLists(api)
	s.registerDuplicates(api)
	httpapi.Register(api, httpapi.Operation{
		ID: "joinPayment", Method: http.MethodPost, Path: "/desk/feeds/joins", Summary: "Join a payment to the bill that it is meant for",
		Description: "409 where they differ in more than one thing, the payment has a bill, or the other was not sent.",
		Access:      "feeds.manage", Effect: httpapi.Write,
	}, func(ctx context.Context, in *struct {
		Body struct {
			ID string `json:"id" doc:"Names the page of the bill that is known from the payment"`
			To string `json:"to" doc:"Names the page of the bill that was sent"`
		}
	}) (*struct{}, error) {
		return nil, s.Join(ctx, access.From(ctx), in.Body.ID, in.Body.To)
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "leavePayment", Method: http.MethodPost, Path: "/desk/feeds/unmatched/leave", Summary: "Leave a payment without a bill as it is",
		Access: "feeds.manage", Effect: httpapi.Write,
	}, func(ctx context.Context, in *billNamed) (*struct{}, error) {
		return nil, s.Leave(ctx, access.From(ctx), in.Body.ID)
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "undoPaymentJoin", Method: http.MethodPost, Path: "/desk/feeds/joins/undo", Summary: "Take back what was said of a payment",
		Description: "Its bills are again as they were without it. 409 where it was taken back already.",
		Access:      "feeds.manage", Effect: httpapi.Write,
	}, func(ctx context.Context, in *struct {
		Body struct {
			FTIN    string `json:"ftin" maxLength:"9"`
			Payment string `json:"payment" maxLength:"64"`
		}
	}) (*struct{}, error) {
		return nil, s.Undo(ctx, access.From(ctx), in.Body.FTIN, in.Body.Payment)
	})
}

func (s *Service) registerLists(api *httpapi.API) {
	httpapi.Register(api, httpapi.Operation{
		ID: "unmatchedMoney", Method: http.MethodPost, Path: "/desk/feeds/unmatched", Summary: "Bills that are known from payments only",
		Description: "The listing is written down before it is answered; offices read it in their access history.",
		Access:      "feeds.watch", Effect: httpapi.Read,
	}, func(ctx context.Context, in *struct {
		Body struct {
			After string `json:"after,omitempty" doc:"Where the part before ended; empty: from the first"`
		}
	}) (*struct{ Body MatchPage }, error) {
		list, next, err := s.List(ctx, in.Body.After)
		page := MatchPage{Bills: make([]MatchBill, len(list)), Next: next}
		for i, l := range list {
			page.Bills[i] = billOf(l)
		}
		return &struct{ Body MatchPage }{page}, err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "matchCandidates", Method: http.MethodPost, Path: "/desk/feeds/unmatched/candidates", Summary: "Bills that a payment could be meant for, and why nothing ties it to them",
		Description: "The opening is written down before it is answered.",
		Access:      "feeds.watch", Effect: httpapi.Read,
	}, func(ctx context.Context, in *billNamed) (*struct{ Body MatchCandidates }, error) {
		made, list, err := s.Candidates(ctx, in.Body.ID)
		out := MatchCandidates{Made: billOf(made), Candidates: make([]MatchCandidate, len(list))}
		for i, c := range list {
			out.Candidates[i] = MatchCandidate{billOf(c.Listed), make([]BillDifference, len(c.Differences)), c.Joinable()}
			for n, d := range c.Differences {
				out.Candidates[i].Differences[n] = differenceOf(d)
			}
		}
		return &struct{ Body MatchCandidates }{out}, err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "paymentJoins", Method: http.MethodGet, Path: "/desk/feeds/joins", Summary: "What was said of payments last, the newest first",
		Description: "At most 200.",
		Access:      "feeds.watch", Effect: httpapi.Read,
	}, func(ctx context.Context, _ *struct{}) (*httpapi.List[PaymentJoin], error) {
		list, err := s.Joins(ctx)
		return httpapi.ListOf(list, joinOf), err
	})
}
