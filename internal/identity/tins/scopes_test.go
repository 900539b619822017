package tins

import (
	"database/sql"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"wcpp/internal/identity/access"
	"wcpp/internal/identity/identitytest"
	"wcpp/internal/identity/users"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
)

// Terminated users and users of another group have no TINs in a group.
func TestReadTINsInGroup(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		jane := access.Person{ID: 3, UserName: "jane", Type: access.PRUS, GroupID: 7}
		boss := access.Person{ID: 4, UserName: "boss", Type: access.PRAD, GroupID: 7}
		gone := access.Person{ID: 5, UserName: "gone", Type: access.PRAD, GroupID: 7}
		identitytest.Add(t, d.Writer, boss, "The Boss", "111111111", "222222222")
		identitytest.Add(t, d.Writer, jane, "Jane Hendricks", "111111111")
		identitytest.Add(t, d.Writer, gone, "Gone Away", "111111111", "222222222")
		identitytest.SetStatus(t, d.Writer, gone.ID, users.Terminated)
		s := NewScopes(d)
		for _, c := range []struct {
			group, user int64
			want        string
		}{{7, jane.ID, "[111111111]"}, {7, boss.ID, "[111111111 222222222]"}, {7, gone.ID, "[]"}, {8, jane.ID, "[]"}} {
			assert.NoError(t, d.Tx(t.Context(), func(tx *sql.Tx) error {
				list, err := s.ReadTINsInGroup(t.Context(), tx, c.group, c.user)
				if fmt.Sprint(list) != c.want {
					t.Errorf("user %d in group %d: %v, want %s", c.user, c.group, list, c.want)
				}
				return err
			}))
		}
	})
}
