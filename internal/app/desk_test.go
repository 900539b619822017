package app_test

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/bills/detail"
	"wcpp/internal/desk"
	"wcpp/internal/identity/access"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/ingest"
)

// startSupport starts a desk session with a reason.
func (p *portal) startSupport(who, reason string) option {
	p.t.Helper()
	token := bearer(p.signIn(who))
	p.want(p.post("/desk/sitting", fields{"reason": reason, "reference": "C-7", "text": "asked for it"}, token), 200, "")
	return token
}

// deskFind returns the desk's search results, with a short form of each.
func (p *portal) deskFind(token option, q string) (found desk.AnyFound, short string) {
	p.t.Helper()
	r := p.post("/desk/find", fields{"q": q}, token)
	p.want(r, 200, "")
	r.into(p.t, &found)
	var list []string
	for _, o := range found.Offices {
		list = append(list, fmt.Sprintf("office %d", o.ID))
	}
	for _, f := range found.People {
		list = append(list, "person "+f.UserName)
	}
	for _, b := range found.Bills {
		list = append(list, "bill "+b.Number)
	}
	for _, c := range found.Remittances {
		list = append(list, "check "+c.Number)
	}
	for _, c := range found.Claims {
		list = append(list, "claim "+c.Number)
	}
	return found, strings.Join(list, ", ")
}

// check adds a check without bills.
func (p *portal) check(ftin, number string) {
	p.t.Helper()
	p.exec(`INSERT INTO remittances (ftin, remittance, trace_number, trace_number_key, payer, payer_tax_id, payer_id, payer_name,
		payer_name_key, paid_on, handling, method, payees,
			amount, paid, adjusted, bills, reversals, balanced, contacts, file_sha256, set_offset, set_length, first_seen_at)
		VALUES ($1, 'r', $2, $3, 'P', '', '', 'Payer', 'payer', '2026-01-05', 'I', 'CHK', 1, 500, 500, 0, 0, 0, $4, 'null', '', 0, 0, $5)`,
		ftin, number, strings.ToLower(strings.ReplaceAll(number, "-", "")), true, db.At(p.clock.Now()))
}

// Staff must enter a reason first, without numbers that identify someone.
func TestDeskSitting(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		p.onFile()
		token := bearer(p.signIn("irad"))
		for _, call := range []string{"/desk/find", "/desk/bills/open"} {
			sent := fields{"q": "B4444"}
			if call != "/desk/find" {
				sealed, err := p.Bills.Records.PageID("444444444", "b4444")
				require.NoError(t, err)
				sent = fields{"id": sealed}
			}
			p.want(p.post(call, sent, token), 400, "Start a support session first.")
		}
		for _, c := range []struct {
			sent fields
			want string
		}{
			{fields{"reason": "CALL"}, ""},
			{fields{"reason": "CASE"}, "reference: Enter the case number"},
			{fields{"reason": "CASE", "reference": "123-45-6789"}, "reference: Remove ID numbers from the reason"},
			{fields{"reason": "CASE", "reference": strings.Repeat("x", 21)}, "reference: Up to 20 characters"},
			{fields{"reason": "OTHER"}, "text: Enter a reason"},
			{fields{"reason": "OTHER", "text": "bill 7000001052"}, "text: Remove ID numbers from the reason"},
			{fields{"reason": "OTHER", "text": "call 216 555 0148"}, "text: Remove ID numbers from the reason"},
			{fields{"reason": "OTHER", "text": strings.Repeat("x", 121)}, "text: Up to 120 characters"},
			{fields{"reason": "OTHER", "text": "12345678 of 10"}, ""},
		} {
			r := p.post("/desk/sitting", c.sent, token)
			if got := r.fields(); got != c.want || (r.status == 200) != (c.want == "") {
				t.Errorf("%v: %d %s", c.sent, r.status, r.body)
			}
		}
		p.want(p.post("/desk/sitting", fields{"reason": "IDLE"}, token), 400, "")
		assert.Equal(t, 1, p.count(`SELECT count(*) FROM desk_access WHERE ended_at IS NULL`))
		p.want(p.post("/desk/find", fields{"q": "B4444"}, token), 200, "")
		p.want(p.do("DELETE", "/api/desk/sitting", nil, token), 204, "")
		p.want(p.post("/desk/find", fields{"q": "B4444"}, token), 400, "Start a support session first.")
		p.audited(2, `operation = 'desk-begin' AND actor = 'irad'`)
		p.audited(2, `operation = 'desk-end' AND actor = 'irad'`)

		p.startSupport("isad", "CALL")
		p.clock.Advance(13 * time.Hour)
		p.want(p.post("/desk/find", fields{"q": "B4444"}, bearer(p.signIn("isad"))), 400, "Start a support session first.")
	})
}

