package app_test

import (
	"bytes"
	"database/sql"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/app"
	"wcpp/internal/identity/access"
	"wcpp/internal/identity/identitytest"
	"wcpp/internal/identity/users"
	"wcpp/internal/platform/db"
)

type accessReviews struct {
	Reviews []struct {
		ID         int64
		DueOn      string
		FinishedAt *time.Time
		FinishedBy string
	}
	People, Unanswered int
	Overdue            bool
	CountedTo          string
}

type reviewedPeople struct {
	Rows []struct {
		ID                int64
		UserName, Outcome string
		TINs, Opened      int
		Version           int64
	}
	Count int
}

func (p *portal) reviews(token string) (r accessReviews) {
	p.t.Helper()
	p.do(http.MethodGet, "/api/work/access", nil, bearer(token)).into(p.t, &r)
	return r
}

func (p *portal) reviewed(token string) (r reviewedPeople) {
	p.t.Helper()
	p.post("/work/access/people", fields{"table": fields{"page": 0, "pageSize": 50}}, bearer(token)).into(p.t, &r)
	return r
}

// summary returns the table's contents: user, TINs, opened bills, outcome.
func (r reviewedPeople) summary() string {
	var list []string
	for _, row := range r.Rows {
		list = append(list, fmt.Sprintf("%s %d %d %s", row.UserName, row.TINs, row.Opened, row.Outcome))
	}
	return strings.Join(list, ", ")
}

// opens adds an audit entry for an opened bill.
func (p *portal) opens(operation, who, actingFor, subject, result string) {
	p.t.Helper()
	p.exec(`INSERT INTO audit_log (at, actor, acting_for, operation, subject, result, detail, request_id, client, searched, answered, keys,
		segment)
		VALUES ($1, $2, $3, $4, $5, $6, '', '', '', '', '[]', $7,
			(SELECT segment FROM audit_open))`, db.At(p.clock.Now()), who, actingFor, operation, subject, result,
		fmt.Sprintf(`["by %s","by %s"]`, who, actingFor))
}

func (p *portal) keepReviews() {
	p.t.Helper()
	require.NoError(p.t, errors.Join(p.Reviews.RunDaily(p.t.Context()), p.Reviews.Cleanup(p.t.Context())))
}

// mailed returns the number of sent reminders.
func (p *portal) mailed() (n int) {
	p.t.Helper()
	require.NoError(p.t, db.Get(p.t.Context(), p.DB.Writer, &n, `SELECT count(*) FROM mails WHERE kind = 'access-review'`))
	return n
}

// until moves the clock to 10 AM of a day in the business time zone.
func (p *portal) until(day string) {
	p.t.Helper()
	zone, err := time.LoadLocation("America/New_York")
	require.NoError(p.t, err)
	at, err := time.ParseInLocation("2006-01-02 15", day+" 10", zone)
	require.NoError(p.t, err)
	p.clock.Advance(at.Sub(p.clock.Now()))
}

func (p *portal) answer(token string, id, version int64) reply {
	return p.do(http.MethodPut, fmt.Sprintf("/api/work/access/items/%d", id), fields{"kept": true, "version": version}, bearer(token))
}

