package ingest_test

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

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/bills/ledger"
	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/platform/blob"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/ingest"
	"wcpp/internal/platform/jobs"
	"wcpp/internal/platform/paging"
	"wcpp/internal/platform/x12/x12test"
)

// tableStore stores imported rows in a table, as domains do.
type tableStore struct {
	db      *db.DB
	batches int
	// after runs in the transaction of each batch.
	after func(batch int) error
}

func newTableStore(t *testing.T, d *db.DB) *tableStore {
	t.Helper()
	_, err := d.Writer.ExecContext(t.Context(), `CREATE TABLE shelf (id text PRIMARY KEY, content text NOT NULL)`)
	require.NoError(t, err)
	return &tableStore{db: d}
}

func (s *tableStore) put(ctx context.Context, tx *sql.Tx, id string, row any) (ingest.Outcome, error) {
	content, err := json.Marshal(row)
	if err != nil {
		return ingest.Outcome{}, err
	}
	var before string
	err = tx.QueryRowContext(ctx, `SELECT content FROM shelf WHERE id = $1`, id).Scan(&before)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		_, err = tx.ExecContext(ctx, `INSERT INTO shelf VALUES ($1, $2)`, id, string(content))
		return ingest.Imported, err
	case err != nil || before == string(content):
		return ingest.Unchanged, err
	}
	_, err = tx.ExecContext(ctx, `UPDATE shelf SET content = $2 WHERE id = $1`, id, string(content))
	return ingest.Updated, err
}

// importFunc stores rows by their ID.
func (s *tableStore) importFunc(id func(row any) string) ingest.ImportFunc[any] {
	return func(ctx context.Context, tx *sql.Tx, rows []any) ([]ingest.Outcome, error) {
		s.batches++
		var outcomes []ingest.Outcome
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

func (s *tableStore) bills() ingest.ImportFunc[any] {
	return s.importFunc(func(row any) string {
		s := row.(*facts.Submission)
		return "bill " + s.Reported.FTIN + s.Reported.PatientControlNumber
	})
}

func (s *tableStore) payments() ingest.ImportFunc[any] {
	return s.importFunc(func(row any) string {
		p := row.(*facts.Remitted).Payment
		if p == nil {
			return "set " + row.(*facts.Remitted).Parts[0].Set.Fact
		}
		return fmt.Sprint("payment ", p.Reported.FTIN, p.TraceNumber, p.PatientControlNumber, p.PayerControlNumber, p.Occurrence)
	})
}

func (s *tableStore) rows(t *testing.T) []string {
	t.Helper()
	var rows []string
	require.NoError(t, db.Select(t.Context(), s.db.Reader, &rows, `SELECT id || ' ' || content FROM shelf ORDER BY id`))
	return rows
}

func (s *tableStore) importer() *ingest.Importer { return s.importerWith(s.bills()) }

// importerWith uses another import function for bills.
func (s *tableStore) importerWith(takeBills ingest.ImportFunc[any]) *ingest.Importer {
	feeds := (*ledger.Ledger)(nil).Feeds()
	im := ingest.New(ingest.Deps{DB: s.db, Clock: func() time.Time { return time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC) }},
		ingest.Settings{},
		feeds[0].WithImporter(takeBills), feeds[1].WithImporter(s.payments()),
		ingest.Table("groups", ingest.GroupFields, nil, func(ctx context.Context, tx *sql.Tx, rows []ingest.Group) ([]ingest.Outcome,
			error) {
			list := make([]any, len(rows))
			for i, g := range rows {
				list[i] = g
			}
			return s.importFunc(func(row any) string { return fmt.Sprint("group ", row.(ingest.Group).ID) })(ctx, tx, list)
		}).AsOf("groups"))
	im.SetBatch(10)
	return im
}

func write(t testing.TB, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

// manyClaims returns a file with n professional claims, n payments, and their transaction set.
func manyClaims(n int) string {
	claims, payments := slices.Clone(x12test.ProfessionalHead), slices.Clone(x12test.PaymentHead)
	for i := range n {
		claims = append(claims, x12test.ProfessionalClaim(fmt.Sprintf("PCN%04d", i))...)
		payments = append(payments,
			fmt.Sprintf("CLP*PCN%04d*1*100*80**12*ICN%04d", i, i), "CAS*CO*45*20", "NM1*QC*1*BROOK*ADA", "DTM*232*20260105")
	}
	payments[0] = fmt.Sprintf("BPR*I*%d*C*CHK************20260201", 80*n)
	return x12test.Interchange("005010X222A1", x12test.Set("837", "005010X222A1", claims...),
		x12test.Set("835", "005010X221A1", payments...))
}

func TestImportTakesAFileOnce(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := newTableStore(t, d)
		path := write(t, "claims.edi", manyClaims(25))

		first, err := s.importer().Import(t.Context(), "x12", path, ingest.Options{})
		require.NoError(t, err)
		if first.Records != 51 || first.Imported != 51 || first.ExitCode() != ingest.ExitAllImported || len(first.Problems) > 0 {
			t.Fatalf("first import: %+v", first)
		}
		assert.GreaterOrEqual(t, s.batches, 5)
		rows, batches := s.rows(t), s.batches

		second, err := s.importer().Import(t.Context(), "x12", path, ingest.Options{})
		require.NoError(t, err)
		if !second.AlreadyImported || second.Imported != 51 || s.batches != batches {
			t.Errorf("the same file again: %+v, %d batches more", second, s.batches-batches)
		}

		again, err := s.importer().Import(t.Context(), "x12", path, ingest.Options{Again: true})
		require.NoError(t, err)
		if again.AlreadyImported || again.Unchanged != 51 || again.Imported != 0 {
			t.Errorf("asked to take it again: %+v", again)
		}
		assert.Equal(t, s.rows(t), rows, "taking the file again changed rows")
	})
}

