package rosters

import (
	"context"
	"net/http"

	"wcpp/internal/identity/access"
	"wcpp/internal/platform/httpapi"
	"wcpp/internal/platform/module"
	"wcpp/internal/platform/retention"
)

// HubSource is a system that rosters come from.
type HubSource struct {
	SourceID   int64  `json:"sourceId"`
	SourceName string `json:"sourceName"`
}

// HubSourceGroup is a provider group of a source.
type HubSourceGroup struct {
	SourceGroupID  int64  `json:"sourceGroupId" doc:"Provider Hub Provider Group ID"`
	GrpName        string `json:"grpName"`
	GrpID          string `json:"grpId" doc:"The source's ID of the group"`
	SourceID       int64  `json:"sourceId"`
	AdminGroupFlag string `json:"adminGroupFlag" enum:"Y,N"`
}

func hubSource(s Source) HubSource { return HubSource{s.SourceID, s.Name} }

func hubSourceGroup(g SourceGroup) HubSourceGroup {
	flag := "N"
	if g.IsAdmin {
		flag = "Y"
	}
	return HubSourceGroup{g.SourceGroupID, g.Name, g.GroupID, g.SourceID, flag}
}

type portalGroup struct {
	ID int64 `path:"id" doc:"Portal user group"`
}

// Module describes this domain to the program.
func (s *Service) Module() module.Module {
	return module.Module{Operations: s.Register, Jobs: s.registerJobs, Cleanup: s.Cleanup, Retention: []retention.Item{
		retention.Forever("Roster sources, their groups and the contents of each group's last roster", "roster_sources",
			"roster_source_groups", "group_roster_sources", "roster_providers"),
		retention.For(s.settings.RosterKeepDays, "WCPP_ROSTER_KEEP_DAYS", "Sent rosters after the network has processed them",
			"roster_uploads",
			"roster_files", "roster_changes").In("rosters/"),
		retention.Until("1 hour", "Roster files that were checked but not sent", "roster_checks").In("roster-checks/").
			If(func(ctx context.Context, names []string) ([]string, error) {
				return checksAmong(ctx, s.db.Reader, names)
			}),
	}}
}

// Register adds the roster endpoints.
func (s *Service) Register(api *httpapi.API) {
	s.registerUploads(api)
	s.registerReceiving(api)
	httpapi.Register(api, httpapi.Operation{
		ID: "rosterSources", Method: http.MethodGet, Path: "/roster/sources", Summary: "List all roster hub sources by name",
		Access: "rosters.sources", Effect: httpapi.Read,
	}, func(ctx context.Context, _ *struct{}) (*httpapi.List[HubSource], error) {
		list, err := s.Sources(ctx)
		return httpapi.NewList(list, hubSource), err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "rosterSourceGroups", Method: http.MethodGet, Path: "/roster/sourceGroups",
		Summary: "List the provider groups of all sources by name",
		Access:  "rosters.sources", Effect: httpapi.Read,
	}, func(ctx context.Context, _ *struct{}) (*httpapi.List[HubSourceGroup], error) {
		list, err := s.SourceGroups(ctx)
		return httpapi.NewList(list, hubSourceGroup), err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "rosterSourcesOfGroup", Method: http.MethodGet, Path: "/roster/source/group/{id}",
		Summary: "List the source IDs of a portal user group",
		Access:  "rosters.sources", Effect: httpapi.Read,
	}, func(ctx context.Context, in *portalGroup) (*httpapi.List[int64], error) {
		list, err := s.ListSources(ctx, access.From(ctx), in.ID)
		return httpapi.NewList(list, func(s Source) int64 { return s.SourceID }), err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "rosterSourceGroupsOfGroup", Method: http.MethodGet, Path: "/roster/sourceGroup/{id}",
		Summary: "List the provider groups of a portal user group's sources by name",
		Access:  "rosters.sources", Effect: httpapi.Read,
	}, func(ctx context.Context, in *portalGroup) (*httpapi.List[HubSourceGroup], error) {
		list, err := s.ListSourceGroups(ctx, access.From(ctx), in.ID)
		return httpapi.NewList(list, hubSourceGroup), err
	})
	type change struct {
		GroupID  int64 `query:"groupId" required:"true" doc:"Portal user group of roster users"`
		SourceID int64 `query:"sourceId" required:"true"`
	}
	httpapi.Register(api, httpapi.Operation{
		ID: "addRosterSource", Method: http.MethodPost, Path: "/roster/user/group/addSource", Summary: "Add a source to a roster group",
		Description: "Returns 409 with a message if the group already has the source.",
		Access:      "rosters.manage", Effect: httpapi.Write,
	}, func(ctx context.Context, in *change) (*struct{}, error) {
		return nil, s.AddSource(ctx, access.From(ctx), in.GroupID, in.SourceID)
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "removeRosterSource", Method: http.MethodPost, Path: "/roster/user/group/removeSource",
		Summary:     "Remove a source from a roster group",
		Description: "Removing a source that the group doesn't have isn't an error.",
		Access:      "rosters.manage", Effect: httpapi.Write,
	}, func(ctx context.Context, in *change) (*struct{}, error) {
		return nil, s.RemoveSource(ctx, access.From(ctx), in.GroupID, in.SourceID)
	})
}
