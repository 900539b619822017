package app_test

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/app"
	"wcpp/internal/identity/access"
	"wcpp/internal/identity/users"
	"wcpp/internal/mfa/mfatest"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
)

// stopBefore pauses a request before its nth write transaction (starting at 1), runs the given
// function, then continues the request. It returns false if the request has fewer transactions.
func (p *portal) stopBefore(n int, call, meanwhile func()) bool {
	p.t.Helper()
	reached, goOn, done := make(chan struct{}), make(chan struct{}), make(chan struct{})
	var begun int // by the request's goroutines, one at a time
	stopping := true
	p.DB.BeforeTx = func(context.Context) {
		if !stopping {
			return
		}
		if begun++; begun == n {
			stopping = false
			close(reached)
			<-goOn
		}
	}
	defer func() { p.DB.BeforeTx = nil }()
	go func() {
		defer close(done)
		call()
	}()
	select {
	case <-done:
		return false
	case <-reached:
	case <-time.After(time.Minute):
		p.t.Fatal("the call neither ended nor began a transaction")
	}
	meanwhile()
	close(goOn)
	<-done
	return true
}

// resetLink sends a password reset link and returns it.
func (p *portal) resetLink(user string) string {
	p.t.Helper()
	p.want(p.post("/public/resetPasswordByUser/start", fields{"userName": user, "emailAddress": user + "@example.com"}), 200, "success")
	return p.linkIn(p.only(user+"@example.com", "Reset your password"), "confirmPasswordReset").Get("token")
}

// If a user's password is reset by a link or an administrator during a request, the request
// leaves nothing behind at any point: no session, password, address or codes.
func TestResetOutlivesCallsUnderWay(t *testing.T) {
	calls := map[string]func(p *portal, user, token string){
		"sign-in at the form": func(p *portal, user, _ string) {
			if b := p.typed(user, password); strings.Contains(b.at, "code=") {
				back, _ := url.Parse(b.at)
				p.exchange(b.kept, b.state, back.Query().Get("code"))
			}
		},
		"sign-in by password": func(p *portal, user, _ string) {
			p.post("/authenticate", fields{"username": user, "password": password})
		},
		"change of the password": func(p *portal, user, token string) {
			p.post("/users/updatePwd", fields{"username": user, "password": password, "newPassword": "Green-Hills-9"}, bearer(token))
		},
		"change of the address": func(p *portal, user, token string) {
			p.do("PUT", "/api/users/updateUser", details(user, func(f fields) { f["emailAddr"] = "thief@example.com" }), bearer(token))
		},
		"a factor, and new recovery codes": func(p *portal, _, token string) {
			var asked struct{ Secret, State string }
			if r := p.post("/account/factors/app/start", nil, bearer(token)); json.Unmarshal(r.body, &asked) != nil || asked.Secret == "" {
				return
			}
			p.post("/account/factors/app", fields{"state": asked.State, "code": mfatest.Code(p.t, asked.Secret, p.clock.Now()),
				"name": "Phone"}, bearer(token))
			p.post("/account/recoveryCodes", nil, bearer(token))
		},
		"a proof": func(p *portal, _, token string) {
			p.post("/session/proof", fields{"password": password}, bearer(token))
		},
		"a passkey, and sign-in by it": func(p *portal, _, token string) {
			key := mfatest.NewPasskey(p.t, portalOrigin)
			var asked struct {
				Options json.RawMessage
				State   string
			}
			if r := p.post("/account/factors/passkey/start", nil, bearer(token)); json.Unmarshal(r.body, &asked) != nil ||
				asked.State == "" {
				return
			}
			if p.post("/account/factors/passkey", fields{"state": asked.State, "answer": key.Create(asked.Options)}, bearer(token)).
				status != http.StatusOK {
				return
			}
			b := &browser{portal: p, at: "/sso/sign-in"}
			b.kept, b.state = p.form()
			b.answer(key.Get(b.asked()))
			if back, _ := url.Parse(b.at); back.Query().Get("code") != "" {
				p.exchange(b.kept, b.state, back.Query().Get("code"))
			}
		},
	}
	for name, call := range calls {
		t.Run(name, func(t *testing.T) {
			each(t, func(c *app.Config) { c.Sessions.LegacySignIn = true }, func(t *testing.T, p *portal) {
				admin := p.signIn("isad")
				resets := map[string]func(user, link string){
					"a link": func(_, link string) {
						p.want(p.post("/public/resetPassword/complete", fields{"token": link, "newPassword": "Clear-River-8"}), 200,
							"success")
					},
					"an administrator": func(user, _ string) {
						p.want(p.post("/users/resetPasswordByAdmin/start", fields{"userName": user, "emailAddress": user + "@example.com",
							"adminUserName": "isad"}, bearer(admin)), 200, "success")
					},
				}
				for by, reset := range resets {
					n := 1
					for ; p.survives(t, fmt.Sprintf("racer%d%d", len(by), n), n, call, reset); n++ {
					}
					assert.NotEqualf(t, 1, n, "reset by %s: the call writes nothing", by)
				}
			})
		})
	}
}

