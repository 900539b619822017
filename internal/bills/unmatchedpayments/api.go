package unmatchedpayments

import (
	"context"
	"net/http"
	"strconv"
	"time"

	"wcpp/internal/bills/ledger"
	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/bills/ledger/matching"
	"wcpp/internal/identity/access"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/httpapi"
	"wcpp/internal/platform/module"
	"wcpp/internal/platform/money"
)

// MatchBill is a bill in the unmatched payments queue.
type MatchBill struct {
	ID        string    `json:"id" doc:"ID of the bill's page"`
	FTIN      string    `json:"ftin" doc:"Empty if the file names the payee by NPI only and no office's bill matches the payment"`
	NPI       string    `json:"npi" doc:"Name of the payee or facility"`
	Number    string    `json:"number"`
	Claimant  string    `json:"claimant"`
	Account   string    `json:"account" doc:"Patient control number"`
	ServiceOn date.Date `json:"serviceOn" format:"date" nullable:"true"`
	Charges   float64   `json:"charges" doc:"Decimal dollars"`
	Paid      *float64  `json:"paid" doc:"Decimal dollars. Null if none"`
	PaidOn    date.Date `json:"paidOn" format:"date" nullable:"true"`
	Check     string    `json:"check"`
	Payer     string    `json:"payer"`
}

func newMatchBill(l facts.Bill, page string) MatchBill {
	b := MatchBill{
		ID: page, FTIN: l.FTIN, NPI: l.FacilityNPI, Number: l.BillControlNumber, Claimant: l.PatientFirstName + " " + l.PatientLastName,
		Account:   l.PatientControlNumber,
		ServiceOn: l.BeginServiceDate, Charges: money.Of(l.BillCharges), PaidOn: l.PaidDate, Check: l.CheckNumber, Payer: l.PayerName,
	}
	if l.PaidAmount != nil {
		paid := money.Of(*l.PaidAmount)
		b.Paid = &paid
	}
	return b
}

// UnmatchedPayment is a payment in the queue, with the bills that it may belong to.
type UnmatchedPayment struct {
	MatchBill
	Candidates []MatchCandidate `json:"candidates" nullable:"false" doc:"Up to 3, fewest differences first"`
	More       bool             `json:"more" doc:"True if there are other candidates"`
}

// MatchPage is a page of the bills known only from payments.
type MatchPage struct {
	Bills []UnmatchedPayment `json:"bills" nullable:"false" doc:"Largest payment first. Up to 25"`
	Next  string             `json:"next" doc:"Cursor of the next page. Empty on the last page"`
	Sums  UnmatchedSums      `json:"sums" doc:"Of the whole queue"`
}

// UnmatchedSums are the number and amount of the payments in the queue.
type UnmatchedSums struct {
	Payments int64   `json:"payments" doc:"Number of payments other than $0.00"`
	Paid     float64 `json:"paid" doc:"Their amount in decimal dollars"`
	Zero     int64   `json:"zero" doc:"Number of payments of $0.00"`
}

// BillDifference is a field in which a payment and a bill differ.
type BillDifference struct {
	What string `json:"what" enum:"LAST_NAME,FIRST_NAME,BIRTH_DATE,ACCOUNT,DAY,CHARGE"`
	Paid string `json:"paid" doc:"Value in the payment. CHARGE is in decimal dollars"`
	Sent string `json:"sent" doc:"Value in the bill"`
}

func newBillDifference(d matching.Difference) BillDifference {
	if d.What == matching.DiffersCharge {
		d.Paid, d.Sent = formatDollars(d.Paid), formatDollars(d.Sent)
	}
	return BillDifference(d)
}

// formatDollars formats cents as 12.34.
func formatDollars(cents string) string {
	n, _ := strconv.ParseInt(cents, 10, 64) // written by the ledger
	return strconv.FormatFloat(money.Of(n), 'f', 2, 64)
}

// MatchCandidate is a bill that a payment may belong to.
type MatchCandidate struct {
	Bill        MatchBill        `json:"bill"`
	Differences []BillDifference `json:"differences" nullable:"false" doc:"Empty if several bills match equally"`
	Joinable    bool             `json:"joinable" doc:"True if they differ in at most one value"`
}

func newMatchCandidates(list []Candidate) []MatchCandidate {
	out := make([]MatchCandidate, len(list))
	for i, c := range list {
		out[i] = MatchCandidate{newMatchBill(c.Bill, c.Page), make([]BillDifference, len(c.Differences)), c.CanMatch()}
		for n, d := range c.Differences {
			out[i].Differences[n] = newBillDifference(d)
		}
	}
	return out
}

// MatchCandidates are up to 20 candidates for a payment, fewest differences first.
type MatchCandidates struct {
	Made       MatchBill        `json:"made" doc:"Payment details"`
	Candidates []MatchCandidate `json:"candidates" nullable:"false"`
}

// JoinMade identifies a new match or dismissal, so that it can be undone.
type JoinMade struct {
	FTIN    string `json:"ftin" doc:"Empty for a dismissed payment without a TIN"`
	Payment string `json:"payment" doc:"ID of the payment within the TIN"`
}

func newJoinMade(j facts.Join, err error) (*struct{ Body JoinMade }, error) {
	return &struct{ Body JoinMade }{JoinMade{j.FTIN, j.Payment}}, err
}

