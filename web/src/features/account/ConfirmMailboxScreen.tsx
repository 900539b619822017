import { api, unwrap } from '@/api/client';
import { EmailedLinkStep, emailsDisabled } from './EmailedLinkStep';

const advice = "ask your office's administrator to add the mailbox again.";

/**
 * The target of the link emailed to a shared office mailbox, which gets updates after
 * confirmation.
 */
export const ConfirmMailboxScreen = () => (
  <EmailedLinkStep
    title="Confirm office mailbox"
    lead="We'll email your office's bill updates to this mailbox. Emails show counts only: how many bills were paid, denied or repriced."
    button="Confirm office mailbox"
    done="This mailbox now gets your office's bill updates."
    refusals={{
      INVALID_TOKEN: `This link was already used, was replaced by a newer one or is incomplete. If you don't get emails, ${advice}`,
      EXPIRED_TOKEN: `This link has expired. To get a new one, ${advice}`,
    }}
    unavailable={emailsDisabled}
    call={(token) => unwrap(api.POST('/public/confirmMailbox', { body: { token } }))}
  />
);
