package ledger

import (
	"database/sql"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/bills/ledger/store"
	"wcpp/internal/platform"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/ingest"
)

// A document's day is the business's, not UTC's.
func TestDayOfAPaper(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		evening := time.Date(2026, 3, 3, 2, 0, 0, 0, time.UTC) // 9 PM in New York
		zone := time.FixedZone("EST", -5*3600)
		l, ctx := New(Deps{Kit: platform.Kit{DB: d, Clock: func() time.Time { return evening }, Zone: zone}}, Settings{}), t.Context()
		require.NoError(t, d.Tx(ctx, func(tx *sql.Tx) error {
			bill := sent("1", 100, account("P-1")).(facts.Submission)
			if err := dbtest.Err(l.ImportSubmissions(ctx, tx, []facts.Submission{bill})); err != nil {
				return err
			}
			return dbtest.Err(l.ImportPapers(ctx, tx, []SentPaper{{
				Paper:    facts.Paper{FTIN: "111111111", Bill: "p-1", Kind: facts.ImagePaper, SHA256: "a", MediaType: "image/png", Size: 5},
				OnAccept: func() {},
			}}))
		}))
		var on date.Date
		if err := db.Get(ctx, d.Reader, &on, `SELECT occurred_on FROM bill_changes WHERE kind = $1`, facts.Document); err != nil ||
			on != "2026-03-02" {
			t.Errorf("%s, %v", on, err)
		}
	})
}

// A paper stays with its bill when later facts change the bill's number or merge it into another
// bill.
func TestPapersFollowTheirBill(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		l, ctx := newLedger(d, time.Now), t.Context()
		take := func(s facts.Submission) {
			t.Helper()
			require.NoError(t, d.Tx(ctx, func(tx *sql.Tx) error {
				return dbtest.Err(l.ImportSubmissions(ctx, tx,
					[]facts.Submission{s}))
			}))
		}
		kept := 0
		paper := func(number, hash string) ingest.Outcome {
			t.Helper()
			var outcomes []ingest.Outcome
			err := d.Tx(ctx, func(tx *sql.Tx) (err error) {
				outcomes, err = l.ImportPapers(ctx, tx, []SentPaper{{
					Paper: facts.Paper{FTIN: "111111111", Bill: number, Kind: facts.ImagePaper, SHA256: hash, MediaType: "image/png",
						Size: 5},
					OnAccept: func() { kept++ },
				}})
				return err
			})
			require.NoError(t, err)
			return outcomes[0]
		}
		of := func(number string) string {
			t.Helper()
			list, err := store.ListPapers(ctx, d.Reader, facts.Bill{FTIN: "111111111", BillControlNumber: number})
			require.NoError(t, err)
			all := ""
			for _, p := range list {
				all += p.SHA256
			}
			return all
		}
		if o := paper("p-1", "a"); o.Reason() == "" || kept != 0 {
			t.Fatalf("a paper of no bill: %v, kept %d", o, kept)
		}

		// The bill gets another number, because its repriced number arrives.
		first := sent("1", 100, account("P-1")).(facts.Submission)
		take(first)
		if o := paper("p-1", "a"); o != ingest.Imported || of("P-1") != "a" || kept != 1 {
			t.Fatalf("%v: %q", o, of("P-1"))
		}
		if o := paper("p-1", "a"); o != ingest.Unchanged || kept != 1 {
			t.Fatalf("the same again: %v, kept %d", o, kept)
		}
		if o := paper("p-1", "b"); o.Reason() == "" {
			t.Fatalf("another of its kind in the same file: %v", o)
		}
		take(sent("1", 100, account("P-1"), own("N1"), priced(90)).(facts.Submission))
		require.Empty(t, of("P-1"))
		require.Equal(t, "a", of("N1"))
		// The former number still finds the bill.
		assert.Equal(t, ingest.Unchanged, paper("p-1", "a"))

		// Two bills turn out to be the same.
		pay := paid(80, "K1", account("P-3"), icn("I3")).(facts.Payment)
		require.NoError(t, d.Tx(ctx, func(tx *sql.Tx) error { return dbtest.Err(l.ImportRemitted(ctx, tx, remitted(pay))) }))
		require.Equal(t, ingest.Imported, paper("i3", "d"))
		take(sent("1", 100, account("P-3"), own("N3")).(facts.Submission))
		if of("I3") != "" || of("N3") != "d" {
			t.Errorf("after its submission came: %q under the payer's number, %q under the network's", of("I3"), of("N3"))
		}

		// A replacement without an original is a bill, until the original arrives and gives both
		// the same number.
		take(sent("7", 130, account("P-2"), ref("X9"), at(2)).(facts.Submission))
		require.Equal(t, ingest.Imported, paper("x9", "c"))
		take(sent("1", 120, account("P-2"), own("X9")).(facts.Submission))
		assert.Equal(t, "c", of("X9"))
	})
}
