package httpapi

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/validation"

	"wcpp/internal/platform/problem"
)

// Problem is the body of all error responses.
type Problem struct {
	Status           int             `json:"status"`
	Code             string          `json:"code" doc:"Error code"`
	Message          string          `json:"message" doc:"Error message; the code alone if clients match codes"`
	LocalizedMessage string          `json:"localizedMessage" doc:"Same as message"`
	Fields           []problem.Field `json:"fields" nullable:"false" doc:"Errors of individual values"`
	Version          string          `json:"version,omitempty" doc:"With STALE: version to send to overwrite the changes in fields"`
	RequestID        string          `json:"requestId" doc:"Request ID in the server's log"`
	wait             time.Duration
	err              error
}

func (p *Problem) Error() string { return p.Message }

// GetStatus returns the HTTP status.
func (p *Problem) GetStatus() int { return p.Status }

// ContentType returns plain JSON, because clients match its message.
func (p *Problem) ContentType(string) string { return "application/json" }

// GetHeaders returns Retry-After.
func (p *Problem) GetHeaders() http.Header {
	wait := p.wait
	switch p.Status {
	case http.StatusTooManyRequests:
		wait = cmp.Or(wait, time.Minute)
	case http.StatusServiceUnavailable:
		wait = cmp.Or(wait, 10*time.Second)
	default:
		return nil
	}
	return http.Header{"Retry-After": {strconv.Itoa(max(1, int(math.Ceil(wait.Seconds()))))}}
}

// newProblem converts an error to a response with the request ID.
func newProblem(ctx context.Context, e *problem.Error) *Problem {
	fields := e.Fields
	if fields == nil {
		fields = []problem.Field{}
	}
	return &Problem{
		Status: e.Status(), Code: e.Code, Message: e.Message, LocalizedMessage: e.Message,
		Fields: fields, Version: e.Version, RequestID: RequestID(ctx), wait: e.Wait, err: e.Cause,
	}
}

func init() {
	// The same wording as in the browser and the domains.
	validation.MsgExpectedMaxLength = "Up to %d characters"
	validation.MsgExpectedMaxItems = "Up to %d entries"
	huma.NewErrorWithContext = func(hc huma.Context, status int, message string, errs ...error) huma.StatusError {
		var ctx context.Context
		if hc == nil { // only the schema is needed
			ctx = context.Background()
		} else {
			ctx = hc.Context()
		}
		return fromHuma(ctx, status, message, errs)
	}
	huma.NewError = func(status int, message string, errs ...error) huma.StatusError {
		return fromHuma(context.Background(), status, message, errs)
	}
}

// fromHuma converts huma's errors to Problem. The response doesn't repeat sent values.
func fromHuma(ctx context.Context, status int, message string, errs []error) *Problem {
	for _, err := range errs {
		var p *Problem
		if errors.As(err, &p) {
			return p
		}
	}
	kind := problem.Internal
	switch status {
	case http.StatusBadRequest, http.StatusUnprocessableEntity, http.StatusUnsupportedMediaType, http.StatusNotAcceptable:
		kind = problem.Invalid
	case http.StatusRequestEntityTooLarge:
		kind = problem.TooLarge
	case http.StatusRequestTimeout:
		kind = problem.Unavailable
	}
	e := problem.New(kind)
	if kind == problem.Invalid {
		e.Message = "The request isn't valid: " + message + "."
	}
	for _, err := range errs {
		var d huma.ErrorDetailer
		if !errors.As(err, &d) {
			continue
		}
		detail := d.ErrorDetail()
		path := strings.TrimPrefix(detail.Location, "body.")
		e.Fields = append(e.Fields, problem.Field{Path: path, Code: "INVALID", Message: detail.Message})
	}
	return newProblem(ctx, e)
}

// WriteProblem writes an error response outside of operations.
func WriteProblem(w http.ResponseWriter, r *http.Request, e *problem.Error) {
	p := newProblem(r.Context(), e)
	for k, v := range p.GetHeaders() {
		w.Header()[k] = v
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(p.Status)
	_ = json.NewEncoder(w).Encode(p) // the client is gone
}
