package app_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/app"
	"wcpp/internal/identity/access"
	"wcpp/internal/identity/users"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/httpapi"
)

// named is an ID in a request: another owner's, and one that doesn't exist.
type named struct{ foreign, unknown string }

// idCase is a request that refers to another owner's object. The response must be the same as
// for a nonexistent one, and nothing may change.
type idCase struct {
	value  string // operation and field name
	actor  string
	call   string // path with query, and body; $ marks the ID
	id     named
	status int
}

// nobodys lists values that don't refer to any owner's objects.
var nobodys = map[string]string{
	"what is searched for, of rows in scope": "beginServiceDate endServiceDate claimNumber claimantFirstName claimantLastName " +
		"claimantDateOfBirth claimantDOB doi wildCardFstName " +
		"documentId prv-type from to payer provider states amountFrom amountTo followUps noted marked unassigned due mine ageFrom " +
		"doneThisWeek outcome problems ageTo answered shortFrom called callOutcome toCall " +
		"newest columns order compact operation facility-nm phy-first-nm phy-last-nm emailAddress taxIdNumber " +
		"userTypeCD name status isUserNames activeFlag table rows amount method reference reversals adjusted notPosted",
	"what the network tells all": "version title plain advice official effective ended csv line kind basis unit nextWorkday condition " +
		"rate citation url text reviewedBy day " +
		"service received receivedSure payerReceived paid pattern expected graceMinutes ownerMail phone extension hours ready",
	"a person's own texts": "body spokeWith outcome promisedOn " +
		"affiliation affiliationCd affiliationDesc otherAffiliation firstName lastName middleInitial " +
		"companyName companyNm companyUrl jobTitle phoneNumber phoneNum " +
		"userFirstName userLastName userMidName emailAddr email reason purpose campaign idle employeeId words link requestedBy sendDt " +
		"lastUpdate",
	"secrets that prove their owner": "password newPassword token authenticationCode state iss code answer __Host-wcpp-sso __Host-wcpp " +
		"Authorization",
	"what an account can be":       "types statuses role",
	"what the directory tells all": "lob rateCode state productCode providerType providerName sourceName zip list jurisdiction",
	"how a call is meant": "sharedFtins completeProfile isSaveAsDraftOperation draftVersion groupAssignment mode typeCd " +
		"isEor zero page pageSize skip at limit after until followUpOn changed Range If-Range If-None-Match If-Modified-Since path hasIt " +
		"requestKey " +
		"categories lawState complainant origin receivedOn mailedOn callbackHours writes " +
		"addedDate createdDate decision seen named undecided posted same headerRows index kind format shared pinned position of " +
		"watched hour days digest kinds quietWeeks questions change watches window upTo undo history quarter statusCd kept mails " +
		"asksFirst agree tab topic queue withdraw",
}

// namedHere lists values that refer to an owner's objects only in these operations, or in
// formats that the API document doesn't describe.
var namedHere = map[string]string{
	"precheckEor": "url", "userByName": "name", "resetPasswordByAdmin": "emailAddress", "uploadRoster": "groupId sourceId username",
	"checkRoster":   "groupId sourceId username",
	"checkUserFile": "groupId ftins", "takeUserFile": "groupId ftins", "cases": "after",
}

// listNames returns an operation's values that refer to an owner's objects.
func listNames(p *portal, op httpapi.Operation) []string {
	names := map[string]bool{}
	doc := p.API.OpenAPI()
	item := doc.Paths[strings.Replace(op.Path, "...}", "}", 1)]
	described := map[string]*huma.Operation{"GET": item.Get, "PUT": item.Put, "POST": item.Post, "DELETE": item.Delete,
		"PATCH": item.Patch}[op.Method]
	for _, parameter := range described.Parameters {
		names[parameter.Name] = true
	}
	// walk records a schema's values by name and reports whether it has any.
	var walk func(*huma.Schema) bool
	walk = func(s *huma.Schema) bool {
		if s != nil && s.Ref != "" {
			s = doc.Components.Schemas.SchemaFromRef(s.Ref)
		}
		if s == nil {
			return false
		}
		for name, property := range s.Properties {
			// A table's state only sorts and filters results.
			if name != "table" && !walk(property) {
				names[name] = true
			}
		}
		return walk(s.Items) || len(s.Properties) > 0
	}
	if described.RequestBody != nil {
		for _, content := range described.RequestBody.Content {
			walk(content.Schema)
		}
	}
	for _, list := range nobodys {
		for name := range strings.FieldsSeq(list) {
			delete(names, name)
		}
	}
	if op.Access == httpapi.Public && op.ID != "authenticate" {
		clear(names) // anonymous callers own nothing; secrets authorize them
	}
	for _, name := range strings.Fields(namedHere[op.ID]) {
		names[name] = true
	}
	return slices.Sorted(maps.Keys(names))
}

// TestForeignIDs tries every value that can refer to another owner's object, in every operation.
// A new operation fails until it has cases here or its values are listed as harmless.
func TestForeignIDs(t *testing.T) {
	each(t, func(c *app.Config) { c.TINs.RestrictedTINs = nil }, func(t *testing.T, p *portal) {
		cases := foreignCases(p)
		tried, tokens := map[string]bool{}, map[string]string{}
		for _, c := range cases {
			if tokens[c.actor] == "" {
				tokens[c.actor] = p.signIn(c.actor)
			}
		}
		ops := map[string]httpapi.Operation{}
		for _, op := range p.API.Operations() {
			ops[op.ID] = op
		}
		for _, c := range cases {
			tried[c.value] = true
			id, _, _ := strings.Cut(c.value, " ")
			op, ok := ops[id]
			if !ok {
				t.Errorf("%s is no operation", id)
				continue
			}
			answer := func(id string) string {
				before := p.state()
				p.exec(`DELETE FROM rate_limits`)
				path, body, hasBody := strings.Cut(strings.ReplaceAll(c.call, "$", id), " ")
				var sent any
				if hasBody {
					sent = body
				}
				r := p.foreignCall(op, path, sent, tokens[c.actor])
				assert.Equalf(t, c.status, r.status, "%s by %s, naming %s: %d %s", c.value, c.actor, id, r.status, r.body)
				if n := p.count(`SELECT count(*) FROM audit_log WHERE operation = $1 AND actor = $2 AND result = 'refused'
					AND subject IN ($3, $4, $5)`, op.ID, c.actor, id, "user "+id, "group "+id); r.status == http.StatusForbidden && n == 0 {
					t.Errorf("%s by %s, naming %s: not audited", c.value, c.actor, id)
				}
				if after := p.state(); after != before {
					t.Errorf("%s by %s, naming %s, changes\n%s", c.value, c.actor, id, changed(before, after))
				}
				return requestIDs.ReplaceAllString(strings.ReplaceAll(string(r.body), id, "@"), "")
			}
			unknown := answer(c.id.unknown)
			if c.id.foreign == "" {
				continue // anyone with this permission can access all objects
			}
			if foreign := answer(c.id.foreign); foreign != unknown {
				t.Errorf("%s: the foreign %s is answered %s, an unknown one %s", c.value, c.id.foreign, foreign, unknown)
			}
		}
		for _, op := range p.API.Operations() {
			for _, name := range listNames(p, op) {
				assert.Truef(t, tried[op.ID+" "+name], "%s %s: no case tries a foreign %q", op.Method, op.Path, name)
				delete(tried, op.ID+" "+name)
			}
		}
		for value := range tried {
			t.Errorf("%s: the operation names no such value", value)
		}
	})
}

var requestIDs = regexp.MustCompile(`"(requestId|checked)":"[^"]*"`) // and the digest of a file that contains it

// foreignCall sends a request. Rosters are sent as a form.
func (p *portal) foreignCall(op httpapi.Operation, path string, body any, token string) reply {
	p.t.Helper()
	if call, ok := strings.CutPrefix(op.Path, "/roster/"); ok && op.Method == http.MethodPost && body != nil &&
		(call == "upload" || call == "check") {
		name, value, _ := strings.Cut(body.(string), "=")
		return p.roster(token, call, fields{"username": "road", name: value}, sent{"r.csv", rosterHead})
	}
	if strings.HasPrefix(op.Path, "/work/users/file") && op.Method == http.MethodPost {
		return p.userFile(bearer(token), path, body.(string))
	}
	return p.do(op.Method, "/api"+path, body, bearer(token))
}

