package main

import (
	"bytes"
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"wcpp/internal/account"
	"wcpp/internal/bills/cases"
	"wcpp/internal/bills/ledger/derive"
	"wcpp/internal/bills/openbills"
	"wcpp/internal/bills/record"
	"wcpp/internal/bills/search"
	"wcpp/internal/identity/access"
	"wcpp/internal/identity/tins"
	"wcpp/internal/identity/users"
	"wcpp/internal/platform"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/names"
	"wcpp/internal/platform/ratelimit"
)

const (
	clients       = 4
	tinsPerClient = 25
	tinCount      = clients * tinsPerClient
	// Each claimant has two 14-day windows with this many bills in each.
	perAnswer   = 20
	perClaimant = 2 * perAnswer
	password    = "Quiet-Lake-7"
)

// question is a search by claimant. All values derive from numbers because pgbench generates
// only numbers. See script.
type question struct {
	ftin, last, first string
	birth             date.Date
	begin, end        date.Date
}

func ask(tin, claimant, window int) question {
	month := time.Month(3 + 6*window)
	return question{
		ftin: strconv.Itoa(100_000_000 + tin), last: strconv.Itoa(5_000_000 + claimant),
		first: strconv.Itoa(7_000_000 + claimant*7919%100_000),
		birth: date.New(1960, 1, 10+claimant%20), begin: date.New(2025, month, 10), end: date.New(2025, month, 23),
	}
}

// args returns the arguments of the portal's query, in order.
func (q question) args() []any {
	return append([]any{q.ftin, q.birth, q.end, q.begin, q.last, q.first}, db.Args(names.Of(q.last, q.first).Keys())...)
}

func (q question) body() []byte {
	return fmt.Appendf(nil, `{"ftin":%q,"claimantLastName":%q,"claimantFirstName":%q,"claimantDateOfBirth":%q,"beginServiceDate":%q,`+
		`"endServiceDate":%q}`,
		q.ftin, q.last, q.first, q.birth, q.begin, q.end)
}

// script runs the same searches as a pgbench script. pgbench generates only numbers, so the
// query builds the name keys.
const script = `\set tin random(0, %d)
\set claimant random(0, %d)
\set window random(0, 1)
\set p1 100000000 + :tin
\set p2 19600110 + :claimant %% 20
\set p3 20250323 + 600 * :window
\set p4 20250310 + 600 * :window
\set last 5000000 + :claimant
\set first 7000000 + :claimant * 7919 %% 100000
%s;
`

// fill creates the bills. It spreads claimants over all TINs, and each claimant's bills far
// apart in the table, as they'd arrive over the years. Each has a fact and the current rules, because
// others are migrated in the background and would distort the measurement.
const fill = `
INSERT INTO bills (ftin, bill_control_number, bill_control_number_key, document_id, document_id_key,
	patient_control_number, patient_control_number_key, claim_number, claim_number_key,
	patient_first_name, patient_last_name, patient_first_name_key, patient_last_name_key, patient_name_key, patient_birth_date,
	patient_gender,
	begin_service_date, end_service_date, date_of_injury, state_of_jurisdiction,
	physician_first_name, physician_last_name, physician_npi, facility_name, facility_npi, bill_type,
	bill_charges, recommended_allowance, repricing_method, bill_status, pricing_sheet, eor, payer_id, payer_name,
	paid_amount, paid_date, check_number, source, open_state, rules, fact, anchor, detail)
WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < {{bills}}),
bill AS (SELECT i, i % {{tins}} AS tin, i / {{tins}} % {{claimants}} AS claimant, i / {{tins}} / {{claimants}} AS k FROM n)
SELECT '' || (100000000 + tin), '7' || (100000000 + i), '7' || (100000000 + i), 'D' || (100000000 + i), 'd' || (100000000 + i),
	'A-' || (100000000 + i), 'a-' || (100000000 + i), 'WC25' || (1000000 + claimant), 'wc25' || (1000000 + claimant),
	'' || (7000000 + claimant * 7919 % 100000), '' || (5000000 + claimant), '' || (7000000 + claimant * 7919 % 100000), ''
	|| (5000000 + claimant), (5000000 + claimant) || ',' || (7000000 + claimant * 7919 % 100000),
	('1960-01-' || (10 + claimant % 20)){{date}}, 'F',
	('2025-0' || (3 + k / {{perAnswer}} * 6) || '-' || (10 + k % 14)){{date}},
	('2025-0' || (3 + k / {{perAnswer}} * 6) || '-' || (10 + k % 14)){{date}},
	('2025-02-' || (10 + claimant % 18)){{date}}, 'OH',
	'Margaret', 'Hollingsworth', '2000000002', 'Lakeside Orthopedic Associates', '2000000010', 'P',
	12500 + i % 50000, 9800 + i % 40000, '03', '0', {{no}}, {{yes}}, 'P' || (1000 + claimant % 40), 'Great Plains Casualty',
	9800 + i % 40000, ('2025-1' || (k % 3) || '-15'){{date}}, 'CHK' || (1000000 + i), 'bill', 'F', {{rules}}, 'S' || i, 'A' || i,
	'{"placeOfService":"11","diagnoses":["S335XXA","M5450"],"billingName":"Lakeside Orthopedic Associates",' ||
	'"billingNpi":"2000000010","repricerId":"LSN01","lines":[{"number":1,"procedure":"99213","qualifier":"HC","charge":9000,' ||
	'"units":"1","unitBasis":"UN","beginDate":"2025-03-10","allowance":7000},{"number":2,' ||
	'"procedure":"97110","qualifier":"HC","modifiers":["GP"],"charge":3500,' ||
	'"units":"1","unitBasis":"UN","beginDate":"2025-03-10","allowance":2800}]}'
FROM bill`

