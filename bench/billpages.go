package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"wcpp/internal/bills/billtest"
	"wcpp/internal/bills/bulklookup"
	"wcpp/internal/bills/detail"
	"wcpp/internal/bills/record"
	"wcpp/internal/identity/access"
	"wcpp/internal/identity/tins"
	"wcpp/internal/platform"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/fileexport"
	"wcpp/internal/platform/ratelimit"
	"wcpp/internal/platform/seal"
	"wcpp/internal/platform/settings"
)

// seedBills is the number of generated bills to import. The rest are copies under other TINs.
// Related bills always share a TIN.
const seedBills = 2000

// copiesAtOnce is the number of copies that one statement makes.
const copiesAtOnce = 100

// copied lists the bill tables. Each has a TIN column.
var copied = []string{"submissions", "payments", "bill_links", "bill_numbers", "bills", "bill_changes", "remittances"}

// pageSite is a database of a given size with the bills service on it.
type pageSite struct {
	traced
	bills   int
	address string
	pages   *detail.Service
	lookups *bulklookup.Service
	sealer  *seal.Sealer
	found   []pageKey
	next    int
	office  []string  // TINs of an office
	took    []float64 // ms per page, one value per round
	bare    []float64
}

// pageKey is the content of a page's sealed ID.
type pageKey struct{ FTIN, Key string }

// billPages measures the bill page, including its audit entry, against its bare SQL statements.
// It then measures other office requests on growing tables.
func (b *bench) billPages(ctx context.Context, kind string, sizes []int) error {
	var sites []*pageSite
	for _, n := range sizes {
		say("%s: making %d bills with their facts ...", kind, n)
		s := &pageSite{bills: n}
		address, drop, err := b.database(ctx, kind, fmt.Sprintf("billpages_%s_%d", kind, n))
		if err != nil {
			return err
		}
		defer drop()
		s.address = address
		if err := b.openPages(ctx, s, kind, address); err != nil {
			return err
		}
		defer s.db.Close()
		sites = append(sites, s)
	}
	for round := range b.rounds + 1 {
		for _, s := range sites {
			took, bare, err := s.measure(ctx, b.burst)
			if err != nil {
				return err
			}
			if round > 0 { // the first round is a warm-up
				s.took, s.bare = append(s.took, took), append(s.bare, bare)
			}
		}
	}
	name := productNames[kind]
	for _, s := range sites {
		took, bare := median(s.took), median(s.bare)
		b.table.add(fmt.Sprintf("page of a bill, %s, %s bills", name, short(s.bills)), fmt.Sprintf("%.1f ms", took),
			fmt.Sprintf("%.1f ms, its statements alone", bare), fmt.Sprintf("%.2f", median(each(s.bare, s.took))), "< 30 ms", took < 30)
	}
	for _, s := range sites {
		if err := b.measureBulkLookup(ctx, name, s); err != nil {
			return err
		}
	}
	return b.workday(ctx, kind, sites)
}

func (b *bench) openPages(ctx context.Context, s *pageSite, kind, address string) (err error) {
	files, err := b.files(ctx, seedBills)
	if err != nil {
		return err
	}
	defer os.RemoveAll(files.dir)
	for _, file := range []string{files.professional, files.institutional, files.payments} {
		command := exec.CommandContext(ctx, b.program, "import", "x12", "--take-test", "--database-url", address, "--data", b.dir, file)
		if said, err := command.CombinedOutput(); err != nil {
			return fmt.Errorf("import: %w: %s", err, said)
		}
	}
	if err := s.open(ctx, address); err != nil {
		return err
	}
	if err := s.multiply(ctx, kind); err != nil {
		return err
	}
	say("%s: %d bills and their facts take %s", kind, s.bills, sizeOf(ctx, s.db, address))
	if err := db.Select(ctx, s.db.Reader, &s.found, `
		SELECT ftin AS ftin, bill_control_number_key AS key FROM bills
		WHERE ftin IN (SELECT DISTINCT ftin FROM bills WHERE ftin < '3' LIMIT 200) AND payer_name <> '' LIMIT 20000`); err != nil {
		return err
	}
	for _, f := range s.found {
		if len(s.office) < tinsOfOffice && !slices.Contains(s.office, f.FTIN) {
			s.office = append(s.office, f.FTIN)
		}
	}
	log := slog.New(slog.DiscardHandler)
	s.sealer = seal.New(make([]byte, 32))
	entries := audit.New(audit.Deps{DB: s.db, Clock: time.Now, Log: log, Sealer: s.sealer})
	kit := platform.Kit{DB: s.db, Audit: entries, Clock: time.Now, Zone: time.Local, Log: log, Sealer: s.sealer,
		Brand: settings.Brand{BrandName: "Portal"}}
	records := record.NewService(record.Deps{Kit: kit, Scopes: tins.NewScopes(s.db)}, record.Settings{})
	s.pages = detail.NewService(detail.Deps{Kit: kit, Records: records, Users: newUsers(kit), Desk: billtest.NoDesk{},
		Reasons: billtest.Reasons{}, Contacts: noContacts{}, Questions: noQuestions{}, Openings: ratelimit.Hourly(1)})
	s.lookups = bulklookup.NewService(bulklookup.Deps{Kit: kit, Records: records, Scopes: tins.NewScopes(s.db), Users: newUsers(kit),
		Ages: noAges{}}, fileexport.Quota{})
	return nil
}