// Numbers and names find exact matches from any office and nothing else.
func TestDeskFind(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		p.onFile()
		p.bill("222222222", "B-22 22", "WC-1")
		p.check("222222222", "CHECK-4")
		p.exec(`INSERT INTO claims (claim_number, claim_number_key, payer_id, payer_name, claimant_first_name, claimant_last_name,
			claimant_first_name_key, claimant_last_name_key,
				claimant_birth_date, date_of_injury, state_of_jurisdiction, claimant_gender)
			VALUES ('WC-77', 'wc-77', '1', 'Payer', 'Ann', 'Doe', 'ann', 'doe', '1980-01-01', '2025-01-01', 'TX', 'F')`)
		p.exec(`UPDATE providers SET npi = '1234567893' WHERE provider_id = '700'`)
		p.exec(`INSERT INTO provider_tins (ftin, provider_id) VALUES ('222222222', '700')`)
		token, group := p.startSupport("isad", "CALL"), p.groupOf("prad")
		const hint = "To find document, patient account and payer numbers, enter the Tax ID first: 123456789 A1234."
		for q, want := range map[string][2]string{
			"b4444": {"bill B4444"}, " B2222": {"bill B-22 22"}, "b-2222": {"bill B-22 22"}, "b444": {"", hint}, "%": {"", hint},
			"check 4": {"check CHECK-4"}, "wc-77": {"claim WC-77"}, "D4444": {"", hint}, "444444444 D4444": {"bill B4444"},
			"44-4444444 d4444": {"bill B4444"}, "wc–77": {"claim WC-77"}, "check–4": {"check CHECK-4"}, "#B-44 44.": {"bill B4444"},
			"222222222 wc-1": {"bill B-22 22"}, "444444444 WC-1": {"", ""},
			"222222222": {fmt.Sprintf("office %d", group)}, "22-2222222": {fmt.Sprintf("office %d", group)},
			"22–2222222": {fmt.Sprintf("office %d", group)}, "22–2222222 wc-1": {"bill B-22 22"},
			fmt.Sprint(group): {fmt.Sprintf("office %d", group)},
			"1234567893":      {fmt.Sprintf("office %d", group)},
			"444444444":       {"", "No office has this Tax ID, but bills exist for it."},
			"999999998":       {"", "No office has this Tax ID, and no bills exist for it."},
			"PRUS":            {"person prus"}, "prus@EXAMPLE.com": {"person prus"}, "nobody@example.com": {"", ""},
		} {
			if found, short := p.deskFind(token, q); short != want[0] || found.Hint != want[1] || found.More {
				t.Errorf("%q: %s, %+v", q, short, found)
			}
		}
		for q, want := range map[string]string{"  ": "q: Enter a number, a username or an email address",
			strings.Repeat("7", 121): "q: Up to 120 characters"} {
			if r := p.post("/desk/find", fields{"q": q}, token); r.status != 400 || r.fields() != want {
				t.Errorf("%q: %d %s", q, r.status, r.body)
			}
		}
		// The search shows at most 20 matches and says that there are more.
		for i := range 25 {
			p.check(fmt.Sprintf("7%08d", i), "SAME-1")
		}
		if found, _ := p.deskFind(token, "same 1"); len(found.Remittances) != 20 || !found.More {
			t.Errorf("%d, more %v", len(found.Remittances), found.More)
		}
		p.audited(1, `operation = 'desk-find' AND actor = 'isad' AND detail LIKE 'desk:_% call' AND searched <> ''
			AND answered = '["B4444"]' AND subject = '444444444'
				AND id = (SELECT min(id) FROM audit_log WHERE operation = 'desk-find' AND answered = '["B4444"]')`)
		assert.NotContains(t, strings.ToLower(p.logged()), "b4444", "the log names a bill")
	})
}

