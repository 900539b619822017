package main

import (
	"context"
	"net/http"
)

// sent is a request with a message, which can be repeated. The browser's key is in it.
type sent struct {
	by       *token
	path     string
	body     fields
	message  *message
	isUnsure bool // no answer so far
}

// write sends a message. If the outcome is unknown, it's sent again: after this group, or later.
func (r *runner) write(ctx context.Context, t *token, path string, m *message, body fields) (a reply) {
	s := r.s
	a = r.call(ctx, t, http.MethodPost, path, body)
	r.ended(t, a)
	if a.isOK() && isOffice(t.person) && m.question.ftin != "" {
		r.wantScope(t, a, "a question", m.question.ftin)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if a.isOK() && !m.opens && m.question.isMovedBefore(a.from) {
		s.violate("merging", "%q was added to question %s after it was merged", body["body"], m.question.number)
	}
	if !a.isUnknown() {
		s.learn(m, a)
		if m.isRefused = !a.isOK(); m.isRefused {
			return a
		}
	}
	o := &sent{t, path, body, m, a.isUnknown()}
	s.sent = append(s.sent, o)
	if o.isUnsure && r.step.N[2]>>16%2 == 0 {
		s.doubted = append(s.doubted, func(ctx context.Context) { s.sendUnsure(ctx, o) })
	}
	return a
}

// learn records a confirmed message. The caller has the lock, unless nothing else runs.
func (s *simulation) learn(m *message, a reply) {
	var got thread
	if !a.into(&got) {
		return
	}
	if m.question.number == "" {
		m.question.number = got.Number
		for _, b := range got.Bills {
			m.question.bills = append(m.question.bills, b.Number)
		}
	}
	if m.question.number != got.Number {
		s.violate("once", "questions %s and %s were asked with one key", m.question.number, got.Number)
	}
	if m.confirmed == 0 {
		m.confirmed = a.to
	}
}

// repeat sends a message again. If it's confirmed, that changes nothing, and it isn't refused either.
func (r *runner) repeat(ctx context.Context, o *sent) {
	s := r.s
	a := r.call(ctx, o.by, http.MethodPost, o.path, o.body)
	r.ended(o.by, a)
	s.mu.Lock()
	defer s.mu.Unlock()
	m := o.message
	isConfirmed := m.confirmed > 0 && m.confirmed < a.from
	s.learn(m, a)
	o.isUnsure = o.isUnsure && a.isUnknown()
	if isConfirmed && a.err == nil && a.status == http.StatusConflict {
		s.violate("once", "%q is stored, and was refused when %s sent it to %s again: %s", o.body["body"], o.by.person.Name, o.path, a.body)
	}
}

// sendAgain repeats a message without an answer, or up to three others: of a merged question, of one that
// another was merged into, and any other one.
func sendAgain(ctx context.Context, r *runner) {
	s := r.s
	s.mu.Lock()
	isTarget := map[*question]bool{}
	for _, q := range s.questions {
		for _, m := range q.moves {
			isTarget[m.into] = true
		}
	}
	var unsure, moved, targets, others []*sent
	for _, o := range s.sent {
		switch {
		case o.isUnsure:
			unsure = append(unsure, o)
		case o.by.dead > 0:
		case len(o.message.question.moves) > 0:
			moved = append(moved, o)
		case isTarget[o.message.question]:
			targets = append(targets, o)
		default:
			others = append(others, o)
		}
	}
	s.mu.Unlock()
	r.ready()
	if o, ok := pickFrom(unsure, r.step.N[1]); ok {
		r.repeat(ctx, o)
		return
	}
	for _, list := range [][]*sent{moved, targets, others} {
		const latest = 40
		if o, ok := pickFrom(list[max(0, len(list)-latest):], r.step.N[1]); ok {
			r.repeat(ctx, o)
		}
	}
}

// sendUnsure repeats a message without an answer, while nothing else runs.
func (s *simulation) sendUnsure(ctx context.Context, o *sent) {
	if o.isUnsure {
		again := &runner{s: s, step: Step{Do: "send-again"}, process: s.fleet.pick(0), together: 1}
		again.repeat(ctx, o)
	}
}

// confirmMessages repeats all messages without an answer.
func (s *simulation) confirmMessages(ctx context.Context) {
	for _, o := range s.sent {
		s.sendUnsure(ctx, o)
	}
}
