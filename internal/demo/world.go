package demo

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"wcpp/internal/platform/date"
)

// world is the complete demo data set. Claims and bills are numerous, so they are generated on
// demand.
type world struct {
	today  date.Date
	groups []*group
	listed map[string]int // each provider's number in the directory
}

// group is a group of the portal. Without an id, it contains practices without a group.
type group struct {
	number    int // index, used as a random seed
	id        int64
	name      string
	kind      string
	state     string
	practices []*practice
	first     int // number of its first bill overall
	bills     int
	users     map[string]int // more accounts, by type
}

// practice is an entity that bills under one TIN.
type practice struct {
	ftin      string
	name      string
	npi       string
	id        string // as a provider
	facility  bool
	specialty string
	street    string
	place     place
	phone     string
	providers []provider
	listed    bool // in the provider directory
	weight    int  // relative share of the group's bills; 0: no bills
}

type provider struct {
	id, first, middle, last, npi, specialty string
}

// Shares of the bills, per thousand. Most belong to the group of the demo accounts.
var groupPlan = []struct {
	id        int64
	name      string
	kind      string
	state     string
	share     int
	practices []string // prefix +: facility, -: unlisted, 0: no bills
	users     map[string]int
}{
	{1001, "Lakeside Orthopedic & Sports Medicine", "PROVIDER", "OH", 600, []string{
		"Lakeside Orthopedic Associates", "Lakeside Physical Therapy", "Lakeside Pain Management", "+Lakeside Surgery Center",
		"Lakeside Imaging", "0Lakeside Hand Clinic",
	}, map[string]int{"PRAD": 2, "PRUS": 7}},
	{1002, "Erie Shore Medical Group", "PROVIDER", "PA", 80, []string{"Erie Shore Family Medicine", "Erie Shore Occupational Health",
		"+Erie Shore Hospital"},
		map[string]int{"PRAD": 1, "PRUS": 4}},
	{1003, "Buffalo Spine Partners", "PROVIDER", "NY", 60, []string{"Buffalo Spine Partners"}, map[string]int{"PRAD": 1, "PRUS": 2}},
	{1004, "Capitol Valley Health", "PROVIDER", "CA", 70, []string{
		"Capitol Valley Orthopedics", "Capitol Valley Neurology", "Capitol Valley Rehabilitation", "+Capitol Valley Medical Center",
		"Capitol Valley Chiropractic", "Capitol Valley Urgent Care", "Capitol Valley Radiology", "0Capitol Valley Acupuncture",
	}, map[string]int{"PRAD": 2, "PRUS": 6}},
	{1005, "Hill Country Injury Care", "PROVIDER", "TX", 50, []string{"Hill Country Injury Care", "Hill Country Therapy"},
		map[string]int{"PRAD": 1, "PRUS": 4}},
	{1006, "Gulf Breeze Rehabilitation", "PROVIDER", "FL", 40, []string{"Gulf Breeze Rehabilitation", "+Gulf Breeze Surgical Hospital"},
		map[string]int{"PRAD": 1, "PRUS": 3}},
	{1007, "Maya Ellison Consulting", "NONNETWORK", "IL", 30, []string{"-Prairie Path Chiropractic", "-Prairie Path Wellness"}, nil},
	{1008, "Corner Clinic Billing", "NONNETWORK", "GA", 20, []string{"-Peach Street Clinic"}, map[string]int{"NNUS": 1}},
	{1009, "River Bend Therapy", "NONNETWORK", "GA", 10, []string{"-River Bend Therapy"}, map[string]int{"NNUS": 1}},
	{1010, "Great Lakes Roster Group", "ROSTER", "OH", 0, nil, map[string]int{"ROAD": 1, "ROUS": 5}},
	{1011, "Southern Roster Alliance", "ROSTER", "TX", 0, nil, map[string]int{"ROAD": 2, "ROUS": 4}},
	// TINs for trying out how a group or a non-network user adds another TIN.
	{0, "", "", "PA", 40, []string{"Meadville Foot & Ankle", "-Allegheny Walk-In Clinic"}, nil},
	{-1, "", "INTERNAL", "OH", 0, nil, map[string]int{"IRAD": 4, "ISAD": 3}},
}

var specialties = []string{
	"Orthopedic Surgery", "Physical Medicine & Rehabilitation", "Occupational Medicine", "Pain Medicine", "Neurology", "Family Medicine",
	"Physical Therapy",
}

func newWorld(today date.Date, bills int) *world {
	w := &world{today: today}
	next := 0 // number of the next practice or provider
	given := 0
	for i, plan := range groupPlan {
		g := &group{number: i, id: plan.id, name: plan.name, kind: plan.kind, state: plan.state, users: plan.users}
		for _, name := range plan.practices {
			g.practices = append(g.practices, newPractice(plan.state, name, &next))
		}
		g.bills = bills * plan.share / 1000
		given += g.bills
		w.groups = append(w.groups, g)
	}
	w.groups[0].bills += bills - given // rounding remainder
	first := 0
	for _, g := range w.groups {
		g.first = first
		first += g.bills
	}
	w.listed = map[string]int{}
	w.eachListed(func(n int, id string, _ *practice) { w.listed[id] = n })
	return w
}

