package demo

import (
	"context"
	"fmt"
)

// rosterSources are the systems from which the demo's rosters come, each with
// the provider groups that it keeps. One has none.
var rosterSources = []struct {
	id     int
	name   string
	groups []string
}{
	{201, "Cuyahoga Credentialing Exchange", []string{"Cuyahoga Valley Physicians", "Edgewater Orthopedic Group", "Tremont Family Practice", "University Heights Rehabilitation"}},
	{202, "Great Lakes Provider Hub", []string{"Ashtabula Medical Associates", "Lorain County Occupational Health", "Mentor Spine & Joint", "Sandusky Bay Surgeons", "Vermilion Therapy Partners", "Westlake Imaging", "Youngstown Injury Center"}},
	{203, "Lone Star Delegated Network", []string{"Brazos Valley Physicians", "Hill Country Pain Specialists", "Pecos Physical Therapy"}},
	{204, "Magnolia Health Delegates", []string{"Bayou Orthopedics", "Delta Family Medicine"}},
	{205, "Mid-Atlantic Roster Exchange", []string{"Allegheny Hand Surgery", "Chesapeake Chiropractic", "Susquehanna Neurology"}},
	{206, "Prairie Credentialing Service", []string{"Peoria Sports Medicine"}},
	{207, "Redwood Delegated Credentialing", []string{"Humboldt Acupuncture", "Sonoma Valley Orthopedics"}},
	{208, "Tidewater Physician Registry", nil},
}

// rosterGroupSources are the sources that the demo's roster groups have.
var rosterGroupSources = [][2]int{{1010, 201}, {1010, 202}, {1011, 203}}

func (w *world) rosterSourceRows(_ context.Context, row func(...string)) error {
	row("source_id", "source_name")
	for _, s := range rosterSources {
		row(fmt.Sprint(s.id), s.name)
	}
	return nil
}

// rosterSourceGroupRows leaves the name of one group out, as some sources do.
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
