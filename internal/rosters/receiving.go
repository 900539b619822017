package rosters

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"slices"

	"wcpp/internal/identity/access"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/mail"
	"wcpp/internal/platform/paging"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/validate"
)

// Handling is the network's processing state of a received roster.
type Handling string

// The states of a received roster.
const (
	New      Handling = "NEW"
	Taken    Handling = "TAKEN"
	Done     Handling = "DONE"
	Returned Handling = "RETURNED" // with a reason, which is emailed to the sender
)

// handlingWords are the display names of the states.
var handlingWords = map[Handling]string{New: "New", Taken: "Claimed", Done: "Done", Returned: "Returned"}

var changeWords = map[Change]string{Added: "Added", Changed: "Changed", Ended: "Ended"}

// transitions lists the allowed next states. Returned is final, because the sender was notified
// and sends a new roster.
var transitions = map[Handling][]Handling{
	New:   {Taken, Done, Returned},
	Taken: {New, Done, Returned},
	Done:  {Taken},
}

// Email kinds. The subject of each is a received roster.
const (
	mailArrived  mail.Kind = "roster-arrived"
	mailReturned mail.Kind = "roster-returned"
)

// ReceivedPage returns a page of the rosters from all groups, newest first, and the total.
func (s *Service) ReceivedPage(ctx context.Context, t paging.Table) ([]Received, int, error) {
	return receivedPage(ctx, s.db.Reader, s.db.Dialect, t)
}

// GetReceived returns a roster of any group.
func (s *Service) GetReceived(ctx context.Context, id int64) (Received, error) {
	r, err := receivedByID(ctx, s.db.Reader, id)
	return r, db.IfNotFound(err, problem.New(problem.NotFound))
}

// Changes returns a page of the providers that a roster changed, by NPI.
func (s *Service) Changes(ctx context.Context, id int64, t paging.Table) ([]DeskRosterChange, int, error) {
	if _, err := s.GetReceived(ctx, id); err != nil {
		return nil, 0, err
	}
	return changePage(ctx, s.db.Reader, s.db.Dialect, id, t)
}

// CountWaiting counts the unclaimed rosters.
func (s *Service) CountWaiting(ctx context.Context) (paging.Backlog, error) {
	return waitingRosters(ctx, s.db.Reader)
}

// Step is a state change of a roster.
type Step struct {
	From, To Handling
	Reason   string // for the sender of a returned roster: 1 to 500 characters
}

const maxReason = 500

// Handle changes a roster's state and emails its sender if it is returned. It reports whether an
// email was sent. It returns Conflict if the state is no longer the one that the actor saw.
func (s *Service) Handle(ctx context.Context, a access.Actor, id int64, step Step) (mailed bool, err error) {
	if !slices.Contains(transitions[step.From], step.To) {
		return false, problem.WithMessage(problem.Invalid, fmt.Sprintf("A roster that is %s can't change to %s.", handlingWords[step.From],
			handlingWords[step.To]))
	}
	var wrong validate.Fields
	if step.To == Returned {
		if wrong.Limit(step.Reason, maxReason, "reason") {
			wrong.Require(validate.HasTwoLetters(step.Reason), "reason", "Enter what the sender needs to correct")
			wrong.Require(!validate.HasPersonNumber(step.Reason), "reason",
				"Remove long numbers, because this text is emailed. Give the row number instead")
		}
	} else {
		wrong.Require(step.Reason == "", "reason", "Only returned rosters can have a reason")
	}
	if err := wrong.Refuse(validate.MarkedFields); err != nil {
		return false, err
	}
	return mailed, s.db.Tx(ctx, func(tx *sql.Tx) error {
		r, err := receivedByID(ctx, tx, id)
		if err != nil {
			return db.IfNotFound(err, problem.New(problem.NotFound))
		}
		if s.directory == nil { // with updates off, none goes on
			if err := cancelUpdate(ctx, tx, id, step.To); err != nil {
				return err
			}
		}
		n, err := handle(ctx, tx, id, step, a.Person.UserName, db.At(s.now()))
		if err == nil && n == 0 {
			err = explainUnhandled(ctx, tx, id, step)
		}
		if err != nil {
			return err
		}
		if step.To == Returned {
			if mailed, err = s.notifySender(ctx, tx, r); err != nil {
				return err
			}
		}
		return s.audit.Record(ctx, tx, audit.Entry{
			Operation: "roster-handle", Subject: fmt.Sprintf("group %d", r.GroupID), Result: "ok",
			Detail: fmt.Sprintf("roster %d, %s", id, step.To),
		})
	})
}

