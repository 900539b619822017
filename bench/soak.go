package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"wcpp/internal/platform/db"
)

// flat lists tables that must not grow during an hour of steady work. Expired rows are deleted
// every minute.
var flat = []string{"sessions", "sso_codes", "rate_limits", "sign_in_attempts", "sign_in_sources", "instances", "user_notifications",
	"form_keys"}

// growing lists tables that grow with the work, until each retention period ends.
var growing = []string{"audit_log", "bill_notes", "roster_uploads", "river_job"}

// sample is the portal's resource usage at one time.
type sample struct {
	at     time.Time
	values map[string]float64
}

// soak puts a steady load on a portal and compares the last third of the run with the second.
// Memory, descriptors, goroutines, the write-ahead log and tables must not grow.
func (b *bench) soak(ctx context.Context, kind string, lasting time.Duration, rate int) error {
	o, end, err := b.openOffice(ctx, kind, 5000)
	if err != nil {
		return err
	}
	defer end()
	held, letGo := context.WithCancel(ctx)
	defer letGo()
	if err := o.hold(held, 200); err != nil {
		return err
	}
	say("%s: %d calls a second for %s ...", kind, rate, lasting)
	done := make(chan error, 1)
	var got outcome
	run := "soak" + kind
	go func() {
		var err error
		got, err = o.put(ctx, b, run, 200, stage{"10s", rate}, stage{lasting.String(), rate})
		done <- err
	}()
	var samples []sample
	tick := time.NewTicker(min(30*time.Second, lasting/30))
	defer tick.Stop()
	for going := true; going; {
		select {
		case err := <-done:
			if err != nil {
				return err
			}
			going = false
		case <-tick.C:
			s, err := o.sample(ctx)
			if err != nil {
				return err
			}
			samples = append(samples, s)
			say("%s %s: %s", kind, s.at.Format("15:04:05"), s)
		}
	}
	lost, err := o.lost(ctx, run, got.wrote)
	if err != nil {
		return err
	}
	say("%s: %d right, %d refused, %d wrong, %d lost, p95 %.0f ms %v", kind, got.Right, got.Refused, got.Wrong, lost, got.P95, got.samples)
	if got.Wrong > 0 || lost > 0 {
		err = fmt.Errorf("%s: %d wrong answers, %d lost writes", kind, got.Wrong, lost)
	}
	return errors.Join(err, b.judge(kind, samples))
}

// room is the allowed increase of the last third's mean over the second's, in addition to 10%.
// Garbage collection and periodic writes cause some variation.
var room = map[string]float64{"resident": 12e6, "descriptors": 10, "goroutines": 20, "log": 8e6}

// judge compares the last third of the samples with the second.
func (b *bench) judge(kind string, samples []sample) (err error) {
	third := len(samples) / 3
	if third == 0 {
		return errors.New("too few samples")
	}
	mean := func(name string, of []sample) float64 {
		sum := 0.0
		for _, s := range of {
			sum += s.values[name]
		}
		return sum / float64(len(of))
	}
	for _, name := range append([]string{"resident", "descriptors", "goroutines", "log"}, flat...) {
		before, last := mean(name, samples[third:2*third]), mean(name, samples[2*third:])
		most := before*1.1 + max(room[name], 20)
		b.table.add(fmt.Sprintf("%s after %s of steady work, %s", name, samples[len(samples)-1].at.Sub(samples[0].at).Round(time.Minute),
			kind),
			fmt.Sprintf("%.0f", last), fmt.Sprintf("%.0f before", before), "", "stays", last <= most)
		if last > most {
			err = errors.Join(err, fmt.Errorf("%s: %s grows: %.0f, and %.0f before", kind, name, last, before))
		}
	}
	for _, name := range growing {
		say("%s: %s from %.0f to %.0f rows", kind, name, samples[0].values[name], samples[len(samples)-1].values[name])
	}
	return err
}

func (s sample) String() string {
	var parts []string
	for _, name := range append(append([]string{"resident", "descriptors", "goroutines", "log"}, flat...), growing...) {
		parts = append(parts, fmt.Sprintf("%s %.0f", name, s.values[name]))
	}
	return strings.Join(parts, ", ")
}

// sample reads the program's metrics and the database.
func (o *office) sample(ctx context.Context) (sample, error) {
	s := sample{time.Now(), map[string]float64{}}
	metrics, err := o.metrics()
	if err != nil {
		return s, err
	}
	for name, metric := range map[string]string{"resident": "process_resident_memory_bytes", "descriptors": "process_open_fds",
		"goroutines": "go_goroutines"} {
		s.values[name] = metrics[metric]
	}
	for _, table := range append(append([]string{}, flat...), growing...) {
		var n int64
		if err := db.Get(ctx, o.db.Reader, &n, "SELECT count(*) FROM "+table); err != nil { //nolint:gosec // a table of ours
			return s, err
		}
		s.values[table] = float64(n)
	}
	if o.kind == "postgres" {
		var bytes int64
		err = db.Get(ctx, o.db.Reader, &bytes, `SELECT coalesce(sum(size), 0)::bigint FROM pg_ls_waldir()`)
		s.values["log"] = float64(bytes)
		return s, err
	}
	path, _ := db.Path(o.db.URL)
	info, err := os.Stat(filepath.Clean(path + "-wal"))
	if err == nil {
		s.values["log"] = float64(info.Size())
	}
	return s, err
}

// metrics returns the program's metrics, summed over labels.
func (o *office) metrics() (map[string]float64, error) {
	res, err := http.Get(o.url + "/metrics")
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return nil, errors.New("/metrics answered " + strconv.Itoa(res.StatusCode))
	}
	values := map[string]float64{}
	lines := bufio.NewScanner(res.Body)
	for lines.Scan() {
		series, value, is := strings.Cut(lines.Text(), " ")
		if strings.HasPrefix(series, "#") || !is {
			continue
		}
		if braces := strings.LastIndexByte(lines.Text(), '}'); braces >= 0 { // label values can contain spaces
			value = strings.TrimSpace(lines.Text()[braces+1:])
		}
		n, err := strconv.ParseFloat(value, 64)
		if err != nil {
			return nil, err
		}
		name, _, _ := strings.Cut(series, "{")
		values[name] += n
	}
	return values, lines.Err()
}
