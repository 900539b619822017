package administration

import (
	"context"
	"net/http"
	"strconv"
	"strings"

	"wcpp/internal/identity/access"
	"wcpp/internal/identity/users"
	"wcpp/internal/platform/httpapi"
	"wcpp/internal/platform/paging"
	"wcpp/internal/platform/text"
	"wcpp/internal/platform/validate"
	"wcpp/internal/platform/version"
)

// GroupSearchPayload is the request body of the group search: one criterion.
type GroupSearchPayload struct {
	PortalUserGroupID  string `json:"portalUserGroupId,omitempty" maxLength:"14"`
	TaxIDNumber        string `json:"taxIdNumber,omitempty" maxLength:"40" doc:"9 digits; spaces and hyphens are ignored"`
	RosterHubSource    string `json:"rosterHubSource,omitempty" maxLength:"20" doc:"Source ID"`
	ProviderHubGroupID string `json:"providerHubGroupId,omitempty" maxLength:"14" doc:"Provider group of a source: its ID or hub number"`
	Username           string `json:"username,omitempty" maxLength:"50" doc:"First letters of a username, at least 3 characters"`
	EmailAddress       string `json:"emailAddress,omitempty" maxLength:"100" doc:"Full address, or a domain"`
}

func (p GroupSearchPayload) search() (GroupSearch, error) {
	q := GroupSearch{FTIN: text.TIN(p.TaxIDNumber), SourceGroup: text.Clean(p.ProviderHubGroupID), UserName: p.Username,
		Email: p.EmailAddress}
	for _, n := range []struct {
		field, text string
		into        *int64
	}{
		{"portalUserGroupId", p.PortalUserGroupID, &q.GroupID}, {"rosterHubSource", p.RosterHubSource, &q.SourceID},
	} {
		if n.text = strings.TrimSpace(n.text); n.text == "" {
			continue
		}
		var ok bool
		if *n.into, ok = parseID(n.text); !ok {
			return GroupSearch{}, validate.RefuseField(validate.MarkedFields, n.field, "Enter digits only.")
		}
	}
	return q, refuseLongTIN(q.FTIN, "taxIdNumber")
}

// PortalUserGroup is a row in the group search results.
type PortalUserGroup struct {
	GroupInfoID        int64          `json:"groupInfoId"`
	GroupName          string         `json:"groupName"`
	NameVersion        string         `json:"nameVersion,omitempty" doc:"Version of the group's name, to send when renaming it"`
	GroupTypeCd        string         `json:"groupTypeCd" enum:"ROS,PRV,NNW" doc:"Roster, provider or non-network group"`
	StatusCd           string         `json:"statusCd" enum:"ACTIV,INACT,LOCK,DISABL,PEND"`
	CreatedDate        string         `json:"createdDate"`
	GroupRosterSources []RosterSource `json:"groupRosterSources" nullable:"false" doc:"For a roster group"`
}

var groupTypeCodes = map[string]string{users.RosterGroup: "ROS", users.ProviderGroup: "PRV", users.NonNetworkGroup: "NNW"}

func toPortalUserGroup(g FoundGroup) PortalUserGroup {
	return PortalUserGroup{
		GroupInfoID: g.ID, GroupName: g.Name, NameVersion: version.Hash(nameFields(g.Name)), GroupTypeCd: groupTypeCodes[g.Kind],
		StatusCd: string(g.StatusCd), CreatedDate: g.CreatedAt.RFC3339(),
		GroupRosterSources: append([]RosterSource{}, g.Sources...),
	}
}

// GroupUse counts what would stop working if a group became inactive.
type GroupUse struct {
	Users       int `json:"users" doc:"Users whose accounts aren't terminated"`
	MaySignIn   int `json:"maySignIn"`
	Registering int `json:"registering" doc:"Users with a pending registration link"`
	SignedIn    int `json:"signedIn" doc:"Users signed in now"`
	Mailed      int `json:"mailed" doc:"Addresses that get bill updates by email"`
}

// GroupName is the name that staff use for a group.
type GroupName struct {
	GroupInfoID int64  `json:"groupInfoId"`
	GroupName   string `json:"groupName"`
}

