package main

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"net/http"
	"slices"
	"strings"

	"wcpp/internal/bills/cases"
	"wcpp/internal/identity/access"
	"wcpp/internal/platform/db"
)

// question is a question or complaint of an office in the model.
type question struct {
	author      *person
	ftin        string // empty without a TIN
	number      string // empty until an answer names it
	isComplaint bool
}

// message is what someone wrote to a question. Every body is unique.
type message struct {
	question  *question
	author    *person
	kind      cases.Kind
	opens     bool   // the question
	seen      int64  // latest entry that its author had read; 0: it needs none
	file      string // SHA-256 of its file
	fileID    int64
	confirmed int64 // moment of the confirmation; 0: none
	isRefused bool
}

// loggedCall is a call that staff logged, by its key.
type loggedCall struct {
	number    string // of its case, or of the question that it was added to
	certain   bool   // confirmed
	isRemoved bool   // undone, or perhaps
}

// thread is a question as an office or staff see it.
type thread struct {
	Number  string
	Kind    cases.CaseKind
	State   cases.State
	FTIN    string
	Version int64
	Entries []struct {
		ID         int64
		Kind, Body string
	}
	Files     []struct{ ID, EntryID int64 }
	Complaint *struct{ Letters []struct{ ID int64 } }
}

// latest returns the ID of the latest entry.
func (t thread) latest() int64 {
	if len(t.Entries) == 0 {
		return 0
	}
	return t.Entries[len(t.Entries)-1].ID
}

// compose adds a message to the model, with a unique body, and returns the request's fields.
func (r *runner) compose(m *message) fields {
	r.s.mu.Lock()
	defer r.s.mu.Unlock()
	r.s.bodies++
	body := fmt.Sprintf("%s %d", strings.ToLower(string(m.kind)), r.s.bodies)
	r.s.messages[body] = m
	return fields{"body": body, "requestKey": "key of " + body}
}

// attach uploads a file for a message.
func (r *runner) attach(ctx context.Context, t *token, path string, m *message, body fields) {
	r.s.mu.Lock()
	r.s.bodies++
	n := r.s.bodies
	r.s.mu.Unlock()
	picture := image.NewNRGBA(image.Rect(0, 0, 1, 1))
	picture.Set(0, 0, color.NRGBA{byte(n >> 16), byte(n >> 8), byte(n), 255}) //nolint:gosec // three bytes of the number
	var content bytes.Buffer
	if err := png.Encode(&content, picture); err != nil {
		panic(err) // into memory
	}
	var got struct{ ID int64 }
	a := r.call(ctx, t, http.MethodPost, path+"/files", newUpload("file", "scan.png", content.String()))
	r.ended(t, a)
	if a.into(&got) {
		r.s.mu.Lock()
		defer r.s.mu.Unlock()
		m.file, m.fileID = hashOf(content.String()), got.ID
		body["files"] = []int64{got.ID}
	}
}

// write sends a message. Who got no answer sends it again later.
func (r *runner) write(ctx context.Context, t *token, path string, m *message, body fields) {
	s := r.s
	a := r.call(ctx, t, http.MethodPost, path, body)
	r.ended(t, a)
	if a.isOK() && isOffice(t.person) && m.question.ftin != "" {
		r.wantScope(t, a, "a question", m.question.ftin)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case !a.isUnknown():
		s.learn(m, a)
		m.isRefused = !a.isOK()
	default:
		s.doubted = append(s.doubted, func(ctx context.Context) {
			again := &runner{s: s, step: Step{Do: "send-again"}, process: s.fleet.pick(0), together: 1}
			a := again.call(ctx, t, http.MethodPost, path, body)
			again.ended(t, a)
			s.learn(m, a)
		})
	}
}

