package ledger

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/bills/ledger/matching"
	"wcpp/internal/bills/ledger/store"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/ingest"
	"wcpp/internal/platform/x12/x12test"
)

var orders = flag.Int("orders", 6, "of files in which each group of random families is imported; 120 are all orders of five files")

// claimSent is a CLM of an 837 in short form. Amounts are in dollars.
type claimSent struct {
	kind, tin, account, frequency string // kind P, I or D
	charge, allowance             int    // allowance 0: not priced
	first, last, day, until       string // until: end of a hospital's statement period
	own, adjusted                 string // REF 9A, 9C
	reference, document           string // REF F8, D9
	claim                         string // REF Y4
	npi                           string // of the clinic; empty means a valid one
	extra                         []string
}

func (c claimSent) segments() []string {
	list := []string{
		"HL*1**20*1", "NM1*85*2*CLINIC " + c.tin + "*****XX*" + cmp.Or(c.npi, "1234567893"), "N4*ERIE*PA*16501", "REF*EI*" + c.tin,
		"HL*2*1*22*0", "SBR*P*18*******WC", "NM1*IL*1*" + c.last + "*" + c.first + "****MI*M1", "DMG*D8*19800203*F",
	}
	if c.claim != "" {
		list = append(list, "REF*Y4*"+c.claim)
	}
	list = append(list, "NM1*PR*2*STEADY MUTUAL*****PI*P9",
		fmt.Sprintf("CLM*%s*%d***11:B:%s*Y*A*Y*Y", c.account, c.charge, c.frequency))
	if c.kind == "I" {
		list = append(list, "DTP*434*RD8*"+c.day+"-"+cmp.Or(c.until, c.day))
	}
	for _, ref := range [][2]string{{"9A", c.own}, {"9C", c.adjusted}, {"F8", c.reference}, {"D9", c.document}} {
		if ref[1] != "" {
			list = append(list, "REF*"+ref[0]+"*"+ref[1])
		}
	}
	if c.allowance > 0 {
		list = append(list, fmt.Sprintf("HCP*03*%d", c.allowance))
	}
	service := map[string]string{"P": "SV1*HC:99213*%d*UN*1***1", "I": "SV2*0450*HC:99283*%d*UN*1", "D": "SV3*AD:D2150*%d****1"}[c.kind]
	return append(append(list, c.extra...), "LX*1", fmt.Sprintf(service, c.charge), "DTP*472*D8*"+c.day)
}

// claimPaid is a CLP of an 835 in short form. Amounts are in dollars.
type claimPaid struct {
	tin, account, status  string
	charge, paid, patient int
	number, former, own   string // CLP07, REF F8, REF 9A
	first, last, day      string
	reason                string
}

// segments returns the segments of the payment. The names of payee and physician aren't part of
// its identity.
func (c claimPaid) segments(physician string) []string {
	list := []string{fmt.Sprintf("CLP*%s*%s*%d*%d*%d*12*%s*11*1", c.account, c.status, c.charge, c.paid, c.patient, c.number)}
	if rest := c.charge - c.paid - c.patient; rest != 0 {
		list = append(list, fmt.Sprintf("CAS*CO*%s*%d", cmp.Or(c.reason, "45"), rest))
	}
	if c.patient != 0 {
		list = append(list, fmt.Sprintf("CAS*PR*1*%d", c.patient))
	}
	list = append(list, "NM1*QC*1*"+c.last+"*"+c.first)
	if physician != "" {
		list = append(list, "NM1*82*1*"+physician+"*LEE")
	}
	if c.own != "" {
		list = append(list, "REF*9A*"+c.own)
	}
	if c.former != "" {
		list = append(list, "REF*F8*"+c.former)
	}
	if c.day != "" {
		list = append(list, "DTM*232*"+c.day)
	}
	return list
}

// written is a transaction set and its functional group.
type written struct {
	claims []claimSent // of an 837
	check  string      // of an 835
	payer  string
	paid   []claimPaid
	adjust int    // by PLB
	plb    string // another PLB
	amount string // BPR02 if it differs from the total of the payments
	at     string // GS and BHT: 20260201T0800
	teller string // names outside the facts
	npi    bool   // only the payee's NPI is given
	// The changes a clearinghouse makes: no TRN03, zeros before the number, or another date.
	noTRN03       bool
	zeros, paidOn string
}

