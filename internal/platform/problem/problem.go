// Package problem defines the errors of requests.
package problem

import (
	"errors"
	"fmt"
	"net/http"
	"time"
)

// Kind is the kind of an error. It determines the HTTP status.
type Kind int

// Kinds of errors. An error without a kind is Internal.
const (
	Internal Kind = iota
	Invalid
	Unauthenticated
	Forbidden
	NotFound
	Conflict
	TooLarge
	TooMany
	Unavailable
)

var kinds = map[Kind]struct {
	status  int
	code    string
	message string
}{
	Internal:        {http.StatusInternalServerError, "INTERNAL", "Something went wrong on our side. Please try again."},
	Invalid:         {http.StatusBadRequest, "INVALID", "The request isn't valid."},
	Unauthenticated: {http.StatusUnauthorized, "UNAUTHENTICATED", "Please sign in."},
	Forbidden:       {http.StatusForbidden, "FORBIDDEN", "You don't have permission to do this."},
	NotFound:        {http.StatusNotFound, "NOT_FOUND", "This doesn't exist, or you don't have permission to see it."},
	Conflict:        {http.StatusConflict, "CONFLICT", "Someone else changed this. Reload and try again."},
	TooLarge:        {http.StatusRequestEntityTooLarge, "TOO_LARGE", "This is too large."},
	TooMany:         {http.StatusTooManyRequests, "TOO_MANY", "Too many attempts. Wait a minute and try again."},
	Unavailable:     {http.StatusServiceUnavailable, "UNAVAILABLE", "This is temporarily unavailable. Try again later."},
}

// Field is a problem with one named value of the request.
type Field struct {
	Path    string  `json:"path" doc:"Value name, with dots between levels"`
	Code    string  `json:"code" doc:"Error code"`
	Message string  `json:"message" doc:"Explanation for the user"`
	Value   *string `json:"value,omitempty" doc:"CHANGED: someone else's value. ROSTER_ENDS_MANY: number to confirm. SENT: stored question"`
}

// Error is an error as the client sees it. Its cause is logged and never sent.
type Error struct {
	Kind    Kind
	Code    string
	Message string
	Fields  []Field
	Version string        // current version of the stored data, if the request had an older one
	Wait    time.Duration // until the next attempt; 0: the kind's default
	Cause   error
}

func (e *Error) Error() string {
	if e.Cause != nil {
		return fmt.Sprintf("%s: %v", e.Code, e.Cause)
	}
	return e.Code + ": " + e.Message
}

func (e *Error) Unwrap() error { return e.Cause }

// Status returns the HTTP status of the error's kind.
func (e *Error) Status() int { return kinds[e.Kind].status }

// New returns an error of a kind with the kind's own code and message.
func New(kind Kind) *Error {
	k := kinds[kind]
	return &Error{Kind: kind, Code: k.code, Message: k.message}
}

// WithMessage returns an error of a kind with its own message.
func WithMessage(kind Kind, message string) *Error {
	e := New(kind)
	e.Message = message
	return e
}

// RetryLater returns an error with its own message for too many attempts, with the time until the
// next one.
func RetryLater(wait time.Duration, message string) *Error {
	e := WithMessage(TooMany, message)
	e.Wait = wait
	return e
}

// WithCode returns an error with a bare code as its message, for endpoints whose clients match
// codes.
func WithCode(kind Kind, code string) *Error {
	return &Error{Kind: kind, Code: code, Message: code}
}

// CodeProof is the code of an operation that requires the user to reauthenticate.
const CodeProof = "PROOF_NEEDED"

// ProofRequired returns an error with CodeProof.
func ProofRequired() *Error {
	return &Error{Kind: Forbidden, Code: CodeProof, Message: "Your change wasn't saved. Confirm your identity and try again."}
}

// WithCause adds the cause, for the log only.
func (e *Error) WithCause(cause error) *Error {
	e.Cause = cause
	return e
}

// From finds the Error in a chain, or returns an Internal one.
func From(err error) *Error {
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	return New(Internal).WithCause(err)
}

// Is reports whether the error has the kind.
func Is(err error, kind Kind) bool {
	var e *Error
	return errors.As(err, &e) && e.Kind == kind
}
