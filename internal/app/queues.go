package app

import (
	"context"

	"wcpp/internal/desk"
	"wcpp/internal/platform/paging"
)

// listQueues returns the queues for staff, in the desk's order. To add one, add an entry here and
// one in the browser's list (desk/Queues.tsx).
func (a *App) listQueues() []desk.Queue {
	const manage = "queues.manage"
	return []desk.Queue{
		{Kind: "requests", Permission: manage, Count: a.Account.CountSubmitted},
		{Kind: "tinSharings", Permission: "tins.decide", Count: a.TINs.UndecidedBacklog},
		{Kind: "rosters", Permission: "rosters.receive", Count: a.Rosters.CountWaiting},
		{Kind: "cases", Permission: "cases.work", Count: a.Cases.CountOverdue},
		{Kind: "feeds", Permission: "feeds.manage", Count: a.FeedDesk.CountOverdue},
		{Kind: "mails", Permission: manage, Count: a.mails.CountFailed},
		{Kind: "jobs", Permission: manage, Count: func(ctx context.Context) (paging.Backlog, error) {
			return desk.CountFailedJobs(ctx, a.jobs)
		}},
		{Kind: "drafts", Permission: manage, Count: a.Administration.CountDrafts},
		{Kind: "notifications", Permission: "notifications.manage", Count: a.Notifications.CountDrafts},
	}
}
