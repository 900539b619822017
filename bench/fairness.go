package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"sync"
	"time"
)

const (
	greedyConnections = 40
	fairBills         = 20_000
)

// fairness measures response times while one person uses 40 connections to request late pages of
// Open Bills. It compares them with the usual times.
func (b *bench) fairness(ctx context.Context, kind string) error {
	o, end, err := b.openOffice(ctx, kind, fairBills)
	if err != nil {
		return err
	}
	defer end()
	if len(o.people.Readers) < 2 {
		return errors.New("fairness needs two people who read bills")
	}
	greedy, other := o.people.Readers[0], o.people.Readers[1]
	measure := func() (took []float64, err error) {
		for started := time.Now(); time.Since(started) < b.burst; {
			began := time.Now()
			if err := o.call(other.Token, "POST", "/work/bills/search", map[string]any{"filter": struct{}{}}, nil); err != nil {
				return took, err
			}
			took = append(took, float64(time.Since(began).Microseconds())/1000)
			time.Sleep(50 * time.Millisecond) // users' reading time
		}
		return took, nil
	}
	if _, err := measure(); err != nil { // warm-up
		return err
	}
	var quiet, busy []float64
	for range b.rounds {
		usual, err := measure()
		if err != nil {
			return err
		}
		held, letGo := context.WithCancel(ctx)
		client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: greedyConnections}}
		var connections sync.WaitGroup
		for range greedyConnections {
			connections.Go(func() { o.askOnAndOn(held, client, greedy.Token) })
		}
		slowed, err := measure()
		letGo()
		connections.Wait()
		client.CloseIdleConnections()
		if err != nil {
			return err
		}
		quiet, busy = append(quiet, usual...), append(busy, slowed...)
	}
	m, err := o.metrics()
	if err != nil {
		return err
	}
	slices.Sort(quiet)
	slices.Sort(busy)
	for _, at := range []struct {
		name  string
		share int
	}{{"median", 50}, {"p95", 95}} {
		usual, now := quiet[len(quiet)*at.share/100], busy[len(busy)*at.share/100]
		b.table.add(fmt.Sprintf("others' %s while one person has %d connections, %s", at.name, greedyConnections, kind),
			fmt.Sprintf("%.1f ms", now), fmt.Sprintf("%.1f ms usually", usual), fmt.Sprintf("%.2f", usual/now), "< 2 times", now < 2*usual)
	}
	say("%s: resident %.0f MB", kind, m["process_resident_memory_bytes"]/1e6)
	return nil
}

// askOnAndOn requests a late page of Open Bills until the context ends. It waits 100 ms after a
// rejection because client and server share the CPUs.
func (o *office) askOnAndOn(ctx context.Context, client *http.Client, token string) {
	for ctx.Err() == nil {
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, o.url+"/api/work/bills/search",
			bytes.NewReader([]byte(`{"filter":{},"skip":2000}`)))
		if err != nil {
			return
		}
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Authorization", "Bearer "+token)
		res, err := client.Do(req)
		if err != nil {
			return
		}
		_, _ = io.Copy(io.Discard, res.Body)
		res.Body.Close()
		if res.StatusCode == http.StatusTooManyRequests {
			select {
			case <-ctx.Done():
			case <-time.After(100 * time.Millisecond):
			}
		}
	}
}
