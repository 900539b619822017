package app_test

import (
	"fmt"
	"maps"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/app"
	"wcpp/internal/identity/access"
	"wcpp/internal/identity/users"
	"wcpp/internal/platform/db"
)

type networkVisits struct {
	Rows []struct {
		ID                           int64
		GroupName, Who, Whom, Reason string
		StartedAt                    time.Time
		EndedAt                      *time.Time
		Override                     bool
		Opened                       int
	}
	Count int
}

func (p *portal) visits(token string) (v networkVisits) {
	p.t.Helper()
	r := p.post("/work/visits", fields{"table": fields{"page": 0, "pageSize": 50}}, bearer(token))
	p.want(r, 200, "")
	r.into(p.t, &v)
	return v
}

// summary returns the table's contents, newest first: actor, user, reason, duration and number of
// opened items.
func (v networkVisits) summary() string {
	var list []string
	for _, row := range v.Rows {
		lasted := "on"
		if row.EndedAt != nil {
			lasted = row.EndedAt.Sub(row.StartedAt).String()
		}
		list = append(list, fmt.Sprintf("%s as %s (%s) %s %d", row.Who, row.Whom, row.Reason, lasted, row.Opened))
	}
	return strings.Join(list, ", ")
}

func (p *portal) mirror(token, whom, reason string) reply {
	p.t.Helper()
	return p.post("/session/mirror", fields{"userNm": whom, "reason": reason}, bearer(token))
}

// An office sees which network staff mirrored its users, when, why, and what they opened.
func TestVisits(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		p.bill("111111111", "B1", "C1")
		isad, irad, prad := p.signIn("isad"), p.signIn("irad"), p.signIn("prad")
		p.want(p.mirror(isad, "prus", ""), 200, "")
		var found []struct{ Page string }
		p.post("/billSearch/searchByAssorted", fields{"ftin": "111111111", "billControlNumber": "B1"}, bearer(isad)).into(t, &found)
		for range 2 {
			p.want(p.do("GET", "/api/work/bills/"+found[0].Page, nil, bearer(isad)), 200, "")
		}
		p.opens("open-page", "isad", "", "111111111 b-2", "ok") // as themselves
		p.opens("open-page", "isad", "prad", "111111111 b-3", "ok")
		p.opens("open-page", "isad", "prus", "111111111 b-4", "refused")
		p.clock.Advance(5 * time.Minute)
		require.Equal(t, "isad as prus () on 1", p.visits(prad).summary())
		p.want(p.do("DELETE", "/api/session/mirror", nil, bearer(isad)), 200, "")
		p.clock.Advance(time.Minute)
		p.opens("open-page", "isad", "prus", "111111111 b-5", "ok") // outside a visit

		p.want(p.post("/desk/sitting", fields{"reason": "CASE", "reference": "K-77", "text": "asked by Ms Perez"}, bearer(irad)), 200, "")
		p.want(p.post("/desk/users/mirror", fields{"userName": "prad"}, bearer(irad)), 200, "")
		p.clock.Advance(2 * time.Minute)
		p.want(p.mirror(irad, "prus", "on the phone"), 200, "") // switching from one user to the next
		p.clock.Advance(3 * time.Minute)
		p.want(p.do("POST", "/api/logout", nil, bearer(irad)), 200, "")
		p.want(p.mirror(isad, "nnus", ""), 200, "")
		v := p.visits(prad)
		if got := v.summary(); got != "irad as prus (on the phone) 3m0s 0, irad as prad (case) 2m0s 0, isad as prus () 5m0s 1" ||
			v.Count != 3 {
			t.Fatalf("%q of %d", got, v.Count)
		}
		p.audited(2, `operation = 'visits-read' AND actor = 'prad'`)
		var opened struct {
			Rows  []struct{ What, Number string }
			Count int
		}
		openings := fmt.Sprintf("/work/visits/%d/openings", v.Rows[2].ID)
		r := p.post(openings, fields{"table": fields{"page": 0, "pageSize": 1}}, bearer(prad))
		if r.into(t, &opened); opened.Count != 2 || len(opened.Rows) != 1 || !strings.HasPrefix(opened.Rows[0].Number, "111111111 ") {
			t.Fatalf("%s", r.body)
		}
		p.audited(1, `operation = 'visit-open' AND actor = 'prad'`)

		// Users without the access history permission see none of it. Another office sees its
		// own.
		p.add("ada", access.PRAD, 0, "444444444")
		assert.Empty(t, p.visits(p.signIn("ada")).summary())
		p.want(p.post(openings, fields{"table": fields{"page": 0, "pageSize": 1}}, bearer(p.signIn("ada"))), 404, "")
		for _, who := range []string{"prus", "nnus", "irad", "road", "rous"} {
			p.want(p.post("/work/visits", fields{"table": fields{"page": 0, "pageSize": 1}}, bearer(p.signIn(who))), 403, "")
		}
		p.add("ivy", access.ISAD, 0)
		assert.Equal(t, 4, p.visits(p.signIn("ivy")).Count)
		p.want(p.post("/work/visits", fields{"table": fields{"page": 0, "pageSize": 5, "sort": fields{"id": "nothing", "desc": false}}},
			bearer(prad)), 400, "")
	})
}

