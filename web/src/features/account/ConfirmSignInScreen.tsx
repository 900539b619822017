import { type ReactNode, useState } from 'react';
import { api, unwrap } from '@/api/client';
import { getConfig } from '@/api/config';
import { addRetryTime, toProblem } from '@/shared/apiError';
import * as paths from '@/shared/paths';
import { Banner } from '@/ui/Banner';
import { Button } from '@/ui/Button';
import { AccountCard } from './AccountCard';
import { OpenLink } from './OpenLink';
import { TextWithLink } from './TextWithLink';
import { useLink } from './useLink';
import { probablyWorked, useLostResponse } from './useLostResponse';

const title = 'Confirm sign-in';

/**
 * The target of the email after the first sign-in with an external provider: links the account
 * to it.
 */
export function ConfirmSignInScreen() {
  const { token } = useLink();
  return (
    <OpenLink
      key={token}
      purpose="BIND"
      token={token}
      title={title}
      ended={(expired) => <Ended {...{ expired }} />}
    >
      <Confirm token={token} />
    </OpenLink>
  );
}

function Confirm({ token }: { token: string }) {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<{ count: number; text: ReactNode }>({ count: 0, text: null });
  const [ended, setEnded] = useState<'expired' | 'invalid' | 'used'>();
  const isUsed = useLostResponse();

  async function confirm() {
    setBusy(true);
    try {
      await unwrap(api.POST('/public/signIn/confirm', { body: { token } }));
      // The link is used, so Back must not return to it.
      window.location.replace(getConfig().ssoUrl);
    } catch (error) {
      setBusy(false);
      const problem = toProblem(error);
      if (isUsed(problem)) return setEnded('used');
      if (problem.message === 'EXPIRED_TOKEN') return setEnded('expired');
      if (problem.message === 'INVALID_TOKEN') return setEnded('invalid');
      setFailure(({ count }) => ({
        count: count + 1,
        text: addRetryTime(
          'Error: An error has occurred. Please try again or contact Customer Service.',
          problem,
        ),
      }));
    }
  }

  if (ended) return <Ended expired={ended === 'expired'} used={ended === 'used'} focus />;
  return (
    <AccountCard
      title={title}
      lead="Someone signed in for the first time with your account's username. If you confirm, this sign-in will have access to your account."
    >
      {failure.text && (
        <Banner kind="error" focusOn={failure.count}>
          {failure.text}
        </Banner>
      )}
      <p>If this wasn't you, close this page and contact support.</p>
      <div className="button-row">
        <Button variant="primary" wide busy={busy} onClick={() => void confirm()}>
          Yes, this was me
        </Button>
      </div>
    </AccountCard>
  );
}

function Ended({
  expired,
  used = false,
  focus = false,
}: {
  expired: boolean;
  used?: boolean;
  focus?: boolean;
}) {
  return (
    <AccountCard title={title}>
      <Banner kind="error" focusOn={focus ? 'ended' : undefined}>
        {expired
          ? 'This link has expired.'
          : used
            ? probablyWorked
            : 'This link was already used, was replaced by a newer one or is incomplete.'}
      </Banner>
      <p>
        <TextWithLink
          text="Sign in again. If your sign-in isn't connected yet, we'll email you a new link."
          link="sign in"
          to={paths.login}
        />
      </p>
    </AccountCard>
  );
}
