package main

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"time"
)

// note is a note on a bill in the model.
type note struct {
	office, body string
	certain      bool // confirmed
}

// bill is a bill as a list shows it.
type bill struct {
	ID                string `json:"id"`
	Page              string `json:"page"`
	FTIN              string `json:"ftin"`
	BillControlNumber string `json:"billControlNumber"`
	Changed           int64  `json:"changed"`
	Work              struct {
		Version int64 `json:"version"`
	} `json:"work"`
}

// viewer returns whose TINs a session sees.
func (t *token) viewer() *person {
	if t.mirrors != nil {
		return t.mirrors
	}
	return t.person
}

// wantScope checks that an answer has only TINs that the viewer had at that time.
func (r *runner) wantScope(t *token, a reply, what string, ftins ...string) {
	r.s.mu.Lock()
	defer r.s.mu.Unlock()
	p := t.viewer()
	for _, ftin := range ftins {
		if !p.couldSee(ftin, a.from, a.to) {
			r.s.violate("scope", "%s saw %s of TIN %s between %d and %d; had it at %v", p.Name, what, ftin, a.from, a.to, p.tins[ftin])
		}
	}
}

// search looks for a bill by its number under a TIN, which can be someone else's.
func search(ctx context.Context, r *runner) {
	if t := r.session(isOffice); t != nil {
		r.searchAs(ctx, t)
	}
}

