package bills

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
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

	"wcpp/internal/bills/billstate"
	"wcpp/internal/bills/ledger"
	"wcpp/internal/identity/access"
	"wcpp/internal/identity/identitytest"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/ingest"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/seal"
	"wcpp/internal/platform/x12/x12test"
)

var updatePages = flag.Bool("update-pages", false, "write the pages of testdata/pages anew")

// brought are the files with a page's bills: claims, one set per file and day.
type brought struct {
	name  string
	files []file
	bill  string // the bill to open
}

// file is a file of one day with claims or payments; from is its payer.
type file struct {
	day    string // 20260620
	guide  string
	claims []string // segments
}

// sentClaim writes a claim for Ada Brook's visit of June 3, 2026 under TIN ours.
func sentClaim(account, charge string, segments ...string) []string {
	return append([]string{
		"HL*1**20*1", "NM1*85*2*LAKE ORTHOPEDICS*****XX*1234567893", "N3*1 SHORE RD", "N4*ERIE*PA*16501", "REF*EI*" + ours,
		"HL*2*1*22*0", "SBR*P*18*******WC", "NM1*IL*1*BROOK*ADA*M***MI*M1", "DMG*D8*19800203*F", "REF*Y4*WC-" + account,
		"NM1*PR*2*BEACON ROAD INSURANCE*****PI*P9", "CLM*" + account + "*" + charge,
	}, segments...)
}

func makeClaims(day string, claims ...[]string) file {
	return file{day, "005010X222A1", slices.Concat(append([][]string{{"BHT*0019*00*1*" + day + "*0900*CH"}}, claims...)...)}
}

func makePayments(day, check string, total int, payments ...[]string) file {
	head := []string{
		fmt.Sprintf("BPR*I*%d*C*CHK************%s", total, day), "TRN*1*" + check + "*1512345678", "DTM*405*" + day,
		"N1*PR*BEACON ROAD INSURANCE", "REF*2U*P9", "N1*PE*LAKE ORTHOPEDICS*FI*" + ours, "LX*1",
	}
	return file{day, "005010X221A1", slices.Concat(append([][]string{head}, payments...)...)}
}

// place completes a CLM with a frequency.
func place(frequency string) string { return "***11:B:" + frequency + "*Y*A*Y*Y" }

// office is a claim with two lines, repriced by the network.
func office(account, number, frequency string, more ...string) []string {
	list := []string{"DTP*050*D8*20260609", "REF*9A*" + number, "REF*D9*D" + account}
	list = append(append(list, more...), "HCP*03*240*60***",
		"LX*1", "SV1*HC:99213:25*180*UN*1***1", "DTP*472*D8*20260603", "REF*6R*"+account+"1", "HCP*03*140*40",
		"LX*2", "SV1*HC:20610*120*UN*1***1", "DTP*472*D8*20260603", "REF*6R*"+account+"2", "HCP*03*100*20")
	c := sentClaim(account, "300"+place(frequency))
	return append(c, list...)
}

func paidOffice(account, icn, status string, amounts [3]int, lines ...string) []string {
	list := []string{fmt.Sprintf("CLP*%s*%s*%d*%d*%d*WC*%s*11*1", account, status, amounts[0], amounts[1], amounts[2], icn),
		"NM1*QC*1*BROOK*ADA", "DTM*232*20260603", "DTM*050*20260612"}
	return append(list, lines...)
}

