package app_test

import (
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/app"
	"wcpp/internal/identity/access"
	"wcpp/internal/identity/users"
	"wcpp/internal/platform/httpapi"
	"wcpp/internal/platform/mail"
	"wcpp/internal/platform/problem"
)

// inbox delivers pending emails and returns new ones to an address, oldest first.
func (p *portal) inbox(to string) []mail.Received {
	p.t.Helper()
	require.NoError(p.t, p.Deliver(p.t.Context()))
	dir := filepath.Join(p.Config.Data, "mail")
	names, err := filepath.Glob(filepath.Join(dir, "*.eml"))
	require.NoError(p.t, err)
	slices.Sort(names)
	var list []mail.Received
	for _, name := range names {
		f, err := os.Open(name)
		require.NoError(p.t, err)
		m, err := mail.Read(f)
		f.Close()
		require.NoError(p.t, err)
		if strings.Contains(m.To, to) {
			list = append(list, m)
			require.NoError(p.t, os.Remove(name))
		}
	}
	return list
}

// only returns the single new email to an address.
func (p *portal) only(to, subject string) mail.Received {
	p.t.Helper()
	list := p.inbox(to)
	if len(list) != 1 || list[0].Subject != subject {
		var subjects []string
		for _, m := range list {
			subjects = append(subjects, m.Subject)
		}
		p.t.Fatalf("mails to %s: %q, want %q", to, subjects, subject)
	}
	return list[0]
}

var addressInMail = regexp.MustCompile(`http://portal\.test/wcpp/\S+`)

// linkIn returns the query of the link in an email.
func (p *portal) linkIn(m mail.Received, screen string) url.Values {
	p.t.Helper()
	u, err := url.Parse(addressInMail.FindString(m.Text))
	if err != nil || u.Path != "/wcpp/"+screen {
		p.t.Fatalf("the email links to %v, want %s:\n%s", u, screen, m.Text)
	}
	return u.Query()
}

func (p *portal) post(path string, body any, opts ...option) reply {
	return p.do("POST", "/api"+path, body, opts...)
}

func (p *portal) want(r reply, status int, message string) {
	p.t.Helper()
	if r.status != status || message != "" && r.code() != message && strings.Trim(string(r.body), "\"\n") != message {
		p.t.Errorf("%d %s, want %d %s", r.status, r.body, status, message)
	}
}

func (r reply) fields() string {
	var p httpapi.Problem
	var list []string
	if httpProblem(r, &p) {
		for _, f := range p.Fields {
			list = append(list, f.Path+": "+f.Message)
		}
	}
	return strings.Join(list, "; ")
}

type fields map[string]any

func form(token, code string) fields {
	return fields{
		"token": token, "authenticationCode": code, "affiliation": "OTHER", "otherAffiliation": "Billing advisor",
		"firstName": "Zoë", "lastName": "O'Brien", "middleInitial": "M", "phoneNumber": "(216) 555-0148", "jobTitle": "Biller",
		"companyName": "Lakeside Billing", "companyUrl": "",
		"providerList": []fields{{"ftin": "111111111", "providerName": "Lakeside Clinic"}},
	}
}

var codeInMail = regexp.MustCompile(`[A-Z0-9]{5}(-[A-Z0-9]{5}){3}`)

