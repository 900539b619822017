package desk

import (
	"context"
	"net/http"
	"time"

	"wcpp/internal/identity/access"
	"wcpp/internal/platform/httpapi"
	"wcpp/internal/platform/money"
)

// OfficeOpening names the office to open.
type OfficeOpening struct {
	ID int64 `json:"id" doc:"Group ID"`
}

// OfficeUser is a user of an office.
type OfficeUser struct {
	AnyPerson
	LastSignIn *time.Time `json:"lastSignIn,omitempty"`
}

// OpenBillsSum is the number of open bills and their total charges.
type OpenBillsSum struct {
	Name    string  `json:"name" enum:"received,priced,denied,short,takenBack,30,60,90,older,undated" doc:"Status, or maximum age in days"`
	Bills   int     `json:"bills"`
	Charges float64 `json:"charges" doc:"Decimal dollars"`
}

// OfficeChange is the latest change of a bill.
type OfficeChange struct {
	ID     string    `json:"id" doc:"ID of the bill's page"`
	FTIN   string    `json:"ftin"`
	Number string    `json:"number"`
	Change string    `json:"change" enum:"RECEIVED,PRICED,NOT_PRICED,REPRICED,PAID,PAID_SHORT,DENIED,REVERSED,VOIDED,REPLACED,DOCUMENT"`
	At     time.Time `json:"at"`
}

// OfficeMail is a failed email to a user of an office.
type OfficeMail struct {
	ID    int64     `json:"id"`
	To    string    `json:"to"`
	Kind  string    `json:"kind" doc:"Kind of email, such as registration"`
	Error string    `json:"error" doc:"Last response from the mail server"`
	At    time.Time `json:"at"`
}

// OfficeFileRequest is a fee schedule that a user of the office requested.
type OfficeFileRequest struct {
	RateCode string    `json:"rateCode"`
	Status   string    `json:"status" enum:"QUEUED,DONE,FAILED"`
	At       time.Time `json:"at"`
}

// OfficeRoster is a roster for an office.
type OfficeRoster struct {
	By    string    `json:"by" doc:"Username"`
	Type  string    `json:"type" enum:"full,delta"`
	Files int       `json:"files"`
	At    time.Time `json:"at"`
}

// OfficeNotice is a notification that users of an office received.
type OfficeNotice struct {
	Name   string    `json:"name"`
	Sent   int       `json:"sent" doc:"Total recipients"`
	Viewed int       `json:"viewed" doc:"Recipients who viewed it"`
	At     time.Time `json:"at"`
}

// OfficePage is an office as staff see it: up to 20 items of each kind and 50 Tax IDs.
type OfficePage struct {
	AnyOffice
	TINs       []string            `json:"tins" nullable:"false"`
	TINCount   int                 `json:"tinCount"`
	People     []OfficeUser        `json:"people" nullable:"false"`
	MorePeople bool                `json:"morePeople"`
	Open       []OpenBillsSum      `json:"open" nullable:"false" doc:"Open bills by status and age; only groups with bills"`
	Changes    []OfficeChange      `json:"changes" nullable:"false"`
	Mails      []OfficeMail        `json:"mails" nullable:"false"`
	Requests   []OfficeFileRequest `json:"requests" nullable:"false"`
	Rosters    []OfficeRoster      `json:"rosters" nullable:"false"`
	Notices    []OfficeNotice      `json:"notices" nullable:"false"`
	AsOf       time.Time           `json:"asOf"`
}

// maxTINs is the maximum number of Tax IDs on an office's card.
const maxTINs = 50

// ages are the names of the age ranges of open bills.
var ages = [...]string{"30", "60", "90", "older"}

func toOfficePage(c OfficeCard, now time.Time) OfficePage {
	out := OfficePage{
		AnyOffice: c.AnyOffice, TINs: c.TINs[:min(len(c.TINs), maxTINs)], TINCount: len(c.TINs), MorePeople: c.People.More,
		People: make([]OfficeUser, len(c.People.List)), Open: toOpenBillsSums(c.Open), Changes: make([]OfficeChange, len(c.Changes)),
		Mails: append([]OfficeMail{}, c.Mails...), Requests: append([]OfficeFileRequest{}, c.Requests...),
		Rosters: append([]OfficeRoster{}, c.Rosters...), Notices: append([]OfficeNotice{}, c.Notices...), AsOf: now.UTC(),
	}
	for i, p := range c.People.List {
		out.People[i].AnyPerson = p.AnyPerson
		if !p.LastSignIn.IsZero() {
			out.People[i].LastSignIn = &p.LastSignIn
		}
	}
	for i, b := range c.Changes {
		out.Changes[i] = OfficeChange{b.Page, b.FTIN, b.Number, b.Kind, b.At}
	}
	return out
}

func toOpenBillsSums(o OpenSums) []OpenBillsSum {
	list := []OpenBillsSum{}
	add := func(name string, s OpenSum) {
		if s.Bills > 0 {
			list = append(list, OpenBillsSum{name, s.Bills, money.Of(s.Charges)})
		}
	}
	for _, sum := range o.States {
		add(sum.State, sum)
	}
	for i, sum := range o.Ages {
		add(ages[i], sum)
	}
	add("undated", o.Undated)
	return list
}

// registerOffice adds the endpoint that opens an office's card.
func (s *Service) registerOffice(api *httpapi.API) {
	httpapi.Register(api, httpapi.Operation{
		ID: "deskGroup", Method: http.MethodPost, Path: "/desk/groups/open", Summary: "Get an office's card",
		Description: "Requires a support session. Access is recorded before data is read and is visible to the office's administrators.",
		Access:      "desk.open", Effect: httpapi.Read,
	}, func(ctx context.Context, in *struct{ Body OfficeOpening }) (*struct{ Body OfficePage }, error) {
		c, err := s.OpenOffice(ctx, access.From(ctx), in.Body.ID)
		return &struct{ Body OfficePage }{toOfficePage(c, s.now())}, err
	})
}
