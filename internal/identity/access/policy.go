package access

import (
	"fmt"
	"slices"

	"wcpp/internal/platform/httpapi"
	"wcpp/internal/platform/problem"
)

// MirrorMode defines how mirroring changes a permission.
type MirrorMode int

const (
	// Acting applies the mirrored user's type and rejects writes.
	Acting MirrorMode = iota
	// Own applies the signed-in person's own type and allows writes. It's for actions that end
	// or extend the session or the mirroring.
	Own
	// Never rejects everyone who mirrors, even for reads. It's for data that only the person may
	// see.
	Never
)

// Rule grants a permission, and the screen route it opens if any, to account types and staff roles.
type Rule struct {
	Permission string
	Route      string
	Types      []Type
	// Roles grants it to IRAD with one of these roles too. They don't count while mirroring.
	Roles     []Role
	Mirroring MirrorMode
	Workspace bool // only while the Workspace is on
	OwnForm   bool // only if users sign in with the portal's own form
	// Group and Label put a screen into the Workspace dialog. Neither is set for screens that
	// other screens open.
	Group, Label string
	// Bar puts it into the Workspace bar too. The bar lists the rest under More.
	Bar bool
}

// Settings states which features are on.
type Settings struct {
	Workspace string `env:"WCPP_WORKSPACE" default:"on" enum:"on,off" help:"Enable the Workspace, its pages and API operations: ${enum}."`
	// Outside reports that an external identity provider signs users in.
	Outside bool
}

// offers reports whether the rule is in effect.
func (s Settings) offers(r Rule) bool {
	return (!r.Workspace || s.Workspace == "on") && (!r.OwnForm || !s.Outside)
}

// Offers reports whether operations with the permission are available.
func (s Settings) Offers(permission string) bool {
	r, ok := rule(permission)
	return ok && s.offers(r)
}

var (
	everyone     = Types
	providers    = []Type{IRAD, ISAD, PRAD, PRUS}       // bills, claims and directory, without non-network users
	billViewers  = []Type{IRAD, ISAD, PRAD, PRUS, NNUS} // the only menu entry of a non-network user
	userManagers = []Type{IRAD, ISAD, PRAD}
	// groupManagers change users: PRAD in their own group, ISAD anywhere.
	groupManagers = []Type{ISAD, PRAD}
	internal      = []Type{IRAD, ISAD}
	systemAdmins  = []Type{ISAD}
	rosterReaders = []Type{IRAD, ISAD, PRAD, ROAD, ROUS}
	answerers     = []Role{Cases, Lead}
	leads         = []Role{Lead}
)