// PaymentJoin is a staff decision about a payment.
type PaymentJoin struct {
	FTIN       string     `json:"ftin" doc:"Empty for a dismissed payment without a TIN"`
	NPI        string     `json:"npi" doc:"Payee NPI, for a payment without a TIN"`
	Payment    string     `json:"payment" doc:"ID of the payment within the TIN"`
	Check      string     `json:"check"`
	Paid       float64    `json:"paid" doc:"Decimal dollars"`
	PaidOn     date.Date  `json:"paidOn" format:"date" nullable:"true"`
	Bill       string     `json:"bill" doc:"Number of the bill that shows the payment"`
	Left       bool       `json:"left" doc:"True if the payment was dismissed"`
	Difference string     `json:"difference" enum:",LAST_NAME,FIRST_NAME,BIRTH_DATE,ACCOUNT,DAY,CHARGE" doc:"Empty if none or dismissed"`
	By         string     `json:"by"`
	At         time.Time  `json:"at"`
	UndoneBy   string     `json:"undoneBy"`
	UndoneAt   *time.Time `json:"undoneAt" nullable:"true" doc:"Null if not undone"`
}

func newPaymentJoin(j ledger.JoinSummary) PaymentJoin {
	return PaymentJoin{j.FTIN, j.NPI, j.Payment, j.Of.TraceNumber, money.Of(j.Of.Paid), j.Of.PaidDate, j.Bill, j.Submission == "",
		j.Difference, j.By, j.At.Time, j.UndoneBy, j.UndoneAt.OrNone()}
}

// Module returns the domain's module.
func (s *Service) Module() module.Module { return module.Module{Operations: s.Register} }

type billNamed struct {
	Body struct {
		ID string `json:"id" doc:"ID of the bill's page"`
	}
}

// Register adds the domain's operations.
func (s *Service) Register(api *httpapi.API) {
	s.registerLists(api)
	s.registerDuplicates(api)
	httpapi.Register(api, httpapi.Operation{
		ID: "joinPayment", Method: http.MethodPost, Path: "/desk/feeds/joins", Summary: "Match a payment to a bill",
		Description: "Returns 409 if they differ in more than one value, the payment already has a bill, or the other bill was never sent.",
		Access:      "feeds.manage", Effect: httpapi.Write,
	}, func(ctx context.Context, in *struct {
		Body struct {
			ID string `json:"id" doc:"ID of the page of the payment's bill"`
			To string `json:"to" doc:"ID of the page of the submitted bill"`
		}
	}) (*struct{ Body JoinMade }, error) {
		return newJoinMade(s.Match(ctx, access.From(ctx), in.Body.ID, in.Body.To))
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "leavePayment", Method: http.MethodPost, Path: "/desk/feeds/unmatched/leave", Summary: "Dismiss an unmatched payment",
		Access: "feeds.manage", Effect: httpapi.Write,
	}, func(ctx context.Context, in *billNamed) (*struct{ Body JoinMade }, error) {
		return newJoinMade(s.Dismiss(ctx, access.From(ctx), in.Body.ID))
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "undoPaymentJoin", Method: http.MethodPost, Path: "/desk/feeds/joins/undo", Summary: "Undo a payment match or dismissal",
		Description: "Restores the bills. Returns 409 if it was already undone.",
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
		ID: "unmatchedSums", Method: http.MethodGet, Path: "/desk/feeds/unmatched/sums",
		Summary: "Count unmatched payments and their amount",
		Access:  "feeds.watch", Effect: httpapi.Read, Background: true,
	}, func(ctx context.Context, _ *struct{}) (*struct{ Body UnmatchedSums }, error) {
		sums, err := s.Sum(ctx)
		return &struct{ Body UnmatchedSums }{UnmatchedSums{sums.Payments, money.Of(sums.Paid), sums.Zero}}, err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "unmatchedMoney", Method: http.MethodPost, Path: "/desk/feeds/unmatched", Summary: "List unmatched payments",
		Description: "The view is added to the audit log first.",
		Access:      "feeds.watch", Effect: httpapi.Read,
	}, func(ctx context.Context, in *struct {
		Body struct {
			After string `json:"after,omitempty" doc:"Cursor from the previous page. Empty for the first page"`
			Zero  bool   `json:"zero,omitempty" doc:"True for payments of $0.00, false for all others"`
		}
	}) (*struct{ Body MatchPage }, error) {
		list, next, err := s.List(ctx, in.Body.After, in.Body.Zero)
		if err != nil {
			return nil, err
		}
		sums, err := s.Sum(ctx)
		page := MatchPage{make([]UnmatchedPayment, len(list)), next, UnmatchedSums{sums.Payments, money.Of(sums.Paid), sums.Zero}}
		for i, l := range list {
			page.Bills[i] = UnmatchedPayment{newMatchBill(l.Bill, l.Page), newMatchCandidates(l.Candidates), l.More}
		}
		return &struct{ Body MatchPage }{page}, err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "matchCandidates", Method: http.MethodPost, Path: "/desk/feeds/unmatched/candidates",
		Summary:     "List bills that could match a payment, and how they differ",
		Description: "The view is added to the audit log first.",
		Access:      "feeds.watch", Effect: httpapi.Read,
	}, func(ctx context.Context, in *billNamed) (*struct{ Body MatchCandidates }, error) {
		l, err := s.Candidates(ctx, in.Body.ID)
		return &struct{ Body MatchCandidates }{MatchCandidates{newMatchBill(l.Bill, l.Page), newMatchCandidates(l.Candidates)}}, err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "paymentJoins", Method: http.MethodGet, Path: "/desk/feeds/joins", Summary: "List recent payment matches, newest first",
		Description: "Up to 200.",
		Access:      "feeds.watch", Effect: httpapi.Read,
	}, func(ctx context.Context, _ *struct{}) (*httpapi.List[PaymentJoin], error) {
		list, err := s.Joins(ctx)
		return httpapi.NewList(list, newPaymentJoin), err
	})
}
