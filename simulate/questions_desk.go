package main

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"time"

	"wcpp/internal/bills/cases"
	"wcpp/internal/platform/db"
)

// loggedCall is a call that staff logged, by its key.
type loggedCall struct {
	by        *person
	number    string // of its case, or of the question that it was added to
	entry     int64
	certain   bool // confirmed
	isGuess   bool // confirmed late, so the question can be another one that it was merged into
	isRemoved bool // undone, or perhaps
}

// listTINs returns the TINs that a person has.
func (s *simulation) listTINs(p *person) (own []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, ftin := range allTINs {
		if p.couldSee(ftin, s.ticks.Load(), forever) {
			own = append(own, ftin)
		}
	}
	return own
}

// logged is the response to a logged call.
type logged struct {
	Number  string
	Entry   int64
	Offices []int64
}

// logCall logs an office's call about a bill, perhaps one that a question is about, sometimes twice with the same key, and can undo it.
func logCall(ctx context.Context, r *runner) {
	s := r.s
	t := r.staff(ctx)
	if t == nil {
		return
	}
	sitting := func(r *runner) {
		r.ended(t, r.call(ctx, t, http.MethodPost, "/desk/sitting", fields{"reason": "CALL"}))
	}
	sitting(r)
	ftin, _ := pickFrom(allTINs, r.step.N[1])
	number, _ := s.ledger.pickBill(ftin, r.step.N[1]>>4)
	if q, ok := pickFrom(s.listAsked(), r.step.N[1]>>8); ok && r.step.N[2]>>8%2 == 0 {
		ftin, number = q.ftin, q.bills[0]
	}
	var found struct{ Bills []struct{ ID string } }
	a := r.call(ctx, t, http.MethodPost, "/desk/find", fields{"q": ftin + " " + number})
	if !a.into(&found) || len(found.Bills) == 0 {
		return
	}
	s.mu.Lock()
	s.bodies++
	key, c := fmt.Sprintf("call of staff %d", s.bodies), &loggedCall{by: t.person}
	s.staffCalls[key] = c
	s.mu.Unlock()
	body := fields{"requestKey": key, "bills": []string{found.Bills[0].ID}}
	r.ready()
	var got logged
	for range 2 {
		a = r.call(ctx, t, http.MethodPost, "/desk/calls", body)
		r.ended(t, a)
		if !a.into(&got) || got.Number != "" {
			break
		}
		body["office"], _ = pickFrom(got.Offices, r.step.N[1]>>12)
	}
	s.mu.Lock()
	s.learnCall(c, got)
	if a.isUnknown() {
		s.doubted = append(s.doubted, func(ctx context.Context) {
			again := &runner{s: s, step: Step{Do: "send-again"}, process: s.fleet.pick(0), together: 1}
			sitting(again)
			a := again.call(ctx, t, http.MethodPost, "/desk/calls", body)
			again.ended(t, a)
			var got logged
			if a.into(&got) {
				c.isGuess = true
				s.learnCall(c, got)
			}
		})
	}
	s.mu.Unlock()
	if got.Number != "" && r.step.N[2]>>4%3 == 0 {
		r.undo(ctx, t, c)
	}
}

// listAsked returns the newest questions about bills.
func (s *simulation) listAsked() (list []*question) {
	s.mu.Lock()
	defer s.mu.Unlock()
	const newest = 6
	for _, q := range slices.Backward(s.questions) {
		if len(q.bills) > 0 && !q.isComplaint && len(list) < newest {
			list = append(list, q)
		}
	}
	return list
}

// learnCall records a confirmed call. The caller has the lock, unless nothing else runs.
func (s *simulation) learnCall(c *loggedCall, got logged) {
	if got.Number != "" {
		c.number, c.entry, c.certain = got.Number, got.Entry, true
	}
}

// undo deletes a call. The question stays if it was opened or has other entries.
func (r *runner) undo(ctx context.Context, t *token, c *loggedCall) {
	a := r.call(ctx, t, http.MethodDelete, fmt.Sprintf("/desk/calls/%s?entry=%d", c.number, c.entry), nil)
	r.ended(t, a)
	r.s.mu.Lock()
	defer r.s.mu.Unlock()
	c.isRemoved = c.isRemoved || a.isOK() || a.isUnknown()
	if a.isOK() && t.person != c.by {
		r.s.violate("undo", "%s undid a call of %s", t.person.Name, c.by.Name)
	}
}

// pickCall chooses one of the newest calls, mostly one that isn't part of a question.
func (r *runner) pickCall() (*loggedCall, bool) {
	r.s.mu.Lock()
	defer r.s.mu.Unlock()
	withQuestions := r.step.N[2]>>8%4 == 0
	calls := slices.DeleteFunc(slices.Collect(maps.Values(r.s.staffCalls)), func(c *loggedCall) bool {
		return !c.certain || c.isRemoved || !withQuestions && r.s.numbered(c.number) != nil
	})
	slices.SortFunc(calls, func(a, b *loggedCall) int { return cmp.Compare(b.entry, a.entry) })
	const newest = 4
	return pickFrom(calls[:min(newest, len(calls))], r.step.N[1])
}