// survives pauses a new user's request before its nth write, resets the user, and checks that
// the request left nothing. It returns false if the request has fewer writes.
func (p *portal) survives(t *testing.T, user string, n int, call func(p *portal, user, token string), reset func(user, link string)) bool {
	t.Helper()
	p.add(user, access.ROUS, 0)
	token := p.signIn(user)
	link := p.resetLink(user)
	var want string
	if !p.stopBefore(n, func() { call(p, user, token) }, func() { reset(user, link); want = p.lettingIn(user) }) {
		return false
	}
	if got := p.lettingIn(user); got != want {
		t.Errorf("stopped before write %d: %s, was %s", n, got, want)
	}
	if sessions := p.count(`SELECT count(*) FROM sessions s JOIN users u ON u.id = s.user_id WHERE u.user_name = $1`, user); sessions > 0 {
		t.Errorf("stopped before write %d: %d sessions are left", n, sessions)
	}
	return true
}

// If an account is disconnected or terminated, a provider sign-in or session request in progress
// doesn't leave a session or connection.
func TestUnbindingOutlivesCallsUnderWay(t *testing.T) {
	ends := map[string]func(p *portal, user, admin string){
		"freed": func(p *portal, user, admin string) {
			p.want(p.do("DELETE", "/api/users/binding/"+user, nil, bearer(admin)), 200, "success")
		},
		"terminated": func(p *portal, user, admin string) {
			p.want(p.do("PUT", "/api/users/terminate", fields{"userNm": user}, bearer(admin)), 200, "")
		},
	}
	eachOutside(t, func(c *app.Config) { c.SSO.OIDCBind = "claim" }, func(t *testing.T, p *portal, o *outside) {
		admin := o.signedIn("admin", "isad", "")
		calls := map[string]func(user, token string){
			"sign-in": func(user, _ string) { o.signIn("subject of "+user, user, "") },
			"change of the address": func(user, token string) {
				p.do("PUT", "/api/users/updateUser", details(user, func(f fields) { f["emailAddr"] = "thief@example.com" }), bearer(token))
			},
		}
		for by, end := range ends {
			for name, call := range calls {
				n := 1
				for ; ; n++ {
					user := fmt.Sprintf("bound%d%d%d", len(by), len(name), n)
					p.add(user, access.ROUS, 0)
					token := o.signedIn("subject of "+user, user, "")
					var want string
					if !p.stopBefore(n, func() { call(user, token) }, func() { end(p, user, admin); want = p.lettingIn(user) }) {
						break
					}
					if got := p.lettingIn(user); got != want {
						t.Errorf("%s, %s before write %d: %s, was %s", name, by, n, got, want)
					}
					if sessions := p.count(`SELECT count(*) FROM sessions s JOIN users u ON u.id = s.user_id
						WHERE u.user_name = $1`, user); sessions > 0 {
						t.Errorf("%s, %s before write %d: %d sessions are left", name, by, n, sessions)
					}
				}
				assert.NotEqualf(t, 1, n, "%s writes nothing", name)
			}
		}
	})
}

