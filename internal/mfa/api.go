package mfa

import (
	"context"
	"encoding/json"
	"net/http"

	"wcpp/internal/identity/access"
	"wcpp/internal/platform/httpapi"
	"wcpp/internal/platform/module"
	"wcpp/internal/platform/retention"
)

// OwnFactors are the user's own second factors.
type OwnFactors struct {
	Policy        Policy      `json:"policy" enum:"off,offered,required" doc:"Policy for the account type"`
	Factors       []OwnFactor `json:"factors" nullable:"false"`
	RecoveryCodes int         `json:"recoveryCodes" doc:"Codes left"`
}

// OwnFactor is a passkey or an authenticator app.
type OwnFactor struct {
	ID      int64  `json:"id"`
	Kind    Kind   `json:"kind" enum:"passkey,app"`
	Name    string `json:"name"`
	AddedDt string `json:"addedDt" format:"date-time"`
	UsedDt  string `json:"usedDt" doc:"Empty before the first use"`
}

// SetUpApp is the data for setting up an authenticator app.
type SetUpApp struct {
	Secret  string `json:"secret" doc:"Setup key, in groups of characters"`
	Picture string `json:"picture" doc:"QR code of the key, as a data URL"`
	State   string `json:"state" doc:"Send it back with the code"` // sealed
}

// NewAppFactor adds an app.
type NewAppFactor struct {
	State string `json:"state" maxLength:"1000"`
	Code  string `json:"code" maxLength:"20" doc:"Code from the app"`
	Name  string `json:"name,omitempty" maxLength:"400" doc:"Up to 60 characters"`
}

// AskedPasskey is a challenge for a passkey.
type AskedPasskey struct {
	Options json.RawMessage `json:"options" doc:"Options for navigator.credentials, as JSON"`
	State   string          `json:"state" doc:"Send it back with the result"`
}

// NewPasskeyFactor adds a passkey.
type NewPasskeyFactor struct {
	State  string `json:"state" maxLength:"8000"`
	Answer string `json:"answer" maxLength:"32000" doc:"Result of navigator.credentials, as JSON"`
	Name   string `json:"name,omitempty" maxLength:"400" doc:"Up to 60 characters"`
}

// RecoveryCodes are shown only once.
type RecoveryCodes struct {
	Codes []string `json:"codes" nullable:"false" doc:"Empty if the current codes stay valid"`
}

type ownFactors struct{ Body OwnFactors }

type recoveryCodes struct{ Body RecoveryCodes }

func newRecoveryCodes(codes []string, err error) (*recoveryCodes, error) {
	return &recoveryCodes{RecoveryCodes{Codes: append([]string{}, codes...)}}, err
}

func newAddedCodes(a AddedFactor, err error) (*recoveryCodes, error) {
	return newRecoveryCodes(a.Codes, err)
}

func ownFactor(f Factor) OwnFactor {
	return OwnFactor{ID: f.ID, Kind: f.Kind, Name: f.Name, AddedDt: f.CreatedAt.RFC3339(), UsedDt: f.UsedAt.RFC3339()}
}

// Module describes this domain to the program.
func (s *Service) Module() module.Module {
	return module.Module{Operations: s.Register, Retention: []retention.Item{
		retention.Forever("Two-step verification methods, until removed", "factors", "recovery_codes"),
	}}
}

// Register adds the endpoints. All of them require sign-in.
func (s *Service) Register(api *httpapi.API) {
	own := httpapi.Operation{Access: "account.factors", Effect: httpapi.Write, Method: http.MethodPost}

	list := own
	list.ID, list.Method, list.Path, list.Summary, list.Effect = "ownFactors", http.MethodGet, "/account/factors",
		"List your two-step verification methods", httpapi.Read
	httpapi.Register(api, list, func(ctx context.Context, _ *struct{}) (*ownFactors, error) {
		found, err := s.List(ctx, access.From(ctx))
		out := &ownFactors{OwnFactors{Policy: found.Policy, Factors: make([]OwnFactor, len(found.Factors)), RecoveryCodes: found.CodesLeft}}
		for i, f := range found.Factors {
			out.Body.Factors[i] = ownFactor(f)
		}
		return out, err
	})

	startApp := own
	startApp.ID, startApp.Path, startApp.Summary, startApp.Effect = "startAppFactor", "/account/factors/app/start",
		"Start adding an authenticator app", httpapi.Read
	httpapi.Register(api, startApp, func(ctx context.Context, _ *struct{}) (*struct{ Body SetUpApp }, error) {
		g, err := s.ownGrant(access.From(ctx))
		if err != nil {
			return nil, err
		}
		a, err := s.NewApp(ctx, g.ID(), "")
		return &struct{ Body SetUpApp }{a}, err
	})

	addApp := own
	addApp.ID, addApp.Path, addApp.Summary = "addAppFactor", "/account/factors/app", "Finish adding an authenticator app"
	httpapi.Register(api, addApp, func(ctx context.Context, in *struct{ Body NewAppFactor }) (*recoveryCodes, error) {
		a, err := s.newAddRequest(access.From(ctx), in.Body.Name)
		if err != nil {
			return nil, err
		}
		return newAddedCodes(s.AddApp(ctx, a, in.Body.State, in.Body.Code))
	})

	startPasskey := own
	startPasskey.ID, startPasskey.Path, startPasskey.Summary, startPasskey.Effect = "startPasskeyFactor", "/account/factors/passkey/start",
		"Start adding a passkey", httpapi.Read
	httpapi.Register(api, startPasskey, func(ctx context.Context, _ *struct{}) (*struct{ Body AskedPasskey }, error) {
		g, err := s.ownGrant(access.From(ctx))
		if err != nil {
			return nil, err
		}
		c, err := s.NewPasskey(ctx, g.ID())
		return &struct{ Body AskedPasskey }{AskedPasskey(c)}, err
	})

	addPasskey := own
	addPasskey.ID, addPasskey.Path, addPasskey.Summary = "addPasskeyFactor", "/account/factors/passkey", "Finish adding a passkey"
	httpapi.Register(api, addPasskey, func(ctx context.Context, in *struct{ Body NewPasskeyFactor }) (*recoveryCodes, error) {
		a, err := s.newAddRequest(access.From(ctx), in.Body.Name)
		if err != nil {
			return nil, err
		}
		return newAddedCodes(s.AddPasskey(ctx, a, in.Body.State, []byte(in.Body.Answer)))
	})

	remove := own
	remove.ID, remove.Method, remove.Path, remove.Summary = "removeFactor", http.MethodDelete, "/account/factors/{id}",
		"Remove a two-step verification method"
	remove.Description = "Returns 409 for the last method if the account requires two-step verification."
	httpapi.Register(api, remove, func(ctx context.Context, in *struct {
		ID int64 `path:"id"`
	}) (*struct{}, error) {
		return nil, s.Remove(ctx, access.From(ctx), in.ID)
	})

	renew := own
	renew.ID, renew.Path, renew.Summary = "renewRecoveryCodes", "/account/recoveryCodes", "Replace your recovery codes"
	httpapi.Register(api, renew, func(ctx context.Context, _ *struct{}) (*recoveryCodes, error) {
		return newRecoveryCodes(s.RenewCodes(ctx, access.From(ctx)))
	})
}

// newAddRequest grants the actor a new factor for their own account.
func (s *Service) newAddRequest(a access.Actor, name string) (AddRequest, error) {
	g, err := s.ownGrant(a)
	return AddRequest{Grant: g, Session: a.Session, Name: name}, err
}
