package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"time"

	"wcpp/internal/bills/openbills"
	"wcpp/internal/identity/access"
	"wcpp/internal/identity/tins"
	"wcpp/internal/platform"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/fileexport"
	"wcpp/internal/platform/seal"
)

// An office's open bills, the newest of five TINs.
const (
	openTINs   = 5
	openOfTIN  = 5600
	openDays   = 150 // range of the service dates
	groupsWork = 3000
)

// openBills measures the first page of Open Bills with its tiles against the bare SQL
// statements.
func (b *bench) openBills(ctx context.Context, kind string, bills int) error {
	say("%s: making %d bills ...", kind, bills)
	address, drop, err := b.database(ctx, kind, fmt.Sprintf("openbills_%s_%d", kind, bills))
	if err != nil {
		return err
	}
	defer drop()
	var t traced
	if err := t.open(ctx, address); err != nil {
		return err
	}
	defer t.db.Close()
	if err := fillOpen(ctx, t.db, kind, bills); err != nil {
		return err
	}
	var ftins []string
	for i := range openTINs {
		ftins = append(ftins, strconv.Itoa(100_000_000+i))
	}
	sealer := seal.New(make([]byte, 32))
	entries := audit.New(audit.Deps{DB: t.db, Clock: time.Now, Log: slog.New(slog.DiscardHandler), Sealer: sealer})
	defer entries.Close()
	kit := platform.Kit{DB: t.db, Audit: entries, Clock: time.Now, Zone: time.Local, Sealer: sealer}
	service := openbills.NewService(openbills.Deps{Kit: kit, Scopes: tins.NewScopes(t.db), Users: newUsers(kit), Pages: noPages{}},
		fileexport.Quota{})
	actor := access.Actor{Person: access.Person{ID: 1, Type: access.PRAD, GroupID: 1}}.WithTINs(1, ftins)
	var pages, tiles, bare []float64
	for round := range b.rounds + 1 {
		var inPages, inTiles, alone time.Duration
		calls := 0
		for started := time.Now(); calls == 0 || time.Since(started) < b.burst; calls++ {
			t.asked, t.tracing = nil, true
			began := time.Now()
			list, _, err := service.Page(ctx, actor, openbills.Filter{}, openbills.Place{}, 0, 50)
			inPages += time.Since(began)
			if err != nil {
				return err
			}
			began = time.Now()
			sum, err := service.Summary(ctx, actor, openbills.Filter{})
			inTiles += time.Since(began)
			t.tracing = false
			if err != nil {
				return err
			}
			if len(list) != 50 || sum.All.Bills < openTINs*openOfTIN-groupsWork {
				return errors.New("open bills are missing")
			}
			began = time.Now()
			if err := t.alone(ctx); err != nil {
				return err
			}
			alone += time.Since(began)
		}
		if round > 0 { // the first round is a warm-up
			milliseconds := func(d time.Duration) float64 { return d.Seconds() * 1000 / float64(calls) }
			pages, tiles, bare = append(pages, milliseconds(inPages)), append(tiles, milliseconds(inTiles)),
				append(bare, milliseconds(alone))
		}
	}
	slowest, order, err := slowestOrder(ctx, service, actor, b.rounds)
	if err != nil {
		return err
	}
	name := productNames[kind]
	size := fmt.Sprintf("%s open of %s, %s", grouped(openTINs*openOfTIN), short(bills), name)
	b.table.add(fmt.Sprintf("Open bills in its slowest order (%s), %s", order, size),
		fmt.Sprintf("%.1f ms", slowest), "", "", "< 100 ms", slowest < 100)
	both, goal := median(pages)+median(tiles), 60.0
	if bills > 1_000_000 {
		goal = 100
	}
	b.table.add("Open bills, "+size,
		fmt.Sprintf("%.1f ms, %.1f of it the tiles", both, median(tiles)), fmt.Sprintf("%.1f ms, the statements alone", median(bare)),
		fmt.Sprintf("%.2f", median(bare)/both), fmt.Sprintf("< %g ms", goal), both < goal)
	return nil
}