// lettingIn returns a user's credentials and email address.
func (p *portal) lettingIn(user string) string {
	p.t.Helper()
	var u struct {
		Email, PasswordHash, StatusCd string
		Links                         int
	}
	require.NoError(p.t, db.Get(p.t.Context(), p.DB.Writer, &u, `
		SELECT email, password_hash, status_cd, (SELECT count(*) FROM account_links l WHERE l.user_id = u.id AND l.used_at IS NULL
			AND l.ended_at IS NULL) AS links
		FROM users u WHERE user_name = $1`, user))
	var codes [][]byte
	require.NoError(p.t, db.Select(p.t.Context(), p.DB.Writer, &codes, `SELECT code_hash FROM recovery_codes c
		JOIN users u ON u.id = c.user_id WHERE user_name = $1 ORDER BY code_hash`, user))
	return fmt.Sprintf("%+v, codes %x", u, codes)
}

// A link belongs to the address it was sent to. Changing the address invalidates it. Users who
// still need one get another at the new address.
func TestLinksEndWithTheAddress(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		admin := p.signIn("isad")
		address := func(user, to string) {
			p.want(p.do("PUT", "/api/users/updateUser", details(user, func(f fields) { f["emailAddr"] = to }), bearer(admin)), 200,
				"success")
		}
		finish := func(screen, token string) reply {
			return p.post("/public/"+screen+"/complete", fields{"token": token, "newPassword": "Clear-River-8"})
		}
		// Invited at a mistyped address.
		invited, err := p.Users.Add(t.Context(), users.User{FirstName: "Nina", LastName: "New", Email: "nnia@example.com",
			TypeCd: access.ROUS, StatusCd: users.New, GroupID: p.user("rous").GroupID}, "test")
		require.NoError(t, err)
		require.NoError(t, p.Invite(t.Context(), invited.ID))
		wrong := p.linkIn(p.only("nnia@example.com", "Finish setting up your account"), "confirmAddUser").Get("token")
		address(invited.UserName, "nina@example.com")
		p.want(finish("registration", wrong), 400, "INVALID_TOKEN")
		right := p.linkIn(p.only("nina@example.com", "Finish setting up your account"), "confirmAddUser").Get("token")
		p.want(finish("registration", right), 200, "success")

		// A reset that was requested before the address changed.
		link := p.resetLink("road")
		address("road", "road.new@example.com")
		p.want(p.post("/public/checkLink", fields{"purpose": "RESET", "token": link}), 200, "success") // not confirmed yet
		confirm := p.linkIn(p.only("road.new@example.com", "Confirm your new email address"), "confirmEmail").Get("token")
		p.want(p.post("/public/confirmEmail", fields{"token": confirm}), 200, "success")
		p.want(finish("resetPassword", link), 400, "INVALID_TOKEN")
		assert.LessOrEqual(t, len(p.inbox("road.new@example.com")), 0)

		// Someone who must choose a new password can do so only at the new address.
		p.want(p.post("/users/resetPasswordByAdmin/start", fields{"userName": "rous", "emailAddress": "rous@example.com",
			"adminUserName": "isad"}, bearer(admin)), 200, "success")
		before := p.linkIn(p.only("rous@example.com", "Reset your password"), "confirmPasswordReset").Get("token")
		address("rous", "rous.new@example.com")
		confirm = p.linkIn(p.only("rous.new@example.com", "Confirm your new email address"), "confirmEmail").Get("token")
		p.want(p.post("/public/confirmEmail", fields{"token": confirm}), 200, "success")
		p.want(finish("resetPassword", before), 400, "INVALID_TOKEN")
		after := p.linkIn(p.only("rous.new@example.com", "Reset your password"), "confirmPasswordReset").Get("token")
		p.want(finish("resetPassword", after), 200, "success")
	})
}

