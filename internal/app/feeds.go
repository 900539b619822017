package app

import (
	"slices"

	"wcpp/internal/bills"
	"wcpp/internal/claims"
	"wcpp/internal/clients"
	"wcpp/internal/directory"
	"wcpp/internal/feeschedules"
	"wcpp/internal/identity/access"
	"wcpp/internal/platform/ingest"
)

// listFeeds returns the domains' feeds, in the order in which tables depend on each other.
func (a *App) listFeeds() []ingest.Feed {
	feeds := slices.Concat(
		a.Users.Feeds(), a.TINs.Feeds(), a.Directory.Feeds(), claims.Feeds(), a.Ledger.Feeds(), a.Bills.Documents.Feeds(),
		clients.Feeds(), feeschedules.Feeds(), a.Rosters.Feeds(), a.Directory.DetailFeeds(),
	)
	if a.hasReasons() {
		feeds = append(feeds, a.Codes.Feeds()...)
	}
	if a.hasDeadlines() {
		feeds = append(feeds, a.Deadlines.Feeds()...)
	}
	for i, f := range feeds {
		if directory.HasTINs(f) { // and so who gets remittances that have only an NPI
			feeds[i] = f.AfterImport(a.Ledger.RefreshPayeeTINs)
		}
	}
	return feeds
}

// dataOrder is the display order of data ages.
var dataOrder = []string{"bills", "claims", "clients", "providers", "feeSchedules"}

// hasReasons reports whether explanations of reason codes are on.
func (a *App) hasReasons() bool { return a.Config.Access.Offers("codes.read") }

// hasDeadlines reports whether deadlines are on.
func (a *App) hasDeadlines() bool { return a.Config.Access.Offers("deadlines.read") }

// allFeeds returns all feeds with every feature on. It works without a database.
func allFeeds() []ingest.Feed {
	return (&App{Config: Config{Access: access.Settings{Workspace: "on"}}, Bills: &bills.Bills{}}).listFeeds()
}

// FeedTables returns the table types that can be imported.
func FeedTables() []string { return ingest.Tables(allFeeds()) }
