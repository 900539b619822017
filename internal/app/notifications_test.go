package app_test

import (
	"bufio"
	"context"
	"fmt"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"wcpp/internal/platform/db"

	"wcpp/internal/app"
	"wcpp/internal/platform/httpapi"
)

// written returns a complete notification as the screen sends it, including fields that the
// server ignores.
func (p *portal) written(change fields, to ...string) fields {
	ids := make([]string, len(to))
	for n, name := range to {
		ids[n] = fmt.Sprint(p.user(name).ID)
	}
	f := fields{
		"wcp_notification_id": 0, "name": "Office hours", "sendDt": "2026-03-03", "status": "SENT", "sendEmail": "YES",
		"campaign":    "Spring",
		"requestedBy": "Ada", "createDt": "x", "lastUpdateBy": "nobody", "userNotList": strings.Join(ids, ","),
		"link": "https://network.example/hours",
	}
	for name, value := range change {
		f[name] = value
	}
	return f
}

func (p *portal) put(path string, body any, opts ...option) reply {
	return p.do("PUT", "/api"+path, body, opts...)
}

func (p *portal) own(token, user string) string {
	return strings.TrimSpace(string(p.do("GET", fmt.Sprintf("/api/notifications/user/%d", p.user(user).ID), nil, bearer(token)).body))
}

