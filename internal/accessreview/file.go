package accessreview

import (
	"context"
	"errors"
	"strconv"

	"wcpp/internal/identity/access"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/pdfdoc"
	"wcpp/internal/platform/problem"
)

// File renders a finished review of the actor's group as a PDF for auditors. It audits the
// download before returning the file.
func (s *Service) File(ctx context.Context, a access.Actor, id int64) ([]byte, error) {
	r, err := reviewByID(ctx, s.db.Reader, id)
	if errors.Is(err, db.ErrNotFound) || err == nil && r.GroupID != a.Acting().GroupID {
		return nil, access.Refuse(formatSubject(id))
	}
	if err != nil {
		return nil, err
	}
	if r.FinishedAt.IsZero() {
		return nil, problem.WithMessage(problem.Conflict, "This review isn't completed yet. Complete it to get the document.")
	}
	list, err := listWritten(ctx, s.db.Reader, id)
	if err != nil {
		return nil, err
	}
	pdf, err := s.render(r, list)
	if err != nil {
		return nil, err
	}
	return pdf, s.audit.RecordNow(ctx, audit.Entry{Operation: "access-review-file", Subject: formatSubject(id), Groups: []int64{r.GroupID},
		Result: "ok"})
}

var outcomes = map[string]string{Kept: "Access kept", Ended: "Access removed"}

var columns = []pdfdoc.Column{
	pdfdoc.Left("User", 42), pdfdoc.Left("Username", 32), pdfdoc.Left("Account type", 28), pdfdoc.Right("TINs", 12),
	pdfdoc.Right("Last sign-in", 22), pdfdoc.Right("Bills opened", 14), pdfdoc.Left("Decision", pdfdoc.Inner-150),
}

func (s *Service) render(r Review, list []reviewLine) ([]byte, error) {
	zone := s.now().Location()
	day := func(at db.Instant) string {
		if at.IsZero() {
			return "Never"
		}
		return date.Of(at.In(zone)).US()
	}
	p := pdfdoc.New("Access review", s.brand, "Group "+strconv.FormatInt(r.GroupID, 10))
	p.Facts([][2]string{
		{"Group", strconv.FormatInt(r.GroupID, 10)}, {"Due", r.DueOn.US()},
		{"Started", day(r.OpenedAt)}, {"Completed", r.FinishedAt.In(zone).Format("01/02/2006 3:04:05 PM MST")},
		{"Completed by", r.FinishedBy}, {"Users", strconv.Itoa(len(list))},
	}...)
	p.Heading("Access to the group's bills")
	p.Head(columns)
	for _, w := range list {
		outcome := outcomes[w.Outcome]
		if w.Outcome == Kept {
			outcome += ", by " + w.KeptBy
		}
		p.Row(columns, false, w.Name, w.UserName, types[w.TypeCd], strconv.Itoa(w.TINs), day(w.LastSignIn), strconv.Itoa(w.Opened), outcome)
	}
	p.Ln(4)
	p.Note("As of the completion date. Bills opened: bills the user opened in the 90 days before it, counted once a day each. " +
		"The reviewer signed by typing their name. Each decision is recorded in the audit log.")
	return p.Bytes()
}
