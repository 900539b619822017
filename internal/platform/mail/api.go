package mail

import (
	"context"
	"net/http"

	"wcpp/internal/platform/httpapi"
	"wcpp/internal/platform/module"
	"wcpp/internal/platform/paging"
	"wcpp/internal/platform/retention"
)

// FailedMail is an email that didn't reach its server.
type FailedMail struct {
	ID        int64  `json:"id"`
	Kind      string `json:"kind" doc:"Kind of email, such as registration or reset"`
	To        string `json:"to"`
	Status    string `json:"status" enum:"waiting,failed" doc:"waiting: to be retried; failed: final"`
	Attempts  int    `json:"attempts"`
	Error     string `json:"error" doc:"Last response from the mail server"`
	CreatedAt string `json:"createdAt" format:"date-time"`
}

func toFailedMail(m Mail) FailedMail {
	return FailedMail{
		ID: m.ID, Kind: string(m.Kind), To: m.ToAddress, Status: m.Status, Attempts: m.Attempts, Error: m.LastError,
		CreatedAt: m.CreatedAt.RFC3339(),
	}
}

// GivenUpMails requests a page of failed emails.
type GivenUpMails struct {
	Table paging.Table `json:"table"`
}

// Module returns the outbox's module.
func (o *Outbox) Module() module.Module {
	return module.Module{Operations: o.Register, Cleanup: o.Cleanup,
		Retention: []retention.Item{
			retention.For(o.keepDays, "WCPP_MAIL_KEEP_DAYS", "Sent emails; failed emails stay", "mails").In("WCPP_DATA: mail/"),
		}}
}

// Register adds the operations for system administrators on failed emails.
func (o *Outbox) Register(api *httpapi.API) {
	httpapi.Register(api, httpapi.Operation{
		ID: "failedMails", Method: http.MethodGet, Path: "/mails/failed", Summary: "List failed emails",
		Access: "mails.manage", Effect: httpapi.Read, Background: true,
	}, func(ctx context.Context, _ *struct{}) (*httpapi.List[FailedMail], error) {
		list, err := o.Failed(ctx)
		return httpapi.NewList(list, toFailedMail), err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "givenUpMails", Method: http.MethodPost, Path: "/desk/queues/mails", Summary: "Get a page of failed emails, oldest first",
		Access: "queues.manage", Effect: httpapi.Read,
	}, func(ctx context.Context, in *struct{ Body GivenUpMails }) (*paging.Answer[FailedMail], error) {
		list, count, err := o.FailedPage(ctx, in.Body.Table)
		return paging.NewAnswer(list, count, toFailedMail), err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "resendMail", Method: http.MethodPost, Path: "/mails/{id}/resend", Summary: "Resend a failed email",
		Access: "mails.manage", Effect: httpapi.Write,
	}, func(ctx context.Context, in *struct {
		ID int64 `path:"id"`
	}) (*struct{}, error) {
		return nil, o.Retry(ctx, in.ID)
	})
}