func (w written) segments() (code, guide string, list []string) {
	day, clock, _ := strings.Cut(w.at, "T")
	if len(w.claims) > 0 {
		guide = map[string]string{"P": "005010X222A1", "I": "005010X223A2", "D": "005010X224A2"}[w.claims[0].kind]
		list = []string{"BHT*0019*00*1*" + day + "*" + clock + "*CH"}
		for _, c := range w.claims {
			list = append(list, c.segments()...)
		}
		return "837", guide, list
	}
	total := -w.adjust
	for _, p := range w.paid {
		total += p.paid
	}
	trace := "TRN*1*" + w.zeros + w.check
	if !w.noTRN03 {
		trace += "*1" + cmp.Or(w.payer, "999999999")
	}
	paidOn := cmp.Or(w.paidOn, fmt.Sprintf("202603%02d", len(w.check)+int(w.check[len(w.check)-1]-'0')))
	list = []string{
		fmt.Sprintf("BPR*I*%s*C*CHK************%s", cmp.Or(w.amount, fmt.Sprint(total)), paidOn), trace,
		"N1*PR*" + cmp.Or(w.teller, "STEADY MUTUAL"),
	}
	tin := ""
	if w.npi {
		list = append(list, "N1*PE*CLINIC*XX*1234567893", "LX*1")
	}
	for i, p := range w.paid {
		if p.tin != tin && !w.npi {
			list = append(list, "N1*PE*CLINIC "+p.tin+"*FI*"+p.tin, fmt.Sprintf("LX*%d", i+1))
			tin = p.tin
		}
		list = append(list, p.segments(w.teller)...)
	}
	if w.adjust != 0 {
		list = append(list, fmt.Sprintf("PLB*1234567893*20261231*WO:X*%d", w.adjust))
	}
	if w.plb != "" {
		list = append(list, w.plb)
	}
	return "835", "005010X221A1", list
}

// x12File writes sets into one file, each in its own group.
func x12File(number int, sets ...written) string {
	groups := make([]x12test.Group, len(sets))
	for i, w := range sets {
		code, guide, list := w.segments()
		day, clock, _ := strings.Cut(w.at, "T")
		kind := map[string]string{"837": "HC", "835": "HP"}[code]
		groups[i] = x12test.Group{Code: kind, Guide: guide, Date: day, Time: clock, Sets: []string{x12test.Set(code, guide, list...)}}
	}
	return x12test.File(number, groups...)
}

// writeFiles writes files of sets and returns their paths.
func writeFiles(t *testing.T, files ...[]written) []string {
	t.Helper()
	dir := t.TempDir()
	paths := make([]string, len(files))
	for i, sets := range files {
		paths[i] = filepath.Join(dir, fmt.Sprintf("%d.edi", i))
		require.NoError(t, os.WriteFile(paths[i], []byte(x12File(i+1, sets...)), 0o600))
	}
	return paths
}

// importer imports files like the program does.
func importer(d *db.DB) *ingest.Importer {
	now := func() time.Time { return time.Date(2026, 4, 1, 0, 0, 0, 0, time.UTC) }
	return ingest.New(ingest.Deps{DB: d, Clock: now}, ingest.Settings{}, newLedger(d, now).Feeds()...)
}

