package feeschedules

import (
	"context"
	"database/sql"
	"net/http"
	"time"

	"wcpp/internal/identity/access"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/httpapi"
	"wcpp/internal/platform/problem"
)

// maxFailed is the maximum number of failed fee schedules shown.
const maxFailed = 50

// Failed lists the acting user's failed requests, newest first, up to 50. It omits those that were
// requested again or dismissed.
func (s *Service) Failed(ctx context.Context, a access.Actor) ([]Request, error) {
	return listFailed(ctx, s.db.Reader, a.Acting().ID, maxFailed)
}

// Retry repeats a failed request under the rules of RequestFile and returns the new request's id. A
// double click creates one request. It returns Conflict if the failed request was dismissed or
// repeated longer ago.
func (s *Service) Retry(ctx context.Context, a access.Actor, id int64) (int64, error) {
	r, err := s.findFailed(ctx, a, id)
	if err != nil {
		return 0, err
	}
	if !r.OverAt.IsZero() {
		same, err := recent(ctx, s.db.Reader, r, db.At(s.now().Add(-sameWithin)))
		return same, db.IfNotFound(err, problem.WithMessage(problem.Conflict,
			"This fee schedule was already requested again or dismissed. Search for its rate code to request it again."))
	}
	return s.RequestFile(ctx, a, a.Person.UserName, r)
}

// Dismiss hides a failed request. It is safe to repeat.
func (s *Service) Dismiss(ctx context.Context, a access.Actor, id int64) error {
	r, err := s.findFailed(ctx, a, id)
	if err != nil {
		return err
	}
	err = s.db.Tx(ctx, func(tx *sql.Tx) error {
		n, err := dismiss(ctx, tx, id, db.At(s.now()))
		if err != nil || n == 0 {
			return err
		}
		return s.audit.Record(ctx, tx, audit.Entry{Operation: "fee-schedule-dismiss", Subject: requestSubject(id), Result: "ok",
			Detail: r.NationalRateCode})
	})
	if err == nil {
		s.events.Publish(ctx, Topic(r.UserID))
	}
	return err
}

// findFailed returns one of the actor's permanently failed requests.
func (s *Service) findFailed(ctx context.Context, a access.Actor, id int64) (Request, error) {
	r, err := s.Find(ctx, a, id)
	if err == nil && r.Status != statuses.Failed {
		err = problem.New(problem.NotFound)
	}
	return r, err
}

// LostFeeSchedule is a failed fee schedule.
type LostFeeSchedule struct {
	ID             int64     `json:"id"`
	NationalRateCd string    `json:"nationalRateCd"`
	ProvLctnName   string    `json:"provLctnName"`
	LctnZipCd      string    `json:"lctnZipCd"`
	AskedAt        time.Time `json:"askedAt"`
}

// registerFailed adds the endpoints for failed requests.
func (s *Service) registerFailed(api *httpapi.API) {
	httpapi.Register(api, httpapi.Operation{
		ID: "lostFeeSchedules", Method: http.MethodGet, Path: "/feeSchedule/lost",
		Summary:     "List the acting user's failed fee schedules, newest first, up to 50",
		Description: "Listed until requested again or dismissed. notificationEvents announces changes.",
		Access:      "feeSchedules.lost", Effect: httpapi.Read, Background: true,
	}, func(ctx context.Context, _ *struct{}) (*httpapi.List[LostFeeSchedule], error) {
		list, err := s.Failed(ctx, access.From(ctx))
		return httpapi.NewList(list, func(r Request) LostFeeSchedule {
			return LostFeeSchedule{r.ID, r.NationalRateCode, r.LocationName, r.ZIP, r.CreatedAt.UTC()}
		}), err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "askFeeScheduleAgain", Method: http.MethodPost, Path: "/feeSchedule/lost/{id}/again",
		Summary: "Request a failed fee schedule again",
		Description: "Returns the ID of the new request, also for a second click. Returns 409 if it was dismissed or already requested " +
			"again.",
		Access: "feeSchedules.lost", Effect: httpapi.Write,
	}, func(ctx context.Context, in *struct {
		ID int64 `path:"id"`
	}) (*struct{ Body int64 }, error) {
		id, err := s.Retry(ctx, access.From(ctx), in.ID)
		return &struct{ Body int64 }{id}, err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "dismissFeeSchedule", Method: http.MethodPost, Path: "/feeSchedule/lost/{id}/dismiss", Summary: "Dismiss a failed fee schedule",
		Description: "Safe to repeat.",
		Access:      "feeSchedules.lost", Effect: httpapi.Write,
	}, func(ctx context.Context, in *struct {
		ID int64 `path:"id"`
	}) (*struct{}, error) {
		return nil, s.Dismiss(ctx, access.From(ctx), in.ID)
	})
}
