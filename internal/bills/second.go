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

// SecondBill is a bill as the second bill system answers it; amounts are
// decimal dollars.
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

// SecondSearch is what the second bill system is asked.
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

// SecondSystem asks the second bill system over HTTP:
//
//	POST {address}/bills/search        SecondSearch -> [SecondBill]
//	GET  {address}/bills/{exId}/image  -> {"url": "https://..."}
//	GET  {address}/bills/{exId}/eor    -> {"url": "https://..."}
type SecondSystem struct {
	address string
	key     string
	client  *http.Client
}

// NewSecondSystem makes the adapter; key, where given, is sent as bearer. Every
// call ends after the time limit, and goes by the transport that is given.
func NewSecondSystem(address, key string, limit time.Duration, transport http.RoundTripper) *SecondSystem {
	return &SecondSystem{address: address, key: key, client: &http.Client{
		Timeout:       limit,
		Transport:     transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// An answer beyond this is not read.
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
		// The address may hold what was searched for.
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

// asker fills what the second bill system is asked.
type asker interface{ ask(s *SecondSearch) }

// Search asks for the bills of the TINs.
func (s *SecondSystem) Search(ctx context.Context, tins []string, c asker) ([]SecondBill, error) {
	asked := SecondSearch{TINs: tins}
	c.ask(&asked)
	var found []SecondBill
	err := s.call(ctx, http.MethodPost, "/bills/search", asked, &found)
	return found, err
}

// Document asks for the address of a bill's image or EOR.
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
