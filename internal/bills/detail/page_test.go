package detail

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/bills/billstate"
	"wcpp/internal/bills/billtest"
	"wcpp/internal/bills/ledger"
	"wcpp/internal/bills/ledger/derive"
	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/bills/record"
	"wcpp/internal/bills/secondsystem"
	"wcpp/internal/identity/access"
	"wcpp/internal/identity/identitytest"
	"wcpp/internal/identity/tins"
	"wcpp/internal/platform"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/ratelimit"
	"wcpp/internal/platform/seal"
)

var updatePages = flag.Bool("update-pages", false, "write the pages of testdata/pages anew")

const (
	ours   = billtest.Ours
	theirs = billtest.Theirs
)

// onDay creates a service with a clock in the business's time zone.
func onDay(t *testing.T, d *db.DB, second *secondsystem.System, clock *time.Time) *Service {
	t.Helper()
	kit := billtest.NewKit(t, d, func() time.Time { return *clock }, billtest.LoadNewYork(t))
	return NewService(Deps{Kit: kit, Records: record.NewService(record.Deps{Kit: kit, Scopes: tins.NewScopes(d)},
		record.Settings{States: true}), Users: identitytest.NewUsers(d), Desk: billtest.NoDesk{}, Reasons: billtest.Reasons{},
		Contacts: fakeContacts{}, Questions: noQuestions{}, Second: second,
		Openings: ratelimit.Hourly(300)})
}

var jane = billtest.Jane

func (s *Service) pageIDOf(t *testing.T, id record.PageID) string {
	t.Helper()
	sealed, err := s.records.SealPageID(id)
	require.NoError(t, err)
	return sealed
}

var sealedValues = regexp.MustCompile(`("(?:page|remittance)": "|\?id=|"exId": "|/billImage/)(?:(?:image|eor)\.)?[\w-]{40,}`)

func TestGoldenPages(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		clock := billtest.Midsummer
		s := onDay(t, d, startSecondSystem(t), &clock)
		for _, g := range billtest.Golden {
			billtest.Bring(t, d, s.now, g.Files...)
		}
		look := func(name string, id record.PageID) {
			t.Run(name, func(t *testing.T) {
				page, err := s.getPage(t.Context(), jane, s.pageIDOf(t, id))
				require.NoError(t, err)
				got, err := json.MarshalIndent(page, "", "  ")
				require.NoError(t, err)
				got = append(sealedValues.ReplaceAll(got, []byte(`${1}sealed`)), '\n')
				path := filepath.Join("testdata", "pages", name+".json")
				if *updatePages {
					require.NoError(t, os.WriteFile(path, got, 0o600))
				}
				want, err := os.ReadFile(path)
				require.NoError(t, err)
				if !bytes.Equal(got, want) {
					t.Errorf("%s is not the page (run with -update-pages and look at what changed):\n%s", path, got)
				}
				if page.Kind != "second" {
					addsUp(t, page)
				}
			})
		}
		for _, g := range billtest.Golden {
			look(g.Name, record.PageID{FTIN: ours, Key: strings.ToLower(g.Bill)})
		}
		look("second", record.PageID{FTIN: ours, Key: "S-1", ExID: "77"})
	})
}

// addsUp checks that the page's lines add up to its totals.
func addsUp(t *testing.T, p BillPage) {
	t.Helper()
	sum := func(amount func(l PageLine) *float64) (total float64, known bool) {
		for _, l := range p.Lines {
			if a := amount(l); a != nil {
				total, known = total+*a, true
			}
		}
		return total, known
	}
	if charge, known := sum(func(l PageLine) *float64 { return &l.Charge }); known && charge != *p.Bill.BillCharges {
		t.Errorf("the lines charge %v, the bill %v", charge, *p.Bill.BillCharges)
	}
	if allowance, known := sum(func(l PageLine) *float64 { return l.Allowance }); known && allowance != *p.Bill.RecommendedAllowance {
		t.Errorf("the lines allow %v, the bill %v", allowance, *p.Bill.RecommendedAllowance)
	}
	paid, known := sum(func(l PageLine) *float64 { return l.Paid })
	for _, l := range p.Unmatched {
		paid, known = paid+*l.Paid, true
	}
	for _, a := range p.Adjustments {
		paid -= *a.Amount
	}
	if known && paid != *p.Bill.PaidAmount {
		t.Errorf("the lines are paid %v, the bill %v", paid, *p.Bill.PaidAmount)
	}
	if difference, known := sum(func(l PageLine) *float64 { return l.Difference }); known && len(p.Unmatched) == 0 &&
		difference != *p.Difference {
		t.Errorf("the lines differ by %v, the bill by %v", difference, *p.Difference)
	}
}

