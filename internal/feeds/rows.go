package feeds

import (
	"context"
	"database/sql"

	"wcpp/internal/platform/date"
)

// Bill is one bill as an 837 claim or a CSV row tells it. Money is in cents;
// the source of each field stands in docs/feeds.md.
type Bill struct {
	FTIN                 string
	BillControlNumber    string
	DocumentID           string
	PatientControlNumber string
	BillingID            string
	ClaimNumber          string
	OriginalReference    string // what a replacement or void names as the bill before it

	BillType      string // P professional, I institutional
	FrequencyCode string // 1 original, 7 replacement, 8 void
	Reporting     bool   // sent for the record, no payment follows

	PatientFirstName, PatientMiddleName, PatientLastName string
	PatientBirthDate                                     date.Date
	PatientGender                                        string // F, M, U or none

	BeginServiceDate, EndServiceDate date.Date
	DateOfInjury                     date.Date
	StateOfJurisdiction              string

	PhysicianFirstName, PhysicianMiddleName, PhysicianLastName, PhysicianNPI string
	FacilityName, FacilityNPI                                                string
	BillingName, BillingNPI                                                  string
	PayerID, PayerName                                                       string

	Charges         int64
	Allowance       *int64 // none: nobody repriced the bill
	RepricingMethod string
	RepricerID      string
	RejectReason    string // why the network did not price the bill

	Status       string // one of the Status constants
	EOR          bool   // there is an explanation of review
	PricingSheet bool

	PlaceOfService string // or the type of bill's first two digits
	Diagnoses      []string
	Lines          []Line

	// What a CSV row may tell of the payment; an 837 never does.
	PaidAmount  *int64
	PaidDate    date.Date
	CheckNumber string
}

// The states of a bill.
const (
	StatusPaid          = "0"
	StatusReceived      = "1"
	StatusPriced        = "2"
	StatusPaidCorrected = "3"
	StatusDenied        = "4"
	StatusVoid          = "9"
)

// Line is one service line of a bill.
type Line struct {
	Number          int       `json:"number"`
	Revenue         string    `json:"revenue,omitempty"`
	Procedure       string    `json:"procedure,omitempty"`
	Qualifier       string    `json:"qualifier,omitempty"` // the procedure's code list: HC, AD, NU
	Modifiers       []string  `json:"modifiers,omitempty"`
	Description     string    `json:"description,omitempty"`
	Charge          int64     `json:"charge"`
	Units           string    `json:"units,omitempty"`
	UnitBasis       string    `json:"unitBasis,omitempty"` // UN units, MJ minutes, DA days
	PlaceOfService  string    `json:"placeOfService,omitempty"`
	BeginDate       date.Date `json:"beginDate,omitempty"`
	EndDate         date.Date `json:"endDate,omitempty"`
	Allowance       *int64    `json:"allowance,omitempty"`
	RepricingMethod string    `json:"repricingMethod,omitempty"`
}

// Payment is what one CLP loop of an 835 says of one claim.
type Payment struct {
	FTIN                string // of the payee
	PayeeName, PayeeNPI string
	TraceNumber         string // of the check or the transfer
	Method              string // CHK, ACH, FWT, NON ...
	PaidDate            date.Date
	PayerID, PayerName  string

	// Occurrence numbers the claims of one 835 from 1: payers send several with
	// the same numbers.
	Occurrence            int
	PatientControlNumber  string
	PayerControlNumber    string
	RepricedClaimNumber   string
	ClaimStatus           string // CLP02
	Charge                int64
	Paid                  int64 // negative on a reversal
	PatientResponsibility int64
	FrequencyCode         string
	PlaceOfService        string

	PatientFirstName, PatientMiddleName, PatientLastName                     string
	PhysicianFirstName, PhysicianMiddleName, PhysicianLastName, PhysicianNPI string
	BeginServiceDate, EndServiceDate                                         date.Date

	Adjustments []Adjustment
	Lines       []PaidLine
}

// Denied tells that the payer refused the claim.
func (p Payment) Denied() bool { return p.ClaimStatus == "4" }

// Reversal tells that the payer takes an earlier payment back; the corrected
// claim usually follows in the same file.
func (p Payment) Reversal() bool { return p.ClaimStatus == "22" }