func TestAccountRequest(t *testing.T) {
	each(t, func(c *app.Config) {
		c.Account.InternalDomains = []string{"network.example", "@staff.example"}
	}, func(t *testing.T, p *portal) {
		var settings struct{ InternalDomains []string }
		p.do("GET", "/js/config.json", nil).into(t, &settings)
		assert.Equal(t, []string{"network.example", "staff.example"}, settings.InternalDomains)
		const start, complete = "/public/registration/startRequestAccount", "/public/registration/completeRequestAccount"
		address := func(s string) fields { return fields{"emailAddress": s} }
		if r := p.post(start, address("nonsense")); r.status != 400 || r.fields() != "emailAddress: A valid Email Address is required." {
			t.Errorf("%d %s", r.status, r.body)
		}
		p.want(p.post(start, address("Ann@NETWORK.example")), 400, "INTERNAL_USER")
		p.want(p.post(start, address("ann@staff.example")), 400, "INTERNAL_USER")
		p.want(p.post(start, address("zoe@office.example")), 200, "success")
		first := p.only("zoe@office.example", "Your account request")
		p.want(p.post("/public/registration/start", fields{"emailAddress": "ZOE@office.example", "campaign": "spring"}), 200, "success")
		second := p.only("zoe@office.example", "Your account request")
		assert.Equal(t, 1, p.count(`SELECT count(*) FROM account_requests`))
		old, link := p.linkIn(first, "registration"), p.linkIn(second, "registration")
		oldCode, code := codeInMail.FindString(first.Text), codeInMail.FindString(second.Text)
		if code == "" || code == oldCode || link.Get("expire") != fmt.Sprint(p.clock.Now().Add(48*time.Hour).UnixMilli()) {
			t.Errorf("code %q, expire %q", code, link.Get("expire"))
		}
		if n := p.count(`SELECT count(*) FROM account_links WHERE token_hash IS NOT NULL
			AND (token_hash = $1 OR code_hash = $2)`, []byte(link.Get("token")), []byte(code)); n != 0 {
			t.Error("a token or code is kept as it was mailed")
		}
		p.want(p.post(complete, form(old.Get("token"), oldCode)), 400, "INVALID_TOKEN") // invalidated by the second link
		p.want(p.post(complete, form(link.Get("token"), oldCode)), 400, "INVALID_TOKEN")
		p.want(p.post(complete, form("made up", code)), 400, "INVALID_TOKEN")
		wrong := form(link.Get("token"), "abc")
		wrong["affiliation"], wrong["firstName"], wrong["phoneNumber"], wrong["providerList"] = "", "Z", "555", []fields{}
		if r := p.post(complete, wrong); r.status != 400 || r.fields() !=
			"authenticationCode: Invalid Authentication Code; affiliation: Affiliation is required.; "+
				"firstName: First Name must have at least 2 letters.; phoneNumber: A valid Phone Number is required.; providerList: "+
				"Provider information is required." {
			t.Errorf("%d %s", r.status, r.body)
		}
		long := form(link.Get("token"), code)
		long["firstName"], long["middleInitial"], long["phoneNumber"] = strings.Repeat("x", 41), "MM", "216-555-0148 x5"
		if r := p.post(complete, long); r.status != 400 || r.fields() !=
			"firstName: Up to 40 characters; middleInitial: Up to 1 character; phoneNumber: A valid Phone Number is required." {
			t.Errorf("%d %s", r.status, r.body)
		}
		// Spacing and case as users paste them.
		good := form(link.Get("token"), " "+strings.ToLower(strings.ReplaceAll(code, "-", " ")))
		good["phoneNumber"], good["providerList"] = "+1 216 555 0148", []fields{{"ftin": " 11-1111111", "providerName": "Lakeside Clinic"}}
		var wait sync.WaitGroup
		for range 4 { // a double click
			wait.Go(func() { p.want(p.post(complete, good), 200, "success") })
		}
		wait.Wait()
		mailed := p.only("support@portal.example", "New account request")
		id := p.linkIn(mailed, "AddUser").Get("request")
		other := form(link.Get("token"), code)
		other["lastName"] = "Somebody"
		p.clock.Advance(16 * time.Minute) // attempts per link are limited too
		p.want(p.post(complete, other), 400, "INVALID_TOKEN")

		isad, prad := p.signIn("isad"), p.signIn("prad")
		var read struct {
			EmailAddress, FirstName, Affiliation, OtherAffiliation, PhoneNumber, Status string
			ProviderList                                                                []struct{ FTIN, ProviderName string }
		}
		p.do("GET", "/api/accountRequests/"+id, nil, bearer(isad)).into(t, &read)
		if read.EmailAddress != "zoe@office.example" || read.FirstName != "Zoë" || read.Affiliation != "OTHER" ||
			read.OtherAffiliation != "Billing advisor" ||
			read.PhoneNumber != "2165550148" || read.Status != "SUBMITTED" || len(read.ProviderList) != 1 || read.ProviderList[0].FTIN !=
			"111111111" {
			t.Errorf("%+v", read)
		}
		if r := p.do("GET", "/api/accountRequests", nil, bearer(isad)); !strings.Contains(string(r.body), "Lakeside Billing") {
			t.Errorf("%s", r.body)
		}
		p.want(p.do("GET", "/api/accountRequests/"+id, nil, bearer(prad)), 403, "")
		p.want(p.do("GET", "/api/accountRequests/999", nil, bearer(isad)), 404, "")

		decline := func(id, token, reason string) reply {
			return p.post("/accountRequests/"+id+"/decline", fields{"reason": reason}, bearer(token))
		}
		p.want(decline(id, prad, ""), 403, "")
		p.want(decline("999", isad, ""), 404, "")
		if r := decline(id, isad, strings.Repeat("x", 401)); r.status != 400 || r.fields() != "reason: Up to 400 characters" {
			t.Errorf("%d %s", r.status, r.body)
		}

		// Only an email says that a request or an account already exists.
		p.want(p.post(start, address("zoe@office.example")), 200, "success")
		p.only("zoe@office.example", "Your account request is under review")
		p.want(p.post(start, address("PRAD@example.com")), 200, "success")
		assert.Contains(t, p.only("prad@example.com", "You already have an account").Text, "prad")
		// Someone with a declined request gets one email and can request again.
		p.want(decline(id, isad, " no such\noffice "), 200, "success")
		p.want(decline(id, isad, ""), 409, "This account request has already been answered.")
		assert.Contains(t, p.only("zoe@office.example", "Your account request was declined").Text, "no such office")
		p.do("GET", "/api/accountRequests/"+id, nil, bearer(isad)).into(t, &read)
		assert.Equal(t, "DECLINED", read.Status, read)
		p.want(p.post(start, address("zoe@office.example")), 200, "success")
		p.only("zoe@office.example", "Your account request")
		// An expired link.
		p.want(p.post(start, address("late@office.example")), 200, "success")
		late := p.only("late@office.example", "Your account request")
		p.clock.Advance(49 * time.Hour)
		p.want(p.post(complete, form(p.linkIn(late, "registration").Get("token"), codeInMail.FindString(late.Text))), 400, "EXPIRED_TOKEN")
		// The address is rate-limited, whether it's known or not.
		for range 5 {
			p.want(p.post(start, address("late@office.example")), 200, "")
		}
		p.want(p.post(start, address("LATE@office.example")), 429, "Too many attempts. Wait 15 minutes and try again.")
		p.clock.Advance(16 * time.Minute)
		p.want(p.post(start, address("late@office.example")), 200, "")
		if log := p.log.String(); strings.Contains(log, "office.example") || strings.Contains(log, link.Get("token")) ||
			strings.Contains(log, code) {
			t.Error("the log names an address, a token or a code")
		}
	})
}

