package cases

import (
	"context"
	"database/sql"
	"errors"

	"wcpp/internal/identity/access"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/problem"
)

// anyCase lets staff change every case.
func anyCase(*sql.Tx, Case) error { return nil }

// Assign makes a staff member the owner of a case. 0 removes the owner.
func (s *Service) Assign(ctx context.Context, seen Seen, owner int64) (Case, error) {
	return s.change(ctx, seen, eventAssign, anyCase, func(tx *sql.Tx, c *Case) error {
		if owner != 0 {
			u, err := s.users.LockUser(ctx, tx, owner)
			if err != nil {
				return err
			}
			if !u.TypeCd.IsInternal() || !u.CanSignIn() {
				return problem.WithMessage(problem.Conflict, "Select someone of the network's staff.")
			}
		}
		c.Owner = owner
		return errors.Join(putCase(ctx, tx, *c), s.record(ctx, tx, "case-assign", *c, nil))
	})
}

// writing is how staff write to an office.
type writing struct {
	event     event
	kind      Kind
	operation audit.Operation
	empty     string // message for an empty text
}

// AnswerCase answers a case. The staff member becomes its owner if it has none.
func (s *Service) AnswerCase(ctx context.Context, a access.Actor, seen Seen, body string) (Case, error) {
	return s.write(ctx, a, seen, writing{eventAnswer, Answer, "case-answer", "Enter the answer."}, body)
}

// AskOffice asks the office for something. The promise pauses until it replies.
func (s *Service) AskOffice(ctx context.Context, a access.Actor, seen Seen, body string) (Case, error) {
	return s.write(ctx, a, seen, writing{eventAsk, Ask, "case-ask-office", "Enter what you need from the office."}, body)
}

func (s *Service) write(ctx context.Context, a access.Actor, seen Seen, w writing, body string) (Case, error) {
	body, err := checkText(body, w.empty)
	if err != nil {
		return Case{}, err
	}
	var first bool
	c, err := s.change(ctx, seen, w.event, anyCase, func(tx *sql.Tx, c *Case) error {
		if c.Owner == 0 {
			c.Owner = a.Person.ID
		}
		if first = w.kind == Answer && c.FirstAnsweredAt.IsZero(); first {
			c.FirstAnsweredAt, c.FirstAnsweredBy = db.At(s.now()), a.Person.ID
		}
		e := Entry{CaseID: c.ID, At: db.At(s.now()), Author: a.Person.ID, Side: Network, Kind: w.kind, Body: body}
		return errors.Join(s.addEntry(ctx, tx, c, e), s.record(ctx, tx, w.operation, *c, nil), s.notify(ctx, tx, *c))
	})
	if err == nil && first {
		s.meters.answers.Observe(c.FirstAnsweredAt.Sub(c.OpenedAt.Time).Seconds())
	}
	return c, err
}

// Queue selects cases at the service desk.
type Queue string

// Queues.
const (
	QueueMine       Queue = "mine"
	QueueUnassigned Queue = "unassigned"
	QueueOverdue    Queue = "overdue"
	QueueWaiting    Queue = "waiting"
	QueueAll        Queue = "all"
)

// Queues returns the queues in display order.
func Queues() []Queue {
	return []Queue{QueueMine, QueueUnassigned, QueueOverdue, QueueWaiting, QueueAll}
}

// ListQueue lists the cases of a queue by due time, up to limit.
func (s *Service) ListQueue(ctx context.Context, a access.Actor, queue Queue, limit int) ([]Case, error) {
	list, err := listQueue(ctx, s.db.Reader, queue, a.Person.ID, db.At(s.now()), limit)
	if err != nil {
		return nil, err
	}
	return list, s.audit.RecordNow(ctx, audit.Entry{Operation: "desk-cases-list", Subject: "cases", About: findTINs(list),
		Detail: string(queue), Result: "ok"})
}

// OpenAtDesk returns a case for staff. The office sees it in its audit log.
func (s *Service) OpenAtDesk(ctx context.Context, number string) (t Thread, err error) {
	err = s.db.Tx(ctx, func(tx *sql.Tx) error {
		if t, err = s.thread(ctx, tx, number); err != nil {
			return err
		}
		return s.record(ctx, tx, "desk-open-case", t.Case, t.Bills)
	})
	return t, err
}

// CloseUnreplied closes cases whose answer got no reply for ReplyDays.
func (s *Service) CloseUnreplied(ctx context.Context) error {
	return s.db.RunSteps(ctx, func(tx *sql.Tx) (int, error) {
		list, err := listUnreplied(ctx, tx, db.At(s.now().AddDate(0, 0, -ReplyDays)), s.db.Dialect.SkipLocked)
		if err != nil {
			return 0, err
		}
		for _, c := range list {
			s.move(&c, transitions[eventExpire][c.State])
			c.Version++
			e := Entry{CaseID: c.ID, At: db.At(s.now()), Side: System, Kind: ClosedNoMore}
			if err := errors.Join(s.addEntry(ctx, tx, &c, e), s.record(ctx, tx, "case-expire", c, nil)); err != nil {
				return 0, err
			}
		}
		return len(list), nil
	})
}
