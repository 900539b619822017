package openbills

import (
	"cmp"
	"context"
	"net/http"
	"strings"
	"time"

	"wcpp/internal/bills/billstate"
	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/bills/record"
	"wcpp/internal/identity/access"
	"wcpp/internal/identity/users"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/httpapi"
	"wcpp/internal/platform/mapping"
	"wcpp/internal/platform/module"
	"wcpp/internal/platform/money"
	"wcpp/internal/platform/retention"
	"wcpp/internal/platform/validate"
)

// OpenBillFilter filters open bills. Omitted fields don't filter.
type OpenBillFilter struct {
	States     []string  `json:"states,omitempty" enum:"received,priced,denied,short,takenBack" maxItems:"5"`
	TINs       []string  `json:"tins,omitempty" maxItems:"1000" doc:"One of your TINs"`
	Payer      string    `json:"payer,omitempty" doc:"Part of the payer's name. Not case-sensitive"`
	Provider   string    `json:"provider,omitempty" doc:"Part of the physician's or facility's name. Not case-sensitive"`
	From       date.Date `json:"from,omitempty" doc:"Earliest first service date"`
	To         date.Date `json:"to,omitempty"`
	AmountFrom *float64  `json:"amountFrom,omitempty" doc:"Charge, decimal dollars"`
	AmountTo   *float64  `json:"amountTo,omitempty"`
	Assigned   string    `json:"assigned,omitempty" doc:"Username in your group"`
	Unassigned bool      `json:"unassigned,omitempty" doc:"Only unassigned bills"`
	FollowUps  bool      `json:"followUps,omitempty" doc:"Only bills with follow-up due that are yours or unassigned"`
	Noted      bool      `json:"noted,omitempty" doc:"Only bills with a note from your group"`
	Due        string    `json:"due,omitempty" enum:"passed,week,soon" doc:"Deadline passed, or within the next 7 or 14 days"`
	Reason     string    `json:"reason,omitempty" maxLength:"13" doc:"Reason code with or without group, such as CO-45, N130 or RX-70"`
	Marked     string    `json:"marked,omitempty" enum:"open,done,parked" doc:"Your group's status of the bills. Defaults to open"`
	Mine       bool      `json:"mine,omitempty" doc:"Only bills assigned to you"`
	AgeFrom    *int      `json:"ageFrom,omitempty" doc:"Minimum days since the first service date"`
	AgeTo      *int      `json:"ageTo,omitempty" doc:"Maximum"`
	Answered   string    `json:"answered,omitempty" enum:"thisMonth,lastMonth,last7,last30,last90" doc:"When the payer last paid or denied"`
	ShortFrom  *float64  `json:"shortFrom,omitempty" doc:"Minimum difference between network allowance and paid amount, in decimal dollars"`
	Bills      []string  `json:"bills,omitempty" doc:"Only these bills, by page ID, up to 500"`
	Lost       int64     `json:"lost,omitempty" doc:"Only bills left unassigned by this loss of a TIN, by its ID"`

	CallOutcome  string `json:"callOutcome,omitempty" enum:"promised,notOnFile,resend,denied,other" doc:"Outcome of the last payer call"`
	Called       string `json:"called,omitempty" enum:"never,last7,last30,notLast14" doc:"When your group last called the payer"`
	DoneThisWeek bool   `json:"doneThisWeek,omitempty" doc:"Only bills marked as done since Monday"`
}

func (f OpenBillFilter) filter() Filter {
	return Filter{
		Mine: f.Mine, AgeFrom: f.AgeFrom, AgeTo: f.AgeTo, Answered: f.Answered, ShortFrom: money.Cents(f.ShortFrom), Bills: f.Bills,
		Lost:   f.Lost,
		States: f.States, TINs: f.TINs, Payer: f.Payer, Provider: f.Provider, From: f.From, To: f.To, AmountFrom: money.Cents(f.AmountFrom),
		AmountTo: money.Cents(f.AmountTo),
		Assigned: f.Assigned, Unassigned: f.Unassigned, FollowUps: f.FollowUps, Noted: f.Noted, Due: f.Due, Reason: f.Reason,
		Marked: f.Marked, DoneThisWeek: f.DoneThisWeek, CallOutcome: CallOutcome(f.CallOutcome), Called: f.Called,
	}
}

