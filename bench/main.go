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

// options are the command's flags.
type options struct {
	counts   []int // of bills
	imported int
	only     string
	lasting  time.Duration
	rate     int
	kinds    string
	out      string
	bare     string // address of a bare server to run instead
	database string // of the bare server
}

// parseFlags reads the flags. Those of single measurements go to b.
func parseFlags(b *bench) (o options, err error) {
	sizes := flag.String("bills", "100000,1000000,10000000",
		"sizes of the table to search, growing; ten million take some 20 GB and most of the time")
	flag.IntVar(&o.imported, "import", 30_000, "bills of the larger file to import; the smaller one has a tenth")
	flag.DurationVar(&b.burst, "burst", 3*time.Second, "how long one measurement lasts")
	flag.IntVar(&b.rounds, "rounds", 3, "how often each is measured; the median counts")
	flag.StringVar(&o.only, "only", "",
		"only some of: postgres sqlite billpages openbills deadlines cases finding pooler fairness beside users lookups deposits "+
			"import demo "+
			"pages lighthouse; and, only by name, load and soak")
	flag.DurationVar(&o.lasting, "for", time.Hour, "how long the soak lasts on each database")
	flag.IntVar(&o.rate, "rate", 30, "calls a second of the soak")
	flag.StringVar(&o.kinds, "on", "sqlite,postgres", "databases of billpages, openbills, fairness, beside, load and soak")
	flag.StringVar(&o.out, "out", "docs/measurements.md", "file whose generated part gets the rows")
	flag.StringVar(&o.bare, "bare", "", "serve only the portal's search at this address, without measuring; used by the bill search")
	flag.StringVar(&o.database, "database", "", "database of the bare server")
	flag.Parse()
	for s := range strings.SplitSeq(*sizes, ",") {
		n, err := strconv.Atoi(s)
		if err != nil {
			return o, err
		}
		o.counts = append(o.counts, n)
	}
	return o, nil
}

func run() error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	b := &bench{program: "bin/wcpp", postgres: os.Getenv("WCPP_TEST_POSTGRES"), pgbin: os.Getenv("WCPP_PG_BIN")}
	o, err := parseFlags(b)
	if err != nil {
		return err
	}
	if o.bare != "" {
		return serveBare(ctx, o.bare, o.database)
	}
	if b.postgres == "" {
		return fmt.Errorf("no PostgreSQL server: run `make bench`, which starts one")
	}
	if b.dir, err = os.MkdirTemp("", "wcpp-bench"); err != nil {
		return err
	}
	defer os.RemoveAll(b.dir)
	started := time.Now()
	var failed error
	for _, m := range b.measurements(ctx, o) {
		if o.only != "" && !slices.Contains(strings.FieldsFunc(o.only, func(r rune) bool { return r == ',' || r == ' ' }), m.name) {
			continue
		}
		// The others still run, and their results are written even if the run is interrupted.
		if err := m.measure(); err != nil {
			failed = errors.Join(failed, fmt.Errorf("%s: %w", m.name, err))
		}
		if err := errors.Join(ctx.Err(), b.table.write(o.out)); err != nil {
			return errors.Join(failed, err)
		}
	}
	say("%s in all", time.Since(started).Round(time.Second))
	fmt.Print(b.table.markdown())
	return failed
}

// measurement is one that -only can select.
type measurement struct {
	name    string
	measure func() error
}

// measurements returns all in their order. Load and soak exclude the others.
func (b *bench) measurements(ctx context.Context, o options) []measurement {
	if o.only == "load" || o.only == "soak" {
		var list []measurement
		for kind := range strings.SplitSeq(o.kinds, ",") {
			list = append(list, measurement{o.only, func() error {
				if o.only == "load" {
					return b.morning(ctx, kind)
				}
				return b.soak(ctx, kind, o.lasting, o.rate)
			}})
		}
		return list
	}
	return []measurement{
		{"demo", func() error { return b.demo(ctx) }},
		{"pages", func() error { return b.pages("web/dist") }},
		{"lighthouse", func() error { return b.lighthouse(ctx) }},
		{"import", func() error { return b.imports(ctx, o.imported) }},
		{"postgres", func() error { return b.search(ctx, "postgres", o.counts) }},
		{"sqlite", func() error { return b.search(ctx, "sqlite", o.counts) }},
		{"billpages", func() error {
			// A million bills with their facts take about 5 GB. Ten million are created only if
			// requested with -only.
			few := slices.DeleteFunc(slices.Clone(o.counts), func(n int) bool { return n > 1_000_000 && o.only == "" })
			var err error
			for kind := range strings.SplitSeq(o.kinds, ",") {
				err = errors.Join(err, b.billPages(ctx, kind, few))
			}
			return err
		}},
		{"openbills", func() error {
			var err error
			for kind := range strings.SplitSeq(o.kinds, ",") {
				for _, bills := range o.counts {
					if bills >= tinCount*openOfTIN {
						err = errors.Join(err, b.openBills(ctx, kind, bills))
					}
				}
			}
			return err
		}},
		{"deadlines", func() error {
			bills := min(slices.Max(o.counts), 1_000_000)
			return errors.Join(b.deadlines(ctx, "postgres", bills), b.deadlines(ctx, "sqlite", bills))
		}},
		{"cases", func() error {
			cases := min(slices.Max(o.counts), 1_000_000)
			return errors.Join(b.cases(ctx, "postgres", cases), b.cases(ctx, "sqlite", cases))
		}},
		{"finding", func() error {
			most := slices.Max(o.counts)
			return errors.Join(b.finding(ctx, "postgres", most), b.finding(ctx, "sqlite", most))
		}},
		{"pooler", func() error { return b.pooler(ctx, slices.Min(o.counts)) }},
		{"fairness", func() error {
			var err error
			for kind := range strings.SplitSeq(o.kinds, ",") {
				err = errors.Join(err, b.fairness(ctx, kind))
			}
			return err
		}},
		{"beside", func() error {
			var err error
			for kind := range strings.SplitSeq(o.kinds, ",") {
				err = errors.Join(err, b.beside(ctx, kind, o.imported))
			}
			return err
		}},
		{"users", func() error {
			return errors.Join(b.searchUsers(ctx, "postgres"), b.searchUsers(ctx, "sqlite"))
		}},
		{"lookups", func() error {
			return errors.Join(b.lookUp(ctx, "postgres"), b.lookUp(ctx, "sqlite"))
		}},
		{"deposits", func() error {
			return errors.Join(b.depositMatching(ctx, "postgres"), b.depositMatching(ctx, "sqlite"))
		}},
	}
}

// say prints progress.
func say(format string, args ...any) { fmt.Fprintf(os.Stderr, "bench: "+format+"\n", args...) }