// Reading payments counts like reading bills: remittances, their documents and batch files, and
// a bill's payments.
func TestVisitsTellOfRemittances(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		p.bill("111111111", "B1", "C1")
		p.check("111111111", "CHECK-4")
		isad, prad := p.signIn("isad"), p.signIn("prad")
		p.want(p.mirror(isad, "prus", ""), 200, "")
		var found struct{ Rows []struct{ ID string } }
		p.post("/remittances/search", fields{"number": "CHECK-4", "table": fields{"page": 0, "pageSize": 5}}, bearer(isad)).into(t, &found)
		require.Lenf(t, found.Rows, 1, "found %+v", found)
		for _, of := range []string{"", "/voucher", "/lines.csv"} {
			p.want(p.do("GET", "/api/remittances/"+found.Rows[0].ID+of, nil, bearer(isad)), 200, "")
		}
		p.opens("open-remittance-835", "isad", "prus", "111111111 CHECK-4", "ok")
		p.opens("remittance-export-open", "isad", "prus", "remittance export 5", "ok")
		p.want(p.post("/billSearch/findPaymentInfo", fields{"ftin": "111111111", "billControlNumber": "B1"}, bearer(isad)), 200, "")
		p.clock.Advance(time.Minute)
		v := p.visits(prad)
		require.Equal(t, "isad as prus () on 3", v.summary())
		var opened struct {
			Rows []struct{ What, Number string }
		}
		p.post(fmt.Sprintf("/work/visits/%d/openings", v.Rows[0].ID), fields{"table": fields{"page": 0, "pageSize": 10}}, bearer(prad)).
			into(t, &opened)
		said := map[string]int{}
		for _, row := range opened.Rows {
			said[row.What+" "+row.Number]++
		}
		want := map[string]int{"remittance 111111111 CHECK-4": 4, "remittance remittance export 5": 1, "bill 111111111 B1": 1}
		assert.Truef(t, maps.Equal(said, want), "opened %v, want %v", said, want)
	})
}

func (p *portal) cleanupSessions() {
	p.t.Helper()
	require.NoError(p.t, p.CleanupSessions(p.t.Context(), p.clock.Now))
}

