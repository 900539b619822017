import { answer, api } from '@/api/client';
import { MailedStep } from './MailedStep';

const again = "ask your office's administrator to add the mailbox again.";

/** Where the link of a mail to a mailbox of an office leads: news are mailed there once it is confirmed. */
export const ConfirmMailboxScreen = () => (
  <MailedStep
    title="Confirm this mailbox"
    lead="From then on news on the bills of your office are mailed to it: how many were paid, denied or priced, and nothing else."
    button="Confirm this mailbox"
    done="News on the bills of your office are mailed to this mailbox from now on."
    refusals={{
      INVALID_TOKEN: `This link was used already, was replaced by a newer one or is not complete. If no mails come, ${again}`,
      EXPIRED_TOKEN: `This link has expired: ${again}`,
    }}
    call={(token) => answer(api.POST('/public/confirmMailbox', { body: { token } }))}
  />
);