// slowestOrder returns the median milliseconds of the first page in each order, for the slowest.
func slowestOrder(
	ctx context.Context, service *openbills.Service, actor access.Actor, rounds int,
) (slowest float64, order string, err error) {
	for _, name := range openbills.Orders {
		var took []float64
		for range 3 * rounds {
			began := time.Now()
			list, _, err := service.Page(ctx, actor, openbills.Filter{Order: name}, openbills.Place{}, 0, 50)
			if err != nil {
				return 0, "", err
			}
			if len(list) != 50 {
				return 0, "", errors.New("open bills are missing")
			}
			took = append(took, time.Since(began).Seconds()*1000)
		}
		if m := median(took); m > slowest {
			slowest, order = m, name
		}
	}
	return slowest, order, nil
}

type noPages struct{}

func (noPages) PageID(ftin, key string) (string, error) { return ftin + key, nil }

func (noPages) OpenPageID(string) (ftin, key string, ok bool) { return "", "", false }

// fillOpen creates finished bills, and open ones for some TINs, with their outcomes and some
// office work.
func fillOpen(ctx context.Context, d *db.DB, kind string, bills int) error {
	s := &site{bills: bills, kind: kind}
	first := 100_000_000 + bills - tinCount*openOfTIN
	if kind == "sqlite" {
		for _, pragma := range []string{"PRAGMA synchronous = OFF", "PRAGMA cache_size = -1000000", "PRAGMA temp_store = FILE"} {
			if _, err := d.Writer.ExecContext(ctx, pragma); err != nil {
				return err
			}
		}
	}
	if err := withoutIndexes(ctx, d, "bills", func() error {
		if _, err := db.Exec(ctx, d.Writer, s.fill()); err != nil {
			return err
		}
		perDay := tinCount * openOfTIN / openDays
		for day := range openDays + 1 {
			served := date.Of(time.Now()).AddDays(-day)
			for tin := range openTINs {
				if _, err := db.Exec(ctx, d.Writer, `
					UPDATE bills SET open_state = $1, begin_service_date = $2, next_due = $3, reasons = 'CO-45 CO-97'
					WHERE ftin = $4 AND bill_control_number_key >= $5 AND bill_control_number_key < $6`,
					[]string{"N", "P", "D", "S"}[day%4], served, served.AddDays(45), strconv.Itoa(100_000_000+tin),
					"7"+strconv.Itoa(first+day*perDay), "7"+strconv.Itoa(first+(day+1)*perDay)); err != nil {
					return err
				}
			}
		}
		return nil
	}); err != nil {
		return err
	}
	if err := withoutIndexes(ctx, d, "bill_changes", func() error {
		return db.Run(ctx, d.Writer, `INSERT INTO bill_changes (ftin, bill_control_number_key, kind, bill_status, at, quiet)
			SELECT ftin, bill_control_number_key, 'PRICED', '2', $1, $2 FROM bills`, db.At(time.Now()), true)
	}); err != nil {
		return err
	}
	for _, statement := range []string{
		`INSERT INTO groups (id, name, name_key, kind, created_at, created_by) VALUES (1, 'x', 'x', 'PROVIDER', $1, 'x')`,
		`INSERT INTO bill_work (group_id, ftin, bill_control_number_key, state_cd, done_change, notes, version, updated_at, updated_by,
			follow_up_on)
			SELECT 1, ftin, bill_control_number_key, 'OPEN', 0, 1, 1, $1, 'x', begin_service_date FROM bills
			WHERE ftin = '100000001' AND open_state <> 'F' ORDER BY bill_control_number_key LIMIT ` + strconv.Itoa(groupsWork),
	} {
		if _, err := db.Exec(ctx, d.Writer, statement, db.At(time.Now())); err != nil {
			return err
		}
	}
	return rest(ctx, d)
}
