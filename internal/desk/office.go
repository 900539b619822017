package desk

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"time"

	"wcpp/internal/identity/access"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/problem"
)

// OfficePerson is a user of an office.
type OfficePerson struct {
	AnyPerson
	LastSignIn time.Time // zero: never
}

// OpenSum counts bills that need follow-up. Charges are in cents.
type OpenSum struct {
	State   string // empty for an age
	Bills   int
	Charges int64
}

// OpenSums are totals of an office's open bills, without the office's own notes.
type OpenSums struct {
	States  []OpenSum  // in the order in which offices work
	Ages    [4]OpenSum // up to 30, 60 and 90 days since the service date, and older
	Undated OpenSum
}

// BillChange is the latest change of a bill.
type BillChange struct {
	Page   string // sealed id of its page
	FTIN   string
	Number string
	Kind   string // as in the ledger
	At     time.Time
}

// People are the users of an office.
type People struct {
	List   []OfficePerson
	More   bool
	IDs    []int64 // of all users, up to 1,000
	Emails []string
}

// Offices finds an office's data. Limits apply to the returned lists.
type Offices interface {
	SumOpenBills(ctx context.Context, scope access.Scope) (OpenSums, error)
	ListChanges(ctx context.Context, scope access.Scope, limit int) ([]BillChange, error)
	ListFileRequests(ctx context.Context, users []int64, limit int) ([]OfficeFileRequest, error)
	ListRosters(ctx context.Context, a access.Actor, group int64, limit int) ([]OfficeRoster, error)
	ListNotices(ctx context.Context, users []int64, limit int) ([]OfficeNotice, error)
}

// OfficeCard is an overview of an office.
type OfficeCard struct {
	AnyOffice
	TINs     []string
	People   People
	Open     OpenSums
	Changes  []BillChange
	Mails    []OfficeMail
	Requests []OfficeFileRequest
	Rosters  []OfficeRoster
	Notices  []OfficeNotice
}

// maxPerKind is the maximum number of items per kind on an office's card.
const maxPerKind = 20

const seeBills = "desk-see-bills"

// OpenOffice returns a group's card. The access is audited before anything but the group's name
// is read. The bills on the card are audited before it is returned.
func (s *Service) OpenOffice(ctx context.Context, a access.Actor, id int64) (OfficeCard, error) {
	var c OfficeCard
	if _, err := s.currentSession(ctx, a); err != nil {
		return c, err
	}
	found, err := s.loadOffices(ctx, []int64{id})
	if err == nil && len(found) == 0 {
		err = problem.WithMessage(problem.NotFound, "Unknown office number. Check the number.")
	}
	if err != nil {
		return c, err
	}
	c.AnyOffice = found[0]
	if err := s.auditAccess(ctx, a, audit.Entry{Operation: "desk-open-group", Subject: "group " + strconv.FormatInt(id, 10),
		Groups: []int64{id}}); err != nil {
		return c, err
	}
	if err := s.readOffice(ctx, a, &c); err != nil {
		return c, err
	}
	named := map[string][]string{}
	for _, b := range c.Changes {
		named[b.FTIN] = append(named[b.FTIN], b.Number)
	}
	for _, ftin := range slices.Sorted(maps.Keys(named)) {
		if err := s.AuditShown(ctx, a, seeBills, ftin, named[ftin]); err != nil {
			return OfficeCard{}, err
		}
	}
	return c, nil
}

// readOffice reads an office's data into the card.
func (s *Service) readOffice(ctx context.Context, a access.Actor, c *OfficeCard) (err error) {
	if c.TINs, err = s.tins.GroupTINs(ctx, s.db.Reader, c.ID); err != nil {
		return err
	}
	if c.People, err = s.listPeople(ctx, a, c.ID, maxPerKind); err != nil {
		return err
	}
	scope := access.NewScope(c.TINs)
	if c.Open, err = s.offices.SumOpenBills(ctx, scope); err != nil {
		return err
	}
	if c.Changes, err = s.offices.ListChanges(ctx, scope, maxPerKind); err != nil {
		return err
	}
	if c.Rosters, err = s.offices.ListRosters(ctx, a, c.ID, maxPerKind); err != nil || len(c.People.IDs) == 0 {
		return err
	}
	if c.Mails, err = s.listFailedMails(ctx, c.People.Emails, maxPerKind); err != nil {
		return err
	}
	if c.Requests, err = s.offices.ListFileRequests(ctx, c.People.IDs, maxPerKind); err != nil {
		return err
	}
	c.Notices, err = s.offices.ListNotices(ctx, c.People.IDs, maxPerKind)
	return err
}