// A group reviews its users every quarter. Each one is confirmed or loses access under the usual
// rules. The person who finishes the review signs with their own name.
func TestAccessReview(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		group := p.user("prad").GroupID
		p.add("zoe", access.PRUS, group, "111111111")
		for range 2 { // one bill twice, another one, one while mirroring, one rejected
			p.opens("open-page", "prus", "", "111111111 b-1", "ok")
		}
		p.opens("open-eor", "prus", "", "111111111 b-2", "ok")
		p.opens("open-page", "isad", "prus", "111111111 b-3", "ok")
		p.opens("open-page", "prus", "", "111111111 b-4", "refused")
		p.until("2026-03-03")
		var wait sync.WaitGroup
		for range 3 {
			wait.Go(func() {
				assert.NoError(t, p.Reviews.RunDaily(t.Context()))
			})
		}
		wait.Wait()
		p.keepReviews()
		prad := p.signIn("prad")
		r := p.reviews(prad)
		if len(r.Reviews) != 1 || r.Reviews[0].DueOn != "2026-03-31" || r.People != 3 || r.Unanswered != 3 || r.Overdue ||
			r.CountedTo != "2026-03-02" {
			t.Fatalf("%+v", r)
		}
		list := p.reviewed(prad)
		if got := list.summary(); list.Count != 3 || got != "prad 2 0 , prus 1 2 , zoe 1 0 " {
			t.Fatalf("%q", got)
		}
		ids := map[string]int64{}
		for _, row := range list.Rows {
			ids[row.UserName] = row.ID
		}
		finish := fmt.Sprintf("/work/access/%d/finish", r.Reviews[0].ID)
		file := fmt.Sprintf("/api/work/access/%d/file", r.Reviews[0].ID)
		p.want(p.do(http.MethodGet, file, nil, bearer(prad)), 409, "This review isn't completed yet. Complete it to get the document.")

		p.want(p.answer(prad, ids["prad"], 0), 204, "")
		p.want(p.answer(prad, ids["prad"], 0), 409, "Someone else already reviewed this user. Reload the list.")
		p.want(p.answer(prad, ids["prus"], 0), 204, "")
		p.want(p.answer(prad, p.user("nnus").ID, 0), 404, "")
		for _, who := range []string{"prus", "nnus", "irad", "isad"} {
			p.want(p.answer(p.signIn(who), ids["prus"], 1), 403, "")
		}
		wrong := p.post(finish, fields{"name": "Somebody Else"}, bearer(prad))
		u := p.user("prad")
		name := u.FirstName + " " + u.LastName
		if wrong.status != 400 || wrong.fields() != "name: Enter your own first and last name: "+name+"." {
			t.Errorf("%d %s", wrong.status, wrong.fields())
		}
		p.want(p.post(finish, fields{"name": name}, bearer(prad)), 409, p.user("zoe").FirstName+" "+p.user("zoe").LastName+
			" isn't reviewed yet. Keep or remove access for all users first.")
		if r := p.do(http.MethodPut, "/api/users/terminateUser/prad/zoe", fields{}, bearer(prad)); r.status != 200 {
			t.Fatalf("%d %s", r.status, r.body)
		}
		p.want(p.answer(prad, ids["zoe"], 0), 409, ""+p.user("zoe").FirstName+" "+p.user("zoe").LastName+
			" no longer has access, so there's nothing to confirm.")
		assert.Equal(t, "prad 2 0 KEPT, prus 1 2 KEPT, zoe 1 0 ENDED", p.reviewed(prad).summary())
		for typed, want := range map[string]string{
			"To Review": "", "kept": "prad 2 0 KEPT, prus 1 2 KEPT", "Access ended": "zoe 1 0 ENDED",
		} {
			var found reviewedPeople
			table := fields{"page": 0, "pageSize": 50, "filters": fields{"answer": typed}}
			p.post("/work/access/people", fields{"table": table}, bearer(prad)).into(t, &found)
			assert.Equal(t, want, found.summary(), typed)
		}
		p.want(p.post(finish, fields{"name": " " + strings.ToUpper(name)}, bearer(prad)), 204, "")
		p.want(p.post(finish, fields{"name": name}, bearer(prad)), 409, "The review was already completed by prad.")
		p.want(p.answer(prad, ids["prus"], 1), 404, "")
		if r := p.reviews(prad); r.Reviews[0].FinishedBy != "prad" || r.People != 0 {
			t.Errorf("%+v", r)
		}
		pdf := p.do(http.MethodGet, file, nil, bearer(prad))
		if pdf.status != 200 || !bytes.HasPrefix(pdf.body, []byte("%PDF-")) ||
			!strings.HasPrefix(pdf.header.Get("Content-Disposition"), "attachment") {
			t.Errorf("%d %v", pdf.status, pdf.header)
		}
		p.audited(2, `operation = 'access-keep'`)
		p.audited(1, `operation = 'access-review-finish' AND actor = 'prad' AND detail = '3 people, due 2026-03-31'`)
		p.audited(1, `operation = 'access-review-file' AND actor = 'prad'`)

		// The next review starts with the next quarter and doesn't count earlier openings.
		p.keepReviews()
		if r := p.reviews(prad); len(r.Reviews) != 1 {
			t.Errorf("another one at once: %+v", r)
		}
		p.until("2026-03-20")
		p.keepReviews()
		if r := p.reviews(p.signIn("prad")); len(r.Reviews) != 1 {
			t.Errorf("another one in the quarter's last two weeks: %+v", r)
		}
		p.until("2026-07-01")
		p.keepReviews()
		prad = p.signIn("prad")
		if r := p.reviews(prad); len(r.Reviews) != 2 || r.Reviews[0].DueOn != "2026-09-30" || r.Unanswered != 2 {
			t.Errorf("%+v", r)
		}
		assert.Equal(t, "prad 2 0 , prus 1 0 ", p.reviewed(prad).summary())
	})
}