// policy has every access rule. A row with a route opens a screen. Operations refer to rows with
// a permission.
var policy = []Rule{
	// Screens with a permission check.
	{Route: "home", Types: everyone},
	{Route: "UserProfile", Types: everyone},
	{Route: "ChangePassword", Types: everyone},
	{Route: "billSearch", Types: billViewers},
	{Route: "ClaimSearch", Types: providers},
	{Route: "providerResources", Types: providers},
	{Route: "ClientList", Types: providers},
	{Route: "Demographics/DemographicSearch", Types: providers},
	{Route: "ManageUsers", Types: providers},
	{Route: "ManageTins", Types: providers},
	{Route: "EditProfile", Types: userManagers},
	{Route: "ManageTinsForUser", Types: userManagers},
	{Route: "AddUser", Types: userManagers},
	{Route: "ManageUserAddUser", Types: userManagers},
	{Route: "AddUserManageTin", Types: userManagers},
	{Route: "ManageRosterSourcesForUserGroup", Types: userManagers},
	{Route: "UserSearch", Types: internal},
	{Route: "ViewTinsForUser", Types: internal},
	{Route: "Notifications", Types: systemAdmins},

	// Operations.
	{Permission: sessionOwn, Types: everyone, Mirroring: Own},
	{Permission: "session.mirror", Types: internal, Mirroring: Own},
	{Permission: "settings.read", Types: everyone},
	{Permission: "tins.read", Types: everyone},
	{Permission: "account.own", Types: everyone},
	{Permission: "account.sessions", Types: everyone, Mirroring: Never},
	{Permission: "account.factors", Types: everyone, Mirroring: Never, OwnForm: true},
	{Permission: "users.factors", Types: groupManagers, OwnForm: true},
	{Permission: "users.manage", Types: groupManagers},
	{Permission: "users.list", Types: providers},
	{Permission: "users.search", Types: internal},
	{Permission: "users.types", Types: userManagers},
	{Permission: "users.draft", Types: systemAdmins},
	{Permission: "users.unbind", Types: systemAdmins},
	{Permission: "tins.list", Types: billViewers},
	{Permission: "tins.manage", Types: groupManagers},
	{Permission: "tins.assigned", Types: userManagers},
	{Permission: "tins.add", Types: systemAdmins},
	{Permission: "tins.nonNetwork", Types: internal},
	{Permission: "tins.sharing", Types: []Type{PRAD, NNUS}},
	{Permission: "tins.decide", Types: systemAdmins},
	{Permission: "directory.lookup", Types: providers},
	{Permission: "claims.search", Types: providers},
	{Permission: "clients.search", Types: providers},
	{Permission: "feeSchedules.request", Types: providers},
	{Permission: "feeSchedules.own", Types: everyone},
	{Permission: "notifications.manage", Types: systemAdmins},
	{Permission: "notifications.own", Types: everyone},
	{Permission: "accountRequests.read", Types: systemAdmins},
	{Permission: "accountRequests.decline", Types: systemAdmins},
	{Permission: "mails.manage", Types: systemAdmins},
	{Permission: "resources.read", Types: everyone},
	{Permission: "support.chat", Types: everyone},
	{Permission: "groups.search", Types: internal},
	{Permission: "rosters.sources", Types: rosterReaders},
	{Permission: "rosters.upload", Types: []Type{ISAD, ROAD, ROUS}},
	{Permission: "rosters.manage", Types: []Type{ISAD, ROAD}},
	{Permission: "audit.read", Types: groupManagers},
	{Permission: "bills.search", Types: billViewers},
	{Permission: "bills.open", Types: billViewers},

	// Workspace screens in the order of the Workspace dialog, then the ones that other screens open.
	{Route: "work", Types: billViewers, Workspace: true, Group: "Work", Label: "Today", Bar: true},
	{Route: "work/bills", Types: billViewers, Workspace: true, Group: "Work", Label: "Open bills", Bar: true},
	{Route: "work/call-sheet", Types: []Type{PRUS, PRAD, NNUS}, Workspace: true, Group: "Work", Label: "Call sheet"},
	{Route: "work/remittances", Types: billViewers, Workspace: true, Group: "Work", Label: "Remittances", Bar: true},
	{Route: "work/deposits", Types: billViewers, Workspace: true, Group: "Work", Label: "Match deposits"},
	{Route: "work/find-many", Types: billViewers, Workspace: true, Group: "Work", Label: "Bulk lookup", Bar: true},
	{Route: "work/cases", Types: []Type{PRUS, PRAD, NNUS}, Workspace: true, Group: "Work", Label: "Questions", Bar: true},
	{Route: "work/reasons", Types: billViewers, Workspace: true, Group: "Know", Label: "Reason codes", Bar: true},
	{Route: "work/mails", Types: billViewers, Workspace: true, Group: "Work", Label: "Email settings", Bar: true},
	{Route: "work/team", Types: []Type{PRAD}, Workspace: true, Group: "Group", Label: "Team and payers", Bar: true},
	{Route: "work/access", Types: []Type{PRAD}, Workspace: true, Group: "Group", Label: "Access review", Bar: true},
	{Route: "work/users/file", Types: groupManagers, Workspace: true, Group: "Group", Label: "Import users"},
	{Route: "work/visits", Types: groupManagers, Workspace: true, Group: "Group", Label: "Network access log"},
	{Route: "desk", Types: internal, Workspace: true, Group: "Desk", Label: "Service desk", Bar: true},
	{Route: "desk/queues", Types: systemAdmins, Workspace: true, Group: "Desk", Label: "Queues", Bar: true},
	{Route: "desk/cases", Types: internal, Workspace: true, Group: "Desk", Label: "Questions", Bar: true},
	{Route: "desk/feeds", Types: internal, Workspace: true, Group: "Desk", Label: "Imports", Bar: true},
	{Route: "desk/unmatched", Types: internal, Workspace: true, Group: "Desk", Label: "Unmatched payments", Bar: true},
	{Route: "desk/rules", Types: internal, Workspace: true, Group: "Desk", Label: "Deadline rules", Bar: true},
	{Route: "desk/health", Types: systemAdmins, Workspace: true, Group: "Desk", Label: "System status", Bar: true},
	{Route: "desk/quality", Types: internal, Workspace: true, Group: "Desk", Label: "Data quality"},
	{Route: "desk/cases/times", Types: systemAdmins, Roles: leads, Workspace: true, Group: "Desk", Label: "Answer times"},
	{Route: "desk/rosters", Types: systemAdmins, Workspace: true, Group: "Desk", Label: "Rosters"},
	{Route: "desk/groups", Types: internal, Workspace: true, Group: "Desk", Label: "Groups"},
	{Route: "desk/reviews", Types: systemAdmins, Workspace: true, Group: "Desk", Label: "Access reviews"},
	{Route: "desk/staff", Types: systemAdmins, Workspace: true, Group: "Desk", Label: "Staff roles"},
	{Route: "desk/reasons", Types: internal, Workspace: true, Group: "Desk", Label: "Manage reason codes"},
	{Route: "desk/payer-contacts", Types: internal, Workspace: true, Group: "Desk", Label: "Payer contacts"},
	{Route: "desk/retention", Types: systemAdmins, Workspace: true, Group: "Desk", Label: "Data retention"},
	{Route: "desk/status", Types: systemAdmins, Workspace: true, Group: "Desk", Label: "Announcement"},
	{Route: "work/bills/$id", Types: billViewers, Workspace: true},
	{Route: "work/bill/$id", Types: billViewers, Workspace: true},
	{Route: "work/remittance/$id", Types: billViewers, Workspace: true},
	{Route: "work/users/tins", Types: groupManagers, Workspace: true},
	{Route: "work/cases/new", Types: []Type{PRUS, PRAD, NNUS}, Workspace: true},
	{Route: "work/cases/$number", Types: []Type{PRUS, PRAD, NNUS}, Workspace: true},
	{Route: "desk/cases/new", Types: systemAdmins, Roles: answerers, Workspace: true},
	{Route: "desk/cases/$number", Types: internal, Workspace: true},
	{Route: "desk/bill/$id", Types: internal, Workspace: true},
	{Route: "desk/remittance/$id", Types: internal, Workspace: true},
	{Route: "desk/requests", Types: systemAdmins, Workspace: true},
	{Route: "desk/mails", Types: systemAdmins, Workspace: true},
	{Route: "desk/jobs", Types: systemAdmins, Workspace: true},
	{Route: "desk/drafts", Types: systemAdmins, Workspace: true},

	// Workspace operations.
	{Permission: "work.find", Types: billViewers, Workspace: true},
	{Permission: "work.bills", Types: billViewers, Workspace: true},
	{Permission: "feeSchedules.lost", Types: providers, Workspace: true},
	{Permission: "work.notes", Types: []Type{PRUS, PRAD, NNUS}, Workspace: true},
	{Permission: "cases.own", Types: []Type{PRUS, PRAD, NNUS}, Workspace: true},
	{Permission: "cases.desk", Types: internal, Mirroring: Never, Workspace: true},
	{Permission: "cases.work", Types: systemAdmins, Roles: answerers, Mirroring: Never, Workspace: true},
	{Permission: "cases.lead", Types: systemAdmins, Roles: leads, Mirroring: Never, Workspace: true},
	{Permission: "staff.roles", Types: systemAdmins, Mirroring: Never, Workspace: true},
	{Permission: "digest.own", Types: billViewers, Workspace: true},
	{Permission: "digest.group", Types: []Type{PRAD}, Workspace: true},
	{Permission: "work.lead", Types: []Type{PRAD}, Workspace: true},
	{Permission: "remittances.read", Types: billViewers, Workspace: true},
	{Permission: "remittances.post", Types: []Type{PRUS, PRAD, NNUS}, Workspace: true},
	{Permission: "codes.read", Types: billViewers, Workspace: true},
	{Permission: "codes.manage", Types: systemAdmins, Mirroring: Never, Workspace: true},
	{Permission: "deadlines.read", Types: billViewers, Workspace: true},
	{Permission: "deadlines.manage", Types: systemAdmins, Mirroring: Never, Workspace: true},
	{Permission: "contacts.read", Types: internal, Mirroring: Never, Workspace: true},
	{Permission: "contacts.manage", Types: systemAdmins, Mirroring: Never, Workspace: true},
	{Permission: "health.read", Types: systemAdmins, Mirroring: Never, Workspace: true},
	{Permission: "rosters.receive", Types: systemAdmins, Mirroring: Never, Workspace: true},
	{Permission: "rosters.correct", Types: []Type{ROAD, ROUS}, Workspace: true},
	{Permission: "announcements.manage", Types: systemAdmins, Workspace: true},
	{Permission: "status.manage", Types: systemAdmins, Mirroring: Never, Workspace: true},
	{Permission: "groups.desk", Types: internal, Mirroring: Never, Workspace: true},
	{Permission: "groups.manage", Types: systemAdmins, Mirroring: Never, Workspace: true},
	{Permission: "users.many", Types: groupManagers, Workspace: true},
	{Permission: "access.review", Types: []Type{PRAD}, Workspace: true},
	{Permission: "visits.read", Types: groupManagers, Workspace: true},
	{Permission: "visits.override", Types: systemAdmins, Mirroring: Never, Workspace: true},
	{Permission: "visits.manage", Types: []Type{PRAD}, Workspace: true},
	{Permission: "reviews.watch", Types: systemAdmins, Mirroring: Never, Workspace: true},
	{Permission: "desk.open", Types: internal, Mirroring: Never, Workspace: true},
	{Permission: "queues.manage", Types: systemAdmins, Mirroring: Never, Workspace: true},
	{Permission: "desk.report", Types: systemAdmins, Mirroring: Never, Workspace: true},
	{Permission: "feeds.watch", Types: internal, Mirroring: Never, Workspace: true},
	{Permission: "feeds.manage", Types: systemAdmins, Mirroring: Never, Workspace: true},
}

