package access

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
	Bar bool `json:"bar,omitempty" doc:"The Workspace bar shows it, and lists the others under More"`
}

// WorkspaceMenu returns the Workspace screens that the acting person can use, or none if the
// Workspace is off. Internal staff have no Tax IDs, so they have no bills to work on.
func (s Settings) WorkspaceMenu(acting Person) []WorkspaceEntry {
	var desk, others []WorkspaceEntry
	for _, r := range policy {
		if r.Label == "" || !s.offers(r) || !r.includes(acting) {
			continue
		}
		staff := acting.Type.IsInternal()
		entry := WorkspaceEntry{r.Group, MenuEntry{r.Label, r.Route}, r.Bar && (!staff || r.Group == "Desk")}
		switch {
		case r.Group == "Desk":
			desk = append(desk, entry)
		case r.Group != "Work" || !staff:
			others = append(others, entry)
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
