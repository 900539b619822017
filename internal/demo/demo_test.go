package demo

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/bills/ledger"
	"wcpp/internal/bills/ledger/derive"
	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/bills/ledger/matching"
	"wcpp/internal/claims"
	"wcpp/internal/clients"
	"wcpp/internal/directory"
	"wcpp/internal/feeschedules"
	"wcpp/internal/identity/tins"
	"wcpp/internal/identity/users"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/identifiers"
	"wcpp/internal/platform/ingest"
	"wcpp/internal/platform/migrations"
	"wcpp/internal/rosters"
)

const today = date.Date("2026-03-04")

// keep is an in-memory file.
type keep struct{ bytes.Buffer }

func (*keep) Close() error { return nil }

func generate(t *testing.T, day date.Date, bills int) (names []File, files map[string]string) {
	t.Helper()
	kept := map[string]*keep{}
	list, err := Files(t.Context(), day, bills, func(name string) (io.WriteCloser, error) {
		kept[name] = &keep{}
		return kept[name], nil
	})
	require.NoError(t, err)
	files = map[string]string{}
	for name, k := range kept {
		files[name] = k.String()
	}
	return list, files
}

func TestSameDaySameFiles(t *testing.T) {
	_, first := generate(t, today, 700)
	_, second := generate(t, today, 700)
	_, other := generate(t, today.AddDays(1), 700)
	for name := range first {
		assert.Equalf(t, second[name], first[name], "%s differs between two runs", name)
	}
	assert.NotEqual(t, other["bills-professional.edi"], first["bills-professional.edi"], "the bills do not follow the day")
}

// imported contains all rows imported from the files.
type imported struct {
	groups    map[int64]users.Group
	users     map[string]users.User
	tins      []tins.NamedLink
	providers []directory.ProviderRow
	claims    map[string]claims.Claim
	bills     map[string]facts.Bill // as submitted, by TIN and bill control number
	sent      []facts.Submission    // for these bills
	voids     []facts.Submission    // void some of them
	payments  []facts.Payment
	sets      []facts.RemittanceSet

	products       []clients.Product
	clients        []clients.Client
	participations []clients.Participation
	exclusions     []clients.Exclusion
	rateCodes      []feeschedules.RateCode
	allowances     []feeschedules.Allowance
	parts          map[string][]string // provider ids by kind of row

	rosterSources map[int64]rosters.Source
	sourceGroups  []rosters.SourceGroup
	groupSources  []rosters.GroupSource
}

// keep stores an imported row.
func (all *imported) keep(row any) {
	switch x := row.(type) {
	case *users.Group:
		all.groups[x.ID] = *x
	case *users.User:
		all.users[x.UserName] = *x
	case *tins.NamedLink:
		all.tins = append(all.tins, *x)
	case *directory.ProviderRow:
		all.providers = append(all.providers, *x)
	case *claims.Claim:
		all.claims[x.ClaimNumber] = *x
	case *facts.Submission:
		if x.Reported.FrequencyCode == "8" {
			all.voids = append(all.voids, *x)
			return
		}
		all.sent = append(all.sent, *x)
		list, _ := derive.Bills(matching.BillGroup{Submissions: []*facts.Submission{x}})
		c := list[0]
		c.Bill.BillControlNumber = c.Number
		all.bills[c.Bill.FTIN+c.Number] = c.Bill
	case *facts.Remitted:
		if x.Payment != nil {
			all.payments = append(all.payments, *x.Payment)
		}
		for _, part := range x.Parts {
			all.sets = append(all.sets, part.Set)
		}
	case *clients.Product:
		all.products = append(all.products, *x)
	case *clients.Client:
		all.clients = append(all.clients, *x)
	case *clients.Participation:
		all.participations = append(all.participations, *x)
	case *clients.Exclusion:
		all.exclusions = append(all.exclusions, *x)
	case *feeschedules.RateCode:
		all.rateCodes = append(all.rateCodes, *x)
	case *feeschedules.Allowance:
		all.allowances = append(all.allowances, *x)
	case *directory.Part[directory.ProviderDetails]:
		all.parts["details"] = append(all.parts["details"], x.ProviderID)
	case *directory.Part[directory.Specialty]:
		all.parts["specialties"] = append(all.parts["specialties"], x.ProviderID)
	case *directory.Part[directory.Office]:
		all.parts["offices"] = append(all.parts["offices"], x.ProviderID)
	case *directory.Part[directory.Detail]:
		all.parts["office details"] = append(all.parts["office details"], x.ProviderID)
	case *directory.Part[directory.License]:
		all.parts["licenses"] = append(all.parts["licenses"], x.ProviderID)
	case *rosters.Source:
		all.rosterSources[x.SourceID] = *x
	case *rosters.SourceGroup:
		all.sourceGroups = append(all.sourceGroups, *x)
	case *rosters.GroupSource:
		all.groupSources = append(all.groupSources, *x)
	default:
		panic(fmt.Sprintf("no place for %T", row))
	}
}