func newPractice(state, name string, next *int) *practice {
	n := *next
	*next++
	r := newRandom(aboutPractices, n)
	p := &practice{listed: true, weight: 1 + r.IntN(3), name: strings.TrimLeft(name, "+-0")}
	switch name[0] {
	case '+':
		p.facility = true
	case '-':
		p.listed = false
	case '0':
		p.weight = 0
	}
	// No EIN begins with 96, so no real TIN can match by accident.
	p.ftin = fmt.Sprintf("96%07d", 1_204_117+n*38_611)
	p.npi, p.id = newNPI(1_000_000+n*7_919), strconv.Itoa(200_100+n*37)
	p.place = pick(r, places[state])
	p.street, p.phone = newAddress(r), newPhone(r, p.place)
	p.specialty = getSpecialty(p.name, pick(r, specialties))
	for i := range 1 + r.IntN(3) {
		who := newPerson(r)
		p.providers = append(p.providers, provider{
			id: strconv.Itoa(500_100 + n*53 + i*7), first: who.first, middle: who.middle, last: who.last,
			npi: newNPI(5_000_000 + n*104_729 + i*1_299), specialty: getSpecialty(p.name, pick(r, specialties)),
		})
	}
	return p
}

// specialtyWords derive a practice's specialty from its name.
var specialtyWords = []struct{ word, specialty string }{
	{"Orthopedic", "Orthopedic Surgery"}, {"Therapy", "Physical Therapy"}, {"Pain", "Pain Medicine"}, {"Chiropractic", "Chiropractic"},
	{"Imaging", "Radiology"}, {"Radiology", "Radiology"}, {"Neurology", "Neurology"},
	{"Rehabilitation", "Physical Medicine & Rehabilitation"},
	{"Family", "Family Medicine"}, {"Occupational", "Occupational Medicine"}, {"Foot", "Podiatry"}, {"Hand", "Hand Surgery"},
	{"Spine", "Orthopedic Surgery"}, {"Urgent", "Urgent Care"}, {"Walk-In", "Urgent Care"}, {"Acupuncture", "Acupuncture"},
}

func getSpecialty(name, other string) string {
	for _, s := range specialtyWords {
		if strings.Contains(name, s.word) {
			return s.specialty
		}
	}
	return other
}

type person struct {
	first, middle, last, gender string
}

func newPerson(r *rand.Rand) person {
	p := person{gender: "F", first: pick(r, femaleNames), last: pick(r, lastNames)}
	if r.IntN(2) == 0 {
		p.gender, p.first = "M", pick(r, maleNames)
	}
	if r.IntN(3) > 0 {
		p.middle = string("ABCDEFGHJKLMNPRSTW"[r.IntN(18)])
	}
	return p
}

func newAddress(r *rand.Rand) string {
	return fmt.Sprintf("%d %s %s", 100+r.IntN(8900), pick(r, streets), pick(r, streetKinds))
}

// newPhone returns a number reserved for fiction.
func newPhone(r *rand.Rand, at place) string {
	return fmt.Sprintf("%s55501%02d", at.areaCode, r.IntN(100))
}

func (w *world) groupRows(_ context.Context, row func(...string)) error {
	row("group_id", "name", "kind")
	for _, g := range w.groups {
		if g.id > 0 {
			row(strconv.FormatInt(g.id, 10), g.name, g.kind)
		}
	}
	return nil
}

// account is a user of the portal.
type account struct {
	userName string
	person
	typ, status string
	group       *group
	phone       string
}

// demoGroups are the groups of the demo accounts, by type.
var demoGroups = map[string]int64{"PRAD": 1001, "PRUS": 1001, "NNUS": 1007, "ROAD": 1010, "ROUS": 1010, "IRAD": -1, "ISAD": -1}

// accounts lists the demo accounts and then more. The first of each type are active, and the
// rest have various statuses.
func (w *world) accounts() []account {
	var list []account
	taken := map[string]bool{}
	byID := map[int64]*group{}
	for _, g := range w.groups {
		byID[g.id] = g
	}
	add := func(i int, a Account) {
		r := newRandom(aboutPeople, 0, i)
		g := byID[demoGroups[a.Type]]
		list = append(list, account{userName: a.UserName, person: newPerson(r), typ: a.Type, status: "ACTIV", group: g,
			phone: newPhone(r, places[g.state][0])})
		taken[a.UserName] = true
	}
	plain := slices.IndexFunc(Accounts, func(a Account) bool { return a.Role != "" })
	for i, a := range Accounts[:plain] {
		add(i, a)
	}
	// Most accounts are active.
	statuses := strings.Fields("ACTIV ACTIV NEW ACTIV LOCK ACTIV INACT TERM ACTIV DRAFT ACTIV DISABL ACTIV DRAFT NEW ACTIV TERM")
	n := 0
	for _, g := range w.groups {
		for _, typ := range []string{"PRAD", "PRUS", "NNUS", "ROAD", "ROUS", "IRAD", "ISAD"} {
			for i := range g.users[typ] {
				r := newRandom(aboutPeople, g.number+1, len(typ)+n)
				a := account{person: newPerson(r), typ: typ, status: statuses[n%len(statuses)], group: g,
					phone: newPhone(r, places[g.state][0])}
				if i == 0 && typ == "PRAD" { // a group must have an administrator
					a.status = "ACTIV"
				}
				a.userName = newUserName(a.first, a.last, taken)
				list = append(list, a)
				n++
			}
		}
	}
	for i, a := range Accounts[plain:] { // last, so that the others stay the same
		add(plain+i, a)
	}
	return list
}

