package access

import "slices"

// MenuEntry is an entry in the header menu.
type MenuEntry struct {
	Label string `json:"label"`
	To    string `json:"to" doc:"Path of the screen under /wcpp/"`
}

var (
	billSearch        = MenuEntry{"Bill Search", "billSearch"}
	claimSearch       = MenuEntry{"Claim Search", "ClaimSearch"}
	clientList        = MenuEntry{"Client List", "ClientList"}
	manageUsers       = MenuEntry{"Manage Users", "ManageUsers"}
	manageTINs        = MenuEntry{"Manage TINs", "ManageTins"}
	demographics      = MenuEntry{"Provider Demographics", "Demographics/DemographicSearch"}
	providerResources = MenuEntry{"Provider Resources", "providerResources"}
	userSearch        = MenuEntry{"User Search", "UserSearch"}
	addUser           = MenuEntry{"Add User", "AddUser"}
	manageGroups      = MenuEntry{"Manage Groups", "ManageGroups"}
	notifications     = MenuEntry{"Notifications", "Notifications"}
	manageRosters     = MenuEntry{"Manage Rosters", "ManageRosters"}
)

// WorkspaceEntry is a Workspace screen in the Workspace dialog.
type WorkspaceEntry struct {
	Group string `json:"group" enum:"Work,Know,Group,Desk" doc:"Under which the dialog lists it"`
	MenuEntry
}

// workspace is in dialog order.
var workspace = []WorkspaceEntry{
	{"Work", MenuEntry{"Today", "work"}},
	{"Work", MenuEntry{"Open bills", "work/bills"}},
	{"Work", MenuEntry{"Remittances", "work/remittances"}},
	{"Work", MenuEntry{"Bulk lookup", "work/find-many"}},
	{"Know", MenuEntry{"Reason codes", "work/reasons"}},
	{"Group", MenuEntry{"Access review", "work/access"}},
	{"Group", MenuEntry{"Import users", "work/users/file"}},
	{"Group", MenuEntry{"Network access log", "work/visits"}},
	{"Desk", MenuEntry{"Service desk", "desk"}},
	{"Desk", MenuEntry{"Groups", "desk/groups"}},
	{"Desk", MenuEntry{"Rosters", "desk/rosters"}},
	{"Desk", MenuEntry{"Manage reason codes", "desk/reasons"}},
	{"Desk", MenuEntry{"Deadline rules", "desk/rules"}},
	{"Desk", MenuEntry{"Announcement", "desk/status"}},
	{"Desk", MenuEntry{"System status", "desk/health"}},
	{"Desk", MenuEntry{"Imports", "desk/feeds"}},
	{"Desk", MenuEntry{"Data quality", "desk/quality"}},
	{"Desk", MenuEntry{"Unmatched payments", "desk/unmatched"}},
	{"Desk", MenuEntry{"Access reviews", "desk/reviews"}},
}

// WorkspaceMenu returns the Workspace screens that the account type may open, or none if the
// Workspace is off. Internal staff see the desk first because they don't have bills.
func (s Settings) WorkspaceMenu(t Type) []WorkspaceEntry {
	routes := s.Routes(t)
	var desk, others []WorkspaceEntry
	for _, e := range workspace {
		switch {
		case !slices.Contains(routes, e.To):
		case e.Group == "Desk":
			desk = append(desk, e)
		default:
			others = append(others, e)
		}
	}
	return append(desk, others...)
}

// Menu returns the menu for the effective account type, which is the mirrored one while
// mirroring. Each entry links to a screen that the type may open.
func Menu(t Type) []MenuEntry {
	switch t {
	case ISAD:
		return []MenuEntry{claimSearch, providerResources, userSearch, addUser, manageGroups, notifications}
	case IRAD:
		return []MenuEntry{claimSearch, providerResources, userSearch, manageGroups}
	case NNUS:
		return []MenuEntry{billSearch}
	case ROAD, ROUS:
		return []MenuEntry{manageRosters}
	default:
		return []MenuEntry{billSearch, claimSearch, clientList, manageUsers, manageTINs, demographics, providerResources}
	}
}