func importAll(t *testing.T, count int) imported {
	t.Helper()
	all := imported{
		groups: map[int64]users.Group{}, users: map[string]users.User{}, claims: map[string]claims.Claim{}, bills: map[string]facts.Bill{},
		parts: map[string][]string{}, rosterSources: map[int64]rosters.Source{},
	}
	feeds := slices.Concat((*users.Service)(nil).Feeds(), (*tins.Service)(nil).Feeds(), (*directory.Service)(nil).Feeds(), claims.Feeds(),
		(*ledger.Ledger)(nil).Feeds(),
		clients.Feeds(), feeschedules.Feeds(), (*rosters.Service)(nil).Feeds(), (*directory.Service)(nil).DetailFeeds())
	for i := range feeds {
		feeds[i] = feeds[i].WithImporter(func(_ context.Context, _ *sql.Tx, rows []any) ([]ingest.Outcome, error) {
			outcomes := make([]ingest.Outcome, len(rows))
			for i, row := range rows {
				all.keep(row)
				outcomes[i] = ingest.Imported
			}
			return outcomes, nil
		})
	}
	d, err := db.Open(t.Context(), "sqlite:"+filepath.Join(t.TempDir(), "demo.db"))
	require.NoError(t, err)
	t.Cleanup(func() { d.Close() })
	if _, err := migrations.Up(t.Context(), d); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	files, err := Files(t.Context(), today, count, func(name string) (io.WriteCloser, error) { return os.Create(filepath.Join(dir, name)) })
	require.NoError(t, err)
	// Documents need stored bills. The program imports them at its first start.
	files = slices.DeleteFunc(files, func(f File) bool { return f.Kind == "documents" })
	importFiles(t, ingest.New(ingest.Deps{DB: d, Clock: time.Now}, ingest.Settings{}, feeds...), dir, files)
	return all
}

func importFiles(t *testing.T, importer *ingest.Importer, dir string, files []File) {
	t.Helper()
	for _, f := range files {
		report, err := importer.Import(t.Context(), f.Kind, filepath.Join(dir, f.Name), ingest.Options{AllowTest: true})
		require.NoError(t, err)
		if report.ExitCode() != ingest.ExitAllImported || slices.ContainsFunc(report.Problems, func(p ingest.Problem) bool {
			return p.Element != "BPR02"
		}) || len(report.Problems) > 20 || report.Records == 0 {
			var text strings.Builder
			_ = report.WriteText(&text)
			t.Fatalf("%s: %s", f.Name, text.String())
		}
	}
}

