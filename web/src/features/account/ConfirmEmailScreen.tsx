import { useState } from 'react';
import { api, unwrap } from '@/api/client';
import { addRetryTime, toProblem } from '@/shared/apiError';
import * as paths from '@/shared/paths';
import { Banner } from '@/ui/Banner';
import { Button } from '@/ui/Button';
import { AccountCard } from './AccountCard';
import { TextWithLink } from './TextWithLink';
import { useLink } from './useLink';

const title = 'Confirm your new email';

const refusals: Record<string, string> = {
  INVALID_TOKEN: 'This link was already used, was replaced by a newer one or is incomplete.',
  EXPIRED_TOKEN: 'This link has expired.',
  EMAIL_EXISTS:
    'This email address is already used by another account. Enter a different one in your profile.',
};

/**
 * The target of the link emailed to a new address. The account gets the address after
 * confirmation.
 */
export function ConfirmEmailScreen() {
  const { token } = useLink();
  return <Confirm key={token} token={token} />;
}

function Confirm({ token }: { token: string }) {
  const [state, setState] = useState<'asking' | 'sending' | 'done'>('asking');
  const [failure, setFailure] = useState(token ? '' : refusals.INVALID_TOKEN);
  const isFinal = Object.values(refusals).includes(failure ?? '');

  async function confirm() {
    setState('sending');
    setFailure('');
    try {
      await unwrap(api.POST('/public/confirmEmail', { body: { token } }));
      setState('done');
    } catch (error) {
      const problem = toProblem(error);
      setFailure(
        refusals[problem.message] ??
          addRetryTime(
            'Error: An error has occurred. Please try again or contact Customer Service.',
            problem,
          ),
      );
      setState('asking');
    }
  }

  if (state === 'done')
    return (
      <AccountCard title={title}>
        <Banner kind="success" focusOn="done">
          Your email address is updated.
        </Banner>
        <p>
          <TextWithLink text="To continue to the portal, sign in." link="sign in" to={paths.login} />
        </p>
      </AccountCard>
    );
  return (
    <AccountCard title={title} lead={isFinal ? undefined : "We'll send account emails to this address."}>
      {failure && (
        <Banner kind="error" focusOn={token ? failure : undefined}>
          {failure}
        </Banner>
      )}
      {isFinal ? (
        <p>
          <TextWithLink
            text={
              failure === refusals.EMAIL_EXISTS
                ? 'To continue to the portal, sign in.'
                : 'To get a new link, sign in and save the address in your profile again.'
            }
            link="sign in"
            to={paths.login}
          />
        </p>
      ) : (
        <div className="button-row">
          <Button variant="primary" wide busy={state === 'sending'} onClick={() => void confirm()}>
            Confirm email address
          </Button>
        </div>
      )}
    </AccountCard>
  );
}
