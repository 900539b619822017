package detail

import (
	"cmp"
	"context"
	"net/http"
	"strings"

	"wcpp/internal/bills/billstate"
	"wcpp/internal/bills/ledger/derive"
	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/bills/record"
	"wcpp/internal/identity/access"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/httpapi"
	"wcpp/internal/platform/money"
	"wcpp/internal/platform/pdfdoc"
)

type (
	// PageAdjustment is why a payer paid more or less than charged.
	PageAdjustment = record.PageAdjustment
	// PageRemark is a code that adds to the adjustments.
	PageRemark = record.PageRemark
	// BillResult is the bill as searches show it.
	BillResult = record.BillResult
	// SeenByOffice is the user of an office who first opened something.
	SeenByOffice = record.SeenByOffice
)

// BillPage is everything known about one bill. Amounts are in dollars.
type BillPage struct {
	Bill                 BillResult       `json:"bill"`
	PatientControlNumber string           `json:"patientControlNumber" doc:"The patient account number"`
	FormerNumbers        []string         `json:"formerNumbers" nullable:"false" doc:"Former bill control numbers, in upper case"`
	Kind                 string           `json:"kind" enum:"professional,institutional,second" doc:"second: the second bill system"`
	Jurisdiction         string           `json:"jurisdiction" doc:"State of jurisdiction, two letters. Empty if unknown"`
	State                PageState        `json:"state"`
	Answer               PageAnswer       `json:"answer"`
	Contact              *PageContact     `json:"contact,omitempty" doc:"Payer contact. Absent if none is on file"`
	Banners              []PageBanner     `json:"banners" nullable:"false"`
	Difference           *float64         `json:"difference" doc:"Allowance minus paid amount. Null if unknown or a reversal is pending"`
	Lines                []PageLine       `json:"lines" nullable:"false" doc:"None from the second bill system"`
	Unmatched            []UnmatchedLine  `json:"unmatched" nullable:"false" doc:"Payment lines that match no service line of the bill"`
	Adjustments          []PageAdjustment `json:"adjustments" nullable:"false" doc:"For the whole bill"`
	Remarks              []PageRemark     `json:"remarks" nullable:"false" doc:"On the whole bill"`
	TakenBack            PageCodes        `json:"takenBack" doc:"Reason codes of a full reversal, each once, with its amounts as sent"`
	Journey              []PageEvent      `json:"journey" nullable:"false" doc:"Oldest first"`
	Versions             []PageVersion    `json:"versions" nullable:"false" doc:"Submissions of the bill. The last one is current"`
	Payments             []PagePayment    `json:"payments" nullable:"false" doc:"In the order they apply"`
	Papers               []PagePaper      `json:"papers" nullable:"false" doc:"Documents on file; others are made from the bill's data"`
	Related              []PageBill       `json:"related" nullable:"false" doc:"Bills that replace this one or are replaced by it"`
	SameClaim            []PageBill       `json:"sameClaim" nullable:"false" doc:"Other bills of the claim, newest service first, up to 25"`
	MoreOfClaim          bool             `json:"moreOfClaim" doc:"True if the claim has more bills than sameClaim lists"`
	Certificate          bool             `json:"certificate" doc:"True if a certificate of receipt of the EOR is available"`
}

// PageState is the state of a bill in words.
type PageState struct {
	Tone string `json:"tone" enum:"success,info,neutral,warning,error"`
	Text string `json:"text"`
}

// PageAnswer is what happened to the bill and what the office does next.
type PageAnswer struct {
	Tone     string    `json:"tone" enum:"success,info,neutral,warning,error"`
	Text     string    `json:"text" doc:"One sentence: state, date, by whom and why"`
	NextStep string    `json:"nextStep" doc:"Empty if there is nothing to do"`
	Open     bool      `json:"open" doc:"True if the bill needs follow-up"`
	Due      date.Date `json:"due" format:"date" nullable:"true" doc:"Next deadline of the payer or the office"`
	DueBy    string    `json:"dueBy" enum:",payer,office" doc:"Party that has to act. Empty without a deadline"`
	DaysLeft int       `json:"daysLeft" doc:"Days until the deadline. Negative if it has passed"`
}

func wireAnswer(a Answer) PageAnswer {
	return PageAnswer{a.Tone, a.Text, a.NextStep, a.Open, a.Due,
		map[billstate.Side]string{billstate.Payer: "payer", billstate.Office: "office"}[a.DueBy], a.DaysLeft}
}