func TestResetPassword(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		const start, complete = "/public/resetPasswordByUser/start", "/public/resetPassword/complete"
		ask := func(name, address string) reply {
			return p.post(start, fields{"userName": name, "emailAddress": address})
		}
		finish := func(token, password string) reply {
			return p.post(complete, fields{"token": token, "newPassword": password})
		}
		p.want(ask("nobody", "prus@example.com"), 400, "INVALID_USERNAME_OR_EMAIL")
		p.want(ask("prus", "prad@example.com"), 400, "INVALID_USERNAME_OR_EMAIL")
		session := p.signIn("prus")
		p.want(ask(" PRUS ", "Prus@Example.com"), 200, "success")
		first := p.linkIn(p.only("prus@example.com", "Reset your password"), "confirmPasswordReset").Get("token")
		p.want(ask("prus", "prus@example.com"), 200, "success")
		token := p.linkIn(p.only("prus@example.com", "Reset your password"), "confirmPasswordReset").Get("token")
		p.want(finish(first, "Clear-River-8"), 400, "INVALID_TOKEN")
		look := func(purpose, token string) reply {
			return p.post("/public/checkLink", fields{"purpose": purpose, "token": token})
		}
		p.want(look("RESET", first), 400, "INVALID_TOKEN")
		p.want(look("RESET", "nonsense"), 400, "INVALID_TOKEN")
		p.want(look("REGISTRATION", token), 400, "INVALID_TOKEN")
		p.want(look("OTHER", token), 400, "")
		for range 2 {
			p.want(look("RESET", token), 200, "success")
		}
		p.want(finish(token[:len(token)-4]+"AAAA", "Clear-River-8"), 400, "INVALID_TOKEN")
		p.want(finish("", "Clear-River-8"), 400, "INVALID_TOKEN")
		// Token contents count only if the portal signed them with its one algorithm.
		said := strings.Split(token, ".")[1]
		for _, head := range []string{`{"alg":"none"}`, `{"alg":"HS512","typ":"JWT"}`,
			`{"alg":"RS256","jku":"https://evil.example/keys"}`} {
			p.want(finish(base64.RawURLEncoding.EncodeToString([]byte(head))+"."+said+".", "Clear-River-8"), 400, "INVALID_TOKEN")
			p.want(finish(base64.RawURLEncoding.EncodeToString([]byte(head))+"."+said+"."+strings.Split(token, ".")[2], "Clear-River-8"),
				400, "INVALID_TOKEN")
		}
		for password, why := range map[string]string{
			"short": "CHARACTERS", "My-Surp-Tree-8": "CONTAINS_NAME", "A-Retset-Day-8": "CONTAINS_NAME", "Password-2026": "COMMON_PASSWORD",
			"Testnetw0rk-26": "COMMON_PASSWORD", "!!Network-Network7": "COMMON_PASSWORD", // contains the portal's own name
		} {
			if r := finish(token, password); r.status != 400 || r.code() != "INVALID_PW" || !strings.Contains(string(r.body), why) {
				t.Errorf("%s: %d %s", password, r.status, r.body)
			}
		}
		// After a lock ends, the link still works. Earlier rejections didn't use it up.
		for range 5 {
			pending, state := p.form()
			p.do("POST", "/sso/sign-in", url.Values{"username": {"prus"}, "password": {"wrong"}, "state": {state}},
				cookie(ssoCookie, pending))
		}
		require.Equal(t, 1, p.count(`SELECT count(*) FROM users WHERE user_name = 'prus' AND status_cd = 'LOCK'`), "not locked")
		var mu sync.Mutex
		var wait sync.WaitGroup
		taken := 0
		for range 5 {
			wait.Go(func() {
				r := finish(token, " Clear-River-8 ")
				mu.Lock()
				defer mu.Unlock()
				if r.status == http.StatusOK {
					taken++
				} else if r.code() != "INVALID_TOKEN" {
					t.Errorf("%d %s", r.status, r.body)
				}
			})
		}
		wait.Wait()
		assert.Equal(t, 1, taken)
		p.want(look("RESET", token), 400, "INVALID_TOKEN")
		p.want(p.do("GET", "/api/session", nil, bearer(session)), 401, "")
		p.only("prus@example.com", "Your password was changed")
		if r := p.exchange(p.code("prus", "Clear-River-8")); r.status != http.StatusOK {
			t.Errorf("with the new password: %d %s", r.status, r.body)
		}
		// An expired link.
		p.clock.Advance(20 * time.Minute)
		p.want(ask("prus", "prus@example.com"), 200, "success")
		token = p.linkIn(p.only("prus@example.com", "Reset your password"), "confirmPasswordReset").Get("token")
		p.clock.Advance(61 * time.Minute)
		p.want(finish(token, "Clear-River-9"), 400, "EXPIRED_TOKEN")
		p.want(look("RESET", token), 400, "EXPIRED_TOKEN")
		// Too many attempts for one username.
		for range 5 {
			ask("nobody", "x@example.com")
		}
		p.want(ask("NOBODY", "x@example.com"), 429, "")
	})
}