// startSecondSystem is a second bill system with one bill.
func startSecondSystem(t *testing.T) *secondsystem.System {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var asked secondsystem.Search
		_ = json.NewDecoder(r.Body).Decode(&asked)
		found := []secondsystem.Bill{}
		if asked.BillControlNumber == "S-1" || asked.DocumentID == "SD-1" {
			charge, allowance, paid := 200.0, 150.0, 120.5
			found = append(found, secondsystem.Bill{
				FTIN: ours, ExID: "77", BillControlNumber: "S-1", DocumentID: "SD-1", ClaimNumber: "WC-S", PatientFirstName: "Ada",
				PatientLastName:  "Brook",
				BeginServiceDate: "2026-06-03", EndServiceDate: "2026-06-03", BillCharges: &charge, RecommendedAllowance: &allowance,
				BillStatus: record.StatusPaid,
				EOR:        true, PaidAmount: &paid, PaidDate: "2026-07-11", CheckNumber: "9", PayerName: "Beacon Road Insurance",
			})
		}
		_ = json.NewEncoder(w).Encode(found)
	}))
	t.Cleanup(server.Close)
	return secondsystem.New(server.URL, "", time.Second, nil)
}

// All bad links give the same answer: malformed links, and those for another key, purpose or
// office. So do links to deleted bills.
func TestInvalidLinks(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		clock := billtest.Midsummer
		s := onDay(t, d, startSecondSystem(t), &clock)
		billtest.Bring(t, d, s.now, billtest.Golden[0].Files...)
		kit := platform.Kit{Sealer: seal.New(bytes.Repeat([]byte{7}, 32))}
		rotated, err := record.NewService(record.Deps{Kit: kit, Scopes: tins.NewScopes(d)}, record.Settings{}).PageID(ours, "7001")
		require.NoError(t, err)
		document, err := s.records.SealDocument(record.DocumentID{Kind: record.Image, FTIN: ours, Key: "7001"})
		require.NoError(t, err)
		good := s.pageIDOf(t, record.PageID{FTIN: ours, Key: "7001"})
		for name, sealed := range map[string]string{
			"nothing": "", "no seal": "7001", "cut": good[:len(good)-2], "a rotated key": rotated, "the id of a document": document,
			"another office's TIN":       s.pageIDOf(t, record.PageID{FTIN: theirs, Key: "7001"}),
			"a bill that is gone":        s.pageIDOf(t, record.PageID{FTIN: ours, Key: "9999"}),
			"another office's, second":   s.pageIDOf(t, record.PageID{FTIN: theirs, Key: "S-1", ExID: "77"}),
			"a bill gone of the second":  s.pageIDOf(t, record.PageID{FTIN: ours, Key: "S-1", ExID: "78"}),
			"another number, the second": s.pageIDOf(t, record.PageID{FTIN: ours, Key: "S-2", ExID: "77"}),
		} {
			_, err := s.getPage(t.Context(), jane, sealed)
			if !problem.Is(err, problem.NotFound) || !strings.Contains(err.Error(),
				"This link is no longer valid. Find the bill by its number.") {
				t.Errorf("%s: %v", name, err)
			}
		}
		if page, err := s.getPage(t.Context(), jane, s.pageIDOf(t, record.PageID{FTIN: ours, ExID: "77", Document: "SD-1"})); err != nil ||
			page.Bill.BillControlNumber != "S-1" {
			t.Errorf("a bill of the second system by its document: %+v, %v", page.Bill, err)
		}
		assert.Empty(t, listEntries(t, s, ours+" 9999"))
		if entries := listEntries(t, s, theirs+" 7001"); len(entries) != 1 || entries[0].Result != record.Refused ||
			entries[0].Operation != record.OpenPage {
			t.Errorf("the refusal is audited: %+v", entries)
		}
	})
}

// A payment that isn't shown is described by the payments that count. Where $0 was paid, no
// payment is in force.
func TestOverriddenPayments(t *testing.T) {
	shown := &record.Payment{TraceNumber: "K2", PaidDate: "2026-08-01"}
	for nature, want := range map[facts.Nature]string{
		facts.Money:    "Reverses no money. The payment is unchanged.",
		facts.Denial:   "No payment. The bill shows what check K2 of 08/01/2026 says.",
		facts.Zero:     "No payment. The bill shows what check K2 of 08/01/2026 says.",
		facts.Reversal: "No payment. The bill shows what check K2 of 08/01/2026 says.",
	} {
		shown.Nature = nature
		assert.Equalf(t, want, (billPayment{Role: derive.RoleOverridden, With: shown}).explainRole(), "beside %s", nature)
	}
}

// Only a part of a reversal of more than was paid waits. All texts show its amount.
func TestReversalOfMoreThanWasPaid(t *testing.T) {
	reversal := billPayment{Role: derive.RoleReversal, Pending: 4000, Payment: facts.Payment{Nature: facts.Reversal, Paid: -10000},
		With: &record.Payment{TraceNumber: "K1", PaidDate: "2026-08-01"}}
	p := Page{Bill: billtest.MakeBill(func(*record.Detailed) {}), Group: billGroup{Known: true, Payments: []billPayment{reversal}}}
	banners := p.banners()
	if len(banners) != 1 || banners[0].Kind != bannerWaiting ||
		banners[0].Text != "$40.00 of a reversal is waiting for its original payment. It isn't included in totals." {
		t.Errorf("%+v", banners)
	}
	if got := reversal.explainRole(); got !=
		"Reverses check K1 of 08/01/2026. $40.00 is waiting for the original payment. Not included in totals." {
		t.Errorf("role: %q", got)
	}
	assert.Equal(t, "Reversed $100.00. The original payment of $40.00 isn't on file yet", reversal.describe())
}

