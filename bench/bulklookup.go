package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"wcpp/internal/bills/bulklookup"
	"wcpp/internal/identity/access"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
)

// linesAtOnce is the number of lines per lookup, tinsOfOffice the number of TINs.
const (
	linesAtOnce  = 500
	tinsOfOffice = 25
)

// line is a bill as an office knows it.
type line struct {
	Number, Account, Claim string
	ServedOn               date.Date
}

// measureBulkLookup measures a lookup of 500 lines, including its audit entry, against the bare SQL
// statements.
func (b *bench) measureBulkLookup(ctx context.Context, name string, s *pageSite) error {
	var lines []line
	for _, tin := range s.office {
		var some []line
		if err := db.Select(ctx, s.db.Reader, &some, `
			SELECT bill_control_number AS number, patient_control_number AS account, claim_number AS claim, begin_service_date AS served_on
			FROM bills WHERE ftin = $1 AND claim_number <> '' LIMIT 100`, tin); err != nil {
			return err
		}
		lines = append(lines, some...)
	}
	if len(lines) < linesAtOnce {
		return fmt.Errorf("only %d bills to look up", len(lines))
	}
	var took, bare []float64
	for round := range b.rounds + 1 {
		whole, alone, err := s.lookUp(ctx, b.burst, lines)
		if err != nil {
			return err
		}
		if round > 0 { // the first round is a warm-up
			took, bare = append(took, whole), append(bare, alone)
		}
	}
	b.table.add(fmt.Sprintf("find many, %d lines, %s, %s bills", linesAtOnce, name, short(s.bills)), fmt.Sprintf("%.0f ms", median(took)),
		fmt.Sprintf("%.0f ms, its statements alone", median(bare)), fmt.Sprintf("%.2f", median(each(bare, took))), "< 400 ms",
		median(took) < 400)
	return nil
}

// lookUp returns the milliseconds for 500 lines and for their bare SQL statements.
func (s *pageSite) lookUp(ctx context.Context, burst time.Duration, lines []line) (took, bare float64, err error) {
	var calls int
	var inCalls, inStatements time.Duration
	for started := time.Now(); calls == 0 || time.Since(started) < burst; calls++ {
		wanted := make([]bulklookup.LookupRequest, linesAtOnce)
		for i := range wanted {
			s.next++
			l := lines[s.next*7919%len(lines)]
			switch i % 3 {
			case 0:
				wanted[i].BillControlNumber = l.Number
			case 1:
				wanted[i].Account = l.Account
			default:
				wanted[i].ClaimNumber, wanted[i].ServiceDate = l.Claim, l.ServedOn
			}
		}
		s.asked, s.tracing = nil, true
		began := time.Now()
		answers, err := s.lookups.BulkLookup(ctx, access.Actor{}.WithTINs(0, s.office), wanted)
		inCalls += time.Since(began)
		s.tracing = false
		if err == nil && slices.ContainsFunc(answers, func(a bulklookup.LookupResult) bool { return a.Matches == 0 }) {
			err = errors.New("a line finds nothing")
		}
		if err != nil {
			return 0, 0, err
		}
		began = time.Now()
		if err := s.alone(ctx); err != nil {
			return 0, 0, err
		}
		inStatements += time.Since(began)
	}
	milliseconds := func(d time.Duration) float64 { return d.Seconds() * 1000 / float64(calls) }
	return milliseconds(inCalls), milliseconds(inStatements), nil
}
