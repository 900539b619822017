package account

import (
	"database/sql"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/mappingtest"
)

// No mapping between the API and the domain loses a field.
func TestMappingsAreWhole(t *testing.T) {
	form := mappingtest.Filled[RequestForm]()
	form.Affiliation = affiliationOther
	application := form.application()
	cleaned, _ := application.clean() // the values aren't valid
	for name, lost := range map[string][]string{
		"application": mappingtest.ListEmpty(application),
		// taken from the link or set by the portal
		"clean form": mappingtest.ListEmpty(cleaned, "ID", "Email", "Campaign", "Status", "SubmittedAt", "DeclineReason"),
		"request":    mappingtest.ListEmpty(requestedAccount(mappingtest.Filled[Request]())),
	} {
		assert.Nilf(t, lost, "%s loses", name)
	}
}

// Everything stored about a request and a link can be read back.
func TestRowsAreWhole(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		want := mappingtest.Filled[Request]()
		want.Email, want.Status = "zoe@example.com", requestSubmitted
		var made link
		err := d.Tx(t.Context(), func(tx *sql.Tx) error {
			if err := insertRequest(t.Context(), tx, want.Email, want.Email, want.Campaign, want.SubmittedAt); err != nil {
				return err
			}
			r, err := lockOpenRequest(t.Context(), tx, d.Dialect, want.Email)
			if err != nil {
				return err
			}
			want.ID = r.ID
			if err := submitRequest(t.Context(), tx, want); err != nil {
				return err
			}
			now := db.At(time.Now())
			id, err := insertLink(t.Context(), tx, link{Purpose: purposeRequest, RequestID: r.ID, CreatedBy: "test"}, now)
			if err != nil {
				return err
			}
			if err := setLinkIdentity(t.Context(), tx, id, "issuer", "subject"); err != nil {
				return err
			}
			if err := mintLink(t.Context(), tx, id, []byte("token"), []byte("code"), now); err != nil {
				return err
			}
			if n, err := useLink(t.Context(), tx, id, now); err != nil || n != 1 {
				t.Errorf("%d used, %v", n, err)
			}
			made, err = linkByID(t.Context(), tx, id)
			return err
		})
		require.NoError(t, err)
		require.NoError(t, d.Tx(t.Context(), func(tx *sql.Tx) error {
			return dbtest.Err(declineRequest(t.Context(), tx, answering(t, want.ID), want.DeclineReason, want.SubmittedAt))
		}))
		want.Status = "DECLINED"
		if got, err := requestByID(t.Context(), d.Writer, want.ID); err != nil || got != want {
			t.Errorf("stored\n%+v, read\n%+v, %v", want, got, err)
		}
		// a used link never ends; a request doesn't belong to a user
		assert.Nil(t, mappingtest.ListEmpty(made, "UserID", "EndedAt"))
	})
}
