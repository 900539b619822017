package store

import (
	"database/sql"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/mappingtest"
	"wcpp/internal/platform/text"
)

func filledBill() facts.Bill {
	b := mappingtest.Filled[facts.Bill]()
	b.BillType, b.BillStatus, b.Source = "I", facts.StatusPriced, facts.SourcePayment
	return b
}

func TestBillRowCarriesEveryField(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		want := filledBill()
		read := func(when string) {
			t.Helper()
			mappingtest.CheckRow(t, d, "bills", "detail")
			got, err := Bills.Get(t.Context(), d.Writer, `WHERE ftin = $1 AND bill_control_number_key = $2`, want.FTIN, want.Key())
			if err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%s: %v\ngot  %+v\nwant %+v", when, err, got, want)
			}
		}
		require.NoError(t, Bills.Insert(t.Context(), d.Writer, want))
		read("inserted")
		key := want
		want = mappingtest.Other[facts.Bill]()
		want.FTIN, want.BillControlNumber = key.FTIN, key.BillControlNumber
		want.BillType, want.BillStatus, want.Source = "P", facts.StatusDenied, facts.SourceBill
		require.NoError(t, Bills.Upsert(t.Context(), d.Writer, want))
		read("updated")
	})
}

// reportedBy clears the fields of a bill that aren't in the table's columns.
func reportedBy(b facts.Bill, columns []string) facts.Bill {
	var kept facts.Bill
	for _, c := range Bills.Names() {
		if slices.Contains(columns, c) {
			field := strings.ReplaceAll(c, "_", "")
			from := reflect.ValueOf(&b).Elem().FieldByNameFunc(func(n string) bool { return strings.EqualFold(n, field) })
			reflect.ValueOf(&kept).Elem().FieldByNameFunc(func(n string) bool { return strings.EqualFold(n, field) }).Set(from)
		}
	}
	return kept
}

func TestFactsCarryEveryField(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		for _, s := range []facts.Submission{mappingtest.Filled[facts.Submission](), mappingtest.Other[facts.Submission]()} {
			var columns []string
			for _, c := range reportedColumns {
				columns = append(columns, c.Name())
			}
			s.Source, s.Kind, s.Reported = facts.FromClaim, "D", reportedBy(s.Reported, columns)
			require.NoError(t, dbtest.Err(d.Writer.ExecContext(t.Context(), `DELETE FROM submissions`)))
			require.NoError(t, Submissions.Insert(t.Context(), d.Writer, s))
			mappingtest.CheckRow(t, d, "submissions")
			got, err := Submissions.Get(t.Context(), d.Writer, `WHERE ftin = $1 AND fact = $2`, s.Reported.FTIN, s.Fact)
			if err != nil || !reflect.DeepEqual(got, s) {
				t.Errorf("%v\ngot  %+v\nwant %+v", err, got, s)
			}
		}
		for _, p := range []facts.Payment{mappingtest.Filled[facts.Payment](), mappingtest.Other[facts.Payment]()} {
			p.Source, p.Reported, p.Bill = facts.FromRemittance, reportedBy(p.Reported, reportedByPayments), strings.ToLower(p.Bill)
			require.NoError(t, dbtest.Err(d.Writer.ExecContext(t.Context(), `DELETE FROM payments`)))
			require.NoError(t, Payments.Insert(t.Context(), d.Writer, p))
			mappingtest.CheckRow(t, d, "payments")
			got, err := ListPayments(t.Context(), d.Writer, facts.Bill{FTIN: p.Reported.FTIN, BillControlNumber: p.Bill})
			if err != nil || !reflect.DeepEqual(got, []facts.Payment{p}) {
				t.Errorf("%v\ngot  %+v\nwant %+v", err, got, p)
			}
		}
	})
}

func TestRemittancesCarryEveryField(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		carries(t, d, "remittance_sets", RemittanceSets)
		carries(t, d, "adjustments", AdjustmentRows)
		carries(t, d, "remittances", Remittances)
	})
}

func carries[T any](t *testing.T, d *db.DB, name string, table *db.Table[T]) {
	t.Helper()
	for _, row := range []T{mappingtest.Filled[T](), mappingtest.Other[T]()} {
		require.NoError(t, dbtest.Err(d.Writer.ExecContext(t.Context(), `DELETE FROM `+name)))
		require.NoError(t, table.Insert(t.Context(), d.Writer, row))
		mappingtest.CheckRow(t, d, name)
		got, err := table.Select(t.Context(), d.Writer, "")
		if err != nil || !reflect.DeepEqual(got, []T{row}) {
			t.Errorf("%s: %v\ngot  %+v\nwant %+v", name, err, got, row)
		}
	}
}

// Each column of the tables is in their description.
func TestTablesAreDescribedWhole(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		// column of older versions, used until the migration is done
		mappingtest.CheckColumns(t, d, "bills", append(Bills.Names(), "detail"))
		mappingtest.CheckColumns(t, d, "submissions", Submissions.Names())
		mappingtest.CheckColumns(t, d, "payments", Payments.Names())
		mappingtest.CheckColumns(t, d, "bill_links", links.Names())
		mappingtest.CheckColumns(t, d, "remittance_sets", RemittanceSets.Names())
		mappingtest.CheckColumns(t, d, "adjustments", AdjustmentRows.Names())
		mappingtest.CheckColumns(t, d, "remittances", Remittances.Names())
		mappingtest.CheckColumns(t, d, "payee_facts", PayeeFacts.Names())
	})
}

func TestPaperRowCarriesEveryField(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		want := mappingtest.Filled[facts.Paper]()
		want.Kind, want.Bill = facts.EORPaper, text.Key(want.Bill)
		require.NoError(t, papers.Insert(t.Context(), d.Writer, want))
		mappingtest.CheckRow(t, d, "bill_documents")
		list, err := ListPapers(t.Context(), d.Writer, facts.Bill{FTIN: want.FTIN, BillControlNumber: want.Bill})
		if err != nil || len(list) != 1 || !reflect.DeepEqual(list[0], want) {
			t.Errorf("%v\ngot  %+v\nwant %+v", err, list, want)
		}
	})
}

func TestJoinCarriesEveryField(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		want := mappingtest.Filled[facts.Join]()
		want.ID = 1
		require.NoError(t, d.Tx(t.Context(), func(tx *sql.Tx) error { return dbtest.Err(AddJoin(t.Context(), tx, want)) }))
		mappingtest.CheckRow(t, d, "payment_joins")
		if list, err := ListJoins(t.Context(), d.Reader, 9); err != nil || len(list) != 1 || list[0] != want {
			t.Errorf("%v\ngot  %+v\nwant %+v", err, list, want)
		}
	})
}
