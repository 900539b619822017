package app_test

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/app"
	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/identity/access"
	"wcpp/internal/identity/users"
	"wcpp/internal/identity/users/administration"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/httpapi"
	"wcpp/internal/platform/text"
)

type row struct {
	ID          int64
	UserNm      string
	TypeCd      string
	StatusCd    string
	GrpInfoID   *int64
	UserActions []string
	// The user who created or terminated the account.
	MgrUserInfoID *int64
}

func (p *portal) rows(r reply) map[string]row {
	p.t.Helper()
	var list []row
	require.Equalf(p.t, http.StatusOK, r.status, "%d %s", r.status, r.body)
	r.into(p.t, &list)
	byName := map[string]row{}
	for _, user := range list {
		byName[user.UserNm] = user
	}
	return byName
}

func (p *portal) user(name string) users.User {
	p.t.Helper()
	u, err := p.Users.ByName(p.t.Context(), name)
	require.NoError(p.t, err)
	return u
}

func (p *portal) groupOf(name string) int64 { return p.user(name).GroupID }

func (p *portal) setStatus(name string, s users.Status) {
	p.exec(`UPDATE users SET status_cd = $1 WHERE user_name = $2`, string(s), name)
}

// Available actions depend on the user's type and status and on the requester's type.
func TestUserActions(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		group := p.groupOf("prad")
		p.add("prad2", access.PRAD, group)
		for _, s := range []users.Status{users.New, users.Draft, users.Active, users.Inactive, users.Locked, users.Deactivated,
			users.Terminated} {
			name := "u" + strings.ToLower(string(s))
			p.add(name, access.PRUS, group)
			p.setStatus(name, s)
		}
		path := fmt.Sprintf("/api/users/manageUsers/%d/", group)
		list := p.rows(p.do("GET", path+"prad", nil, bearer(p.signIn("prad"))))
		registered := "Edit Profile, Manage TINs, Convert to Provider Admin, Reset Password, Terminate"
		for name, want := range map[string]string{
			"uactiv": registered, "uinact": registered, "ulock": registered, "udisabl": registered,
			"unew": "Resend Registration, Edit Profile, Manage TINs, Terminate", "udraft": "", "uterm": "",
			"prad2": "Edit Profile, Manage TINs, Convert to Provider User, Reset Password, Terminate",
			"prad":  "Edit Profile, Manage TINs",
		} {
			assert.Equal(t, want, strings.Join(list[name].UserActions, ", "), name)
		}
		for actor, token := range map[string]string{"prad": p.tokenOf("irad>prad"), "prus": p.signIn("prus")} {
			shown := p.rows(p.do("GET", path+actor, nil, bearer(token)))
			assert.GreaterOrEqualf(t, len(shown), 2, "%s sees %d users", actor, len(shown))
			for name, u := range shown {
				if len(u.UserActions) != 0 {
					t.Errorf("a mirrored administrator or a provider user (%s) may do %v with %s", actor, u.UserActions, name)
				}
			}
		}
		p.want(p.do("GET", path+"prad", nil, bearer(p.signIn("prus"))), 403, "")
		p.want(p.do("GET", fmt.Sprintf("/api/users/manageUsers/%d/prad", p.groupOf("nnus")), nil, bearer(p.signIn("prad"))), 404, "")
		p.want(p.do("GET", "/api/users/manageUsers/-/isad", nil, bearer(p.signIn("isad"))), 200, "[]")

		find := func(actor string, q fields) map[string]row {
			return p.rows(p.post("/admin/userList", q, bearer(p.signIn(actor))))
		}
		for _, c := range []struct{ actor, name, want string }{
			{"isad", "uactiv", "Mirror, Edit Profile, View TINs, Convert to Provider Admin, Reset Password, Terminate"},
			{"isad", "ulock", "Edit Profile, View TINs, Convert to Provider Admin, Reset Password, Terminate"},
			{"isad", "udraft", "Continue Registration, Delete Draft"},
			{"isad", "unew", "Resend Registration, Edit Profile, View TINs, Terminate"},
			{"isad", "uterm", "View TINs"},
			{"isad", "nnus", "Mirror, Edit Profile, Manage TINs, Reset Password, Terminate"},
			{"isad", "road", "Edit Profile, Manage Roster Hub Sources, Reset Password, Terminate"},
			{"isad", "isad", "Edit Profile"},
			{"irad", "uactiv", "Mirror, View TINs"},
			{"irad", "nnus", "Mirror"},
			{"irad", "unew", "View TINs"},
			{"irad", "road", ""},
		} {
			if got := strings.Join(find(c.actor, fields{"userName": c.name})[c.name].UserActions, ", "); got != c.want {
				t.Errorf("%s with %s: %s", c.actor, c.name, got)
			}
		}
	})
}

// Users are found by the letters of their names. Older accounts are found by their exact names
// until a job has added their search keys.
func TestUserSearchByLetters(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		token := p.signIn("irad")
		group := p.groupOf("prad")
		for name, called := range map[string][2]string{
			"nun1": {"JOS\u00c9 LUIS", "NU\u00d1EZ GARC\u00cdA"}, "nun2": {"Jose", "Nunez"}, "obri": {"Pat", "O'Brien"},
			"smi1": {"John", "Smith Jr."}, "smi2": {"John", "Smith Sr"}, "smi3": {"John", "Smith"},
		} {
			p.add(name, access.PRUS, group)
			p.exec(`UPDATE users SET first_name = $2, last_name = $3, first_name_key = $4, last_name_key = $5, name_words = ''
				WHERE user_name = $1`,
				name, called[0], called[1], text.Key(called[0]), text.Key(called[1]))
		}
		check := func(when string, want map[string]string) {
			t.Helper()
			for typed, names := range want {
				var list []row
				p.post("/admin/userList", fields{"name": typed}, bearer(token)).into(t, &list)
				var found []string
				for _, u := range list {
					found = append(found, u.UserNm)
				}
				assert.Equalf(t, names, strings.Join(found, " "), "%s: %q finds", when, typed)
			}
		}
		check("before", map[string]string{"nu\u00f1ez": "nun1", "nunez": "nun2", "o'brien": "obri", "smith": "smi1 smi2 smi3"})
		require.NoError(t, p.Users.NameUsers(t.Context()))
		check("afterwards", map[string]string{
			"nu\u00f1ez": "nun1 nun2", "nunez": "nun2 nun1", "Nunez, Jose": "nun2 nun1", "garcia": "", "jose garcia": "nun1",
			"nunezgarcia": "nun1", "Luis": "", "jose luis nu": "nun1",
			"obrien": "obri", "O\u2019Brien, Pat": "obri", "pat o brien": "obri", "smith jr": "smi1 smi3", "Smith, John Sr": "smi2 smi3",
			"smith": "smi1 smi2 smi3",
		})
	})
}

