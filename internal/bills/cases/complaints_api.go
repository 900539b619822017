package cases

import (
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"wcpp/internal/identity/access"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/httpapi"
	"wcpp/internal/platform/identifiers"
	"wcpp/internal/platform/ratelimit"
	"wcpp/internal/platform/spreadsheet"
)

// categoryCode is the code of a category of complaints.
type categoryCode string

// Schema describes the categories.
func (categoryCode) Schema(huma.Registry) *huma.Schema {
	return httpapi.Enum("Category of 28 TAC 10.121(d)", Categories()...)
}

// ComplaintText is what makes a question a complaint.
type ComplaintText struct {
	Categories []categoryCode `json:"categories" nullable:"false" doc:"At least one"`
	LawState   string         `json:"lawState,omitempty" maxLength:"2" doc:"The state's law applies, unless a bill's file names a state"`
}

func (t ComplaintText) details() ComplaintDetails {
	d := ComplaintDetails{LawState: t.LawState}
	for _, c := range t.Categories {
		d.Categories = append(d.Categories, string(c))
	}
	return d
}

// RecordedComplaint is a complaint that came by phone or mail.
type RecordedComplaint struct {
	ComplaintText
	RequestKey  string    `json:"requestKey" maxLength:"64" doc:"Random key. A repeated request with the same key is stored once"`
	UserName    string    `json:"userName,omitempty" maxLength:"60" doc:"Office's user who complained"`
	Complainant string    `json:"complainant,omitempty" doc:"Name of someone without an account"`
	FTIN        string    `json:"ftin,omitempty" maxLength:"9" doc:"TIN of the user"`
	Bills       []string  `json:"bills,omitempty" doc:"Numbers of up to 50 bills of the TIN"`
	Origin      string    `json:"origin" enum:"PHONE,MAIL"`
	ReceivedOn  date.Date `json:"receivedOn" format:"date" doc:"In the past year"`
	Body        string    `json:"body" doc:"Up to 4,000 characters"`
}

// CaseLetter is a letter to a complainant.
type CaseLetter struct {
	ID       int64     `json:"id"`
	Kind     string    `json:"kind" enum:"ACK,RESOLVE" doc:"Acknowledgment or resolution"`
	MadeAt   time.Time `json:"madeAt"`
	MailedOn date.Date `json:"mailedOn" format:"date" nullable:"true"`
}

// CaseComplaint is what a complaint has besides.
type CaseComplaint struct {
	Categories  []categoryCode `json:"categories" nullable:"false"`
	Origin      string         `json:"origin" enum:"PORTAL,PHONE,MAIL"`
	ReceivedOn  date.Date      `json:"receivedOn" format:"date"`
	LawState    string         `json:"lawState" doc:"Name of the state whose law applies. Empty if unknown"`
	Complainant string         `json:"complainant" doc:"Name of someone without an account"`
	Outcome     string         `json:"outcome" enum:",UPHELD,PARTLY,NOT_UPHELD,NONE"`
	AckDue      date.Date      `json:"ackDue" format:"date" nullable:"true" doc:"Null without an active rule"`
	AckOn       date.Date      `json:"ackOn" format:"date" nullable:"true" doc:"Opened by the office, or mailed"`
	ResolveDue  date.Date      `json:"resolveDue" format:"date" nullable:"true" doc:"Null without an active rule"`
	ResolveOn   date.Date      `json:"resolveOn" format:"date" nullable:"true" doc:"Opened by the office, or mailed"`
	Citation    string         `json:"citation" doc:"Of the rule for the resolution"`
	Letters     []CaseLetter   `json:"letters" nullable:"false" doc:"Oldest first"`
}

func toComplaint(t Thread) *CaseComplaint {
	if t.Kind != KindComplaint {
		return nil
	}
	c := t.Complaint
	out := CaseComplaint{Categories: []categoryCode{}, Origin: string(c.Origin), ReceivedOn: c.ReceivedOn,
		LawState: identifiers.StateName(c.LawState), Complainant: c.Complainant, Outcome: string(c.Outcome),
		AckDue: c.AckDue, AckOn: c.AckOn,
		ResolveDue: c.ResolveDue, ResolveOn: c.ResolveOn, Citation: c.ResolveCitation, Letters: []CaseLetter{}}
	for code := range strings.FieldsSeq(c.Categories) {
		out.Categories = append(out.Categories, categoryCode(code))
	}
	for _, l := range t.Letters {
		out.Letters = append(out.Letters, CaseLetter{l.ID, string(l.Kind), l.MadeAt.Time, l.MailedOn})
	}
	return &out
}

