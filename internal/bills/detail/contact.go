package detail

import (
	"cmp"
	"context"
	"database/sql"
	"slices"

	"wcpp/internal/bills/ledger/batch"
	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/bills/ledger/store"
	"wcpp/internal/bills/record"
	"wcpp/internal/identity/access"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/text"
)

// Payer is the payer of a bill in the reader's scope.
type Payer struct {
	FTIN, ID, Name string
	State          string // of jurisdiction
	Filing         string // claim filing indicator code, such as WC
}

// Contacts finds how to reach payers. It returns nil if nothing is known.
type Contacts interface {
	FindContact(ctx context.Context, p Payer) (*PageContact, error)
}

// ready is what to have ready for a call, unless staff entered something else.
const ready = "Tax ID, claim number, patient's name and date of birth, date of service, and charge"

// payer returns the bill's payer and its claim number there. A payment knows both better than the bill.
func (p *Page) payer() (of Payer, claimNumber string) {
	b := p.Bill.Bill
	of = Payer{FTIN: b.FTIN, ID: b.PayerID, Name: b.PayerName, State: b.StateOfJurisdiction, Filing: b.Filing}
	if payment := p.lastPayment(); payment != nil {
		of.ID, of.Name = cmp.Or(payment.Reported.PayerID, of.ID), cmp.Or(payment.Reported.PayerName, of.Name)
		claimNumber = payment.PayerControlNumber
	}
	return of, cmp.Or(claimNumber, b.ClaimNumber)
}

// ListContacts returns the contacts for bills, in the order of their page ids. It leaves out bills that don't
// exist or aren't in scope.
func (s *Service) ListContacts(ctx context.Context, a access.Actor, ids []string) ([]BillPayerContact, error) {
	refs, err := s.records.OpenPageIDs(ctx, a, ids)
	if err != nil || len(refs) == 0 {
		return nil, err
	}
	pages := map[facts.BillRef]*Page{}
	if err := s.db.Read(ctx, func(tx *sql.Tx) error {
		pages, err = s.readPayers(ctx, tx, refs)
		return err
	}); err != nil {
		return nil, err
	}
	var list []BillPayerContact
	known := map[Payer]*PageContact{}
	shown := audit.Entry{Operation: "billContacts", Result: "ok"}
	for _, id := range ids {
		p := pages[refs[id]]
		if p == nil {
			continue
		}
		payer, claimNumber := p.payer()
		if _, is := known[payer]; !is {
			if known[payer], err = s.findContact(ctx, payer, ""); err != nil {
				return nil, err
			}
		}
		list = append(list, BillPayerContact{id, claimNumber, known[payer]})
		if shown.Answered = append(shown.Answered, p.Bill.BillControlNumber); !slices.Contains(shown.About, p.Bill.FTIN) {
			shown.About = append(shown.About, p.Bill.FTIN)
		}
	}
	return list, s.audit.RecordNow(ctx, shown)
}

// readPayers reads what payer needs of each bill.
func (s *Service) readPayers(ctx context.Context, tx *sql.Tx, refs map[string]facts.BillRef) (map[facts.BillRef]*Page, error) {
	var hits []store.Hit
	for _, ref := range refs {
		hits = append(hits, store.Hit{FTIN: ref.FTIN, Bill: ref.Key})
	}
	bills, err := store.SelectHitBills(ctx, tx, hits)
	if err != nil {
		return nil, err
	}
	paid, err := store.ListPaymentsByBill(ctx, tx, bills)
	if err != nil {
		return nil, err
	}
	explained, err := batch.LoadExplanations(ctx, s.db, tx, bills)
	if err != nil {
		return nil, err
	}
	pages := make(map[facts.BillRef]*Page, len(bills))
	for _, b := range bills {
		e, known := explained.Get(b)
		pages[b.Ref()] = &Page{Bill: record.Detailed{Bill: b}, Group: newBillGroup(e, known, paid[[2]string{b.FTIN, b.Key()}])}
	}
	return pages, nil
}

func (s *Service) findContact(ctx context.Context, p Payer, claimNumber string) (*PageContact, error) {
	c, err := s.contacts.FindContact(ctx, p)
	if c == nil || err != nil {
		return nil, err
	}
	c.ClaimNumber, c.Phone, c.Ready = claimNumber, text.Digits(c.Phone), cmp.Or(c.Ready, ready)
	return c, nil
}
