package administration

import (
	"testing"

	"wcpp/internal/access"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/users"
)

func TestQueriesUseIndexes(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		q := dbtest.Explaining(t, d)
		// A part of an address is the one search without an index; its answer is bounded.
		for name, find := range map[string]func() ([]users.User, error){
			"group of an administrator": func() ([]users.User, error) { return usersOfGroup(t.Context(), q, 1, 10) },
			"beginning of a name":       func() ([]users.User, error) { return usersByNamePrefix(t.Context(), q, "abc", access.PRUS, 10) },
			"address":                   func() ([]users.User, error) { return usersByEmail(t.Context(), q, "a@b.c", "", 10) },
			"TIN":                       func() ([]users.User, error) { return usersHolding(t.Context(), q, []int64{1, 2}, []int64{3}, "", 10) },
			"group":                     func() ([]users.User, error) { return usersInGroup(t.Context(), q, 1, access.PRUS, 10) },
			"ids":                       func() ([]users.User, error) { return usersByIDs(t.Context(), q, []int64{1, 2}, "", 10) },
			"names":                     func() ([]users.User, error) { return usersByNames(t.Context(), q, []string{"a", "b"}, "", 10) },
			"status":                    func() ([]users.User, error) { return usersByStatus(t.Context(), q, users.Active, "", 10) },
		} {
			if list, err := find(); err != nil || len(list) != 0 {
				t.Errorf("by %s: %d, %v", name, len(list), err)
			}
		}
		for name, find := range map[string]func() ([]FoundGroup, error){
			"ids":                 func() ([]FoundGroup, error) { return groupsByIDs(t.Context(), q, []int64{1, 2}) },
			"beginning of a name": func() ([]FoundGroup, error) { return groupsByUserName(t.Context(), q, "abc", 10) },
			"address":             func() ([]FoundGroup, error) { return groupsByEmail(t.Context(), q, "a@b.c", 10) },
		} {
			if list, err := find(); err != nil || len(list) != 0 {
				t.Errorf("groups by %s: %d, %v", name, len(list), err)
			}
		}
	})
}