var goldenBills = []brought{
	{"paid", []file{
		makeClaims("20260620", office("A1", "7001", "1")),
		makePayments("20260711", "40000068", 240, paidOffice("A1", "I1", "1", [3]int{300, 240, 0},
			"SVC*HC:99213:25*180*140**1", "DTM*472*20260603", "CAS*CO*45*40", "REF*6R*A11", "AMT*B6*140",
			"SVC*HC:20610*120*100**1", "DTM*472*20260603", "CAS*CO*45*20", "REF*6R*A12", "AMT*B6*100")),
	}, "7001"},
	{"short", []file{
		makeClaims("20260620", office("B1", "7002", "1")),
		makePayments("20260711", "40000069", 160, paidOffice("B1", "I2", "1", [3]int{300, 160, 0},
			"SVC*HC:99213:25*180*100**1", "DTM*472*20260603", "CAS*CO*45*40**P12*40", "REF*6R*B11", "LQ*HE*N130",
			"SVC*HC:20610*120*60**1", "DTM*472*20260603", "CAS*CO*P12*60", "REF*6R*B12")),
	}, "7002"},
	{"denied", []file{
		makeClaims("20260620", office("C1", "7003", "1")),
		makePayments("20260711", "40000070", 0, paidOffice("C1", "I3", "1", [3]int{300, 0, 0},
			"SVC*HC:99213:25*180*0**1", "DTM*472*20260603", "CAS*CO*197*180", "REF*6R*C11",
			"SVC*HC:20610*120*0**1", "DTM*472*20260603", "CAS*CO*197*120", "REF*6R*C12")),
	}, "7003"},
	{"reversed", []file{
		makeClaims("20260620", office("D1", "7004", "1")),
		makePayments("20260711", "40000071", 160, paidOffice("D1", "I4", "1", [3]int{300, 160, 0},
			"SVC*HC:99213:25*180*100**1", "DTM*472*20260603", "CAS*CO*45*80", "REF*6R*D11",
			"SVC*HC:20610*120*60**1", "DTM*472*20260603", "CAS*CO*45*60", "REF*6R*D12")),
		makePayments("20260801", "40000072", 80,
			paidOffice("D1", "I4", "22", [3]int{-300, -160, 0},
				"SVC*HC:99213:25*-180*-100**1", "DTM*472*20260603", "CAS*CO*45*-80", "REF*6R*D11",
				"SVC*HC:20610*-120*-60**1", "DTM*472*20260603", "CAS*CO*45*-60", "REF*6R*D12"),
			paidOffice("D1", "I4", "1", [3]int{300, 240, 0},
				"SVC*HC:99213:25*180*140**1", "DTM*472*20260603", "CAS*CO*45*40", "REF*6R*D11",
				"SVC*HC:20610*120*100**1", "DTM*472*20260603", "CAS*CO*45*20", "REF*6R*D12")),
	}, "7004"},
	{"replaced", []file{
		makeClaims("20260620", office("E1", "7005", "1")),
		makeClaims("20260701", office("E1", "7105", "7", "REF*F8*7005")),
	}, "7005"},
	{"void", []file{
		makeClaims("20260620", office("F1", "7006", "1")),
		makeClaims("20260702", office("F1", "7006", "8")),
	}, "7006"},
	{"payment-only", []file{
		makePayments("20260711", "40000073", 150, paidOffice("G1", "I7", "1", [3]int{180, 150, 0},
			"SVC*HC:99213*180*150**1", "DTM*472*20260603", "CAS*CO*45*30", "AMT*B6*150")),
	}, "I7"},
	{"pricing-sheet", []file{
		{"20260620", "005010X222A1", append([]string{"BHT*0019*00*1*20260620*0900*RP"}, office("H1", "7008", "1")...)},
	}, "7008"},
	{"unmatched", []file{
		makeClaims("20260620", sentLines("J1", "7009", "180", "180")),
		makePayments("20260711", "40000074", 200, paidOffice("J1", "I9", "1", [3]int{360, 200, 0},
			"SVC*HC:97110*180*120**1", "DTM*472*20260603", "CAS*CO*45*60",
			"SVC*HC:97110*180*80**1", "DTM*472*20260603", "CAS*CO*45*100")),
	}, "7009"},
	{"bundled", []file{
		makeClaims("20260620", append(sentClaim("K1", "300"+place("1")), "REF*9A*7010", "HCP*04*200",
			"LX*1", "SV1*HC:80048*180*UN*1***1", "DTP*472*D8*20260603", "HCP*04*200", "LX*2", "SV1*HC:80076*120*UN*1***1",
			"DTP*472*D8*20260603")),
		makePayments("20260711", "40000075", 200, paidOffice("K1", "I10", "1", [3]int{300, 200, 0},
			"SVC*HC:80053*180*200**1*HC:80048", "DTM*472*20260603", "CAS*OA*94*-20",
			"SVC*HC:80076*120*0**1", "DTM*472*20260603", "CAS*CO*97*120", "LQ*HE*M15")),
	}, "7010"},
	{"institutional", []file{
		{"20260620", "005010X223A2", append([]string{"BHT*0019*00*1*20260620*0900*CH"}, append(sentClaim("L1", "900***13:A:1*Y*A*Y*Y"),
			"DTP*434*RD8*20260603-20260604", "REF*9A*7011", "HCP*03*700",
			"LX*1", "SV2*0450*HC:99283*500*UN*1", "DTP*472*D8*20260603", "HCP*03*400",
			"LX*2", "SV2*0270**400*UN*4", "DTP*472*D8*20260603", "HCP*03*300")...)},
		makePayments("20260711", "40000076", 700, paidOffice("L1", "I11", "1", [3]int{900, 700, 0},
			"SVC*HC:99283*500*400*0450*1", "DTM*472*20260603", "CAS*CO*45*100",
			"SVC*NU:0270*400*300**4", "DTM*472*20260603", "CAS*CO*45*100")),
	}, "7011"},
	{"taken-back", []file{
		makeClaims("20260620", office("M1", "7012", "1")),
		makePayments("20260711", "40000077", 160, paidOffice("M1", "I12", "1", [3]int{300, 160, 0},
			"SVC*HC:99213:25*180*100**1", "DTM*472*20260603", "CAS*CO*45*80", "REF*6R*M11",
			"SVC*HC:20610*120*60**1", "DTM*472*20260603", "CAS*CO*45*60", "REF*6R*M12")),
		makePayments("20260801", "40000078", -160, paidOffice("M1", "I12", "22", [3]int{-300, -160, 0},
			"SVC*HC:99213:25*-180*-100**1", "DTM*472*20260603", "CAS*CO*45*-80", "REF*6R*M11",
			"SVC*HC:20610*-120*-60**1", "DTM*472*20260603", "CAS*CO*45*-40**129*-20", "REF*6R*M12", "LQ*HE*N469")),
	}, "7012"},
	{"denied-anew", []file{
		makeClaims("20260620", office("N1", "7013", "1")),
		makePayments("20260711", "40000079", 0, paidOffice("N1", "I13", "1", [3]int{300, 0, 0}, "CAS*CO*16*300", "MOA***N29")),
		makePayments("20260801", "40000080", 0, paidOffice("N1", "I13", "1", [3]int{300, 0, 0}, "CAS*CO*29*300")),
	}, "7013"},
	{"denied-in-parts", []file{
		makeClaims("20260620", office("O1", "7014", "1")),
		makePayments("20260711", "40000081", 0,
			paidOffice("O1", "I14", "1", [3]int{180, 0, 0}, "SVC*HC:99213:25*180*0**1", "DTM*472*20260603", "CAS*CO*197*180", "REF*6R*O11"),
			paidOffice("O1", "I15", "1", [3]int{120, 0, 0}, "SVC*HC:20610*120*0**1", "DTM*472*20260603", "CAS*CO*50*120", "REF*6R*O12")),
	}, "7014"},
}