// An opening is audited before the response, in a log that the office can read. The desk sees
// the same as the office, and whether the office viewed it.
func TestDeskOpens(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		p.onFile()
		p.bill("111111111", "B1112", "WC-1")
		p.bill("111111111", "B1113", "WC-1")
		p.bill("222222222", "B2222", "WC-1")
		p.check("111111111", "CHECK-4")
		p.add("ada", access.PRAD, 0, "444444444")
		token := p.startSupport("isad", "CALL")
		bill, _ := p.deskFind(token, "b1112")
		check, _ := p.deskFind(token, "check4")
		open := func(what, id string) reply { return p.post("/desk/"+what+"/open", fields{"id": id}, token) }

		var page detail.DeskBillPage
		r := open("bills", bill.Bills[0].ID)
		p.want(r, 200, "")
		r.into(t, &page)
		if b := page.Page.Bill; b.BillControlNumber != "B1112" || page.Seen != nil || len(page.Page.SameClaim) != 1 ||
			page.Page.SameClaim[0].BillControlNumber != "B1113" {
			t.Errorf("%s", r.body)
		}
		p.audited(1, `operation = 'desk-open-bill' AND actor = 'isad' AND subject = '111111111 B1112' AND detail LIKE 'desk:_% call'
			AND answered = '["B1112"]'`)
		p.audited(1, `operation = 'desk-see-bills' AND subject = '111111111' AND answered = '["B1113"]'`)
		prad := bearer(p.signIn("prad"))
		if history, short := p.entries(prad, fields{"operation": "desk-open-bill"}, nil); len(short) != 1 ||
			!strings.HasSuffix(history.Rows[0].Detail, " call") {
			t.Errorf("the office reads %v", short)
		}
		if _, short := p.entries(bearer(p.signIn("ada")), fields{"operation": "desk-open-bill"}, nil); len(short) != 0 {
			t.Errorf("another office reads %v", short)
		}

		// An office view shows at the desk. The desk's own views don't count as the office's.
		p.want(p.do("GET", "/api/work/bills/"+bill.Bills[0].ID, nil, prad), 200, "")
		p.want(p.do("GET", "/api/remittances/"+check.Remittances[0].ID, nil, prad), 200, "")
		open("bills", bill.Bills[0].ID).into(t, &page)
		if page.Seen == nil || page.Seen.By != "prad" {
			t.Errorf("seen %+v", page.Seen)
		}
		r = open("remittances", check.Remittances[0].ID)
		if p.want(r, 200, ""); !strings.Contains(string(r.body), `"seen":{"by":"prad"`) || !strings.Contains(string(r.body), "CHECK-4") {
			t.Errorf("%s", r.body)
		}
		p.audited(1, `operation = 'desk-open-remittance' AND subject = '111111111 CHECK-4' AND detail LIKE 'desk:_% call'`)

		// Staff can't open office pages, and others can't open the desk.
		p.want(p.do("GET", "/api/work/bills/"+bill.Bills[0].ID, nil, token), 404, "")
		for _, who := range []string{"prad", "isad>prad", "irad>prad", "nnus", "road"} {
			p.want(p.post("/desk/bills/open", fields{"id": bill.Bills[0].ID}, bearer(p.tokenOf(who))), 403, "")
		}

		// Data isn't shown if the audit entry can't be written.
		p.exec(map[string]string{
			"sqlite": `CREATE TRIGGER refuse BEFORE INSERT ON audit_log WHEN NEW.operation LIKE 'desk-%' BEGIN
				SELECT RAISE(ABORT, 'refused'); END`,
			"postgres": `ALTER TABLE audit_log ADD CONSTRAINT refuse CHECK (operation NOT LIKE 'desk-%') NOT VALID`,
		}[p.DB.Dialect.Name])
		for what, id := range map[string]string{"bills": bill.Bills[0].ID, "remittances": check.Remittances[0].ID} {
			if r := open(what, id); r.status != 500 || strings.Contains(string(r.body), "Doe") ||
				strings.Contains(string(r.body), "CHECK") {
				t.Errorf("%s: %d %s", what, r.status, r.body)
			}
		}
	})
}

