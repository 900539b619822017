package ledger

import (
	"context"
	"database/sql"
	"maps"
	"slices"

	"wcpp/internal/bills/ledger/batch"
	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/platform/identifiers"
	"wcpp/internal/platform/ingest"
)

// Measure names a quality measure of new bills, payments and remittances, based on the file
// that brings them. It's stored with the figures.
type Measure string

// The measures.
const (
	HasClaimNumber Measure = "CLAIM_NUMBER"
	HasReceived    Measure = "RECEIVED"
	HasLines       Measure = "LINES"
	HasValidNPI    Measure = "NPI"
	FindsBill      Measure = "MATCHED"
	AddsUp         Measure = "BALANCED"
	IsExplained    Measure = "EXPLAINED"
)

// measureLabels is the one list of measures, with their labels and notes. Run make gen after a
// change to update the browser's list.
var measureLabels = map[Measure]struct{ label, note string }{
	HasClaimNumber: {"Bills with a claim number", ""},
	HasReceived:    {"Bills with their own received date", "Other bills use their file's date."},
	HasLines:       {"Bills with service lines", ""},
	HasValidNPI:    {"Bills with a valid NPI", "The NPI is present and passes its check digit."},
	FindsBill:      {"Payments with a matching bill", "Matched at import. Bills received later don't count."},
	AddsUp:         {"Balanced remittances", "The total equals payments minus adjustments."},
	IsExplained:    {"Codes with an explanation", "Payment reason codes, counted once per payment."},
}

// Measures returns all measures in alphabetical order.
func Measures() []Measure { return slices.Sorted(maps.Keys(measureLabels)) }

// Label returns what the screens call the measure, or false if it isn't registered.
func (m Measure) Label() (string, bool) {
	l, ok := measureLabels[m]
	return l.label, ok
}

// Note returns an explanation for the screens. It can be empty.
func (m Measure) Note() string { return measureLabels[m].note }

// storedNames returns the stored names of measures.
func storedNames(measures ...Measure) []string {
	list := make([]string, len(measures))
	for i, m := range measures {
		list[i] = string(m)
	}
	return list
}

// Glossary explains payment codes.
type Glossary interface {
	// CountExplained counts the codes of payments, each once per payment, and the explained ones
	// among them.
	CountExplained(ctx context.Context, tx *sql.Tx, list []facts.Payment) (codes, explained int64, err error)
}

// measure counts the records, and the good ones among them.
func measure[T any](ctx context.Context, what Measure, records []T, good func(T) bool) {
	var n int64
	for _, r := range records {
		if good(r) {
			n++
		}
	}
	ingest.Measure(ctx, string(what), int64(len(records)), n)
}

// measureSubmissions measures the bills in a batch. Tables have neither lines nor received
// dates, so these aren't measured.
func measureSubmissions(ctx context.Context, rows []facts.Submission, outcomes []ingest.Outcome) {
	var fresh, claims []*facts.Submission
	for i := range rows {
		if outcomes[i] != ingest.Imported {
			continue
		}
		fresh = append(fresh, &rows[i])
		if rows[i].Source == facts.FromClaim {
			claims = append(claims, &rows[i])
		}
	}
	measure(ctx, HasClaimNumber, fresh, func(s *facts.Submission) bool { return s.Reported.ClaimNumber != "" })
	measure(ctx, HasReceived, claims, func(s *facts.Submission) bool { return s.Reported.ReceivedBasis == facts.ReceivedByRepricer })
	measure(ctx, HasLines, claims, func(s *facts.Submission) bool { return len(s.Detail.Lines) > 0 })
	measure(ctx, HasValidNPI, fresh, hasValidNPI)
}

// hasValidNPI reports whether a bill has an NPI, and all of its NPIs have a valid check digit.
func hasValidNPI(s *facts.Submission) bool {
	named := slices.DeleteFunc([]string{s.Reported.PhysicianNPI, s.Reported.FacilityNPI, s.Detail.BillingNPI}, func(npi string) bool {
		return npi == ""
	})
	return len(named) > 0 && !slices.ContainsFunc(named, func(npi string) bool { return !identifiers.IsNPI(npi) })
}

// measureRemitted measures the payments and transaction sets in a batch. It only counts matched
// payments if the file gives the payee's TIN.
func (l *Ledger) measureRemitted(ctx context.Context, w *batch.Batch, rows []facts.Remitted, outcomes []ingest.Outcome) error {
	var paid []facts.Payment
	var sets []facts.RemittanceSet
	for i, r := range rows {
		switch {
		case outcomes[i] != ingest.Imported:
		case r.Payment != nil:
			paid = append(paid, *r.Payment)
		case len(r.Parts) > 0:
			sets = append(sets, r.Parts[0].Set)
		}
	}
	paidNow, matched := w.CountPaid()
	ingest.Measure(ctx, string(FindsBill), paidNow, matched)
	measure(ctx, AddsUp, sets, func(s facts.RemittanceSet) bool { return s.IsBalanced() })
	if l.glossary == nil || len(paid) == 0 {
		return nil
	}
	codes, explained, err := l.glossary.CountExplained(ctx, w.Tx, paid)
	ingest.Measure(ctx, string(IsExplained), codes, explained)
	return err
}
