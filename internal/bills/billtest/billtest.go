// Package billtest has bills for tests, as an office's files bring them.
package billtest

import (
	"context"
	"database/sql"
	"fmt"
	"log/slog"
	"os"
	"testing"
	"time"

	"wcpp/internal/bills/ledger"
	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/bills/record"
	"wcpp/internal/identity/access"
	"wcpp/internal/identity/identitytest"
	"wcpp/internal/platform"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/blob"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/seal"
	"wcpp/internal/platform/settings"
)

// The TINs of tests. An office has the first two.
const (
	Ours   = "111111111"
	Second = "222222222"
	Theirs = "999999999"
)

// NewLedger creates a ledger without the parts that other domains provide.
func NewLedger(d *db.DB, now func() time.Time) *ledger.Ledger {
	return ledger.New(ledger.Deps{Kit: platform.Kit{DB: d, Clock: now}}, ledger.Settings{})
}

// Reasons explains two codes.
type Reasons struct{}

// Explain returns the texts of CARC 197 and HCP13 T1.
func (Reasons) Explain(_ context.Context, list, code, _ string) (title, advice string, err error) {
	switch list + code {
	case "CARC197":
		return "Required approval is missing.", "If you have an authorization number, send it.", nil
	case "HCP13T1":
		return "The network doesn't recognize this provider.", "Check your listing in the directory.", nil
	}
	return "", "", nil
}

// NoDesk lets no staff in.
type NoDesk struct{ record.Desk }

// The users of tests, who have the TINs Ours and Second.
var (
	Clerk = access.Actor{Person: access.Person{ID: 1, UserName: "clerk", Type: access.PRUS, GroupID: 6}}
	Jane  = access.Actor{Person: access.Person{ID: 3, UserName: "jane", Type: access.PRUS, GroupID: 7}}
)

// Midsummer is the time of tests with files.
var Midsummer = time.Date(2026, 8, 20, 13, 2, 0, 0, time.UTC)

// NewKit returns what services are created with, on a migrated database with the users of tests.
func NewKit(t *testing.T, d *db.DB, now func() time.Time, zone *time.Location) platform.Kit {
	t.Helper()
	log := slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelError}))
	sealer := seal.New(make([]byte, 32))
	entries := audit.New(audit.Deps{DB: d, Clock: now, Log: log, Sealer: sealer})
	t.Cleanup(entries.Close)
	identitytest.Add(t, d.Writer, Clerk.Person, "Kay Clerk", Ours, Second)
	identitytest.Add(t, d.Writer, Jane.Person, "Jane Hendricks", Ours, Second)
	files, err := blob.Open(t.Context(), "", t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return platform.Kit{DB: d, Audit: entries, Clock: now, Zone: zone, Log: log, Files: files, Sealer: sealer,
		Brand: settings.Brand{BrandName: "Portal"}}
}

// LoadNewYork returns the business time zone of tests with files.
func LoadNewYork(t *testing.T) *time.Location {
	t.Helper()
	zone, err := time.LoadLocation("America/New_York")
	if err != nil {
		t.Fatal(err)
	}
	return zone
}

// MakeCents returns an amount.
func MakeCents(n int64) *int64 { return &n }

// MakeBill returns a priced bill of one line, with changes.
func MakeBill(change func(*record.Detailed)) record.Detailed {
	b := record.Detailed{
		Bill: record.Bill{
			FTIN: Ours, BillControlNumber: "BCN-1", DocumentID: "DOC-1", PatientControlNumber: "PC-1", ClaimNumber: "WC-77",
			PatientFirstName: "Ada", PatientLastName: "Ort\u00edz", PatientBirthDate: "1980-05-06",
			BeginServiceDate: "2026-01-10", EndServiceDate: "2026-01-12", BillType: "P", FrequencyCode: "1",
			BillCharges: 10000, RecommendedAllowance: MakeCents(8000), RepricingMethod: "03", BillStatus: record.StatusPriced, EOR: true,
		},
		Detail: record.Detail{Lines: []facts.Line{{Number: 1, Procedure: "99213", Charge: 10000, Units: "1", Allowance: MakeCents(8000)}}},
	}
	if change != nil {
		change(&b)
	}
	return b
}

// TakeBills stores bills as table rows, with service lines as in an 837.
func TakeBills(t *testing.T, d *db.DB, rows ...record.Detailed) {
	t.Helper()
	list := make([]facts.Submission, len(rows))
	for i, b := range rows {
		list[i] = facts.Submission{
			Source: facts.FromTable, Kind: "P", Repriced: b.BillControlNumber, Clearinghouse: b.DocumentID, Reported: b.Bill,
			Detail: b.Detail,
		}
		list[i].Identify()
	}
	Take(t, d, func(l *ledger.Ledger, tx *sql.Tx) error {
		_, err := l.ImportSubmissions(t.Context(), tx, list)
		return err
	})
}

// Take changes the ledger in a transaction.
func Take(t *testing.T, d *db.DB, with func(l *ledger.Ledger, tx *sql.Tx) error) {
	t.Helper()
	l := NewLedger(d, time.Now)
	if err := d.Tx(t.Context(), func(tx *sql.Tx) error { return with(l, tx) }); err != nil {
		t.Fatal(err)
	}
}

// ListNumbers returns the bill control numbers of bills, in order.
func ListNumbers(found []record.Bill) string {
	out := ""
	for i, b := range found {
		if i > 0 {
			out += " "
		}
		out += b.BillControlNumber
	}
	return out
}

// TakePatients stores a bill for each last and first name, in order.
func TakePatients(t *testing.T, d *db.DB, names ...[2]string) {
	t.Helper()
	var rows []record.Detailed
	for i, name := range names {
		rows = append(rows, MakeBill(func(b *record.Detailed) {
			b.BillControlNumber, b.DocumentID, b.PatientControlNumber = fmt.Sprint("N", i), fmt.Sprint("D", i), fmt.Sprint("P", i)
			b.PatientLastName, b.PatientFirstName = name[0], name[1]
		}))
	}
	TakeBills(t, d, rows...)
}
