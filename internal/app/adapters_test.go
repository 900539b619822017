package app

import (
	"testing"

	"wcpp/internal/feeschedules"
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
		"session account": mappingtest.ListEmpty(toSessionAccount(u, feeschedules.FinishedFiles{Count: 1,
			Newest: []feeschedules.Request{mappingtest.Filled[feeschedules.Request]()}})),
		"account holder": mappingtest.ListEmpty(held),
		"chat":           mappingtest.ListEmpty(toChatPerson(u)),
	} {
		if lost != nil {
			t.Errorf("%s loses %v", name, lost)
		}
	}
}
