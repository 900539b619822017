package demo

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"wcpp/internal/platform/date"
)

// fee is a service in a fee schedule, with its base price.
type fee struct {
	code, description string
	cents             int
}

// procedures are in all fee schedules.
var procedures = []fee{
	{"99202", "Office visit, new patient, straightforward", 7300}, {"99203", "Office visit, new patient, low complexity", 11300},
	{"99204", "Office visit, new patient, moderate complexity", 16900}, {"99205", "Office visit, new patient, high complexity", 22300},
	{"99212", "Office visit, established patient, straightforward", 5700},
	{"99213", "Office visit, established patient, low complexity", 9200},
	{"99214", "Office visit, established patient, moderate complexity", 13000},
	{"99215", "Office visit, established patient, high complexity", 18300},
	{"97010", "Hot or cold packs", 600}, {"97012", "Mechanical traction", 1500}, {"97014", "Electrical stimulation, unattended", 1400},
	{"97035", "Ultrasound", 1400}, {"97110", "Therapeutic exercises, 15 minutes", 3000},
	{"97112", "Neuromuscular re-education, 15 minutes", 3400},
	{"97140", "Manual therapy, 15 minutes", 2800}, {"97161", "Physical therapy evaluation, low complexity", 10100},
	{"97162", "Physical therapy evaluation, moderate complexity", 10100}, {"97530", "Therapeutic activities, 15 minutes", 3700},
	{"98940", "Chiropractic manipulation, 1 to 2 regions", 2800}, {"98941", "Chiropractic manipulation, 3 to 4 regions", 4000},
	{"20610", "Injection, major joint", 6500}, {"62323", "Injection, lumbar epidural, with imaging", 26000},
	{"64483", "Injection, transforaminal epidural, lumbar", 24000}, {"29881", "Knee arthroscopy with meniscectomy", 56000},
	{"29827", "Shoulder arthroscopy with rotator cuff repair", 107000}, {"63030", "Lumbar laminotomy with decompression", 98000},
	{"70551", "MRI brain without contrast", 22000}, {"72148", "MRI lumbar spine without contrast", 21000},
	{"73221", "MRI upper joint without contrast", 22500},
	{"73721", "MRI lower joint without contrast", 22500}, {"72100", "X-ray lumbar spine, 2 or 3 views", 3600},
	{"73030", "X-ray shoulder", 3300},
	{"95886", "Needle electromyography, each extremity", 9100}, {"95910", "Nerve conduction studies, 7 or 8", 20500},
	{"99455", "Work related evaluation by treating physician", 15000}, {"99080", "Special reports", 3500},
	{"L3908", "Wrist hand orthosis, cock-up, prefabricated", 6200},
}

// facilityFees are extra services in facility schedules, by procedure code or, without one, by
// revenue code. A facility's room and staff cost more than a physician.
var facilityFees = append([]fee{
	{"99283", "Emergency visit, moderate severity", 41000}, {"J1885", "Ketorolac injection, 15 mg", 900},
	{"80053", "Comprehensive metabolic panel", 3800},
	{"0250", "Pharmacy", 4800}, {"0270", "Medical and surgical supplies", 13200}, {"0710", "Recovery room", 62000},
	{"0370", "Anesthesia", 94000},
}, repeatFees(procedures)...)

func repeatFees(list []fee) []fee {
	list = slices.Clone(list)
	for i := range list {
		list[i].cents *= 4
	}
	return list
}

// schedule is a fee schedule. Numbers 1 and 2 are for professionals, 3 for facilities.
type schedule struct {
	state, lob string
	number     int
}

const ofFacilities = 3

func (s schedule) fees() []fee {
	if s.number == ofFacilities {
		return facilityFees
	}
	return procedures
}

func (s schedule) code() string { return rateCode(s.state, s.lob, s.number) }

// partOfImaging splits the price of imaging by modifier, in percent. 26 is the professional
// component and TC the technical component.
var partOfImaging = map[string]int{"26": 40, "TC": 60}

