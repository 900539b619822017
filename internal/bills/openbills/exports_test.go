package openbills

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/xuri/excelize/v2"

	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/identity/access"
	"wcpp/internal/identity/identitytest"
	"wcpp/internal/identity/users"
	"wcpp/internal/platform/blob"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/fileexport"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/spreadsheet"
)

// goes runs the queued job of an export once.
func (o *office) goes(ctx context.Context, id string) error {
	job := &river.Job[ExportArgs]{JobRow: &rivertype.JobRow{Kind: "open-bills-export", Attempt: 1, MaxAttempts: 5}}
	if err := json.Unmarshal([]byte(`{"id": "`+id+`"}`), &job.Args); err != nil || job.Kind != job.Args.Kind() {
		return fmt.Errorf("a job of before is not run: %w", err)
	}
	return o.MakeExport(ctx, job)
}

// stops fails from its n-th file, like a killed program.
type stops struct {
	blob.Store
	after int
}

var errStopped = errors.New("stopped")

func (s *stops) Put(ctx context.Context, key string, write func(io.Writer) error) error {
	if s.after--; s.after < 0 {
		return errStopped
	}
	return s.Store.Put(ctx, key, write)
}

func (o *office) many(t *testing.T, n int) {
	t.Helper()
	var list []facts.Bill
	for i := range n {
		b := bill([]string{ours, theirs}[i%2], fmt.Sprintf("B%05d", i), "P", today.AddDays(-i%300))
		b.PayerName, b.PatientLastName, b.PatientFirstName = "=Beacon", "Brook", "Bea"
		list = append(list, b)
	}
	o.add(t, list...)
}

func (o *office) file(t *testing.T, a access.Actor, id string, format spreadsheet.Format) ([][]string, error) {
	t.Helper()
	file, err := o.ExportFile(t.Context(), a, id, format)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	all, err := io.ReadAll(file)
	if err != nil {
		return nil, err
	}
	if format == spreadsheet.CSV {
		return csv.NewReader(bytes.NewReader(bytes.TrimPrefix(all, []byte("\uFEFF")))).ReadAll()
	}
	book, err := excelize.OpenReader(bytes.NewReader(all))
	if err != nil {
		return nil, err
	}
	return book.GetRows("Open bills")
}

// An export contains the list as requested, resumes after an interruption, and is available to
// its owner until it's deleted.
func TestExportsTheList(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := newOffice(t, d)
		const bills = 1234
		o.many(t, bills)
		want := o.all(t, three, Filter{Order: NewestFirst}, 200)
		e, err := o.Export(t.Context(), three, Filter{Order: NewestFirst}, []string{"bill", "payer", "claimant", "charge", "age"})
		if err != nil || e.Bills != bills || fmt.Sprint(o.queued) != "["+e.ID+"]" {
			t.Fatalf("%+v, %v", e, err)
		}
		if _, err := o.file(t, three, e.ID, spreadsheet.CSV); !problem.Is(err, problem.Conflict) {
			t.Errorf("before it is made: %v", err)
		}
		whole := o.exports.Files
		o.exports.Files = &stops{Store: whole, after: 2}
		require.ErrorIs(t, o.goes(t.Context(), e.ID), errStopped)
		if at, err := o.OwnExport(t.Context(), three, e.ID); err != nil || at.Done != 1000 || at.Status != fileexport.Words.Waiting {
			t.Errorf("after it was stopped: %+v, %v", at, err)
		}
		o.exports.Files = &stops{Store: whole, after: 1} // its last part, and no result
		require.ErrorIs(t, o.goes(t.Context(), e.ID), errStopped)
		o.now = o.now.AddDate(0, 0, 1) // and its list is that of the day before
		counted := &stops{Store: whole, after: 2}
		o.exports.Files = counted
		require.NoError(t, o.goes(t.Context(), e.ID))
		if at, err := o.OwnExport(t.Context(), three, e.ID); err != nil || at.Done != bills || at.Bills != bills ||
			at.Status != fileexport.Words.Done || counted.after != 0 {
			t.Errorf("at its end: %+v, %v", at, err)
		}
		for _, format := range fileexport.Formats {
			rows, err := o.file(t, three, e.ID, format)
			if err != nil || len(rows) != bills+1 || fmt.Sprint(rows[0]) != "[Bill Claimant Age (days) Payer Charge Tax ID (TIN)]" {
				t.Fatalf("%s: %d rows, %v", format, len(rows), err)
			}
			for i, l := range want {
				age := int(today.Time().Sub(l.BeginServiceDate.Time()).Hours() / 24)
				if r := rows[i+1]; r[0] != l.BillControlNumber || r[1] != "Brook, Bea" || r[2] != fmt.Sprint(age) ||
					!strings.HasSuffix(r[3], "=Beacon") || r[4] != "100.00" || r[5] != l.FTIN {
					t.Fatalf("%s, row %d: %q, want %s", format, i, r, l.BillControlNumber)
				}
			}
			if format == spreadsheet.CSV && rows[1][3] != "'=Beacon" {
				t.Errorf("a formula left as %q", rows[1][3])
			}
		}
		if list, _, err := o.Exports(t.Context(), three); err != nil || len(list) != 1 {
			t.Error(list, err)
		}
		require.NoError(t, o.RemoveExport(t.Context(), three, e.ID))
		assert.LessOrEqual(t, o.kept(t), 0)
		assert.NoError(t, o.goes(t.Context(), e.ID))
	})
}

