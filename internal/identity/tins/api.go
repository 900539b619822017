package tins

import (
	"cmp"
	"context"
	"net/http"

	"wcpp/internal/identity/access"
	"wcpp/internal/platform/httpapi"
	"wcpp/internal/platform/module"
	"wcpp/internal/platform/retention"
	"wcpp/internal/platform/text"
)

// TIN is a tax ID of a user.
type TIN struct {
	FTIN string `json:"ftin" example:"123456789" doc:"Federal tax identification number, 9 digits"`
}

// GroupRecord is a tax ID of a group.
type GroupRecord struct {
	FTIN                string `json:"ftin"`
	AddedDate           string `json:"addedDate" format:"date-time"`
	LastUpdatedUserName string `json:"lastUpdatedUserName"`
}

// AssignedRecord is a tax ID of a group, and whether a user has it.
type AssignedRecord struct {
	FTIN        string `json:"ftin" pattern:"^[0-9]{9}$"`
	HasIt       bool   `json:"hasIt" doc:"Assigned to the user"`
	AddedDate   string `json:"addedDate,omitempty"`
	CreatedDate string `json:"createdDate,omitempty"`
	Version     string `json:"version,omitempty" maxLength:"100" doc:"Version of the list, same in each row; STALE if someone changed it"`
}

// ActingUser names the acting user. Any other name is rejected.
type ActingUser struct {
	UserName string `json:"userName,omitempty" maxLength:"50"`
}

// HolderRecord is a provider user to whom a TIN was assigned.
type HolderRecord struct {
	UserNm        string `json:"userNm"`
	UserFirstName string `json:"userFirstName"`
	UserLastName  string `json:"userLastName"`
}

// FTINList is a list of a group's TINs.
type FTINList struct {
	FTINs []string `json:"ftins" minItems:"1" maxItems:"1000" nullable:"false" doc:"TINs, 9 digits each"`
}

type done struct {
	Body string `enum:"success"`
}

type groupTIN struct {
	GroupID int64  `path:"groupId"`
	FTIN    string `path:"ftin" maxLength:"40"`
}

const activeOnly = "Active TINs only"

func toGroupRecord(t GroupTIN) GroupRecord {
	return GroupRecord{FTIN: t.FTIN, AddedDate: t.AddedAt.RFC3339(), LastUpdatedUserName: t.UpdatedBy}
}

func toHolderRecord(h Holder) HolderRecord {
	return HolderRecord{UserNm: h.UserName, UserFirstName: h.FirstName, UserLastName: h.LastName}
}

func toAssignedRecord(t Assigned) AssignedRecord {
	return AssignedRecord{FTIN: t.FTIN, HasIt: t.Has, AddedDate: t.AddedAt.RFC3339(), CreatedDate: t.AddedAt.RFC3339(), Version: t.Version}
}

// Module describes this domain to the program.
func (s *Service) Module() module.Module {
	return module.Module{Operations: s.Register, Retention: []retention.Item{
		retention.Forever("TIN assignments and decisions", "group_tins", "former_tins", "user_tins", "tin_sharings", "tin_sharing_holders"),
	}}
}

// Register adds the TIN endpoints.
func (s *Service) Register(api *httpapi.API) {
	s.registerReading(api)
	s.registerGroupChanges(api)
	s.registerHolders(api)
	s.registerNonNetwork(api)
	s.registerAssigning(api)
	s.registerSharing(api)
	s.registerDeciding(api)
	s.registerMany(api)
}

// registerReading adds the endpoints that list the TINs of users and groups.
func (s *Service) registerReading(api *httpapi.API) {
	httpapi.Register(api, httpapi.Operation{
		ID: "userFtins", Method: http.MethodGet, Path: "/ftin/userFtins/{user}", Summary: "List a user's TINs",
		Description: activeOnly + ".", Access: "tins.read", Effect: httpapi.Read, Background: true,
	}, func(ctx context.Context, in *struct {
		User       string `path:"user" maxLength:"200" doc:"Username; the mirrored user's while mirroring"`
		ActiveFlag bool   `query:"activeFlag"`
	}) (*httpapi.List[TIN], error) {
		list, err := s.ListForUser(ctx, access.From(ctx), in.User)
		return httpapi.NewList(list, func(ftin string) TIN { return TIN{FTIN: ftin} }), err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "groupFtins", Method: http.MethodGet, Path: "/ftin/groupFtins/{groupId}", Summary: "List a group's TINs, newest first",
		Description: activeOnly + ".", Access: "tins.list", Effect: httpapi.Read,
	}, func(ctx context.Context, in *struct {
		GroupID    int64 `path:"groupId"`
		ActiveFlag bool  `query:"activeFlag"`
	}) (*httpapi.List[GroupRecord], error) {
		list, err := s.ListByGroup(ctx, access.From(ctx), in.GroupID)
		return httpapi.NewList(list, toGroupRecord), err
	})
}

