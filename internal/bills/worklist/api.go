package worklist

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"strings"
	"time"

	"wcpp/internal/access"
	"wcpp/internal/bills/ledger"
	"wcpp/internal/platform/check"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/dollars"
	"wcpp/internal/platform/httpapi"
	"wcpp/internal/platform/kept"
	"wcpp/internal/platform/module"
)

// OpenBillFilter narrows Open Bills. What is left out narrows nothing.
type OpenBillFilter struct {
	States     []string  `json:"states,omitempty" enum:"received,priced,denied,short,takenBack" maxItems:"5"`
	TINs       []string  `json:"tins,omitempty" maxItems:"1000" doc:"Of the scope"`
	Payer      string    `json:"payer,omitempty" doc:"A part of its name, in any case"`
	Provider   string    `json:"provider,omitempty" doc:"A part of the name of the physician or facility, in any case"`
	From       date.Date `json:"from,omitempty" doc:"First day of service from"`
	To         date.Date `json:"to,omitempty"`
	AmountFrom *float64  `json:"amountFrom,omitempty" doc:"Charge, decimal dollars"`
	AmountTo   *float64  `json:"amountTo,omitempty"`
	Assigned   string    `json:"assigned,omitempty" doc:"To a user name of the own group"`
	Unassigned bool      `json:"unassigned,omitempty" doc:"Only those that are assigned to nobody"`
	FollowUps  bool      `json:"followUps,omitempty" doc:"Only those to follow up by now, assigned to oneself or nobody"`
	Noted      bool      `json:"noted,omitempty" doc:"Only those with a note of the own group"`
	Due        string    `json:"due,omitempty" enum:"passed,week" doc:"What is due: before today, or within seven days"`
	Reason     string    `json:"reason,omitempty" maxLength:"13" doc:"Code of why less was paid than charged: with its group, as CO-45, or without, as 45, N130 or 70 of RX-70"`
	Marked     string    `json:"marked,omitempty" enum:"open,done,parked" doc:"What the own group did with them; open without it"`
	Mine       bool      `json:"mine,omitempty" doc:"Only those that are assigned to oneself"`
	AgeFrom    *int      `json:"ageFrom,omitempty" doc:"Days since the first service, at least"`
	AgeTo      *int      `json:"ageTo,omitempty" doc:"At most"`
	Answered   string    `json:"answered,omitempty" enum:"thisMonth,lastMonth,last7,last30" doc:"When the payer last paid or denied: in this month, the one before, or so many days up to today"`
	ShortFrom  *float64  `json:"shortFrom,omitempty" doc:"The network's allowance less what was paid, decimal dollars, at least"`
	Bills      []string  `json:"bills,omitempty" doc:"Only these, by the ids of their pages, at most 500"`
	Lost       int64     `json:"lost,omitempty" doc:"Only those without an assignee since somebody lost their TIN: id of the loss"`
}

func (f OpenBillFilter) filter() Filter {
	return Filter{
		Mine: f.Mine, AgeFrom: f.AgeFrom, AgeTo: f.AgeTo, Answered: f.Answered, ShortFrom: dollars.Cents(f.ShortFrom), Bills: f.Bills, Lost: f.Lost,
		States: f.States, TINs: f.TINs, Payer: f.Payer, Provider: f.Provider, From: f.From, To: f.To, AmountFrom: dollars.Cents(f.AmountFrom), AmountTo: dollars.Cents(f.AmountTo),
		Assigned: f.Assigned, Unassigned: f.Unassigned, FollowUps: f.FollowUps, Noted: f.Noted, Due: f.Due, Reason: f.Reason, Marked: f.Marked,
	}
}

// OpenBillSearch asks for a part of the list.
type OpenBillSearch struct {
	Filter OpenBillFilter `json:"filter"`
	After  string         `json:"after,omitempty" maxLength:"400" doc:"next of the part before"`
	Skip   int            `json:"skip,omitempty" minimum:"0" doc:"Bills to pass over, up to 2000"`
	Limit  int            `json:"limit,omitempty" minimum:"1" maximum:"200" doc:"Bills; 50 without it"`
	Newest bool           `json:"newest,omitempty" doc:"The newest service first; the oldest without it"`
}

