package search

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/bills/billstate"
	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/bills/ledger/store"
	"wcpp/internal/bills/record"
	"wcpp/internal/identity/access"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/mappingtest"
	"wcpp/internal/platform/names"
)

// filledBill is a bill with all fields set and valid for the table.
func filledBill() record.Bill {
	b := mappingtest.Filled[record.Bill]()
	b.BillType, b.BillStatus, b.Source = "I", record.StatusPriced, facts.SourcePayment
	return b
}

// A search reads only the columns of a bill that it returns.
func TestSearchReadsAllThatItAnswers(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := newService(t, d, nil)
		for _, state := range []billstate.State{billstate.Denied, billstate.Void} {
			whole := filledBill()
			whole.FTIN, whole.OpenState, whole.PricingSheet, whole.BillControlNumber = ours, state, false, "B "+string(state)
			require.NoError(t, store.Bills.Insert(t.Context(), d.Writer, whole))
			found, err := search(t.Context(), d.Reader, access.NewScope([]string{ours}), ours,
				by(Query{BillControlNumber: whole.BillControlNumber}))
			require.NoError(t, err)
			require.Len(t, found, 1)
			got, failed := s.records.NewResult(found[0])
			want, err := s.records.NewResult(whole)
			if failed != nil || err != nil || want.Page == "" || want.EORImageURL == "" {
				t.Fatal(failed, err)
			}
			// Sealing the same value gives different texts.
			for _, sealed := range []*string{&got.Page, &want.Page, &got.BillImageURL, &want.BillImageURL, &got.EORImageURL,
				&want.EORImageURL} {
				if *sealed != "" {
					*sealed = "sealed"
				}
			}
			assert.Equalf(t, want, got, "%s:\ngot  %+v\n", state, got)
		}
	})
}

// Each way to search uses all of its fields and binds them. Together they use the whole query.
func TestCriteriaCarryEveryField(t *testing.T) {
	all := mappingtest.Filled[Query]()
	var used Query
	for _, w := range ways {
		var only Query
		for _, k := range w.fields {
			*k.at(&only), *k.at(&used) = *k.at(&all), *k.at(&all)
		}
		arguments := len(w.fields)
		if w.isDated {
			only.BeginServiceDate, only.EndServiceDate = all.BeginServiceDate, all.EndServiceDate
			used.BeginServiceDate, used.EndServiceDate = all.BeginServiceDate, all.EndServiceDate
			arguments += 2
		}
		c, err := choose(only)
		if err != nil || c.check() != nil || c.Query != only {
			t.Fatalf("%+v of %+v: %v", c.Query, only, err)
		}
		bound := c.match(c.Query).args
		if len(w.fields) > 1 { // names are also bound as keys
			arguments += len(names.Of(only.ClaimantLastName, only.ClaimantFirstName).Keys())
		}
		if len(bound) != arguments || slices.Contains(bound, any("")) {
			t.Errorf("%+v is bound by %v", c.Query, bound)
		}
	}
	assert.Nil(t, mappingtest.ListEmpty(used))
}
