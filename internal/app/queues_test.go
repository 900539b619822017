package app_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"wcpp/internal/desk"
	"wcpp/internal/platform/db"
)

// listQueues returns the desk's queues with their counts.
func (p *portal) listQueues(token option) string {
	p.t.Helper()
	var list []desk.WaitingQueue
	r := p.do("GET", "/api/desk/queues", nil, token)
	p.want(r, 200, "")
	r.into(p.t, &list)
	var counts []string
	for _, q := range list {
		assert.Equal(p.t, q.Count == 0, q.Since == nil, q)
		counts = append(counts, fmt.Sprintf("%s %d", q.Kind, q.Count))
	}
	return strings.Join(counts, ", ")
}

const nothingWaits = "requests 0, tinSharings 0, rosters 0, cases 0, feeds 0, mails 0, jobs 0, drafts 0, notifications 0"

// Only users who handle a queue see it.
func TestQueuesOfWhom(t *testing.T) {
	p := newPortal(t, "sqlite", nil)
	assert.Equal(t, nothingWaits, p.listQueues(bearer(p.signIn("isad"))))
	assert.Empty(t, p.listQueues(bearer(p.signIn("irad"))))
	p.want(p.do("GET", "/api/desk/queues", nil, bearer(p.signIn("prad"))), 403, "")
}

// Each queue shows its count, up to a thousand, and its oldest item.
func TestQueuesCount(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		token := bearer(p.signIn("isad"))
		for n := range 1002 {
			p.exec(`INSERT INTO mails (kind, to_address, subject_id, status, attempts, last_error, created_at)
				VALUES ('registration', 'a@example.com', 1, 'failed', 13, 'full', $1)`,
				db.At(p.clock.Now().Add(-time.Duration(n)*time.Minute)))
		}
		var list []desk.WaitingQueue
		p.do("GET", "/api/desk/queues", nil, token).into(t, &list)
		at := slices.IndexFunc(list, func(q desk.WaitingQueue) bool { return q.Kind == "mails" })
		if m := list[at]; m.Count != 1000 || !m.More || !m.Since.Equal(p.clock.Now().Add(-1001*time.Minute)) {
			t.Errorf("%+v", m)
		}
	})
}

// Account requests are listed oldest first. If two people answer one, only the first counts.
func TestQueueOfRequests(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		for n, name := range []string{"zoe", "yan"} {
			p.exec(`INSERT INTO account_requests (email, email_key, status, first_name, created_at, submitted_at)
				VALUES ($1, $1, 'SUBMITTED', $2, $3, $3)`,
				name+"@example.com", name, db.At(p.clock.Now().Add(-time.Duration(n)*time.Hour)))
		}
		token := bearer(p.signIn("isad"))
		if got := p.listQueues(token); !strings.HasPrefix(got, "requests 2,") {
			t.Error(got)
		}
		var page struct {
			Rows []struct {
				ID        int64
				FirstName string
			}
			Count int
		}
		list := func() {
			t.Helper()
			r := p.post("/desk/queues/requests", fields{"table": fields{"page": 0, "pageSize": 10}}, token)
			p.want(r, 200, "")
			r.into(t, &page)
		}
		if list(); page.Count != 2 || page.Rows[0].FirstName != "yan" {
			t.Errorf("%+v", page)
		}
		p.audited(1, `operation = 'account-requests-list' AND actor = 'isad'`)
		decline := fmt.Sprintf("/accountRequests/%d/decline", page.Rows[0].ID)
		p.want(p.post(decline, fields{"reason": "unknown office"}, token), 200, "")
		p.want(p.post(decline, fields{"reason": "unknown office"}, token), 409, "This account request has already been answered.")
		if list(); page.Count != 1 || page.Rows[0].FirstName != "zoe" {
			t.Errorf("%+v", page)
		}
		p.want(p.post("/desk/queues/requests", fields{"table": fields{"page": 0, "pageSize": 10}}, bearer(p.signIn("irad"))), 403, "")

		// If two people approve one at the same time, the second sees that it's answered, not
		// that its address is taken.
		approve := func() reply {
			return p.do("PUT", "/api/users/createUser", newUser("PRAD", "zoe@example.com", fields{"accountRequestId": page.Rows[0].ID}),
				token)
		}
		replies := make(chan reply, 4)
		for range cap(replies) {
			go func() { replies <- approve() }()
		}
		made := 0
		for range cap(replies) {
			if r := <-replies; r.status == 200 {
				made++
			} else {
				p.want(r, 409, "This account request has already been answered.")
			}
		}
		assert.Equal(t, 1, made)
	})
}

// Failed emails are listed, and can be sent again or dismissed once.
func TestQueueOfMails(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		for n, status := range []string{"failed", "failed", "waiting", "sent"} {
			p.exec(`INSERT INTO mails (kind, to_address, subject_id, status, attempts, last_error, created_at)
				VALUES ('registration', $1, 1, $2, 3, 'mailbox full', $3)`,
				fmt.Sprintf("a%d@example.com", n), status, db.At(p.clock.Now()))
		}
		token := bearer(p.signIn("isad"))
		assert.Contains(t, p.listQueues(token), "mails 2,")
		r := p.post("/desk/queues/mails", fields{"table": fields{"page": 0, "pageSize": 10, "filters": fields{"error": "FULL"}}}, token)
		if p.want(r, 200, ""); !strings.Contains(string(r.body), `"count":2`) || !strings.Contains(string(r.body), "mailbox full") {
			t.Errorf("%s", r.body)
		}
		first := p.count(`SELECT min(id) FROM mails`)
		end := func(id, want int) {
			t.Helper()
			p.want(p.post(fmt.Sprintf("/desk/queues/mails/%d/end", id), nil, token), want, "")
		}
		end(first, 204)
		end(first, 404)
		end(first+2, 404)
		p.want(p.post(fmt.Sprintf("/mails/%d/resend", first), nil, token), 404, "")
		p.want(p.post(fmt.Sprintf("/mails/%d/resend", first+1), nil, token), 204, "")
		p.audited(1, `operation = 'mail-resend' AND actor = 'isad'`)
		p.audited(1, fmt.Sprintf(`operation = 'mail-end' AND actor = 'isad' AND subject = 'mail %d'`, first))
		assert.Equal(t, nothingWaits, p.listQueues(token))
		p.want(p.post(fmt.Sprintf("/desk/queues/mails/%d/end", first), nil, bearer(p.signIn("irad"))), 403, "")
	})
}