// registerGroupChanges adds the endpoints that add and remove a group's TINs.
func (s *Service) registerGroupChanges(api *httpapi.API) {
	httpapi.Register(api, httpapi.Operation{
		ID: "validateFtin", Method: http.MethodGet, Path: "/ftin/validateFtin/{ftin}",
		Summary: "Check whether a TIN and a bill control number or provider ID are on file",
		Description: "Returns VALID_FTIN_INVALID_BCN, INVALID_FTIN_BCN, VALID_FTIN_INVALID_CPDID, INVALID_FTIN_CPDID or " +
			"FTIN_RESTRICTED_FOR_REGISTRATION.",
		Access: "tins.manage", Effect: httpapi.Read,
	}, func(ctx context.Context, in *struct {
		FTIN  string `path:"ftin" maxLength:"40"`
		BCN   string `query:"bcn" maxLength:"40" doc:"Bill control number"`
		CPDID string `query:"cpdId" maxLength:"40" doc:"Provider ID"`
	}) (*done, error) {
		return &done{"success"}, s.Validate(ctx, access.From(ctx), text.TIN(in.FTIN), Proof{in.BCN, in.CPDID})
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "validateAndSaveFtin", Method: http.MethodPost, Path: "/ftin/validateandSaveFtin/{groupId}/{ftin}",
		Summary:     "Add a TIN to a group, with proof",
		Description: "Returns the same errors as validateFtin, or TIN_EXISTS_INTGRP.",
		Access:      "tins.manage", Effect: httpapi.Write,
	}, func(ctx context.Context, in *struct {
		GroupID int64  `path:"groupId"`
		FTIN    string `path:"ftin" maxLength:"40"`
		BCN     string `query:"bcn" maxLength:"40" doc:"Bill control number"`
		CPDID   string `query:"cpdId" maxLength:"40" doc:"Provider ID"`
	}) (*done, error) {
		return &done{"success"}, s.Add(ctx, access.From(ctx), in.GroupID, text.TIN(in.FTIN), Proof{in.BCN, in.CPDID})
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "addGroupFtin", Method: http.MethodPost, Path: "/ftin/groupFtins/{groupId}/{ftin}",
		Summary: "Add a TIN to a provider group without proof",
		Access:  "tins.add", Effect: httpapi.Write,
	}, func(ctx context.Context, in *groupTIN) (*done, error) {
		return &done{"success"}, s.AddUnproven(ctx, access.From(ctx), in.GroupID, text.TIN(in.FTIN))
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "removeGroupFtin", Method: http.MethodDelete, Path: "/ftin/groupFtins/{groupId}/{ftin}",
		Summary:     "Remove a TIN from a group and its users",
		Description: "The last TIN can't be removed.", Access: "tins.manage", Effect: httpapi.Write,
	}, func(ctx context.Context, in *struct {
		GroupID             int64  `path:"groupId"`
		FTIN                string `path:"ftin" maxLength:"40"`
		LastUpdatedUserName string `query:"lastUpdatedUserName" doc:"Must be the acting user"`
		Withdraw            bool   `query:"withdraw" doc:"Only cancel a pending review. 409 if the TIN is in use"`
	}) (*done, error) {
		a := access.From(ctx)
		if err := a.CheckName(in.LastUpdatedUserName); err != nil {
			return nil, err
		}
		return &done{"success"}, s.Remove(ctx, a, in.GroupID, in.FTIN, in.Withdraw)
	})
}

