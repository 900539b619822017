import { useState } from 'react';
import { api, unwrap } from '@/api/client';
import { isPasswordExternal } from '@/api/config';
import { addRetryTime } from '@/shared/apiError';
import * as paths from '@/shared/paths';
import { Banner } from '@/ui/Banner';
import { AccountCard } from './AccountCard';
import type { MailedLink } from './link';
import { OpenLink } from './OpenLink';
import { SetPasswordForm } from './SetPasswordForm';
import { TextWithLink } from './TextWithLink';
import { useLink } from './useLink';

const title = 'Finish setting up your account';

/** The target of the link in a registration email: sets an account's first password. */
export function ConfirmRegistrationScreen() {
  const link = useLink();
  return <Steps key={link.token} link={link} />;
}

type State = 'invalid' | 'expired' | 'form';

function getState({ token, expire }: MailedLink): State {
  if (token === '') return 'invalid';
  return expire !== null && Number(expire) < Date.now() ? 'expired' : 'form';
}

function Steps({ link: { token, expire } }: { link: MailedLink }) {
  // Checked once. A form that users are filling in doesn't disappear when the link expires.
  const [atFirst] = useState(() => getState({ token, expire }));
  const [state, setState] = useState(atFirst);
  if (state !== 'form') return <Ended expired={state === 'expired'} focus={state !== atFirst} />;
  return (
    <OpenLink
      purpose="REGISTRATION"
      token={token}
      title={title}
      ended={(expired) => <Ended expired={expired} focus={false} />}
    >
      <AccountCard
        title={title}
        lead={
          isPasswordExternal()
            ? 'Confirm that this account is yours, then sign in with the username in your email.'
            : 'Create a password, then sign in with it and the username in your email.'
        }
      >
        <SetPasswordForm
          signInWith="?chosen=1"
          send={(newPassword) =>
            unwrap(api.POST('/public/registration/complete', { body: { token, newPassword } }))
          }
          explain={(problem) => {
            const { message } = problem;
            if (message.startsWith('EXPIRED_TOKEN')) setState('expired');
            else if (message.startsWith('INVALID_TOKEN')) setState('invalid');
            return addRetryTime(
              'Error: An error has occurred. Please try again or contact Customer Service.',
              problem,
            );
          }}
        />
      </AccountCard>
    </OpenLink>
  );
}

function Ended({ expired, focus }: { expired: boolean; focus: boolean }) {
  return (
    <AccountCard title={title}>
      <Banner kind="error" focusOn={focus ? 'ended' : undefined}>
        {expired
          ? 'Your registration link has expired.'
          : 'This registration link was already used, was replaced by a newer one or is incomplete.'}
      </Banner>
      <p>
        <TextWithLink
          text={`If you have ${isPasswordExternal() ? 'confirmed your account' : 'created your password'}, sign in.`}
          link="sign in"
          to={paths.login}
        />
      </p>
      <p>
        <TextWithLink
          text="To get a new link, use Reset Password with your username and email address, or ask your administrator."
          link="Reset Password"
          to={paths.resetPassword}
        />
      </p>
    </AccountCard>
  );
}
