// Package retention describes the stored data with its tables and folders, its retention, the
// setting, and what deletes it. Each domain lists its own data in its module. The staff page and
// docs/operations/data.md show the list, and a test checks that it covers every table.
package retention

import (
	"context"

	"wcpp/internal/platform/text"
)

// Item is one kind of stored data.
type Item struct {
	What    string   // description
	Tables  []string // tables with only this data
	Folders []string // storage folders with a trailing slash; others have a setting before them (WCPP_DATA: mail/)
	After   string   // when it is deleted, in words; empty: never
	Setting string   // environment variable of After; empty: fixed
	By      string   // what deletes it
	// KnownBy returns the names in the folder that a row refers to. It is nil if rows are
	// created before their files and deleted after them. Names end before the next slash.
	KnownBy Known
	// ByContent says that the names are SHA-256 hashes in hexadecimal.
	ByContent bool
}

// Forever returns data that is never deleted.
func Forever(what string, tables ...string) Item { return Item{What: what, Tables: tables} }

// Until returns data with a fixed retention.
func Until(after, what string, tables ...string) Item {
	return Item{What: what, Tables: tables, After: after, By: "job `tidy`"}
}

// For returns data with a retention in days from a setting; 0: forever.
func For(days int, setting, what string, tables ...string) Item {
	after := text.FormatCount(days, "day", "days")
	if days == 0 {
		after = "never"
	}
	return Item{What: what, Tables: tables, After: after, Setting: setting, By: "job `tidy`"}
}

// In adds folders.
func (i Item) In(folders ...string) Item {
	i.Folders = folders
	return i
}

// Known returns the known ones among some names.
type Known func(ctx context.Context, names []string) ([]string, error)

// If sets the lookup that finds orphaned files (without a row), which are deleted.
func (i Item) If(known Known) Item {
	i.KnownBy = known
	return i
}

// IfContent is If for names that are content hashes.
func (i Item) IfContent(known Known) Item {
	i.KnownBy, i.ByContent = known, true
	return i
}

// RemovedBy sets what deletes the data, if it isn't the tidy job.
func (i Item) RemovedBy(what string) Item {
	i.By = what
	return i
}
