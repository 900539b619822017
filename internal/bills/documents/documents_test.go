package documents

import (
	"bytes"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/bills/billtest"
	"wcpp/internal/bills/ledger"
	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/bills/record"
	"wcpp/internal/bills/secondsystem"
	"wcpp/internal/identity/access"
	"wcpp/internal/identity/identitytest"
	"wcpp/internal/identity/tins"
	"wcpp/internal/platform"
	"wcpp/internal/platform/blob"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/ratelimit"
)

const (
	ours   = billtest.Ours
	theirs = billtest.Theirs
)

var clerk = billtest.Clerk

func newService(t *testing.T, d *db.DB, second *secondsystem.System) *Service {
	t.Helper()
	return newServiceWith(billtest.NewKit(t, d, time.Now, time.Local), second)
}

func newServiceWith(kit platform.Kit, second *secondsystem.System) *Service {
	scopes := tins.NewScopes(kit.DB)
	return NewService(Deps{Kit: kit, Ledger: billtest.NewLedger(kit.DB, kit.Clock), Scopes: scopes,
		Records: record.NewService(record.Deps{Kit: kit, Scopes: scopes}, record.Settings{}),
		Users:   identitytest.NewUsers(kit.DB), Desk: billtest.NoDesk{}, Second: second, Openings: ratelimit.Hourly(300)},
		Settings{ImageHosts: []string{"Images.example"}, Notes: true})
}

func TestDocuments(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := newService(t, d, nil)
		billtest.TakeBills(t, d, billtest.MakeBill(nil),
			billtest.MakeBill(func(b *record.Detailed) { b.BillControlNumber, b.Detail.Lines = "BARE", nil }),
			billtest.MakeBill(func(b *record.Detailed) { b.BillControlNumber, b.EOR = "PLAIN", false }),
			billtest.MakeBill(func(b *record.Detailed) { b.BillControlNumber, b.PricingSheet, b.BillingID = "SHEET", true, "B-1" }))
		require.NoError(t, dbtest.Err(s.db.Writer.ExecContext(t.Context(), `UPDATE bills SET ftin = '111111111'`)))
		id := func(kind, ftin, key string) string {
			sealed, err := s.records.SealDocument(record.DocumentID{Kind: kind, FTIN: ftin, Key: key})
			require.NoError(t, err)
			return sealed
		}
		page := func(id record.PageID) string {
			sealed, err := s.records.SealPageID(id)
			require.NoError(t, err)
			return sealed
		}
		paged := page(record.PageID{FTIN: ours, Key: "bcn-1"})
		for name, c := range map[string]struct {
			id     string
			exists bool
		}{
			"image":                          {id("image", ours, "bcn-1"), true},
			"EOR":                            {id("eor", ours, "bcn-1"), true},
			"image without service lines":    {id("image", ours, "bare"), false},
			"EOR of a bill without one":      {id("eor", ours, "plain"), false},
			"somebody else's":                {id("image", theirs, "bcn-1"), false},
			"no longer there":                {id("image", ours, "gone"), false},
			"made up":                        {"made-up", false},
			"image by its page":              {"image." + paged, true},
			"EOR by its page":                {"eor." + paged, true},
			"a page alone":                   {paged, false},
			"of no kind":                     {"." + paged, false},
			"another kind of a page":         {"second." + paged, false},
			"somebody else's page":           {"image." + page(record.PageID{FTIN: theirs, Key: "bcn-1"}), false},
			"the second system's page":       {"image." + page(record.PageID{FTIN: ours, Key: "bcn-1", ExID: "bcn-1"}), false},
			"a page made up":                 {"image.made-up", false},
			"the second system's as our own": {id("second", ours, "bcn-1"), false},
		} {
			exists, err := s.DocumentExists(t.Context(), clerk, c.id)
			if err != nil || exists != c.exists {
				t.Errorf("%s exists: %v, %v", name, exists, err)
			}
			file, pdf, err := s.Document(t.Context(), clerk, c.id)
			kind, _, _ := strings.Cut(strings.ToLower(name), " ")
			if c.exists && file != "bill-BCN-1-"+kind+".pdf" {
				t.Errorf("%s is named %q", name, file)
			}
			if c.exists && (err != nil || !strings.HasPrefix(string(pdf), "%PDF-")) || !c.exists && !problem.Is(err, problem.NotFound) {
				t.Errorf("%s: %d bytes, %v", name, len(pdf), err)
			}
			if err := s.CheckEOR(t.Context(), clerk, "/api/billSearch/billImage/"+c.id+"?id="+c.id); (err == nil) != c.exists {
				t.Errorf("%s checked: %v", name, err)
			}
		}
		if pdf, err := s.PricingSheetPDF(t.Context(), clerk, "sheet"); err != nil || !strings.HasPrefix(string(pdf), "%PDF-") {
			t.Errorf("pricing sheet: %v", err)
		}
		for _, number := range []string{"BCN-1", "gone"} {
			if _, err := s.PricingSheetPDF(t.Context(), clerk, number); !problem.Is(err, problem.NotFound) {
				t.Errorf("pricing sheet of %s: %v", number, err)
			}
		}
		lines, err := s.PricingSheetLines(t.Context(), clerk, "SHEET")
		if err != nil || !strings.Contains(lines[0], "PAGE 1 OF 1") {
			t.Errorf("lines: %v, %v", lines, err)
		}
		for _, l := range lines {
			assert.LessOrEqual(t, len(l), 85)
		}
		for _, link := range []string{"http://evil.example/x", "http://images.example@evil.example/x", "ftp://images.example/x",
			"http://127.0.0.1/x", "//evil.example", "https://images.example/any/path", "images.example:eor"} {
			if err := s.CheckEOR(t.Context(), clerk, link); !problem.Is(err, problem.Invalid) {
				t.Errorf("%s: %v", link, err)
			}
		}
		if n := 0; db.Get(t.Context(), d.Writer, &n, `SELECT count(*) FROM audit_log WHERE operation = 'open-image'
			AND result = 'refused'`) != nil || n == 0 {
			t.Error("the foreign document's refusal is not in the audit log")
		}
	})
}

