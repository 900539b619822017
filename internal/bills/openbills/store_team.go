package openbills

import (
	"context"

	"wcpp/internal/bills/billstate"
	"wcpp/internal/platform/db"
)

// teamRow is the open bills of an assignee, with the one that the group changed longest ago.
type teamRow struct {
	AssignedTo        *int64 `db:"assigned_to"`
	Bills             int
	Charges           int64
	FTIN              string     `db:"ftin"`
	Bill              string     `db:"bill"`
	BillControlNumber string     `db:"number"`
	UpdatedAt         db.Instant `db:"updated_at"`
}

func (r teamRow) user() int64 {
	if r.AssignedTo == nil {
		return 0
	}
	return *r.AssignedTo
}

// listTeam lists the group's work on open bills by assignee, including bills without one.
func listTeam(ctx context.Context, q db.Queryer, who requester, tins []string) (list []teamRow, err error) {
	f := Filter{Marked: MarkedOpen}
	condition, args := f.condition(who, []any{who.group})
	from := len(args) + 1
	in := db.In(from, len(tins)) // for the bills too, so that PostgreSQL can skip partitions
	return db.List[teamRow](ctx, q, `
		SELECT assigned_to, bills, charges, ftin, bill, number, updated_at FROM (
			SELECT w.assigned_to, count(*) OVER (PARTITION BY w.assigned_to) AS bills,
				sum(b.bill_charges) OVER (PARTITION BY w.assigned_to) AS charges,
				b.ftin, b.bill_control_number_key AS bill, b.bill_control_number AS number, w.updated_at,
				row_number() OVER (PARTITION BY w.assigned_to ORDER BY w.updated_at, w.ftin, w.bill_control_number_key) AS place
			FROM bill_work w JOIN bills b ON b.ftin = w.ftin AND b.bill_control_number_key = w.bill_control_number_key
			WHERE w.group_id = $1 AND w.ftin IN (`+in+`) AND b.ftin IN (`+in+`) AND `+billstate.OpenSQL+` AND `+condition+`) t
		WHERE place = 1`, append(args, db.Args(tins)...)...)
}

// doneRow is the number of bills that were marked as done since Monday.
type doneRow struct {
	AssignedTo *int64 `db:"assigned_to"`
	Bills      int
}

// listDone counts the bills done this week by assignee.
func listDone(ctx context.Context, q db.Queryer, who requester, tins []string) (list []doneRow, err error) {
	f := Filter{Marked: MarkedDone, DoneThisWeek: true}
	condition, args := f.condition(who, []any{who.group})
	from := len(args) + 1
	in := db.In(from, len(tins))
	return db.List[doneRow](ctx, q, `
		SELECT w.assigned_to, count(*) AS bills
		FROM bill_work w JOIN bills b ON b.ftin = w.ftin AND b.bill_control_number_key = w.bill_control_number_key
		WHERE w.group_id = $1 AND w.ftin IN (`+in+`) AND b.ftin IN (`+in+`) AND `+billstate.OpenSQL+` AND `+condition+`
		GROUP BY w.assigned_to`, append(args, db.Args(tins)...)...)
}

// lostRow is the number of bills that a loss left unassigned.
type lostRow struct {
	Lost  int64 `db:"lost_id"`
	Bills int
}

// countLost counts the open bills that are still unassigned, by loss.
func countLost(ctx context.Context, q db.Queryer, who requester, tins []string) (list []lostRow, err error) {
	f := Filter{Marked: MarkedOpen, Unassigned: true}
	condition, args := f.condition(who, []any{who.group})
	from := len(args) + 1
	in := db.In(from, len(tins))
	return db.List[lostRow](ctx, q, `
		SELECT w.lost_id, count(*) AS bills
		FROM bill_work w JOIN bills b ON b.ftin = w.ftin AND b.bill_control_number_key = w.bill_control_number_key
		WHERE w.group_id = $1 AND w.lost_id IS NOT NULL AND w.ftin IN (`+in+`) AND b.ftin IN (`+in+`) AND `+billstate.OpenSQL+`
			AND `+condition+`
		GROUP BY w.lost_id`, append(args, db.Args(tins)...)...)
}
