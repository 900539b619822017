package tins

import (
	"context"
	"database/sql"
	"fmt"

	"wcpp/internal/platform/mail"
)

// Email kinds. The subject of each is a group.
const (
	mailAdded            mail.Kind = "tin-added"
	mailAddedNonNetwork  mail.Kind = "tin-added-non-network"
	mailWaiting          mail.Kind = "tin-waiting"
	mailShared           mail.Kind = "tin-shared"
	mailSharedWaiting    mail.Kind = "tin-shared-waiting"
	mailApproved         mail.Kind = "tin-approved"
	mailRefused          mail.Kind = "tin-refused"
	mailKept             mail.Kind = "tin-kept"
	mailTaken            mail.Kind = "tin-taken-away"
	mailObjectionDecided mail.Kind = "tin-objection-decided"
)

func groupSubject(id int64) string { return fmt.Sprintf("group %d", id) }

// getAddedEmail returns the email to a group, or to the non-network user with that group, about a
// TIN that was added or is pending review.
func getAddedEmail(kind string, waits bool) mail.Kind {
	switch {
	case waits:
		return mailWaiting
	case kind == kindNonNetwork:
		return mailAddedNonNetwork
	default:
		return mailAdded
	}
}

// mailTo emails the administrators of a group, or the non-network user with that group.
func (s *Service) mailTo(ctx context.Context, tx *sql.Tx, kind mail.Kind, groupID int64) error {
	addresses, err := s.users.ListAdminEmails(ctx, tx, groupID)
	if err != nil {
		return err
	}
	for _, to := range addresses {
		if err := s.mails.Enqueue(ctx, tx, kind, to, groupID); err != nil {
			return err
		}
	}
	return nil
}

// Emails returns the emails about TINs. They don't contain TINs, because emails are read outside the
// portal.
func (s *Service) Emails() []mail.Email {
	var list []mail.Email
	const where = "See TIN sharing under User Profile."
	for kind, l := range map[mail.Kind]struct {
		subject    string
		paragraphs []string
	}{
		mailAdded: {"A TIN was added to your group", []string{
			"A Tax ID number (TIN) was added to your group. Everyone in the group who has it can find its bills.",
			"Manage TINs shows the list. If your group doesn't use this TIN, remove it there and contact support.",
		}},
		mailAddedNonNetwork: {"A TIN was added to your account", []string{
			"A Tax ID number (TIN) was added to your account. You can now find its bills in Bill Search.",
			"If you don't use this TIN, contact support.",
		}},
		mailWaiting: {"A TIN of your group is under review", []string{
			"A Tax ID number (TIN) was added to your group and is under review. We'll email you when it's ready to use.",
			"Manage TINs shows pending TINs. If your group doesn't use this TIN, withdraw it there and contact support.",
		}},
		mailShared: {"Another office added your TIN", []string{
			"Another office added a Tax ID number (TIN) that you also have. It can now find the TIN's bills.",
			where + " If the TIN doesn't belong to that office, object and give a reason. We'll look into it.",
		}},
		mailSharedWaiting: {"Another office requested your TIN", []string{
			"Another office requested a Tax ID number (TIN) that you have. It can't find the TIN's bills until we've reviewed the request.",
			where + " If the TIN doesn't belong to that office, object and give a reason. We'll look into it.",
		}},
		mailApproved: {"Your TIN was approved", []string{
			"Your Tax ID number (TIN) was approved. Everyone in your group who has it can find its bills.",
			"Manage TINs shows the list.",
		}},
		mailRefused: {"Your TIN was denied", []string{
			"Your Tax ID number (TIN) was denied. Your group can't find its bills.",
			"If you think this is a mistake, contact support.",
		}},
		mailKept: {"Your group keeps a TIN", []string{
			"Your group keeps its Tax ID number (TIN). Another office objected to it, and we've reviewed this.",
			"You don't need to do anything.",
		}},
		mailTaken: {"A TIN was revoked from your group", []string{
			"We revoked a Tax ID number (TIN) from your group after another office objected to it. Your group can no longer find its " +
				"bills.",
			"If you think this is a mistake, contact support.",
		}},
		mailObjectionDecided: {"Your TIN objection was decided", []string{
			"We've reviewed your office's objection to a Tax ID number (TIN) that another office added.",
			where,
		}},
	} {
		list = append(list, mail.Email{Kind: kind, Compose: func(context.Context, *sql.Tx, int64) (mail.Content, error) {
			return mail.Content{Subject: l.subject, Greeting: "Hello,", Paragraphs: l.paragraphs}, nil
		}})
	}
	return list
}