// PageContact is how to reach the payer about the bill.
type PageContact struct {
	Payer       string    `json:"payer"`
	Phone       string    `json:"phone" doc:"Digits"`
	Extension   string    `json:"extension"`
	Web         string    `json:"web"`
	Address     string    `json:"address" doc:"For paper bills"`
	Hours       string    `json:"hours" doc:"Entered by network staff"`
	Ready       string    `json:"ready" doc:"What to have ready for a call"`
	ClaimNumber string    `json:"claimNumber" doc:"Claim number at the payer"`
	Source      string    `json:"source" enum:"staff,remittance,clients" doc:"Network staff, the payer's latest 835, or the client list"`
	On          date.Date `json:"on" format:"date" nullable:"true" doc:"Date of the entry or of the 835. Null for the client list"`
	Possibly    bool      `json:"possibly" doc:"True if only the name matches, or several clients share the payer ID"`
}

// PageBanner is a notice above the rest of the page.
type PageBanner struct {
	Kind string `json:"kind" enum:"payment-only,replaced,waiting,second"`
	Text string `json:"text"`
	Page string `json:"page,omitempty" doc:"ID of the referenced bill's page"`
}

// PageLine is a service line of a bill with the payers' decisions.
type PageLine struct {
	Number      int              `json:"number"`
	Revenue     string           `json:"revenue"`
	Procedure   string           `json:"procedure"`
	Modifiers   []string         `json:"modifiers" nullable:"false"`
	Description string           `json:"description"`
	Units       string           `json:"units"`
	BeginDate   date.Date        `json:"beginDate" format:"date" nullable:"true"`
	EndDate     date.Date        `json:"endDate" format:"date" nullable:"true"`
	Charge      float64          `json:"charge"`
	Allowance   *float64         `json:"allowance" doc:"Set by the network"`
	Allowed     *float64         `json:"allowed" doc:"Set by the payer"`
	Paid        *float64         `json:"paid"`
	PaidAs      string           `json:"paidAs,omitempty" doc:"Procedure paid instead of this one"`
	Difference  *float64         `json:"difference" doc:"Same as for the whole bill"`
	Adjustments []PageAdjustment `json:"adjustments" nullable:"false"`
	Remarks     []PageRemark     `json:"remarks" nullable:"false"`
}

// UnmatchedLine is a payment line that matches no line of the bill.
type UnmatchedLine struct {
	Revenue     string           `json:"revenue"`
	Procedure   string           `json:"procedure"`
	Modifiers   []string         `json:"modifiers" nullable:"false"`
	Units       string           `json:"units"`
	BeginDate   date.Date        `json:"beginDate" format:"date" nullable:"true"`
	EndDate     date.Date        `json:"endDate" format:"date" nullable:"true"`
	Charge      float64          `json:"charge"`
	Allowed     *float64         `json:"allowed"`
	Paid        *float64         `json:"paid" doc:"Null if unknown or after a partial reversal"`
	Adjustments []PageAdjustment `json:"adjustments" nullable:"false"`
	Remarks     []PageRemark     `json:"remarks" nullable:"false"`
	CheckNumber string           `json:"checkNumber"`
	PaidDate    date.Date        `json:"paidDate" format:"date" nullable:"true"`
}

// PageCodes are codes with their amounts.
type PageCodes struct {
	Adjustments []PageAdjustment `json:"adjustments" nullable:"false"`
	Remarks     []PageRemark     `json:"remarks" nullable:"false"`
}

// PageEvent is one entry in a bill's history, on a day or at a time.
type PageEvent struct {
	Kind       string    `json:"kind" enum:"service,received,sent,priced,payer-received,payment,seen,change,paper,opened"`
	On         date.Date `json:"on" format:"date" nullable:"true"`
	At         string    `json:"at" doc:"Timestamp, ISO 8601 in UTC. Empty if only the date is known"`
	Text       string    `json:"text"`
	Source     string    `json:"source" doc:"Source of the event"`
	Remittance string    `json:"remittance,omitempty" doc:"ID of the page of the payment's remittance"`
}

// PageVersion is one version of a bill as sent.
type PageVersion struct {
	Name      string    `json:"name" doc:"Original, Replacement, ..."`
	SentOn    date.Date `json:"sentOn" format:"date" nullable:"true"`
	File      string    `json:"file" doc:"Kind of the source file"`
	Times     int       `json:"times" doc:"Number of times it was sent, with different numbers or prices"`
	Number    string    `json:"number" doc:"Network number, as sent"`
	Document  string    `json:"document" doc:"Clearinghouse number, as sent"`
	Reference string    `json:"reference" doc:"Number of the referenced bill"`
	Charge    float64   `json:"charge"`
	Allowance *float64  `json:"allowance"`
	InForce   bool      `json:"inForce"`
	Why       string    `json:"why"`
}

