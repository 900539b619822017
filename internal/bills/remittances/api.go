package remittances

import (
	"context"
	"fmt"
	"math"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/bills/record"
	"wcpp/internal/identity/access"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/httpapi"
	"wcpp/internal/platform/module"
	"wcpp/internal/platform/money"
	"wcpp/internal/platform/paging"
	"wcpp/internal/platform/ratelimit"
	"wcpp/internal/platform/retention"
	"wcpp/internal/platform/spreadsheet"
	"wcpp/internal/platform/text"
)

// RemittanceSearch is the criteria for remittances.
type RemittanceSearch struct {
	Number    string    `json:"number,omitempty" doc:"Complete check or transfer number. Spaces, hyphens, case and dates are ignored"`
	Payer     string    `json:"payer,omitempty" doc:"Part of the name, up to 60 characters. Not case-sensitive"`
	From      date.Date `json:"from,omitempty" doc:"First date, YYYY-MM-DD. Defaults to the last 30 days without end date and number"`
	To        date.Date `json:"to,omitempty" doc:"Last payment date, up to 366 days after the first"`
	Amount    *float64  `json:"amount,omitempty" nullable:"true" doc:"Exact amount in decimal dollars"`
	Method    string    `json:"method,omitempty" enum:"CHK,ACH,FWT,BOP,NON,"`
	FTIN      string    `json:"ftin,omitempty" doc:"One of your TINs. Defaults to all"`
	Reversals bool      `json:"reversals,omitempty" doc:"Only remittances with reversals"`
	Adjusted  bool      `json:"adjusted,omitempty" doc:"Only remittances with provider-level adjustments"`
	NotPosted bool      `json:"notPosted,omitempty" doc:"Only remittances your group hasn't marked as posted"`

	Table paging.Table `json:"table"`
}

func (r RemittanceSearch) criteria() Criteria {
	c := Criteria{
		Number: text.Clean(r.Number), Payer: text.Clean(r.Payer), From: r.From, To: r.To, Method: r.Method, FTIN: text.Clean(r.FTIN),
		Reversals: r.Reversals, Adjusted: r.Adjusted, NotPosted: r.NotPosted,
	}
	if r.Amount != nil {
		n := int64(math.Round(*r.Amount * 100))
		c.Amount = &n
	}
	return c
}

// remittanceKind is how much of a payment a remittance shows.
type remittanceKind string

const (
	kindWhole     remittanceKind = "whole"
	kindShared    remittanceKind = "shared"
	kindAssembled remittanceKind = "assembled"
	kindNoAmount  remittanceKind = "noAmount"
)

// Schema describes the kinds.
func (remittanceKind) Schema(huma.Registry) *huma.Schema {
	return httpapi.Enum("shared: one check pays several payees. assembled: rebuilt from older payments. noAmount: BPR02 is empty",
		kindWhole, kindShared, kindAssembled, kindNoAmount)
}

// duplicateState is set if a check or payment isn't counted.
type duplicateState facts.DuplicateState

// Schema describes the states.
func (duplicateState) Schema(huma.Registry) *huma.Schema {
	return httpapi.Enum("SAME: it came with another check before, which is counted instead. POSSIBLE: not counted until network staff "+
		"decide. Neither is in any total", facts.SameCheck, facts.PossibleDuplicate, facts.Counted)
}

// RemittanceRow is a remittance in a list. Amounts are in dollars.
type RemittanceRow struct {
	ID        string         `json:"id" doc:"ID of its page"`
	PaidOn    date.Date      `json:"paidOn" format:"date" nullable:"true"`
	Payer     string         `json:"payer"`
	Number    string         `json:"number" doc:"Check or transfer number"`
	Method    string         `json:"method" doc:"BPR04: CHK, ACH, FWT, BOP or NON. Empty if unknown"`
	Amount    float64        `json:"amount" doc:"Payment amount. If the payment is shared or its amount is unknown, this TIN's share"`
	Kind      remittanceKind `json:"kind"`
	Bills     int            `json:"bills"`
	Reversals int            `json:"reversals"`
	Adjusted  float64        `json:"adjusted" doc:"Provider-level adjustments. A positive amount reduces the payment"`
	Balanced  bool           `json:"balanced" doc:"True if the payer's amounts balance, as far as known"`
	Duplicate duplicateState `json:"duplicate"`
	FTIN      string         `json:"ftin"`
	Content   string         `json:"content" doc:"State of its contents, for postRemittances"`
	Posted    *Posted        `json:"posted,omitempty" doc:"Your group's posted status"`
}