func TestNotifications(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		isad, prus := p.signIn("isad"), p.signIn("prus")
		r := p.put("/notifications/create", p.written(nil, "prus", "nnus"), bearer(isad))
		var stored fields
		r.into(t, &stored)
		id := stored["wcp_notification_id"]
		prusID, nnusID := p.user("prus").ID, p.user("nnus").ID
		want := fmt.Sprintf(`{"wcp_notification_id":%v,"name":"Office hours","sendDt":"2026-03-03","status":"SCHEDULED",`+
			`"sendEmail":"NO","campaign":"Spring","requestedBy":"Ada","createDt":"2026-03-02T15:00:00.000000Z",`+
			`"lastUpdate":"2026-03-02T15:00:00.000000Z","lastUpdateBy":"isad","userNotList":"%d,%d",`+
			`"link":"https://network.example/hours"}`, id, prusID, nnusID)
		if got := strings.TrimSpace(string(r.body)); r.status != 200 || got != want {
			t.Fatalf("%d\n%s\n%s", r.status, got, want)
		}
		list := func() string {
			return strings.TrimSpace(string(p.do("GET", "/api/notifications/list", nil, bearer(isad)).body))
		}
		assert.Equal(t, "["+want+"]", list())
		draft := p.put("/notifications/create", fields{"sendDt": nil}, bearer(isad))
		if got := string(draft.body); !strings.Contains(got, `"name":"Provider Portal Notification","sendDt":null,"status":"DRAFT"`) ||
			!strings.Contains(got, `"userNotList":""`) {
			t.Errorf("%s", got)
		}
		bad := p.put("/notifications/create", p.written(fields{"link": "javascript:1", "sendDt": "2026-03-01"}, "prus"), bearer(isad))
		if bad.status != 400 || bad.fields() !=
			"link: Enter an address of up to 2,000 characters that starts with http:// or https://.; sendDt: Enter today's date or later." {
			t.Errorf("%d %s", bad.status, bad.fields())
		}
		p.want(p.put("/notifications/create", p.written(fields{"userNotList": "987654"}), bearer(isad)), 400,
			"Some recipients don't exist. Remove them and save again.")
		p.want(p.put("/notifications/create", p.written(fields{"sendDt": "03/04/2026"}, "prus"), bearer(isad)), 400, "")
		stamped := p.put("/notifications/create", p.written(fields{"sendDt": "2026-03-05T08:00:00"}, "prus"), bearer(isad))
		if stamped.status != 200 || !strings.Contains(string(stamped.body), `"sendDt":"2026-03-05"`) {
			t.Errorf("a timestamp: %d %s", stamped.status, stamped.body)
		}

		// A due notification is sent immediately, by a job from the transaction that saved it.
		jobs := func() int { return p.count(`SELECT count(*) FROM river_job WHERE kind = 'send-notifications'`) }
		assert.Equal(t, 0, jobs())
		stored["sendDt"], stored["lastUpdate"] = "2026-03-02", "2026-03-02T15:00:00Z"
		r = p.put("/notifications/update", stored, bearer(isad))
		if r.status != 200 || jobs() != 1 {
			t.Fatalf("%d %s, %d jobs", r.status, r.body, jobs())
		}
		stored["name"] = "Later hours"
		if r := p.put("/notifications/update", stored, bearer(isad)); r.status != 409 ||
			!strings.Contains(string(r.body), `"code":"STALE"`) {
			t.Errorf("%d %s", r.status, r.body)
		}
		assert.Equal(t, "[]", p.own(prus, "prus"))
		require.NoError(t, p.Notifications.Send(t.Context()))
		mine := fmt.Sprintf(`[{"wcp_notification_id":%v,"name":"Office hours","notification_link":"https://network.example/hours",`+
			`"notification_user_dwnld":%%q}]`, id)
		assert.Equal(t, fmt.Sprintf(mine, "N"), p.own(prus, "prus"))

		// Users can't see or mark other users' notifications. While mirroring, they're visible
		// but can't be marked.
		viewed := func(token, user string, body any) reply {
			return p.do("PATCH", fmt.Sprintf("/api/notifications/viewed/%d", p.user(user).ID), body, bearer(token))
		}
		for _, other := range []string{"prad", "isad", "irad"} {
			token := p.signIn(other)
			assert.Containsf(t, p.own(token, "prus"), `"status":403`, "%s reads", other)
			p.want(viewed(token, "prus", nil), 403, "")
			p.want(p.do("GET", fmt.Sprintf("/api/notifications/events/%d", prusID), nil, bearer(token)), 403, "")
		}
		p.want(p.post("/session/mirror", fields{"userNm": "prus"}, bearer(isad)), 200, "")
		assert.Equal(t, fmt.Sprintf(mine, "N"), p.own(isad, "prus"))
		p.want(viewed(isad, "prus", nil), 403, "")
		p.want(p.put("/notifications/create", p.written(nil, "prus"), bearer(isad)), 403, "")
		p.want(p.do("DELETE", "/api/session/mirror", nil, bearer(isad)), 200, "")
		assert.Equal(t, fmt.Sprintf(mine, "N"), p.own(prus, "prus"))

		p.want(viewed(prus, "prus", fields{"wcp_notification_id": 4711}), 204, "")
		assert.Equal(t, fmt.Sprintf(mine, "N"), p.own(prus, "prus"))
		for range 2 {
			p.want(viewed(prus, "prus", fields{"wcp_notification_id": id}), 204, "")
		}
		assert.Equal(t, fmt.Sprintf(mine, "Y"), p.own(prus, "prus"))
		nnus := p.signIn("nnus")
		assert.Equal(t, fmt.Sprintf(mine, "N"), p.own(nnus, "nnus"))
		p.want(viewed(nnus, "nnus", nil), 204, "")
		assert.Equal(t, fmt.Sprintf(mine, "Y"), p.own(nnus, "nnus"))
		assert.Equal(t, 2, p.count(`SELECT count(*) FROM audit_log WHERE operation = 'notification-view'`))

		// A sent notification stays until it's unpublished. Both requests are safe to repeat.
		path := fmt.Sprintf("/api/notifications/delete/%v", id)
		p.want(p.do("DELETE", path, nil, bearer(isad)), 409, "This notification has already been sent. Unpublish it first.")
		p.want(p.put("/notifications/update", p.written(fields{"wcp_notification_id": id}, "prus"), bearer(isad)), 409,
			"This notification has already been sent. Unpublish it first.")
		for range 2 {
			r := p.put("/notifications/update", p.written(fields{"wcp_notification_id": id, "status": "READY", "sendDt": nil}, "prus",
				"nnus"), bearer(isad))
			if r.status != 200 || !strings.Contains(string(r.body), `"sendDt":null,"status":"READY"`) {
				t.Errorf("%d %s", r.status, r.body)
			}
			p.want(p.do("DELETE", fmt.Sprintf("/api/notifications/deleteUser/%v", id), nil, bearer(isad)), 204, "")
		}
		assert.Equal(t, "[]", p.own(prus, "prus"))
		p.want(p.do("DELETE", path, nil, bearer(isad)), 204, "")
		p.want(p.do("DELETE", path, nil, bearer(isad)), 404, "")
		p.want(p.do("DELETE", "/api/notifications/deleteUser/4711", nil, bearer(isad)), 404, "")
		for _, secret := range []string{"Office hours", "network.example"} {
			assert.NotContains(t, p.log.String(), secret)
		}
	})
}