func TestUserSearch(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		token := p.signIn("irad")
		group := p.groupOf("prad")
		p.add("prusine", access.PRUS, group) // has no TIN
		for _, c := range []struct {
			want string
			q    fields
		}{
			{"prus prusine", fields{"userName": "PRU"}},
			{"prusine", fields{"userName": "Sin"}},
			{"", fields{"userName": "p_u"}},
			{"prus prusine", fields{"userName": " prus ", "userTypeCD": "PRUS", "emailAddress": ""}},
			{"prus prusine", fields{"name": "Tester, PRUS"}},
			{"prusine", fields{"name": "prusi test"}},
			{"", fields{"name": "prus ester"}},
			{"prad", fields{"emailAddress": "PRAD@Example.com"}},
			{"isad", fields{"emailAddress": "*SAD@"}},
			{"prad prus", fields{"ftin": "111111111"}},
			{"prad", fields{"ftin": "222222222"}},
			{"nnus", fields{"ftin": "333333333"}},
			{"prad prus prusine", fields{"groupId": fmt.Sprint(group)}},
			{"prus prusine", fields{"groupId": fmt.Sprint(group), "userTypeCD": "PRUS"}},
			{"irad isad", fields{"userName": "isad, irad ,nobody", "isUserNames": true}},
			{"prad prus prusine", fields{"userName": "prad, PRU, is", "isUserNames": true}},
			{"prus", fields{"userName": "prus, nob", "isUserNames": true}}, // exact username only, no prefix matches
			{"prad", fields{"userIDs": fmt.Sprint(p.user("prad").ID)}},
			{"", fields{"userName": "nobody"}},
			{"", fields{"emailAddress": "*%%%"}},
			{"", fields{"groupId": "0"}},
		} {
			want, q := c.want, c.q
			var names []string
			var list []row
			r := p.post("/admin/userList", q, bearer(token))
			r.into(t, &list)
			for _, u := range list {
				names = append(names, u.UserNm)
			}
			if got := strings.Join(names, " "); got != want || r.header.Get("X-Limited-To") != "" {
				t.Errorf("%v: %s, want %s", q, got, want)
			}
		}
		for want, q := range map[string]fields{
			"Error: Enter Username or Email Address or Tax ID Number (TIN) or Group ID": {"userTypeCD": "PRUS"},
			"Error: Enter a minimum of 3 characters in username field":                  {"userName": "pr"},
			"Error: Enter numeric only for Group ID field":                              {"groupId": "12a"},
			"Enter at least 3 characters after the * of a partial email address.":       {"emailAddress": "*ab"},
		} {
			p.want(p.post("/admin/userList", q, bearer(token)), 400, want)
		}
		p.want(p.post("/admin/userList", fields{"name": "p rus"}, bearer(token)), 400,
			"Enter at least the first 2 letters of a first or last name, and up to 6 words.")
		p.want(p.post("/admin/userList", fields{"name": "prus", "groupId": "1"}, bearer(token)), 400, "")
		p.want(p.post("/admin/userList", fields{"userName": "prus", "groupId": "1"}, bearer(token)), 400, "")
		p.want(p.post("/admin/userList", fields{"userName": "prus"}, bearer(p.signIn("prad"))), 403, "")
		// More matches than the list shows.
		p.exec(`INSERT INTO users (user_name, user_name_key, first_name, last_name, first_name_key, last_name_key, email, email_key,
			type_cd, status_cd, created_at, created_by, updated_at, updated_by)
			WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1200)
			SELECT 'many' || i, 'many' || i, 'Many', 'People', 'many', 'people', 'many' || i || '@example.com', 'many' || i
				|| '@example.com', 'PRUS', 'ACTIV', '2026-01-01T00:00:00Z', 'test', '2026-01-01T00:00:00Z', 'test' FROM n`)
		if r := p.post("/admin/userList", fields{"userName": "many"}, bearer(token)); r.header.Get("X-Limited-To") != "1000" ||
			len(p.rows(r)) != 1000 {
			t.Errorf("%d, limited to %q", len(p.rows(r)), r.header.Get("X-Limited-To"))
		}
	})
}

func newUser(typ, email string, change fields) fields {
	f := fields{
		"userFirstName": "Nora", "userLastName": "Newman", "emailAddr": email, "phoneNum": "2165550148", "typeCd": typ,
		"affiliationCd": "OFC_STAFF", "jobTitle": "Biller", "companyNm": "Newman Billing",
	}
	for k, v := range change {
		f[k] = v
	}
	return f
}

func tinFields(list ...string) []fields {
	out := []fields{}
	for _, ftin := range list {
		out = append(out, fields{"ftin": ftin})
	}
	return out
}

// onFile adds bills and providers, as feeds do.
func (p *portal) onFile() {
	p.t.Helper()
	var list []facts.Submission
	for _, ftin := range []string{"444444444", "555555555", "666666666"} {
		s := facts.Submission{
			Source: facts.FromTable, Kind: "P", Repriced: "B" + ftin[:4], Clearinghouse: "D" + ftin[:4],
			Reported: facts.Bill{
				FTIN: ftin, PatientFirstName: "Ann", PatientLastName: "Doe", BeginServiceDate: "2026-01-05", EndServiceDate: "2026-01-05",
				BillType: "P", FrequencyCode: "1", BillCharges: 100, BillStatus: facts.StatusReceived,
			},
		}
		s.Identify()
		list = append(list, s)
	}
	require.NoError(p.t, p.DB.Tx(p.t.Context(), func(tx *sql.Tx) error {
		_, err := p.Ledger.ImportSubmissions(p.t.Context(), tx, list)
		return err
	}))
	p.exec(`INSERT INTO providers (provider_id, provider_type, name_key, last_name) VALUES ('700', 'P', 'house gregory', 'House'),
		('701', 'F', 'clinic', 'Clinic')`)
	p.exec(`INSERT INTO provider_tins (ftin, provider_id) VALUES ('444444444', '700'), ('777777777', '701')`)
}