// newUserName combines the first initial and the last name, as the portal does.
func newUserName(first, last string, taken map[string]bool) string {
	base := strings.ToLower(first[:1] + last)
	for n := 1; ; n++ {
		suffix := ""
		if n > 1 {
			suffix = strconv.Itoa(n)
		}
		name := base[:min(len(base), 14-len(suffix))] + suffix
		if !taken[name] {
			taken[name] = true
			return name
		}
	}
}

var jobTitles = []string{"Billing Manager", "Billing Specialist", "Office Manager", "Accounts Receivable Clerk", "Practice Administrator",
	"Front Desk Lead"}

func (w *world) userRows(_ context.Context, row func(...string)) error {
	row("user_name", "first_name", "middle_name", "last_name", "email", "phone", "type", "status", "employee_id", "group_id",
		"affiliation", "affiliation_description", "job_title", "company_name", "company_url")
	for i, a := range w.accounts() {
		r := newRandom(aboutPeople, 1000, i)
		employee, groupID, affiliation, other, job, company, url := "", "", "", "", "", "", ""
		switch {
		case a.group.id < 0:
			employee = fmt.Sprintf("E%05d", 10_100+i*13)
		default:
			groupID, job, company = strconv.FormatInt(a.group.id, 10), pick(r, jobTitles), a.group.name
			url = "https://" + strings.ToLower(strings.Join(strings.FieldsFunc(a.group.name, func(c rune) bool {
				return c < 'A' || c > 'z'
			})[:2], "")) + ".example"
		}
		switch a.typ {
		case "PRAD", "PRUS":
			affiliation = pick(r, []string{"OFC_STAFF", "OFC_STAFF", "BILLING_CO"})
		case "NNUS":
			affiliation, other = "OTHER", "Independent billing consultant"
		}
		if a.userName == Unfinished { // the fields that the portal asks for if a profile is incomplete
			affiliation, job, company, url = "", "", "", ""
		}
		row(a.userName, a.first, a.middle, a.last, a.userName+"@example.com", a.phone, a.typ, a.status, employee, groupID, affiliation,
			other, job, company, url)
	}
	return nil
}

// tinRows assigns each group its TINs and each provider user some of them. The last user of the
// first group gets none, to show the portal's message for that case.
func (w *world) tinRows(_ context.Context, row func(...string)) error {
	row("group_id", "tin", "user_name")
	for _, g := range w.groups {
		if g.id > 0 {
			for _, p := range g.practices {
				row(strconv.FormatInt(g.id, 10), p.ftin, "")
			}
		}
	}
	all := w.accounts()
	without := -1
	for i, a := range all {
		if a.typ == "PRUS" && a.status == "ACTIV" && a.group == w.groups[0] {
			without = i
		}
	}
	for i, a := range all {
		if a.typ != "PRUS" || i == without {
			continue
		}
		r := newRandom(aboutPeople, 2000, i)
		for j, p := range a.group.practices {
			if a.userName == "prus.demo" || j == 0 || r.IntN(3) > 0 {
				row(strconv.FormatInt(a.group.id, 10), p.ftin, a.userName)
			}
		}
	}
	return nil
}

func (w *world) providerRows(_ context.Context, row func(...string)) error {
	row("provider_id", "tin", "type", "npi", "first_name", "middle_name", "last_name", "facility_name", "specialty", "address", "city",
		"state", "zip", "phone")
	for _, g := range w.groups {
		for _, p := range g.practices {
			if !p.listed {
				continue
			}
			row(p.id, p.ftin, providerType(p), p.npi, "", "", "", p.name, p.specialty, p.street, p.place.city, p.place.state, p.place.zip,
				p.phone)
			for _, d := range p.providers {
				row(d.id, p.ftin, "P", d.npi, d.first, d.middle, d.last, "", d.specialty, p.street, p.place.city, p.place.state,
					p.place.zip, p.phone)
			}
		}
	}
	return nil
}

func providerType(p *practice) string {
	switch {
	case strings.Contains(p.name, "Hospital") || strings.Contains(p.name, "Medical Center"):
		return "H"
	case p.facility:
		return "F"
	default:
		return "A"
	}
}