// Administrators get one reminder 14 days and one 3 days before the due date. After that the
// group is overdue until it finishes, even past year end.
func TestReviewReminders(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		p.add("prad2", access.PRAD, p.user("prad").GroupID)
		p.until("2026-10-01")
		p.keepReviews()
		for _, c := range []struct {
			day    string
			mailed int
		}{
			{"2026-12-16", 0}, {"2026-12-17", 2}, {"2026-12-18", 2}, {"2026-12-27", 2}, {"2026-12-28", 4}, {"2026-12-31", 4},
			{"2027-01-01", 4}, {"2027-03-20", 4},
		} {
			p.until(c.day)
			var wait sync.WaitGroup
			for range 2 {
				wait.Go(func() {
					assert.NoError(t, p.Reviews.RunDaily(t.Context()))
				})
			}
			wait.Wait()
			if got := p.mailed(); got != c.mailed {
				t.Errorf("until %s: %d mails in place of %d", c.day, got, c.mailed)
			}
			late := c.day > "2026-12-31"
			prad, isad := p.signIn("prad"), p.signIn("isad")
			r := p.reviews(prad)
			if len(r.Reviews) != 1 || r.Reviews[0].DueOn != "2026-12-31" || r.Overdue != late {
				t.Errorf("on %s: %+v", c.day, r)
			}
			var behind struct {
				Rows []struct {
					GroupID    int64
					DueOn      string
					Unanswered int
				}
			}
			p.post("/desk/reviews", fields{"table": fields{"page": 0, "pageSize": 10}}, bearer(isad)).into(t, &behind)
			if late != (len(behind.Rows) == 1 && behind.Rows[0].DueOn == "2026-12-31" && behind.Rows[0].Unanswered == 3) {
				t.Errorf("on %s: %+v", c.day, behind)
			}
			p.want(p.post("/desk/reviews", fields{"table": fields{"page": 0, "pageSize": 10}}, bearer(prad)), 403, "")
		}
		p.audited(0, `operation = 'user-terminate'`)
	})
}

// If the network requires it, unconfirmed provider users lose access some days later.
// Administrators and users added after the due date are exempt.
func TestReviewEnds(t *testing.T) {
	each(t, func(c *app.Config) { c.Reviews.ReviewEndDays = 5 }, func(t *testing.T, p *portal) {
		group := p.user("prad").GroupID
		p.add("kept", access.PRUS, group, "111111111")
		p.keepReviews()
		p.want(p.answer(p.signIn("prad"), p.user("kept").ID, 0), 204, "")
		p.until("2026-04-02")
		p.add("late", access.PRUS, group, "111111111")
		p.until("2026-04-05")
		p.keepReviews()
		p.audited(0, `operation = 'user-terminate'`)
		token := p.signIn("prus")
		p.until("2026-04-06")
		for range 2 {
			p.keepReviews()
		}
		p.audited(1, `operation = 'user-terminate' AND actor = 'access-review' AND subject = 'prus'`)
		p.audited(1, `operation = 'user-terminate'`)
		p.want(p.do(http.MethodGet, "/api/session", nil, bearer(token)), 401, "")
		for _, name := range []string{"prad", "kept", "late"} {
			assert.Equal(t, users.Status("ACTIV"), p.user(name).StatusCd, name)
		}
	})
}

