package cases

import (
	"context"
	"fmt"
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
	offices, err := s.nameOffices(ctx, groups)
	for i, group := range groups {
		out[i].Office = offices[group]
	}
	return out, err
}

// nameOffices returns the names of groups, or their numbers if they have none.
func (s *Service) nameOffices(ctx context.Context, ids []int64) (map[int64]string, error) {
	found, err := s.users.Groups(ctx, ids)
	names := map[int64]string{}
	for _, g := range found {
		names[g.ID] = g.Name
		if g.Name == "" {
			names[g.ID] = fmt.Sprintf("Group %d", g.ID)
		}
	}
	return names, err
}
