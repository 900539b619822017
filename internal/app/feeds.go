package app

import (
	"slices"

	"wcpp/internal/access"
	"wcpp/internal/claims"
	"wcpp/internal/clients"
	"wcpp/internal/directory"
	"wcpp/internal/feeschedules"
	"wcpp/internal/platform/ingest"
)

// feeds are what the areas take from outside, in the order in which tables build
// on each other.
func (a *App) feeds() []ingest.Feed {
	feeds := slices.Concat(
		a.Users.Feeds(), a.TINs.Feeds(a.Users), directory.Feeds(), claims.Feeds(), a.Ledger.Feeds(), a.Bills.Feeds(), clients.Feeds(),
		feeschedules.Feeds(), a.Rosters.Feeds(), directory.PartFeeds(),
	)
	if a.hasReasons() {
		feeds = append(feeds, a.Codes.Feeds()...)
	}
	if a.hasDeadlines() {
		feeds = append(feeds, a.Deadlines.Feeds()...)
	}
	for i, f := range feeds {
		if directory.HasTINs(f) { // and so whose remittances are that name an NPI only
			feeds[i] = f.Then(a.Ledger.RefreshPayeeTINs)
		}
	}
	return feeds
}

// dataOrder is the order in which the ages of data are listed.
var dataOrder = []string{"bills", "claims", "clients", "providers", "feeSchedules"}

// hasReasons tells whether reasons in plain words are there.
func (a *App) hasReasons() bool { return a.Config.Access.Offers("codes.read") }

// hasDeadlines tells whether deadlines are told.
func (a *App) hasDeadlines() bool { return a.Config.Access.Offers("deadlines.read") }

// everyFeed is what can be taken with everything on. No database is needed to know.
func everyFeed() []ingest.Feed {
	return (&App{Config: Config{Access: access.Settings{Workspace: "on"}}}).feeds()
}

// FeedTables names the kinds of tables that can be imported.
func FeedTables() []string { return ingest.Tables(everyFeed()) }
