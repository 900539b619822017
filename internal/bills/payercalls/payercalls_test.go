package payercalls

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/riverqueue/river"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/bills/billstate"
	"wcpp/internal/bills/ledger/batch"
	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/bills/ledger/store"
	"wcpp/internal/bills/openbills"
	"wcpp/internal/identity/access"
	"wcpp/internal/identity/identitytest"
	"wcpp/internal/identity/tins"
	"wcpp/internal/platform"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/blob"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/fileexport"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/ratelimit"
	"wcpp/internal/platform/seal"
)

const (
	ours   = "111111111"
	theirs = "222222222"
	today  = date.Date("2026-05-04")
)

var (
	three = access.Actor{Person: access.Person{ID: 3, UserName: "user3", Type: access.PRUS, GroupID: 7}}
	four  = access.Actor{Person: access.Person{ID: 4, UserName: "user4", Type: access.PRUS, GroupID: 7}}
	five  = access.Actor{Person: access.Person{ID: 5, UserName: "user5", Type: access.PRUS, GroupID: 8}}
	six   = access.Actor{Person: access.Person{ID: 6, UserName: "user6", Type: access.NNUS, GroupID: 9}}
	// The staff member clerk mirrors user 3.
	clerk = access.Actor{Person: access.Person{ID: 9, UserName: "clerk", Type: access.ISAD}, Mirrored: &three.Person}
)

type pages struct{}

func (pages) PageID(ftin, key string) (string, error) { return ftin + "/" + key, nil }

func (pages) OpenPageID(id string) (ftin, key string, ok bool) { return strings.Cut(id, "/") }

type noJobs struct{}

func (noJobs) Insert(context.Context, *sql.Tx, river.JobArgs) error { return nil }

// office has three groups that share TINs: 7 with users 3 and 4 has both, 8 with user 5 and 9 with user 6 have
// theirs. User 4 only has ours.
type office struct {
	*Service
	db    *db.DB
	bills *openbills.Service
	now   time.Time
}

func newOffice(t *testing.T, d *db.DB) *office {
	t.Helper()
	for _, a := range []access.Actor{three, four, five, six} {
		identitytest.Add(t, d.Writer, a.Person, fmt.Sprintf("User %d", a.Person.ID))
	}
	identitytest.SetTINs(t, d.Writer, three.Person, ours, theirs)
	identitytest.SetTINs(t, d.Writer, four.Person, ours)
	identitytest.SetTINs(t, d.Writer, five.Person, theirs)
	identitytest.SetTINs(t, d.Writer, six.Person, theirs)
	o := &office{db: d, now: today.Time().Add(9 * time.Hour)}
	clock := func() time.Time { return o.now }
	sealer := seal.New(make([]byte, 32))
	log := audit.New(audit.Deps{DB: d, Clock: clock, Log: slog.New(slog.DiscardHandler), Sealer: sealer})
	t.Cleanup(log.Close)
	files, err := blob.Open(t.Context(), "", t.TempDir())
	require.NoError(t, err)
	kit := platform.Kit{DB: d, Audit: log, Clock: clock, Zone: time.UTC, Jobs: noJobs{}, Files: files,
		Limits: ratelimit.NewShared(d, clock), Sealer: sealer}
	people := identitytest.NewUsers(d)
	o.bills = openbills.NewService(openbills.Deps{Kit: kit, Scopes: tins.NewScopes(d), Users: people, Pages: pages{}}, fileexport.Quota{})
	o.Service = NewService(Deps{Kit: kit, OpenBills: o.bills, Users: people})
	for _, b := range []string{ours + "/a", ours + "/b", theirs + "/c"} {
		ftin, number, _ := strings.Cut(b, "/")
		require.NoError(t, store.Bills.Insert(t.Context(), d.Writer, facts.Bill{FTIN: ftin, BillControlNumber: strings.ToUpper(number),
			OpenState: billstate.Priced, BeginServiceDate: "2026-04-01", BillType: "P", BillStatus: "1", Source: facts.SourceBill,
			Fact: number, BillCharges: 10000, PayerName: "Beacon Road"}))
	}
	return o
}

func about(list ...string) []openbills.Target {
	targets := make([]openbills.Target, len(list))
	for i, page := range list {
		targets[i] = openbills.Target{Page: page}
	}
	return targets
}

func newCall(key string) Call {
	return Call{RequestKey: key, Payer: "Beacon Road", Person: "Ms. Hale", Outcome: openbills.CallPromised, PromisedOn: today.AddDays(8),
		Reference: "R-1", FollowUpOn: today.AddDays(9), Body: "Check is in the mail."}
}

