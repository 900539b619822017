package administration

import (
	"context"
	"net/http"
	"strconv"
	"strings"

	"wcpp/internal/access"
	"wcpp/internal/platform/check"
	"wcpp/internal/platform/httpapi"
	"wcpp/internal/platform/text"
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
	GroupTypeCd        string         `json:"groupTypeCd" enum:"ROS,PRV,NNW" doc:"Roster, provider or non-network group"`
	StatusCd           string         `json:"statusCd" enum:"ACTIV,INACT,LOCK,DISABL,PEND"`
	CreatedDate        string         `json:"createdDate"`
	GroupRosterSources []RosterSource `json:"groupRosterSources" nullable:"false" doc:"Of a roster group"`
}

var groupTypeCodes = map[string]string{users.RosterGroup: "ROS", users.ProviderGroup: "PRV", users.NonNetworkGroup: "NNW"}

func groupRow(g FoundGroup) PortalUserGroup {
	return PortalUserGroup{
		GroupInfoID: g.ID, GroupName: g.Name, GroupTypeCd: groupTypeCodes[g.Kind], StatusCd: g.StatusCd, CreatedDate: instant(g.CreatedAt),
		GroupRosterSources: append([]RosterSource{}, g.Sources...),
	}
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
