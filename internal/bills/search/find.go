package search

import (
	"cmp"
	"context"
	"database/sql"
	"net/http"
	"slices"
	"strings"
	"unicode"

	"wcpp/internal/bills/ledger/store"
	"wcpp/internal/bills/record"
	"wcpp/internal/bills/secondsystem"
	"wcpp/internal/identity/access"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/httpapi"
	"wcpp/internal/platform/money"
	"wcpp/internal/platform/names"
	"wcpp/internal/platform/spreadsheet"
	"wcpp/internal/platform/text"
	"wcpp/internal/platform/validate"
)

// AnyNumber is any number of a bill: the network's, the office's or the payer's, or the number
// of a document, check or claim. It can be a claimant instead.
type AnyNumber struct {
	Number    string
	Claimants []store.Claimant // the readings of a typed name, the likeliest first
}

const (
	sayBirthDate = "Add a date of birth, such as 04/17/1980, to find a claimant"
	sayClaimant  = "Enter the claimant's first name, last name and date of birth, such as Ada Smith 04/17/1980"
)

func (n AnyNumber) check() error {
	if len(n.Claimants) == 0 {
		return refuseQuery(n.Number == "", "Enter a bill number or a claimant")
	}
	c := n.Claimants[0]
	return cmp.Or(refuseQuery(c.LastName == "" || c.FirstName == "", sayClaimant), refuseQuery(c.BirthDate == "", sayBirthDate))
}

func refuseQuery(wrong bool, message string) error {
	if !wrong {
		return nil
	}
	return validate.RefuseField(message, "q", message)
}

// suggestClaimant asks for the rest of a claimant if a name found nothing as a number.
func (n AnyNumber) suggestClaimant() error {
	isName := len(n.Claimants) == 0 && !strings.ContainsFunc(n.Number, func(r rune) bool {
		return !unicode.IsLetter(r) && r != ' ' &&
			r != '\''
	})
	words := len(strings.Fields(n.Number))
	return cmp.Or(refuseQuery(isName && words > 1, sayBirthDate), refuseQuery(isName, sayClaimant))
}

// numbers returns the numbers to search, in order. If both a bill number and a document ID are
// given, as the portal shows them, it returns both.
func (n AnyNumber) numbers() []string {
	number, document := SplitReference(n.Number)
	if document == "" {
		return []string{number}
	}
	return []string{number, document}
}

// query returns the criteria for the log and the second system, which searches each number in
// turn.
func (n AnyNumber) query() Query {
	if len(n.Claimants) > 0 {
		c := n.Claimants[0]
		return Query{ClaimantLastName: c.LastName, ClaimantFirstName: c.FirstName, ClaimantDateOfBirth: c.BirthDate}
	}
	number, document := SplitReference(n.Number)
	return Query{BillControlNumber: number, DocumentID: cmp.Or(document, number)}
}

// Finding is a bill and how it was found.
type Finding struct {
	record.Bill
	By By
}

// FoundClaim is a claim with bills in scope.
type FoundClaim struct {
	Number string
	Bills  int // at most store.MaxHits
}

// Find finds the bills of a number under every TIN in scope. It uses the first kind of number
// that finds any. It returns up to MaxFound bills, latest service first, and whether there are
// more. It also returns the claims with the number.
func (s *Service) Find(ctx context.Context, a access.Actor, n AnyNumber) (found []Finding, claims []FoundClaim, more bool, err error) {
	scope, err := s.checkFind(ctx, a, n)
	if err != nil {
		return nil, nil, false, err
	}
	if len(scope.TINs()) > 0 {
		err = s.db.Read(ctx, func(tx *sql.Tx) error {
			if err := s.db.ForceIndexScans(ctx, tx); err != nil {
				return err
			}
			if found, more, err = FindAny(ctx, tx, scope.TINs(), n); err == nil && len(n.Claimants) == 0 {
				claims, err = findClaims(ctx, tx, scope.TINs(), store.FoldNumbers(n.numbers()[0]))
			}
			return err
		})
		if err != nil {
			return nil, nil, false, err
		}
	}
	found, err = auditFound(s, ctx, found, searchEntry("findBills", record.OK, scope.TINs(), n.query(), found, func(f *Finding) string {
		return f.BillControlNumber
	}))
	if err == nil && len(found) == 0 && len(claims) == 0 {
		err = n.suggestClaimant()
	}
	return found, claims, more, err
}