// A visit ends when it could no longer continue, regardless of how and when that's recorded.
func TestVisitsEndTruly(t *testing.T) {
	for name, c := range map[string]struct {
		end  func(p *portal, token string)
		want string
	}{
		"idle, found at the next call": {func(p *portal, token string) {
			p.clock.Advance(3 * time.Hour)
			p.want(p.do("GET", "/api/session", nil, bearer(token)), 401, "")
		}, "30m0s"},
		"idle, tidied": {func(p *portal, _ string) {
			p.clock.Advance(3 * time.Hour)
			p.cleanupSessions()
		}, "30m0s"},
		"idle, noted by nobody": {func(p *portal, _ string) { p.clock.Advance(3 * time.Hour) }, "30m0s"},
		"used, then idle": {func(p *portal, token string) {
			p.clock.Advance(20 * time.Minute)
			p.want(p.do("POST", "/api/session/touch", nil, bearer(token)), 204, "")
			p.clock.Advance(10 * time.Hour)
			p.cleanupSessions()
		}, "50m0s"},
		"its staff terminated": {func(p *portal, _ string) {
			p.clock.Advance(4 * time.Minute)
			p.want(p.do("PUT", "/api/users/terminate", fields{"userNm": "irad"}, bearer(p.signIn("isad"))), 200, "")
			p.clock.Advance(time.Hour)
		}, "4m0s"},
		"its user terminated": {func(p *portal, _ string) {
			p.clock.Advance(6 * time.Minute)
			p.want(p.do("PUT", "/api/users/terminate", fields{"userNm": "prus"}, bearer(p.signIn("prad"))), 200, "")
			p.clock.Advance(time.Hour)
		}, "6m0s"},
		"ended from elsewhere": {func(p *portal, _ string) {
			p.clock.Advance(7 * time.Minute)
			p.want(p.do("DELETE", "/api/account/sessions", nil, bearer(p.signIn("irad"))), 204, "")
		}, "7m0s"},
	} {
		t.Run(name, func(t *testing.T) {
			each(t, nil, func(t *testing.T, p *portal) {
				token := p.signIn("irad")
				p.want(p.mirror(token, "prus", ""), 200, "")
				c.end(p, token)
				if got, want := p.visits(p.signIn("isad")).summary(), "irad as prus () "+c.want+" 0"; got != want {
					t.Errorf("%q, want %q", got, want)
				}
			})
		})
	}
}

// Without the Workspace the feature doesn't exist, and mirroring works as before.
func TestVisitsWithoutWorkspace(t *testing.T) {
	each(t, func(c *app.Config) { c.Access.Workspace = "off" }, func(t *testing.T, p *portal) {
		token := p.signIn("isad")
		p.exec(`INSERT INTO visit_settings (group_id, mails, asks_first, version) VALUES ($1, 'at-once', $2, 1)`, p.groupOf("prus"), true)
		p.want(p.mirror(token, "prus", ""), 200, "")
		assert.Equal(t, 0, p.mailsOf("visit-begun"))
		p.exec(`UPDATE sessions SET mirror_until = $1`, db.At(p.clock.Now())) // created while it was on
		p.want(p.do("GET", "/api/ftin/userFtins/prus?activeFlag=true", nil, bearer(token)), 200, "")
		p.want(p.do("DELETE", "/api/session/mirror", nil, bearer(token)), 200, "")
		p.want(p.do(http.MethodPost, "/api/work/visits", fields{}, bearer(token)), 404, "")
	})
}

type visitSettings struct {
	Mails     string
	AsksFirst bool
	Version   int64
}

func (p *portal) visitSettings(token string) (s visitSettings) {
	p.t.Helper()
	p.do("GET", "/api/work/visits/settings", nil, bearer(token)).into(p.t, &s)
	return s
}

// mailsOf counts the emails of a kind.
func (p *portal) mailsOf(kind string) int {
	p.t.Helper()
	return p.count(`SELECT count(*) FROM mails WHERE kind = $1`, kind)
}

// wantMail checks the text of the newest email to a user, which must not name anyone.
func (p *portal) wantMail(to, words string) {
	p.t.Helper()
	list := p.inbox(to)
	require.NotEmptyf(p.t, list, "no mail to %s", to)
	m := list[len(list)-1]
	said := strings.Join(strings.Fields(m.Subject+" "+m.Text), " ")
	assert.Contains(p.t, said, words)
	for _, name := range []string{"isad", "irad", "prus", "Tester", "111111111"} {
		assert.NotContains(p.t, said, name)
	}
}

