package desksearch

import (
	"testing"

	"wcpp/internal/bills/billtest"
	"wcpp/internal/bills/record"
	"wcpp/internal/identity/access"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
)

// The desk finds a bill by the network's number under any TIN, and by any number under one TIN.
func TestFindBills(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := NewService(d)
		billtest.TakeBills(t, d, billtest.MakeBill(nil),
			billtest.MakeBill(func(b *record.Detailed) { b.FTIN, b.BeginServiceDate = billtest.Theirs, "2026-01-11" }),
			billtest.MakeBill(func(b *record.Detailed) { b.BillControlNumber, b.DocumentID = "BCN-2", "DOC-2" }),
			billtest.MakeBill(func(b *record.Detailed) {
				b.BillControlNumber, b.DocumentID, b.PatientControlNumber = "BCN–9", "DOC-9", "PC-9"
			}))
		for number, want := range map[string]string{
			"bcn 1": "BCN-1 BCN-1", "BCN-2 / DOC-2": "BCN-2", "DOC-1": "", "PC-1": "", "BCN-": "", " ": "",
			"bcn–2": "BCN-2", "BCN–9": "BCN–9",
		} {
			if found, err := s.FindAcrossTINs(t.Context(), number, 9); err != nil || billtest.ListNumbers(found) != want {
				t.Errorf("%q: %q, want %q, %v", number, billtest.ListNumbers(found), want, err)
			}
		}
		if found, err := s.FindAcrossTINs(t.Context(), "BCN-1", 9); err != nil || len(found) != 2 || found[0].FTIN != billtest.Theirs {
			t.Errorf("the latest service isn't first: %+v, %v", found, err)
		}
		scope := access.NewScope([]string{billtest.Ours})
		for number, want := range map[string]string{"BCN-1": "BCN-1", "doc2": "BCN-2", "PC-1": "BCN-1 BCN-2", "BCN-3": ""} {
			if found, err := s.FindInScope(t.Context(), scope, number); err != nil || billtest.ListNumbers(found) != want {
				t.Errorf("%q: %q, want %q, %v", number, billtest.ListNumbers(found), want, err)
			}
		}
	})
}