// OpenBillPerson is one of the own group.
type OpenBillPerson struct {
	UserName string `json:"userName"`
	Name     string `json:"name"`
}

// OpenBillWork is what the own group does about a bill.
type OpenBillWork struct {
	Version    int64           `json:"version" doc:"0: nothing yet"`
	Marked     string          `json:"marked" enum:"open,done,parked"`
	Until      date.Date       `json:"until" format:"date" nullable:"true" doc:"Of a parked one"`
	FollowUpOn date.Date       `json:"followUpOn" format:"date" nullable:"true"`
	AssignedTo *OpenBillPerson `json:"assignedTo,omitempty" doc:"Absent: nobody"`
	Notes      int             `json:"notes" doc:"That are not struck"`
	UpdatedAt  *time.Time      `json:"updatedAt" nullable:"true"`
	UpdatedBy  string          `json:"updatedBy" doc:"User name"`
}

// OpenBill is a bill about which something is left to do. Amounts are decimal dollars.
type OpenBill struct {
	ID                string       `json:"id" doc:"Names the bill's page"`
	FTIN              string       `json:"ftin"`
	BillControlNumber string       `json:"billControlNumber"`
	PatientFirstName  string       `json:"patientFirstName"`
	PatientMiddleName string       `json:"patientMiddleName"`
	PatientLastName   string       `json:"patientLastName"`
	BeginServiceDate  date.Date    `json:"beginServiceDate" format:"date" nullable:"true"`
	Age               *int         `json:"age" nullable:"true" doc:"Days since the service"`
	PayerName         string       `json:"payerName"`
	Provider          string       `json:"provider" doc:"The physician, Last, First; or the facility"`
	State             string       `json:"state" enum:"received,priced,denied,nothingPaid,short,takenBack" doc:"nothingPaid: known from a payment of nothing alone, counted with denied"`
	Charge            float64      `json:"charge"`
	Allowance         *float64     `json:"allowance" doc:"The network's"`
	Paid              *float64     `json:"paid"`
	Difference        *float64     `json:"difference" doc:"The allowance less what was paid, where both are known and nothing that was taken back is open"`
	Due               date.Date    `json:"due" format:"date" nullable:"true" doc:"By when the payer has to answer, or the office can ask again; see the bill's deadlines"`
	DueBy             string       `json:"dueBy" enum:"payer,office" doc:"Whose time runs"`
	Reasons           []string     `json:"reasons" nullable:"false" doc:"Codes of why less was paid than charged: adjustments as CO-45, remarks as N130, of pharmacies as RX-70"`
	Jurisdiction      string       `json:"jurisdiction" doc:"State whose law applies, two letters: its own texts of the codes go first; empty where it is not told"`
	Changed           int64        `json:"changed" doc:"The last change of the bill, to be told when it is done with"`
	Work              OpenBillWork `json:"work"`
}

// OpenBills is a part of the list.
type OpenBills struct {
	Bills []OpenBill `json:"bills" nullable:"false" doc:"The oldest service first"`
	Next  string     `json:"next" doc:"Asks for what follows; empty after the last"`
	AsOf  time.Time  `json:"asOf"`
}

// OpenBillSum counts bills and adds up their amounts, decimal dollars.
type OpenBillSum struct {
	Bills     int     `json:"bills"`
	Charge    float64 `json:"charge"`
	Allowance float64 `json:"allowance"`
	Paid      float64 `json:"paid"`
	Short     float64 `json:"short" doc:"The differences that are told"`
}

// OpenBillSummary sums up what a filter leaves.
type OpenBillSummary struct {
	All       OpenBillSum   `json:"all"`
	Received  OpenBillSum   `json:"received"`
	Priced    OpenBillSum   `json:"priced"`
	Denied    OpenBillSum   `json:"denied"`
	Short     OpenBillSum   `json:"short"`
	TakenBack OpenBillSum   `json:"takenBack"`
	PayerLate OpenBillSum   `json:"payerLate" doc:"Those about which the payer's time is over"`
	Ages      []OpenBillSum `json:"ages" nullable:"false" doc:"Up to 30, 60 and 90 days since the service, and beyond"`
	Undated   OpenBillSum   `json:"undated" doc:"Without a date of service"`
	FollowUps int           `json:"followUps" doc:"To follow up by now, one's own and nobody's"`
	AsOf      time.Time     `json:"asOf"`
}

