package documents

import (
	"context"
	"net/http"

	"wcpp/internal/bills/ledger/store"
	"wcpp/internal/identity/access"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/httpapi"
	"wcpp/internal/platform/module"
	"wcpp/internal/platform/money"
	"wcpp/internal/platform/retention"
)

// PaymentQuery identifies a bill.
type PaymentQuery struct {
	FTIN              string `json:"ftin" pattern:"^[0-9]{9}$"`
	BillControlNumber string `json:"billControlNumber" minLength:"1" maxLength:"50"`
}

// PaymentInfo is the payment of a bill. All three fields are empty if it's unknown.
type PaymentInfo struct {
	PaidAmount  *float64  `json:"paidAmount" doc:"Decimal dollars"`
	PaidDate    date.Date `json:"paidDate" format:"date" nullable:"true"`
	CheckNumber *string   `json:"checkNumber"`
}

// BillReference identifies a bill by its bill control number.
type BillReference struct {
	BillRefNumber string `json:"billRefNumber" minLength:"1" maxLength:"50"`
}

// ReferenceLine is one line of a pricing sheet.
type ReferenceLine struct {
	Line string `json:"line"`
}

type documentQuery struct {
	ID string `query:"id" maxLength:"1000" doc:"The ID from the bill's image link"`
}

type documentPath struct {
	ID string `path:"id" maxLength:"1000" doc:"The ID from the bill's image or EOR link"`
}

type boolOutput struct{ Body bool }

// Module returns the domain's module.
func (s *Service) Module() module.Module {
	return module.Module{Operations: s.Register, Retention: []retention.Item{
		retention.Forever("Bill documents").In("papers/").IfContent(func(ctx context.Context, names []string) ([]string, error) {
			return store.SelectPapers(ctx, s.db.Reader, names)
		}),
	}}
}

// Register adds the domain's operations.
func (s *Service) Register(api *httpapi.API) {
	opening := httpapi.Operation{Method: http.MethodGet, Access: "bills.open", Effect: httpapi.Read, Scoped: true}

	op := opening
	op.ID, op.Path, op.Summary = "imageExist", "/billSearch/imageExist", "Check whether a bill image is available"
	httpapi.Register(api, op, func(ctx context.Context, in *documentQuery) (*boolOutput, error) {
		exists, err := s.DocumentExists(ctx, access.From(ctx), in.ID)
		return &boolOutput{Body: exists}, err
	})

	op = opening
	op.ID, op.Path, op.Summary = "precheckEor", "/billSearch/precheckEor", "Check whether an EOR is available"
	httpapi.Register(api, op, func(ctx context.Context, in *struct {
		URL string `query:"url" required:"true" maxLength:"2000" doc:"Get the bill's EOR link"`
	}) (*boolOutput, error) {
		if err := s.CheckEOR(ctx, access.From(ctx), in.URL); err != nil {
			return nil, err
		}
		return &boolOutput{Body: true}, nil
	})

	opening.Limit = s.openings // checking for a document doesn't open it

	op = opening
	op.ID, op.Path, op.Summary, op.Cookie = "billImage", "/billSearch/billImage/{id}", "Get a bill image or EOR as PDF", true
	op.Expensive = true
	httpapi.Register(api, op, func(ctx context.Context, in *documentPath) (*httpapi.PDF, error) {
		name, body, err := s.Document(ctx, access.From(ctx), in.ID)
		return httpapi.NewPDF(name, body, err)
	})

	op = opening
	op.ID, op.Path = "billImageUrl", "/billSearch/billImage/{billControlNumber}/{isEor}/{exId}"
	op.Expensive = true
	op.Summary = "Get the URL of an image or EOR in the second bill system"
	httpapi.Register(api, op, func(ctx context.Context, in *struct {
		BillControlNumber string `path:"billControlNumber" maxLength:"50"`
		IsEOR             bool   `path:"isEor"`
		ExID              string `path:"exId" maxLength:"1000" doc:"The value from the bill"`
	}) (*struct{ Body string }, error) {
		address, err := s.SecondDocument(ctx, access.From(ctx), in.ExID, in.IsEOR)
		return &struct{ Body string }{address}, err
	})

	op = opening
	op.ID, op.Method, op.Path, op.Summary = "findPaymentInfo", http.MethodPost, "/billSearch/findPaymentInfo", "Get the payments of a bill"
	httpapi.Register(api, op, func(ctx context.Context, in *struct{ Body PaymentQuery }) (*struct{ Body PaymentInfo }, error) {
		b, err := s.Payment(ctx, access.From(ctx), in.Body.FTIN, in.Body.BillControlNumber)
		if err != nil {
			return nil, err
		}
		info := PaymentInfo{PaidAmount: money.OrNone(b.PaidAmount), PaidDate: b.PaidDate}
		if b.CheckNumber != "" {
			info.CheckNumber = &b.CheckNumber
		}
		return &struct{ Body PaymentInfo }{info}, nil
	})

	s.registerPricingSheets(api, opening)
	s.registerCertificate(api)
	s.registerDesk(api)
}

func (s *Service) registerPricingSheets(api *httpapi.API, opening httpapi.Operation) {
	op := opening
	op.ID, op.Method, op.Path, op.Summary = "searchBillPriceSheet", http.MethodPost, "/billSearch/searchBillPriceSheet",
		"Get a pricing sheet as PDF"
	op.Expensive = true
	httpapi.Register(api, op, func(ctx context.Context, in *struct{ Body BillReference }) (*httpapi.PDF, error) {
		body, err := s.PricingSheetPDF(ctx, access.From(ctx), in.Body.BillRefNumber)
		return httpapi.NewPDF(fileName(in.Body.BillRefNumber, "pricing-sheet"), body, err)
	})

	op = opening
	op.ID, op.Method, op.Path, op.Summary = "searchBillReference", http.MethodPost, "/billSearch/searchBillReference",
		"Get a pricing sheet as lines of text"
	op.Description = "The list is empty if the network has the paper. Get that as PDF."
	httpapi.Register(api, op, func(ctx context.Context, in *struct{ Body BillReference }) (*httpapi.List[ReferenceLine], error) {
		lines, err := s.PricingSheetLines(ctx, access.From(ctx), in.Body.BillRefNumber)
		if err != nil {
			return nil, err
		}
		return httpapi.NewList(lines, func(l string) ReferenceLine { return ReferenceLine{Line: l} }), nil
	})
}

// registerCertificate adds the certificate of receipt, which the workspace offers.
func (s *Service) registerCertificate(api *httpapi.API) {
	op := httpapi.Operation{Method: http.MethodGet, Access: "work.bills", Effect: httpapi.Read, Limit: s.openings, Scoped: true}
	op.ID, op.Path, op.Summary, op.Cookie = "billCertificate", "/work/bills/{id}/certificate",
		"Get a certificate of receipt of a bill's EOR as PDF", true
	op.Expensive = true
	httpapi.Register(api, op, func(ctx context.Context, in *struct {
		ID string `path:"id" maxLength:"1000" doc:"The ID from a search"`
	}) (*httpapi.PDF, error) {
		body, err := s.Certificate(ctx, access.From(ctx), in.ID)
		return httpapi.NewPDF("certificate.pdf", body, err)
	})
}
