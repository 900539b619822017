package cases

import (
	"context"
	"fmt"

	"wcpp/internal/identity/users"
	"wcpp/internal/platform/db"
)

// toDeskSummaries adds the names of the offices that asked and of the owners.
func (s *Service) toDeskSummaries(ctx context.Context, list []Case) ([]CaseSummary, error) {
	out := make([]CaseSummary, len(list))
	groups := make([]int64, len(list))
	owners := map[int64]string{0: ""}
	for i, c := range list {
		var err error
		if out[i], err = s.toSummary(Listed{Case: c}); err != nil {
			return nil, err
		}
		if _, known := owners[c.Owner]; !known {
			if owners[c.Owner], err = s.users.GetName(ctx, c.Owner); err != nil {
				return nil, err
			}
		}
		out[i].Owner, groups[i] = owners[c.Owner], c.Group
	}
	offices, err := nameOffices(ctx, s.users, groups)
	for i, group := range groups {
		out[i].Office = offices[group]
	}
	return out, err
}

// nameOffices returns the names of groups, or their numbers if they have none.
func nameOffices(ctx context.Context, accounts *users.Service, ids []int64) (map[int64]string, error) {
	found, err := accounts.Groups(ctx, ids)
	names := map[int64]string{}
	for _, g := range found {
		names[g.ID] = g.Name
		if g.Name == "" {
			names[g.ID] = fmt.Sprintf("Group %d", g.ID)
		}
	}
	return names, err
}

// AboutBill is a case about a bill, and the name of the office that asked.
type AboutBill struct {
	Case
	Office string
}

// ListAboutBill returns the cases of all offices about a bill that aren't ended, newest first. It's
// a function, because bill pages are built before the service.
func ListAboutBill(ctx context.Context, q db.Queryer, accounts *users.Service, ftin, bill string) ([]AboutBill, error) {
	found, err := listOpenAbout(ctx, q, ftin, bill)
	if err != nil || len(found) == 0 {
		return nil, err
	}
	groups := make([]int64, len(found))
	for i, c := range found {
		groups[i] = c.Group
	}
	offices, err := nameOffices(ctx, accounts, groups)
	list := make([]AboutBill, len(found))
	for i, c := range found {
		list[i] = AboutBill{c, offices[c.Group]}
	}
	return list, err
}
