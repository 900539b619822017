package demo

import (
	"bufio"
	"context"
	"fmt"
	"strconv"
	"strings"

	"wcpp/internal/platform/date"
)

// perSet is how many of a group's bills are processed together. Their sets are written before
// the next ones are created. They are sent a week after the last of these bills, mostly before
// any is paid.
const perSet = 40

func (w *world) writeProfessional(ctx context.Context, out *bufio.Writer) error {
	return w.writeClaims(ctx, out, "005010X222A1", false)
}

func (w *world) writeInstitutional(ctx context.Context, out *bufio.Writer) error {
	return w.writeClaims(ctx, out, "005010X223A2", true)
}

func (w *world) writeClaims(ctx context.Context, out *bufio.Writer, guide string, facility bool) error {
	x := newX12Writer(out, "HC", guide, w.today)
	for _, g := range w.groups {
		for from := 0; from < g.bills; from += perSet {
			if err := ctx.Err(); err != nil {
				return err
			}
			on := w.day(g, min(from+perSet, g.bills)-1).AddDays(7)
			charged, reported, resent, voided := map[*practice][]bill{}, map[*practice][]bill{}, map[*practice][]bill{},
				map[*practice][]bill{}
			for j := from; j < min(from+perSet, g.bills); j++ {
				b := w.bill(g, j)
				switch {
				case b.practice.facility != facility:
				case b.pricing == sheet:
					reported[b.practice] = append(reported[b.practice], b)
				case w.isResent(g, j) && on.AddDays(3) <= w.today:
					charged[b.practice] = append(charged[b.practice], b.addUnit())
					b.replaces = b.number
					resent[b.practice] = append(resent[b.practice], b)
				default:
					charged[b.practice] = append(charged[b.practice], b)
					if w.isVoided(g, j) {
						b.replaces, b.number, b.document, b.void = b.number, "", "", true
						voided[b.practice] = append(voided[b.practice], b)
					}
				}
			}
			writeClaimSet(x, g, charged, "CH", min(on, w.today))
			writeClaimSet(x, g, reported, "RP", min(on, w.today))
			writeClaimSet(x, g, resent, "CH", on.AddDays(3))
			writeClaimSet(x, g, voided, "CH", min(on.AddDays(5), w.today))
		}
	}
	return x.close()
}

func writeClaimSet(x *x12Writer, g *group, bills map[*practice][]bill, purpose string, on date.Date) {
	if len(bills) == 0 {
		return
	}
	x.set("837", func() {
		x.segment("BHT", "0019", "00", fmt.Sprintf("B%06d", x.sets), formatCompact(on), "0600", purpose)
		x.segment("NM1", "41", "2", x.sender, "", "", "", "", "46", "LSN01")
		x.segment("PER", "IC", "Network Operations", "TE", "2165550100")
		x.segment("NM1", "40", "2", "Provider Portal", "", "", "", "", "46", "PORTAL")
		for _, p := range g.practices {
			if len(bills[p]) == 0 {
				continue
			}
			office := x.hierarchy(0, "20", true)
			x.segment("NM1", "85", "2", p.name, "", "", "", "", "XX", p.npi)
			x.segment("N3", p.street)
			x.segment("N4", p.place.city, p.place.state, p.place.zip)
			x.segment("REF", "EI", p.ftin)
			for _, b := range bills[p] {
				writeClaim(x, office, b)
			}
		}
	})
}

