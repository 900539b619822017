package tins

import (
	"context"
	"database/sql"
	"fmt"

	"wcpp/internal/platform/mail"
)

const (
	mailAdded           = "tin-added"
	mailAddedNonNetwork = "tin-added-non-network"
)

func groupSubject(id int64) string { return fmt.Sprintf("group %d", id) }

// notifyAdmins mails the administrators of a group, or the non-network user
// whose group it is, that there is another TIN.
func (s *Service) notifyAdmins(ctx context.Context, tx *sql.Tx, groupID int64, kind string) error {
	letter := mailAdded
	if kind == kindNonNetwork {
		letter = mailAddedNonNetwork
	}
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
	s.mails.Write(mailAdded, func(context.Context, *sql.Tx, int64) (mail.Letter, error) {
		return mail.Letter{
			Subject:  "A TIN was added to your group",
			Greeting: "Hello,",
			Paragraphs: []string{
				"a tax ID number (TIN) was added to your group. Its bills can be found by everyone in the group who has it.",
				"See Manage TINs for the list. If your group has nothing to do with the TIN, remove it there and contact support.",
			},
		}, nil
	})
	s.mails.Write(mailAddedNonNetwork, func(context.Context, *sql.Tx, int64) (mail.Letter, error) {
		return mail.Letter{
			Subject:  "A TIN was added to your account",
			Greeting: "Hello,",
			Paragraphs: []string{
				"a tax ID number (TIN) was added to your account. Its bills are found by Bill Search.",
				"If you have nothing to do with the TIN, please contact support.",
			},
		}, nil
	})
}
