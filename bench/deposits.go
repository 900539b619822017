package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"wcpp/internal/bills/deposits"
	"wcpp/internal/bills/ledger/derive"
	"wcpp/internal/identity/access"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/money"
)

// depositLines is the length of a bank's list.
const depositLines = 5_000

// fillRemittances creates remittances of an office's TINs, spread evenly over some days.
const fillRemittances = `INSERT INTO remittances (ftin, remittance, trace_number, payer, payer_tax_id, payer_id, payer_name, paid_on,
	handling, method, payees, amount, paid, adjusted, bills, reversals, balanced, contacts, file_sha256, set_offset, set_length,
	first_seen_at, trace_number_key, payer_name_key, rules)
WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < {{rows}})
SELECT '' || (100000000 + i % 25), '' || i, '' || (400000000 + i), 'p' || (i % 9), '', 'P', 'Payer ' || (i % 9), {{day}},
	'I', 'CHK', 1, 1000 + (i % 250000 * 7919 % 900000), 1000 + (i % 250000 * 7919 % 900000), 0, 3, 0, {{yes}}, '[]', '', 0, 0,
	'2026-01-01T00:00:00Z', '' || (400000000 + i), 'payer ' || (i % 9), {{rules}} FROM n`

// depositMatching measures how long a list of 5,000 deposits takes against a million remittances of
// a year, and against as many as the list's days can have.
func (b *bench) depositMatching(ctx context.Context, kind string) error {
	return errors.Join(b.matchDeposits(ctx, kind, "of a year", 365, 1_000_000), b.matchDeposits(ctx, kind, "to compare", 15, 300_000))
}

func (b *bench) matchDeposits(ctx context.Context, kind, name string, days, rows int) error {
	portal, drop, err := b.inside(ctx, kind, fmt.Sprintf("deposits%d", days), rows)
	if err != nil {
		return err
	}
	defer drop()
	today := date.Of(time.Now())
	day, yes := fmt.Sprintf("date('%s', '-' || (i %% %d) || ' days')", today, days), "1"
	if kind == "postgres" {
		day, yes = fmt.Sprintf("date '%s' - i %% %d", today, days), "true"
	}
	fill := strings.NewReplacer("{{rows}}", fmt.Sprint(rows), "{{rules}}", fmt.Sprint(derive.Rules),
		"{{day}}", day, "{{yes}}", yes).Replace(fillRemittances)
	if err := withoutIndexes(ctx, portal.DB, "remittances", func() error {
		return db.Run(ctx, portal.DB.Writer, fill)
	}); err != nil {
		return err
	}
	if _, err := db.Exec(ctx, portal.DB.Writer, "ANALYZE"); err != nil {
		return err
	}
	var tins []string
	for i := range tinsOfOffice {
		tins = append(tins, fmt.Sprint(100_000_000+i))
	}
	actor, table := access.Actor{}.WithTINs(0, tins), depositTable(today, days)
	var took []float64
	for round := range b.rounds + 1 {
		began := time.Now()
		r, err := portal.Deposits.Match(ctx, actor, table, 2_000)
		if err != nil {
			return err
		}
		matched := 0
		for _, l := range r.Lines {
			if l.Answer == deposits.Matched {
				matched++
			}
		}
		if matched < depositLines/2 {
			return fmt.Errorf("only %d deposits match", matched)
		}
		if round > 0 { // the first round is a warm-up
			took = append(took, time.Since(began).Seconds())
		}
	}
	b.table.add(fmt.Sprintf("match %d deposits, %s, %s remittances %s", depositLines, kind, short(rows), name),
		fmt.Sprintf("%.2f s", median(took)), "", "", "< 3 s", median(took) < 3)
	return nil
}

// depositTable returns a bank's list of the last five days: most lines match, some have another
// trace number, another amount, or neither.
func depositTable(today date.Date, days int) deposits.Table {
	t := deposits.Table{Columns: []deposits.Column{{Index: 0, Kind: deposits.Date}, {Index: 1, Kind: deposits.Amount},
		{Index: 2, Kind: deposits.Trace}}}
	for n := range depositLines {
		ago := n % 5
		i := n/5*days + ago
		cents, trace := int64(1000+i%250_000*7919%900_000), fmt.Sprint(400_000_000+i)
		switch n % 10 {
		case 7:
			trace = ""
		case 8:
			cents -= 100
		case 9:
			cents, trace = cents+3, "9"+trace
		}
		t.Rows = append(t.Rows, []string{today.AddDays(-ago).US(), money.Text(cents), trace})
	}
	return t
}
