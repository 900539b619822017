package app

import (
	"context"
	"errors"

	"wcpp/internal/account"
	"wcpp/internal/bills"
	"wcpp/internal/bills/record"
	"wcpp/internal/claims"
	"wcpp/internal/desk"
	"wcpp/internal/directory"
	"wcpp/internal/identity/access"
	"wcpp/internal/identity/users"
	"wcpp/internal/identity/users/signin"
	"wcpp/internal/mfa"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/mail"
)

// deskSources provides the service desk's search by number and name.
type deskSources struct {
	users     *users.Service
	bills     *bills.Bills
	claims    *claims.Service
	directory *directory.Service
	signIn    *signin.Service
	accounts  *account.Service
	factors   *mfa.Service
	mails     *mail.Outbox
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

func (l deskSources) FindClaims(ctx context.Context, number string, limit int) ([]desk.Claim, error) {
	list, err := l.claims.FindByNumber(ctx, number, limit)
	found := make([]desk.Claim, len(list))
	for i, c := range list {
		found[i] = desk.Claim{Number: c.ClaimNumber, Payer: c.PayerName, State: c.StateOfJurisdiction}
	}
	return found, err
}

func (l deskSources) LoadOffices(ctx context.Context, ids []int64) ([]desk.Office, error) {
	list, err := l.users.Groups(ctx, ids)
	found := make([]desk.Office, len(list))
	for i, g := range list {
		found[i] = desk.Office{ID: g.ID, Name: g.Name, Kind: g.Kind}
	}
	return found, err
}

func (l deskSources) TINsOfNPI(ctx context.Context, npi string) ([]string, error) {
	return l.directory.ListTINsByNPI(ctx, l.db.Reader, npi)
}

func (l deskSources) FindByUserName(ctx context.Context, userName string) ([]desk.Person, error) {
	return toDeskPeople(l.users.ByName(ctx, userName))
}

func (l deskSources) FindByEmail(ctx context.Context, email string) ([]desk.Person, error) {
	return toDeskPeople(l.users.ByEmail(ctx, email))
}

func toDeskPeople(u users.User, err error) ([]desk.Person, error) {
	if errors.Is(err, db.ErrNotFound) {
		return nil, nil
	}
	return []desk.Person{toDeskPerson(u)}, err
}

func toDeskPerson(u users.User) desk.Person {
	return desk.Person{UserName: u.UserName, Name: u.FirstName + " " + u.LastName, Type: users.TypeName(u.TypeCd),
		Status: u.StatusCd.Name(), GroupID: u.GroupID}
}

func (l deskSources) LoadAccount(ctx context.Context, userName string) (desk.Account, error) {
	u, err := l.users.ByName(ctx, userName)
	if err != nil {
		return desk.Account{}, err
	}
	a := desk.Account{
		Person: toDeskPerson(u), ID: u.ID, Mirrorable: u.StatusCd == users.Active && u.TypeCd.IsMirrorable(), Email: u.Email,
		State: string(u.StatusCd), LastSignIn: u.LastLoginAt.Time, LockedUntil: u.LockedUntil.Time,
		NoEmployee: u.TypeCd.IsInternal() && u.EmployeeID == "", LockFailures: l.signIn.LockFailures(),
	}
	tried, err := l.signIn.LoadAttempts(ctx, u.UserName)
	if err != nil {
		return a, err
	}
	a.Failures, a.LastFailed, a.FailedFrom = tried.Failures, tried.LastFailedAt.Time, tried.Source
	registration, reset, err := l.accounts.LastLinks(ctx, u.ID)
	if err != nil {
		return a, err
	}
	a.Registration, a.Reset = desk.Link(registration), desk.Link(reset)
	last, err := l.mails.LastTo(ctx, u.Email)
	if err != nil && !errors.Is(err, db.ErrNotFound) {
		return a, err
	}
	a.MailID, a.MailStatus, a.MailAttempts, a.MailError = last.ID, last.Status, last.Attempts, last.LastError
	if a.SecondSetUp, err = l.factors.HasFactor(ctx, u.ID); err != nil {
		return a, err
	}
	a.SecondRequired, err = l.factors.IsRequired(ctx, l.db.Reader, u.ID, u.TypeCd)
	return a, err
}