// PagePayment is a payment of a bill, with its role for the bill.
type PagePayment struct {
	PaidDate     date.Date `json:"paidDate" format:"date" nullable:"true"`
	Payer        string    `json:"payer"`
	CheckNumber  string    `json:"checkNumber"`
	Nature       string    `json:"nature" doc:"Payment, Reversal, ..."`
	Charge       float64   `json:"charge"`
	Paid         float64   `json:"paid"`
	PatientsPart float64   `json:"patientsPart"`
	ClaimNumber  string    `json:"payerClaimNumber" doc:"Payer claim number"`

	Role string `json:"role" enum:"stands,beside,reduced,takenBack,takesBack,waits,superseded,informs,uncounted," doc:"Empty if unknown"`
	Why  string `json:"why"`

	File       string `json:"file"`
	Remittance string `json:"remittance,omitempty" doc:"ID of its remittance's page"`
}

// PagePaper is a document supplied by the network.
type PagePaper struct {
	Kind string `json:"kind" enum:"image,eor,pricing-sheet"`
	At   string `json:"at" doc:"Time it was added to the portal, ISO 8601 in UTC"`
}

// PageBill identifies another bill.
type PageBill struct {
	BillControlNumber string    `json:"billControlNumber"`
	FTIN              string    `json:"ftin"`
	Page              string    `json:"page"`
	BeginServiceDate  date.Date `json:"beginServiceDate" format:"date" nullable:"true"`
	EndServiceDate    date.Date `json:"endServiceDate" format:"date" nullable:"true"`
	BillCharges       float64   `json:"billCharges"`
	State             PageState `json:"state"`
}

// DeskBillPage is a bill page as the office sees it, whether the office opened it, and what it asked.
type DeskBillPage struct {
	Page BillPage      `json:"page"`
	Seen *SeenByOffice `json:"seen,omitempty" doc:"First user in the offices with this Tax ID to open the bill. Absent if no one has"`

	Questions []BillQuestion `json:"questions" nullable:"false" doc:"Those that an office can still write to, newest first"`
}

type pagePath struct {
	ID string `path:"id" maxLength:"1000" doc:"The ID from a search"`
}

// Register adds the operations of bill pages.
func (s *Service) Register(api *httpapi.API) {
	s.registerDesk(api)
	op := httpapi.Operation{Method: http.MethodGet, Access: "work.bills", Effect: httpapi.Read, Limit: s.openings, Scoped: true}
	op.ID, op.Path, op.Summary = "billPage", "/work/bills/{id}", "Get the details of a bill"
	httpapi.Register(api, op, func(ctx context.Context, in *pagePath) (*struct{ Body BillPage }, error) {
		page, err := s.getPage(ctx, access.From(ctx), in.ID)
		return &struct{ Body BillPage }{page}, err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "billContacts", Method: http.MethodPost, Path: "/work/bills/contacts", Summary: "List the payer contacts of bills",
		Description: "Leaves out bills that don't exist or that you can't see.",
		Access:      "work.bills", Effect: httpapi.Read, Scoped: true, Expensive: true, MaxBytes: 128 << 10,
	}, func(ctx context.Context, in *struct{ Body BillContactQuery }) (*httpapi.List[BillPayerContact], error) {
		list, err := s.ListContacts(ctx, access.From(ctx), in.Body.Bills)
		return &httpapi.List[BillPayerContact]{Body: orEmpty(list)}, err
	})
}

// BillContactQuery names bills whose payer contacts are requested.
type BillContactQuery struct {
	Bills []string `json:"bills" nullable:"false" minItems:"1" maxItems:"200" doc:"Page IDs"`
}

// BillPayerContact is how to reach a bill's payer.
type BillPayerContact struct {
	ID          string       `json:"id" doc:"Names the bill's page"`
	ClaimNumber string       `json:"claimNumber" doc:"Claim number at the payer. Empty if unknown"`
	Contact     *PageContact `json:"contact,omitempty" doc:"Absent if none is on file"`
}