// learn records a confirmed message. The caller has the lock, unless nothing else runs.
func (s *simulation) learn(m *message, a reply) {
	var got thread
	if !a.into(&got) {
		return
	}
	if m.question.number == "" {
		m.question.number = got.Number
	}
	if m.question.number != got.Number {
		s.violate("once", "questions %s and %s were asked with one key", m.question.number, got.Number)
	}
	m.confirmed = a.to
}

// ask asks the network about a bill, a TIN or nothing in particular, or complains.
func ask(ctx context.Context, r *runner) {
	s := r.s
	t := r.session(isOffice)
	if t == nil {
		return
	}
	q := &question{author: t.person, isComplaint: r.step.N[2]>>4%3 == 0}
	page := ""
	switch n := r.step.N[1]; n % 4 {
	case 0:
	case 1:
		s.mu.Lock()
		var own []string
		for _, ftin := range allTINs {
			if t.person.couldSee(ftin, s.ticks.Load(), forever) {
				own = append(own, ftin)
			}
		}
		s.mu.Unlock()
		q.ftin, _ = pickFrom(own, n>>4)
	default:
		if b, ok := pickFrom(r.bills(ctx, t), n>>4); ok {
			q.ftin, page = b.FTIN, b.Page
		}
	}
	m := &message{question: q, author: t.person, kind: cases.Message, opens: true}
	body := r.compose(m)
	body["topic"] = cases.TopicStatus
	switch {
	case page != "":
		body["bills"] = []string{page}
	case q.ftin != "":
		body["ftin"] = q.ftin
	}
	if q.isComplaint {
		body["topic"] = cases.TopicOther
		body["complaint"] = fields{"categories": []string{"PAYMENT"}, "lawState": "TX"}
	}
	if r.step.N[2]>>8%3 == 0 {
		r.attach(ctx, t, "/work/cases", m, body)
	}
	r.ready()
	r.write(ctx, t, "/work/cases", m, body)
}

// listQuestions returns the newest questions that a session sees, after one, and the position of the
// next part.
func (r *runner) listQuestions(ctx context.Context, t *token, after string) (list []thread, next string) {
	var found struct {
		Cases []thread
		Next  string
	}
	a := r.call(ctx, t, http.MethodPost, "/work/cases/page", fields{"tab": cases.TabAll, "after": after})
	r.ended(t, a)
	if !a.into(&found) {
		return nil, ""
	}
	for _, c := range found.Cases {
		r.wantOwn(t, a, c)
	}
	return found.Cases, found.Next
}

// wantOwn checks that an office sees a question of its own, with a TIN that the viewer had.
func (r *runner) wantOwn(t *token, a reply, c thread) {
	if c.FTIN != "" {
		r.wantScope(t, a, "question "+c.Number, c.FTIN)
	}
	r.s.mu.Lock()
	defer r.s.mu.Unlock()
	p := t.viewer()
	for _, m := range r.s.messages {
		q := m.question
		isOwn := q.author.Office == p.Office && (q.ftin != "" || q.author == p || p.Type == access.PRAD)
		if q.number == c.Number && !isOwn {
			r.s.violate("scope", "%s saw question %s of %s", p.Name, c.Number, q.author.Name)
			return
		}
	}
}

// open reads a question at a side, and one of its files.
func (r *runner) open(ctx context.Context, t *token, path, number string) (got thread, ok bool) {
	s := r.s
	isDesk := path == "/desk/cases"
	a := r.call(ctx, t, http.MethodGet, path+"/"+number, nil)
	r.ended(t, a)
	s.mu.Lock()
	s.expectEntry(map[bool]string{false: "case-read", true: "desk-open-case"}[isDesk], a)
	s.mu.Unlock()
	if !a.into(&got) {
		return got, false
	}
	if !isDesk {
		r.wantOwn(t, a, got)
	}
	s.mu.Lock()
	files := s.checkThread(t, a, got, isDesk)
	s.mu.Unlock()
	one, has := pickFrom(got.Files, r.step.N[1]>>8)
	if !has {
		return got, true
	}
	a = r.call(ctx, t, http.MethodGet, fmt.Sprintf("%s/%s/files/%d", path, number, one.ID), nil)
	r.ended(t, a)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.expectEntry(map[bool]string{false: "case-file-open", true: "desk-open-case-file"}[isDesk], a)
	if a.isOK() && hashOf(string(a.body)) != files[one.EntryID] {
		s.violate("files", "%s got other bytes for file %d of question %s", t.person.Name, one.ID, number)
	}
	return got, true
}