func TestCreateUser(t *testing.T) {
	each(t, func(c *app.Config) { c.TINs.RestrictedTINs = []string{"999999999"} }, func(t *testing.T, p *portal) {
		p.onFile()
		p.sources()
		prad, isad := p.signIn("prad"), p.signIn("isad")
		group, roster := p.groupOf("prad"), p.groupOf("road")
		create := func(token string, f fields) reply { return p.do("PUT", "/api/users/createUser", f, bearer(token)) }
		for n, c := range []struct {
			token string
			user  fields
			want  string // "", or the rejected fields
		}{
			{prad, newUser("PRUS", "", fields{"userFtins": tinFields("111111111")}), ""},
			{prad, newUser("PRUS", "", nil), "userFtins: Error: Select TIN"},
			{prad, newUser("PRAD", "", nil), ""},
			{prad, newUser("NNUS", "", nil), "typeCd: Error: Select Account Type"},
			{prad, newUser("ISAD", "", nil), "typeCd: Error: Select Account Type"},
			{isad, newUser("PRUS", "", fields{"grpInfoId": group, "userFtins": tinFields("111111111", "222222222")}), ""},
			{isad, newUser("PRUS", "", fields{"userFtins": tinFields("111111111")}), "grpInfoId: Error: Enter a valid group Id"},
			{isad, newUser("PRUS", "", fields{"grpInfoId": roster, "userFtins": tinFields("111111111")}),
				"grpInfoId: Error: Enter a valid group Id"},
			{isad, newUser("PRUS", "", fields{"grpInfoId": 98765, "userFtins": tinFields("111111111")}),
				"grpInfoId: Error: Enter a valid group Id"},
			{isad, newUser("PRAD", "", fields{"userFtins": tinFields("444444444")}), ""},
			{isad, newUser("PRAD", "", fields{"groupAssignment": "existing"}), "grpInfoId: Error: Enter a valid group Id"},
			{isad, newUser("ROAD", "", fields{"groupAssignment": "existing"}), "grpInfoId: Error: Enter a valid group Id"},
			{isad, newUser("ROAD", "", fields{"groupAssignment": "new",
				"selectedRosterSources": []fields{{"sourceId": 201, "sourceName": "x"}}}), ""},
			{isad, newUser("ROAD", "", fields{"grpInfoId": roster, "groupAssignment": "existing"}), ""},
			{isad, newUser("ROAD", "", fields{"groupAssignment": "new", "userFtins": tinFields("444444444"),
				"selectedRosterSources": []fields{{"sourceId": 201, "sourceName": "x"}}}),
				"userFtins: Leave this blank for the account type Roster Admin."},
			{isad, newUser("IRAD", "", fields{"employeeId": "E-1", "userFtins": tinFields("444444444")}),
				"userFtins: Leave this blank for the account type Internal Read-Only Admin."},
			{isad, newUser("ROUS", "", fields{"grpInfoId": roster}), ""},
			{isad, newUser("ROUS", "", nil), "grpInfoId: Error: Enter a valid group Id"},
			{isad, newUser("NNUS", "", fields{"userFtins": tinFields("555555555")}), ""},
			{isad, newUser("NNUS", "", nil), "userFtins: Error: Enter a Tax ID Number (TIN)"},
			{isad, newUser("IRAD", "", fields{"employeeId": "E-1"}), ""},
			{isad, newUser("ISAD", "", nil), "employeeId: Error: Enter a valid Employee ID"},
			{isad, newUser("ISAD", "", fields{"employeeId": "É 10/7"}), "employeeId: Error: Enter a valid Employee ID"},
			{prad, newUser("PRAD", "", fields{"userMidName": "AB"}), "userMidName: Error: Enter Middle Initial"},
			{isad, newUser("PRAD", "", fields{"jobTitle": nil, "companyNm": nil, "affiliationCd": nil}),
				"affiliationCd: Error: Select Affiliation; jobTitle: Error: Enter a valid Job Title; companyNm: Error: Enter a valid " +
					"Company Name"},
			// A group administrator doesn't need to provide it.
			{prad, newUser("PRAD", "", fields{"jobTitle": nil, "companyNm": nil, "affiliationCd": nil}), ""},
		} {
			c.user["emailAddr"] = fmt.Sprintf("new%d@example.com", n)
			r := create(c.token, c.user)
			if c.want != "" {
				if r.status != 400 || r.fields() != c.want {
					t.Errorf("%d: %d %s", n, r.status, r.body)
				}
				continue
			}
			if r.status != 200 {
				t.Errorf("%d: %d %s", n, r.status, r.body)
				continue
			}
			var made row
			r.into(t, &made)
			if made.StatusCd != "NEW" || !strings.HasPrefix(made.UserNm, "nnewman") || made.MgrUserInfoID == nil {
				t.Errorf("%d: %+v", n, made)
			}
			p.only(c.user["emailAddr"].(string), "Finish setting up your account")
		}
		for ftin, want := range map[string]string{"777777777": "INVALID_FTIN_IN_NETWORK", "888888888": "INVALID_FTIN_NO_BILLS_FOUND",
			"999999999": "FTIN_RESTRICTED_FOR_REGISTRATION"} {
			p.want(create(isad, newUser("NNUS", "x@example.com", fields{"userFtins": tinFields(ftin)})), 400, want)
		}
		p.want(create(isad, newUser("PRAD", "x@example.com", fields{"userFtins": tinFields("999999999")})), 400,
			"FTIN_RESTRICTED_FOR_REGISTRATION")
		if r := create(prad, newUser("PRUS", "x@example.com", fields{"userFtins": tinFields("333333333")})); r.status != 400 {
			t.Errorf("a TIN of another group: %d %s", r.status, r.body)
		}
		if r := create(prad, newUser("PRAD", "NEW0@example.com", nil)); r.status != 409 ||
			r.fields() != "emailAddr: Error: The Email Address is associated to another account" {
			t.Errorf("%d %s", r.status, r.body)
		}
		p.want(create(isad, newUser("ROAD", "x@example.com", nil)), 400, "You must add at least one roster source for the new group")
		for _, f := range []fields{{"mgrUserInfoId": 999999}, {"statusDesc": "isad"}} {
			p.want(create(prad, newUser("PRAD", "x@example.com", f)), 403, "")
		}
		p.want(create(p.signIn("irad"), newUser("PRAD", "x@example.com", nil)), 403, "")
		p.want(create(p.signIn("prus"), newUser("PRAD", "x@example.com", nil)), 403, "")
		assert.Equal(t, 0, p.count(`SELECT count(*) FROM users WHERE email_key = 'x@example.com'`), "a refused user is kept")
		// Two identical requests at the same time create one user.
		var wait sync.WaitGroup
		var mu sync.Mutex
		made := 0
		for range 4 {
			wait.Go(func() {
				if create(prad, newUser("PRAD", "twice@example.com", nil)).status == 200 {
					mu.Lock()
					made++
					mu.Unlock()
				}
			})
		}
		wait.Wait()
		assert.Equal(t, 1, made)
		// Users with the same name get the next free usernames, and their groups the next
		// numbers.
		for n := range 6 {
			wait.Go(func() {
				if r := create(isad, newUser("PRAD", fmt.Sprintf("alike%d@example.com", n), fields{"userLastName": "Alike"})); r.status !=
					200 {
					t.Errorf("one of six of the same name: %d %s", r.status, r.body)
				}
			})
		}
		wait.Wait()
		if n := p.count(`SELECT count(DISTINCT group_id) FROM users
			WHERE user_name IN ('nalike', 'nalike2', 'nalike3', 'nalike4', 'nalike5', 'nalike6')`); n != 6 {
			t.Errorf("%d users of the same name", n)
		}
		types := func(actor string) string {
			var list []struct{ UserTypeCd string }
			p.do("PUT", "/api/users/getUserTypes", nil, bearer(p.signIn(actor))).into(t, &list)
			var codes []string
			for _, userType := range list {
				codes = append(codes, userType.UserTypeCd)
			}
			return strings.Join(codes, " ")
		}
		if types("prad") != "PRAD PRUS" || types("isad") != "PRAD PRUS NNUS IRAD ISAD ROAD ROUS" || types("irad") != "" {
			t.Errorf("types: %s; %s; %s", types("prad"), types("isad"), types("irad"))
		}
		exists := func(address string) string {
			return strings.TrimSpace(string(p.post("/users/checkEmailAddressExists/"+address, nil, bearer(prad)).body))
		}
		if exists("PRUS@example.com") != "true" || exists("free@example.com") != "false" {
			t.Error("which addresses are in use is not answered")
		}
		// Two checks, and four users that prad couldn't create because an account had their address.
		p.audited(6, `operation = 'email-check' AND actor = 'prad' AND result = 'ok' AND subject = '' AND detail = ''
			AND searched <> '' AND searched NOT LIKE '%example%'`)
	})
}

func TestDraft(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		p.sources()
		isad := p.signIn("isad")
		save := func(f fields) reply { return p.do("PUT", "/api/users/saveDraftUser", f, bearer(isad)) }
		draft := newUser("ROAD", "draft@example.com", fields{
			"isSaveAsDraftOperation": true, "completeProfile": false, "mode": "newUser", "affiliationCd": nil,
			"selectedRosterSources": []fields{{"sourceId": 201, "sourceName": "lakes Hub"}},
		})
		var made row
		r := save(draft)
		r.into(t, &made)
		if r.status != 200 || made.StatusCd != "DRAFT" || made.GrpInfoID != nil {
			t.Fatalf("%d %s", r.status, r.body)
		}
		assert.Equal(t, 0, len(p.inbox("draft@example.com")), "a draft was mailed")
		r = p.post("/admin/userList", fields{"userName": made.UserNm}, bearer(isad))
		assert.Containsf(t, string(r.body), `"sourceName":"lakes Hub"`, "the draft's sources are not kept: %s", r.body)
		draft["id"], draft["jobTitle"], draft["groupAssignment"] = made.ID, "Owner", "existing"
		p.want(save(draft), 200, "")
		// A draft for an existing group doesn't create a new one while the group is still
		// missing.
		if r = p.post("/admin/userList", fields{"userName": made.UserNm}, bearer(isad)); !strings.Contains(string(r.body),
			`"groupAssignment":"existing"`) {
			t.Errorf("the draft forgets its group: %s", r.body)
		}
		draft["isSaveAsDraftOperation"], draft["completeProfile"] = false, true
		if r = save(draft); r.status != 400 || r.fields() != "grpInfoId: Error: Enter a valid group Id" {
			t.Errorf("completed without a group: %d %s", r.status, r.body)
		}
		draft["groupAssignment"] = "new"
		r = save(draft)
		r.into(t, &made)
		if r.status != 200 || made.StatusCd != "NEW" || made.GrpInfoID == nil || p.count(`SELECT count(*) FROM users
			WHERE email_key = 'draft@example.com'`) != 1 {
			t.Errorf("completed: %d %s", r.status, r.body)
		}
		p.only("draft@example.com", "Finish setting up your account")
		if u := p.user(made.UserNm); u.JobTitle != "Owner" {
			t.Errorf("%+v", u)
		}
		p.want(save(draft), 409, "") // no longer a draft
		for path, q := range map[string]fields{"/admin/userList": {"userName": "road"},
			"/admin/userList/page": {"userName": "road", "table": fields{"page": 0, "pageSize": 10}}} {
			if r = p.post(path, q, bearer(isad)); strings.Count(string(r.body), `"sourceName":"lakes Hub"`) != 2 {
				t.Errorf("the sources of the group of who was found: %d %s", r.status, r.body)
			}
		}
		// A group ID selects the existing group, even without groupAssignment.
		r = save(newUser("ROAD", "joins@example.com", fields{"isSaveAsDraftOperation": true, "completeProfile": false,
			"grpInfoId": p.groupOf("road")}))
		if r.status != 200 || !strings.Contains(string(r.body), `"groupAssignment":"existing"`) {
			t.Errorf("a draft of an existing group: %d %s", r.status, r.body)
		}
		p.want(p.do("PUT", "/api/users/saveDraftUser", draft, bearer(p.signIn("prad"))), 403, "")
	})
}

