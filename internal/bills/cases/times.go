package cases

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"time"

	"wcpp/internal/bills/ledger/decode"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/httpapi"
	"wcpp/internal/platform/ingest"
	"wcpp/internal/platform/ratelimit"
	"wcpp/internal/platform/validate"
)

// Ranges of the figures, in days.
const (
	defaultDays = 30
	maxDays     = 366
)

// Times are the figures of some days.
type Times struct {
	From, To date.Date
	NewBills int       // from files whose import ended in these days
	Staff    []Figures // author of the first answer, or owner of open cases
	Topics   []Figures
}

// Figures are what one staff member did, or what happened on one topic.
type Figures struct {
	Staff    int64 // 0: nobody
	Topic    string
	Open     int // now
	Overdue  int // now
	Answered int // for the first time
	Yes      int // those whose answer the office confirmed
	No       int // those whose answer the office replied to
	Calls    int
	took     []time.Duration // until the first answer
}

// percentile returns the time within which a share of the questions was answered, or 0 without any.
// The times must be sorted.
func (f Figures) percentile(share float64) time.Duration {
	if len(f.took) == 0 {
		return 0
	}
	return f.took[max(0, int(share*float64(len(f.took))+0.999999)-1)]
}

// CountTimes returns the figures of a range of days.
func (s *Service) CountTimes(ctx context.Context, from, to date.Date) (Times, error) {
	to = cmp.Or(to, date.Of(s.now()))
	from = cmp.Or(from, to.AddDays(1-defaultDays))
	var wrong validate.Fields
	wrong.Require(from <= to, "from", "Enter a day that isn't after the last one.")
	wrong.Require(to < from.AddDays(maxDays), "to", "Enter up to 366 days.")
	if err := wrong.Refuse(validate.MarkedFields); err != nil {
		return Times{}, err
	}
	staff, topics := map[int64]*Figures{}, map[string]*Figures{}
	// add changes the figures of a staff member and of a topic.
	add := func(by int64, topic string, change func(*Figures)) {
		if staff[by] == nil {
			staff[by] = &Figures{Staff: by}
		}
		if topics[topic] == nil {
			topics[topic] = &Figures{Topic: topic}
		}
		change(staff[by])
		change(topics[topic])
	}
	r := span{s.startOf(from), s.startOf(to.AddDays(1))}
	if err := s.addCounts(ctx, r, add); err != nil {
		return Times{}, err
	}
	if err := eachAnswered(ctx, s.db.Reader, r, func(a answered) {
		add(a.By, a.Topic, func(f *Figures) {
			f.Answered++
			f.took = append(f.took, a.At.Sub(a.OpenedAt.Time))
			switch a.Helpful {
			case "YES":
				f.Yes++
			case "NO":
				f.No++
			}
		})
	}); err != nil {
		return Times{}, err
	}
	bills, err := ingest.SumImported(ctx, s.db.Reader, []string{decode.ClaimFeed, decode.TableFeed}, r.From, r.To)
	return Times{from, to, bills, sortFigures(staff), sortFigures(topics)}, err
}

// addCounts adds what is open now and the calls of a range.
func (s *Service) addCounts(ctx context.Context, r span, add func(by int64, topic string, change func(*Figures))) error {
	open, err := countOpen(ctx, s.db.Reader, db.At(s.now()))
	if err != nil {
		return err
	}
	for _, o := range open {
		add(o.By, o.Topic, func(f *Figures) { f.Open, f.Overdue = f.Open+o.Count, f.Overdue+o.Overdue })
	}
	calls, err := countCalls(ctx, s.db.Reader, r)
	for _, c := range calls {
		add(c.By, c.Topic, func(f *Figures) { f.Calls += c.Count })
	}
	return err
}

// startOf returns the start of a day in the business time zone.
func (s *Service) startOf(day date.Date) db.Instant {
	t := day.Time()
	return db.At(time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, s.now().Location()))
}

// sortFigures returns the figures with the most answers first.
func sortFigures[K comparable](of map[K]*Figures) []Figures {
	list := make([]Figures, 0, len(of))
	for _, f := range of {
		slices.Sort(f.took)
		list = append(list, *f)
	}
	slices.SortFunc(list, func(a, b Figures) int {
		return cmp.Or(b.Answered-a.Answered, b.Open-a.Open, cmp.Compare(a.Topic, b.Topic), cmp.Compare(a.Staff, b.Staff))
	})
	return list
}

// CaseFigures are the figures of a staff member or a topic.
type CaseFigures struct {
	Name     string   `json:"name" doc:"Topic, or name of the staff member. Empty if unassigned"`
	Open     int      `json:"open" doc:"Questions that need an answer now, by their owner"`
	Overdue  int      `json:"overdue" doc:"Those whose promised time has passed"`
	Answered int      `json:"answered" doc:"Questions answered for the first time in these days, by author of the answer"`
	Median   *float64 `json:"median" doc:"Hours by the clock within which half of them were answered"`
	P90      *float64 `json:"p90" doc:"The same for 90 percent"`
	Yes      int      `json:"yes" doc:"Those whose answer the office confirmed"`
	No       int      `json:"no" doc:"Those whose answer the office replied to without confirming one since"`
	Calls    int      `json:"calls" doc:"Calls logged in these days"`
}

// CaseTimes are the figures of some days.
type CaseTimes struct {
	From   date.Date     `json:"from" format:"date"`
	To     date.Date     `json:"to" format:"date"`
	Bills  int           `json:"newBills" doc:"New bills from files that were imported in these days"`
	Staff  []CaseFigures `json:"staff" nullable:"false" doc:"Most answers first"`
	Topics []CaseFigures `json:"topics" nullable:"false" doc:"Most answers first"`
}

func toCaseFigures(f Figures, name string) CaseFigures {
	out := CaseFigures{Name: name, Open: f.Open, Overdue: f.Overdue, Answered: f.Answered, Yes: f.Yes, No: f.No, Calls: f.Calls}
	if f.Answered > 0 {
		median, p90 := f.percentile(0.5).Hours(), f.percentile(0.9).Hours()
		out.Median, out.P90 = &median, &p90
	}
	return out
}

func (s *Service) registerTimes(api *httpapi.API) {
	httpapi.Register(api, httpapi.Operation{
		ID: "caseTimes", Method: http.MethodGet, Path: "/desk/cases/times", Summary: "Get answer times by staff member and topic",
		Description: "Of up to 366 days, by default the last 30.",
		Access:      "cases.lead", Effect: httpapi.Read, Expensive: true, Limit: ratelimit.Hourly(deskReads),
	}, func(ctx context.Context, in *struct {
		From date.Date `query:"from" format:"date"`
		To   date.Date `query:"to" format:"date"`
	}) (*struct{ Body CaseTimes }, error) {
		t, err := s.CountTimes(ctx, in.From, in.To)
		if err != nil {
			return nil, err
		}
		out := &struct{ Body CaseTimes }{CaseTimes{From: t.From, To: t.To, Bills: t.NewBills,
			Staff: []CaseFigures{}, Topics: []CaseFigures{}}}
		for _, f := range t.Topics {
			out.Body.Topics = append(out.Body.Topics, toCaseFigures(f, f.Topic))
		}
		for _, f := range t.Staff {
			name := ""
			if f.Staff != 0 {
				if name, err = s.users.GetName(ctx, f.Staff); err != nil {
					return nil, err
				}
			}
			out.Body.Staff = append(out.Body.Staff, toCaseFigures(f, name))
		}
		return out, nil
	})
}