// OpenBillSearch requests a page of the list.
type OpenBillSearch struct {
	Filter OpenBillFilter `json:"filter"`
	After  string         `json:"after,omitempty" maxLength:"1000" doc:"The next value of the previous page"`
	Skip   int            `json:"skip,omitempty" minimum:"0" doc:"Bills to skip, up to 2,000"`
	Limit  int            `json:"limit,omitempty" minimum:"1" maximum:"200" doc:"Bills per page. Defaults to 50"`
	Order  string         `json:"order,omitempty" enum:"due,dueLast,oldest,newest,charge,chargeDesc,payer,payerDesc" default:"due"`
	ToCall bool           `json:"toCall,omitempty" doc:"Only bills that are overdue, or have a follow-up due that is yours or unassigned"`
}

// OpenBillPerson is a user in the group.
type OpenBillPerson struct {
	UserName string `json:"userName"`
	Name     string `json:"name" doc:"Ends with (inactive) if no bills can be assigned to the user"`
}

// OpenBillWork is the group's work on a bill.
type OpenBillWork struct {
	Version    int64           `json:"version" doc:"0 if no work is recorded yet"`
	Marked     string          `json:"marked" enum:"open,done,parked"`
	Until      date.Date       `json:"until" format:"date" nullable:"true" doc:"Snoozed until this date"`
	FollowUpOn date.Date       `json:"followUpOn" format:"date" nullable:"true"`
	AssignedTo *OpenBillPerson `json:"assignedTo,omitempty" doc:"Absent if unassigned"`
	Notes      int             `json:"notes" doc:"Number of notes, without deleted ones"`
	UpdatedAt  *time.Time      `json:"updatedAt" nullable:"true"`
	UpdatedBy  string          `json:"updatedBy" doc:"Username"`
}

// OpenBillCall is the group's last call to the payer about a bill.
type OpenBillCall struct {
	On         date.Date `json:"on" format:"date" nullable:"true"`
	Outcome    string    `json:"outcome" enum:"promised,notOnFile,resend,denied,other"`
	PromisedOn date.Date `json:"promisedOn" format:"date" nullable:"true" doc:"Date of a promised payment"`
}

// OpenBill is a bill that needs follow-up. Amounts are in dollars.
type OpenBill struct {
	record.BillFields

	ID       string `json:"id" doc:"Names the bill's page"`
	Age      *int   `json:"age" nullable:"true" doc:"Days since the service date"`
	Provider string `json:"provider" doc:"Physician as Last, First, or the facility"`

	State      string   `json:"state" enum:"received,priced,denied,nothingPaid,short,takenBack" doc:"nothingPaid: $0, counted with denied"`
	Charge     float64  `json:"charge"`
	Allowance  *float64 `json:"allowance" doc:"Set by the network"`
	Paid       *float64 `json:"paid"`
	Difference *float64 `json:"difference" doc:"Allowance minus paid amount, if both are known and no reversal is pending"`

	Due          date.Date `json:"due" format:"date" nullable:"true" doc:"Next deadline of the payer or the office"`
	DueBy        string    `json:"dueBy" enum:"payer,office" doc:"Party that has to act"`
	Reasons      []string  `json:"reasons" nullable:"false" doc:"Reason codes, such as CO-45, remark N130 or pharmacy RX-70"`
	Jurisdiction string    `json:"jurisdiction" doc:"State of jurisdiction, two letters. Its code texts take precedence. Empty if unknown"`

	Changed  int64         `json:"changed" doc:"Last change of the bill. Send it when you mark the bill as done"`
	Work     OpenBillWork  `json:"work"`
	LastCall *OpenBillCall `json:"lastCall,omitempty" doc:"Your group's last call to the payer. Absent without one"`
}

// OpenBills is a page of the list.
type OpenBills struct {
	Bills []OpenBill `json:"bills" nullable:"false"`
	Next  string     `json:"next" doc:"Cursor of the next page. Empty on the last page"`
	AsOf  time.Time  `json:"asOf"`
}