// A draft saved from an account request closes it, also if it's continued without the request. If the
// request was declined in the meantime, the draft can still be completed.
func TestDraftOfRequest(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		isad := bearer(p.signIn("isad"))
		for n, declined := range []bool{false, true} {
			email := fmt.Sprintf("asked%d@example.com", n)
			p.exec(`INSERT INTO account_requests (email, email_key, status, first_name, created_at, submitted_at)
				VALUES ($1, $1, 'SUBMITTED', 'Zoe', $2, $2)`, email, db.At(p.clock.Now()))
			request := p.count(`SELECT max(id) FROM account_requests`)
			draft := newUser("PRAD", email, fields{"isSaveAsDraftOperation": true, "accountRequestId": request})
			save := func() reply { return p.do("PUT", "/api/users/saveDraftUser", draft, isad) }
			var made row
			save().into(t, &made)
			delete(draft, "accountRequestId")
			draft["id"] = made.ID
			p.want(save(), 200, "")
			if declined {
				p.want(p.post(fmt.Sprintf("/accountRequests/%d/decline", request), fields{}, isad), 200, "")
			}
			draft["isSaveAsDraftOperation"] = false
			p.want(save(), 200, "")
			closed := p.count(`SELECT count(*) FROM account_requests WHERE id = $1 AND status <> 'SUBMITTED' AND user_id = $2`,
				request, made.ID)
			assert.NotEqualf(t, declined, closed == 1, "declined %v: %d requests closed with the user", declined, closed)
		}
	})
}

// Two people who edit one draft can't overwrite each other without a warning. A save without a
// version isn't checked.
func TestDraftOfTwo(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		p.sources()
		isad := p.signIn("isad")
		type version struct {
			ID           int64
			UserNm       string
			DraftVersion string
		}
		save := func(change fields) (reply, version) {
			f := newUser("ROAD", "two@example.com", fields{
				"isSaveAsDraftOperation": true, "selectedRosterSources": []fields{{"sourceId": 201, "sourceName": "lakes Hub"}},
			})
			for name, value := range change {
				f[name] = value
			}
			r := p.do("PUT", "/api/users/saveDraftUser", f, bearer(isad))
			var v version
			if r.status == 200 {
				r.into(t, &v)
			}
			return r, v
		}
		_, first := save(nil)
		var found []version
		p.post("/admin/userList", fields{"userName": first.UserNm}, bearer(isad)).into(t, &found)
		if len(found) != 1 || found[0] != first || first.DraftVersion == "" {
			t.Fatalf("saved %+v, found %+v", first, found)
		}
		r, theirs := save(fields{"id": first.ID, "draftVersion": first.DraftVersion, "jobTitle": "Theirs"})
		if r.status != 200 || theirs.DraftVersion == first.DraftVersion {
			t.Errorf("%d, %+v after %+v", r.status, theirs, first)
		}
		for _, completing := range []bool{false, true} {
			r, _ = save(fields{"id": first.ID, "draftVersion": first.DraftVersion, "jobTitle": "Mine",
				"isSaveAsDraftOperation": !completing})
			if r.status != 409 || !strings.Contains(string(r.body), "Someone else changed this draft.") || p.user(first.UserNm).JobTitle !=
				"Theirs" {
				t.Errorf("completing %v: %d %s", completing, r.status, r.body)
			}
		}
		r, again := save(fields{"id": first.ID, "draftVersion": theirs.DraftVersion, "selectedRosterSources": []fields{},
			"jobTitle": "Theirs"})
		assert.Equal(t, 200, r.status)
		assert.NotEqual(t, theirs.DraftVersion, again.DraftVersion)
		if r, _ = save(fields{"id": first.ID, "jobTitle": "Of a caller without versions"}); r.status != 200 {
			t.Errorf("%d %s", r.status, r.body)
		}
	})
}

// drafts creates drafts for a test, saved by a system administrator.
type drafts struct {
	*portal
	token string
	n     int
}

// draft has the response fields of a draft.
type draft struct {
	ID           int64
	UserNm       string
	DraftVersion string
	UserFtins    []struct{ FTIN string }
}

// of returns the request for a draft with a type, for a different person each time.
func (d *drafts) of(typ string) fields {
	d.n++
	f := newUser(typ, fmt.Sprintf("draft%d@example.com", d.n), fields{"isSaveAsDraftOperation": true})
	switch typ {
	case "PRUS":
		f["grpInfoId"], f["userFtins"] = d.groupOf("prad"), tinFields("111111111")
	case "ROAD":
		f["selectedRosterSources"] = []fields{{"sourceId": 201, "sourceName": "lakes Hub"}}
	case "IRAD":
		f["employeeId"] = "E1"
	}
	return f
}

func (d *drafts) save(f fields, change fields) (reply, draft) {
	sent := fields{}
	for _, part := range []fields{f, change} {
		for name, value := range part {
			sent[name] = value
		}
	}
	var saved draft
	r := d.do("PUT", "/api/users/saveDraftUser", sent, bearer(d.token))
	if r.status == 200 {
		r.into(d.t, &saved)
	}
	return r, saved
}

// found returns a draft's versions from each list that shows it.
func (d *drafts) found(userName string, group int64) map[string]draft {
	page := fields{"page": 0, "pageSize": 100}
	bodies := map[string][]byte{
		"search":        d.post("/admin/userList", fields{"userName": userName}, bearer(d.token)).body,
		"search's page": d.post("/admin/userList/page", fields{"userName": userName, "table": page}, bearer(d.token)).body,
		"drafts":        d.post("/desk/queues/drafts", fields{"table": page}, bearer(d.token)).body,
	}
	if group != 0 {
		bodies["group"] = d.do("GET", fmt.Sprintf("/api/users/manageUsers/%d/isad", group), nil, bearer(d.token)).body
		bodies["group's page"] = d.post("/users/manageUsers/page", fields{"groupId": group, "table": page}, bearer(d.token)).body
	}
	found := map[string]draft{}
	for name, body := range bodies {
		var list []draft
		if bytes.HasPrefix(body, []byte("{")) {
			var page struct{ Rows []draft }
			if err := json.Unmarshal(body, &page); err != nil {
				d.t.Fatalf("%s: %v: %s", name, err, body)
			}
			list = page.Rows
		} else if err := json.Unmarshal(body, &list); err != nil {
			d.t.Fatalf("%s: %v: %s", name, err, body)
		}
		for _, each := range list {
			if each.UserNm == userName {
				found[name] = each
			}
		}
		if _, ok := found[name]; !ok {
			d.t.Errorf("%s: the draft is not there: %s", name, body)
		}
	}
	return found
}

// The version covers everything that saving a draft replaces. Saving over someone else's change
// is detected for every field.
func TestDraftVersionHoldsWhatASaveReplaces(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		p.sources()
		d := &drafts{portal: p, token: p.signIn("isad")}
		other := p.do("PUT", "/api/users/createUser", newUser("PRAD", "other@example.com",
			fields{"userFtins": tinFields("111111111"), "sharedFtins": []string{"111111111"}}), bearer(d.token))
		var made row
		other.into(t, &made)
		second := []fields{{"sourceId": 202, "sourceName": "Prairie Hub"}}
		changes := map[string]struct {
			typ    string
			change any
		}{
			"userFirstName": {"PRUS", "Other"}, "userLastName": {"PRUS", "Other"}, "userMidName": {"PRUS", "O"},
			"emailAddr": {"PRUS", "anew@example.com"}, "phoneNum": {"PRUS", "2165550199"}, "typeCd": {"PRUS", "PRAD"},
			"grpInfoId": {"PRUS", *made.GrpInfoID}, "groupAssignment": {"ROAD", "existing"}, "userFtins": {"PRUS", tinFields("222222222")},
			"employeeId": {"IRAD", "E2"}, "affiliationCd": {"PRUS", "BILLING_CO"}, "affiliationDesc": {"PRUS", "of another"},
			"jobTitle": {"PRUS", "Other"}, "companyNm": {"PRUS", "Other"}, "companyUrl": {"PRUS", "https://other.example"},
			"selectedRosterSources": {"ROAD", second}, "userGroupRosterSources": {"ROAD", second},
			"groupInfo":        {"ROAD", fields{"groupRosterSources": second}},
			"removedSourceIds": {"ROAD", []int{201}}, "accountRequestId": {"ROAD", 5},
		}
		// The draft's ID, its author, the kind of save, and the results of completing it.
		ofTheCall := []string{"id", "draftVersion", "isSaveAsDraftOperation", "completeProfile", "mode", "mgrUserInfoId", "statusDesc",
			"sharedFtins"}
		payload := reflect.TypeFor[administration.UserPayload]()
		for i := range payload.NumField() {
			name, _, _ := strings.Cut(payload.Field(i).Tag.Get("json"), ",")
			c, known := changes[name]
			if !known {
				assert.Contains(t, ofTheCall, name)
				continue
			}
			f := d.of(c.typ)
			switch name {
			case "affiliationDesc":
				f["affiliationCd"], f[name] = "OTHER", "first"
			case "userGroupRosterSources", "groupInfo": // they count if none are selected
				delete(f, "selectedRosterSources")
			}
			r, first := d.save(f, nil)
			if r.status != 200 || first.DraftVersion == "" {
				t.Fatalf("%s: %d %s", name, r.status, r.body)
			}
			f["id"], f["draftVersion"] = first.ID, first.DraftVersion
			if r, theirs := d.save(f, fields{name: c.change}); r.status != 200 || theirs.DraftVersion == first.DraftVersion {
				t.Errorf("another %s is no other version: %d %s", name, r.status, r.body)
			}
			if r, _ := d.save(f, nil); r.status != 409 || !strings.Contains(string(r.body), "Someone else changed this draft.") {
				t.Errorf("another %s is overwritten: %d %s", name, r.status, r.body)
			}
		}
	})
}

