package tins

import (
	"context"
	"database/sql"
	"fmt"

	"wcpp/internal/platform/mail"
)

const mailAdded = "tin-added"

func groupSubject(id int64) string { return fmt.Sprintf("group %d", id) }

// notifyAdmins mails the administrators of a group that it has another TIN.
func (s *Service) notifyAdmins(ctx context.Context, tx *sql.Tx, groupID int64) error {
	addresses, err := s.users.AdminEmails(ctx, tx, groupID)
	if err != nil {
		return err
	}
	for _, to := range addresses {
		if err := s.mails.Post(ctx, tx, mailAdded, to, groupID); err != nil {
			return err
		}
	}
	return nil
}

// letters tells the outbox how the area's mails are written. The mail names no
// TIN: it is read outside of the portal.
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
}
