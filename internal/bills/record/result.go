package record

import (
	"net/url"
	"strings"

	"wcpp/internal/bills/billstate"
	"wcpp/internal/bills/ledger/store"
	"wcpp/internal/bills/secondsystem"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/mapping"
)

// BillFields are in search results, on the page of a bill and in Open bills.
type BillFields struct {
	FTIN              string    `json:"ftin"`
	PatientFirstName  string    `json:"patientFirstName"`
	PatientMiddleName string    `json:"patientMiddleName"`
	PatientLastName   string    `json:"patientLastName"`
	BeginServiceDate  date.Date `json:"beginServiceDate" format:"date" nullable:"true"`
	BillControlNumber string    `json:"billControlNumber"`
	PayerName         string    `json:"payerName"`
}

// BillResult is a bill in a search result. Amounts are in dollars.
type BillResult struct {
	BillFields
	EndServiceDate       date.Date `json:"endServiceDate" format:"date" nullable:"true"`
	DocumentID           string    `json:"documentId"`
	BillCharges          *float64  `json:"billCharges"`
	RecommendedAllowance *float64  `json:"recommendedAllowance" doc:"Null if the bill wasn't repriced"`
	ClaimNumber          string    `json:"claimNumber"`
	PhysicianFirstName   string    `json:"physicianFirstName"`
	PhysicianMiddleName  string    `json:"physicianMiddleName"`
	PhysicianLastName    string    `json:"physicianLastName"`
	FacilityName         string    `json:"facilityName"`
	BillStatus           string    `json:"billStatus" doc:"0 paid, 1 received, 2 repriced, 3 paid after a correction, 4 denied, 9 void"`
	MitchBill            bool      `json:"mitchBill" doc:"True for a bill from the second bill system"`
	McpsBill             bool      `json:"mcpsBill" doc:"True if the bill has a pricing sheet instead of an EOR"`
	EOR                  bool      `json:"eor" doc:"True if the bill has an EOR"`
	ExID                 string    `json:"exId" doc:"The bill's ID in the second bill system"`
	BillImageURL         string    `json:"billImageUrl"`
	EORImageURL          string    `json:"eorImageUrl"`
	ForeignBillIDURL     string    `json:"foreignBillIdURL" doc:"Link to the bill on the payer's site, used when the EOR isn't available"`
	PaidAmount           *float64  `json:"paidAmount"`
	PaidDate             date.Date `json:"paidDate" format:"date" nullable:"true"`
	CheckNumber          string    `json:"checkNumber"`
	DateOfInjury         date.Date `json:"dateOfInjury" format:"date" nullable:"true"`
	PayerID              string    `json:"payerId"`

	State     string `json:"state,omitempty" enum:"denied,void,replaced" doc:"Why it won't be paid as submitted. Workspace only"`
	Page      string `json:"page,omitempty" doc:"ID of the bill's page. Only with the Workspace on"`
	BillingID string `json:"billingId" doc:"If set, the pricing sheet is available as lines of text, unless the network has the paper"`
}

// NumberPlaceholder is replaced by a bill's number in Settings.ForeignBillURL.
const NumberPlaceholder = "{billControlNumber}"

var (
	fromBill   = mapping.New[BillResult, Bill]()
	fromSecond = mapping.New[BillResult, secondsystem.Bill]()
)

// ResultColumns are the columns that NewResult reads.
func ResultColumns() *db.Table[Bill] {
	return store.Bills.WithFields(fromBill.Fields(), "pricing_sheet", "open_state", "replaced_by")
}

// NewResult returns a bill as searches and its page show it.
func (s *Service) NewResult(b Bill) (BillResult, error) {
	page, err := s.SealPage(b)
	if err != nil {
		return BillResult{}, err
	}
	r := BillResult{McpsBill: b.PricingSheet, BillImageURL: linkDocument(Image, page)}
	fromBill.Copy(&r, &b)
	r.EOR = b.EOR && !b.PricingSheet
	if s.settings.States {
		r.State, r.Page = ClosedState(b), page
	}
	if r.EOR {
		r.EORImageURL = linkDocument(EOR, page)
		r.ForeignBillIDURL = strings.ReplaceAll(s.settings.ForeignBillURL, NumberPlaceholder, escape(b.BillControlNumber))
	}
	return r, nil
}

// escape escapes a number for a path or a query. A plus sign means a space only in queries.
func escape(number string) string { return strings.ReplaceAll(url.QueryEscape(number), "+", "%20") }

// ClosedState returns why a bill is no longer open if it won't be paid.
func ClosedState(b Bill) string {
	switch {
	case b.OpenState == billstate.Denied:
		return billstate.NameDenied
	case b.OpenState == billstate.Void && b.ReplacedBy != "":
		return billstate.NameReplaced
	case b.OpenState == billstate.Void:
		return billstate.NameVoid
	default:
		return ""
	}
}

// SecondStates are the same states for bills of the second bill system.
var SecondStates = map[string]string{StatusDenied: billstate.NameDenied, StatusVoid: billstate.NameVoid}

// NewSecondResult returns a bill of the second bill system as searches and its page show it.
func (s *Service) NewSecondResult(b secondsystem.Bill) (BillResult, error) {
	id, err := s.SealDocument(DocumentID{Second, b.FTIN, b.ExID})
	if err != nil {
		return BillResult{}, err
	}
	r := BillResult{MitchBill: true}
	fromSecond.Copy(&r, &b)
	r.ExID = id
	if s.settings.States {
		r.State = SecondStates[b.BillStatus]
		if r.Page, err = s.SealSecond(b); err != nil {
			return r, err
		}
	}
	return r, nil
}