// Administrators get visit emails by their office's setting: in the first digest of a week,
// immediately or never.
func TestVisitsAreMailed(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		prad, isad, irad := p.signIn("prad"), p.signIn("isad"), p.signIn("irad")
		assert.Equal(t, visitSettings{"weekly", false, 0}, p.visitSettings(prad))
		for _, who := range []string{"prad", "prus"} { // a regular user gets no email
			p.want(p.put("/work/alerts/settings", fields{"digest": "daily", "days": []int{2, 4}, "hour": 7, "kinds": []string{"paid"},
				"tins": []string{}, "quietWeeks": false, "watches": false, "questions": true}, bearer(p.signIn(who))), 204, "")
		}
		p.want(p.mirror(isad, "prus", ""), 200, "") // on Monday the 2nd
		p.want(p.mirror(isad, "prad", ""), 200, "")
		p.want(p.mirror(irad, "prus", ""), 200, "")
		digest := func(day string, want int) {
			t.Helper()
			p.until(day)
			require.NoError(t, p.Alerts.EnqueueDue(t.Context()))
			if got := p.mailsOf("news"); got != want {
				t.Errorf("%s: %d digests", day, got)
			}
		}
		digest("2026-03-03", 1)
		p.want(p.mirror(p.signIn("isad"), "prus", ""), 200, "") // on Tuesday the 3rd
		digest("2026-03-05", 1)                                 // the second of the week
		p.wantMail("prad@example.com", "2 people from the network acted as users in your group in the past week.")
		digest("2026-03-10", 2)

		// Immediately, to each administrator who can sign in, without names.
		prad = p.signIn("prad")
		set := func(mails string, version int64) reply {
			return p.put("/work/visits/settings", fields{"mails": mails, "asksFirst": false, "version": version}, bearer(prad))
		}
		p.want(set("sometimes", 0), 400, "")
		p.want(set("at-once", 0), 204, "")
		p.want(set("never", 0), 409, "Someone else changed this. Reload and try again.")
		p.audited(1, `operation = 'visits-set' AND actor = 'prad' AND detail = 'emails at-once'`)
		p.add("zoe", access.PRAD, p.groupOf("prad"))
		p.add("gone", access.PRAD, p.groupOf("prad"))
		p.setStatus("gone", "TERM")
		p.want(p.mirror(p.signIn("isad"), "prus", ""), 200, "")
		assert.Equal(t, 2, p.mailsOf("visit-begun"))
		p.wantMail("zoe@example.com", "Network staff started acting as a user in your group.")
		p.want(set("never", 1), 204, "")
		p.want(p.mirror(p.signIn("isad"), "prus", ""), 200, "")
		p.want(p.mirror(p.signIn("isad"), "nnus", ""), 200, "") // not in a provider group
		digest("2026-03-17", 2)
		assert.Equal(t, 2, p.mailsOf("visit-begun"))
		// Someone who mirrors an administrator can't change anything.
		p.want(p.mirror(isad, "prad", ""), 401, "")
		isad = p.signIn("isad")
		p.want(p.mirror(isad, "prad", ""), 200, "")
		p.want(p.put("/work/visits/settings", fields{"mails": "never", "asksFirst": false, "version": 2}, bearer(isad)), 403,
			"You can't make changes while mirroring a user. Use Revert first.")
		for _, who := range []string{"prus", "nnus", "irad", "isad"} {
			p.want(p.put("/work/visits/settings", fields{"mails": "never", "asksFirst": false, "version": 2}, bearer(p.signIn(who))),
				403, "")
		}
	})
}

type approvalStatus struct {
	AsksFirst, Allowed bool
	Request            *struct {
		ID                 int64
		State, Words, Whom string
		Until              *time.Time
	}
}

func (p *portal) approvalStatus(token, whom string) (s approvalStatus) {
	p.t.Helper()
	p.post("/desk/visits/standing", fields{"userName": whom}, bearer(token)).into(p.t, &s)
	return s
}

type visitRequests struct {
	Rows []struct {
		ID                                          int64
		Who, Whom, Reason, State, Words, AnsweredBy string
	}
}