func (s *Service) registerDesk(api *httpapi.API) {
	httpapi.Register(api, httpapi.Operation{
		ID: "deskBill", Method: http.MethodPost, Path: "/desk/bills/open", Summary: "Get a bill's page for network staff",
		Description: "Requires a support session. Each view is logged first, and offices with the Tax ID can read the log.",
		Access:      "desk.open", Effect: httpapi.Read,
	}, func(ctx context.Context, in *struct{ Body record.DeskOpening }) (*struct{ Body DeskBillPage }, error) {
		p, questions, err := s.AtDesk(ctx, access.From(ctx), in.Body.ID)
		if err != nil {
			return nil, err
		}
		page, err := s.wirePage(p)
		return &struct{ Body DeskBillPage }{DeskBillPage{page, p.firstOpening(), questions}}, err
	})
}

// firstOpening returns the first opening of any document or page of the bill.
func (p *Page) firstOpening() *SeenByOffice {
	for _, e := range p.History {
		if e.Kind == eventOpened {
			return record.NewSeenByOffice(e.By, e.At)
		}
	}
	return nil
}

func (s *Service) getPage(ctx context.Context, a access.Actor, sealed string) (BillPage, error) {
	if s.records.IsSecond(sealed) {
		p, err := s.SecondPage(ctx, a, sealed)
		if err != nil {
			return BillPage{}, err
		}
		return s.wireSecond(p)
	}
	p, err := s.Page(ctx, a, sealed)
	if err != nil {
		return BillPage{}, err
	}
	return s.wirePage(p)
}

func (s *Service) wireSecond(p SecondPage) (BillPage, error) {
	result, err := s.records.NewSecondResult(p.Bill)
	if err != nil {
		return BillPage{}, err
	}
	out := BillPage{Bill: result, Kind: "second", State: PageState(p.State), Answer: wireAnswer(p.Answer), Contact: p.Contact}
	for _, b := range p.Banners {
		out.Banners = append(out.Banners, PageBanner{Kind: b.Kind, Text: b.Text})
	}
	out.Journey, err = s.wireEvents(p.Journey, p.Bill.FTIN)
	if isPaid(p.Bill) {
		out.Difference = money.OrNone(subtractPaid(money.Cents(p.Bill.RecommendedAllowance), money.Cents(p.Bill.PaidAmount)))
	} else {
		out.Bill.PaidAmount, out.Bill.PaidDate, out.Bill.CheckNumber = nil, "", ""
	}
	return out.withLists(), err
}

func (s *Service) wirePage(p Page) (BillPage, error) {
	result, err := s.records.NewResult(p.Bill.Bill)
	if err != nil {
		return BillPage{}, err
	}
	out := BillPage{
		Bill: result, PatientControlNumber: p.Bill.PatientControlNumber, FormerNumbers: p.Former, Kind: "professional",
		Jurisdiction: p.Bill.StateOfJurisdiction, State: PageState(p.State), Answer: wireAnswer(p.Answer),
		Contact: p.Contact, Difference: money.OrNone(p.Difference),
		Adjustments: record.WireAdjustments(p.Decided.Adjustments), Remarks: record.WireRemarks(p.Decided.Remarks),
		TakenBack:   PageCodes{record.WireAdjustments(p.ReversalCodes.Adjustments), record.WireRemarks(p.ReversalCodes.Remarks)},
		MoreOfClaim: p.MoreOfClaim,
	}
	if p.Bill.BillType == "I" {
		out.Kind = "institutional"
	}
	for _, kind := range []string{record.Image, record.EOR, facts.SheetPaper} {
		if paper, is := facts.FindLatestPaper(p.Papers, kind); is {
			out.Papers = append(out.Papers, PagePaper{Kind: kind, At: paper.ImportedAt.RFC3339()})
		}
	}
	_, isOnPaper := facts.FindLatestPaper(p.Papers, record.EOR)
	out.Certificate = result.EOR && (isOnPaper || len(p.Bill.Detail.Lines) > 0)
	for _, b := range p.Banners {
		banner := PageBanner{Kind: b.Kind, Text: b.Text}
		if b.To != nil {
			if banner.Page, err = s.records.SealPage(*b.To); err != nil {
				return out, err
			}
		}
		out.Banners = append(out.Banners, banner)
	}
	for _, l := range p.Decided.Lines {
		out.Lines = append(out.Lines, PageLine{
			Number: l.Number, Revenue: l.Revenue, Procedure: l.Procedure, Modifiers: orEmpty(l.Modifiers), Description: l.Description,
			Units:     l.Units,
			BeginDate: l.BeginDate, EndDate: l.EndDate, Charge: *money.OrNone(&l.Charge), Allowance: money.OrNone(l.Allowance),
			Allowed: money.OrNone(l.Allowed),
			Paid:    money.OrNone(l.Paid), PaidAs: l.PaidAs, Difference: money.OrNone(l.Difference),
			Adjustments: record.WireAdjustments(l.Adjustments), Remarks: record.WireRemarks(l.Remarks),
		})
	}
	for _, l := range p.Decided.Apart {
		out.Unmatched = append(out.Unmatched, UnmatchedLine{
			Revenue: l.Revenue, Procedure: l.Procedure, Modifiers: orEmpty(l.Modifiers), Units: l.Units, BeginDate: l.BeginDate,
			EndDate: l.EndDate,
			Charge:  *money.OrNone(&l.Charge), Allowed: money.OrNone(l.Allowed), Paid: money.OrNone(l.Paid),
			Adjustments: record.WireAdjustments(l.Adjustments), Remarks: record.WireRemarks(l.Remarks), CheckNumber: l.Payment.TraceNumber,
			PaidDate: l.Payment.PaidDate,
		})
	}
	if out.Journey, err = s.wireEvents(p.History, p.Bill.FTIN); err != nil {
		return out, err
	}
	if out.Payments, err = s.wirePayments(p.Group.Payments); err != nil {
		return out, err
	}
	out.Versions = wireVersions(p.Group.Versions)
	if n := len(out.Versions); n > 0 && p.ReplacedBy != nil {
		out.Versions[n-1].InForce, out.Versions[n-1].Why = false, "Bill "+p.ReplacedBy.BillControlNumber+" replaces it."
	}
	if out.Related, err = s.wireBills(p.relatedBills(), p.others); err != nil {
		return out, err
	}
	out.SameClaim, err = s.wireBills(p.SameClaim, p.others)
	return out.withLists(), err
}

