package ledger

import (
	"database/sql"
	"errors"
	"testing"
	"time"

	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
)

func TestPlans(t *testing.T) {
	dbtest.Plans(t, dbtest.Scans{
		"lastChange":      "the greatest number",
		"JoinsMade":       "the newest of them, by their numbers from the last",
		"forgetChanges":   "the oldest rows, by their numbers from the first",
		"earlierBills":    "an index that only holds what is to be carried over, from its begin",
		"otherRules":      "an index that only holds what is to be concluded anew, from its begin",
		"unread":          "an index that only holds what is still to be read, from its begin",
		"earlierPayments": "a table that becomes empty, from its begin",
		"anyPayeeLinks":   "one row, whichever",
		"payeeNPIs":       "all payees known by NPI only, when the directory changed",
		"nextPayee":       "a table that becomes empty, from its begin",
	}, func(t *testing.T, _ *db.DB, tx *sql.Tx) {
		ctx := t.Context()
		s, p := sent("1", 100).(Submission), paid(80, "K1").(Payment)
		fact, number, tie := factKey{"111111111", s.Fact}, billKey{"111111111", "x"}, linkKey{"111111111", "n:x"}
		check := checkKey{"111111111", p.Remittance}
		b := Bill{FTIN: "111111111", BillControlNumber: "x", BillType: "P", BillStatus: StatusReceived, Source: SourceBill, Fact: s.Fact}
		tins, numbers := []string{b.FTIN, "222222222"}, []string{"x", "y"}
		paper := Paper{FTIN: b.FTIN, Bill: "x", Kind: EORPaper, SHA256: "0", TakenAt: db.At(time.Now())}
		earlier := earlierPayment{FTIN: "111111111", BillControlNumberKey: "x"}
		if err := errors.Join(
			dbtest.Err(knownSubmissions(ctx, tx, []factKey{fact})),
			dbtest.Err(knownPayments(ctx, tx, []factKey{fact})),
			dbtest.Err(keptSubmissions(ctx, tx, []factKey{fact})),
			dbtest.Err(keptPayments(ctx, tx, []factKey{fact})),
			dbtest.Err(linked(ctx, tx, []linkKey{tie})),
			dbtest.Err(linkedBeginning(ctx, tx, tie)),
			dbtest.Err(OfNumbers(ctx, tx, tins, numbers)),
			dbtest.Err(Anywhere(ctx, tx, "x", 9)),
			dbtest.Err(RemittancesAnywhere(ctx, tx, "x", 9)),
			dbtest.Err(OfFormerNumbers(ctx, tx, tins, numbers)),
			dbtest.Err(OfDocuments(ctx, tx, tins, numbers)),
			dbtest.Err(OfAccounts(ctx, tx, tins, numbers)),
			dbtest.Err(OfClaims(ctx, tx, tins, numbers)),
			dbtest.Err(OfPayerNumbers(ctx, tx, tins, numbers)),
			dbtest.Err(OfChecks(ctx, tx, tins, numbers, nil)),
			dbtest.Err(OfChecks(ctx, tx, tins, numbers, numbers)),
			dbtest.Err(OfClaimants(ctx, tx, tins, []Claimant{{"a", "b", "1980-01-01"}})),
			dbtest.Err(BillsOf(ctx, tx, []Hit{{FTIN: "111111111", Bill: "x"}})),
			dbtest.Err(PaymentsOfAll(ctx, tx, []Bill{{FTIN: "111111111", BillControlNumber: "x"}})),
			dbtest.Err(crowdedOf(ctx, tx, []string{"111111111"})),
			addCrowded(ctx, tx, tie),
			dbtest.Err(addJoin(ctx, tx, Join{FTIN: "111111111", Payment: "x", Submission: "y", MadeAt: db.At(time.Now()), At: db.At(time.Now())})),
			dbtest.Err(joinsOf(ctx, tx, []string{"111111111", "222222222"})),
			dbtest.Err(joinInForce(ctx, tx, "111111111", "x")),
			undoJoin(ctx, tx, Join{ID: 1, FTIN: "111111111", Payment: "x", MadeAt: db.At(time.Now()), At: db.At(time.Now())}),
			dbtest.Err(nextUnmatched(ctx, tx, "1")),
			dbtest.Err(unmatchedOf(ctx, tx, Unmatched{FTIN: "111111111"}, 9)),
			dbtest.Err(CandidatesOf(ctx, tx, Bill{FTIN: "111111111", PatientLastName: "x", PatientControlNumber: "x", BeginServiceDate: "2026-01-01"}, 7)),
			dbtest.Err(JoinsMade(ctx, tx, 9)),
			addSubmissions(ctx, tx, []Submission{s}),
			putSubmissions(ctx, tx, []Submission{s}),
			addPayments(ctx, tx, []Payment{p}),
			putPayments(ctx, tx, []Payment{p}),
			addLinks(ctx, tx, []link{{"111111111", "n:x", s.Fact, false}}),
			placeSubmissions(ctx, tx, []Submission{s}),
			placePayments(ctx, tx, []Payment{p}),
			removePayment(ctx, tx, p),
			dbtest.Err(billsAmong(ctx, tx, []billKey{number})),
			dbtest.Err(wholeBills(ctx, tx, []billKey{number})),
			dbtest.Err(suffixedAmong(ctx, tx, []billKey{number})),
			addBills(ctx, tx, []Bill{b}),
			putBills(ctx, tx, []Bill{b}),
			settleBills(ctx, tx, []Bill{b}),
			dbtest.Err(DetailOf(ctx, tx, b)),
			dbtest.Err(DetailOf(ctx, tx, Bill{FTIN: "111111111", BillControlNumber: "x"})),
			dbtest.Err(DetailOf(ctx, tx, Bill{FTIN: "111111111", Source: SourcePayment, Fact: "x"})),
			dbtest.Err(PaymentsOf(ctx, tx, b)),
			dbtest.Err(PaymentsOf(ctx, tx, Bill{FTIN: "111111111", BillControlNumber: "x"})),
			dbtest.Err(nextPaid(ctx, tx, "1")),
			dbtest.Err(nextOpen(ctx, tx, "1")),
			dbtest.Err(openAfter(ctx, tx, OpenPlace{FTIN: "111111111"}, 9)),
			putDue(ctx, tx, []Bill{b}),
			noteRecount(ctx, tx, "111111111"),
			dbtest.Err(unread(ctx, tx)),
			putReasons(ctx, tx, []Payment{p}),
			dbtest.Err(checksSince(ctx, tx, "111111111", "2026-01-01")),
			dbtest.Err(reasonedOf(ctx, tx, "111111111", []checkSize{{"x", 1}})),
			dbtest.Err(KeyOfFormer(ctx, tx, "111111111", "x")),
			dbtest.Err(FormerNumbers(ctx, tx, "111111111", []string{s.Fact})),
			dbtest.Err(ChangesOf(ctx, tx, b, 9)),
			dbtest.Err(Named(ctx, tx, "111111111", []string{"x"})),
			dbtest.Err(KeysOfFormer(ctx, tx, []string{"111111111", "222222222"}, "x")),
			addNumber(ctx, tx, number, s.Fact),
			addChanges(ctx, tx, []Change{{FTIN: "111111111", Bill: "x", Kind: Received, Status: StatusReceived, At: db.At(time.Now())}}),
			dbtest.Err(changesAfter(ctx, tx, "111111111", 0, 1, 10)),
			dbtest.Err(lastChange(ctx, tx)),
			dbtest.Err(forgetChanges(ctx, tx, db.At(time.Now()))),
			moveChanges(ctx, tx, []move{{number, "y"}}),
			removeChanges(ctx, tx, number),
			putPapers(ctx, tx, []Paper{paper}),
			dbtest.Err(PapersOf(ctx, tx, b)),
			dbtest.Err(papersAmong(ctx, tx, []billKey{number})),
			dbtest.Err(BillsWithPaper(ctx, tx, b.FTIN, EORPaper, []string{"x"})),
			removePaper(ctx, tx, paper),
			dbtest.Err(earlierBills(ctx, tx)),
			markCarried(ctx, tx, []Bill{b}, []Bill{b}),
			dbtest.Err(earlierPayments(ctx, tx)),
			removeEarlierPayment(ctx, tx, earlier),
			dbtest.Err(madeOf(ctx, tx, []earlierPayment{earlier})),
			dbtest.Err(otherRules(ctx, tx)),
			removeBill(ctx, tx, number),
			removeLinks(ctx, tx, p),
			dbtest.Err(paymentsOfChecks(ctx, tx, []checkKey{check})),
			dbtest.Err(paymentsOfCheck(ctx, tx, check)),
			dbtest.Err(placesOf(ctx, tx, []factKey{fact})),
			dbtest.Err(setsOf(ctx, tx, []factKey{fact})),
			dbtest.Err(setsAmong(ctx, tx, []checkKey{check})),
			putSets(ctx, tx, []RemittanceSet{{FTIN: check.ftin, Fact: "x"}}),
			removeSet(ctx, tx, RemittanceSet{FTIN: check.ftin, Fact: "x"}),
			dbtest.Err(adjustmentsAmong(ctx, tx, []checkKey{check})),
			putAdjustments(ctx, tx, []ProviderAdjustment{{FTIN: check.ftin, Fact: "x"}}),
			removeAdjustment(ctx, tx, ProviderAdjustment{FTIN: check.ftin, Fact: "x"}),
			dbtest.Err(remittancesAmong(ctx, tx, []checkKey{check})),
			putRemittances(ctx, tx, []Remittance{{FTIN: check.ftin, Remittance: "x", FirstSeenAt: db.At(time.Now())}}),
			removeRemittance(ctx, tx, check),
			dbtest.Err(payeeFactsLike(ctx, tx, []payeeFact{{NPI: "1", Remittance: "x", Fact: "x"}})),
			dbtest.Err(payeeFactsOf(ctx, tx, "1", "x")),
			putPayeeFacts(ctx, tx, []payeeFact{{NPI: "1", Remittance: "x", Fact: "x", Occurrence: 1}}),
			dbtest.Err(payeeNPIs(ctx, tx)),
			dbtest.Err(payeeTINs(ctx, tx, "1")),
			dbtest.Err(payeeTINsAmong(ctx, tx, [][2]string{{"1", check.ftin}})),
			dbtest.Err(addPayeeTIN(ctx, tx, "1", check.ftin)),
			addPayeeLinks(ctx, tx, map[payeeLink]bool{{"n:x", "1", "x"}: true}),
			dbtest.Err(anyPayeeLinks(ctx, tx)),
			dbtest.Err(payeeLinksAmong(ctx, tx, []string{"n:x"})),
			addPending(ctx, tx, map[payeeKey]bool{{"1", "x"}: true}),
			addPendingOf(ctx, tx, "1"),
			dbtest.Err(nextPayee(ctx, tx)),
			dbtest.Err(pendingOf(ctx, tx, "1")),
			endPending(ctx, tx, "1", "x", check.ftin),
		); err != nil {
			t.Error(err)
		}
	})
}