// log logs a call and returns the bills that keep it from being logged.
func (o *office) log(t *testing.T, a access.Actor, c Call, targets []openbills.Target) string {
	t.Helper()
	logged, failed, err := o.Log(t.Context(), a, c, targets)
	require.NoError(t, err)
	if logged.ID == 0 && len(failed) == 0 {
		t.Error("nothing is logged, and nothing failed")
	}
	var list []string
	for _, f := range failed {
		list = append(list, fmt.Sprintf("%s %s v%d by %s", f.Page, f.Outcome, f.Work.Version, cmp.Or(f.Work.UpdatedBy, "nobody")))
	}
	return strings.Join(list, ", ")
}

// count returns the number of the calls about a bill that an actor sees; -1 if the actor doesn't see the bill.
func (o *office) count(t *testing.T, a access.Actor, page string) int {
	t.Helper()
	list, err := o.List(t.Context(), a, page)
	if problem.Is(err, problem.NotFound) {
		return -1
	}
	require.NoError(t, err)
	return len(list)
}

func (o *office) followUps(t *testing.T, a access.Actor, f openbills.Filter) string {
	t.Helper()
	list, _, err := o.bills.Page(t.Context(), a, f, openbills.Place{}, 0, 50)
	require.NoError(t, err)
	var words []string
	for _, b := range list {
		words = append(words, strings.TrimSpace(fmt.Sprintf("%s %s %s", b.BillControlNumber, b.Work.FollowUpOn, b.Call.Outcome)))
	}
	return strings.Join(words, ", ")
}

// One call is about several bills, sets their follow-up, and is only visible to its group.
func TestCallIsTheGroups(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := newOffice(t, d)
		require.Empty(t, o.log(t, three, newCall("k1"), about(ours+"/a", theirs+"/c", ours+"/a")))
		o.log(t, five, Call{RequestKey: "k1", Payer: "Acme", Outcome: "denied"}, about(theirs+"/c"))
		for _, c := range []struct {
			who  access.Actor
			page string
			want int
		}{
			{three, ours + "/a", 1}, {three, theirs + "/c", 1}, {three, ours + "/b", 0},
			{four, ours + "/a", 1}, {four, theirs + "/c", -1},
			{five, theirs + "/c", 1}, {five, ours + "/a", -1}, {six, theirs + "/c", 0}, {clerk, ours + "/a", 0},
		} {
			if got := o.count(t, c.who, c.page); got != c.want {
				t.Errorf("%s of %s: %d calls, want %d", cmp.Or(c.who.Person.UserName), c.page, got, c.want)
			}
		}
		for _, c := range []struct {
			who  access.Actor
			f    openbills.Filter
			want string
		}{
			{three, openbills.Filter{}, "A 2026-05-13 promised, B, C 2026-05-13 promised"},
			{four, openbills.Filter{}, "A 2026-05-13 promised, B"},
			{five, openbills.Filter{}, "C  denied"},
			{six, openbills.Filter{}, "C"},
			{clerk, openbills.Filter{}, "A, B, C"},
			{three, openbills.Filter{CallOutcome: openbills.CallPromised}, "A 2026-05-13 promised, C 2026-05-13 promised"},
			{five, openbills.Filter{CallOutcome: openbills.CallPromised}, ""},
			{three, openbills.Filter{Called: openbills.CalledNever}, "B"},
			{three, openbills.Filter{Called: openbills.CalledLast7}, "A 2026-05-13 promised, C 2026-05-13 promised"},
			{three, openbills.Filter{Called: openbills.NotCalled14}, "B"},
			{clerk, openbills.Filter{Called: openbills.CalledNever}, "A, B, C"},
		} {
			assert.Equalf(t, c.want, o.followUps(t, c.who, c.f), "%s %+v", c.who.Person.UserName, c.f)
		}
		list, err := o.List(t.Context(), four, ours+"/a")
		if err != nil || list[0].Author.FullName() != "User 3" || list[0].Body != "Check is in the mail." || list[0].CalledOn != today {
			t.Errorf("%+v, %v", list, err)
		}
		// An author who left has no name any more.
		require.NoError(t, dbtest.Err(d.Writer.ExecContext(t.Context(), `UPDATE users SET status_cd = 'TERM' WHERE id = 3`)))
		if list, err := o.List(t.Context(), four, ours+"/a"); err != nil || len(list) != 1 || list[0].Author != nil {
			t.Errorf("of an author who left: %+v, %v", list, err)
		}
		// The TIN is gone, and the calls with it.
		identitytest.SetTINs(t, d.Writer, three.Person, theirs)
		assert.Equal(t, -1, o.count(t, three, ours+"/a"))
		// After 14 days, they're to be called again.
		o.now = o.now.AddDate(0, 0, 14)
		assert.Equal(t, "A 2026-05-13 promised, B", o.followUps(t, four, openbills.Filter{Called: openbills.NotCalled14}))
	})
}