// withLists replaces nil lists with empty ones.
func (p BillPage) withLists() BillPage {
	p.FormerNumbers, p.Banners, p.Lines, p.Unmatched = orEmpty(p.FormerNumbers), orEmpty(p.Banners), orEmpty(p.Lines), orEmpty(p.Unmatched)
	p.Adjustments, p.Remarks, p.Journey = orEmpty(p.Adjustments), orEmpty(p.Remarks), orEmpty(p.Journey)
	p.TakenBack = PageCodes{orEmpty(p.TakenBack.Adjustments), orEmpty(p.TakenBack.Remarks)}
	p.Versions, p.Payments, p.Papers, p.Related, p.SameClaim = orEmpty(p.Versions), orEmpty(p.Payments), orEmpty(p.Papers),
		orEmpty(p.Related),
		orEmpty(p.SameClaim)
	return p
}

func orEmpty[T any](l []T) []T {
	if l == nil {
		return []T{}
	}
	return l
}

func (s *Service) wireEvents(of []Event, ftin string) (out []PageEvent, err error) {
	for _, e := range of {
		event := PageEvent{Kind: e.Kind, On: e.On, Text: e.Text, Source: e.Source}
		if event.Remittance, err = s.records.LinkRemittance(ftin, e.Remittance); err != nil {
			return nil, err
		}
		if e.On == "" {
			event.At = e.At.RFC3339()
		}
		out = append(out, event)
	}
	return out, nil
}

// wireVersions converts the versions of a bill, and explains why the last one is current.
func wireVersions(of []derive.Version) []PageVersion {
	var out []PageVersion
	for i, v := range of {
		first, last := v.Sent[0], v.Sent[len(v.Sent)-1]
		version := PageVersion{
			Name: cmp.Or(frequencies[first.Reported.FrequencyCode], "Original"), SentOn: parseDay(first.Written), File: fileKind(first),
			Times:  len(v.Sent),
			Number: cmp.Or(last.Repriced, last.Adjusted), Document: last.Clearinghouse, Reference: last.Original,
			Charge: *money.OrNone(&first.Reported.BillCharges), InForce: i == len(of)-1,
		}
		if v.Priced != nil {
			version.Allowance = money.OrNone(v.Priced.Reported.RecommendedAllowance)
		}
		version.Why = explainVersion(of, i)
		out = append(out, version)
	}
	return out
}