// Failed jobs are listed with labels, and can be retried or deleted. Other jobs aren't affected.
func TestQueueOfJobs(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		token := bearer(p.signIn("isad"))
		for range 3 {
			p.want(p.post("/public/forgotUsername", fields{"emailAddress": "prus@example.com"}), 200, "")
		}
		ids := []int{p.count(`SELECT min(id) FROM river_job
			WHERE kind = 'mail'`), p.count(`SELECT max(id) FROM river_job WHERE kind = 'mail'`)}
		if got := p.listQueues(token); got != nothingWaits || ids[0] == ids[1] {
			t.Error(got, ids)
		}
		p.exec(fmt.Sprintf(`UPDATE river_job SET state = 'discarded', attempt = 13, finalized_at = CURRENT_TIMESTAMP
			WHERE id = %d`, ids[0]))
		p.exec(fmt.Sprintf(`UPDATE river_job SET state = 'retryable', attempt = 2 WHERE id = %d`, ids[1]))
		assert.Contains(t, p.listQueues(token), "jobs 2,")
		list := func(after int) desk.FailedJobs {
			t.Helper()
			var failed desk.FailedJobs
			r := p.do("GET", fmt.Sprintf("/api/desk/queues/jobs?after=%d", after), nil, token)
			p.want(r, 200, "")
			if r.into(t, &failed); strings.Contains(string(r.body), "prus") {
				t.Errorf("%s", r.body)
			}
			return failed
		}
		failed := list(0)
		if len(failed.Jobs) != 2 || failed.More || failed.Jobs[0].Kind != "mail" || !failed.Jobs[0].GivenUp || failed.Jobs[0].Next != nil ||
			failed.Jobs[1].GivenUp || failed.Jobs[1].Next == nil {
			t.Errorf("%+v", failed)
		}
		if rest := list(ids[0]); len(rest.Jobs) != 1 {
			t.Errorf("%+v", rest)
		}
		do := func(what string, id, want int, say string) {
			t.Helper()
			p.want(p.post(fmt.Sprintf("/desk/queues/jobs/%d/%s", id, what), nil, token), want, say)
		}
		do("retry", ids[0], 204, "")
		do("retry", ids[0], 409, "This job is no longer in the list of failed jobs.")
		do("discard", ids[0], 409, "This job is no longer in the list of failed jobs.")
		do("discard", ids[1], 204, "")
		do("discard", ids[1], 404, "")
		if n := p.count(fmt.Sprintf(`SELECT count(*) FROM river_job WHERE id = %d AND state = 'available'`, ids[0])); n != 1 {
			t.Error("the job does not run again")
		}
		p.audited(1, fmt.Sprintf(`operation = 'job-retry' AND actor = 'isad' AND subject = 'job %d' AND detail = 'mail'`, ids[0]))
		p.audited(1, `operation = 'job-discard' AND detail = 'mail'`)
		p.want(p.do("GET", "/api/desk/queues/jobs", nil, bearer(p.signIn("irad"))), 403, "")
	})
}

// Draft accounts are listed as in User Search and can be deleted once.
func TestQueueOfDrafts(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		token := bearer(p.signIn("isad"))
		draft := fields{
			"userFirstName": "Nora", "userLastName": "Newman", "emailAddr": "nora@example.com", "typeCd": "PRAD",
			"isSaveAsDraftOperation": true,
			"phoneNum":               "2165550148", "affiliationCd": "OFC_STAFF", "jobTitle": "Biller", "companyNm": "Newman",
		}
		p.want(p.do("PUT", "/api/users/saveDraftUser", draft, token), 200, "")
		assert.Contains(t, p.listQueues(token), "drafts 1,")
		var page struct {
			Rows []struct {
				ID          int64
				EmailAddr   string
				UserActions []string
			}
		}
		r := p.post("/desk/queues/drafts", fields{"table": fields{"page": 0, "pageSize": 10}}, token)
		p.want(r, 200, "")
		r.into(t, &page)
		if len(page.Rows) != 1 || page.Rows[0].EmailAddr != "nora@example.com" || fmt.Sprint(page.Rows[0].UserActions) !=
			"[Continue Registration Delete Draft]" {
			t.Fatalf("%s", r.body)
		}
		remove := func(id int64, want int) {
			t.Helper()
			p.want(p.do("DELETE", fmt.Sprintf("/api/desk/queues/drafts/%d", id), nil, token), want, "")
		}
		remove(page.Rows[0].ID, 204)
		remove(page.Rows[0].ID, 409)
		remove(p.user("prus").ID, 409)
		p.audited(1, `operation = 'user-draft-delete' AND actor = 'isad' AND detail = 'PRAD'`)
		assert.Equal(t, nothingWaits, p.listQueues(token))
		p.want(p.do("PUT", "/api/users/saveDraftUser", draft, token), 200, "") // the address is free
	})
}