// The call sheet has bills that are overdue or have a due follow-up.
func TestBillsToCall(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := newOffice(t, d)
		require.NoError(t, dbtest.Err(d.Writer.ExecContext(t.Context(), `UPDATE bills SET next_due = '2026-05-03'
			WHERE bill_control_number = 'B'`)))
		c := newCall("k1")
		c.FollowUpOn = today
		o.log(t, three, c, about(ours+"/a"))
		for _, c := range []struct {
			who  access.Actor
			want string
		}{{three, "A 2026-05-04 promised, B"}, {four, "A 2026-05-04 promised, B"}, {five, ""}, {clerk, "B"}} {
			assert.Equal(t, c.want, o.followUps(t, c.who, openbills.Filter{ToCall: true}), c.who.Person.UserName)
		}
	})
}

// Nothing is stored unless the caller saw every bill's work. With the colleague's version, it is.
func TestFollowUpsOfColleaguesAreConfirmed(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := newOffice(t, d)
		day := today.AddDays(2)
		require.NoError(t, dbtest.Err(o.bills.Set(t.Context(), four, about(ours+"/a"), openbills.Change{FollowUpOn: &day})))
		targets := about(ours+"/a", ours+"/b", theirs+"/none")
		assert.Equal(t, ours+"/a stale v1 by user4, "+theirs+"/none gone v0 by nobody", o.log(t, three, newCall("k1"), targets))
		if o.count(t, three, ours+"/a") != 0 || o.count(t, three, ours+"/b") != 0 {
			t.Error("a call was stored")
		}
		assert.Equal(t, "A 2026-05-06, B, C", o.followUps(t, three, openbills.Filter{}))
		targets[0].Version = 1
		assert.Empty(t, o.log(t, three, newCall("k1"), targets[:2]))
		assert.Equal(t, "A 2026-05-13 promised, B 2026-05-13 promised, C", o.followUps(t, three, openbills.Filter{}))
		// A call without a follow-up date overwrites nothing.
		c := newCall("k2")
		c.FollowUpOn = ""
		assert.Empty(t, o.log(t, four, c, about(ours+"/a")))
		assert.Equal(t, "A 2026-05-13 promised, B 2026-05-13 promised, C", o.followUps(t, three, openbills.Filter{}))
	})
}

// A repeated request is stored once, also if both arrive at the same time.
func TestRepeatedCallCountsOnce(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := newOffice(t, d)
		targets := about(ours+"/a", ours+"/b")
		ids := make([]int64, 8)
		var all sync.WaitGroup
		for i := range ids {
			all.Go(func() {
				c, failed, err := o.Log(t.Context(), three, newCall("k1"), targets)
				assert.NoError(t, err)
				assert.Empty(t, failed)
				ids[i] = c.ID
			})
		}
		all.Wait()
		for _, id := range ids {
			if id != ids[0] || id == 0 {
				t.Errorf("%v", ids)
			}
		}
		if o.count(t, three, ours+"/a") != 1 || o.count(t, three, ours+"/b") != 1 {
			t.Error("it counts several times")
		}
		c := newCall("k1")
		c.Body = "Something else"
		if _, _, err := o.Log(t.Context(), three, c, targets); !problem.Is(err, problem.Conflict) {
			t.Errorf("other content with the same key: %v", err)
		}
		// Another user's key is another call.
		assert.Empty(t, o.log(t, four, Call{RequestKey: "k1", Payer: "Acme", Outcome: "other"}, about(ours+"/a")))
		assert.Equal(t, 2, o.count(t, three, ours+"/a"))
	})
}