// Each flow, starting from each account status, with the resulting status.
func TestAccountStates(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		for status, c := range map[users.Status]struct{ reset, forgot, subject, after string }{
			users.New:         {"success", "USER_ACCT_NEW", "Finish setting up your account", "ACTIV"},
			users.Draft:       {"INVALID_USERNAME_OR_EMAIL", "INVALID_EMAIL", "", "DRAFT"},
			users.Active:      {"success", "success", "Reset your password", "ACTIV"},
			users.Inactive:    {"success", "success", "Reset your password", "ACTIV"},
			users.Locked:      {"success", "success", "Reset your password", "ACTIV"},
			users.Deactivated: {"success", "success", "Reset your password", "ACTIV"},
			users.Terminated:  {"USER_ACCT_TERMINATED", "INVALID_EMAIL", "", "TERM"},
		} {
			name := "s" + strings.ToLower(string(status))
			p.add(name, access.PRUS, 0)
			p.exec(`UPDATE users SET status_cd = $1 WHERE user_name = $2`, string(status), name)
			address := name + "@example.com"
			forgot := p.post("/public/forgotUsername", fields{"emailAddress": address})
			if got := strings.Trim(string(forgot.body), "\"\n"); got != c.forgot && forgot.code() != c.forgot {
				t.Errorf("%s, forgotten: %d %s", status, forgot.status, forgot.body)
			}
			if list := p.inbox(address); c.forgot == "success" && (len(list) != 1 || !strings.Contains(list[0].Text, name)) ||
				c.forgot != "success" && len(list) != 0 {
				t.Errorf("%s, forgotten: %d mails", status, len(list))
			}
			reset := p.post("/public/resetPasswordByUser/start", fields{"userName": name, "emailAddress": address})
			if got := strings.Trim(string(reset.body), "\"\n"); got != c.reset && reset.code() != c.reset {
				t.Errorf("%s, reset: %d %s", status, reset.status, reset.body)
			}
			if c.subject != "" {
				screen, path := "confirmPasswordReset", "/public/resetPassword/complete"
				if status == users.New {
					screen, path = "confirmAddUser", "/public/registration/complete"
				}
				token := p.linkIn(p.only(address, c.subject), screen).Get("token")
				// A link with another purpose is rejected.
				for _, to := range []string{"/public/resetPassword/complete", "/public/registration/complete"} {
					if to != path {
						p.want(p.post(to, fields{"token": token, "newPassword": "Clear-River-8"}), 400, "INVALID_TOKEN")
					}
				}
				p.want(p.post(path, fields{"token": token, "newPassword": "Clear-River-8"}), 200, "success")
				assert.Equalf(t, http.StatusOK, p.exchange(p.code(name, "Clear-River-8")).status, "%s: sign-in answers", status)
			}
			if n := p.count(`SELECT count(*) FROM users WHERE user_name = $1 AND status_cd = $2`, name, c.after); n != 1 {
				t.Errorf("%s is not %s afterwards", status, c.after)
			}
		}
		// An account that's terminated after its link was sent.
		p.add("ending", access.PRUS, 0)
		p.post("/public/resetPasswordByUser/start", fields{"userName": "ending", "emailAddress": "ending@example.com"})
		token := p.linkIn(p.only("ending@example.com", "Reset your password"), "confirmPasswordReset").Get("token")
		p.exec(`UPDATE users SET status_cd = 'TERM' WHERE user_name = 'ending'`)
		p.want(p.post("/public/checkLink", fields{"purpose": "RESET", "token": token}), 400, "INVALID_TOKEN")
		p.want(p.post("/public/resetPassword/complete", fields{"token": token, "newPassword": "Clear-River-8"}), 400, "INVALID_TOKEN")
	})
}

// If the portal must not reveal accounts, known and unknown ones get the same response after the
// same work.
func TestNeutralAnswers(t *testing.T) {
	each(t, func(c *app.Config) { c.Account.AccountDisclosure = "neutral" }, func(t *testing.T, p *portal) {
		before := p.count(`SELECT count(*) FROM audit_log`)
		work := func() string {
			return fmt.Sprint(p.count(`SELECT count(*) FROM rate_limits`), p.count(`SELECT count(*) FROM audit_log`)-before,
				p.count(`SELECT count(*) FROM mails`), p.count(`SELECT count(*) FROM river_job WHERE kind = 'mail'`))
		}
		for n, c := range []struct {
			path     string
			body     fields
			attempts int // counted by username, or by address, source and both
		}{
			{"/public/resetPasswordByUser/start", fields{"userName": "prus", "emailAddress": "prus@example.com"}, 1},
			{"/public/resetPasswordByUser/start", fields{"userName": "nobody", "emailAddress": "prus@example.com"}, 2},
			{"/public/resetPasswordByUser/start", fields{"userName": "prad", "emailAddress": "other@example.com"}, 3},
			{"/public/forgotUsername", fields{"emailAddress": "nnus@example.com"}, 6},
			{"/public/forgotUsername", fields{"emailAddress": "nobody@example.com"}, 8},
		} {
			p.want(p.post(c.path, c.body), 200, "success")
			assert.Equalf(t, fmt.Sprint(c.attempts, n+1, n+1, n+1), work(), "after %d: attempts, audit entries, mails and jobs", n+1)
		}
		p.only("prus@example.com", "Reset your password")
		p.only("nnus@example.com", "Your username")
		assert.Equal(t, 3, p.count(`SELECT count(*) FROM mails WHERE status = 'dropped'`))
	})
}

