package unmatchedpayments

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"wcpp/internal/bills/ledger"
	"wcpp/internal/identity/access"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/problem"
)

const (
	duplicatePurpose = "possible duplicate check"
	decisionPurpose  = "decision on a possible duplicate check"

	// maxDuplicates limits the listed possible duplicates, maxDecisions the decisions.
	maxDuplicates = 100
	maxDecisions  = 200
)

// pair is a possible duplicate and the check that counts until staff decide.
type pair struct{ FTIN, Check, Counts string }

// decided identifies a decision.
type decided struct {
	FTIN string
	ID   int64
}

// Duplicate is a possible duplicate with a sealed id.
type Duplicate struct {
	ledger.DuplicatePair
	ID string
}

// Decision is a staff decision with a sealed id.
type Decision struct {
	ledger.Decided
	ID string
}

// Duplicates lists possible duplicates by TIN, and whether there are more. It audits them first.
func (s *Service) Duplicates(ctx context.Context) (list []Duplicate, more bool, err error) {
	var found []ledger.DuplicatePair
	if err := s.db.Read(ctx, func(tx *sql.Tx) error {
		found, err = ledger.ListPossibleDuplicates(ctx, tx, maxDuplicates+1)
		return err
	}); err != nil {
		return nil, false, err
	}
	more = len(found) > maxDuplicates
	found = found[:min(maxDuplicates, len(found))]
	if err := s.auditDuplicates(ctx, found); err != nil {
		return nil, false, err
	}
	for _, t := range found {
		id, err := s.sealer.Name(duplicatePurpose, pair{t.Check.FTIN, t.Check.Remittance, t.Counts.Remittance})
		if err != nil {
			return nil, false, err
		}
		list = append(list, Duplicate{t, id})
	}
	return list, more, nil
}

// auditDuplicates audits which checks are shown, with an entry for each TIN.
func (s *Service) auditDuplicates(ctx context.Context, shown []ledger.DuplicatePair) error {
	for len(shown) > 0 {
		tin, n := shown[0].Check.FTIN, 0
		e := audit.Entry{Operation: "duplicate-list", Subject: tin, About: []string{tin}, Result: "ok"}
		for n < len(shown) && shown[n].Check.FTIN == tin {
			number := shown[n].Check.TraceNumber
			e.About, e.Answered = append(e.About, tin+" "+number), append(e.Answered, number)
			n++
		}
		var err error
		if e.Groups, err = s.scopes.FindGroups(ctx, tin); err != nil {
			return err
		}
		if err := s.audit.RecordNow(ctx, e); err != nil {
			return err
		}
		shown = shown[n:]
	}
	return nil
}

// Decide decides whether a possible duplicate is the same check as the one listed with it. It
// returns the id of the decision.
func (s *Service) Decide(ctx context.Context, a access.Actor, id string, same bool) (sealed string, err error) {
	var of pair
	if s.sealer.Open(duplicatePurpose, id, &of) != nil {
		return "", problem.New(problem.NotFound)
	}
	err = s.change(ctx, of.FTIN, "duplicate-decide", func(tx *sql.Tx) ([]string, string, error) {
		d, check, err := s.ledger.Decide(ctx, tx, of.FTIN, of.Check, same, a.Person.UserName)
		if err == nil && check.DuplicateOf != of.Counts {
			err = ledger.ErrNoDuplicate
		}
		if err != nil {
			return nil, "", err
		}
		sealed, err = s.sealer.Name(decisionPurpose, decided{of.FTIN, d.ID})
		return []string{check.TraceNumber}, describeDecision(same), err
	})
	return sealed, explainDecisionRefusal(err)
}

func describeDecision(same bool) string {
	if same {
		return "same check"
	}
	return "two checks"
}

// UndoDecision undoes a decision.
func (s *Service) UndoDecision(ctx context.Context, a access.Actor, id string) error {
	var of decided
	if s.sealer.Open(decisionPurpose, id, &of) != nil {
		return problem.New(problem.NotFound)
	}
	return explainDecisionRefusal(s.change(ctx, of.FTIN, "duplicate-undo", func(tx *sql.Tx) ([]string, string, error) {
		d, err := s.ledger.UndoDecision(ctx, tx, of.ID, a.Person.UserName)
		if err != nil {
			return nil, "", err
		}
		check, err := ledger.FindRemittance(ctx, tx, d.FTIN, d.Remittance)
		detail := fmt.Sprintf("%s, decided by %s on %s", describeDecision(d.Same), d.By, date.Of(d.At.In(s.zone)).US())
		return []string{check.TraceNumber}, detail, err
	}))
}

// explainDecisionRefusal returns the message for a decision or undo that failed.
func explainDecisionRefusal(err error) error {
	switch {
	case errors.Is(err, ledger.ErrNoDuplicate):
		return problem.WithMessage(problem.Conflict, "Someone else decided, or a new file changed these checks. Reload the list.")
	case errors.Is(err, ledger.ErrNoDecision):
		return problem.WithMessage(problem.Conflict, "Someone else already undid this decision. Reload the list.")
	}
	return err
}

// Decisions lists the last decisions, newest first.
func (s *Service) Decisions(ctx context.Context) (list []Decision, err error) {
	var made []ledger.Decided
	if err := s.db.Read(ctx, func(tx *sql.Tx) error {
		made, err = ledger.ListDecisions(ctx, tx, maxDecisions)
		return err
	}); err != nil {
		return nil, err
	}
	for _, d := range made {
		id, err := s.sealer.Name(decisionPurpose, decided{d.FTIN, d.ID})
		if err != nil {
			return nil, err
		}
		list = append(list, Decision{d, id})
	}
	return list, nil
}