// tookPart is a bill with a partial reversal.
var tookPart = brought{"part-back", []file{
	makeClaims("20260620", office("P1", "7015", "1")),
	makePayments("20260711", "40000082", 200, paidOffice("P1", "I16", "1", [3]int{300, 200, 0}, "CAS*CO*45*100")),
	makePayments("20260801", "40000083", -80, paidOffice("P1", "I16", "22", [3]int{-300, -80, 0}, "CAS*CO*129*-220")),
}, "7015"}

// unpaid are bills known only from $0 payments.
var unpaid = []brought{
	{"payment-denied", []file{makePayments("20260711", "40000084", 0, paidOffice("Q1", "I17", "1", [3]int{180, 0, 0}, "CAS*CO*50*180"))},
		"I17"},
	{"payment-taken-back", []file{
		makePayments("20260711", "40000085", 150, paidOffice("R1", "I18", "1", [3]int{180, 150, 0}, "CAS*CO*45*30")),
		makePayments("20260801", "40000086", -150, paidOffice("R1", "I18", "22", [3]int{-180, -150, 0}, "CAS*CO*45*-30")),
	}, "I18"},
	{"payment-of-nothing", []file{makePayments("20260711", "40000087", 0,
		paidOffice("S1", "I19", "1", [3]int{180, 0, 150}, "CAS*PR*1*150**45*30"))}, "I19"},
}

func sentLines(account, number string, charges ...string) []string {
	c := append(sentClaim(account, "360"+place("1")), "REF*9A*"+number, "HCP*03*300")
	for i, charge := range charges {
		c = append(c, fmt.Sprintf("LX*%d", i+1), "SV1*HC:97110*"+charge+"*UN*1***1", "DTP*472*D8*20260603", "HCP*03*150")
	}
	return c
}

// bring imports files like the program does, on the clock's day.
func bring(t *testing.T, d *db.DB, now func() time.Time, files ...file) {
	t.Helper()
	im := ingest.New(ingest.Deps{DB: d, Clock: now}, ingest.Settings{}, ledger.New(d, now).Feeds()...)
	for i, f := range files {
		code, group := "837", "HC"
		if f.guide == "005010X221A1" {
			code, group = "835", "HP"
		}
		path := filepath.Join(t.TempDir(), fmt.Sprintf("%s-%s-%d.edi", code, f.day, i))
		text := x12test.File(i+1, x12test.Group{Code: group, Guide: f.guide, Date: f.day, Time: "0900",
			Sets: []string{x12test.Set(code, f.guide, f.claims...)}})
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		report, err := im.Import(t.Context(), "x12", path, ingest.Options{})
		if err != nil || report.Refused != nil || report.Rejected > 0 || report.SetsNotImported > 0 {
			t.Fatalf("%s: %+v, %v", path, report, err)
		}
	}
}

var midsummer = time.Date(2026, 8, 20, 13, 2, 0, 0, time.UTC)

// onDay creates a service with a clock in the business's time zone.
func onDay(t *testing.T, d *db.DB, second *SecondSystem, clock *time.Time) *Service {
	t.Helper()
	s := newService(t, d, second, Settings{})
	zone, err := time.LoadLocation("America/New_York")
	if err != nil {
		t.Fatal(err)
	}
	s.now = func() time.Time { return clock.In(zone) }
	s.audit = audit.New(audit.Deps{DB: d, Clock: func() time.Time { return *clock }, Log: s.log, Sealer: seal.New(make([]byte, 32))})
	t.Cleanup(s.audit.Close)
	return s
}

func (s *Service) pageIDOf(t *testing.T, id pageID) string {
	t.Helper()
	sealed, err := s.sealPage(id)
	if err != nil {
		t.Fatal(err)
	}
	return sealed
}

var sealedValues = regexp.MustCompile(`("(?:page|remittance)": "|\?id=|"exId": "|/billImage/)(?:(?:image|eor)\.)?[\w-]{40,}`)

