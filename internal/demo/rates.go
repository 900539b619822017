package demo

import (
	"context"
	"fmt"
	"strings"
)

// procedures are what the demo's fee schedules price, with a price to start from.
var procedures = []struct {
	code, description string
	cents             int
}{
	{"99202", "Office visit, new patient, straightforward", 7300}, {"99203", "Office visit, new patient, low complexity", 11300},
	{"99204", "Office visit, new patient, moderate complexity", 16900}, {"99205", "Office visit, new patient, high complexity", 22300},
	{"99212", "Office visit, established patient, straightforward", 5700}, {"99213", "Office visit, established patient, low complexity", 9200},
	{"99214", "Office visit, established patient, moderate complexity", 13000}, {"99215", "Office visit, established patient, high complexity", 18300},
	{"97010", "Hot or cold packs", 600}, {"97012", "Mechanical traction", 1500}, {"97014", "Electrical stimulation, unattended", 1400},
	{"97035", "Ultrasound", 1400}, {"97110", "Therapeutic exercises, 15 minutes", 3000}, {"97112", "Neuromuscular re-education, 15 minutes", 3400},
	{"97140", "Manual therapy, 15 minutes", 2800}, {"97161", "Physical therapy evaluation, low complexity", 10100},
	{"97162", "Physical therapy evaluation, moderate complexity", 10100}, {"97530", "Therapeutic activities, 15 minutes", 3700},
	{"98940", "Chiropractic manipulation, 1 to 2 regions", 2800}, {"98941", "Chiropractic manipulation, 3 to 4 regions", 4000},
	{"20610", "Injection, major joint", 6500}, {"62323", "Injection, lumbar epidural, with imaging", 26000},
	{"64483", "Injection, transforaminal epidural, lumbar", 24000}, {"29881", "Knee arthroscopy with meniscectomy", 56000},
	{"29827", "Shoulder arthroscopy with rotator cuff repair", 107000}, {"63030", "Lumbar laminotomy with decompression", 98000},
	{"70551", "MRI brain without contrast", 22000}, {"72148", "MRI lumbar spine without contrast", 21000}, {"73221", "MRI upper joint without contrast", 22500},
	{"73721", "MRI lower joint without contrast", 22500}, {"72100", "X-ray lumbar spine, 2 or 3 views", 3600}, {"73030", "X-ray shoulder", 3300},
	{"95886", "Needle electromyography, each extremity", 9100}, {"95910", "Nerve conduction studies, 7 or 8", 20500},
	{"99455", "Work related evaluation by treating physician", 15000}, {"99080", "Special reports", 3500},
}

func rateCode(state, lob string, n int) string {
	return fmt.Sprintf("%s-%s-%02d", state, strings.TrimPrefix(lob, "DP"), n)
}

// rateCodeRows gives most listed providers rate codes where they practise.
// Hospitals and every sixth provider have none, to show what the portal says then.
func (w *world) rateCodeRows(_ context.Context, row func(...string)) error {
	row("provider_id", "tin", "line_of_business", "national_rate_code", "location_name", "location_address", "location_details", "zip")
	w.eachListed(func(n int, id string, p *practice) {
		if n%6 == 5 || providerType(p) == "H" && id == p.id {
			return
		}
		for i, at := range places[p.place.state][:1+n%2] {
			for _, lob := range []string{"DPWC", "DPAUT"} {
				if lob == "DPAUT" && n%3 == 2 {
					continue
				}
				address := fmt.Sprintf("%s, %s, %s", p.street, at.city, at.state)
				row(id, p.ftin, lob, rateCode(at.state, lob, 1+n%2), p.name+" - "+at.city, address, []string{"Main office", "Satellite office"}[i], at.zip)
			}
		}
	})
	return nil
}

func (w *world) allowanceRows(_ context.Context, row func(...string)) error {
	row("national_rate_code", "procedure_code", "modifier", "description", "allowance", "effective_date", "end_date")
	for s, state := range w.states() {
		for l, lob := range []string{"DPWC", "DPAUT"} {
			for n := range 2 {
				code := rateCode(state, lob, 1+n)
				price := func(cents, percent int) string {
					c := cents * (85 + s*4 + l*7 + n*5) / 100 * percent / 100
					return fmt.Sprintf("%d.%02d", c/100, c%100)
				}
				for _, p := range procedures {
					row(code, p.code, "", p.description, price(p.cents, 97), "2025-01-01", "2025-12-31")
					row(code, p.code, "", p.description, price(p.cents, 100), "2026-01-01", "")
					if p.code[0] == '7' {
						row(code, p.code, "26", p.description+", professional component", price(p.cents, 40), "2026-01-01", "")
						row(code, p.code, "TC", p.description+", technical component", price(p.cents, 60), "2026-01-01", "")
					}
				}
			}
		}
	}
	return nil
}