// A run that fails or is interrupted anywhere ends, after a second run, with the same rows and
// counts as an undisturbed one.
func TestImportResumes(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := newTableStore(t, d)
		text := manyClaims(25)
		for _, broken := range []struct {
			name string
			how  func(cancel func()) error
		}{
			{"the transaction fails", func(func()) error { return errors.New("disk full") }},
			{"the run is cancelled", func(cancel func()) error { cancel(); return nil }},
		} {
			t.Run(broken.name, func(t *testing.T) {
				require.NoError(t, dbtest.Err(d.Writer.ExecContext(t.Context(), `DELETE FROM feed_runs`)))
				require.NoError(t, dbtest.Err(d.Writer.ExecContext(t.Context(), `DELETE FROM shelf`)))
				path := write(t, "claims.edi", text)
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				s.batches = 0
				s.after = func(batch int) error {
					if batch == 5 { // each batch has one import function
						return broken.how(cancel)
					}
					return nil
				}
				require.Error(t, dbtest.Err(s.importer().Import(ctx, "x12", path, ingest.Options{})), "the import went on")
				require.Equal(t, 35, len(s.rows(t)))

				s.after = nil
				report, err := s.importer().Import(t.Context(), "x12", path, ingest.Options{})
				require.NoError(t, err)
				if report.ResumedAfter != 35 || report.Imported != 51 || report.Unchanged != 0 || len(s.rows(t)) != 51 {
					t.Errorf("after taking it up again: %+v, %d rows", report, len(s.rows(t)))
				}
			})
		}
	})
}

// Two concurrent runs of one file never count a batch twice.
func TestImportYieldsToAnotherRun(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := newTableStore(t, d)
		path := write(t, "claims.edi", manyClaims(25))
		// The other run advances the position between two batches of this one.
		moved := false
		im := s.importerWith(func(ctx context.Context, tx *sql.Tx, rows []any) ([]ingest.Outcome, error) {
			assert.False(t, moved, "took a batch that is another run's")
			moved = true
			if _, err := tx.ExecContext(ctx, `UPDATE feed_runs SET position = position + 5`); err != nil {
				return nil, err
			}
			return s.bills()(ctx, tx, rows)
		})
		_, err := im.Import(t.Context(), "x12", path, ingest.Options{})
		if err == nil || !strings.Contains(err.Error(), "another run is importing the same file") {
			t.Errorf("error %v", err)
		}
	})
}