// checkThread checks who reads what in a question, and that confirmed messages are there. It returns
// the files of the entries. The caller has the lock.
func (s *simulation) checkThread(t *token, a reply, got thread, isDesk bool) map[int64]string {
	files, times := map[int64]string{}, map[string]int{}
	for _, e := range got.Entries {
		if e.Body == "" || e.Kind == string(cases.MergedWith) {
			continue
		}
		times[e.Body]++
		m := s.messages[e.Body]
		if m == nil || m.isRefused {
			s.violate("refused messages", "%q is in question %s", e.Body, got.Number)
			continue
		}
		files[e.ID] = m.file
		switch {
		case !isDesk && m.kind == cases.Note:
			s.violate("internal notes", "%s saw %q in question %s", t.viewer().Name, e.Body, got.Number)
		case !isDesk && m.question.author.Office != t.viewer().Office:
			s.violate("scope", "%s saw %q of %s", t.viewer().Name, e.Body, m.question.author.Name)
		}
	}
	for body, m := range s.messages {
		isDue := m.question.number == got.Number && m.confirmed > 0 && m.confirmed < a.from && (isDesk || m.kind != cases.Note)
		if times[body] > 1 || isDue && times[body] == 0 {
			s.violate("nothing lost", "%s saw %q %d times in question %s", t.viewer().Name, body, times[body], got.Number)
		}
	}
	return files
}

// trespass opens a question of another office, and the file of an internal note. Both must be refused.
func (r *runner) trespass(ctx context.Context, t *token, own thread) {
	s := r.s
	var paths []string
	s.mu.Lock()
	for _, m := range s.messages {
		switch q := m.question; {
		case q.number == own.Number && m.kind == cases.Note && m.fileID > 0:
			paths = append(paths, fmt.Sprintf("/work/cases/%s/files/%d", own.Number, m.fileID))
		case q.number != "" && q.author.Office != t.person.Office && m.opens:
			paths = append(paths, "/work/cases/"+q.number)
		}
	}
	s.mu.Unlock()
	slices.Sort(paths)
	path, ok := pickFrom(paths, r.step.N[1]>>12)
	if !ok {
		return
	}
	again := *r
	again.forbidden = true
	if a := again.call(ctx, t, http.MethodGet, path, nil); a.isOK() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.violate(map[bool]string{false: "scope", true: "internal notes"}[strings.Contains(path, "/files/")], "%s opened %s", t.person.Name,
			path)
	}
}

// readQuestion opens one of the newest questions of a session.
func (r *runner) readQuestion(ctx context.Context, t *token) (got thread, ok bool) {
	list, _ := r.listQuestions(ctx, t, "")
	one, ok := pickFrom(list, r.step.N[1]%3)
	if !ok {
		return got, false
	}
	return r.open(ctx, t, "/work/cases", one.Number)
}

// followUp reads a question of the office. Then it replies, confirms that the answer helped, or
// withdraws the question.
func followUp(ctx context.Context, r *runner) {
	t := r.session(isOffice)
	if t == nil {
		return
	}
	got, ok := r.readQuestion(ctx, t)
	if !ok {
		return
	}
	r.trespass(ctx, t, got)
	path, choice := "/work/cases/"+got.Number, r.step.N[1]>>4%4
	switch {
	case got.State == cases.Answered && choice < 2:
		r.ready()
		r.change(ctx, t, path+"/helpful", got)
	case got.State != cases.Answered && choice == 0, got.State == cases.Answered && choice == 2: // an answered one is refused
		r.ready()
		r.change(ctx, t, path+"/withdraw", got)
	default:
		q := r.findQuestion(got)
		if q == nil {
			return
		}
		m := &message{question: q, author: t.person, kind: cases.Message}
		body := r.compose(m)
		if choice == 3 {
			r.attach(ctx, t, "/work/cases", m, body)
		}
		r.ready()
		r.write(ctx, t, path+"/reply", m, body)
	}
}

