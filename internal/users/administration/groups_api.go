package administration

import (
	"context"
	"net/http"
	"strconv"
	"strings"

	"wcpp/internal/access"
	"wcpp/internal/platform/check"
	"wcpp/internal/platform/httpapi"
	"wcpp/internal/platform/paging"
	"wcpp/internal/platform/text"
	"wcpp/internal/platform/version"
	"wcpp/internal/users"
)

// GroupSearchPayload is what the group search sends: one criterion.
type GroupSearchPayload struct {
	PortalUserGroupID  string `json:"portalUserGroupId,omitempty" maxLength:"14"`
	TaxIDNumber        string `json:"taxIdNumber,omitempty" maxLength:"40" doc:"Nine digits; blanks and hyphens in it do not count"`
	RosterHubSource    string `json:"rosterHubSource,omitempty" maxLength:"20" doc:"Source id"`
	ProviderHubGroupID string `json:"providerHubGroupId,omitempty" maxLength:"14" doc:"Provider group of a source: its own id, or the hub's number of it"`
	Username           string `json:"username,omitempty" maxLength:"50" doc:"Beginning of a user name, at least 3 characters"`
	EmailAddress       string `json:"emailAddress,omitempty" maxLength:"100" doc:"Whole address, or a domain"`
}

func (p GroupSearchPayload) search() (GroupSearch, error) {
	q := GroupSearch{FTIN: text.TIN(p.TaxIDNumber), SourceGroup: text.Clean(p.ProviderHubGroupID), UserName: p.Username, Email: p.EmailAddress}
	for _, n := range []struct {
		field, text string
		into        *int64
	}{
		{"portalUserGroupId", p.PortalUserGroupID, &q.GroupID}, {"rosterHubSource", p.RosterHubSource, &q.SourceID},
	} {
		if n.text = strings.TrimSpace(n.text); n.text == "" {
			continue
		}
		var err error
		if *n.into, err = strconv.ParseInt(n.text, 10, 64); err != nil || *n.into < 1 {
			return GroupSearch{}, check.RefuseField(check.MarkedFields, n.field, "Enter digits only.")
		}
	}
	return q, refuseLongTIN(q.FTIN, "taxIdNumber")
}

// PortalUserGroup is a row of the group search.
type PortalUserGroup struct {
	GroupInfoID        int64          `json:"groupInfoId"`
	GroupName          string         `json:"groupName"`
	NameVersion        string         `json:"nameVersion,omitempty" doc:"Of the group's name, to be sent with another name"`
	GroupTypeCd        string         `json:"groupTypeCd" enum:"ROS,PRV,NNW" doc:"Roster, provider or non-network group"`
	StatusCd           string         `json:"statusCd" enum:"ACTIV,INACT,LOCK,DISABL,PEND"`
	CreatedDate        string         `json:"createdDate"`
	GroupRosterSources []RosterSource `json:"groupRosterSources" nullable:"false" doc:"Of a roster group"`
}

var groupTypeCodes = map[string]string{users.RosterGroup: "ROS", users.ProviderGroup: "PRV", users.NonNetworkGroup: "NNW"}

func groupRow(g FoundGroup) PortalUserGroup {
	return PortalUserGroup{
		GroupInfoID: g.ID, GroupName: g.Name, NameVersion: version.Of(named(g.Name)), GroupTypeCd: groupTypeCodes[g.Kind], StatusCd: string(g.StatusCd), CreatedDate: g.CreatedAt.RFC3339(),
		GroupRosterSources: append([]RosterSource{}, g.Sources...),
	}
}

// GroupUse is what of a group is in use, and stops once the group is inactive.
type GroupUse struct {
	Users       int `json:"users" doc:"Whose accounts are not terminated"`
	MaySignIn   int `json:"maySignIn"`
	Registering int `json:"registering" doc:"Who were mailed a registration link"`
	SignedIn    int `json:"signedIn" doc:"Who are signed in now"`
	Mailed      int `json:"mailed" doc:"Addresses that get news on bills by mail"`
}

// GroupName is what staff know a group by.
type GroupName struct {
	GroupInfoID int64  `json:"groupInfoId"`
	GroupName   string `json:"groupName"`
}

// registerGroupDesk adds the operations of the screen of all groups.
func (s *Service) registerGroupDesk(api *httpapi.API) {
	httpapi.Register(api, httpapi.Operation{
		ID: "groupsPage", Method: http.MethodPost, Path: "/desk/groups", Summary: "A page of all groups",
		Description: "By name, unless they are sorted. Columns: id, name, type, status, created.",
		Access:      "groups.desk", Effect: httpapi.Read,
	}, func(ctx context.Context, in *struct {
		Body struct {
			Table paging.Table `json:"table"`
		}
	}) (*struct{ Body paging.Page[PortalUserGroup] }, error) {
		list, count, err := s.GroupsPage(ctx, in.Body.Table)
		return &struct{ Body paging.Page[PortalUserGroup] }{paging.PageOf(list, count, groupRow)}, err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "groupNames", Method: http.MethodPost, Path: "/desk/groups/names", Summary: "The names of groups",
		Access: "groups.desk", Effect: httpapi.Read,
	}, func(ctx context.Context, in *struct {
		Body struct {
			GroupIDs []int64 `json:"groupIds" maxItems:"200" nullable:"false"`
		}
	}) (*httpapi.List[GroupName], error) {
		groups, err := s.accounts.Groups(ctx, in.Body.GroupIDs)
		return httpapi.ListOf(groups, func(g users.Group) GroupName { return GroupName{g.ID, g.Name} }), err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "groupUse", Method: http.MethodGet, Path: "/desk/groups/{groupId}/use", Summary: "What of a group is in use, and stops once it is inactive",
		Access: "groups.desk", Effect: httpapi.Read,
	}, func(ctx context.Context, in *struct {
		GroupID int64 `path:"groupId"`
	}) (*struct{ Body GroupUse }, error) {
		u, err := s.UseOf(ctx, access.From(ctx), in.GroupID)
		return &struct{ Body GroupUse }{GroupUse(u)}, err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "nameGroup", Method: http.MethodPut, Path: "/desk/groups/{groupId}/name", Summary: "Give a group a name",
		Description: "Files that bring groups leave the name alone from then on.",
		Access:      "groups.manage", Effect: httpapi.Write,
	}, func(ctx context.Context, in *struct {
		GroupID int64 `path:"groupId"`
		Body    struct {
			Name    string `json:"name" doc:"At most 128 characters"`
			Version string `json:"version,omitempty" maxLength:"100" doc:"Of the group's name as it was read; refused with STALE where someone else has changed it since"`
		}
	}) (*struct{}, error) {
		return nil, s.NameGroup(ctx, access.From(ctx), in.GroupID, in.Body.Name, in.Body.Version)
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "setGroupStatus", Method: http.MethodPut, Path: "/desk/groups/{groupId}/status", Summary: "Make a group inactive, or active again",
		Description: "Nobody of an inactive group signs in or is mailed, and whoever is signed in is signed out; all it has is kept. Safe to repeat.",
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
		Limited string            `header:"X-Limited-To" doc:"How many are in the answer, when there are more"`
	}
	httpapi.Register(api, httpapi.Operation{
		ID: "groupList", Method: http.MethodPost, Path: "/admin/groupList", Summary: "Search portal user groups",
		Description: "By one criterion. At most 1,000; X-Limited-To tells when there are more.",
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
			out.Body[i] = groupRow(g)
		}
		if more {
			out.Limited = strconv.Itoa(mostFound)
		}
		return out, nil
	})
}