func TestGoldenPages(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		clock := midsummer
		s := onDay(t, d, startSecondSystem(t), &clock)
		for _, g := range goldenBills {
			bring(t, d, s.now, g.files...)
		}
		look := func(name string, id pageID) {
			t.Run(name, func(t *testing.T) {
				page, err := s.getPage(t.Context(), jane, s.pageIDOf(t, id))
				if err != nil {
					t.Fatal(err)
				}
				got, err := json.MarshalIndent(page, "", "  ")
				if err != nil {
					t.Fatal(err)
				}
				got = append(sealedValues.ReplaceAll(got, []byte(`${1}sealed`)), '\n')
				path := filepath.Join("testdata", "pages", name+".json")
				if *updatePages {
					if err := os.WriteFile(path, got, 0o600); err != nil {
						t.Fatal(err)
					}
				}
				want, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				if !bytes.Equal(got, want) {
					t.Errorf("%s is not the page (run with -update-pages and look at what changed):\n%s", path, got)
				}
				if page.Kind != "second" {
					addsUp(t, page)
				}
			})
		}
		for _, g := range goldenBills {
			look(g.name, pageID{FTIN: ours, Key: strings.ToLower(g.bill)})
		}
		look("second", pageID{FTIN: ours, Key: "S-1", ExID: "77"})
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
func startSecondSystem(t *testing.T) *SecondSystem {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var asked SecondSearch
		_ = json.NewDecoder(r.Body).Decode(&asked)
		found := []SecondBill{}
		if asked.BillControlNumber == "S-1" || asked.DocumentID == "SD-1" {
			charge, allowance, paid := 200.0, 150.0, 120.5
			found = append(found, SecondBill{
				FTIN: ours, ExID: "77", BillControlNumber: "S-1", DocumentID: "SD-1", ClaimNumber: "WC-S", PatientFirstName: "Ada",
				PatientLastName:  "Brook",
				BeginServiceDate: "2026-06-03", EndServiceDate: "2026-06-03", BillCharges: &charge, RecommendedAllowance: &allowance,
				BillStatus: StatusPaid,
				EOR:        true, PaidAmount: &paid, PaidDate: "2026-07-11", CheckNumber: "9", PayerName: "Beacon Road Insurance",
			})
		}
		_ = json.NewEncoder(w).Encode(found)
	}))
	t.Cleanup(server.Close)
	return NewSecondSystem(server.URL, "", time.Second, nil)
}

// All bad links give the same answer: malformed links, and those for another key, purpose or
// office. So do links to deleted bills.
func TestInvalidLinks(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		clock := midsummer
		s := onDay(t, d, startSecondSystem(t), &clock)
		bring(t, d, s.now, goldenBills[0].files...)
		rotated, err := seal.New(bytes.Repeat([]byte{7}, 32)).Seal(pagePurpose, pageID{FTIN: ours, Key: "7001"})
		if err != nil {
			t.Fatal(err)
		}
		document, err := s.sealDocument(imageDocument, ours, "7001")
		if err != nil {
			t.Fatal(err)
		}
		good := s.pageIDOf(t, pageID{FTIN: ours, Key: "7001"})
		for name, sealed := range map[string]string{
			"nothing": "", "no seal": "7001", "cut": good[:len(good)-2], "a rotated key": rotated, "the id of a document": document,
			"another office's TIN":       s.pageIDOf(t, pageID{FTIN: theirs, Key: "7001"}),
			"a bill that is gone":        s.pageIDOf(t, pageID{FTIN: ours, Key: "9999"}),
			"another office's, second":   s.pageIDOf(t, pageID{FTIN: theirs, Key: "S-1", ExID: "77"}),
			"a bill gone of the second":  s.pageIDOf(t, pageID{FTIN: ours, Key: "S-1", ExID: "78"}),
			"another number, the second": s.pageIDOf(t, pageID{FTIN: ours, Key: "S-2", ExID: "77"}),
		} {
			_, err := s.getPage(t.Context(), jane, sealed)
			if !problem.Is(err, problem.NotFound) || !strings.Contains(err.Error(),
				"This link is no longer valid. Find the bill by its number.") {
				t.Errorf("%s: %v", name, err)
			}
			if _, err := s.Certificate(t.Context(), jane, sealed); !problem.Is(err, problem.NotFound) {
				t.Errorf("the certificate of %s: %v", name, err)
			}
		}
		if page, err := s.getPage(t.Context(), jane, s.pageIDOf(t, pageID{FTIN: ours, ExID: "77", Document: "SD-1"})); err != nil ||
			page.Bill.BillControlNumber != "S-1" {
			t.Errorf("a bill of the second system by its document: %+v, %v", page.Bill, err)
		}
		if entries := listEntries(t, s, ours+" 9999"); len(entries) > 0 {
			t.Errorf("a bill that is not there was opened: %+v", entries)
		}
		if entries := listEntries(t, s, theirs+" 7001"); len(entries) != 2 || entries[0].Result != refused ||
			entries[0].Operation != openCertificate || entries[1].Operation != openPage {
			t.Errorf("the refusals are audited: %+v", entries)
		}
	})
}

// A payment that isn't shown is described by the payments that count. Where $0 was paid, no
// payment is in force.
func TestOverriddenPayments(t *testing.T) {
	shown := &Payment{TraceNumber: "K2", PaidDate: "2026-08-01"}
	for nature, want := range map[ledger.Nature]string{
		ledger.Money:    "Reverses no money. The payment is unchanged.",
		ledger.Denial:   "No payment. The bill shows what check K2 of 08/01/2026 says.",
		ledger.Zero:     "No payment. The bill shows what check K2 of 08/01/2026 says.",
		ledger.Reversal: "No payment. The bill shows what check K2 of 08/01/2026 says.",
	} {
		shown.Nature = nature
		if got := (billPayment{Role: ledger.RoleOverridden, With: shown}).explainRole(); got != want {
			t.Errorf("beside %s: %q, want %q", nature, got, want)
		}
	}
}

