package bills

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"

	"wcpp/internal/platform/date"
)

// SecondBill is a bill from the second bill system. Amounts are in dollars.
type SecondBill struct {
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

// SecondSearch is a search request to the second bill system.
type SecondSearch struct {
	TINs              []string  `json:"tins"`
	ClaimNumber       string    `json:"claimNumber,omitempty"`
	ClaimantFirstName string    `json:"claimantFirstName,omitempty"`
	ClaimantLastName  string    `json:"claimantLastName,omitempty"`
	ClaimantBirthDate date.Date `json:"claimantDateOfBirth,omitempty"`
	BeginServiceDate  date.Date `json:"beginServiceDate,omitempty"`
	EndServiceDate    date.Date `json:"endServiceDate,omitempty"`
	BillControlNumber string    `json:"billControlNumber,omitempty"`
	DocumentID        string    `json:"documentId,omitempty"`
}

var errNoDocument = errors.New("the second bill system has no such document")

// SecondSystem is a client for the second bill system's HTTP API:
//
//	POST {address}/bills/search        SecondSearch -> [SecondBill]
//	GET  {address}/bills/{exId}/image  -> {"url": "https://..."}
//	GET  {address}/bills/{exId}/eor    -> {"url": "https://..."}
type SecondSystem struct {
	address string
	key     string
	client  *http.Client
}

// NewSecondSystem creates the client. The key, if set, is sent as a bearer token. Every request
// uses the transport and has the time limit.
func NewSecondSystem(address, key string, limit time.Duration, transport http.RoundTripper) *SecondSystem {
	return &SecondSystem{address: address, key: key, client: &http.Client{
		Timeout:       limit,
		Transport:     transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// The maximum size of a response.
const maxAnswer = 8 << 20

func (s *SecondSystem) call(ctx context.Context, method, path string, body, answer any) error {
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
		return errNoDocument
	}
	if res.StatusCode != http.StatusOK {
		return fmt.Errorf("second bill system: status %d", res.StatusCode)
	}
	if err := json.NewDecoder(io.LimitReader(res.Body, maxAnswer)).Decode(answer); err != nil {
		return fmt.Errorf("second bill system: read response: %w", err)
	}
	return nil
}

// searchCriteria fills a search request to the second bill system.
type searchCriteria interface{ fillSearch(s *SecondSearch) }

// Search returns the bills of the TINs.
func (s *SecondSystem) Search(ctx context.Context, tins []string, c searchCriteria) ([]SecondBill, error) {
	asked := SecondSearch{TINs: tins}
	c.fillSearch(&asked)
	var found []SecondBill
	err := s.call(ctx, http.MethodPost, "/bills/search", asked, &found)
	return found, err
}

// Document returns the URL of a bill's image or EOR.
func (s *SecondSystem) Document(ctx context.Context, exID string, isEOR bool) (string, error) {
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
