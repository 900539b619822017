package migrations_test

import (
	"testing"

	"wcpp/internal/platform/db/dbtest"
)

// An index that no plan on file uses costs writes for nothing.
func TestEveryIndexIsUsed(t *testing.T) { dbtest.EveryIndexIsUsed(t, "../..") }