// An open reversal hides the difference, and no text mentions it. The payment can't be compared
// with the allowance then.
func TestDifferenceWhileAReversalIsOpen(t *testing.T) {
	allowance, paid := cents(8000), cents(5000)
	for name, c := range map[string]struct {
		state billstate.State
		open  bool
		words string
	}{
		"paid":                      {billstate.Short, false, "Paid $30.00 below the network allowance"},
		"taken back in part":        {billstate.Short, true, "Paid $50.00, reversal pending"},
		"in part, all the same":     {billstate.Settled, true, "Paid $50.00, reversal pending"},
		"denied, a take-back waits": {billstate.Denied, true, "Denied"},
		"all is taken back":         {billstate.Reversed, false, "Payment reversed by the payer"},
	} {
		p := Page{Bill: bill(func(b *detailed) {
			b.OpenState, b.RecommendedAllowance, b.PaidAmount, b.TakeBackOpen = c.state, allowance, paid, c.open
		})}
		p.describe(nil)
		if differ := name == "paid"; p.Difference != nil != differ || differ && *p.Difference != 3000 || p.State.Text != c.words {
			t.Errorf("%s: %v, %q", name, p.Difference, p.State.Text)
		}
	}
}

// Open Bills, the page and bulk lookups use the same word and difference for a bill's state.
func TestSameStateEverywhere(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		clock := midsummer
		s := onDay(t, d, nil, &clock)
		for want, g := range map[string]brought{
			"Paid $120.00, reversal pending: paid S":     tookPart,
			"Denied: denied D":                           unpaid[0],
			"Payment reversed by the payer: takenBack R": unpaid[1],
			"Paid $0: other U":                           unpaid[2],
		} {
			bring(t, d, s.now, g.files...)
			page, err := s.Page(t.Context(), jane, s.pageIDOf(t, pageID{FTIN: ours, Key: strings.ToLower(g.bill)}))
			if err != nil {
				t.Fatal(err)
			}
			answers, err := s.BulkLookup(t.Context(), jane, []LookupRequest{{BillControlNumber: g.bill}})
			if err != nil {
				t.Fatal(err)
			}
			found := answers[0].Bills[0]
			if got := fmt.Sprintf("%s: %s %s", page.State.Text, found.Status, found.DisplayState()); got != want ||
				found.State != page.State || page.Difference != nil {
				t.Errorf("%s: %s (%q), want %s; difference %v", g.name, got, found.State.Text, want, page.Difference)
			}
		}
	})
}

// A line has a difference even if the bill's total allowance is unknown. An open reversal hides
// the differences of all lines.
func TestDifferenceOfLines(t *testing.T) {
	for _, open := range []bool{false, true} {
		p := Page{Bill: bill(func(b *detailed) {
			b.OpenState, b.RecommendedAllowance, b.PaidAmount, b.TakeBackOpen = billstate.Settled, nil, cents(5000), open
			b.Detail.Lines = []ledger.Line{{Number: 1, Procedure: "99213", Control: "L1", Charge: 10000, Allowance: cents(8000)}}
		})}
		paid := Payment{Nature: ledger.Money, Paid: 5000}
		paid.Detail.Lines = []ledger.PaidLine{{Number: 1, Procedure: "99213", Control: "L1", Charge: 10000, Paid: 5000}}
		p.Group = billGroup{Known: true, Payments: []billPayment{{Role: ledger.RoleInForce, Explains: true, Payment: paid}}}
		p.deriveState()
		if d := p.Decided.Lines[0].Difference; p.Difference != nil || d != nil == open || !open && *d != 3000 {
			t.Errorf("open %v: %v, the line's %v", open, p.Difference, d)
		}
	}
}

func TestStateInWords(t *testing.T) {
	for want, change := range map[string]func(p *Page){
		"Received, not repriced": func(p *Page) { p.Bill.OpenState = billstate.Received },
		"Received, not repriced by the network": func(p *Page) {
			p.Bill.OpenState, p.Bill.RepricingMethod = billstate.Received, "00"
		},
		"Repriced by the network, no payment on file":                 func(p *Page) { p.Bill.OpenState = billstate.Priced },
		"Repriced by the network, reviewed and paid by another party": func(p *Page) { p.Bill.OpenState = billstate.RepricedOnly },
		"Denied":                        func(p *Page) { p.Bill.OpenState = billstate.Denied },
		"Payment reversed by the payer": func(p *Page) { p.Bill.OpenState = billstate.Reversed },
		"Paid $0":                       func(p *Page) { p.Bill.OpenState, p.Bill.BillStatus = billstate.PaymentOnly, StatusPaid },
		"Void":                          func(p *Page) { p.Bill.OpenState = billstate.Void },
		"Replaced by BCN-2": func(p *Page) {
			p.Bill.OpenState, p.ReplacedBy = billstate.Void, &Bill{BillControlNumber: "BCN-2"}
		},
		"Paid in full at the network allowance":      func(p *Page) { p.Bill.PaidAmount = cents(8000) },
		"Paid $80.00 below the network allowance":    func(p *Page) { p.Bill.PaidAmount = cents(0) },
		"Paid $1,920.00 above the network allowance": func(p *Page) { p.Bill.PaidAmount = cents(200000) },
		"Paid $50.00":                   func(p *Page) { p.Bill.PaidAmount, p.Bill.RecommendedAllowance = cents(5000), nil },
		"No payment due from the payer": func(p *Page) { p.Bill.PaidAmount, p.Bill.RecommendedAllowance = cents(0), nil },
		"Paid $30.00 below the network allowance, which is the patient responsibility": func(p *Page) {
			p.Bill.PaidAmount, p.Group.PatientResponsibility = cents(5000), 3000
		},
	} {
		p := &Page{Bill: bill(func(b *detailed) { b.OpenState = billstate.Settled })}
		change(p)
		if got := p.describeState(); got.Text != want {
			t.Errorf("%q, want %q", got.Text, want)
		}
	}
}

