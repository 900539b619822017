package cases

import (
	"cmp"
	"context"
	"database/sql"
	"errors"

	"wcpp/internal/bills/record"
	"wcpp/internal/identity/access"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/validate"
)

// anyCase lets staff change every case.
func anyCase(*sql.Tx, Case) error { return nil }

// Take makes the actor the owner of a case.
func (s *Service) Take(ctx context.Context, a access.Actor, seen Seen) (Case, error) {
	return s.Assign(ctx, seen, a.Person.ID)
}

// Release removes the owner of a case.
func (s *Service) Release(ctx context.Context, _ access.Actor, seen Seen) (Case, error) {
	return s.Assign(ctx, seen, 0)
}

// writing is how staff write to a case.
type writing struct {
	event     event
	kind      Kind
	visible   Visible
	operation audit.Operation
	empty     string // message for an empty text
}

// AnswerCase answers a case. The staff member becomes its owner if it has none. The answer to a
// complaint is its written resolution.
func (s *Service) AnswerCase(ctx context.Context, a access.Actor, seen Seen, w Written) (Case, error) {
	return s.write(ctx, a, seen, writing{eventAnswer, Answer, Both, "case-answer", "Enter the answer."}, w)
}

// AskOffice asks the office for something. The promise pauses until it replies.
func (s *Service) AskOffice(ctx context.Context, a access.Actor, seen Seen, w Written) (Case, error) {
	return s.write(ctx, a, seen, writing{eventAsk, Ask, Both, "case-ask-office", "Enter what you need from the office."}, w)
}

// AddNote adds a note that only staff see.
func (s *Service) AddNote(ctx context.Context, a access.Actor, seen Seen, w Written) (Case, error) {
	return s.write(ctx, a, seen, writing{eventNote, Note, NetworkOnly, "case-note", "Enter the note."}, w)
}

func (s *Service) write(ctx context.Context, a access.Actor, seen Seen, how writing, w Written) (Case, error) {
	w, err := w.check(how.empty)
	if err != nil {
		return Case{}, err
	}
	var first bool
	c, err := s.changeAs(ctx, a.Person.ID, seen, how.event, func(tx *sql.Tx, c Case) error {
		return checkUnsent(ctx, tx, c, a.Person.ID, w)
	}, func(tx *sql.Tx, c *Case) error {
		if c.Owner == 0 && how.visible == Both {
			c.Owner = a.Person.ID
		}
		operation, err := s.resolve(ctx, tx, c, how, w)
		if err != nil {
			return err
		}
		if first = how.kind == Answer && c.FirstAnsweredAt.IsZero(); first {
			c.FirstAnsweredAt, c.FirstAnsweredBy = db.At(s.now()), a.Person.ID
		}
		e := Entry{CaseID: c.ID, At: db.At(s.now()), Author: a.Person.ID, Side: Network, Visible: how.visible, Kind: how.kind,
			Body: w.Body, RequestKey: w.RequestKey, Files: w.Files}
		err = errors.Join(s.addEntry(ctx, tx, c, e), s.record(ctx, tx, operation, *c, nil))
		if err != nil || how.visible != Both {
			return err
		}
		return s.notify(ctx, tx, *c)
	})
	if errors.Is(err, errSent) {
		return c, nil
	}
	if err == nil && first {
		s.meters.answers.Observe(c.FirstAnsweredAt.Sub(c.OpenedAt.Time).Seconds())
	}
	return c, err
}

// mergeLocks is the lock space for merging, so that two merges don't wait for each other's cases.
const mergeLocks = 46

// Merge merges a question into another one of the same group and TIN. Its entries, bills and files
// move there. Without a TIN, both need the same author, because others don't see them.
func (s *Service) Merge(ctx context.Context, a access.Actor, seen Seen, into string) (c Case, err error) {
	err = s.db.Tx(ctx, func(tx *sql.Tx) error {
		if err := s.db.Lock(ctx, tx, mergeLocks, 0); err != nil {
			return err
		}
		if _, err := s.users.RequireAnswerer(ctx, tx, a.Person.ID); err != nil {
			return err
		}
		var before Case
		remember := func(_ *sql.Tx, c Case) error { before = c; return nil }
		c, err = s.changeIn(ctx, tx, seen, eventMerge, remember, func(tx *sql.Tx, c *Case) error {
			return s.mergeInto(ctx, tx, before, c, into)
		})
		return err
	})
	return c, err
}

