package feeschedules

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"wcpp/internal/identity/access"
	"wcpp/internal/platform/events"
	"wcpp/internal/platform/httpapi"
	"wcpp/internal/platform/module"
	"wcpp/internal/platform/paging"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/retention"
	"wcpp/internal/platform/spreadsheet"
)

// RateCodeRow is a provider's rate code at a location.
type RateCodeRow struct {
	NationalRateCd  string `json:"nationalRateCd"`
	ProvLctnName    string `json:"provLctnName"`
	ProvLctnAddr    string `json:"provLctnAddr"`
	ProvLctnDetails string `json:"provLctnDetails"`
	LctnZipCd       string `json:"lctnZipCd"`
	CpdProvID       string `json:"cpdProvId"`
}

func toRow(c RateCode) RateCodeRow {
	return RateCodeRow{
		NationalRateCd: c.NationalRateCode, ProvLctnName: c.LocationName, ProvLctnAddr: c.LocationAddress,
		ProvLctnDetails: c.LocationDetails,
		LctnZipCd:       c.ZIP, CpdProvID: c.ProviderID,
	}
}

// FeeScheduleFile is a fee schedule in the bell menu.
type FeeScheduleFile struct {
	FeeSchedRqstID int64  `json:"feeSchedRqstId"`
	FileName       string `json:"fileName"`
	SchedURI       string `json:"schedUri" doc:"Path of the file, with usrName and mirrorNm added"`
	FileViwed      string `json:"fileViwed" enum:"Y,N" doc:"Y if opened"`
}

// FeeScheduleFiles contains a user's 50 newest fee schedules and the total.
type FeeScheduleFiles struct {
	SuccessCount int               `json:"successCount" doc:"Number of fee schedules"`
	FeeSchedList []FeeScheduleFile `json:"feeSchedList" nullable:"false"`
}

// ToFiles describes a user's fee schedules, newest first.
func ToFiles(made FinishedFiles) FeeScheduleFiles {
	out := FeeScheduleFiles{SuccessCount: made.Count, FeeSchedList: make([]FeeScheduleFile, len(made.Newest))}
	for i, r := range made.Newest {
		viewed := "N"
		if !r.ViewedAt.IsZero() {
			viewed = "Y"
		}
		out.FeeSchedList[i] = FeeScheduleFile{r.ID, r.FileName, fmt.Sprintf("/feeSchedule/file/%d", r.ID), viewed}
	}
	return out
}

// InProcess is the message for a request in progress.
const InProcess = "Request in process"

// Module describes this domain to the program.
func (s *Service) Module() module.Module {
	return module.Module{Operations: s.Register, Jobs: s.Jobs, Cleanup: s.Cleanup, Retention: []retention.Item{
		retention.Forever("Rates", "rate_codes", "rate_allowances"),
		retention.For(s.settings.FeeScheduleKeepDays, "WCPP_FEE_SCHEDULE_KEEP_DAYS", "Requested fee schedules", "fee_schedule_requests").
			In("fee-schedules/"),
	}}
}

// Register adds the fee schedule endpoints.
func (s *Service) Register(api *httpapi.API) {
	s.registerRequests(api)
	s.registerFiles(api)
	s.registerFailed(api)
}

