package rosters

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"

	"wcpp/internal/access"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/blob"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/jobs"
	"wcpp/internal/platform/mail"
	"wcpp/internal/platform/paging"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/validate"
)

// Handling is what the network does with a roster that was sent.
type Handling string

// The states of a roster that was sent.
const (
	New      Handling = "NEW"
	Taken    Handling = "TAKEN"
	Done     Handling = "DONE"
	Returned Handling = "RETURNED" // with a reason, which is mailed to the sender
)

// handlingWords are the states as screens say them.
var handlingWords = map[Handling]string{New: "New", Taken: "Claimed", Done: "Done", Returned: "Returned"}

var changeWords = map[Change]string{Added: "Added", Changed: "Changed", Ended: "Ended"}

// transitions are the states that each can be followed by. What was sent back stays so: its
// sender was told, and sends another.
var transitions = map[Handling][]Handling{
	New:   {Taken, Done, Returned},
	Taken: {New, Done, Returned},
	Done:  {Taken},
}

// The mails of the area, each about a roster that was sent.
const (
	mailArrived  mail.Kind = "roster-arrived"
	mailReturned mail.Kind = "roster-returned"
)

// Receive has the network take over rosters: those of all groups are listed, handed to
// out where it is not nil, brought into the directory where the settings allow it, and
// told by mail where they name an address.
func (s *Service) Receive(out blob.Store, directory Directory, mails *mail.Outbox, queue jobs.Queue, portal string) {
	s.receives, s.out, s.mails, s.jobs, s.portal = true, out, mails, queue, portal
	if s.settings.RosterUpdates {
		s.directory = directory
	}
	s.letters()
}

// ReceivedPage answers a page of the rosters that all groups sent, the newest first, and
// how many there are.
func (s *Service) ReceivedPage(ctx context.Context, t paging.Table) ([]Received, int, error) {
	return receivedPage(ctx, s.db.Reader, s.db.Dialect, t)
}

// Received answers a roster that some group sent.
func (s *Service) Received(ctx context.Context, id int64) (Received, error) {
	r, err := receivedByID(ctx, s.db.Reader, id)
	if errors.Is(err, db.ErrNotFound) {
		err = problem.New(problem.NotFound)
	}
	return r, err
}

// Changes answers a page of the providers whom a roster changed, by NPI.
func (s *Service) Changes(ctx context.Context, id int64, t paging.Table) ([]ChangedProvider, int, error) {
	if _, err := s.Received(ctx, id); err != nil {
		return nil, 0, err
	}
	return changePage(ctx, s.db.Reader, s.db.Dialect, id, t)
}

// Waiting counts the rosters that nobody has taken over.
func (s *Service) Waiting(ctx context.Context) (paging.Backlog, error) {
	return waitingRosters(ctx, s.db.Reader)
}

// Step is what becomes of a roster.
type Step struct {
	From, To Handling
	Reason   string // for the sender, of one that is sent back: 1 to 500 characters
}

const mostReason = 500

// Handle gives a roster another state, and tells its sender when it is sent back. It
// answers whether the sender was mailed. One whose state is not the one that was seen is
// a conflict.
func (s *Service) Handle(ctx context.Context, a access.Actor, id int64, step Step) (mailed bool, err error) {
	if !slices.Contains(transitions[step.From], step.To) {
		return false, problem.Say(problem.Invalid, fmt.Sprintf("A roster that is %s can't change to %s.", handlingWords[step.From], handlingWords[step.To]))
	}
	var wrong validate.Fields
	if step.To == Returned {
		if wrong.Limit(step.Reason, mostReason, "reason") {
			wrong.Require(validate.Letters(step.Reason), "reason", "Enter what the sender needs to correct")
			wrong.Require(!validate.NamesSomebody(step.Reason), "reason", "Remove long numbers, because this text is emailed. Give the row number instead")
		}
	} else {
		wrong.Require(step.Reason == "", "reason", "Only returned rosters can have a reason")
	}
	if err := wrong.Refuse(validate.MarkedFields); err != nil {
		return false, err
	}
	return mailed, s.db.Tx(ctx, func(tx *sql.Tx) error {
		r, err := receivedByID(ctx, tx, id)
		if errors.Is(err, db.ErrNotFound) {
			return problem.New(problem.NotFound)
		}
		if err != nil {
			return err
		}
		n, err := handle(ctx, tx, id, step.From, step.To, a.Person.UserName, step.Reason, db.At(s.now()))
		if err == nil && n == 0 {
			err = problem.Say(problem.Conflict, fmt.Sprintf("%s changed this roster to %s. Reload the page.", cmp.Or(r.HandledBy, "Somebody"), handlingWords[r.Handling]))
		}
		if err != nil {
			return err
		}
		if step.To == Returned {
			if mailed, err = s.tellSender(ctx, tx, r); err != nil {
				return err
			}
		}
		return s.audit.Record(ctx, tx, audit.Entry{
			Operation: "roster-handle", Subject: fmt.Sprintf("group %d", r.GroupID), Result: "ok", Detail: fmt.Sprintf("roster %d, %s", id, step.To),
		})
	})
}