// imports imports files in order. If another importer is processing the same file, it continues
// from there.
func imports(ctx context.Context, d *db.DB, paths []string, opts ingest.Options) error {
	for _, path := range paths {
		report, err := importer(d).Import(ctx, "x12", path, opts)
		for errors.Is(err, ingest.ErrOtherRun) {
			report, err = importer(d).Import(ctx, "x12", path, opts)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		if report.Refused != nil || report.Rejected > 0 || report.SetsNotImported > 0 {
			return fmt.Errorf("%s: %+v", path, report)
		}
	}
	return nil
}

// importsSideBySide imports lists of files concurrently, each with its own connections.
func importsSideBySide(t *testing.T, d *db.DB, lists ...[]string) {
	t.Helper()
	var workers sync.WaitGroup
	failed := make([]error, len(lists))
	for i, list := range lists {
		workers.Go(func() {
			own, err := db.Open(t.Context(), d.URL)
			if err != nil {
				failed[i] = err
				return
			}
			defer own.Close()
			failed[i] = imports(t.Context(), own, list, ingest.Options{})
		})
	}
	workers.Wait()
	require.NoError(t, errors.Join(failed...))
}

// world is the data that random bill groups are built from.
type world struct {
	r    *rand.Rand
	sets []written
}

func (w *world) pick(list ...string) string { return list[w.r.IntN(len(list))] }
func (w *world) chance(percent int) bool    { return w.r.IntN(100) < percent }
func (w *world) moment() string             { return fmt.Sprintf("202602%02dT0%d00", 1+w.r.IntN(9), w.r.IntN(3)) }

// inventFiles makes the transaction sets of some bill groups: submissions by offices, pricing by
// the network, payments by payers, and repetitions.
func inventFiles(r *rand.Rand, families int) []written {
	w := &world{r: r}
	byKind := map[string][]claimSent{}
	var paid []written // the first two sets of each check
	for k := range 8 {
		for range 2 {
			paid = append(paid, written{check: fmt.Sprint("K", k+1), payer: []string{"", "888888888"}[k%2], at: w.moment(), npi: k > 5})
		}
	}
	for n := range families {
		w.family(n, byKind, paid)
	}
	for _, kind := range []string{"P", "I", "D"} {
		claims := byKind[kind]
		r.Shuffle(len(claims), func(i, j int) { claims[i], claims[j] = claims[j], claims[i] })
		for len(claims) > 0 {
			n := 1 + r.IntN(min(8, len(claims)))
			w.sets = append(w.sets, written{claims: claims[:n], at: w.moment()})
			claims = claims[n:]
		}
	}
	for i := range paid {
		if len(paid[i].paid) > 0 {
			if w.chance(20) {
				paid[i].adjust = r.IntN(50) - 20
			}
			w.sets = append(w.sets, paid[i])
		}
	}
	for _, s := range slices.Clone(w.sets) {
		if w.chance(35) {
			w.sets = append(w.sets, w.again(s))
		}
	}
	return w.sets
}

// again returns a repeated set: in another order, at another or the same time, with more
// payments of its check, and with other names outside the facts.
func (w *world) again(s written) written {
	s.claims, s.paid = slices.Clone(s.claims), slices.Clone(s.paid)
	if w.chance(70) {
		s.at = w.moment()
	}
	if s.check == "" {
		w.r.Shuffle(len(s.claims), func(i, j int) { s.claims[i], s.claims[j] = s.claims[j], s.claims[i] })
		if w.chance(50) {
			for i := range s.claims {
				s.claims[i].extra = []string{"DTP*439*D8*20260102"}
			}
		}
		return s
	}
	if w.chance(50) {
		for _, other := range w.sets {
			if other.check == s.check && other.at != s.at {
				s.paid = append(s.paid, other.paid[:w.r.IntN(len(other.paid)+1)]...)
				break
			}
		}
	}
	w.r.Shuffle(len(s.paid), func(i, j int) { s.paid[i], s.paid[j] = s.paid[j], s.paid[i] })
	if w.chance(15) {
		s.noTRN03 = true
	} else if w.chance(50) {
		s.teller = w.pick("HAND", "FOOT", "ARM")
	}
	return s
}

// family adds one bill with its corrections and payments.
func (w *world) family(n int, byKind map[string][]claimSent, sets []written) {
	tins := []string{"111111111"}
	switch {
	case w.chance(10):
		tins = append(tins, "222222222") // the same numbers under a second TIN
	case w.chance(30):
		tins[0] = "333333333"
	}
	kind := w.pick("P", "P", "I", "D")
	network, account := fmt.Sprintf("N%d", n), fmt.Sprintf("ACCT-%04d", n/2) // two groups may share an account
	payers := w.pick("I"+network, "I"+network, "I"+network, network, "D1"+network, "")
	day := fmt.Sprintf("202601%02d", 1+n%20)
	until := fmt.Sprintf("202601%02d", 3+n%20)
	charge := 100 + 50*w.r.IntN(3)
	original := w.pick("1", "1", "1", "2", "5")
	for _, tin := range tins {
		first, last := "ROBERT", "O'BRIEN"
		add := func(c claimSent) {
			c.kind, c.tin, c.account, c.day, c.until = kind, tin, account, day, until
			if n%3 == 0 {
				c.claim = fmt.Sprint("WC", n)
			}
			if n%5 == 0 {
				c.npi = "1234567890" // an invalid check digit
			}
			c.first, c.last = first, last
			if w.chance(15) {
				c.account = w.pick("B"+network, "D1"+network, payers) // a new number for the same visit
			}
			if c.account == "" {
				c.account = account
			}
			if w.chance(30) {
				c.first, c.last = w.pick("ROB", "R", "BEA"), w.pick("OBRIEN", "O'BRIEN JR")
			}
			byKind[kind] = append(byKind[kind], c)
		}
		if w.chance(85) {
			add(claimSent{frequency: original, charge: charge})
		}
		if w.chance(60) {
			add(claimSent{frequency: original, charge: charge, own: network, allowance: 80})
		}
		if w.chance(25) { // the repricer's adjusted number, and numbers in another case
			add(claimSent{frequency: original, charge: charge, own: w.pick("", strings.ToLower(network)),
				adjusted: w.pick("ADJ1", "ADJ2") + network, allowance: 70})
		}
		if w.chance(20) {
			add(claimSent{frequency: original, charge: charge, document: w.pick("D1", "D2") + network})
		}
		if w.chance(20) {
			add(claimSent{frequency: original, charge: charge, document: "D1" + network, reference: w.pick(network, payers)})
		}
		if w.chance(35) {
			c := claimSent{frequency: w.pick("7", "8", "7", "Q"), charge: charge + 30}
			c.reference = w.pick(network, "I"+network, "I"+network, account, "B"+network, "D1"+network, "nothing")
			if w.chance(40) {
				c.own, c.allowance = network+"R", 110
			}
			add(c)
		}
		if w.chance(15) {
			add(claimSent{frequency: w.pick("7", "8"), charge: charge + 40})
		}
		w.payments(sets, claimPaid{
			tin: tin, account: account, status: "1", charge: charge, number: payers, first: first, last: last, day: day,
		}, network)
	}
}

// payments adds the payments of one bill: paid, partly paid, denied, reversed and paid again.
// They are in the same set, in the check's other set, or in another check.
func (w *world) payments(sets []written, plain claimPaid, network string) {
	put := func(i int, p claimPaid) {
		switch n := w.r.IntN(100); {
		case n < 10:
			p.account = w.pick("B", "D1") + network
		case n < 20: // truncated by the payer
			p.account = p.account[:len(p.account)-1]
		}
		if w.chance(20) {
			p.first, p.last = w.pick("ROB", "R", "ROBERT"), w.pick("OBRIEN", "O'BRIEN JR")
		}
		sets[i].paid = append(sets[i].paid, p)
		if w.chance(8) {
			sets[i].paid = append(sets[i].paid, p) // an equal payment
		}
	}
	for range w.r.IntN(4) {
		p := plain
		i := w.r.IntN(len(sets))
		switch n := w.r.IntN(100); {
		case n < 15:
			p.own = network
		case n < 24:
			p.day = ""
		case n < 32:
			p.charge += 30
		case n < 36: // part of the claim, or one day of the stay
			p.charge -= 30
			p.day = p.day[:6] + fmt.Sprintf("%02d", w.r.IntN(3)+int(p.day[6]-'0')*10+int(p.day[7]-'0'))
		case n < 44:
			p.day = p.day[:6] + fmt.Sprintf("%02d", w.r.IntN(3)+int(p.day[6]-'0')*10+int(p.day[7]-'0'))
		case n < 52:
			p.number, p.former = "J"+network, w.pick(p.number, p.account, network)
		}
		if w.chance(30) {
			p.status, p.reason = w.pick("1", "4", "2", "22", "23"), w.pick("50", "18", "23")
			put(i, p)
			continue
		}
		p.paid, p.patient = []int{80, 40, 90}[w.r.IntN(3)], 10*w.r.IntN(2)
		put(i, p)
		if w.chance(20) { // an addition or a replacement: other amounts with the same numbers
			other := p
			other.paid += 7
			put([]int{i, i ^ 1}[w.r.IntN(2)], other)
		}
		if w.chance(40) { // reversed, and often paid again
			back, repaid := p, p
			back.status, back.charge, back.paid, back.patient = "22", -p.charge, -p.paid, -p.patient
			if w.chance(20) {
				back.paid = -30
			}
			j := []int{i, i ^ 1, w.r.IntN(len(sets))}[w.r.IntN(3)]
			put(j, back)
			if w.chance(70) {
				repaid.paid += 5
				put([]int{i, j, j ^ 1, w.r.IntN(len(sets))}[w.r.IntN(4)], repaid)
			}
		}
	}
}

// countedBySets counts the facts in sets, each once, or as often as one set repeats it.
func countedBySets(sets []written) (submissions, payments int, sum int64) {
	claims := map[string]bool{}
	times := map[string]int{}
	for _, s := range sets {
		for _, c := range s.claims {
			c.extra = nil
			claims[fmt.Sprint(c)] = true
		}
		inSet := map[string]int{}
		for _, p := range s.paid {
			if s.npi {
				p.tin = ""
			}
			key := fmt.Sprint(s.check, s.payer, s.noTRN03, p)
			inSet[key]++
			if inSet[key] > times[key] {
				times[key]++
				payments++
				sum += int64(p.paid) * 100
			}
		}
	}
	return len(claims), payments, sum
}

// cutSets divides sets into files.
func cutSets(r *rand.Rand, sets []written, files int) [][]written {
	list := make([][]written, files)
	for n, i := range r.Perm(len(sets)) {
		to := r.IntN(files)
		if n < files {
			to = n // never empty
		}
		list[to] = append(list[to], sets[i])
	}
	return list
}

// listOrders returns up to most orders of the paths: all of them, or random ones.
func listOrders(r *rand.Rand, paths []string, most int) [][]string {
	all := [][]string{nil}
	for range paths {
		var longer [][]string
		for _, begun := range all {
			for _, p := range paths {
				if !slices.Contains(begun, p) {
					longer = append(longer, append(slices.Clone(begun), p))
				}
			}
		}
		if all = longer; len(all) > 1000 {
			break
		}
	}
	if len(paths) > 5 || len(all) > most {
		all = nil
		for range most {
			order := slices.Clone(paths)
			r.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
			all = append(all, order)
		}
	}
	return all
}

// The position of a payment's set depends on how sets were divided into files.
var place = regexp.MustCompile(`"File":"[^"]*","Offset":\d+(,"Length":\d+)?`)

// A file imported again can give other values here than another file written at the same time.
var otherwise = regexp.MustCompile(`"(DateOfInjury|PhysicianFirstName|PhysicianLastName|PayerName|File|Offset|Length)":("[^"]*"|null|\d+)`)

// The result is the same for any files in any order, repeated or concurrent. No payment is lost
// or counted twice.
func TestFilesInAnyOrderEndInTheSameRows(t *testing.T) {
	t.Parallel()
	chosen := *seed
	if chosen == 0 {
		chosen = uint64(time.Now().UnixNano())
	}
	t.Logf("seed %d", chosen)
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		const together = 10
		for from := 0; from < *rounds; from += together {
			s := chosen + uint64(from)
			r := rand.New(rand.NewPCG(s, 11))
			sets := inventFiles(r, together)
			filesInAnyOrder(t, d, r, sets, s)
		}
	})
}

