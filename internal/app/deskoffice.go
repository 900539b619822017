package app

import (
	"context"

	"wcpp/internal/bills/alerts"
	"wcpp/internal/bills/billstate"
	"wcpp/internal/bills/openbills"
	"wcpp/internal/desk"
	"wcpp/internal/feeschedules"
	"wcpp/internal/identity/access"
	"wcpp/internal/notifications"
	"wcpp/internal/rosters"
)

// deskOffices provides an office's data to the service desk.
type deskOffices struct {
	openBills     *openbills.Service
	alerts        *alerts.Service
	feeSchedules  *feeschedules.Service
	rosters       *rosters.Service
	notifications *notifications.Service
}

func (o deskOffices) SumOpenBills(ctx context.Context, scope access.Scope) (desk.OpenSums, error) {
	sum, err := o.openBills.ScopeSummary(ctx, scope)
	of := func(s openbills.Sum) desk.OpenSum { return desk.OpenSum{Bills: s.Bills, Charges: s.Charges} }
	out := desk.OpenSums{Undated: of(sum.Undated)}
	for _, state := range billstate.Filters() {
		s := sum.States[state]
		out.States = append(out.States, desk.OpenSum{State: state, Bills: s.Bills, Charges: s.Charges})
	}
	for i, s := range sum.AllAges {
		out.Ages[i] = of(s)
	}
	return out, err
}

func (o deskOffices) ListChanges(ctx context.Context, scope access.Scope, limit int) ([]desk.BillChange, error) {
	list, err := o.alerts.Latest(ctx, scope, limit)
	out := make([]desk.BillChange, len(list))
	for i, l := range list {
		out[i] = desk.BillChange{Page: l.Page, FTIN: l.FTIN, Number: l.BillControlNumber, Kind: l.Kind, At: l.At.Time}
	}
	return out, err
}

func (o deskOffices) ListFileRequests(ctx context.Context, users []int64, limit int) ([]desk.OfficeFileRequest, error) {
	list, err := o.feeSchedules.ListByUsers(ctx, users, limit)
	out := make([]desk.OfficeFileRequest, len(list))
	for i, r := range list {
		out[i] = desk.OfficeFileRequest{RateCode: r.NationalRateCode, Status: r.Status, At: r.CreatedAt.Time}
	}
	return out, err
}

func (o deskOffices) ListRosters(ctx context.Context, a access.Actor, group int64, limit int) ([]desk.OfficeRoster, error) {
	list, err := o.rosters.Uploads(ctx, a, group)
	list = list[:min(len(list), limit)]
	out := make([]desk.OfficeRoster, len(list))
	for i, u := range list {
		out[i] = desk.OfficeRoster{By: u.UploadedBy, Type: u.UpdateType, Files: len(u.Files), At: u.UploadedAt.Time}
	}
	return out, err
}

func (o deskOffices) ListNotices(ctx context.Context, users []int64, limit int) ([]desk.OfficeNotice, error) {
	list, err := o.notifications.ListSentTo(ctx, users, limit)
	out := make([]desk.OfficeNotice, len(list))
	for i, n := range list {
		out[i] = desk.OfficeNotice{Name: n.Name, Sent: n.Sent, Viewed: n.Viewed, At: n.SentAt.Time}
	}
	return out, err
}