// registerRequests adds the endpoints for requesting a fee schedule.
func (s *Service) registerRequests(api *httpapi.API) {
	httpapi.Register(api, httpapi.Operation{
		ID: "nationalRateCodes", Method: http.MethodGet, Path: "/feeSchedule/getNationalRateCodes/{lob}/{providerId}/{tin}",
		Summary:     "List a provider's rate codes by location",
		Description: "Up to 2,000.",
		Access:      "feeSchedules.request", Effect: httpapi.Read,
	}, func(ctx context.Context, in *struct {
		LOB        string `path:"lob" enum:"DPWC,DPAUT" doc:"Line of business"`
		ProviderID string `path:"providerId" maxLength:"20"`
		TIN        string `path:"tin" maxLength:"9"`
	}) (*httpapi.List[RateCodeRow], error) {
		list, err := s.RateCodes(ctx, access.From(ctx), in.LOB, in.ProviderID, in.TIN)
		return httpapi.NewList(list, toRow), err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "nationalRateCodePage", Method: http.MethodPost, Path: "/feeSchedule/rateCodes/page",
		Summary:     "List a provider's rate codes, one page at a time",
		Description: "Columns: code, location, address, details, zip, provider.",
		Access:      "feeSchedules.request", Effect: httpapi.Read,
	}, func(ctx context.Context, in *struct {
		Body struct {
			LOB        string       `json:"lob" enum:"DPWC,DPAUT" doc:"Line of business"`
			ProviderID string       `json:"providerId" maxLength:"20"`
			TIN        string       `json:"tin" maxLength:"9"`
			Table      paging.Table `json:"table"`
		}
	}) (*paging.Answer[RateCodeRow], error) {
		b := in.Body
		list, count, err := s.RateCodePage(ctx, access.From(ctx), b.LOB, b.ProviderID, b.TIN, b.Table)
		return paging.NewAnswer(list, count, toRow), err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "addFeeScheduleRequest", Method: http.MethodPost,
		Path:    "/feeSchedule/addFeeSchedRequest/{user}/{rateCode}/{providerId}/{name}/{zip}",
		Summary: "Request the fee schedule of a rate code",
		Description: "Returns the ID of the request. Repeated requests return the same ID. Send a hyphen for an empty name or ZIP. " +
			"Returns 404 if the provider doesn't have the rate code there.",
		Access: "feeSchedules.request", Effect: httpapi.Write,
	}, func(ctx context.Context, in *struct {
		User       string `path:"user" maxLength:"200" doc:"The acting user"`
		RateCode   string `path:"rateCode" maxLength:"40"`
		ProviderID string `path:"providerId" maxLength:"20"`
		Name       string `path:"name" maxLength:"200" doc:"Location"`
		ZIP        string `path:"zip" maxLength:"20"`
		TIN        string `query:"tin" maxLength:"9" doc:"TIN of the rate code. Defaults to any of yours"`
		LOB        string `query:"lob" enum:"DPWC,DPAUT" doc:"Line of business. Defaults to any"`
	}) (*struct{ Body int64 }, error) {
		id, err := s.RequestFile(ctx, access.From(ctx), in.User, Request{
			NationalRateCode: in.RateCode, ProviderID: in.ProviderID, LocationName: orEmpty(in.Name), ZIP: orEmpty(in.ZIP), FTIN: in.TIN,
			LineOfBusiness: in.LOB,
		})
		return &struct{ Body int64 }{id}, err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "submitFeeScheduleAndNotify", Method: http.MethodGet, Path: "/feeSchedule/submitFeeScheduleAndNotify",
		Summary: "Follow a request until its file is ready",
		Description: "An event stream (text/event-stream). 'Request in process' means work continues. Any other message is the user's " +
			"Files as JSON, and then the stream ends.",
		// The browser reopens the stream automatically, which must not extend the session.
		Access: "feeSchedules.request", Effect: httpapi.Write, Stream: true, Background: true,
	}, func(ctx context.Context, in *struct {
		UserName string `query:"userName" required:"true" doc:"The acting user"`
		ID       int64  `query:"feeSchedRqstId" required:"true"`
	}) (*huma.StreamResponse, error) {
		a := access.From(ctx)
		if err := a.CheckName(in.UserName); err != nil {
			return nil, err
		}
		if _, err := s.Find(ctx, a, in.ID); err != nil {
			return nil, err
		}
		return &huma.StreamResponse{Body: func(hc huma.Context) { s.streamProgress(hc, a, in.ID) }}, nil
	})
}