func (s *site) fill() string {
	cast, no, yes := "", "0", "1"
	if s.kind == "postgres" {
		cast, no, yes = "::date", "false", "true"
	}
	return strings.NewReplacer("{{bills}}", strconv.Itoa(s.bills), "{{tins}}", strconv.Itoa(tinCount), "{{claimants}}",
		strconv.Itoa(s.claimants()),
		"{{perAnswer}}", strconv.Itoa(perAnswer), "{{rules}}", strconv.Itoa(derive.Rules),
		"{{date}}", cast, "{{no}}", no, "{{yes}}", yes).Replace(fill)
}

// copyIn fills a PostgreSQL table with COPY, streaming from a SELECT on another connection. No
// single statement has to handle fifty million rows.
func (s *site) copyIn(ctx context.Context) error {
	into, query, _ := strings.Cut(s.fill(), "\nWITH")
	from, err := pgx.Connect(ctx, s.url)
	if err != nil {
		return err
	}
	defer from.Close(ctx) //nolint:errcheck // all that it gave is there, or an error told
	to, err := pgx.Connect(ctx, s.url)
	if err != nil {
		return err
	}
	defer to.Close(ctx) //nolint:errcheck // likewise
	rows, written := io.Pipe()
	selected := make(chan error, 1)
	go func() {
		_, err := from.PgConn().CopyTo(ctx, written, "COPY (WITH"+query+") TO STDOUT")
		written.CloseWithError(err) // never returns an error
		selected <- err
	}()
	_, err = to.PgConn().CopyFrom(ctx, rows, "COPY "+strings.TrimPrefix(strings.TrimSpace(into), "INSERT INTO ")+" FROM STDIN")
	rows.CloseWithError(err) // never returns an error
	return errors.Join(err, <-selected)
}

// site is a database of a given size with a portal and its users.
type site struct {
	bills      int
	kind       string
	url        string
	db         *db.DB // the benchmark's own connection
	portal     *portal
	bareServer *portal
	browsers   []*browser
	query      string
	pgbench    string
	seed       uint64
	asked      int64
	answers    []rates // one value per round
}

// rates are searches per second.
type rates struct{ portal, bareServer, query float64 }

// series returns one rate of each round.
func (s *site) series(rate func(rates) float64) []float64 {
	list := make([]float64, len(s.answers))
	for i, r := range s.answers {
		list[i] = rate(r)
	}
	return list
}

func ofPortal(r rates) float64     { return r.portal }
func ofBareServer(r rates) float64 { return r.bareServer }
func ofQuery(r rates) float64      { return r.query }

func (s *site) claimants() int { return s.bills / tinCount / perClaimant }