// getPrice returns the allowance per unit in a year. It rises a little each year and varies by
// state and line of business.
func (w *world) getPrice(s schedule, f fee, modifier string, year int) int64 {
	l := 0
	if s.lob == "DPAUT" {
		l = 1
	}
	c := f.cents * (85 + slices.Index(w.states(), s.state)*4 + l*7 + (s.number-1)*5) / 100 * (100 - 3*(w.today.Time().Year()-year)) / 100
	if part := partOfImaging[modifier]; part > 0 && f.code[0] == '7' {
		c = c * part / 100
	}
	return int64(c)
}

// getAllowance returns the price of a service on a day.
func (w *world) getAllowance(s schedule, of service, day date.Date) int64 {
	code := of.code
	if code == "" {
		code = of.revenue
	}
	i := slices.IndexFunc(s.fees(), func(f fee) bool { return f.code == code })
	return w.getPrice(s, s.fees()[i], of.modifier, day.Time().Year())
}

// findSchedule returns the schedule that prices a provider's bills, and whether the portal has the
// rate code. To show the portal's message for that case, hospitals and every sixth provider have
// no rate code, and some have none for auto. Unlisted providers have none either.
func (w *world) findSchedule(id string, p *practice, lob string) (s schedule, published bool) {
	n := w.listed[id]
	s = schedule{p.place.state, lob, 1 + n%2}
	if id == p.id && p.facility {
		s.number = ofFacilities
	}
	hospital := id == p.id && providerType(p) == "H"
	noAuto := lob == "DPAUT" && n%3 == 2
	return s, p.listed && n%6 != 5 && !hospital && !noAuto
}

func rateCode(state, lob string, n int) string {
	return fmt.Sprintf("%s-%s-%02d", state, strings.TrimPrefix(lob, "DP"), n)
}

// rateCodeRows assigns rate codes to the listed providers at their locations.
func (w *world) rateCodeRows(_ context.Context, row func(...string)) error {
	row("provider_id", "tin", "line_of_business", "national_rate_code", "location_name", "location_address", "location_details", "zip")
	w.eachListed(func(n int, id string, p *practice) {
		for i, at := range places[p.place.state][:1+n%2] {
			for _, lob := range []string{"DPWC", "DPAUT"} {
				s, published := w.findSchedule(id, p, lob)
				if !published {
					continue
				}
				address := fmt.Sprintf("%s, %s, %s", p.street, at.city, at.state)
				row(id, p.ftin, lob, s.code(), p.name+" - "+at.city, address, []string{"Main office", "Satellite office"}[i], at.zip)
			}
		}
	})
	return nil
}

func (w *world) hasFacility(state string) bool {
	return slices.ContainsFunc(w.groups, func(g *group) bool {
		return g.state == state && slices.ContainsFunc(g.practices, func(p *practice) bool { return p.facility })
	})
}

// allowanceRows returns the fee schedules for all years with bills.
func (w *world) allowanceRows(_ context.Context, row func(...string)) error {
	row("national_rate_code", "procedure_code", "modifier", "description", "allowance", "effective_date", "end_date")
	last := w.today.Time().Year()
	for _, state := range w.states() {
		for _, lob := range []string{"DPWC", "DPAUT"} {
			for number := 1; number <= ofFacilities; number++ {
				s := schedule{state, lob, number}
				if number == ofFacilities && !w.hasFacility(state) {
					continue
				}
				for _, f := range s.fees() {
					for year := w.today.AddDays(-period - 3).Time().Year(); year <= last; year++ {
						from, to := strconv.Itoa(year)+"-01-01", strconv.Itoa(year)+"-12-31"
						if year == last {
							to = ""
						}
						allow := func(modifier, description string) {
							row(s.code(), f.code, modifier, description, formatDollars(w.getPrice(s, f, modifier, year)), from, to)
						}
						allow("", f.description)
						if f.code[0] == '7' {
							allow("26", f.description+", professional component")
							allow("TC", f.description+", technical component")
						}
					}
				}
			}
		}
	}
	return nil
}
