package billtest

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"wcpp/internal/platform/db"
	"wcpp/internal/platform/ingest"
	"wcpp/internal/platform/x12/x12test"
)

// Case are the files with a page's bills: claims, one set per file and day.
type Case struct {
	Name  string
	Files []File
	Bill  string // the bill to open
}

// File is a file of one day with claims or payments; from is its payer.
type File struct {
	day    string // 20260620
	guide  string
	claims []string // segments
}

// MakeClaim writes a claim for Ada Brook's visit of June 3, 2026 under TIN Ours.
func MakeClaim(account, charge string, segments ...string) []string {
	return append([]string{
		"HL*1**20*1", "NM1*85*2*LAKE ORTHOPEDICS*****XX*1234567893", "N3*1 SHORE RD", "N4*ERIE*PA*16501", "REF*EI*" + Ours,
		"HL*2*1*22*0", "SBR*P*18*******WC", "NM1*IL*1*BROOK*ADA*M***MI*M1", "DMG*D8*19800203*F", "REF*Y4*WC-" + account,
		"NM1*PR*2*BEACON ROAD INSURANCE*****PI*P9", "CLM*" + account + "*" + charge,
	}, segments...)
}

// MakeClaims returns a file of claims.
func MakeClaims(day string, claims ...[]string) File {
	return File{day, "005010X222A1", slices.Concat(append([][]string{{"BHT*0019*00*1*" + day + "*0900*CH"}}, claims...)...)}
}

// MakePayments returns a file with the payments of one check.
func MakePayments(day, check string, total int, payments ...[]string) File {
	head := []string{
		fmt.Sprintf("BPR*I*%d*C*CHK************%s", total, day), "TRN*1*" + check + "*1512345678", "DTM*405*" + day,
		"N1*PR*BEACON ROAD INSURANCE", "REF*2U*P9", "N1*PE*LAKE ORTHOPEDICS*FI*" + Ours, "LX*1",
	}
	return File{day, "005010X221A1", slices.Concat(append([][]string{head}, payments...)...)}
}

// FormatPlace completes a CLM with a frequency.
func FormatPlace(frequency string) string { return "***11:B:" + frequency + "*Y*A*Y*Y" }

// makeOffice is a claim with two lines, repriced by the network.
func makeOffice(account, number, frequency string, more ...string) []string {
	list := []string{"DTP*050*D8*20260609", "REF*9A*" + number, "REF*D9*D" + account}
	list = append(append(list, more...), "HCP*03*240*60***",
		"LX*1", "SV1*HC:99213:25*180*UN*1***1", "DTP*472*D8*20260603", "REF*6R*"+account+"1", "HCP*03*140*40",
		"LX*2", "SV1*HC:20610*120*UN*1***1", "DTP*472*D8*20260603", "REF*6R*"+account+"2", "HCP*03*100*20")
	c := MakeClaim(account, "300"+FormatPlace(frequency))
	return append(c, list...)
}

// makePaid is a payment of an office's claim.
func makePaid(account, icn, status string, amounts [3]int, lines ...string) []string {
	list := []string{fmt.Sprintf("CLP*%s*%s*%d*%d*%d*WC*%s*11*1", account, status, amounts[0], amounts[1], amounts[2], icn),
		"NM1*QC*1*BROOK*ADA", "DTM*232*20260603", "DTM*050*20260612"}
	return append(list, lines...)
}