func (p *portal) requests(token string) (r visitRequests) {
	p.t.Helper()
	p.post("/work/visits/requests", fields{"table": fields{"page": 0, "pageSize": 50}}, bearer(token)).into(p.t, &r)
	return r
}

func (r visitRequests) summary() string {
	var list []string
	for _, row := range r.Rows {
		list = append(list, fmt.Sprintf("%s for %s (%s) %s %s", row.Who, row.Whom, row.Reason, row.State, row.Words))
	}
	return strings.Join(list, ", ")
}

// requireApproval turns the ask-first setting for prad's group on or off.
func (p *portal) requireApproval(on bool) {
	p.t.Helper()
	token := p.signIn("prad")
	p.want(p.put("/work/visits/settings", fields{"mails": "weekly", "asksFirst": on, "version": p.visitSettings(token).Version},
		bearer(token)), 204, "")
}

func (p *portal) answerRequest(token string, id int64, agree bool, words string) reply {
	p.t.Helper()
	return p.post(fmt.Sprintf("/work/visits/requests/%d/answer", id), fields{"agree": agree, "words": words}, bearer(token))
}

const (
	askedNow = "This office requires approval, so we sent your request to its administrators. Once approved, you can act as its " +
		"users for 60 minutes. We'll email you."
	askedBefore = "This office requires approval. You requested it on 03/02/2026 at 10:00 AM EST, and no one has responded yet. " +
		"Requests expire after 24 hours."
	nobodyToAsk = "This office requires approval, but it doesn't have an administrator. In an emergency, a system administrator can " +
		"override this in Service desk."
	whileMirror  = "You can't make changes while mirroring a user. Use Revert first."
	needNotBeAsk = "This office doesn't require approval."
)

