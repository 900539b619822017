package remittances

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/bills/ledger"
	"wcpp/internal/bills/ledger/store"
	"wcpp/internal/demo"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/money"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/x12"
	"wcpp/internal/platform/x12/x12test"
)

const guide5010 = "005010X221A1"

// paying writes a set with one check; total is in cents.
func paying(total, check string, segments ...string) string {
	head := []string{
		"BPR*I*" + total + "*C*ACH*CCP*01*021000021*DA*123456789*1512345678**01*031000503*DA*987650000012345*20260711",
		"TRN*1*" + check + "*1512345678", "DTM*405*20260710",
		"N1*PR*BEACON ROAD INSURANCE", "REF*2U*P9", "PER*CX**TE*6145550101",
	}
	return x12test.Set("835", guide5010, slices.Concat(head, segments)...)
}

func payee(tin string) []string { return []string{"N1*PE*LAKE ORTHOPEDICS*FI*" + tin, "LX*1"} }

// paid is a claim with one line.
func paid(account, status, charge, amount string) []string {
	return []string{
		"CLP*" + account + "*" + status + "*" + charge + "*" + amount + "**WC*I" + account + "*11*1", "NM1*QC*1*BROOK*ADA",
		"DTM*232*20260603",
		"SVC*HC:99213:25*" + charge + "*" + amount + "**1", "DTM*472*20260603", "CAS*CO*45*" + less(charge, amount), "LQ*HE*N130",
	}
}

func less(charge, amount string) string {
	var c, a int
	_, _ = fmt.Sscan(charge, &c)
	_, _ = fmt.Sscan(amount, &a)
	return fmt.Sprint(c - a)
}

func makeFile(number int, sets ...string) string {
	return x12test.File(number, x12test.Group{Code: "HP", Guide: guide5010, Date: "20260710", Time: "0915", Sets: sets})
}

// exported returns the original 835s of a portal's remittances, and the number of remittances
// without one.
func (p *portal) exported(t *testing.T) (files [][]byte, without int) {
	t.Helper()
	for _, r := range p.all(t) {
		_, body, err := p.Original(t.Context(), jane, p.sealed(t, r))
		switch {
		case problem.Is(err, problem.NotFound):
			without++
		case err != nil:
			t.Fatal(err)
		default:
			files = append(files, body)
		}
	}
	return files, without
}

// accounts returns everything known about the remittances with an original 835, without files
// and import times.
func (p *portal) accounts(t *testing.T) (list []string) {
	t.Helper()
	for _, r := range p.all(t) {
		if r.File == "" {
			continue
		}
		page, err := p.readPage(t.Context(), ID{FTIN: r.FTIN, Remittance: r.Remittance})
		require.NoError(t, err)
		a := page.CheckRecord
		a.File, a.Offset, a.Length, a.FirstSeenAt, a.Superseded = "", 0, 0, db.Instant{}, nil
		for i := range a.Payments {
			a.Payments[i].File, a.Payments[i].Offset, a.Payments[i].Bill = "", 0, ""
		}
		text, err := json.Marshal(a)
		require.NoError(t, err)
		list = append(list, string(text))
	}
	return list
}

// roundTrip imports files into one portal, and its exports into another one. Both have the same
// remittances and payments.
func roundTrip(t *testing.T, kind string, tins []string, files map[string]string) {
	t.Helper()
	from, to := newPortal(t, opened(t, kind), tins...), newPortal(t, opened(t, kind), tins...)
	for _, name := range slices.Sorted(mapsKeys(files)) {
		from.take(t, name, files[name])
	}
	exported, without := from.exported(t)
	require.NotEmptyf(t, exported, "nothing can be had as sent; %d cannot", without)
	for i, body := range exported {
		to.take(t, fmt.Sprintf("%d.edi", i), string(body))
	}
	want, got := from.accounts(t), to.accounts(t)
	require.Equal(t, len(exported), len(want))
	require.Equal(t, len(want), len(got))
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("not the same:\n%s\n%s", want[i], got[i])
			break
		}
	}
	t.Logf("%d remittances went round, %d have no file as sent", len(exported), without)
}

func mapsKeys(m map[string]string) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