// noAges knows no date of the data.
type noAges struct{}

func (noAges) AsOf(context.Context) (string, error) { return "", nil }

// noContacts has no payer contacts.
type noContacts struct{}

func (noContacts) FindContact(context.Context, detail.Payer) (*detail.PageContact, error) {
	return nil, nil
}

// noQuestions has no questions about bills.
type noQuestions struct{}

func (noQuestions) ListQuestions(context.Context, string, string) ([]detail.BillQuestion, error) {
	return nil, nil
}

// multiply copies each TIN's bills to more TINs.
func (s *pageSite) multiply(ctx context.Context, kind string) error {
	before, after := []string{"PRAGMA synchronous = OFF", "PRAGMA cache_size = -1000000", "PRAGMA temp_store = FILE"},
		[]string{"ANALYZE", "PRAGMA wal_checkpoint(TRUNCATE)"}
	if kind == "postgres" {
		before, after = nil, []string{"VACUUM ANALYZE", "CHECKPOINT"}
	}
	before = append(before, `CREATE TABLE seed_tins AS SELECT ftin, row_number() OVER (ORDER BY ftin) AS n
		FROM (SELECT DISTINCT ftin FROM bills) t`)
	for _, statement := range before {
		if _, err := s.db.Writer.ExecContext(ctx, statement); err != nil {
			return err
		}
	}
	for _, table := range copied {
		columns, err := columnsOf(ctx, s.db, table)
		if err != nil {
			return err
		}
		columns = slices.DeleteFunc(columns, func(c string) bool { return c == "id" })
		values := slices.Clone(columns)
		for i, c := range values {
			if values[i] = "t." + c; c == "ftin" {
				values[i] = "'' || (100000000 + c.i * 1000 + seed_tins.n)"
			}
		}
		// Copy from a separate table. Otherwise each batch would read all earlier copies.
		if _, err := db.Exec(ctx, s.db.Writer, `CREATE TABLE seed_`+table+` AS SELECT * FROM `+table); err != nil {
			return err
		}
		if err := withoutIndexes(ctx, s.db, table, func() error {
			// Work in batches so that the write-ahead log can be emptied in between.
			for from, copies := 1, s.bills/seedBills; from <= copies; from += copiesAtOnce {
				to := min(from+copiesAtOnce-1, copies)
				if _, err := db.Exec(ctx, s.db.Writer, fmt.Sprintf(`
					WITH RECURSIVE c(i) AS (SELECT %d UNION ALL SELECT i + 1 FROM c WHERE i < %d)
					INSERT INTO %s (%s)
					SELECT %s FROM c CROSS JOIN seed_tins JOIN seed_%[3]s t ON t.ftin = seed_tins.ftin`,
					from, to, table, strings.Join(columns, ", "), strings.Join(values, ", "))); err != nil {
					return err
				}
			}
			return nil
		}); err != nil {
			return fmt.Errorf("%s: %w", table, err)
		}
	}
	for _, statement := range after {
		if _, err := s.db.Writer.ExecContext(ctx, statement); err != nil {
			return err
		}
	}
	return nil
}

func columnsOf(ctx context.Context, d *db.DB, table string) ([]string, error) {
	rows, err := d.Reader.QueryContext(ctx, "SELECT * FROM "+table+" LIMIT 0") //nolint:gosec // a table of ours
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return nil, err
	}
	return columns, rows.Err()
}

// measure returns the milliseconds per page and for its bare SQL statements.
func (s *pageSite) measure(ctx context.Context, burst time.Duration) (took, bare float64, err error) {
	var pages int
	var inPages, inStatements time.Duration
	for started := time.Now(); pages == 0 || time.Since(started) < burst; pages++ {
		s.next = (s.next + 7919) % len(s.found)
		id, err := s.sealer.Seal("bill page", s.found[s.next])
		if err != nil {
			return 0, 0, err
		}
		s.asked, s.tracing = nil, true
		began := time.Now()
		_, err = s.pages.Page(ctx, access.Actor{}.WithTINs(0, []string{s.found[s.next].FTIN}), id)
		inPages += time.Since(began)
		s.tracing = false
		if err != nil {
			return 0, 0, err
		}
		began = time.Now()
		if err := s.alone(ctx); err != nil {
			return 0, 0, err
		}
		inStatements += time.Since(began)
	}
	milliseconds := func(d time.Duration) float64 { return d.Seconds() * 1000 / float64(pages) }
	return milliseconds(inPages), milliseconds(inStatements), nil
}