// An open reversal hides the difference, and no text mentions it. The payment can't be compared
// with the allowance then.
func TestDifferenceWhileAReversalIsOpen(t *testing.T) {
	allowance, paid := billtest.MakeCents(8000), billtest.MakeCents(5000)
	for name, c := range map[string]struct {
		state   billstate.State
		open    bool
		waiting int64
		words   string
	}{
		"paid":                      {billstate.Short, false, 0, "Paid $30.00 below the network allowance"},
		"a take-back waits":         {billstate.Short, true, 8000, "Paid $50.00, reversal pending"},
		"it waits, all the same":    {billstate.Settled, true, 8000, "Paid $50.00, reversal pending"},
		"taken back in part":        {billstate.Short, true, 0, "Paid $50.00 after a partial reversal"},
		"in part, all the same":     {billstate.Settled, true, 0, "Paid $50.00 after a partial reversal"},
		"denied, a take-back waits": {billstate.Denied, true, 8000, "Denied"},
		"all is taken back":         {billstate.Reversed, false, 0, "Payment reversed by the payer"},
	} {
		p := Page{Bill: billtest.MakeBill(func(b *record.Detailed) {
			b.OpenState, b.RecommendedAllowance, b.PaidAmount, b.TakeBackOpen = c.state, allowance, paid, c.open
		}), Group: billGroup{Payments: []billPayment{{Pending: c.waiting}}}}
		p.describe(nil)
		if differ := name == "paid"; p.Difference != nil != differ || differ && *p.Difference != 3000 || p.State.Text != c.words {
			t.Errorf("%s: %v, %q", name, p.Difference, p.State.Text)
		}
	}
}

// Open Bills, the page and bulk lookups use the same word and difference for a bill's state.
func TestSameStateEverywhere(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		clock := billtest.Midsummer
		s := onDay(t, d, nil, &clock)
		for want, g := range map[string]billtest.Case{
			"Paid $120.00 after a partial reversal: paid S": billtest.PartBack,
			"Denied: denied D":                           billtest.Unpaid[0],
			"Payment reversed by the payer: takenBack R": billtest.Unpaid[1],
			"Paid $0: other U":                           billtest.Unpaid[2],
		} {
			billtest.Bring(t, d, s.now, g.Files...)
			page, err := s.Page(t.Context(), jane, s.pageIDOf(t, record.PageID{FTIN: ours, Key: strings.ToLower(g.Bill)}))
			require.NoError(t, err)
			b := page.Bill.Bill
			var found Summary
			require.NoError(t, d.Read(t.Context(), func(tx *sql.Tx) error {
				list, err := Summarize(t.Context(), d, tx, s.records, []record.Bill{b})
				found = list[[2]string{b.FTIN, b.Key()}]
				return err
			}))
			if got := fmt.Sprintf("%s: %s %s", page.State.Text, found.Status, found.DisplayState()); got != want ||
				found.State != page.State || page.Difference != nil {
				t.Errorf("%s: %s (%q), want %s; difference %v", g.Name, got, found.State.Text, want, page.Difference)
			}
		}
	})
}

// The other bills of a claim have the words of their own pages.
func TestStateOfOtherBills(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		clock := billtest.Midsummer
		s := onDay(t, d, nil, &clock)
		billtest.Take(t, d, func(l *ledger.Ledger, tx *sql.Tx) error {
			for i, share := range []int64{2000, 500} {
				b := facts.Submission{Source: facts.FromTable, Kind: "P", Repriced: fmt.Sprintf("700%d", i), Reported: facts.Bill{
					FTIN: ours, BillControlNumber: fmt.Sprintf("700%d", i), PatientControlNumber: fmt.Sprintf("PM-%d", i),
					ClaimNumber: "WC-7", PatientLastName: "Copay", PatientFirstName: "Cy", BeginServiceDate: "2026-01-10", BillType: "P",
					FrequencyCode: "1", BillCharges: 10000, RecommendedAllowance: billtest.MakeCents(8000), RepricingMethod: "03",
					BillStatus: facts.StatusPriced, EOR: true,
				}}
				b.Identify()
				p := facts.Payment{Occurrence: 1, Source: facts.FromRemittance, Payer: "beacon", PaidDate: "2026-03-01", ClaimStatus: "1",
					TraceNumber: "CHK-1", PatientControlNumber: b.Reported.PatientControlNumber, Charge: 10000, Paid: 6000,
					PatientResponsibility: share, Written: "202603010900", Reported: b.Reported}
				p.Identify()
				_, err := l.ImportSubmissions(t.Context(), tx, []facts.Submission{b})
				if _, failed := l.ImportRemitted(t.Context(), tx, []facts.Remitted{{Payment: &p}}); errors.Join(err, failed) != nil {
					return errors.Join(err, failed)
				}
			}
			return nil
		})
		for i, want := range []string{
			"Paid $20.00 below the network allowance, which is the patient responsibility", "Paid $20.00 below the network allowance",
		} {
			own, err := s.getPage(t.Context(), jane, s.pageIDOf(t, record.PageID{FTIN: ours, Key: fmt.Sprintf("700%d", i)}))
			other, failed := s.getPage(t.Context(), jane, s.pageIDOf(t, record.PageID{FTIN: ours, Key: fmt.Sprintf("700%d", 1-i)}))
			require.NoError(t, errors.Join(err, failed))
			if own.State.Text != want || len(other.SameClaim) != 1 || other.SameClaim[0].State != own.State {
				t.Errorf("%q, want %q; as another bill %+v", own.State.Text, want, other.SameClaim)
			}
		}
	})
}

