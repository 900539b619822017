// Package secondsystem finds bills in the second bill system, over HTTP.
package secondsystem

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"wcpp/internal/platform/date"
	"wcpp/internal/platform/problem"
)

// Bill is a bill from the second bill system. Amounts are in dollars.
type Bill struct {
	FTIN                 string    `json:"ftin"`
	ExID                 string    `json:"exId"`
	BillControlNumber    string    `json:"billControlNumber"`
	DocumentID           string    `json:"documentId"`
	ClaimNumber          string    `json:"claimNumber"`
	PatientFirstName     string    `json:"patientFirstName"`
	PatientMiddleName    string    `json:"patientMiddleName"`
	PatientLastName      string    `json:"patientLastName"`
	BeginServiceDate     date.Date `json:"beginServiceDate"`
	EndServiceDate       date.Date `json:"endServiceDate"`
	DateOfInjury         date.Date `json:"dateOfInjury"`
	PhysicianFirstName   string    `json:"physicianFirstName"`
	PhysicianMiddleName  string    `json:"physicianMiddleName"`
	PhysicianLastName    string    `json:"physicianLastName"`
	FacilityName         string    `json:"facilityName"`
	BillCharges          *float64  `json:"billCharges"`
	RecommendedAllowance *float64  `json:"recommendedAllowance"`
	BillStatus           string    `json:"billStatus"`
	EOR                  bool      `json:"eor"`
	PaidAmount           *float64  `json:"paidAmount"`
	PaidDate             date.Date `json:"paidDate"`
	CheckNumber          string    `json:"checkNumber"`
	PayerID              string    `json:"payerId"`
	PayerName            string    `json:"payerName"`
}

// Number returns the bill control number, or else the bill's id in the second bill system.
func (b *Bill) Number() string { return cmp.Or(b.BillControlNumber, b.ExID) }

// Query is what to search for. Unused fields are empty. The portal's own searches take the same.
type Query struct {
	ClaimNumber         string    `json:"claimNumber,omitempty" maxLength:"40"`
	ClaimantFirstName   string    `json:"claimantFirstName,omitempty" maxLength:"40"`
	ClaimantLastName    string    `json:"claimantLastName,omitempty" maxLength:"40"`
	ClaimantDateOfBirth date.Date `json:"claimantDateOfBirth,omitempty" doc:"YYYY-MM-DD, or a timestamp"`
	BeginServiceDate    date.Date `json:"beginServiceDate,omitempty" doc:"YYYY-MM-DD, or a timestamp"`
	EndServiceDate      date.Date `json:"endServiceDate,omitempty" doc:"YYYY-MM-DD, or a timestamp"`
	BillControlNumber   string    `json:"billControlNumber,omitempty" maxLength:"22"`
	DocumentID          string    `json:"documentId,omitempty" maxLength:"50"`
}

// Search is a search request to the second bill system.
type Search struct {
	TINs []string `json:"tins"`
	Query
}

// ErrNoDocument is the error if the second bill system doesn't have the document of a bill.
var ErrNoDocument = errors.New("the second bill system has no such document")

// System is a client for the second bill system's HTTP API:
//
//	POST {address}/bills/search        Search -> [Bill]
//	GET  {address}/bills/{exId}/image  -> {"url": "https://..."}
//	GET  {address}/bills/{exId}/eor    -> {"url": "https://..."}
//
// A nil System has no bills.
type System struct {
	address string
	key     string
	client  *http.Client
}

// New creates the client. The key, if set, is sent as a bearer token. Every request uses the
// transport and has the time limit.
func New(address, key string, limit time.Duration, transport http.RoundTripper) *System {
	return &System{address: strings.TrimRight(address, "/"), key: key, client: &http.Client{
		Timeout:       limit,
		Transport:     transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// The maximum size of a response.
const maxAnswer = 8 << 20

func (s *System) call(ctx context.Context, method, path string, body, answer any) error {
	var sent io.Reader
	if body != nil {
		b, err := json.Marshal(body)
		if err != nil {
			return err
		}
		sent = bytes.NewReader(b)
	}
	req, err := http.NewRequestWithContext(ctx, method, s.address+path, sent)
	if err != nil {
		return err
	}
	req.Header.Set("Accept", "application/json")
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	if s.key != "" {
		req.Header.Set("Authorization", "Bearer "+s.key)
	}
	res, err := s.client.Do(req)
	if err != nil {
		// The URL may contain search criteria, so it's left out of the error.
		var u *url.Error
		if errors.As(err, &u) {
			err = u.Err
		}
		return fmt.Errorf("second bill system: %w", err)
	}
	defer res.Body.Close()
	if res.StatusCode == http.StatusNotFound {
		return ErrNoDocument
	}
	if res.StatusCode != http.StatusOK {
		return fmt.Errorf("second bill system: status %d", res.StatusCode)
	}
	if err := json.NewDecoder(io.LimitReader(res.Body, maxAnswer)).Decode(answer); err != nil {
		return fmt.Errorf("second bill system: read response: %w", err)
	}
	return nil
}

// Search returns the bills of the TINs. It drops results for other TINs.
func (s *System) Search(ctx context.Context, tins []string, q Query) ([]Bill, error) {
	if s == nil || len(tins) == 0 {
		return nil, nil
	}
	var found []Bill
	if err := s.call(ctx, http.MethodPost, "/bills/search", Search{tins, q}, &found); err != nil {
		return nil, problem.New(problem.Unavailable).WithCause(err)
	}
	return slices.DeleteFunc(found, func(b Bill) bool { return !slices.Contains(tins, b.FTIN) }), nil
}

// Document returns the URL of a bill's image or EOR.
func (s *System) Document(ctx context.Context, exID string, isEOR bool) (string, error) {
	kind := "image"
	if isEOR {
		kind = "eor"
	}
	var answer struct {
		URL string `json:"url"`
	}
	err := s.call(ctx, http.MethodGet, "/bills/"+url.PathEscape(exID)+"/"+kind, nil, &answer)
	return answer.URL, err
}
