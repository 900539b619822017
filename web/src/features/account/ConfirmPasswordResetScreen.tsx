import { useState } from 'react';
import { api, type Problem, unwrap } from '@/api/client';
import { isPasswordExternal } from '@/api/config';
import { addRetryTime } from '@/shared/apiError';
import * as paths from '@/shared/paths';
import { Banner } from '@/ui/Banner';
import { AccountCard } from './AccountCard';
import { OpenLink } from './OpenLink';
import { addressAllFields } from './passwordRules';
import { SetPasswordForm } from './SetPasswordForm';
import { TextWithLink } from './TextWithLink';
import { useLink } from './useLink';

/** The target of the link in a password reset email. */
export function ConfirmPasswordResetScreen() {
  const { token } = useLink();
  return <ResetSteps key={token} token={token} />;
}

function ResetSteps({ token }: { token: string }) {
  // Checked once. A form that users are filling in doesn't disappear when the link expires.
  const [step] = useState(() => getStep(token, Date.now()));
  const form = <ResetStep step={step} token={token} />;
  if (step !== 'ConfirmPasswordStep') return form;
  return (
    <OpenLink
      purpose="RESET"
      token={token}
      title="Reset Password"
      ended={(expired) => (expired ? <ResetStep step="LinkExpired" token={token} /> : <Used />)}
    >
      {form}
    </OpenLink>
  );
}

/** Returns the step for a reset token, which is a JWT. Any signer's token contains its expiry. */
export function getStep(token: string, now: number): string {
  const exp = getExpiry(token);
  if (exp === null) return 'InvalidToken';
  return exp < now / 1000 ? 'LinkExpired' : 'ConfirmPasswordStep';
}

/** Returns the exp claim, in seconds. */
function getExpiry(token: string): number | null {
  try {
    const claims = token.split('.')[1]?.replaceAll('-', '+').replaceAll('_', '/') ?? '';
    const { exp } = JSON.parse(atob(claims));
    return typeof exp === 'number' ? exp : null;
  } catch {
    return null;
  }
}

export function ResetStep({ step, token }: { step: string; token: string }) {
  switch (step) {
    case 'LinkExpired':
      return (
        <AccountCard title="Reset Password">
          <Banner kind="error">
            <p>
              <TextWithLink
                text="Your password reset link has expired. Please click here to restart reset password."
                link="click here"
                to={paths.resetPassword}
              />
            </p>
          </Banner>
        </AccountCard>
      );
    case 'ConfirmPasswordStep':
      return (
        <AccountCard
          title="Reset Password"
          lead={
            isPasswordExternal()
              ? "Your password is managed outside the portal. Confirm that this account is yours to sign in again. We'll end all its sessions."
              : 'Create a new password, then sign in with it.'
          }
        >
          <SetPasswordForm
            signInWith="?changed=1"
            send={(newPassword) =>
              unwrap(api.POST('/public/resetPassword/complete', { body: { token, newPassword } }))
            }
            explain={explain}
          />
        </AccountCard>
      );
    case 'ThankYou':
      return (
        <AccountCard title="Reset Password">
          <Banner kind="success">Your password has been changed successfully.</Banner>
        </AccountCard>
      );
    default:
      return (
        <AccountCard title="OOPS!">
          <p>
            <TextWithLink
              text="This link is incomplete. Open it from the email again, or restart reset password."
              link="restart reset password"
              to={paths.resetPassword}
            />
          </p>
        </AccountCard>
      );
  }
}

function explain(problem: Problem) {
  const { message } = problem;
  if (!message.startsWith('INVALID_TOKEN') && !message.startsWith('EXPIRED_TOKEN'))
    return addRetryTime(
      'Error: An error has occurred. Please try again or contact Customer Service.',
      problem,
    );
  return (
    <>
      {!isPasswordExternal() && <p>{addressAllFields}</p>}
      <UsedText />
    </>
  );
}

const UsedText = () => (
  <p>
    <TextWithLink
      text="Error: This link was already used, was replaced by a newer one or has expired. You can restart reset password."
      link="restart reset password"
      to={paths.resetPassword}
    />
  </p>
);

const Used = () => (
  <AccountCard title="Reset Password">
    <Banner kind="error">
      <UsedText />
    </Banner>
  </AccountCard>
);
