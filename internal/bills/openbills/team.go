package openbills

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"strings"
	"time"

	"wcpp/internal/identity/access"
	"wcpp/internal/identity/users"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/httpapi"
	"wcpp/internal/platform/money"
)

// Share is what an assignee of the group has to do, or what nobody does yet.
type Share struct {
	UserID       int64 // 0 for unassigned bills
	UserName     string
	Name         string
	Former       bool // no bills can be assigned to the user anymore
	Bills        int
	Charges      int64 // in cents
	Oldest       Untouched
	DoneThisWeek int
}

// Untouched is the bill that waits longest for work by the group. A bill without any counts from
// its service date.
type Untouched struct {
	Page, Number string // empty without bills
	Since        date.Date
	Days         int
}

// Team returns the group's open bills by assignee, most dollars first, and unassigned ones last. Every
// figure is that of the list with the same filter. Mirroring staff don't see it.
func (s *Service) Team(ctx context.Context, a access.Actor) ([]Share, error) {
	who := s.newRequester(a)
	if who.group == 0 {
		return nil, nil
	}
	var err error
	if who.scope, err = s.scopes.Scope(ctx, a); err != nil {
		return nil, err
	}
	shares, err := s.sumTeam(ctx, who)
	if err != nil {
		return nil, err
	}
	if err := s.addUnassigned(ctx, who, shares); err != nil {
		return nil, err
	}
	people, err := s.loadColleagues(ctx, who.group)
	if err != nil {
		return nil, err
	}
	var list []Share
	var numbers []string
	for id, share := range shares {
		if share.Bills == 0 && share.DoneThisWeek == 0 && id != 0 {
			continue
		}
		if err := s.nameAssignee(ctx, people, share); err != nil {
			return nil, err
		}
		if share.Oldest.Number != "" {
			numbers = append(numbers, share.Oldest.Number)
		}
		list = append(list, *share)
	}
	slices.SortFunc(list, func(x, y Share) int {
		return cmp.Or(cmp.Compare(min(y.UserID, 1), min(x.UserID, 1)), cmp.Compare(y.Charges, x.Charges), strings.Compare(x.Name, y.Name))
	})
	entry := audit.Entry{Operation: "openBills", About: who.scope.TINs(), Answered: numbers, Detail: "team", Result: "ok"}
	return list, s.audit.RecordNow(ctx, entry)
}

// nameAssignee sets the names of a share's user, who can have left.
func (s *Service) nameAssignee(ctx context.Context, people map[int64]*users.User, share *Share) error {
	if share.UserID == 0 {
		return nil
	}
	share.Former = people[share.UserID] == nil
	u, err := s.findAssignee(ctx, people, share.UserID)
	if err != nil {
		return err
	}
	share.UserName, share.Name = u.UserName, u.FullName()
	return nil
}

// sumTeam adds up the work of the group by user.
func (s *Service) sumTeam(ctx context.Context, who requester) (map[int64]*Share, error) {
	shares := map[int64]*Share{0: {}}
	of := func(id int64) *Share {
		if shares[id] == nil {
			shares[id] = &Share{UserID: id}
		}
		return shares[id]
	}
	var everything Filter
	for tins := range slices.Chunk(everything.selectTINs(who.scope), tinsPerQuery) {
		rows, err := listTeam(ctx, s.db.Reader, who, tins)
		if err != nil {
			return nil, err
		}
		for _, r := range rows {
			share := of(r.user())
			share.Bills += r.Bills
			share.Charges += r.Charges
			at := billID{r.FTIN, r.Bill}
			if err := s.keepOldest(share, who.today, at, r.BillControlNumber, date.Of(r.UpdatedAt.In(s.now().Location()))); err != nil {
				return nil, err
			}
		}
		done, err := listDone(ctx, s.db.Reader, who, tins)
		if err != nil {
			return nil, err
		}
		for _, r := range done {
			of(teamRow{AssignedTo: r.AssignedTo}.user()).DoneThisWeek += r.Bills
		}
	}
	return shares, nil
}