// A draft's TINs are returned with it and covered by its version. They change with another save,
// a TIN request or a TIN removed from the group.
func TestDraftTINs(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		d := &drafts{portal: p, token: p.signIn("isad")}
		group := p.groupOf("prad")
		f := d.of("PRUS")
		var latest draft
		same := func(after string, ftins ...string) {
			t.Helper()
			for list, found := range d.found(latest.UserNm, group) {
				assert.Equalf(t, latest.DraftVersion, found.DraftVersion, "%s: %s tells another version", after, list)
				var told []string
				for _, tin := range found.UserFtins {
					told = append(told, tin.FTIN)
				}
				assert.Equalf(t, ftins, told, "%s: %s tells the TINs", after, list)
			}
		}
		save := func(ftins ...string) {
			t.Helper()
			f["userFtins"] = tinFields(ftins...)
			var r reply
			if r, latest = d.save(f, nil); r.status != 200 || latest.DraftVersion == "" {
				t.Fatalf("%d %s", r.status, r.body)
			}
			f["id"], f["draftVersion"] = latest.ID, latest.DraftVersion
		}
		save("111111111")
		same("made", "111111111")
		// Order and duplicates don't matter.
		before := latest
		save("222222222", "111111111", "222222222")
		same("saved", "111111111", "222222222")
		assert.NotEqual(t, before.DraftVersion, latest.DraftVersion, "other TINs are no other version")
		before = latest
		if save("111111111", "222222222"); latest.DraftVersion != before.DraftVersion {
			t.Error("the same TINs are another version")
		}
		stale := func(change string) {
			t.Helper()
			for _, completing := range []bool{false, true} {
				if r, _ := d.save(f, fields{"isSaveAsDraftOperation": !completing}); r.status != 409 {
					t.Errorf("%s, completing %v: %d %s", change, completing, r.status, r.body)
				}
			}
			for _, found := range d.found(latest.UserNm, group) {
				latest = found
			}
			f["draftVersion"] = latest.DraftVersion
		}
		p.want(p.post("/ftin/managedUserFtins/"+latest.UserNm, []fields{{"ftin": "111111111", "hasIt": false},
			{"ftin": "222222222", "hasIt": true}}, bearer(d.token)), 200, "")
		stale("a TIN was taken from the draft")
		same("given TINs", "222222222")
		save("111111111", "222222222")
		// If several people save at the same time, one succeeds.
		statuses := make([]int, 5)
		var wait sync.WaitGroup
		for i := range statuses {
			wait.Go(func() { r, _ := d.save(f, fields{"userFtins": tinFields("111111111")}); statuses[i] = r.status })
		}
		wait.Wait()
		if slices.Sort(statuses); !slices.Equal(statuses, []int{200, 409, 409, 409, 409}) {
			t.Errorf("saved at once: %v", statuses)
		}
		stale("saved at once")
		save("111111111", "222222222")
		p.want(p.do("DELETE", fmt.Sprintf("/api/ftin/groupFtins/%d/111111111", group), nil, bearer(d.token)), 200, "")
		stale("the group lost a TIN")
		same("without the TIN", "222222222")
		// A draft that's no longer a provider user has no TINs.
		f["typeCd"] = "PRAD"
		save()
		same("of an administrator")
	})
}

// Concurrent requests can't break the last-administrator rule either.
func TestConvertAndTerminate(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		group := p.groupOf("prad")
		isad := p.signIn("isad")
		convert := func(token, how, actor, name string) reply {
			return p.post("/users/"+how+"/"+actor+"/"+name, nil, bearer(token))
		}
		end := func(token, actor, name string) reply {
			return p.do("PUT", "/api/users/terminateUser/"+actor+"/"+name, fields{"userNm": name, "mgrUserInfoId": p.user(actor).ID},
				bearer(token))
		}
		p.want(convert(isad, "convertAdminToUser", "isad", "prad"), 200, "600")
		p.want(end(isad, "isad", "prad"), 200, "600")
		p.add("asleep", access.PRAD, group)
		p.setStatus("asleep", users.New)
		p.want(end(isad, "isad", "prad"), 200, "600") // an unregistered administrator doesn't count
		p.setStatus("asleep", users.Terminated)

		prad, prus := p.signIn("prad"), p.signIn("prus")
		p.want(convert(prad, "convertUserToAdmin", "prad", "prus"), 200, "success")
		if r := p.do("GET", "/api/ftin/userFtins/prus?activeFlag=true", nil, bearer(prus)); !strings.Contains(string(r.body), "222222222") {
			t.Errorf("an administrator has all TINs: %s", r.body)
		}
		p.want(convert(prad, "convertUserToAdmin", "prad", "prus"), 409, "")
		p.want(convert(prad, "convertAdminToUser", "prad", "prus"), 200, "success")
		assert.Equal(t, 2, p.count(`SELECT count(*) FROM user_tins t JOIN users u ON u.id = t.user_id WHERE u.user_name = 'prus'`))
		for _, c := range []struct {
			token, actor, name string
			status             int
		}{
			{prad, "prad", "nnus", 404}, {prad, "prad", "nobody", 404}, {prad, "prad", "prad", 400}, {prad, "isad", "prus", 403},
			{p.signIn("irad"), "irad", "prus", 403}, {prus, "prus", "prad", 403}, {isad, "isad", "isad", 400},
		} {
			p.want(convert(c.token, "convertUserToAdmin", c.actor, c.name), c.status, "")
			if r := p.do("PUT", "/api/users/terminateUser/"+c.actor+"/"+c.name, fields{}, bearer(c.token)); r.status != c.status {
				t.Errorf("%s ends %s: %d", c.actor, c.name, r.status)
			}
		}
		p.want(p.do("PUT", "/api/users/terminateUser/prad/prus", fields{"mgrUserInfoId": p.user("isad").ID}, bearer(prad)), 403, "")

		// Termination is immediate and permanent. The email address is free again.
		p.want(end(prad, "prad", "prus"), 200, "1")
		p.want(end(prad, "prad", "prus"), 200, "1")
		if ended := p.rows(p.post("/admin/userList", fields{"userName": "prus"}, bearer(isad)))["prus"]; ended.MgrUserInfoID == nil ||
			*ended.MgrUserInfoID != p.user("prad").ID {
			t.Errorf("who ended the account is not told: %+v", ended)
		}
		p.want(p.do("GET", "/api/session", nil, bearer(prus)), 401, "")
		p.want(p.do("PUT", "/api/users/createUser", newUser("PRUS", "prus@example.com", fields{"userFtins": tinFields("111111111")}),
			bearer(prad)), 200, "")
		p.want(p.do("PUT", "/api/users/terminate", fields{"userNm": "nnus", "mgrUserInfoId": p.user("isad").ID}, bearer(isad)), 200, "1")

		// Administrators in one group terminate and convert each other at the same time. One
		// stays.
		names := []string{"prad"}
		for i := range 5 {
			names = append(names, p.add(fmt.Sprintf("boss%d", i), access.PRAD, group).UserName)
		}
		var wait sync.WaitGroup
		for i, name := range names {
			wait.Go(func() {
				if i%2 == 0 {
					end(isad, "isad", name)
				} else {
					convert(isad, "convertAdminToUser", "isad", name)
				}
			})
		}
		wait.Wait()
		if n := p.count(`SELECT count(*) FROM users WHERE group_id = $1 AND type_cd = 'PRAD' AND status_cd = 'ACTIV'`, group); n != 1 {
			t.Errorf("%d administrators left of %d", n, len(names))
		}
		// The same for a roster group.
		p.want(end(isad, "isad", "road"), 200, "600")
		p.add("road2", access.ROAD, p.groupOf("road"))
		p.want(end(isad, "isad", "road"), 200, "1")
		p.want(end(isad, "isad", "road2"), 200, "600")
		// System administrators, who don't belong to a group, terminate each other at the same
		// time. One stays.
		for range 12 {
			p.add("isad2", access.ISAD, 0)
			second := p.signIn("isad2")
			wait.Go(func() { end(isad, "isad", "isad2") })
			wait.Go(func() { end(second, "isad2", "isad") })
			wait.Wait()
			require.Equal(t, 1, p.count(`SELECT count(*) FROM users WHERE type_cd = 'ISAD' AND status_cd = 'ACTIV'`))
			if p.user("isad").StatusCd == users.Terminated {
				p.exec(`UPDATE users SET status_cd = 'ACTIV', password_hash = (SELECT password_hash FROM users WHERE user_name = 'isad2')
					WHERE user_name = 'isad'`)
				isad = p.signIn("isad")
			}
			p.exec(`UPDATE users SET user_name_key = user_name_key || id, user_name = user_name || id, status_cd = 'TERM'
				WHERE user_name = 'isad2'`)
		}
	})
}

