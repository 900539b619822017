package payercontacts

import (
	"context"
	"net/http"
	"time"

	"wcpp/internal/identity/access"
	"wcpp/internal/platform/httpapi"
	"wcpp/internal/platform/module"
	"wcpp/internal/platform/retention"
)

// PayerContactEdit is how to reach a payer, as staff edit it.
type PayerContactEdit struct {
	Name      string `json:"name" doc:"Up to 60 characters"`
	Phone     string `json:"phone" doc:"10 to 15 digits"`
	Extension string `json:"extension" doc:"Up to 10 digits"`
	Hours     string `json:"hours" doc:"Up to 80 characters"`
	Ready     string `json:"ready" doc:"What to have ready for a call. Up to 200 characters"`
	Version   int64  `json:"version" doc:"Version it replaces. 0 for a new contact"`
}

func toEdit(e Entry) PayerContactEdit {
	return PayerContactEdit{e.Name, e.Phone, e.Extension, e.Hours, e.Ready, e.Version}
}

func (e PayerContactEdit) entry(payerID string) Entry {
	return Entry{PayerID: payerID, Name: e.Name, Phone: e.Phone, Extension: e.Extension, Hours: e.Hours, Ready: e.Ready,
		Version: e.Version}
}

// DeskPayerContact is a payer's contact as staff see it.
type DeskPayerContact struct {
	PayerContactEdit
	PayerID   string    `json:"payerId"`
	UpdatedAt time.Time `json:"updatedAt"`
	UpdatedBy string    `json:"updatedBy" doc:"Username"`
}

func toDeskContact(e Entry) DeskPayerContact {
	return DeskPayerContact{toEdit(e), e.PayerID, e.UpdatedAt.Time, e.UpdatedBy}
}

// Module describes this domain to the program.
func (s *Service) Module() module.Module {
	return module.Module{Operations: s.Register, Retention: []retention.Item{
		retention.Forever("Payer contacts that staff entered", "payer_contacts"),
	}}
}

// Register adds the endpoints of payer contacts.
func (s *Service) Register(api *httpapi.API) {
	httpapi.Register(api, httpapi.Operation{
		ID: "deskPayerContacts", Method: http.MethodGet, Path: "/desk/payer-contacts",
		Summary: "List the payer contacts that staff entered",
		Access:  "contacts.read", Effect: httpapi.Read,
	}, func(ctx context.Context, _ *struct{}) (*httpapi.List[DeskPayerContact], error) {
		list, err := s.List(ctx)
		return httpapi.NewList(list, toDeskContact), err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "savePayerContact", Method: http.MethodPut, Path: "/desk/payer-contacts/{payerId}",
		Summary:     "Add, update or confirm a payer contact",
		Description: "Returns 409 if the contact has a newer version. The previous contact stays in the audit log.",
		Access:      "contacts.manage", Effect: httpapi.Write,
	}, func(ctx context.Context, in *struct {
		PayerID string `path:"payerId" maxLength:"200"`
		Body    PayerContactEdit
	}) (*struct{ Body DeskPayerContact }, error) {
		e, err := s.Save(ctx, access.From(ctx), in.Body.entry(in.PayerID))
		return &struct{ Body DeskPayerContact }{toDeskContact(e)}, err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "deletePayerContact", Method: http.MethodDelete, Path: "/desk/payer-contacts/{payerId}", Summary: "Delete a payer contact",
		Description: "Returns 409 if the contact has a newer version.",
		Access:      "contacts.manage", Effect: httpapi.Write,
	}, func(ctx context.Context, in *struct {
		PayerID string `path:"payerId" maxLength:"200"`
		Version int64  `query:"version" required:"true"`
	}) (*struct{}, error) {
		return nil, s.Delete(ctx, access.From(ctx), in.PayerID, in.Version)
	})
}