// If another run finishes a file while this one still checks it, this run leaves it finished and repeats nothing.
func TestImportLeavesAFinishedRun(t *testing.T) {
	for name, isBegun := range map[string]bool{"begun before": true, "new": false} {
		t.Run(name, func(t *testing.T) {
			dbtest.Each(t, func(t *testing.T, d *db.DB) {
				s := newTableStore(t, d)
				text, isOther, ends := manyClaims(25), false, 0
				end := func(context.Context) error { ends++; return nil }
				var importer func() *ingest.Importer
				ready := func(ctx context.Context) error { // after the check
					if isOther {
						return nil
					}
					isOther = true
					_, err := importer().Import(ctx, "x12", write(t, "other.edi", text), ingest.Options{})
					return err
				}
				importer = func() *ingest.Importer {
					feeds := (*ledger.Ledger)(nil).Feeds()
					im := ingest.New(ingest.Deps{DB: d, Clock: time.Now}, ingest.Settings{},
						feeds[0].WithImporter(s.bills()).BeforeImport(ready).AfterImport(end), feeds[1].WithImporter(s.payments()))
					im.SetBatch(10)
					return im
				}
				path := write(t, "claims.edi", text)
				if isBegun {
					s.after = func(batch int) error {
						if batch == 3 {
							return errors.New("disk full")
						}
						return nil
					}
					require.Error(t, dbtest.Err(s.importer().Import(t.Context(), "x12", path, ingest.Options{})), "the import went on")
					s.after = nil
				}
				assert.ErrorIs(t, dbtest.Err(importer().Import(t.Context(), "x12", path, ingest.Options{})), ingest.ErrOtherRun)
				var status string
				err := db.Get(t.Context(), d.Reader, &status, `SELECT status FROM feed_runs`)
				if err != nil || status != "done" || ends != 1 {
					t.Errorf("%s, %d times to its end, %v", status, ends, err)
				}
				if report, err := importer().Import(t.Context(), "x12", path, ingest.Options{}); err != nil || !report.AlreadyImported {
					t.Errorf("after that: %+v, %v", report, err)
				}
			})
		})
	}
}

// A part of an import can stop after its first stored batch, so that it makes progress even if the
// check takes long.
func TestImportIsPreparedWithItsFirstBatch(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := newTableStore(t, d)
		path := write(t, "claims.edi", manyClaims(25))
		positions := []int64{0}
		for done := false; !done; {
			part, stop := context.WithCancel(t.Context())
			report, err := s.importer().Import(jobs.OnPrepared(part, stop), "x12", path, ingest.Options{})
			stop()
			done = err == nil
			var position int64
			require.NoError(t, db.Get(t.Context(), d.Reader, &position, `SELECT position FROM feed_runs`))
			if last := positions[len(positions)-1]; !done && position == last || done && report.Records != position {
				t.Fatalf("parts ended at %v, then at %d of %+v: %v", positions, position, report, err)
			}
			positions = append(positions, position)
		}
		assert.GreaterOrEqual(t, len(positions), 4)
	})
}

// The report of an import in several parts lists the rejected records of all parts.
func TestRejectionsBeforeAnInterruptionAreListed(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := newTableStore(t, d)
		path := write(t, "claims.edi", manyClaims(25))
		im := s.importerWith(func(ctx context.Context, tx *sql.Tx, rows []any) ([]ingest.Outcome, error) {
			outcomes, err := s.bills()(ctx, tx, rows)
			if err == nil {
				outcomes[0] = ingest.Rejected("the bill is locked")
			}
			return outcomes, err
		})
		ctx, stop := context.WithCancel(t.Context())
		s.after = func(batch int) error {
			if batch == 3 {
				stop()
			}
			return nil
		}
		require.Error(t, dbtest.Err(im.Import(ctx, "x12", path, ingest.Options{})), "the import went on")
		s.after = func(int) error { return errors.New("disk full") }
		require.Error(t, dbtest.Err(im.Import(t.Context(), "x12", path, ingest.Options{})), "the import went on")
		s.after = nil
		for _, again := range []bool{false, true} {
			report, err := im.Import(t.Context(), "x12", path, ingest.Options{Again: again})
			if err != nil || report.Rejected != 3 || len(report.Problems) != 3 {
				t.Fatalf("%+v, %v", report, err)
			}
			list, _, err := im.Arrivals(t.Context(), ingest.ArrivalFilter{Since: time.Unix(0, 0)}, paging.Table{PageSize: 10})
			require.NoError(t, err)
			problems, err := im.ListProblems(t.Context(), list[0].ID)
			if err != nil || !slices.Equal(problems, report.Problems) {
				t.Errorf("stored %+v, %v", problems, err)
			}
		}
	})
}

