package main

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"time"
)

const (
	heldStreams = 1000
	// pause is the time a user reads and types between two requests.
	pause = 10 * time.Second
	// soon is the response time that most requests must meet below the saturation point.
	soon = time.Second
	// steady is the duration of each rate.
	steady = 20 * time.Second
)

// morning simulates an office's morning. The load grows to the saturation point, then to twice
// that.
func (b *bench) morning(ctx context.Context, kind string) error {
	// Each request comes from a different address, as through a proxy, so no per-office limit
	// applies.
	o, end, err := b.openOffice(ctx, kind, 5000, "WCPP_TRUSTED_PROXIES=127.0.0.0/8", "WCPP_CALLS_EACH=32", "WCPP_EXPENSIVE_PERCENT=100")
	if err != nil {
		return err
	}
	defer end()
	held, letGo := context.WithCancel(ctx)
	defer letGo()
	each, err := o.weigh(held)
	if err != nil {
		return err
	}
	b.table.add("memory of a held stream, "+kind, fmt.Sprintf("%.0f KB", each/1000), "", "", "< 100 KB", each < 100e3)

	knee, usual, err := o.ramp(ctx, b)
	if err != nil {
		return err
	}
	people := float64(knee) * pause.Seconds() / float64(runtime.NumCPU())
	b.table.add("an office's morning, "+kind, fmt.Sprintf("%d calls a second at the knee", knee),
		fmt.Sprintf("p95 %.0f ms, client on the same cores", usual.P95), "", "", true)
	b.table.add("people served by a core, one call in 10 s each, "+kind, fmt.Sprintf("%.0f", people), "", "", "", true)
	return o.over(ctx, b, knee, usual)
}

// weigh opens the streams and returns the resident memory of each in bytes.
func (o *office) weigh(ctx context.Context) (float64, error) {
	time.Sleep(5 * time.Second)
	before, err := o.metrics()
	if err != nil {
		return 0, err
	}
	if err := o.hold(ctx, heldStreams); err != nil {
		return 0, err
	}
	time.Sleep(5 * time.Second)
	after, err := o.metrics()
	used := func(m map[string]float64) float64 {
		return m["go_memstats_heap_inuse_bytes"] + m["go_memstats_stack_inuse_bytes"]
	}
	say("%s: %d streams: resident %.0f MB, was %.0f; in use %.0f MB, was %.0f", o.kind, heldStreams,
		after["process_resident_memory_bytes"]/1e6, before["process_resident_memory_bytes"]/1e6, used(after)/1e6, used(before)/1e6)
	return (used(after) - used(before)) / heldStreams, err
}

// ramp returns the highest rate with no rejections and nearly all responses on time.
func (o *office) ramp(ctx context.Context, b *bench) (knee int, usual outcome, err error) {
	for rate := 25; ; rate += max(25, rate/4/25*25) {
		run := fmt.Sprintf("ramp%s%d", o.kind, rate)
		got, err := o.put(ctx, b, run, 600, stage{"3s", rate}, stage{steady.String(), rate})
		if err != nil {
			return knee, usual, err
		}
		if err := o.check(ctx, run, got); err != nil {
			return knee, usual, err
		}
		if got.Refused > 0 || got.NotBegun > 0 || got.P95 > float64(soon.Milliseconds()) {
			if knee == 0 {
				return knee, usual, errors.New("the portal is past its knee at 25 calls a second")
			}
			return knee, usual, nil
		}
		knee, usual = rate, got
	}
}

// check reports the result of a load. It fails if a response was wrong or a confirmed write is
// missing.
func (o *office) check(ctx context.Context, run string, got outcome) error {
	lost, err := o.lost(ctx, run, got.wrote)
	if err != nil {
		return err
	}
	writes := len(got.wrote["note"]) + len(got.wrote["roster"])
	say("%s: %s: %d right, %d refused, %d wrong, %d not begun; %d writes, %d lost; median %.0f, p95 %.0f, most %.0f ms",
		o.kind, run, got.Right, got.Refused, got.Wrong, got.NotBegun, writes, lost, got.Median, got.P95, got.Most)
	if len(got.slow) > 0 {
		say("%s: %s: slow: %s", o.kind, run, strings.Join(got.slow, ", "))
	}
	if got.Wrong > 0 || lost > 0 {
		return fmt.Errorf("%s: %d wrong answers, %d of %d writes lost: %v", run, got.Wrong, lost, writes, got.samples)
	}
	return nil
}

// over runs twice the saturation rate for a minute and measures how quickly the portal recovers.
func (o *office) over(ctx context.Context, b *bench, knee int, usual outcome) error {
	const lasting = time.Minute
	rate, run := 2*knee, "over"+o.kind
	ended, calm := make(chan struct{}), make(chan time.Time, 1)
	go func() { calm <- o.calmSince(ctx, ended, max(250, 2*usual.P95)) }()
	got, err := o.put(ctx, b, run, 1000, stage{"1s", rate}, stage{lasting.String(), rate})
	close(ended)
	since := <-calm
	if err != nil {
		return err
	}
	if err := o.check(ctx, run, got); err != nil {
		return err
	}
	after := max(0, since.Sub(time.UnixMilli(int64(got.LastBegun))))
	m, err := o.metrics()
	if err != nil {
		return err
	}
	name := fmt.Sprintf("twice the knee, %s", o.kind)
	b.table.add(name, fmt.Sprintf("%d right, %d refused with Retry-After, 0 wrong, 0 of %d writes lost", got.Right, got.Refused,
		len(got.wrote["note"])+len(got.wrote["roster"])),
		fmt.Sprintf("p95 of right ones %.0f ms", got.P95), "", "none wrong, none lost", true)
	b.table.add("as before, after "+name, fmt.Sprintf("%.1f s", after.Seconds()), "", "", "< 10 s", after < 10*time.Second)
	say("%s: refused by the gate: %.0f; held streams: %d", o.kind, m["wcpp_requests_refused_total"], o.held.Load())
	return nil
}

// calmSince sends requests until the load has ended and ten in a row finish within the limit in
// milliseconds. It returns the time of the first one.
func (o *office) calmSince(ctx context.Context, ended <-chan struct{}, soon float64) time.Time {
	who, since, inRow := o.people.Readers[0], time.Now(), 0
	for ctx.Err() == nil {
		began := time.Now()
		err := o.call(who.Token, "POST", "/work/bills/search", map[string]any{"filter": struct{}{}}, nil)
		if took := time.Since(began); err != nil || float64(took.Milliseconds()) > soon {
			inRow, since = 0, time.Now()
		} else {
			inRow++
		}
		select {
		case <-ended:
			if inRow >= 10 {
				return since
			}
		default:
		}
		time.Sleep(50 * time.Millisecond)
	}
	return since
}