// Only the payments of another bill show whether its reversal is complete.
func TestOtherBillWithReversal(t *testing.T) {
	paid := billtest.MakeCents(5000)
	for _, state := range []billstate.State{billstate.Short, billstate.Settled, billstate.Denied, billstate.Reversed} {
		b := record.Bill{OpenState: state, PaidAmount: paid, TakeBackOpen: true}
		assert.Equal(t, state == billstate.Short || state == billstate.Settled, needsPayments(b), state)
	}
}

// A line has a difference even if the bill's total allowance is unknown. An open reversal hides
// the differences of all lines.
func TestDifferenceOfLines(t *testing.T) {
	for _, open := range []bool{false, true} {
		p := Page{Bill: billtest.MakeBill(func(b *record.Detailed) {
			b.OpenState, b.RecommendedAllowance, b.PaidAmount, b.TakeBackOpen = billstate.Settled, nil, billtest.MakeCents(5000), open
			b.Detail.Lines[0].Control = "L1"
		})}
		paid := record.Payment{Nature: facts.Money, Paid: 5000}
		paid.Detail.Lines = []facts.PaidLine{{Number: 1, Procedure: "99213", Control: "L1", Charge: 10000, Paid: 5000}}
		p.Group = billGroup{Known: true, Payments: []billPayment{{Role: derive.RoleInForce, Explains: true, Payment: paid}}}
		p.deriveState()
		if d := p.Decided.Lines[0].Difference; p.Difference != nil || d != nil == open || !open && *d != 3000 {
			t.Errorf("open %v: %v, the line's %v", open, p.Difference, d)
		}
	}
}

// The payer's allowed amounts of a line add up if each is for a part of the line. A second payer's
// replaces the first one.
func TestAllowedOfLines(t *testing.T) {
	b := billtest.MakeBill(func(b *record.Detailed) {
		b.Detail.Lines = []facts.Line{{Number: 1, Procedure: "99213", Charge: 10000, Control: "L1"}}
	})
	answer := func(charge, paid, allowed int64) facts.Payment {
		return facts.Payment{Nature: facts.Money, Paid: paid, Detail: facts.PaymentDetail{Lines: []facts.PaidLine{{
			Number: 1, Procedure: "99213", Control: "L1", Charge: charge, Paid: paid, Allowed: &allowed,
		}}}}
	}
	for _, test := range []struct {
		name          string
		payments      []facts.Payment
		paid, allowed int64
	}{
		{"one payer", []facts.Payment{answer(10000, 5000, 8000)}, 5000, 8000},
		{"two parts of the line", []facts.Payment{answer(6000, 4000, 5000), answer(4000, 2000, 3000)}, 6000, 8000},
		{"two payers", []facts.Payment{answer(10000, 5000, 8000), answer(10000, 2000, 7500)}, 7000, 7500},
		{"two parts, then a second payer", []facts.Payment{
			answer(6000, 4000, 5000), answer(4000, 2000, 3000), answer(10000, 1000, 7500),
		}, 7000, 7500},
	} {
		l := combineDecisions(b, test.payments).Lines[0]
		if *l.Paid != test.paid || *l.Allowed != test.allowed {
			t.Errorf("%s: paid %d, allowed %d", test.name, *l.Paid, *l.Allowed)
		}
	}
}

// A bill of the second bill system shows a payment only if its status says that it was paid.
func TestSecondBillShowsPayment(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		clock := billtest.Midsummer
		s := onDay(t, d, startSecondSystem(t), &clock)
		paid, allowance := 40.0, 90.0
		for status, want := range map[string]bool{
			facts.StatusPaid: true, facts.StatusPaidCorrected: true, facts.StatusPriced: false, facts.StatusDenied: false,
			facts.StatusVoid: false,
		} {
			page, err := s.wireSecond(SecondPage{Bill: secondsystem.Bill{FTIN: ours, BillStatus: status, PaidAmount: &paid,
				RecommendedAllowance: &allowance, PaidDate: "2026-06-01", CheckNumber: "K1"}})
			require.NoError(t, err)
			if b := page.Bill; (b.PaidAmount != nil) != want || (b.PaidDate != "") != want || (b.CheckNumber != "") != want ||
				(page.Difference != nil) != want {
				t.Errorf("%s: %+v", status, page)
			}
		}
	})
}

