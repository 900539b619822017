package tins

import (
	"context"
	"net/http"

	"wcpp/internal/access"
	"wcpp/internal/platform/httpapi"
)

// TIN is one tax ID of a user.
type TIN struct {
	FTIN string `json:"ftin" example:"123456789" doc:"Federal tax identification number, 9 digits"`
}

type userFtinsInput struct {
	User       string `path:"user" doc:"User name; the mirrored user's while mirroring"`
	ActiveFlag bool   `query:"activeFlag" doc:"Only active TINs; the portal keeps no others"`
}

type userFtinsOutput struct {
	Body []TIN `nullable:"false"`
}

// Register adds the area's operations.
func (s *Service) Register(api *httpapi.API) {
	httpapi.Register(api, httpapi.Operation{
		ID: "userFtins", Method: http.MethodGet, Path: "/ftin/userFtins/{user}", Summary: "TINs of a user",
		Access: "tins.read", Effect: httpapi.Read, Background: true,
	}, func(ctx context.Context, in *userFtinsInput) (*userFtinsOutput, error) {
		list, err := s.ForName(ctx, access.From(ctx), in.User)
		if err != nil {
			return nil, err
		}
		out := &userFtinsOutput{Body: make([]TIN, len(list))}
		for i, ftin := range list {
			out.Body[i] = TIN{FTIN: ftin}
		}
		return out, nil
	})
}
