import { api, unwrap } from '@/api/client';
import { EmailedLinkStep, emailsDisabled } from './EmailedLinkStep';

const incomplete =
  'This link is incomplete. Copy the whole link from the email, or sign in and change your Email settings.';

/** The target of the unsubscribe link in update emails. */
export const UnsubscribeScreen = () => (
  <EmailedLinkStep
    title="Unsubscribe"
    lead="Unsubscribe this address from bill updates? You'll still see them in the portal."
    button="Unsubscribe"
    done="This address is unsubscribed from bill updates."
    refusals={{ INVALID_TOKEN: incomplete, EXPIRED_TOKEN: incomplete }}
    unavailable={emailsDisabled}
    call={(token) => unwrap(api.POST('/public/stopMails', { body: { token } }))}
  />
);