func TestAccessHistory(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		isad, prad := p.signIn("isad"), p.signIn("prad")
		p.want(p.post("/session/mirror", fields{"userNm": "prus"}, bearer(isad)), 200, "")
		p.want(p.do("PUT", "/api/users/updateUser", details("prus", nil), bearer(isad)), 403, "")
		p.clock.Advance(time.Second)
		p.want(p.do("DELETE", "/api/session/mirror", nil, bearer(isad)), 200, "")
		p.clock.Advance(time.Second)
		p.want(p.do("PUT", "/api/users/updateUser", details("prus", nil), bearer(prad)), 200, "")
		var list []struct{ UserName, Action, Result string }
		p.do("GET", "/api/users/accessHistory/prus", nil, bearer(prad)).into(t, &list)
		var got []string
		for _, e := range list {
			got = append(got, e.UserName+" "+e.Action)
		}
		want := []string{"prad Profile changed", "isad Stopped mirroring this user", "isad Started mirroring this user",
			"command line Account created"}
		assert.Equal(t, want, got)
		// The entry for the rejected request names both users.
		if n := p.count(`SELECT count(*) FROM audit_log WHERE operation = 'updateUser' AND actor = 'isad' AND acting_for = 'prus'
			AND result = 'refused'`); n != 1 {
			t.Errorf("%d audit entries of the refusal", n)
		}
		p.want(p.do("GET", "/api/users/accessHistory/nnus", nil, bearer(prad)), 404, "")
		p.want(p.do("GET", "/api/users/accessHistory/prus", nil, bearer(p.signIn("irad"))), 403, "")
	})
}

// The directory shows a provider who bills under one of the group's TINs, now or earlier, so the id proves no
// other TIN, and the provider's locations don't name it.
func TestShownProvidersAreNoProof(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		p.onFile()
		p.exec(`INSERT INTO provider_tins (ftin, provider_id) VALUES ('111111111', '700')`)
		p.exec(`INSERT INTO provider_offices (provider_id, office_id, name, is_primary, accepts_wc, ftin)
			VALUES ('700', '1', 'Ours', TRUE, TRUE, '111111111'), ('700', '2', 'Theirs', FALSE, TRUE, '444444444')`)
		prad := bearer(p.signIn("prad"))
		address := fmt.Sprintf("/ftin/validateandSaveFtin/%d/444444444?cpdId=700", p.groupOf("prad"))
		if r := p.post(address, nil, prad); r.code() != "VALID_FTIN_INVALID_CPDID" {
			t.Errorf("%d %s", r.status, r.body)
		}
		r := p.do("GET", "/api/provider/Phys/Loc/700?page=0", nil, prad)
		p.want(r, 200, "")
		if strings.Contains(string(r.body), "444444444") || !strings.Contains(string(r.body), "Theirs") {
			t.Errorf("%s", r.body)
		}
		// The administrators remember the ID after they removed the TIN, or the provider left it.
		p.exec(`DELETE FROM provider_tins WHERE provider_id = '700' AND ftin = '111111111'`)
		p.exec(`INSERT INTO former_provider_tins (provider_id, ftin) VALUES ('700', '111111111')`)
		if r := p.post(address, nil, prad); r.code() != "VALID_FTIN_INVALID_CPDID" {
			t.Errorf("%d %s", r.status, r.body)
		}
		p.want(p.do("DELETE", fmt.Sprintf("/api/ftin/groupFtins/%d/111111111", p.groupOf("prad")), nil, prad), 200, "success")
		if r := p.post(address, nil, prad); r.code() != "VALID_FTIN_INVALID_CPDID" {
			t.Errorf("%d %s", r.status, r.body)
		}
	})
}

