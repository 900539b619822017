package main

import (
	"cmp"
	"context"
	"net/http"
	"slices"

	"wcpp/internal/bills/cases"
	"wcpp/internal/platform/db"
)

// move is a merge into another question, between two moments. to is forever until it's confirmed.
type move struct {
	into     *question
	from, to int64
}

// isMovedBefore reports whether a merge of a question was confirmed before a moment.
func (q *question) isMovedBefore(at int64) bool {
	return slices.ContainsFunc(q.moves, func(m *move) bool { return m.to < at })
}

// places adds the questions to a list where the messages of a question can be during a call.
func (q *question) places(a reply, list []*question) []*question {
	if slices.Contains(list, q) {
		return list
	}
	for _, m := range q.moves {
		if m.to < a.from {
			return m.into.places(a, list)
		}
	}
	list = append(list, q)
	for _, m := range q.moves {
		if m.from < a.to {
			list = m.into.places(a, list)
		}
	}
	return list
}

// rest returns the question where the messages of a question are, while nothing else runs.
func (q *question) rest() *question {
	for len(q.moves) > 0 {
		q = q.moves[0].into
	}
	return q
}

// mayMerge reports whether a question can be merged into another one.
func (q *question) mayMerge(into *question) bool {
	return q != into && !q.isComplaint && !into.isComplaint && q.office == into.office && q.ftin == into.ftin &&
		(q.ftin != "" || q.author == into.author)
}

// pair is a question to merge into another one.
type pair struct{ from, into *question }

// listPairs lists pairs of open questions that can be merged, and other pairs. Those of different offices
// about one TIN come first among the others.
func (s *simulation) listPairs(list []thread) (can, others []pair) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var known []*question
	for _, c := range list {
		if q := s.numbered(c.Number); q != nil {
			known = append(known, q)
		}
	}
	for _, q := range known {
		for _, into := range known {
			switch {
			case q.mayMerge(into):
				can = append(can, pair{q, into})
			case q != into && !q.isComplaint && (q.ftin == into.ftin || q.office == into.office):
				others = append(others, pair{q, into})
			}
		}
	}
	slices.SortStableFunc(others, func(a, b pair) int { return cmp.Compare(a.distance(), b.distance()) })
	return can, others
}

// distance is the order of pairs that can't be merged.
func (p pair) distance() int {
	if p.from.ftin != "" && p.from.ftin == p.into.ftin && p.from.office != p.into.office {
		return 0
	}
	return 1
}

// mergeQuestions merges an open question into another one, or tries that with one of another office,
// TIN or author.
func mergeQuestions(ctx context.Context, r *runner) {
	s := r.s
	t := r.staff(ctx)
	if t == nil {
		return
	}
	list := append(r.listQueue(ctx, t, cases.QueueWaiting), r.listQueue(ctx, t, cases.QueueAll)...)
	can, others := s.listPairs(list)
	p, ok := pickFrom(can, r.step.N[1]%6)
	if !ok || r.step.N[2]>>4%6 == 0 {
		p, ok = pickFrom(others, r.step.N[1]%6)
	}
	if !ok {
		return
	}
	got, ok := r.open(ctx, t, "/desk/cases", p.from.number)
	if !ok {
		return
	}
	r.ready()
	s.mu.Lock()
	m := &move{into: p.into, from: s.tick(), to: forever}
	p.from.moves = append(p.from.moves, m)
	s.mu.Unlock()
	attempt := *r
	attempt.forbidden = !p.from.mayMerge(p.into)
	path, body := "/desk/cases/"+p.from.number+"/merge", fields{"into": p.into.number, "version": got.Version}
	a := attempt.call(ctx, t, http.MethodPost, path, body)
	r.ended(t, a)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.claimVersion(a, got, path)
	switch {
	case a.isUnknown():
		s.doubted = append(s.doubted, func(ctx context.Context) {
			again := &runner{s: s, step: Step{Do: "send-again"}, process: s.fleet.pick(0), together: 1}
			again.call(ctx, t, http.MethodPost, path, body)
			s.settleMove(ctx, p.from, m)
		})
	case a.isOK():
		m.to = a.to
		if attempt.forbidden {
			s.violate("merging", "question %s was merged into %s", p.from.number, p.into.number)
		}
	default:
		p.from.cancel(m)
	}
}

