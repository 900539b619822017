package notifications

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/problem"
)

// newOffices creates users of every kind, two offices and providers in two states:
//
//	1 ISAD
//	office 1, TINs 111111111 (Texas) and 222222222 (Utah): 2 PRAD,
//	3 PRUS with the first TIN, 4 PRUS without a TIN
//	office 2, TIN 222222222: 5 PRAD locked, 6 PRUS with the TIN, terminated
func newOffices(t *testing.T, d *db.DB) *people {
	p := newPeople(t, d, 6)
	p.now = time.Date(2026, 3, 2, 9, 0, 0, 0, newYork)
	now := db.At(p.now)
	p.exec(`INSERT INTO groups (id, name, name_key, kind, created_at, created_by) VALUES (1, 'A', 'a', 'PROVIDER', $1, ''),
		(2, 'B', 'b', 'PROVIDER', $1, '')`, now)
	p.exec(`UPDATE users SET type_cd = 'ISAD' WHERE id = 1`)
	p.exec(`UPDATE users SET type_cd = 'PRAD' WHERE id IN (2, 5)`)
	p.exec(`UPDATE users SET group_id = CASE WHEN id < 5 THEN 1 ELSE 2 END WHERE id > 1`)
	p.exec(`UPDATE users SET status_cd = CASE id WHEN 5 THEN 'LOCK' ELSE 'TERM' END WHERE id IN (5, 6)`)
	p.exec(`INSERT INTO group_tins (group_id, ftin, added_at, updated_by) VALUES (1, '111111111', $1, ''), (1, '222222222', $1, ''),
		(2, '222222222', $1, '')`, now)
	p.exec(`INSERT INTO user_tins (user_id, ftin, added_at, updated_by) VALUES (3, '111111111', $1, ''), (6, '222222222', $1, '')`, now)
	p.exec(`INSERT INTO providers (provider_id, provider_type, name_key, state) VALUES ('7', 'P', 'x', 'TX'), ('8', 'P', 'y', 'UT')`)
	p.exec(`INSERT INTO provider_tins (ftin, provider_id) VALUES ('111111111', '7'), ('222222222', '8')`)
	return p
}

// announced returns a stored notification for an audience.
func (p *people) announced(to *Audience, n Notification) Notification {
	p.t.Helper()
	n, err := p.Announce(p.t.Context(), writer, n, to)
	require.NoError(p.t, err)
	return n
}

// recipients returns the users with a copy of a notification.
func (p *people) recipients(id int64) string {
	p.t.Helper()
	var ids []int64
	require.NoError(p.t, db.Select(p.t.Context(), p.d.Writer, &ids, `SELECT user_id FROM user_notifications
		WHERE notification_id = $1`, id))
	slices.Sort(ids)
	return formatIDs(ids)
}

// Each criterion filters, and the earlier count equals the number of recipients.
func TestAudience(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		p := newOffices(t, d)
		for name, c := range map[string]struct {
			audience Audience
			want     string
			excluded int64
		}{
			"everyone":                   {Audience{}, "1,2,3,4,5", 0},
			"a type":                     {Audience{Types: []string{"PRAD"}}, "2,5", 0},
			"types":                      {Audience{Types: []string{"PRUS", "ISAD"}}, "1,3,4", 0},
			"a status":                   {Audience{Statuses: []string{"LOCK"}}, "5", 0},
			"a group":                    {Audience{Groups: []int64{1}}, "2,3,4", 0},
			"a TIN":                      {Audience{TINs: []string{"111111111"}}, "2,3", 0},
			"a TIN of two offices":       {Audience{TINs: []string{"222222222"}}, "2,5", 0},
			"a state":                    {Audience{States: []string{"TX"}}, "2,3", 0},
			"states":                     {Audience{States: []string{"TX", "UT"}}, "2,3,5", 0},
			"a state without providers":  {Audience{States: []string{"NY"}}, "", 0},
			"a state and another's TIN":  {Audience{States: []string{"TX"}, TINs: []string{"222222222"}}, "2", 0},
			"a type of a group":          {Audience{Types: []string{"PRUS"}, Groups: []int64{1}}, "3,4", 0},
			"all but some":               {Audience{Excluded: []int64{2, 5, 6}}, "1,3,4", 2},
			"a TIN without those of one": {Audience{TINs: []string{"111111111"}, Excluded: []int64{3, 4}}, "2", 1},
		} {
			n := p.notification("")
			n.Name = name
			n = p.announced(&c.audience, n)
			meant, err := p.Count(t.Context(), c.audience)
			require.NoError(t, err)
			p.sendAll()
			got := p.recipients(n.ID)
			ids, _ := parseIDs(got)
			if got != c.want || meant != (Size{int64(len(ids)), c.excluded}) {
				t.Errorf("%s: %s of %s, counted as %+v", name, got, c.want, meant)
			}
			list, err := p.ListAnnouncements(t.Context())
			if err != nil || list[0].ID != n.ID || list[0].SentTo == nil || *list[0].SentTo != int64(len(ids)) {
				t.Errorf("%s is listed as %+v, %v", name, list[0], err)
			}
		}
		if got := p.count(`SELECT count(*) FROM audit_log WHERE operation = 'notification-create'
			AND detail = 'SCHEDULED to all matching users; types PRUS; groups 1'`); got != 1 {
			t.Errorf("%d entries tell whom one was for", got)
		}
	})
}