// search measures the portal's search on growing tables against the bare query.
func (b *bench) search(ctx context.Context, kind string, sizes []int) error {
	query, err := portalQuery(ctx)
	if err != nil {
		return err
	}
	var sites []*site
	for _, n := range sizes {
		say("%s: making %d bills ...", kind, n)
		s := &site{bills: n, kind: kind, query: query}
		var drop func()
		if s.url, drop, err = b.database(ctx, kind, fmt.Sprintf("%s_%d", kind, n)); err != nil {
			return err
		}
		defer drop()
		if err := b.open(ctx, s); err != nil {
			return err
		}
		defer s.db.Close()
		defer s.portal.stop() //nolint:errcheck // its figures are taken
		if s.bareServer, err = b.startBare(ctx, s.url); err != nil {
			return err
		}
		defer s.bareServer.stop() //nolint:errcheck // likewise
		sites = append(sites, s)
	}
	for _, s := range sites {
		if err := s.warm(); err != nil {
			return err
		}
	}
	for round := range b.rounds + 1 {
		for _, s := range sites {
			r, err := b.round(ctx, s)
			if err != nil {
				return err
			}
			if round > 0 { // the first round is a warm-up
				s.answers = append(s.answers, r)
			}
		}
	}
	for i, s := range sites {
		if err := s.audited(ctx); err != nil {
			return err
		}
		b.addRates(s)
		if i > 0 {
			was, is := sites[i-1].series(ofPortal), s.series(ofPortal)
			growth := median(each(was, is))
			b.table.add(fmt.Sprintf("cost of an answer, %s, %s → %s bills", s.name(), short(sites[i-1].bills), short(s.bills)),
				fmt.Sprintf("%.2f → %.2f ms", clients*1000/median(was), clients*1000/median(is)), "",
				fmt.Sprintf("%.2f", growth), "< 1.3", growth < 1.3)
		}
	}
	return nil
}

func (s *site) name() string {
	if s.kind == "sqlite" {
		return "SQLite"
	}
	return "PostgreSQL"
}

// addRates compares the portal with the bare server, and that with the query alone.
func (b *bench) addRates(s *site) {
	against, goal := "pgbench", 0.6
	if s.kind == "sqlite" {
		against, goal = "the query in a loop", 0.8
	}
	served, bare, query := s.series(ofPortal), s.series(ofBareServer), s.series(ofQuery)
	ratio := median(each(served, bare))
	b.table.add(fmt.Sprintf("bill search, %s, %s bills", s.name(), short(s.bills)), grouped(median(served))+"/s",
		grouped(median(bare))+"/s, a bare Go server", fmt.Sprintf("%.2f", ratio), fmt.Sprintf("≥ %g", goal), ratio >= goal)
	b.table.add(fmt.Sprintf("the bare Go server, %s, %s bills", s.name(), short(s.bills)), grouped(median(bare))+"/s",
		grouped(median(query))+"/s, "+against, fmt.Sprintf("%.2f", median(each(bare, query))), "", true)
}

func each(a, b []float64) []float64 {
	ratios := make([]float64, len(a))
	for i := range a {
		ratios[i] = a[i] / b[i]
	}
	return ratios
}