// mergeInto merges c, as it was before and as it is now, into another question. If the network owed an
// answer to either, it owes it by the earlier of their promised times.
func (s *Service) mergeInto(ctx context.Context, tx *sql.Tx, before Case, c *Case, into string) error {
	const field = "into"
	to, err := getCase(ctx, tx, parseNumber(into), s.db.Dialect.ForUpdate)
	switch {
	case errors.Is(err, db.ErrNotFound):
		return validate.RefuseField(validate.MarkedFields, field, "Enter the number of an open question.")
	case err != nil:
		return err
	case to.ID == c.ID, to.State != Open && to.State != Waiting, to.Kind != KindQuestion || c.Kind != KindQuestion:
		return validate.RefuseField(validate.MarkedFields, field, "Enter the number of another open question.")
	case to.Group != c.Group, to.FTIN != c.FTIN, c.FTIN == "" && to.OpenedBy != c.OpenedBy:
		return validate.RefuseField(validate.MarkedFields, field, "Enter a question of the same office and Tax ID.")
	}
	if err := moveEntries(ctx, tx, c.ID, to.ID); err != nil {
		return err
	}
	to.LastOffice, to.LastNetwork = max(to.LastOffice, c.LastOffice), max(to.LastNetwork, c.LastNetwork)
	if before.State == Open {
		s.move(&to, Open)
		if before.DueAt.Before(to.DueAt.Time) {
			to.DueAt = before.DueAt
		}
	}
	if to.Owner == 0 {
		to.Owner = c.Owner
		if err := s.checkOwner(ctx, tx, &to); err != nil {
			return err
		}
	}
	to.Version++
	c.MergedInto, c.LastOffice, c.LastNetwork = to.ID, 0, 0
	from := Entry{CaseID: c.ID, At: db.At(s.now()), Side: System, Kind: MergedWith, Body: to.Number}
	there := Entry{CaseID: to.ID, At: from.At, Side: System, Kind: MergedWith}
	if there.Body, err = mergePayment(ctx, tx, &to, *c); err != nil {
		return err
	}
	return errors.Join(s.addEntry(ctx, tx, c, from), s.addEntry(ctx, tx, &to, there), s.record(ctx, tx, "case-merge", *c, nil),
		s.record(ctx, tx, "case-merge", to, nil))
}

// mergePayment makes a case be about the payment of a case that is merged into it, unless it's about another one. It
// returns the text of the entry about merging: the number of the merged case, and the payment if that was another one.
func mergePayment(ctx context.Context, tx *sql.Tx, to *Case, c Case) (string, error) {
	to.Remittance = cmp.Or(to.Remittance, c.Remittance)
	if c.Remittance == "" || c.Remittance == to.Remittance {
		return c.Number, nil
	}
	number, err := getTraceNumber(ctx, tx, record.RemittanceID{FTIN: c.FTIN, Remittance: c.Remittance})
	if errors.Is(err, db.ErrNotFound) {
		return c.Number, nil
	}
	return c.Number + " about payment " + number, err
}

// Queue selects cases at the service desk.
type Queue string

// Queues.
const (
	QueueMine       Queue = "mine"
	QueueUnassigned Queue = "unassigned"
	QueueOverdue    Queue = "overdue"
	QueueWaiting    Queue = "waiting"
	QueueLegal      Queue = "legal" // in any state, while law requires a letter
	QueueAll        Queue = "all"
)

// Queues returns the queues in display order.
func Queues() []Queue {
	return []Queue{QueueMine, QueueUnassigned, QueueOverdue, QueueWaiting, QueueLegal, QueueAll}
}

// ListQueue lists the cases of a queue by their earliest clock, up to limit. QueueLegal is by legal day.
func (s *Service) ListQueue(ctx context.Context, a access.Actor, queue Queue, limit int) ([]Case, error) {
	list, err := listQueue(ctx, s.db.Reader, queue, a.Person.ID, db.At(s.now()), limit)
	if err != nil {
		return nil, err
	}
	legal, err := listLegal(ctx, s.db.Reader, queue, a.Person.ID, s.today(), limit)
	if err != nil {
		return nil, err
	}
	if queue == QueueLegal {
		list = legal
	} else {
		list = s.mergeQueues(list, legal, limit)
	}
	return list, s.audit.RecordNow(ctx, audit.Entry{Operation: "desk-cases-list", Subject: "cases", About: findTINs(list),
		Detail: string(queue), Result: "ok"})
}

// OpenAtDesk returns a case for staff. The office sees it in its audit log.
func (s *Service) OpenAtDesk(ctx context.Context, number string) (t Thread, err error) {
	err = s.db.Tx(ctx, func(tx *sql.Tx) error {
		if t, err = s.thread(ctx, tx, number, Network, ""); err != nil {
			return err
		}
		return s.record(ctx, tx, "desk-open-case", t.Case, t.Bills)
	})
	return t, err
}

// Cleanup deletes files that weren't sent, old emails and who was writing, and closes cases whose answer got no reply.
func (s *Service) Cleanup(ctx context.Context) error {
	return errors.Join(s.deleteUnsent(ctx), s.CloseUnreplied(ctx), s.deleteOldEmails(ctx),
		deleteOldWriters(ctx, s.db.Writer, db.At(s.now().AddDate(0, 0, -1))))
}

// CloseUnreplied closes cases whose answer got no reply for ReplyDays, or ComplaintReplyDays.
func (s *Service) CloseUnreplied(ctx context.Context) error {
	return s.db.RunSteps(ctx, func(tx *sql.Tx) (int, error) {
		list, err := listUnreplied(ctx, tx, db.At(s.now().AddDate(0, 0, -ReplyDays)),
			db.At(s.now().AddDate(0, 0, -ComplaintReplyDays)), s.db.Dialect.SkipLocked)
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