// Every type gets notifications, but only system administrators write them.
func TestNotificationsOfEachType(t *testing.T) {
	p := newPortal(t, "sqlite", nil)
	for _, name := range []string{"prus", "prad", "nnus", "road", "rous", "irad", "isad"} {
		token := p.signIn(name)
		want := 403
		if name == "isad" {
			want = 200
		}
		p.want(p.do("GET", "/api/notifications/list", nil, bearer(token)), want, "")
		p.want(p.put("/notifications/create", p.written(nil, "prus"), bearer(token)), want, "")
		assert.Equal(t, "[]", p.own(token, name), name)
	}
	assert.Equal(t, 1, p.count(`SELECT count(*) FROM notifications`))
}

// A stream reports only its own user's events: sent, recalled, viewed in another browser, or a
// fee schedule completed. It doesn't extend the session.
func TestNotificationEvents(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		p.rates()
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		isad, prus, prad := p.signIn("isad"), p.signIn("prus"), p.signIn("prad")
		heard := p.listen(prus, "prus")
		heardByOther := p.listen(prad, "prad")
		next := func(why string, stream <-chan string) {
			t.Helper()
			select {
			case _, open := <-stream:
				require.Truef(t, open, "%s: the stream ended", why)
			case <-time.After(10 * time.Second):
				t.Fatalf("%s: not heard", why)
			}
		}
		quiet := func(why string, stream <-chan string) {
			t.Helper()
			select {
			case line, open := <-stream:
				t.Errorf("%s: heard %q, open %v", why, line, open)
			case <-time.After(100 * time.Millisecond):
			}
		}
		next("at the start", heard)
		next("at the start", heardByOther)
		go p.Listen(ctx)
		if p.DB.Dialect.Name == "postgres" { // connected for other instances' events
			next("connected", heard)
			next("connected", heardByOther)
		}
		var stored fields
		p.put("/notifications/create", p.written(fields{"sendDt": "2026-03-02"}, "prus"), bearer(isad)).into(t, &stored)
		quiet("written", heard)
		require.NoError(t, p.Notifications.Send(t.Context()))
		next("sent", heard)
		p.want(p.do("PATCH", fmt.Sprintf("/api/notifications/viewed/%d", p.user("prus").ID), nil, bearer(prus)), 204, "")
		next("viewed", heard)
		p.want(p.do("DELETE", fmt.Sprintf("/api/notifications/deleteUser/%v", stored["wcp_notification_id"]), nil, bearer(isad)), 204, "")
		next("recalled", heard)
		p.want(p.post("/feeSchedule/addFeeSchedRequest/prus/OH-01/700/Lake%20Center/44114", nil, bearer(prus)), 200, "")
		require.NoError(t, p.MakeFeeSchedules(t.Context()))
		next("a fee schedule", heard)
		quiet("news of someone else", heardByOther)
		p.put("/notifications/create", p.written(fields{"sendDt": "2026-03-02"}, "prus", "prad"), bearer(isad))
		require.NoError(t, p.Notifications.Send(t.Context()))
		for _, stream := range []<-chan string{heard, heardByOther} {
			next("sent to both", stream)
			quiet("more than was sent", stream)
		}

		// Listening for hours isn't activity.
		p.clock.Advance(29 * time.Minute)
		again := p.listen(prus, "prus")
		<-again
		p.clock.Advance(3 * time.Minute)
		p.want(p.do("GET", fmt.Sprintf("/api/notifications/user/%d", p.user("prus").ID), nil, bearer(prus)), 401, "")
	})
}

