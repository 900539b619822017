package main

import (
	"context"
	"fmt"
	"slices"

	"wcpp/internal/bills/cases"
	"wcpp/internal/platform/db"
)

// storedCase is a case as it's stored.
type storedCase struct {
	Number string
	Kind   cases.CaseKind
	State  cases.State
	Asker  string // who opened it
	Office int64  // group ID; 0: someone without an account
	Target string // the number of the case that it was merged into
}

// stored is an entry as it's stored, with the number of its case.
type stored struct {
	ID         int64
	Number     string
	Kind       cases.Kind
	Body       string
	At         db.Instant
	Author     string
	RequestKey string
	origin     string // number of the case where it was written; empty: not certain
}

// mergedAway is the entry in a merged question. The other question has one of the kind MergedWith.
const mergedAway cases.Kind = "MERGED AWAY"

// allowed are the states before and after each entry, as docs/rules/questions.md lists them. The
// first entry of a case doesn't have a state before it.
var allowed = map[cases.Kind]map[cases.State]cases.State{
	cases.Message: {"": cases.Open, cases.Open: cases.Open, cases.Waiting: cases.Open, cases.Answered: cases.Open},
	cases.Ask:     {cases.Open: cases.Waiting},
	cases.Answer:  {cases.Open: cases.Answered, cases.Waiting: cases.Answered},
	cases.Note: {cases.Open: cases.Open, cases.Waiting: cases.Waiting, cases.Answered: cases.Answered, cases.Closed: cases.Closed,
		cases.Withdrawn: cases.Withdrawn},
	cases.CallLogged:   {"": cases.Closed, cases.Open: cases.Open, cases.Waiting: cases.Waiting, cases.Answered: cases.Answered},
	cases.MergedWith:   {cases.Open: cases.Open, cases.Waiting: cases.Waiting},
	mergedAway:         {cases.Open: cases.Merged, cases.Waiting: cases.Merged},
	cases.WithdrawnBy:  {cases.Open: cases.Withdrawn, cases.Waiting: cases.Withdrawn},
	cases.ClosedNoMore: {cases.Answered: cases.Closed},
}

// checkQuestions checks that confirmed messages and calls are there once and refused ones aren't, that
// states follow from the entries, that staff had read the entries before theirs, that merged questions
// are complete, and that files and letters are the right ones.
func (s *simulation) checkQuestions(ctx context.Context) {
	var list []storedCase
	var rows []stored
	err := db.Select(ctx, s.fleet.db.Writer, &list, `SELECT c.number, c.kind, c.state, u.user_name AS asker,
		COALESCE(c.group_id, 0) AS office, COALESCE(o.number, '') AS target
		FROM cases c JOIN users u ON u.id = c.opened_by LEFT JOIN cases o ON o.id = c.merged_into ORDER BY c.id`)
	if err == nil {
		err = db.Select(ctx, s.fleet.db.Writer, &rows, `SELECT e.id, c.number, e.kind, e.body, e.at, COALESCE(u.user_name, '') AS author,
			e.request_key FROM case_entries e JOIN cases c ON c.id = e.case_id LEFT JOIN users u ON u.id = e.author_id ORDER BY e.id`)
	}
	if err != nil {
		s.violate("readable", "%v", err)
		return
	}
	s.checkMessages(list, rows)
	s.checkCases(ctx, list, rows)
	s.checkMerged(ctx)
	s.checkReaders(ctx)
	s.checkDesk(ctx)
	s.checkCalls(ctx, rows)
	s.checkQuestionFiles(ctx)
	s.checkLetters(ctx)
	s.checkNews(ctx)
}

// checkMessages compares the stored messages with the model, and finds out where each entry was written.
func (s *simulation) checkMessages(list []storedCase, rows []stored) {
	target := map[string]string{}
	for _, c := range list {
		target[c.Number] = c.Target
	}
	times := map[string]int{}
	for i := range rows {
		e := &rows[i]
		switch {
		case e.Kind == cases.MergedWith && target[e.Number] == e.Body:
			e.Kind, e.origin = mergedAway, e.Number
			continue
		case e.Kind == cases.MergedWith:
			e.origin = target[e.Body]
		case e.Kind == cases.CallLogged:
			if c := s.staffCalls[e.RequestKey]; c != nil && c.certain && !c.isGuess {
				e.origin = c.number
			}
		case e.Body == "":
			e.origin = e.Number
		default:
			times[e.Body]++
			e.origin = s.checkMessage(*e)
		}
		at := e.origin
		for at != "" && target[at] != "" {
			at = target[at]
		}
		if at != "" && at != e.Number {
			s.violate("merging", "entry %d, %s %q of question %s, is in question %s", e.ID, e.Kind, e.Body, e.origin, e.Number)
		}
	}
	for body, m := range s.messages {
		switch n := times[body]; {
		case n > 1:
			s.violate("once", "%q of %s is stored %d times", body, m.author.Name, n)
		case n == 0 && m.confirmed > 0:
			s.violate("nothing lost", "%q of %s isn't in question %s", body, m.author.Name, m.question.number)
		}
	}
}

// checkMessage compares a stored message with the model, and returns the number of its question.
func (s *simulation) checkMessage(e stored) string {
	m := s.messages[e.Body]
	if m == nil || m.isRefused || m.kind != e.Kind || m.author.Name != e.Author {
		s.violate("refused messages", "%q of %s is in question %s", e.Body, e.Author, e.Number)
		return ""
	}
	if m.question.number == "" {
		m.question.number = e.Number
	}
	return m.question.number
}