// Staff open a bill's documents in a support session. The office reads it in its log, and it
// doesn't count as the office's opening.
func TestDeskOpensDocuments(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		p.takeTable("bills", paperBills)
		sheet := textPDF(t, "Their sheet")
		p.takeDocuments("documents-1.zip", "111111111,B-1,eor,a\n111111111,S-1,pricing-sheet,b\n",
			map[string][]byte{"a": textPDF(t, "Their EOR"), "b": sheet}, ingest.Options{})
		sealed := func(number string) string {
			id, err := p.Bills.Records.PageID("111111111", number)
			require.NoError(t, err)
			return id
		}
		open := func(token option, number, document string) reply {
			return p.post("/desk/bills/document", fields{"id": sealed(number), "kind": document}, token)
		}
		p.want(open(bearer(p.signIn("isad")), "b-1", "eor"), 400, "Start a support session first.")
		p.audited(0, `operation = 'desk-open-eor'`)

		token := p.startSupport("isad", "CALL")
		for _, c := range []struct{ bill, document string }{{"b-1", "eor"}, {"s-1", "pricing-sheet"}} {
			r := open(token, c.bill, c.document)
			p.want(r, 200, "")
			if r.header.Get("Content-Type") != "application/pdf" || !strings.HasPrefix(string(r.body), "%PDF") {
				t.Errorf("%v: %v", c, r.header)
			}
			p.audited(1, `operation = 'desk-open-`+c.document+`' AND actor = 'isad' AND detail LIKE 'desk:_% call' AND answered = '["`+
				strings.ToUpper(c.bill)+`"]'`)
		}
		assert.True(t, bytes.Equal(open(token, "s-1", "pricing-sheet").body, sheet), "not the network's document")
		var page detail.DeskBillPage
		p.post("/desk/bills/open", fields{"id": sealed("b-1")}, token).into(t, &page)
		assert.Nil(t, page.Seen)
		if _, short := p.entries(bearer(p.signIn("prad")), fields{"operation": "desk-open-eor"}, nil); len(short) != 1 {
			t.Errorf("the office reads %v", short)
		}

		// What a bill doesn't have isn't opened.
		for _, c := range []struct{ bill, document string }{
			{"b-1", "image"}, {"b-2", "image"}, {"b-2", "eor"}, {"b-1", "pricing-sheet"}, {"b-9", "eor"},
		} {
			p.want(open(token, c.bill, c.document), 404, "")
		}
		p.audited(0, `operation = 'desk-open-image'`)
		p.want(open(token, "b-1", "certificate"), 400, "")
		for _, who := range []string{"prad", "isad>prad", "irad>prad", "nnus", "road"} {
			p.want(open(bearer(p.tokenOf(who)), "b-1", "eor"), 403, "")
		}

		p.exec(map[string]string{
			"sqlite": `CREATE TRIGGER refuse BEFORE INSERT ON audit_log WHEN NEW.operation LIKE 'desk-%' BEGIN
				SELECT RAISE(ABORT, 'refused'); END`,
			"postgres": `ALTER TABLE audit_log ADD CONSTRAINT refuse CHECK (operation NOT LIKE 'desk-%') NOT VALID`,
		}[p.DB.Dialect.Name])
		if r := open(token, "b-1", "eor"); r.status != 500 || strings.Contains(string(r.body), "%PDF") {
			t.Errorf("%d %s", r.status, r.body)
		}
	})
}