// findQuestion returns a question of the model. A call isn't in it.
func (r *runner) findQuestion(t thread) *question {
	r.s.mu.Lock()
	defer r.s.mu.Unlock()
	for _, m := range r.s.messages {
		if m.question.number == t.Number {
			return m.question
		}
	}
	return nil
}

// change changes a question in the version that was read. Of two changes over one version, one is
// stored.
func (r *runner) change(ctx context.Context, t *token, path string, seen thread) {
	a := r.call(ctx, t, http.MethodPost, path, fields{"version": seen.Version})
	r.ended(t, a)
	if isOffice(t.person) && seen.FTIN != "" && a.isOK() {
		r.wantScope(t, a, "a question", seen.FTIN)
	}
	r.s.mu.Lock()
	defer r.s.mu.Unlock()
	r.s.claimVersion(a, seen, path)
}

// claimVersion records what was saved over a version of a question. The caller has the lock.
func (s *simulation) claimVersion(a reply, seen thread, content string) {
	if !a.isOK() {
		return
	}
	key := fmt.Sprintf("question %s %d", seen.Number, seen.Version)
	if before, is := s.saved[key]; is {
		s.violate("lost update", "%q and %q were saved over version %d of question %s", before.content, content, seen.Version, seen.Number)
	}
	s.saved[key] = saved{content, a.to}
}

// handleQuestion opens a question at the service desk. Then it takes or releases it, answers it, asks
// the office, or adds an internal note.
func handleQuestion(ctx context.Context, r *runner) {
	t := r.staff(ctx)
	if t == nil {
		return
	}
	var found struct{ Cases []thread }
	queue := []cases.Queue{cases.QueueAll, cases.QueueAll, cases.QueueWaiting}[r.step.N[2]>>12%3]
	a := r.call(ctx, t, http.MethodGet, "/desk/cases?queue="+string(queue), nil)
	r.ended(t, a)
	if !a.into(&found) {
		return
	}
	slices.Reverse(found.Cases) // the newest first
	one, ok := pickFrom(found.Cases, r.step.N[1]%3)
	if !ok {
		return
	}
	got, ok := r.open(ctx, t, "/desk/cases", one.Number)
	q := r.findQuestion(got)
	if !ok || q == nil {
		return
	}
	path, choice := "/desk/cases/"+got.Number, r.step.N[1]>>4%8
	if choice == 0 {
		r.ready()
		r.change(ctx, t, path+[]string{"/take", "/take", "/release"}[r.step.N[1]>>8%3], got)
		return
	}
	kind, operation := cases.Answer, "/answer"
	switch {
	case choice < 3:
		kind, operation = cases.Note, "/note"
	case choice < 5 && got.State == cases.Open:
		kind, operation = cases.Ask, "/ask"
	}
	m := &message{question: q, author: t.person, kind: kind, seen: got.latest()}
	body := r.compose(m)
	body["version"] = got.Version
	if kind == cases.Answer && q.isComplaint {
		body["outcome"] = cases.Upheld
	}
	if r.step.N[2]>>8%3 == 0 {
		r.attach(ctx, t, "/desk/cases", m, body)
	}
	r.ready()
	r.write(ctx, t, path+operation, m, body)
}

