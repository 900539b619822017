// Package x12test writes X12 files for tests: envelopes around segments, and simple claims and
// payments. Segments are without terminators.
package x12test

import (
	"fmt"
	"strings"
)

// ProfessionalHead starts a professional 837 up to the subscriber, who is the patient: Ada
// Brook, billed by TIN 987654321.
var ProfessionalHead = []string{
	"BHT*0019*00*1*20260102*0304*CH",
	"NM1*41*2*MAPLE BILLING*****46*S1", "PER*IC*HELP DESK*TE*5550100000", "NM1*40*2*NETWORK*****46*R1",
	"HL*1**20*1", "NM1*85*2*LAKE ORTHOPEDICS*****XX*1234567893", "N3*1 SHORE RD", "N4*ERIE*PA*16501", "REF*EI*98-7654321",
	"HL*2*1*22*0", "SBR*P*18*******WC", "NM1*IL*1*BROOK*ADA*M***MI*M1", "N4*ERIE*PA*16501", "DMG*D8*19800203*F", "REF*Y4*WC-77",
	"NM1*PR*2*STEADY MUTUAL*****PI*P9",
}

// ProfessionalClaim returns a simple claim of one line, with a charge of 100 dollars and the
// patient control number.
func ProfessionalClaim(pcn string) []string {
	return []string{"CLM*" + pcn + "*100***11:B:1*Y*A*Y*Y", "LX*1", "SV1*HC:99213*100*UN*1***1", "DTP*472*D8*20260105"}
}

// PaymentHead starts an 835 that pays 80 dollars to TIN 987654321.
var PaymentHead = []string{
	"BPR*I*80*C*CHK************20260201", "TRN*1*CHECK7*1512345678", "DTM*405*20260203",
	"N1*PR*STEADY MUTUAL", "REF*2U*P9", "N1*PE*LAKE ORTHOPEDICS*XX*1234567893", "REF*TJ*987654321", "LX*1",
}

// Set returns a transaction set with the segments.
func Set(code, guide string, segments ...string) string {
	all := append([]string{"ST*" + code + "*0001*" + guide}, segments...)
	all = append(all, fmt.Sprintf("SE*%d*0001", len(all)+1))
	return strings.Join(all, "~\n") + "~\n"
}

// Group is a functional group of one guide.
type Group struct {
	Code, Guide string   // HC for claims, HP for payments; 005010X222A1
	Date, Time  string   // 20260102, 0304
	Sets        []string // from Set
}

// File returns one interchange with the groups and control number.
func File(number int, groups ...Group) string {
	var b strings.Builder
	fmt.Fprintf(&b, "ISA*00*          *00*          *ZZ*SENDER         *ZZ*RECEIVER       *260102*0304*^*00501*%09d*0*P*:~\n", number)
	for i, g := range groups {
		fmt.Fprintf(&b, "GS*%s*SENDER*RECEIVER*%s*%s*%d*X*%s~\n", g.Code, g.Date, g.Time, i+1, g.Guide)
		b.WriteString(strings.Join(g.Sets, ""))
		fmt.Fprintf(&b, "GE*%d*%d~\n", len(g.Sets), i+1)
	}
	fmt.Fprintf(&b, "IEA*%d*%09d~\n", len(groups), number)
	return b.String()
}

// Interchange returns a file with one group of sets, dated January 2, 2026.
func Interchange(guide string, sets ...string) string {
	return File(1, Group{Code: "HC", Guide: guide, Date: "20260102", Time: "0304", Sets: sets})
}