// If an office requires permission, mirroring one of its users sends one request instead. An
// administrator's approval is valid for 60 minutes, and mirroring ends with it.
func TestAskFirst(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		p.add("zoe", access.PRAD, p.groupOf("prad"))
		p.add("ivy0", access.ISAD, 0)
		irad := p.signIn("irad")
		p.want(p.mirror(irad, "prus", ""), 200, "") // mirroring that started earlier continues
		p.requireApproval(true)
		p.audited(1, `operation = 'visits-ask-first' AND actor = 'prad'`)
		p.wantMail("zoe@example.com", "now needs your approval to act as a user in your group")
		assert.Equal(t, 0, len(p.inbox("prad@example.com")))
		p.want(p.do("GET", "/api/ftin/userFtins/prus?activeFlag=true", nil, bearer(irad)), 200, "")
		r := p.mirror(irad, "prad", "a call")
		if p.want(r, 409, askedNow); !strings.Contains(string(r.body), "ASK_FIRST") {
			t.Errorf("%s", r.body)
		}
		var s sessionAnswer
		p.do("GET", "/api/session", nil, bearer(irad)).into(t, &s)
		if s.MirroredUser == nil || s.MirroredUser.UserNm != "prus" {
			t.Errorf("what is under way went with a refusal: %+v", s)
		}
		p.want(p.do("DELETE", "/api/session/mirror", nil, bearer(irad)), 200, "")
		p.want(p.mirror(irad, "prus", ""), 409, askedBefore)
		var both sync.WaitGroup
		isad := p.signIn("isad")
		for range 4 {
			both.Go(func() { p.mirror(isad, "prus", "") })
		}
		both.Wait()
		prad := p.signIn("prad")
		list := p.requests(prad)
		require.Equal(t, "isad for prus () ASKED , irad for prad (a call) ASKED ", list.summary())
		p.wantMail("prad@example.com", "Network staff want to act as a user in your group.")
		assert.Equal(t, 4, p.mailsOf("visit-request"))
		p.audited(1, `operation = 'visit-ask' AND actor = 'irad' AND subject = 'prad' AND detail = 'a call'`)

		// Users in other offices or in none can be mirrored as before.
		p.add("ada", access.PRUS, 0, "444444444")
		for _, whom := range []string{"nnus", "ada"} {
			p.want(p.mirror(irad, whom, ""), 200, "")
			p.want(p.do("DELETE", "/api/session/mirror", nil, bearer(irad)), 200, "")
		}

		// If both administrators answer at the same time, one counts.
		id := list.Rows[1].ID
		zoe := p.signIn("zoe")
		answers := make([]reply, 2)
		for i, token := range []string{prad, zoe} {
			both.Go(func() { answers[i] = p.answerRequest(token, id, true, "") })
		}
		both.Wait()
		if answers[0].status+answers[1].status != 204+409 {
			t.Errorf("%s / %s", answers[0].body, answers[1].body)
		}
		p.audited(1, `operation = 'visit-agree' AND subject = 'irad'`)
		p.wantMail("irad@example.com", "The office approved your request. You can act as its users until 03/02/2026 at 11:00 AM EST.")
		p.want(p.answerRequest(prad, list.Rows[0].ID, false, "call us at 216555014812"), 400, "")
		p.want(p.answerRequest(prad, list.Rows[0].ID, false, "Not today"), 204, "")
		p.want(p.answerRequest(zoe, list.Rows[0].ID, true, ""), 409, "prad already declined this request.")
		p.want(p.mirror(isad, "prus", ""), 409,
			"This office declined your request on 03/02/2026 at 10:00 AM EST: “Not today”. You can request access again in Service desk.")
		p.wantMail("isad@example.com", "The office declined your request.")
		if st := p.approvalStatus(isad, "prad"); !st.AsksFirst || st.Allowed || st.Request.State != "REFUSED" ||
			st.Request.Words != "Not today" {
			t.Errorf("%+v", st)
		}

		// 60 minutes from the approval, for any user in the group.
		p.clock.Advance(20 * time.Minute)
		p.want(p.mirror(irad, "prus", ""), 200, "")
		p.want(p.do("DELETE", "/api/session/mirror", nil, bearer(irad)), 200, "")
		p.want(p.mirror(irad, "prad", ""), 200, "")
		p.want(p.answerRequest(irad, list.Rows[0].ID, true, ""), 403, whileMirror)
		p.want(p.put("/work/visits/settings", fields{"mails": "weekly", "asksFirst": false, "version": 1}, bearer(irad)), 403, whileMirror)
		p.clock.Advance(20 * time.Minute)
		p.want(p.do("GET", "/api/work/visits/settings", nil, bearer(irad)), 200, "")
		p.clock.Advance(20*time.Minute - time.Second)
		p.want(p.do("GET", "/api/work/visits/settings", nil, bearer(irad)), 200, "")
		p.clock.Advance(time.Second)
		p.want(p.do("GET", "/api/work/visits/settings", nil, bearer(irad)), 409, "MIRROR_ENDED")
		s = sessionAnswer{}
		p.do("GET", "/api/session", nil, bearer(irad)).into(t, &s)
		if s.MirroredUser != nil || s.MirrorEnded != "Prad Tester" || !s.MirrorOver {
			t.Errorf("%+v", s)
		}
		p.audited(1, `operation = 'mirror-stop' AND actor = 'irad' AND acting_for = 'prad'
			AND detail = 'the office''s access approval expired'`)
		p.want(p.do("DELETE", "/api/session/mirror", nil, bearer(irad)), 200, "")
		if got := p.visits(p.signIn("ivy0")).summary(); !strings.HasPrefix(got, "irad as prad () 40m0s 0") {
			t.Errorf("%q", got)
		}
		p.clock.Advance(time.Minute)
		p.want(p.mirror(irad, "prus", ""), 409, askedNow)

		// Without an answer the request expires after a day, and the next attempt sends a new
		// one.
		waits := p.requests(p.signIn("zoe")).Rows[0]
		p.clock.Advance(24*time.Hour + time.Second)
		if got := p.requests(p.signIn("zoe")).Rows[0]; got.ID != waits.ID || got.State != "EXPIRED" {
			t.Errorf("%+v", got)
		}
		const expired = "This request expired after 24 hours without a response."
		p.want(p.answerRequest(p.signIn("zoe"), waits.ID, true, ""), 409, expired)
		p.want(p.mirror(p.signIn("isad"), "prus", ""), 409, askedNow)
		p.want(p.answerRequest(p.signIn("zoe"), p.requests(p.signIn("zoe")).Rows[0].ID, false, ""), 204, "")
		if got := p.requests(p.signIn("zoe")).Rows; got[0].State != "REFUSED" || got[1].ID != waits.ID {
			t.Errorf("an expired request isn't listed by date: %+v", got[:2])
		}
		p.want(p.mirror(p.signIn("irad"), "prus", ""), 409, askedNow)

		// With the setting off, pending requests don't require an answer. Expired ones stay expired.
		unanswered := p.requests(p.signIn("zoe")).Rows[0]
		p.clock.Advance(24*time.Hour + time.Second)
		p.want(p.mirror(p.signIn("isad"), "prus", ""), 409, askedNow)
		waits = p.requests(p.signIn("zoe")).Rows[0]
		p.requireApproval(false)
		p.want(p.answerRequest(p.signIn("zoe"), unanswered.ID, true, ""), 409, expired)
		p.audited(1, `operation = 'visits-ask-no-more' AND actor = 'prad'`)
		p.want(p.answerRequest(p.signIn("zoe"), waits.ID, true, ""), 409, "Your group no longer requires approval.")
		p.want(p.mirror(p.signIn("irad"), "prus", ""), 200, "")
	})
}