// state returns everything that requests can change, as text.
func (p *portal) state() string {
	p.t.Helper()
	var lines []string
	for _, table := range []string{
		"groups", "users", "group_tins", "former_tins", "user_tins", "tin_sharings", "tin_sharing_holders", "account_requests",
		"account_links", "mails", "group_roster_sources", "roster_uploads", "roster_files",
		"notifications", "notification_recipients", "user_notifications", "fee_schedule_requests", "remittance_marks", "remittance_exports",
		"client_list_agreements", "bill_work", "bill_notes", "watches", "alert_settings", "group_mailboxes", "saved_views",
		"payer_calls", "payer_call_bills", "cases", "case_bills", "case_entries", "case_reads", "case_files", "case_letters",
		"open_bill_exports", "lost_assignments", "factors", "recovery_codes", "email_changes", "status_lines", "access_reviews",
		"access_review_items", "visits", "visit_settings", "mirror_requests",
	} {
		found, err := dumpRows(p.t.Context(), p.DB.Writer, table)
		require.NoError(p.t, err)
		lines = append(lines, found...)
	}
	slices.Sort(lines)
	return strings.Join(lines, "")
}

// dumpRows returns each row of a table as a line, without sign-in times.
func dumpRows(ctx context.Context, q db.Queryer, table string) (lines []string, err error) {
	rows, err := q.QueryContext(ctx, "SELECT * FROM "+table)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return nil, err
	}
	for rows.Next() {
		values, into := make([]any, len(columns)), make([]any, len(columns))
		for i := range values {
			into[i] = &values[i]
		}
		if err := rows.Scan(into...); err != nil {
			return nil, err
		}
		if at := slices.Index(columns, "last_login_at"); at >= 0 {
			values[at] = nil
		}
		lines = append(lines, fmt.Sprintln(table, values))
	}
	return lines, rows.Err()
}

// changed returns the lines that only one of two states has.
func changed(before, after string) string {
	old, now := strings.Split(before, "\n"), strings.Split(after, "\n")
	var b strings.Builder
	for _, line := range now {
		if !slices.Contains(old, line) {
			b.WriteString(line + "\n")
		}
	}
	return b.String()
}

