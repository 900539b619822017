package demo

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"codeberg.org/go-pdf/fpdf"
	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"wcpp/internal/platform/names"
)

// SecondBill is a bill in the fake second bill system, with its search fields.
type SecondBill struct {
	FTIN                 string  `json:"ftin"`
	ExID                 string  `json:"exId"`
	BillControlNumber    string  `json:"billControlNumber"`
	DocumentID           string  `json:"documentId"`
	ClaimNumber          string  `json:"claimNumber"`
	PatientFirstName     string  `json:"patientFirstName"`
	PatientLastName      string  `json:"patientLastName"`
	BeginServiceDate     string  `json:"beginServiceDate"`
	EndServiceDate       string  `json:"endServiceDate"`
	PhysicianFirstName   string  `json:"physicianFirstName"`
	PhysicianLastName    string  `json:"physicianLastName"`
	FacilityName         string  `json:"facilityName"`
	BillCharges          float64 `json:"billCharges"`
	RecommendedAllowance float64 `json:"recommendedAllowance"`
	BillStatus           string  `json:"billStatus"`
	EOR                  bool    `json:"eor"`
	PayerName            string  `json:"payerName"`

	BirthDate string `json:"-"`
}

// SecondSystem is a fake second bill system: its API and its documents.
type SecondSystem struct {
	bills  []SecondBill // set before the portal starts serving
	origin string       // public origin of its documents
}

// NewSecondSystem creates the fake.
func NewSecondSystem(origin string) *SecondSystem {
	return &SecondSystem{origin: origin}
}

// Serve sets the bills before the first request.
func (s *SecondSystem) Serve(bills []SecondBill) { s.bills = bills }

// Mount adds its routes under /demo/second.
func (s *SecondSystem) Mount(mux *http.ServeMux) {
	mux.HandleFunc("POST /demo/second/bills/search", s.search)
	mux.HandleFunc("GET /demo/second/bills/{exId}/{kind}", s.address)
	mux.HandleFunc("GET /demo/second/documents/{exId}/{kind}", s.document)
	mux.HandleFunc("GET /demo/payer/{bill}", s.payerPage)
	mux.HandleFunc("GET /demo/page/{name}", s.networkPage)
}

type secondSearch struct {
	TINs              []string `json:"tins"`
	ClaimNumber       string   `json:"claimNumber"`
	ClaimantFirstName string   `json:"claimantFirstName"`
	ClaimantLastName  string   `json:"claimantLastName"`
	ClaimantBirthDate string   `json:"claimantDateOfBirth"`
	BeginServiceDate  string   `json:"beginServiceDate"`
	EndServiceDate    string   `json:"endServiceDate"`
	BillControlNumber string   `json:"billControlNumber"`
	DocumentID        string   `json:"documentId"`
}

func (q secondSearch) matches(b SecondBill) bool {
	same := func(asked, has string) bool { return asked == "" || strings.EqualFold(asked, has) }
	named := func(asked, has string) bool { return asked == "" || names.FoldPart(asked) == names.FoldPart(has) }
	inWindow := q.BeginServiceDate == "" || b.BeginServiceDate <= q.EndServiceDate && b.EndServiceDate >= q.BeginServiceDate
	return slices.Contains(q.TINs, b.FTIN) && inWindow &&
		same(q.ClaimNumber, b.ClaimNumber) && named(q.ClaimantFirstName, b.PatientFirstName) &&
		named(q.ClaimantLastName, b.PatientLastName) && same(q.ClaimantBirthDate, b.BirthDate) &&
		same(q.BillControlNumber, b.BillControlNumber) && same(q.DocumentID, b.DocumentID)
}

func (s *SecondSystem) search(w http.ResponseWriter, r *http.Request) {
	var q secondSearch
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 64<<10)).Decode(&q); err != nil {
		http.Error(w, "couldn't read the search", http.StatusBadRequest)
		return
	}
	found := []SecondBill{}
	for _, b := range s.bills {
		if q.matches(b) {
			found = append(found, b)
		}
	}
	answer(w, found)
}

