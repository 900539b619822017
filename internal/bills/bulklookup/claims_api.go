package bulklookup

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"wcpp/internal/identity/access"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/fileexport"
	"wcpp/internal/platform/httpapi"
	"wcpp/internal/platform/money"
)

// outcome is the outcome of a bill of an 837.
type outcome string

var outcomes = []outcome{Found, Different, Several, None, Unreadable}

// Schema describes the outcomes.
func (outcome) Schema(huma.Registry) *huma.Schema {
	return httpapi.Enum("different: on file with other values", outcomes...)
}

// claimDifference is a value that isn't the same on file.
type claimDifference struct {
	Field  string `json:"field" enum:"ftin,lastName,firstName,dates,charge"`
	Sent   string `json:"sent" doc:"As text. Amounts are in dollars"`
	OnFile string `json:"onFile"`
}

// sentClaim is a bill of an 837 with its result.
type sentClaim struct {
	Line             int               `json:"line" doc:"Position in the file, from 1"`
	Outcome          outcome           `json:"outcome"`
	Problem          string            `json:"problem" doc:"Why the bill can't be read. Empty otherwise"`
	Account          string            `json:"patientControlNumber" doc:"CLM01"`
	FTIN             string            `json:"ftin"`
	PatientFirstName string            `json:"patientFirstName"`
	PatientLastName  string            `json:"patientLastName"`
	BeginServiceDate date.Date         `json:"beginServiceDate" format:"date" nullable:"true"`
	EndServiceDate   date.Date         `json:"endServiceDate" format:"date" nullable:"true"`
	Charge           float64           `json:"charge" doc:"In dollars"`
	Matches          int               `json:"matches" doc:"100 means 100 or more"`
	Bills            []foundMany       `json:"bills" nullable:"false" doc:"Newest service first, up to 5"`
	Differences      []claimDifference `json:"differences" nullable:"false" doc:"Values of the only bill found that differ"`
}

// claimCount is the number of bills with an outcome.
type claimCount struct {
	Outcome outcome `json:"outcome"`
	Bills   int     `json:"bills"`
	Charges float64 `json:"charges" doc:"As sent, in dollars"`
}

// claimPage is a page of the bills of an 837.
type claimPage struct {
	Counts   []claimCount `json:"counts" nullable:"false" doc:"Every outcome"`
	AsOf     string       `json:"asOf" doc:"Date of the bill data, ISO 8601 in UTC. Empty before the first import"`
	Warnings []string     `json:"warnings" nullable:"false"`
	Rows     []sentClaim  `json:"rows" nullable:"false"`
	Count    int          `json:"count" doc:"Bills on all pages"`
}

// ClaimPage is a page of results.
type ClaimPage struct {
	claimResults
	Lines []ClaimLine
	Count int // on all pages
}

// ListClaims returns a page of the results of an 837, with any outcome if only is empty. It is audited
// first. A user who lost a TIN of its bills gets an error.
func (s *Service) ListClaims(ctx context.Context, a access.Actor, id string, only outcome, skip, limit int) (p ClaimPage, err error) {
	j, err := s.checkResult(ctx, a, id)
	if err == nil && !j.Claims {
		err = s.exports.ErrGone()
	}
	if err != nil {
		return p, err
	}
	if err := s.exports.Read(ctx, j.ID, outcomesName, &p.claimResults); err != nil {
		return p, err
	}
	var wanted []int
	for i, o := range p.Outcomes {
		if only == "" || outcome(o.Outcome) == only {
			wanted = append(wanted, i)
		}
	}
	p.Count = len(wanted)
	wanted = wanted[min(skip, len(wanted)):]
	wanted = wanted[:min(limit, len(wanted))]
	part, lines := -1, []ClaimLine(nil)
	for _, i := range wanted {
		if from := i - i%MaxLines; from != part {
			part, lines = from, nil
			if err := s.exports.Read(ctx, j.ID, fileexport.PartName(from), &lines); err != nil {
				return p, err
			}
		}
		p.Lines = append(p.Lines, lines[i-part])
	}
	opened := entry("findManyResult", j)
	opened.About = j.TINs
	return p, s.audit.RecordNow(ctx, opened)
}

func (s *Service) registerClaims(api *httpapi.API) {
	httpapi.Register(api, httpapi.Operation{
		ID: "findManyClaims", Method: http.MethodGet, Path: "/work/findMany/jobs/{id}/claims",
		Summary:     "List the bills of an 837 with their results",
		Description: "Returns 409 while the lookup runs, and 404 if you no longer have a TIN of its bills.",
		Access:      "work.find", Effect: httpapi.Read,
	}, func(ctx context.Context, in *struct {
		ID      string  `path:"id" maxLength:"40"`
		Outcome outcome `query:"outcome" doc:"All if missing"`
		Page    int     `query:"page" minimum:"0" maximum:"10000" doc:"From 0"`
		Size    int     `query:"pageSize" minimum:"1" maximum:"200" default:"50"`
	}) (*struct{ Body claimPage }, error) {
		p, err := s.ListClaims(ctx, access.From(ctx), in.ID, in.Outcome, in.Page*in.Size, in.Size)
		out := claimPage{Counts: countOutcomes(p.Outcomes), AsOf: p.AsOf, Warnings: append([]string{}, p.Warnings...),
			Rows: make([]sentClaim, len(p.Lines)), Count: p.Count}
		for i, l := range p.Lines {
			out.Rows[i] = wireClaim(l)
		}
		return &struct{ Body claimPage }{out}, err
	})
}

func countOutcomes(list []claimOutcome) []claimCount {
	counts := make([]claimCount, len(outcomes))
	for i, name := range outcomes {
		var charges int64
		for _, o := range list {
			if outcome(o.Outcome) == name {
				counts[i].Bills++
				charges += o.Charge
			}
		}
		counts[i].Outcome, counts[i].Charges = name, money.Of(charges)
	}
	return counts
}

func wireClaim(l ClaimLine) sentClaim {
	c := l.Sent
	out := sentClaim{
		Line: l.Number, Outcome: outcome(l.outcome()), Problem: c.Problem, Account: c.Account, FTIN: c.FTIN,
		PatientFirstName: c.FirstName, PatientLastName: c.LastName, BeginServiceDate: c.From, EndServiceDate: c.To,
		Charge: money.Of(c.Charge), Matches: l.Matches, Bills: make([]foundMany, len(l.Bills)),
		Differences: make([]claimDifference, len(l.Differs)),
	}
	for i, b := range l.Bills {
		out.Bills[i] = wireBill(b)
	}
	for i, d := range l.Differs {
		out.Differences[i] = claimDifference(d)
	}
	return out
}