// foreignCases adds a second office and a second roster group, and returns cases for their
// objects.
func foreignCases(p *portal) []idCase {
	p.onFile()
	p.sources()
	office := p.add("ada", access.PRAD, 0, "444444444", "555555555").GroupID
	p.add("ben", access.PRUS, office, "444444444")
	p.exec(`INSERT INTO provider_tins (ftin, provider_id) VALUES ('111111111', '701')`)
	draft := func(name string, kind access.Type, group int64) named {
		u := p.add(name, kind, group)
		p.setStatus(name, users.Draft)
		p.exec(`UPDATE users SET password_hash = '' WHERE id = $1`, u.ID)
		return named{fmt.Sprint(u.ID), "987654"}
	}
	number := func(insert string, args ...any) named {
		var id int64
		require.NoError(p.t, db.Get(p.t.Context(), p.DB.Writer, &id, insert+` RETURNING id`, args...))
		return named{fmt.Sprint(id), "987654"}
	}
	now := db.At(time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC))
	request := number(`INSERT INTO account_requests (email, email_key, status, created_at, submitted_at)
		VALUES ('zoe@example.com', 'zoe@example.com', 'SUBMITTED', $1, $1)`, now)
	asked := number(`INSERT INTO fee_schedule_requests (user_id, national_rate_code, provider_id, status, file_name, storage_key,
		created_at, done_at)
		VALUES ($1, 'R1', '700', 'DONE', 'f.xlsx', 'k', $2, $2)`, p.user("ben").ID, now)
	lost := number(`INSERT INTO fee_schedule_requests (user_id, national_rate_code, provider_id, status, created_at, done_at)
		VALUES ($1, 'R1', '700', 'FAILED', $2, $2)`, p.user("ben").ID, now)
	for _, job := range [][2]string{{"LOOKUP", "done"}, {"SENTFILE", "sent"}} {
		p.exec(`INSERT INTO lookup_jobs (id, user_id, file_name, status, columns, header_rows, line_count, done, found, tins, created_at)
			VALUES ($1, $2, 'f.csv', $3, '[]', 0, 1, 0, 0, '[]', $4)`, job[0], p.user("ben").ID, job[1], now)
	}
	lookup, lookupFile := named{"LOOKUP", "UNKNOWN"}, named{"SENTFILE", "UNKNOWN"}
	notice := number(`INSERT INTO notifications (name, requested_by, link, status, created_at, created_by, updated_at, updated_by)
		VALUES ('News', 'Ada', 'https://example.com', 'SENT', $1, 'isad', $1, 'isad')`, now)
	p.exec(`INSERT INTO user_notifications (notification_id, user_id, sent_at) VALUES ($1, $2, $3)`, notice.foreign, p.user("ben").ID, now)
	draftOfOffice, draftOfRosters := draft("dora", access.PRUS, office), draft("rosa", access.ROUS, p.groupOf("rous"))
	sentRoster := p.roster(p.signIn("road"), "upload", nil, sent{"r.csv", rosterHead})
	require.Equalf(p.t, http.StatusOK, sentRoster.status, "%d %s", sentRoster.status, sentRoster.body)
	var found []struct{ BillImageURL, Page string }
	p.post("/billSearch/searchByAssorted", fields{"ftin": "444444444", "billControlNumber": "B4444"}, bearer(p.signIn("ada"))).
		into(p.t, &found)
	_, sealed, _ := strings.Cut(found[0].BillImageURL, "?id=")
	p.audited(1, `operation = 'searchByAssorted'`)
	// An own bill, and a note on the other office's.
	p.bill("111111111", "B1112", "C1")
	var own []struct{ Page string }
	p.post("/billSearch/searchByAssorted", fields{"ftin": "111111111", "billControlNumber": "B1112"}, bearer(p.signIn("prad"))).
		into(p.t, &own)
	ownPage := own[0].Page
	note := number(`INSERT INTO bill_notes (group_id, ftin, bill_control_number_key, author_id, at, body)
		VALUES ($1, '444444444', 'b4444', $2, $3, 'x')`, office, p.user("ada").ID, now)
	mailbox := number(`INSERT INTO group_mailboxes (group_id, email, email_key, added_at, stopped_why, digest, days, hour, kinds, tins,
		quiet_weeks, delivered_change, delivered_day, mailed_on)
		VALUES ($1, 'a@b.c', 'a@b.c', $2, '', 'daily', '[1]', 7, '[]', '[]', false, 0, '2026-03-01', '2026-03-01')`, office, now)
	if r := p.put("/work/watches", fields{"bills": []string{found[0].Page}, "of": "bill", "watched": true},
		bearer(p.signIn("ada"))); r.status != http.StatusOK {
		p.t.Fatalf("%d %s", r.status, r.body)
	}
	var watched struct{ Watches []struct{ ID string } }
	p.do("GET", "/api/work/watches", nil, bearer(p.signIn("ada"))).into(p.t, &watched)
	watch := named{watched.Watches[0].ID, "c2VhbGVk"}
	var asking struct{ Number string }
	p.post("/work/cases", fields{"requestKey": "k", "topic": "PRICE", "body": "x", "bills": []string{found[0].Page}},
		bearer(p.signIn("ada"))).into(p.t, &asking)
	var ownCase struct{ Number string }
	p.post("/work/cases", fields{"requestKey": "own", "topic": "OTHER", "body": "x"}, bearer(p.signIn("prad"))).into(p.t, &ownCase)
	caseFile := number(`INSERT INTO case_files (added_by, name, media_type, size, sha256, storage_key, at)
		VALUES ($1, 'scan.pdf', 'application/pdf', 1, '', 'cases/x', $2)`, p.user("ada").ID, now)
	complain := func(user string) (c struct {
		Number    string
		Complaint struct{ Letters []struct{ ID int64 } }
	}) {
		p.post("/work/cases", fields{"requestKey": "complaint", "topic": "OTHER", "body": "x", "complaint": fields{
			"categories": []string{"FEES"}}}, bearer(p.signIn(user))).into(p.t, &c)
		return c
	}
	theirComplaint, ownComplaint := complain("ada"), complain("prad")
	complaint := named{theirComplaint.Number, "C-2222-2222"}
	complaintLetter := named{fmt.Sprint(theirComplaint.Complaint.Letters[0].ID), "987654"}
	question, deskQuestion := named{asking.Number, "C-2222-2222"}, named{"", "C-2222-2222"}
	view, viewFile, loss := named{"VIEW", "UNKNOWN"}, named{"FILE", "UNKNOWN"}, number(`INSERT INTO lost_assignments (id, group_id, user_id,
		ftin, at) VALUES (987650, $1, $2, '444444444', $3)`, office, p.user("ben").ID, now)
	p.exec(`INSERT INTO saved_views (id, owner_id, group_id, shared, pinned, name, definition, position, version, updated_at, updated_by)
		VALUES ('VIEW', $1, $2, $3, $3, 'x', '{}', 0, 1, $4, 'ben')`, p.user("ben").ID, office, true, now)
	p.exec(`INSERT INTO open_bill_exports (id, user_id, status, filter, columns, tins, bill_count, done, place, created_at)
		VALUES ('FILE', $1, 'done', '{}', '[]', '[]', 0, 0, '{}', $2)`, p.user("ben").ID, now)
	p.exec(`INSERT INTO saved_views (id, owner_id, group_id, shared, pinned, name, definition, position, version, updated_at, updated_by)
		VALUES ('OWN', $1, $2, $3, $3, 'own', '{}', 0, 1, $4, 'prad')`, p.user("prad").ID, p.groupOf("prad"), false, now)
	searched := named{fmt.Sprint(p.count(`SELECT id FROM audit_log WHERE operation = 'searchByAssorted' AND actor = 'ada'`)), "987654"}
	checked := decodeReport(p.t, p.roster(p.signIn("road"), "check", nil, sent{"r.csv", rosterHead + "A,1,1,,,,,,,,,\n"}))

	hash := sha256.Sum256([]byte(p.signIn("ben")))
	factor := number(`INSERT INTO factors (user_id, kind, name, sealed, created_at)
		VALUES ($1, 'app', 'Phone', '', $2)`, p.user("ben").ID, now)
	signedInAs := named{hex.EncodeToString(hash[:]), strings.Repeat("0", 64)}

	p.exec(`INSERT INTO remittances (ftin, remittance, trace_number, trace_number_key, payer, payer_tax_id, payer_id, payer_name,
		payer_name_key, paid_on, handling, method, payees,
			amount, paid, adjusted, bills, reversals, balanced, contacts, file_sha256, set_offset, set_length, first_seen_at)
		VALUES ('444444444', 'r', 'CHECK-4', 'check4', 'P', '', '', 'Payer', 'payer', '2026-01-05', 'I', 'CHK', 1, 0, 0, 0, 0, 0, $1,
			'null', '', 0, 0, $2)`, true, now)
	var checks struct{ Rows []struct{ ID string } }
	p.post("/remittances/search", fields{"number": "check 4", "table": fields{"page": 0, "pageSize": 5}}, bearer(p.signIn("ada"))).
		into(p.t, &checks)
	remittance := named{checks.Rows[0].ID, "c2VhbGVk"}
	exported := number(`INSERT INTO remittance_exports (user_id, status, remittances, ready, shown, storage_key, created_at)
		VALUES ($1, 'DONE', '[]', 0, '{}', 'k', $2)`,
		p.user("ben").ID, db.At(p.clock.Now()))

	p.want(p.post("/desk/sitting", fields{"reason": "CALL"}, bearer(p.signIn("isad"))), http.StatusOK, "")
	require.NoError(p.t, p.Reviews.RunDaily(p.t.Context()))
	review := named{fmt.Sprint(p.count(`SELECT id FROM access_reviews WHERE group_id = $1`, p.groupOf("ben"))), "987654"}
	visit := number(`INSERT INTO visits (group_id, user_id, mirrored_user_id, started_at)
		VALUES ($1, $2, $3, $4)`, p.groupOf("ben"), p.user("isad").ID, p.user("ben").ID, db.At(p.clock.Now()))
	visitRequest := number(`INSERT INTO mirror_requests (group_id, user_id, mirrored_user_id, reason, state, asked_at)
		VALUES ($1, $2, $3, '', 'ASKED', $4)`, p.groupOf("ben"), p.user("isad").ID, p.user("ben").ID, db.At(p.clock.Now()))
	user, userID := named{"ben", "nobody"}, named{fmt.Sprint(p.user("ben").ID), "987654"}
	group, rosterGroup := named{fmt.Sprint(office), "987654"}, named{fmt.Sprint(p.groupOf("road")), "987654"}
	tin := named{"444444444", "888888888"}
	provider, bill := named{"700", "987654"}, named{"B4444", "B9999"}
	// A TIN of the second office that a third one got.
	p.exec(`INSERT INTO tin_sharings (id, group_id, ftin, status_cd, named, added_at, added_by, bill_control_number, provider_id)
		VALUES ('SHARED', $1, '444444444', 'IN_USE', $2, $3, 'nnus', '', '')`, p.groupOf("nnus"), false, now)
	p.exec(`INSERT INTO tin_sharing_holders (sharing_id, group_id) VALUES ('SHARED', $1)`, office)
	shared := named{"SHARED", "UNKNOWN"}
	page, document, upload := named{found[0].Page, "c2VhbGVk"}, named{sealed, "c2VhbGVk"}, named{fmt.Sprint(p.count(`SELECT max(id)
		FROM roster_uploads`)), "987654"}
	corrected := named{checked.Files[0].CheckID, "987654"}
	any := func(unknown string) named { return named{unknown: unknown} }
	nora := func(change string) string {
		return `{"userFirstName":"Nora","userLastName":"Newman","emailAddr":"n@example.com","phoneNum":"2165550148","typeCd":"PRAD",` +
			`"affiliationCd":"OFC_STAFF","jobTitle":"Biller","companyNm":"Newman",` + change + `}`
	}
	details := func(change string) string {
		return `{"userNm":"prad","userFirstName":"P","userLastName":"Tester","emailAddr":"p@example.com","phoneNum":"2165550148",` +
			`"affiliationCd":"OFC_STAFF","jobTitle":"Biller","companyNm":"Newman"` + change + `}`
	}
	office0 := fmt.Sprint(p.groupOf("prad"))
	const table = `"table":{"page":0,"pageSize":10}`

	return []idCase{
		// Names and IDs of users, groups and requests.
		{"createUser id", "prad", "/users/createUser " + nora(`"id":$`), draftOfOffice, 404},
		{"createUser id", "prad", "/users/createUser " + nora(`"id":$`), draftOfRosters, 404},
		{"createUser id", "prad", "/users/createUser " + nora(`"id":$`), named{fmt.Sprint(p.user("isad").ID), "987654"}, 404},
		{"createUser id", "isad", "/users/createUser " + nora(`"id":$`), any("987654"), 404},
		{"createUser accountRequestId", "prad", "/users/createUser " + nora(`"accountRequestId":$`), request, 404},
		{"createUser accountRequestId", "isad", "/users/createUser " + nora(`"accountRequestId":$`), any("987654"), 404},
		{"createUser grpInfoId", "prad", "/users/createUser " + nora(`"grpInfoId":$`), any("987654"), 403},
		{"createUser groupInfoId", "prad", "/users/createUser " + nora(`"groupInfo":{"groupInfoId":$,"groupRosterSources":[]}`),
			any("987654"), 403},
		{"createUser grpInfoId", "isad", "/users/createUser " + nora(`"grpInfoId":$`), any("987654"), 400},
		{"createUser groupInfoId", "isad", "/users/createUser " + nora(`"groupInfo":{"groupInfoId":$,"groupRosterSources":[]}`),
			any("987654"), 400},
		{"createUser mgrUserInfoId", "prad", "/users/createUser " + nora(`"mgrUserInfoId":$`), userID, 403},
		{"createUser statusDesc", "prad", "/users/createUser " + nora(`"statusDesc":"$"`), user, 403},
		{"createUser ftin", "prad", "/users/createUser " + strings.Replace(nora(`"userFtins":[{"ftin":"$"}]`), "PRAD", "PRUS", 1),
			tin, 400},
		{"createUser sourceId", "isad", "/users/createUser " +
			strings.Replace(nora(`"selectedRosterSources":[{"sourceId":$,"sourceName":"x"}]`), "PRAD", "ROAD", 1), any("987654"), 400},
		{"createUser removedSourceIds", "isad", "/users/createUser " + strings.Replace(nora(`"grpInfoId":987654,"removedSourceIds":[$]`),
			"PRAD", "ROAD", 1), any("987654"), 400},
		{"saveDraftUser id", "isad", "/users/saveDraftUser " + nora(`"id":$,"isSaveAsDraftOperation":true`), any("987654"), 404},
		{"saveDraftUser accountRequestId", "isad", "/users/saveDraftUser " + nora(`"accountRequestId":$`), any("987654"), 404},
		{"saveDraftUser grpInfoId", "isad", "/users/saveDraftUser " + nora(`"grpInfoId":$`), any("987654"), 400},
		{"saveDraftUser groupInfoId", "isad", "/users/saveDraftUser " + nora(`"groupInfo":{"groupInfoId":$,"groupRosterSources":[]}`),
			any("987654"), 400},
		{"saveDraftUser mgrUserInfoId", "isad", "/users/saveDraftUser " + nora(`"mgrUserInfoId":$`), userID, 403},
		{"saveDraftUser statusDesc", "isad", "/users/saveDraftUser " + nora(`"statusDesc":"$"`), user, 403},
		{"saveDraftUser ftin", "isad", "/users/saveDraftUser " + strings.Replace(nora(`"grpInfoId":`+office0+`,"userFtins":[{"ftin":"$"}]`),
			"PRAD", "PRUS", 1), named{"333333333", "888888888"}, 400},
		{"saveDraftUser sourceId", "isad", "/users/saveDraftUser " +
			strings.Replace(nora(`"selectedRosterSources":[{"sourceId":$,"sourceName":"x"}]`), "PRAD", "ROAD", 1), any("987654"), 400},
		{"saveDraftUser removedSourceIds", "isad", "/users/saveDraftUser " +
			strings.Replace(nora(`"grpInfoId":987654,"removedSourceIds":[$]`), "PRAD", "ROAD", 1), any("987654"), 400},
		{"auditEntries person", "prad", `/audit/entries {"search":{"person":"$"},"pageSize":10}`, named{"ada", "nobody"}, 200},
		// A group's log shows its users' rejected requests, including the TIN that was out of
		// reach.
		{"auditEntries subject", "prad", `/audit/entries {"search":{"subject":"$"},"pageSize":10}`, any("666666666"), 200},
		{"auditEntries id", "prad", `/audit/entries {"search":{},"after":{"at":"2026-01-01T00:00:00Z","id":$},"pageSize":10}`,
			any("987654"), 200},
		{"auditedSearch id", "prad", "/audit/entries/$/search", searched, 404},
		{"auditExport person", "prad", `/audit/export {"person":"$"}`, named{"ada", "nobody"}, 200},
		{"auditExport subject", "prad", `/audit/export {"subject":"$"}`, any("666666666"), 200},
		{"unbindUser userName", "isad", "/users/binding/$", any("nobody"), 404},
		{"accountRequest id", "isad", "/accountRequests/$", any("987654"), 404},
		{"declineAccountRequest id", "isad", "/accountRequests/$/decline {}", any("987654"), 404},
		{"resendMail id", "isad", "/mails/$/resend", any("987654"), 404},
		{"userList userName", "isad", `/admin/userList {"userName":"$"}`, any("nobody"), 200},
		{"userList groupId", "isad", `/admin/userList {"groupId":"$"}`, any("987654"), 200},
		{"userList userIDs", "isad", `/admin/userList {"userIDs":"$"}`, any("987654"), 200},
		{"userList ftin", "isad", `/admin/userList {"ftin":"$"}`, any("888888888"), 200},
		{"userListPage userName", "isad", `/admin/userList/page {"userName":"$",` + table + `}`, any("nobody"), 200},
		{"userListPage groupId", "isad", `/admin/userList/page {"groupId":"$",` + table + `}`, any("987654"), 200},
		{"userListPage userIDs", "isad", `/admin/userList/page {"userIDs":"$",` + table + `}`, any("987654"), 200},
		{"userListPage ftin", "isad", `/admin/userList/page {"ftin":"$",` + table + `}`, any("888888888"), 200},
		{"groupList username", "isad", `/admin/groupList {"username":"$"}`, any("nobody"), 200},
		{"groupList portalUserGroupId", "isad", `/admin/groupList {"portalUserGroupId":"$"}`, any("987654"), 200},
		{"groupList providerHubGroupId", "isad", `/admin/groupList {"providerHubGroupId":"$"}`, any("987654"), 200},
		{"groupList rosterHubSource", "isad", `/admin/groupList {"rosterHubSource":"$"}`, any("987654"), 200},
		{"manageUsers groupId", "prad", "/users/manageUsers/$/prad", group, 404},
		{"manageUsers userName", "prad", "/users/manageUsers/" + office0 + "/$", user, 403},
		{"manageUsersPage groupId", "prad", `/users/manageUsers/page {"groupId":$,` + table + `}`, group, 404},
		{"accessHistory userName", "prad", "/users/accessHistory/$", user, 404},
		{"convertAdminToUser requester", "prad", "/users/convertAdminToUser/$/prus", named{"ada", "nobody"}, 403},
		{"convertAdminToUser userName", "prad", "/users/convertAdminToUser/prad/$", named{"ada", "nobody"}, 404},
		{"convertUserToAdmin requester", "prad", "/users/convertUserToAdmin/$/prus", named{"ada", "nobody"}, 403},
		{"convertUserToAdmin userName", "prad", "/users/convertUserToAdmin/prad/$", user, 404},
		{"terminateUser requester", "prad", "/users/terminateUser/$/prus {}", named{"ada", "nobody"}, 403},
		{"terminateUser userName", "prad", "/users/terminateUser/prad/$ {}", user, 404},
		{"terminateUser userNm", "prad", `/users/terminateUser/prad/prus {"userNm":"$"}`, user, 403},
		{"terminateUser mgrUserInfoId", "prad", `/users/terminateUser/prad/prus {"mgrUserInfoId":$}`, userID, 403},
		{"terminate userNm", "prad", `/users/terminate {"userNm":"$"}`, user, 404},
		{"terminate mgrUserInfoId", "prad", `/users/terminate {"userNm":"prus","mgrUserInfoId":$}`, userID, 403},
		{"regenerateRegistration requester", "prad", "/users/regenRegistrationByAdmin/$/" + draftOfOffice.foreign, user, 403},
		{"regenerateRegistration id", "prad", "/users/regenRegistrationByAdmin/prad/$", userID, 404},
		{"resetPasswordByAdmin userName", "prad", `/users/resetPasswordByAdmin/start {"userName":"$"}`, user, 404},
		{"resetPasswordByAdmin adminUserName", "prad", `/users/resetPasswordByAdmin/start {"userName":"prus","adminUserName":"$"}`,
			user, 403},
		{"resetPasswordByAdmin emailAddress", "prad", `/users/resetPasswordByAdmin/start {"userName":"prus","emailAddress":"$"}`,
			named{"ben@example.com", "nobody@example.com"}, 409},
		{"resetFactors userName", "prad", `/users/factorReset/start {"userName":"$"}`, user, 404},
		{"removeFactor id", "prad", "/account/factors/$", factor, 404},
		{"endSession id", "prad", "/account/sessions/$", signedInAs, 404},
		{"updateUser id", "prad", "/users/updateUser " + details(`,"id":$`), userID, 404},
		{"updateUser userNm", "prad", "/users/updateUser " + strings.Replace(details(""), `"prad"`, `"$"`, 1), user, 404},
		{"cancelEmailChange userName", "prad", "/users/emailChange/$", user, 404},
		{"updateBackfill userNm", "prad",
			`/users/updateBackfill {"userNm":"$","affiliationCd":"OFC_STAFF","jobTitle":"Biller","companyNm":"Newman"}`, user, 403},
		{"updatePassword username", "prad", `/users/updatePwd {"username":"$","password":"x","newPassword":"Quiet-Lake-8"}`, user, 403},
		{"needsBackfill userName", "prad", "/users/needsBackfill/$", user, 403},
		{"userByName name", "prad", "/users/userByName/$", user, 404},
		{"startMirror userNm", "isad", `/session/mirror {"userNm":"$"}`, any("nobody"), 404},
		{"authenticate username", "prad", `/authenticate {"username":"$","password":"x"}`, user, 401},

		// TINs and their data.
		{"groupFtins groupId", "prad", "/ftin/groupFtins/$?activeFlag=true", group, 404},
		{"awaitedGroupFtins groupId", "prad", "/ftin/groupFtins/$/awaited", group, 404},
		{"objectToSharedFtin id", "prad", `/ftin/shared/$/objection {"reason":"Ours"}`, shared, 404},
		{"objectToSharedFtin id", "nnus", `/ftin/shared/$/objection {"reason":"Ours"}`, shared, 404}, // its own
		{"decideFtinSharing id", "isad", `/ftin/sharings/$/decision {"decision":"keep"}`, any("UNKNOWN"), 404},
		{"nameFtinSharing id", "isad", `/ftin/sharings/$/name {"named":true}`, any("UNKNOWN"), 404},
		{"groupFtinHolders groupId", "prad", `/ftin/groupFtins/$/holders {"ftins":["111111111"]}`, group, 404},
		{"groupFtinHolders ftins", "prad", `/ftin/groupFtins/` + office0 + `/holders {"ftins":["$"]}`, tin, 200},
		{"removeGroupFtin groupId", "prad", "/ftin/groupFtins/$/444444444", group, 404},
		{"removeGroupFtin ftin", "prad", "/ftin/groupFtins/" + office0 + "/$", tin, 404},
		{"removeGroupFtin lastUpdatedUserName", "prad", "/ftin/groupFtins/" + office0 + "/111111111?lastUpdatedUserName=$", user, 403},
		{"addGroupFtin groupId", "isad", "/ftin/groupFtins/$/555555555", any("987654"), 404},
		{"addGroupFtin ftin", "isad", "/ftin/groupFtins/" + office0 + "/$", any("12345"), 400},
		{"addNonNetworkFtin groupId", "isad", "/ftin/nonNetworkGroupFtins/$/666666666 {}", any("987654"), 404},
		{"addNonNetworkFtin ftin", "isad", "/ftin/nonNetworkGroupFtins/" + fmt.Sprint(p.groupOf("nnus")) + "/$ {}", any("888888888"), 400},
		{"addNonNetworkFtin userName", "isad", "/ftin/nonNetworkGroupFtins/" + fmt.Sprint(p.groupOf("nnus")) +
			`/666666666 {"userName":"$"}`, user, 403},
		{"validateAndSaveFtin groupId", "prad", "/ftin/validateandSaveFtin/$/555555555?bcn=B5555", group, 404},
		{"validateAndSaveFtin ftin", "prad", "/ftin/validateandSaveFtin/" + office0 + "/$?cpdId=nonsense", any("888888888"), 400},
		{"validateAndSaveFtin bcn", "prad", "/ftin/validateandSaveFtin/" + office0 + "/666666666?bcn=$", bill, 400},
		{"validateAndSaveFtin cpdId", "prad", "/ftin/validateandSaveFtin/" + office0 + "/666666666?cpdId=$", provider, 400},
		{"validateFtin ftin", "prad", "/ftin/validateFtin/$?bcn=nonsense", any("888888888"), 400},
		{"validateFtin bcn", "prad", "/ftin/validateFtin/666666666?bcn=$", bill, 400},
		{"validateFtin cpdId", "prad", "/ftin/validateFtin/666666666?cpdId=$", provider, 400},
		{"validateNonNetworkFtin ftin", "isad", "/ftin/validateNonNetworkFtin/$", any("888888888"), 400},
		{"managedUserFtins user", "prad", "/ftin/managedUserFtins/$", user, 404},
		{"saveManagedUserFtins user", "prad", `/ftin/managedUserFtins/$ [{"ftin":"111111111","hasIt":true}]`, user, 404},
		{"saveManagedUserFtins ftin", "prad", `/ftin/managedUserFtins/prus [{"ftin":"$","hasIt":true}]`, tin, 400},
		{"previewManyFtins userNames", "prad", `/work/users/ftins/preview {"change":"give","ftins":["111111111"],"userNames":["$"]}`,
			user, 200},
		{"previewManyFtins ftins", "prad", `/work/users/ftins/preview {"change":"give","ftins":["$"],"userNames":["prus"]}`, tin, 200},
		{"changeManyFtins userNames", "prad", `/work/users/ftins {"change":"give","ftins":["111111111"],"userNames":["$"]}`, user, 200},
		{"changeManyFtins ftins", "prad", `/work/users/ftins {"change":"give","ftins":["$"],"userNames":["prus"]}`, tin, 200},
		{"checkUserFile ftins", "prad", `/work/users/file/check ` + userFileHead + "\nPRUS,Nora,,Newman,2165550148,nora@example.com,$",
			tin, 200},
		{"checkUserFile groupId", "isad", `/work/users/file/check ` + userFileOfGroup, any("987654"), 200},
		{"takeUserFile ftins", "prad", `/work/users/file ` + userFileHead + "\nPRUS,Nora,,Newman,2165550148,nora@example.com,$", tin, 200},
		{"takeUserFile groupId", "isad", `/work/users/file ` + userFileOfGroup, any("987654"), 200},
		{"userFtins user", "prad", "/ftin/userFtins/$?activeFlag=true", user, 404},

		// Bills and their documents.
		{"searchByAssorted ftin", "prad", `/billSearch/searchByAssorted {"ftin":"$","billControlNumber":"B4444"}`, tin, 404},
		{"searchByAssorted billControlNumber", "prad", `/billSearch/searchByAssorted {"ftin":"111111111","billControlNumber":"$"}`,
			bill, 200},
		{"mitchBillSearch tins", "prad", `/billSearch/mitchBillSearch {"tins":["$"],"billControlNumber":"B4444"}`, tin, 404},
		{"mitchBillSearch billControlNumber", "prad", `/billSearch/mitchBillSearch {"tins":["111111111"],"billControlNumber":"$"}`,
			bill, 200},
		{"findBills q", "prad", `/work/find {"q":"$"}`, bill, 200},
		{"mitchFindBills q", "prad", `/work/find/second {"q":"$"}`, bill, 200},
		{"findManyRun id", "prad", `/work/findMany/files/$/run {"columns":[{"index":0,"kind":"billControlNumber"}],"headerRows":0}`,
			lookupFile, 404},
		{"findManyJob id", "prad", "/work/findMany/jobs/$", lookup, 404},
		{"findManyRemove id", "prad", "/work/findMany/jobs/$", lookup, 404},
		{"findManyClaims id", "prad", "/work/findMany/jobs/$/claims", lookup, 404},
		{"findManyResultXLSX id", "prad", "/work/findMany/jobs/$/result.xlsx", lookup, 404},
		{"findManyResultCSV id", "prad", "/work/findMany/jobs/$/result.csv", lookup, 404},
		{"findPaymentInfo ftin", "prad", `/billSearch/findPaymentInfo {"ftin":"$","billControlNumber":"B4444"}`, tin, 404},
		{"findPaymentInfo billControlNumber", "prad", `/billSearch/findPaymentInfo {"ftin":"111111111","billControlNumber":"$"}`,
			bill, 404},
		{"searchBillPriceSheet billRefNumber", "prad", `/billSearch/searchBillPriceSheet {"billRefNumber":"$"}`, bill, 404},
		{"searchBillReference billRefNumber", "prad", `/billSearch/searchBillReference {"billRefNumber":"$"}`, bill, 404},
		{"billImage id", "prad", "/billSearch/billImage/$", document, 404},
		{"deskRoster id", "isad", "/desk/rosters/$", any("99999"), 404},
		{"deskRosterChanges id", "isad", `/desk/rosters/$/changes {"table":{"page":0,"pageSize":10}}`, any("99999"), 404},
		{"updateDirectoryByRoster id", "isad", "/desk/rosters/$/directory", any("99999"), 404},
		{"handleRoster id", "isad", `/desk/rosters/$ {"seen":"NEW","state":"TAKEN"}`, any("99999"), 404},
		{"feedFilePage sourceId", "irad", `/desk/feeds/files/page {"days":9,"sourceId":$,"table":{"page":0,"pageSize":5}}`,
			any("987654"), 200},
		{"feedFile id", "irad", "/desk/feeds/files/$", any("987654"), 404},
		{"feedPlaces id", "irad", "/desk/feeds/files/$/places", any("987654"), 404},
		{"feedQuality sourceId", "irad", "/desk/feeds/quality?sourceId=$", any("987654"), 200},
		{"feedQualityFiles sourceId", "irad", "/desk/feeds/quality/files?measure=LINES&day=2026-03-02&sourceId=$", any("987654"), 200},
		{"feedQualityFiles measure", "irad", "/desk/feeds/quality/files?measure=$&day=2026-03-02", any("987654"), 400},
		{"feedQualityDays sourceId", "irad", "/desk/feeds/quality/days?sourceId=$", any("987654"), 200},
		{"takeFeedFileAgain id", "isad", "/desk/feeds/files/$/again", any("987654"), 404},
		{"deleteFeedSource id", "isad", "/desk/feeds/sources/$", any("987654"), 404},
		{"saveFeedSource id", "isad",
			`/desk/feeds/sources/$ {"name":"N","kind":"x12","pattern":"","expected":"","graceMinutes":0,"ownerMail":""}`,
			any("987654"), 404},
		{"matchCandidates id", "irad", `/desk/feeds/unmatched/candidates {"id":"$"}`, any("nothing"), 404},
		{"leavePayment id", "isad", `/desk/feeds/unmatched/leave {"id":"$"}`, any("nothing"), 404},
		{"joinPayment id", "isad", `/desk/feeds/joins {"id":"$","to":"x"}`, any("nothing"), 404},
		{"decideDuplicate id", "isad", `/desk/feeds/duplicates/decide {"id":"$","same":true}`, any("nothing"), 404},
		{"undoDuplicateDecision id", "isad", `/desk/feeds/duplicates/undo {"id":"$"}`, any("nothing"), 404},
		{"undoPaymentJoin ftin", "isad", `/desk/feeds/joins/undo {"ftin":"$","payment":"x"}`, any("987654321"), 409},
		{"undoPaymentJoin payment", "isad", `/desk/feeds/joins/undo {"ftin":"111111111","payment":"$"}`, any("nothing"), 409},
		{"deskFind q", "isad", `/desk/find {"q":"$"}`, any("987654"), 200},
		{"deskUser userName", "isad", `/desk/users/open {"userName":"$"}`, any("nobody"), 404},
		{"deskGroup id", "isad", `/desk/groups/open {"id":$}`, any("987654"), 404},
		{"actFromDesk userName", "isad", `/desk/users/mirror {"userName":"$"}`, any("nobody"), 404},
		{"deskDeadlines id", "isad", `/desk/bills/deadlines {"id":"$"}`, any("c2VhbGVk"), 404},
		{"endMail id", "isad", `/desk/queues/mails/$/end {}`, any("987654"), 404},
		{"retryJob id", "isad", `/desk/queues/jobs/$/retry {}`, any("987654"), 404},
		{"discardJob id", "isad", `/desk/queues/jobs/$/discard {}`, any("987654"), 404},
		{"deleteAccountDraft id", "isad", `/desk/queues/drafts/$`, any("987654"), 404},
		{"deskDocument id", "isad", `/desk/bills/document {"id":"$","kind":"eor"}`, any("c2VhbGVk"), 404},
		{"deskBill id", "isad", `/desk/bills/open {"id":"$"}`, any("c2VhbGVk"), 404},
		{"deskRemittance id", "isad", `/desk/remittances/open {"id":"$"}`, any("c2VhbGVk"), 404},
		{"savePayerContact payerId", "isad",
			`/desk/payer-contacts/$ {"name":"x","phone":"6145550100","extension":"","hours":"","ready":"",` +
				`"version":1}`, any("UNKNOWN"), 409},
		{"deletePayerContact payerId", "isad", "/desk/payer-contacts/$?version=1", any("UNKNOWN"), 404},
		{"billPage id", "prad", "/work/bills/$", page, 404},
		{"saveRule id", "isad", `/desk/rules/$ {"state":"OH","line":"WC","kind":"PAYER_PAY","basis":"RECEIVED","amount":1,` +
			`"unit":"DAYS","nextWorkday":false,"condition":"","rate":0,` +
			`"citation":"x","url":"https://a.example","text":"x","reviewedBy":"","status":"DRAFT","effective":"2020-01-01","version":0}`,
			any("UNKNOWN"), 404},
		{"billDeadlines id", "prad", "/work/bills/$/deadlines", page, 404},
		{"billCertificate id", "prad", "/work/bills/$/certificate", page, 404},
		{"openBills tins", "prad", `/work/bills/search {"filter":{"tins":["$"]}}`, tin, 200},
		{"openBills assigned", "prad", `/work/bills/search {"filter":{"assigned":"$"}}`, user, 404},
		{"openBills bills", "prad", `/work/bills/search {"filter":{"bills":["$"]}}`, page, 200},
		{"openBills lost", "prad", `/work/bills/search {"filter":{"lost":$}}`, loss, 200},
		{"openBillsSummary bills", "prad", `/work/bills/summary {"bills":["$"]}`, page, 200},
		{"openBillsSummary lost", "prad", `/work/bills/summary {"lost":$}`, loss, 200},
		{"openBillsExport tins", "prad", `/work/bills/export {"filter":{"tins":["$"]}}`, tin, 400},
		{"openBillsExport assigned", "prad", `/work/bills/export {"filter":{"assigned":"$"}}`, user, 404},
		{"openBillsExport bills", "prad", `/work/bills/export {"filter":{"bills":["$"]}}`, page, 400},
		{"openBillsExport lost", "prad", `/work/bills/export {"filter":{"lost":$}}`, loss, 400},
		{"openBillsExportState id", "prad", "/work/exports/$", viewFile, 404},
		{"openBillsExportRemove id", "prad", "/work/exports/$", viewFile, 404},
		{"openBillsExportFileXLSX id", "prad", "/work/exports/$/result.xlsx", viewFile, 404},
		{"openBillsExportFileCSV id", "prad", "/work/exports/$/result.csv", viewFile, 404},
		{"addSavedView tins", "prad", `/work/views {"name":"x","shared":false,"pinned":false,"definition":{"filter":{"tins":["$"]}}}`,
			tin, 404},
		{"addSavedView assigned", "prad", `/work/views {"name":"x","shared":false,"pinned":false,"definition":{"filter":{"assigned":"$"}}}`,
			user, 404},
		{"addSavedView bills", "prad", `/work/views {"name":"x","shared":false,"pinned":false,"definition":{"filter":{"bills":["$"]}}}`,
			page, 400},
		{"addSavedView lost", "prad", `/work/views {"name":"x","shared":false,"pinned":false,"definition":{"filter":{"lost":$}}}`,
			loss, 400},
		{"changeSavedView id", "prad",
			`/work/views/$ {"name":"x","shared":false,"pinned":false,"definition":{"filter":{}},"version":1,"position":0}`, view, 404},
		{"changeSavedView tins", "prad",
			`/work/views/OWN {"name":"x","shared":false,"pinned":false,"definition":{"filter":{"tins":["$"]}},"version":1,"position":0}`,
			tin, 404},
		{"changeSavedView assigned", "prad",
			`/work/views/OWN {"name":"x","shared":false,"pinned":false,"definition":{"filter":{"assigned":"$"}},"version":1,"position":0}`,
			user, 404},
		{"changeSavedView bills", "prad",
			`/work/views/OWN {"name":"x","shared":false,"pinned":false,"definition":{"filter":{"bills":["$"]}},"version":1,"position":0}`,
			page, 400},
		{"changeSavedView lost", "prad",
			`/work/views/OWN {"name":"x","shared":false,"pinned":false,"definition":{"filter":{"lost":$}},"version":1,"position":0}`,
			loss, 400},
		{"removeSavedView id", "prad", "/work/views/$", view, 404},
		{"putAwayLostAssignment id", "prad", "/work/lost-assignments/$", loss, 404},
		{"openBillsSummary tins", "prad", `/work/bills/summary {"tins":["$"]}`, tin, 200},
		{"openBillsSummary assigned", "prad", `/work/bills/summary {"assigned":"$"}`, user, 404},
		{"setOpenBills id", "prad", `/work/bills/work {"bills":[{"id":"$","version":0,"changed":0}],"marked":"done"}`, page, 200},
		{"setOpenBills assignTo", "prad", `/work/bills/work {"bills":[{"id":"x","version":0,"changed":0}],"assignTo":"$"}`, user, 404},
		{"billWork id", "prad", "/work/bills/$/work", page, 404},
		{"logPayerCall id", "prad",
			`/work/payer-calls {"requestKey":"k","bills":[{"id":"$","version":0}],"payer":"x","outcome":"other"}`, page, 409},
		{"payerCalls id", "prad", "/work/bills/$/payer-calls", page, 404},
		{"cases after", "prad", `/work/cases/page {"tab":"all","after":"$"}`, question, 404},
		{"askNetwork bills", "prad", `/work/cases {"requestKey":"k","topic":"PRICE","body":"x","bills":["$"]}`, page, 404},
		{"askNetwork ftin", "prad", `/work/cases {"requestKey":"k","topic":"PRICE","body":"x","ftin":"$"}`, tin, 404},
		{"askNetwork remittance", "prad", `/work/cases {"requestKey":"r","topic":"PRICE","body":"x","remittance":"$"}`, remittance, 404},
		{"askNetwork files", "prad", `/work/cases {"requestKey":"f","topic":"PRICE","body":"x","files":[$]}`, caseFile, 400},
		{"replyToCase files", "prad", "/work/cases/" + ownCase.Number + `/reply {"requestKey":"1","body":"x","files":[$]}`, caseFile, 400},
		{"caseFile number", "prad", "/work/cases/$/files/1", question, 404},
		{"caseFile id", "prad", "/work/cases/" + ownCase.Number + "/files/$", caseFile, 404},
		{"deskCaseFile number", "isad", "/desk/cases/$/files/1", deskQuestion, 404},
		{"deskCaseFile id", "isad", "/desk/cases/" + ownCase.Number + "/files/$", caseFile, 404},
		{"answerCase files", "isad", "/desk/cases/" + ownCase.Number + `/answer {"requestKey":"2","version":1,"body":"x","files":[$]}`,
			caseFile, 400},
		{"askOffice files", "isad", "/desk/cases/" + ownCase.Number + `/ask {"requestKey":"3","version":1,"body":"x","files":[$]}`,
			caseFile, 400},
		{"noteCase files", "isad", "/desk/cases/" + ownCase.Number + `/note {"requestKey":"4","version":1,"body":"x","files":[$]}`,
			caseFile, 400},
		{"noteCase number", "isad", `/desk/cases/$/note {"requestKey":"5","version":1,"body":"x"}`, deskQuestion, 404},
		{"openCallAsQuestion number", "isad", `/desk/cases/$/open {"version":1}`, deskQuestion, 404},
		{"setWriting number", "isad", `/desk/cases/$/writing {"writes":true}`, deskQuestion, 404},
		{"saveReply id", "isad", `/desk/replies {"id":$,"title":"x","body":"y","version":1}`, named{"", "999999"}, 404},
		{"deleteReply id", "isad", "/desk/replies/$?version=1", named{"", "999999"}, 404},
		{"mergeCase number", "isad", `/desk/cases/$/merge {"version":1,"into":"C-2222-2222"}`, deskQuestion, 404},
		{"mergeCase into", "isad", "/desk/cases/" + ownCase.Number + `/merge {"version":1,"into":"$"}`, deskQuestion, 400},
		{"logCall bills", "isad", `/desk/calls {"requestKey":"k","bills":["$"]}`, named{"", "c2VhbGVk"}, 404},
		{"logCall office", "isad", `/desk/calls {"requestKey":"k","bills":["x"],"office":$}`, named{"", "999999"}, 404},
		{"undoCall number", "isad", "/desk/calls/$?entry=1", deskQuestion, 404},
		{"undoCall entry", "isad", "/desk/calls/" + ownCase.Number + "?entry=$", named{"1", "999999"}, 409},
		{"readCase number", "prad", "/work/cases/$", question, 404},
		{"caseVersion number", "prad", "/work/cases/$/version", question, 404},
		{"replyToCase number", "prad", `/work/cases/$/reply {"requestKey":"6","body":"x"}`, question, 404},
		{"caseHelped number", "prad", `/work/cases/$/helpful {"version":1}`, question, 404},
		{"withdrawCase number", "prad", `/work/cases/$/withdraw {"version":1}`, question, 404},
		{"casesOfBill id", "prad", "/work/bills/$/cases", page, 404},
		{"deskCase number", "isad", "/desk/cases/$", deskQuestion, 404},
		{"answerCase number", "isad", `/desk/cases/$/answer {"requestKey":"7","version":1,"body":"x"}`, deskQuestion, 404},
		{"askOffice number", "isad", `/desk/cases/$/ask {"requestKey":"8","version":1,"body":"x"}`, deskQuestion, 404},
		{"recordComplaint userName", "isad", `/desk/cases {"requestKey":"k","origin":"PHONE","receivedOn":"2026-03-01","body":"x",
			"categories":["FEES"],"userName":"$"}`, named{"", "nobody"}, 400},
		{"recordComplaint ftin", "isad", `/desk/cases {"requestKey":"k","origin":"PHONE","receivedOn":"2026-03-01","body":"x",
			"categories":["FEES"],"userName":"prad","ftin":"$"}`, tin, 400},
		{"recordComplaint bills", "isad", `/desk/cases {"requestKey":"k","origin":"PHONE","receivedOn":"2026-03-01","body":"x",
			"categories":["FEES"],"userName":"prad","ftin":"111111111","bills":["$"]}`, named{"B4444", "B9999"}, 400},
		{"caseLetter number", "prad", "/work/cases/$/letters/1", complaint, 404},
		{"caseLetter letter", "prad", "/work/cases/" + ownComplaint.Number + "/letters/$", complaintLetter, 404},
		{"deskCaseLetter number", "isad", "/desk/cases/$/letters/1", deskQuestion, 404},
		{"deskCaseLetter letter", "isad", "/desk/cases/" + ownComplaint.Number + "/letters/$", complaintLetter, 404},
		{"mailLetter number", "isad", `/desk/cases/$/letters/1/mailed {"mailedOn":"2026-03-01","version":1}`, deskQuestion, 404},
		{"mailLetter letter", "isad", "/desk/cases/" + ownComplaint.Number + `/letters/$/mailed {"mailedOn":"2026-03-01","version":1}`,
			complaintLetter, 404},
		{"takeCase number", "isad", `/desk/cases/$/take {"version":1}`, deskQuestion, 404},
		{"releaseCase number", "isad", `/desk/cases/$/release {"version":1}`, deskQuestion, 404},
		{"assignCase number", "isad", `/desk/cases/$/assign {"userName":"isad","version":1}`, deskQuestion, 404},
		{"assignCase userName", "isad", "/desk/cases/" + asking.Number + `/assign {"userName":"$","version":1}`, user, 409},
		{"setStaffRole userName", "isad", `/desk/staff/$ {"role":"CASES","seen":""}`, any("nobody"), 404},
		{"billContacts bills", "prad", `/work/bills/contacts {"bills":["$"]}`, page, 200},
		{"billNotes id", "prad", "/work/bills/$/notes", page, 404},
		{"addBillNote id", "prad", `/work/bills/$/notes {"body":"x"}`, page, 404},
		{"editBillNote id", "prad", `/work/bills/$/notes/1 {"body":"x"}`, page, 404},
		{"editBillNote note", "prad", "/work/bills/" + ownPage + `/notes/$ {"body":"x"}`, note, 404},
		{"strikeBillNote id", "prad", "/work/bills/$/notes/1", page, 404},
		{"strikeBillNote note", "prad", "/work/bills/" + ownPage + "/notes/$", note, 404},
		{"watch bills", "prad", `/work/watches {"bills":["$"],"of":"bill","watched":true}`, page, 404},
		{"endWatch id", "prad", "/work/watches/$", watch, 404},
		{"watched id", "prad", "/work/bills/$/watched", page, 404},
		{"setAlertSettings tins", "prad", `/work/alerts/settings {"digest":"daily","hour":7,"watches":false,"questions":true,"tins":["$"]}`,
			tin, 404},
		{"addMailbox tins", "prad", `/work/mailboxes {"email":"a@example.com","digest":"daily","hour":7,"tins":["$"]}`, tin, 404},
		{"removeMailbox id", "prad", "/work/mailboxes/$", mailbox, 404},
		{"imageExist id", "prad", "/billSearch/imageExist?id=$", document, 200},
		{"precheckEor url", "prad", "/billSearch/precheckEor?url=/api/billSearch/billImage/x?id=$", document, 404},
		{"billImageUrl billControlNumber", "prad", "/billSearch/billImage/$/true/x", bill, 404},
		{"billImageUrl exId", "prad", "/billSearch/billImage/B4444/true/$", document, 404},

		// Remittances.
		{"searchRemittances number", "prad", `/remittances/search {"number":"$",` + table + `}`, named{"CHECK-4", "CHECK-9"}, 200},
		{"searchRemittances ftin", "prad", `/remittances/search {"ftin":"$",` + table + `}`, tin, 404},
		{"remittancePage id", "prad", "/remittances/$", remittance, 404},
		{"remittanceVoucher id", "prad", "/remittances/$/voucher", remittance, 404},
		{"remittance835 id", "prad", "/remittances/$/835", remittance, 404},
		{"remittanceLines id", "prad", "/remittances/$/lines.csv", remittance, 404},
		{"remittanceWorkbook id", "prad", "/remittances/$/lines.xlsx", remittance, 404},
		{"postRemittances ids", "prad", `/remittancePosts {"ids":["$"],"posted":true}`, remittance, 404},
		{"exportRemittances ids", "prad", `/remittanceExports {"ids":["$"]}`, remittance, 404},
		{"remittanceExport id", "prad", "/remittanceExports/$", exported, 404},
		{"remittanceExportFile id", "prad", "/remittanceExports/$/file", exported, 404},

		// The directory.
		{"clientDetails providerId", "prad", "/clients/getClientDetails/$/111111111", provider, 200},
		{"clientDetails tin", "prad", "/clients/getClientDetails/700/$", tin, 404},
		{"clientsByLob providerId", "prad", "/clients/getClientsByLOB/WC/$/OH/X/111111111", provider, 200},
		{"clientsByLob tin", "prad", "/clients/getClientsByLOB/WC/700/OH/X/$", tin, 404},
		{"clientProducts providerId", "prad", "/clients/getProductsByProv/WC/$/OH/111111111", provider, 200},
		{"clientProducts tin", "prad", "/clients/getProductsByProv/WC/700/OH/$", tin, 404},
		{"clientProviders tin", "prad", "/clients/list/$", tin, 404},
		{"clientStates providerId", "prad", "/clients/states/P/$", provider, 404},
		{"namesOfTins ftins", "prad", `/provider/officeNames {"ftins":["$"]}`, tin, 200},
		{"providerList tin", "prad", "/provider/list/$", tin, 404},
		{"providerList prv-id", "prad", "/provider/list/111111111?prv-id=$", provider, 200},
		{"providerPage ftin", "prad", `/provider/page {"ftin":"$",` + table + `}`, tin, 404},
		{"physician prvId", "prad", "/provider/Phys/$", provider, 404},
		{"physicianLicenses prvId", "prad", "/provider/Phys/Lic/$", provider, 404},
		{"physicianLocations prvId", "prad", "/provider/Phys/Loc/$", provider, 404},
		{"physicianSpecialties prvId", "prad", "/provider/Phys/Spec/$", provider, 404},
		{"facility prvId", "prad", "/provider/facility/$", provider, 404},
		{"facilityLicenses prvId", "prad", "/provider/Fac/Lic/$", provider, 404},
		{"facilityLocations prvId", "prad", "/provider/facility/Loc/$", provider, 404},

		// Fee schedules.
		{"nationalRateCodes providerId", "prad", "/feeSchedule/getNationalRateCodes/DPWC/$/111111111", provider, 200},
		{"nationalRateCodes tin", "prad", "/feeSchedule/getNationalRateCodes/DPWC/700/$", tin, 404},
		{"nationalRateCodePage providerId", "prad", `/feeSchedule/rateCodes/page {"lob":"DPWC","providerId":"$","tin":"111111111",` +
			table + `}`, provider, 200},
		{"nationalRateCodePage tin", "prad", `/feeSchedule/rateCodes/page {"lob":"DPWC","providerId":"700","tin":"$",` + table + `}`,
			tin, 404},
		{"addFeeScheduleRequest user", "prad", "/feeSchedule/addFeeSchedRequest/$/R1/701/-/-", user, 403},
		{"addFeeScheduleRequest providerId", "prad", "/feeSchedule/addFeeSchedRequest/prad/R1/$/-/-", provider, 404},
		{"addFeeScheduleRequest tin", "prad", "/feeSchedule/addFeeSchedRequest/prad/R1/700/-/-?tin=$", tin, 404},
		{"userFeeScheduleRequests user", "prad", "/feeSchedule/getUserFeeSchedRequests/$", user, 403},
		{"submitFeeScheduleAndNotify userName", "prad", "/feeSchedule/submitFeeScheduleAndNotify?userName=$&feeSchedRqstId=1", user, 403},
		{"submitFeeScheduleAndNotify feeSchedRqstId", "prad", "/feeSchedule/submitFeeScheduleAndNotify?userName=prad&feeSchedRqstId=$",
			asked, 404},
		{"viewFeeSchedules user", "prad", "/feeSchedule/viewed/$", user, 403},
		{"askFeeScheduleAgain id", "prad", "/feeSchedule/lost/$/again", lost, 404},
		{"dismissFeeSchedule id", "prad", "/feeSchedule/lost/$/dismiss", lost, 404},
		{"feeScheduleFile id", "prad", "/feeSchedule/file/$?usrName=prad", asked, 404},
		{"feeScheduleFile usrName", "prad", "/feeSchedule/file/1?usrName=$", user, 403},
		{"feeScheduleFile mirrorNm", "prad", "/feeSchedule/file/1?usrName=prad&mirrorNm=$", user, 403},

		// Notifications.
		{"createNotification userNotList", "isad", `/notifications/create {"name":"N","userNotList":"$"}`, any("987654"), 400},
		{"updateNotification userNotList", "isad", `/notifications/update {"wcp_notification_id":987654,"name":"N","userNotList":"$"}`,
			any("987654"), 404},
		{"updateNotification wcp_notification_id", "isad", `/notifications/update {"wcp_notification_id":$,"name":"N"}`,
			any("987654"), 404},
		{"announce wcp_notification_id", "isad", `/notifications/announcement {"wcp_notification_id":$,"name":"N"}`, any("987654"), 404},
		{"announce userNotList", "isad", `/notifications/announcement {"name":"N","userNotList":"$"}`, any("987654"), 400},
		{"announce groups", "isad", `/notifications/announcement {"name":"N","audience":{"groups":[$]}}`, any("987654"), 400},
		{"announce tins", "isad", `/notifications/announcement {"name":"N","audience":{"tins":["$"]}}`, any("999999999"), 400},
		{"announce excluded", "isad", `/notifications/announcement {"name":"N","audience":{"excluded":[$]}}`, any("987654"), 400},
		{"countAudience groups", "isad", `/notifications/audience {"groups":[$]}`, any("987654"), 400},
		{"countAudience tins", "isad", `/notifications/audience {"tins":["$"]}`, any("999999999"), 400},
		{"countAudience excluded", "isad", `/notifications/audience {"excluded":[$]}`, any("987654"), 400},
		{"deleteNotification id", "isad", "/notifications/delete/$", any("987654"), 404},
		{"recallNotification id", "isad", "/notifications/deleteUser/$", any("987654"), 404},
		{"notificationEvents userId", "prad", "/notifications/events/$", userID, 403},
		{"userNotifications userId", "prad", "/notifications/user/$", userID, 403},
		{"viewNotification userId", "prad", `/notifications/viewed/$ {"wcp_notification_id":1}`, userID, 403},
		{"viewNotification wcp_notification_id", "prad", fmt.Sprintf(`/notifications/viewed/%d {"wcp_notification_id":$}`,
			p.user("prad").ID), notice, 204},

		{"groupNames groupIds", "isad", `/desk/groups/names {"groupIds":[$]}`, any("987654"), 200},
		{"groupUse groupId", "isad", "/desk/groups/$/use", any("987654"), 404},
		{"nameGroup groupId", "isad", `/desk/groups/$/name {"name":"North"}`, any("987654"), 404},
		{"setGroupStatus groupId", "isad", `/desk/groups/$/status {"statusCd":"INACT"}`, any("987654"), 404},
		{"endStatusLine id", "isad", "/desk/status/$", any("987654"), 404},

		{"answerReview id", "prad", `/work/access/items/$ {"kept":true,"version":0}`, userID, 404},
		{"finishReview id", "prad", fmt.Sprintf(`/work/access/$/finish {"name":"%s %s"}`, p.user("prad").FirstName,
			p.user("prad").LastName), review, 404},
		{"accessReviewFile id", "prad", "/work/access/$/file", review, 404},
		{"answerVisitRequest id", "prad", `/work/visits/requests/$/answer {"agree":true}`, visitRequest, 404},
		{"visitStanding userName", "isad", `/desk/visits/standing {"userName":"$"}`, any("nobody"), 404},
		{"askVisit userName", "isad", `/desk/visits/ask {"userName":"$"}`, any("nobody"), 404},
		{"overrideVisit userName", "isad", `/desk/visits/override {"userName":"$","reason":"an emergency"}`, any("nobody"), 404},
		{"visitOpenings id", "prad", `/work/visits/$/openings {"table":{"page":0,"pageSize":5}}`, visit, 404},

		// Rosters.
		{"rosterSourcesOfGroup id", "rous", "/roster/source/group/$", rosterGroup, 404},
		{"rosterSourceGroupsOfGroup id", "rous", "/roster/sourceGroup/$", rosterGroup, 404},
		{"rosterUploadLogs id", "rous", "/roster/uploadLogs/group/$", rosterGroup, 404},
		{"rosterUploadPage groupId", "rous", `/roster/uploadLogs/page {"groupId":$,` + table + `}`, rosterGroup, 404},
		{"rosterFile logId", "rous", "/roster/file/$/1", upload, 404},
		{"rosterFile number", "road", "/roster/file/" + upload.foreign + "/$", any("9"), 404},
		{"correctedRosterFile logId", "rous", "/roster/file/$/1/corrected", upload, 404},
		{"correctedRosterFile number", "road", "/roster/file/" + upload.foreign + "/$/corrected", any("9"), 404},
		{"correctedRosterCheck id", "rous", "/roster/check/$/corrected", corrected, 404},
		{"addRosterSource groupId", "road", "/roster/user/group/addSource?sourceId=203&groupId=$",
			named{fmt.Sprint(p.groupOf("rous")), "987654"}, 404},
		{"addRosterSource sourceId", "road", "/roster/user/group/addSource?groupId=" + rosterGroup.foreign + "&sourceId=$",
			any("987654"), 404},
		{"removeRosterSource groupId", "road", "/roster/user/group/removeSource?sourceId=201&groupId=$",
			named{fmt.Sprint(p.groupOf("rous")), "987654"}, 404},
		{"removeRosterSource sourceId", "road", "/roster/user/group/removeSource?groupId=" + rosterGroup.foreign + "&sourceId=$",
			any("987654"), 404},
		{"uploadRoster groupId", "road", "/roster/upload groupId=$", named{"20201", "987654"}, 400},
		{"uploadRoster sourceId", "road", "/roster/upload sourceId=$", named{"202", "987654"}, 400},
		{"uploadRoster username", "road", "/roster/upload username=$", user, 403},
		{"checkRoster groupId", "road", "/roster/check groupId=$", named{"20201", "987654"}, 400},
		{"checkRoster sourceId", "road", "/roster/check sourceId=$", named{"202", "987654"}, 400},
		{"checkRoster username", "road", "/roster/check username=$", user, 403},
	}
}
