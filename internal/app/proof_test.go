package app_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"wcpp/internal/identity/access"
	"wcpp/internal/platform/httpapi"
)

// later moves the clock while sessions stay active.
func (p *portal) later(d time.Duration, tokens ...string) {
	p.t.Helper()
	for d > 0 {
		step := min(d, 20*time.Minute)
		p.clock.Advance(step)
		d -= step
		for _, token := range tokens {
			p.want(p.post("/session/touch", nil, bearer(token)), 204, "")
		}
	}
}

// Sensitive actions ask for the password if the last proof is older than WCPP_PROOF_MINUTES.
// This limits the damage from a stolen session. The same request succeeds after
// re-authentication.
func TestProofIsNeeded(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		p.onFile()
		prad, isad := p.signIn("prad"), p.signIn("isad")
		p.requireApproval(true)
		version := p.visitSettings(prad).Version
		p.addApp(prad)
		group, roster, outside := p.groupOf("prad"), p.groupOf("road"), p.groupOf("nnus")
		p.add("prad2", access.PRAD, group)
		p.add("prad3", access.PRAD, group)
		p.add("road2", access.ROAD, roster)
		p.add("kim", access.IRAD, 0)
		for _, c := range []struct {
			what, token, method, path string
			body                      any
		}{
			{"a new email address", prad, "PUT", "/users/updateUser", details("prad", func(f fields) {
				f["emailAddr"] = "other@example.com"
			})},
			{"another's email address", isad, "PUT", "/users/updateUser", details("prus", func(f fields) {
				f["emailAddr"] = "other2@example.com"
			})},
			{"a TIN with proof", prad, "POST", fmt.Sprintf("/ftin/validateandSaveFtin/%d/444444444?bcn=B4444", group), nil},
			{"a TIN without", isad, "POST", fmt.Sprintf("/ftin/groupFtins/%d/888888888", group), nil},
			{"a TIN of a non-network user", isad, "POST", fmt.Sprintf("/ftin/nonNetworkGroupFtins/%d/555555555", outside), fields{}},
			{"a TIN of non-network users among many", isad, "POST", "/work/users/ftins",
				fields{"change": "give", "ftins": []string{"666666666"}, "userNames": []string{"prus", "nnus"}}},
			{"an administrator converted", prad, "POST", "/users/convertAdminToUser/prad/prad2", nil},
			{"an administrator ended", prad, "PUT", "/users/terminateUser/prad/prad3", fields{"userNm": "prad3"}},
			{"a roster administrator ended", isad, "PUT", "/users/terminate", fields{"userNm": "road2"}},
			{"internal staff ended", isad, "PUT", "/users/terminateUser/isad/irad", fields{"userNm": "irad"}},
			{"an app begun", prad, "POST", "/account/factors/app/start", nil},
			{"new recovery codes", prad, "POST", "/account/recoveryCodes", nil},
			{"a reset of somebody's second step", isad, "POST", "/users/factorReset/start", fields{"userName": "prad"}},
			{"a provider administrator made", isad, "PUT", "/users/createUser",
				newUser("PRAD", "padm@example.com", fields{"grpInfoId": group})},
			{"internal staff made", isad, "PUT", "/users/createUser", newUser("IRAD", "reader@example.com", fields{"employeeId": "E-8"})},
			{"a provider user made", prad, "PUT", "/users/createUser",
				newUser("PRUS", "puser@example.com", fields{"userFtins": tinFields("111111111")})},
			{"a provider user converted", prad, "POST", "/users/convertUserToAdmin/prad/prus", nil},
			{"an office asked first no more", prad, "PUT", "/work/visits/settings",
				fields{"mails": "weekly", "asksFirst": false, "version": version}},
			{"a staff role", isad, "PUT", "/desk/staff/kim", fields{"role": "CASES", "seen": ""}},
			{"a system administrator made", isad, "PUT", "/users/createUser",
				newUser("ISAD", "staff@example.com", fields{"employeeId": "E-7"})},
		} {
			p.later(11*time.Minute, prad, isad)
			before := p.count(`SELECT count(*) FROM audit_log`)
			r := p.do(c.method, "/api"+c.path, c.body, bearer(c.token))
			var refused httpapi.Problem
			if !httpProblem(r, &refused) || r.status != 403 || refused.Code != "PROOF_NEEDED" {
				t.Errorf("%s: %d %s", c.what, r.status, r.body)
			}
			assert.Equalf(t, before, p.count(`SELECT count(*) FROM audit_log`), "%s: changed before the proof", c.what)
			p.want(p.post("/session/proof", fields{"password": "wrong"}, bearer(c.token)), 400, "Error: The password is incorrect.")
			p.want(p.do(c.method, "/api"+c.path, c.body, bearer(c.token)), 403, "")
			p.want(p.post("/session/proof", fields{"password": password}, bearer(c.token)), 204, "")
			if r := p.do(c.method, "/api"+c.path, c.body, bearer(c.token)); r.status/100 != 2 {
				t.Errorf("%s, proven: %d %s", c.what, r.status, r.body)
			}
		}
		// Other changes don't require proof.
		p.later(11*time.Minute, prad, isad)
		p.want(p.do("PUT", "/api/users/updateUser", details("prad", nil), bearer(prad)), 200, "success")
		p.want(p.do("PUT", "/api/users/terminateUser/isad/rous", fields{"userNm": "rous"}, bearer(isad)), 200, "")
		assert.Equal(t, 20, p.count(`SELECT count(*) FROM audit_log WHERE operation = 'proof' AND result = 'ok'`))
	})
}

