package openbills

import (
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"wcpp/internal/identity/access"
	"wcpp/internal/platform/fileexport"
	"wcpp/internal/platform/httpapi"
)

// OpenBillExportText is the requested content of a file.
type OpenBillExportText struct {
	Filter  OpenBillFilter `json:"filter"`
	Order   string         `json:"order,omitempty" enum:"due,dueLast,oldest,newest,charge,chargeDesc,payer,payerDesc" default:"due"`
	Columns []string       `json:"columns,omitempty" nullable:"false" doc:"Defaults to all columns but lastCall"`
}

// OpenBillExport is a file of open bills, created in the background.
type OpenBillExport struct {
	ID        string    `json:"id"`
	Status    string    `json:"status" enum:"waiting,done,failed"`
	Bills     int       `json:"bills"`
	Done      int       `json:"done" doc:"Bills added so far"`
	CreatedAt time.Time `json:"createdAt"`
	ExpiresAt time.Time `json:"expiresAt" doc:"When it's deleted"`
	Withheld  bool      `json:"withheld" doc:"True if you no longer have a TIN of its bills. You can't download it"`
}

func toOpenBillExport(e Export) OpenBillExport {
	return OpenBillExport{ID: e.ID, Status: e.Status, Bills: e.Bills, Done: e.Done, CreatedAt: e.CreatedAt.Time,
		ExpiresAt: e.ExpiresAt().UTC()}
}

func (s *Service) registerExports(api *httpapi.API) {
	type exportPath struct {
		ID string `path:"id" maxLength:"40"`
	}
	httpapi.Register(api, httpapi.Operation{
		ID: "openBillsExport", Method: http.MethodPost, Path: "/work/bills/export", Summary: "Export open bills",
		Description: "Creates an XLSX and a CSV file of the filtered list in the background, up to 20,000 bills. Kept for 7 days. Up " +
			"to 20 exports per hour.",
		Access: "work.bills", Effect: httpapi.Write, Expensive: true, MaxBytes: maxBytes,
	}, func(ctx context.Context, in *struct{ Body OpenBillExportText }) (*struct{ Body OpenBillExport }, error) {
		f := in.Body.Filter.filter()
		f.Order = in.Body.Order
		e, err := s.Export(ctx, access.From(ctx), f, in.Body.Columns)
		return &struct{ Body OpenBillExport }{toOpenBillExport(e)}, err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "openBillsExports", Method: http.MethodGet, Path: "/work/exports", Summary: "List your exports of open bills, newest first",
		Access: "work.bills", Effect: httpapi.Read, Background: true,
	}, func(ctx context.Context, _ *struct{}) (*httpapi.List[OpenBillExport], error) {
		list, scope, err := s.Exports(ctx, access.From(ctx))
		return httpapi.NewList(list, func(e Export) OpenBillExport {
			out := toOpenBillExport(e)
			out.Withheld = e.isWithheld(scope)
			return out
		}), err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "openBillsExportState", Method: http.MethodGet, Path: "/work/exports/{id}", Summary: "Get the progress of an open bills export",
		Access: "work.bills", Effect: httpapi.Read, Background: true,
	}, func(ctx context.Context, in *exportPath) (*struct{ Body OpenBillExport }, error) {
		e, err := s.OwnExport(ctx, access.From(ctx), in.ID)
		return &struct{ Body OpenBillExport }{toOpenBillExport(e)}, err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "openBillsExportRemove", Method: http.MethodDelete, Path: "/work/exports/{id}",
		Summary: "Delete or cancel an open bills export",
		Access:  "work.bills", Effect: httpapi.Write,
	}, func(ctx context.Context, in *exportPath) (*struct{}, error) {
		return nil, s.RemoveExport(ctx, access.From(ctx), in.ID)
	})
	for _, format := range fileexport.Formats {
		httpapi.Register(api, httpapi.Operation{
			ID: "openBillsExportFile" + strings.ToUpper(string(format)), Method: http.MethodGet,
			Path:        "/work/exports/{id}/result." + string(format),
			Summary:     "Download an open bills export (" + strings.ToUpper(string(format)) + ")",
			Description: "Returns 409 until the file is ready. Returns 404 if you no longer have a TIN of its bills, or while mirroring.",
			Access:      "work.bills", Effect: httpapi.Read, Cookie: true,
		}, func(ctx context.Context, in *exportPath) (*huma.StreamResponse, error) {
			file, err := s.ExportFile(ctx, access.From(ctx), in.ID, format)
			if err != nil {
				return nil, err
			}
			return fileexport.NewResponse(file, "Open bills", format), nil
		})
	}
}