// logCall logs an office's call about a bill, sometimes twice with the same key, and can undo it.
func logCall(ctx context.Context, r *runner) {
	s := r.s
	t := r.staff(ctx)
	if t == nil {
		return
	}
	r.ended(t, r.call(ctx, t, http.MethodPost, "/desk/sitting", fields{"reason": "CALL"}))
	ftin, _ := pickFrom(allTINs, r.step.N[1])
	number, _ := s.ledger.pickBill(ftin, r.step.N[1]>>4)
	var found struct{ Bills []struct{ ID string } }
	a := r.call(ctx, t, http.MethodPost, "/desk/find", fields{"q": ftin + " " + number})
	if !a.into(&found) || len(found.Bills) == 0 {
		return
	}
	s.mu.Lock()
	s.bodies++
	key, c := fmt.Sprintf("call of staff %d", s.bodies), &loggedCall{}
	s.staffCalls[key] = c
	s.mu.Unlock()
	body := fields{"requestKey": key, "bills": []string{found.Bills[0].ID}}
	r.ready()
	var got struct {
		Number  string
		Entry   int64
		Offices []int64
	}
	for range 2 {
		a = r.call(ctx, t, http.MethodPost, "/desk/calls", body)
		r.ended(t, a)
		if !a.into(&got) || got.Number != "" {
			break
		}
		body["office"], _ = pickFrom(got.Offices, r.step.N[1]>>12)
	}
	if got.Number == "" {
		return
	}
	s.mu.Lock()
	c.number, c.certain = got.Number, true
	s.mu.Unlock()
	if r.step.N[2]>>4%3 > 0 {
		return
	}
	a = r.call(ctx, t, http.MethodDelete, fmt.Sprintf("/desk/calls/%s?entry=%d", got.Number, got.Entry), nil)
	s.mu.Lock()
	defer s.mu.Unlock()
	c.isRemoved = a.isOK() || a.isUnknown()
}

// stored is an entry as it's stored, with its case.
type stored struct {
	ID, CaseID int64
	Number     string
	CaseKind   cases.CaseKind
	State      cases.State
	Kind       cases.Kind
	Body       string
	At         db.Instant
	Author     string
	Asker      string // author of the case
	IsInGroup  bool   // the case's group is its author's
}

// allowed are the states before and after each entry, as docs/rules/questions.md lists them. The
// first entry of a case has no state before it.
var allowed = map[cases.Kind]map[cases.State]cases.State{
	cases.Message: {"": cases.Open, cases.Open: cases.Open, cases.Waiting: cases.Open, cases.Answered: cases.Open},
	cases.Ask:     {cases.Open: cases.Waiting},
	cases.Answer:  {cases.Open: cases.Answered, cases.Waiting: cases.Answered},
	cases.Note: {cases.Open: cases.Open, cases.Waiting: cases.Waiting, cases.Answered: cases.Answered, cases.Closed: cases.Closed,
		cases.Withdrawn: cases.Withdrawn},
	cases.CallLogged:   {"": cases.Closed, cases.Open: cases.Open, cases.Waiting: cases.Waiting, cases.Answered: cases.Answered},
	cases.WithdrawnBy:  {cases.Open: cases.Withdrawn, cases.Waiting: cases.Withdrawn},
	cases.ClosedNoMore: {cases.Answered: cases.Closed},
}

