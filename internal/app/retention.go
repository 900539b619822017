package app

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/riverqueue/river"

	"wcpp/internal/health"
	"wcpp/internal/platform/blob"
	"wcpp/internal/platform/jobs"
	"wcpp/internal/platform/module"
	"wcpp/internal/platform/retention"
)

// retentionModule returns the platform's retention and cleanup module.
func (a *App) retentionModule() module.Module {
	entries := retention.For(a.Config.Audit.AuditKeepDays, "WCPP_AUDIT_KEEP_DAYS",
		"Audit entries; their seals and removal records are kept",
		"audit_log", "audit_keys", "audit_segments", "audit_heads", "audit_pruned").RemovedBy("`wcpp audit prune`")
	return module.Module{
		Cleanup: func(ctx context.Context) error { return errors.Join(a.attempts.Cleanup(ctx), a.audit.Seal(ctx)) },
		Retention: []retention.Item{
			entries,
			retention.Forever("Installation keys and completed migrations", "secrets", "goose_db_version", "river_migration"),
			retention.For(a.Config.Jobs.JobKeepDays, "WCPP_JOB_KEEP_DAYS",
				"Failed jobs; completed and canceled jobs are deleted after 1 day", "river_job").RemovedBy("River"),
			retention.Until("minutes", "Leader election and job queues", "river_leader", "river_queue", "river_notification").
				RemovedBy("River"),
			retention.Until("1 day", "Rate-limit counters", "rate_limits"),
			retention.Until("60 seconds", "Sign-in form codes", "sso_codes"),
			retention.Until("minutes", "Used logout tokens from the identity provider", "sso_logouts"),
			retention.Until("process exit", "Temporary files").In("WCPP_DATA: tmp/").RemovedBy("the process or the next command"),
			retention.Until("1 second", "Storage test file").In("health/").RemovedBy("the program"),
			retention.Forever("Storage owner ID").In("lost-files/"),
		},
	}
}

// cleanupOnly returns only the cleanup of a module that's off, so that its existing data still
// expires.
func cleanupOnly(m module.Module) module.Module {
	return module.Module{Cleanup: m.Cleanup, Retention: m.Retention}
}

// RetentionItems returns all data with a retention period.
func (a *App) RetentionItems() []retention.Item { return a.retentionItems }

// listCleanups returns what is deleted, and when.
func (a *App) listCleanups() []health.Cleanup {
	var list []health.Cleanup
	for _, k := range a.retentionItems {
		if k.After == "" {
			continue
		}
		after := k.After
		if k.Setting != "" {
			after += " (" + k.Setting + ")"
		}
		list = append(list, health.Cleanup{What: k.What, After: after})
	}
	return list
}

// orphanedFilesArgs are the arguments for the job that removes orphaned files.
type orphanedFilesArgs struct{}

func (orphanedFilesArgs) Kind() string { return "lost-files" }

func (orphanedFilesArgs) InsertOpts() river.InsertOpts { return river.InsertOpts{Queue: jobs.Storage} }

const (
	// lostAfter is the minimum age of an orphaned file. By then, its writer would have inserted
	// the row.
	lostAfter = 48 * time.Hour
	// askedAtOnce is the approximate number of names per query.
	askedAtOnce = 500
)

// RemoveOrphans removes files without a row, left when the program stopped before inserting it. For
// content-addressed files, each day covers one of the 16 leading hash digits, so that no run
// takes long. It's safe to stop and repeat.
func (a *App) RemoveOrphans(ctx context.Context, now time.Time) error {
	if ours, err := a.ownsFiles(ctx, now); err != nil || !ours {
		return err
	}
	for _, item := range a.retentionItems {
		if item.KnownBy == nil {
			continue
		}
		for _, folder := range item.Folders {
			prefix := folder
			if item.ByContent {
				prefix += strconv.FormatInt(now.Unix()/int64((24*time.Hour).Seconds())%16, 16)
			}
			if err := a.removeOrphansIn(ctx, folder, prefix, item.KnownBy, now.Add(-lostAfter)); err != nil {
				return err
			}
		}
	}
	return nil
}

// removeOrphansIn removes files in a folder that are older than before, match the key prefix and
// have unknown names.
func (a *App) removeOrphansIn(ctx context.Context, folder, prefix string, knownBy retention.Known, before time.Time) error {
	var files []blob.Entry
	var names []string
	remove := func() error {
		known, err := knownBy(ctx, names)
		if err != nil {
			return err
		}
		for _, f := range files {
			if slices.Contains(known, nameIn(folder, f.Key)) {
				continue
			}
			// An import can have stored the same content since, with a row that isn't committed yet.
			if isOld, err := a.isOlder(ctx, f.Key, before); err != nil {
				return err
			} else if !isOld {
				continue
			}
			if err := a.files.Delete(ctx, f.Key); err != nil {
				return err
			}
			a.log.InfoContext(ctx, "removed an orphaned file", "folder", folder, "modified", f.Modified)
		}
		files, names = nil, nil
		return nil
	}
	for f, err := range a.files.List(ctx, prefix) {
		if err != nil {
			return err
		}
		if !f.Modified.Before(before) {
			continue
		}
		files = append(files, f)
		if name := nameIn(folder, f.Key); !slices.Contains(names, name) {
			names = append(names, name)
		}
		if len(names) < askedAtOnce {
			continue
		}
		if err := remove(); err != nil {
			return err
		}
	}
	if len(names) == 0 {
		return nil
	}
	return remove()
}

// isOlder reports whether a file exists and is older than before.
func (a *App) isOlder(ctx context.Context, key string, before time.Time) (bool, error) {
	f, err := a.files.Open(ctx, key)
	if errors.Is(err, blob.ErrNotFound) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return f.Modified.Before(before), f.Close()
}

// nameIn returns the name that identifies a file in its folder.
func nameIn(folder, key string) string {
	name, _, _ := strings.Cut(strings.TrimPrefix(key, folder), "/")
	return name
}
