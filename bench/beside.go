package main

import (
	"context"
	"fmt"
	"slices"
	"time"
)

const (
	besideBills = 20_000
	// maxBeside is the goal for searches during an import, in milliseconds.
	maxBeside = 200
)

// beside measures searches during the import of an 837 file and then of its 835 file into the same
// database.
func (b *bench) beside(ctx context.Context, kind string, claims int) error {
	o, end, err := b.openOffice(ctx, kind, besideBills)
	if err != nil {
		return err
	}
	defer end()
	files, err := b.files(ctx, claims)
	if err != nil {
		return err
	}
	searches := 0
	search := func() (float64, error) {
		reader := o.people.Readers[searches%len(o.people.Readers)] // one alone would reach the limit
		searches++
		began := time.Now()
		err := o.call(reader.Token, "POST", "/work/bills/search", map[string]any{"filter": struct{}{}}, nil)
		return float64(time.Since(began).Microseconds()) / 1000, err
	}
	var idle []float64
	for range 100 {
		took, err := search()
		if err != nil {
			return err
		}
		idle = append(idle, took)
	}
	slices.Sort(idle)
	for _, file := range []struct{ transaction, path string }{{"837", files.professional}, {"835", files.payments}} {
		var took []float64
		var failed error
		ended := make(chan measured, 1)
		go func() {
			var m measured
			m, failed = b.importFile(ctx, o.db.URL, file.path)
			ended <- m
		}()
		var m measured
		for running := true; running; {
			select {
			case m = <-ended:
				running = false
			case <-time.After(50 * time.Millisecond): // users' reading time
				t, err := search()
				if err != nil {
					return err
				}
				took = append(took, t)
			}
		}
		if failed != nil {
			return failed
		}
		slices.Sort(took)
		median, p95 := took[len(took)/2], took[len(took)*95/100]
		say("%s, %s: %d searches, at most %.0f ms; %s records/s, %s", kind, file.transaction, len(took), took[len(took)-1],
			grouped(m.rate), megabytes(m.peak))
		b.table.add(fmt.Sprintf("searches during a %s import, p95, %s", file.transaction, kind),
			fmt.Sprintf("%.1f ms (median %.1f)", p95, median),
			fmt.Sprintf("%.1f ms without (median)", idle[len(idle)/2]), "", fmt.Sprintf("< %d ms", maxBeside), p95 < maxBeside)
	}
	return nil
}