// A link to a new address that another request replaces while it's opened changes nothing, and the newer request stays.
func TestReplacedEmailLinkLoses(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		token, user := p.signIn("prus"), p.user("prus")
		p.want(p.do("PUT", "/api/users/updateUser", details("prus", func(f fields) { f["emailAddr"] = "new@example.com" }), bearer(token)),
			200, "success")
		link := p.linkIn(p.only("new@example.com", "Confirm your new email address"), "confirmEmail").Get("token")
		r := p.whileLocked(user.ID, func() reply { return p.post("/public/confirmEmail", fields{"token": link}) }, func(tx *sql.Tx) error {
			for _, statement := range []string{`DELETE FROM email_changes`, `INSERT INTO email_changes (user_id, email, asked_at, asked_by)
				SELECT id, 'newer@example.com', created_at, 'test' FROM users WHERE user_name = 'prus'`} {
				if _, err := db.Exec(t.Context(), tx, statement); err != nil {
					return err
				}
			}
			return nil
		})
		p.want(r, 400, "INVALID_TOKEN")
		assert.Equal(t, user.Email, p.user("prus").Email)
		assert.Equal(t, 1, p.count(`SELECT count(*) FROM email_changes WHERE email = 'newer@example.com'`))
	})
}

// If an administrator corrects an address while someone enters it on a public screen, its account gets no email there, and the link
// sent to the new address stays valid.
func TestPublicEmailsFollowTheAddress(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		admin := p.signIn("isad")
		isStopped := true
		for n := 1; isStopped; n++ {
			before, after := fmt.Sprintf("wrong%d@example.com", n), fmt.Sprintf("right%d@example.com", n)
			invited, err := p.Users.Add(t.Context(), users.User{FirstName: "Nina", LastName: "New", Email: before,
				TypeCd: access.ROUS, StatusCd: users.New, GroupID: p.user("rous").GroupID}, "test")
			require.NoError(t, err)
			require.NoError(t, p.Invite(t.Context(), invited.ID))
			p.only(before, "Finish setting up your account")
			if isStopped = p.stopBefore(n, func() { p.post("/public/registration/start", fields{"emailAddress": before}) }, func() {
				p.want(p.do("PUT", "/api/users/updateUser", details(invited.UserName, func(f fields) { f["emailAddr"] = after }),
					bearer(admin)), 200, "success")
			}); !isStopped {
				break
			}
			for _, m := range p.inbox(before) {
				if m.Subject != "Your account request" { // for an address without an account
					t.Errorf("stopped before write %d: %s", n, m.Subject)
				}
			}
			link := p.linkIn(p.only(after, "Finish setting up your account"), "confirmAddUser").Get("token")
			p.want(p.post("/public/registration/complete", fields{"token": link, "newPassword": "Clear-River-8"}), 200, "success")
		}
		isStopped = true
		for n := 1; isStopped; n++ {
			user := fmt.Sprintf("forgetful%d", n)
			p.add(user, access.ROUS, 0)
			isStopped = p.stopBefore(n, func() { p.post("/public/forgotUsername", fields{"emailAddress": user + "@example.com"}) }, func() {
				p.exec(`UPDATE users SET email = $1, email_key = $1 WHERE user_name = $2`, user+"@example.org", user)
			})
			if list := p.inbox(user + "@example.com"); isStopped && len(list) != 0 {
				t.Errorf("stopped before write %d: %s", n, list[0].Subject)
			}
		}
	})
}