// OpenBillSum counts bills and adds up their amounts in dollars.
type OpenBillSum struct {
	Bills     int     `json:"bills"`
	Charge    float64 `json:"charge"`
	Allowance float64 `json:"allowance"`
	Paid      float64 `json:"paid"`
	Short     float64 `json:"short" doc:"Sum of the known differences"`
}

// OpenBillSummary summarizes the filtered bills.
type OpenBillSummary struct {
	All       OpenBillSum   `json:"all"`
	Received  OpenBillSum   `json:"received"`
	Priced    OpenBillSum   `json:"priced"`
	Denied    OpenBillSum   `json:"denied"`
	Short     OpenBillSum   `json:"short"`
	TakenBack OpenBillSum   `json:"takenBack"`
	PayerLate OpenBillSum   `json:"payerLate" doc:"Bills with an overdue payer"`
	OfficeDue OpenBillSum   `json:"officeDue" doc:"Bills on which your office has to act within 14 days"`
	Ages      []OpenBillSum `json:"ages" nullable:"false" doc:"Bills up to 30, 60 and 90 days after the service date, and older"`
	Aging     []OpenBillAge `json:"aging" nullable:"false" doc:"The same by state"`
	Undated   OpenBillSum   `json:"undated" doc:"Bills without a service date"`
	FollowUps int           `json:"followUps" doc:"Bills with follow-up due that are yours or unassigned"`
	Followed  float64       `json:"followed" doc:"Charges of these bills"`
	AsOf      time.Time     `json:"asOf"`
}

// OpenBillAge is the age of the bills in a state.
type OpenBillAge struct {
	State string        `json:"state" enum:"received,priced,denied,short,takenBack"`
	Ages  []OpenBillSum `json:"ages" nullable:"false"`
}

// OpenBillTarget is a bill to change, in the version the user saw.
type OpenBillTarget struct {
	ID      string `json:"id" maxLength:"400"`
	Version int64  `json:"version" doc:"Version of the follow-up data"`
	Changed int64  `json:"changed" doc:"Version of the bill"`
}

// OpenBillChange changes the work on bills; omitted fields stay the same.
type OpenBillChange struct {
	Bills      []OpenBillTarget `json:"bills" doc:"1 to 500"`
	AssignTo   *string          `json:"assignTo,omitempty" doc:"Username in your group. Empty to unassign"`
	FollowUpOn *string          `json:"followUpOn,omitempty" doc:"Today or a later date. Empty for no follow-up"`
	Marked     *string          `json:"marked,omitempty" doc:"open, done or parked"`
	Until      date.Date        `json:"until,omitempty" doc:"For parked, a date after today"`
	Note       string           `json:"body,omitempty" doc:"Note to add to each changed bill, up to 1,000 characters"`
}

// OpenBillOutcome is the result for one bill.
type OpenBillOutcome struct {
	ID      string       `json:"id"`
	Outcome string       `json:"outcome" enum:"saved,stale,unseen,gone" doc:"stale: changed by someone else. unseen: assignee can't see it"`
	Work    OpenBillWork `json:"work"`
}

// BillNote is a note of the group.
type BillNote struct {
	ID       int64      `json:"id"`
	At       time.Time  `json:"at"`
	Author   string     `json:"author" doc:"Name. Empty for a former user"`
	Body     string     `json:"body"`
	EditedAt *time.Time `json:"editedAt" nullable:"true"`
	StruckAt *time.Time `json:"struckAt" nullable:"true"`
	Mine     bool       `json:"mine" doc:"True if you can delete it, and edit it within an hour"`
	Fresh    bool       `json:"fresh"`
}

// BillNoteText is the text of a note.
type BillNoteText struct {
	Body string `json:"body" doc:"Up to 1,000 characters"`
}

func toOpenBillPerson(c *users.User) *OpenBillPerson {
	if c == nil {
		return nil
	}
	if !c.CanWork() {
		return &OpenBillPerson{c.UserName, c.FullName() + " (inactive)"}
	}
	return &OpenBillPerson{c.UserName, c.FullName()}
}