// Posted is a group's posted status of a remittance.
type Posted struct {
	By     string  `json:"by" doc:"Full name"`
	At     string  `json:"at" doc:"ISO 8601 in UTC"`
	State  string  `json:"state" enum:"posted,partly,changed" doc:"partly: bills added later. changed: posted amounts changed later"`
	Amount float64 `json:"amount" doc:"The amount when it was posted"`
}

// RemittancePage is everything known about one remittance. Amounts are in dollars.
type RemittancePage struct {
	Remittance  RemittanceRow      `json:"remittance"`
	ComesBy     string             `json:"comesBy" doc:"How the payment is made, as text"`
	EffectiveOn date.Date          `json:"effectiveOn" format:"date" nullable:"true" doc:"BPR16"`
	ProducedOn  date.Date          `json:"producedOn" format:"date" nullable:"true"`
	PayerID     string             `json:"payerId"`
	PayerTaxID  string             `json:"payerTaxId"`
	Contacts    []PayerContact     `json:"contacts" nullable:"false" doc:"Payer contacts"`
	Equation    []RemittanceTerm   `json:"equation" nullable:"false" doc:"Payment summary"`
	ComesTo     float64            `json:"comesTo" doc:"Total of the payment summary"`
	Notes       []RemittanceNote   `json:"notes" nullable:"false"`
	Bills       []RemittanceBill   `json:"bills" nullable:"false" doc:"Bills by claimant, up to 500. Reversals come before corrections"`
	Payments    int                `json:"payments" doc:"Number of bills"`
	Adjustments []RemittanceBeside `json:"adjustments" nullable:"false" doc:"Provider-level adjustments"`
	AsSent      string             `json:"asSent" enum:"offered,shared,parts,assembled,gone" doc:"Availability of the original 835"`
	File        string             `json:"file" doc:"The source file. Empty unless there's exactly one"`
	FirstSeen   string             `json:"firstSeen" doc:"Time it was added to the portal, ISO 8601 in UTC"`
}

// PayerContact is how to reach the payer's help, without names of persons.
type PayerContact struct {
	For       string `json:"for" doc:"PER01: CX claims, BL technical matters, IC information on the web"`
	Telephone string `json:"telephone"`
	Extension string `json:"extension"`
	Web       string `json:"web"`
}

// RemittanceTerm is one item of the payment summary.
type RemittanceTerm struct {
	Kind   string  `json:"kind" enum:"paid,reversed,adjusted"`
	Reason string  `json:"reason" doc:"PLB03-1, the adjustment reason code"`
	Amount float64 `json:"amount" doc:"Effect on the payment. Negative amounts reduce it"`
}

// RemittanceNote is a notice above the rest of the page.
type RemittanceNote struct {
	Kind       string `json:"kind" enum:"zero,off,assembled,shared,parts,anew,noAmount,same,possible,partly"`
	Text       string `json:"text"`
	Remittance string `json:"remittance,omitempty" doc:"ID of the referenced remittance's page"`
	Number     string `json:"number,omitempty" doc:"Number of the referenced remittance"`
}