// whileLocked calls while another transaction locks a user. The transaction makes its change after the call has read what it can
// without the lock.
func (p *portal) whileLocked(userID int64, call func() reply, change func(tx *sql.Tx) error) reply {
	p.t.Helper()
	answer := make(chan reply, 1)
	require.NoError(p.t, p.DB.Tx(p.t.Context(), func(tx *sql.Tx) error {
		if _, err := p.Users.LockUser(p.t.Context(), tx, userID); err != nil {
			return err
		}
		go func() { answer <- call() }()
		if p.DB.Dialect.Name == "postgres" {
			dbtest.AwaitWaiting(p.t, p.DB)
		}
		return change(tx)
	}))
	return <-answer
}

// An action on a user who was just terminated reports that.
func TestTerminatedMeanwhile(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		admin := p.signIn("isad")
		const told = "The account has been terminated."
		p.want(p.do("PUT", "/api/users/terminate", fields{"userNm": "prus"}, bearer(admin)), 200, "")
		p.want(p.post("/users/resetPasswordByAdmin/start", fields{"userName": "prus", "emailAddress": "prus@example.com",
			"adminUserName": "isad"}, bearer(admin)), 409, told)
		p.want(p.post("/users/convertUserToAdmin/isad/prus", nil, bearer(admin)), 409, told)
		p.want(p.post(fmt.Sprintf("/users/regenRegistrationByAdmin/isad/%d", p.user("prus").ID), nil, bearer(admin)), 409, told)
		p.want(p.do("PUT", "/api/users/updateUser", details("prus", nil), bearer(admin)), 409, told)
	})
}

// A user who moves to another group during a change is out of the former administrator's reach, and
// stays as they are.
func TestMovedMeanwhile(t *testing.T) {
	calls := map[string]func(p *portal, u users.User, admin option) reply{
		"terminate": func(p *portal, u users.User, admin option) reply {
			return p.do("PUT", "/api/users/terminate", fields{"userNm": u.UserName}, admin)
		},
		"make an administrator": func(p *portal, u users.User, admin option) reply {
			return p.post("/users/convertUserToAdmin/prad/"+u.UserName, nil, admin)
		},
		"change the profile": func(p *portal, u users.User, admin option) reply {
			return p.do("PUT", "/api/users/updateUser", details(u.UserName, nil), admin)
		},
		"reset the password": func(p *portal, u users.User, admin option) reply {
			return p.post("/users/resetPasswordByAdmin/start", fields{"userName": u.UserName, "emailAddress": u.Email,
				"adminUserName": "prad"}, admin)
		},
		"reset the factors": func(p *portal, u users.User, admin option) reply {
			return p.post("/users/factorReset/start", fields{"userName": u.UserName}, admin)
		},
		"resend the registration": func(p *portal, u users.User, admin option) reply {
			return p.post(fmt.Sprintf("/users/regenRegistrationByAdmin/prad/%d", u.ID), nil, admin)
		},
		"assign TINs": func(p *portal, u users.User, admin option) reply {
			return p.post("/ftin/managedUserFtins/"+u.UserName, []fields{{"ftin": "222222222", "hasIt": true}}, admin)
		},
	}
	for name, call := range calls {
		t.Run(name, func(t *testing.T) {
			each(t, nil, func(t *testing.T, p *portal) {
				admin, other := bearer(p.signIn("prad")), p.add("ada", access.PRAD, 0, "444444444").GroupID
				u := p.add("mover", access.PRUS, p.groupOf("prad"), "111111111")
				p.addApp(p.signIn("mover"))
				if name == "resend the registration" {
					p.setStatus("mover", users.New)
				}
				before := p.state()
				p.want(p.whileLocked(u.ID, func() reply { return call(p, u, admin) }, func(tx *sql.Tx) error {
					return db.Run(t.Context(), tx, `UPDATE users SET group_id = $1 WHERE id = $2`, other, u.ID)
				}), 404, "")
				p.exec(`UPDATE users SET group_id = $1 WHERE id = $2`, u.GroupID, u.ID)
				if after := p.state(); after != before {
					t.Errorf("changed:\n%s", changed(before, after))
				}
			})
		})
	}
}
