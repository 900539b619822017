package openbills

import (
	"context"
	"net/http"

	"wcpp/internal/identity/access"
	"wcpp/internal/identity/users"
	"wcpp/internal/platform/httpapi"
)

// BillWork is the group's work on one bill, as a change of it names the versions.
type BillWork struct {
	Changed int64        `json:"changed" doc:"Last change of the bill. Send it when you mark the bill as done"`
	Work    OpenBillWork `json:"work"`
}

func (s *Service) registerOne(api *httpapi.API) {
	httpapi.Register(api, httpapi.Operation{
		ID: "billWork", Method: http.MethodGet, Path: "/work/bills/{id}/work", Summary: "Get your group's work on a bill",
		Description: "Other groups and mirroring staff can't see it.",
		Access:      "work.notes", Effect: httpapi.Read,
	}, func(ctx context.Context, in *struct {
		ID string `path:"id" maxLength:"400"`
	}) (*struct{ Body BillWork }, error) {
		w, assignee, changed, err := s.Work(ctx, access.From(ctx), in.ID)
		return &struct{ Body BillWork }{BillWork{changed, toOpenBillWork(w, assignee)}}, err
	})
}

// Work returns the group's work on a bill, its assignee and the bill's last change. A mark that a later
// change or day has ended is open, as in the list.
func (s *Service) Work(ctx context.Context, a access.Actor, page string) (w Work, assignee *users.User, changed int64, err error) {
	who := s.newRequester(a)
	b, err := s.FindBill(ctx, s.db.Reader, a, page, "")
	if err != nil || who.group == 0 {
		return w, nil, 0, err
	}
	if changed, err = lastChange(ctx, s.db.Reader, b.FTIN, b.Key); err != nil {
		return w, nil, 0, err
	}
	if w, err = findWork(ctx, s.db.Reader, who.group, b.FTIN, b.Key); err != nil {
		return w, nil, 0, err
	}
	people, err := s.loadColleagues(ctx, who.group)
	if err != nil {
		return w, nil, 0, err
	}
	assignee, err = s.findAssignee(ctx, people, w.AssignedTo)
	return w.withoutEndedMark(changed, who.today), assignee, changed, err
}