// RemittanceBill is the payment of one bill in a remittance.
type RemittanceBill struct {
	Number               string                  `json:"number" doc:"Bill control number. Empty if the bill isn't on file"`
	Page                 string                  `json:"page,omitempty" doc:"ID of the bill's page"`
	PatientControlNumber string                  `json:"patientControlNumber" doc:"The patient account number"`
	PayerClaimNumber     string                  `json:"payerClaimNumber"`
	Claimant             string                  `json:"claimant"`
	BeginServiceDate     date.Date               `json:"beginServiceDate" format:"date" nullable:"true"`
	EndServiceDate       date.Date               `json:"endServiceDate" format:"date" nullable:"true"`
	Nature               string                  `json:"nature" doc:"Payment, Reversal, ..."`
	Duplicate            duplicateState          `json:"duplicate"`
	Part                 string                  `json:"part" enum:"reversal,correction," doc:"Links a reversal to its correction"`
	Charge               float64                 `json:"charge"`
	Allowance            *float64                `json:"allowance" doc:"Set by the network"`
	Paid                 float64                 `json:"paid"`
	PatientsPart         float64                 `json:"patientsPart"`
	Interest             float64                 `json:"interest" doc:"Not included in the paid amount"`
	Adjustments          []record.PageAdjustment `json:"adjustments" nullable:"false"`
	Remarks              []record.PageRemark     `json:"remarks" nullable:"false"`
	Jurisdiction         string                  `json:"jurisdiction" doc:"State of jurisdiction, two letters. Empty if unknown"`
}

// RemittanceBeside is a provider-level adjustment.
type RemittanceBeside struct {
	Reason    string    `json:"reason" doc:"PLB03-1"`
	Reference string    `json:"reference" doc:"PLB03-2"`
	Amount    float64   `json:"amount" doc:"Effect on the payment. Negative amounts reduce it"`
	Period    date.Date `json:"period" format:"date" nullable:"true" doc:"The payer's fiscal period end date"`
	Number    string    `json:"number,omitempty" doc:"Bill control number of the referenced bill, if on file"`
	Page      string    `json:"page,omitempty" doc:"ID of its page"`
}

// PostedMarks are the posted statuses to set or remove.
type PostedMarks struct {
	IDs    []string `json:"ids" minItems:"1" maxItems:"200" nullable:"false" doc:"The IDs from a search"`
	Seen   []string `json:"seen,omitempty" maxItems:"200" nullable:"false" doc:"State values in the same order, to skip later additions"`
	Posted bool     `json:"posted"`
}

// PostedAnswer is the current posted status of a remittance.
type PostedAnswer struct {
	Posted *Posted `json:"posted,omitempty"`
}

type remittancePath struct {
	ID string `path:"id" maxLength:"1000" doc:"The ID from a search"`
}

// Module returns the domain's module.
func (s *Service) Module() module.Module {
	return module.Module{Operations: s.Register, Jobs: s.Jobs, Cleanup: s.Cleanup, Retention: []retention.Item{
		retention.Forever("Posted status of remittances", "remittance_marks"),
		retention.Until("7 days", "Remittance exports", "remittance_exports").In("remittance-exports/"),
	}}
}

// maxBills is how many payments a page shows; documents contain all of them.
const maxBills = 500