func TestStateInWords(t *testing.T) {
	for want, change := range map[string]func(p *Page){
		"Received, not repriced": func(p *Page) { p.Bill.OpenState = billstate.Received },
		"Priced at zero, not covered": func(p *Page) {
			p.Bill.OpenState, p.Bill.RepricingMethod = billstate.Received, methodNotCovered
		},
		"Repriced by the network, no payment on file":                 func(p *Page) { p.Bill.OpenState = billstate.Priced },
		"Repriced by the network, reviewed and paid by another party": func(p *Page) { p.Bill.OpenState = billstate.RepricedOnly },
		"Denied":                        func(p *Page) { p.Bill.OpenState = billstate.Denied },
		"Payment reversed by the payer": func(p *Page) { p.Bill.OpenState = billstate.Reversed },
		"Paid $0":                       func(p *Page) { p.Bill.OpenState, p.Bill.BillStatus = billstate.PaymentOnly, record.StatusPaid },
		"Void":                          func(p *Page) { p.Bill.OpenState = billstate.Void },
		"Replaced by BCN-2": func(p *Page) {
			p.Bill.OpenState, p.ReplacedBy = billstate.Void, &record.Bill{BillControlNumber: "BCN-2"}
		},
		"Paid in full at the network allowance":      func(p *Page) { p.Bill.PaidAmount = billtest.MakeCents(8000) },
		"Paid $80.00 below the network allowance":    func(p *Page) { p.Bill.PaidAmount = billtest.MakeCents(0) },
		"Paid $1,920.00 above the network allowance": func(p *Page) { p.Bill.PaidAmount = billtest.MakeCents(200000) },
		"Paid $50.00":                   func(p *Page) { p.Bill.PaidAmount, p.Bill.RecommendedAllowance = billtest.MakeCents(5000), nil },
		"No payment due from the payer": func(p *Page) { p.Bill.PaidAmount, p.Bill.RecommendedAllowance = billtest.MakeCents(0), nil },
		"Paid $30.00 below the network allowance, which is the patient responsibility": func(p *Page) {
			p.Bill.PaidAmount, p.Group.PatientResponsibility = billtest.MakeCents(5000), 3000
		},
	} {
		p := &Page{Bill: billtest.MakeBill(func(b *record.Detailed) { b.OpenState = billstate.Settled })}
		change(p)
		assert.Equal(t, want, p.describeState().Text)
	}
}