// Hourly limits apply to emails that a source sends to strangers, and to all sources together.
// Known and unknown addresses count alike. A reset needs an account's username and email, so
// neither limit applies.
func TestStrangerMails(t *testing.T) {
	each(t, func(c *app.Config) {
		c.Account.AccountDisclosure, c.Account.StrangerMails, c.Account.StrangerMailsAnHour = "neutral", 3, 4
		c.TrustedProxies = []string{"127.0.0.0/8"}
	}, func(t *testing.T, p *portal) {
		const request, forgot = "/public/registration/startRequestAccount", "/public/forgotUsername"
		const refused = "Too many attempts. Wait 60 minutes and try again."
		ask := func(path, address string) reply { return p.post(path, fields{"emailAddress": address}) }
		p.from = "2001:db8::1"
		p.want(ask(request, "a@office.example"), 200, "success")
		p.want(ask(request, "A@office.example "), 200, "success")
		p.want(ask(forgot, "a@office.example"), 200, "success")
		p.want(ask(forgot, "b@office.example"), 200, "success")
		p.from = "2001:db8::2" // the same customer
		p.want(ask(request, "prad@example.com"), 200, "success")
		for range 2 {
			p.want(ask(request, "c@office.example"), 429, refused)
			p.want(ask(forgot, "prus@example.com"), 429, refused)
			p.want(ask(forgot, "nobody@office.example"), 429, refused)
		}
		p.want(ask(request, "b@office.example"), 200, "success")
		p.want(p.post("/public/resetPasswordByUser/start", fields{"userName": "prus", "emailAddress": "prus@example.com"}), 200, "success")
		if c, nobody := p.inbox("c@office.example"), p.inbox("prus@example.com"); len(c) != 0 || len(nobody) != 1 {
			t.Errorf("%d and %d mails", len(c), len(nobody))
		}
		p.from = "198.51.100.1"
		p.want(ask(request, "d@office.example"), 200, "success")
		p.want(ask(request, "e@office.example"), 429, refused) // across all sources
		p.want(ask(forgot, "prus@example.com"), 200, "success")
		p.clock.Advance(61 * time.Minute)
		p.want(ask(request, "e@office.example"), 200, "success")
	})
}

func TestAdministratorsReset(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		elsewhere := p.add("stranger", access.PRAD, 0)
		reset := func(actor, name string) reply {
			return p.post("/users/resetPasswordByAdmin/start", fields{"userName": name, "emailAddress": name + "@example.com",
				"adminUserName": actor}, bearer(p.signIn(actor)))
		}
		session := p.signIn("prus")
		p.want(reset("prad", "prus"), 200, "success")
		p.want(p.do("GET", "/api/session", nil, bearer(session)), 401, "")
		pending, state := p.form()
		if r := p.do("POST", "/sso/sign-in", url.Values{"username": {"prus"}, "password": {password}, "state": {state}},
			cookie(ssoCookie, pending)); r.header.Get("Location") != "/wcpp/login?fail=USER_ACCT_INACTIVE" {
			t.Errorf("after the reset: %d %s", r.status, r.header.Get("Location"))
		}
		token := p.linkIn(p.only("prus@example.com", "Reset your password"), "confirmPasswordReset").Get("token")
		p.want(p.post("/public/resetPassword/complete", fields{"token": token, "newPassword": "Clear-River-8"}), 200, "success")

		for name, c := range map[string]struct {
			actor  string
			status int
		}{"stranger": {"prad", 404}, "nnus": {"prad", 404}, "nobody": {"isad", 404}, "isad": {"isad", 400}} {
			p.want(reset(c.actor, name), c.status, "")
		}
		p.want(reset("irad", "prad"), 403, "")
		p.want(reset("nnus", "prad"), 403, "")
		p.want(reset("isad", "stranger"), 200, "success")
		p.want(p.post("/users/resetPasswordByAdmin/start", fields{"userName": "nnus", "adminUserName": "prad"}, bearer(p.signIn("isad"))),
			403, "")
		assert.Equal(t, 2, p.count(`SELECT count(*) FROM audit_log WHERE operation = 'password-reset' AND result = 'ok'`))

		// A new user's registration email, sent again.
		fresh, err := p.Users.Add(t.Context(), users.User{FirstName: "Nina", LastName: "New", Email: "nina@example.com",
			TypeCd: access.PRUS, StatusCd: users.New, GroupID: elsewhere.GroupID}, "test")
		require.NoError(t, err)
		require.NoError(t, p.Invite(t.Context(), fresh.ID))
		old := p.linkIn(p.only("nina@example.com", "Finish setting up your account"), "confirmAddUser").Get("token")
		again := func(actor string, id int64) reply {
			return p.post(fmt.Sprintf("/users/regenRegistrationByAdmin/%s/%d", actor, id), nil, bearer(p.signIn(actor)))
		}
		p.want(again("prad", fresh.ID), 404, "")
		p.want(again("isad", fresh.ID), 200, "success")
		p.want(again("isad", elsewhere.ID), 409, "")
		m := p.only("nina@example.com", "Finish setting up your account")
		assert.Contains(t, m.Text, fresh.UserName)
		p.want(p.post("/public/registration/complete", fields{"token": old, "newPassword": "Clear-River-8"}), 400, "INVALID_TOKEN")
		link := p.linkIn(m, "confirmAddUser")
		assert.NotEmpty(t, link.Get("expire"), "the link does not tell when it ends")
		p.want(p.post("/public/registration/complete", fields{"token": link.Get("token"), "newPassword": "Clear-Nina-8"}), 400,
			"INVALID_PW")
		p.want(p.post("/public/registration/complete", fields{"token": link.Get("token"), "newPassword": "Clear-River-8"}), 200, "success")
		p.want(p.post("/public/registration/complete", fields{"token": link.Get("token"), "newPassword": "Clear-River-8"}), 400,
			"INVALID_TOKEN")
		assert.Equal(t, http.StatusOK, p.exchange(p.code(fresh.UserName, "Clear-River-8")).status)

		// A link printed on the command line is audited, and refused like the email.
		if address, err := p.RegistrationLink(t.Context(), elsewhere.ID); !problem.Is(err, problem.Conflict) {
			t.Errorf("%s, %v", address, err)
		}
		p.audited(0, `operation = 'registration-link'`)
		next, err := p.Users.Add(t.Context(), users.User{FirstName: "Omar", LastName: "New", Email: "omar@example.com",
			TypeCd: access.PRUS, StatusCd: users.New, GroupID: elsewhere.GroupID}, "test")
		require.NoError(t, err)
		address, err := p.RegistrationLink(t.Context(), next.ID)
		if err != nil || !strings.HasPrefix(address, "http://portal.test/wcpp/confirmAddUser?") {
			t.Errorf("%s, %v", address, err)
		}
		p.audited(1, `operation = 'registration-link' AND actor = 'command line' AND subject = $1 AND result = 'ok'`, next.UserName)
		p.exec(`UPDATE users SET group_ended = $2 WHERE id = $1`, next.ID, true)
		if address, err := p.RegistrationLink(t.Context(), next.ID); !problem.Is(err, problem.Conflict) {
			t.Errorf("inactive group: %s, %v", address, err)
		}
	})
}