// sessionOwn covers reading, extending and ending a session, its timeout, and ending mirroring.
const sessionOwn = "session.own"

// CodeMirrorEnded rejects actions sent before the person saw that mirroring ended. They were
// meant for the mirrored user and would run under the person's own name.
const CodeMirrorEnded = "MIRROR_ENDED"

// Routes returns the enabled routes with a permission check that the acting person may open.
func (s Settings) Routes(acting Person) []string {
	var routes []string
	for _, r := range policy {
		if r.Route != "" && s.offers(r) && r.includes(acting) {
			routes = append(routes, r.Route)
		}
	}
	return routes
}

// Permissions returns the enabled permissions the actor has now.
func (s Settings) Permissions(a Actor) []string {
	var names []string
	for _, r := range policy {
		if r.Permission != "" && s.offers(r) && r.admits(a) {
			names = append(names, r.Permission)
		}
	}
	return names
}

// admits reports whether the actor's type, role and mirroring state satisfy the rule.
func (r Rule) admits(a Actor) bool {
	return r.includes(r.effectivePerson(a)) && (r.Mirroring != Never || !a.IsMirroring())
}

func (r Rule) effectivePerson(a Actor) Person {
	if r.Mirroring != Own {
		return a.Acting()
	}
	p := a.Person
	if a.IsMirroring() {
		p.Role = NoRole
	}
	return p
}

