package decode

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/platform/mappingtest"
)

func TestFilesCarryEveryField(t *testing.T) {
	_, professional := decodeBills(t, "005010X222A1", fullProfessional...)
	_, institutional := decodeBills(t, "005010X223A2", fullInstitutional...)
	// An 837 doesn't have payments, and a table doesn't have lines.
	concluded := []string{"PricingSheet", "PaidAmount", "PaidDate", "CheckNumber", "Detail.RejectReason", "Reasons", "TakeBackOpen",
		"NextDue", "ReplacedBy", "Wanted", "Anchor", "Fact", "FirstSeenAt"}
	of837 := mappingtest.ListEmpty(*professional[0], concluded...)
	of837 = slices.DeleteFunc(of837, func(f string) bool { return !slices.Contains(mappingtest.ListEmpty(*institutional[0]), f) })
	assert.Empty(t, of837)
	if empty := mappingtest.ListEmpty(decodeRow(t, fullTable), "PricingSheet", "RepricingMethod", "ReceivedOn", "ReceivedBasis", "Reasons",
		"TakeBackOpen", "NextDue", "ReplacedBy", "Wanted", "Anchor", "Fact", "FirstSeenAt"); empty != nil {
		t.Errorf("table: %v", empty)
	}
	if b := decodeRow(t, strings.Replace(fullTable, ",Y,n,", ",n,Y,", 1)); !b.PricingSheet || b.EOR {
		t.Errorf("table: %+v", b)
	}
	_, payments := decodeRemittances(t, fullPayment...)
	p := payments[0].Payment
	reported := []string{"FTIN", "PatientFirstName", "PatientMiddleName", "PatientLastName", "BeginServiceDate", "EndServiceDate",
		"PhysicianFirstName", "PhysicianMiddleName", "PhysicianLastName", "PhysicianNPI", "FacilityName", "FacilityNPI", "BillType",
		"FrequencyCode",
		"PayerID", "PayerName"}
	none := []string{"ToldWith", "Reasons", "Bill", "File", "PayeeNPI", "Duplicate", "Twin", "Detail.Adjustments.Unknown",
		"Detail.Lines.PaidUnknown", "Detail.Lines.Adjustments.Unknown"}
	empty := slices.DeleteFunc(mappingtest.ListEmpty(p), func(f string) bool {
		field, ofBill := strings.CutPrefix(f, "Reported.")
		return slices.Contains(none, f) || ofBill && !slices.Contains(reported, field)
	})
	assert.Empty(t, empty)
}

// The file fills every field of a set and of its adjustments.
func TestSetCarriesEveryField(t *testing.T) {
	segments := slices.DeleteFunc(replaced(fullPayment, "BPR", "BPR*I*73.5*C*ACH*CCP***********20260201"), func(s string) bool {
		return strings.HasPrefix(s, "CLP*PCN-1*22*")
	})
	d, _ := decodeRemittances(t, segments...)
	part := d.records[len(d.records)-1].Row.(*facts.Remitted).Parts[0]
	if empty := mappingtest.ListEmpty(part.Set, "PayeeNPI", "File", "Contacts.Web"); len(empty) > 0 {
		t.Errorf("set: %v of %+v", empty, part.Set)
	}
	if empty := mappingtest.ListEmpty(part.Adjustments[0]); len(empty) > 0 {
		t.Errorf("adjustment: %v of %+v", empty, part.Adjustments[0])
	}
	if part.Set.Amount != 7350 || part.Set.ClaimsPaid != 8000 || part.Set.Adjusted != 650 || !part.Set.IsBalanced() ||
		part.Set.Payees != 1 ||
		len(part.Set.Payments) != 1 || len(part.Set.Contacts) != 3 {
		t.Errorf("%+v", part.Set)
	}
}