// Recipients are selected at send time. The specified endpoints leave the audience unchanged
// until they name recipients.
func TestAnnounce(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		p := newOffices(t, d)
		n := p.notification("")
		n.SendDate = ""
		first := p.announced(&Audience{Types: []string{"PRAD", "PRAD"}, Excluded: []int64{2}}, n)
		if first.Status != Ready || first.Audience != `{"types":["PRAD"],"excluded":[2]}` {
			t.Fatalf("%+v", first)
		}
		n.ID, n.SendDate = first.ID, "2026-03-02"
		require.NoError(t, dbtest.Err(p.Update(t.Context(), writer, n, "")))
		p.exec(`UPDATE users SET type_cd = 'PRAD' WHERE id = 4`)
		p.sendAll()
		assert.Equal(t, "4,5", p.recipients(first.ID))
		if _, err := p.Announce(t.Context(), writer, n, &Audience{}); !problem.Is(err, problem.Conflict) {
			t.Errorf("one that is sent: %v", err)
		}
		require.NoError(t, p.Recall(t.Context(), writer, first.ID))
		list, err := p.ListAnnouncements(t.Context())
		if got := p.stored(first.ID); err != nil || got.Status != Ready || got.Audience != first.Audience || p.copies() != 0 ||
			list[0].SentTo != nil {
			t.Errorf("%+v, %d copies, %+v, %v", got, p.copies(), list, err)
		}

		// Our own endpoint removes the audience, and so does a list of recipients.
		n.Recipients = ""
		if got := p.announced(nil, n); got.Audience != "" || got.Status != Draft {
			t.Errorf("without an audience: %+v", got)
		}
		p.announced(&Audience{}, n)
		n.Recipients = "3"
		got, err := p.Update(t.Context(), writer, n, "")
		if err != nil || got.Audience != "" || got.Recipients != "3" {
			t.Errorf("with recipients: %+v, %v", got, err)
		}
		n.Recipients = ""
		if got := p.announced(&Audience{States: []string{"TX"}}, n); got.Recipients != "" || got.Status != Scheduled {
			t.Errorf("an audience again: %+v", got)
		}
		p.sendAll()
		assert.Equal(t, "2,3,4", p.recipients(first.ID))
	})
}

func TestAudienceRules(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		p := newOffices(t, d)
		many := make([]int64, 501)
		for i := range many {
			many[i] = int64(i)
		}
		for name, c := range map[string]struct {
			audience Audience
			path     string
		}{
			"a type that there is not":    {Audience{Types: []string{"KING"}}, "types"},
			"who is terminated":           {Audience{Statuses: []string{"TERM"}}, "statuses"},
			"a group that there is not":   {Audience{Groups: []int64{1, 9}}, "groups"},
			"too many groups":             {Audience{Groups: many[:101]}, "groups"},
			"a TIN too short":             {Audience{TINs: []string{"12345678"}}, "tins"},
			"a TIN of nobody":             {Audience{TINs: []string{"333333333"}}, "tins"},
			"too many TINs":               {Audience{TINs: strings.Fields(fmt.Sprintf("%09d%s", 0, strings.Repeat(" x", 101)))}, "tins"},
			"a state that there is not":   {Audience{States: []string{"XX"}}, "states"},
			"too many left out":           {Audience{Excluded: many}, "excluded"},
			"somebody who never was here": {Audience{Excluded: []int64{2, 77}}, "excluded"},
		} {
			_, counted := p.Count(t.Context(), c.audience)
			_, made := p.Announce(t.Context(), writer, p.notification(""), &c.audience)
			for _, err := range []error{counted, made} {
				var e *problem.Error
				if !errors.As(err, &e) || e.Kind != problem.Invalid || len(e.Fields) != 1 || e.Fields[0].Path != c.path {
					t.Errorf("%s: %+v", name, err)
				}
			}
		}
		if _, err := p.Announce(t.Context(), writer, p.notification("3"), &Audience{}); !problem.Is(err, problem.Invalid) {
			t.Errorf("recipients beside an audience: %v", err)
		}
		assert.Equal(t, 0, p.count(`SELECT count(*) FROM notifications`))
	})
}

// Sending to 200,000 users takes as many statements as sending to a few, and loads none of them.
func TestAudienceAtSize(t *testing.T) {
	const many = 200_000
	for _, kind := range []string{"sqlite", "postgres"} {
		t.Run(kind, func(t *testing.T) {
			var statements int
			d, err := db.OpenTraced(t.Context(), dbtest.MigratedURL(t, kind), func(context.Context, string, []any) { statements++ })
			require.NoError(t, err)
			t.Cleanup(func() { d.Close() })
			p := newPeople(t, d, many)
			p.now = time.Date(2026, 3, 2, 9, 0, 0, 0, newYork)
			took := func(n Notification, to *Audience) int {
				n = p.announced(to, n)
				before := statements
				p.sendAll()
				sent := statements - before
				if list, err := p.ListAnnouncements(t.Context()); err != nil || list[0].ID != n.ID || list[0].SentTo == nil {
					t.Fatalf("%+v, %v", list, err)
				}
				return sent
			}
			few := make([]int64, maxExcluded)
			for i := range few {
				few[i] = int64(i) + 1
			}
			p.exec(`UPDATE users SET status_cd = 'LOCK' WHERE id <= 3`)
			fewID := took(Notification{Name: "Few", Campaign: "c", Link: "https://x.example", SendDate: "2026-03-02"},
				&Audience{Statuses: []string{"LOCK"}})
			all := took(Notification{Name: "All", Campaign: "c", Link: "https://x.example", SendDate: "2026-03-02"},
				&Audience{Excluded: few})
			if p.copies() != 3+many-maxExcluded || all != fewID {
				t.Errorf("%d copies; %d statements for 3, %d for all", p.copies(), fewID, all)
			}
			meant, err := p.Count(t.Context(), Audience{Excluded: few})
			assert.NoError(t, err)
			assert.Equal(t, Size{many - maxExcluded, maxExcluded}, meant)
		})
	}
}
