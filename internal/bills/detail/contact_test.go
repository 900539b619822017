package detail

import (
	"context"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"wcpp/internal/bills/billstate"
	"wcpp/internal/bills/billtest"
	"wcpp/internal/bills/ledger/derive"
	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/bills/record"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
)

// fakeContacts has a contact for every payer with a name.
type fakeContacts struct{}

func (fakeContacts) FindContact(_ context.Context, p Payer) (*PageContact, error) {
	if p.Name == "" {
		return nil, nil
	}
	return &PageContact{Payer: p.Name, Phone: "(614) 555-0101", Source: "remittance", On: "2026-07-11", Possibly: p.ID == ""}, nil
}

func TestContact(t *testing.T) {
	s := &Service{contacts: fakeContacts{}}
	if c, err := s.findContact(t.Context(), Payer{}, "C-1"); err != nil || c != nil {
		t.Errorf("without a payer: %+v, %v", c, err)
	}
	c, err := s.findContact(t.Context(), Payer{Name: "Acme"}, "C-1")
	if err != nil || c.Phone != "6145550101" || c.ClaimNumber != "C-1" || c.Ready != ready || !c.Possibly {
		t.Errorf("%+v, %v", c, err)
	}
}

// A payment knows the payer and its claim number better than the bill.
func TestPayer(t *testing.T) {
	p := &Page{Bill: billtest.MakeBill(func(b *record.Detailed) {
		b.OpenState, b.PayerID, b.PayerName, b.ClaimNumber, b.StateOfJurisdiction = billstate.Denied, "B1", "Bill's", "WC-1", "OH"
	})}
	if of, claim := p.payer(); of.ID != "B1" || of.Name != "Bill's" || of.State != "OH" || of.FTIN != p.Bill.FTIN || claim != "WC-1" {
		t.Errorf("%+v, %s", of, claim)
	}
	paid := facts.Payment{Nature: facts.Denial, PayerControlNumber: "P-9", Reported: facts.Bill{PayerID: "P1", PayerName: "Payer's"}}
	p.Group = billGroup{Known: true, Payments: []billPayment{{Role: derive.RoleInForce, Explains: true, Payment: paid}}}
	if of, claim := p.payer(); of.ID != "P1" || of.Name != "Payer's" || claim != "P-9" {
		t.Errorf("%+v, %s", of, claim)
	}
}

// The contacts of several bills are those of their pages, without bills that aren't in scope.
func TestListContacts(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		clock := billtest.Midsummer
		s := onDay(t, d, nil, &clock)
		var ids []string
		for _, g := range billtest.Golden {
			billtest.Bring(t, d, s.now, g.Files...)
			ids = append(ids, s.pageIDOf(t, record.PageID{FTIN: ours, Key: strings.ToLower(g.Bill)}))
		}
		foreign := s.pageIDOf(t, record.PageID{FTIN: "999999999", Key: strings.ToLower(billtest.Golden[0].Bill)})
		gone := s.pageIDOf(t, record.PageID{FTIN: ours, Key: "none"})
		list, err := s.ListContacts(t.Context(), jane, slices.Concat([]string{foreign, gone, "x"}, ids))
		require.NoError(t, err)
		require.Equal(t, len(ids), len(list))
		for i, c := range list {
			page, err := s.getPage(t.Context(), jane, ids[i])
			require.NoError(t, err)
			got := c.Contact
			if got != nil {
				own := *got
				own.ClaimNumber, got = c.ClaimNumber, &own
			}
			if c.ID != ids[i] || !reflect.DeepEqual(got, page.Contact) {
				t.Errorf("%s\ngot  %+v\nwant %+v", billtest.Golden[i].Name, got, page.Contact)
			}
		}
		if list, err := s.ListContacts(t.Context(), jane, []string{foreign}); err != nil || len(list) != 0 {
			t.Errorf("of another office's bill: %+v, %v", list, err)
		}
	})
}
