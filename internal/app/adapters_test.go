package app

import (
	"testing"

	"wcpp/internal/identity/access"
	"wcpp/internal/identity/users"
	"wcpp/internal/platform/mappingtest"
)

// No mapping between packages loses a field.
func TestAdaptersAreWhole(t *testing.T) {
	u := mappingtest.Filled[users.User]()
	u.TypeCd, u.StatusCd = access.PRUS, users.Active
	held, err := toAccountHolder(u, nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, lost := range map[string][]string{
		"account holder": mappingtest.ListEmpty(held),
	} {
		if lost != nil {
			t.Errorf("%s loses %v", name, lost)
		}
	}
}