// explainUnhandled returns why a roster can't take a step. It reads its state again, because someone
// else can have changed it.
func explainUnhandled(ctx context.Context, tx *sql.Tx, id int64, step Step) error {
	r, err := receivedByID(ctx, tx, id)
	if err != nil {
		return err
	}
	if r.Handling == step.From && r.DirectoryState == Updating {
		return errUpdating()
	}
	return problem.WithMessage(problem.Conflict, fmt.Sprintf("%s changed this roster to %s. Reload the page.",
		cmp.Or(r.HandledBy, "Somebody"), handlingWords[r.Handling]))
}

func (s *Service) notifySender(ctx context.Context, tx *sql.Tx, r Received) (bool, error) {
	to, err := s.users.FindMailbox(ctx, tx, r.UploadedBy)
	if err != nil || to == "" {
		return false, err
	}
	return true, s.mails.Enqueue(ctx, tx, mailReturned, to, r.ID)
}

// queueArrival queues the handover and the notification of a newly stored roster.
func (s *Service) queueArrival(ctx context.Context, tx *sql.Tx, id int64) error {
	if !s.receives {
		return nil
	}
	if s.settings.RosterMail != "" {
		if err := s.mails.Enqueue(ctx, tx, mailArrived, s.settings.RosterMail, id); err != nil {
			return err
		}
	}
	if s.out == nil {
		return nil
	}
	return s.jobs.Insert(ctx, tx, handOverArgs{})
}

// Emails returns the emails about received rosters. They contain groups and counts, but no providers.
func (s *Service) Emails() []mail.Email {
	if !s.receives {
		return nil
	}
	return []mail.Email{{Kind: mailArrived, Compose: func(ctx context.Context, tx *sql.Tx, id int64) (mail.Content, error) {
		r, err := receivedByID(ctx, tx, id)
		return mail.Content{
			Subject:  "A roster was sent",
			Greeting: "Hello,",
			Paragraphs: []string{fmt.Sprintf("%s sent a %s roster of %s.", r.SenderName, formatUpdateType(r.UpdateType),
				cmp.Or(r.GroupName, r.SourceGroupNo))},
			Facts:  listContents(r),
			Button: &mail.Link{Text: "Open Rosters", URL: s.portal + "/wcpp/desk/rosters"},
		}, err
	}}, {Kind: mailReturned, Compose: func(ctx context.Context, tx *sql.Tx, id int64) (mail.Content, error) {
		r, err := receivedByID(ctx, tx, id)
		return mail.Content{
			Subject:  "Your roster was returned",
			Greeting: "Hello,",
			Paragraphs: []string{
				fmt.Sprintf("We couldn't use the %s roster of %s that you sent on %s:", formatUpdateType(r.UpdateType),
					cmp.Or(r.GroupName, r.SourceGroupNo), s.formatDay(r.UploadedAt)),
				r.ReturnedFor,
				"Correct it and send it again. Upload History has your file, and a copy with errors if the check found problems.",
			},
			Button: &mail.Link{Text: "Open Manage Rosters", URL: s.portal + "/wcpp/ManageRosters"},
		}, err
	}}}
}

func (s *Service) formatDay(at db.Instant) string { return date.Of(at.In(s.now().Location())).US() }

func formatUpdateType(updateType string) string {
	if updateType == Delta {
		return "partial"
	}
	return "full"
}

// listContents returns the facts about a roster for an email.
func listContents(r Received) []mail.Fact {
	rows, bad := 0, 0
	for _, f := range r.Files {
		report := readReport(f)
		rows, bad = rows+report.Rows, bad+report.BadRows
	}
	return []mail.Fact{
		{Label: "Roster", Value: fmt.Sprint(r.ID)}, {Label: "Files", Value: fmt.Sprint(len(r.Files))},
		{Label: "Rows", Value: fmt.Sprint(rows)}, {Label: "Rows with problems", Value: fmt.Sprint(bad)},
	}
}