func writeClaim(x *x12Writer, office int, b bill) {
	if b.payer.auto {
		// The injured person is the policyholder.
		x.hierarchy(office, "22", false)
		x.segment("SBR", "P", "18", "", "", "", "", "", "", "AM")
		writePatient(x, "IL", b)
		writePayer(x, b)
	} else {
		policy := x.hierarchy(office, "22", true)
		x.segment("SBR", "P", "", "", "", "", "", "", "", "WC")
		x.segment("NM1", "IL", "2", b.employer)
		x.segment("N3", "1 Company Way")
		x.segment("N4", b.place.city, b.place.state, b.place.zip)
		writePayer(x, b)
		x.hierarchy(policy, "23", false)
		x.segment("PAT", "20")
		writePatient(x, "QC", b)
	}

	stateGiven := b.payer.auto || b.state != b.place.state // the jurisdiction; if not given, it is inferred from the employer's address
	frequency := "1"
	if b.replaces != "" {
		frequency = "7"
	}
	if b.void {
		frequency = "8"
	}
	if b.practice.facility {
		x.segment("CLM", b.account, formatDollars(b.charge), "", "", "13:A:"+frequency, "", "A", "Y", "Y")
		x.segment("DTP", "434", "RD8", formatCompact(b.begin)+"-"+formatCompact(b.end))
		x.segment("CL1", "3", "1", "01")
		if stateGiven {
			x.segment("REF", "LU", b.state)
		}
	} else {
		cause := "EM"
		if b.payer.auto {
			cause = "AA"
		}
		if stateGiven {
			cause += ":::" + b.state
		}
		x.segment("CLM", b.account, formatDollars(b.charge), "", "", "11:B:"+frequency, "Y", "A", "Y", "Y", "", cause)
		x.segment("DTP", "439", "D8", formatCompact(b.injury))
	}
	if b.received != "" {
		x.segment("DTP", "050", "D8", formatCompact(b.received))
	}
	writeReference(x, "F8", b.replaces)
	writeReference(x, "9A", b.number)
	writeReference(x, "9C", b.adjusted)
	writeReference(x, "D9", b.document)
	writeCodes(x, b)
	switch {
	case b.void:
	case b.pricing == priced, b.pricing == sheet:
		x.segment("HCP", "03", formatDollars(b.allowance), formatDollars(b.charge-b.allowance), "LSN01")
	case b.pricing == refused:
		x.segment("HCP", "00", "0", "", "LSN01", "", "", "", "", "", "", "", "", "T1")
	}
	role := "82"
	if b.practice.facility {
		role = "71"
	}
	x.segment("NM1", role, "1", b.provider.last, b.provider.first, b.provider.middle, "", "", "XX", b.provider.npi)
	for i, l := range b.lines {
		writeLine(x, i+1, b, l)
	}
}

func writeReference(x *x12Writer, qualifier, value string) {
	if value != "" {
		x.segment("REF", qualifier, value)
	}
}

func writePayer(x *x12Writer, b bill) {
	x.segment("NM1", "PR", "2", b.payer.name, "", "", "", "", "PI", b.payer.id)
}

func writePatient(x *x12Writer, role string, b bill) {
	if role == "IL" {
		x.segment("NM1", role, "1", b.last, b.first, b.middle, "", "", "MI", "M"+b.claim.number)
	} else {
		x.segment("NM1", role, "1", b.last, b.first, b.middle)
	}
	x.segment("N3", b.street)
	x.segment("N4", b.place.city, b.place.state, b.place.zip)
	x.segment("DMG", "D8", formatCompact(b.birth), b.gender)
	x.segment("REF", "Y4", b.claim.number)
}

func writeCodes(x *x12Writer, b bill) {
	if !b.practice.facility {
		codes := []string{"HI"}
		for i, d := range b.diagnoses {
			codes = append(codes, []string{"ABK:", "ABF:"}[min(i, 1)]+d)
		}
		x.segment(codes...)
		return
	}
	x.segment("HI", "ABK:"+b.diagnoses[0])
	for _, d := range b.diagnoses[1:] {
		x.segment("HI", "ABF:"+d)
	}
	occurrence := "04" // an accident at work
	if b.payer.auto {
		occurrence = "01"
	}
	x.segment("HI", "BH:"+occurrence+":D8:"+formatCompact(b.injury))
}

func (s service) procedure() string {
	if s.code == "" {
		return ""
	}
	return strings.TrimSuffix("HC:"+s.code+":"+s.modifier, ":")
}

func writeLine(x *x12Writer, number int, b bill, l line) {
	x.segment("LX", strconv.Itoa(number))
	if b.practice.facility {
		x.segment("SV2", l.revenue, l.procedure(), formatDollars(l.charge), "UN", strconv.Itoa(l.units))
	} else {
		x.segment("SV1", l.procedure(), formatDollars(l.charge), "UN", strconv.Itoa(l.units), "", "", "1")
	}
	x.segment("DTP", "472", "D8", formatCompact(l.day))
	writeReference(x, "6R", strconv.Itoa(number))
	if !b.void && (b.pricing == priced || b.pricing == sheet) {
		x.segment("HCP", "03", formatDollars(l.allowance), formatDollars(l.charge-l.allowance))
	}
}