// Emails that wait when an account or its group ends aren't sent.
func TestAccountEmailsEndWithTheAccount(t *testing.T) {
	for name, end := range map[string]string{"terminated": `status_cd = 'TERM'`, "inactive group": `group_ended = (1 = 1)`} {
		each(t, nil, func(t *testing.T, p *portal) {
			fresh, err := p.Users.Add(t.Context(), users.User{FirstName: "Nina", LastName: "New", Email: "nina@example.com",
				TypeCd: access.PRUS, StatusCd: users.New, GroupID: p.user("prus").GroupID}, "test")
			require.NoError(t, err)
			require.NoError(t, errors.Join(
				p.Invite(t.Context(), fresh.ID),
				p.Account.ForgotUsername(t.Context(), "prus@example.com"),
				p.Account.StartReset(t.Context(), "prus", "prus@example.com"),
				p.Account.StartRequest(t.Context(), "prus@example.com", ""),
			))
			assert.Equal(t, 4, p.count(`SELECT count(*) FROM mails`))
			p.exec(`UPDATE users SET ` + end)
			if list := p.inbox("@example.com"); len(list) != 0 {
				t.Errorf("%s: %d emails, the first %q to %s", name, len(list), list[0].Subject, list[0].To)
			}
		})
	}
}

func TestChangePassword(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		here, there, other := p.signIn("prus"), p.signIn("prus"), p.signIn("prad")
		change := func(current, next string) reply {
			return p.post("/users/updatePwd", fields{"username": "prus", "password": current, "newPassword": next}, bearer(here))
		}
		for range 6 { // they don't count as attempts with the current password
			p.want(change(password, "Only-Prus-88"), 200, "INVALID_PW CONTAINS_NAME")
		}
		p.want(change(password, "Password-2026"), 200, "INVALID_PW COMMON_PASSWORD")
		p.want(change(password, password), 200, "INVALID_PW SAME_PASSWORD")
		p.want(change(password, " Clear-River-8 "), 200, "success")
		p.want(p.do("GET", "/api/session", nil, bearer(here)), 200, "")
		p.want(p.do("GET", "/api/session", nil, bearer(there)), 401, "")
		p.only("prus@example.com", "Your password was changed")
		p.want(p.post("/users/updatePwd", fields{"username": "prus", "password": "Clear-River-8", "newPassword": "Clear-River-9"},
			bearer(other)), 403, "")
		for range 5 {
			p.want(change("wrong", "Clear-River-9"), 200, "incorrect_password")
		}
		p.want(change("Clear-River-8", "Clear-River-9"), 429, "")
		assert.Equal(t, http.StatusOK, p.exchange(p.code("prus", "Clear-River-8")).status)
		if n := p.count(`SELECT count(*) FROM audit_log WHERE operation = 'password-change' AND result = 'incorrect_password'`); n != 5 {
			t.Errorf("%d audit entries of wrong passwords", n)
		}
	})
}

func details(name string, change func(fields)) fields {
	f := fields{
		"userNm": name, "userFirstName": "Zoë", "userLastName": "O'Brien", "userMidName": "M", "emailAddr": name + "@example.com",
		"phoneNum": "216-555-0148", "employeeId": nil, "affiliationCd": "OFC_STAFF", "affiliationDesc": "", "jobTitle": "Biller",
		"companyNm": "Lakeside", "companyUrl": nil,
	}
	if change != nil {
		change(f)
	}
	return f
}