// The paper of a sheet with a billing ID is only available as PDF, so the lines don't replace it.
func TestPricingSheetWithPaperHasNoLines(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := newService(t, d, nil)
		billtest.TakeBills(t, d,
			billtest.MakeBill(func(b *record.Detailed) { b.PricingSheet, b.BillingID = true, "B-1" }))
		if lines, err := s.PricingSheetLines(t.Context(), clerk, "BCN-1"); err != nil || len(lines) == 0 {
			t.Fatalf("without paper: %v, %v", lines, err)
		}
		paper := []byte("%PDF-of the network")
		hash := sha256.Sum256(paper)
		sum := hex.EncodeToString(hash[:])
		require.NoError(t, blob.Copy(t.Context(), s.files, paperKey(sum), bytes.NewReader(paper)))
		err := d.Tx(t.Context(), func(tx *sql.Tx) error {
			return dbtest.Err(billtest.NewLedger(d, s.now).ImportPapers(t.Context(), tx, []ledger.SentPaper{{
				Paper:    facts.Paper{FTIN: ours, Bill: "bcn-1", Kind: facts.SheetPaper, SHA256: sum, MediaType: "application/pdf"},
				OnAccept: func() {},
			}}))
		})
		require.NoError(t, err)
		if lines, err := s.PricingSheetLines(t.Context(), clerk, "BCN-1"); err != nil || len(lines) > 0 {
			t.Errorf("lines of a paper: %v, %v", lines, err)
		}
		if pdf, err := s.PricingSheetPDF(t.Context(), clerk, "BCN-1"); err != nil || !bytes.Equal(pdf, paper) {
			t.Errorf("%q, %v", pdf, err)
		}
		if n := 0; db.Get(t.Context(), d.Writer, &n, `SELECT count(*) FROM audit_log WHERE operation = 'open-pricing-sheet'`) != nil ||
			n != 2 {
			t.Errorf("%d openings in the audit log, want the lines and the paper", n)
		}
	})
}

func TestLongPricingSheetHasPages(t *testing.T) {
	b := detailed{Detailed: billtest.MakeBill(nil)}
	for i := range 80 {
		b.Detail.Lines = append(b.Detail.Lines, facts.Line{Number: i + 2, Procedure: "97110", Charge: 100})
	}
	pages := 0
	for _, l := range pricingSheetLines(b, "Network") {
		if strings.Contains(l, "PAGE ") {
			pages++
		}
	}
	assert.Equal(t, 3, pages)
}

func TestPaymentInfoKeepsScope(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := newService(t, d, nil)
		billtest.TakeBills(t, d, billtest.MakeBill(nil), billtest.MakeBill(func(b *record.Detailed) { b.FTIN = theirs }))
		if b, err := s.Payment(t.Context(), clerk, ours, "bcn-1"); err != nil || b.PaidAmount != nil {
			t.Errorf("own: %+v, %v", b, err)
		}
		for _, c := range [][2]string{{theirs, "BCN-1"}, {ours, "BCN-77"}} {
			if _, err := s.Payment(t.Context(), clerk, c[0], c[1]); !problem.Is(err, problem.NotFound) {
				t.Errorf("%v: %v", c, err)
			}
		}
	})
}