// FindAny finds bills under TINs by a claimant, or by the first kind of number with a result. If a TIN has no
// bill with the number, it uses the bill with that former number.
func FindAny(ctx context.Context, q db.Queryer, tins []string, n AnyNumber) (found []Finding, more bool, err error) {
	if len(n.Claimants) > 0 {
		hits, err := store.FindByClaimants(ctx, q, tins, n.Claimants)
		if err != nil {
			return nil, false, err
		}
		hits = SortByService(hits)
		SortSpelled(hits, n.Claimants...)
		return selectFindings(ctx, q, hits, func(record.Bill) By { return ByPerson })
	}
	for _, number := range n.numbers() {
		if keys := store.FoldNumbers(number); len(keys) > 0 {
			if found, more, err = findNumber(ctx, q, tins, keys); err != nil || len(found) > 0 {
				return found, more, err
			}
		}
	}
	return nil, false, nil
}

// findNumber finds the bills of a number of any kind.
func findNumber(ctx context.Context, q db.Queryer, tins, keys []string) (found []Finding, more bool, err error) {
	var all []store.Hit
	by := map[[2]string]By{} // of each bill
	for _, way := range numberKinds {
		isAdditional := way.by == ByFormer || way.by == ByDocID || way.by == ByAccount
		if len(all) > 0 && !isAdditional {
			break
		}
		hits, err := way.find(ctx, q, tins, keys)
		if err != nil {
			return nil, false, err
		}
		hits = addableHits(all, SortByService(hits), way.by)
		for _, h := range hits {
			by[[2]string{h.FTIN, h.Bill}] = way.by
		}
		all = append(all, hits...)
	}
	return selectFindings(ctx, q, all, func(b record.Bill) By { return by[[2]string{b.FTIN, b.Key()}] })
}

// addableHits returns the hits to add to bills found by a previous kind of number. Former numbers
// only count in TINs where the number finds no other bill. A patient account number only counts
// if the bill already found has it too. The office may use it for all visits of a patient, so
// one visit was found by it.
func addableHits(all, hits []store.Hit, by By) []store.Hit {
	if len(all) == 0 {
		return hits
	}
	has := slices.ContainsFunc[[]store.Hit]
	isBill := func(h store.Hit) func(store.Hit) bool {
		return func(o store.Hit) bool { return o.FTIN == h.FTIN && o.Bill == h.Bill }
	}
	shared := map[string]bool{}
	for _, h := range hits {
		shared[h.FTIN] = shared[h.FTIN] || has(all, isBill(h))
	}
	return slices.DeleteFunc(hits, func(h store.Hit) bool {
		if by == ByFormer {
			return has(all, func(o store.Hit) bool { return o.FTIN == h.FTIN })
		}
		return !shared[h.FTIN] || has(all, isBill(h))
	})
}

// selectFindings returns the bills of hits, in order, and how they were found.
func selectFindings(ctx context.Context, q db.Queryer, hits []store.Hit, by func(record.Bill) By) ([]Finding, bool, error) {
	list, more, err := SelectBills(ctx, q, hits)
	found := make([]Finding, len(list))
	for i, b := range list {
		found[i] = Finding{b, by(b)}
	}
	return found, more, err
}

// findClaims returns the claims with a number that have bills. Equal numbers of two payers
// are two claims.
func findClaims(ctx context.Context, q db.Queryer, tins, keys []string) ([]FoundClaim, error) {
	hits, err := store.FindByClaims(ctx, q, tins, keys)
	if err != nil || len(hits) == 0 {
		return nil, err
	}
	list, err := store.SelectHitBills(ctx, q, SortByService(hits))
	var claims []FoundClaim
	for _, b := range list {
		same := func(c FoundClaim) bool { return text.Key(c.Number) == text.Key(b.ClaimNumber) }
		if at := slices.IndexFunc(claims, same); at >= 0 {
			claims[at].Bills = min(claims[at].Bills+1, store.MaxHits)
			continue
		}
		claims = append(claims, FoundClaim{Number: b.ClaimNumber, Bills: 1})
	}
	slices.SortFunc(claims, func(a, b FoundClaim) int { return strings.Compare(a.Number, b.Number) })
	return claims, err
}