func explainVersion(of []derive.Version, i int) string {
	v := of[i]
	first, last := v.Sent[0], v.Sent[len(v.Sent)-1]
	corrects := frequencies[first.Reported.FrequencyCode] != ""
	switch {
	case v.Outdated:
		return "A later row of the file replaces it."
	case i < len(of)-1 && of[len(of)-1].Sent[0].Reported.FrequencyCode == frequencyVoid:
		return "Withdrawn by the void."
	case i < len(of)-1 && !corrects && frequencies[of[len(of)-1].Sent[0].Reported.FrequencyCode] != "":
		return "Replaced by a correction."
	case i < len(of)-1:
		return "Replaced by a later submission."
	case first.Reported.FrequencyCode == frequencyVoid:
		return "Voids the bill."
	case v.Priced != nil && v.Priced != last:
		return "Sent again without a price. Keeps the price of " + cmp.Or(parseDay(v.Priced.Written).US(), "before") + "."
	case len(of) == 1:
		return "Only version."
	case corrects:
		return "Corrections follow the original submission."
	default:
		return "Latest submission."
	}
}

func (s *Service) wirePayments(of []billPayment) (out []PagePayment, err error) {
	for _, p := range of {
		link, err := s.records.LinkRemittance(p.Reported.FTIN, p.remittance())
		if err != nil {
			return nil, err
		}
		out = append(out, PagePayment{
			PaidDate: p.PaidDate, Payer: p.Reported.PayerName, CheckNumber: p.TraceNumber, Nature: record.NatureNames[p.Nature],
			Charge: *money.OrNone(&p.Charge),
			Paid:   *money.OrNone(&p.Paid), PatientsPart: *money.OrNone(&p.PatientResponsibility), ClaimNumber: p.PayerControlNumber,
			Role: string(p.Role), Why: p.explainRole(), File: p.File, Remittance: link,
		})
	}
	return out, nil
}

// explainRole explains the role of a payment for its bill.
func (p billPayment) explainRole() string {
	with := ""
	if p.With != nil {
		with = billPayment{Payment: *p.With}.paymentMethod() + " " + p.With.TraceNumber + " of " + p.With.PaidDate.US()
	}
	switch p.Role {
	case derive.RoleInForce:
		return "Included in the bill."
	case derive.RoleReduced:
		return "Included in the bill, minus the amount reversed by " + with + "."
	case derive.RoleReversed:
		return "Reversed by " + with + "."
	case derive.RoleReversal:
		if p.With == nil {
			return "The payment it reverses isn't on file."
		}
		text := "Reverses " + with + "."
		if p.Pending != 0 {
			text += " $" + pdfdoc.Money(p.Pending) + " is waiting for the original payment. Not included in totals."
		}
		return text
	case derive.RoleWaiting:
		return "Waiting for the original payment. Not included in totals."
	case derive.RoleSuperseded:
		sentence := "sent again"
		if on := parseDay(p.With.Written); on != "" {
			sentence += " on " + on.US()
		}
		paid := p.With.Paid
		return strings.ToUpper(sentence[:1]) + sentence[1:] + " as $" + pdfdoc.Money(paid) + ", which is counted instead."
	case derive.RoleInformational:
		return "No payment."
	case derive.RoleUncounted:
		why := "Possible duplicate, not counted"
		if p.Duplicate == facts.SameCheck {
			why = "Same check, counted once"
		}
		if with == "" {
			return why + "."
		}
		return why + ". " + strings.ToUpper(with[:1]) + with[1:] + " counts."
	case derive.RoleOverridden:
		if p.With == nil || p.With.Nature == facts.Money {
			return "Reverses no money. The payment is unchanged."
		}
		return "No payment. The bill shows what " + with + " says."
	default:
		return ""
	}
}

// wireBills returns other bills of the page.
func (s *Service) wireBills(of []record.Bill, known map[[2]string]Summary) ([]PageBill, error) {
	var out []PageBill
	for _, b := range of {
		page, err := s.records.SealPage(b)
		if err != nil {
			return nil, err
		}
		state := (&Page{Bill: record.Detailed{Bill: b}}).shortState()
		if other, is := known[[2]string{b.FTIN, b.Key()}]; is {
			state = other.State
		}
		out = append(out, PageBill{
			BillControlNumber: b.BillControlNumber, FTIN: b.FTIN, Page: page, BeginServiceDate: b.BeginServiceDate,
			EndServiceDate: b.EndServiceDate,
			BillCharges:    *money.OrNone(&b.BillCharges), State: PageState(state),
		})
	}
	return out, nil
}

// shortState returns the state of a bill when only its row was read.
func (p *Page) shortState() State {
	b := p.Bill.Bill
	if b.OpenState == billstate.Void && b.ReplacedBy != "" {
		return State{toneNeutral, "Replaced"}
	}
	return p.describeState()
}