const (
	letterReads = 300 // an hour
	logReads    = 20
)

// registerComplaints adds the operations of complaints.
func (s *Service) registerComplaints(api *httpapi.API) {
	httpapi.Register(api, httpapi.Operation{
		ID: "recordComplaint", Method: http.MethodPost, Path: "/desk/cases", Summary: "Record a complaint that came by phone or mail",
		Description: "For an office's user, or for someone without an account.",
		Access:      "cases.work", Effect: httpapi.Write, MaxBytes: 64 << 10,
	}, func(ctx context.Context, in *struct{ Body RecordedComplaint }) (*threadBody, error) {
		b := in.Body
		c, err := s.RecordComplaint(ctx, access.From(ctx), Recorded{
			RequestKey: b.RequestKey, UserName: b.UserName, Complainant: b.Complainant,
			FTIN: b.FTIN, Bills: b.Bills, Origin: Origin(b.Origin), ReceivedOn: b.ReceivedOn, Body: b.Body, ComplaintDetails: b.details()})
		return s.changed(ctx, c, Network, err)
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "complaintLog", Method: http.MethodGet, Path: "/desk/cases/log", Summary: "Export the complaints received in a period",
		Description: "Up to 366 days. The export is audited.",
		Access:      "cases.lead", Effect: httpapi.Read, Expensive: true, Limit: ratelimit.Hourly(logReads),
	}, func(ctx context.Context, in *struct {
		From   date.Date `query:"from" required:"true" format:"date"`
		To     date.Date `query:"to" required:"true" format:"date"`
		Format string    `query:"format" required:"true" enum:"csv,xlsx"`
	}) (*huma.StreamResponse, error) {
		format := spreadsheet.Format(in.Format)
		write, err := s.Log(ctx, in.From, in.To, format)
		if err != nil {
			return nil, err
		}
		return httpapi.Attachment{Name: "Complaints " + string(in.From) + " to " + string(in.To) + "." + in.Format,
			ContentType: format.ContentType()}.Send(write), nil
	})
	s.registerLetters(api)
}

func (s *Service) registerLetters(api *httpapi.API) {
	type letterOf struct {
		Number string `path:"number" maxLength:"20"`
		Letter int64  `path:"letter"`
	}
	const fileName = "Complaint letter.pdf"
	httpapi.Register(api, httpapi.Operation{
		ID: "caseLetter", Method: http.MethodGet, Path: "/work/cases/{number}/letters/{letter}", Summary: "Read a letter about a complaint",
		Access: "cases.own", Effect: httpapi.Read, Limit: ratelimit.Hourly(letterReads),
	}, func(ctx context.Context, in *letterOf) (*httpapi.PDF, error) {
		pdf, err := s.ReadLetter(ctx, access.From(ctx), in.Number, in.Letter)
		return httpapi.NewPDF(fileName, pdf, err)
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "deskCaseLetter", Method: http.MethodGet, Path: "/desk/cases/{number}/letters/{letter}",
		Summary:     "Open a letter about a complaint",
		Description: "The office sees it in its audit log.",
		Access:      "cases.desk", Effect: httpapi.Read, Limit: ratelimit.Hourly(letterReads),
	}, func(ctx context.Context, in *letterOf) (*httpapi.PDF, error) {
		pdf, err := s.ReadLetterAtDesk(ctx, in.Number, in.Letter)
		return httpapi.NewPDF(fileName, pdf, err)
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "mailLetter", Method: http.MethodPost, Path: "/desk/cases/{number}/letters/{letter}/mailed", Summary: "Mark a letter as mailed",
		Description: "Returns 409 if the complaint has changed since, or the letter has another day.",
		Access:      "cases.work", Effect: httpapi.Write,
	}, func(ctx context.Context, in *struct {
		Number string `path:"number" maxLength:"20"`
		Letter int64  `path:"letter"`
		Body   struct {
			MailedOn date.Date `json:"mailedOn" format:"date"`
			Version  int64     `json:"version" doc:"Version that the user saw"`
		}
	}) (*threadBody, error) {
		c, err := s.MarkMailed(ctx, Seen{in.Number, in.Body.Version}, in.Letter, in.Body.MailedOn)
		return s.changed(ctx, c, Network, err)
	})
}
