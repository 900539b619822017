package jobs

import (
	"maps"
	"slices"
)

// Kind is the kind of a background job. River stores it with the job.
type Kind string

// Label returns the kind's label on screens, or false if the kind isn't registered.
func (k Kind) Label() (string, bool) {
	label, ok := kindLabels[k]
	return label, ok
}

// Kinds returns all kinds in alphabetical order.
func Kinds() []Kind { return slices.Sorted(maps.Keys(kindLabels)) }

// kindLabels is the only list of job kinds. After a change, run make gen to update the browser's
// list.
var kindLabels = map[Kind]string{
	"tidy":               "Clean up expired data",
	"mail":               "Send an email",
	"fee-schedule":       "Create a fee schedule",
	"send-notifications": "Send notifications",
	"feed-scan":          "Check for new files",
	"feed-file":          "Import a file",
	"count-reasons":      "Count reason codes",
	"deadlines":          "Recalculate deadlines",
	"digest":             "Send bill updates",
	"case-emails":        "Send emails about questions",
	"case-legal":         "Send emails about legal deadlines of complaints",
	"remittance-export":  "Export remittances",
	"look-up":            "Run a bulk lookup",
	"open-bills-export":  "Export open bills",
	"ledger-carry-over":  "Update bills after an upgrade",
	"users-names":        "Update names of users after an upgrade",
	"claims-names":       "Update names of claimants after an upgrade",
	"feed-folder":        "Clean up the watched folder",
	"given-up":           "Report failed jobs and emails",
	"roster-hand-over":   "Deliver a roster to the network",
	"roster-directory":   "Update the directory from a roster",
	"lost-files":         "Delete files without an owner",
	"feed-late":          "Check for late files",
	"feed-quality":       "Summarize data quality",
	"access-reviews":     "Start and remind of access reviews",
}
