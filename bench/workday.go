package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"wcpp/internal/app"
	"wcpp/internal/bills/alerts"
	"wcpp/internal/bills/remittances"
	"wcpp/internal/identity/access"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/paging"
)

// newsOf is the share of changes since the last visit: one in this many, across all offices.
const newsOf = 200

// looked is a user in an office with 25 TINs, last active yesterday.
var looked = access.Actor{Person: access.Person{ID: 1, UserName: "bench", Type: access.PRUS, GroupID: 1}}

// workday measures an office's first requests, Today and a month's remittances, inside the
// portal and with audit.
func (b *bench) workday(ctx context.Context, kind string, sites []*pageSite) error {
	name := productNames[kind]
	for _, s := range sites {
		data := filepath.Join(b.dir, fmt.Sprintf("workday-%s-%d", kind, s.bills))
		portal, err := app.New(ctx, app.NewStoreConfig(app.Store{Data: data, DatabaseURL: s.address}), slog.New(slog.DiscardHandler),
			time.Now, nil)
		if err != nil {
			return err
		}
		paid, err := s.furnish(ctx, portal)
		for what, ask := range map[string]func() (int, error){
			"Today": func() (int, error) {
				today, err := portal.Alerts.Today(ctx, looked)
				return len(today.Counts), err
			},
			"remittances of a month": func() (int, error) {
				_, n, err := portal.Remittances.Search(ctx, looked, paid, paging.Table{PageSize: 25})
				return n, err
			},
		} {
			var took []float64
			for began := time.Now(); err == nil && (time.Since(began) < b.burst || len(took) < 20); {
				asked := time.Now()
				var n int
				if n, err = ask(); err == nil && n == 0 {
					err = errors.New("there is nothing to show")
				}
				took = append(took, time.Since(asked).Seconds()*1000)
			}
			if err != nil {
				portal.Close()
				return fmt.Errorf("%s: %w", what, err)
			}
			b.table.add(fmt.Sprintf("%s, %d TINs, %s, %s bills", what, tinsOfOffice, name, short(s.bills)),
				fmt.Sprintf("%.1f ms", median(took)), "", "", "< 100 ms", median(took) < 100)
		}
		portal.Close()
	}
	return nil
}

// furnish gives a user the office's TINs and a last visit. It returns the criteria for the
// newest month's remittances.
func (s *pageSite) furnish(ctx context.Context, portal *app.App) (paid remittances.Criteria, err error) {
	at := db.At(time.Now())
	statements := []string{
		`INSERT INTO groups (id, name, name_key, kind, created_at, created_by) VALUES (1, 'Office', 'office', 'PROVIDER', $1, 'bench')`,
		`INSERT INTO users (id, user_name, user_name_key, first_name, last_name, first_name_key, last_name_key, email, email_key, type_cd,
			status_cd, group_id, created_at, created_by, updated_at, updated_by)
			VALUES (1, 'bench', 'bench', 'B', 'Ench', 'b', 'ench', 'bench@example.com', 'bench@example.com', 'PRUS', 'ACTIV', 1, $1,
				'bench', $1, 'bench')`,
		`INSERT INTO group_tins (group_id, ftin, added_at, updated_by) SELECT 1, ftin, $1, 'bench'
			FROM (SELECT DISTINCT ftin FROM bills WHERE ftin IN (` + quoted(s.office) + `)) t`,
		`INSERT INTO user_tins (user_id, ftin, added_at, updated_by) SELECT 1, ftin, $1, 'bench' FROM group_tins WHERE group_id = 1`,
	}
	for _, statement := range statements {
		if _, err := db.Exec(ctx, portal.DB.Writer, statement, at); err != nil {
			return paid, err
		}
	}
	var last date.Date
	if err := db.Get(ctx, portal.DB.Reader, &last, `SELECT max(paid_on) FROM remittances
		WHERE ftin IN (`+quoted(s.office)+`)`); err != nil {
		return paid, err
	}
	// The change numbers of each TIN's copies are consecutive.
	var from, to int64
	if err := db.Get(ctx, portal.DB.Reader, &to, `SELECT max(id) FROM bill_changes WHERE ftin IN (`+quoted(s.office)+`)`); err != nil {
		return paid, err
	}
	if err := db.Get(ctx, portal.DB.Reader, &from, `SELECT max(id) FROM bill_changes`); err != nil {
		return paid, err
	}
	if _, err := db.Exec(ctx, portal.DB.Writer, `UPDATE bill_changes SET quiet = $1
		WHERE ftin IN (`+quoted(s.office)+`)`, false); err != nil {
		return paid, err
	}
	window := alerts.Window{To: max(0, to-from/newsOf), Today: date.Of(time.Now()).AddDays(-1)}
	_, err = portal.Alerts.MarkSeen(ctx, looked, window)
	return remittances.Criteria{From: last.AddDays(-29), To: last}, err
}

// quoted formats TINs for a SQL statement.
func quoted(tins []string) string {
	list := make([]string, len(tins))
	for i, tin := range tins {
		list[i] = strconv.Quote(tin)
	}
	return strings.ReplaceAll(strings.Join(list, ", "), `"`, `'`)
}