// openCall opens a question from a logged call, and can undo the call then.
func openCall(ctx context.Context, r *runner) {
	s := r.s
	t := r.staff(ctx)
	if t == nil {
		return
	}
	c, ok := r.pickCall()
	if !ok {
		return
	}
	got, ok := r.open(ctx, t, "/desk/cases", c.number)
	if !ok {
		return
	}
	r.ready()
	again := *r
	again.forbidden = got.Kind != cases.KindCall
	path := "/desk/cases/" + got.Number + "/open"
	a := again.call(ctx, t, http.MethodPost, path, fields{"version": got.Version})
	r.ended(t, a)
	var opened thread
	isOpen := a.into(&opened)
	s.mu.Lock()
	s.claimVersion(a, got, path)
	switch {
	case a.isUnknown():
		s.doubted = append(s.doubted, func(ctx context.Context) { s.settleOpened(ctx, c.by, got) })
	case isOpen && again.forbidden:
		s.violate("states", "%s was opened from a call, and is a %s", got.Number, got.Kind)
	case isOpen:
		if opened.Kind != cases.KindQuestion || opened.State != cases.Open && r.together == 1 {
			s.violate("states", "call %s is a %s in the state %s after it was opened", got.Number, opened.Kind, opened.State)
		}
		s.addOpened(ctx, c.by, got)
	}
	s.mu.Unlock()
	if isOpen && r.step.N[2]>>4%3 == 0 {
		r.undo(ctx, t, c)
	}
}

// addOpened adds a question that was opened from a call to the model. The caller has the lock, unless
// nothing else runs.
func (s *simulation) addOpened(ctx context.Context, by *person, call thread) {
	if s.numbered(call.Number) != nil {
		return
	}
	q := &question{author: by, ftin: call.FTIN, number: call.Number, isCall: true}
	for _, b := range call.Bills {
		q.bills = append(q.bills, b.Number)
	}
	var group int64
	if err := db.Get(ctx, s.fleet.db.Writer, &group, `SELECT group_id FROM cases WHERE number = $1`, call.Number); err != nil {
		s.violate("readable", "%v", err)
	}
	q.office = s.listOffices(ctx)[group]
	s.questions = append(s.questions, q)
}

// settleOpened finds out whether a call with an unknown outcome is a question.
func (s *simulation) settleOpened(ctx context.Context, by *person, call thread) {
	var kinds []cases.CaseKind
	if err := db.Select(ctx, s.fleet.db.Writer, &kinds, `SELECT kind FROM cases WHERE number = $1`, call.Number); err != nil {
		s.violate("readable", "%v", err)
	}
	if slices.Contains(kinds, cases.KindQuestion) && call.Kind == cases.KindCall {
		s.addOpened(ctx, by, call)
	}
}

// listOffices returns the offices of the model by their group IDs.
func (s *simulation) listOffices(ctx context.Context) map[int64]string {
	var rows []struct {
		GroupID  int64
		UserName string
	}
	if err := db.Select(ctx, s.fleet.db.Writer, &rows, `SELECT group_id, user_name FROM users WHERE group_id IS NOT NULL`); err != nil {
		s.violate("readable", "%v", err)
	}
	offices := map[int64]string{}
	for _, row := range rows {
		if p := s.byName[row.UserName]; p != nil && p.Office != "" {
			offices[row.GroupID] = p.Office
		}
	}
	return offices
}

// recordComplaint records a complaint that came by phone or mail, of a user or of someone without an
// account.
func recordComplaint(ctx context.Context, r *runner) {
	s := r.s
	t := r.staff(ctx)
	if t == nil {
		return
	}
	s.mu.Lock()
	users := slices.DeleteFunc(slices.Clone(s.people), func(p *person) bool { return !isOffice(p) || p.ended > 0 || p.maybe })
	s.mu.Unlock()
	q := &question{author: t.person, isComplaint: true, isRecorded: true}
	m := &message{question: q, author: t.person, kind: cases.Message, opens: true}
	n := r.step.N[1]
	u, ok := pickFrom(users, n>>4)
	isUser := ok && n%3 > 0
	if isUser {
		q.author, q.office = u, u.Office
		if n>>8%3 > 0 {
			q.ftin, _ = pickFrom(s.listTINs(u), n>>12)
		}
	}
	body := r.compose(m)
	body["categories"], body["lawState"], body["origin"] = []string{"OTHER"}, "TX", []string{"PHONE", "MAIL"}[n>>16%2]
	body["receivedOn"] = s.fleet.now().AddDate(0, 0, -1-int(n>>18%9)).Format(time.DateOnly)
	if isUser {
		body["userName"], body["ftin"] = u.Name, q.ftin
	} else {
		body["complainant"] = "Vera Visitor"
	}
	if number, sure := s.ledger.pickBill(q.ftin, n>>20); sure && n>>22%2 == 0 {
		body["bills"] = []string{number}
	}
	r.ready()
	a := r.write(ctx, t, "/desk/cases", m, body)
	if a.isOK() && q.ftin != "" {
		r.wantScope(&token{person: u}, a, "a recorded complaint", q.ftin)
	}
}
