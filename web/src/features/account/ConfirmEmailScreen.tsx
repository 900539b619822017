import { api, unwrap } from '@/api/client';
import * as paths from '@/shared/paths';
import { EmailedLinkStep } from './EmailedLinkStep';
import { TextWithLink } from './TextWithLink';

const refusals = {
  INVALID_TOKEN: 'This link was already used, was replaced by a newer one or is incomplete.',
  EXPIRED_TOKEN: 'This link has expired.',
  EMAIL_EXISTS:
    'This email address is already used by another account. Enter a different one in your profile.',
};

/**
 * The target of the link emailed to a new address. The account gets the address after
 * confirmation.
 */
export const ConfirmEmailScreen = () => (
  <EmailedLinkStep
    title="Confirm your new email"
    lead="We'll send account emails to this address."
    button="Confirm email address"
    done="Your email address is updated."
    refusals={refusals}
    next={(refusal) => (
      <p>
        <TextWithLink
          text={
            refusal && refusal !== refusals.EMAIL_EXISTS
              ? 'To get a new link, sign in and save the address in your profile again.'
              : 'To continue to the portal, sign in.'
          }
          link="sign in"
          to={paths.login}
        />
      </p>
    )}
    call={(token) => unwrap(api.POST('/public/confirmEmail', { body: { token } }))}
  />
);
