package ledger

import (
	"context"
	"database/sql"
	"slices"

	"wcpp/internal/platform/identifiers"
	"wcpp/internal/platform/ingest"
)

// What is measured of bills, payments and remittances that were not known before, as
// the file tells them that brings them.
const (
	HasClaimNumber = "CLAIM_NUMBER"
	HasReceived    = "RECEIVED" // tells itself when the network received it; of others the file's date is taken
	HasLines       = "LINES"
	HasValidNPI    = "NPI"
	FindsBill      = "MATCHED"   // payments whose bill was known when they came
	AddsUp         = "BALANCED"  // transaction sets whose amount is what they pay less what they adjust
	IsExplained    = "EXPLAINED" // codes of payments, each once for a payment
)

// Glossary knows what the codes mean that payments carry.
type Glossary interface {
	// Explained counts the codes of payments, each once for a payment, and those of them
	// that are explained.
	Explained(ctx context.Context, tx *sql.Tx, list []Payment) (codes, explained int64, err error)
}

// UseGlossary has the codes of payments counted that are explained.
func (l *Ledger) UseGlossary(g Glossary) { l.glossary = g }

// measure counts records, and those of them that are good.
func measure[T any](ctx context.Context, what string, records []T, good func(T) bool) {
	ingest.Measure(ctx, what, int64(len(records)), int64(len(of(records, good))))
}

// measureSubmissions counts what the bills have that a batch took. A table tells
// neither lines nor when a bill was received.
func measureSubmissions(ctx context.Context, rows []Submission, outcomes []ingest.Outcome) {
	var fresh, claims []*Submission
	for i := range rows {
		if outcomes[i] != ingest.Taken {
			continue
		}
		fresh = append(fresh, &rows[i])
		if rows[i].Source == FromClaim {
			claims = append(claims, &rows[i])
		}
	}
	measure(ctx, HasClaimNumber, fresh, func(s *Submission) bool { return s.Reported.ClaimNumber != "" })
	measure(ctx, HasReceived, claims, func(s *Submission) bool { return s.Reported.ReceivedBasis == ReceivedByRepricer })
	measure(ctx, HasLines, claims, func(s *Submission) bool { return len(s.Detail.Lines) > 0 })
	measure(ctx, HasValidNPI, fresh, (*Submission).hasValidNPI)
}

// hasValidNPI tells that a bill names an NPI, and none that fails its check digit.
func (s *Submission) hasValidNPI() bool {
	named := of([]string{s.Reported.PhysicianNPI, s.Reported.FacilityNPI, s.Detail.BillingNPI}, func(npi string) bool { return npi != "" })
	return len(named) > 0 && !slices.ContainsFunc(named, func(npi string) bool { return !identifiers.ValidNPI(npi) })
}

// measureRemitted counts what became of the payments and transaction sets that a batch
// took. Whether a payment finds its bill is known where the file tells the payee's TIN.
func (l *Ledger) measureRemitted(ctx context.Context, w *work, rows []Remitted, outcomes []ingest.Outcome) error {
	var paid []Payment
	var sets []RemittanceSet
	for i, r := range rows {
		switch {
		case outcomes[i] != ingest.Taken:
		case r.Payment != nil:
			paid = append(paid, *r.Payment)
		case len(r.Parts) > 0:
			sets = append(sets, r.Parts[0].Set)
		}
	}
	ingest.Measure(ctx, FindsBill, int64(len(w.freshPaid)), w.matched)
	measure(ctx, AddsUp, sets, func(s RemittanceSet) bool { return s.Balanced() })
	if l.glossary == nil || len(paid) == 0 {
		return nil
	}
	codes, explained, err := l.glossary.Explained(ctx, w.tx, paid)
	ingest.Measure(ctx, IsExplained, codes, explained)
	return err
}
