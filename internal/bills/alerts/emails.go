package alerts

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"net/url"

	"wcpp/internal/identity/access"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/mail"
	"wcpp/internal/platform/text"
)

// The email kinds of the domain. The first two are for sent updates, the last for a mailbox.
const (
	mailNews    mail.Kind = "news"
	mailWatched mail.Kind = "watched-news"
	mailConfirm mail.Kind = "mailbox-confirm"
)

// Emails returns the domain's emails. A mailbox that refuses one gets no more.
func (s *Service) Emails() []mail.Email {
	return []mail.Email{
		{Kind: mailNews, Compose: s.updatesEmail, OnRefused: func(ctx context.Context, tx *sql.Tx, id int64) error {
			what, err := sentByID(ctx, tx, id)
			if errors.Is(err, db.ErrNotFound) { // its mailbox was removed since
				return nil
			}
			if err != nil || what.MailboxID == 0 {
				return err
			}
			return s.stop(ctx, tx, what.MailboxID, Refused)
		}},
		{Kind: mailWatched, Compose: s.followedEmail},
		{Kind: mailConfirm, Compose: s.confirmEmail, OnRefused: func(ctx context.Context, tx *sql.Tx, mailbox int64) error {
			return s.stop(ctx, tx, mailbox, Refused)
		}},
	}
}

// emailLabels are the names of the counts in emails.
var emailLabels = map[string]string{
	Paid: "Paid", Denied: "Denied", Reversed: "Payment reversed", Overdue: "Payer overdue", Priced: "Repriced", NotPriced: "Not repriced",
	Received: "Received",
	Replaced: "Replaced or voided", Documents: "New documents",
}

// updatesEmail counts the updates that its owner can see now.
func (s *Service) updatesEmail(ctx context.Context, tx *sql.Tx, id int64) (mail.Content, error) {
	what, err := sentByID(ctx, tx, id)
	if err != nil {
		return mail.Content{}, err
	}
	scope, m, visitors, err := s.loadOwner(ctx, tx, what)
	if err != nil {
		return mail.Content{}, err
	}
	if m.hasLostTINs(scope) {
		return mail.Content{}, mail.ErrObsolete
	}
	questions, err := s.countQuestions(ctx, tx, what.UserID, scope)
	if err != nil {
		return mail.Content{}, err
	}
	news, err := s.countUpdates(ctx, tx, scope, what.Window, m.Kinds)
	if err != nil {
		return mail.Content{}, err
	}
	content := s.newEmail("Here's what changed on your office's bills since the last email:")
	for _, n := range news {
		content.Facts = append(content.Facts, mail.Fact{Label: emailLabels[n.Kind], Value: formatBills(n.Bills)})
	}
	if len(news) == 0 {
		switch {
		case visitors > 0:
			content.Paragraphs, content.Closing = []string{"Nothing has changed on your office's bills since the last email."}, nil
		case m.QuietWeeks:
			content.Paragraphs = []string{"Nothing changed on your office's bills in the past week."}
		default:
			return mail.Content{}, mail.ErrObsolete
		}
	}
	content.Facts = append(content.Facts, questions...)
	if visitors > 0 {
		content.Closing = append(content.Closing, formatVisitors(visitors))
	}
	return s.addFooter(content, stopID{what.UserID, what.MailboxID})
}

// countQuestions returns the questions that need a user. Office mailboxes (0) have none.
func (s *Service) countQuestions(ctx context.Context, tx *sql.Tx, user int64, scope access.Scope) (facts []mail.Fact, err error) {
	if user == 0 {
		return nil, nil
	}
	to, err := s.users.ByID(ctx, user)
	if err != nil {
		return nil, err
	}
	n, err := s.counter.CountForUser(ctx, tx, to.Person(), scope)
	if n.Answers > 0 {
		facts = append(facts, mail.Fact{Label: "Answers to read", Value: formatQuestions(n.Answers)})
	}
	if n.Replies > 0 {
		facts = append(facts, mail.Fact{Label: "Needs your reply", Value: formatQuestions(n.Replies)})
	}
	return facts, err
}

func formatQuestions(n int) string { return text.FormatCount(n, "question", "questions") }

func formatVisitors(n int) string {
	return text.FormatCount(n, "person", "people") +
		" from the network acted as users in your group in the past week. To see who, sign in and open Network access log in the Workspace."
}

func formatBills(n int) string { return text.FormatCount(n, "bill", "bills") }