// Lines are matched one to one if the evidence leaves one possibility, without guessing.
func TestLinesAreMatched(t *testing.T) {
	sent := func(control, procedure string, change ...func(*facts.Line)) facts.Line {
		l := facts.Line{Control: control, Procedure: procedure, Charge: 10000, BeginDate: "2026-01-10"}
		for _, c := range change {
			c(&l)
		}
		return l
	}
	paid := func(control, procedure string, change ...func(*facts.PaidLine)) facts.PaidLine {
		l := facts.PaidLine{Control: control, Procedure: procedure, Charge: 10000, BeginDate: "2026-01-10"}
		for _, c := range change {
			c(&l)
		}
		return l
	}
	charge := func(dollars int64) func(*facts.Line) { return func(l *facts.Line) { l.Charge = 100 * dollars } }
	paidCharge := func(dollars int64) func(*facts.PaidLine) {
		return func(l *facts.PaidLine) { l.Charge = 100 * dollars }
	}
	modifiers := func(m ...string) func(*facts.Line) { return func(l *facts.Line) { l.Modifiers = m } }
	for name, c := range map[string]struct {
		sent []facts.Line
		paid []facts.PaidLine
		want string
	}{
		"by number": {[]facts.Line{sent("1", "A"), sent("2", "A")},
			[]facts.PaidLine{paid("2", "A"), paid("1", "A")}, "[1 0]"},
		"by number, another procedure": {[]facts.Line{sent("1", "A")}, []facts.PaidLine{paid("1", "B")}, "[0]"},
		"one line paid in two parts": {[]facts.Line{sent("1", "A")}, []facts.PaidLine{paid("1", "A"), paid("1", "A")},
			"[0 0]"},
		"numbers that differ": {[]facts.Line{sent("1", "A")}, []facts.PaidLine{paid("2", "A")}, "[0]"},
		"numbers that differ, of two lines alike": {[]facts.Line{sent("1", "A"), sent("2", "A")},
			[]facts.PaidLine{paid("7", "A"), paid("8", "A")}, "[-1 -1]"},
		"numbers cut": {[]facts.Line{sent("L-1", "A"), sent("L-2", "B")},
			[]facts.PaidLine{paid("L", "B"), paid("L", "A")}, "[1 0]"},
		"one by number, the other left over": {[]facts.Line{sent("1", "A"), sent("2", "A")},
			[]facts.PaidLine{paid("2", "A"), paid("9", "A")}, "[1 0]"},
		"modifiers not returned": {[]facts.Line{sent("", "A", modifiers("25")), sent("", "B", modifiers("LT"))},
			[]facts.PaidLine{paid("", "A"), paid("", "B")}, "[0 1]"},
		"modifiers of one line returned": {[]facts.Line{sent("", "A", modifiers("25")), sent("", "A", modifiers("LT"))},
			[]facts.PaidLine{paid("", "A"), paid("", "A", func(l *facts.PaidLine) { l.Modifiers = []string{"LT"} })}, "[0 1]"},
		"lines without days": {[]facts.Line{sent("", "A", func(l *facts.Line) { l.BeginDate = "2026-01-12" })},
			[]facts.PaidLine{paid("", "A", func(l *facts.PaidLine) { l.BeginDate = "" })}, "[0]"},
		"numbers of the payer's own that collide": {
			[]facts.Line{sent("1", "A", charge(130)), sent("2", "B", charge(100)), sent("3", "C", charge(70))},
			[]facts.PaidLine{paid("1", "B", paidCharge(100)), paid("2", "C", paidCharge(70))}, "[1 2]",
		},
		"numbers swapped, of equal charges": {[]facts.Line{sent("1", "A"), sent("2", "B")},
			[]facts.PaidLine{paid("2", "A"), paid("1", "B")}, "[0 1]"},
		"numbers swapped, of equal services": {[]facts.Line{sent("1", "A", charge(60)), sent("2", "A", charge(90))},
			[]facts.PaidLine{paid("2", "A", paidCharge(60)), paid("1", "A", paidCharge(90))}, "[0 1]"},
		"numbers swapped, of other days": {
			[]facts.Line{sent("1", "A"), sent("2", "A", func(l *facts.Line) { l.BeginDate = "2026-01-12" })},
			[]facts.PaidLine{paid("2", "A"), paid("1", "A", func(l *facts.PaidLine) { l.BeginDate = "2026-01-12" })}, "[0 1]",
		},
		"numbers swapped, of other modifiers": {
			[]facts.Line{sent("1", "A", modifiers("25")), sent("2", "A", modifiers("LT"))},
			[]facts.PaidLine{paid("2", "A", func(l *facts.PaidLine) {
				l.Modifiers = []string{"25"}
			}), paid("1", "A", func(l *facts.PaidLine) { l.Modifiers = []string{"LT"} })}, "[0 1]",
		},
		"two parts with smaller charges, beside an equal line": {
			[]facts.Line{sent("1", "A", charge(60)), sent("2", "A", charge(20))},
			[]facts.PaidLine{paid("1", "A", paidCharge(20)), paid("1", "A", paidCharge(40)), paid("2", "A", paidCharge(20))}, "[0 0 1]",
		},
		"bundled into another service": {[]facts.Line{sent("1", "A"), sent("2", "B")}, []facts.PaidLine{paid("1", "Z", paidCharge(200))},
			"[0]"},
		"by service": {[]facts.Line{sent("1", "A"), sent("2", "B")}, []facts.PaidLine{paid("", "B"), paid("", "A")},
			"[1 0]"},
		"a number of the payer's own": {[]facts.Line{sent("", "A")}, []facts.PaidLine{paid("7", "A")}, "[0]"},
		"two lines alike":             {[]facts.Line{sent("", "A"), sent("", "A")}, []facts.PaidLine{paid("", "A")}, "[-1]"},
		"paid twice alike":            {[]facts.Line{sent("", "A")}, []facts.PaidLine{paid("", "A"), paid("", "A")}, "[-1 -1]"},
		"another charge": {[]facts.Line{sent("", "A")},
			[]facts.PaidLine{paid("", "A", func(l *facts.PaidLine) { l.Charge = 9 })}, "[-1]"},
		"another day": {[]facts.Line{sent("", "A")},
			[]facts.PaidLine{paid("", "A", func(l *facts.PaidLine) { l.BeginDate = "2026-01-11" })}, "[-1]"},
		"without a day": {[]facts.Line{sent("", "A")},
			[]facts.PaidLine{paid("", "A", func(l *facts.PaidLine) { l.BeginDate = "" })}, "[0]"},
		"another modifier": {[]facts.Line{sent("", "A", modifiers("25"))}, []facts.PaidLine{paid("", "A")}, "[0]"},
		"modifiers in another order": {[]facts.Line{sent("", "A", modifiers("25", "LT"))},
			[]facts.PaidLine{paid("", "A", func(l *facts.PaidLine) { l.Modifiers = []string{"LT", "25"} })}, "[0]"},
		"paid as another procedure": {[]facts.Line{sent("", "A")}, []facts.PaidLine{paid("", "Z", func(l *facts.PaidLine) {
			l.BilledAs.Code = "A"
		})}, "[0]"},
		"by revenue code": {[]facts.Line{sent("", "", func(l *facts.Line) { l.Revenue = "0270" })},
			[]facts.PaidLine{paid("", "", func(l *facts.PaidLine) { l.Revenue = "0270" })}, "[0]"},
	} {
		b := billtest.MakeBill(func(b *record.Detailed) { b.Detail.Lines = c.sent })
		p := record.Payment{Detail: facts.PaymentDetail{Lines: c.paid}, Reported: record.Bill{BeginServiceDate: "2026-01-10"}}
		if got := matchLines(b, p); fmt.Sprint(got) != c.want {
			t.Errorf("%s: %v, want %s", name, got, c.want)
		}
	}
}

