package store

import (
	"database/sql"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
)

func TestPlans(t *testing.T) {
	dbtest.CheckPlans(t, dbtest.Scans{
		"GetLastChange":             "the greatest number",
		"ListJoins":                 "the newest of them, by their numbers from the last",
		"DeleteOldChanges":          "the oldest rows, by their numbers from the first",
		"ListUnnamed":               "an index that only holds what has no key of a name yet, from its begin",
		"ListOutdatedBills":         "an index that only holds what is to be concluded anew, from its begin",
		"ListOutdatedChecks":        "an index that only holds what is to be concluded anew, from its begin",
		"ListDecisions":             "the newest of them, by their numbers from the last",
		"ListPossibleDuplicates":    "an index that only holds what the staff are to decide, from its begin",
		"HasPayeeLinks":             "one row, whichever",
		"ListPayeeNPIs":             "all payees known by NPI only, when the directory changed",
		"NextPayee":                 "a table that becomes empty, from its begin",
		"SumUnplaced":               "the same index, all of it",
		"ListUnmatched":             "an index that only holds payments without a bill, from where the part before ended",
		"SumUnmatched":              "the same index, all of it",
		"NextPaid":                  "the next TIN, in whichever partition",
		"NextOpen":                  "the next TIN, in whichever partition",
		"FindAcrossTINs":            "the service desk has a bill's number and not whose it is",
		"FindRemittancesAcrossTINs": "the service desk has a check's number and not whose it is",
	}, func(t *testing.T, d *db.DB, tx *sql.Tx) {
		ctx := t.Context()
		s := facts.Submission{Source: facts.FromClaim, Kind: "P", Reported: facts.Bill{FTIN: "111111111", PatientControlNumber: "A1",
			BillType: "P"}}
		p := facts.Payment{Source: facts.FromRemittance, Occurrence: 1, TraceNumber: "K1", Payer: "P1", PaidDate: "2026-02-01",
			PatientControlNumber: "A1",
			Reported:             facts.Bill{FTIN: "111111111", BillType: "P"}}
		s.Identify()
		p.Identify()
		fact, number, tie := facts.FactRef{FTIN: "111111111", Fact: s.Fact}, facts.BillRef{FTIN: "111111111", Key: "x"},
			facts.LinkRef{FTIN: "111111111", Link: "n:x"}
		check := facts.CheckRef{FTIN: "111111111", Remittance: p.Remittance}
		b := facts.Bill{FTIN: "111111111", BillControlNumber: "x", BillType: "P", BillStatus: facts.StatusReceived,
			Source: facts.SourceBill, Fact: s.Fact}
		tins, numbers := []string{b.FTIN, "222222222"}, []string{"x", "y"}
		paper := facts.Paper{FTIN: b.FTIN, Bill: "x", Kind: facts.EORPaper, SHA256: "0", ImportedAt: db.At(time.Now())}
		assert.NoError(t, errors.Join(
			dbtest.Err(LoadSubmissions(ctx, tx, []facts.FactRef{fact})),
			dbtest.Err(LoadPayments(ctx, tx, []facts.FactRef{fact})),
			dbtest.Err(FindFactsOfBills(ctx, tx, []facts.BillRef{number})),
			dbtest.Err(LoadWholeSubmissions(ctx, tx, []facts.FactRef{fact})),
			dbtest.Err(LoadWholePayments(ctx, tx, []facts.FactRef{fact})),
			dbtest.Err(FindLinks(ctx, tx, []facts.LinkRef{tie})),
			dbtest.Err(FindLinksByPrefix(ctx, tx, []facts.LinkRef{tie})),
			dbtest.Err(FindByTruncatedAccounts(ctx, tx, []*facts.Payment{{PatientControlNumber: "A-1234"}})),
			dbtest.Err(FindLinksByTruncatedAccounts(ctx, tx, []*facts.Payment{{PatientControlNumber: "A-1234"}})),
			dbtest.Err(LoadSubmissionDetails(ctx, tx, []facts.FactRef{fact})),
			dbtest.Err(LoadPaymentDetails(ctx, tx, []facts.FactRef{fact})),
			dbtest.Err(FindByNumbers(ctx, tx, tins, numbers)),
			dbtest.Err(FindAcrossTINs(ctx, tx, []string{"x"}, 9)),
			dbtest.Err(FindRemittancesAcrossTINs(ctx, tx, "x", 9)),
			dbtest.Err(FindRemittancesAcrossTINs(ctx, tx, "0", 9)),
			dbtest.Err(FindByFormerNumbers(ctx, tx, tins, numbers)),
			dbtest.Err(FindByDocuments(ctx, tx, tins, numbers)),
			dbtest.Err(FindByAccounts(ctx, tx, tins, numbers)),
			dbtest.Err(FindByClaims(ctx, tx, tins, numbers)),
			dbtest.Err(FindByPayerNumbers(ctx, tx, tins, numbers)),
			dbtest.Err(FindByChecks(ctx, tx, tins, numbers, nil)),
			dbtest.Err(FindByChecks(ctx, tx, tins, numbers, numbers)),
			dbtest.Err(FindByClaimants(ctx, tx, tins, []Claimant{{"a", "b", "1980-01-01"}})),
			dbtest.Err(SelectHitBills(ctx, tx, []Hit{{FTIN: "111111111", Bill: "x"}})),
			dbtest.Err(FindPayerReceipts(ctx, tx, []facts.Bill{{FTIN: "111111111", BillControlNumber: "x"}})),
			dbtest.Err(ListPaymentsByBill(ctx, tx, []facts.Bill{{FTIN: "111111111", BillControlNumber: "x"}})),
			dbtest.Err(LoadCrowded(ctx, tx, []string{"111111111"})),
			AddCrowded(ctx, tx, tie),
			dbtest.Err(AddJoin(ctx, tx, facts.Join{FTIN: "111111111", Payment: "x", Submission: "y", MadeAt: db.At(time.Now()),
				At: db.At(time.Now())})),
			dbtest.Err(LoadJoins(ctx, tx, []string{"111111111", "222222222"})),
			dbtest.Err(GetJoinInForce(ctx, tx, "111111111", "x")),
			UndoJoin(ctx, tx, facts.Join{ID: 1, FTIN: "111111111", Payment: "x", MadeAt: db.At(time.Now()), At: db.At(time.Now())}),
			dbtest.Err(ListUnmatched(ctx, tx, Unmatched{Paid: 100, FTIN: "111111111"}, false, 9)),
			dbtest.Err(SumWaiting(ctx, tx, facts.Bill{FTIN: "111111111", BillControlNumber: "x"})),
			dbtest.Err(SumUnmatched(ctx, tx)),
			dbtest.Err(FindCandidates(ctx, tx, facts.Bill{FTIN: "111111111", PatientLastName: "x", PatientControlNumber: "x",
				BeginServiceDate: "2026-01-01"}, 7)),
			dbtest.Err(ListJoins(ctx, tx, 9)),
			AddSubmissions(ctx, tx, []facts.Submission{s}),
			PutSubmissions(ctx, tx, []facts.Submission{s}),
			AddPayments(ctx, tx, []facts.Payment{p}),
			PutPayments(ctx, tx, []facts.Payment{p}),
			AddLinks(ctx, tx, []facts.Link{{FTIN: "111111111", Link: "n:x", Fact: s.Fact, Payment: false}}),
			PlaceSubmissions(ctx, tx, []facts.Submission{s}),
			PlacePayments(ctx, tx, []facts.Payment{p}),
			RemovePayment(ctx, tx, p),
			LockBills(ctx, tx, []facts.BillRef{number}, d.Dialect.ForUpdate),
			dbtest.Err(LoadBillsBefore(ctx, tx, []facts.BillRef{number})),
			dbtest.Err(LoadBills(ctx, tx, []facts.BillRef{number})),
			dbtest.Err(FindSuffixed(ctx, tx, []facts.BillRef{number})),
			InsertBills(ctx, tx, []facts.Bill{b}),
			PutBills(ctx, tx, []facts.Bill{b}),
			SettleBills(ctx, tx, []facts.Bill{b}),
			dbtest.Err(GetDetail(ctx, tx, b)),
			dbtest.Err(GetDetail(ctx, tx, facts.Bill{FTIN: "111111111", Source: facts.SourcePayment, Fact: "x"})),
			dbtest.Err(ListPayments(ctx, tx, b)),
			dbtest.Err(NextPaid(ctx, tx, "1")),
			dbtest.Err(NextOpen(ctx, tx, "1")),
			dbtest.Err(ListOpenAfter(ctx, tx, OpenPlace{FTIN: "111111111"}, 9)),
			PutDue(ctx, tx, []facts.Bill{b}),
			NoteRecount(ctx, tx, "111111111"),
			dbtest.Err(ListChecksSince(ctx, tx, "111111111", "2026-01-01")),
			dbtest.Err(ListReasoned(ctx, tx, "111111111", []checkSize{{"x", 1}})),
			Renumber(ctx, tx, func(string) bool {
				return true
			}, []facts.BillRef{{FTIN: "x", Key: "y"}}, func(k *facts.BillRef) (string, *string) { return k.FTIN, &k.Key },
				d.Dialect.ForShare),
			dbtest.Err(FindCurrentKey(ctx, tx, "111111111", "x")),
			dbtest.Err(FindNumber(ctx, tx, "111111111", "x", d.Dialect.ForShare)),
			dbtest.Err(FormerNumbers(ctx, tx, "111111111", []string{s.Fact})),
			dbtest.Err(ListChanges(ctx, tx, b, 9)),
			dbtest.Err(SelectByNumbers(ctx, tx, "111111111", []string{"x"})),
			dbtest.Err(FindCurrentKeys(ctx, tx, []string{"111111111", "222222222"}, "x")),
			AddNumber(ctx, tx, number, s.Fact),
			AddChanges(ctx, tx, []facts.Change{{FTIN: "111111111", Bill: "x", Kind: facts.Received, Status: facts.StatusReceived,
				At: db.At(time.Now())}}),
			dbtest.Err(ListChangesAfter(ctx, tx, "111111111", 0, 1, 10)),
			dbtest.Err(GetLastChange(ctx, tx)),
			dbtest.Err(DeleteOldChanges(ctx, tx, db.At(time.Now()))),
			MoveChanges(ctx, tx, []Renumbering{{number, "y"}}),
			RemoveChanges(ctx, tx, number),
			PutPapers(ctx, tx, []facts.Paper{paper}),
			dbtest.Err(ListPapers(ctx, tx, b)),
			dbtest.Err(SelectPapers(ctx, tx, []string{"x", "y"})),
			dbtest.Err(LoadPapers(ctx, tx, []facts.BillRef{number})),
			dbtest.Err(SelectKeysWithPaper(ctx, tx, b.FTIN, facts.EORPaper, []string{"x"})),
			RemovePaper(ctx, tx, paper),
			dbtest.Err(ListOutdatedBills(ctx, tx)),
			dbtest.Err(ListOutdatedChecks(ctx, tx)),
			NoteRules(ctx, tx, []facts.Remittance{{FTIN: check.FTIN, Remittance: "x", FirstSeenAt: db.At(time.Now())}}),
			findNone(FindContact(ctx, tx, b.FTIN, "P1")),
			dbtest.Err(FindRemittancesByNumbers(ctx, tx, [][2]string{{check.FTIN, "x"}})),
			MarkPayments(ctx, tx, []facts.Payment{p}),
			dbtest.Err(AddDecision(ctx, tx, facts.Decision{ID: 1, FTIN: check.FTIN, Remittance: "x", Other: "y", At: db.At(time.Now())})),
			dbtest.Err(LoadDecisions(ctx, tx, check.FTIN, []facts.CheckRef{check})),
			dbtest.Err(GetDecisionInForce(ctx, tx, check.FTIN, [2]string{"x", "y"})),
			dbtest.Err(GetDecision(ctx, tx, 1)),
			dbtest.Err(ListDecisions(ctx, tx, 9)),
			dbtest.Err(ListPossibleDuplicates(ctx, tx, 9)),
			PutDecision(ctx, tx, facts.Decision{ID: 1, FTIN: check.FTIN, Remittance: "x", Other: "y", At: db.At(time.Now())}),
			dbtest.Err(ListUnnamed(ctx, tx)),
			PutNames(ctx, tx, []facts.Bill{b}),
			RemoveBill(ctx, tx, number),
			RemoveLinks(ctx, tx, p),
			dbtest.Err(LoadPaymentsOfChecks(ctx, tx, []facts.CheckRef{check})),
			dbtest.Err(LoadPaymentsOfCheck(ctx, tx, check)),
			dbtest.Err(LoadPlaces(ctx, tx, []facts.FactRef{fact})),
			dbtest.Err(LoadSets(ctx, tx, []facts.FactRef{fact})),
			dbtest.Err(LoadSetsOfChecks(ctx, tx, []facts.CheckRef{check})),
			PutSets(ctx, tx, []facts.RemittanceSet{{FTIN: check.FTIN, Fact: "x"}}),
			RemoveSet(ctx, tx, facts.RemittanceSet{FTIN: check.FTIN, Fact: "x"}),
			dbtest.Err(LoadAdjustments(ctx, tx, []facts.CheckRef{check})),
			PutAdjustments(ctx, tx, []facts.ProviderAdjustment{{FTIN: check.FTIN, Fact: "x"}}),
			RemoveAdjustment(ctx, tx, facts.ProviderAdjustment{FTIN: check.FTIN, Fact: "x"}),
			dbtest.Err(LoadRemittances(ctx, tx, []facts.CheckRef{check})),
			PutRemittances(ctx, tx, []facts.Remittance{{FTIN: check.FTIN, Remittance: "x", FirstSeenAt: db.At(time.Now())}}),
			RemoveRemittance(ctx, tx, check),
			dbtest.Err(FindPayeeFacts(ctx, tx, []facts.PayeeFact{{NPI: "1", Remittance: "x", Fact: "x"}})),
			dbtest.Err(LoadPayeeFacts(ctx, tx, "1", "x")),
			PutPayeeFacts(ctx, tx, []facts.PayeeFact{{NPI: "1", Remittance: "x", Fact: "x", Occurrence: 1}}),
			dbtest.Err(ListPayeeNPIs(ctx, tx)),
			dbtest.Err(ListPayeeTINs(ctx, tx, "1")),
			dbtest.Err(FindPayeeTINs(ctx, tx, [][2]string{{"1", check.FTIN}})),
			dbtest.Err(AddPayeeTIN(ctx, tx, "1", check.FTIN)),
			AddPayeeLinks(ctx, tx, map[PayeeLink]bool{{"n:x", "1", "x"}: true}),
			dbtest.Err(HasPayeeLinks(ctx, tx)),
			dbtest.Err(FindPayeeLinks(ctx, tx, []string{"n:x"})),
			AddPending(ctx, tx, map[facts.PayeeRef]bool{{NPI: "1", Remittance: "x"}: true}),
			AddPendingPayee(ctx, tx, "1"),
			dbtest.Err(NextPayee(ctx, tx)),
			dbtest.Err(ListPending(ctx, tx, "1")),
			dbtest.Err(ListUnplaced(ctx, tx, UnplacedPlace{Paid: 100, Unplaced: facts.Unplaced{NPI: "1", Remittance: "x", Fact: "x"}},
				false, 9)),
			dbtest.Err(SumUnplaced(ctx, tx)),
			EndPending(ctx, tx, "1", "x"),
			MovePayeeFacts(ctx, tx, []facts.PayeeFact{{NPI: "1", Remittance: "x", Fact: "x", Occurrence: 1}}),
		))
	})
}

// findNone returns the error of a search that should find nothing.
func findNone[T any](found T, err error) error {
	if errors.Is(err, db.ErrNotFound) {
		return nil
	}
	return errors.Join(err, fmt.Errorf("found %v", found))
}
