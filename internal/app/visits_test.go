package app_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"wcpp/internal/access"
	"wcpp/internal/app"
)

type networkVisits struct {
	Rows []struct {
		ID                           int64
		GroupName, Who, Whom, Reason string
		StartedAt                    time.Time
		EndedAt                      *time.Time
		Bills                        int
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

// said is what the table tells, the newest first: who, whom, why, for how long and the
// bills that were opened.
func (v networkVisits) said() string {
	var list []string
	for _, row := range v.Rows {
		lasted := "on"
		if row.EndedAt != nil {
			lasted = row.EndedAt.Sub(row.StartedAt).String()
		}
		list = append(list, fmt.Sprintf("%s as %s (%s) %s %d", row.Who, row.Whom, row.Reason, lasted, row.Bills))
	}
	return strings.Join(list, ", ")
}

func (p *portal) mirror(token, whom, reason string) reply {
	p.t.Helper()
	return p.post("/session/mirror", fields{"userNm": whom, "reason": reason}, bearer(token))
}

// An office sees who from the network acted as its users, from when until when, why,
// and what was opened.
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
		p.opens("open-page", "isad", "", "111111111 b-2", "ok") // as oneself
		p.opens("open-page", "isad", "prad", "111111111 b-3", "ok")
		p.opens("open-page", "isad", "prus", "111111111 b-4", "refused")
		p.clock.Advance(5 * time.Minute)
		if got := p.visits(prad).said(); got != "isad as prus () on 1" {
			t.Fatalf("%q", got)
		}
		p.want(p.do("DELETE", "/api/session/mirror", nil, bearer(isad)), 200, "")
		p.clock.Advance(time.Minute)
		p.opens("open-page", "isad", "prus", "111111111 b-5", "ok") // in no visit

		p.want(p.post("/desk/sitting", fields{"reason": "CASE", "reference": "K-77", "text": "asked by Ms Perez"}, bearer(irad)), 200, "")
		p.want(p.post("/desk/users/mirror", fields{"userName": "prad"}, bearer(irad)), 200, "")
		p.clock.Advance(2 * time.Minute)
		p.want(p.mirror(irad, "prus", "on the phone"), 200, "") // from one to the next
		p.clock.Advance(3 * time.Minute)
		p.want(p.do("POST", "/api/logout", nil, bearer(irad)), 200, "")
		p.want(p.mirror(isad, "nnus", ""), 200, "")
		v := p.visits(prad)
		if got := v.said(); got != "irad as prus (on the phone) 3m0s 0, irad as prad (case) 2m0s 0, isad as prus () 5m0s 1" || v.Count != 3 {
			t.Fatalf("%q of %d", got, v.Count)
		}
		p.audited(2, `operation = 'visits-read' AND actor = 'prad'`)
		var opened struct {
			Rows  []struct{ Bill string }
			Count int
		}
		bills := fmt.Sprintf("/work/visits/%d/bills", v.Rows[2].ID)
		r := p.post(bills, fields{"table": fields{"page": 0, "pageSize": 1}}, bearer(prad))
		if r.into(t, &opened); opened.Count != 2 || len(opened.Rows) != 1 || !strings.HasPrefix(opened.Rows[0].Bill, "111111111 ") {
			t.Fatalf("%s", r.body)
		}
		p.audited(1, `operation = 'visit-open' AND actor = 'prad'`)

		// Who sees no access history sees none of it; another office sees its own.
		p.add("ada", access.PRAD, 0, "444444444")
		if got := p.visits(p.signIn("ada")).said(); got != "" {
			t.Errorf("%q", got)
		}
		p.want(p.post(bills, fields{"table": fields{"page": 0, "pageSize": 1}}, bearer(p.signIn("ada"))), 404, "")
		for _, who := range []string{"prus", "nnus", "irad", "road", "rous"} {
			p.want(p.post("/work/visits", fields{"table": fields{"page": 0, "pageSize": 1}}, bearer(p.signIn(who))), 403, "")
		}
		p.add("ivy", access.ISAD, 0)
		if got := p.visits(p.signIn("ivy")).Count; got != 4 {
			t.Errorf("a system administrator sees %d", got)
		}
		p.want(p.post("/work/visits", fields{"table": fields{"page": 0, "pageSize": 5, "sort": fields{"id": "nothing", "desc": false}}}, bearer(prad)), 400, "")
	})
}

func (p *portal) tidySessions() {
	p.t.Helper()
	if err := p.TidySessions(p.t.Context(), p.clock.Now); err != nil {
		p.t.Fatal(err)
	}
}

// A visit ends when it could go on no more, however and whenever that is noted.
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
			p.tidySessions()
		}, "30m0s"},
		"idle, noted by nobody": {func(p *portal, _ string) { p.clock.Advance(3 * time.Hour) }, "30m0s"},
		"used, then idle": {func(p *portal, token string) {
			p.clock.Advance(20 * time.Minute)
			p.want(p.do("POST", "/api/session/touch", nil, bearer(token)), 204, "")
			p.clock.Advance(10 * time.Hour)
			p.tidySessions()
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
				if got, want := p.visits(p.signIn("isad")).said(), "irad as prus () "+c.want+" 0"; got != want {
					t.Errorf("%q, want %q", got, want)
				}
			})
		})
	}
}