// registerHolders adds the endpoint that lists the users affected by removing TINs.
func (s *Service) registerHolders(api *httpapi.API) {
	httpapi.Register(api, httpapi.Operation{
		ID: "groupFtinHolders", Method: http.MethodPost, Path: "/ftin/groupFtins/{groupId}/holders",
		Summary:     "List a group's provider users who have any of the TINs",
		Description: "Sorted by first name, up to 1,000.",
		Access:      "tins.manage", Effect: httpapi.Read,
	}, func(ctx context.Context, in *struct {
		GroupID int64 `path:"groupId"`
		Body    FTINList
	}) (*httpapi.List[HolderRecord], error) {
		list, err := s.Holders(ctx, access.From(ctx), in.GroupID, in.Body.FTINs)
		return httpapi.NewList(list, toHolderRecord), err
	})
}

// registerNonNetwork adds the endpoints for TINs of non-network users.
func (s *Service) registerNonNetwork(api *httpapi.API) {
	httpapi.Register(api, httpapi.Operation{
		ID: "addNonNetworkFtin", Method: http.MethodPost, Path: "/ftin/nonNetworkGroupFtins/{groupId}/{ftin}",
		Summary:     "Add a TIN for a non-network user",
		Description: "Returns the same errors as validateNonNetworkFtin, or TIN_EXISTS_INTGRP.",
		Access:      "tins.add", Effect: httpapi.Write,
	}, func(ctx context.Context, in *struct {
		GroupID  int64       `path:"groupId"`
		FTIN     string      `path:"ftin" maxLength:"40"`
		UserName string      `query:"userName" doc:"Must be the acting user"`
		Body     *ActingUser `required:"false"`
	}) (*done, error) {
		a := access.From(ctx)
		named := in.UserName
		if in.Body != nil && in.Body.UserName != "" {
			named = in.Body.UserName
		}
		if err := a.CheckName(named); err != nil {
			return nil, err
		}
		return &done{"success"}, s.AddNonNetwork(ctx, a, in.GroupID, text.TIN(in.FTIN))
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "validateNonNetworkFtin", Method: http.MethodGet, Path: "/ftin/validateNonNetworkFtin/{ftin}",
		Summary:     "Check whether a non-network user can have a TIN",
		Description: "Returns INVALID_FTIN_IN_NETWORK, INVALID_FTIN_NO_BILLS_FOUND or FTIN_RESTRICTED_FOR_REGISTRATION.",
		Access:      "tins.nonNetwork", Effect: httpapi.Read,
	}, func(ctx context.Context, in *struct {
		FTIN string `path:"ftin" maxLength:"40"`
	}) (*done, error) {
		return &done{"success"}, s.CheckNonNetwork(ctx, text.TIN(in.FTIN))
	})
}

// registerAssigning adds the endpoints that assign a group's TINs to a user.
func (s *Service) registerAssigning(api *httpapi.API) {
	httpapi.Register(api, httpapi.Operation{
		ID: "managedUserFtins", Method: http.MethodGet, Path: "/ftin/managedUserFtins/{user}",
		Summary: "List the TINs of a user's group and which ones the user has",
		Access:  "tins.assigned", Effect: httpapi.Read,
	}, func(ctx context.Context, in *struct {
		User string `path:"user" maxLength:"200"`
	}) (*httpapi.List[AssignedRecord], error) {
		list, err := s.ListAssigned(ctx, access.From(ctx), in.User)
		return httpapi.NewList(list, toAssignedRecord), err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "saveManagedUserFtins", Method: http.MethodPost, Path: "/ftin/managedUserFtins/{user}",
		Summary: "Assign the marked TINs to a user",
		Access:  "tins.manage", Effect: httpapi.Write, MaxBytes: 1 << 20,
	}, func(ctx context.Context, in *struct {
		User string           `path:"user" maxLength:"200"`
		Body []AssignedRecord `maxItems:"5000" nullable:"false"`
	}) (*done, error) {
		marked, read := map[string]bool{}, ""
		for _, t := range in.Body {
			marked[t.FTIN] = t.HasIt
			read = cmp.Or(read, t.Version)
		}
		return &done{"success"}, s.Assign(ctx, access.From(ctx), in.User, marked, read)
	})
}
