package feeds

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
)

// shelf is a taker that keeps rows in a table, as the areas do.
type shelf struct {
	db      *db.DB
	batches int
	// after is called inside the transaction of each batch.
	after func(batch int) error
}

func newShelf(t *testing.T, d *db.DB) *shelf {
	t.Helper()
	_, err := d.Writer.ExecContext(t.Context(), `CREATE TABLE shelf (id text PRIMARY KEY, content text NOT NULL)`)
	if err != nil {
		t.Fatal(err)
	}
	return &shelf{db: d}
}

func (s *shelf) put(ctx context.Context, tx *sql.Tx, id string, row any) (Outcome, error) {
	content, err := json.Marshal(row)
	if err != nil {
		return Outcome{}, err
	}
	var before string
	err = tx.QueryRowContext(ctx, `SELECT content FROM shelf WHERE id = $1`, id).Scan(&before)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		_, err = tx.ExecContext(ctx, `INSERT INTO shelf VALUES ($1, $2)`, id, string(content))
		return Outcome{Kind: Taken}, err
	case err != nil || before == string(content):
		return Outcome{Kind: Unchanged}, err
	}
	_, err = tx.ExecContext(ctx, `UPDATE shelf SET content = $2 WHERE id = $1`, id, string(content))
	return Outcome{Kind: Updated}, err
}

func shelfTaker[T any](s *shelf, id func(T) string) Taker[T] {
	return func(ctx context.Context, tx *sql.Tx, rows []T) ([]Outcome, error) {
		s.batches++
		var outcomes []Outcome
		for _, row := range rows {
			o, err := s.put(ctx, tx, id(row), row)
			if err != nil {
				return nil, err
			}
			outcomes = append(outcomes, o)
		}
		if s.after != nil {
			if err := s.after(s.batches); err != nil {
				return nil, err
			}
		}
		return outcomes, nil
	}
}

func (s *shelf) takers() Takers {
	return Takers{
		Bills: shelfTaker(s, func(b Bill) string { return "bill " + b.FTIN + b.BillControlNumber }),
		Payments: shelfTaker(s, func(p Payment) string {
			return fmt.Sprint("payment ", p.FTIN, p.TraceNumber, p.PatientControlNumber, p.PayerControlNumber, p.Occurrence)
		}),
		Claims:    shelfTaker(s, func(c Claim) string { return "claim " + c.ClaimNumber }),
		Groups:    shelfTaker(s, func(g Group) string { return fmt.Sprint("group ", g.ID) }),
		Users:     shelfTaker(s, func(u User) string { return "user " + u.UserName }),
		TINs:      shelfTaker(s, func(t TIN) string { return fmt.Sprint("tin ", t) }),
		Providers: shelfTaker(s, func(p Provider) string { return "provider " + p.ProviderID }),

		Products: shelfTaker(s, func(p Product) string { return "product " + p.LineOfBusiness + p.Code }),
		Clients:  shelfTaker(s, func(c Client) string { return "client " + c.ClientID + c.LineOfBusiness + c.ProductCode + c.State }),
		Participations: shelfTaker(s, func(p Participation) string {
			return "part " + p.ProviderID + p.FTIN + p.LineOfBusiness + p.ProductCode + p.State
		}),
		Exclusions:   shelfTaker(s, func(x Exclusion) string { return "exclusion " + x.ClientID + x.ProviderID + x.FTIN }),
		Taxonomies:   shelfTaker(s, func(x TaxonomyName) string { return "taxonomy " + x.Code }),
		Registered:   shelfTaker(s, func(r Registered) string { return "npi " + r.NPI }),
		ProviderTINs: shelfTaker(s, func(p ProviderPart) string { return "tin of " + p.ProviderID + p.NPI + p.FTIN }),
		Specialties:  shelfTaker(s, func(p ProviderPart) string { return "specialty of " + p.ProviderID + p.NPI + p.Description }),
		Offices:      shelfTaker(s, func(p ProviderPart) string { return "office of " + p.ProviderID + p.NPI + p.OfficeID }),
		OfficeDetails: shelfTaker(s, func(p ProviderPart) string {
			return "office detail of " + p.ProviderID + p.NPI + p.OfficeID + p.Kind + p.Description
		}),
		Licenses:           shelfTaker(s, func(p ProviderPart) string { return "license of " + p.ProviderID + p.NPI + p.State + p.Number }),
		Details:            shelfTaker(s, func(p ProviderPart) string { return "details of " + p.ProviderID + p.NPI }),
		RateCodes:          shelfTaker(s, func(r RateCode) string { return "rate " + r.ProviderID + r.FTIN + r.NationalRateCode }),
		RosterSources:      shelfTaker(s, func(r RosterSource) string { return fmt.Sprint("roster source ", r.SourceID) }),
		RosterSourceGroups: shelfTaker(s, func(g RosterSourceGroup) string { return fmt.Sprint("source group ", g.SourceGroupID) }),
		GroupSources:       shelfTaker(s, func(g GroupSource) string { return fmt.Sprint("group source ", g) }),
		Allowances:         shelfTaker(s, func(a Allowance) string { return "allowance " + a.NationalRateCode + a.ProcedureCode + a.Modifier }),
	}
}

