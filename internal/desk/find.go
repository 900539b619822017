package desk

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"wcpp/internal/identity/access"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/identifiers"
	"wcpp/internal/platform/text"
	"wcpp/internal/platform/validate"
)

// Bill is a bill in the search results. Amounts are in cents.
type Bill struct {
	Page      string // sealed id of its page
	FTIN      string
	Number    string
	Claimant  string
	ServiceOn date.Date
	Charges   int64
	Payer     string
}

// Remittance is a check or transfer in the search results.
type Remittance struct {
	Page   string // sealed id of its page
	FTIN   string
	Number string
	Payer  string
	PaidOn date.Date
	Amount int64
}

// Sources finds exact matches for a number or name, up to a limit, for any owner.
type Sources interface {
	// FindBillsAcrossTINs finds bills by the network's number, under any TIN.
	FindBillsAcrossTINs(ctx context.Context, number string, limit int) ([]Bill, error)
	// FindBills finds a TIN's bills by any kind of number.
	FindBills(ctx context.Context, ftin, number string) ([]Bill, error)
	// OnFile reports whether the TIN has any bills.
	OnFile(ctx context.Context, ftin string) (bool, error)
	FindRemittances(ctx context.Context, number string, limit int) ([]Remittance, error)
	FindClaims(ctx context.Context, number string, limit int) ([]AnyClaim, error)
	// TINsOfNPI returns the TINs under which the providers with an NPI bill.
	TINsOfNPI(ctx context.Context, npi string) ([]string, error)
	// LastLinks returns a user's latest registration link and latest reset link.
	LastLinks(ctx context.Context, userID int64) (registration, reset Link, err error)
}

// Found contains the exact matches for a number or name.
type Found struct {
	Bills       []Bill
	Remittances []Remittance
	Claims      []AnyClaim
	Offices     []AnyOffice
	People      []AnyPerson
	More        bool
	Hint        string // more information or a next step
}

const (
	// maxFound is the maximum number of results of all kinds.
	maxFound = 20
	maxQuery = 120
)

const (
	hintTIN = "To find document, patient account and payer numbers, enter the Tax ID first: 123456789 A1234."
)

// Find returns the exact matches for a number or name. A TIN followed by a number finds the
// TIN's bills by any kind of number.
func (s *Service) Find(ctx context.Context, a access.Actor, q string) (Found, error) {
	var f Found
	q = text.Clean(q)
	var wrong validate.Fields
	wrong.Require(q != "", "q", "Enter a number, a username or an email address")
	wrong.Limit(q, maxQuery, "q")
	if err := wrong.Refuse(validate.MarkedFields); err != nil {
		return f, err
	}
	n, err := s.currentSession(ctx, a)
	if err != nil {
		return f, err
	}
	switch ftin, number := splitTIN(q); {
	case strings.Contains(q, "@"):
		f.People, err = toPeople(s.users.ByEmail(ctx, q))
	case ftin != "":
		f.Bills, err = s.sources.FindBills(ctx, ftin, number)
	default:
		err = s.findAny(ctx, q, &f)
		if bare := trimNumber(q); err == nil && f.isEmpty() && bare != q && bare != "" {
			f = Found{}
			err = s.findAny(ctx, bare, &f)
		}
	}
	if err != nil {
		return f, err
	}
	f.truncate()
	if err := s.audit.RecordNow(ctx, f.auditEntry(q, n)); err != nil {
		return Found{}, err
	}
	return f, nil
}

// trimNumber returns a number as it's most often stored: without spaces, hyphens and marks around it.
func trimNumber(q string) string { return strings.Trim(text.TIN(q), "#.,;:") }

func (f Found) isEmpty() bool {
	return len(f.Bills)+len(f.Remittances)+len(f.Claims)+len(f.People)+len(f.Offices) == 0
}

// splitTIN splits a query into a TIN and a bill number.
func splitTIN(q string) (ftin, number string) {
	first, rest, two := strings.Cut(q, " ")
	if first = text.TIN(first); !two || !validate.TIN(first) {
		return "", ""
	}
	return first, rest
}

