package remittances

import (
	"cmp"
	"context"
	"net/http"
	"slices"

	"wcpp/internal/identity/access"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/httpapi"
	"wcpp/internal/platform/money"
)

// The extent of the trends.
const (
	trendWeeks  = 13
	trendPayers = 8
)

// Trends are the payments of the last weeks, and how long payers took.
type Trends struct {
	Weeks  []Week // oldest first, the current one last
	Payers []PayerDuration
}

// Week is the payments of a week, in cents.
type Week struct {
	Begins date.Date // a Monday
	Paid   int64
}

// Trends sums up the payments of the user's TINs by week and payer.
func (s *Service) Trends(ctx context.Context, a access.Actor) (t Trends, err error) {
	scope, err := s.scopes.Scope(ctx, a)
	if err != nil {
		return t, err
	}
	today := date.Of(s.now())
	from := startOfWeek(today).AddDays(-7 * (trendWeeks - 1))
	for i := range trendWeeks {
		t.Weeks = append(t.Weeks, Week{Begins: from.AddDays(7 * i)})
	}
	var waits []wait
	for tins := range slices.Chunk(scope.TINs(), tinsPerQuery) {
		days, err := sumDays(ctx, s.db.Reader, tins, from, today)
		if err != nil {
			return t, err
		}
		for _, d := range days {
			t.Weeks[int(d.PaidOn.Time().Sub(from.Time()).Hours()/24)/7].Paid += d.Paid
		}
		found, err := listWaits(ctx, s.db.Reader, tins, from, today)
		if err != nil {
			return t, err
		}
		waits = append(waits, found...)
	}
	t.Payers = rankPayers(waits)
	return t, nil
}

func startOfWeek(day date.Date) date.Date { return day.AddDays(-(int(day.Time().Weekday()) + 6) % 7) }

// rankPayers returns the payers with the most paid bills, most first, each with its median.
func rankPayers(waits []wait) []PayerDuration {
	list := []PayerDuration{}
	for name, m := range medians(waits) {
		list = append(list, PayerDuration{name, m.Bills, m.Days})
	}
	slices.SortFunc(list, func(a, b PayerDuration) int {
		return cmp.Or(cmp.Compare(b.Bills, a.Bills), cmp.Compare(a.Name, b.Name))
	})
	return list[:min(trendPayers, len(list))]
}

// medians returns the median of the days by payer.
func medians(waits []wait) map[string]Median {
	by := map[string][]wait{}
	for _, w := range waits {
		by[w.Payer] = append(by[w.Payer], w)
	}
	all := map[string]Median{}
	for name, of := range by {
		slices.SortFunc(of, func(a, b wait) int { return cmp.Compare(a.days(), b.days()) })
		var m Median
		for _, w := range of {
			m.Bills += w.Bills
		}
		before := 0
		for _, w := range of {
			if before += w.Bills; 2*before >= m.Bills {
				m.Days = w.days()
				break
			}
		}
		all[name] = m
	}
	return all
}

// tinsPerQuery is the number of TINs in one statement.
const tinsPerQuery = 40

// wait is a number of bills that a payer received and paid on the same days.
type wait struct {
	Payer      string
	ReceivedOn date.Date
	PaidOn     date.Date
	Bills      int
}

func (w wait) days() int { return int(w.PaidOn.Time().Sub(w.ReceivedOn.Time()).Hours() / 24) }

// PaymentTrends are the payments of the last 13 weeks. Amounts are in dollars.
type PaymentTrends struct {
	Weeks  []PaymentWeek   `json:"weeks" nullable:"false" doc:"13 weeks, oldest first, the current one last"`
	Payers []PayerDuration `json:"payers" nullable:"false" doc:"Up to 8 payers, most paid bills first"`
}

// PaymentWeek is the amount paid in a week.
type PaymentWeek struct {
	Begins date.Date `json:"begins" format:"date" doc:"A Monday"`
	Paid   float64   `json:"paid" doc:"After provider-level adjustments"`
}

// PayerDuration is how long a payer took to pay.
type PayerDuration struct {
	Name   string `json:"name"`
	Bills  int    `json:"bills" doc:"Bills paid in these weeks"`
	Median int    `json:"median" doc:"Days from the receipt of a bill to its last payment"`
}

func (s *Service) registerTrends(api *httpapi.API) {
	httpapi.Register(api, httpapi.Operation{
		ID: "paymentTrends", Method: http.MethodGet, Path: "/remittances/trends", Summary: "Get payments by week and by payer",
		Access: "remittances.read", Effect: httpapi.Read, Expensive: true,
	}, func(ctx context.Context, _ *struct{}) (*struct{ Body PaymentTrends }, error) {
		t, err := s.Trends(ctx, access.From(ctx))
		out := &struct{ Body PaymentTrends }{PaymentTrends{[]PaymentWeek{}, append([]PayerDuration{}, t.Payers...)}}
		for _, w := range t.Weeks {
			out.Body.Weeks = append(out.Body.Weeks, PaymentWeek{w.Begins, money.Of(w.Paid)})
		}
		return out, err
	})
}