// An office's card shows only that office's data. The audit entry comes before any read.
func TestDeskOffice(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		p.onFile()
		p.bill("111111111", "B1112", "WC-1")
		p.exec(`UPDATE bills SET open_state = 'N' WHERE bill_control_number_key = 'b1112'`)
		p.exec(`INSERT INTO bill_changes (ftin, bill_control_number_key, kind, bill_status, occurred_on, at, quiet)
			VALUES ('111111111', 'b1112', 'RECEIVED', '1', '2026-01-05', $1, $2)`,
			db.At(p.clock.Now()), false)
		p.exec(`INSERT INTO bill_changes (ftin, bill_control_number_key, kind, bill_status, occurred_on, at, quiet)
			VALUES ('444444444', 'b4444', 'RECEIVED', '1', '2026-01-05', $1, $2)`,
			db.At(p.clock.Now()), false)
		p.exec(`INSERT INTO mails (kind, to_address, subject_id, status, attempts, last_error, created_at)
			VALUES ('registration', 'prus@example.com', 1, 'failed', 13, 'mailbox full', $1)`, db.At(p.clock.Now()))
		p.exec(`INSERT INTO mails (kind, to_address, subject_id, status, attempts, last_error, created_at)
			VALUES ('registration', 'nnus@example.com', 1, 'failed', 13, 'mailbox full', $1)`, db.At(p.clock.Now()))
		p.exec(`INSERT INTO fee_schedule_requests (user_id, national_rate_code, provider_id, location_name, zip, status, created_at)
			VALUES ($1, 'NRC-1', '700', 'x', '44101', 'DONE', $2)`,
			p.user("prad").ID, db.At(p.clock.Now()))
		p.exec(`INSERT INTO notifications (name, link, send_date, status, created_at, created_by, updated_at, updated_by)
			VALUES ('Closed on Monday', '', '2026-01-05', 'SENT', $1, 'isad', $1, 'isad')`, db.At(p.clock.Now()))
		p.exec(`INSERT INTO user_notifications (user_id, notification_id, sent_at) SELECT $1, max(id), $2
			FROM notifications`, p.user("prus").ID, db.At(p.clock.Now()))
		token, group := p.startSupport("irad", "CASE"), p.groupOf("prad")
		open := func(id int64) reply { return p.post("/desk/groups/open", fields{"id": id}, token) }

		var card desk.OfficePage
		r := open(group)
		p.want(r, 200, "")
		r.into(t, &card)
		var people []string
		for _, u := range card.People {
			people = append(people, u.UserName)
		}
		assert.Equal(t, "[111111111 222222222] 2 [prad prus]", fmt.Sprint(card.TINs, card.TINCount, people), r.body)
		if len(card.Changes) != 1 || card.Changes[0].Number != "B1112" || card.Changes[0].Change != "RECEIVED" || len(card.Open) != 2 ||
			card.Open[0].Name != "received" || card.Open[0].Bills != 1 {
			t.Errorf("%s", r.body)
		}
		if len(card.Mails) != 1 || card.Mails[0].To != "prus@example.com" || len(card.Requests) != 1 || card.Requests[0].RateCode !=
			"NRC-1" || len(card.Notices) != 1 || card.Notices[0].Sent != 1 {
			t.Errorf("%s", r.body)
		}
		p.want(p.post("/desk/bills/open", fields{"id": card.Changes[0].ID}, token), 200, "")
		p.audited(1, fmt.Sprintf(`operation = 'desk-open-group' AND actor = 'irad' AND subject = 'group %d'
			AND detail LIKE 'desk:_%% case'`, group))
		p.audited(1, `operation = 'desk-see-bills' AND subject = '111111111' AND answered = '["B1112"]'`)
		if _, short := p.entries(bearer(p.signIn("prad")), fields{"operation": "desk-open-group"}, nil); len(short) != 1 {
			t.Errorf("the office reads %v", short)
		}
		p.want(open(987654), 404, "Unknown office number. Check the number.")
		p.want(p.post("/desk/groups/open", fields{"id": group}, bearer(p.signIn("isad"))), 400, "Start a support session first.")

		// Data isn't shown if the audit entry can't be written.
		for _, operation := range []string{"desk-see-bills", "desk-open-group"} {
			p.exec(map[string]string{
				"sqlite": `CREATE TRIGGER "refuse ` + operation + `" BEFORE INSERT ON audit_log WHEN NEW.operation = '` + operation +
					`' BEGIN SELECT RAISE(ABORT, 'refused'); END`,
				"postgres": `ALTER TABLE audit_log ADD CONSTRAINT "refuse ` + operation + `" CHECK (operation <> '` + operation +
					`') NOT VALID`,
			}[p.DB.Dialect.Name])
			if r := open(group); r.status != 500 || strings.Contains(string(r.body), "111111111") {
				t.Errorf("%s: %d %s", operation, r.status, r.body)
			}
		}
	})
}