func listEntries(t *testing.T, s *Service, subject string) []audit.Entry {
	t.Helper()
	list, err := s.audit.ListAbout(t.Context(), subject, record.Openings, 99)
	require.NoError(t, err)
	return list
}

// A bill made of its payment is found by its former number.
func TestPageFollowsABillToItsNumber(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		clock := billtest.Midsummer
		s := onDay(t, d, nil, &clock)
		g := billtest.Golden[6] // known only from its payment
		billtest.Bring(t, d, s.now, g.Files...)
		link := s.pageIDOf(t, record.PageID{FTIN: ours, Key: "i7"})
		if page, err := s.getPage(audit.WithActor(t.Context(), "jane", ""), jane, link); err != nil ||
			page.Banners[0].Kind != bannerPayment {
			t.Fatalf("%+v, %v", page.Banners, err)
		}
		billtest.Bring(t, d, s.now, billtest.MakeClaims("20260721", append(billtest.MakeClaim("G1", "180"+billtest.FormatPlace("1")),
			"REF*9A*7007", "LX*1", "SV1*HC:99213*180*UN*1***1", "DTP*472*D8*20260603")))
		page, err := s.getPage(t.Context(), jane, link)
		if err != nil || page.Bill.BillControlNumber != "7007" || len(page.Banners) > 0 || fmt.Sprint(page.FormerNumbers) != "[I7]" {
			t.Errorf("got page of %s, former numbers %v, %v, %v", page.Bill.BillControlNumber, page.FormerNumbers, page.Banners, err)
		}
		if !slices.ContainsFunc(page.Journey, func(e PageEvent) bool {
			return strings.HasPrefix(e.Text, "Page first opened here by Jane Hendricks")
		}) {
			t.Errorf("it was opened under its former number: %+v", page.Journey)
		}
	})
}

// Opening the page is audited first, with the other bills on it. If auditing fails, only an
// error is returned.
func TestPageIsAudited(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		clock := billtest.Midsummer
		s := onDay(t, d, nil, &clock)
		billtest.Bring(t, d, s.now, billtest.Golden[4].Files...)
		link := s.pageIDOf(t, record.PageID{FTIN: ours, Key: "7005"})
		require.NoError(t, dbtest.Err(s.Page(t.Context(), jane, link)))
		found, _, err := s.audit.Find(t.Context(), audit.Filter{Subject: ours + " 7005"}, audit.Place{}, 0, 9)
		if err != nil || len(found) != 1 || found[0].Operation != record.OpenPage || found[0].Result != record.OK ||
			found[0].Subject != ours+" 7005" || !slices.Contains(found[0].Numbers(), "7105") {
			t.Errorf("%+v, %v", found, err)
		}
		require.NoError(t, dbtest.Err(d.Writer.ExecContext(t.Context(), `ALTER TABLE audit_log RENAME TO audit_log_gone`)))
		assert.Error(t, dbtest.Err(s.Page(t.Context(), jane, link)), "a page was answered that could not be audited")
	})
}

// Only people of the office count as opening something. Mirroring staff don't, and others see no
// name.
func TestWhoOpened(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		clock := billtest.Midsummer
		s := onDay(t, d, nil, &clock)
		billtest.Bring(t, d, s.now, billtest.Golden[0].Files...)
		opens := func(actor, actingFor string, at time.Time) {
			clock = at
			entry := record.Entry(record.OpenEOR, ours, "7001", record.OK)
			require.NoError(t, s.audit.RecordNow(audit.WithActor(t.Context(), actor, actingFor), entry))
		}
		journey := func(a access.Actor) string {
			page, err := s.readPage(t.Context(), a, access.NewScope([]string{ours}), record.PageID{FTIN: ours, Key: "7001"})
			require.NoError(t, err)
			var out []string
			for _, e := range page.History {
				if e.Kind == eventOpened {
					out = append(out, e.Text+" "+e.At.Format("15:04"))
				}
			}
			return strings.Join(out, "; ")
		}
		opens("staff", "jane", billtest.Midsummer)
		assert.Empty(t, journey(jane))
		opens("jane", "", billtest.Midsummer.Add(time.Hour))
		opens("joe", "", billtest.Midsummer.Add(2*time.Hour))
		assert.Equal(t, "EOR first opened here by Jane Hendricks 14:02", journey(jane))
		far := access.Actor{Person: access.Person{ID: 4, UserName: "far", Type: access.PRUS, GroupID: 8}}
		identitytest.Add(t, d.Writer, far.Person, "Far Away", ours)
		assert.Equal(t, "EOR first opened here by a user in another office with this Tax ID 14:02", journey(far))
	})
}