func TestBrokenFileStoresNothing(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := newTableStore(t, d)
		text := manyClaims(25)
		path := write(t, "cut.edi", text[:len(text)-40])
		report, err := s.importer().Import(t.Context(), "x12", path, ingest.Options{})
		require.NoError(t, err)
		if report.Refused == nil || report.ExitCode() != ingest.ExitRefused || s.batches > 0 {
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
		s := newTableStore(t, d)
		claims := slices.Concat(x12test.ProfessionalHead, x12test.ProfessionalClaim("GOOD"), []string{"CLM*BAD*ten dollars***11:B:1"},
			x12test.ProfessionalClaim("TURNED-AWAY"))
		path := write(t, "mixed.edi", x12test.Interchange("005010X222A1",
			x12test.Set("837", "005010X222A1", claims...), x12test.Set("837", "005010X298", "BHT*0019*00*1*20260101*1200*CH")))
		im := s.importerWith(func(ctx context.Context, tx *sql.Tx, rows []any) ([]ingest.Outcome, error) {
			outcomes, err := s.bills()(ctx, tx, rows)
			outcomes[1] = ingest.Rejected("the bill is locked")
			return outcomes, err
		})
		report, err := im.Import(t.Context(), "x12", path, ingest.Options{})
		require.NoError(t, err)
		if report.Records != 3 || report.Imported != 1 || report.Rejected != 2 || report.SetsNotImported != 1 ||
			report.ExitCode() != ingest.ExitSomeRejected {
			t.Errorf("%+v", report)
		}
		var text strings.Builder
		require.NoError(t, report.WriteText(&text))
		for _, want := range []string{
			"mixed.edi: 3 records: 1 imported, 0 updated, 0 unchanged, 2 rejected",
			"error: segment 24, loop 2300, CLM02: the charge must be an amount in dollars and cents",
			"error: segment 25, loop 2300, CLM: the bill is locked",
			"1 transaction set skipped",
		} {
			assert.Contains(t, text.String(), want)
		}
		for _, secret := range []string{"ten dollars", "BAD", "BROOK", "TURNED"} {
			assert.NotContains(t, text.String(), secret)
		}
		assert.NoError(t, dbtest.Err(json.Marshal(report)))
	})
}

// A test file must not become bills by mistake, so importing one requires an option.
func TestTestInterchangesAreTakenOnlyWhenAsked(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := newTableStore(t, d)
		path := write(t, "test.edi", strings.Replace(manyClaims(1), "*0*P*:", "*0*T*:", 1))
		report, err := s.importer().Import(t.Context(), "x12", path, ingest.Options{})
		if err != nil || report.Refused == nil || len(s.rows(t)) != 0 {
			t.Fatalf("%v %+v", err, report)
		}
		for _, want := range []string{"segment 1, ISA15: this is a test interchange", "--take-test", "WCPP_FEED_TAKE_TEST"} {
			assert.Containsf(t, report.Refused.String(), want, "%s lacks", report.Refused)
		}
		report, err = s.importer().Import(t.Context(), "x12", path, ingest.Options{AllowTest: true})
		if err != nil || report.Imported != 3 {
			t.Errorf("asked for: %v %+v", err, report)
		}
	})
}

