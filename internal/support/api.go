package support

import (
	"context"
	"net/http"
	"net/url"
	"strings"

	"wcpp/internal/identity/access"
	"wcpp/internal/platform/httpapi"
	"wcpp/internal/platform/module"
)

// Chat contains the URL of the chat widget and the user's identity.
type Chat struct {
	URL            string `json:"url" doc:"Address of the chat widget page, for a frame"`
	Identifier     string `json:"identifier" doc:"Identifies the user to the chat provider"`
	IdentifierHash string `json:"identifierHash" doc:"HMAC-SHA256 of the identifier, in hex; empty if no key is configured"`
	Name           string `json:"name"`
	Email          string `json:"email"`
	Phone          string `json:"phone" doc:"E.164; empty if the number can't be converted"`
	AccountType    string `json:"accountType"`
}

// Module describes this domain to the program.
func (s *Service) Module() module.Module {
	return module.Module{Operations: s.Register}
}

// Register adds the support endpoint.
func (s *Service) Register(api *httpapi.API) {
	httpapi.Register(api, httpapi.Operation{
		ID: "supportChat", Method: http.MethodGet, Path: "/support/chat", Summary: "Get live chat settings and the user's identity",
		Description: "Always the signed-in user, even while mirroring.",
		Access:      "support.chat", Effect: httpapi.Read,
	}, func(ctx context.Context, _ *struct{}) (*struct{ Body Chat }, error) {
		in, err := s.Introduce(ctx, access.From(ctx).Person.ID)
		if err != nil {
			return nil, err
		}
		return &struct{ Body Chat }{Chat{
			URL:        strings.TrimRight(s.settings.ChatURL, "/") + "/widget?website_token=" + url.QueryEscape(s.settings.ChatToken),
			Identifier: in.Identifier, IdentifierHash: in.Signature,
			Name: in.Name, Email: in.Email, Phone: in.Phone, AccountType: in.AccountType,
		}}, nil
	})
}
