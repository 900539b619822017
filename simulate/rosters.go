package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"

	"wcpp/internal/identity/access"
	"wcpp/internal/platform/db"
	"wcpp/internal/rosters"
)

// rosterMail receives an email for each roster.
const rosterMail = "rosters@network.example"

// roster is a sent roster in the model, by the SHA-256 of its file.
type roster struct {
	certain bool // confirmed
}

// change is a confirmed change of a roster's state.
type change struct{ from, to rosters.Handling }

func isRoster(p *person) bool { return p.Type == access.ROAD || p.Type == access.ROUS }

// sendRoster sends a partial roster of one file.
func sendRoster(ctx context.Context, r *runner) {
	s := r.s
	t := r.session(isRoster)
	if t == nil {
		return
	}
	s.mu.Lock()
	s.bodies++
	content := "Action,NPI,TIN,Last Name,First Name,Address,City,State,ZIP,Phone,Effective Date,Term Date\n" +
		fmt.Sprintf("C,1234567893,111111111,Hand,Lee,%d Shore Rd,Erie,PA,16501,8145550100,01/05/2026,\n", s.bodies)
	s.mu.Unlock()
	a := r.call(ctx, t, http.MethodPost, "/roster/upload", newUpload("files", "roster.csv", content, "sourceId", "201",
		"groupName", "edgewater (G1)", "groupId", "G1", "rosterType", "delta", "username", t.person.Name))
	r.ended(t, a)
	if a.isOK() || a.isUnknown() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.rosters[hashOf(content)] = &roster{certain: a.isOK()}
	}
}

func hashOf(content string) string {
	sum := sha256.Sum256([]byte(content))
	return hex.EncodeToString(sum[:])
}

// handleRoster claims a roster, marks it as done or returns it. Of two changes of one state, one
// is stored.
func handleRoster(ctx context.Context, r *runner) {
	s := r.s
	t := r.staff(ctx)
	if t == nil {
		return
	}
	var page struct {
		Rows []struct {
			ID        int64
			Receiving struct{ State rosters.Handling }
		}
	}
	a := r.call(ctx, t, http.MethodPost, "/desk/rosters/page", fields{"table": fields{"page": 0, "pageSize": 50}})
	r.ended(t, a)
	if !a.into(&page) {
		return
	}
	one, ok := pickFrom(page.Rows, r.step.N[1])
	next, open := pickFrom(map[rosters.Handling][]rosters.Handling{
		rosters.New: {rosters.Taken, rosters.Taken, rosters.Returned}, rosters.Taken: {rosters.New, rosters.Done, rosters.Returned},
		rosters.Done: {rosters.Taken},
	}[one.Receiving.State], r.step.N[2])
	if !ok || !open {
		return
	}
	body := fields{"seen": one.Receiving.State, "state": next}
	s.mu.Lock()
	s.bodies++
	reason := fmt.Sprintf("Correct the names, see row %d.", s.bodies)
	s.mu.Unlock()
	if next == rosters.Returned {
		body["reason"] = reason
	}
	r.ready()
	a = r.call(ctx, t, http.MethodPut, fmt.Sprintf("/desk/rosters/%d", one.ID), body)
	r.ended(t, a)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.expectEntry("roster-handle", a)
	switch {
	case a.isOK():
		s.changes[one.ID] = append(s.changes[one.ID], change{one.Receiving.State, next})
		if next == rosters.Returned {
			s.letters[reason] = 1
		}
	case a.isUnknown():
		s.changes[one.ID] = append(s.changes[one.ID], change{}) // unknown
	}
}

// checkRosters checks that confirmed rosters are there once, that those which weren't returned are
// handed over completely and once, and that each change of a state replaced the state that its
// author saw.
func (s *simulation) checkRosters(ctx context.Context) {
	var rows []struct {
		ID       int64
		SHA256   string
		Handling rosters.Handling
		Handed   bool
	}
	if err := db.Select(ctx, s.fleet.db.Writer, &rows, `SELECT u.id, f.sha256, u.handling, u.handed_at IS NOT NULL AS handed
		FROM roster_uploads u JOIN roster_files f ON f.upload_id = u.id WHERE u.status = 'DONE'`); err != nil {
		s.violate("readable", "%v", err)
	}
	times, handed := map[string]int{}, 0
	for _, row := range rows {
		times[row.SHA256]++
		s.letters[fmt.Sprintf("Roster: %d Files", row.ID)] = 1
		if row.Handed {
			handed++
			s.checkHanded(row.ID, row.SHA256)
		} else if row.Handling == rosters.New || row.Handling == rosters.Taken {
			s.violate("rosters", "roster %d isn't handed over", row.ID)
		}
		s.checkChanges(row.ID, row.Handling)
	}
	for sum, sent := range s.rosters {
		if n := times[sum]; n > 1 || n == 0 && sent.certain {
			s.violate("nothing lost", "a roster is there %d times", n)
		}
	}
	var entries int
	if err := db.Get(ctx, s.fleet.db.Writer, &entries, `SELECT count(*) FROM audit_log WHERE operation = 'roster-hand-over'`); err != nil {
		s.violate("readable", "%v", err)
	}
	if entries != handed {
		s.violate("once", "%d rosters were handed over, with %d audit entries", handed, entries)
	}
}

// checkHanded checks the folder of a roster that was handed over.
func (s *simulation) checkHanded(id int64, sum string) {
	folder := filepath.Join(s.fleet.dir, "out", fmt.Sprintf("roster-%08d", id))
	var manifest rosters.Manifest
	text, err := os.ReadFile(filepath.Join(folder, "manifest.json"))
	if err == nil {
		err = json.Unmarshal(text, &manifest)
	}
	if err != nil || len(manifest.Files) != 1 || manifest.Roster != id {
		s.violate("rosters", "the manifest of roster %d: %v %s", id, err, text)
		return
	}
	content, err := os.ReadFile(filepath.Join(folder, manifest.Files[0].File))
	if err != nil || hashOf(string(content)) != sum || manifest.Files[0].SHA256 != sum {
		s.violate("rosters", "the file of roster %d isn't the one that was sent: %v", id, err)
	}
}

// checkChanges checks that the confirmed changes of a roster's state follow each other: each state
// was left as often as it was reached, except for the first and the last one.
func (s *simulation) checkChanges(id int64, last rosters.Handling) {
	left := map[rosters.Handling]int{rosters.New: -1}
	for _, c := range s.changes[id] {
		if c == (change{}) {
			return
		}
		left[c.from]++
		left[c.to]--
	}
	left[last]++
	for state, n := range left {
		if n != 0 {
			s.violate("lost update", "the changes of roster %d to %s aren't a sequence, at %s: %v", id, last, state, s.changes[id])
			return
		}
	}
}