func TestAsSentGoesRound(t *testing.T) {
	two := makeFile(1,
		paying("200", "4001", slices.Concat(payee(ours), paid("A1", "1", "300", "260"),
			[]string{"PLB*1234567893*20261231*WO:IA1*40*L6:X*-10*FB:4001*30"})...),
		paying("140", "4002", slices.Concat(payee(ours), paid("B1", "22", "-300", "-160"), paid("B1", "1", "300", "300"))...))
	forms := map[string]string{
		"a line for each segment":  two,
		"one line":                 strings.ReplaceAll(two, "~\n", "~"),
		"lines of Windows":         strings.ReplaceAll(two, "~\n", "~\r\n"),
		"line ends as terminators": strings.ReplaceAll(two, "~\n", "\n"),
		"other separators":         strings.NewReplacer("~", "\x1c", "*", "\x1d", ":", "\x1f", "^", "\x1e").Replace(two),
		"4010": strings.NewReplacer("*^*00501*", "*U*00401*", "*"+guide5010+"~", "~", "*X*"+guide5010, "*X*004010X091A1").Replace(
			strings.ReplaceAll(two, "*X*"+guide5010+"~", "*X*004010X091A1~")),
		"another interchange before": makeFile(7, paying("0", "4000", slices.Concat(payee(ours), paid("Z1", "1", "10", "0"))...)) +
			strings.NewReplacer("~", "|", ":", "<").Replace(two),
	}
	for name, text := range forms {
		for _, kind := range []string{"sqlite", "postgres"} {
			t.Run(name+" "+kind, func(t *testing.T) { roundTrip(t, kind, []string{ours}, map[string]string{"835.edi": text}) })
		}
	}
}

func TestSamplesGoRound(t *testing.T) {
	for _, path := range x12test.Samples(t, "x12/835*.edi") {
		t.Run(filepath.Base(path), func(t *testing.T) {
			text, err := os.ReadFile(path)
			require.NoError(t, err)
			p := newPortal(t, opened(t, "sqlite"))
			p.take(t, filepath.Base(path), string(text))
			first := store.UnplacedPlace{Paid: 1 << 40}
			if unplaced, err := ledger.ListUnplaced(t.Context(), p.db.Reader, first, false, 9); err != nil || len(unplaced) > 0 {
				if all := p.all(t); err != nil || len(all) > 0 {
					t.Errorf("%v: a payee known by NPI has %+v", err, all)
				}
				return
			}
			var tins []string
			for _, r := range p.all(t) {
				tins = append(tins, r.FTIN)
				page, err := p.readPage(t.Context(), ID{FTIN: r.FTIN, Remittance: r.Remittance})
				require.NoError(t, err)
				t.Logf("%s to %s: %v comes to %s, announced %s", r.TraceNumber, r.FTIN, page.Summary, money.Text(page.Total),
					money.Text(*page.Amount))
			}
			roundTrip(t, "sqlite", tins, map[string]string{filepath.Base(path): string(text)})
		})
	}
}

func TestDemoGoesRound(t *testing.T) {
	files := map[string]*bytes.Buffer{}
	require.NoError(t, dbtest.Err(demo.Files(t.Context(), date.Date("2026-08-20"), 600, func(name string) (io.WriteCloser, error) {
		files[name] = &bytes.Buffer{}
		return nopCloser{files[name]}, nil
	})))
	text := files["payments.edi"].String()
	p := newPortal(t, opened(t, "sqlite"))
	p.take(t, "payments.edi", text)
	tins := map[string]string{}
	for _, r := range p.all(t) {
		tins[r.FTIN] = ""
	}
	roundTrip(t, "sqlite", slices.Collect(mapsKeys(tins)), map[string]string{"payments.edi": text})
}

type nopCloser struct{ io.Writer }

func (nopCloser) Close() error { return nil }

