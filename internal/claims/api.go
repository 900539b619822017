package claims

import (
	"context"
	"encoding/json"
	"net/http"
	"reflect"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/riverqueue/river"

	"wcpp/internal/platform/date"
	"wcpp/internal/platform/httpapi"
	"wcpp/internal/platform/jobs"
	"wcpp/internal/platform/module"
	"wcpp/internal/platform/ratelimit"
	"wcpp/internal/platform/retention"
	"wcpp/internal/platform/validate"
)

// ClaimSearchPayload is the request body of Claim Search.
type ClaimSearchPayload struct {
	ClaimantFirstName string    `json:"claimantFirstName" maxLength:"400"`
	ClaimantLastName  string    `json:"claimantLastName" maxLength:"400"`
	ClaimantDOB       date.Date `json:"claimantDOB" doc:"Date of birth, YYYY-MM-DD or a timestamp"`
	DOI               date.Date `json:"doi" doc:"Date of injury, YYYY-MM-DD or a timestamp"`
	WildCardFstName   string    `json:"wildCardFstName,omitempty" enum:"Y,N" doc:"Y if the first name is a prefix"`
}

func (p ClaimSearchPayload) search() Search {
	return Search{
		FirstName: p.ClaimantFirstName, LastName: p.ClaimantLastName, BirthDate: p.ClaimantDOB, DateOfInjury: p.DOI,
		Wildcard: p.WildCardFstName == "Y",
	}
}

// ClaimResult is a claim.
type ClaimResult struct {
	ClaimNumber         string    `json:"claimNumber"`
	ClaimantFirstName   string    `json:"claimantFirstName"`
	ClaimantLastName    string    `json:"claimantLastName"`
	ClaimantDOB         date.Date `json:"claimantDOB"`
	ClaimantDOI         date.Date `json:"claimantDOI"`
	StateOfJurisdiction string    `json:"stateOfJurisdiction"`
	ClaimantGender      string    `json:"claimantGender"`
}

func toClaimResult(c Claim) ClaimResult {
	return ClaimResult{
		ClaimNumber: c.ClaimNumber, ClaimantFirstName: c.ClaimantFirstName, ClaimantLastName: c.ClaimantLastName,
		ClaimantDOB: c.ClaimantBirthDate, ClaimantDOI: c.DateOfInjury, StateOfJurisdiction: c.StateOfJurisdiction,
		ClaimantGender: c.ClaimantGender,
	}
}

// ClaimMessage is returned when claims can't be shown.
type ClaimMessage struct {
	ResultMessage string `json:"resultMessage" doc:"Reason there are no results"`
}

// Answer is a list of claims, or a message instead.
type Answer struct {
	claims  []ClaimResult
	message string
}

// MarshalJSON writes the plain list, or the message.
func (a Answer) MarshalJSON() ([]byte, error) {
	if a.message != "" {
		return json.Marshal(ClaimMessage{a.message})
	}
	return json.Marshal(a.claims)
}

// Schema describes both forms.
func (Answer) Schema(r huma.Registry) *huma.Schema {
	list := huma.SchemaFromType(r, reflect.TypeFor[[]ClaimResult]())
	list.Nullable = false
	return &huma.Schema{OneOf: []*huma.Schema{list, r.Schema(reflect.TypeFor[ClaimMessage](), true, "Message")}}
}

// wireNames are the names that the screens use for the search criteria.
var wireNames = validate.Names{
	"first_name": "claimantFirstName", "last_name": "claimantLastName", "birth_date": "claimantDOB", "date_of_injury": "doi",
}

// nameArgs are the arguments of the job that adds name keys to older claims.
type nameArgs struct{}

// Kind returns the job kind.
func (nameArgs) Kind() string { return "claims-names" }

// Module describes this domain to the program.
func (s *Service) Module() module.Module {
	return module.Module{Operations: s.Register, Jobs: func(r *jobs.Runner) {
		jobs.Every(r, time.Hour, nameArgs{}, jobs.InParts(func(ctx context.Context, _ *river.Job[nameArgs]) error {
			return s.NameClaims(ctx)
		}))
	}, Retention: []retention.Item{
		retention.Forever("Claims", "claims"),
	}}
}

// Register adds the claim endpoints.
func (s *Service) Register(api *httpapi.API) {
	httpapi.Register(api, httpapi.Operation{
		ID: "searchByClaimant", Method: http.MethodPost, Path: "/globalclaim/searchByClaimant", Summary: "Search claims of a claimant",
		Description: "Name, date of birth and date of injury are required. Returns up to 100.",
		Access:      "claims.search", Effect: httpapi.Read, Expensive: true, Limit: ratelimit.Hourly(s.settings.ClaimSearches),
	}, func(ctx context.Context, in *struct{ Body ClaimSearchPayload }) (*struct{ Body Answer }, error) {
		list, message, err := s.Find(ctx, in.Body.search())
		out := &struct{ Body Answer }{Answer{claims: make([]ClaimResult, len(list)), message: message}}
		for i, c := range list {
			out.Body.claims[i] = toClaimResult(c)
		}
		return out, wireNames.Wire(err)
	})
}
