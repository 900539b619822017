package administration

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"wcpp/internal/identity/access"
	"wcpp/internal/identity/users"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/paging"
)

func TestPlans(t *testing.T) {
	dbtest.CheckPlans(t, dbtest.Scans{
		"usersFound": "byEmailPart and byUserNamePart: no index both databases know finds a part of a text; the answer is bounded",
		"groupsPage": "the list of all groups, a page of it: no index both databases know finds a part of a name, and there " +
			"are few groups",
		"usersFoundPage":      "as usersFound",
		"drafts":              "what waits is counted, up to a bound",
		"groupsByEmailDomain": "no index both databases know finds a part of an address; the answer is bounded",
	}, func(t *testing.T, d *db.DB, tx *sql.Tx) {
		ctx := t.Context()
		sorted := paging.Table{
			PageSize: 10, Sort: &paging.Sort{ID: "group"}, Filters: map[string]string{"created": "1/2", "status": "active"},
		}
		assert.NoError(t, errors.Join(
			dbtest.Err(otherAdmins(ctx, tx, 0, access.IRAD, 7)),
			dbtest.Err(otherAdmins(ctx, tx, 1, access.PRAD, 7)),
			none(usersOfGroup(ctx, tx, 1, 10)),
			none(ignoreCount(usersOfGroupPage(ctx, tx, d.Dialect, 1, sorted))),
			dbtest.Err(drafts(ctx, tx)),
			none(ignoreCount(draftPage(ctx, tx, d.Dialect, paging.Table{PageSize: 10}))),
			searches(ctx, tx, d.Dialect, sorted),
			none(groupsOnPage(groupsPage(ctx, tx, d.Dialect, paging.Table{PageSize: 10, Filters: map[string]string{"name": "north"}}))),
			dbtest.Err(countUse(ctx, tx, 1)),
			none(groupsByIDs(ctx, tx, []int64{1, 2})),
			dbtest.Err(namesAmong(ctx, tx, []string{"a", "b"})),
			none(groupsByUserName(ctx, tx, "abc", 10)),
			none(groupsByEmail(ctx, tx, "a@b.c", 10)),
			none(groupsByEmailDomain(ctx, tx, "b.c", 10)),
		))
	})
}

// searches runs each criterion, as a list and as a page.
func searches(ctx context.Context, tx *sql.Tx, d db.Dialect, t paging.Table) error {
	var failed error
	for _, c := range []criterion{
		byUserNamePart("abc"), byPerson([]string{"ab", "c"}), byPerson([]string{"ab", "jr"}), byEmail("a@b.c"), byEmailPart("b.c"),
		byTIN([]int64{1, 2}, []int64{3}),
		byGroup(1), byIDs([]int64{1, 2}), byNames([]string{"a", "b"}, nil), byNames([]string{"a", "b"}, []string{"abc", "abd"}),
		byStatus(users.Active),
	} {
		c = c.withType(access.PRUS)
		failed = errors.Join(failed, none(usersFound(ctx, tx, c, 10)), none(ignoreCount(usersFoundPage(ctx, tx, d, c, t))))
	}
	return failed
}

func groupsOnPage(list []FoundGroup, _ int, err error) ([]FoundGroup, error) { return list, err }

func ignoreCount(list []users.User, _ int, err error) ([]users.User, error) { return list, err }

// none fails if there are results.
func none[T any](list []T, err error) error {
	if err == nil && len(list) != 0 {
		err = fmt.Errorf("%d found on an empty database", len(list))
	}
	return err
}