func toOpenBillWork(w Work, assignee *users.User) OpenBillWork {
	marked := map[string]string{stateDone: MarkedDone, stateSnoozed: Snoozed}[w.State]
	out := OpenBillWork{
		Version: w.Version, Marked: cmp.Or(marked, MarkedOpen), Until: w.ParkedUntil, FollowUpOn: w.FollowUpOn,
		AssignedTo: toOpenBillPerson(assignee),
		Notes:      w.Notes, UpdatedBy: w.UpdatedBy,
	}
	if w.Version > 0 {
		out.UpdatedAt = w.UpdatedAt.OrNone()
	}
	return out
}

var fromBill = mapping.New[OpenBill, facts.Bill]("Reasons")

func toOpenBill(l Listed, today date.Date) OpenBill {
	out := OpenBill{
		ID: l.Page, Provider: l.FacilityName, State: l.DisplayState().Name(),
		Charge: money.Of(l.BillCharges), Allowance: money.OrNone(l.RecommendedAllowance), Paid: money.OrNone(l.PaidAmount),
		Difference: money.OrNone(l.Difference()), Due: l.NextDue, DueBy: "office",
		Reasons: append([]string{}, strings.Fields(l.Reasons)...), Jurisdiction: l.StateOfJurisdiction, Changed: l.Changed,
		Work: toOpenBillWork(l.Work, l.Assignee),
	}
	fromBill.Copy(&out, &l.Bill)
	if l.Call.On != "" {
		out.LastCall = &OpenBillCall{l.Call.On, string(l.Call.Outcome), l.Call.PromisedOn}
	}
	if l.DisplayState().NextToAct() == billstate.Payer {
		out.DueBy = "payer"
	}
	if l.PhysicianLastName != "" {
		out.Provider = l.PhysicianLastName
		if l.PhysicianFirstName != "" {
			out.Provider += ", " + l.PhysicianFirstName
		}
	}
	if l.BeginServiceDate != "" {
		age := int(today.Time().Sub(l.BeginServiceDate.Time()).Hours() / 24)
		out.Age = &age
	}
	return out
}

func toOpenBillSum(s Sum) OpenBillSum {
	return OpenBillSum{s.Bills, money.Of(s.Charges), money.Of(s.Allowed), money.Of(s.Paid), money.Of(s.Short)}
}

func toOpenBillSummary(s Summary) OpenBillSummary {
	out := OpenBillSummary{
		All: toOpenBillSum(s.All), Received: toOpenBillSum(s.States[billstate.NameReceived]),
		Priced: toOpenBillSum(s.States[billstate.NamePriced]),
		Denied: toOpenBillSum(s.States[billstate.NameDenied]),
		Short:  toOpenBillSum(s.States[billstate.NameShort]), TakenBack: toOpenBillSum(s.States[billstate.NameReversed]),
		PayerLate: toOpenBillSum(s.PayerLate), OfficeDue: toOpenBillSum(s.OfficeDue),
		Ages: s.AllAges.toOpenBillSums(), Aging: []OpenBillAge{},
		Undated:   toOpenBillSum(s.Undated),
		FollowUps: s.FollowUps.Bills, Followed: money.Of(s.FollowUps.Charges),
	}
	for _, name := range billstate.Filters() {
		out.Aging = append(out.Aging, OpenBillAge{name, s.Ages[name].toOpenBillSums()})
	}
	return out
}

func (a Ages) toOpenBillSums() []OpenBillSum {
	list := make([]OpenBillSum, len(a))
	for i, age := range a {
		list[i] = toOpenBillSum(age)
	}
	return list
}

func (in OpenBillChange) change() Change {
	c := Change{AssignTo: in.AssignTo, Marked: in.Marked, Until: in.Until, Note: in.Note}
	if in.FollowUpOn != nil {
		day := date.Date(*in.FollowUpOn)
		c.FollowUpOn = &day
	}
	return c
}

// Module returns the domain's module.
func (s *Service) Module() module.Module {
	return module.Module{Operations: s.Register, Jobs: s.Jobs, Cleanup: s.Cleanup, Retention: []retention.Item{
		retention.Forever("Office work on bills: assignments, notes and views", "bill_work", "bill_notes", "saved_views"),
		retention.Until("7 days", "Open bill exports", "open_bill_exports").In("open-bills/").
			If(func(ctx context.Context, names []string) ([]string, error) {
				return s.exports.ListKnown(ctx, s.db.Reader, names)
			}),
		retention.Until("90 days", "Lost assignments", "lost_assignments"),
	}}
}

