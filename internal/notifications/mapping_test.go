package notifications

import (
	"database/sql"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/mappingtest"
)

// No mapping between the API and the domain loses a field.
func TestMappingsAreWhole(t *testing.T) {
	// The portal sets the author, the times and the status.
	own := []string{"ID", "Status", "CreatedAt", "CreatedBy", "UpdatedAt", "UpdatedBy"}
	for name, lost := range map[string][]string{
		"change": mappingtest.ListEmpty(mappingtest.Filled[NotificationChange]().notification(), append(own, "Audience")...),
		"row":    mappingtest.ListEmpty(toRow(mappingtest.Filled[Notification]())),
		"announcement": mappingtest.ListEmpty(must(toAnnouncementRow(Announced{ID: 1,
			Audience: must(mappingtest.Filled[Audience]().encode()),
			SentTo:   new(int64(2))}))),
		"copy": mappingtest.ListEmpty(toUserNotification(mappingtest.Filled[Copy]())),
	} {
		assert.Nilf(t, lost, "%s loses", name)
	}
	if n := toUserNotification(mappingtest.Filled[Copy]()); n.NotificationUserDwnld != "Y" {
		t.Errorf("%+v", n)
	}
}

// Everything stored about a notification can be read back, after creation and after a change.
func TestRowsAreWhole(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		newPeople(t, d, 1)
		want := mappingtest.Filled[Notification]()
		want.Status, want.Recipients = Scheduled, "1"
		want.UpdatedAt, want.UpdatedBy = want.CreatedAt, want.CreatedBy
		stored := func(do func(*sql.Tx) error) {
			t.Helper()
			require.NoError(t, d.Tx(t.Context(), do))
			got, err := byID(t.Context(), d.Writer, want.ID)
			if err != nil || got != want {
				t.Errorf("stored\n%+v, read\n%+v, %v", want, got, err)
			}
			assert.Nil(t, mappingtest.ListEmpty(got))
		}
		stored(func(tx *sql.Tx) (err error) {
			if want.ID, err = insert(t.Context(), tx, want); err != nil {
				return err
			}
			_, err = addRecipients(t.Context(), tx, want.ID, []int64{1})
			return err
		})
		changed := mappingtest.Filled[struct {
			Before int
			Notification
		}]().Notification
		changed.ID, changed.Status, changed.Recipients, changed.CreatedAt, changed.CreatedBy = want.ID, Scheduled, "1", want.CreatedAt,
			want.CreatedBy
		want = changed
		stored(func(tx *sql.Tx) error { return update(t.Context(), tx, want) })
		var copies []Copy
		if err := d.Tx(t.Context(), func(tx *sql.Tx) error {
			if _, err := insertCopies(t.Context(), tx, want.ID, want.CreatedAt); err != nil {
				return err
			}
			if _, err := markViewed(t.Context(), tx, 1, want.ID, want.CreatedAt); err != nil {
				return err
			}
			var err error
			copies, err = listCopies(t.Context(), tx, 1, 10)
			return err
		}); err != nil || len(copies) != 1 {
			t.Fatal(copies, err)
		}
		assert.Nil(t, mappingtest.ListEmpty(copies[0]))
	})
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}