// FindSecond finds bills of a number in the second bill system.
func (s *Service) FindSecond(ctx context.Context, a access.Actor, n AnyNumber) (found []secondsystem.Bill, more bool, err error) {
	scope, err := s.checkFind(ctx, a, n)
	if err != nil {
		return nil, false, err
	}
	var queries []Query
	if q := n.query(); len(n.Claimants) == 0 { // the system can't find claimants without service dates
		queries = []Query{{BillControlNumber: q.BillControlNumber}, {DocumentID: q.DocumentID}}
	}
	for _, q := range queries {
		if found, err = s.second.Search(ctx, scope.TINs(), q); err != nil || len(found) > 0 {
			break
		}
	}
	if err != nil {
		return nil, false, err
	}
	found, more = truncate(found)
	found, err = auditFound(s, ctx, found, searchEntry("mitchFindBills", record.OK, scope.TINs(), n.query(), found, getSecondNumber))
	return found, more, err
}

func (s *Service) checkFind(ctx context.Context, a access.Actor, n AnyNumber) (access.Scope, error) {
	if err := n.check(); err != nil {
		return access.Scope{}, err
	}
	return s.scopes.Scope(ctx, a)
}

// Sought is the search text for a bill.
type Sought struct {
	Q string `json:"q" maxLength:"100" doc:"A complete number, or a claimant with date of birth, such as Ada Smith 04/17/1980"`
}

// Number reads a claimant from a name with a comma or a date of birth, in any order, otherwise a
// number. Without a comma, the last name can be at either end.
func (q Sought) Number() AnyNumber {
	typed := text.Clean(q.Q)
	words := strings.Fields(typed)
	var born date.Date
	at := slices.IndexFunc(words, func(word string) bool {
		if strings.ContainsAny(word, "/-.") {
			born = spreadsheet.Date(strings.Trim(word, ","))
		}
		return born != ""
	})
	if at >= 0 {
		words = slices.Delete(words, at, at+1)
	}
	name := strings.Trim(strings.Join(words, " "), " ")
	isComplete := born != "" || strings.Contains(name, ",")
	if last, _, comma := strings.Cut(name, ","); !isComplete || name == "" || text.Digits(last) != "" || !comma && text.Digits(name) != "" {
		return AnyNumber{Number: typed}
	}
	return AnyNumber{Claimants: readNames(name, born)}
}

// readNames returns the claimants that a name can mean.
func readNames(name string, born date.Date) []store.Claimant {
	claimant := func(last, first string) store.Claimant {
		return store.Claimant{LastName: text.Clean(last), FirstName: text.Clean(first), BirthDate: born}
	}
	if last, rest, comma := strings.Cut(strings.TrimRight(name, ","), ","); comma {
		if suffix, first, both := strings.Cut(rest, ","); both && names.IsSuffix(suffix) { // Smith, Jr, John
			last, rest = last+" "+suffix, first
		}
		return []store.Claimant{claimant(last, rest)}
	}
	words := strings.Fields(strings.TrimRight(name, ","))
	n := len(words) - 1
	if n > 1 && names.IsSuffix(words[n]) { // John Smith Jr
		words = append(words[:n-1], words[n-1]+" "+words[n])
		n--
	}
	list := []store.Claimant{claimant(words[n], strings.Join(words[:n], " "))}
	if n > 0 {
		list = append(list, claimant(words[0], strings.Join(words[1:], " ")))
	}
	for i := n - 1; i > 0; i-- { // a last name of several words
		list = append(list, claimant(strings.Join(words[i:], " "), strings.Join(words[:i], " ")))
	}
	return list
}

// FoundBill identifies a bill in search results.
type FoundBill struct {
	ID                string    `json:"id" doc:"ID of the bill's page"`
	FTIN              string    `json:"ftin"`
	BillControlNumber string    `json:"billControlNumber"`
	DocumentID        string    `json:"documentId"`
	PatientFirstName  string    `json:"patientFirstName"`
	PatientMiddleName string    `json:"patientMiddleName"`
	PatientLastName   string    `json:"patientLastName"`
	BeginServiceDate  date.Date `json:"beginServiceDate" format:"date" nullable:"true"`
	BillCharges       *float64  `json:"billCharges" doc:"Decimal dollars"`
	PayerName         string    `json:"payerName"`
	BillStatus        string    `json:"billStatus" doc:"The bill, as in the bill search"`
	State             string    `json:"state,omitempty" enum:"denied,void,replaced" doc:"Reason the bill won't be paid as submitted"`
	Second            bool      `json:"second" doc:"True for a bill from the second bill system"`
	By                By        `json:"by"`
}