// The importer accepts every row without a warning, and the rows are consistent.
func TestTheDemoIsBelievable(t *testing.T) {
	all := importAll(t, DefaultBills)
	assert.Len(t, all.bills, DefaultBills)

	ofGroup := map[int64]int{}
	groupOf := map[string]int64{}
	for _, r := range all.tins {
		if _, known := all.groups[r.GroupID]; !known {
			t.Errorf("TIN of the unknown group %d", r.GroupID)
		}
		if r.UserName == "" {
			ofGroup[r.GroupID]++
			groupOf[r.FTIN] = r.GroupID
		} else if all.users[r.UserName].GroupID != r.GroupID {
			t.Errorf("%s has a TIN of another group", r.UserName)
		}
	}
	if ofGroup[1001] != 6 || ofGroup[1007] != 2 {
		t.Errorf("TINs of the demo accounts' groups: %v", ofGroup)
	}

	billsOf, statuses, claimants := map[string]int{}, map[string]int{}, map[string]int{}
	forms, months := map[string]int{}, map[string]int{}
	sheets, adjusted, demo, oldest := 0, 0, 0, date.Date("9999-12-31")
	for _, b := range all.bills {
		billsOf[b.FTIN]++
		statuses[b.BillStatus]++
		claimants[b.ClaimNumber]++
		forms[b.BillType]++
		months[string(b.BeginServiceDate[:7])]++
		oldest = min(oldest, b.BeginServiceDate)
		if groupOf[b.FTIN] == 1001 {
			demo++
		}
		if b.PricingSheet {
			sheets++
		}
		if b.BillingID != "" {
			adjusted++
		}
		c, known := all.claims[b.ClaimNumber]
		switch {
		case !known:
			t.Errorf("bill %s is of no claim", b.BillControlNumber)
		case c.ClaimantFirstName != b.PatientFirstName || c.ClaimantLastName != b.PatientLastName ||
			c.ClaimantBirthDate != b.PatientBirthDate ||
			c.DateOfInjury != b.DateOfInjury || c.StateOfJurisdiction != b.StateOfJurisdiction || c.ClaimantGender != b.PatientGender ||
			c.PayerID != b.PayerID:
			t.Errorf("bill and claim differ:\n%+v\n%+v", b, c)
		}
		if b.BeginServiceDate < b.DateOfInjury || b.EndServiceDate > today || b.BillCharges <= 0 ||
			b.RecommendedAllowance != nil && (*b.RecommendedAllowance <= 0 || *b.RecommendedAllowance > b.BillCharges) ||
			b.PhysicianLastName == "" || b.FacilityName == "" {
			t.Errorf("not believable: %+v", b)
		}
	}
	if demo < DefaultBills/2 || sheets < 50 || adjusted == 0 || adjusted == sheets || forms["I"] < 100 || len(months) < 17 ||
		oldest < today.AddDays(-560) {
		t.Errorf("%d bills of the demo group, %d pricing sheets of which %d adjusted, forms %v, months %v, oldest %s", demo, sheets,
			adjusted, forms, months, oldest)
	}
	if statuses[facts.StatusReceived] < 100 || statuses[facts.StatusPriced] < DefaultBills/2 {
		t.Errorf("statuses %v", statuses)
	}
	several := 0
	for _, n := range claimants {
		if n > 1 {
			several++
		}
	}
	assert.GreaterOrEqualf(t, several, len(claimants)/2, "only %d of %d claimants have several bills", several, len(claimants))

	paid, kinds := map[string]bool{}, map[string]int{}
	net := map[string]int64{}
	for _, p := range all.payments {
		if p.Repriced == "" {
			kinds["unknown"]++
			continue
		}
		id := p.Reported.FTIN + p.Repriced
		b, known := all.bills[id]
		if !known || b.PatientControlNumber != p.PatientControlNumber || b.PatientLastName != p.Reported.PatientLastName ||
			b.BeginServiceDate != p.Reported.BeginServiceDate || p.PaidDate > today || p.PaidDate <= b.EndServiceDate {
			t.Errorf("payment and bill differ:\n%+v\n%+v", p, b)
		}
		paid[id] = true
		kinds[p.ClaimStatus]++
		net[id] += p.Paid
	}
	for id, amount := range net {
		if amount < 0 || amount > *all.bills[id].RecommendedAllowance {
			t.Errorf("a bill is paid %d of %d", amount, *all.bills[id].RecommendedAllowance)
		}
	}
	if len(paid) < DefaultBills*2/5 || len(paid) > DefaultBills*3/5 || kinds["4"] < 20 || kinds["22"] < 20 ||
		kinds["unknown"] < 5 || kinds["unknown"] > 40 {
		t.Errorf("%d of %d bills are paid; by status %v", len(paid), DefaultBills, kinds)
	}

	empty := 0
	for tin := range groupOf {
		if billsOf[tin] == 0 {
			empty++
		}
	}
	ungrouped := 0
	for tin := range billsOf {
		if groupOf[tin] == 0 {
			ungrouped++
		}
	}
	assert.Equal(t, 2, empty)
	assert.Equal(t, 2, ungrouped)
}