// Register adds the domain's operations.
func (s *Service) Register(api *httpapi.API) {
	s.registerList(api)
	s.registerOne(api)
	s.registerNotes(api)
	s.registerViews(api)
	s.registerExports(api)
	s.registerLosses(api)
	s.registerTeam(api)
}

// maxBytes is the maximum size of a request with the maximum number of bills.
const maxBytes = 256 << 10

func (s *Service) registerList(api *httpapi.API) {
	reading := httpapi.Operation{Method: http.MethodPost, Access: "work.bills", Effect: httpapi.Read, MaxBytes: maxBytes}

	op := reading
	op.ID, op.Path, op.Summary = "openBills", "/work/bills/search", "List bills that need follow-up"
	op.Expensive = true
	op.Description = "One page at a time, most overdue first by default. Bills without the sorted value come last. Only your group sees " +
		"its own work."
	httpapi.Register(api, op, func(ctx context.Context, in *struct{ Body OpenBillSearch }) (*struct{ Body OpenBills }, error) {
		after, err := s.openPlace(in.Body.After)
		if err != nil {
			return nil, err
		}
		f := in.Body.Filter.filter()
		f.Order, f.ToCall = in.Body.Order, in.Body.ToCall
		list, next, err := s.Page(ctx, access.From(ctx), f, after, in.Body.Skip, cmp.Or(in.Body.Limit, 50))
		if err != nil {
			return nil, err
		}
		out := &struct{ Body OpenBills }{OpenBills{Bills: make([]OpenBill, len(list)), AsOf: s.now().UTC()}}
		for i, l := range list {
			out.Body.Bills[i] = toOpenBill(l, date.Of(s.now()))
		}
		if next != nil {
			out.Body.Next, err = s.sealer.Seal(placePurpose, next)
		}
		return out, err
	})

	op = reading
	op.ID, op.Path, op.Summary = "openBillsSummary", "/work/bills/summary", "Count open bills and their amounts"
	op.Expensive = true
	httpapi.Register(api, op, func(ctx context.Context, in *struct{ Body OpenBillFilter }) (*struct{ Body OpenBillSummary }, error) {
		sum, err := s.Summary(ctx, access.From(ctx), in.Body.filter())
		out := &struct{ Body OpenBillSummary }{toOpenBillSummary(sum)}
		out.Body.AsOf = s.now().UTC()
		return out, err
	})

	httpapi.Register(api, httpapi.Operation{
		ID: "openBillPeople", Method: http.MethodGet, Path: "/work/people",
		Summary: "List the users in your group who can be assigned bills",
		Access:  "work.notes", Effect: httpapi.Read,
	}, func(ctx context.Context, _ *struct{}) (*httpapi.List[OpenBillPerson], error) {
		list, err := s.Colleagues(ctx, access.From(ctx))
		return httpapi.NewList(list, func(c users.User) OpenBillPerson { return *toOpenBillPerson(&c) }), err
	})

	httpapi.Register(api, httpapi.Operation{
		ID: "setOpenBills", Method: http.MethodPut, Path: "/work/bills/work",
		Summary: "Assign bills, set a follow-up, mark them as done or snooze them",
		Description: "Changes 1 to 500 bills, each on its own. Returns 409 if none changed and someone else changed one first, with " +
			"their version.",
		Access: "work.notes", Effect: httpapi.Write, MaxBytes: maxBytes,
	}, s.setBills)
}

// ToOpenBillOutcome converts the result for one bill.
func ToOpenBillOutcome(o Outcome) OpenBillOutcome {
	return OpenBillOutcome{o.Page, o.Outcome, toOpenBillWork(o.Work, o.Assignee)}
}

type changed struct {
	Status int
	Body   []OpenBillOutcome `nullable:"false"`
}

