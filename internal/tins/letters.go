package tins

import (
	"context"
	"database/sql"
	"fmt"

	"wcpp/internal/platform/mail"
)

// The mails of the area; each is about a group.
const (
	mailAdded            = "tin-added"
	mailAddedNonNetwork  = "tin-added-non-network"
	mailWaiting          = "tin-waiting"
	mailShared           = "tin-shared"
	mailSharedWaiting    = "tin-shared-waiting"
	mailApproved         = "tin-approved"
	mailRefused          = "tin-refused"
	mailKept             = "tin-kept"
	mailTaken            = "tin-taken-away"
	mailObjectionDecided = "tin-objection-decided"
)

func groupSubject(id int64) string { return fmt.Sprintf("group %d", id) }

// addedLetter tells a group, or the non-network user whose group it is, that there
// is another TIN, or will be after the review.
func addedLetter(kind string, waits bool) string {
	switch {
	case waits:
		return mailWaiting
	case kind == kindNonNetwork:
		return mailAddedNonNetwork
	default:
		return mailAdded
	}
}

// mailTo mails the administrators of a group, or the non-network user whose group
// it is.
func (s *Service) mailTo(ctx context.Context, tx *sql.Tx, letter string, groupID int64) error {
	addresses, err := s.users.AdminEmails(ctx, tx, groupID)
	if err != nil {
		return err
	}
	for _, to := range addresses {
		if err := s.mails.Post(ctx, tx, letter, to, groupID); err != nil {
			return err
		}
	}
	return nil
}

// letters tells the outbox how the area's mails are written. They name no TIN:
// they are read outside of the portal.
func (s *Service) letters() {
	const where = "See TIN sharing under User Profile."
	for kind, l := range map[string]struct {
		subject    string
		paragraphs []string
	}{
		mailAdded: {"A TIN was added to your group", []string{
			"a tax ID number (TIN) was added to your group. Its bills can be found by everyone in the group who has it.",
			"See Manage TINs for the list. If your group has nothing to do with the TIN, remove it there and contact support.",
		}},
		mailAddedNonNetwork: {"A TIN was added to your account", []string{
			"a tax ID number (TIN) was added to your account. Its bills are found by Bill Search.",
			"If you have nothing to do with the TIN, please contact support.",
		}},
		mailWaiting: {"A TIN of your group waits for a review", []string{
			"a tax ID number (TIN) was added to your group. It can be used after the review, of which we will write to you.",
			"See Manage TINs for what waits. If your group has nothing to do with the TIN, withdraw it there and contact support.",
		}},
		mailShared: {"Another office added a TIN that you have", []string{
			"another office added a tax ID number (TIN) that you have. Its bills can be found there, too.",
			where + " If the TIN does not belong there, object, and say why: we will look into it.",
		}},
		mailSharedWaiting: {"Another office asks for a TIN that you have", []string{
			"another office asks for a tax ID number (TIN) that you have. Its bills can be found there only once we have reviewed this.",
			where + " If the TIN does not belong there, object, and say why: we will look into it.",
		}},
		mailApproved: {"A TIN of your group was approved", []string{
			"a tax ID number (TIN) that waited for a review was approved. Its bills can be found by everyone in the group who has it.",
			"See Manage TINs for the list.",
		}},
		mailRefused: {"A TIN of your group was refused", []string{
			"a tax ID number (TIN) that waited for a review was refused. Its bills cannot be found by your group.",
			"If you think that this is a mistake, please contact support.",
		}},
		mailKept: {"Your group keeps a TIN", []string{
			"another office objected to a tax ID number (TIN) that your group has. We have reviewed this: your group keeps the TIN.",
			"You need not do anything.",
		}},
		mailTaken: {"A TIN was taken from your group", []string{
			"another office objected to a tax ID number (TIN) that your group had. We have reviewed this and taken the TIN from your group: its bills can no longer be found there.",
			"If you think that this is a mistake, please contact support.",
		}},
		mailObjectionDecided: {"The objection of your office was decided", []string{
			"your office objected to a tax ID number (TIN) that another office added. We have reviewed this.",
			where,
		}},
	} {
		s.mails.Write(kind, func(context.Context, *sql.Tx, int64) (mail.Letter, error) {
			return mail.Letter{Subject: l.subject, Greeting: "Hello,", Paragraphs: l.paragraphs}, nil
		})
	}
}
