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
	"wcpp/internal/platform/ingest"
)

// pageCache is the maximum size of SQLite's 32 MB cache. Its allocator rounds each page up to
// twice its size.
const pageCache = 75_000_000

// imports measures importing an 837 file and its 835 file against inserting the same rows
// directly.
func (b *bench) imports(ctx context.Context, count int) error {
	small, err := b.files(ctx, count/10)
	if err != nil {
		return err
	}
	large, err := b.files(ctx, count)
	if err != nil {
		return err
	}
	for _, kind := range []struct{ id, name string }{{"postgres", "PostgreSQL"}, {"sqlite", "SQLite"}} {
		say("%s: importing %d bills ...", kind.name, count)
		rates, bareRates := map[string][]float64{}, map[string][]float64{}
		var memory, memoryOfSmall int64
		for round := range b.rounds {
			measured, err := b.importInto(ctx, kind.id, fmt.Sprintf("small_%s_%d", kind.id, round), small)
			if err != nil {
				return err
			}
			memoryOfSmall = max(memoryOfSmall, measured["837"].peak)
			if measured, err = b.importInto(ctx, kind.id, fmt.Sprintf("import_%s_%d", kind.id, round), large); err != nil {
				return err
			}
			memory = max(memory, measured["837"].peak)
			for transaction, m := range measured {
				bare, err := b.insert(ctx, kind.id, fmt.Sprintf("insert_%s_%s_%d", transaction, kind.id, round), m)
				if err != nil {
					return err
				}
				rates[transaction], bareRates[transaction] = append(rates[transaction], m.rate), append(bareRates[transaction], bare)
			}
		}
		for _, t := range []struct {
			transaction, unit string
			goal              float64
		}{{"837", "bills", 0.5}, {"835", "payments", 0.45}} {
			rates, bareRates := rates[t.transaction], bareRates[t.transaction]
			ratio := median(each(rates, bareRates))
			b.table.add(t.transaction+" import, "+kind.name, grouped(median(rates))+" "+t.unit+"/s",
				grouped(median(bareRates))+"/s, batched inserts of all their rows",
				fmt.Sprintf("%.2f", ratio), fmt.Sprintf("≥ %g", t.goal), ratio >= t.goal)
		}
		growth, goal := float64(memory)/float64(memoryOfSmall), "< 1.3"
		flat := growth < 1.3
		if kind.id == "sqlite" {
			// A small file doesn't fill the database cache.
			flat, goal = flat || memory-memoryOfSmall < pageCache, "< 1.3, or the page cache"
		}
		b.table.add(fmt.Sprintf("837 import, %s, peak memory, file of %s → %s bills", kind.name, short(count/10), short(count)),
			megabytes(memoryOfSmall)+" → "+megabytes(memory), "", fmt.Sprintf("%.2f", growth), goal, flat)
	}
	return nil
}

// feedFiles are the files for a set of generated bills.
type feedFiles struct{ dir, professional, institutional, payments string }

// files writes X12 files with the given number of generated bills.
func (b *bench) files(ctx context.Context, count int) (feedFiles, error) {
	dir := filepath.Join(b.dir, fmt.Sprint("files-", count))
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return feedFiles{}, err
	}
	_, err := demo.Files(ctx, date.New(2026, 1, 15), count, func(name string) (io.WriteCloser, error) {
		if strings.HasSuffix(name, ".edi") {
			return os.Create(filepath.Join(dir, name))
		}
		return discard{}, nil
	})
	in := func(name string) string { return filepath.Join(dir, name) }
	return feedFiles{dir, in("bills-professional.edi"), in("bills-institutional.edi"), in("payments.edi")}, err
}

type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }
func (discard) Close() error                { return nil }

// measured is an import result: records per second, peak memory and the stored rows.
type measured struct {
	rate    float64
	peak    int64
	records int
	stored  []rows
}

// rows has a table's rows and column names.
type rows struct {
	table   string
	columns []string
	values  [][]any
}

// filled lists the tables that an import fills, with the rows to count.
var filled = map[string][][2]string{
	"837": {{"submissions", ""}, {"bill_links", ""}, {"bills", ""}, {"bill_changes", ""}, {"payee_tins", ""}},
	"835": {{"payments", ""}, {"remittance_sets", ""}, {"adjustments", ""}, {"remittances", ""}, {"bill_links", "WHERE payment"},
		{"bills", "WHERE check_number <> ''"},
		{"bill_changes", "WHERE kind IN ('PAID', 'PAID_SHORT', 'DENIED', 'REVERSED')"}},
}

