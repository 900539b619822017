package cases

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
)

// Staff see in lists which office asked, and who has taken the question.
func TestDeskSummaries(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := newDesk(t, d)
		taken, free := o.ask(t, three, question("1")), o.ask(t, six, question("2"))
		taken, err := o.Take(t.Context(), isad, Seen{taken.Number, taken.Version})
		require.NoError(t, err)
		for group, name := range map[int64]string{taken.Group: "Lakeside", free.Group: ""} {
			require.NoError(t, dbtest.Err(db.Exec(t.Context(), d.Writer, `UPDATE groups SET name = $1 WHERE id = $2`, name, group)))
		}
		list, err := o.toDeskSummaries(t.Context(), []Case{taken, free, {}})
		require.NoError(t, err)
		owner, unnamed := fmt.Sprint("User ", isad.Person.ID), fmt.Sprint("Group ", free.Group)
		for i, want := range [][2]string{{"Lakeside", owner}, {unnamed, ""}, {"", ""}} {
			assert.Equal(t, want, [2]string{list[i].Office, list[i].Owner}, i)
		}
	})
}