func TestProfile(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		p.add("stranger", access.PRUS, 0)
		tokens := map[string]string{}
		for _, name := range []string{"prad", "prus", "nnus", "road", "irad", "isad"} {
			tokens[name] = p.signIn(name)
		}
		// Visible users by type.
		for _, c := range []struct {
			actor, name string
			status      int
		}{
			{"prus", "prus", 200}, {"prus", "prad", 404}, {"prad", "prus", 200}, {"prad", "stranger", 404}, {"prad", "nnus", 404},
			{"nnus", "nnus", 200}, {"irad", "stranger", 200}, {"isad", "PRUS", 200}, {"isad", "nobody", 404},
		} {
			if r := p.do("GET", "/api/users/userByName/"+c.name, nil, bearer(tokens[c.actor])); r.status != c.status {
				t.Errorf("%s reads %s: %d", c.actor, c.name, r.status)
			}
		}
		update := func(actor string, f fields) reply {
			return p.do("PUT", "/api/users/updateUser", f, bearer(tokens[actor]))
		}
		// Editable users by type.
		for _, c := range []struct {
			actor, name string
			status      int
		}{
			{"prus", "prus", 200}, {"prus", "prad", 404}, {"prad", "prus", 200}, {"prad", "stranger", 404}, {"irad", "prus", 404},
			{"isad", "stranger", 200}, {"nnus", "nnus", 200},
		} {
			if r := update(c.actor, details(c.name, nil)); r.status != c.status {
				t.Errorf("%s changes %s: %d %s", c.actor, c.name, r.status, r.body)
			}
		}
		var read struct {
			UserFirstName, PhoneNum, JobTitle, AffiliationCd string
			CompanyURL, EmployeeID                           *string
			InternalStaffFlag                                bool
		}
		p.do("GET", "/api/users/userByName/prus", nil, bearer(tokens["prus"])).into(t, &read)
		if read.UserFirstName != "Zoë" || read.PhoneNum != "2165550148" || read.JobTitle != "Biller" || read.CompanyURL != nil ||
			read.InternalStaffFlag {
			t.Errorf("%+v", read)
		}
		// Each rule, by field.
		for want, change := range map[string]func(fields){
			"userFirstName: Error: Enter valid First Name":        func(f fields) { f["userFirstName"] = " " },
			"userLastName: Error: Enter valid Last Name":          func(f fields) { f["userLastName"] = strings.Repeat("x", 41) },
			"phoneNum: Error: Enter a valid numeric Phone Number": func(f fields) { f["phoneNum"] = "555-0148" },
			"emailAddr: Error: Enter a valid Email Address":       func(f fields) { f["emailAddr"] = "zoe@" },
			"affiliationCd: Error: Select Affiliation":            func(f fields) { f["affiliationCd"] = "" },
			"affiliationDesc: Error: Enter Other Desc":            func(f fields) { f["affiliationCd"] = "OTHER" },
			"jobTitle: Error: Enter a valid Job Title":            func(f fields) { f["jobTitle"] = "" },
			"companyNm: Error: Enter a valid company Name":        func(f fields) { f["companyNm"] = "" },
		} {
			if r := update("prus", details("prus", change)); r.status != 400 || r.fields() != want {
				t.Errorf("%s: %d %s", want, r.status, r.body)
			}
		}
		if r := update("road", details("road", func(f fields) { f["jobTitle"] = "" })); r.fields() !=
			"jobTitle: Error: Enter a valid Job Title" {
			t.Errorf("a roster administrator without a job title: %s", r.body)
		}
		// An email address in use is rejected. A change notifies the old address.
		r := update("prus", details("prus", func(f fields) { f["emailAddr"] = "PRAD@example.com" }))
		if r.status != 409 || !strings.HasPrefix(r.fields(), "emailAddr: ") {
			t.Errorf("an address in use: %d %s", r.status, r.body)
		}
		for _, name := range []string{"prus", "nnus", "prad"} {
			p.want(update(name, details(name, func(f fields) { f["emailAddr"] = "wanted@example.com" })), 200, "success")
		}
		var wait sync.WaitGroup
		var taken atomic.Int32
		for _, m := range p.inbox("wanted@example.com") {
			token := p.linkIn(m, "confirmEmail").Get("token")
			wait.Go(func() {
				if r := p.post("/public/confirmEmail", fields{"token": token}); r.status == 200 {
					taken.Add(1)
				} else if r.status != 409 || r.code() != "EMAIL_EXISTS" {
					t.Errorf("an address taken meanwhile: %d %s", r.status, r.body)
				}
			})
		}
		wait.Wait()
		assert.Equal(t, int32(1), taken.Load())
		// Employee ID: users keep their own, and only a system administrator changes it.
		p.want(update("irad", details("irad", func(f fields) { f["employeeId"] = "E-9" })), 200, "success")
		p.want(update("isad", details("irad", func(f fields) { f["employeeId"] = "" })), 400, "INVALID_ENLYTE_EMPLOYEE_ID")
		if n := p.count(`SELECT count(*) FROM users WHERE user_name = 'irad' AND employee_id = 'E-irad'`); n != 1 {
			t.Error("one's own employee id was changed")
		}
		p.want(update("isad", details("irad", func(f fields) { f["employeeId"] = "E-10" })), 200, "success")
		// One that an import brought stays until it's edited.
		p.exec(`UPDATE users SET employee_id = 'É 10/7' WHERE user_name = 'irad'`)
		p.want(update("isad", details("irad", func(f fields) { f["employeeId"] = "É 10/8" })), 400, "INVALID_ENLYTE_EMPLOYEE_ID")
		p.want(update("isad", details("irad", func(f fields) { f["employeeId"] = "É 10/7" })), 200, "success")
		if n := p.count(`SELECT count(*) FROM audit_log WHERE operation = 'user-update' AND actor = 'isad' AND subject = 'irad'
			AND detail LIKE '%employeeId%'`); n != 1 {
			t.Error("no audit entry of the change")
		}
		// Mirroring is read-only.
		p.want(p.post("/session/mirror", fields{"userNm": "prus"}, bearer(tokens["isad"])), 200, "")
		p.want(p.do("GET", "/api/users/userByName/prus", nil, bearer(tokens["isad"])), 200, "")
		p.want(p.do("GET", "/api/users/userByName/nnus", nil, bearer(tokens["isad"])), 404, "")
		p.want(update("isad", details("prus", nil)), 403, "")
		p.want(p.post("/users/updatePwd", fields{"username": "prus", "password": password, "newPassword": "Clear-River-8"},
			bearer(tokens["isad"])), 403, "")
	})
}