// The page shows the network's papers. A paper EOR counts the same as a generated one.
func TestPapersOnThePage(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		clock := billtest.Midsummer
		s := onDay(t, d, nil, &clock)
		billtest.TakeBills(t, d, billtest.MakeBill(func(b *record.Detailed) {
			b.EOR, b.RecommendedAllowance, b.BillStatus = false, nil, record.StatusReceived
		}), billtest.MakeBill(func(b *record.Detailed) { b.BillControlNumber, b.Detail.Lines = "BCN-2", nil }))
		link := s.pageIDOf(t, record.PageID{FTIN: ours, Key: "bcn-1"})
		noLines := s.pageIDOf(t, record.PageID{FTIN: ours, Key: "bcn-2"})
		if page, err := s.getPage(t.Context(), jane, noLines); err != nil || page.Certificate {
			t.Errorf("without lines: %+v, %v", page, err)
		}
		if page, err := s.getPage(t.Context(), jane, link); err != nil || page.Bill.EOR || page.Certificate || len(page.Papers) > 0 {
			t.Fatalf("before: %+v, %v", page, err)
		}
		clock = billtest.Midsummer.Add(time.Hour)
		err := d.Tx(t.Context(), func(tx *sql.Tx) error {
			return dbtest.Err(billtest.NewLedger(d, s.now).ImportPapers(t.Context(), tx, []ledger.SentPaper{{
				Paper:    facts.Paper{FTIN: ours, Bill: "bcn-1", Kind: record.EOR, SHA256: "aa", MediaType: "application/pdf"},
				OnAccept: func() {},
			}}))
		})
		require.NoError(t, err)
		page, err := s.getPage(t.Context(), jane, link)
		if err != nil || !page.Bill.EOR || page.Bill.EORImageURL == "" || !page.Certificate || fmt.Sprint(page.Papers) !=
			"[{eor 2026-08-20T14:02:00Z}]" {
			t.Errorf("%+v, %v", page, err)
		}
		if !slices.ContainsFunc(page.Journey, func(e PageEvent) bool {
			return e.Text == "EOR received on paper" && e.At == "2026-08-20T14:02:00Z"
		}) {
			t.Errorf("%+v", page.Journey)
		}
	})
}

// A bill that never had a price didn't lose one.
func TestOnlyLostPriceIsReported(t *testing.T) {
	change := func(kind string) facts.Change { return facts.Change{Kind: kind} }
	for name, c := range map[string]struct {
		changes []facts.Change
		reports bool
	}{
		"never priced": {[]facts.Change{change(facts.Received), change(facts.NotPriced)}, false},
		"priced first": {[]facts.Change{change(facts.Received), change(facts.Priced), change(facts.NotPriced)}, true},
		"repriced":     {[]facts.Change{change(facts.Repriced), change(facts.NotPriced)}, true},
		"twice":        {[]facts.Change{change(facts.Priced), change(facts.NotPriced), change(facts.NotPriced)}, true},
	} {
		t.Run(name, func(t *testing.T) {
			var reports int
			for _, e := range listChanges(c.changes, false, nil) {
				if e.Text == "No longer repriced by the network" {
					reports++
				}
			}
			assert.Equalf(t, reports == 1, c.reports, "reported %d times", reports)
		})
	}
}

// noQuestions finds none.
type noQuestions struct{}

func (noQuestions) ListQuestions(context.Context, string, string) ([]BillQuestion, error) {
	return nil, nil
}

// After a partial reversal, the paid amounts of lines are empty, because they would exceed the bill's.
func TestPaidOfLinesAfterPartialReversal(t *testing.T) {
	for role, want := range map[derive.Role]bool{derive.RoleInForce: true, derive.RoleReduced: false} {
		p := Page{Bill: billtest.MakeBill(func(b *record.Detailed) {
			b.OpenState, b.PaidAmount, b.TakeBackOpen = billstate.Short, billtest.MakeCents(5000), true
			b.Detail.Lines[0].Control = "L1"
		})}
		paid := record.Payment{Nature: facts.Money, Paid: 8000}
		paid.Detail.Lines = []facts.PaidLine{
			{Number: 1, Procedure: "99213", Control: "L1", Charge: 10000, Paid: 8000},
			{Number: 2, Procedure: "20610", Control: "L9", Charge: 12000, Paid: 6000},
		}
		p.Group = billGroup{Known: true, Payments: []billPayment{{Role: role, Explains: true, Payment: paid}}}
		p.deriveState()
		if got := p.Decided.Lines[0].Paid; got != nil != want {
			t.Errorf("%s: the line's payment is %v", role, got)
		}
		if got := p.Decided.Apart; len(got) != 1 || got[0].Paid != nil != want {
			t.Errorf("%s: the unmatched lines are %+v", role, got)
		}
	}
}

// A table can report a bill as paid without its amount.
func TestStatusWithoutAmount(t *testing.T) {
	for state, want := range map[billstate.State]string{billstate.Settled: billstate.NamePaid, billstate.Void: billstate.NameOther} {
		for _, status := range []string{facts.StatusPaid, facts.StatusPaidCorrected} {
			b := billtest.MakeBill(func(b *record.Detailed) { b.OpenState, b.BillStatus, b.PaidAmount = state, status, nil }).Bill
			assert.Equalf(t, want, getStatus(b), "%s %s", state, status)
		}
	}
	if b := billtest.MakeBill(func(b *record.Detailed) { b.OpenState, b.PaidAmount = billstate.Settled, new(int64) }).Bill; getStatus(b) !=
		billstate.NameOther {
		t.Errorf("nothing due: %s", getStatus(b))
	}
}
