package demo

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"

	"wcpp/internal/platform/date"
)

// rosterSources are the systems that the demo's rosters come from, with their provider groups.
// One has none.
var rosterSources = []struct {
	id     int
	name   string
	groups []string
}{
	{201, "Cuyahoga Credentialing Exchange", []string{"Cuyahoga Valley Physicians", "Edgewater Orthopedic Group", "Tremont Family Practice",
		"University Heights Rehabilitation"}},
	{202, "Great Lakes Provider Hub", []string{"Ashtabula Medical Associates", "Lorain County Occupational Health", "Mentor Spine & Joint",
		"Sandusky Bay Surgeons", "Vermilion Therapy Partners", "Westlake Imaging", "Youngstown Injury Center"}},
	{203, "Lone Star Delegated Network", []string{"Brazos Valley Physicians", "Hill Country Pain Specialists", "Pecos Physical Therapy"}},
	{204, "Magnolia Health Delegates", []string{"Bayou Orthopedics", "Delta Family Medicine"}},
	{205, "Mid-Atlantic Roster Exchange", []string{"Allegheny Hand Surgery", "Chesapeake Chiropractic", "Susquehanna Neurology"}},
	{206, "Prairie Credentialing Service", []string{"Peoria Sports Medicine"}},
	{207, "Redwood Delegated Credentialing", []string{"Humboldt Acupuncture", "Sonoma Valley Orthopedics"}},
	{208, "Tidewater Physician Registry", nil},
}

// rosterGroupSources are the sources of the demo's roster groups.
var rosterGroupSources = [][2]int{{1010, 201}, {1010, 202}, {1011, 203}}

func (w *world) rosterSourceRows(_ context.Context, row func(...string)) error {
	row("source_id", "source_name")
	for _, s := range rosterSources {
		row(fmt.Sprint(s.id), s.name)
	}
	return nil
}

// rosterSourceGroupRows omits the name of one group, as some sources do.
func (w *world) rosterSourceGroupRows(_ context.Context, row func(...string)) error {
	row("source_group_id", "source_id", "group_id", "group_name", "admin_group")
	for _, s := range rosterSources {
		for i, name := range s.groups {
			if s.id == 202 && i == 5 {
				name = ""
			}
			admin := "N"
			if i == 0 {
				admin = "Y"
			}
			row(fmt.Sprint(s.id*100+i+1), fmt.Sprint(s.id), fmt.Sprintf("G%d", s.id*10+i), name, admin)
		}
	}
	return nil
}

func (w *world) groupSourceRows(_ context.Context, row func(...string)) error {
	row("group_id", "source_id")
	for _, has := range rosterGroupSources {
		row(fmt.Sprint(has[0]), fmt.Sprint(has[1]))
	}
	return nil
}

// Roster is a roster that a demo user sent.
type Roster struct {
	By       string // username
	SourceID int64
	GroupID  string // the source's own
	Partial  bool
	Files    []RosterFile
}

// RosterFile is a roster file in CSV format.
type RosterFile struct{ Name, Content string }

// Rosters returns sample rosters, oldest first: one with problems, a partial one and one with
// two files.
func Rosters(today date.Date) []Roster {
	w := rosterWriter{r: newRandom(aboutRosters), today: today}
	return []Roster{
		{By: "road.demo", SourceID: 201, GroupID: "G2010",
			Files: []RosterFile{{"Cuyahoga Valley roster.csv", w.file(24, "", func(n int, row []string) {
				switch n {
				case 3:
					row[1] = row[1][:8] + row[1][9:] + row[1][8:9] // two digits swapped
				case 9:
					row[8] = "Ohio"
				case 16:
					row[9], row[10] = "4411", "216-555-01"
				}
			})}}},
		{By: "rous.demo", SourceID: 201, GroupID: "G2011", Partial: true,
			Files: []RosterFile{{"Edgewater changes.csv", w.file(6, "AACCCT", nil)}}},
		{By: "road.demo", SourceID: 202, GroupID: "G2021", Files: []RosterFile{
			{"Lorain physicians.csv", w.file(18, "", nil)}, {"Lorain therapists.csv", w.file(7, "", nil)},
		}},
	}
}

type rosterWriter struct {
	r     *rand.Rand
	today date.Date
	made  int
}

// file writes n rows with the given actions, if any. change can introduce mistakes.
func (w *rosterWriter) file(n int, actions string, change func(n int, row []string)) string {
	var b strings.Builder
	b.WriteString("Action,NPI,TIN,Last Name,First Name,Specialty,Address,City,State,ZIP,Phone,Effective Date,Term Date\n")
	tin := fmt.Sprintf("9650%05d", w.r.IntN(100_000))
	for i := range n {
		w.made++
		row := []string{
			"", newNPI(7_000_000 + w.made*613), tin, pick(w.r, lastNames), pick(w.r, append(femaleNames, maleNames...)),
			pick(w.r, rosterSpecialties),
			newAddress(w.r), "Cleveland", "OH", "44114", fmt.Sprintf("216-555-01%02d", w.r.IntN(100)), "01/01/" + string(w.today[:4]), "",
		}
		if actions != "" {
			row[0] = actions[i : i+1]
		}
		if row[0] == "T" {
			row[12] = w.today.US()
		}
		if change != nil {
			change(i, row)
		}
		b.WriteString(strings.Join(row, ",") + "\n")
	}
	return b.String()
}

var rosterSpecialties = []string{"Orthopedic Surgery", "Family Medicine", "Physical Therapy", "Occupational Medicine", "Chiropractic"}