type sessionAnswer struct {
	MirroredUser *struct{ UserNm string }
	MirrorEnded  string
	MirrorOver   bool
}

// At the desk, a request uses the desk session's reason and can be repeated after a refusal. A
// system administrator can proceed without approval, with a notice.
func TestOverride(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		irad, isad := p.signIn("irad"), p.signIn("isad")
		ask := func(token, whom string) reply {
			return p.post("/desk/visits/ask", fields{"userName": whom}, bearer(token))
		}
		override := func(token, whom, reason string) reply {
			return p.post("/desk/visits/override", fields{"userName": whom, "reason": reason}, bearer(token))
		}
		p.want(ask(irad, "prus"), 400, "Start a support session first.")
		for _, token := range []string{irad, isad} {
			p.want(p.post("/desk/sitting", fields{"reason": "COMPLAINT"}, bearer(token)), 200, "")
		}
		p.want(ask(irad, "prus"), 409, needNotBeAsk)
		p.want(override(isad, "prus", "an emergency"), 409, needNotBeAsk)
		if st := p.approvalStatus(irad, "prus"); st.AsksFirst || st.Allowed || st.Request != nil {
			t.Errorf("%+v", st)
		}
		p.requireApproval(true)
		for range 2 {
			p.want(ask(irad, "prus"), 204, "")
		}
		p.want(p.post("/desk/users/mirror", fields{"userName": "prus"}, bearer(irad)), 409, askedBefore)
		prad := p.signIn("prad")
		list := p.requests(prad)
		require.Equal(t, "irad for prus (complaint) ASKED ", list.summary())
		p.want(p.answerRequest(prad, list.Rows[0].ID, false, ""), 204, "")
		p.want(ask(irad, "prus"), 204, "")
		p.want(p.answerRequest(prad, p.requests(prad).Rows[0].ID, true, ""), 204, "")
		p.want(ask(irad, "prus"), 409, "This office already approved your access.")
		p.want(p.post("/desk/users/mirror", fields{"userName": "prus"}, bearer(irad)), 200, "")
		p.want(p.do("DELETE", "/api/session/mirror", nil, bearer(irad)), 200, "")

		p.want(override(irad, "prus", "an emergency"), 403, "")
		p.want(override(prad, "prus", "an emergency"), 403, "")
		p.want(override(isad, "prus", " "), 400, "")
		p.want(override(isad, "prus", "claim 123456789"), 400, "")
		p.want(override(isad, "road", "an emergency"), 400, "")
		p.want(override(isad, "nnus", "an emergency"), 409, needNotBeAsk)
		p.want(p.mirror(isad, "prus", ""), 409, askedNow)
		waits := p.requests(prad).Rows[0]
		p.want(override(isad, "prus", "their office is on fire"), 204, "")
		p.audited(1, `operation = 'visit-override' AND actor = 'isad' AND subject = 'prus' AND detail = 'their office is on fire'`)
		p.want(p.answerRequest(prad, waits.ID, false, ""), 409, "A system administrator used emergency access without approval.")
		p.wantMail("prad@example.com", "A network system administrator used emergency access")
		p.want(p.mirror(isad, "prus", ""), 200, "")
		if v := p.visits(prad); v.Rows[0].Reason != "their office is on fire" || !v.Rows[0].Override || v.Rows[1].Override {
			t.Errorf("%+v", v)
		}
		p.want(override(isad, "prus", "once more"), 403, "")
		p.clock.Advance(time.Hour)
		p.want(p.do("GET", "/api/ftin/userFtins/prus?activeFlag=true", nil, bearer(isad)), 401, "")

		// An office without an administrator can't be asked. An imported lock has no end.
		isad, irad = p.signIn("isad"), p.signIn("irad")
		p.want(p.post("/desk/sitting", fields{"reason": "CALL"}, bearer(irad)), 200, "")
		p.setStatus("prad", users.Locked)
		p.want(p.mirror(irad, "prus", ""), 409, nobodyToAsk)
		p.setStatus("prad", users.Terminated)
		p.want(p.mirror(irad, "prus", ""), 409, nobodyToAsk)
		p.want(ask(irad, "prus"), 409, nobodyToAsk)
		p.want(override(isad, "prus", "nobody is there"), 204, "")
		p.want(p.mirror(isad, "prus", ""), 200, "")
	})
}