func (r *runner) searchAs(ctx context.Context, t *token) {
	s := r.s
	s.mu.Lock()
	var own []string
	for _, ftin := range allTINs {
		if t.viewer().couldSee(ftin, s.ticks.Load(), forever) {
			own = append(own, ftin)
		}
	}
	ftin, ok := pickFrom(own, r.step.N[1])
	if !ok || r.step.N[1]%4 == 3 {
		ftin, _ = pickFrom(allTINs, r.step.N[1]>>8)
	}
	r.forbidden = !t.viewer().couldSee(ftin, s.ticks.Load(), forever)
	s.mu.Unlock()
	number, sure := s.ledger.pickBill(ftin, r.step.N[2])
	var rows []bill
	a := r.call(ctx, t, http.MethodPost, "/billSearch/searchByAssorted", fields{"ftin": ftin, "billControlNumber": number})
	r.forbidden = false
	r.ended(t, a)
	s.mu.Lock()
	s.expectEntry("searchByAssorted", a)
	s.mu.Unlock()
	if !a.into(&rows) {
		return
	}
	for _, b := range rows {
		r.wantScope(t, a, "bill "+b.BillControlNumber, b.FTIN)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(rows) == 0 && sure && t.viewer().has(ftin, a.from, a.to) {
		s.violate("nothing lost", "%s doesn't find bill %s of TIN %s", t.viewer().Name, number, ftin)
	}
}

// bills returns the open bills of a session.
func (r *runner) bills(ctx context.Context, t *token) []bill {
	var found struct{ Bills []bill }
	a := r.call(ctx, t, http.MethodPost, "/work/bills/search", fields{"filter": fields{}, "limit": 100})
	r.ended(t, a)
	if !a.into(&found) {
		return nil
	}
	for _, b := range found.Bills {
		r.wantScope(t, a, "open bill "+b.BillControlNumber, b.FTIN)
	}
	return found.Bills
}

func openBills(ctx context.Context, r *runner) {
	if t := r.session(isOffice); t != nil {
		r.bills(ctx, t)
	}
}

// lookAround searches, and opens lists.
func (r *runner) lookAround(ctx context.Context, t *token) {
	r.searchAs(ctx, t)
	r.bills(ctx, t)
	r.remittances(ctx, t)
}

// remittance is a remittance as a list shows it.
type remittance struct {
	ID      string  `json:"id"`
	FTIN    string  `json:"ftin"`
	Number  string  `json:"number"`
	PaidOn  string  `json:"paidOn"`
	Amount  float64 `json:"amount"`
	Content string  `json:"content"`
}

func (r *runner) remittances(ctx context.Context, t *token) []remittance {
	var found struct{ Rows []remittance }
	a := r.call(ctx, t, http.MethodPost, "/remittances/search", fields{"from": "2026-01-01", "to": "2026-12-31",
		"table": fields{"page": 0, "pageSize": 100}})
	r.ended(t, a)
	if !a.into(&found) {
		return nil
	}
	for _, b := range found.Rows {
		r.wantScope(t, a, "remittance "+b.Number, b.FTIN)
	}
	return found.Rows
}

func listRemittances(ctx context.Context, r *runner) {
	if t := r.session(isOffice); t != nil {
		r.remittances(ctx, t)
	}
}

// post marks remittances as posted, or takes it back.
func post(ctx context.Context, r *runner) {
	t := r.session(isOffice)
	if t == nil {
		return
	}
	one, ok := pickFrom(r.remittances(ctx, t), r.step.N[1])
	if !ok {
		return
	}
	posted := r.step.N[2]%3 > 0
	body := fields{"ids": []string{one.ID}, "posted": posted}
	if posted {
		body["seen"] = []string{one.Content}
	}
	r.ready()
	a := r.call(ctx, t, http.MethodPut, "/remittancePosts", body)
	r.ended(t, a)
	r.wantReachable(t, a, one.FTIN)
}

// wantReachable checks that a change was made only by someone who had the TIN.
func (r *runner) wantReachable(t *token, a reply, ftin string) {
	if a.isOK() {
		r.wantScope(t, a, "a change", ftin)
	}
}

// addNote adds a note to an open bill.
func addNote(ctx context.Context, r *runner) {
	s := r.s
	t := r.session(isOffice)
	if t == nil {
		return
	}
	b, ok := pickFrom(r.bills(ctx, t), r.step.N[1])
	if !ok {
		return
	}
	s.mu.Lock()
	s.bodies++
	n := &note{office: t.person.Office, body: fmt.Sprintf("note %d", s.bodies)}
	s.mu.Unlock()
	r.ready()
	a := r.call(ctx, t, http.MethodPost, "/work/bills/"+b.ID+"/notes", fields{"body": n.body})
	r.ended(t, a)
	r.wantReachable(t, a, b.FTIN)
	s.mu.Lock()
	defer s.mu.Unlock()
	if n.certain = a.isOK(); n.certain || a.isUnknown() {
		s.notes = append(s.notes, n)
	}
}

// work changes an office's work on a bill. Of two changes over one version, one is stored.
func work(ctx context.Context, r *runner) {
	s := r.s
	t := r.session(isOffice)
	if t == nil {
		return
	}
	b, ok := pickFrom(r.bills(ctx, t), r.step.N[1]%3)
	if !ok {
		return
	}
	change := fields{"bills": []fields{{"id": b.ID, "version": b.Work.Version, "changed": b.Changed}}}
	content := ""
	switch n := r.step.N[2]; n % 3 {
	case 0:
		content = s.fleet.now().AddDate(0, 0, 1+int(n>>8)%20).Format(time.DateOnly)
		change["followUpOn"] = content
	case 1:
		content = t.person.Name
		change["assignTo"] = content
	default:
		content = "done"
		change["marked"] = content
	}
	var stored []struct{ Outcome string }
	r.ready()
	a := r.call(ctx, t, http.MethodPut, "/work/bills/work", change)
	r.ended(t, a)
	if !a.into(&stored) || len(stored) != 1 || stored[0].Outcome != "saved" {
		return
	}
	r.wantReachable(t, a, b.FTIN)
	s.mu.Lock()
	defer s.mu.Unlock()
	key := fmt.Sprintf("work %s %s %s %d", t.person.Office, b.FTIN, b.BillControlNumber, b.Work.Version)
	if before, is := s.saved[key]; is && before.content != content {
		s.violate("lost update", "%q and %q were saved over the same version of bill %s", before.content, content, b.BillControlNumber)
	}
	s.saved[key] = saved{content, a.to}
}

// payerCall logs a call twice with the same key, as a browser does that got no answer.
func payerCall(ctx context.Context, r *runner) {
	s := r.s
	t := r.session(isOffice)
	if t == nil {
		return
	}
	b, ok := pickFrom(r.bills(ctx, t), r.step.N[1])
	if !ok {
		return
	}
	s.mu.Lock()
	s.bodies++
	key := fmt.Sprintf("call-%d", s.bodies)
	s.mu.Unlock()
	body := fields{"requestKey": key, "bills": []fields{{"id": b.ID, "version": b.Work.Version}}, "payer": "Steady Mutual",
		"spokeWith": "Ms. Hale",
		"outcome":   "notOnFile"}
	r.ready()
	certain := false
	for range 1 + int(r.step.N[2]%2) {
		a := r.call(ctx, t, http.MethodPost, "/work/payer-calls", body)
		r.ended(t, a)
		r.wantReachable(t, a, b.FTIN)
		certain = certain || a.isOK() && bytes.Contains(a.body, []byte(`"failed":[]`))
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.keyed[key] = certain
}

// lookup finds several bills by their numbers, under all TINs of the session.
func lookup(ctx context.Context, r *runner) {
	t := r.session(isOffice)
	if t == nil {
		return
	}
	var rows [][]string
	for i, ftin := range allTINs {
		number, _ := r.s.ledger.pickBill(ftin, r.step.N[1]>>i)
		rows = append(rows, []string{number})
	}
	var found struct {
		Lines []struct{ Bills []bill }
	}
	a := r.call(ctx, t, http.MethodPost, "/work/findMany", fields{"rows": rows, "headerRows": 0,
		"columns": []fields{{"index": 0, "kind": "billControlNumber", "name": ""}}})
	r.ended(t, a)
	if !a.into(&found) {
		return
	}
	for _, line := range found.Lines {
		for _, b := range line.Bills {
			r.wantScope(t, a, "bill "+b.BillControlNumber, b.FTIN)
		}
	}
}

var tinInText = regexp.MustCompile(`\b(` + strings.Join(allTINs, "|") + `)\b`)

// export writes open bills into a file and downloads it.
func export(ctx context.Context, r *runner) {
	t := r.session(isOffice)
	if t == nil {
		return
	}
	var job struct{ ID, Status string }
	a := r.call(ctx, t, http.MethodPost, "/work/bills/export", fields{"filter": fields{}})
	r.ended(t, a)
	if !a.into(&job) {
		return
	}
	for range 60 {
		if a = r.call(ctx, t, http.MethodGet, "/work/exports/"+job.ID, nil); !a.into(&job) || job.Status != "waiting" {
			break
		}
		time.Sleep(100 * time.Millisecond)
	}
	a = r.call(ctx, t, http.MethodGet, "/work/exports/"+job.ID+"/result.csv", nil)
	if a.isOK() {
		r.wantScope(t, a, "an export's row", tinInText.FindAllString(string(a.body), -1)...)
	}
}

// bulkJob looks numbers up in a file, in the background.
func bulkJob(ctx context.Context, r *runner) {
	t := r.session(isOffice)
	if t == nil {
		return
	}
	content := "Number\n"
	for i, ftin := range allTINs {
		number, _ := r.s.ledger.pickBill(ftin, r.step.N[1]>>i)
		content += number + "\n"
	}
	var sent struct{ ID string }
	a := r.call(ctx, t, http.MethodPost, "/work/findMany/files", newUpload("file", "numbers.csv", content))
	r.ended(t, a)
	if !a.into(&sent) {
		return
	}
	var job struct{ ID, Status string }
	a = r.call(ctx, t, http.MethodPost, "/work/findMany/files/"+sent.ID+"/run", fields{"headerRows": 1,
		"columns": []fields{{"index": 0, "kind": "billControlNumber", "name": "Number"}}})
	if !a.into(&job) {
		return
	}
	for range 60 {
		a = r.call(ctx, t, http.MethodGet, "/work/findMany/jobs/"+job.ID, nil)
		if !a.into(&job) || job.Status == "done" || job.Status == "failed" {
			break
		}
		time.Sleep(100 * time.Millisecond)
	}
	if a = r.call(ctx, t, http.MethodGet, "/work/findMany/jobs/"+job.ID+"/result.csv", nil); a.isOK() {
		r.wantScope(t, a, "a bulk lookup's row", tinInText.FindAllString(string(a.body), -1)...)
	}
}

// setRelay makes the mail relay silent, refuse emails, kill the next sender, or work again.
func setRelay(_ context.Context, r *runner) {
	r.s.faulty = true
	r.s.fleet.relay.set([]string{"", "silent", "refuses", "kills"}[r.step.N[0]%4], r.process)
}

// setClock moves the clock by up to three hours.
func setClock(ctx context.Context, r *runner) {
	r.s.moveClock(ctx, time.Duration(1+r.step.N[0]%180)*time.Minute)
}

// moveClock moves the clock. Unused sessions end after half an hour.
func (s *simulation) moveClock(ctx context.Context, by time.Duration) {
	if err := s.fleet.move(ctx, by); err != nil {
		s.violate("controllable", "%v", err)
	}
	if by >= 31*time.Minute {
		s.mu.Lock()
		defer s.mu.Unlock()
		at := s.tick()
		for _, p := range s.people {
			p.kill(at)
		}
	}
}

// joinInstance starts a second instance. SQLite has one.
func joinInstance(ctx context.Context, r *runner) {
	if r.s.fleet.cable != nil && len(r.s.fleet.running) < 2 {
		if err := r.s.fleet.start(ctx); err != nil {
			r.s.violate("starts", "%v", err)
		}
	}
}

// leaveInstance stops an instance, or kills it.
func leaveInstance(_ context.Context, r *runner) {
	if f := r.s.fleet; len(f.running) > 1 {
		p := f.running[0]
		f.running = f.running[1:]
		if r.step.N[0]%2 == 0 {
			p.stop()
		} else {
			r.s.faulty = true
			p.kill()
		}
	}
}