// A stream ends soon after its user's password was reset or the mirroring stopped, so that an idle
// page doesn't stay open.
func TestNotificationEventsEndWithTheSession(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		isad, prus, other := p.signIn("isad"), p.signIn("prus"), p.signIn("rous")
		staff := p.signIn("isad")
		p.want(p.post("/session/mirror", fields{"userNm": "prad"}, bearer(staff)), 200, "")
		streams := map[string]<-chan string{"reset": p.listen(prus, "prus"), "mirroring": p.listen(staff, "prad")}
		others := p.listen(other, "rous")
		p.want(p.post("/users/resetPasswordByAdmin/start", fields{"userName": "prus", "emailAddress": "prus@example.com",
			"adminUserName": "isad"}, bearer(isad)), 200, "success")
		p.want(p.do("DELETE", "/api/session/mirror", nil, bearer(staff)), 200, "")
		deadline := time.After(30 * time.Second)
		for name, stream := range streams {
			for open := true; open; {
				select {
				case _, open = <-stream:
				case <-deadline:
					t.Fatalf("%s: the stream continues", name)
				}
			}
		}
		for len(others) > 0 {
			<-others
		}
		select {
		case _, open := <-others:
			assert.True(t, open, "another user's stream ended")
		default:
		}
	})
}

// listen opens a user's event stream and passes on its messages until the test ends.
func (p *portal) listen(token, user string) <-chan string {
	p.t.Helper()
	req, err := http.NewRequestWithContext(p.t.Context(), http.MethodGet,
		fmt.Sprintf("%s/api/notifications/events/%d", p.url, p.user(user).ID), nil)
	require.NoError(p.t, err)
	req.Header.Set("Authorization", "Bearer "+token)
	res, err := http.DefaultTransport.RoundTrip(req) //nolint:bodyclose // at the end of the stream
	require.NoError(p.t, err)
	if res.StatusCode != http.StatusOK || res.Header.Get("Content-Type") != "text/event-stream" || res.Header.Get("Cache-Control") !=
		"no-store" {
		body, _ := io.ReadAll(res.Body)
		p.t.Fatalf("%d %v %s", res.StatusCode, res.Header, body)
	}
	messages := make(chan string, 100)
	go func() {
		defer close(messages)
		defer res.Body.Close()
		for lines := bufio.NewScanner(res.Body); lines.Scan(); {
			if data, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
				messages <- data
			}
		}
	}()
	return messages
}

// The stream accepts only the bearer token. Credentials that the browser adds by itself don't
// work.
func TestNotificationEventsNeedTheBearer(t *testing.T) {
	p := newPortal(t, "sqlite", nil)
	token := p.signIn("prus")
	p.want(p.do("GET", fmt.Sprintf("/api/notifications/events/%d", p.user("prus").ID), nil, cookie(httpapi.SessionCookie, token)), 401, "")
}

func TestTimeZone(t *testing.T) {
	for zone, fine := range map[string]bool{"America/New_York": true, "America/Chicago": true, "": false, "Local": false,
		"Mars/Olympus": false} {
		cfg := app.NewStoreConfig(app.Store{Data: t.TempDir()})
		cfg.Notifications.TimeZone = zone
		err := cfg.Check()
		if fine != (err == nil) || !fine && !strings.Contains(err.Error(), "WCPP_TIME_ZONE") {
			t.Errorf("%q: %v", zone, err)
		}
	}
}

