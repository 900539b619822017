package tins

import (
	"context"
	"net/http"

	"wcpp/internal/access"
	"wcpp/internal/platform/httpapi"
	"wcpp/internal/platform/paging"
)

// AwaitedTIN is a TIN that a group has only after the review.
type AwaitedTIN struct {
	FTIN      string `json:"ftin"`
	AddedDate string `json:"addedDate" format:"date-time"`
	AddedBy   string `json:"addedBy" doc:"User name"`
}

// SharedTIN is a TIN of the own group that another group got, or asks for.
type SharedTIN struct {
	ID          string `json:"id"`
	FTIN        string `json:"ftin"`
	AddedDate   string `json:"addedDate" format:"date-time"`
	Office      string `json:"office" doc:"Name of the other group; empty unless a system administrator lets it be told"`
	StatusCd    string `json:"statusCd" enum:"WAITING,IN_USE,REFUSED,TAKEN,ENDED" doc:"WAITING: for the review; IN_USE: the other group has it; REFUSED: by the review; TAKEN: away, after an objection; ENDED: given up"`
	ObjectionCd string `json:"objectionCd" enum:",OPEN,DISMISSED,UPHELD" doc:"What became of the own group's objection; empty without one that waits or was decided"`
	Reason      string `json:"reason" doc:"Of the own group's objection"`
}

// TINObjection is an objection to a sharing.
type TINObjection struct {
	Reason string `json:"reason" doc:"At most 400 characters"`
}

// TINSharing is a TIN that a group got, or asks for, while others had it.
type TINSharing struct {
	ID                string             `json:"id"`
	FTIN              string             `json:"ftin"`
	GroupID           int64              `json:"groupId"`
	GroupName         string             `json:"groupName"`
	StatusCd          string             `json:"statusCd" enum:"WAITING,IN_USE,DISPUTED,REFUSED,TAKEN,ENDED" doc:"As SharedTIN; DISPUTED: in use, and an objection is open"`
	Named             bool               `json:"named" doc:"The holders may learn the name of the group"`
	AddedDate         string             `json:"addedDate" format:"date-time"`
	AddedBy           string             `json:"addedBy" doc:"User name"`
	BillControlNumber string             `json:"billControlNumber" doc:"The proof, or empty"`
	ProviderID        string             `json:"providerId" doc:"The proof, or empty; a system administrator needs none"`
	DecidedDate       string             `json:"decidedDate,omitempty" format:"date-time" doc:"When it was decided last"`
	DecidedBy         string             `json:"decidedBy" doc:"User name"`
	Holders           []TINSharingHolder `json:"holders" nullable:"false"`
}

// TINSharingHolder is a group that had the TIN, and its objection.
type TINSharingHolder struct {
	GroupID      int64  `json:"groupId"`
	GroupName    string `json:"groupName"`
	ObjectionCd  string `json:"objectionCd" enum:",OPEN,DISMISSED,UPHELD"`
	Reason       string `json:"reason"`
	ObjectedDate string `json:"objectedDate,omitempty" format:"date-time"`
	ObjectedBy   string `json:"objectedBy" doc:"User name"`
}

// TINSharingPage asks for a page of sharings.
type TINSharingPage struct {
	Undecided bool         `json:"undecided" doc:"Those that wait for a decision; else the rest"`
	Table     paging.Table `json:"table"`
}

// SharedTINPage asks for a page of the own group's.
type SharedTINPage struct {
	Table paging.Table `json:"table"`
}

// TINSharingDecision is what is decided about a sharing.
type TINSharingDecision struct {
	Decision string `json:"decision" doc:"approve or refuse what waits for the review; keep or take-away what is objected to"`
}

// TINSharingName tells whether the holders may learn the name of the group.
type TINSharingName struct {
	Named bool `json:"named"`
}

// UndecidedTINSharings are how many there are.
type UndecidedTINSharings struct {
	Count int `json:"count"`
}

func awaitedTIN(t Awaited) AwaitedTIN {
	return AwaitedTIN{FTIN: t.FTIN, AddedDate: t.AddedAt.RFC3339(), AddedBy: t.AddedBy}
}

func sharedTIN(t Shared) SharedTIN {
	return SharedTIN{
		ID: t.ID, FTIN: t.FTIN, AddedDate: t.AddedAt.RFC3339(), Office: t.Office,
		StatusCd: string(t.StatusCd), ObjectionCd: string(t.ObjectionCd), Reason: t.Reason,
	}
}

