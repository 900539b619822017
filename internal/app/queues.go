package app

import "wcpp/internal/desk"

// listQueues returns the queues for staff, in the desk's order. To add one, add an entry here and
// one in the browser's list (desk/Queues.tsx).
func (a *App) listQueues() []desk.Queue {
	const manage = "queues.manage"
	return []desk.Queue{
		{Kind: "requests", Permission: manage, Count: a.Account.CountSubmitted},
		{Kind: "tinSharings", Permission: "tins.decide", Count: a.TINs.UndecidedBacklog},
		{Kind: "rosters", Permission: "rosters.receive", Count: a.Rosters.CountWaiting},
		{Kind: "feeds", Permission: "feeds.manage", Count: a.FeedDesk.CountOverdue},
		{Kind: "mails", Permission: manage, Count: a.mails.CountFailed},
		{Kind: "jobs", Permission: manage, Count: a.Desk.FailedJobs},
		{Kind: "drafts", Permission: manage, Count: a.Administration.CountDrafts},
		{Kind: "notifications", Permission: "notifications.manage", Count: a.Notifications.CountDrafts},
	}
}