// Lines are matched one to one if the evidence leaves one possibility, without guessing.
func TestLinesAreMatched(t *testing.T) {
	sent := func(control, procedure string, change ...func(*ledger.Line)) ledger.Line {
		l := ledger.Line{Control: control, Procedure: procedure, Charge: 10000, BeginDate: "2026-01-10"}
		for _, c := range change {
			c(&l)
		}
		return l
	}
	paid := func(control, procedure string, change ...func(*ledger.PaidLine)) ledger.PaidLine {
		l := ledger.PaidLine{Control: control, Procedure: procedure, Charge: 10000, BeginDate: "2026-01-10"}
		for _, c := range change {
			c(&l)
		}
		return l
	}
	charge := func(dollars int64) func(*ledger.Line) { return func(l *ledger.Line) { l.Charge = 100 * dollars } }
	paidCharge := func(dollars int64) func(*ledger.PaidLine) {
		return func(l *ledger.PaidLine) { l.Charge = 100 * dollars }
	}
	modifiers := func(m ...string) func(*ledger.Line) { return func(l *ledger.Line) { l.Modifiers = m } }
	for name, c := range map[string]struct {
		sent []ledger.Line
		paid []ledger.PaidLine
		want string
	}{
		"by number": {[]ledger.Line{sent("1", "A"), sent("2", "A")},
			[]ledger.PaidLine{paid("2", "A"), paid("1", "A")}, "[1 0]"},
		"by number, another procedure": {[]ledger.Line{sent("1", "A")}, []ledger.PaidLine{paid("1", "B")}, "[0]"},
		"one line paid in two parts": {[]ledger.Line{sent("1", "A")}, []ledger.PaidLine{paid("1", "A"), paid("1", "A")},
			"[0 0]"},
		"numbers that differ": {[]ledger.Line{sent("1", "A")}, []ledger.PaidLine{paid("2", "A")}, "[0]"},
		"numbers that differ, of two lines alike": {[]ledger.Line{sent("1", "A"), sent("2", "A")},
			[]ledger.PaidLine{paid("7", "A"), paid("8", "A")}, "[-1 -1]"},
		"numbers cut": {[]ledger.Line{sent("L-1", "A"), sent("L-2", "B")},
			[]ledger.PaidLine{paid("L", "B"), paid("L", "A")}, "[1 0]"},
		"one by number, the other left over": {[]ledger.Line{sent("1", "A"), sent("2", "A")},
			[]ledger.PaidLine{paid("2", "A"), paid("9", "A")}, "[1 0]"},
		"modifiers not returned": {[]ledger.Line{sent("", "A", modifiers("25")), sent("", "B", modifiers("LT"))},
			[]ledger.PaidLine{paid("", "A"), paid("", "B")}, "[0 1]"},
		"modifiers of one line returned": {[]ledger.Line{sent("", "A", modifiers("25")), sent("", "A", modifiers("LT"))},
			[]ledger.PaidLine{paid("", "A"), paid("", "A", func(l *ledger.PaidLine) { l.Modifiers = []string{"LT"} })}, "[0 1]"},
		"lines without days": {[]ledger.Line{sent("", "A", func(l *ledger.Line) { l.BeginDate = "2026-01-12" })},
			[]ledger.PaidLine{paid("", "A", func(l *ledger.PaidLine) { l.BeginDate = "" })}, "[0]"},
		"numbers of the payer's own that collide": {
			[]ledger.Line{sent("1", "A", charge(130)), sent("2", "B", charge(100)), sent("3", "C", charge(70))},
			[]ledger.PaidLine{paid("1", "B", paidCharge(100)), paid("2", "C", paidCharge(70))}, "[1 2]",
		},
		"numbers swapped, of equal charges": {[]ledger.Line{sent("1", "A"), sent("2", "B")},
			[]ledger.PaidLine{paid("2", "A"), paid("1", "B")}, "[0 1]"},
		"numbers swapped, of equal services": {[]ledger.Line{sent("1", "A", charge(60)), sent("2", "A", charge(90))},
			[]ledger.PaidLine{paid("2", "A", paidCharge(60)), paid("1", "A", paidCharge(90))}, "[0 1]"},
		"numbers swapped, of other days": {
			[]ledger.Line{sent("1", "A"), sent("2", "A", func(l *ledger.Line) { l.BeginDate = "2026-01-12" })},
			[]ledger.PaidLine{paid("2", "A"), paid("1", "A", func(l *ledger.PaidLine) { l.BeginDate = "2026-01-12" })}, "[0 1]",
		},
		"numbers swapped, of other modifiers": {
			[]ledger.Line{sent("1", "A", modifiers("25")), sent("2", "A", modifiers("LT"))},
			[]ledger.PaidLine{paid("2", "A", func(l *ledger.PaidLine) {
				l.Modifiers = []string{"25"}
			}), paid("1", "A", func(l *ledger.PaidLine) { l.Modifiers = []string{"LT"} })}, "[0 1]",
		},
		"two parts with smaller charges, beside an equal line": {
			[]ledger.Line{sent("1", "A", charge(60)), sent("2", "A", charge(20))},
			[]ledger.PaidLine{paid("1", "A", paidCharge(20)), paid("1", "A", paidCharge(40)), paid("2", "A", paidCharge(20))}, "[0 0 1]",
		},
		"bundled into another service": {[]ledger.Line{sent("1", "A"), sent("2", "B")}, []ledger.PaidLine{paid("1", "Z", paidCharge(200))},
			"[0]"},
		"by service": {[]ledger.Line{sent("1", "A"), sent("2", "B")}, []ledger.PaidLine{paid("", "B"), paid("", "A")},
			"[1 0]"},
		"a number of the payer's own": {[]ledger.Line{sent("", "A")}, []ledger.PaidLine{paid("7", "A")}, "[0]"},
		"two lines alike":             {[]ledger.Line{sent("", "A"), sent("", "A")}, []ledger.PaidLine{paid("", "A")}, "[-1]"},
		"paid twice alike":            {[]ledger.Line{sent("", "A")}, []ledger.PaidLine{paid("", "A"), paid("", "A")}, "[-1 -1]"},
		"another charge": {[]ledger.Line{sent("", "A")},
			[]ledger.PaidLine{paid("", "A", func(l *ledger.PaidLine) { l.Charge = 9 })}, "[-1]"},
		"another day": {[]ledger.Line{sent("", "A")},
			[]ledger.PaidLine{paid("", "A", func(l *ledger.PaidLine) { l.BeginDate = "2026-01-11" })}, "[-1]"},
		"without a day": {[]ledger.Line{sent("", "A")},
			[]ledger.PaidLine{paid("", "A", func(l *ledger.PaidLine) { l.BeginDate = "" })}, "[0]"},
		"another modifier": {[]ledger.Line{sent("", "A", modifiers("25"))}, []ledger.PaidLine{paid("", "A")}, "[0]"},
		"modifiers in another order": {[]ledger.Line{sent("", "A", modifiers("25", "LT"))},
			[]ledger.PaidLine{paid("", "A", func(l *ledger.PaidLine) { l.Modifiers = []string{"LT", "25"} })}, "[0]"},
		"paid as another procedure": {[]ledger.Line{sent("", "A")}, []ledger.PaidLine{paid("", "Z", func(l *ledger.PaidLine) {
			l.BilledAs.Code = "A"
		})}, "[0]"},
		"by revenue code": {[]ledger.Line{sent("", "", func(l *ledger.Line) { l.Revenue = "0270" })},
			[]ledger.PaidLine{paid("", "", func(l *ledger.PaidLine) { l.Revenue = "0270" })}, "[0]"},
	} {
		b := bill(func(b *detailed) { b.Detail.Lines = c.sent })
		p := Payment{Detail: ledger.PaymentDetail{Lines: c.paid}, Reported: Bill{BeginServiceDate: "2026-01-10"}}
		if got := matchLines(b, p); fmt.Sprint(got) != c.want {
			t.Errorf("%s: %v, want %s", name, got, c.want)
		}
	}
}