func tinSharing(s Sharing) TINSharing {
	out := TINSharing{
		ID: s.ID, FTIN: s.FTIN, GroupID: s.GroupID, GroupName: s.GroupName, StatusCd: string(s.StatusCd), Named: s.Named,
		AddedDate: s.AddedAt.RFC3339(), AddedBy: s.AddedBy, BillControlNumber: s.BillControlNumber, ProviderID: s.ProviderID,
		DecidedDate: s.DecidedAt.RFC3339(), DecidedBy: s.DecidedBy, Holders: make([]TINSharingHolder, len(s.Holders)),
	}
	for i, h := range s.Holders {
		out.Holders[i] = TINSharingHolder{
			GroupID: h.GroupID, GroupName: h.GroupName, ObjectionCd: string(h.ObjectionCd), Reason: h.Reason,
			ObjectedDate: h.ObjectedAt.RFC3339(), ObjectedBy: h.ObjectedBy,
		}
	}
	return out
}

// registerSharing adds the operations by which the holders of a TIN learn that
// another group got it, and object.
func (s *Service) registerSharing(api *httpapi.API) {
	httpapi.Register(api, httpapi.Operation{
		ID: "awaitedGroupFtins", Method: http.MethodGet, Path: "/ftin/groupFtins/{groupId}/awaited", Summary: "TINs that a group has only after the review, the newest first",
		Access: "tins.sharing", Effect: httpapi.Read,
	}, func(ctx context.Context, in *struct {
		GroupID int64 `path:"groupId"`
	}) (*httpapi.List[AwaitedTIN], error) {
		list, err := s.Awaited(ctx, access.From(ctx), in.GroupID)
		return httpapi.ListOf(list, awaitedTIN), err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "sharedFtins", Method: http.MethodPost, Path: "/ftin/shared/page", Summary: "A page of the own group's TINs that other groups got or ask for",
		Description: "The newest first. Of the other group nothing is told but its name, where a system administrator lets it be told.",
		Access:      "tins.sharing", Effect: httpapi.Read,
	}, func(ctx context.Context, in *struct{ Body SharedTINPage }) (*struct{ Body paging.Page[SharedTIN] }, error) {
		list, count, err := s.SharedPage(ctx, access.From(ctx), in.Body.Table)
		return &struct{ Body paging.Page[SharedTIN] }{paging.PageOf(list, count, sharedTIN)}, err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "objectToSharedFtin", Method: http.MethodPost, Path: "/ftin/shared/{id}/objection", Summary: "Object to another group's having a TIN",
		Description: "Once for each group. Nothing changes until it is decided. Refused with 409 where the other group does not have the TIN any more.",
		Access:      "tins.sharing", Effect: httpapi.Write,
	}, func(ctx context.Context, in *struct {
		ID   string `path:"id" maxLength:"40"`
		Body TINObjection
	}) (*struct{}, error) {
		return nil, s.Object(ctx, access.From(ctx), in.ID, in.Body.Reason)
	})
}

// registerDeciding adds the operations by which system administrators decide who
// shares a TIN.
func (s *Service) registerDeciding(api *httpapi.API) {
	httpapi.Register(api, httpapi.Operation{
		ID: "undecidedFtinSharings", Method: http.MethodGet, Path: "/ftin/sharings/undecided", Summary: "How many sharings of TINs wait for a decision",
		Access: "tins.decide", Effect: httpapi.Read, Background: true,
	}, func(ctx context.Context, _ *struct{}) (*struct{ Body UndecidedTINSharings }, error) {
		n, err := s.Undecided(ctx)
		return &struct{ Body UndecidedTINSharings }{UndecidedTINSharings{n}}, err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "ftinSharings", Method: http.MethodPost, Path: "/ftin/sharings/page", Summary: "A page of the TINs that groups got while others had them",
		Description: "The newest first, with the groups, the proofs and the objections.",
		Access:      "tins.decide", Effect: httpapi.Read,
	}, func(ctx context.Context, in *struct{ Body TINSharingPage }) (*struct{ Body paging.Page[TINSharing] }, error) {
		list, count, err := s.SharingPage(ctx, in.Body.Undecided, in.Body.Table)
		return &struct{ Body paging.Page[TINSharing] }{paging.PageOf(list, count, tinSharing)}, err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "decideFtinSharing", Method: http.MethodPost, Path: "/ftin/sharings/{id}/decision", Summary: "Decide who shares a TIN",
		Description: "To take it away removes the TIN from the group as removeGroupFtin does. The groups are told by mail. Refused with 409 where there is nothing to decide any more, or the group has no other TIN.",
		Access:      "tins.decide", Effect: httpapi.Write,
	}, func(ctx context.Context, in *struct {
		ID   string `path:"id" maxLength:"40"`
		Body TINSharingDecision
	}) (*struct{}, error) {
		return nil, s.Decide(ctx, access.From(ctx), in.ID, Decision(in.Body.Decision))
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "nameFtinSharing", Method: http.MethodPut, Path: "/ftin/sharings/{id}/name", Summary: "Let the holders learn the name of the group, or no longer",
		Access: "tins.decide", Effect: httpapi.Write,
	}, func(ctx context.Context, in *struct {
		ID   string `path:"id" maxLength:"40"`
		Body TINSharingName
	}) (*struct{}, error) {
		return nil, s.NameOffice(ctx, access.From(ctx), in.ID, in.Body.Named)
	})
}