// addUnassigned replaces the sums of unassigned bills, most of which have no work, by those of the
// list, and finds the oldest.
func (s *Service) addUnassigned(ctx context.Context, who requester, shares map[int64]*Share) error {
	nobody := Filter{Marked: MarkedOpen, Unassigned: true}
	tallies, err := s.loadTallies(ctx, who, nobody)
	if err != nil {
		return err
	}
	sum := sumTallies(tallies).All
	share := shares[0]
	share.Bills, share.Charges = sum.Bills, sum.Charges
	nobody.untouched = true
	oldest, err := page(ctx, s.db.Reader, who, nobody, Place{}, 1)
	if err != nil || len(oldest) == 0 || oldest[0].BeginServiceDate == "" {
		return err
	}
	b := oldest[0]
	return s.keepOldest(share, who.today, billID{b.FTIN, b.Key()}, b.BillControlNumber, b.BeginServiceDate)
}

// keepOldest sets the oldest bill of a share if it has waited longer.
func (s *Service) keepOldest(share *Share, today date.Date, at billID, number string, since date.Date) error {
	if share.Oldest.Number != "" && share.Oldest.Since <= since {
		return nil
	}
	page, err := s.pages.PageID(at.ftin, at.key)
	share.Oldest = Untouched{page, number, since, int(today.Time().Sub(since.Time()).Hours() / 24)}
	return err
}

// startOfWeek returns the first instant of the week of a time, which begins on Monday.
func startOfWeek(now time.Time) db.Instant {
	monday := now.AddDate(0, 0, -(int(now.Weekday())+6)%7)
	return db.At(time.Date(monday.Year(), monday.Month(), monday.Day(), 0, 0, 0, 0, now.Location()))
}

// TeamMember is an assignee's share of the open bills. Amounts are in dollars.
type TeamMember struct {
	UserName     string         `json:"userName" doc:"Empty for unassigned bills"`
	Name         string         `json:"name" doc:"Empty for unassigned bills"`
	Former       bool           `json:"former" doc:"True if no bills can be assigned to the user anymore"`
	Bills        int            `json:"bills"`
	Charges      float64        `json:"charges"`
	Oldest       *UntouchedBill `json:"oldest,omitempty" doc:"Bill that waits longest. Absent if there is none, or none has a date"`
	DoneThisWeek int            `json:"doneThisWeek" doc:"Bills marked as done since Monday and still done"`
}

// UntouchedBill is a bill that waits for work by the group.
type UntouchedBill struct {
	ID                string    `json:"id" doc:"ID of the bill's page"`
	BillControlNumber string    `json:"billControlNumber"`
	Since             date.Date `json:"since" format:"date" doc:"Last change or note by your group, otherwise the service date"`
	Days              int       `json:"days"`
}

func (s *Service) registerTeam(api *httpapi.API) {
	httpapi.Register(api, httpapi.Operation{
		ID: "team", Method: http.MethodGet, Path: "/work/team", Summary: "List your group's open bills by assignee",
		Description: "Most dollars first, unassigned bills last. Empty while mirroring.",
		Access:      "work.lead", Effect: httpapi.Read, Expensive: true,
	}, func(ctx context.Context, _ *struct{}) (*httpapi.List[TeamMember], error) {
		list, err := s.Team(ctx, access.From(ctx))
		return httpapi.NewList(list, func(m Share) TeamMember {
			out := TeamMember{UserName: m.UserName, Name: m.Name, Former: m.Former, Bills: m.Bills, Charges: money.Of(m.Charges),
				DoneThisWeek: m.DoneThisWeek}
			if o := m.Oldest; o.Number != "" {
				out.Oldest = &UntouchedBill{o.Page, o.Number, o.Since, o.Days}
			}
			return out
		}), err
	})
}
