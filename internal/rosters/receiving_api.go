package rosters

import (
	"context"
	"net/http"
	"time"

	"wcpp/internal/identity/access"
	"wcpp/internal/platform/httpapi"
	"wcpp/internal/platform/paging"
)

// DeskRoster is a roster as network staff see it.
type DeskRoster struct {
	ID              int64                `json:"id"`
	GroupID         int64                `json:"groupId" doc:"Portal user group of the sender"`
	Group           string               `json:"group"`
	Source          string               `json:"source"`
	ProviderGroup   string               `json:"providerGroup"`
	ProviderGroupID string               `json:"providerGroupId" doc:"The source's ID"`
	UpdateType      string               `json:"updateType" enum:"full,delta"`
	SentAt          time.Time            `json:"sentAt"`
	SentBy          string               `json:"sentBy"`
	Receiving       RosterReceiving      `json:"receiving"`
	HandledBy       string               `json:"handledBy" doc:"Username that set its state. Empty for a new roster"`
	HandedAt        *time.Time           `json:"handedAt,omitempty" doc:"When it was delivered. Absent if it wasn't"`
	Files           []RosterUploaded     `json:"files" nullable:"false"`
	Changes         *Compared            `json:"changes,omitempty" doc:"Changes since the last roster. Absent if not fully readable"`
	Directory       *DeskRosterDirectory `json:"directory,omitempty" doc:"Absent if it can't update the directory"`
}

// DeskRosterDirectory is the progress of updating the directory from a roster.
type DeskRosterDirectory struct {
	State   UpdateState `json:"state" enum:",WAITING,DONE" doc:"Empty if not requested"`
	Rows    int         `json:"rows" doc:"Number of rows imported"`
	Unknown int         `json:"unknown" doc:"Rows of providers that aren't in the directory yet. NPPES adds them"`
	Ended   int         `json:"ended" doc:"Entries from earlier rosters that this one doesn't have"`
	Problem string      `json:"problem" doc:"Why the last update failed. Empty if none failed, or it was requested again"`
}

func (s *Service) toDeskRoster(r Received) DeskRoster {
	var directory *DeskRosterDirectory
	if s.directory != nil && (r.DirectoryState != NotAsked || r.isComplete()) {
		directory = &DeskRosterDirectory{r.DirectoryState, r.DirectoryRows, r.DirectoryUnknown, r.DirectoryEnded, r.explainStopped()}
	}
	return DeskRoster{
		ID: r.ID, GroupID: r.GroupID, Group: r.SenderName, Source: r.SourceName, ProviderGroup: r.GroupName,
		ProviderGroupID: r.SourceGroupNo,
		UpdateType:      r.UpdateType, SentAt: r.UploadedAt.Time, SentBy: r.UploadedBy, HandledBy: r.HandledBy,
		HandedAt:  r.HandedAt.OrNone(),
		Receiving: RosterReceiving{r.Handling, r.HandledAt.OrNone(), r.ReturnedFor}, Files: s.toUploadLog(r.UploadLog).Files,
		Changes:   toCompared(r),
		Directory: directory,
	}
}

// DeskRosterOpened is a roster with the check results of its files.
type DeskRosterOpened struct {
	Roster DeskRoster        `json:"roster"`
	Checks []RosterFileCheck `json:"checks" nullable:"false" doc:"Check results of each file, in order"`
}

// DeskRosterChange is a provider that a roster changed.
type DeskRosterChange struct {
	NPI    string `json:"npi"`
	Change Change `json:"change" enum:"ADDED,CHANGED,ENDED"`
}

// DeskRosterStep is a state change of a roster.
type DeskRosterStep struct {
	From   Handling `json:"seen" enum:"NEW,TAKEN,DONE,RETURNED" doc:"The state it replaces"`
	State  Handling `json:"state" enum:"NEW,TAKEN,DONE,RETURNED"`
	Reason string   `json:"reason,omitempty" doc:"Reason for the return, for the sender. Up to 500 characters, without 9-digit numbers"`
}

