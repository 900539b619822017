package detail

import (
	"cmp"
	"context"

	"wcpp/internal/platform/date"
	"wcpp/internal/platform/text"
)

// Payer is the payer of a bill in the reader's scope.
type Payer struct {
	FTIN, ID, Name string
	State          string // of jurisdiction
	Filing         string // claim filing indicator code, such as WC
}

// Contact is how to reach a payer about a bill.
type Contact struct {
	Payer       string
	Phone       string // digits
	Extension   string
	Web         string
	Address     string
	Hours       string
	Ready       string // what to have ready for a call
	ClaimNumber string // at the payer
	Source      string // staff, remittance or clients
	On          date.Date
	Possibly    bool // it may belong to another payer
}

// Contacts finds how to reach payers. It returns nil if nothing is known.
type Contacts interface {
	FindContact(ctx context.Context, p Payer) (*Contact, error)
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

func (s *Service) findContact(ctx context.Context, p Payer, claimNumber string) (*Contact, error) {
	c, err := s.contacts.FindContact(ctx, p)
	if c == nil || err != nil {
		return nil, err
	}
	c.ClaimNumber, c.Phone, c.Ready = claimNumber, text.Digits(c.Phone), cmp.Or(c.Ready, ready)
	return c, nil
}