// OpenBillTarget is a bill whose work is to change, as it was seen.
type OpenBillTarget struct {
	ID      string `json:"id" maxLength:"400"`
	Version int64  `json:"version" doc:"Of the work"`
	Changed int64  `json:"changed" doc:"Of the bill"`
}

// OpenBillChange changes the work about bills; what is left out stays.
type OpenBillChange struct {
	Bills      []OpenBillTarget `json:"bills" doc:"1 to 500"`
	AssignTo   *string          `json:"assignTo,omitempty" doc:"A user name of the own group; empty: nobody"`
	FollowUpOn *string          `json:"followUpOn,omitempty" doc:"A day from today on; empty: none"`
	Marked     *string          `json:"marked,omitempty" doc:"open, done or parked"`
	Until      date.Date        `json:"until,omitempty" doc:"Of parked: a day after today"`
}

// OpenBillOutcome is what became of one.
type OpenBillOutcome struct {
	ID      string       `json:"id"`
	Outcome string       `json:"outcome" enum:"saved,stale,unseen,gone" doc:"stale: somebody was faster, and the work is as they left it; unseen: whoever it would be assigned to does not see its TIN; gone: there is no such bill any more"`
	Work    OpenBillWork `json:"work"`
}

// BillNote is a note of the own group.
type BillNote struct {
	ID       int64      `json:"id"`
	At       time.Time  `json:"at"`
	Author   string     `json:"author" doc:"Name; empty: of one who left"`
	Body     string     `json:"body"`
	EditedAt *time.Time `json:"editedAt" nullable:"true"`
	StruckAt *time.Time `json:"struckAt" nullable:"true"`
	Mine     bool       `json:"mine" doc:"It can be struck, and while fresh changed, by who asks"`
	Fresh    bool       `json:"fresh"`
}

// BillNoteText is what a note says.
type BillNoteText struct {
	Body string `json:"body" doc:"At most 1,000 characters"`
}

func person(c *Colleague) *OpenBillPerson {
	if c == nil {
		return nil
	}
	return &OpenBillPerson{c.UserName, c.Name}
}

func workOut(w Work, assignee *Colleague) OpenBillWork {
	marked := map[string]string{stateDone: MarkedDone, stateParked: Parked}[w.State]
	out := OpenBillWork{
		Version: w.Version, Marked: cmp.Or(marked, MarkedOpen), Until: w.ParkedUntil, FollowUpOn: w.FollowUpOn, AssignedTo: person(assignee),
		Notes: w.Notes, UpdatedBy: w.UpdatedBy,
	}
	if w.Version > 0 {
		out.UpdatedAt = w.UpdatedAt.OrNone()
	}
	return out
}

