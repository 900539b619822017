package bills

import (
	"context"
	"net/http"

	"wcpp/internal/access"
	"wcpp/internal/platform/check"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/httpapi"
	"wcpp/internal/platform/ratelimit"
	"wcpp/internal/platform/text"
)

// MostFound is how many bills one number is answered with.
const MostFound = 20

// AnyNumber is what may be a bill control number, one of before, or a document ID.
type AnyNumber struct{ Number string }

const fieldNumber = "number"

func (n AnyNumber) check() error {
	const missing = "Enter a bill control number or document ID"
	if n.Number == "" {
		return check.RefuseField(missing, fieldNumber, missing)
	}
	return nil
}

// ask is for the log: each system is asked for one number after the other.
func (n AnyNumber) ask(s *SecondSearch) { s.BillControlNumber, s.DocumentID = n.Number, n.Number }

// Find finds the bills of a number under every TIN in scope: at most MostFound,
// and whether there are more.
func (s *Service) Find(ctx context.Context, a access.Actor, n AnyNumber) (found []Bill, more bool, err error) {
	scope, err := s.findScope(ctx, a, n)
	if err != nil {
		return nil, false, err
	}
	found, err = ofNumber(ctx, s.db.Reader, scope, n.Number, MostFound+1)
	if err != nil {
		return nil, false, err
	}
	found, more = first(found)
	s.audit.Later(ctx, searched("findBills", ok, scope.TINs(), n, found, ourNumber))
	return found, more, nil
}

// FindSecond finds them in the second bill system.
func (s *Service) FindSecond(ctx context.Context, a access.Actor, n AnyNumber) (found []SecondBill, more bool, err error) {
	scope, err := s.findScope(ctx, a, n)
	if err != nil {
		return nil, false, err
	}
	for _, c := range []asker{ByBillControlNumber(n), ByDocument{n.Number}} {
		if found, err = s.askSecond(ctx, scope.TINs(), c); err != nil || len(found) > 0 {
			break
		}
	}
	if err != nil {
		return nil, false, err
	}
	found, more = first(found)
	s.audit.Later(ctx, searched("mitchFindBills", ok, scope.TINs(), n, found, theirNumber))
	return found, more, nil
}

func first[B any](found []B) ([]B, bool) {
	if len(found) > MostFound {
		return found[:MostFound], true
	}
	return found, false
}

func (s *Service) findScope(ctx context.Context, a access.Actor, n AnyNumber) (access.Scope, error) {
	if err := n.check(); err != nil {
		return access.Scope{}, err
	}
	return s.scopes.Scope(ctx, a)
}

// Sought is the number of a bill.
type Sought struct {
	Q string `json:"q" maxLength:"50" doc:"A bill control number, now or before, or a document ID; whole, in any case"`
}

func (q Sought) number() AnyNumber { return AnyNumber{text.Clean(q.Q)} }

// FoundBill is what tells a bill from others.
type FoundBill struct {
	ID                string    `json:"id" doc:"Names the bill's page"`
	FTIN              string    `json:"ftin"`
	BillControlNumber string    `json:"billControlNumber"`
	DocumentID        string    `json:"documentId"`
	PatientFirstName  string    `json:"patientFirstName"`
	PatientMiddleName string    `json:"patientMiddleName"`
	PatientLastName   string    `json:"patientLastName"`
	BeginServiceDate  date.Date `json:"beginServiceDate" format:"date" nullable:"true"`
	BillCharges       *float64  `json:"billCharges" doc:"Decimal dollars"`
	PayerName         string    `json:"payerName"`
	BillStatus        string    `json:"billStatus" doc:"As the bill search answers it"`
	State             string    `json:"state,omitempty" enum:"denied,void,replaced" doc:"Why the bill will not be paid as it stands, if so"`
	Second            bool      `json:"second" doc:"From the second bill system"`
}

// FoundBills are the bills of a number.
type FoundBills struct {
	Bills []FoundBill `json:"bills" nullable:"false" doc:"At most 20"`
	More  bool        `json:"more" doc:"There are more"`
}

var findNames = check.Names{fieldNumber: "q"}

// registerFind adds the operations that find bills by a number, limited as the
// searches are.
func (s *Service) registerFind(api *httpapi.API, searches *ratelimit.Limiter) {
	finding := httpapi.Operation{Method: http.MethodPost, Access: "work.find", Effect: httpapi.Read, Limit: searches}

	op := finding
	op.ID, op.Path, op.Summary = "findBills", "/work/find", "Bills of a number"
	op.Description = "Of every TIN in scope. A document ID is looked for where no bill has the number."
	httpapi.Register(api, op, func(ctx context.Context, in *struct{ Body Sought }) (*struct{ Body FoundBills }, error) {
		found, more, err := s.Find(ctx, access.From(ctx), in.Body.number())
		return foundOutput(found, more, err, s.foundBill)
	})

	op = finding
	op.ID, op.Path, op.Summary = "mitchFindBills", "/work/find/second", "Bills of a number in the second bill system"
	httpapi.Register(api, op, func(ctx context.Context, in *struct{ Body Sought }) (*struct{ Body FoundBills }, error) {
		found, more, err := s.FindSecond(ctx, access.From(ctx), in.Body.number())
		return foundOutput(found, more, err, s.foundSecond)
	})
}

func foundOutput[B any](found []B, more bool, err error, tell func(B) (FoundBill, error)) (*struct{ Body FoundBills }, error) {
	if err != nil {
		return nil, findNames.Wire(err)
	}
	list := make([]FoundBill, len(found))
	for i, b := range found {
		if list[i], err = tell(b); err != nil {
			return nil, err
		}
	}
	return &struct{ Body FoundBills }{FoundBills{list, more}}, nil
}

func (s *Service) foundBill(b Bill) (FoundBill, error) {
	id, err := s.SealPage(b)
	return FoundBill{
		ID: id, FTIN: b.FTIN, BillControlNumber: b.BillControlNumber, DocumentID: b.DocumentID,
		PatientFirstName: b.PatientFirstName, PatientMiddleName: b.PatientMiddleName, PatientLastName: b.PatientLastName,
		BeginServiceDate: b.BeginServiceDate, BillCharges: dollars(&b.BillCharges), PayerName: b.PayerName, BillStatus: b.BillStatus, State: stateOf(b),
	}, err
}

func (s *Service) foundSecond(b SecondBill) (FoundBill, error) {
	id, err := s.sealPage(b.pageID())
	return FoundBill{
		ID: id, FTIN: b.FTIN, BillControlNumber: b.BillControlNumber, DocumentID: b.DocumentID,
		PatientFirstName: b.PatientFirstName, PatientMiddleName: b.PatientMiddleName, PatientLastName: b.PatientLastName,
		BeginServiceDate: b.BeginServiceDate, BillCharges: finite(b.BillCharges), PayerName: b.PayerName, BillStatus: b.BillStatus,
		State: secondStates[b.BillStatus], Second: true,
	}, err
}