// Register adds the domain's operations.
func (s *Service) Register(api *httpapi.API) {
	s.registerTrends(api)
	s.registerPayers(api)
	searches, openings := ratelimit.Hourly(s.settings.BillSearches), ratelimit.Hourly(s.settings.BillOpenings)

	httpapi.Register(api, httpapi.Operation{
		ID: "searchRemittances", Method: http.MethodPost, Path: "/remittances/search", Summary: "Search remittances",
		Description: "Newest first. Columns: paidOn, payer, number, method, amount, bills, ftin.",
		Access:      "remittances.read", Effect: httpapi.Read, Expensive: true, Limit: searches,
	}, func(ctx context.Context, in *struct{ Body RemittanceSearch }) (*paging.Answer[RemittanceRow], error) {
		a := access.From(ctx)
		found, count, err := s.Search(ctx, a, in.Body.criteria(), in.Body.Table)
		if err != nil {
			return nil, err
		}
		page := paging.Page[RemittanceRow]{Rows: make([]RemittanceRow, len(found)), Count: count}
		names := s.posterNames(a)
		for i, r := range found {
			if page.Rows[i], err = s.toRow(ctx, r, names); err != nil {
				return nil, err
			}
		}
		return &paging.Answer[RemittanceRow]{Body: page}, nil
	})

	opening := httpapi.Operation{Method: http.MethodGet, Access: "remittances.read", Effect: httpapi.Read, Limit: openings}

	op := opening
	op.ID, op.Path, op.Summary = "remittancePage", "/remittances/{id}", "Get the details of a remittance"
	httpapi.Register(api, op, func(ctx context.Context, in *remittancePath) (*struct{ Body RemittancePage }, error) {
		p, err := s.Page(ctx, access.From(ctx), in.ID)
		if err != nil {
			return nil, err
		}
		out, err := s.toPage(p, in.ID)
		return &struct{ Body RemittancePage }{out}, err
	})

	s.registerDesk(api)
	s.registerDocuments(api, opening)
	s.registerExports(api, openings)

	httpapi.Register(api, httpapi.Operation{
		ID: "postRemittances", Method: http.MethodPut, Path: "/remittancePosts", Summary: "Mark remittances as posted for your group",
		Description: "Marks all or none. Returns them in the order of the IDs.",
		Access:      "remittances.post", Effect: httpapi.Write,
	}, func(ctx context.Context, in *struct{ Body PostedMarks }) (*httpapi.List[PostedAnswer], error) {
		statuses, err := s.Post(ctx, access.From(ctx), in.Body.IDs, in.Body.Seen, in.Body.Posted)
		return httpapi.NewList(statuses, func(s PostedStatus) PostedAnswer { return PostedAnswer{newPosted(s)} }), err
	})
}

// registerDocuments adds the downloads of one remittance.
func (s *Service) registerDocuments(api *httpapi.API, op httpapi.Operation) {
	op.Cookie = true

	op.ID, op.Path, op.Summary = "remittanceVoucher", "/remittances/{id}/voucher", "Get a remittance advice as PDF"
	op.Expensive = true
	httpapi.Register(api, op, func(ctx context.Context, in *remittancePath) (*httpapi.PDF, error) {
		name, body, err := s.Advice(ctx, access.From(ctx), in.ID)
		return httpapi.NewPDF(name, body, err)
	})

	op.ID, op.Path, op.Summary = "remittance835", "/remittances/{id}/835", "Get the original X12 835 of a remittance"
	op.Expensive = true
	op.Description = "Returns its transaction set in a new envelope, with bank accounts masked to the last 4 characters. Returns 404 " +
		"if no single stored file has exactly this remittance."
	httpapi.Register(api, op, func(ctx context.Context, in *remittancePath) (*huma.StreamResponse, error) {
		name, body, err := s.Original(ctx, access.From(ctx), in.ID)
		return httpapi.Attachment{Name: name, ContentType: "application/edi-x12"}.SendBytes(body), err
	})
	op.Description = ""

	for _, form := range []struct {
		id, path string
		format   spreadsheet.Format
	}{
		{"remittanceLines", "/remittances/{id}/lines.csv", spreadsheet.CSV},
		{"remittanceWorkbook", "/remittances/{id}/lines.xlsx", spreadsheet.XLSX},
	} {
		op.ID, op.Path, op.Summary = form.id, form.path, "Get a remittance's lines as a table"
		httpapi.Register(api, op, func(ctx context.Context, in *remittancePath) (*huma.StreamResponse, error) {
			name, write, err := s.Lines(ctx, access.From(ctx), in.ID, form.format)
			return httpapi.Attachment{Name: name, ContentType: form.format.ContentType()}.Send(write), err
		})
	}
}

// ExportedRemittances are the remittances to export into one file.
type ExportedRemittances struct {
	IDs []string `json:"ids" nullable:"false" doc:"The IDs from a search, up to 200"`
}

// RemittanceExport is an export of several remittances, and its progress.
type RemittanceExport struct {
	ID     int64  `json:"id"`
	Status string `json:"status" enum:"QUEUED,DONE,FAILED"`
	Ready  int    `json:"ready" doc:"Remittances added so far"`
	Count  int    `json:"count" doc:"Total remittances to add"`
}

func toRemittanceExport(e Export) RemittanceExport {
	return RemittanceExport{ID: e.ID, Status: e.Status, Ready: e.Ready, Count: len(e.Remittances)}
}