func TestAccounts(t *testing.T) {
	all := importAll(t, 50)
	count := map[string]int{}
	for _, u := range all.users {
		count[string(u.StatusCd)]++
		count[string(u.TypeCd)]++
		if all.groups[u.GroupID].Kind == "ROSTER" != (u.TypeCd == "ROAD" || u.TypeCd == "ROUS") {
			t.Errorf("%s %s is in %+v", u.TypeCd, u.UserName, all.groups[u.GroupID])
		}
	}
	for _, a := range Accounts {
		if u := all.users[a.UserName]; string(u.TypeCd) != a.Type || u.StatusCd != "ACTIV" {
			t.Errorf("%s: %+v", a.UserName, u)
		}
	}
	for _, what := range strings.Fields("NEW DRAFT ACTIV INACT LOCK DISABL TERM PRAD PRUS NNUS ROAD ROUS IRAD ISAD") {
		assert.GreaterOrEqualf(t, count[what], 2, "%d accounts are %s", count[what], what)
	}
	assert.GreaterOrEqual(t, len(all.users), 55)
	assert.LessOrEqual(t, len(all.users), 75)
	if n := len(all.providers); n < 40 || n > 80 {
		t.Errorf("%d providers", n)
	}
	without := map[string]bool{}
	for name, u := range all.users {
		if u.TypeCd == "PRUS" && u.StatusCd == "ACTIV" && u.GroupID == 1001 {
			without[name] = true
		}
	}
	for _, r := range all.tins {
		delete(without, r.UserName)
	}
	if len(without) != 1 || without["prus.demo"] {
		t.Errorf("provider users without TINs: %v", without)
	}
}

func TestNPIs(t *testing.T) {
	_, files := generate(t, today, 200)
	found := regexp.MustCompile(`\*XX\*(\d+)`).FindAllStringSubmatch(files["bills-professional.edi"], -1)
	require.NotEmpty(t, found, "no NPI in the bills")
	for _, m := range found {
		if !identifiers.IsNPI(m[1]) {
			t.Errorf("%s fails its check digit", m[1])
		}
	}
}

func TestFewBills(t *testing.T) {
	for _, n := range []int{1, 2, 13} {
		_, files := generate(t, today, n)
		claims := regexp.MustCompile(`\nCLM\*[^~]*\*\d\d:[AB]:[17]`).
			FindAllString(files["bills-professional.edi"]+files["bills-institutional.edi"], -1)
		assert.Len(t, claims, n)
	}
}

// measure counts bytes and discards them.
type measure int64

func (m *measure) Write(p []byte) (int, error) { *m += measure(len(p)); return len(p), nil }

func TestMemoryIsFlatInTheNumberOfBills(t *testing.T) {
	peak := func(bills int) (heap uint64, written int64) {
		_, err := Files(t.Context(), today, bills, func(name string) (io.WriteCloser, error) {
			m := new(measure)
			return writeCloser{m, func() {
				runtime.GC()
				var s runtime.MemStats
				runtime.ReadMemStats(&s)
				heap = max(heap, s.HeapAlloc)
				written += int64(*m)
			}}, nil
		})
		require.NoError(t, err)
		return heap, written
	}
	small, a := peak(2_000)
	large, b := peak(40_000)
	assert.GreaterOrEqualf(t, b, 15*a, "%d bytes for 20 times the bills of %d bytes", b, a)
	assert.LessOrEqualf(t, large, small*3/2, "%d bytes in use for 2,000 bills, %d for 40,000", small, large)
}

