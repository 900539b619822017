package remittances

import (
	"cmp"
	"context"
	"net/http"
	"slices"

	"wcpp/internal/bills/billstate"
	"wcpp/internal/identity/access"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/httpapi"
	"wcpp/internal/platform/money"
)

// The extent of the payers' figures.
const (
	payerDays = 90
	maxPayers = 50
)

// PayerFigures is what a payer did with the office's bills in the last 90 days. Amounts are in cents.
type PayerFigures struct {
	Name     string
	ToPrice  Median // from the receipt of a bill to the network's price
	ToPay    Median // from the receipt of a bill to its last payment
	Answered int    // bills last paid or denied in these days
	Denied   answered
	Paid     int      // bills with a payment above zero, without those reversed
	Short    answered // paid below the network's allowance
}

// Median is the median of the days of some bills.
type Median struct{ Bills, Days int }

// answered are bills, with the charges of denied ones or what's missing from short ones.
type answered struct {
	Bills  int
	Amount int64
}

// Payers returns the figures of the payers with the most answered bills under the user's TINs.
func (s *Service) Payers(ctx context.Context, a access.Actor) ([]PayerFigures, error) {
	scope, err := s.scopes.Scope(ctx, a)
	if err != nil {
		return nil, err
	}
	now := s.now()
	today := date.Of(now)
	from := today.AddDays(1 - payerDays)
	since := db.At(now.AddDate(0, 0, -payerDays))
	figures := map[string]*PayerFigures{}
	of := func(name string) *PayerFigures {
		if figures[name] == nil {
			figures[name] = &PayerFigures{Name: name}
		}
		return figures[name]
	}
	var toPay, toPrice []wait
	for tins := range slices.Chunk(scope.TINs(), tinsPerQuery) {
		waits, err := listWaits(ctx, s.db.Reader, tins, from, today)
		if err != nil {
			return nil, err
		}
		toPay = append(toPay, waits...)
		pricings, err := listPricings(ctx, s.db.Reader, tins, since, from)
		if err != nil {
			return nil, err
		}
		for _, p := range pricings {
			if on := p.on(); on >= p.ReceivedOn {
				toPrice = append(toPrice, wait{p.Payer, p.ReceivedOn, on, p.Bills})
			}
		}
		answers, err := listAnswers(ctx, s.db.Reader, tins, from, today)
		if err != nil {
			return nil, err
		}
		for _, answer := range answers {
			of(answer.Payer).add(answer)
		}
	}
	for name, m := range medians(toPay) {
		of(name).ToPay = m
	}
	for name, m := range medians(toPrice) {
		of(name).ToPrice = m
	}
	list := make([]PayerFigures, 0, len(figures))
	for _, f := range figures {
		list = append(list, *f)
	}
	slices.SortFunc(list, func(a, b PayerFigures) int {
		return cmp.Or(cmp.Compare(b.Answered, a.Answered), cmp.Compare(b.ToPrice.Bills, a.ToPrice.Bills), cmp.Compare(a.Name, b.Name))
	})
	return list[:min(maxPayers, len(list))], nil
}

func (f *PayerFigures) add(a payerAnswer) {
	f.Answered += a.Bills
	switch {
	case a.State.Filter() == billstate.NameDenied:
		f.Denied.Bills += a.Bills
		f.Denied.Amount += a.Charges
	case a.State == billstate.Reversed:
	case a.Paid:
		f.Paid += a.Bills
		if a.State == billstate.Short {
			f.Short.Bills += a.Bills
			f.Short.Amount += a.Missing
		}
	}
}

// PayerFigure is what a payer did with your office's bills in the last 90 days. Amounts are in dollars.
type PayerFigure struct {
	Name         string       `json:"name"`
	ToPrice      *DaysFigure  `json:"toPrice,omitempty" doc:"From the receipt of a bill to the network's price. Absent without bills"`
	ToPay        *DaysFigure  `json:"toPay,omitempty" doc:"From the receipt of a bill to its last payment. Absent without bills"`
	Answered     int          `json:"answered" doc:"Bills last paid or denied in these days"`
	Denied       AnswerFigure `json:"denied" doc:"Of the answered bills, with their charges"`
	Paid         int          `json:"paid" doc:"Of the answered bills, those with a payment above zero that wasn't reversed"`
	BelowAllowed AnswerFigure `json:"belowAllowance" doc:"Of the paid bills, with what's missing from the allowance"`
}

// DaysFigure is the median of the days of some bills.
type DaysFigure struct {
	Bills  int `json:"bills"`
	Median int `json:"median"`
}

// AnswerFigure are bills with an amount.
type AnswerFigure struct {
	Bills  int     `json:"bills"`
	Amount float64 `json:"amount"`
}

func newDaysFigure(m Median) *DaysFigure {
	if m.Bills == 0 {
		return nil
	}
	return &DaysFigure{m.Bills, m.Days}
}

func (s *Service) registerPayers(api *httpapi.API) {
	httpapi.Register(api, httpapi.Operation{
		ID: "payerFigures", Method: http.MethodGet, Path: "/work/payers", Summary: "List payers with their answers of the last 90 days",
		Description: "Up to 50 payers of your office's bills, most answered bills first.",
		Access:      "work.lead", Effect: httpapi.Read, Expensive: true,
	}, func(ctx context.Context, _ *struct{}) (*httpapi.List[PayerFigure], error) {
		list, err := s.Payers(ctx, access.From(ctx))
		return httpapi.NewList(list, func(f PayerFigures) PayerFigure {
			return PayerFigure{
				Name: f.Name, ToPrice: newDaysFigure(f.ToPrice), ToPay: newDaysFigure(f.ToPay), Answered: f.Answered,
				Denied: AnswerFigure{f.Denied.Bills, money.Of(f.Denied.Amount)}, Paid: f.Paid,
				BelowAllowed: AnswerFigure{f.Short.Bills, money.Of(f.Short.Amount)},
			}
		}), err
	})
}
