package bills

import (
	"testing"

	"wcpp/internal/bills/ledger"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
)

// What many are told of a bill is what its page says.
func TestManyAreToldAsTheirPages(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		clock := midsummer
		s := onDay(t, d, nil, &clock)
		var wanted []Wanted
		for _, g := range goldenBills {
			bring(t, d, s.now, g.files...)
			wanted = append(wanted, Wanted{BillControlNumber: g.bill})
		}
		answers, err := s.FindMany(t.Context(), jane, wanted)
		if err != nil {
			t.Fatal(err)
		}
		statuses := map[string]int{}
		for i, g := range goldenBills {
			if len(answers[i].Bills) != 1 {
				t.Fatalf("%s: %+v", g.name, answers[i])
			}
			told := answers[i].Bills[0]
			page, err := s.Page(t.Context(), jane, told.Page)
			if err != nil {
				t.Fatal(err)
			}
			if told.State != page.State.Text || told.BillControlNumber != page.Bill.BillControlNumber {
				t.Errorf("%s: told %q of %s, its page says %q of %s", g.name, told.State, told.BillControlNumber, page.State.Text, page.Bill.BillControlNumber)
			}
			var reasons int64
			for _, r := range told.Reasons {
				reasons += r.Amount
			}
			var decided int64
			for _, list := range append([][]ledger.Adjustment{page.Decided.Adjustments}, adjustmentsOf(page.Decided)...) {
				for _, a := range list {
					decided += a.Amount
				}
			}
			if reasons != decided {
				t.Errorf("%s: reasons of %d cents, its page tells %d", g.name, reasons, decided)
			}
			statuses[told.Status]++
		}
		if statuses[Paid] == 0 || statuses[Denied] == 0 || statuses[Other] == 0 {
			t.Errorf("statuses: %v", statuses)
		}
	})
}

func adjustmentsOf(d decisions) (lists [][]ledger.Adjustment) {
	for _, l := range d.Lines {
		lists = append(lists, l.Adjustments)
	}
	for _, l := range d.Apart {
		lists = append(lists, l.Adjustments)
	}
	return lists
}