// checkCases checks each case with the entries that were written in it.
func (s *simulation) checkCases(ctx context.Context, list []storedCase, rows []stored) {
	offices := s.listOffices(ctx)
	threads := map[string][]stored{}
	for _, e := range rows {
		threads[e.origin] = append(threads[e.origin], e)
	}
	known := map[string]bool{}
	for _, c := range list {
		known[c.Number] = true
		q := s.numbered(c.Number)
		switch {
		case q == nil && c.Kind != cases.KindCall:
			s.violate("refused messages", "the model has no question %s", c.Number)
		case q != nil && (c.Kind == cases.KindCall || q.isComplaint != (c.Kind == cases.KindComplaint)):
			s.violate("states", "question %s is a %s", c.Number, c.Kind)
		case q != nil && (c.Asker != q.author.Name || offices[c.Office] != q.office):
			s.violate("scope", "question %s of %s, office %q, is %s's, office %q", c.Number, q.author.Name, q.office, c.Asker,
				offices[c.Office])
		}
		s.checkStates(c, threads)
		s.checkSeen(threads[c.Number], threads[""])
	}
	for _, q := range s.questions {
		if q.number != "" && !known[q.number] {
			s.violate("nothing lost", "question %s isn't there", q.number)
		}
	}
}

func (s *simulation) firstState(number string) cases.State {
	if q := s.numbered(number); q != nil && q.isCall {
		return cases.Open // opening a call doesn't add an entry
	}
	return ""
}

// nextState returns the state after an entry, and whether the entry is allowed. If the network owed an answer to
// a question that was merged into this one, it owes it here.
func (s *simulation) nextState(e stored, state cases.State, threads map[string][]stored) (cases.State, bool) {
	next, ok := allowed[e.Kind][state]
	if e.Kind == cases.MergedWith && next == cases.Waiting && s.mergedState(e.Body, threads) == cases.Open {
		next = cases.Open
	}
	return next, ok
}

// mergedState returns the state of a question before it was merged into another.
func (s *simulation) mergedState(number string, threads map[string][]stored) cases.State {
	state := s.firstState(number)
	for _, e := range threads[number] {
		if e.Kind == mergedAway {
			break
		}
		state, _ = s.nextState(e, state, threads)
	}
	return state
}

// checkStates checks that the state of a case follows from the entries that were written in it.
func (s *simulation) checkStates(c storedCase, threads map[string][]stored) {
	state, answered := s.firstState(c.Number), db.Instant{}
	days := cases.ReplyDays
	if c.Kind == cases.KindComplaint {
		days = cases.ComplaintReplyDays
	}
	for _, e := range threads[c.Number] {
		next, ok := s.nextState(e, state, threads)
		if e.Kind == cases.ClosedNoMore && e.Author == "" && e.At.Before(answered.AddDate(0, 0, days)) {
			ok = false
		}
		if !ok {
			s.violate("states", "question %s has entry %d, %s, in the state %q", c.Number, e.ID, e.Kind, state)
		}
		if state = next; e.Kind == cases.Answer {
			answered = e.At
		}
	}
	if isLost := state == "" && c.Kind == cases.KindCall; state != c.State && !isLost { // see checkCalls
		s.violate("states", "question %s is %s; its entries say %s", c.Number, c.State, state)
	}
}

// checkSeen checks that staff had read the entry before theirs. Others, of which it isn't certain where
// they were written, can be in between.
func (s *simulation) checkSeen(thread, others []stored) {
	for i, e := range thread {
		m := s.messages[e.Body]
		if m == nil || m.seen == 0 || i > 0 && thread[i-1].ID == m.seen {
			continue
		}
		if !slices.ContainsFunc(others, func(o stored) bool { return o.ID == m.seen }) {
			s.violate("lost update", "%q isn't next to entry %d of question %s, which its author read", e.Body, m.seen, e.origin)
		}
	}
}

// checkCalls checks that confirmed calls are there once.
func (s *simulation) checkCalls(ctx context.Context, rows []stored) {
	times := map[string]int{}
	for _, e := range rows {
		if e.Kind == cases.CallLogged {
			times[e.RequestKey]++
		}
	}
	for key, n := range times {
		if s.staffCalls[key] == nil || n > 1 {
			s.violate("once", "a call with the key %q is stored %d times", key, n)
		}
	}
	for key, c := range s.staffCalls {
		if c.certain && !c.isRemoved && times[key] == 0 {
			s.violate("nothing lost", "%q isn't in %s", key, c.number)
		}
	}
	var empty []string
	if err := db.Select(ctx, s.fleet.db.Writer, &empty, `SELECT number FROM cases c WHERE kind = 'CALL'
		AND NOT EXISTS (SELECT 1 FROM case_entries e WHERE e.case_id = c.id AND e.kind = 'CALL')`); err != nil || len(empty) > 0 {
		s.violate("nothing lost", "calls without an entry: %v %v", empty, err)
	}
}

// countQuestions counts the questions of the model by how they began, and the merged ones.
func (s *simulation) countQuestions() string {
	asked, recorded, opened, merged, chained := 0, 0, 0, 0, 0
	for _, q := range s.questions {
		switch {
		case q.number == "":
		case q.isCall:
			opened++
		case q.isRecorded:
			recorded++
		default:
			asked++
		}
		if len(q.moves) > 0 {
			merged++
			if q.rest() != q.moves[0].into {
				chained++
			}
		}
	}
	return fmt.Sprintf("%d questions asked, %d complaints recorded, %d calls opened, %d merged, %d of them again", asked, recorded, opened,
		merged, chained)
}
