package desk

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/csvio"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/httpapi"
	"wcpp/internal/platform/spreadsheet"
	"wcpp/internal/platform/validate"
)

// Report writes how many items each person opened in a quarter (2026-Q4), by reason, as CSV. It
// covers support sessions that began in the quarter, in the business time zone.
func (s *Service) Report(ctx context.Context, name string, out io.Writer) error {
	var year, quarter int
	_, err := fmt.Sscanf(name, "%d-Q%d", &year, &quarter)
	if err != nil || name != fmt.Sprintf("%d-Q%d", year, quarter) || year < 2020 || year > 9998 || quarter < 1 || quarter > 4 {
		return validate.RefuseField(validate.MarkedFields, "quarter", "Choose a quarter from 2020 or later, such as 2026-Q4")
	}
	from := time.Date(year, time.Month(3*quarter-2), 1, 0, 0, 0, 0, s.now().Location())
	list, err := viewedBetween(ctx, s.db.Reader, db.At(from), db.At(from.AddDate(0, 3, 0)))
	if err != nil {
		return err
	}
	if err := s.audit.RecordNow(ctx, audit.Entry{Operation: "desk-report", Subject: name, Result: "ok"}); err != nil {
		return err
	}
	table := csvio.NewWriter(out)
	rows := [][]string{{"quarter", "user_name", "type", "reason", "sessions", "openings"}}
	for _, l := range list {
		rows = append(rows, []string{name, l.UserName, l.TypeCd, words[l.Reason], strconv.Itoa(l.Sittings), strconv.Itoa(l.Openings)})
	}
	for _, row := range rows {
		if err := table.Write(row); err != nil {
			return err
		}
	}
	return table.Flush()
}

// registerReport adds the endpoint for the quarterly access report.
func (s *Service) registerReport(api *httpapi.API) {
	httpapi.Register(api, httpapi.Operation{
		ID: "deskReport", Method: http.MethodGet, Path: "/desk/openings",
		Summary:     "Export each person's openings in a quarter, by reason, as CSV",
		Description: "Columns: quarter, user_name, type, reason, sessions, openings. The call is audited.",
		Access:      "desk.report", Effect: httpapi.Read, Expensive: true,
	}, func(ctx context.Context, in *struct {
		Quarter string `query:"quarter" maxLength:"7" example:"2026-Q4"`
	}) (*huma.StreamResponse, error) {
		var table bytes.Buffer
		if err := s.Report(ctx, in.Quarter, &table); err != nil {
			return nil, err
		}
		return httpapi.Attachment{Name: "Desk openings " + in.Quarter + ".csv",
			ContentType: spreadsheet.CSV.ContentType()}.SendBytes(table.Bytes()), nil
	})
}