// Golden are bills in every state.
var Golden = []Case{
	{"paid", []File{
		MakeClaims("20260620", makeOffice("A1", "7001", "1")),
		MakePayments("20260711", "40000068", 240, makePaid("A1", "I1", "1", [3]int{300, 240, 0},
			"SVC*HC:99213:25*180*140**1", "DTM*472*20260603", "CAS*CO*45*40", "REF*6R*A11", "AMT*B6*140",
			"SVC*HC:20610*120*100**1", "DTM*472*20260603", "CAS*CO*45*20", "REF*6R*A12", "AMT*B6*100")),
	}, "7001"},
	{"short", []File{
		MakeClaims("20260620", makeOffice("B1", "7002", "1")),
		MakePayments("20260711", "40000069", 160, makePaid("B1", "I2", "1", [3]int{300, 160, 0},
			"SVC*HC:99213:25*180*100**1", "DTM*472*20260603", "CAS*CO*45*40**P12*40", "REF*6R*B11", "LQ*HE*N130",
			"SVC*HC:20610*120*60**1", "DTM*472*20260603", "CAS*CO*P12*60", "REF*6R*B12")),
	}, "7002"},
	{"denied", []File{
		MakeClaims("20260620", makeOffice("C1", "7003", "1")),
		MakePayments("20260711", "40000070", 0, makePaid("C1", "I3", "1", [3]int{300, 0, 0},
			"SVC*HC:99213:25*180*0**1", "DTM*472*20260603", "CAS*CO*197*180", "REF*6R*C11",
			"SVC*HC:20610*120*0**1", "DTM*472*20260603", "CAS*CO*197*120", "REF*6R*C12")),
	}, "7003"},
	{"reversed", []File{
		MakeClaims("20260620", makeOffice("D1", "7004", "1")),
		MakePayments("20260711", "40000071", 160, makePaid("D1", "I4", "1", [3]int{300, 160, 0},
			"SVC*HC:99213:25*180*100**1", "DTM*472*20260603", "CAS*CO*45*80", "REF*6R*D11",
			"SVC*HC:20610*120*60**1", "DTM*472*20260603", "CAS*CO*45*60", "REF*6R*D12")),
		MakePayments("20260801", "40000072", 80,
			makePaid("D1", "I4", "22", [3]int{-300, -160, 0},
				"SVC*HC:99213:25*-180*-100**1", "DTM*472*20260603", "CAS*CO*45*-80", "REF*6R*D11",
				"SVC*HC:20610*-120*-60**1", "DTM*472*20260603", "CAS*CO*45*-60", "REF*6R*D12"),
			makePaid("D1", "I4", "1", [3]int{300, 240, 0},
				"SVC*HC:99213:25*180*140**1", "DTM*472*20260603", "CAS*CO*45*40", "REF*6R*D11",
				"SVC*HC:20610*120*100**1", "DTM*472*20260603", "CAS*CO*45*20", "REF*6R*D12")),
	}, "7004"},
	{"replaced", []File{
		MakeClaims("20260620", makeOffice("E1", "7005", "1")),
		MakeClaims("20260701", makeOffice("E1", "7105", "7", "REF*F8*7005")),
	}, "7005"},
	{"void", []File{
		MakeClaims("20260620", makeOffice("F1", "7006", "1")),
		MakeClaims("20260702", makeOffice("F1", "7006", "8")),
	}, "7006"},
	{"payment-only", []File{
		MakePayments("20260711", "40000073", 150, makePaid("G1", "I7", "1", [3]int{180, 150, 0},
			"SVC*HC:99213*180*150**1", "DTM*472*20260603", "CAS*CO*45*30", "AMT*B6*150")),
	}, "I7"},
	{"pricing-sheet", []File{
		{"20260620", "005010X222A1", append([]string{"BHT*0019*00*1*20260620*0900*RP"}, makeOffice("H1", "7008", "1")...)},
	}, "7008"},
	{"unmatched", []File{
		MakeClaims("20260620", makeLines("J1", "7009", "180", "180")),
		MakePayments("20260711", "40000074", 200, makePaid("J1", "I9", "1", [3]int{360, 200, 0},
			"SVC*HC:97110*180*120**1", "DTM*472*20260603", "CAS*CO*45*60",
			"SVC*HC:97110*180*80**1", "DTM*472*20260603", "CAS*CO*45*100")),
	}, "7009"},
	{"bundled", []File{
		MakeClaims("20260620", append(MakeClaim("K1", "300"+FormatPlace("1")), "REF*9A*7010", "HCP*04*200",
			"LX*1", "SV1*HC:80048*180*UN*1***1", "DTP*472*D8*20260603", "HCP*04*200", "LX*2", "SV1*HC:80076*120*UN*1***1",
			"DTP*472*D8*20260603")),
		MakePayments("20260711", "40000075", 200, makePaid("K1", "I10", "1", [3]int{300, 200, 0},
			"SVC*HC:80053*180*200**1*HC:80048", "DTM*472*20260603", "CAS*OA*94*-20",
			"SVC*HC:80076*120*0**1", "DTM*472*20260603", "CAS*CO*97*120", "LQ*HE*M15")),
	}, "7010"},
	{"institutional", []File{
		{"20260620", "005010X223A2", append([]string{"BHT*0019*00*1*20260620*0900*CH"}, append(MakeClaim("L1", "900***13:A:1*Y*A*Y*Y"),
			"DTP*434*RD8*20260603-20260604", "REF*9A*7011", "HCP*03*700",
			"LX*1", "SV2*0450*HC:99283*500*UN*1", "DTP*472*D8*20260603", "HCP*03*400",
			"LX*2", "SV2*0270**400*UN*4", "DTP*472*D8*20260603", "HCP*03*300")...)},
		MakePayments("20260711", "40000076", 700, makePaid("L1", "I11", "1", [3]int{900, 700, 0},
			"SVC*HC:99283*500*400*0450*1", "DTM*472*20260603", "CAS*CO*45*100",
			"SVC*NU:0270*400*300**4", "DTM*472*20260603", "CAS*CO*45*100")),
	}, "7011"},
	{"taken-back", []File{
		MakeClaims("20260620", makeOffice("M1", "7012", "1")),
		MakePayments("20260711", "40000077", 160, makePaid("M1", "I12", "1", [3]int{300, 160, 0},
			"SVC*HC:99213:25*180*100**1", "DTM*472*20260603", "CAS*CO*45*80", "REF*6R*M11",
			"SVC*HC:20610*120*60**1", "DTM*472*20260603", "CAS*CO*45*60", "REF*6R*M12")),
		MakePayments("20260801", "40000078", -160, makePaid("M1", "I12", "22", [3]int{-300, -160, 0},
			"SVC*HC:99213:25*-180*-100**1", "DTM*472*20260603", "CAS*CO*45*-80", "REF*6R*M11",
			"SVC*HC:20610*-120*-60**1", "DTM*472*20260603", "CAS*CO*45*-40**129*-20", "REF*6R*M12", "LQ*HE*N469")),
	}, "7012"},
	{"denied-anew", []File{
		MakeClaims("20260620", makeOffice("N1", "7013", "1")),
		MakePayments("20260711", "40000079", 0, makePaid("N1", "I13", "1", [3]int{300, 0, 0}, "CAS*CO*16*300", "MOA***N29")),
		MakePayments("20260801", "40000080", 0, makePaid("N1", "I13", "1", [3]int{300, 0, 0}, "CAS*CO*29*300")),
	}, "7013"},
	{"denied-in-parts", []File{
		MakeClaims("20260620", makeOffice("O1", "7014", "1")),
		MakePayments("20260711", "40000081", 0,
			makePaid("O1", "I14", "1", [3]int{180, 0, 0}, "SVC*HC:99213:25*180*0**1", "DTM*472*20260603", "CAS*CO*197*180", "REF*6R*O11"),
			makePaid("O1", "I15", "1", [3]int{120, 0, 0}, "SVC*HC:20610*120*0**1", "DTM*472*20260603", "CAS*CO*50*120", "REF*6R*O12")),
	}, "7014"},
}