// Without the Workspace nothing of it is there, and mirroring is as it was.
func TestVisitsWithoutWorkspace(t *testing.T) {
	each(t, func(c *app.Config) { c.Access.Workspace = "off" }, func(t *testing.T, p *portal) {
		token := p.signIn("isad")
		p.want(p.mirror(token, "prus", ""), 200, "")
		p.want(p.do("DELETE", "/api/session/mirror", nil, bearer(token)), 200, "")
		p.want(p.do(http.MethodPost, "/api/work/visits", fields{}, bearer(token)), 404, "")
	})
}

type visitSettings struct {
	Mails   string
	Version int64
}

func (p *portal) visitSettings(token string) (s visitSettings) {
	p.t.Helper()
	p.do("GET", "/api/work/visits/settings", nil, bearer(token)).into(p.t, &s)
	return s
}

// mailsOf counts the mails of a kind.
func (p *portal) mailsOf(kind string) int {
	p.t.Helper()
	return p.count(`SELECT count(*) FROM mails WHERE kind = $1`, kind)
}

// tells looks for words in the newest mail to somebody, which names nobody.
func (p *portal) tells(to, words string) {
	p.t.Helper()
	list := p.inbox(to)
	if len(list) == 0 {
		p.t.Fatalf("no mail to %s", to)
	}
	m := list[len(list)-1]
	said := strings.Join(strings.Fields(m.Subject+" "+m.Text), " ")
	if !strings.Contains(said, words) {
		p.t.Errorf("%s", said)
	}
	for _, name := range []string{"isad", "irad", "prus", "Tester", "111111111"} {
		if strings.Contains(said, name) {
			p.t.Errorf("a mail names %s: %s", name, said)
		}
	}
}

// Administrators hear of visits as their office has chosen: in the first digest of a
// week, at once, or never.
func TestVisitsAreMailed(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		prad, isad, irad := p.signIn("prad"), p.signIn("isad"), p.signIn("irad")
		if got := p.visitSettings(prad); got != (visitSettings{"weekly", 0}) {
			t.Errorf("%+v", got)
		}
		for _, who := range []string{"prad", "prus"} { // a user hears nothing
			p.want(p.put("/work/alerts/settings", fields{"digest": "daily", "days": []int{2, 4}, "hour": 7, "kinds": []string{"paid"}, "tins": []string{}, "quietWeeks": false, "watches": false}, bearer(p.signIn(who))), 204, "")
		}
		p.want(p.mirror(isad, "prus", ""), 200, "") // on Monday the 2nd
		p.want(p.mirror(isad, "prad", ""), 200, "")
		p.want(p.mirror(irad, "prus", ""), 200, "")
		digest := func(day string, want int) {
			t.Helper()
			p.until(day)
			if err := p.Alerts.Post(t.Context()); err != nil {
				t.Fatal(err)
			}
			if got := p.mailsOf("news"); got != want {
				t.Errorf("%s: %d digests", day, got)
			}
		}
		digest("2026-03-03", 1)
		p.want(p.mirror(p.signIn("isad"), "prus", ""), 200, "") // on Tuesday the 3rd
		digest("2026-03-05", 1)                                 // the second of the week
		p.tells("prad@example.com", "2 people of the network acted as users of your group in the past week.")
		digest("2026-03-10", 2)

		// At once, to each administrator who can sign in; nobody is named.
		prad = p.signIn("prad")
		set := func(mails string, version int64) reply {
			return p.put("/work/visits/settings", fields{"mails": mails, "version": version}, bearer(prad))
		}
		p.want(set("sometimes", 0), 400, "")
		p.want(set("at-once", 0), 204, "")
		p.want(set("never", 0), 409, "Somebody else has changed this meanwhile. Look at it again.")
		p.audited(1, `operation = 'visits-set' AND actor = 'prad' AND detail = 'mails at-once'`)
		p.add("zoe", access.PRAD, p.groupOf("prad"))
		p.add("gone", access.PRAD, p.groupOf("prad"))
		p.setStatus("gone", "TERM")
		p.want(p.mirror(p.signIn("isad"), "prus", ""), 200, "")
		if got := p.mailsOf("visit-begun"); got != 2 {
			t.Errorf("%d mails at once", got)
		}
		p.tells("zoe@example.com", "somebody from the network began to act as a user of your group.")
		p.want(set("never", 1), 204, "")
		p.want(p.mirror(p.signIn("isad"), "prus", ""), 200, "")
		p.want(p.mirror(p.signIn("isad"), "nnus", ""), 200, "") // of no provider group
		digest("2026-03-17", 2)
		if got := p.mailsOf("visit-begun"); got != 2 {
			t.Errorf("%d mails", got)
		}
		// Whoever mirrors an administrator changes nothing.
		p.want(p.mirror(isad, "prad", ""), 401, "")
		isad = p.signIn("isad")
		p.want(p.mirror(isad, "prad", ""), 200, "")
		p.want(p.put("/work/visits/settings", fields{"mails": "never", "version": 2}, bearer(isad)), 403, "While you mirror a user nothing can be changed. Use Revert first.")
		for _, who := range []string{"prus", "nnus", "irad", "isad"} {
			p.want(p.put("/work/visits/settings", fields{"mails": "never", "version": 2}, bearer(p.signIn(who))), 403, "")
		}
	})
}
