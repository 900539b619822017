package main

import (
	"context"
	"fmt"
	"time"

	"wcpp/internal/deadlines"
	"wcpp/internal/identity/access"
	"wcpp/internal/platform/db"
)

// deadlines measures how long it takes to update all open bills after a state's rules change.
// Every bill is open, and every fourth gets another deadline, in business days.
func (b *bench) deadlines(ctx context.Context, kind string, bills int) error {
	portal, drop, err := b.inside(ctx, kind, "deadlines", bills)
	if err != nil {
		return err
	}
	defer drop()
	s := &site{bills: bills, kind: kind}
	if err := withoutIndexes(ctx, portal.DB, "bills", func() error {
		_, err := db.Exec(ctx, portal.DB.Writer, s.fill())
		if err == nil {
			_, err = db.Exec(ctx, portal.DB.Writer, `UPDATE bills SET open_state = 'P', received_on = begin_service_date,
				received_basis = 'R', state_basis = 'G', filing = 'WC',
				state_of_jurisdiction = CASE WHEN payer_id < 'P1010' THEN 'CA' ELSE 'OH' END`)
		}
		return err
	}); err != nil {
		return err
	}
	desk, err := portal.Deadlines.Desk(ctx)
	if err != nil {
		return err
	}
	staff := access.Actor{Person: access.Person{UserName: "bench", Type: access.ISAD}}
	for _, r := range desk.Rules {
		if r.State == "CA" {
			r.Status, r.ReviewedBy = deadlines.Active, "Nobody, in a measurement"
			if _, err := portal.Deadlines.Save(ctx, staff, r); err != nil {
				return err
			}
		}
	}
	began := time.Now()
	if err := portal.Deadlines.Recalculate(ctx); err != nil {
		return err
	}
	took := time.Since(began)
	var without int
	if err := db.Get(ctx, portal.DB.Reader, &without, `SELECT count(*) FROM bills
		WHERE (next_due IS NULL) = (state_of_jurisdiction = 'CA')`); err != nil {
		return err
	}
	if without > 0 {
		return fmt.Errorf("%d bills do not follow the rules", without)
	}
	name := productNames[kind]
	b.table.add(fmt.Sprintf("Deadlines of %s open bills counted anew, %s", short(bills), name),
		fmt.Sprintf("%.0f s", took.Seconds()), "", "", "< 240 s", took < 4*time.Minute)
	return nil
}
