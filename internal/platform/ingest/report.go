package ingest

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"wcpp/internal/platform/text"
)

// Severity says whether a problem rejects something.
type Severity string

// Errors reject a record. Warnings don't.
const (
	SeverityError   Severity = "error"
	SeverityWarning Severity = "warning"
)

// Problem is one problem, with its position in the file. It contains no values of the file,
// because these are patient data.
type Problem struct {
	Severity Severity `json:"severity"`
	Segment  int64    `json:"segment,omitempty"` // X12: number of the segment in the file, starting with 1
	Loop     string   `json:"loop,omitempty"`    // X12: 2300
	Line     int64    `json:"line,omitempty"`    // CSV: line in the file, starting with 1
	Element  string   `json:"element,omitempty"` // X12: CLM02; CSV: the column
	Reason   string   `json:"reason"`
}

// Place describes the problem's position; empty for the whole file.
func (p Problem) Place() string {
	var place []string
	if p.Segment > 0 {
		place = append(place, fmt.Sprintf("segment %d", p.Segment))
	}
	if p.Loop != "" {
		place = append(place, "loop "+p.Loop)
	}
	if p.Line > 0 {
		place = append(place, fmt.Sprintf("line %d", p.Line))
	}
	if p.Element != "" {
		place = append(place, p.Element)
	}
	return strings.Join(place, ", ")
}

func (p Problem) String() string {
	if place := p.Place(); place != "" {
		return fmt.Sprintf("%s: %s: %s", p.Severity, place, p.Reason)
	}
	return fmt.Sprintf("%s: %s", p.Severity, p.Reason)
}

// maxProblems limits the problems in a report. The rest is only counted.
const maxProblems = 1000

// Report is the result of an import.
type Report struct {
	File    string   `json:"file"`
	Kind    string   `json:"kind"`
	SHA256  string   `json:"sha256"`
	Refused *Problem `json:"refused,omitempty"` // the whole file; no row was stored

	Records   int64 `json:"records"`
	Imported  int64 `json:"taken"`
	Updated   int64 `json:"updated"`
	Unchanged int64 `json:"unchanged"`
	Rejected  int64 `json:"rejected"`
	// SetsNotImported counts transaction sets without imported content, because they are of another
	// kind or have no claim.
	SetsNotImported int64 `json:"setsNotTaken"`
	// UnknownSegments counts segments that don't belong to their transaction sets.
	UnknownSegments int64 `json:"unknownSegments,omitempty"`

	// Concluded counts the effects of the records by name, such as bills paid.
	Concluded map[string]int64 `json:"concluded,omitempty"`

	// AlreadyImported means that the same content was completely imported before, so nothing
	// changed.
	AlreadyImported bool `json:"alreadyTaken"`
	// ResumedAfter is the last record before an interrupted run resumed.
	ResumedAfter int64 `json:"resumedAfter,omitempty"`

	Problems     []Problem     `json:"problems"`
	MoreProblems int64         `json:"moreProblems,omitempty"`
	Duration     time.Duration `json:"durationNanoseconds"`

	checked int // number of the problems that the check found, which come first
}

func (r *Report) add(p Problem) {
	if len(r.Problems) < maxProblems {
		r.Problems = append(r.Problems, p)
	} else {
		r.MoreProblems++
	}
}

func (r *Report) conclude(counts map[string]int64) {
	for what, n := range counts {
		if r.Concluded == nil {
			r.Concluded = map[string]int64{}
		}
		r.Concluded[what] += n
	}
}

// Exit codes of import commands.
const (
	ExitAllImported  = 0
	ExitSomeRejected = 1
	ExitRefused      = 2
)

// ExitCode returns the exit code for scripts.
func (r *Report) ExitCode() int {
	switch {
	case r.Refused != nil:
		return ExitRefused
	case r.Rejected > 0 || r.SetsNotImported > 0 || r.UnknownSegments > 0:
		return ExitSomeRejected
	default:
		return ExitAllImported
	}
}

// WriteText writes the report for users.
func (r *Report) WriteText(w io.Writer) error {
	var b strings.Builder
	switch {
	case r.Refused != nil:
		fmt.Fprintf(&b, "%s: rejected, no records imported\n  %s\n", r.File, r.Refused)
	case r.AlreadyImported:
		fmt.Fprintf(&b, "%s: already imported, no changes (use --again to re-import); first import: %s\n",
			r.File, r.counts())
	default:
		fmt.Fprintf(&b, "%s: %s in %s\n", r.File, r.counts(), r.Duration.Round(time.Millisecond))
	}
	if r.Refused == nil && !r.AlreadyImported && r.Records > 0 && r.Imported == 0 && r.Updated == 0 && len(r.Concluded) == 0 {
		b.WriteString("  no changes\n")
	}
	if len(r.Concluded) > 0 {
		var counts []string
		for _, what := range slices.Sorted(maps.Keys(r.Concluded)) {
			counts = append(counts, fmt.Sprintf("%s: %d", what, r.Concluded[what]))
		}
		fmt.Fprintf(&b, "  including: %s\n", strings.Join(counts, ", "))
	}
	if r.ResumedAfter > 0 {
		fmt.Fprintf(&b, "  resumed after record %d\n", r.ResumedAfter)
	}
	if r.SetsNotImported > 0 {
		fmt.Fprintf(&b, "  %s skipped\n", text.FormatCount(r.SetsNotImported, "transaction set", "transaction sets"))
	}
	if r.UnknownSegments > 0 {
		fmt.Fprintf(&b, "  %s unknown and skipped\n", text.FormatCount(r.UnknownSegments, "segment", "segments"))
	}
	for _, p := range r.Problems {
		fmt.Fprintf(&b, "  %s\n", p)
	}
	if r.MoreProblems > 0 {
		fmt.Fprintf(&b, "  and %d more\n", r.MoreProblems)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (r *Report) counts() string {
	return fmt.Sprintf("%s: %d imported, %d updated, %d unchanged, %d rejected",
		text.FormatCount(r.Records, "record", "records"), r.Imported, r.Updated, r.Unchanged, r.Rejected)
}