func TestBackfill(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		needs := func(actor, name string) string {
			return strings.TrimSpace(string(p.do("GET", "/api/users/needsBackfill/"+name, nil, bearer(p.signIn(actor))).body))
		}
		for name, want := range map[string]string{"prad": "true", "prus": "true", "nnus": "true", "road": "false", "rous": "false",
			"irad": "false", "isad": "false"} {
			assert.Equal(t, want, needs(name, name), name)
		}
		token := p.signIn("nnus")
		p.want(p.do("GET", "/api/users/needsBackfill/prad", nil, bearer(token)), 403, "")
		fill := func(f fields) reply { return p.post("/users/updateBackfill", f, bearer(token)) }
		full := fields{"userNm": "nnus", "jobTitle": "Biller", "companyNm": "Office", "companyUrl": "", "affiliationCd": "OTHER",
			"affiliationDesc": strings.Repeat("x", 80)}
		for _, missing := range []string{"jobTitle", "companyNm", "affiliationCd", "affiliationDesc"} {
			f := fields{}
			for k, v := range full {
				f[k] = v
			}
			f[missing] = ""
			if r := fill(f); r.status != 400 || !strings.Contains(r.fields(), missing) {
				t.Errorf("without %s: %d %s", missing, r.status, r.body)
			}
		}
		p.want(fill(full), 200, "success")
		p.want(fill(fields{"userNm": "prad", "jobTitle": "x", "companyNm": "y", "affiliationCd": "OFC_STAFF"}), 403, "")
		assert.Equal(t, "false", needs("nnus", "nnus"))
	})
}

// Personal names allow letters, marks, apostrophes, hyphens, periods and spaces. Stored names
// with other characters stay until someone edits them.
func TestCharactersOfNames(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		isad := p.signIn("isad")
		save := func(first, last string) reply {
			return p.do("PUT", "/api/users/updateUser", details("prus", func(f fields) {
				f["userFirstName"], f["userLastName"] = first, last
			}), bearer(isad))
		}
		for _, name := range []string{"Zoë", "O’Brien", "Smith-Jones", "J. R.", "李"} {
			p.want(save(name, name), 200, "success")
		}
		for _, name := range []string{"J0hn", "<b>x", "John\u200b", "John\u202e", "Ann & Bob"} {
			if r := save(name, name); r.status != 400 || r.fields() !=
				"userFirstName: Error: Enter valid First Name; userLastName: Error: Enter valid Last Name" {
				t.Errorf("%q: %d %s", name, r.status, r.body)
			}
			created := p.do("PUT", "/api/users/createUser", newUser("IRAD", "new@example.com",
				fields{"employeeId": "E-1", "userFirstName": name}), bearer(isad))
			if created.status != 400 || created.fields() != "userFirstName: Error: Enter valid First Name" {
				t.Errorf("%q: %d %s", name, created.status, created.body)
			}
		}
		p.exec(`UPDATE users SET first_name = 'J0hn' WHERE user_name = 'prus'`)
		p.want(save("J0hn", "Newman"), 200, "success")
		p.want(save("J0hnny", "Newman"), 400, "")
	})
}

// Without a support mailbox, an account request waits in the staff's queue only. Emails have no
// invented contact and come from the portal's own host.
func TestAccountRequestWithoutMailbox(t *testing.T) {
	each(t, func(c *app.Config) { c.Brand.SupportEmail, c.Brand.SupportPhone = "", "" }, func(t *testing.T, p *portal) {
		p.want(p.post("/public/registration/startRequestAccount", fields{"emailAddress": "zoe@office.example"}), 200, "success")
		m := p.only("zoe@office.example", "Your account request")
		assert.NotContains(t, m.Text, "Support")
		assert.NotContains(t, m.Text, ".example\n")
		assert.Equal(t, "no-reply@portal.test", p.Config.MailFromAddress())
		good := form(p.linkIn(m, "registration").Get("token"), codeInMail.FindString(m.Text))
		p.want(p.post("/public/registration/completeRequestAccount", good), 200, "success")
		assert.Equal(t, 1, p.count(`SELECT count(*) FROM account_requests WHERE submitted_at IS NOT NULL`))
		assert.Equal(t, 1, p.count(`SELECT count(*) FROM mails`))
	})
}
