import { answer, api } from '@/api/client';
import { MailedStep } from './MailedStep';

const incomplete =
  'This link is not complete. Copy all of it from the mail, or sign in and choose under Mails what is sent.';

/** Where the link to stop leads that is at the end of each mail with news. */
export const StopMailsScreen = () => (
  <MailedStep
    title="Stop these mails"
    lead="No more news on bills are mailed to this address. In the portal they are shown as before."
    button="Stop these mails"
    done="No more news on bills are mailed to this address."
    refusals={{ INVALID_TOKEN: incomplete, EXPIRED_TOKEN: incomplete }}
    call={(token) => answer(api.POST('/public/stopMails', { body: { token } }))}
  />
);