// A user whom an administrator converts after the due date keeps access, as does one whom an import moves
// into the group. The screen still asks about the latter.
func TestReviewAfterItsDueDate(t *testing.T) {
	each(t, func(c *app.Config) { c.Reviews.ReviewEndDays = 5 }, func(t *testing.T, p *portal) {
		group := p.user("prad").GroupID
		p.add("bob", access.PRAD, group)
		p.add("cy", access.PRUS, p.add("dee", access.PRAD, 0, "444444444").GroupID, "444444444")
		p.keepReviews()
		p.want(p.answer(p.signIn("prad"), p.user("prus").ID, 0), 204, "")
		p.until("2026-04-06")
		p.want(p.post("/users/convertAdminToUser/prad/bob", fields{}, bearer(p.signIn("prad"))), 200, "")
		p.audited(1, `operation = 'access-keep' AND actor = 'prad' AND subject = 'bob' AND detail LIKE 'access review %'`)
		p.importTable("users", fmt.Sprintf("user_name,first_name,last_name,email,type,status,group_id\ncy,Cy,Tester,"+
			"cy@example.com,PRUS,ACTIV,%d\n", group))
		for range 2 {
			p.keepReviews()
		}
		for _, name := range []string{"bob", "cy"} {
			assert.Equal(t, users.Status("ACTIV"), p.user(name).StatusCd, name)
		}
		if r := p.reviews(p.signIn("prad")); r.People != 4 || r.Unanswered != 2 { // prad and cy
			t.Errorf("%+v", r)
		}
	})
}

// The administrators of an inactive group can't review, so users there don't lose access. They get at
// least two weeks after the group becomes active again.
func TestReviewOfInactiveGroup(t *testing.T) {
	each(t, func(c *app.Config) { c.Reviews.ReviewEndDays = 5 }, func(t *testing.T, p *portal) {
		group := p.groupOf("prad")
		status := func(to users.GroupStatus) {
			p.want(p.put(fmt.Sprintf("/desk/groups/%d/status", group), fields{"statusCd": to}, bearer(p.signIn("isad"))), 204, "")
		}
		overdue := func() string {
			return string(p.post("/desk/reviews", fields{"table": fields{"page": 0, "pageSize": 10}}, bearer(p.signIn("isad"))).body)
		}
		p.keepReviews()
		p.until("2026-04-06") // overdue, and the job hasn't run
		assert.Contains(t, overdue(), `"count":1`)
		status(users.GroupInactive)
		assert.Contains(t, overdue(), `"count":0`)
		unreviewed := func(*sql.Tx) (bool, error) { return true, nil }
		assert.NoError(t, p.Administration.EndUnreviewed(t.Context(), p.user("prus").ID, unreviewed))
		for _, day := range []string{"2026-04-06", "2026-06-16", "2026-06-17"} {
			p.until(day)
			p.keepReviews()
		}
		p.audited(0, `operation = 'user-terminate'`)
		assert.Equal(t, 0, p.mailed())
		status(users.GroupActive)
		p.keepReviews()
		if r := p.reviews(p.signIn("prad")); len(r.Reviews) != 1 || r.Reviews[0].DueOn != "2026-09-30" || r.Overdue {
			t.Errorf("%+v", r)
		}
		p.until("2026-09-16")
		p.keepReviews()
		assert.Equal(t, 1, p.mailed())
		p.until("2026-10-06")
		p.keepReviews()
		p.audited(1, `operation = 'user-terminate' AND subject = 'prus'`)
	})
}

// A group that never had a review gets its first one when it's active again.
func TestNoReviewWhileInactive(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		group := p.groupOf("prad")
		identitytest.SetGroupStatus(t, p.DB.Writer, group, users.GroupInactive)
		p.keepReviews()
		identitytest.SetGroupStatus(t, p.DB.Writer, group, users.GroupActive)
		prad := p.signIn("prad")
		if r := p.reviews(prad); len(r.Reviews) != 0 {
			t.Errorf("%+v", r)
		}
		p.keepReviews()
		if r := p.reviews(prad); len(r.Reviews) != 1 {
			t.Errorf("%+v", r)
		}
	})
}

// Someone who mirrors an administrator can read the review but not change it.
func TestReviewWhileMirroring(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		p.keepReviews()
		isad := p.signIn("isad")
		p.post("/session/mirror", fields{"userNm": "prad"}, bearer(isad))
		if r := p.reviews(isad); r.People != 2 {
			t.Errorf("%+v", r)
		}
		p.want(p.answer(isad, p.user("prus").ID, 0), 403, "You can't make changes while mirroring a user. Use Revert first.")
	})
}
