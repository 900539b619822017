package payercalls

import (
	"database/sql"
	"errors"
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/identity/access"
	"wcpp/internal/identity/identitytest"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/mappingtest"
)

func TestPlans(t *testing.T) {
	dbtest.CheckPlans(t, nil, func(t *testing.T, d *db.DB, tx *sql.Tx) {
		ctx := t.Context()
		identitytest.Add(t, tx, three.Person, "User 3")
		id, err := addCall(ctx, tx, Call{AuthorID: 3, RequestKey: "k", At: db.At(time.Now()), CalledOn: today, Payer: "Acme",
			Outcome: "other"})
		assert.NoError(t, errors.Join(err,
			addBills(ctx, tx, []calledBill{{CallID: id, Group: 7, FTIN: ours, Bill: "x"}}),
			dbtest.Err(getByKey(ctx, tx, 3, "k")), dbtest.Err(listCalls(ctx, tx, 7, ours, "x")),
			dbtest.Err(lockBills(ctx, tx, [][]any{{ours, "x"}}, d.Dialect.ForUpdate)),
			putBill(ctx, tx, calledBill{ID: 1, CallID: id, Group: 7}),
		))
	})
}

func TestRowsCarryEveryField(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		identitytest.Add(t, d.Writer, access.Person{ID: 3, UserName: "user3", Type: access.PRUS, GroupID: 7}, "User 3")
		call, about := mappingtest.Filled[Call](), mappingtest.Filled[calledBill]()
		call.ID, call.AuthorID, call.Outcome = 1, 3, "promised"
		about.ID, about.CallID, about.Group = 1, 1, 7
		require.NoError(t, d.Tx(t.Context(), func(tx *sql.Tx) error {
			return errors.Join(dbtest.Err(addCall(t.Context(), tx, call)), addBills(t.Context(), tx, []calledBill{about}))
		}))
		mappingtest.CheckRow(t, d, "payer_calls")
		mappingtest.CheckRow(t, d, "payer_call_bills")
		if got, err := calls.Get(t.Context(), d.Reader, ""); err != nil || got != call {
			t.Errorf("%v\ngot  %+v\nwant %+v", err, got, call)
		}
		if got, err := calledBills.Get(t.Context(), d.Reader, ""); err != nil || !reflect.DeepEqual(got, about) {
			t.Errorf("%v\ngot  %+v\nwant %+v", err, got, about)
		}
	})
}

func TestWireCarriesEveryField(t *testing.T) {
	c, targets := mappingtest.Filled[PayerCallText]().call()
	assert.Nil(t, mappingtest.ListEmpty(c, "ID", "Group", "AuthorID", "At", "CalledOn"))
	if len(targets) == 0 || targets[0].Page == "" || targets[0].Version == 0 {
		t.Errorf("%+v", targets)
	}
	assert.Nil(t, mappingtest.ListEmpty(toPayerCall(AuthoredCall{Call: mappingtest.Filled[Call]()}), "Author"))
}