func (s *Service) tellSender(ctx context.Context, tx *sql.Tx, r Received) (bool, error) {
	to, err := s.groups.Mailbox(ctx, tx, r.UploadedBy)
	if err != nil || to == "" {
		return false, err
	}
	return true, s.mails.Post(ctx, tx, mailReturned, to, r.ID)
}

// arrived has a roster that was just stored handed over and told.
func (s *Service) arrived(ctx context.Context, tx *sql.Tx, id int64) error {
	if !s.receives {
		return nil
	}
	if s.settings.RosterMail != "" {
		if err := s.mails.Post(ctx, tx, mailArrived, s.settings.RosterMail, id); err != nil {
			return err
		}
	}
	if s.out == nil {
		return nil
	}
	return s.jobs.Insert(ctx, tx, handOverArgs{})
}

// letters tells the outbox how the area's mails are written. They name groups and
// counts, and no provider.
func (s *Service) letters() {
	s.mails.Write(mailArrived, func(ctx context.Context, tx *sql.Tx, id int64) (mail.Letter, error) {
		r, err := receivedByID(ctx, tx, id)
		return mail.Letter{
			Subject:    "A roster was sent",
			Greeting:   "Hello,",
			Paragraphs: []string{fmt.Sprintf("%s sent a %s roster of %s.", r.SenderName, kindOf(r.UpdateType), cmp.Or(r.GroupName, r.SourceGroupNo))},
			Facts:      contents(r),
			Button:     &mail.Link{Text: "Open Rosters", URL: s.portal + "/wcpp/desk/rosters"},
		}, err
	})
	s.mails.Write(mailReturned, func(ctx context.Context, tx *sql.Tx, id int64) (mail.Letter, error) {
		r, err := receivedByID(ctx, tx, id)
		return mail.Letter{
			Subject:  "Your roster was returned",
			Greeting: "Hello,",
			Paragraphs: []string{
				fmt.Sprintf("We couldn't use the %s roster of %s that you sent on %s:", kindOf(r.UpdateType), cmp.Or(r.GroupName, r.SourceGroupNo), s.day(r.UploadedAt)),
				r.ReturnedFor,
				"Correct it and send it again. Upload History has your file, and a copy with errors if the check found problems.",
			},
			Button: &mail.Link{Text: "Open Manage Rosters", URL: s.portal + "/wcpp/ManageRosters"},
		}, err
	})
}

func (s *Service) day(at db.Instant) string { return date.Of(at.In(s.now().Location())).US() }

func kindOf(updateType string) string {
	if updateType == Delta {
		return "partial"
	}
	return "full"
}

// contents are what is in a roster.
func contents(r Received) []mail.Fact {
	rows, bad := 0, 0
	for _, f := range r.Files {
		report := reportOf(f)
		rows, bad = rows+report.Rows, bad+report.BadRows
	}
	return []mail.Fact{
		{Label: "Roster", Value: fmt.Sprint(r.ID)}, {Label: "Files", Value: fmt.Sprint(len(r.Files))},
		{Label: "Rows", Value: fmt.Sprint(rows)}, {Label: "Rows with problems", Value: fmt.Sprint(bad)},
	}
}