func billOut(l Listed, today date.Date) OpenBill {
	out := OpenBill{
		ID: l.Page, FTIN: l.FTIN, BillControlNumber: l.BillControlNumber, PatientFirstName: l.PatientFirstName, PatientMiddleName: l.PatientMiddleName,
		PatientLastName: l.PatientLastName, BeginServiceDate: l.BeginServiceDate, PayerName: l.PayerName, Provider: l.FacilityName, State: stateOf(l.Standing()),
		Charge: dollars.Of(l.BillCharges), Allowance: dollars.OrNone(l.RecommendedAllowance), Paid: dollars.OrNone(l.PaidAmount), Difference: dollars.OrNone(l.Difference()), Due: l.NextDue, DueBy: "office",
		Reasons: append([]string{}, strings.Fields(l.Reasons)...), Jurisdiction: l.StateOfJurisdiction, Changed: l.Changed, Work: workOut(l.Work, l.Assignee),
	}
	if l.Standing() == ledger.StandsNothingPaid {
		out.State = nothingPaid
	}
	if slices.Contains(payersTurn, out.State) {
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

func sumOut(s Sum) OpenBillSum {
	return OpenBillSum{s.Bills, dollars.Of(s.Charges), dollars.Of(s.Allowed), dollars.Of(s.Paid), dollars.Of(s.Short)}
}

func summaryOut(s Summary) OpenBillSummary {
	out := OpenBillSummary{
		All: sumOut(s.All), Received: sumOut(s.States[Received]), Priced: sumOut(s.States[Priced]), Denied: sumOut(s.States[Denied]),
		Short: sumOut(s.States[Short]), TakenBack: sumOut(s.States[TakenBack]), PayerLate: sumOut(s.PayerLate), Undated: sumOut(s.Undated), FollowUps: s.FollowUps,
	}
	for _, age := range s.Ages {
		out.Ages = append(out.Ages, sumOut(age))
	}
	return out
}

func (in OpenBillChange) change() Change {
	c := Change{AssignTo: in.AssignTo, Marked: in.Marked, Until: in.Until}
	if in.FollowUpOn != nil {
		day := date.Date(*in.FollowUpOn)
		c.FollowUpOn = &day
	}
	return c
}

// Module is what the area brings to the program.
func (s *Service) Module() module.Module {
	return module.Module{Operations: s.Register, Jobs: s.Jobs, Tidy: s.Tidy, Keeps: []kept.Item{
		kept.Stays("What offices do about bills: assignments, notes, views", "bill_work", "bill_notes", "saved_views"),
		kept.Until("7 days", "Files of open bills", "open_bill_exports").In("open-bills/"),
		kept.Until("90 days", "Assignments that were lost", "lost_assignments"),
	}}
}

// Register adds the area's operations.
func (s *Service) Register(api *httpapi.API) {
	s.registerList(api)
	s.registerNotes(api)
	s.registerViews(api)
	s.registerExports(api)
	s.registerLosses(api)
}

// mostBytes are those of a call that names as many bills as can be named.
const mostBytes = 256 << 10

func (s *Service) registerList(api *httpapi.API) {
	reading := httpapi.Operation{Method: http.MethodPost, Access: "work.bills", Effect: httpapi.Read, MaxBytes: mostBytes}

	op := reading
	op.ID, op.Path, op.Summary = "openBills", "/work/bills/search", "Bills about which something is left to do"
	op.Expensive = true
	op.Description = "The oldest service first, a part at a time. What the own group does about them is told to nobody else."
	httpapi.Register(api, op, func(ctx context.Context, in *struct{ Body OpenBillSearch }) (*struct{ Body OpenBills }, error) {
		after, err := s.place(in.Body.After)
		if err != nil {
			return nil, err
		}
		f := in.Body.Filter.filter()
		f.Newest = in.Body.Newest
		list, next, err := s.Page(ctx, access.From(ctx), f, after, in.Body.Skip, cmp.Or(in.Body.Limit, 50))
		if err != nil {
			return nil, err
		}
		out := &struct{ Body OpenBills }{OpenBills{Bills: make([]OpenBill, len(list)), AsOf: s.now().UTC()}}
		for i, l := range list {
			out.Body.Bills[i] = billOut(l, date.Of(s.now()))
		}
		if next != nil {
			out.Body.Next, err = s.sealer.Seal(placePurpose, next)
		}
		return out, err
	})

	op = reading
	op.ID, op.Path, op.Summary = "openBillsSummary", "/work/bills/summary", "How many open bills there are, and what they come to"
	op.Expensive = true
	httpapi.Register(api, op, func(ctx context.Context, in *struct{ Body OpenBillFilter }) (*struct{ Body OpenBillSummary }, error) {
		sum, err := s.Summary(ctx, access.From(ctx), in.Body.filter())
		out := &struct{ Body OpenBillSummary }{summaryOut(sum)}
		out.Body.AsOf = s.now().UTC()
		return out, err
	})

	httpapi.Register(api, httpapi.Operation{
		ID: "openBillPeople", Method: http.MethodGet, Path: "/work/people", Summary: "Those of the own group to whom bills can be assigned",
		Access: "work.notes", Effect: httpapi.Read,
	}, func(ctx context.Context, _ *struct{}) (*httpapi.List[OpenBillPerson], error) {
		list, err := s.Colleagues(ctx, access.From(ctx))
		return httpapi.ListOf(list, func(c Colleague) OpenBillPerson { return *person(&c) }), err
	})

	httpapi.Register(api, httpapi.Operation{
		ID: "setOpenBills", Method: http.MethodPut, Path: "/work/bills/work", Summary: "Assign bills, follow them up, have done with them or park them",
		Description: "Each of 1 to 500 by itself. 409 where none was changed and somebody else was faster with one: it is answered as they left it.",
		Access:      "work.notes", Effect: httpapi.Write, MaxBytes: mostBytes,
	}, func(ctx context.Context, in *struct{ Body OpenBillChange }) (*changed, error) {
		if in.Body.FollowUpOn != nil && *in.Body.FollowUpOn != "" {
			if _, err := date.Parse(*in.Body.FollowUpOn); err != nil {
				return nil, check.RefuseField("Nothing was changed.", "change.followUpOn", "Enter a day.")
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
			out.Body[i] = OpenBillOutcome{o.Page, o.Outcome, workOut(o.Work, o.Assignee)}
			saved, stale = saved || o.Outcome == Saved, stale || o.Outcome == Stale
		}
		if stale && !saved {
			out.Status = http.StatusConflict
		}
		return out, nil
	})
}

type changed struct {
	Status int
	Body   []OpenBillOutcome `nullable:"false"`
}

var changeNames = check.Names{"change": "", "change.assignTo": "assignTo", "change.followUpOn": "followUpOn", "change.marked": "marked", "change.until": "until"}

const placePurpose = "place in open bills"

// place reads where a part of the list ended.
func (s *Service) place(sealed string) (Place, error) {
	var p Place
	if sealed != "" && s.sealer.Open(placePurpose, sealed, &p) != nil {
		return p, check.RefuseField(fieldWrong, "after", "Load the list again.")
	}
	return p, nil
}

func (s *Service) registerNotes(api *httpapi.API) {
	httpapi.Register(api, httpapi.Operation{
		ID: "billNotes", Method: http.MethodGet, Path: "/work/bills/{id}/notes", Summary: "The own group's notes on a bill",
		Description: "The newest first, at most 200. Nobody else is told of them, nor whoever mirrors.",
		Access:      "work.notes", Effect: httpapi.Read,
	}, func(ctx context.Context, in *struct {
		ID string `path:"id" maxLength:"400"`
	}) (*httpapi.List[BillNote], error) {
		list, err := s.Notes(ctx, access.From(ctx), in.ID)
		return httpapi.ListOf(list, noteOut), err
	})
	writing := httpapi.Operation{Access: "work.notes", Effect: httpapi.Write}

	op := writing
	op.ID, op.Method, op.Path, op.Summary = "addBillNote", http.MethodPost, "/work/bills/{id}/notes", "Write a note on a bill"
	httpapi.Register(api, op, func(ctx context.Context, in *struct {
		ID   string `path:"id" maxLength:"400"`
		Body BillNoteText
	}) (*struct{}, error) {
		return nil, s.AddNote(ctx, access.From(ctx), in.ID, in.Body.Body)
	})

	op = writing
	op.ID, op.Method, op.Path, op.Summary = "editBillNote", http.MethodPut, "/work/bills/{id}/notes/{note}", "Change a note of one's own"
	op.Description = "Within an hour; 409 afterwards."
	httpapi.Register(api, op, func(ctx context.Context, in *struct {
		ID   string `path:"id" maxLength:"400"`
		Note int64  `path:"note"`
		Body BillNoteText
	}) (*struct{}, error) {
		return nil, s.EditNote(ctx, access.From(ctx), in.ID, in.Note, in.Body.Body)
	})

	op = writing
	op.ID, op.Method, op.Path, op.Summary = "strikeBillNote", http.MethodDelete, "/work/bills/{id}/notes/{note}", "Strike a note of one's own"
	op.Description = "It stays, struck through."
	httpapi.Register(api, op, func(ctx context.Context, in *struct {
		ID   string `path:"id" maxLength:"400"`
		Note int64  `path:"note"`
	}) (*struct{}, error) {
		return nil, s.StrikeNote(ctx, access.From(ctx), in.ID, in.Note)
	})
}

func noteOut(n Written) BillNote {
	out := BillNote{ID: n.ID, At: n.At.Time, Body: n.Body, EditedAt: n.EditedAt.OrNone(), StruckAt: n.StruckAt.OrNone(), Mine: n.Mine, Fresh: n.Mine && n.Fresh}
	if n.Author != nil {
		out.Author = n.Author.Name
	}
	return out
}