// The limit is 200 openings per person and hour.
func TestDeskLimit(t *testing.T) {
	p := newPortal(t, "sqlite", nil)
	p.onFile()
	token := p.startSupport("isad", "COMPLAINT")
	bill, _ := p.deskFind(token, "b4444")
	for range 200 {
		p.want(p.post("/desk/bills/open", fields{"id": bill.Bills[0].ID}, token), 200, "")
	}
	p.want(p.post("/desk/bills/open", fields{"id": bill.Bills[0].ID}, token), http.StatusTooManyRequests,
		"You've opened 200 items in the last hour. Wait 60 minutes, or ask a system administrator.")
	p.want(p.post("/desk/bills/open", fields{"id": bill.Bills[0].ID}, token), http.StatusTooManyRequests, "")
	p.audited(2, `operation = 'desk-open-bill' AND result = 'too many' AND answered = '[]'`)
	p.audited(1, `operation = 'desk-limit' AND subject = 'isad' AND result = 'too many' AND detail LIKE 'desk:_% complaint'`)
	p.clock.Advance(61 * time.Minute)
	p.want(p.post("/desk/bills/open", fields{"id": bill.Bills[0].ID}, bearer(p.signIn("isad"))), 200, "")
}

// A user's card shows why they can't sign in, based on past events.
func TestDeskUser(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		token := p.startSupport("irad", "CALL")
		card := func(name string) string {
			t.Helper()
			var c desk.UserCard
			r := p.post("/desk/users/open", fields{"userName": name}, token)
			p.want(r, 200, "")
			r.into(t, &c)
			return c.Sentence + " " + string(c.Action)
		}
		assert.Equal(t, "Can sign in. No sign-ins yet. ", card("PRUS"))
		for range 5 {
			p.typed("prus", "wrong")
		}
		assert.Equal(t, "Locked until 03/02/2026 at 10:30 AM EST after 5 wrong passwords, the last from 127.0.0.1. reset", card("prus"))
		p.want(p.post("/users/resetPasswordByAdmin/start", fields{"userName": "nnus", "emailAddress": "nnus@example.com",
			"adminUserName": "isad"}, bearer(p.signIn("isad"))), 200, "")
		p.inbox("nnus@example.com")
		if got := card("nnus"); !strings.HasPrefix(got, "Deactivated by an administrator's reset. The ") {
			t.Error(got)
		}
		p.exec(`UPDATE mails SET status = 'failed', last_error = 'mailbox full' WHERE to_address = 'nnus@example.com'`)
		if got := card("nnus"); got !=
			"Deactivated by an administrator's reset. Their mail server rejected the last email: mailbox full. mail" {
			t.Error(got)
		}
		p.want(p.post("/desk/users/open", fields{"userName": "nobody"}, token), 404, "Unknown username. Check the spelling.")
		p.want(p.post("/desk/users/open", fields{"userName": "prus"}, bearer(p.signIn("isad"))), 400, "Start a support session first.")
		p.audited(2, `operation = 'desk-open-user' AND actor = 'irad' AND subject = 'prus' AND detail LIKE 'desk:_% call'`)
		if _, short := p.entries(bearer(p.signIn("prad")), fields{"operation": "desk-open-user"}, nil); len(short) != 2 {
			t.Errorf("the office reads %v", short)
		}
	})
}