// The report and the exit code include unknown content and unread sets of the file.
func TestWhatIsNotReadIsCounted(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := newTableStore(t, d)
		path := write(t, "odd.edi", x12test.Interchange("005010X222A1",
			x12test.Set("837", "005010X222A1", slices.Concat(x12test.ProfessionalHead, x12test.ProfessionalClaim("A"),
				[]string{"CML*B*1", "XYZ*1"})...),
			x12test.Set("837", "005010X222A1", x12test.ProfessionalHead...)))
		report, err := s.importer().Import(t.Context(), "x12", path, ingest.Options{})
		if err != nil || report.Imported != 1 || report.UnknownSegments != 2 || report.SetsNotImported != 1 ||
			report.ExitCode() != ingest.ExitSomeRejected {
			t.Fatalf("%v %+v", err, report)
		}
		var text strings.Builder
		if err := report.WriteText(&text); err != nil || !strings.Contains(text.String(), "2 segments unknown and skipped") {
			t.Errorf("%v %s", err, text.String())
		}
	})
}

// Older programs write Windows-1252. A whole file has one encoding, even if a name in it happens
// to be valid UTF-8.
func TestTextThatIsNotUTF8IsWindows1252(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := newTableStore(t, d)
		table := func(names ...string) string {
			text := "group_id,name,kind\n"
			for i, name := range names {
				text += fmt.Sprintf("%d,%s,provider\n", 1001+i, name)
			}
			return text
		}
		claim := func(name string) string {
			head := slices.Clone(x12test.ProfessionalHead)
			head[11] = "NM1*IL*1*" + name + "*ADA*M***MI*M1"
			return x12test.Interchange("005010X222A1", x12test.Set("837", "005010X222A1",
				append(head, x12test.ProfessionalClaim("A")...)...))
		}
		for _, test := range []struct{ kind, content, want, problem string }{
			{"groups", table("Mu\u00f1oz"), "Mu\u00f1oz", ""},
			{"groups", table("Mu\xf1oz", "B\xc3\xa9"), "Mu\u00f1oz,B\u00c3\u00a9",
				"warning: the file isn't UTF-8, so it was read as Windows-1252"},
			{"groups", table("Mu\xf1oz", "B\x81"), "", "error: line 3: the text must be UTF-8 or Windows-1252"},
			{"x12", claim("GARC\u00cdA"), "GARC\u00cdA", ""},
			{"x12", claim("GARC\xcdA"), "GARC\u00cdA", "warning: the file isn't UTF-8"},
			{"x12", claim("BARRY\x92S"), "BARRY\u2019S", "warning: the file isn't UTF-8"},
			{"x12", claim("GARC\x8dA"), "", "the text must be UTF-8 or Windows-1252"},
		} {
			require.NoError(t, dbtest.Err(d.Writer.ExecContext(t.Context(), `DELETE FROM shelf`)))
			report, err := s.importer().Import(t.Context(), test.kind, write(t, "a.txt", test.content), ingest.Options{})
			require.NoError(t, err)
			var names []string
			for _, row := range s.rows(t) {
				_, content, _ := strings.Cut(row, "{")
				var named struct {
					Name     string
					Reported struct{ PatientLastName string }
				}
				require.NoError(t, json.Unmarshal([]byte("{"+content), &named))
				names = append(names, named.Name+named.Reported.PatientLastName)
			}
			assert.Equal(t, test.want, strings.Join(names, ","), test.content)
			problem := ""
			if report.Refused != nil {
				problem = report.Refused.String()
			} else if len(report.Problems) > 0 {
				problem = report.Problems[0].String()
			}
			if (test.problem == "") != (problem == "") || !strings.Contains(problem, test.problem) {
				t.Errorf("%q: %q, want %q", test.content, problem, test.problem)
			}
		}
	})
}