// Mirroring requires a proof within the last eight hours.
func TestMirrorNeedsProof(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		isad := p.signIn("isad")
		p.later(8*time.Hour, isad)
		p.want(p.post("/session/mirror", fields{"userNm": "prus"}, bearer(isad)), 200, "")
		p.want(p.do("DELETE", "/api/session/mirror", nil, bearer(isad)), 200, "")
		p.later(time.Minute, isad)
		p.want(p.post("/session/mirror", fields{"userNm": "prus"}, bearer(isad)), 403, "")
		p.want(p.post("/session/proof", fields{"password": password}, bearer(isad)), 204, "")
		p.want(p.post("/session/mirror", fields{"userNm": "prus"}, bearer(isad)), 200, "")
	})
}

// Wrong passwords in a proof count as failed sign-ins and lock the account. While it's locked,
// the response doesn't reveal whether a password is correct.
func TestProofIsNoOracle(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		token := p.signIn("prad")
		prove := func(password string) reply {
			return p.post("/session/proof", fields{"password": password}, bearer(token))
		}
		for range 4 {
			p.want(prove("wrong"), 400, "Error: The password is incorrect.")
		}
		for _, word := range []string{"wrong", password} {
			r := prove(word)
			if r.status != 429 || !strings.HasPrefix(r.code(), "Error: Too many wrong passwords. Try again in 30 minutes.") {
				t.Errorf("locked: %d %s", r.status, r.body)
			}
		}
		p.later(31*time.Minute, token)
		p.want(prove(password), 204, "")
		p.want(p.post("/session/proof", fields{"password": password}), 401, "")
	})
}