// loadOwner returns the current scope and settings for an email, and its number of network
// visitors.
func (s *Service) loadOwner(ctx context.Context, tx *sql.Tx, what sentEmail) (scope access.Scope, m Mailing, visitors int, err error) {
	if what.MailboxID != 0 {
		box, err := mailboxByID(ctx, tx, what.MailboxID)
		if err != nil {
			return scope, m, 0, err
		}
		if box.ConfirmedAt.IsZero() || !box.StoppedAt.IsZero() {
			return scope, m, 0, mail.ErrObsolete
		}
		if active, err := s.users.IsGroupActive(ctx, box.GroupID); err != nil || !active {
			return scope, m, 0, cmp.Or(err, mail.ErrObsolete)
		}
		scope, err = s.groupScope(ctx, box.GroupID)
		return box.narrow(scope), box.Mailing, 0, err
	}
	row, err := getSettings(ctx, tx, what.UserID)
	if err != nil {
		return scope, m, 0, err
	}
	to, err := s.users.ByID(ctx, what.UserID)
	if err != nil {
		return scope, m, 0, err
	}
	if !to.CanSignIn() || row.Digest == Never {
		return scope, m, 0, mail.ErrObsolete
	}
	if scope, err = s.ownScope(ctx, to, row.Mailing); err != nil {
		return scope, m, 0, err
	}
	visitors, err = s.countVisitors(ctx, tx, to, row.Mailing, date.Date(what.Period))
	return scope, row.Mailing, visitors, err
}

// followedEmail counts the followed bills with changes.
func (s *Service) followedEmail(ctx context.Context, tx *sql.Tx, id int64) (mail.Content, error) {
	what, err := sentByID(ctx, tx, id)
	if err != nil {
		return mail.Content{}, err
	}
	row, err := getSettings(ctx, tx, what.UserID)
	if err != nil {
		return mail.Content{}, err
	}
	to, err := s.users.ByID(ctx, what.UserID)
	if err != nil {
		return mail.Content{}, err
	}
	scope, err := s.ownScope(ctx, to, Mailing{})
	if err != nil {
		return mail.Content{}, err
	}
	n, err := countWatched(ctx, tx, scope, what.UserID, what.Window)
	if err != nil {
		return mail.Content{}, err
	}
	if n == 0 || !to.CanSignIn() || row.WatchAt.IsZero() {
		return mail.Content{}, mail.ErrObsolete
	}
	content := s.newEmail("Bills or claims you follow have changed:")
	content.Facts = []mail.Fact{{Label: "Watched", Value: formatBills(n)}}
	return s.addFooter(content, stopID{UserID: what.UserID})
}

// newEmail returns the start of an email about bills, which doesn't contain the recipient's name.
func (s *Service) newEmail(message string) mail.Content {
	return mail.Content{
		Subject: s.settings.Brand + ": updates on your bills", Greeting: "Hello,", Paragraphs: []string{message},
		Button:  &mail.Link{Text: "Open Today", URL: s.settings.PublicURL + "/wcpp/work"},
		Closing: []string{"Sign in to see which bills changed."},
	}
}

// addFooter adds the links to change and stop the emails.
func (s *Service) addFooter(content mail.Content, owner stopID) (mail.Content, error) {
	token, err := s.sealer.Seal(stopPurpose, owner)
	content.Footer = []mail.Link{
		{Text: "Email settings", URL: s.settings.PublicURL + "/wcpp/work/mails"},
		{Text: "Unsubscribe", URL: s.linkTo("stopMails", token)},
	}
	return content, err
}

func (s *Service) linkTo(screen, token string) string {
	return s.settings.PublicURL + "/wcpp/" + screen + "?" + url.Values{"token": {token}}.Encode()
}

func (s *Service) confirmEmail(ctx context.Context, tx *sql.Tx, id int64) (mail.Content, error) {
	box, err := mailboxByID(ctx, tx, id)
	if err != nil {
		return mail.Content{}, err
	}
	if !box.ConfirmedAt.IsZero() || !box.StoppedAt.IsZero() {
		return mail.Content{}, mail.ErrObsolete
	}
	token, err := s.createToken(ctx, tx, id)
	return mail.Content{
		Subject: s.settings.Brand + ": confirm this mailbox", Greeting: "Hello,",
		Paragraphs: []string{"An administrator in your office asked us to send bill updates to this address. They only say how many " +
			"bills were paid, denied or repriced. Confirm the address to get them."},
		Button:  &mail.Link{Text: "Confirm this mailbox", URL: s.linkTo("confirmMailbox", token)},
		Closing: []string{"You can use this link once, within 7 days.", "If your office didn't ask for this, ignore this email."},
	}, err
}
