package documents

import (
	"bytes"
	"crypto/ed25519"
	"database/sql"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/bills/billtest"
	"wcpp/internal/bills/ledger"
	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/bills/record"
	"wcpp/internal/identity/access"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/problem"
)

// onDay creates a service with a clock in the business's time zone.
func onDay(t *testing.T, d *db.DB, clock *time.Time) *Service {
	t.Helper()
	now := func() time.Time { return *clock }
	return newServiceWith(billtest.NewKit(t, d, now, billtest.LoadNewYork(t)), nil)
}

var jane = billtest.Jane

// The certificate has who of the office first opened the EOR. Mirroring staff don't count.
func TestCertificate(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		clock := billtest.Midsummer
		s := onDay(t, d, &clock)
		billtest.Bring(t, d, s.now, billtest.Golden[0].Files...)
		link, err := s.records.PageID(ours, "7001")
		require.NoError(t, err)
		eor, err := s.records.SealDocument(record.DocumentID{Kind: record.EOR, FTIN: ours, Key: "7001"})
		require.NoError(t, err)
		opens := func(actor, actingFor string, at time.Time) {
			clock = at
			if _, _, err := s.Document(audit.WithActor(t.Context(), actor, actingFor), jane, eor); err != nil {
				t.Fatal(err)
			}
		}
		certified := func() string {
			clock = billtest.Midsummer.Add(9 * time.Hour)
			r, err := s.loadReceipt(t.Context(), jane, access.NewScope([]string{ours}), record.PageID{FTIN: ours, Key: "7001"})
			require.NoError(t, err)
			return strings.Join(r.sentences(), " ")
		}
		opens("staff", "jane", billtest.Midsummer)
		const said = "According to the portal's log, the explanation of review of bill 7001 was first made available on 08/20/2026 at " +
			"9:02:00 AM Eastern"
		assert.Equal(t, said+". No user of Tax ID 111111111 had opened it by 08/20/2026 at 6:02:00 PM Eastern.", certified())
		opens("jane", "", billtest.Midsummer.Add(time.Hour))
		opens("joe", "", billtest.Midsummer.Add(2*time.Hour))
		if got := certified(); got != said+
			", and first opened by a user of Tax ID 111111111 (Jane Hendricks) on 08/20/2026 at 10:02:00 AM Eastern." {
			t.Error(got)
		}
		pdf, err := s.Certificate(t.Context(), jane, link)
		if err != nil || !bytes.HasPrefix(pdf, []byte("%PDF")) {
			t.Errorf("%d bytes, %v", len(pdf), err)
		}
		if entries := listEntries(t, s, ours+" 7001"); entries[0].Operation != record.OpenCertificate || entries[0].Result != record.OK {
			t.Errorf("%+v", entries)
		}
	})
}

// After the log of a bill's first days is removed, an opening can be missing.
func TestCertificateAfterPruning(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		clock := billtest.Midsummer
		s := onDay(t, d, &clock)
		billtest.Bring(t, d, s.now, billtest.Golden[0].Files...)
		eor, err := s.records.SealDocument(record.DocumentID{Kind: record.EOR, FTIN: ours, Key: "7001"})
		require.NoError(t, err)
		_, signer, err := ed25519.GenerateKey(nil)
		require.NoError(t, err)
		log := audit.New(audit.Deps{DB: d, Clock: s.now, Log: slog.New(slog.DiscardHandler), Signer: signer})
		t.Cleanup(log.Close)
		remove := func() {
			clock = clock.Add(time.Hour)
			require.NoError(t, log.Seal(t.Context()))
			n, err := audit.Prune(t.Context(), d, signer, clock, clock)
			require.NoError(t, err)
			require.Equal(t, 1, n)
		}
		certified := func() string {
			r, err := s.loadReceipt(t.Context(), jane, access.NewScope([]string{ours}), record.PageID{FTIN: ours, Key: "7001"})
			require.NoError(t, err)
			return strings.Join(r.sentences()[1:], " ")
		}
		open := func() {
			clock = clock.Add(time.Hour)
			_, _, err := s.Document(audit.WithActor(t.Context(), "jane", ""), jane, eor)
			require.NoError(t, err)
		}
		clock = billtest.Midsummer.Add(-2 * time.Hour)
		require.NoError(t, s.audit.RecordNow(t.Context(), audit.Entry{Operation: "x", Result: "ok"}))
		remove() // before the bill came
		assert.Equal(t, "No user of Tax ID 111111111 had opened it by 08/20/2026 at 8:02:00 AM Eastern.", certified())
		clock = billtest.Midsummer
		open()
		remove()
		const removed = " Openings until 08/20/2026 at 10:02:00 AM Eastern are no longer on file."
		assert.Equal(t, "No opening by a user of Tax ID 111111111 is on file."+removed, certified())
		open()
		assert.Equal(t, "The first opening on file is by a user of Tax ID 111111111 (Jane Hendricks) on 08/20/2026 at 12:02:00 PM Eastern."+
			removed, certified())
	})
}