func TestGroupTINs(t *testing.T) {
	each(t, func(c *app.Config) { c.TINs.RestrictedTINs = []string{"999999999"} }, func(t *testing.T, p *portal) {
		p.onFile()
		group, other := p.groupOf("prad"), p.groupOf("nnus")
		prad, isad := p.signIn("prad"), p.signIn("isad")
		add := func(token string, group int64, ftin, proof string) reply {
			return p.post(fmt.Sprintf("/ftin/validateandSaveFtin/%d/%s?%s", group, ftin, proof), nil, bearer(token))
		}
		for _, c := range []struct{ ftin, proof, want string }{
			{"444444444", "bcn=nonsense", "VALID_FTIN_INVALID_BCN"}, {"888888888", "bcn=B4444", "INVALID_FTIN_BCN"},
			{"444444444", "cpdId=701", "VALID_FTIN_INVALID_CPDID"}, {"888888888", "cpdId=700", "INVALID_FTIN_CPDID"},
			{"999999999", "bcn=B4444", "FTIN_RESTRICTED_FOR_REGISTRATION"},
			{"444444444", "bcn=b4444", "success"}, {"444444444", "cpdId=700", "TIN_EXISTS_INTGRP"},
		} {
			r := add(prad, group, c.ftin, c.proof)
			if got := strings.Trim(string(r.body), "\"\n"); got != c.want && r.code() != c.want {
				t.Errorf("%s with %s: %d %s", c.ftin, c.proof, r.status, r.body)
			}
		}
		p.only("prad@example.com", "A TIN was added to your group")
		p.want(add(prad, group, "12345", "bcn=x"), 400, "Error: Enter a 9-digit Tax ID Number (TIN)")
		p.want(add(prad, group, "555555555", ""), 400, "Error: Enter a Bill Control Number or Provider ID Number")
		p.want(add(prad, group, "555555555", "bcn=B5555&cpdId=700"), 400, "Error: Enter a Bill Control Number or Provider ID Number")
		p.want(add(prad, other, "555555555", "bcn=B5555"), 404, "")
		p.want(p.do("GET", "/api/ftin/validateFtin/66-6666666?bcn=B6666", nil, bearer(prad)), 200, "success")
		p.audited(1, `operation = 'tin-validate' AND actor = 'prad' AND result = 'ok' AND detail = '666666666'`)
		// Guesses are limited per person. A successful proof doesn't count and doesn't reset the
		// counter.
		for n := range 12 {
			p.want(p.do("GET", "/api/ftin/validateFtin/666666666?bcn=B6666", nil, bearer(prad)), 200, "success")
			if n < 5 {
				p.want(add(prad, group, "555555555", "bcn=guess"), 400, "VALID_FTIN_INVALID_BCN")
			}
		}
		p.want(add(prad, group, "555555555", "bcn=guess"), 400, "VALID_FTIN_INVALID_BCN")
		p.want(add(prad, group, "555555555", "bcn=B5555"), 429, "")
		p.clock.Advance(16 * time.Minute)
		// Without a recent proof of identity, a guess isn't checked.
		for _, proof := range []string{"bcn=B5555", "bcn=guess"} {
			p.want(add(prad, group, "555555555", proof), 403, "Your change wasn't saved. Confirm your identity and try again.")
		}
		for _, token := range []string{prad, isad} {
			p.want(p.post("/session/proof", fields{"password": password}, bearer(token)), 204, "")
		}
		p.want(add(prad, group, "555555555", "bcn=B5555"), 200, "success")
		if n := p.count(`SELECT count(*) FROM audit_log WHERE operation = 'tin-add' AND actor = 'prad' AND result <> 'ok'`); n < 8 {
			t.Errorf("%d audit entries of refusals", n)
		}

		list := func(token string, group int64) reply {
			return p.do("GET", fmt.Sprintf("/api/ftin/groupFtins/%d?activeFlag=true", group), nil, bearer(token))
		}
		var records []struct{ FTIN, AddedDate, LastUpdatedUserName string }
		list(p.signIn("prus"), group).into(t, &records)
		if len(records) != 4 || records[0].FTIN != "555555555" || records[0].LastUpdatedUserName != "prad" || records[0].AddedDate == "" {
			t.Errorf("%+v", records)
		}
		p.want(list(prad, other), 404, "")
		p.want(list(p.signIn("irad"), other), 200, "")

		remove := func(token string, group int64, ftin string) reply {
			return p.do("DELETE", fmt.Sprintf("/api/ftin/groupFtins/%d/%s?lastUpdatedUserName=", group, ftin), nil, bearer(token))
		}
		holders := func(actor string, group int64, ftins ...string) reply {
			return p.post(fmt.Sprintf("/ftin/groupFtins/%d/holders", group), fields{"ftins": ftins}, bearer(p.tokenOf(actor)))
		}
		p.want(holders("prus", group, "111111111"), 403, "")
		p.want(holders("prad", other, "333333333"), 404, "")
		p.want(holders("prad", group), 400, "")
		if r := holders("prad", group, "111111111", "444444444"); strings.TrimSpace(string(r.body)) !=
			`[{"userNm":"prus","userFirstName":"Prus","userLastName":"Tester"}]` {
			t.Errorf("%d %s", r.status, r.body)
		}
		p.want(holders("prad", group, "444444444"), 200, "[]")
		p.want(remove(p.signIn("prus"), group, "111111111"), 403, "")
		p.want(remove(prad, other, "333333333"), 404, "")
		p.want(remove(isad, other, "333333333"), 409, "Cannot delete the last record")
		p.want(remove(prad, group, "111111111"), 200, "success")
		p.want(remove(prad, group, "111111111"), 404, "")
		assert.Equal(t, 0, p.count(`SELECT count(*) FROM user_tins WHERE ftin = '111111111'`), "a user kept a TIN that the group lost")
		// Two administrators act at the same time. One stays.
		var wait sync.WaitGroup
		for _, ftin := range []string{"222222222", "444444444", "555555555"} {
			for _, token := range []string{prad, isad} {
				wait.Go(func() { remove(token, group, ftin) })
			}
		}
		wait.Wait()
		assert.Equal(t, 1, p.count(`SELECT count(*) FROM group_tins WHERE group_id = $1`, group))

		// Without proof, and for non-network users: system administrators only.
		unproven := func(token string, group int64, ftin string) reply {
			return p.post(fmt.Sprintf("/ftin/groupFtins/%d/%s", group, ftin), nil, bearer(token))
		}
		p.want(unproven(prad, group, "123123123"), 403, "")
		p.want(unproven(isad, group, "123123123"), 200, "success")
		p.want(unproven(isad, other, "123123124"), 404, "") // not a provider group
		foreign := func(token string, group int64, ftin, actor string) reply {
			return p.post(fmt.Sprintf("/ftin/nonNetworkGroupFtins/%d/%s", group, ftin), fields{"userName": actor}, bearer(token))
		}
		for ftin, want := range map[string]string{"444444444": "INVALID_FTIN_IN_NETWORK", "888888888": "INVALID_FTIN_NO_BILLS_FOUND",
			"999999999": "FTIN_RESTRICTED_FOR_REGISTRATION", "333333333": "INVALID_FTIN_NO_BILLS_FOUND"} {
			p.want(foreign(isad, other, ftin, "isad"), 400, want)
			p.want(p.do("GET", "/api/ftin/validateNonNetworkFtin/"+ftin, nil, bearer(isad)), 400, want)
		}
		p.want(foreign(isad, other, "666666666", "prad"), 403, "")
		p.want(foreign(isad, other, "666666666", "isad"), 200, "success")
		p.want(foreign(isad, other, "666666666", "isad"), 400, "TIN_EXISTS_INTGRP")
		if m := p.only("nnus@example.com", "A TIN was added to your account"); strings.Contains(m.Text, "group") ||
			strings.Contains(m.Text, "Manage TINs") {
			t.Errorf("a non-network user is told of what they do not have: %s", m.Text)
		}
		p.want(foreign(isad, group, "555555555", "isad"), 404, "") // a provider group
		p.want(foreign(p.signIn("irad"), other, "555555555", "irad"), 403, "")
		p.want(remove(isad, other, "333333333"), 200, "success")
	})
}

func TestManagedUserTINs(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		prad := p.signIn("prad")
		read := func(token, name string) reply {
			return p.do("GET", "/api/ftin/managedUserFtins/"+name, nil, bearer(token))
		}
		save := func(token, name string, has map[string]bool) reply {
			list := []fields{}
			for ftin, it := range has {
				list = append(list, fields{"ftin": ftin, "hasIt": it})
			}
			return p.post("/ftin/managedUserFtins/"+name, list, bearer(token))
		}
		flags := func(r reply) string {
			var list []struct {
				FTIN  string
				HasIt bool
			}
			r.into(t, &list)
			return fmt.Sprint(list)
		}
		assert.Equal(t, "[{111111111 true} {222222222 false}]", flags(read(prad, "prus")))
		assert.Equal(t, "[{111111111 true} {222222222 true}]", flags(read(prad, "prad")))
		p.want(save(prad, "prus", map[string]bool{"111111111": false, "222222222": true}), 200, "success")
		assert.Equal(t, "[{111111111 false} {222222222 true}]", flags(read(p.signIn("irad"), "prus")))
		// The user's search scope changes immediately.
		prus := p.signIn("prus")
		if r := p.do("GET", "/api/ftin/userFtins/prus?activeFlag=true", nil, bearer(prus)); strings.TrimSpace(string(r.body)) !=
			`[{"ftin":"222222222"}]` {
			t.Errorf("%s", r.body)
		}
		// A TIN missing from the submitted list stays unchanged, because the user didn't see it.
		p.want(save(prad, "prus", map[string]bool{"111111111": true}), 200, "success")
		assert.Equal(t, "[{111111111 true} {222222222 true}]", flags(read(prad, "prus")))
		p.want(save(prad, "prus", map[string]bool{"111111111": false, "222222222": true}), 200, "success")
		p.want(save(prad, "prus", map[string]bool{"111111111": false, "222222222": false}), 400, "You cannot remove all TINs.")
		p.want(save(prad, "prus", map[string]bool{"333333333": true}), 400, "")
		p.want(save(prad, "prad", map[string]bool{"111111111": true}), 409, "")
		p.want(save(prad, "nnus", map[string]bool{"333333333": true}), 404, "")
		p.want(save(p.signIn("irad"), "prus", map[string]bool{"111111111": true}), 403, "")
		p.want(read(prad, "nnus"), 404, "")
		p.want(read(prus, "prus"), 403, "")
		assert.Equal(t, "[{111111111 false} {222222222 true}]", flags(read(prad, "prus")))
	})
}

// The portal's own display must not serve as proof of a TIN. It lists providers only for the
// user's own TINs.
func TestProviderList(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		p.onFile()
		p.exec(`INSERT INTO provider_tins (ftin, provider_id) VALUES ('111111111', '700'), ('111111111', '701')`)
		p.exec(`UPDATE providers SET first_name = 'Gregory', first_name_key = 'gregory', last_name_key = 'house' WHERE provider_id = '700'`)
		p.exec(`UPDATE providers SET facility_name = 'Clinic' WHERE provider_id = '701'`)
		list := func(actor, ftin, query string) (int, string) {
			r := p.do("GET", "/api/provider/list/"+ftin+"?"+query, nil, bearer(p.signIn(actor)))
			var found []struct{ PrvID, PrvName, PrvTaxID, FTIN, PrvProviderType string }
			if r.status == 200 {
				r.into(t, &found)
			}
			var names []string
			for _, f := range found {
				names = append(names, f.PrvName)
				if f.FTIN != ftin || f.PrvTaxID != ftin {
					t.Errorf("%s is listed under %s and %s", f.PrvName, f.FTIN, f.PrvTaxID)
				}
			}
			return r.status, strings.Join(names, "; ")
		}
		for _, c := range []struct {
			actor, ftin, query string
			status             int
			names              string
		}{
			{"prus", "111111111", "", 200, "Clinic; House, Gregory"},
			{"prus", "111111111", "prv-type=P", 200, "House, Gregory"},
			{"prus", "111111111", "prv-type=F", 200, "Clinic"},
			{"prus", "111111111", "prv-type=P&phy-last-nm=HOU&phy-first-nm=gre", 200, "House, Gregory"},
			{"prus", "111111111", "prv-type=P&phy-last-nm=ouse", 200, ""},
			{"prus", "111111111", "prv-type=F&facility-nm=cli", 200, "Clinic"},
			{"prus", "111111111", "prv-id=701", 200, "Clinic"},
			{"prus", "444444444", "", 404, ""},
			{"prad", "444444444", "", 404, ""},
			{"irad", "444444444", "", 200, "House, Gregory"},
			{"isad", "444444444", "prv-type=P", 200, "House, Gregory"},
			{"prus", "111111111", "prv-type=X", 400, ""},
			{"nnus", "333333333", "", 403, ""},
		} {
			if status, names := list(c.actor, c.ftin, c.query); status != c.status || names != c.names {
				t.Errorf("%s %s %s: %d %s", c.actor, c.ftin, c.query, status, names)
			}
		}
	})
}

