package app_test

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"wcpp/internal/desk"
	"wcpp/internal/identity/users"
	"wcpp/internal/platform/db"
)

// System administrators find all groups by part of their name and rename them.
func TestGroupsAreNamed(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		isad, irad := p.signIn("isad"), p.signIn("irad")
		group := p.groupOf("prad")
		found := func(filters fields) string {
			var page struct {
				Count int
				Rows  []struct {
					GroupName string
					StatusCd  string
				}
			}
			p.post("/desk/groups", fields{"table": fields{"page": 0, "pageSize": 10, "filters": filters}}, bearer(irad)).into(t, &page)
			names := make([]string, len(page.Rows))
			for i, row := range page.Rows {
				names[i] = row.GroupName + " " + row.StatusCd
			}
			return fmt.Sprintf("%d: %s", page.Count, strings.Join(names, ", "))
		}
		assert.Equal(t, "2: Road Tester ACTIV, Rous Tester ACTIV", found(fields{"type": "roster", "status": "active"}))
		name := func(token string, id int64, name string) reply {
			return p.put(fmt.Sprintf("/desk/groups/%d/name", id), fields{"name": name}, bearer(token))
		}
		p.want(name(isad, group, "  Lake   Side Clinic "), http.StatusNoContent, "")
		assert.Equal(t, "1: Lake Side Clinic ACTIV", found(fields{"name": "E SIDE"}))
		p.want(p.post("/desk/groups/names", fields{"groupIds": []int64{group, 987654}}, bearer(irad)), http.StatusOK,
			fmt.Sprintf(`[{"groupInfoId":%d,"groupName":"Lake Side Clinic"}]`, group))
		for typed, message := range map[string]string{" ": "name: Enter a name.", strings.Repeat("x", 129): "name: Up to 128 characters"} {
			if r := name(isad, group, typed); r.status != http.StatusBadRequest || r.fields() != message {
				t.Errorf("%d %s", r.status, r.fields())
			}
		}
		for _, who := range []string{"irad", "prad", "road"} {
			p.want(name(p.signIn(who), group, "Mine"), http.StatusForbidden, "")
		}
		p.want(name(isad, 987654, "Nobody's"), http.StatusNotFound, "")
		p.audited(1, `operation = 'group-name' AND detail = 'Prad Tester -> Lake Side Clinic'`)
		if r := p.post("/desk/groups", fields{"table": fields{"page": 0, "pageSize": 10}}, bearer(p.signIn("prad"))); r.status !=
			http.StatusForbidden {
			t.Errorf("a provider lists all groups: %d", r.status)
		}
	})
}

