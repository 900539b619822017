package migrations_test

import (
	"testing"

	"wcpp/internal/platform/db/dbtest"
)

// An index without a query plan that uses it only slows down writes. The listed ones contain only
// rows of databases that are too old, so they're empty.
func TestEveryIndexIsUsed(t *testing.T) {
	dbtest.CheckIndexesUsed(t, "../..", "bills_earlier", "earlier_payments_bill", "payments_unread")
}