func (s *shelf) rows(t *testing.T) []string {
	t.Helper()
	var rows []string
	if err := db.Select(t.Context(), s.db.Reader, &rows, `SELECT id || ' ' || content FROM shelf ORDER BY id`); err != nil {
		t.Fatal(err)
	}
	return rows
}

func (s *shelf) importer() *Importer {
	im := New(s.db, s.takers(), func() time.Time { return time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC) })
	im.batchRecords = 10
	return im
}

func write(t testing.TB, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// manyClaims is a file of n professional claims and n payments.
func manyClaims(n int) string {
	claims := slices.Clone(professionalHead)
	payments := slices.Clone(paymentHead)
	for i := range n {
		claims = append(claims, professionalClaim(fmt.Sprintf("PCN%04d", i))...)
		payments = append(payments,
			fmt.Sprintf("CLP*PCN%04d*1*100*80**12*ICN%04d", i, i), "CAS*CO*45*20", "NM1*QC*1*BROOK*ADA", "DTM*232*20260105")
	}
	payments[0] = fmt.Sprintf("BPR*I*%d*C*CHK************20260201", 80*n)
	return interchange("005010X222A1", set("837", "005010X222A1", claims...), set("835", "005010X221A1", payments...))
}

func TestImportTakesAFileOnce(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := newShelf(t, d)
		path := write(t, "claims.edi", manyClaims(25))

		first, err := s.importer().ImportX12(t.Context(), path, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if first.Records != 50 || first.Taken != 50 || first.ExitCode() != ExitAllTaken || len(first.Problems) > 0 {
			t.Fatalf("first import: %+v", first)
		}
		if s.batches < 5 {
			t.Errorf("%d batches, want one for every ten records", s.batches)
		}
		rows, batches := s.rows(t), s.batches

		second, err := s.importer().ImportX12(t.Context(), path, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if !second.AlreadyTaken || second.Taken != 50 || s.batches != batches {
			t.Errorf("the same file again: %+v, %d batches more", second, s.batches-batches)
		}

		again, err := s.importer().ImportX12(t.Context(), path, Options{Again: true})
		if err != nil {
			t.Fatal(err)
		}
		if again.AlreadyTaken || again.Unchanged != 50 || again.Taken != 0 {
			t.Errorf("asked to take it again: %+v", again)
		}
		if !slices.Equal(rows, s.rows(t)) {
			t.Error("taking the file again changed rows")
		}
	})
}

// A run that fails or is cut off anywhere ends, after a second run, in the
// rows and counts of an undisturbed one.
func TestImportResumes(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := newShelf(t, d)
		text := manyClaims(25)
		for _, broken := range []struct {
			name string
			how  func(cancel func()) error
		}{
			{"the transaction fails", func(func()) error { return errors.New("disk full") }},
			{"the run is cancelled", func(cancel func()) error { cancel(); return nil }},
		} {
			t.Run(broken.name, func(t *testing.T) {
				if _, err := d.Writer.ExecContext(t.Context(), `DELETE FROM feed_runs`); err != nil {
					t.Fatal(err)
				}
				if _, err := d.Writer.ExecContext(t.Context(), `DELETE FROM shelf`); err != nil {
					t.Fatal(err)
				}
				path := write(t, "claims.edi", text)
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				s.batches = 0
				s.after = func(batch int) error {
					if batch == 5 { // the third batch went to two takers
						return broken.how(cancel)
					}
					return nil
				}
				if _, err := s.importer().ImportX12(ctx, path, Options{}); err == nil {
					t.Fatal("the import went on")
				}
				if got := len(s.rows(t)); got != 30 {
					t.Fatalf("%d rows after three whole batches of ten", got)
				}

				s.after = nil
				report, err := s.importer().ImportX12(t.Context(), path, Options{})
				if err != nil {
					t.Fatal(err)
				}
				if report.ResumedAfter != 30 || report.Taken != 50 || report.Unchanged != 0 || len(s.rows(t)) != 50 {
					t.Errorf("after taking it up again: %+v, %d rows", report, len(s.rows(t)))
				}
			})
		}
	})
}

