// Command simulate runs whole days of offices, staff and an operator on the portal, with faults,
// under one seed, and compares what it does with a small model. A violation is shortened to a
// script that repeats it.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"
)

func main() {
	var err error
	if os.Getenv(hostVariable) != "" {
		err = runHost()
	} else {
		err = simulate()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "simulate:", err)
		os.Exit(1)
	}
}

func writeFile(path, content string) error { return os.WriteFile(path, []byte(content), 0o600) }

func simulate() error {
	seed := flag.Uint64("seed", 0, "seed of the first script; 0 chooses one")
	days := flag.Int("days", 1, "days of a script")
	scripts := flag.Int("scripts", 1, "how many seeds to run; 0: until a violation")
	on := flag.String("on", "sqlite,postgres", "databases")
	file := flag.String("script", "", "run this script instead")
	ignore := flag.String("ignore", "", "an invariant that isn't checked")
	out := flag.String("out", "simulate-failure.json", "file for the shortened script of a violation")
	limit := flag.Duration("limit", 0, "stop after this time; 0: never")
	shorten := flag.Int("shorten", 40, "how often a failing script is run again to shorten it")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if *file != "" {
		script, err := readScript(*file)
		if err != nil {
			return err
		}
		return report(ctx, script, *ignore, *out, 0)
	}
	if *seed == 0 {
		*seed = uint64(time.Now().UnixNano()) % 1_000_000_007
	}
	began, lived := time.Now(), 0
	for n := 0; (*scripts == 0 || n < *scripts) && (*limit == 0 || time.Since(began) < *limit) && ctx.Err() == nil; n++ {
		var all errgroup.Group
		for database := range strings.SplitSeq(*on, ",") {
			lived += *days
			all.Go(func() error { return report(ctx, newScript(*seed+uint64(n), *days, database), *ignore, *out, *shorten) })
		}
		if err := all.Wait(); err != nil {
			return err
		}
	}
	fmt.Printf("%d days of %d offices in %s: %.0f office-days an hour\n", lived, offices, time.Since(began).Round(time.Second),
		float64(offices*lived)/time.Since(began).Hours())
	return nil
}

// offices is the number of offices, with the billing company.
const offices = 4

// report runs a script, says what it did, and shortens and stores it if something is violated.
func report(ctx context.Context, script Script, ignore, out string, tries int) error {
	began := time.Now()
	s, err := run(ctx, script, ignore, os.Stderr)
	if err != nil {
		return fmt.Errorf("seed %d on %s: %w", script.Seed, script.Database, err)
	}
	fmt.Printf("seed %d on %s: %d steps in %s\n%s", script.Seed, script.Database, len(script.Steps),
		time.Since(began).Round(time.Millisecond), s.report())
	if len(s.found) == 0 {
		if len(script.Steps) > 50 && !s.isWorthADay() {
			return errors.New("most calls were refused, so this proves nothing")
		}
		return nil
	}
	found, all := s.found[0], len(script.Steps)
	script = shortened(ctx, script, s, ignore, tries)
	if err := os.WriteFile(out, []byte(script.String()), 0o600); err != nil {
		return err
	}
	return fmt.Errorf("seed %d on %s violates %q; %s has %d of %d steps\n%w", script.Seed, script.Database, found.invariant, out,
		len(script.Steps), all, found)
}