// PartBack is a bill with a partial reversal.
var PartBack = Case{"part-back", []File{
	MakeClaims("20260620", makeOffice("P1", "7015", "1")),
	MakePayments("20260711", "40000082", 200, makePaid("P1", "I16", "1", [3]int{300, 200, 0}, "CAS*CO*45*100")),
	MakePayments("20260801", "40000083", -80, makePaid("P1", "I16", "22", [3]int{-300, -80, 0}, "CAS*CO*129*-220")),
}, "7015"}

// Unpaid are bills known only from $0 payments.
var Unpaid = []Case{
	{"payment-denied", []File{MakePayments("20260711", "40000084", 0, makePaid("Q1", "I17", "1", [3]int{180, 0, 0}, "CAS*CO*50*180"))},
		"I17"},
	{"payment-taken-back", []File{
		MakePayments("20260711", "40000085", 150, makePaid("R1", "I18", "1", [3]int{180, 150, 0}, "CAS*CO*45*30")),
		MakePayments("20260801", "40000086", -150, makePaid("R1", "I18", "22", [3]int{-180, -150, 0}, "CAS*CO*45*-30")),
	}, "I18"},
	{"payment-of-nothing", []File{MakePayments("20260711", "40000087", 0,
		makePaid("S1", "I19", "1", [3]int{180, 0, 150}, "CAS*PR*1*150**45*30"))}, "I19"},
}

// makeLines is a claim with a line for each charge.
func makeLines(account, number string, charges ...string) []string {
	c := append(MakeClaim(account, "360"+FormatPlace("1")), "REF*9A*"+number, "HCP*03*300")
	for i, charge := range charges {
		c = append(c, fmt.Sprintf("LX*%d", i+1), "SV1*HC:97110*"+charge+"*UN*1***1", "DTP*472*D8*20260603", "HCP*03*150")
	}
	return c
}

// Bring imports files like the program does, on the clock's day.
func Bring(t *testing.T, d *db.DB, now func() time.Time, files ...File) {
	t.Helper()
	im := ingest.New(ingest.Deps{DB: d, Clock: now}, ingest.Settings{}, NewLedger(d, now).Feeds()...)
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
