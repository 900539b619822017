package administration

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/identity/access"
	"wcpp/internal/identity/users"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/mappingtest"
)

// No mapping between the API and the domain loses a field.
func TestMappingsAreWhole(t *testing.T) {
	isad := access.Actor{Person: access.Person{ID: 1, UserName: "isad", Type: access.ISAD}}
	payload := mappingtest.Filled[UserPayload]()
	payload.MgrUserInfoID, payload.StatusDesc, payload.GroupAssignment = &isad.Person.ID, isad.Person.UserName, assignmentExisting
	created, err := payload.user(isad)
	require.NoError(t, err)
	u := mappingtest.Filled[users.User]()
	u.TypeCd, u.StatusCd, u.Draft = access.ROAD, users.Draft,
		`{"existing":true,"sources":[{"sourceId":1,"sourceName":"North"}],"removed":[2]}`
	search, err := SearchPayload{
		UserTypeCD: "PRUS", UserName: "ada", Name: "Ada", EmailAddress: "a@b.c", FTIN: "123456789", GroupID: "7", UserIDs: "1,2",
		Status: "activ",
	}.search()
	require.NoError(t, err)
	named, err := SearchPayload{UserName: "ada,bea", IsUserNames: true}.search()
	if err != nil || len(named.UserNames) != 2 || named.UserName != "" {
		t.Errorf("%+v, %v", named, err)
	}
	groups := mappingtest.Filled[GroupSearchPayload]()
	groups.PortalUserGroupID, groups.RosterHubSource = "1", "2"
	groupSearch, err := groups.search()
	require.NoError(t, err)
	group := mappingtest.Filled[FoundGroup]()
	group.Kind = users.RosterGroup
	for name, lost := range map[string][]string{
		// No client sends the values that the portal sets.
		"new user": mappingtest.ListEmpty(created, "WorkLater", "User.UserName", "User.StaffRole", "User.StatusCd",
			"User.PasswordHash", "User.GroupEnded", "User.LockedUntil", "User.LastLoginAt",
			"User.CreatedAt", "User.Draft", "User.ManagerID", "User.SSOIssuer", "User.SSOSubject", "User.SSOBoundAt"),
		"row": mappingtest.ListEmpty(toRow(Account{u, []string{"111111111"}}, []string{"Edit"}), "InternalStaffFlag",
			"HasSecondStep"),
		"search":       mappingtest.ListEmpty(search, "UserNames"),
		"group search": mappingtest.ListEmpty(groupSearch),
		"group":        mappingtest.ListEmpty(toPortalUserGroup(group)),
		"access entry": mappingtest.ListEmpty(toAccessEntry(mappingtest.Filled[HistoryEntry]())),
	} {
		assert.Nilf(t, lost, "%s loses", name)
	}
}

func TestGroupRowsAreWhole(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		require.NoError(t, dbtest.Err(db.Exec(t.Context(), d.Writer, `
			INSERT INTO groups (id, name, name_key, kind, named_by, created_at, created_by)
				VALUES (7, 'North', 'north', 'ROSTER', 'isad', $1, 'test')`, db.At(time.Now()))))
		list, err := groupsByIDs(t.Context(), d.Writer, []int64{7})
		require.NoError(t, err)
		require.Len(t, list, 1)
		if lost := mappingtest.ListEmpty(list[0], "Sources"); lost != nil { // from another domain
			t.Errorf("a group loses %v", lost)
		}
	})
}