// findAny finds everything with a number or name.
func (s *Service) findAny(ctx context.Context, q string, f *Found) (err error) {
	const limit = maxFound + 1
	if f.Bills, err = s.sources.FindBillsAcrossTINs(ctx, q, limit); err != nil {
		return err
	}
	if f.Remittances, err = s.sources.FindRemittances(ctx, q, limit); err != nil {
		return err
	}
	if f.Claims, err = s.sources.FindClaims(ctx, q, limit); err != nil {
		return err
	}
	if f.People, err = toPeople(s.users.ByName(ctx, q)); err != nil {
		return err
	}
	if err = s.findOffices(ctx, text.TIN(q), f); err != nil {
		return err
	}
	if f.isEmpty() && f.Hint == "" {
		f.Hint = hintTIN
	}
	return nil
}

// findOffices finds offices by group id, TIN or NPI.
func (s *Service) findOffices(ctx context.Context, number string, f *Found) error {
	var groups []int64
	if id, err := strconv.ParseInt(number, 10, 64); err == nil && id > 0 && number[0] != '0' {
		groups = append(groups, id)
	}
	tins, err := s.findTINs(ctx, number)
	if err != nil {
		return err
	}
	for _, ftin := range tins {
		with, err := s.scopes.FindGroups(ctx, ftin)
		if err != nil {
			return err
		}
		groups = append(groups, with...)
		if len(groups) > maxFound {
			break
		}
	}
	slices.Sort(groups)
	groups = slices.Compact(groups)
	if f.Offices, err = s.loadOffices(ctx, groups[:min(len(groups), maxFound+1)]); err != nil {
		return err
	}
	if len(f.Offices) == 0 && validate.TIN(number) {
		f.Hint, err = s.describeTIN(ctx, number)
	}
	return err
}

// findTINs returns the number if it is a TIN, or the TINs of an NPI.
func (s *Service) findTINs(ctx context.Context, number string) ([]string, error) {
	switch {
	case validate.TIN(number):
		return []string{number}, nil
	case identifiers.IsNPI(number):
		return s.sources.TINsOfNPI(ctx, number)
	}
	return nil, nil
}

// describeTIN describes a TIN that no office has.
func (s *Service) describeTIN(ctx context.Context, ftin string) (string, error) {
	known, err := s.sources.OnFile(ctx, ftin)
	if known {
		return "No office has this Tax ID, but bills exist for it.", err
	}
	return "No office has this Tax ID, and no bills exist for it.", err
}

// truncate limits the number of results.
func (f *Found) truncate() {
	left := maxFound
	take := func(n int) int {
		n, left = min(n, left), left-min(n, left)
		return n
	}
	all := len(f.Offices) + len(f.People) + len(f.Bills) + len(f.Remittances) + len(f.Claims)
	f.Offices = f.Offices[:take(len(f.Offices))]
	f.People = f.People[:take(len(f.People))]
	f.Bills = f.Bills[:take(len(f.Bills))]
	f.Remittances = f.Remittances[:take(len(f.Remittances))]
	f.Claims = f.Claims[:take(len(f.Claims))]
	f.More = all > maxFound
}

// auditEntry audits the search and its results. The entry is indexed by the TINs.
func (f *Found) auditEntry(q string, n Session) audit.Entry {
	e := audit.Entry{Operation: "desk-find", Searched: map[string]string{"number": q}, Result: "ok", Detail: n.Name(), About: []string{}}
	for _, b := range f.Bills {
		e.About, e.Answered = append(e.About, b.FTIN), append(e.Answered, b.Number)
	}
	for _, r := range f.Remittances {
		e.About, e.Answered = append(e.About, r.FTIN), append(e.Answered, r.Number)
	}
	for _, c := range f.Claims {
		e.Answered = append(e.Answered, c.Number)
	}
	e.About = slices.Compact(slices.Sorted(slices.Values(e.About)))
	e.Subject = strings.Join(e.About, " ")
	return e
}
