package rosters

import (
	"context"
	"net/http"
	"time"

	"wcpp/internal/access"
	"wcpp/internal/platform/httpapi"
	"wcpp/internal/platform/paging"
)

// DeskRoster is a roster as those who take it over see it.
type DeskRoster struct {
	ID              int64                `json:"id"`
	GroupID         int64                `json:"groupId" doc:"Portal user group that sent it"`
	Group           string               `json:"group"`
	Source          string               `json:"source"`
	ProviderGroup   string               `json:"providerGroup"`
	ProviderGroupID string               `json:"providerGroupId" doc:"The source's own"`
	UpdateType      string               `json:"updateType" enum:"full,delta"`
	SentAt          time.Time            `json:"sentAt"`
	SentBy          string               `json:"sentBy"`
	Receiving       RosterReceiving      `json:"receiving"`
	HandledBy       string               `json:"handledBy" doc:"Who gave it its state; empty of one that is new"`
	HandedAt        *time.Time           `json:"handedAt,omitempty" doc:"When it was handed over; absent where it was not"`
	Files           []RosterUploaded     `json:"files" nullable:"false"`
	Changes         *Compared            `json:"changes,omitempty" doc:"Against the last one of the provider group; absent where it could not be read whole"`
	Directory       *DeskRosterDirectory `json:"directory,omitempty" doc:"Absent where it cannot update the directory"`
}

// DeskRosterDirectory tells how far a roster is brought into the directory.
type DeskRosterDirectory struct {
	State   UpdateState `json:"state" enum:",WAITING,DONE" doc:"Empty: nobody has asked for it"`
	Rows    int         `json:"rows" doc:"That were taken"`
	Unknown int         `json:"unknown" doc:"Of them of providers whom the directory does not know: the registry brings them"`
	Ended   int         `json:"ended" doc:"What earlier rosters had told and this one does not"`
}

func (s *Service) received(r Received) DeskRoster {
	files := s.logOf(r.UploadLog).Files
	var directory *DeskRosterDirectory
	if s.directory != nil && complete(r.UpdateType, files) {
		directory = &DeskRosterDirectory{r.DirectoryState, r.DirectoryRows, r.DirectoryUnknown, r.DirectoryEnded}
	}
	return DeskRoster{
		ID: r.ID, GroupID: r.GroupID, Group: r.SenderName, Source: r.SourceName, ProviderGroup: r.GroupName, ProviderGroupID: r.SourceGroupNo,
		UpdateType: r.UpdateType, SentAt: r.UploadedAt.Time, SentBy: r.UploadedBy, HandledBy: r.HandledBy, HandedAt: r.HandedAt.OrNone(),
		Receiving: RosterReceiving{r.Handling, r.HandledAt.OrNone(), r.ReturnedFor}, Files: files, Changes: comparedOf(r), Directory: directory,
	}
}

// DeskRosterOpened is a roster with what the checks of its files found.
type DeskRosterOpened struct {
	Roster DeskRoster        `json:"roster"`
	Checks []RosterFileCheck `json:"checks" nullable:"false" doc:"Of each file, in their order"`
}

// DeskRosterChange is a provider whom a roster changed.
type DeskRosterChange struct {
	NPI    string `json:"npi"`
	Change Change `json:"change" enum:"ADDED,CHANGED,ENDED"`
}

// DeskRosterStep is what becomes of a roster.
type DeskRosterStep struct {
	From   Handling `json:"seen" enum:"NEW,TAKEN,DONE,RETURNED" doc:"The state that it takes the place of"`
	State  Handling `json:"state" enum:"NEW,TAKEN,DONE,RETURNED"`
	Reason string   `json:"reason,omitempty" doc:"Why it is sent back, for its sender; at most 500 characters and no numbers of nine digits"`
}