// unproven lists payments under a TIN that is neither the payee in a file nor proved by a bill.
func unproven(t *testing.T, d *db.DB) string {
	t.Helper()
	paid, err := store.Payments.Select(t.Context(), d.Writer, "WHERE payee_npi <> ''")
	require.NoError(t, err)
	standing := map[string]int{} // payments of a check under a TIN
	for _, p := range paid {
		sent, err := store.Submissions.Select(t.Context(), d.Writer, "WHERE ftin = $1", p.Reported.FTIN)
		require.NoError(t, err)
		family := matching.BillGroup{Payments: []*facts.Payment{&p}}
		for i := range sent {
			family.Submissions = append(family.Submissions, &sent[i])
		}
		if proofs, _, _ := matching.FindProofs(family, map[facts.FactID]bool{p.ID(): true}); len(proofs) == 0 {
			return fmt.Sprintf("payment %s of %s stands under %s, of which no bill proves it", p.PatientControlNumber, p.TraceNumber,
				p.Reported.FTIN)
		}
		standing[p.Reported.FTIN+p.Remittance]++
	}
	sets, err := store.RemittanceSets.Select(t.Context(), d.Writer, "WHERE payee_npi <> ''")
	require.NoError(t, err)
	told, err := store.PayeeFacts.Select(t.Context(), d.Writer, "WHERE occurrence = 0")
	require.NoError(t, err)
	whole := map[string]int{}
	for _, f := range told {
		whole[f.Fact] = len(f.Body.Parts[0].Set.Payments)
	}
	for _, s := range sets {
		if standing[s.FTIN+s.Remittance] == 0 || len(s.Payments) < whole[s.Fact] && (s.Payees < 2 || len(s.Adjustments) > 0) {
			return fmt.Sprintf("a set of %s stands under %s as its own", s.TraceNumber, s.FTIN)
		}
	}
	return ""
}