// No exported file names a second payee, regardless of the payees in its set.
func TestNoSecondPayee(t *testing.T) {
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 1))
	t.Logf("seed %d", seed)
	tins := []string{ours, "222222222", "333333333"}
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		p := newPortal(t, d, tins...)
		var sets []string
		for i := range 60 {
			var segments []string
			total := 0
			for range 1 + r.IntN(3) {
				segments = append(segments, payee(tins[r.IntN(len(tins))])...)
				for range r.IntN(3) {
					amount := r.IntN(300)
					total += amount
					segments = append(segments, paid(fmt.Sprintf("A%d", r.IntN(1000)), "1", "300", fmt.Sprint(amount))...)
				}
			}
			sets = append(sets, paying(fmt.Sprint(total), fmt.Sprint(5000+i), segments...))
		}
		for some := range slices.Chunk(sets, 20) {
			p.take(t, "835.edi", makeFile(len(some), some...))
		}
		files, without := p.exported(t)
		if len(files) == 0 || without == 0 {
			t.Fatalf("seed %d: %d files, %d without", seed, len(files), without)
		}
		for _, body := range files {
			if n := strings.Count(string(body), "N1*PE*"); n != 1 { // not even the same one twice
				t.Errorf("seed %d: %d payees in\n%s", seed, n, body)
			}
		}
		for _, remittance := range p.all(t) { // the remittance advice is still available
			if _, _, err := p.Advice(t.Context(), jane, p.sealed(t, remittance)); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// Bank accounts keep their last four characters, regardless of line breaks in the file.
func TestAccountsAreMasked(t *testing.T) {
	text := makeFile(1, paying("260", "4001", slices.Concat(payee(ours), paid("A1", "1", "300", "260"))...))
	broken := strings.Replace(strings.Replace(text, "BPR*I", "B\nPR*I", 1), "123456789*15", "12345\n6789*15", 1)
	for name, text := range map[string]string{"as usual": text, "broken": broken} {
		t.Run(name, func(t *testing.T) {
			p := newPortal(t, opened(t, "sqlite"), ours)
			p.take(t, "835.edi", text)
			files, _ := p.exported(t)
			require.Len(t, files, 1, "no file")
			body := string(files[0])
			if !strings.Contains(body, "*DA*XXXXX6789*1512345678**01*031000503*DA*XXXXXXXXXXX2345*20260711~") ||
				strings.Contains(body, "12345\n6789") || strings.Contains(body, "987650000012345") {
				t.Errorf("accounts:\n%s", body)
			}
			if !strings.HasPrefix(body, "ISA*00*          *00*          *ZZ*WCPP           *30*111111111      *260710*0915*^*00501*") {
				t.Errorf("envelope:\n%s", body)
			}
		})
	}
	assert.Equal(t, "XXXX", string(maskAccount([]byte("1234"))))
}

// When a file is deleted, the remittance advice is still available.
func TestDeletedFilesKeepTheAdvice(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		p := newPortal(t, d, ours)
		p.take(t, "835.edi", makeFile(1, paying("260", "4001", slices.Concat(payee(ours), paid("A1", "1", "300", "260"))...)))
		sealed := p.sealed(t, p.all(t)[0])
		if page, err := p.Page(t.Context(), jane, sealed); err != nil || page.Original != OriginalAvailable || page.FileName != "835.edi" {
			t.Fatalf("%s %s, %v", page.Original, page.FileName, err)
		}
		*p.clock = p.clock.AddDate(1, 0, 0)
		require.NoError(t, p.feeds.Cleanup(t.Context()))
		if page, err := p.Page(t.Context(), jane, sealed); err != nil || page.Original != OriginalDeleted {
			t.Errorf("%s, %v", page.Original, err)
		}
		var e *problem.Error
		if _, _, err := p.Original(t.Context(), jane, sealed); !errors.As(err, &e) || e.Kind != problem.NotFound ||
			e.Message != "The original 835 is no longer stored. Use the remittance advice instead." {
			t.Errorf("%v", err)
		}
		if _, body, err := p.Advice(t.Context(), jane, sealed); err != nil || !bytes.HasPrefix(body, []byte("%PDF")) {
			t.Errorf("%v", err)
		}
	})
}

// A range that isn't a set returns no file.
func TestRangeMustBeASet(t *testing.T) {
	text := makeFile(1, paying("260", "4001", slices.Concat(payee(ours), paid("A1", "1", "300", "260"))...))
	at, end := int64(strings.Index(text, "ST*")), int64(strings.Index(text, "GE*"))
	for name, s := range map[string]x12.Set{
		"beside": {Offset: at + 1, Length: 20}, "cut": {Offset: at, Length: 20}, "past the end": {Offset: at, Length: 1 << 20},
		"nowhere": {Offset: 1 << 20, Length: 5},
	} {
		if body, _, err := x12.ReadSet(strings.NewReader(text), s); err == nil {
			t.Errorf("%s: %q", name, body)
		}
	}
	body, sep, err := x12.ReadSet(strings.NewReader(text), x12.Set{Offset: at, Length: end - at - 1})
	if err != nil || sep != (x12.Separators{Element: '*', Component: ':', Repetition: '^', Terminator: '~'}) ||
		!strings.HasPrefix(string(body), "ST*835*0001*") {
		t.Errorf("%q %v %v", body, sep, err)
	}
}