// A table that was cut off at the end of a line looks complete. Its name can contain the number
// of rows, which doesn't change.
func TestTablesAreHeldToTheRowsThatTheirNamesPromise(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := newTableStore(t, d)
		const cut = "group_id,name,kind\n1001,North,provider\n"
		const whole = cut + "1002,South,provider\n1003,\"East\nWest\",provider\n"
		for _, test := range []struct {
			name, content, refused string
			stored                 int
		}{
			{"groups.rows3.csv", cut, "error: the file name declares 3 rows, but the file has 1, so it was cut or changed", 0},
			{"groups-2026.ROWS3.CSV", cut, "declares 3 rows", 0},
			{"groups.rows3.csv", whole + "1004,More,provider\n", "declares 3 rows, but the file has 4", 0},
			{"groups.rows3.csv", whole, "", 3},
			{"groups.rows2.csv", whole, "declares 2 rows", 3}, // whatever was imported before
			{"groups-rows7.csv", cut, "", 3},                  // no row count
		} {
			report, err := s.importer().Import(t.Context(), "groups", write(t, test.name, test.content), ingest.Options{})
			require.NoError(t, err)
			got := ""
			if report.Refused != nil {
				got = report.Refused.String()
			}
			if (test.refused == "") != (got == "") || !strings.Contains(got, test.refused) {
				t.Errorf("%s of %d bytes: %q, want %q", test.name, len(test.content), got, test.refused)
			}
			if stored := len(s.rows(t)); stored != test.stored {
				t.Errorf("%s of %d bytes: %d rows are stored, want %d", test.name, len(test.content), stored, test.stored)
			}
		}
	})
}

func TestImportOfWhatIsNoFile(t *testing.T) {
	s := &tableStore{db: dbtest.Open(t, "sqlite")}
	for _, path := range []string{t.TempDir(), filepath.Join(t.TempDir(), "absent")} {
		assert.Errorf(t, dbtest.Err(s.importer().Import(t.Context(), "x12", path, ingest.Options{})), "%s was imported", path)
	}
	if _, err := s.importer().Import(t.Context(), "invoices", "x", ingest.Options{}); err == nil ||
		!strings.Contains(err.Error(), `unknown table kind "invoices"; use one of groups`) {
		t.Errorf("an unknown kind: %v", err)
	}
}

// Importing the same table again changes nothing. A table without its columns is refused.
func TestImportOfATable(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := newTableStore(t, d)
		path := write(t, "groups.csv", "group_id,name,kind\n1001,Lakeside,provider\n")
		report, err := s.importer().Import(t.Context(), "groups", path, ingest.Options{})
		if err != nil || report.Imported != 1 || report.ExitCode() != ingest.ExitAllImported {
			t.Errorf("%v %+v", err, report)
		}
		again, err := s.importer().Import(t.Context(), "groups", path, ingest.Options{Again: true})
		if err != nil || again.Unchanged != 1 {
			t.Errorf("again: %v %+v", err, again)
		}
		report, err = s.importer().Import(t.Context(), "groups", write(t, "bad.csv", "name\nx\n"), ingest.Options{})
		if err != nil || report.Refused == nil || report.ExitCode() != ingest.ExitRefused {
			t.Errorf("a table without its columns: %v %+v", err, report)
		}
	})
}

// A run that finds its file imported by another run leaves that run's problems.
func TestImportLeavesTheProblemsOfAnotherRun(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := newTableStore(t, d)
		rejectAll := func(_ context.Context, _ *sql.Tx, rows []any) ([]ingest.Outcome, error) {
			return slices.Repeat([]ingest.Outcome{ingest.Rejected("unknown provider")}, len(rows)), nil
		}
		run := func(files blob.Store) error {
			feeds := (*ledger.Ledger)(nil).Feeds()
			keep := ingest.Settings{Retention: ingest.Retention{FeedKeepDays: 1}}
			im := ingest.New(ingest.Deps{DB: d, Clock: time.Now, Files: files}, keep,
				feeds[0].WithImporter(rejectAll), feeds[1].WithImporter(s.payments()))
			_, err := im.Import(t.Context(), "x12", write(t, "claims.edi", manyClaims(25)), ingest.Options{})
			return err
		}
		folder, err := blob.Open(t.Context(), "", t.TempDir())
		require.NoError(t, err)
		other := func() { // after this run's start
			assert.NoError(t, run(nil))
		}
		assert.ErrorIs(t, run(&meanwhile{Store: folder, then: other}), ingest.ErrOtherRun)
		var problems int
		err = db.Get(t.Context(), d.Reader, &problems, `SELECT COUNT(*) FROM feed_problems WHERE reason = 'unknown provider'`)
		assert.NoError(t, err)
		assert.Equal(t, 25, problems)
	})
}