// A new group gets another group's TIN only after confirmation of the shared TIN. The other
// group is then notified, as with any other way to add it.
func TestNewGroupSharesATIN(t *testing.T) {
	for _, sharing := range []string{"notify", "approve"} {
		each(t, func(c *app.Config) { c.TINs.TINSharing = sharing }, func(t *testing.T, p *portal) {
			isad := p.signIn("isad")
			create := func(email string, shared ...string) reply {
				return p.do("PUT", "/api/users/createUser", newUser("PRAD", email, fields{
					"groupAssignment": "new", "userFtins": tinFields("111111111", "444444444"), "sharedFtins": shared,
				}), bearer(isad))
			}
			groups := func() int { return p.count(`SELECT count(*) FROM groups`) }
			before := groups()
			for _, confirmed := range [][]string{nil, {"444444444"}} {
				r := create("first@example.com", confirmed...)
				var refused httpapi.Problem
				if r.status != 409 || !httpProblem(r, &refused) || refused.Code != "TIN_SHARED" || len(refused.Fields) != 1 {
					t.Fatalf("%d %s", r.status, r.body)
				}
				f, group := refused.Fields[0], p.groupOf("prad")
				if f.Path != "userFtins" || *f.Value != "111111111" || !strings.HasPrefix(f.Message, fmt.Sprintf("Group %d, ", group)) {
					t.Errorf("%+v", f)
				}
			}
			if groups() != before || p.count(`SELECT count(*) FROM users WHERE email_key = 'first@example.com'`) != 0 {
				t.Error("the refused user was made")
			}
			if r := create("first@example.com", "111111111"); r.status != 200 {
				t.Fatalf("%d %s", r.status, r.body)
			}
			if n := p.count(`SELECT count(*) FROM group_tins WHERE ftin = '111111111'
				AND group_id = (SELECT max(id) FROM groups)`); n != 1 {
				t.Errorf("the new group has the TIN %d times", n)
			}
			p.audited(1, `operation = 'tin-shared' AND subject = '111111111'`)
			// A TIN that other groups don't have is added without confirmation.
			r := p.do("PUT", "/api/users/createUser", newUser("PRAD", "free@example.com",
				fields{"groupAssignment": "new", "userFtins": tinFields("555555555")}), bearer(isad))
			p.want(r, 200, "")
		})
	}
}

// An incomplete draft can be saved if its values are valid. Everyone who can edit it can delete
// it, with the Workspace on or off.
func TestDraftHalfFilledIn(t *testing.T) {
	for _, workspace := range []string{"on", "off"} {
		each(t, func(c *app.Config) { c.Access.Workspace = workspace }, func(t *testing.T, p *portal) {
			isad := p.signIn("isad")
			half := fields{"isSaveAsDraftOperation": true, "typeCd": "ROAD", "userFirstName": "Nora", "userLastName": "Half",
				"emailAddr": "half@example.com", "phoneNum": ""}
			save := func(change fields) reply {
				f := fields{}
				for _, part := range []fields{half, change} {
					for name, value := range part {
						f[name] = value
					}
				}
				return p.do("PUT", "/api/users/saveDraftUser", f, bearer(isad))
			}
			for want, change := range map[string]fields{
				"emailAddr: Error: Enter a valid Email Address":       {"emailAddr": ""},
				"userLastName: Error: Enter valid Last Name":          {"userLastName": ""},
				"phoneNum: Error: Enter a valid numeric Phone Number": {"phoneNum": "12"},
				"jobTitle: Error: Enter a valid Job Title":            {"jobTitle": strings.Repeat("x", 200)},
				"typeCd: Error: Select Account Type":                  {"typeCd": ""},
			} {
				if r := save(change); r.status != 400 || r.fields() != want {
					t.Errorf("%d %s, want %s", r.status, r.body, want)
				}
			}
			r := save(nil)
			var made row
			r.into(t, &made)
			if r.status != 200 || made.StatusCd != "DRAFT" || made.UserNm != "nhalf" {
				t.Fatalf("%d %s", r.status, r.body)
			}
			if complete := save(fields{"id": made.ID, "isSaveAsDraftOperation": false}); complete.status != 400 {
				t.Errorf("completed: %d %s", complete.status, complete.body)
			}
			found := p.rows(p.post("/admin/userList", fields{"userName": "nhalf"}, bearer(isad)))
			assert.Equal(t, "[Continue Registration Delete Draft]", fmt.Sprint(found["nhalf"].UserActions))
			path := fmt.Sprintf("/api/desk/queues/drafts/%d", made.ID)
			p.want(p.do("DELETE", path, nil, bearer(p.signIn("irad"))), 403, "")
			p.want(p.do("DELETE", path, nil, bearer(isad)), 204, "")
			p.want(p.do("DELETE", path, nil, bearer(isad)), 409, "")
			if r := save(nil); r.status != 200 {
				t.Errorf("the address is free again: %d %s", r.status, r.body)
			}
		})
	}
}

// An import that changes an account's type or group has the effects of the screens: the user loses
// the assigned TINs, another group ends mirroring, and another type ends the sessions.
func TestImportedTypeAndGroup(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		mine := p.add("ada", access.PRAD, 0, "444444444", "555555555").GroupID
		other := p.add("cy", access.PRAD, 0, "444444444").GroupID
		ben := p.add("ben", access.PRUS, mine, "444444444", "555555555").ID
		change := func(kind access.Type, group string) {
			t.Helper()
			p.importTable("users", fmt.Sprintf("user_name,first_name,last_name,email,type,status,group_id\nben,Ben,Tester,"+
				"ben@example.com,%s,ACTIV,%s\n", kind, group))
		}
		tins := func() int { return p.count(`SELECT count(*) FROM user_tins WHERE user_id = $1`, ben) }
		token := bearer(p.signIn("ben"))
		isad := p.signIn("isad")
		staff := bearer(isad)
		p.want(p.mirror(isad, "ben", ""), 200, "")
		change(access.PRUS, fmt.Sprint(mine))
		assert.Equal(t, 2, tins())
		p.want(p.do("GET", "/api/ftin/userFtins/ben?activeFlag=true", nil, staff), 200, "")
		change(access.PRUS, fmt.Sprint(other))
		assert.Equal(t, 0, tins())
		p.want(p.do("GET", "/api/session", nil, token), 200, "")
		p.want(p.do("GET", "/api/session", nil, staff), 200, "")
		p.want(p.do("GET", "/api/ftin/userFtins/ben?activeFlag=true", nil, staff), 409, "MIRROR_ENDED")
		p.audited(1, `operation = 'mirror-stop' AND actor = 'isad' AND acting_for = 'ben'
			AND detail = 'the account moved to another group'`)
		assert.Zero(t, p.count(`SELECT count(*) FROM visits WHERE ended_at IS NULL`))
		p.importTable("tins", fmt.Sprintf("group_id,tin,user_name\n%d,444444444,ben\n", other))
		change(access.PRAD, fmt.Sprint(other))
		if u := p.user("ben"); u.GroupID != other || u.TypeCd != access.PRAD || tins() != 0 {
			t.Errorf("%+v with %d TINs", u, tins())
		}
		p.want(p.do("GET", "/api/session", nil, token), 401, "")
		token = bearer(p.signIn("ben"))
		change(access.ISAD, "")
		if u := p.user("ben"); u.GroupID != 0 || u.TypeCd != access.ISAD {
			t.Errorf("%+v", u)
		}
		p.want(p.do("GET", "/api/session", nil, token), 401, "")
	})
}
