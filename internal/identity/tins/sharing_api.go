package tins

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"wcpp/internal/identity/access"
	"wcpp/internal/platform/httpapi"
	"wcpp/internal/platform/paging"
)

// AwaitedTIN is a TIN pending review for a group.
type AwaitedTIN struct {
	FTIN      string `json:"ftin"`
	AddedDate string `json:"addedDate" format:"date-time"`
	AddedBy   string `json:"addedBy" doc:"Username"`
}

// Schema describes the statuses.
func (SharingStatus) Schema(huma.Registry) *huma.Schema {
	return httpapi.Enum("WAITING: pending review; IN_USE: the other group has it; REFUSED: denied in the review; TAKEN: revoked, or "+
		"removed by a system administrator; ENDED: withdrawn",
		SharingWaiting, SharingInUse, SharingDisputed, SharingRefused, SharingTaken, SharingEnded)
}

// SharedTIN is a TIN of the user's group that another group has or requests.
type SharedTIN struct {
	ID          string        `json:"id"`
	FTIN        string        `json:"ftin"`
	AddedDate   string        `json:"addedDate" format:"date-time"`
	Office      string        `json:"office" doc:"Other group's name; empty unless a system administrator shows it"`
	StatusCd    SharingStatus `json:"statusCd" enum:"WAITING,IN_USE,REFUSED,TAKEN,ENDED"`
	ObjectionCd string        `json:"objectionCd" enum:",OPEN,DISMISSED,UPHELD" doc:"Status of your group's objection; empty if none"`
	Reason      string        `json:"reason" doc:"Your group's objection"`
}

// TINObjection is an objection to a sharing.
type TINObjection struct {
	Reason string `json:"reason" doc:"Up to 400 characters"`
}

// TINSharing is a TIN that a group has or requests, and that others already had.
type TINSharing struct {
	ID                string        `json:"id"`
	FTIN              string        `json:"ftin"`
	GroupID           int64         `json:"groupId"`
	GroupName         string        `json:"groupName"`
	StatusCd          SharingStatus `json:"statusCd" doc:"Same as SharedTIN; DISPUTED: in use, with an open objection"`
	Named             bool          `json:"named" doc:"Holders can see the group's name"`
	AddedDate         string        `json:"addedDate" format:"date-time"`
	AddedBy           string        `json:"addedBy" doc:"Username"`
	BillControlNumber string        `json:"billControlNumber" doc:"Proof, or empty"`
	ProviderID        string        `json:"providerId" doc:"Proof, or empty; system administrators don't need it"`
	DecidedDate       string        `json:"decidedDate,omitempty" format:"date-time" doc:"Last decision"`
	DecidedBy         string        `json:"decidedBy" doc:"Username"`

	Holders []TINSharingHolder `json:"holders" nullable:"false"`
}

// TINSharingHolder is a group that already had the TIN, with its objection.
type TINSharingHolder struct {
	GroupID      int64  `json:"groupId"`
	GroupName    string `json:"groupName"`
	ObjectionCd  string `json:"objectionCd" enum:",OPEN,DISMISSED,UPHELD"`
	Reason       string `json:"reason"`
	ObjectedDate string `json:"objectedDate,omitempty" format:"date-time"`
	ObjectedBy   string `json:"objectedBy" doc:"Username"`
}

// TINSharingPage requests a page of sharings.
type TINSharingPage struct {
	Undecided bool         `json:"undecided" doc:"true for pending ones, false for the rest"`
	Table     paging.Table `json:"table"`
}

// SharedTINPage requests a page of sharings with the user's group.
type SharedTINPage struct {
	Table paging.Table `json:"table"`
}

// TINSharingDecision is a decision about a sharing.
type TINSharingDecision struct {
	Decision string `json:"decision" doc:"approve or refuse a pending TIN; keep or take-away one with an objection"`
}

// TINSharingName controls whether the holders can see the group's name.
type TINSharingName struct {
	Named bool `json:"named"`
}

// UndecidedTINSharings is the number of pending sharings.
type UndecidedTINSharings struct {
	Count int `json:"count"`
}

func toAwaitedTIN(t Pending) AwaitedTIN {
	return AwaitedTIN{FTIN: t.FTIN, AddedDate: t.AddedAt.RFC3339(), AddedBy: t.AddedBy}
}

func toSharedTIN(t Shared) SharedTIN {
	return SharedTIN{
		ID: t.ID, FTIN: t.FTIN, AddedDate: t.AddedAt.RFC3339(), Office: t.Office,
		StatusCd: t.StatusCd, ObjectionCd: string(t.ObjectionCd), Reason: t.Reason,
	}
}