// open fills the site's database, starts the portal and signs in four users, each with their own
// TINs.
func (b *bench) open(ctx context.Context, s *site) (err error) {
	if s.db, err = db.Open(ctx, s.url); err != nil {
		return err
	}
	before, after := []string{"PRAGMA synchronous = OFF", "PRAGMA cache_size = -1000000"}, []string{"PRAGMA wal_checkpoint(TRUNCATE)"}
	if s.kind == "postgres" {
		before, after = nil, []string{"VACUUM ANALYZE bills", "CHECKPOINT"}
	}
	for _, statement := range before {
		if _, err := s.db.Writer.ExecContext(ctx, statement); err != nil {
			return err
		}
	}
	fill := func() error {
		if s.kind == "postgres" {
			return s.copyIn(ctx)
		}
		return db.Run(ctx, s.db.Writer, s.fill())
	}
	if err := withoutIndexes(ctx, s.db, "bills", fill); err != nil {
		return err
	}
	say("%s: %d bills alone take %s", s.kind, s.bills, sizeOf(ctx, s.db, s.url))
	for _, statement := range after {
		if _, err := s.db.Writer.ExecContext(ctx, statement); err != nil {
			return err
		}
	}
	// The bare query uses a pool like the portal's, without connections left from filling.
	if err := s.db.Close(); err != nil {
		return err
	}
	if s.db, err = db.Open(ctx, s.url); err != nil {
		return err
	}
	for c := range clients {
		var tins []string
		for i := range tinsPerClient {
			tins = append(tins, strconv.Itoa(100_000_000+c*tinsPerClient+i))
		}
		add := exec.CommandContext(ctx, b.program, "user", "add", "--database-url", s.url, "--type", "PRAD", "--first-name", "Ada",
			"--last-name", "Moore", "--user-name", fmt.Sprintf("bench%d", c), "--email", fmt.Sprintf("bench%d@portal.example", c),
			"--tins", strings.Join(tins, ","), "--password-stdin")
		add.Stdin = strings.NewReader(password + "\n")
		if said, err := add.CombinedOutput(); err != nil {
			return fmt.Errorf("user add: %w: %s", err, said)
		}
	}
	if s.portal, err = b.start(ctx, "serve", "--database-url", s.url, "--data", b.dir); err != nil {
		return err
	}
	if s.browsers, err = signInAll(s.portal); err != nil {
		return err
	}
	named := regexp.MustCompile(`\$(\d+)`).ReplaceAllStringFunc(s.query, func(place string) string {
		n, _ := strconv.Atoi(place[1:]) // the pattern guarantees digits
		if n <= 4 {
			return ":p" + place[1:]
		}
		if n <= 6 {
			return []string{"(:last || '')", "(:first || '')"}[n-5]
		}
		suffix := strings.TrimPrefix(names.Of("a", "b").Keys()[n-7], "a,b")
		return "(:last || ',' || :first || '" + suffix + "')"
	})
	s.pgbench = filepath.Join(b.dir, fmt.Sprintf("search-%d.sql", s.bills))
	return os.WriteFile(s.pgbench, fmt.Appendf(nil, script, tinCount-1, s.claimants()-1, named), 0o600)
}

// signInAll signs in the four users who search.
func signInAll(p *portal) ([]*browser, error) {
	var signedIn []*browser
	for c := range clients {
		person, err := signIn(p.url, fmt.Sprintf("bench%d", c), password)
		if err != nil {
			return nil, err
		}
		signedIn = append(signedIn, person)
	}
	return signedIn, nil
}

// warm reads an SQLite file once, because creating the largest table evicted the others from the
// system cache.
func (s *site) warm() error {
	path, ok := strings.CutPrefix(s.url, "sqlite:")
	if !ok {
		return nil
	}
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	_, err = io.Copy(io.Discard, file)
	return err
}

// round measures the portal, the bare server and the bare query.
func (b *bench) round(ctx context.Context, s *site) (r rates, err error) {
	s.seed++
	if r.portal, err = b.served(ctx, s, s.browsers); err != nil {
		return r, err
	}
	s.asked += int64(r.portal * b.burst.Seconds())
	anyone := &browser{url: s.bareServer.url}
	if r.bareServer, err = b.served(ctx, s, []*browser{anyone, anyone, anyone, anyone}); err != nil {
		return r, err
	}
	alone := func(_ int, q question) error { return s.bare(ctx, q) }
	if s.kind == "sqlite" {
		r.query, err = b.load(ctx, s, alone)
		return r, err
	}
	if err := alone(0, ask(0, 0, 0)); err != nil {
		return r, err
	}
	r.query, err = b.runPgbench(ctx, s)
	return r, err
}

// served returns the searches per second that a server handles.
func (b *bench) served(ctx context.Context, s *site, people []*browser) (float64, error) {
	var wires []*wire
	for _, person := range people {
		w, err := person.dial("POST", "/api/billSearch/searchByAssorted")
		if err != nil {
			return 0, err
		}
		defer w.conn.Close()
		wires = append(wires, w)
	}
	return b.load(ctx, s, func(client int, q question) error {
		answer, err := wires[client].post(q.body())
		if err == nil && bytes.Count(answer, []byte(`"billControlNumber"`)) != perAnswer {
			err = fmt.Errorf("not %d bills: %s", perAnswer, answer)
		}
		return err
	})
}

// load runs four clients for one burst and returns the searches per second.
func (b *bench) load(ctx context.Context, s *site, answer func(client int, q question) error) (float64, error) {
	started := time.Now()
	type result struct {
		n   int
		err error
	}
	results := make(chan result)
	for c := range clients {
		go func() {
			r := result{}
			random := rand.New(rand.NewPCG(s.seed, uint64(c)))
			for r.err == nil && ctx.Err() == nil && time.Since(started) < b.burst {
				r.err = answer(c, ask(c*tinsPerClient+random.IntN(tinsPerClient), random.IntN(s.claimants()), random.IntN(2)))
				r.n++
			}
			results <- r
		}()
	}
	total, err := 0, ctx.Err()
	for range clients {
		r := <-results
		total, err = total+r.n, errors.Join(err, r.err)
	}
	return float64(total) / time.Since(started).Seconds(), err
}