// Staff mirror a user with the reason they gave. The usual mirroring rules apply.
func TestDeskActs(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		fresh := bearer(p.signIn("irad"))
		p.want(p.post("/desk/users/mirror", fields{"userName": "prus"}, fresh), 400, "Start a support session first.")
		token := p.startSupport("irad", "CALL")
		p.want(p.post("/desk/users/mirror", fields{"userName": "nobody"}, token), 404, "")
		p.want(p.post("/desk/users/mirror", fields{"userName": "isad"}, token), 400,
			"You can mirror only provider users, provider administrators and non-network users.")
		var card desk.UserCard
		p.post("/desk/users/open", fields{"userName": "prus"}, token).into(t, &card)
		if !card.Mirrorable || card.ID != p.user("prus").ID {
			t.Errorf("%+v", card)
		}
		p.post("/desk/users/open", fields{"userName": "road"}, token).into(t, &card)
		assert.False(t, card.Mirrorable, card)
		r := p.post("/desk/users/mirror", fields{"userName": "prus"}, token)
		if p.want(r, 200, ""); !strings.Contains(string(r.body), `"mirroredUser"`) {
			t.Errorf("%s", r.body)
		}
		p.audited(1, `operation = 'mirror-start' AND actor = 'irad' AND subject = 'prus' AND detail LIKE 'desk:_% call'`)
		p.want(p.post("/desk/users/open", fields{"userName": "prus"}, token), 403, "")
		p.want(p.do("DELETE", "/api/session/mirror", nil, token), 200, "")
		p.want(p.post("/session/mirror", fields{"userNm": "prus"}, token), 200, "")
		p.audited(1, `operation = 'mirror-start' AND detail = ''`)
	})
}

// An audit entry is written before staff read a bill's deadlines.
func TestDeskDeadlines(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		p.onFile()
		id, err := p.Bills.Records.PageID("444444444", "b4444")
		require.NoError(t, err)
		p.want(p.post("/desk/bills/deadlines", fields{"id": id}, bearer(p.signIn("isad"))), 400, "Start a support session first.")
		token := p.startSupport("irad", "CALL")
		if r := p.post("/desk/bills/deadlines", fields{"id": id}, token); r.status != 200 ||
			!strings.Contains(string(r.body), `"answer":`) {
			t.Errorf("%d %s", r.status, r.body)
		}
		p.audited(1, `operation = 'desk-open-deadlines' AND actor = 'irad' AND subject = '444444444' AND answered = '["B4444"]'
			AND detail LIKE 'desk:_% call'`)
		p.exec(map[string]string{
			"sqlite": `CREATE TRIGGER refuse BEFORE INSERT ON audit_log WHEN NEW.operation = 'desk-open-deadlines' BEGIN
				SELECT RAISE(ABORT, 'refused'); END`,
			"postgres": `ALTER TABLE audit_log ADD CONSTRAINT refuse CHECK (operation <> 'desk-open-deadlines') NOT VALID`,
		}[p.DB.Dialect.Name])
		p.want(p.post("/desk/bills/deadlines", fields{"id": id}, token), 500, "")
	})
}

// System administrators see a quarter's openings by person and reason.
func TestDeskReport(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		p.onFile()
		token := p.startSupport("irad", "CALL")
		for range 3 {
			p.want(p.post("/desk/users/open", fields{"userName": "prus"}, token), 200, "")
		}
		p.startSupport("irad", "CALL")
		p.startSupport("isad", "FEED")
		isad := bearer(p.signIn("isad"))
		r := p.do("GET", "/api/desk/openings?quarter=2026-Q1", nil, isad)
		const want = "quarter,user_name,type,reason,sessions,openings\r\n2026-Q1,irad,IRAD,call,2,3\r\n2026-Q1,isad,ISAD,import check," +
			"1,0\r\n"
		if p.want(r, 200, ""); string(r.body) != want {
			t.Errorf("%q", r.body)
		}
		if r := p.do("GET", "/api/desk/openings?quarter=2026-Q2", nil, isad); string(r.body) !=
			"quarter,user_name,type,reason,sessions,openings\r\n" {
			t.Errorf("%q", r.body)
		}
		for _, wrong := range []string{"2026-Q5", "2026-Q0", "2026Q1", "02026-Q1", "1999-Q1", ""} {
			p.want(p.do("GET", "/api/desk/openings?quarter="+wrong, nil, isad), 400, "")
		}
		p.want(p.do("GET", "/api/desk/openings?quarter=2026-Q1", nil, token), 403, "")
		p.audited(1, `operation = 'desk-report' AND subject = '2026-Q1' AND actor = 'isad'`)
	})
}