type exportPath struct {
	ID int64 `path:"id" doc:"The ID from exportRemittances"`
}

// registerExports adds the operations that export several remittances.
func (s *Service) registerExports(api *httpapi.API, openings *ratelimit.Limiter) {
	httpapi.Register(api, httpapi.Operation{
		ID: "exportRemittances", Method: http.MethodPost, Path: "/remittanceExports", Summary: "Export several remittances to one file",
		Description: "A ZIP file of remittance advices, line tables and original 835s. It's created in the background and kept for 7 days.",
		Access:      "remittances.read", Effect: httpapi.Write, Expensive: true, Limit: openings, MaxBytes: 256 << 10,
	}, func(ctx context.Context, in *struct{ Body ExportedRemittances }) (*struct{ Body RemittanceExport }, error) {
		e, err := s.Export(ctx, access.From(ctx), in.Body.IDs)
		return &struct{ Body RemittanceExport }{toRemittanceExport(e)}, err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "remittanceExport", Method: http.MethodGet, Path: "/remittanceExports/{id}", Summary: "Get the progress of a remittance export",
		Access: "remittances.read", Effect: httpapi.Read, Background: true,
	}, func(ctx context.Context, in *exportPath) (*struct{ Body RemittanceExport }, error) {
		e, err := s.FindExport(ctx, access.From(ctx), in.ID)
		return &struct{ Body RemittanceExport }{toRemittanceExport(e)}, err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "remittanceExportFile", Method: http.MethodGet, Path: "/remittanceExports/{id}/file",
		Summary: "Download a remittance export (ZIP)",
		Access:  "remittances.read", Effect: httpapi.Read, Cookie: true, Limit: openings,
	}, func(ctx context.Context, in *exportPath) (*huma.StreamResponse, error) {
		file, err := s.OpenExport(ctx, access.From(ctx), in.ID)
		return httpapi.Attachment{Name: fmt.Sprintf("remittances_%d.zip", in.ID), ContentType: "application/zip"}.SendAll(file), err
	})
}

func newPosted(s PostedStatus) *Posted {
	if s.Mark == nil {
		return nil
	}
	return &Posted{By: s.By, At: s.Mark.PostedAt.RFC3339(), State: s.State, Amount: money.Of(s.Mark.On.Amount)}
}

// toRow converts a remittance for the response; names returns users' full names.
func (s *Service) toRow(ctx context.Context, r Listed, names func(context.Context, string) (string, error)) (RemittanceRow, error) {
	sealed, err := s.records.SealRemittance(ID{FTIN: r.FTIN, Remittance: r.Remittance})
	if err != nil {
		return RemittanceRow{}, err
	}
	out := RemittanceRow{
		ID: sealed, PaidOn: r.PaidOn, Payer: r.PayerName, Number: r.TraceNumber, Method: r.Method, Amount: money.Of(r.Paid - r.Adjusted),
		Kind:  classify(r.Payees, r.Amount),
		Bills: r.Bills, Reversals: r.Reversals, Adjusted: money.Of(r.Adjusted), Balanced: r.Balanced || r.Payees == 0 ||
			classify(r.Payees, r.Amount) == kindNoAmount,
		Duplicate: duplicateState(r.Duplicate), FTIN: r.FTIN,
	}
	if r.Amount != nil {
		out.Amount = money.Of(*r.Amount)
	}
	content := r.content()
	out.Content = content.text()
	if mark := r.mark(); mark != nil {
		name, err := names(ctx, mark.PostedBy)
		if err != nil {
			return out, err
		}
		out.Posted = newPosted(PostedStatus{mark, name, mark.State(content)})
	}
	return out, nil
}

func classify(payees int, amount *int64) remittanceKind {
	switch {
	case payees == 0:
		return kindAssembled
	case payees > 1:
		return kindShared
	case amount == nil:
		return kindNoAmount
	default:
		return kindWhole
	}
}

