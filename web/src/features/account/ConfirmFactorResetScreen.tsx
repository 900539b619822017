import { useState } from 'react';
import { api, unwrap } from '@/api/client';
import { getConfig } from '@/api/config';
import { toProblem } from '@/shared/apiError';
import { Banner } from '@/ui/Banner';
import { Button } from '@/ui/Button';
import { AccountCard } from './AccountCard';
import { OpenLink } from './OpenLink';
import { useLink } from './useLink';
import { probablyWorked, useLostResponse } from './useLostResponse';

const title = 'Reset two-step verification';

/**
 * The target of the link that removes a user's two-step verification. It takes a click, not just
 * opening the link.
 */
export function ConfirmFactorResetScreen() {
  const { token } = useLink();
  return (
    <OpenLink key={token} purpose="FACTORS" token={token} title={title} ended={() => <Ended />}>
      <Reset token={token} />
    </OpenLink>
  );
}

function Reset({ token }: { token: string }) {
  const [state, setState] = useState<'asked' | 'busy' | 'failed' | 'ended' | 'used' | 'done'>('asked');
  const isUsed = useLostResponse();
  async function reset() {
    setState('busy');
    try {
      await unwrap(api.POST('/public/factorReset/complete', { body: { token } }));
      setState('done');
    } catch (error) {
      const problem = toProblem(error);
      const isOver = /^(INVALID|EXPIRED)_TOKEN/.test(problem.message);
      setState(isUsed(problem) ? 'used' : isOver ? 'ended' : 'failed');
    }
  }
  if (state === 'ended') return <Ended />;
  if (state === 'used')
    return (
      <Ended text={`${probablyWorked} If you still can't sign in, ask your administrator for a new one.`} />
    );
  if (state === 'done')
    return (
      <AccountCard title={title}>
        <Banner kind="success" focusOn="done">
          Two-step verification is reset. Sign in with your password.
        </Banner>
        <Button variant="primary" wide onClick={() => window.location.replace(getConfig().ssoUrl)}>
          Sign in
        </Button>
      </AccountCard>
    );
  return (
    <AccountCard
      title={title}
      lead="This removes all your passkeys, authenticator apps and recovery codes, and signs you out everywhere. Your password stays the same."
    >
      {state === 'failed' && (
        <Banner kind="error">
          Error: An error has occurred. Please try again or contact Customer Service.
        </Banner>
      )}
      <Button variant="primary" wide busy={state === 'busy'} onClick={() => void reset()}>
        Reset two-step verification
      </Button>
    </AccountCard>
  );
}

const ended =
  'Error: This link was already used, was replaced by a newer one or has expired. Ask your administrator for a new one.';

const Ended = ({ text = ended }) => (
  <AccountCard title={title}>
    <Banner kind="error">{text}</Banner>
  </AccountCard>
);