// NotPayment tells that no money is meant: the claim was passed on unprocessed
// (23) or only estimated (25).
func (p Payment) NotPayment() bool { return p.ClaimStatus == "23" || p.ClaimStatus == "25" }

// Bill is the bill as far as its payment tells it, for payments of bills that
// no 837 brought.
func (p Payment) Bill() Bill {
	b := Bill{
		FTIN: p.FTIN, PatientControlNumber: p.PatientControlNumber, DocumentID: p.PatientControlNumber,
		BillControlNumber: firstOf(p.RepricedClaimNumber, p.PayerControlNumber, p.PatientControlNumber),
		BillType:          "P", FrequencyCode: firstOf(p.FrequencyCode, "1"), PlaceOfService: p.PlaceOfService,
		PatientFirstName: p.PatientFirstName, PatientMiddleName: p.PatientMiddleName, PatientLastName: p.PatientLastName,
		BeginServiceDate: p.BeginServiceDate, EndServiceDate: p.EndServiceDate,
		PhysicianFirstName: p.PhysicianFirstName, PhysicianMiddleName: p.PhysicianMiddleName,
		PhysicianLastName: p.PhysicianLastName, PhysicianNPI: p.PhysicianNPI,
		FacilityName: p.PayeeName, FacilityNPI: p.PayeeNPI, BillingName: p.PayeeName, BillingNPI: p.PayeeNPI,
		PayerID: p.PayerID, PayerName: p.PayerName,
		Charges: p.Charge, Status: StatusReceived, EOR: true,
	}
	for _, l := range p.Lines {
		if l.Revenue != "" {
			b.BillType = "I"
		}
		b.Lines = append(b.Lines, Line{
			Number: l.Number, Revenue: l.Revenue, Procedure: l.Procedure, Qualifier: l.Qualifier, Modifiers: l.Modifiers,
			Charge: l.Charge, Units: l.Units, BeginDate: l.BeginDate, EndDate: l.EndDate, Allowance: l.Allowed,
		})
	}
	return b
}

// PaidLine is one service line of a payment.
type PaidLine struct {
	Number      int          `json:"number"`
	Revenue     string       `json:"revenue,omitempty"`
	Procedure   string       `json:"procedure,omitempty"`
	Qualifier   string       `json:"qualifier,omitempty"`
	Modifiers   []string     `json:"modifiers,omitempty"`
	Charge      int64        `json:"charge"`
	Paid        int64        `json:"paid"`
	Allowed     *int64       `json:"allowed,omitempty"`
	Units       string       `json:"units,omitempty"`
	BeginDate   date.Date    `json:"beginDate,omitempty"`
	EndDate     date.Date    `json:"endDate,omitempty"`
	Adjustments []Adjustment `json:"adjustments,omitempty"`
}

// Adjustment is why a payer paid other than what was charged.
type Adjustment struct {
	Group  string `json:"group"` // CO contractual, PR patient, OA other, PI payer
	Reason string `json:"reason"`
	Amount int64  `json:"amount"`
}

// Claim is a workers' compensation or auto claim.
type Claim struct {
	ClaimNumber, PayerID, PayerName     string
	ClaimantFirstName, ClaimantLastName string
	ClaimantBirthDate, DateOfInjury     date.Date
	StateOfJurisdiction                 string
	ClaimantGender                      string
}

// Group is a group of users.
type Group struct {
	ID   int64
	Name string
	Kind string // PROVIDER, NONNETWORK or ROSTER
}

// User is an account; a blank UserName asks for one to be assigned.
type User struct {
	UserName                         string
	FirstName, MiddleName, LastName  string
	Email, Phone                     string
	Type, Status                     string
	EmployeeID                       string
	GroupID                          int64 // 0: none
	AffiliationCode, AffiliationDesc string
	JobTitle, CompanyName            string
	CompanyURL                       string
}

// TIN is a tax ID of a group and, with a UserName, of that user in it.
type TIN struct {
	GroupID  int64
	FTIN     string
	UserName string
}

// Provider is a physician or facility under a tax ID.
type Provider struct {
	ProviderID, FTIN, Type, NPI     string
	FirstName, MiddleName, LastName string
	FacilityName, Specialty         string
	Address, City, State, ZIP       string
	Phone                           string
}