// ClaimOfBills is a claim with bills.
type ClaimOfBills struct {
	ClaimNumber string `json:"claimNumber"`
	Bills       int    `json:"bills" doc:"100 means 100 or more"`
}

// FoundBills are the bills and claims of a number.
type FoundBills struct {
	Bills  []FoundBill    `json:"bills" nullable:"false" doc:"Up to 20 bills"`
	Claims []ClaimOfBills `json:"claims" nullable:"false" doc:"Bills with this number, by kind of number"`
	More   bool           `json:"more" doc:"True if there are more bills"`
}

// registerFind adds the operations that find bills by number, with the same rate limit as
// searches.
func (s *Service) registerFind(api *httpapi.API) {
	finding := httpapi.Operation{Method: http.MethodPost, Access: "work.find", Effect: httpapi.Read, Limit: s.searches}

	op := finding
	op.ID, op.Path, op.Summary = "findBills", "/work/find", "Find bills by number"
	op.Expensive = true
	op.Description = "Searches every TIN in scope. Uses the first kind of number that matches a bill, in the order of by: bill " +
		"control number (current or former), document ID, patient account number, payer claim number, check number or claim " +
		"number. Case, hyphens and spaces are ignored. A name with a date of birth finds a claimant. A name without one finds only " +
		"numbers, and returns 400 if none matches."
	httpapi.Register(api, op, func(ctx context.Context, in *struct{ Body Sought }) (*struct{ Body FoundBills }, error) {
		found, claims, more, err := s.Find(ctx, access.From(ctx), in.Body.Number())
		out, err := newFoundOutput(found, more, err, s.toFoundBill)
		for _, c := range claims {
			out.Body.Claims = append(out.Body.Claims, ClaimOfBills{c.Number, c.Bills})
		}
		return out, err
	})

	op = finding
	op.ID, op.Path, op.Summary = "mitchFindBills", "/work/find/second", "Find bills by number in the second bill system"
	httpapi.Register(api, op, func(ctx context.Context, in *struct{ Body Sought }) (*struct{ Body FoundBills }, error) {
		found, more, err := s.FindSecond(ctx, access.From(ctx), in.Body.Number())
		return newFoundOutput(found, more, err, s.toFoundSecond)
	})
}

func newFoundOutput[B any](found []B, more bool, err error, convert func(B) (FoundBill, error)) (*struct{ Body FoundBills }, error) {
	if err != nil {
		return nil, err
	}
	list := make([]FoundBill, len(found))
	for i, b := range found {
		if list[i], err = convert(b); err != nil {
			return nil, err
		}
	}
	return &struct{ Body FoundBills }{FoundBills{list, []ClaimOfBills{}, more}}, nil
}

func (s *Service) toFoundBill(f Finding) (FoundBill, error) {
	b := f.Bill
	id, err := s.records.SealPage(b)
	return FoundBill{
		ID: id, FTIN: b.FTIN, BillControlNumber: b.BillControlNumber, DocumentID: b.DocumentID,
		PatientFirstName: b.PatientFirstName, PatientMiddleName: b.PatientMiddleName, PatientLastName: b.PatientLastName,
		BeginServiceDate: b.BeginServiceDate, BillCharges: money.OrNone(&b.BillCharges), PayerName: b.PayerName, BillStatus: b.BillStatus,
		State: record.ClosedState(b), By: f.By,
	}, err
}

func (s *Service) toFoundSecond(b secondsystem.Bill) (FoundBill, error) {
	id, err := s.records.SealSecond(b)
	return FoundBill{
		ID: id, FTIN: b.FTIN, BillControlNumber: b.BillControlNumber, DocumentID: b.DocumentID,
		PatientFirstName: b.PatientFirstName, PatientMiddleName: b.PatientMiddleName, PatientLastName: b.PatientLastName,
		BeginServiceDate: b.BeginServiceDate, BillCharges: b.BillCharges, PayerName: b.PayerName, BillStatus: b.BillStatus,
		State: record.SecondStates[b.BillStatus], Second: true,
	}, err
}
