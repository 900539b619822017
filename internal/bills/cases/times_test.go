package cases

import (
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/bills/alerts"
	"wcpp/internal/identity/access"
	"wcpp/internal/identity/identitytest"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/problem"
)

// Today counts the answers that a user hasn't read, and the questions that wait for the office. A tab lists them.
func TestCountForUser(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := newDesk(t, d)
		check := func(a access.Actor, answers, replies int) {
			t.Helper()
			scope, err := o.scopes.Scope(t.Context(), a)
			require.NoError(t, err)
			got, err := o.CountForUser(t.Context(), d.Reader, a.Acting(), scope)
			if want := (alerts.Questions{Answers: answers, Replies: replies}); err != nil || got != want {
				t.Errorf("%s: %+v, want %+v; %v", a.Acting().UserName, got, want, err)
			}
			if list, _, err := o.ListOwn(t.Context(), a, TabReply, false, ""); err != nil || len(list) != answers+replies {
				t.Errorf("%s: a list of %d, want %d; %v", a.Acting().UserName, len(list), answers+replies, err)
			}
		}
		answered := o.ask(t, three, question("1", ours+"/a"))
		asked := o.ask(t, three, question("2", theirs+"/c"))
		private := o.ask(t, three, question("3"))
		o.ask(t, three, question("4", ours+"/b"))
		for _, step := range []struct {
			e event
			c Case
		}{{eventAnswer, answered}, {eventAsk, asked}, {eventAnswer, private}} {
			require.NoError(t, dbtest.Err(o.happen(t.Context(), step.e, step.c)))
		}
		check(three, 2, 1)
		check(mirror, 2, 1)
		check(four, 1, 0)
		check(head, 2, 1)
		check(six, 0, 0)
		check(isad, 0, 0)
		for _, c := range []Case{answered, asked} {
			require.NoError(t, dbtest.Err(o.ReadOwn(t.Context(), three, c.Number)))
		}
		check(three, 1, 1) // a question back waits for the reply, read or not
		check(head, 2, 1)
		identitytest.SetTINs(t, d.Writer, three.Person, ours)
		check(three, 1, 0)
		require.NoError(t, dbtest.Err(o.happen(t.Context(), eventYes, Case{Number: answered.Number, Version: 2})))
		check(four, 0, 0)
	})
}

// A viewer with many TINs gets the newest cases of all of them, part by part.
func TestListOfManyTINs(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := newDesk(t, d)
		var tins []string
		const size = 2*tinsPerQuery + 5
		for i := range size {
			tins = append(tins, fmt.Sprint(300_000_000+i))
		}
		identitytest.SetTINs(t, d.Writer, head.Person, tins...)
		var numbers []string
		for i := range perPart + 20 {
			q := question(fmt.Sprint(i))
			q.FTIN = tins[i*7%size]
			numbers = append(numbers, o.ask(t, head, q).Number)
		}
		for _, tab := range []Tab{TabAll, TabOpen} {
			for _, mine := range []bool{true, false} {
				var got []string
				for after, more := "", true; more; {
					var list []Listed
					var err error
					if list, more, err = o.ListOwn(t.Context(), head, tab, mine, after); err != nil {
						t.Fatal(err)
					}
					for _, l := range list {
						got = append(got, l.Number)
					}
					after = got[len(got)-1]
				}
				if len(got) != len(numbers) || got[0] != numbers[len(numbers)-1] || got[perPart] != numbers[len(numbers)-perPart-1] {
					t.Errorf("%s, mine %t: %d of %d cases", tab, mine, len(got), len(numbers))
				}
			}
		}
	})
}