// A new address takes effect after its emailed link is confirmed. Until then, resets and notices
// go to the previous address, which is notified.
func TestNewEmailHoldsAfterItsLink(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		token := p.signIn("prus")
		ask := func(email string) {
			t.Helper()
			p.want(p.do("PUT", "/api/users/updateUser", details("prus", func(f fields) { f["emailAddr"] = email }), bearer(token)), 200,
				"success")
		}
		stored := func(want, pending string) {
			t.Helper()
			var u struct{ EmailAddr, NewEmailAddr, UserFirstName string }
			p.do("GET", "/api/users/userByName/prus", nil, bearer(token)).into(t, &u)
			if u.EmailAddr != want || u.NewEmailAddr != pending || u.UserFirstName != "Zoë" {
				t.Errorf("%+v, want %s and %q", u, want, pending)
			}
		}
		confirm := func(token string) reply { return p.post("/public/confirmEmail", fields{"token": token}) }
		link := func(to string) string {
			t.Helper()
			return p.linkIn(p.only(to, "Confirm your new email address"), "confirmEmail").Get("token")
		}
		ask("new@example.com")
		stored("prus@example.com", "new@example.com")
		p.only("prus@example.com", "New email address requested")
		first := link("new@example.com")
		p.want(p.post("/public/resetPasswordByUser/start", fields{"userName": "prus", "emailAddress": "new@example.com"}), 400,
			"INVALID_USERNAME_OR_EMAIL")
		// A new request invalidates the previous link, even if its email is still pending.
		ask("newer@example.com")
		ask("newest@example.com")
		assert.Empty(t, p.inbox("newer@example.com"), "a mail to an address that was replaced before it was written")
		p.want(confirm(first), 400, "INVALID_TOKEN")
		p.want(confirm("nonsense"), 400, "INVALID_TOKEN")
		last := link("newest@example.com")
		p.want(confirm(last), 200, "success")
		p.want(confirm(last), 400, "INVALID_TOKEN")
		stored("newest@example.com", "")
		if list := p.inbox("prus@example.com"); list[len(list)-1].Subject != "Your email address was changed" {
			t.Errorf("the address before learns: %s", list[len(list)-1].Subject)
		}
		if n := p.count(`SELECT count(*) FROM audit_log WHERE operation = 'email-confirm' AND subject = 'prus' AND result = 'ok'`); n != 1 {
			t.Errorf("%d audit entries", n)
		}
		// After it expires, and after a password change.
		ask("late@example.com")
		late := link("late@example.com")
		p.later(24*time.Hour + time.Minute)
		p.want(confirm(late), 400, "EXPIRED_TOKEN")
		token = p.signIn("prus")
		stored("newest@example.com", "")
		ask("stolen@example.com")
		stolen := link("stolen@example.com")
		p.want(p.post("/users/updatePwd", fields{"username": "prus", "password": password, "newPassword": "Clear-River-8"}, bearer(token)),
			200, "success")
		p.want(confirm(stolen), 400, "INVALID_TOKEN")
		stored("newest@example.com", "")
	})
}

// A pending change can be canceled by the user or an administrator, without a new proof of identity.
func TestEmailChangeIsCanceled(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		const path, gone = "/api/users/emailChange/prus", "This change is no longer pending. Reload the page."
		for _, who := range []string{"prus", "prad", "isad"} {
			token := bearer(p.signIn("prus"))
			p.want(p.do("PUT", "/api/users/updateUser", details("prus", func(f fields) { f["emailAddr"] = "typo@example.com" }), token),
				200, "success")
			link := p.linkIn(p.only("typo@example.com", "Confirm your new email address"), "confirmEmail").Get("token")
			p.want(p.do("DELETE", path, nil, bearer(p.signIn("irad"))), 404, "")
			p.want(p.do("DELETE", path, nil, bearer(p.tokenOf("isad>prus"))), 403, "")
			by := bearer(p.signIn(who))
			p.want(p.do("DELETE", path, nil, by), 200, "success")
			p.want(p.do("DELETE", path, nil, by), 409, gone)
			p.want(p.post("/public/confirmEmail", fields{"token": link}), 400, "INVALID_TOKEN")
			var u struct{ EmailAddr, NewEmailAddr string }
			p.do("GET", "/api/users/userByName/prus", nil, token).into(t, &u)
			if u.EmailAddr != "prus@example.com" || u.NewEmailAddr != "" {
				t.Errorf("%+v", u)
			}
			p.audited(1, `operation = 'email-cancel' AND subject = 'prus' AND result = 'ok' AND actor = '`+who+`'`)
			p.later(time.Hour)
		}
	})
}

// The address of an unregistered account is still unused, so it changes immediately.
func TestEmailOfNewAccountChangesAtOnce(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		isad := p.signIn("isad")
		p.add("fresh", access.PRAD, 0)
		p.exec(`UPDATE users SET status_cd = 'NEW' WHERE user_name = 'fresh'`)
		p.want(p.do("PUT", "/api/users/updateUser", details("fresh", func(f fields) {
			f["emailAddr"] = "right@example.com"
		}), bearer(isad)), 200, "success")
		if n := p.count(`SELECT count(*) FROM users WHERE user_name = 'fresh' AND email = 'right@example.com'`); n != 1 {
			t.Error("the address of a new account waits")
		}
	})
}
