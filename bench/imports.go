package main

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"wcpp/internal/demo"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/intake"
)

// pageCache is what SQLite's cache of 32 MB takes at most: its allocator rounds
// each page up to twice its size.
const pageCache = 75_000_000

// imports measures taking 837 files against inserting the same rows with
// nothing around it.
func (b *bench) imports(ctx context.Context, count int) error {
	small, err := b.claims(ctx, count/10)
	if err != nil {
		return err
	}
	large, err := b.claims(ctx, count)
	if err != nil {
		return err
	}
	for _, kind := range []struct{ id, name string }{{"postgres", "PostgreSQL"}, {"sqlite", "SQLite"}} {
		say("%s: importing %d bills ...", kind.name, count)
		var rates, bareRates []float64
		var memory, memoryOfSmall int64
		for round := range b.rounds {
			_, peak, err := b.importInto(ctx, kind.id, fmt.Sprintf("small_%s_%d", kind.id, round), small, nil)
			if err != nil {
				return err
			}
			memoryOfSmall = max(memoryOfSmall, peak)
			var same rows
			rate, peak, err := b.importInto(ctx, kind.id, fmt.Sprintf("import_%s_%d", kind.id, round), large, &same)
			if err != nil {
				return err
			}
			memory = max(memory, peak)
			bare, err := b.insert(ctx, kind.id, fmt.Sprintf("insert_%s_%d", kind.id, round), same)
			if err != nil {
				return err
			}
			rates, bareRates = append(rates, rate), append(bareRates, bare)
		}
		ratio := median(each(rates, bareRates))
		b.table.add("837 import, "+kind.name, grouped(median(rates))+" bills/s", grouped(median(bareRates))+" rows/s, batched inserts",
			fmt.Sprintf("%.2f", ratio), "≥ 0.5", ratio >= 0.5)
		growth, goal := float64(memory)/float64(memoryOfSmall), "< 1.3"
		flat := growth < 1.3
		if kind.id == "sqlite" {
			// A small file does not fill the cache of the database that it makes.
			flat, goal = flat || memory-memoryOfSmall < pageCache, "< 1.3, or the page cache"
		}
		b.table.add(fmt.Sprintf("837 import, %s, peak memory, file of %s → %s bills", kind.name, short(count/10), short(count)),
			megabytes(memoryOfSmall)+" → "+megabytes(memory), "", fmt.Sprintf("%.2f", growth), goal, flat)
	}
	return nil
}

// claims writes an 837 file of at most so many invented bills.
func (b *bench) claims(ctx context.Context, count int) (string, error) {
	file := filepath.Join(b.dir, fmt.Sprintf("claims-%d.837", count))
	_, err := demo.Files(ctx, date.New(2026, 1, 15), count, func(name string) (io.WriteCloser, error) {
		if name == "bills-professional.edi" {
			return os.Create(file)
		}
		return discard{}, nil
	})
	return file, err
}

type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }
func (discard) Close() error                { return nil }

// rows are a table's rows with the names of its columns.
type rows struct {
	columns []string
	values  [][]any
}

// importInto takes the file into a database of its own, by the program. It
// answers bills per second, the most memory it held, and what it stored.
func (b *bench) importInto(ctx context.Context, kind, name, file string, stored *rows) (rate float64, peak int64, err error) {
	address, drop, err := b.database(ctx, kind, name)
	if err != nil {
		return 0, 0, err
	}
	defer drop()
	var out bytes.Buffer
	command := exec.CommandContext(ctx, b.program, "import", "x12", "--take-test", "--json", "--database-url", address, "--data", b.dir, file)
	command.Stdout = &out
	if err := command.Start(); err != nil {
		return 0, 0, err
	}
	ended := make(chan error, 1)
	go func() { ended <- command.Wait() }()
	for running := true; running; {
		select {
		case err = <-ended:
			running = false
		case <-time.After(10 * time.Millisecond):
			// What is mapped of SQLite's file is the system's cache, not the program's memory.
			kb, _ := procField(fmt.Sprintf("/proc/%d/status", command.Process.Pid), "RssAnon")
			peak = max(peak, kb<<10)
		}
	}
	if err != nil {
		return 0, 0, fmt.Errorf("import: %w: %s", err, out.Bytes())
	}
	var report intake.Report
	if err := json.Unmarshal(out.Bytes(), &report); err != nil {
		return 0, 0, err
	}
	if report.Taken == 0 || report.Taken != report.Records {
		return 0, 0, fmt.Errorf("%d of %d bills were taken", report.Taken, report.Records)
	}
	if stored != nil {
		if err := stored.read(ctx, address); err != nil {
			return 0, 0, err
		}
	}
	return float64(report.Records) / report.Duration.Seconds(), peak, nil
}

func (r *rows) read(ctx context.Context, address string) error {
	d, err := db.Open(ctx, address)
	if err != nil {
		return err
	}
	defer d.Close()
	found, err := d.Reader.QueryContext(ctx, `SELECT * FROM bills`)
	if err != nil {
		return err
	}
	defer found.Close()
	if r.columns, err = found.Columns(); err != nil {
		return err
	}
	for found.Next() {
		values, into := make([]any, len(r.columns)), make([]any, len(r.columns))
		for i := range values {
			into[i] = &values[i]
		}
		if err := found.Scan(into...); err != nil {
			return err
		}
		r.values = append(r.values, values)
	}
	return found.Err()
}

// insert stores the rows in batches of the importer's size and answers how
// many it stored in a second.
func (b *bench) insert(ctx context.Context, kind, name string, r rows) (float64, error) {
	const perTransaction, perStatement = 500, 50
	address, drop, err := b.database(ctx, kind, name)
	if err != nil {
		return 0, err
	}
	defer drop()
	d, err := db.Open(ctx, address)
	if err != nil {
		return 0, err
	}
	defer d.Close()
	started := time.Now()
	for batch := range slices.Chunk(r.values, perTransaction) {
		if err := d.Tx(ctx, func(tx *sql.Tx) error {
			for part := range slices.Chunk(batch, perStatement) {
				tuples := make([]string, len(part))
				for i := range part {
					tuples[i] = "(" + db.In(i*len(r.columns)+1, len(r.columns)) + ")"
				}
				if _, err := db.Exec(ctx, tx, "INSERT INTO bills ("+strings.Join(r.columns, ", ")+") VALUES "+strings.Join(tuples, ", "),
					slices.Concat(part...)...); err != nil {
					return err
				}
			}
			return nil
		}); err != nil {
			return 0, err
		}
	}
	return float64(len(r.values)) / time.Since(started).Seconds(), nil
}
