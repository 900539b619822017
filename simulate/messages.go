package main

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"wcpp/internal/identity/access"
	"wcpp/internal/platform/db"
)

// notice is a notification for an audience in the model.
type notice struct {
	kind    access.Type
	readers []*person // with an account of the type before it was confirmed
	certain bool      // confirmed
}

// announce sends a notification to everyone with a type of account.
func announce(ctx context.Context, r *runner) {
	s := r.s
	t := r.staff(ctx)
	if t == nil {
		return
	}
	n := &notice{kind: []access.Type{access.PRUS, access.PRAD}[r.step.N[1]%2]}
	s.mu.Lock()
	s.bodies++
	name := fmt.Sprintf("News %d", s.bodies)
	for _, p := range s.people {
		if p.Type == n.kind {
			n.readers = append(n.readers, p)
		}
	}
	s.mu.Unlock()
	a := r.call(ctx, t, http.MethodPut, "/notifications/announcement", fields{"name": name, "campaign": "News", "requestedBy": "Isa",
		"link": "https://portal.example/news", "sendDt": s.fleet.now().Format(time.DateOnly),
		"audience": fields{"types": []access.Type{n.kind}}})
	r.ended(t, a)
	if n.certain = a.isOK(); n.certain || a.isUnknown() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.notices[name] = n
	}
}

// checkNotices checks that exactly its audience has each notification, once.
func (s *simulation) checkNotices(ctx context.Context) {
	var rows []struct {
		UserName, Name string
		Type           access.Type
		N              int
	}
	if err := db.Select(ctx, s.fleet.db.Writer, &rows, `SELECT u.user_name, u.type_cd AS type, n.name, count(*) AS n
		FROM user_notifications c JOIN notifications n ON n.id = c.notification_id JOIN users u ON u.id = c.user_id
		GROUP BY u.user_name, u.type_cd, n.name`); err != nil {
		s.violate("readable", "%v", err)
	}
	copies := map[string]int{}
	for _, row := range rows {
		copies[row.Name+" "+row.UserName] = row.N
		if n := s.notices[row.Name]; row.N > 1 || n == nil || n.kind != row.Type {
			s.violate("once", "%s has notification %q %d times", row.UserName, row.Name, row.N)
		}
	}
	for name, n := range s.notices {
		for _, p := range n.readers {
			if n.certain && p.ended == 0 && !p.maybe && copies[name+" "+p.Name] == 0 {
				s.violate("nothing lost", "%s doesn't have notification %q", p.Name, name)
			}
		}
	}
}

// setDigest turns on a person's daily email about changed bills.
func setDigest(ctx context.Context, r *runner) {
	if t := r.session(isOffice); t != nil {
		r.ended(t, r.call(ctx, t, http.MethodPut, "/work/alerts/settings", fields{"digest": "daily", "days": []int{0, 1, 2, 3, 4, 5, 6},
			"hour": 7, "watches": false, "questions": true}))
	}
}

// checkDigests checks that users got no more daily emails than are recorded, and one a day. Records
// of terminated accounts are deleted.
func (s *simulation) checkDigests(ctx context.Context) {
	var rows []struct {
		Email   string
		N, Days int
	}
	if err := db.Select(ctx, s.fleet.db.Writer, &rows, `SELECT u.email, count(*) AS n, count(DISTINCT d.period) AS days
		FROM digests_sent d JOIN users u ON u.id = d.user_id GROUP BY u.email`); err != nil {
		s.violate("readable", "%v", err)
	}
	sent, ids := map[string]int{}, map[string]bool{}
	for _, l := range s.fleet.relay.list() {
		if !ids[l.id] && strings.Contains(l.text, ": updates on your bills\n") {
			ids[l.id] = true
			sent[l.to]++
		}
	}
	for _, row := range rows {
		if row.N > row.Days || sent[row.Email] > row.N {
			s.violate("once", "%s got %d daily emails; %d are recorded, for %d days", row.Email, sent[row.Email], row.N, row.Days)
		}
	}
}

// checkEmails checks that each email went out once. After a kill, it can go out again, with the
// same Message-ID.
func (s *simulation) checkEmails(context.Context) {
	times := map[string]int{}
	ids := map[string][]string{} // by text that only one email has
	for _, l := range s.fleet.relay.list() {
		if times[l.id+l.to]++; times[l.id+l.to] > 1 && !s.faulty && s.nights == 0 {
			s.violate("once", "email %s to %s went out twice", l.id, l.to)
		}
		words := strings.Join(strings.Fields(l.text), " ")
		for text := range s.letters {
			if strings.Contains(words, text) && !slices.Contains(ids[text], l.id) {
				ids[text] = append(ids[text], l.id)
			}
		}
	}
	for text, want := range s.letters {
		if len(ids[text]) != want {
			s.violate("once", "%d emails have %q: %v", len(ids[text]), text, ids[text])
		}
	}
}