// checkQuestions checks that confirmed messages and calls are there once and refused ones aren't, that
// states follow from the entries, that staff had read the entries before theirs, and that files and
// letters are the right ones.
func (s *simulation) checkQuestions(ctx context.Context) {
	var rows []stored
	if err := db.Select(ctx, s.fleet.db.Writer, &rows, `SELECT e.id, e.case_id, c.number, c.kind AS case_kind, c.state, e.kind, e.body,
		e.at, COALESCE(u.user_name, '') AS author, o.user_name AS asker, COALESCE(c.group_id = o.group_id, FALSE) AS is_in_group
		FROM case_entries e JOIN cases c ON c.id = e.case_id JOIN users o ON o.id = c.opened_by LEFT JOIN users u ON u.id = e.author_id
		ORDER BY e.case_id, e.id`); err != nil {
		s.violate("readable", "%v", err)
	}
	times, logged := map[string]int{}, map[string]int{}
	for i, e := range rows {
		if i == 0 || rows[i-1].CaseID != e.CaseID {
			s.checkStates(rows[i:])
		}
		if e.Kind == cases.CallLogged {
			logged[e.Number]++
		}
		if e.Body == "" {
			continue
		}
		times[e.Body]++
		m := s.messages[e.Body]
		if m == nil || m.isRefused || m.kind != e.Kind || m.author.Name != e.Author ||
			m.opens && (m.author.Name != e.Asker || !e.IsInGroup) {
			s.violate("refused messages", "%q of %s is in question %s", e.Body, e.Author, e.Number)
			continue
		}
		if m.question.number == "" {
			m.question.number = e.Number
		}
		if m.question.number != e.Number {
			s.violate("once", "%q for question %s is in question %s", e.Body, m.question.number, e.Number)
		}
		if m.seen > 0 && (i == 0 || rows[i-1].CaseID != e.CaseID || rows[i-1].ID != m.seen) {
			s.violate("lost update", "%q isn't next to entry %d of question %s, which its author read", e.Body, m.seen, e.Number)
		}
	}
	for body, m := range s.messages {
		if n := times[body]; n > 1 || n == 0 && m.confirmed > 0 {
			s.violate("nothing lost", "%q of %s is in question %s %d times", body, m.author.Name, m.question.number, n)
		}
	}
	s.checkReaders(ctx)
	s.checkCalls(ctx, logged)
	s.checkQuestionFiles(ctx)
	s.checkLetters(ctx)
	s.checkNews(ctx)
}

// checkStates checks that the state of a case follows from its entries, which come first among rows.
func (s *simulation) checkStates(rows []stored) {
	state, answered := cases.State(""), db.Instant{}
	for _, e := range rows {
		if e.CaseID != rows[0].CaseID {
			break
		}
		next, ok := allowed[e.Kind][state]
		if e.Kind == cases.ClosedNoMore && e.Author == "" && e.At.Before(answered.AddDate(0, 0, cases.ReplyDays)) {
			ok = false
		}
		if !ok {
			s.violate("states", "question %s has entry %d, %s, in the state %q", e.Number, e.ID, e.Kind, state)
		}
		if state = next; e.Kind == cases.Answer {
			answered = e.At
		}
	}
	if state != rows[0].State {
		s.violate("states", "question %s is %s; its entries say %s", rows[0].Number, rows[0].State, state)
	}
}

// checkCalls compares the stored calls of each case with those that were logged.
func (s *simulation) checkCalls(ctx context.Context, logged map[string]int) {
	var rows []struct{ RequestKey, Number string }
	if err := db.Select(ctx, s.fleet.db.Writer, &rows, `SELECT request_key, number FROM cases WHERE kind = 'CALL'`); err != nil {
		s.violate("readable", "%v", err)
	}
	for _, row := range rows {
		switch c := s.staffCalls[row.RequestKey]; {
		case c == nil:
			s.violate("once", "call %s has the unknown key %q", row.Number, row.RequestKey)
		case c.number == "":
			c.number = row.Number
		case c.number != row.Number:
			s.violate("once", "calls %s and %s were logged with one key", c.number, row.Number)
		}
	}
	most, removed, unknown := map[string]int{}, map[string]bool{}, 0
	for _, c := range s.staffCalls {
		if most[c.number]++; c.number == "" {
			unknown++
		}
		removed[c.number] = removed[c.number] || c.isRemoved
	}
	for number, n := range logged {
		if n > most[number]+unknown {
			s.violate("once", "%d calls are in %s, and %d were logged", n, number, most[number])
		}
	}
	for _, c := range s.staffCalls {
		if c.certain && !removed[c.number] && logged[c.number] == 0 {
			s.violate("nothing lost", "a call isn't in %s", c.number)
		}
	}
}