func listEntries(t *testing.T, s *Service, subject string) []audit.Entry {
	t.Helper()
	list, err := s.audit.ListAbout(t.Context(), subject, []string{record.OpenCertificate, record.OpenEOR, record.OpenImage}, 99)
	require.NoError(t, err)
	return list
}

// A paper EOR counts the same as a generated one.
func TestCertificateOfAPaper(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		clock := billtest.Midsummer
		s := onDay(t, d, &clock)
		billtest.TakeBills(t, d, billtest.MakeBill(func(b *record.Detailed) {
			b.EOR, b.RecommendedAllowance, b.BillStatus = false, nil, record.StatusReceived
		}), billtest.MakeBill(func(b *record.Detailed) { b.BillControlNumber, b.Detail.Lines = "BCN-2", nil }))
		id, scope := record.PageID{FTIN: ours, Key: "bcn-1"}, access.NewScope([]string{ours})
		for _, key := range []string{"bcn-1", "bcn-2"} { // a bill without lines has no EOR to open
			if _, err := s.loadReceipt(t.Context(), jane, scope, record.PageID{FTIN: ours, Key: key}); !problem.Is(err, problem.NotFound) {
				t.Errorf("%s before: %v", key, err)
			}
		}
		clock = billtest.Midsummer.Add(time.Hour)
		err := d.Tx(t.Context(), func(tx *sql.Tx) error {
			return dbtest.Err(billtest.NewLedger(d, s.now).ImportPapers(t.Context(), tx, []ledger.SentPaper{{
				Paper:    facts.Paper{FTIN: ours, Bill: "bcn-1", Kind: record.EOR, SHA256: "aa", MediaType: "application/pdf"},
				OnAccept: func() {},
			}}))
		})
		require.NoError(t, err)
		if r, err := s.loadReceipt(t.Context(), jane, scope, id); err != nil || !r.available.Equal(clock) {
			t.Errorf("available since %v, %v", r.available, err)
		}
	})
}

// All bad links give the same answer. One to another office's bill is audited.
func TestInvalidLinks(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		clock := billtest.Midsummer
		s := onDay(t, d, &clock)
		billtest.Bring(t, d, s.now, billtest.Golden[0].Files...)
		seal := func(id record.PageID) string {
			sealed, err := s.records.SealPageID(id)
			require.NoError(t, err)
			return sealed
		}
		for name, sealed := range map[string]string{
			"nothing": "", "no seal": "7001", "another office's TIN": seal(record.PageID{FTIN: theirs, Key: "7001"}),
			"a bill that is gone":  seal(record.PageID{FTIN: ours, Key: "9999"}),
			"of the second system": seal(record.PageID{FTIN: ours, Key: "S-1", ExID: "77"}),
		} {
			if _, err := s.Certificate(t.Context(), jane, sealed); !problem.Is(err, problem.NotFound) {
				t.Errorf("the certificate of %s: %v", name, err)
			}
		}
		if entries := listEntries(t, s, theirs+" 7001"); len(entries) != 1 || entries[0].Result != record.Refused ||
			entries[0].Operation != record.OpenCertificate {
			t.Errorf("the refusal is audited: %+v", entries)
		}
	})
}