type writeCloser struct {
	io.Writer
	close func()
}

func (w writeCloser) Close() error { w.close(); return nil }

func TestFailuresStopTheFiles(t *testing.T) {
	full := errors.New("disk full")
	_, err := Files(t.Context(), today, 100, func(name string) (io.WriteCloser, error) {
		if name == "claims.csv" {
			return nil, full
		}
		return &keep{}, nil
	})
	assert.ErrorIs(t, err, full)
	for _, name := range []string{"groups.csv", "payments.edi"} {
		_, err = Files(t.Context(), today, 5000, func(file string) (io.WriteCloser, error) {
			if file == name {
				return writeCloser{broken{}, func() {}}, nil
			}
			return &keep{}, nil
		})
		if !errors.Is(err, errBroken) || !strings.Contains(fmt.Sprint(err), name) {
			t.Errorf("error %v", err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err = Files(ctx, today, 100, func(string) (io.WriteCloser, error) { return &keep{}, nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

var errBroken = errors.New("broken pipe")

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errBroken }

// One account has an incomplete profile at sign-in. All other active ones are complete.
func TestOneProfileIsUnfinished(t *testing.T) {
	all := importAll(t, 100)
	for name, u := range all.users {
		lacks := u.JobTitle == "" && u.TypeCd != "IRAD" && u.TypeCd != "ISAD"
		assert.Equalf(t, name == Unfinished, lacks, "%s lacks its profile", name)
	}
	if u := all.users[Unfinished]; u.StatusCd != "ACTIV" || u.TypeCd != "PRUS" {
		t.Errorf("%+v", u)
	}
}

// The data covers every result of the Client List.
func TestClientsShowEveryAnswer(t *testing.T) {
	all := importAll(t, 100)
	sold, takes, auto := map[string]int{}, map[string]bool{}, map[string]bool{}
	for _, c := range all.clients {
		sold[c.ProductCode]++
	}
	for _, p := range all.participations {
		takes[p.ProviderID] = true
		if p.LineOfBusiness == "AUTO" {
			auto[p.ProviderID] = true
		}
	}
	if len(all.products) != 5 || sold["OUT"] != 0 || sold["PPO"] < 100 || sold["APPO"] < 50 || len(all.exclusions) < 20 {
		t.Errorf("%d products, clients %v, %d exclusions", len(all.products), sold, len(all.exclusions))
	}
	without, withoutAuto := 0, 0
	for _, p := range all.providers {
		if !takes[p.ProviderID] {
			without++
		} else if !auto[p.ProviderID] {
			withoutAuto++
		}
	}
	if without == 0 || withoutAuto == 0 || without > len(all.providers)/4 {
		t.Errorf("of %d providers %d take part in nothing, %d in no auto product", len(all.providers), without, withoutAuto)
	}
}

// Every rate code has a fee schedule. Some providers, including hospitals, don't have one.
func TestFeeSchedulesShowEveryAnswer(t *testing.T) {
	all := importAll(t, 100)
	priced, coded := map[string]int{}, map[string]bool{}
	for _, a := range all.allowances {
		priced[a.NationalRateCode]++
	}
	for _, r := range all.rateCodes {
		coded[r.ProviderID] = true
		if priced[r.NationalRateCode] < 50 {
			t.Errorf("rate code %s allows %d procedures", r.NationalRateCode, priced[r.NationalRateCode])
		}
	}
	hospitals, others := 0, 0
	for _, p := range all.providers {
		switch {
		case coded[p.ProviderID]:
		case p.ProviderType == "H":
			hospitals++
		default:
			others++
		}
	}
	if hospitals == 0 || others == 0 || others > len(all.providers)/3 {
		t.Errorf("without rate codes: %d hospitals, %d others of %d", hospitals, others, len(all.providers))
	}
}

// Some directory pages are complete, some have missing sections, and some have only the main
// record.
func TestDirectoryShowsEveryAnswer(t *testing.T) {
	all := importAll(t, 100)
	for _, part := range []string{"details", "specialties", "offices", "office details", "licenses"} {
		has := map[string]bool{}
		for _, id := range all.parts[part] {
			has[id] = true
		}
		lacking := 0
		for _, p := range all.providers {
			if !has[p.ProviderID] {
				lacking++
			}
		}
		if lacking == 0 || len(has) < len(all.providers)/3 {
			t.Errorf("%s: %d providers have them, %d do not", part, len(has), lacking)
		}
	}
}

// There are sources with and without provider groups and names, and roster groups that have
// some.
func TestRosterSourcesShowEveryAnswer(t *testing.T) {
	all := importAll(t, 50)
	groups, unnamed, admins := map[int64]int{}, 0, 0
	for _, g := range all.sourceGroups {
		groups[g.SourceID]++
		if g.Name == "" {
			unnamed++
		}
		if g.IsAdmin {
			admins++
		}
		assert.NotEmptyf(t, all.rosterSources[g.SourceID].Name, "%+v has no source", g)
	}
	if len(groups) != len(all.rosterSources)-1 || unnamed != 1 || admins != len(groups) {
		t.Errorf("%d of %d sources have groups, %d without a name, %d of administrators", len(groups), len(all.rosterSources), unnamed,
			admins)
	}
	has := map[int64]int{}
	for _, s := range all.groupSources {
		if all.groups[s.GroupID].Kind != "ROSTER" || all.rosterSources[s.SourceID].Name == "" {
			t.Errorf("%+v", s)
		}
		has[s.GroupID]++
	}
	if has[all.users["road.demo"].GroupID] < 2 || len(has) < 2 {
		t.Errorf("sources of groups: %v", has)
	}
}

// There are rosters of every kind in the history, for existing provider groups.
func TestRostersShowEveryAnswer(t *testing.T) {
	list := Rosters("2026-03-02")
	partial, several := 0, 0
	for _, r := range list {
		if r.Partial {
			partial++
		}
		if len(r.Files) > 1 {
			several++
		}
		if !slices.ContainsFunc(rosterGroupSources, func(has [2]int) bool { return has == [2]int{1010, int(r.SourceID)} }) {
			t.Errorf("the group does not have source %d", r.SourceID)
		}
	}
	if partial != 1 || several != 1 || len(list) != 3 || fmt.Sprint(list) != fmt.Sprint(Rosters("2026-03-02")) {
		t.Errorf("%d rosters, %d partial, %d of several files", len(list), partial, several)
	}
}

// The bank's list has a day's deposits, one for a check that pays 25 bills.
func TestBankList(t *testing.T) {
	const today date.Date = "2026-11-28" // a Saturday
	var list strings.Builder
	require.NoError(t, WriteBankList(&list, today, DefaultBills))
	w := newWorld(today, DefaultBills)
	checks := w.dayChecks()
	if len(checks) != depositsPerDay || len(checks[0].payments) != perCheck {
		t.Errorf("%d deposits, %d bills of the first", len(checks), len(checks[0].payments))
	}
	lines := strings.Split(strings.TrimSpace(list.String()), "\n")
	if len(lines) != depositsPerDay+1 || !strings.HasPrefix(lines[1], "11/27/2026,DEPOSIT ") ||
		!strings.HasSuffix(lines[1], ",50000017,"+formatDollars(checks[0].sum())) {
		t.Errorf("%d lines, %s", len(lines), lines[1])
	}
	assert.NoError(t, WriteBankList(io.Discard, today, 1))
}