// bare runs the query on the database directly and reads every value.
func (s *site) bare(ctx context.Context, q question) error {
	n, err := readAll(ctx, s.db.Reader, s.query, q.args())
	if err == nil && n != perAnswer {
		err = fmt.Errorf("the query alone found %d bills, not %d", n, perAnswer)
	}
	return err
}

var tps = regexp.MustCompile(`tps = ([0-9.]+)`)

func (b *bench) runPgbench(ctx context.Context, s *site) (float64, error) {
	command := exec.CommandContext(ctx, filepath.Join(b.pgbin, "pgbench"), "-n", "-M", "prepared", "-c", strconv.Itoa(clients), "-j",
		strconv.Itoa(min(clients, runtime.NumCPU())),
		"-T", strconv.Itoa(max(1, int(b.burst.Seconds()))), "--random-seed", strconv.FormatUint(s.seed, 10), "-f", s.pgbench, s.url)
	said, err := command.CombinedOutput()
	if err != nil {
		return 0, fmt.Errorf("pgbench: %w: %s", err, said)
	}
	found := tps.FindSubmatch(said)
	if found == nil {
		return 0, fmt.Errorf("pgbench told no rate: %s", said)
	}
	return strconv.ParseFloat(string(found[1]), 64)
}

// audited checks that the portal recorded the searches in the audit log.
func (s *site) audited(ctx context.Context) error {
	time.Sleep(time.Second) // the log writes in batches
	var n int64
	if err := db.Get(ctx, s.db.Reader, &n, `SELECT count(*) FROM audit_log WHERE operation = 'searchByAssorted'
		AND result = 'ok'`); err != nil {
		return err
	}
	if n < s.asked {
		return fmt.Errorf("%d searches are in the audit log, %d were answered", n, s.asked)
	}
	return nil
}

// listener is a fake database that records the query instead of running it.
type listener struct{ query string }

var errListening = errors.New("only listening")

func (l *listener) Connect(context.Context) (driver.Conn, error) { return l, nil }
func (l *listener) Driver() driver.Driver                        { return nil }
func (l *listener) Close() error                                 { return nil }
func (l *listener) Begin() (driver.Tx, error)                    { return nil, driver.ErrSkip }
func (l *listener) Prepare(string) (driver.Stmt, error)          { return nil, driver.ErrSkip }
func (l *listener) Columns() []string                            { return nil }
func (l *listener) Next([]driver.Value) error                    { return io.EOF }
func (l *listener) QueryContext(_ context.Context, query string, _ []driver.NamedValue) (driver.Rows, error) {
	l.query = query
	return nil, errListening
}

// newUsers returns a service that only reads accounts.
func newUsers(kit platform.Kit) *users.Service {
	assignments := openbills.NewAssignments(kit, tins.NewScopes(kit.DB))
	return users.NewService(users.Deps{Kit: kit, Links: account.NewLinks(kit), Assignments: assignments,
		Cases: cases.NewOwners(kit)}, access.Settings{})
}

// portalQuery returns the portal's own claimant search.
func portalQuery(ctx context.Context) (string, error) {
	var l listener
	d := &db.DB{Reader: sql.OpenDB(&l)}
	kit := platform.Kit{DB: d, Clock: time.Now, Zone: time.Local}
	records := record.NewService(record.Deps{Kit: kit, Scopes: tins.NewScopes(d)}, record.Settings{})
	service := search.NewService(search.Deps{Kit: kit, Records: records, Scopes: tins.NewScopes(d), Searches: ratelimit.Hourly(1)})
	q := ask(0, 0, 0)
	actor := access.Actor{}.WithTINs(0, []string{q.ftin})
	_, err := service.Search(ctx, actor, q.ftin, search.Query{ClaimantLastName: q.last, ClaimantFirstName: q.first,
		ClaimantDateOfBirth: q.birth, BeginServiceDate: q.begin, EndServiceDate: q.end})
	if !errors.Is(err, errListening) {
		return "", fmt.Errorf("the portal asked nothing: %w", err)
	}
	return l.query, nil
}