// The figures count first answers by author, and open cases by owner.
func TestTimes(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := newDesk(t, d)
		began := o.now // Monday, 10:42
		answer := func(key string, after time.Duration, then ...event) Case {
			t.Helper()
			o.now = began
			c := o.ask(t, three, question(key, ours+"/a"))
			o.now = began.Add(after)
			for _, e := range append([]event{eventAnswer}, then...) {
				var err error
				if c, err = o.happen(t.Context(), e, c); err != nil {
					t.Fatal(err)
				}
			}
			return c
		}
		for i := range 8 {
			answer(fmt.Sprint(i), time.Duration(i+1)*time.Hour)
		}
		answer("yes", 9*time.Hour, eventYes)
		no := answer("no", 10*time.Hour, eventReply)
		o.now = began.AddDate(0, 0, 20)
		if again, err := o.happen(t.Context(), eventAnswer, no); err != nil || again.FirstAnsweredAt != db.At(began.Add(10*time.Hour)) {
			t.Errorf("answered again, first at %v, %v", again.FirstAnsweredAt, err)
		}
		o.now = began
		o.ask(t, three, Question{RequestKey: "late", Topic: TopicPayment, Body: "?"})
		o.call(t, began.Add(time.Hour))
		o.call(t, began.AddDate(0, 0, -40))
		for n, kind := range []string{"837", "bills", "835"} {
			require.NoError(t, dbtest.Err(db.Exec(t.Context(), d.Writer, `
				INSERT INTO feed_runs (kind, file_name, sha256, status, taken, started_at, finished_at)
				VALUES ($1, 'a', $2, 'done', 100, $3, $3)`, kind, fmt.Sprint(n), db.At(began))))
		}
		o.now = began.AddDate(0, 0, 20)
		o.ask(t, three, Question{RequestKey: "open", Topic: TopicPayment, Body: "?"})

		inWords := func(list []Figures) string {
			var words []string
			for _, f := range list {
				words = append(words, fmt.Sprintf("%d%s: %d open, %d overdue, %d in %v %v, %d yes, %d no, %d calls", f.Staff, f.Topic,
					f.Open, f.Overdue, f.Answered, f.percentile(0.5), f.percentile(0.9), f.Yes, f.No, f.Calls))
			}
			return strings.Join(words, "; ")
		}
		times, err := o.CountTimes(t.Context(), "", "")
		if err != nil || times.From != "2026-11-14" || times.To != "2026-12-13" {
			t.Errorf("%s to %s, %v", times.From, times.To, err)
		}
		assert.Equal(t, 200, times.NewBills)
		if got, want := inWords(times.Staff), "9: 0 open, 0 overdue, 10 in 5h0m0s 9h0m0s, 1 yes, 1 no, 1 calls; "+
			"0: 2 open, 1 overdue, 0 in 0s 0s, 0 yes, 0 no, 0 calls"; got != want {
			t.Errorf("staff %s", got)
		}
		if got, want := inWords(times.Topics), "0PRICE: 0 open, 0 overdue, 10 in 5h0m0s 9h0m0s, 1 yes, 1 no, 0 calls; "+
			"0PAYMENT: 2 open, 1 overdue, 0 in 0s 0s, 0 yes, 0 no, 0 calls; "+
			"0OTHER: 0 open, 0 overdue, 0 in 0s 0s, 0 yes, 0 no, 1 calls"; got != want {
			t.Errorf("topics %s", got)
		}
		// Days are in the business time zone. The tenth answer came at 8:42 PM.
		for day, want := range map[date.Date]int{"2026-11-22": 0, "2026-11-23": 10, "2026-11-24": 0} {
			times, err := o.CountTimes(t.Context(), day, day)
			if err != nil || times.Staff[0].Answered != want {
				t.Errorf("%s: %d answers, want %d; %v", day, times.Staff[0].Answered, want, err)
			}
		}
		for _, days := range [][2]date.Date{{"2026-11-24", "2026-11-23"}, {"2025-01-01", "2026-01-02"}} {
			if _, err := o.CountTimes(t.Context(), days[0], days[1]); !problem.Is(err, problem.Invalid) {
				t.Errorf("%s to %s: %v", days[0], days[1], err)
			}
		}
	})
}

// call stores a call that the staff member logged.
func (o *desk) call(t *testing.T, at time.Time) {
	t.Helper()
	require.NoError(t, o.db.Tx(t.Context(), func(tx *sql.Tx) error {
		c, err := addCase(t.Context(), tx, Case{Kind: KindCall, Topic: TopicOther, Group: 7, OpenedBy: isad.Person.ID, State: Closed,
			OpenedAt: db.At(at), RequestKey: at.String(), Version: 1})
		return errors.Join(err, dbtest.Err(insertEntry(t.Context(), tx, Entry{CaseID: c.ID, At: db.At(at), Author: isad.Person.ID,
			Side: Network, Visible: Both, Kind: CallLogged})))
	}))
}

// The metrics count open and overdue cases, answers, and what offices said to them.
func TestMetrics(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := newDesk(t, d)
		registry := prometheus.NewRegistry()
		registry.MustRegister(o.Module().Metrics...)
		o.ask(t, three, question("late", ours+"/a"))
		o.now = o.now.AddDate(0, 0, 7)
		for key, then := range map[string]event{"yes": eventYes, "no": eventReply} {
			c, err := o.happen(t.Context(), eventAnswer, o.ask(t, three, question(key, ours+"/a")))
			require.NoError(t, err)
			require.NoError(t, dbtest.Err(o.happen(t.Context(), then, c)))
		}
		found, err := registry.Gather()
		require.NoError(t, err)
		var got []string
		for _, family := range found {
			for _, m := range family.Metric {
				value := m.GetGauge().GetValue() + m.GetCounter().GetValue() + float64(m.GetHistogram().GetSampleCount())
				label := ""
				for _, l := range m.Label {
					label += l.GetValue()
				}
				got = append(got, fmt.Sprintf("%s %s %g", strings.TrimPrefix(family.GetName(), "wcpp_"), label, value))
			}
		}
		want := "case_answer_seconds  2; case_deflected_total  0; case_helpful_total no 1; case_helpful_total yes 1; " +
			"cases_open QUESTION 2; cases_overdue  1"
		assert.Equal(t, want, strings.Join(got, "; "))
		backlog, err := o.CountOverdue(t.Context())
		if err != nil || backlog.Count != 1 || backlog.Since.IsZero() {
			t.Errorf("%+v, %v", backlog, err)
		}
	})
}