func (s *Service) setBills(ctx context.Context, in *struct{ Body OpenBillChange }) (*changed, error) {
	if in.Body.FollowUpOn != nil && *in.Body.FollowUpOn != "" {
		if _, err := date.Parse(*in.Body.FollowUpOn); err != nil {
			return nil, validate.RefuseField("Nothing changed. Try again.", "change.followUpOn", "Enter a date.")
		}
	}
	targets := make([]Target, len(in.Body.Bills))
	for i, t := range in.Body.Bills {
		targets[i] = Target{t.ID, t.Version, t.Changed}
	}
	list, err := s.Set(ctx, access.From(ctx), targets, in.Body.change())
	if err != nil {
		return nil, changeNames.Wire(err)
	}
	out := &changed{Status: http.StatusOK, Body: make([]OpenBillOutcome, len(list))}
	var saved, stale bool
	for i, o := range list {
		out.Body[i] = ToOpenBillOutcome(o)
		saved, stale = saved || o.Outcome == Saved, stale || o.Outcome == Stale
	}
	if stale && !saved {
		out.Status = http.StatusConflict
	}
	return out, nil
}

var changeNames = validate.Names{"change": "", "change.assignTo": "assignTo", "change.followUpOn": "followUpOn", "change.marked": "marked",
	"change.until": "until", "change.note": "body"}

const placePurpose = "place in open bills"

// openPlace opens the sealed position at which a page ended.
func (s *Service) openPlace(sealed string) (Place, error) {
	var p Place
	if sealed != "" && s.sealer.Open(placePurpose, sealed, &p) != nil {
		return p, errOtherPlace()
	}
	return p, nil
}

// errOtherPlace is the error for a position that isn't one of the requested list.
func errOtherPlace() error { return validate.RefuseField(fieldWrong, "after", "Reload the list.") }

func (s *Service) registerNotes(api *httpapi.API) {
	httpapi.Register(api, httpapi.Operation{
		ID: "billNotes", Method: http.MethodGet, Path: "/work/bills/{id}/notes", Summary: "List your group's notes on a bill",
		Description: "Newest first, up to 200. Other groups and mirroring staff can't see them.",
		Access:      "work.notes", Effect: httpapi.Read,
	}, func(ctx context.Context, in *struct {
		ID string `path:"id" maxLength:"400"`
	}) (*httpapi.List[BillNote], error) {
		list, err := s.Notes(ctx, access.From(ctx), in.ID)
		return httpapi.NewList(list, toBillNote), err
	})
	writing := httpapi.Operation{Access: "work.notes", Effect: httpapi.Write}

	op := writing
	op.ID, op.Method, op.Path, op.Summary = "addBillNote", http.MethodPost, "/work/bills/{id}/notes", "Add a note to a bill"
	httpapi.Register(api, op, func(ctx context.Context, in *struct {
		ID   string `path:"id" maxLength:"400"`
		Body BillNoteText
	}) (*struct{}, error) {
		return nil, s.AddNote(ctx, access.From(ctx), in.ID, in.Body.Body)
	})

	op = writing
	op.ID, op.Method, op.Path, op.Summary = "editBillNote", http.MethodPut, "/work/bills/{id}/notes/{note}", "Edit your note"
	op.Description = "Allowed within an hour. Returns 409 after that."
	httpapi.Register(api, op, func(ctx context.Context, in *struct {
		ID   string `path:"id" maxLength:"400"`
		Note int64  `path:"note"`
		Body BillNoteText
	}) (*struct{}, error) {
		return nil, s.EditNote(ctx, access.From(ctx), in.ID, in.Note, in.Body.Body)
	})

	op = writing
	op.ID, op.Method, op.Path, op.Summary = "strikeBillNote", http.MethodDelete, "/work/bills/{id}/notes/{note}", "Delete your note"
	op.Description = "The note stays visible as deleted."
	httpapi.Register(api, op, func(ctx context.Context, in *struct {
		ID   string `path:"id" maxLength:"400"`
		Note int64  `path:"note"`
	}) (*struct{}, error) {
		return nil, s.DeleteNote(ctx, access.From(ctx), in.ID, in.Note)
	})
}

func toBillNote(n AuthoredNote) BillNote {
	out := BillNote{ID: n.ID, At: n.At.Time, Body: n.Body, EditedAt: n.EditedAt.OrNone(), StruckAt: n.StruckAt.OrNone(), Mine: n.Mine,
		Fresh: n.Mine && n.Fresh}
	if n.Author != nil {
		out.Author = n.Author.FullName()
	}
	return out
}