// Two runs of one file at once never count a batch twice.
func TestImportYieldsToAnotherRun(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := newShelf(t, d)
		path := write(t, "claims.edi", manyClaims(25))
		im := s.importer()
		// The other run moves the place on between two batches of this one.
		moved := false
		opts := Options{Progress: nil}
		inner := im.takers.Bills
		im.takers.Bills = func(ctx context.Context, tx *sql.Tx, rows []Bill) ([]Outcome, error) {
			if moved {
				t.Error("took a batch that is another run's")
			}
			moved = true
			if _, err := tx.ExecContext(ctx, `UPDATE feed_runs SET position = position + 5`); err != nil {
				return nil, err
			}
			return inner(ctx, tx, rows)
		}
		_, err := im.ImportX12(t.Context(), path, opts)
		if err == nil || !strings.Contains(err.Error(), "being imported by another run") {
			t.Errorf("error %v", err)
		}
	})
}

func TestBrokenFileStoresNothing(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := newShelf(t, d)
		text := manyClaims(25)
		path := write(t, "cut.edi", text[:len(text)-40])
		report, err := s.importer().ImportX12(t.Context(), path, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if report.Refused == nil || report.ExitCode() != ExitRefused || s.batches > 0 {
			t.Errorf("%+v", report)
		}
		var runs int
		if err := db.Get(t.Context(), d.Reader, &runs, `SELECT count(*) FROM feed_runs`); err != nil || runs != 0 {
			t.Errorf("%d runs kept, %v", runs, err)
		}
	})
}

func TestRejectedRecordsAreReportedAndTheRestTaken(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := newShelf(t, d)
		claims := slices.Concat(professionalHead, professionalClaim("GOOD"), []string{"CLM*BAD*ten dollars***11:B:1"}, professionalClaim("TURNED-AWAY"))
		path := write(t, "mixed.edi", interchange("005010X222A1",
			set("837", "005010X222A1", claims...), set("837", "005010X224A2", "BHT*0019*00*1*20260101*1200*CH")))
		im := s.importer()
		inner := im.takers.Bills
		im.takers.Bills = func(ctx context.Context, tx *sql.Tx, rows []Bill) ([]Outcome, error) {
			outcomes, err := inner(ctx, tx, rows)
			outcomes[1] = Outcome{Kind: Rejected, Reason: "the bill control number is on file for another claimant or date of service"}
			return outcomes, err
		}
		report, err := im.ImportX12(t.Context(), path, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if report.Records != 3 || report.Taken != 1 || report.Rejected != 2 || report.SetsNotTaken != 1 || report.ExitCode() != ExitSomeRejected {
			t.Errorf("%+v", report)
		}
		var text strings.Builder
		if err := report.WriteText(&text); err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{
			"mixed.edi: 3 records: 1 taken, 0 updated, 0 unchanged, 2 rejected",
			"error: segment 24, loop 2300, CLM02: the charge is not an amount of money",
			"error: segment 25, loop 2300, CLM: the bill control number is on file for another claimant",
			"1 transaction sets of kinds that are not read",
		} {
			if !strings.Contains(text.String(), want) {
				t.Errorf("the report lacks %q:\n%s", want, text.String())
			}
		}
		for _, secret := range []string{"ten dollars", "BAD", "BROOK", "TURNED"} {
			if strings.Contains(text.String(), secret) {
				t.Errorf("the report repeats %q of the file", secret)
			}
		}
		if _, err := json.Marshal(report); err != nil {
			t.Error(err)
		}
	})
}

func TestReportIsBounded(t *testing.T) {
	var r Report
	for range maxProblems + 7 {
		r.add(Problem{Severity: SeverityWarning, Line: 1, Reason: "x"})
	}
	if len(r.Problems) != maxProblems || r.MoreProblems != 7 {
		t.Errorf("%d problems and %d more", len(r.Problems), r.MoreProblems)
	}
}

func TestImportOfWhatIsNoFile(t *testing.T) {
	d := dbtest.Open(t, "sqlite")
	im := New(d, Takers{}, time.Now)
	for _, path := range []string{t.TempDir(), filepath.Join(t.TempDir(), "absent")} {
		if _, err := im.ImportX12(t.Context(), path, Options{}); err == nil {
			t.Errorf("%s was imported", path)
		}
	}
	if _, err := im.ImportCSV(t.Context(), "invoices", "x", Options{}); err == nil || !strings.Contains(err.Error(), "groups, users, tins") {
		t.Errorf("an unknown kind: %v", err)
	}
}

func TestProgressIsTold(t *testing.T) {
	file, err := os.Open(write(t, "x", strings.Repeat("x", 100)))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var told []Progress
	s := &source{ctx: t.Context(), file: file, progress: Progress{Total: 100}, report: func(p Progress) { told = append(told, p) }}
	if err := s.rewind("reading"); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if _, err := s.Read(make([]byte, 40)); err != nil {
			t.Fatal(err)
		}
	}
	if len(told) != 1 || told[0] != (Progress{Phase: "reading", Bytes: 40, Total: 100}) {
		t.Errorf("told %+v, want once and then silence for half a second", told)
	}
}