// registerGroupDesk adds the endpoints for the screen of all groups.
func (s *Service) registerGroupDesk(api *httpapi.API) {
	httpapi.Register(api, httpapi.Operation{
		ID: "groupsPage", Method: http.MethodPost, Path: "/desk/groups", Summary: "Get a page of all groups",
		Description: "Sorted by name by default. Columns: id, name, type, status, created.",
		Access:      "groups.desk", Effect: httpapi.Read,
	}, func(ctx context.Context, in *struct {
		Body struct {
			Table paging.Table `json:"table"`
		}
	}) (*paging.Answer[PortalUserGroup], error) {
		list, count, err := s.GroupsPage(ctx, in.Body.Table)
		return paging.NewAnswer(list, count, toPortalUserGroup), err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "groupNames", Method: http.MethodPost, Path: "/desk/groups/names", Summary: "Get names of groups",
		Access: "groups.desk", Effect: httpapi.Read,
	}, func(ctx context.Context, in *struct {
		Body struct {
			GroupIDs []int64 `json:"groupIds" maxItems:"200" nullable:"false"`
		}
	}) (*httpapi.List[GroupName], error) {
		groups, err := s.accounts.Groups(ctx, in.Body.GroupIDs)
		return httpapi.NewList(groups, func(g users.Group) GroupName { return GroupName{g.ID, g.Name} }), err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "groupUse", Method: http.MethodGet, Path: "/desk/groups/{groupId}/use", Summary: "Get what a group has in use",
		Access: "groups.desk", Effect: httpapi.Read,
	}, func(ctx context.Context, in *struct {
		GroupID int64 `path:"groupId"`
	}) (*struct{ Body GroupUse }, error) {
		u, err := s.CountUsage(ctx, access.From(ctx), in.GroupID)
		return &struct{ Body GroupUse }{u}, err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "nameGroup", Method: http.MethodPut, Path: "/desk/groups/{groupId}/name", Summary: "Rename a group",
		Description: "After this, imports no longer change the name.",
		Access:      "groups.manage", Effect: httpapi.Write,
	}, func(ctx context.Context, in *struct {
		GroupID int64 `path:"groupId"`
		Body    struct {
			Name    string `json:"name" doc:"Up to 128 characters"`
			Version string `json:"version,omitempty" maxLength:"100" doc:"Version from the last read; STALE if someone else changed it"`
		}
	}) (*struct{}, error) {
		return nil, s.NameGroup(ctx, access.From(ctx), in.GroupID, in.Body.Name, in.Body.Version)
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "setGroupStatus", Method: http.MethodPut, Path: "/desk/groups/{groupId}/status", Summary: "Deactivate or reactivate a group",
		Description: "Users of an inactive group are signed out, can't sign in and get no email. All data is kept. Safe to repeat.",
		Access:      "groups.manage", Effect: httpapi.Write,
	}, func(ctx context.Context, in *struct {
		GroupID int64 `path:"groupId"`
		Body    struct {
			StatusCd string `json:"statusCd" doc:"ACTIV or INACT"`
		}
	}) (*struct{}, error) {
		return nil, s.SetGroupStatus(ctx, access.From(ctx), in.GroupID, users.GroupStatus(in.Body.StatusCd))
	})
}

func (s *Service) registerGroups(api *httpapi.API) {
	type rows struct {
		Body    []PortalUserGroup `nullable:"false"`
		Limited string            `header:"X-Limited-To" doc:"Number of results returned, if there are more"`
	}
	httpapi.Register(api, httpapi.Operation{
		ID: "groupList", Method: http.MethodPost, Path: "/admin/groupList", Summary: "Search user groups",
		Description: "By one criterion. Up to 1,000; X-Limited-To is set if there are more.",
		Access:      "groups.search", Effect: httpapi.Read,
	}, func(ctx context.Context, in *struct{ Body GroupSearchPayload }) (*rows, error) {
		q, err := in.Body.search()
		if err != nil {
			return nil, err
		}
		list, more, err := s.FindGroups(ctx, access.From(ctx), q)
		if err != nil {
			return nil, err
		}
		out := &rows{Body: make([]PortalUserGroup, len(list))}
		for i, g := range list {
			out.Body[i] = toPortalUserGroup(g)
		}
		if more {
			out.Limited = strconv.Itoa(maxFound)
		}
		return out, nil
	})
}
