package sessions

import (
	"testing"

	"wcpp/internal/identity/access"
	"wcpp/internal/identity/users"
	"wcpp/internal/platform/mappingtest"
)

func TestAccountCarriesEveryField(t *testing.T) {
	u := mappingtest.Filled[users.User]()
	u.TypeCd, u.StatusCd = access.PRUS, users.Active
	if lost := mappingtest.ListEmpty(newAccount(u, "1.0", 1, mappingtest.Filled[[]FeeScheduleRequest]())); lost != nil {
		t.Errorf("it loses %v", lost)
	}
}
