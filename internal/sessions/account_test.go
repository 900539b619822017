package sessions

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"wcpp/internal/identity/access"
	"wcpp/internal/identity/users"
	"wcpp/internal/platform/mappingtest"
)

func TestAccountCarriesEveryField(t *testing.T) {
	u := mappingtest.Filled[users.User]()
	u.TypeCd, u.StatusCd = access.PRUS, users.Active
	assert.Nil(t, mappingtest.ListEmpty(newAccount(u, "1.0", 1, mappingtest.Filled[[]FeeScheduleRequest]())))
}