func listEntries(t *testing.T, s *Service, subject string) []audit.Entry {
	t.Helper()
	list, err := s.audit.ListAbout(t.Context(), subject, []string{openPage, openCertificate, openEOR, openImage}, 99)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// A bill made of its payment is found by its former number.
func TestPageFollowsABillToItsNumber(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		clock := midsummer
		s := onDay(t, d, nil, &clock)
		g := goldenBills[6] // known only from its payment
		bring(t, d, s.now, g.files...)
		link := s.pageIDOf(t, pageID{FTIN: ours, Key: "i7"})
		if page, err := s.getPage(audit.WithActor(t.Context(), "jane", ""), jane, link); err != nil ||
			page.Banners[0].Kind != bannerPayment {
			t.Fatalf("%+v, %v", page.Banners, err)
		}
		bring(t, d, s.now, makeClaims("20260721", append(sentClaim("G1", "180"+place("1")), "REF*9A*7007", "LX*1",
			"SV1*HC:99213*180*UN*1***1", "DTP*472*D8*20260603")))
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
		clock := midsummer
		s := onDay(t, d, nil, &clock)
		bring(t, d, s.now, goldenBills[4].files...)
		link := s.pageIDOf(t, pageID{FTIN: ours, Key: "7005"})
		if _, err := s.Page(t.Context(), jane, link); err != nil {
			t.Fatal(err)
		}
		found, _, err := s.audit.Find(t.Context(), audit.Filter{Subject: ours + " 7005"}, audit.Place{}, 0, 9)
		if err != nil || len(found) != 1 || found[0].Operation != openPage || found[0].Result != ok || found[0].Subject != ours+" 7005" ||
			!slices.Contains(found[0].Numbers(), "7105") {
			t.Errorf("%+v, %v", found, err)
		}
		if _, err := d.Writer.ExecContext(t.Context(), `ALTER TABLE audit_log RENAME TO audit_log_gone`); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Page(t.Context(), jane, link); err == nil {
			t.Error("a page was answered that could not be audited")
		}
	})
}