// registerReceiving adds the operations by which the network takes rosters over.
func (s *Service) registerReceiving(api *httpapi.API) {
	if !s.receives {
		return
	}
	const permission = "rosters.receive"
	httpapi.Register(api, httpapi.Operation{
		ID: "deskRosters", Method: http.MethodPost, Path: "/desk/rosters/page", Summary: "A page of the rosters that all groups sent",
		Description: "The newest first, unless they are sorted. Columns: sender, source, group, date, type, by, files, state.",
		Access:      permission, Effect: httpapi.Read,
	}, func(ctx context.Context, in *struct {
		Body struct {
			Table paging.Table `json:"table"`
		}
	}) (*struct {
		Body paging.Page[DeskRoster]
	}, error) {
		list, count, err := s.ReceivedPage(ctx, in.Body.Table)
		return &struct {
			Body paging.Page[DeskRoster]
		}{paging.PageOf(list, count, s.received)}, err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "deskRoster", Method: http.MethodGet, Path: "/desk/rosters/{id}", Summary: "A roster with what the checks of its files found",
		Access: permission, Effect: httpapi.Read,
	}, func(ctx context.Context, in *struct {
		ID int64 `path:"id" doc:"Roster"`
	}) (*struct{ Body DeskRosterOpened }, error) {
		r, err := s.Received(ctx, in.ID)
		out := &struct{ Body DeskRosterOpened }{DeskRosterOpened{Roster: s.received(r), Checks: make([]RosterFileCheck, len(r.Files))}}
		for i, f := range r.Files {
			out.Body.Checks[i] = checkOf(f.Name, reportOf(f), r.UpdateType)
		}
		return out, err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "deskRosterChanges", Method: http.MethodPost, Path: "/desk/rosters/{id}/changes", Summary: "A page of the providers whom a roster changed",
		Description: "By NPI, unless they are sorted. Columns: npi, change. The first roster of a provider group changes all and lists none.",
		Access:      permission, Effect: httpapi.Read,
	}, func(ctx context.Context, in *struct {
		ID   int64 `path:"id" doc:"Roster"`
		Body struct {
			Table paging.Table `json:"table"`
		}
	}) (*struct {
		Body paging.Page[DeskRosterChange]
	}, error) {
		list, count, err := s.Changes(ctx, in.ID, in.Body.Table)
		return &struct {
			Body paging.Page[DeskRosterChange]
		}{paging.PageOf(list, count, func(c ChangedProvider) DeskRosterChange { return DeskRosterChange(c) })}, err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "updateDirectoryByRoster", Method: http.MethodPost, Path: "/desk/rosters/{id}/directory", Summary: "Bring a complete full roster into the directory",
		Description: "Answers 409 with a sentence where it is not complete, not taken over, or not the last one of its provider group.",
		Access:      permission, Effect: httpapi.Write,
	}, func(ctx context.Context, in *struct {
		ID int64 `path:"id" doc:"Roster"`
	}) (*struct{}, error) {
		return nil, s.AskUpdate(ctx, in.ID)
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "handleRoster", Method: http.MethodPut, Path: "/desk/rosters/{id}", Summary: "Take a roster over, mark it as done, or send it back",
		Description: "Answers 409 when somebody has given it another state meanwhile. The sender of one that is sent back is mailed the reason.",
		Access:      permission, Effect: httpapi.Write,
	}, func(ctx context.Context, in *struct {
		ID   int64 `path:"id" doc:"Roster"`
		Body DeskRosterStep
	}) (*struct {
		Body struct {
			Mailed bool `json:"mailed" doc:"Whether the sender is told by mail: an account that has ended has none"`
		}
	}, error) {
		out := &struct {
			Body struct {
				Mailed bool `json:"mailed" doc:"Whether the sender is told by mail: an account that has ended has none"`
			}
		}{}
		var err error
		out.Body.Mailed, err = s.Handle(ctx, access.From(ctx), in.ID, Step{in.Body.From, in.Body.State, in.Body.Reason})
		return out, err
	})
}
