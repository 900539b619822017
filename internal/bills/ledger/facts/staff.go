package facts

import "wcpp/internal/platform/db"

// Join is a staff decision that a payment belongs to a bill, or that it's dismissed. The bill
// differs from the payment, and nothing else matches them. It's a fact that bills are derived
// from.
type Join struct {
	ID      int64
	FTIN    string
	Payment string // fact
	// NPI and Remittance identify the payee and check of a payment that no bill proved. FTIN is
	// empty if the payment is dismissed.
	NPI, Remittance string
	At              db.Instant
	Submission      string // fact; empty if the payment is dismissed
	Difference      string // the difference; empty if everything matches, but several bills do
	// MadeAt is when the bill made of the payment was first seen.
	MadeAt   db.Instant
	By       string `db:"joined_by"` // username
	UndoneBy string
	UndoneAt db.Instant
}

// EndLinks returns links to the facts at both ends.
func (j Join) EndLinks() []Link {
	return []Link{{FTIN: j.FTIN, Fact: j.Payment, Payment: true}, {FTIN: j.FTIN, Fact: j.Submission}}
}

// Decision is what a staff member decided about two checks with the same number: they're the
// same check, or two checks. It's a fact that the comparison of checks uses.
type Decision struct {
	ID         int64
	FTIN       string
	Remittance string // the smaller of the two check ids
	Other      string
	Same       bool
	By         string `db:"decided_by"` // username
	At         db.Instant
	UndoneBy   string
	UndoneAt   db.Instant
}

// SortPair returns the ids of two checks, the smaller one first.
func SortPair(a, b string) [2]string { return [2]string{min(a, b), max(a, b)} }
