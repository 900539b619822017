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
)

// question is a question or complaint in the model.
type question struct {
	author      *person // who asked; of a call, or for someone without an account, the staff member
	office      string  // that sees it; empty: only staff see it
	ftin        string  // empty without a TIN
	number      string  // empty until an answer names it
	isComplaint bool
	isRecorded  bool     // by staff
	isCall      bool     // opened from a logged call
	bills       []string // their numbers when it was stored
	moves       []*move
}

// isFor reports whether a person sees a question whose TIN they have.
func (q *question) isFor(p *person) bool {
	return q.office != "" && q.office == p.Office && (q.ftin != "" || q.author == p || isAdmin(p))
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

// thread is a question as an office or staff see it.
type thread struct {
	Number  string
	Kind    cases.CaseKind
	State   cases.State
	FTIN    string
	Version int64
	Into    string `json:"mergedInto"`
	Bills   []struct{ Number string }
	Entries []struct {
		ID         int64
		Kind, Body string
	}
	Files     []struct{ ID, EntryID int64 }
	Complaint struct{ Letters []struct{ ID int64 } }
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
	if m.opens {
		r.s.questions = append(r.s.questions, m.question)
	}
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

// ask asks the network about a bill, a TIN or nothing in particular, or complains.
func ask(ctx context.Context, r *runner) {
	s := r.s
	t := r.session(isOffice)
	if t == nil {
		return
	}
	q := &question{author: t.person, office: t.person.Office, isComplaint: r.step.N[2]>>4%4 == 0}
	page := ""
	switch n := r.step.N[1]; n % 4 {
	case 0:
	case 1: // often the same one, so that questions can be merged
		own := s.listTINs(t.person)
		q.ftin, _ = pickFrom(own[:min(2, len(own))], n>>4)
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
	if q := r.s.numbered(c.Number); q != nil && !q.isFor(p) {
		r.s.violate("scope", "%s saw question %s of %s", p.Name, c.Number, q.author.Name)
	}
}

// open reads a question at a side, and one of its files and letters.
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
	r.openLetter(ctx, t, path, got)
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

// openLetter reads a letter about a complaint. Each complaint has one at least.
func (r *runner) openLetter(ctx context.Context, t *token, path string, c thread) {
	if c.Kind != cases.KindComplaint {
		return
	}
	s := r.s
	one, has := pickFrom(c.Complaint.Letters, r.step.N[1]>>10)
	var a reply
	if has {
		a = r.call(ctx, t, http.MethodGet, fmt.Sprintf("%s/%s/letters/%d", path, c.Number, one.ID), nil)
		r.ended(t, a)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if has {
		s.expectEntry(map[bool]string{false: "case-letter-read", true: "desk-case-letter-read"}[path == "/desk/cases"], a)
	}
	if !has || a.isOK() && !bytes.HasPrefix(a.body, []byte("%PDF-")) {
		s.violate("letters", "%s can't read a letter of complaint %s", t.person.Name, c.Number)
	}
}

// checkThread checks who reads what in a question, that confirmed messages are there, and that those of
// a merged question are in the other one. It returns the files of the entries. The caller has the lock.
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
		case !isDesk && m.question.office != t.viewer().Office:
			s.violate("scope", "%s saw %q of %s", t.viewer().Name, e.Body, m.question.author.Name)
		}
	}
	for body, m := range s.messages {
		places := m.question.places(a, nil)
		isHere := slices.ContainsFunc(places, func(q *question) bool { return q.number == got.Number || q.number == "" })
		isDue := isHere && len(places) == 1 && m.confirmed > 0 && m.confirmed < a.from && (isDesk || m.kind != cases.Note)
		switch n := times[body]; {
		case n > 1:
			s.violate("once", "%s saw %q %d times in question %s", t.viewer().Name, body, n, got.Number)
		case n == 0 && isDue:
			s.violate("nothing lost", "%s didn't see %q in question %s", t.viewer().Name, body, got.Number)
		case n == 1 && !isHere:
			s.violate("merging", "%s saw %q of question %s in question %s", t.viewer().Name, body, m.question.number, got.Number)
		}
	}
	if q := s.numbered(got.Number); q != nil && q.isMovedBefore(a.from) && (got.State != cases.Merged || got.Into == "") {
		s.violate("merging", "question %s is %s after it was merged", got.Number, got.State)
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
		case q.number != "" && q.office != t.person.Office && m.opens:
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
	if q, ok := r.pickMerged(t.person); ok && r.step.N[2]>>12%4 == 0 {
		r.writeToMerged(ctx, t, "/work/cases", cases.Message, q)
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

// findQuestion returns a question of the model. A call isn't one until it's opened.
func (r *runner) findQuestion(t thread) *question {
	r.s.mu.Lock()
	defer r.s.mu.Unlock()
	return r.s.numbered(t.Number)
}

// numbered returns the question with a number, or nil. The caller has the lock.
func (s *simulation) numbered(number string) *question {
	at := slices.IndexFunc(s.questions, func(q *question) bool { return q.number == number })
	if at < 0 {
		return nil
	}
	return s.questions[at]
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
	if q, ok := r.pickMerged(nil); ok && r.step.N[2]>>16%8 == 0 {
		r.writeToMerged(ctx, t, "/desk/cases", cases.Note, q)
		return
	}
	queue := []cases.Queue{cases.QueueAll, cases.QueueAll, cases.QueueWaiting}[r.step.N[2]>>12%3]
	one, ok := pickFrom(r.listQueue(ctx, t, queue), r.step.N[1]%3)
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
