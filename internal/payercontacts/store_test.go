package payercontacts

import (
	"context"
	"database/sql"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/identity/access"
	"wcpp/internal/platform"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/mappingtest"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/text"
)

func TestPlans(t *testing.T) {
	dbtest.CheckPlans(t, dbtest.Scans{"all": "all entries are the answer, one for each payer"}, func(t *testing.T, _ *db.DB, tx *sql.Tx) {
		ctx, e := t.Context(), Entry{PayerID: "P1", Name: "Acme", UpdatedAt: db.At(time.Now())}
		assert.NoError(t, errors.Join(put(ctx, tx, e), dbtest.Err(all(ctx, tx)), dbtest.Err(get(ctx, tx, "p1")),
			dbtest.Err(getByName(ctx, tx, "acme")),
			remove(ctx, tx, e)))
	})
}

func TestRowCarriesEveryField(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		want := mappingtest.Filled[Entry]()
		require.NoError(t, d.Tx(t.Context(), func(tx *sql.Tx) error { return put(t.Context(), tx, want) }))
		mappingtest.CheckRow(t, d, "payer_contacts")
		if got, err := get(t.Context(), d.Reader, want.key()); err != nil || got != want {
			t.Errorf("%v\ngot  %+v\nwant %+v", err, got, want)
		}
	})
}

func TestWireCarriesEveryField(t *testing.T) {
	assert.Nil(t, mappingtest.ListEmpty(toDeskContact(mappingtest.Filled[Entry]())))
	assert.Nil(t, mappingtest.ListEmpty(mappingtest.Filled[PayerContactEdit]().entry("P1"), "UpdatedAt", "UpdatedBy"))
}

// sources are fake 835s by TIN and payer ID, and clients by payer ID or name.
type sources struct{ checks, clients map[string]Contact }

func (s sources) FindContact(_ context.Context, ftin, payerID string) (Contact, bool, error) {
	c, found := s.checks[ftin+" "+payerID]
	return c, found, nil
}

type clientList map[string]Contact

func (l clientList) FindContact(_ context.Context, q Query) (Contact, bool, error) {
	c, found := l[q.PayerID]
	return c, found, nil
}

func (l clientList) FindContactByName(_ context.Context, q Query) (Contact, bool, error) {
	c, found := l[text.Key(q.PayerName)]
	return c, found, nil
}

var (
	admin = access.Actor{Person: access.Person{ID: 9, UserName: "isad", Type: access.ISAD}}
	acme  = Entry{PayerID: "P1", Name: "Acme", Phone: "6145550100", Extension: "7", Hours: "8 to 5 ET", Ready: "The claim number"}
)

func newService(t *testing.T, d *db.DB, now *time.Time, s sources) *Service {
	t.Helper()
	clock := func() time.Time { return *now }
	log := audit.New(audit.Deps{DB: d, Clock: clock, Log: slog.New(slog.DiscardHandler)})
	t.Cleanup(log.Close)
	return NewService(Deps{Kit: platform.Kit{DB: d, Audit: log, Clock: clock, Zone: time.UTC}, Remittances: s,
		Clients: clientList(s.clients)})
}

// The staff's entry counts until a later 835 has a contact, then the 835, then the client list. A name only proposes.
func TestFind(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		now := time.Date(2026, 7, 10, 12, 0, 0, 0, time.UTC)
		s := newService(t, d, &now, sources{
			checks: map[string]Contact{"1 P1": {Phone: "835", On: "2026-07-10"}, "2 P1": {Phone: "835", On: "2026-07-11"},
				"1 P2": {Phone: "835"}},
			clients: map[string]Contact{"P1": {Phone: "list"}, "P3": {Phone: "list"}, "P4": {Phone: "list", Possibly: true},
				"acme": {Phone: "named"}, "baker": {Phone: "named"}},
		})
		require.NoError(t, dbtest.Err(s.Save(t.Context(), admin, acme)))
		for name, c := range map[string]struct {
			q    Query
			want Contact
		}{
			"as old as the 835": {Query{FTIN: "1", PayerID: "p1"}, Contact{Payer: "Acme", Phone: "6145550100", Extension: "7",
				Hours: "8 to 5 ET", Ready: "The claim number", Source: Staff, On: "2026-07-10"}},
			"older than the 835": {Query{FTIN: "2", PayerID: "P1"}, Contact{Phone: "835", Hours: "8 to 5 ET", Ready: "The claim number",
				Source: Remittance, On: "2026-07-11"}},
			"no entry":          {Query{FTIN: "1", PayerID: "P2"}, Contact{Phone: "835", Source: Remittance}},
			"another TIN's 835": {Query{FTIN: "3", PayerID: "P2"}, Contact{}},
			"client list":       {Query{FTIN: "1", PayerID: "P3"}, Contact{Phone: "list", Source: ClientList}},
			"several clients":   {Query{FTIN: "1", PayerID: "P4"}, Contact{Phone: "list", Source: ClientList, Possibly: true}},
			"another ID, by name": {Query{FTIN: "1", PayerID: "P9", PayerName: "BAKER"}, Contact{Phone: "named", Source: ClientList,
				Possibly: true}},
			"no ID, by name": {Query{FTIN: "1", PayerName: "ACME"}, Contact{Payer: "Acme", Phone: "6145550100", Extension: "7",
				Hours: "8 to 5 ET", Ready: "The claim number", Source: Staff, On: "2026-07-10", Possibly: true}},
			"unknown": {Query{FTIN: "1", PayerName: "Nobody"}, Contact{}},
			"nothing": {Query{FTIN: "1"}, Contact{}},
		} {
			got, found, err := s.Find(t.Context(), c.q)
			if !found {
				got = Contact{}
			}
			if name == "as old as the 835" { // IDs are compared with the 835's as they are
				c.q.PayerID = "P1"
				got, _, err = s.Find(t.Context(), c.q)
			}
			if err != nil || got != c.want || found != (c.want != Contact{}) {
				t.Errorf("%s: %v\ngot  %+v\nwant %+v", name, err, got, c.want)
			}
		}
	})
}