func (q *question) cancel(m *move) {
	q.moves = slices.DeleteFunc(q.moves, func(o *move) bool { return o == m })
}

// pickMerged chooses a merged question that a person of an office sees, or any one.
func (r *runner) pickMerged(p *person) (*question, bool) {
	s := r.s
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.ticks.Load()
	return pickFrom(slices.DeleteFunc(slices.Clone(s.questions), func(q *question) bool {
		return !q.isMovedBefore(now) || p != nil && (!q.isFor(p) || q.ftin != "" && !p.couldSee(q.ftin, now, forever))
	}), r.step.N[1])
}

// writeToMerged adds a message to a question that was merged, which must be refused.
func (r *runner) writeToMerged(ctx context.Context, t *token, side string, kind cases.Kind, q *question) {
	got, ok := r.open(ctx, t, side, q.number)
	if !ok {
		return
	}
	m := &message{question: q, author: t.person, kind: kind}
	body, operation := r.compose(m), "/reply"
	if kind == cases.Note {
		body["version"], operation = got.Version, "/note"
	}
	r.ready()
	again := *r
	again.forbidden = true
	again.write(ctx, t, side+"/"+q.number+operation, m, body)
}

// settleMove finds out whether a merge with an unknown outcome is stored.
func (s *simulation) settleMove(ctx context.Context, q *question, m *move) {
	var into []string
	if err := db.Select(ctx, s.fleet.db.Writer, &into, `SELECT o.number FROM cases c JOIN cases o ON o.id = c.merged_into
		WHERE c.number = $1`, q.number); err != nil {
		s.violate("readable", "%v", err)
	}
	if slices.Contains(into, m.into.number) {
		m.to = s.tick()
	} else {
		q.cancel(m)
	}
}

// listQueue lists questions at the service desk by their clock, latest first.
func (r *runner) listQueue(ctx context.Context, t *token, queue cases.Queue) []thread {
	var found struct{ Cases []thread }
	a := r.call(ctx, t, http.MethodGet, "/desk/cases?queue="+string(queue), nil)
	r.ended(t, a)
	if !a.into(&found) {
		return nil
	}
	slices.Reverse(found.Cases)
	return found.Cases
}

// checkMerged compares the merged questions with the model, and checks that the bills of both are there.
func (s *simulation) checkMerged(ctx context.Context) {
	var rows []struct{ Number, Target string }
	if err := db.Select(ctx, s.fleet.db.Writer, &rows, `SELECT c.number, o.number AS target FROM cases c
		JOIN cases o ON o.id = c.merged_into`); err != nil {
		s.violate("readable", "%v", err)
	}
	merged := map[string]string{}
	for _, row := range rows {
		merged[row.Number] = row.Target
		if q := s.numbered(row.Number); q == nil || len(q.moves) == 0 {
			s.violate("merging", "question %s is merged into %s, which the model doesn't expect", row.Number, row.Target)
		}
	}
	var bills []struct{ Number, Bill, Key string }
	if err := db.Select(ctx, s.fleet.db.Writer, &bills, `SELECT c.number, a.number AS bill,
		a.ftin || ' ' || a.bill_control_number_key AS key FROM case_bills a JOIN cases c ON c.id = a.case_id`); err != nil {
		s.violate("readable", "%v", err)
	}
	stored, keys := map[string]bool{}, map[string]bool{}
	for _, b := range bills {
		stored[b.Number+" "+b.Bill], keys[b.Number+" "+b.Key] = true, true
	}
	for _, b := range bills {
		if q := s.numbered(b.Number); q != nil && !keys[q.rest().number+" "+b.Key] {
			s.violate("merging", "bill %s of question %s isn't in %s", b.Bill, b.Number, q.rest().number)
		}
	}
	for _, q := range s.questions {
		if len(q.moves) > 0 && merged[q.number] != q.moves[0].into.number {
			s.violate("merging", "question %s is merged into %q, not into %s", q.number, merged[q.number], q.moves[0].into.number)
		}
		for _, bill := range q.bills {
			isThere := stored[q.number+" "+bill]
			for at := q; len(at.moves) > 0 && !isThere; {
				at = at.moves[0].into
				isThere = stored[at.number+" "+bill]
			}
			if !isThere {
				s.violate("merging", "bill %s of question %s is lost", bill, q.number)
			}
		}
	}
}
