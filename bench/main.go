// Command bench measures the portal against bare database queries in one run on one machine. It
// writes the results next to their goals. `make bench` starts it with its own PostgreSQL server.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// bench is a run with its tools and results.
type bench struct {
	program  string // bin/wcpp
	postgres string // address of a server where databases can be created
	pgbin    string // directory of pgbench
	dir      string // scratch directory
	burst    time.Duration
	rounds   int
	table    table
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run() error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	sizes := flag.String("bills", "100000,1000000,10000000",
		"sizes of the table to search, growing; ten million take some 20 GB and most of the time")
	imported := flag.Int("import", 30_000, "bills of the larger file to import; the smaller one has a tenth")
	burst := flag.Duration("burst", 3*time.Second, "how long one measurement lasts")
	rounds := flag.Int("rounds", 3, "how often each is measured; the median counts")
	only := flag.String("only", "",
		"only some of: postgres sqlite billpages openbills deadlines finding pooler fairness users lookups import demo pages "+
			"lighthouse; and, only by name, load and soak")
	lasting := flag.Duration("for", time.Hour, "how long the soak lasts on each database")
	rate := flag.Int("rate", 30, "calls a second of the soak")
	kinds := flag.String("on", "sqlite,postgres", "databases of billpages, openbills, fairness, load and soak")
	out := flag.String("out", "docs/benchmarks.md", "file whose generated part gets the rows")
	flag.Parse()

	b := &bench{program: "bin/wcpp", postgres: os.Getenv("WCPP_TEST_POSTGRES"), pgbin: os.Getenv("WCPP_PG_BIN"), burst: *burst,
		rounds: *rounds}
	if b.postgres == "" {
		return fmt.Errorf("no PostgreSQL server: run `make bench`, which starts one")
	}
	var counts []int
	for s := range strings.SplitSeq(*sizes, ",") {
		n, err := strconv.Atoi(s)
		if err != nil {
			return err
		}
		counts = append(counts, n)
	}
	var err error
	if b.dir, err = os.MkdirTemp("", "wcpp-bench"); err != nil {
		return err
	}
	defer os.RemoveAll(b.dir)

	type part struct {
		name    string
		measure func() error
	}
	parts := []part{
		{"demo", func() error { return b.demo(ctx) }},
		{"pages", func() error { return b.pages("web/dist") }},
		{"lighthouse", func() error { return b.lighthouse(ctx) }},
		{"import", func() error { return b.imports(ctx, *imported) }},
		{"postgres", func() error { return b.search(ctx, "postgres", counts) }},
		{"sqlite", func() error { return b.search(ctx, "sqlite", counts) }},
		{"billpages", func() error {
			// A million bills with their facts take about 5 GB. Ten million are created only if
			// requested with -only.
			few := slices.DeleteFunc(slices.Clone(counts), func(n int) bool { return n > 1_000_000 && *only == "" })
			var err error
			for kind := range strings.SplitSeq(*kinds, ",") {
				err = errors.Join(err, b.billPages(ctx, kind, few))
			}
			return err
		}},
		{"openbills", func() error {
			var err error
			for kind := range strings.SplitSeq(*kinds, ",") {
				for _, bills := range counts {
					if bills >= tinCount*openOfTIN {
						err = errors.Join(err, b.openBills(ctx, kind, bills))
					}
				}
			}
			return err
		}},
		{"deadlines", func() error {
			bills := min(slices.Max(counts), 1_000_000)
			return errors.Join(b.deadlines(ctx, "postgres", bills), b.deadlines(ctx, "sqlite", bills))
		}},
		{"finding", func() error {
			most := slices.Max(counts)
			return errors.Join(b.finding(ctx, "postgres", most), b.finding(ctx, "sqlite", most))
		}},
		{"pooler", func() error { return b.pooler(ctx, slices.Min(counts)) }},
		{"fairness", func() error {
			var err error
			for kind := range strings.SplitSeq(*kinds, ",") {
				err = errors.Join(err, b.fairness(ctx, kind))
			}
			return err
		}},
		{"users", func() error {
			return errors.Join(b.searchUsers(ctx, "postgres"), b.searchUsers(ctx, "sqlite"))
		}},
		{"lookups", func() error {
			return errors.Join(b.lookUp(ctx, "postgres"), b.lookUp(ctx, "sqlite"))
		}},
	}
	if *only == "load" || *only == "soak" {
		parts = parts[:0]
		for kind := range strings.SplitSeq(*kinds, ",") {
			parts = append(parts, part{*only, func() error {
				if *only == "load" {
					return b.morning(ctx, kind)
				}
				return b.soak(ctx, kind, *lasting, *rate)
			}})
		}
	}
	started := time.Now()
	for _, p := range parts {
		if *only != "" && !slices.Contains(strings.FieldsFunc(*only, func(r rune) bool { return r == ',' || r == ' ' }), p.name) {
			continue
		}
		if err := p.measure(); err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
		// If the run is interrupted, the results so far are still written.
		if err := b.table.write(*out); err != nil {
			return err
		}
	}
	say("%s in all", time.Since(started).Round(time.Second))
	fmt.Print(b.table.markdown())
	return nil
}

// say prints progress.
func say(format string, args ...any) { fmt.Fprintf(os.Stderr, "bench: "+format+"\n", args...) }