// Only people of the office count as opening something. Mirroring staff don't, and others see no
// name.
func TestWhoOpened(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		clock := midsummer
		s := onDay(t, d, nil, &clock)
		bring(t, d, s.now, goldenBills[0].files...)
		link := s.pageIDOf(t, pageID{FTIN: ours, Key: "7001"})
		eor, err := s.sealDocument(eorDocument, ours, "7001")
		if err != nil {
			t.Fatal(err)
		}
		opens := func(actor, actingFor string, at time.Time) {
			clock = at
			if _, _, err := s.Document(audit.WithActor(t.Context(), actor, actingFor), jane, eor); err != nil {
				t.Fatal(err)
			}
		}
		journey := func(a access.Actor) string {
			page, err := s.readPage(t.Context(), a, access.NewScope([]string{ours}), pageID{FTIN: ours, Key: "7001"})
			if err != nil {
				t.Fatal(err)
			}
			var out []string
			for _, e := range page.History {
				if e.Kind == eventOpened {
					out = append(out, e.Text+" "+e.At.Format("15:04"))
				}
			}
			return strings.Join(out, "; ")
		}
		certified := func() string {
			clock = midsummer.Add(9 * time.Hour)
			r, err := s.loadReceipt(t.Context(), jane, access.NewScope([]string{ours}), pageID{FTIN: ours, Key: "7001"})
			if err != nil {
				t.Fatal(err)
			}
			return strings.Join(r.sentences(), " ")
		}
		opens("staff", "jane", midsummer)
		if got := journey(jane); got != "" {
			t.Errorf("staff who mirror opened it for the office: %s", got)
		}
		const said = "According to the portal's log, the explanation of review of bill 7001 was first made available on 08/20/2026 at " +
			"9:02:00 AM Eastern"
		if got := certified(); got != said+". No user of Tax ID 111111111 had opened it by 08/20/2026 at 6:02:00 PM Eastern." {
			t.Error(got)
		}
		opens("jane", "", midsummer.Add(time.Hour))
		opens("joe", "", midsummer.Add(2*time.Hour))
		if got := journey(jane); got != "EOR first opened here by Jane Hendricks 14:02" {
			t.Error(got)
		}
		far := access.Actor{Person: access.Person{ID: 4, UserName: "far", Type: access.PRUS, GroupID: 8}}
		identitytest.Add(t, d.Writer, far.Person, "Far Away", ours)
		if got := journey(far); got !=
			"EOR first opened here by a user in another office with this Tax ID 14:02" {
			t.Error(got)
		}
		if got := certified(); got != said+
			", and first opened by a user of Tax ID 111111111 (Jane Hendricks) on 08/20/2026 at 10:02:00 AM Eastern." {
			t.Error(got)
		}
		pdf, err := s.Certificate(t.Context(), jane, link)
		if err != nil || !bytes.HasPrefix(pdf, []byte("%PDF")) {
			t.Errorf("%d bytes, %v", len(pdf), err)
		}
		if entries := listEntries(t, s, ours+" 7001"); entries[0].Operation != openCertificate || entries[0].Result != ok {
			t.Errorf("%+v", entries)
		}
	})
}

// The page shows the network's papers. A paper EOR counts the same as a generated one.
func TestPapersOnThePage(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		clock := midsummer
		s := onDay(t, d, nil, &clock)
		takeBills(t, s, bill(func(b *detailed) { b.EOR, b.RecommendedAllowance, b.BillStatus = false, nil, StatusReceived }))
		link := s.pageIDOf(t, pageID{FTIN: ours, Key: "bcn-1"})
		if page, err := s.getPage(t.Context(), jane, link); err != nil || page.Bill.EOR || page.Certificate || len(page.Papers) > 0 {
			t.Fatalf("before: %+v, %v", page, err)
		}
		clock = midsummer.Add(time.Hour)
		err := d.Tx(t.Context(), func(tx *sql.Tx) error {
			return dbtest.Err(ledger.New(d, s.now).ImportPapers(t.Context(), tx, []ledger.SentPaper{{
				Paper: ledger.Paper{FTIN: ours, Bill: "bcn-1", Kind: eorDocument, SHA256: "aa", MediaType: "application/pdf"},
				Keep:  func(context.Context) error { return nil },
			}}))
		})
		if err != nil {
			t.Fatal(err)
		}
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
		r, err := s.loadReceipt(t.Context(), jane, access.NewScope([]string{ours}), pageID{FTIN: ours, Key: "bcn-1"})
		if err != nil || !r.available.Equal(clock) {
			t.Errorf("available since %v, %v", r.available, err)
		}
	})
}
