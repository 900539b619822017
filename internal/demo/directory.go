package demo

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// The directory's sections beyond the list of providers. Every fifth provider lacks licenses,
// and every eighth lacks everything, to show pages with missing sections.

func (w *world) detailRows(_ context.Context, row func(...string)) error {
	row("provider_id", "degrees", "birth_date", "gender", "languages", "lines_of_business")
	w.eachDescribed(func(n int, id string, p *practice) {
		r := newRandom(aboutDirectory, 1, n)
		lob := pick(r, []string{"Workers' Comp", "Workers' Comp, Auto"})
		if id == p.id {
			row(id, "", "", "", "", lob)
			return
		}
		row(id, pick(r, []string{"MD", "DO", "DC", "DPT", "MD, MPH"}),
			fmt.Sprintf("%d-%02d-%02d", 1952+r.IntN(38), 1+r.IntN(12), 1+r.IntN(28)),
			getGender(p, id), pick(r, []string{"English", "English, Spanish", "English, Polish", "English, Arabic, French"}), lob)
	})
	return nil
}

func getGender(p *practice, id string) string {
	for _, d := range p.providers {
		if d.id == id && slices.Contains(femaleNames, d.first) {
			return "F"
		}
	}
	return "M"
}

func (w *world) specialtyRows(_ context.Context, row func(...string)) error {
	row("provider_id", "description", "rank")
	w.eachDescribed(func(n int, id string, p *practice) {
		if id == p.id {
			return
		}
		for rank := range 1 + n%3 {
			row(id, specialties[(n+rank*2)%len(specialties)], strconv.Itoa(rank+1))
		}
	})
	return nil
}

func (w *world) officeRows(_ context.Context, row func(...string)) error {
	row("provider_id", "office_id", "office_name", "tin", "primary", "accepts_wc", "address", "phone", "fax", "email")
	w.eachDescribed(func(n int, id string, p *practice) {
		for i, at := range places[p.place.state][:1+n%3] {
			r := newRandom(aboutDirectory, 2, n, i)
			email := ""
			if i == 0 {
				email = "frontdesk@" + strings.ToLower(strings.Fields(p.name)[0]) + ".example"
			}
			row(id, fmt.Sprintf("O%d", i+1), p.name+" "+at.city, p.ftin, formatYes(i == 0), formatYes(r.IntN(4) > 0),
				fmt.Sprintf("%s, %s, %s %s", p.street, at.city, at.state, at.zip), newPhone(r, at), newPhone(r, at), email)
		}
	})
	return nil
}

var officeOffers = map[string][]string{
	"SERVICE":   {"Physical therapy", "X-ray", "Drug screening", "Work conditioning", "Injections", "MRI", "Return-to-work evaluation"},
	"SPECIALTY": {"Orthopedic Surgery", "Occupational Medicine", "Pain Medicine", "Diagnostic Radiology"},
	"FOCUS":     {"Back injuries", "Hand and wrist", "Knee", "Shoulder", "Concussion"},
	"LANGUAGE":  {"English", "Spanish", "Polish", "Vietnamese"},
}

func (w *world) officeDetailRows(_ context.Context, row func(...string)) error {
	row("provider_id", "office_id", "kind", "description")
	w.eachDescribed(func(n int, id string, p *practice) {
		if n%3 == 2 { // nothing to view
			return
		}
		for k, kind := range []string{"SERVICE", "SPECIALTY", "FOCUS", "LANGUAGE"} {
			if id != p.id && kind != "SERVICE" {
				continue
			}
			offers := officeOffers[kind]
			for i := range 1 + (n+k)%len(offers) {
				row(id, "O1", kind, offers[(n+i)%len(offers)])
			}
		}
	})
	return nil
}

func (w *world) licenseRows(_ context.Context, row func(...string)) error {
	row("provider_id", "license_type", "state", "license_number", "issue_date", "expiration_date", "status")
	w.eachDescribed(func(n int, id string, p *practice) {
		if n%5 == 4 {
			return
		}
		kinds := []string{"Medical License", "DEA Registration"}
		if id == p.id {
			kinds = []string{"Facility License", "Accreditation"}
		}
		for i, kind := range kinds {
			r := newRandom(aboutDirectory, 3, n, i)
			status, expires := "Active", 2027+r.IntN(3)
			if r.IntN(9) == 0 {
				status, expires = "Expired", 2025
			}
			row(id, kind, p.place.state, fmt.Sprintf("%s%06d", kind[:1], r.IntN(1_000_000)), fmt.Sprintf("%d-07-01", 2001+r.IntN(20)),
				fmt.Sprintf("%d-06-30", expires), status)
		}
	})
	return nil
}

// eachDescribed calls fn for the listed providers that have details.
func (w *world) eachDescribed(fn func(n int, id string, p *practice)) {
	w.eachListed(func(n int, id string, p *practice) {
		if n%8 != 7 {
			fn(n, id, p)
		}
	})
}

func formatYes(b bool) string {
	if b {
		return "Y"
	}
	return "N"
}
