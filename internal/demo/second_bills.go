package demo

import (
	"fmt"

	"wcpp/internal/platform/date"
)

// SecondBills are the bills of the second bill system: further bills of people
// whom the portal's own bills are about, so that one search finds both.
func SecondBills(today date.Date, bills int) []SecondBill {
	const wanted = 60
	w := newWorld(today, bills)
	g := w.groups[0]
	var list []SecondBill
	for i := range min(wanted, g.bills) {
		j := i * g.bills / min(wanted, g.bills)
		b := w.original(g, j)
		number, _ := numbers(w, g, j)
		second := SecondBill{
			FTIN: b.practice.ftin, ExID: fmt.Sprintf("X%06d", 100_003+i*71), BillControlNumber: "9" + number[1:],
			DocumentID: "S" + b.document, ClaimNumber: b.claim.number,
			PatientFirstName: b.first, PatientLastName: b.last, BirthDate: string(b.birth),
			BeginServiceDate: string(b.begin), EndServiceDate: string(b.end),
			PhysicianFirstName: b.provider.first, PhysicianLastName: b.provider.last, FacilityName: b.practice.name,
			BillCharges: float64(b.charge) / 100, RecommendedAllowance: float64(b.allowance) / 100,
			BillStatus: "2", EOR: i%3 != 0, PayerName: b.payer.name,
		}
		list = append(list, second)
	}
	return list
}