// includes reports whether the person's type or staff role satisfies the rule.
func (r Rule) includes(p Person) bool {
	return slices.Contains(r.Types, p.Type) || p.Type == IRAD && slices.Contains(r.Roles, p.Role)
}

func rule(permission string) (Rule, bool) {
	for _, r := range policy {
		if r.Permission != "" && r.Permission == permission {
			return r, true
		}
	}
	return Rule{}, false
}

// IsKnown reports whether the policy has the permission. An operation with an unknown permission
// stops the program at startup.
func IsKnown(permission string) bool {
	_, ok := rule(permission)
	return ok
}

// Allow decides whether the actor may run an operation with the permission and effect. It
// rejects anything the policy doesn't list.
func Allow(a Actor, permission string, effect httpapi.Effect) error {
	r, ok := rule(permission)
	if !ok {
		return problem.New(problem.Forbidden).WithCause(fmt.Errorf("no rule for permission %q", permission))
	}
	if a.MirrorEnded != 0 && permission != sessionOwn {
		return problem.WithCode(problem.Conflict, CodeMirrorEnded)
	}
	if !r.admits(a) {
		return problem.New(problem.Forbidden)
	}
	if effect == httpapi.Write && a.IsMirroring() && r.Mirroring == Acting {
		return problem.WithMessage(problem.Forbidden, "You can't make changes while mirroring a user. Use Revert first.")
	}
	return nil
}