// A notification for all matching users, as the screen creates it: counted, saved, sent.
func TestAnnouncements(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		isad := p.signIn("isad")
		audience := fields{"types": []string{"PRUS", "NNUS"}, "excluded": []int64{p.user("nnus").ID}}
		if r := p.post("/notifications/audience", audience, bearer(isad)); r.status != 200 || strings.TrimSpace(string(r.body)) !=
			`{"count":1,"excluded":1}` {
			t.Fatalf("%d %s", r.status, r.body)
		}
		bad := p.put("/notifications/announcement", p.written(fields{"userNotList": "",
			"audience": fields{"groups": []int64{987654}, "excluded": []int64{987654}}}), bearer(isad))
		if bad.status != 400 || bad.fields() !=
			"audience.groups: Unknown group 987654. Remove it.; audience.excluded: Unknown user ID 987654. Remove it." {
			t.Errorf("%d %s", bad.status, bad.fields())
		}
		for _, list := range []string{"types", "statuses"} {
			p.want(p.post("/notifications/audience", fields{list: []string{"TERM"}}, bearer(isad)), 400, "")
		}
		body := p.written(fields{"userNotList": "", "sendDt": "2026-03-02", "audience": audience})
		delete(body, "wcp_notification_id")
		r := p.put("/notifications/announcement", body, bearer(isad))
		var stored struct {
			ID     int64 `json:"wcp_notification_id"`
			Status string
		}
		r.into(t, &stored)
		require.Equal(t, "SCHEDULED", stored.Status, r.body)
		require.NoError(t, p.Notifications.Send(t.Context()))
		want := fmt.Sprintf(`[{"wcp_notification_id":%d,"audience":{"types":["NNUS","PRUS"],"excluded":[%d]},"sentTo":1}]`, stored.ID,
			p.user("nnus").ID)
		assert.Equal(t, want, strings.TrimSpace(string(p.do("GET", "/api/notifications/announcements", nil, bearer(isad)).body)))
		assert.Contains(t, p.own(p.signIn("prus"), "prus"), "Office hours")
		assert.Equal(t, "[]", p.own(p.signIn("nnus"), "nnus"))
	})
}

// A truncated notification list says so.
func TestListsOfNotificationsSayWhereTheyEnd(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		isad, prus := p.signIn("isad"), p.signIn("prus")
		user := p.user("prus").ID
		limits := func() string {
			list := p.do("GET", "/api/notifications/list", nil, bearer(isad))
			own := p.do("GET", fmt.Sprintf("/api/notifications/user/%d", user), nil, bearer(prus))
			var rows, copies []fields
			list.into(t, &rows)
			own.into(t, &copies)
			return fmt.Sprintf("%d %q, %d %q", len(rows), list.header.Get("X-Limited-To"), len(copies), own.header.Get("X-Limited-To"))
		}
		add := func(n int) {
			p.exec(`
				INSERT INTO notifications (name, campaign, requested_by, link, send_date, status, created_at, created_by, updated_at,
					updated_by, audience)
				WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < $1)
				SELECT 'N', '', '', '', NULL, 'SENT', $2, 'isad', $2, 'isad', '' FROM n`, n, db.At(p.clock.Now()))
			p.exec(`
				INSERT INTO user_notifications (user_id, notification_id, sent_at)
				SELECT CAST($1 AS bigint), id, $2 FROM notifications n
				WHERE NOT EXISTS (SELECT 1 FROM user_notifications u WHERE u.notification_id = n.id)`, user, db.At(p.clock.Now()))
		}
		add(500)
		assert.Equal(t, `500 "", 500 ""`, limits())
		add(500)
		assert.Equal(t, `1000 "", 500 "500"`, limits())
		add(1)
		assert.Equal(t, `1000 "1000", 500 "500"`, limits())
	})
}