// importInto runs the program to import an 837 file and then its 835 file into a separate
// database.
func (b *bench) importInto(ctx context.Context, kind, name string, files feedFiles) (map[string]measured, error) {
	address, drop, err := b.database(ctx, kind, name)
	if err != nil {
		return nil, err
	}
	defer drop()
	found := map[string]measured{}
	for _, step := range []struct {
		transaction, file string
	}{{"837", files.professional}, {"", files.institutional}, {"835", files.payments}} {
		m, err := b.importFile(ctx, address, step.file)
		if err != nil {
			return nil, err
		}
		if step.transaction == "" {
			continue
		}
		if m.stored, err = read(ctx, address, filled[step.transaction]); err != nil {
			return nil, err
		}
		found[step.transaction] = m
	}
	return found, nil
}

func (b *bench) importFile(ctx context.Context, address, file string) (m measured, err error) {
	var out bytes.Buffer
	command := exec.CommandContext(ctx, b.program, "import", "x12", "--take-test", "--json", "--database-url", address, "--data",
		b.dir, file)
	command.Stdout = &out
	if err := command.Start(); err != nil {
		return m, err
	}
	ended := make(chan error, 1)
	go func() { ended <- command.Wait() }()
	for running := true; running; {
		select {
		case err = <-ended:
			running = false
		case <-time.After(10 * time.Millisecond):
			// Mapped SQLite pages belong to the system cache, not to the program's memory.
			kb, _ := procField(fmt.Sprintf("/proc/%d/status", command.Process.Pid), "RssAnon")
			m.peak = max(m.peak, kb<<10)
		}
	}
	if err != nil {
		return m, fmt.Errorf("import: %w: %s", err, out.Bytes())
	}
	var report ingest.Report
	if err := json.Unmarshal(out.Bytes(), &report); err != nil {
		return m, err
	}
	if report.Imported == 0 || report.Imported != report.Records {
		return m, fmt.Errorf("%d of %d records of %s were taken", report.Imported, report.Records, file)
	}
	m.records, m.rate = int(report.Records), float64(report.Records)/report.Duration.Seconds()
	return m, nil
}

func read(ctx context.Context, address string, tables [][2]string) ([]rows, error) {
	d, err := db.Open(ctx, address)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	list := make([]rows, len(tables))
	for i, t := range tables {
		if list[i], err = readTable(ctx, d, t[0], t[1]); err != nil {
			return nil, err
		}
	}
	return list, nil
}

func readTable(ctx context.Context, d *db.DB, table, which string) (rows, error) {
	r := rows{table: table}
	found, err := d.Reader.QueryContext(ctx, "SELECT * FROM "+table+" "+which)
	if err != nil {
		return r, err
	}
	defer found.Close()
	all, err := found.Columns()
	if err != nil {
		return r, err
	}
	// The database generates these.
	given := func(column string) bool { return column == "id" || column == "transaction_id" }
	r.columns = slices.DeleteFunc(slices.Clone(all), given)
	for found.Next() {
		values, into := make([]any, 0, len(all)), make([]any, len(all))
		for i, column := range all {
			if into[i] = new(any); !given(column) {
				values = append(values, into[i])
			}
		}
		if err := found.Scan(into...); err != nil {
			return r, err
		}
		for i, v := range values {
			values[i] = *v.(*any)
		}
		r.values = append(r.values, values)
	}
	return r, found.Err()
}

// insert stores the rows in batches of the importer's size and returns records per second.
func (b *bench) insert(ctx context.Context, kind, name string, m measured) (float64, error) {
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
	batches := (m.records + perTransaction - 1) / perTransaction
	started := time.Now()
	for i := range batches {
		if err := d.Tx(ctx, func(tx *sql.Tx) error {
			for _, r := range m.stored {
				from, to := len(r.values)*i/batches, len(r.values)*(i+1)/batches
				for part := range slices.Chunk(r.values[from:to], perStatement) {
					tuples := make([]string, len(part))
					for i := range part {
						tuples[i] = "(" + db.In(i*len(r.columns)+1, len(r.columns)) + ")"
					}
					if _, err := db.Exec(ctx, tx, "INSERT INTO "+r.table+" ("+strings.Join(r.columns, ", ")+") VALUES "+
						strings.Join(tuples, ", "),
						slices.Concat(part...)...); err != nil {
						return err
					}
				}
			}
			return nil
		}); err != nil {
			return 0, err
		}
	}
	return float64(m.records) / time.Since(started).Seconds(), nil
}