// registerReceiving adds the endpoints with which network staff process rosters.
func (s *Service) registerReceiving(api *httpapi.API) {
	if !s.receives {
		return
	}
	const permission = "rosters.receive"
	httpapi.Register(api, httpapi.Operation{
		ID: "deskRosters", Method: http.MethodPost, Path: "/desk/rosters/page", Summary: "List rosters sent by all groups",
		Description: "Newest first by default. Columns: sender, source, group, date, type, by, files, state.",
		Access:      permission, Effect: httpapi.Read,
	}, func(ctx context.Context, in *struct {
		Body struct {
			Table paging.Table `json:"table"`
		}
	}) (*paging.Answer[DeskRoster], error) {
		list, count, err := s.ReceivedPage(ctx, in.Body.Table)
		return paging.NewAnswer(list, count, s.toDeskRoster), err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "deskRoster", Method: http.MethodGet, Path: "/desk/rosters/{id}", Summary: "Get a roster and its check results",
		Access: permission, Effect: httpapi.Read, Background: true,
	}, func(ctx context.Context, in *struct {
		ID int64 `path:"id" doc:"Roster"`
	}) (*struct{ Body DeskRosterOpened }, error) {
		r, err := s.GetReceived(ctx, in.ID)
		out := &struct{ Body DeskRosterOpened }{DeskRosterOpened{Roster: s.toDeskRoster(r), Checks: make([]RosterFileCheck, len(r.Files))}}
		for i, f := range r.Files {
			out.Body.Checks[i] = toFileCheck(f.Name, readReport(f), r.UpdateType)
		}
		return out, err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "deskRosterChanges", Method: http.MethodPost, Path: "/desk/rosters/{id}/changes",
		Summary:     "List the providers changed by a roster",
		Description: "Sorted by NPI by default. Columns: npi, change. The first roster of a provider group lists none.",
		Access:      permission, Effect: httpapi.Read,
	}, func(ctx context.Context, in *struct {
		ID   int64 `path:"id" doc:"Roster"`
		Body struct {
			Table paging.Table `json:"table"`
		}
	}) (*paging.Answer[DeskRosterChange], error) {
		list, count, err := s.Changes(ctx, in.ID, in.Body.Table)
		return paging.NewAnswer(list, count, func(c DeskRosterChange) DeskRosterChange { return c }), err
	})
	s.registerHandling(api, permission)
}

// registerHandling adds the endpoints that change a roster's state, or the directory by it.
func (s *Service) registerHandling(api *httpapi.API, permission string) {
	httpapi.Register(api, httpapi.Operation{
		ID: "updateDirectoryByRoster", Method: http.MethodPost, Path: "/desk/rosters/{id}/directory",
		Summary:     "Update the directory from a full roster",
		Description: "Returns 409 with a message if it's incomplete, unclaimed or not the provider group's latest.",
		Access:      permission, Effect: httpapi.Write,
	}, func(ctx context.Context, in *struct {
		ID int64 `path:"id" doc:"Roster"`
	}) (*struct{}, error) {
		return nil, s.RequestUpdate(ctx, in.ID)
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "handleRoster", Method: http.MethodPut, Path: "/desk/rosters/{id}", Summary: "Claim a roster, mark it as done or return it",
		Description: "Returns 409 if someone else changed its state. Returning it emails the reason to the sender.",
		Access:      permission, Effect: httpapi.Write,
	}, func(ctx context.Context, in *struct {
		ID   int64 `path:"id" doc:"Roster"`
		Body DeskRosterStep
	}) (*struct {
		Body struct {
			Mailed bool `json:"mailed" doc:"True if the sender gets an email. Terminated accounts don't"`
		}
	}, error) {
		out := &struct {
			Body struct {
				Mailed bool `json:"mailed" doc:"True if the sender gets an email. Terminated accounts don't"`
			}
		}{}
		var err error
		out.Body.Mailed, err = s.Handle(ctx, access.From(ctx), in.ID, Step{in.Body.From, in.Body.State, in.Body.Reason})
		return out, err
	})
}