// Product is a network product of a line of business (WC or AUTO).
type Product struct{ LineOfBusiness, Code, Name string }

// Client is a payer in one product and state, with where its bills go.
type Client struct {
	ClientID, LineOfBusiness, ProductCode, State string
	Name, AffiliatedPayor                        string
	ECSName, ECSPhone, ECSPayorID                string // electronic claims
	BillAttention, BillAddress, BillPhone        string
}

// Participation is that a provider takes part in a product in a state.
type Participation struct {
	ProviderID, FTIN                   string
	LineOfBusiness, ProductCode, State string
	EffectiveDate, EndDate             date.Date
}

// Exclusion is that a client leaves a provider out of its network.
type Exclusion struct{ ClientID, ProviderID, FTIN string }

// RateCode is the national rate code that prices a provider's bills at a
// location.
type RateCode struct {
	ProviderID, FTIN, LineOfBusiness, NationalRateCode, ZIP string
	LocationName, LocationAddress, LocationDetails          string
}

// Allowance is what a rate code allows for a procedure, in cents.
type Allowance struct {
	NationalRateCode, ProcedureCode, Modifier, Description string
	Allowance                                              int64
	EffectiveDate, EndDate                                 date.Date
}

// ProviderPart is something about a provider, named by id or NPI: which of the
// parts it is decides what is read of it.
type ProviderPart struct {
	ProviderID, NPI string
	FTIN            string // of provider_tins and offices

	Description, Kind string // of specialties and office_details
	Rank              int64

	OfficeID, OfficeName string // of offices and office_details
	Primary, AcceptsWC   bool
	Address, Phone       string
	Fax, Email           string

	LicenseType, State, Number, Status string // of licenses
	IssueDate, ExpirationDate          date.Date

	Degrees, Gender, Languages, LinesOfBusiness string // of provider_details
	BirthDate                                   date.Date
}

// TaxonomyName is what a taxonomy code stands for.
type TaxonomyName struct{ Code, Description string }

// RosterSource is a system from which rosters come.
type RosterSource struct {
	SourceID int64
	Name     string
}

// RosterSourceGroup is a provider group that a source keeps.
type RosterSourceGroup struct {
	SourceGroupID, SourceID int64
	GroupID, Name           string
	Admin                   bool
}

// GroupSource is a roster source of a portal user group.
type GroupSource struct{ GroupID, SourceID int64 }

// Result is what became of one row.
type Result string

// The results a taker answers.
const (
	Taken     Result = "taken"
	Updated   Result = "updated"
	Unchanged Result = "unchanged"
	Rejected  Result = "rejected"
)

// Outcome is a taker's answer to one row. The reason of a refusal goes into
// reports and must not repeat a patient's values.
type Outcome struct {
	Kind   Result
	Reason string
}

// Taker stores rows inside the transaction given and answers one outcome for
// each, in order. Taking the same row again must change nothing.
type Taker[T any] func(ctx context.Context, tx *sql.Tx, rows []T) ([]Outcome, error)

// Takers are where the rows go: the areas that own them.
type Takers struct {
	Bills     Taker[Bill]
	Payments  Taker[Payment]
	Claims    Taker[Claim]
	Groups    Taker[Group]
	Users     Taker[User]
	TINs      Taker[TIN]
	Providers Taker[Provider]

	Products       Taker[Product]
	Clients        Taker[Client]
	Participations Taker[Participation]
	Exclusions     Taker[Exclusion]
	RateCodes      Taker[RateCode]
	Registered     Taker[Registered]
	Taxonomies     Taker[TaxonomyName]
	ProviderTINs   Taker[ProviderPart]
	Specialties    Taker[ProviderPart]
	Offices        Taker[ProviderPart]
	OfficeDetails  Taker[ProviderPart]
	Licenses       Taker[ProviderPart]
	Details        Taker[ProviderPart]
	Allowances     Taker[Allowance]

	RosterSources      Taker[RosterSource]
	RosterSourceGroups Taker[RosterSourceGroup]
	GroupSources       Taker[GroupSource]
}

func firstOf(values ...string) string {
	for _, v := range values {
		if v != "" {
			return v
		}
	}
	return ""
}