func filesInAnyOrder(t *testing.T, d *db.DB, r *rand.Rand, sets []written, s uint64) {
	t.Helper()
	submissions, payments, sum := countedBySets(sets)
	want := ""
	check := func(what string, same func(string) string) {
		t.Helper()
		got := dump(t, d)
		if want == "" {
			want = got
		}
		if same(got) != same(want) {
			t.Fatalf("-seed %d -families 10, %s: the rows differ\n%s", s, what, difference(same(want), same(got)))
		}
		require.Emptyf(t, showUnplaced(t, d), "-seed %d -families 10, %s", s, what)
		require.Emptyf(t, unproven(t, d), "-seed %d -families 10, %s", s, what)
		var found []struct{ Submissions, Payments, Paid int64 }
		require.NoError(t, db.Select(t.Context(), d.Writer, &found, `
			SELECT (SELECT count(*) FROM submissions) AS submissions, count(*) AS payments, coalesce(sum(paid), 0) AS paid
				FROM payments`))
		waiting, err := store.PayeeFacts.Select(t.Context(), d.Writer, "WHERE ftin = ''")
		require.NoError(t, err)
		for _, f := range waiting {
			if p := f.Body.Payment; p != nil {
				found[0].Payments++
				found[0].Paid += p.Paid
			}
		}
		if f := found[0]; f.Submissions != int64(submissions) || f.Payments != int64(payments) || f.Paid != sum {
			t.Fatalf("-seed %d -families 10, %s: stored %+v; the files tell %d submissions, %d payments, %d paid", s, what, f, submissions,
				payments, sum)
		}
		empty(t, d)
	}
	whole := func(s string) string { return s }
	take := func(paths ...string) {
		t.Helper()
		require.NoErrorf(t, imports(t.Context(), d, paths, ingest.Options{}), "-seed %d -families 10", s)
	}
	empty(t, d)

	paths := writeFiles(t, cutSets(r, sets, 1+r.IntN(min(7, len(sets))))...)
	for _, order := range listOrders(r, paths, *orders) {
		take(order...)
		check(fmt.Sprint("order ", order), whole)
	}
	take(paths...)
	require.NoError(t, imports(t.Context(), d, paths[:1+r.IntN(len(paths))], ingest.Options{Again: true}))
	check("repeated", func(s string) string { return sortLines(otherwise.ReplaceAllString(s, "")) })

	var workers [4][]string
	for i := range workers {
		workers[i] = slices.Clone(paths)
		r.Shuffle(len(paths), func(a, b int) { workers[i][a], workers[i][b] = workers[i][b], workers[i][a] })
	}
	importsSideBySide(t, d, workers[:]...)
	check("side by side", whole)

	take(writeFiles(t, cutSets(r, sets, 1+r.IntN(len(sets)))...)...)
	check("cut otherwise", func(s string) string { return sortLines(place.ReplaceAllString(s, "")) })
}

// sortLines sorts rows again after a part by which they were sorted was removed.
func sortLines(s string) string {
	return strings.Join(slices.Sorted(strings.Lines(s)), "")
}
