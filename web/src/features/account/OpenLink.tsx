import { type ReactNode, useEffect, useState } from 'react';
import { api, unwrap } from '@/api/client';
import { toProblem } from '@/shared/apiError';
import { Loading } from '@/ui/PageState';
import { AccountCard } from './AccountCard';

interface Props {
  purpose: 'RESET' | 'REGISTRATION' | 'REQUEST' | 'BIND' | 'FACTORS';
  token: string;
  /** The card's title while the link is checked. */
  title: string;
  /** The content for a link that was used, replaced or has expired. */
  ended: (expired: boolean) => ReactNode;
  children: ReactNode;
}

/**
 * The target of an emailed link. It checks the link once, so that users don't fill in a form for an
 * unusable one. If the check fails, the form's own request reports it.
 */
export function OpenLink({ purpose, token, title, ended, children }: Props) {
  const [linkState, setLinkState] = useState<'asking' | 'open' | 'invalid' | 'expired'>('asking');
  useEffect(() => {
    let left = false;
    const finish = (found: typeof linkState) => !left && setLinkState(found);
    unwrap(api.POST('/public/checkLink', { body: { purpose, token } })).then(
      () => finish('open'),
      (error) => {
        const { message } = toProblem(error);
        finish(message === 'EXPIRED_TOKEN' ? 'expired' : message === 'INVALID_TOKEN' ? 'invalid' : 'open');
      },
    );
    return () => {
      left = true;
    };
  }, [purpose, token]);

  switch (linkState) {
    case 'asking':
      return (
        <AccountCard title={title}>
          <Loading />
        </AccountCard>
      );
    case 'open':
      return children;
    default:
      return ended(linkState === 'expired');
  }
}