// registerFiles adds the endpoints for finished files.
func (s *Service) registerFiles(api *httpapi.API) {
	httpapi.Register(api, httpapi.Operation{
		ID: "userFeeScheduleRequests", Method: http.MethodGet, Path: "/feeSchedule/getUserFeeSchedRequests/{user}",
		Summary: "List the acting user's fee schedules, newest first",
		Access:  "feeSchedules.own", Effect: httpapi.Read, Background: true,
	}, func(ctx context.Context, in *struct {
		User string `path:"user" maxLength:"200"`
	}) (*struct{ Body FeeScheduleFiles }, error) {
		a := access.From(ctx)
		if err := a.CheckName(in.User); err != nil {
			return nil, err
		}
		made, err := s.ListForUser(ctx, a.Acting().ID)
		return &struct{ Body FeeScheduleFiles }{ToFiles(made)}, err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "viewFeeSchedules", Method: http.MethodPatch, Path: "/feeSchedule/viewed/{user}",
		Summary: "Mark all of the acting user's fee schedules as viewed",
		Access:  "feeSchedules.own", Effect: httpapi.Write,
	}, func(ctx context.Context, in *struct {
		User string `path:"user" maxLength:"200" doc:"The acting user. Other users are rejected"`
	}) (*struct{}, error) {
		a := access.From(ctx)
		if err := a.CheckName(in.User); err != nil {
			return nil, err
		}
		return nil, s.ViewAll(ctx, a)
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "feeScheduleFile", Method: http.MethodGet, Path: "/feeSchedule/file/{id}", Summary: "Download a fee schedule (XLSX)",
		Access: "feeSchedules.own", Effect: httpapi.Read, Cookie: true,
	}, func(ctx context.Context, in *struct {
		ID       int64  `path:"id"`
		UsrName  string `query:"usrName" doc:"The signed-in user. Other users are rejected"`
		MirrorNm string `query:"mirrorNm" doc:"The mirrored user, if any"`
	}) (*huma.StreamResponse, error) {
		r, file, err := s.Open(ctx, access.From(ctx), in.ID, in.UsrName, in.MirrorNm)
		if err != nil {
			return nil, err
		}
		return httpapi.Attachment{Name: r.FileName, ContentType: spreadsheet.XLSX.ContentType(), Size: file.Size}.SendAll(file), nil
	})
}

func orEmpty(segment string) string {
	if segment == "-" {
		return ""
	}
	return segment
}

// streamProgress streams the progress of a request until it is finished, the client disconnects or the
// program stops.
func (s *Service) streamProgress(hc huma.Context, a access.Actor, id int64) {
	ctx := hc.Context()
	stream := events.NewStream(hc)
	defer stream.Close()
	news, cancel := s.events.Subscribe(Topic(a.Acting().ID))
	defer cancel()
	for there := stream.Send(InProcess); there; {
		if s.sendResult(ctx, stream, a, id) {
			return
		}
		select {
		case <-ctx.Done():
			return
		case _, there = <-news:
		case <-stream.Heartbeat(): // checks the state itself
			there = stream.KeepAlive()
		}
	}
}

// sendResult sends the result of a finished request.
func (s *Service) sendResult(ctx context.Context, stream *events.Stream, a access.Actor, id int64) bool {
	r, err := s.Find(ctx, a, id)
	if err == nil && r.Status == statuses.Waiting {
		return false
	}
	if err == nil && r.Status == statuses.Failed {
		stream.SendEvent("failed", problem.New(problem.Internal).Message)
		return true
	}
	var made FinishedFiles
	if err == nil {
		made, err = s.ListForUser(ctx, a.Acting().ID)
	}
	var message []byte
	if err == nil {
		message, err = json.Marshal(ToFiles(made))
	}
	if err != nil {
		s.log.WarnContext(ctx, "couldn't report the progress of a fee schedule", "error", err)
		return true // the client reconnects
	}
	stream.Send(string(message))
	return true
}
