package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"time"

	"wcpp/internal/bills/cases"
	"wcpp/internal/platform/db"
)

// checkQuestionFiles checks that each file of a confirmed message is there, with the bytes that were
// uploaded, and that the bills of questions exist.
func (s *simulation) checkQuestionFiles(ctx context.Context) {
	var rows []struct{ Body, SHA256, StorageKey string }
	if err := db.Select(ctx, s.fleet.db.Writer, &rows, `SELECT e.body, f.sha256, f.storage_key FROM case_files f
		JOIN case_entries e ON e.id = f.entry_id AND e.case_id = f.case_id`); err != nil {
		s.violate("readable", "%v", err)
	}
	times := map[string]int{}
	for _, row := range rows {
		times[row.Body]++
		if m := s.messages[row.Body]; m == nil || m.file != row.SHA256 || !s.isStored(row.StorageKey, row.SHA256) {
			s.violate("files", "the file of %q isn't the one that was uploaded", row.Body)
		}
	}
	for body, m := range s.messages {
		if n := times[body]; n > 1 || n == 0 && m.file != "" && m.confirmed > 0 {
			s.violate("files", "%q has %d files", body, n)
		}
	}
	var lost []string
	if err := db.Select(ctx, s.fleet.db.Writer, &lost, `SELECT a.number FROM case_bills a WHERE NOT EXISTS (SELECT 1 FROM bills b
		WHERE b.ftin = a.ftin AND b.bill_control_number_key = a.bill_control_number_key)`); err != nil || len(lost) > 0 {
		s.violate("renumbered bills", "questions are about bills that aren't there anymore: %v %v", lost, err)
	}
}

// isStored reports whether a file with a SHA-256 is in the portal's storage.
func (s *simulation) isStored(key, sum string) bool {
	content, err := os.ReadFile(filepath.Join(s.fleet.dir, "data", "files", filepath.FromSlash(key)))
	return err == nil && hashOf(string(content)) == sum
}

// checkLetters checks that each complaint has an acknowledgment, and a letter for each resolution.
func (s *simulation) checkLetters(ctx context.Context) {
	var rows []struct {
		Number                        string
		Kind                          cases.CaseKind
		Acknowledged, Answers, Solved int
	}
	if err := db.Select(ctx, s.fleet.db.Writer, &rows, `SELECT c.number, c.kind,
		(SELECT count(*) FROM case_letters l WHERE l.case_id = c.id AND l.kind = 'ACK') AS acknowledged,
		(SELECT count(*) FROM case_letters l WHERE l.case_id = c.id AND l.kind = 'RESOLVE') AS solved,
		(SELECT count(*) FROM case_entries e WHERE e.case_id = c.id AND e.kind = 'ANSWER') AS answers FROM cases c`); err != nil {
		s.violate("readable", "%v", err)
	}
	isComplaint := map[string]bool{}
	for _, q := range s.questions {
		isComplaint[q.number] = q.isComplaint
	}
	for _, c := range rows {
		acknowledged, solved := 0, 0
		if isComplaint[c.Number] {
			acknowledged, solved = 1, c.Answers
		}
		if isComplaint[c.Number] != (c.Kind == cases.KindComplaint) || c.Acknowledged != acknowledged || c.Solved != solved {
			s.violate("letters", "%s %s with %d answers has %d acknowledgments and %d resolutions", c.Kind, c.Number, c.Answers,
				c.Acknowledged, c.Solved)
		}
	}
	var files []struct{ StorageKey, SHA256 string }
	if err := db.Select(ctx, s.fleet.db.Writer, &files, `SELECT storage_key, sha256 FROM case_letters`); err != nil {
		s.violate("readable", "%v", err)
	}
	for _, f := range files {
		if !s.isStored("case-letters/"+f.StorageKey, f.SHA256) {
			s.violate("letters", "the file of a letter isn't there: %s", f.StorageKey)
		}
	}
}

// checkNews checks that users got at most one email about questions an hour, and no more than are
// recorded.
func (s *simulation) checkNews(ctx context.Context) {
	var rows []struct {
		Email    string
		SendAt   db.Instant
		IsQueued bool
	}
	if err := db.Select(ctx, s.fleet.db.Writer, &rows, `SELECT u.email, m.send_at, m.queued_at IS NOT NULL AS is_queued
		FROM case_emails m JOIN users u ON u.id = m.user_id ORDER BY u.email, m.send_at`); err != nil {
		s.violate("readable", "%v", err)
	}
	queued := map[string]int{}
	for i, row := range rows {
		if row.IsQueued {
			queued[row.Email]++
		}
		if i > 0 && rows[i-1].Email == row.Email && row.SendAt.Sub(rows[i-1].SendAt.Time) < time.Hour {
			s.violate("once", "%s gets two emails about questions within an hour", row.Email)
		}
	}
	sent, ids := map[string]int{}, map[string]bool{}
	for _, l := range s.fleet.relay.list() {
		if !ids[l.id] && strings.Contains(l.text, ": your questions to the network\n") {
			ids[l.id] = true
			sent[l.to]++
		}
	}
	for to, n := range sent {
		if n > queued[to] {
			s.violate("once", "%s got %d emails about questions; %d are recorded", to, n, queued[to])
		}
	}
}

// checkReaders has the offices' administrators list all questions of their TINs, and open the newest.
func (s *simulation) checkReaders(ctx context.Context) {
	for _, p := range s.people {
		if !isAdmin(p) || p.ended > 0 {
			continue
		}
		r := &runner{s: s, step: Step{Do: "questions"}, process: s.fleet.pick(0), together: 1}
		t := r.signInAs(ctx, p, p.password)
		if t == nil {
			continue
		}
		seen := map[string]bool{}
		for list, next := r.listQuestions(ctx, t, ""); ; list, next = r.listQuestions(ctx, t, next) {
			for _, c := range list {
				if seen[c.Number] = true; len(seen) <= 20 {
					r.open(ctx, t, "/work/cases", c.Number)
				}
			}
			if next == "" {
				break
			}
		}
		now := s.tick()
		for _, q := range s.questions {
			isOwn := q.number != "" && q.office == p.Office && (q.ftin == "" || p.has(q.ftin, now, now))
			switch {
			case isOwn && !seen[q.rest().number]:
				s.violate("nothing lost", "%s doesn't see question %s", p.Name, q.rest().number)
			case isOwn && len(q.moves) > 0: // the list has only the other one
				r.open(ctx, t, "/work/cases", q.number)
			}
		}
	}
}

// checkDesk has a staff member open the newest questions, merged ones, and complaints of people without
// an account.
func (s *simulation) checkDesk(ctx context.Context) {
	r := &runner{s: s, step: Step{Do: "questions"}, process: s.fleet.pick(0), together: 1}
	t := r.staff(ctx)
	if t == nil {
		return
	}
	const newest = 10
	for i, q := range s.questions {
		if q.number != "" && (len(s.questions)-i <= newest || q.office == "" || len(q.moves) > 0) {
			r.open(ctx, t, "/desk/cases", q.number)
			r.open(ctx, t, "/desk/cases", q.rest().number)
		}
	}
}