func answer(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v) // the client disconnected
}

func (s *SecondSystem) find(r *http.Request) (SecondBill, bool) {
	i := slices.IndexFunc(s.bills, func(b SecondBill) bool { return b.ExID == r.PathValue("exId") })
	kind := r.PathValue("kind")
	if i < 0 || kind != "image" && kind != "eor" || kind == "eor" && !s.bills[i].EOR {
		return SecondBill{}, false
	}
	return s.bills[i], true
}

func (s *SecondSystem) address(w http.ResponseWriter, r *http.Request) {
	b, ok := s.find(r)
	if !ok {
		http.NotFound(w, r)
		return
	}
	answer(w, map[string]string{"url": fmt.Sprintf("%s/demo/second/documents/%s/%s", s.origin, b.ExID, r.PathValue("kind"))})
}

func (s *SecondSystem) document(w http.ResponseWriter, r *http.Request) {
	b, ok := s.find(r)
	if !ok {
		http.NotFound(w, r)
		return
	}
	title := "Bill image"
	if r.PathValue("kind") == "eor" {
		title = "Explanation of Review"
	}
	f := fpdf.New("P", "mm", "Letter", "")
	tr := f.UnicodeTranslatorFromDescriptor("")
	f.SetTitle(title, true)
	f.AddPage()
	f.SetFont("Helvetica", "B", 16)
	f.CellFormat(0, 10, tr(title), "", 1, "L", false, 0, "")
	f.SetFont("Helvetica", "", 10)
	f.CellFormat(0, 7, tr("Second bill system (demo)"), "", 1, "L", false, 0, "")
	f.Ln(4)
	facts := [][2]string{
		{"Bill control number", b.BillControlNumber}, {"Document ID", b.DocumentID}, {"Claim number", b.ClaimNumber},
		{"Claimant", b.PatientFirstName + " " + b.PatientLastName}, {"Service", b.BeginServiceDate + " to " + b.EndServiceDate},
		{"Provider", b.PhysicianFirstName + " " + b.PhysicianLastName}, {"Facility", b.FacilityName},
		{"Billed charges", fmt.Sprintf("$%.2f", b.BillCharges)},
	}
	if title != "Bill image" {
		facts = append(facts, [2]string{"Recommended allowance", fmt.Sprintf("$%.2f", b.RecommendedAllowance)})
	}
	for _, fact := range facts {
		f.CellFormat(60, 7, tr(fact[0]), "", 0, "L", false, 0, "")
		f.CellFormat(0, 7, tr(fact[1]), "", 1, "L", false, 0, "")
	}
	var out bytes.Buffer
	if err := f.Output(&out); err != nil {
		http.Error(w, "couldn't create the document", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/pdf")
	w.Header().Set("Cache-Control", "no-store")
	_, _ = w.Write(out.Bytes()) // the browser disconnected
}

var networkPages = map[string]string{
	"terms": "Terms and Conditions", "privacy": "Privacy Policy",
	"fee-schedules": "New fee schedules", "office-hours": "Office hours", "directory": "Your directory entry",
}

// networkPage replaces the network's own pages.
func (s *SecondSystem) networkPage(w http.ResponseWriter, r *http.Request) {
	title, ok := networkPages[r.PathValue("name")]
	if !ok {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_ = renderBarePage(title, "In production, this is the network's page.").Render(w) // the browser disconnected
}

// payerPage replaces the payer's page for a bill.
func (s *SecondSystem) payerPage(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	// the browser disconnected
	_ = renderBarePage("Bill "+r.PathValue("bill"), "In production, this is the bill's page on the payer's site.").Render(w)
}

// renderBarePage returns a page with one sentence.
func renderBarePage(title, text string) g.Node {
	return h.Doctype(h.HTML(h.Lang("en"),
		h.Head(h.Meta(h.Charset("utf-8")), h.Meta(h.Name("viewport"), h.Content("width=device-width, initial-scale=1")),
			h.TitleEl(g.Text(title))),
		h.Body(h.Main(h.H1(g.Text(title)), h.P(g.Text(text)))),
	))
}
