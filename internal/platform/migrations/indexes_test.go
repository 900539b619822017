package migrations_test

import (
	"testing"

	"wcpp/internal/platform/db/dbtest"
)

// An index without a query plan that uses it only slows down writes.
func TestEveryIndexIsUsed(t *testing.T) { dbtest.CheckIndexesUsed(t, "../..") }