// Users in an inactive group can't sign in, stay signed in, be mirrored, or get emails or
// colleagues. All data stays, and everything works again once it's active.
func TestGroupsEndAndComeBack(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		isad, group := p.signIn("isad"), p.groupOf("prad")
		path := fmt.Sprintf("/desk/groups/%d/", group)
		status := func(token, to string) reply {
			return p.put(path+"status", fields{"statusCd": to}, bearer(token))
		}
		who := func(token string) int { return p.do(http.MethodGet, "/api/session", nil, bearer(token)).status }
		prad, prus := p.signIn("prad"), p.signIn("prus")
		p.want(p.put("/users/createUser", fields{
			"userFirstName": "Nora", "userLastName": "Newman", "emailAddr": "nora@example.com", "phoneNum": "2165550148", "typeCd": "PRUS",
			"userFtins": []fields{{"ftin": "111111111"}},
		}, bearer(prad)), http.StatusOK, "")
		p.setStatus("prus", users.Locked)
		p.exec(`UPDATE users SET locked_until = $1 WHERE user_name = 'prus'`, db.At(p.clock.Now().Add(time.Hour)))
		p.exec(`INSERT INTO alert_settings (user_id, digest, days, hour, kinds, tins, quiet_weeks, next_at, delivered_change, delivered_day,
			mailed_on, watch_change)
			VALUES ($1, 'daily', '', 7, '', '', $2, $3, 0, '2026-03-01', '2026-03-01', 0)`, p.user("prad").ID, false, db.At(p.clock.Now()))
		use := p.do(http.MethodGet, "/api"+path+"use", nil, bearer(p.signIn("irad")))
		p.want(use, http.StatusOK, `{"users":3,"maySignIn":2,"registering":1,"signedIn":2,"mailed":1}`)

		p.want(p.put("/users/updateUser", details("prus", func(f fields) { f["emailAddr"] = "prus@new.example.com" }), bearer(isad)),
			http.StatusOK, "success")
		link := p.linkIn(p.only("prus@new.example.com", "Confirm your new email address"), "confirmEmail").Get("token")
		if b, err := base64.RawURLEncoding.DecodeString(link); err != nil || len(b) != 32 {
			t.Errorf("the token has %d bytes, %v", len(b), err)
		}
		p.inbox("prad@example.com")
		p.inbox("nora@example.com")
		for _, token := range []string{p.signIn("irad"), prad} {
			p.want(status(token, "INACT"), http.StatusForbidden, "")
		}
		p.want(status(isad, "INACT"), http.StatusNoContent, "")
		p.want(status(isad, "INACT"), http.StatusNoContent, "") // safe to repeat
		if r := status(isad, "LOCK"); r.status != http.StatusBadRequest || r.fields() != "statusCd: Select ACTIV or INACT." {
			t.Errorf("%d %s", r.status, r.fields())
		}
		if a, b := who(prad), who(prus); a != http.StatusUnauthorized || b != http.StatusUnauthorized {
			t.Errorf("still signed in: %d, %d", a, b)
		}
		var card desk.UserCard
		p.post("/desk/users/open", fields{"userName": "prad"}, p.startSupport("irad", "CALL")).into(t, &card)
		if card.Mirrorable || !strings.HasPrefix(card.Sentence, "The group is inactive.") || card.Action != desk.NoAction {
			t.Errorf("%+v", card)
		}
		pending, state := p.form()
		form := p.do("POST", "/sso/sign-in", url.Values{"username": {"prad"}, "password": {password}, "state": {state}},
			cookie(ssoCookie, pending))
		assert.Equal(t, "/wcpp/login?fail=USER_ACCT_DEACTIVATED", form.header.Get("Location"))
		p.want(p.post("/session/mirror", fields{"userNm": "prad"}, bearer(isad)), http.StatusNotFound, "")
		p.want(p.post("/public/resetPasswordByUser/start", fields{"userName": "prad", "emailAddress": "prad@example.com"}),
			http.StatusBadRequest, "USER_ACCT_TERMINATED")
		p.want(p.post("/users/resetPasswordByAdmin/start", fields{"userName": "prad", "emailAddress": "prad@example.com"}, bearer(isad)),
			http.StatusConflict, "")
		p.want(p.post(fmt.Sprintf("/users/regenRegistrationByAdmin/isad/%d", p.user("nnewman").ID), nil, bearer(isad)),
			http.StatusConflict, "")
		for _, name := range []string{"prad", "nnewman"} {
			p.want(p.post("/public/registration/startRequestAccount", fields{"emailAddress": p.user(name).Email}), http.StatusOK, "success")
		}
		move := func(name string) reply {
			return p.put("/users/updateUser", details(name, func(f fields) { f["emailAddr"] = name + "@new.example.com" }), bearer(isad))
		}
		if r := move("prad"); r.status != http.StatusConflict ||
			!strings.HasPrefix(r.fields(), "emailAddr: Error: This user's group is inactive.") {
			t.Errorf("%d %s", r.status, r.body)
		}
		p.want(move("nnewman"), http.StatusOK, "success") // without an email
		p.want(p.post("/public/confirmEmail", fields{"token": link}), http.StatusBadRequest, "INVALID_TOKEN")
		for _, to := range []string{"prad@example.com", "prad@new.example.com", "nora@example.com", "nnewman@new.example.com"} {
			assert.Nilf(t, p.inbox(to), "to %s", to)
		}
		r := p.put("/users/createUser", fields{
			"userFirstName": "Late", "userLastName": "Comer", "emailAddr": "late@example.com", "phoneNum": "2165550148", "typeCd": "PRUS",
			"grpInfoId": group, "userFtins": []fields{{"ftin": "111111111"}},
			"affiliationCd": "OFC_STAFF", "jobTitle": "Biller", "companyNm": "North",
		}, bearer(isad))
		if r.status != http.StatusBadRequest || r.fields() != "grpInfoId: Error: This group is inactive. Select another one" {
			t.Errorf("%d %s", r.status, r.fields())
		}

		p.want(status(isad, "ACTIV"), http.StatusNoContent, "")
		if got := p.user("prus"); got.StatusCd != users.Locked || got.GroupEnded {
			t.Errorf("%+v", got)
		}
		assert.Equal(t, http.StatusOK, who(p.signIn("prad")), "not signed in")
		p.want(p.post("/public/confirmEmail", fields{"token": link}), http.StatusOK, "success")
		p.audited(2, `operation = 'group-status' AND subject = $1 AND detail LIKE '%-> INACT'`, fmt.Sprintf("group %d", group))
		p.audited(1, `operation = 'group-status' AND detail = 'INACT -> ACTIV'`)
	})
}