func (o *office) kept(t *testing.T) (n int) {
	t.Helper()
	for _, err := range o.exports.Files.List(t.Context(), "open-bills/") {
		require.NoError(t, err)
		n++
	}
	return n
}

// Only its owner gets a file, if they have the TINs of its bills and it's not a mirrored
// session.
func TestExportsAreTheirOwners(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := newOffice(t, d)
		o.many(t, 3)
		e, err := o.Export(t.Context(), three, Filter{}, nil)
		if err == nil {
			err = o.goes(t.Context(), e.ID)
		}
		require.NoError(t, err)
		assert.NoError(t, dbtest.Err(o.file(t, three, e.ID, spreadsheet.CSV)))
		for _, a := range []access.Actor{four, five, six, lead, clerk} {
			if _, err := o.file(t, a, e.ID, spreadsheet.CSV); !problem.Is(err, problem.NotFound) {
				t.Errorf("%s gets it: %v", a.Person.UserName, err)
			}
			if list, _, err := o.Exports(t.Context(), a); err != nil || len(list) > 0 {
				t.Errorf("%s sees %+v, %v", a.Person.UserName, list, err)
			}
			if err := o.RemoveExport(t.Context(), a, e.ID); !problem.Is(err, problem.NotFound) {
				t.Errorf("%s removes it: %v", a.Person.UserName, err)
			}
		}
		if list, scope, err := o.Exports(t.Context(), three); err != nil || len(list) != 1 || list[0].isWithheld(scope) {
			t.Errorf("with all TINs: %+v, %v", list, err)
		}
		identitytest.SetTINs(t, d.Writer, three.Person, ours)
		if _, err := o.file(t, three, e.ID, spreadsheet.CSV); !problem.Is(err, problem.NotFound) {
			t.Errorf("after a TIN is gone: %v", err)
		}
		if list, scope, err := o.Exports(t.Context(), three); err != nil || len(list) != 1 || !list[0].isWithheld(scope) {
			t.Errorf("it is offered after a TIN is gone: %+v, %v", list, err)
		}
		if e, err = o.Export(t.Context(), three, Filter{}, nil); err != nil {
			t.Fatal(err)
		}
		identitytest.SetStatus(t, d.Writer, three.Person.ID, users.Terminated)
		assert.Error(t, o.goes(t.Context(), e.ID), "it is made for somebody who may not see open bills")
		if at, err := o.OwnExport(t.Context(), three, e.ID); err != nil || at.Status != fileexport.Words.Failed {
			t.Errorf("%+v, %v", at, err)
		}
	})
}

func TestExportsAreBounded(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := newOffice(t, d)
		if _, err := o.Export(t.Context(), three, Filter{}, nil); !problem.Is(err, problem.Invalid) {
			t.Errorf("of nothing: %v", err)
		}
		o.many(t, 2)
		if _, err := o.Export(t.Context(), three, Filter{}, []string{"weather"}); !problem.Is(err, problem.Invalid) {
			t.Errorf("an unknown column: %v", err)
		}
		for n := range maxExportsPerHour {
			require.NoError(t, dbtest.Err(o.Export(t.Context(), three, Filter{}, nil)), n)
		}
		if _, err := o.Export(t.Context(), three, Filter{}, nil); !problem.Is(err, problem.TooMany) {
			t.Errorf("one more of the hour: %v", err)
		}
		for _, age := range []time.Duration{fileexport.Retention - time.Minute, fileexport.Retention + time.Minute} {
			o.now = today.Time().Add(9*time.Hour + age)
			require.NoError(t, o.Cleanup(t.Context()))
			if list, _, err := o.Exports(t.Context(), three); err != nil || (len(list) > 0) != (age < fileexport.Retention) {
				t.Errorf("%d after %v: %v", len(list), age, err)
			}
		}
	})
}

// An export that exceeds the limit is rejected in advance.
func TestExportLimit(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := newOffice(t, d)
		o.many(t, MaxExported+1)
		if _, err := o.Export(t.Context(), three, Filter{}, nil); !problem.Is(err, problem.Invalid) ||
			problem.From(err).Fields[0].Message != "A file can have up to 20,000 bills. Narrow the list." {
			t.Error(err)
		}
	})
}

// The browser requests files by the ids of its columns.
func TestFilesHaveEachColumnOfTheScreen(t *testing.T) {
	source, err := os.ReadFile("../../../web/src/features/openbills/columns.tsx")
	require.NoError(t, err)
	var screen, file []string
	for _, found := range regexp.MustCompile(`(?:\bid: |makeMoneyColumn\()'(\w+)'`).FindAllStringSubmatch(string(source), -1) {
		screen = append(screen, found[1])
	}
	for _, c := range listColumns {
		if !slices.Contains(file, c.id) {
			file = append(file, c.id)
		}
	}
	assert.Equal(t, file, screen)
}
