package facts

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"wcpp/internal/platform/ingest"
)

// Merge merges a submission reported again with the stored one, and reports whether anything
// changed. Among equal submissions, the one written first counts; among table rows, the last. A
// file imported again replaces its stored data, and a full submission replaces a migrated one.
func (s Submission) Merge(known Submission, run ingest.Run) (kept *Submission, changed bool) {
	if s.Source == FromTable {
		s.Bill = known.Bill
		return &s, cmp.Or(strings.Compare(s.Written, known.Written), strings.Compare(known.File, s.File)) > 0
	}
	on, basis := s.Reported.ReceivedOn, s.Reported.ReceivedBasis
	if k := known.Reported; on == "" || k.ReceivedOn != "" && cmp.Or(strings.Compare(k.ReceivedBasis, basis),
		strings.Compare(string(on), string(k.ReceivedOn))) >= 0 {
		on, basis = k.ReceivedOn, k.ReceivedBasis
	}
	kept = &known
	if known.Source == FromEarlier || IsPreferred(s.Written, known.Written, run, s.text, known.text) {
		if known.Source == FromEarlier && IsEarlier(known.Written, s.Written) {
			s.Written = known.Written
		}
		s.Bill = known.Bill
		kept, changed = &s, true
	}
	changed = changed || on != known.Reported.ReceivedOn || basis != known.Reported.ReceivedBasis
	kept.Reported.ReceivedOn, kept.Reported.ReceivedBasis = on, basis
	return kept, changed
}

// text returns the submission's content without its received date, then its position. So the
// file only decides between submissions with the same content.
func (s Submission) text() string {
	file, offset := s.File, s.Offset
	s.Bill, s.Reported.ReceivedOn, s.Reported.ReceivedBasis, s.File, s.Offset = "", "", "", "", 0
	return fmt.Sprintf("%s %s %020d", toJSON(s), file, offset)
}

// IsPreferred reports whether a file's version counts instead of the stored one. It does if it
// was written earlier, or at the same time with the smaller text. So the order of arrival
// doesn't matter.
func IsPreferred(written, known string, run ingest.Run, text, knownText func() string) bool {
	if written != known {
		return IsEarlier(written, known)
	}
	return run.Again || text() < knownText()
}

func toJSON(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // plain fields can always be encoded
	}
	return string(b)
}

// IsEarlier reports whether a timestamp is known and earlier than another one.
func IsEarlier(moment, other string) bool { return moment != "" && (moment < other || other == "") }

// MergeRetransmission merges a payment reported again into the known one. It reports whether
// anything changed, and whether the whole payment must be stored again.
func (p *Payment) MergeRetransmission(again Payment, run ingest.Run) (changed, whole bool) {
	with := slices.Clone(p.ToldWith)
	for _, fact := range again.ToldWith {
		if !slices.Contains(with, fact) {
			with = append(with, fact)
		}
	}
	slices.Sort(with)
	changed = len(with) > len(p.ToldWith)
	over := IsPreferred(again.Written, p.Written, run, again.text, p.text)
	whole = over
	if p.PayeeNPI == "" || again.PayeeNPI == "" { // a single file gives the TIN itself
		whole = whole || p.PayeeNPI != ""
		p.PayeeNPI, again.PayeeNPI = "", ""
	}
	if over {
		again.Bill, again.Duplicate, again.Twin = p.Bill, p.Duplicate, p.Twin
		*p = again
	}
	p.ToldWith = with
	return changed || whole, whole
}

// text returns everything in a payment, and its position.
func (p Payment) text() string {
	p.Bill, p.PayeeNPI, p.Reasons, p.ToldWith, p.Duplicate, p.Twin = "", "", "", nil, Counted, ""
	return toJSON(p)
}