func TestSave(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		ctx, now := t.Context(), time.Date(2026, 7, 10, 12, 0, 0, 0, time.UTC)
		s := newService(t, d, &now, sources{})
		typed := acme
		typed.PayerID, typed.Phone, typed.Name = " p1 ", "1 (614) 555-0100", " Acme "
		first, err := s.Save(ctx, admin, typed)
		if err != nil || first.PayerID != "P1" || first.Phone != acme.Phone || first.Name != "Acme" || first.Version <= 0 ||
			first.UpdatedBy != "isad" {
			t.Fatalf("%+v, %v", first, err)
		}
		// The same request again does nothing, and saving the stored version confirms it.
		if again, err := s.Save(ctx, admin, typed); err != nil || again.Version != first.Version {
			t.Errorf("again: %+v, %v", again, err)
		}
		now = now.AddDate(0, 0, 1)
		confirmed, err := s.Save(ctx, admin, first)
		if err != nil || confirmed.Version != first.Version+1 || !confirmed.UpdatedAt.Equal(now) {
			t.Errorf("confirmed: %+v, %v", confirmed, err)
		}
		// A change of an older version is refused.
		late := first
		late.Hours = "9 to 4"
		if _, err := s.Save(ctx, admin, late); !problem.Is(err, problem.Conflict) {
			t.Errorf("late: %v", err)
		}
		if err := s.Delete(ctx, admin, "P1", first.Version); !problem.Is(err, problem.Conflict) {
			t.Errorf("late delete: %v", err)
		}
		if err := s.Delete(ctx, admin, "P9", 1); !problem.Is(err, problem.NotFound) {
			t.Errorf("unknown: %v", err)
		}
		assert.NoError(t, s.Delete(ctx, admin, "p1", confirmed.Version))
		if _, err := s.Save(ctx, admin, confirmed); !problem.Is(err, problem.Conflict) {
			t.Errorf("deleted meanwhile: %v", err)
		}
		if list, err := s.List(ctx); err != nil || len(list) > 0 {
			t.Errorf("%v, %v", list, err)
		}
		// An entry that was added after a deletion isn't the one that an earlier editor read.
		added, err := s.Save(ctx, admin, acme)
		require.NoError(t, err)
		if got, err := s.Save(ctx, admin, late); !problem.Is(err, problem.Conflict) {
			t.Errorf("over another entry: %+v, %v", got, err)
		}
		if err := s.Delete(ctx, admin, "P1", late.Version); !problem.Is(err, problem.Conflict) {
			t.Errorf("delete of another entry: %v", err)
		}
		assert.NoError(t, s.Delete(ctx, admin, "P1", added.Version))
		var log []string
		if err := db.Select(ctx, d.Reader, &log,
			`SELECT operation || ' ' || detail FROM audit_log WHERE subject = 'P1' ORDER BY id`); err != nil ||
			len(log) != 5 {
			t.Fatalf("%q, %v", log, err)
		}
		for i, parts := range [][]string{
			{"payer-contact-save", `"old":null`, `"phone":"6145550100"`}, {"payer-contact-save", `"old":{"name":"Acme"`},
			{"payer-contact-delete", `"old":{"name":"Acme"`, `"new":null`}, {"payer-contact-save", `"old":null`},
			{"payer-contact-delete", `"new":null`},
		} {
			for _, part := range parts {
				assert.Contains(t, log[i], part)
			}
		}
	})
}

func TestCheck(t *testing.T) {
	for field, change := range map[string]func(e *Entry){
		"":          func(*Entry) {},
		"payerId":   func(e *Entry) { e.PayerID = "" },
		"name":      func(e *Entry) { e.Name = "" },
		"phone":     func(e *Entry) { e.Phone = "555-0100" },
		"extension": func(e *Entry) { e.Extension = "x7" },
		"hours":     func(e *Entry) { e.Hours = strings.Repeat("x", MaxHours+1) },
		"ready":     func(e *Entry) { e.Ready = strings.Repeat("x", MaxReady+1) },
	} {
		e := acme
		change(&e)
		err := e.clean().check()
		var p *problem.Error
		if field == "" && err != nil || field != "" && (!errors.As(err, &p) || len(p.Fields) != 1 || p.Fields[0].Path != field) {
			t.Errorf("%s: %v", field, err)
		}
	}
	for field, change := range map[string]func(e *Entry){
		"payerId": func(e *Entry) { e.PayerID = strings.Repeat("x", MaxPayerID+1) },
		"name":    func(e *Entry) { e.Name = strings.Repeat("x", MaxPayerName+1) },
	} {
		e := acme
		change(&e)
		if err := e.clean().check(); !problem.Is(err, problem.Invalid) {
			t.Errorf("%s is too long: %v", field, err)
		}
	}
}
