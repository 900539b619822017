package desk

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"time"

	"wcpp/internal/access"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/problem"
)

// OfficePerson is somebody of an office.
type OfficePerson struct {
	Person
	LastSignIn time.Time // zero: never
}

// OpenSum counts bills in which something is left to do. Charges are cents.
type OpenSum struct {
	Bills   int
	Charges int64
}

// OpenSums are the open bills of an office, without what the office keeps about them.
type OpenSums struct {
	States  map[string]OpenSum // received, priced, denied, short, takenBack
	Ages    [4]OpenSum         // up to 30, 60 and 90 days since the service, and beyond
	Undated OpenSum
}

// BillChange is what became of a bill last.
type BillChange struct {
	Page   string // sealed id of its page
	FTIN   string
	Number string
	Kind   string // as the ledger names it
	At     time.Time
}

// LostMail is a mail that was given up.
type LostMail struct {
	ID    int64
	To    string
	Kind  string
	Error string // as the mail server said
	At    time.Time
}

// FileRequest is a fee schedule that somebody of an office asked for.
type FileRequest struct {
	RateCode string
	Status   string // QUEUED, DONE or FAILED
	At       time.Time
}

// RosterUpload is a roster that an office sent, or others for a source that it has.
type RosterUpload struct {
	By    string
	Type  string // full or delta
	Files int
	At    time.Time
}

// Notice is a notification that people of an office got.
type Notice struct {
	Name   string
	Sent   int // to how many of them
	Viewed int
	At     time.Time
}

// People are those of an office.
type People struct {
	List   []OfficePerson
	More   bool
	IDs    []int64 // of all, or of the first thousand
	Emails []string
}

// Offices tell what there is of an office. Limits are of the answers.
type Offices interface {
	TINs(ctx context.Context, group int64) ([]string, error)
	People(ctx context.Context, a access.Actor, group int64, limit int) (People, error)
	Open(ctx context.Context, scope access.Scope) (OpenSums, error)
	Changes(ctx context.Context, scope access.Scope, limit int) ([]BillChange, error)
	LostMails(ctx context.Context, emails []string, limit int) ([]LostMail, error)
	FileRequests(ctx context.Context, users []int64, limit int) ([]FileRequest, error)
	Rosters(ctx context.Context, a access.Actor, group int64, limit int) ([]RosterUpload, error)
	Notices(ctx context.Context, users []int64, limit int) ([]Notice, error)
}

// OfficeCard is what is of an office.
type OfficeCard struct {
	Office
	TINs     []string
	People   People
	Open     OpenSums
	Changes  []BillChange
	Mails    []LostMail
	Requests []FileRequest
	Rosters  []RosterUpload
	Notices  []Notice
}

// mostOfOffice is how many of a kind an office's card shows.
const mostOfOffice = 20

const seeBills = "desk-see-bills"

// OpenOffice is the card of a group. The opening is written down before anything of
// the group but its name is read, and the bills that the card names before it answers.
func (s *Service) OpenOffice(ctx context.Context, a access.Actor, id int64) (OfficeCard, error) {
	var c OfficeCard
	if _, err := s.sitting(ctx, a); err != nil {
		return c, err
	}
	found, err := s.sources.Offices(ctx, []int64{id})
	if err == nil && len(found) == 0 {
		err = problem.Say(problem.NotFound, "Unknown office number. Check the number.")
	}
	if err != nil {
		return c, err
	}
	c.Office = found[0]
	if err := s.enter(ctx, a, audit.Entry{Operation: "desk-open-group", Subject: "group " + strconv.FormatInt(id, 10), Groups: []int64{id}}); err != nil {
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
		if err := s.Saw(ctx, a, seeBills, ftin, named[ftin]); err != nil {
			return OfficeCard{}, err
		}
	}
	return c, nil
}

// readOffice reads what is of an office.
func (s *Service) readOffice(ctx context.Context, a access.Actor, c *OfficeCard) (err error) {
	if c.TINs, err = s.offices.TINs(ctx, c.ID); err != nil {
		return err
	}
	if c.People, err = s.offices.People(ctx, a, c.ID, mostOfOffice); err != nil {
		return err
	}
	scope := access.ScopeOf(c.TINs)
	if c.Open, err = s.offices.Open(ctx, scope); err != nil {
		return err
	}
	if c.Changes, err = s.offices.Changes(ctx, scope, mostOfOffice); err != nil {
		return err
	}
	if c.Rosters, err = s.offices.Rosters(ctx, a, c.ID, mostOfOffice); err != nil || len(c.People.IDs) == 0 {
		return err
	}
	if c.Mails, err = s.offices.LostMails(ctx, c.People.Emails, mostOfOffice); err != nil {
		return err
	}
	if c.Requests, err = s.offices.FileRequests(ctx, c.People.IDs, mostOfOffice); err != nil {
		return err
	}
	c.Notices, err = s.offices.Notices(ctx, c.People.IDs, mostOfOffice)
	return err
}