// An override replaces a pending request, also one for another user, but not one that has expired.
func TestOverrideAfterRequest(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		p.requireApproval(true)
		ask := func(path string, body fields) {
			t.Helper()
			isad := p.signIn("isad")
			p.want(p.post("/desk/sitting", fields{"reason": "CALL"}, bearer(isad)), 200, "")
			p.want(p.post(path, body, bearer(isad)), 204, "")
		}
		ask("/desk/visits/ask", fields{"userName": "prus"})
		p.clock.Advance(24*time.Hour + time.Second)
		ask("/desk/visits/override", fields{"userName": "prus", "reason": "an emergency"})
		p.clock.Advance(24 * time.Hour)
		ask("/desk/visits/ask", fields{"userName": "prus"})
		ask("/desk/visits/override", fields{"userName": "prad", "reason": "another one"})
		const want = "isad for prad (another one) OVERRIDE , isad for prus (an emergency) OVERRIDE , isad for prus (call) EXPIRED "
		assert.Equal(t, want, p.requests(p.signIn("prad")).summary())
	})
}

// Requests and answers work across two instances.
func TestAskFirstOnTwoInstances(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		p.requireApproval(true)
		second := p.another()
		isad := p.signIn("isad")
		var both sync.WaitGroup
		for _, at := range []*portal{p, second} {
			both.Go(func() {
				if r := at.mirror(isad, "prus", ""); r.status != 409 {
					t.Errorf("%d %s", r.status, r.body)
				}
			})
		}
		both.Wait()
		prad := p.signIn("prad")
		list := p.requests(prad)
		if len(list.Rows) != 1 || p.mailsOf("visit-request") != 1 {
			t.Fatalf("%+v", list)
		}
		p.want(second.answerRequest(prad, list.Rows[0].ID, true, ""), 204, "")
		p.want(p.mirror(isad, "prus", ""), 200, "")
		p.clock.Advance(time.Hour - time.Second)
		p.exec(`UPDATE sessions SET last_active_at = $1`, db.At(p.clock.Now()))
		p.want(second.do("GET", "/api/session", nil, bearer(isad)), 200, "")
		p.clock.Advance(time.Second)
		for _, at := range []*portal{p, second} {
			both.Go(func() { at.do("GET", "/api/session", nil, bearer(isad)) })
		}
		both.Wait()
		p.audited(1, `operation = 'mirror-stop'`)
	})
}
