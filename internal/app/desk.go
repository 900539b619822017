package app

import (
	"context"

	"wcpp/internal/account"
	"wcpp/internal/bills"
	"wcpp/internal/bills/record"
	"wcpp/internal/claims"
	"wcpp/internal/desk"
	"wcpp/internal/directory"
	"wcpp/internal/identity/access"
	"wcpp/internal/platform/db"
)

// deskSources provides the service desk's search by number and name.
type deskSources struct {
	bills     *bills.Bills
	claims    *claims.Service
	directory *directory.Service
	accounts  *account.Service
	db        *db.DB
}

func (l deskSources) FindBillsAcrossTINs(ctx context.Context, number string, limit int) ([]desk.Bill, error) {
	list, err := l.bills.Desk.FindAcrossTINs(ctx, number, limit)
	return l.toDeskBills(list, err)
}

func (l deskSources) FindBills(ctx context.Context, ftin, number string) ([]desk.Bill, error) {
	list, err := l.bills.Desk.FindInScope(ctx, access.NewScope([]string{ftin}), number)
	return l.toDeskBills(list, err)
}

func (l deskSources) toDeskBills(list []record.Bill, err error) ([]desk.Bill, error) {
	if err != nil {
		return nil, err
	}
	found := make([]desk.Bill, len(list))
	for i, b := range list {
		page, err := l.bills.Records.SealPage(b)
		if err != nil {
			return nil, err
		}
		found[i] = desk.Bill{
			Page: page, FTIN: b.FTIN, Number: b.BillControlNumber, Claimant: b.PatientFirstName + " " + b.PatientLastName,
			ServiceOn: b.BeginServiceDate, Charges: b.BillCharges, Payer: b.PayerName,
		}
	}
	return found, nil
}

func (l deskSources) OnFile(ctx context.Context, ftin string) (bool, error) {
	known, _, err := l.bills.Search.OnFile(ctx, ftin, "")
	return known, err
}

func (l deskSources) FindRemittances(ctx context.Context, number string, limit int) ([]desk.Remittance, error) {
	list, err := l.bills.Desk.FindRemittancesAcrossTINs(ctx, number, limit)
	if err != nil {
		return nil, err
	}
	found := make([]desk.Remittance, len(list))
	for i, r := range list {
		page, err := l.bills.Records.SealRemittance(record.RemittanceID{FTIN: r.FTIN, Remittance: r.Remittance})
		if err != nil {
			return nil, err
		}
		amount := r.Paid - r.Adjusted
		if r.Amount != nil {
			amount = *r.Amount
		}
		found[i] = desk.Remittance{Page: page, FTIN: r.FTIN, Number: r.TraceNumber, Payer: r.PayerName, PaidOn: r.PaidOn, Amount: amount}
	}
	return found, nil
}

func (l deskSources) FindClaims(ctx context.Context, number string, limit int) ([]desk.AnyClaim, error) {
	list, err := l.claims.FindByNumber(ctx, number, limit)
	found := make([]desk.AnyClaim, len(list))
	for i, c := range list {
		found[i] = desk.AnyClaim{Number: c.ClaimNumber, Payer: c.PayerName, State: c.StateOfJurisdiction}
	}
	return found, err
}

func (l deskSources) TINsOfNPI(ctx context.Context, npi string) ([]string, error) {
	return l.directory.ListTINsByNPI(ctx, l.db.Reader, npi)
}

func (l deskSources) LastLinks(ctx context.Context, userID int64) (registration, reset desk.Link, err error) {
	r, p, err := l.accounts.LastLinks(ctx, userID)
	return desk.Link(r), desk.Link(p), err
}