// The link to a document of a bill made of its payment opens it after the bill got its number.
func TestDocumentFollowsABillToItsNumber(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		clock := billtest.Midsummer
		s := onDay(t, d, &clock)
		billtest.Bring(t, d, s.now, billtest.Golden[6].Files...)
		b, err := record.GetByKey(t.Context(), d.Reader, access.NewScope([]string{ours}), ours, "i7")
		require.NoError(t, err)
		r, err := s.records.NewResult(b)
		require.NoError(t, err)
		billtest.Bring(t, d, s.now, billtest.MakeClaims("20260721", append(billtest.MakeClaim("G1", "180"+billtest.FormatPlace("1")),
			"REF*9A*7007", "HCP*03*150", "LX*1", "SV1*HC:99213*180*UN*1***1", "DTP*472*D8*20260603")))
		_, id, _ := strings.Cut(r.EORImageURL, "?id=")
		if name, pdf, err := s.Document(t.Context(), clerk, id); err != nil || name != "bill-7007-eor.pdf" ||
			!strings.HasPrefix(string(pdf), "%PDF-") {
			t.Errorf("%q, %v", name, err)
		}
	})
}

// The EOR lists a reversal whose original payment isn't known, and says that the total excludes it. The same
// goes for the part of a reversal that is more than was paid.
func TestEORMarksWaitingReversals(t *testing.T) {
	reversed := billtest.Golden[3].Files
	more := billtest.MakePayments("20260801", "40000072", -300, []string{"CLP*D1*22*-300*-300*0*WC*I4*11*1", "NM1*QC*1*BROOK*ADA",
		"DTM*232*20260603", "DTM*050*20260612"})
	const mark = "Not in Total Paid Waiting for the original payment "
	for name, c := range map[string]struct {
		files []billtest.File
		mark  string
		total string
	}{
		"original payment known":   {reversed, "", "240.00"},
		"original payment unknown": {[]billtest.File{reversed[0], reversed[2]}, mark + "-160.00", "240.00"},
		"more than was paid":       {[]billtest.File{reversed[0], reversed[1], more}, mark + "-140.00", "0.00"},
	} {
		dbtest.Each(t, func(t *testing.T, d *db.DB) {
			clock := billtest.Midsummer
			s := onDay(t, d, &clock)
			billtest.Bring(t, d, s.now, c.files...)
			sealed, err := s.records.SealDocument(record.DocumentID{Kind: record.EOR, FTIN: ours, Key: "7004"})
			require.NoError(t, err)
			_, pdf, err := s.Document(t.Context(), clerk, sealed)
			text := readText(t, pdf, err)
			if n := strings.Count(text, mark); n > 1 || (n == 1) != (c.mark != "") || !strings.Contains(text, c.mark) ||
				!strings.Contains(text, "Total Paid "+c.total) {
				t.Errorf("%s: want %q and %s: %s", name, c.mark, c.total, text)
			}
		})
	}
}

func TestDocumentsOfTheSecondSystem(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/bills/X 1/image":
			fmt.Fprint(w, `{"url":"https://images.example/1.pdf"}`)
		case "/bills/X 1/eor":
			fmt.Fprint(w, `{"url":"https://evil.example/1.pdf"}`)
		default:
			http.NotFound(w, r)
		}
	}))
	defer server.Close()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := newService(t, d, secondsystem.New(server.URL, "", time.Second, nil))
		id := func(exID string) string {
			r, err := s.records.NewSecondResult(secondsystem.Bill{FTIN: ours, ExID: exID})
			require.NoError(t, err)
			return r.ExID
		}
		if address, err := s.SecondDocument(t.Context(), clerk, id("X 1"), false); err != nil || address != "https://images.example/1.pdf" {
			t.Errorf("image: %q, %v", address, err)
		}
		if address, err := s.SecondDocument(t.Context(), clerk, id("X 1"), true); !problem.Is(err, problem.Unavailable) {
			t.Errorf("an address at a host that is not listed: %q, %v", address, err)
		}
		for _, id := range []string{id("X9"), "X 1", "made-up"} {
			if _, err := s.SecondDocument(t.Context(), clerk, id, false); !problem.Is(err, problem.NotFound) {
				t.Errorf("no such document %q: %v", id, err)
			}
		}
	})
}