func (s *Service) toPage(p Page, sealed string) (RemittancePage, error) {
	r := p.Remittance
	out := RemittancePage{
		Remittance: RemittanceRow{
			ID: sealed, PaidOn: r.PaidOn, Payer: r.PayerName, Number: r.TraceNumber, Method: r.Method,
			Amount: money.Of(r.Paid - r.Adjusted), Kind: classify(r.Payees, r.Amount),
			Bills: r.Bills, Reversals: r.Reversals, Adjusted: money.Of(r.Adjusted), Balanced: r.Balanced || r.Payees == 0 ||
				classify(r.Payees, r.Amount) == kindNoAmount,
			Duplicate: duplicateState(r.Duplicate), FTIN: r.FTIN,
			Content: newContent(r.Amount, r.Paid, r.Adjusted, r.Bills, r.Reversals).text(), Posted: newPosted(p.posted),
		},
		ComesBy: p.describeMethod(), EffectiveOn: r.EffectiveOn, ProducedOn: r.ProducedOn, PayerID: r.PayerID, PayerTaxID: r.PayerTaxID,
		Contacts: []PayerContact{}, Equation: []RemittanceTerm{}, ComesTo: money.Of(p.Total), Notes: []RemittanceNote{},
		Bills: []RemittanceBill{}, Payments: len(p.Bills), Adjustments: []RemittanceBeside{}, AsSent: string(p.Original), File: p.FileName,
		FirstSeen: r.FirstSeenAt.RFC3339(),
	}
	if r.Amount != nil {
		out.Remittance.Amount = money.Of(*r.Amount)
	}
	for _, c := range r.Contacts {
		out.Contacts = append(out.Contacts, PayerContact(c))
	}
	for _, t := range p.Summary {
		out.Equation = append(out.Equation, RemittanceTerm{t.Kind, t.Reason, money.Of(t.Amount)})
	}
	for _, n := range p.Notes {
		note := RemittanceNote{Kind: n.Kind, Text: n.Text}
		if n.To != nil {
			link, err := s.records.SealRemittance(ID{FTIN: n.To.FTIN, Remittance: n.To.Remittance})
			if err != nil {
				return out, err
			}
			note.Remittance, note.Number = link, n.To.TraceNumber
		}
		out.Notes = append(out.Notes, note)
	}
	for _, row := range p.Bills[:min(len(p.Bills), maxBills)] {
		b, err := s.toBill(row)
		if err != nil {
			return out, err
		}
		out.Bills = append(out.Bills, b)
	}
	for _, b := range p.ProviderAdjustments {
		adjustment := RemittanceBeside{Reason: b.Reason, Reference: b.Reference, Amount: money.Of(-b.Amount), Period: b.Period}
		if b.Bill != nil {
			page, err := s.records.SealPage(*b.Bill)
			if err != nil {
				return out, err
			}
			adjustment.Number, adjustment.Page = b.Bill.BillControlNumber, page
		}
		out.Adjustments = append(out.Adjustments, adjustment)
	}
	return out, nil
}

func (s *Service) toBill(r Row) (b RemittanceBill, err error) {
	b = RemittanceBill{
		PatientControlNumber: r.PatientControlNumber, PayerClaimNumber: r.PayerControlNumber, Claimant: r.claimant(),
		BeginServiceDate: r.Reported.BeginServiceDate, EndServiceDate: r.Reported.EndServiceDate, Nature: record.NatureNames[r.Nature],
		Part: r.Part, Duplicate: duplicateState(r.Duplicate),
		Charge: money.Of(r.Charge), Paid: money.Of(r.Paid), PatientsPart: money.Of(r.PatientResponsibility),
		Interest:    money.Of(r.Detail.Amounts.Interest),
		Adjustments: record.WireAdjustments(r.Adjustments), Remarks: record.WireRemarks(r.Remarks), Jurisdiction: r.jurisdiction(),
	}
	if a := r.allowance(); a != nil {
		d := money.Of(*a)
		b.Allowance = &d
	}
	if r.Bill != nil {
		b.Number = r.Bill.BillControlNumber
		b.Page, err = s.records.SealPage(*r.Bill)
	}
	return b, err
}
