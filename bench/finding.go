package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"time"

	"wcpp/internal/desk"
	"wcpp/internal/identity/access"
	"wcpp/internal/platform/db"
)

// finding measures the service desk's search field with many bills, for an existing bill number
// and one without a match. It reports the slowest of 100, since that's how long a caller waits.
func (b *bench) finding(ctx context.Context, kind string, bills int) error {
	portal, drop, err := b.inside(ctx, kind, "finding", bills)
	if err != nil {
		return err
	}
	defer drop()
	s := &site{bills: bills, kind: kind}
	if err := withoutIndexes(ctx, portal.DB, "bills", func() error {
		return db.Run(ctx, portal.DB.Writer, s.fill())
	}); err != nil {
		return err
	}
	if err := rest(ctx, portal.DB); err != nil {
		return err
	}
	staff := access.Actor{Person: access.Person{ID: 1, UserName: "bench", Type: access.ISAD}}
	if _, err := db.Exec(ctx, portal.DB.Writer, `
		INSERT INTO users (id, user_name, user_name_key, first_name, last_name, first_name_key, last_name_key, email, email_key, type_cd,
			status_cd, created_at, created_by, updated_at, updated_by)
		VALUES (1, 'bench', 'bench', 'B', 'Ench', 'b', 'ench', 'bench@example.com', 'bench@example.com', 'ISAD', 'ACTIV', $1, 'bench', $1,
			'bench')`, db.At(time.Now())); err != nil {
		return err
	}
	if _, err := portal.Desk.Begin(ctx, staff, desk.Session{Reason: desk.Call}); err != nil {
		return err
	}
	number := func(n int) string { return "7" + strconv.Itoa(100_000_000+n) }
	name := productNames[kind]
	for what, ask := range map[string]func() (string, int){
		"a bill's number":  func() (string, int) { return number(rand.IntN(bills)), 1 },
		"nothing's number": func() (string, int) { return "8" + strconv.Itoa(rand.IntN(bills)), 0 },
	} {
		var took []float64
		for began := time.Now(); time.Since(began) < b.burst*time.Duration(b.rounds) || len(took) < 1000; {
			q, want := ask()
			asked := time.Now()
			found, err := portal.Desk.Find(ctx, staff, q)
			took = append(took, time.Since(asked).Seconds()*1000)
			if err != nil {
				return err
			}
			if len(found.Bills) != want {
				return errors.New("the desk finds something else for " + q)
			}
		}
		slices.Sort(took)
		slow := took[len(took)*99/100]
		b.table.add(fmt.Sprintf("Service desk, %s among %s bills, %s", what, short(bills), name),
			fmt.Sprintf("%.1f ms, 99 of 100 within %.1f ms", took[len(took)/2], slow), "", "", "< 100 ms", slow < 100)
	}
	return nil
}