func toTINSharing(s Sharing) TINSharing {
	out := TINSharing{
		ID: s.ID, FTIN: s.FTIN, GroupID: s.GroupID, GroupName: s.GroupName, StatusCd: s.StatusCd, Named: s.Named,
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

// registerSharing adds the endpoints where holders see who else has a TIN, and object.
func (s *Service) registerSharing(api *httpapi.API) {
	httpapi.Register(api, httpapi.Operation{
		ID: "awaitedGroupFtins", Method: http.MethodGet, Path: "/ftin/groupFtins/{groupId}/awaited",
		Summary: "List a group's TINs under review, newest first",
		Access:  "tins.sharing", Effect: httpapi.Read,
	}, func(ctx context.Context, in *struct {
		GroupID int64 `path:"groupId"`
	}) (*httpapi.List[AwaitedTIN], error) {
		list, err := s.ListPending(ctx, access.From(ctx), in.GroupID)
		return httpapi.NewList(list, toAwaitedTIN), err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "sharedFtins", Method: http.MethodPost, Path: "/ftin/shared/page",
		Summary:     "Get a page of your group's TINs that other groups have or requested",
		Description: "Newest first. Doesn't identify the other group, unless a system administrator shows its name.",
		Access:      "tins.sharing", Effect: httpapi.Read,
	}, func(ctx context.Context, in *struct{ Body SharedTINPage }) (*paging.Answer[SharedTIN], error) {
		list, count, err := s.SharedPage(ctx, access.From(ctx), in.Body.Table)
		return paging.NewAnswer(list, count, toSharedTIN), err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "objectToSharedFtin", Method: http.MethodPost, Path: "/ftin/shared/{id}/objection",
		Summary:     "Object to another group's use of a TIN",
		Description: "Once per group. Nothing changes until it's decided. Returns 409 if the other group no longer has the TIN.",
		Access:      "tins.sharing", Effect: httpapi.Write,
	}, func(ctx context.Context, in *struct {
		ID   string `path:"id" maxLength:"40"`
		Body TINObjection
	}) (*struct{}, error) {
		return nil, s.Object(ctx, access.From(ctx), in.ID, in.Body.Reason)
	})
}

// registerDeciding adds the endpoints where system administrators decide on sharings.
func (s *Service) registerDeciding(api *httpapi.API) {
	httpapi.Register(api, httpapi.Operation{
		ID: "undecidedFtinSharings", Method: http.MethodGet, Path: "/ftin/sharings/undecided",
		Summary: "Count shared TINs that need a decision",
		Access:  "tins.decide", Effect: httpapi.Read, Background: true,
	}, func(ctx context.Context, _ *struct{}) (*struct{ Body UndecidedTINSharings }, error) {
		n, err := s.CountUndecided(ctx)
		return &struct{ Body UndecidedTINSharings }{UndecidedTINSharings{n}}, err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "ftinSharings", Method: http.MethodPost, Path: "/ftin/sharings/page",
		Summary:     "Get a page of TINs that groups added while others had them",
		Description: "Newest first, with groups, proofs and objections.",
		Access:      "tins.decide", Effect: httpapi.Read,
	}, func(ctx context.Context, in *struct{ Body TINSharingPage }) (*paging.Answer[TINSharing], error) {
		list, count, err := s.SharingPage(ctx, in.Body.Undecided, in.Body.Table)
		return paging.NewAnswer(list, count, toTINSharing), err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "decideFtinSharing", Method: http.MethodPost, Path: "/ftin/sharings/{id}/decision", Summary: "Decide on a shared TIN",
		Description: "take-away removes the TIN from the group, as removeGroupFtin does. The groups are notified by email. Returns 409 " +
			"if there's nothing left to decide, or if it's the group's last TIN.",
		Access: "tins.decide", Effect: httpapi.Write,
	}, func(ctx context.Context, in *struct {
		ID   string `path:"id" maxLength:"40"`
		Body TINSharingDecision
	}) (*struct{}, error) {
		return nil, s.Decide(ctx, access.From(ctx), in.ID, Decision(in.Body.Decision))
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "nameFtinSharing", Method: http.MethodPut, Path: "/ftin/sharings/{id}/name",
		Summary: "Show or hide a group's name for TIN holders",
		Access:  "tins.decide", Effect: httpapi.Write,
	}, func(ctx context.Context, in *struct {
		ID   string `path:"id" maxLength:"40"`
		Body TINSharingName
	}) (*struct{}, error) {
		return nil, s.NameOffice(ctx, access.From(ctx), in.ID, in.Body.Named)
	})
}
