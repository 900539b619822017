package app_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/app"
	"wcpp/internal/identity/access"
	"wcpp/internal/platform/db"
)

// manyOpen makes copies of a TIN's open bill.
func (p *portal) manyOpen(ftin string, copies int) {
	p.t.Helper()
	ctx := p.t.Context()
	rows, err := p.DB.Reader.QueryContext(ctx, `SELECT * FROM bills WHERE ftin = $1 AND open_state <> 'F' LIMIT 1`, ftin)
	require.NoError(p.t, err)
	defer rows.Close()
	columns, err := rows.Columns()
	require.NoError(p.t, errors.Join(err, rows.Err(), rows.Close()))
	var values []string
	for _, c := range columns {
		if c == "bill_control_number" || c == "bill_control_number_key" {
			c = "'c' || n.i"
		}
		values = append(values, c)
	}
	if _, err := db.Exec(ctx, p.DB.Writer, `INSERT INTO bills (`+strings.Join(columns, ", ")+`)
		WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < $1)
		SELECT `+strings.Join(values, ", ")+` FROM (SELECT * FROM bills WHERE ftin = $2 AND open_state <> 'F' LIMIT 1) b CROSS JOIN n`,
		copies, ftin); err != nil {
		p.t.Fatal(err)
	}
}

// While one person requests late pages of Open Bills on 40 connections, others get responses
// nearly as fast as usual. The test measures both in alternation because machines and load vary.
func TestOnePersonDelaysNoOthers(t *testing.T) {
	each(t, func(c *app.Config) { c.ExpensiveCalls = 1_000_000 }, func(t *testing.T, p *portal) {
		p.onFile()
		p.add("greedy", access.PRAD, 0, "444444444", "555555555")
		p.manyOpen("444444444", 10_000)
		greedy, other := bearer(p.signIn("greedy")), bearer(p.signIn("prad"))
		ask := func(ctx context.Context, token option, path, body string) int {
			r, err := http.NewRequestWithContext(ctx, http.MethodPost, p.url+"/api"+path, bytes.NewReader([]byte(body)))
			if err != nil {
				t.Error(err)
				return 0
			}
			r.Header.Set("Content-Type", "application/json")
			token(r)
			answer, err := http.DefaultClient.Do(r)
			if err != nil {
				return 0 // the round has ended
			}
			defer answer.Body.Close()
			_, _ = io.Copy(io.Discard, answer.Body)
			return answer.StatusCode
		}
		measure := func() (took []time.Duration) {
			for range 150 {
				began := time.Now()
				assert.Equal(t, http.StatusOK, ask(t.Context(), other, "/work/bills/search", `{"filter":{}}`))
				took = append(took, time.Since(began))
			}
			return took
		}
		var quiet, busy []time.Duration
		var mu sync.Mutex
		statuses := map[int]int{}
		for range 4 {
			quiet = append(quiet, measure()...)
			ctx, end := context.WithCancel(t.Context())
			var connections sync.WaitGroup
			for range 40 {
				connections.Go(func() {
					for ctx.Err() == nil {
						status := ask(ctx, greedy, "/work/bills/search", `{"filter":{},"skip":2000}`)
						mu.Lock()
						statuses[status]++
						mu.Unlock()
						if status == http.StatusTooManyRequests {
							select { // this test isn't about rejections
							case <-ctx.Done():
							case <-time.After(100 * time.Millisecond):
							}
						}
					}
				})
			}
			busy = append(busy, measure()...)
			end()
			connections.Wait()
		}
		delete(statuses, 0)
		for status := range statuses {
			if status != http.StatusOK && status != http.StatusTooManyRequests {
				t.Errorf("the person with many connections is answered %v", statuses)
			}
		}
		slices.Sort(quiet)
		slices.Sort(busy)
		median := func(list []time.Duration) time.Duration { return list[len(list)/2] }
		p95 := func(list []time.Duration) time.Duration { return list[len(list)*95/100] }
		t.Logf("median %s, usually %s; p95 %s, usually %s; %v", median(busy), median(quiet), p95(busy), p95(quiet), statuses)
		// Client and server share the CPUs here. Without sharing limits it takes minutes.
		if median(busy) > 6*median(quiet) {
			t.Errorf("others wait %s, usually %s", median(busy), median(quiet))
		}
	})
}
