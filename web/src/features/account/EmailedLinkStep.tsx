import { type ReactNode, useState } from 'react';
import { addRetryTime, toProblem } from '@/shared/apiError';
import { Banner } from '@/ui/Banner';
import { Button } from '@/ui/Button';
import { AccountCard } from './AccountCard';
import { useLink } from './useLink';
import { probablyWorked, useLostResponse } from './useLostResponse';

interface Props {
  title: string;
  lead: string;
  button: string;
  /** The success message. */
  done: string;
  /** The message for an unusable link, by error code. */
  refusals: Record<'INVALID_TOKEN' | 'EXPIRED_TOKEN', string> & Record<string, string>;
  /** The message if the portal doesn't have this operation. */
  unavailable?: string;
  /** What to do after the success, or after this refusal. */
  next?: (refusal?: string) => ReactNode;
  call: (token: string) => Promise<unknown>;
}

/** Shown when the Workspace is off. */
export const emailsDisabled = "This portal no longer sends bill updates. You don't need to do anything.";

/**
 * The target of an emailed link for a single action. It takes a button click, not just opening
 * the link.
 */
export function EmailedLinkStep(props: Props) {
  const { token } = useLink();
  return <Step key={token} token={token} {...props} />;
}

function Step({
  token,
  title,
  lead,
  button,
  done,
  refusals,
  unavailable,
  next,
  call,
}: Props & { token: string }) {
  const [state, setState] = useState<'asking' | 'sending' | 'done'>('asking');
  const [failure, setFailure] = useState(token ? '' : refusals.INVALID_TOKEN);
  const isUsed = useLostResponse();
  const isFinal =
    failure === probablyWorked || failure === unavailable || Object.values(refusals).includes(failure);

  async function confirm() {
    setState('sending');
    setFailure('');
    try {
      await call(token);
      setState('done');
    } catch (error) {
      const problem = toProblem(error);
      if (isUsed(problem)) setFailure(probablyWorked);
      else
        setFailure(
          refusals[problem.message] ??
            (unavailable && problem.status === 404
              ? unavailable
              : addRetryTime(
                  'Error: An error has occurred. Please try again or contact Customer Service.',
                  problem,
                )),
        );
      setState('asking');
    }
  }

  if (state === 'done')
    return (
      <AccountCard title={title}>
        <Banner kind="success" focusOn="done">
          {done}
        </Banner>
        {next?.()}
      </AccountCard>
    );
  return (
    <AccountCard title={title} lead={isFinal ? undefined : lead}>
      {failure && (
        <Banner kind="error" focusOn={token ? failure : undefined}>
          {failure}
        </Banner>
      )}
      {isFinal ? (
        next?.(failure)
      ) : (
        <div className="button-row">
          <Button variant="primary" wide busy={state === 'sending'} onClick={() => void confirm()}>
            {button}
          </Button>
        </div>
      )}
    </AccountCard>
  );
}