func TestCallsAreChecked(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := newOffice(t, d)
		long := func(n int) string { return strings.Repeat("x", n+1) }
		for field, change := range map[string]func(*Call){
			"requestKey": func(c *Call) { c.RequestKey = "" }, "payer": func(c *Call) { c.Payer = " " },
			"spokeWith": func(c *Call) { c.Person = long(MaxPerson) }, "outcome": func(c *Call) { c.Outcome, c.PromisedOn = "x", "" },
			"reference": func(c *Call) { c.Reference = long(MaxReference) }, "body": func(c *Call) { c.Body = long(MaxText) },
			"promisedOn": func(c *Call) { c.PromisedOn = "" }, "followUpOn": func(c *Call) { c.FollowUpOn = today.AddDays(-1) },
		} {
			c := newCall("k1")
			change(&c)
			_, _, err := o.Log(t.Context(), three, c, about(ours+"/a"))
			if e := problem.From(err); !problem.Is(err, problem.Invalid) || len(e.Fields) != 1 || e.Fields[0].Path != field {
				t.Errorf("%s: %+v", field, err)
			}
		}
		c := newCall("k1")
		c.Outcome = "denied"
		for name, err := range map[string]error{
			"a promise with another outcome": dbtest.Err(second(o.Log(t.Context(), three, c, about(ours+"/a")))),
			"no bill":                        dbtest.Err(second(o.Log(t.Context(), three, newCall("k1"), nil))),
			"51 bills":                       dbtest.Err(second(o.Log(t.Context(), three, newCall("k1"), make([]openbills.Target, 51)))),
		} {
			assert.Truef(t, problem.Is(err, problem.Invalid), "%s: %v", name, err)
		}
	})
}

func second(c Call, _ []openbills.Outcome, err error) (Call, error) { return c, err }

// Calls move with their bills to other numbers, into other bills, and back.
func TestCallsFollowBills(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := newOffice(t, d)
		o.log(t, three, newCall("both"), about(ours+"/a", ours+"/b"))
		o.log(t, three, newCall("c"), about(theirs+"/c"))
		o.log(t, five, newCall("c"), about(theirs+"/c"))
		c := newCall("a")
		c.FollowUpOn = ""
		o.log(t, four, c, about(ours+"/a"))
		move := func(f batch.KeyChanges) {
			t.Helper()
			require.NoError(t, d.Tx(t.Context(), func(tx *sql.Tx) error {
				return errors.Join(openbills.Follows.Follow(t.Context(), tx, f), Follows.Follow(t.Context(), tx, f))
			}))
		}
		check := func(when string, want map[string]int) {
			t.Helper()
			for _, group := range []int64{7, 8} {
				for place, n := range want {
					ftin, key, _ := strings.Cut(place, "/")
					of, key, _ := strings.Cut(key, " ")
					if fmt.Sprint(group) != of {
						continue
					}
					list, err := listCalls(t.Context(), d.Reader, group, ftin, key)
					if err != nil || len(list) != n {
						t.Errorf("%s, %s: %d calls, want %d (%v)", when, place, len(list), n, err)
					}
				}
			}
		}
		check("before", map[string]int{ours + "/7 a": 2, ours + "/7 b": 1, theirs + "/7 c": 1, theirs + "/8 c": 1})
		move(batch.KeyChanges{Moves: []batch.Move{{FTIN: ours, From: "a", To: "b", Fact: "a"}, {FTIN: ours, From: "b", To: "a", Fact: "b"},
			{FTIN: theirs, From: "c", To: "x", Fact: "c"}}})
		check("swapped", map[string]int{ours + "/7 a": 1, ours + "/7 b": 2, theirs + "/7 c": 0, theirs + "/7 x": 1, theirs + "/8 x": 1})
		move(batch.KeyChanges{Moves: []batch.Move{{FTIN: ours, From: "b", To: "a", Fact: "a", Joins: true}}})
		check("joined", map[string]int{ours + "/7 a": 2, ours + "/7 b": 0})
		move(batch.KeyChanges{Returns: []batch.Return{{FTIN: ours, From: []string{"a"}, To: "b", Facts: []string{"a"}}}})
		check("returned", map[string]int{ours + "/7 a": 1, ours + "/7 b": 2})
		promised := openbills.Filter{CallOutcome: openbills.CallPromised}
		assert.Equal(t, "A 2026-05-13 promised, B 2026-05-13 promised", o.followUps(t, four, promised))
	})
}

// A call is audited once, without its text, in the transaction that stores it.
func TestCallsAreAudited(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := newOffice(t, d)
		o.log(t, three, newCall("k1"), about(ours+"/a", theirs+"/c"))
		o.count(t, four, ours+"/a")
		var entries []struct{ Operation, Subject, Detail string }
		require.NoError(t, db.Select(t.Context(), d.Reader, &entries, `SELECT operation, subject, detail FROM audit_log
			ORDER BY operation, subject`))
		if got := fmt.Sprint(entries); got != "[{bill-work "+ours+" A follow up on 2026-05-13} {bill-work "+theirs+
			" C follow up on 2026-05-13} {payer-call-add payer call 1 promised} {payer-calls-read "+ours+" A }]" {
			t.Error(got)
		}
	})
}
