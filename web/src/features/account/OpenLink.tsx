import { type ReactNode, useEffect, useState } from 'react';
import { answer, api } from '@/api/client';
import { refusal } from '@/shared/refusal';
import { Loading } from '@/ui/PageState';
import { AccountCard } from './AccountCard';

interface Props {
  purpose: 'RESET' | 'REGISTRATION' | 'REQUEST' | 'BIND' | 'FACTORS';
  token: string;
  /** Of the card that is shown while the server is asked. */
  title: string;
  /** What is shown for a link that was used, replaced or is over. */
  ended: (expired: boolean) => ReactNode;
  children: ReactNode;
}

/**
 * What a mailed link leads to, where it can still be used: nobody fills in a form for one that cannot. The server is
 * asked once, when the link is opened; where it does not say, the form itself will.
 */
export function OpenLink({ purpose, token, title, ended, children }: Props) {
  const [standing, setStanding] = useState<'asking' | 'open' | 'invalid' | 'expired'>('asking');
  useEffect(() => {
    let left = false;
    const is = (found: typeof standing) => !left && setStanding(found);
    answer(api.POST('/public/checkLink', { body: { purpose, token } })).then(
      () => is('open'),
      (error) => {
        const { message } = refusal(error);
        is(message === 'EXPIRED_TOKEN' ? 'expired' : message === 'INVALID_TOKEN' ? 'invalid' : 'open');
      },
    );
    return () => {
      left = true;
    };
  }, [purpose, token]);

  switch (standing) {
    case 'asking':
      return (
        <AccountCard title={title}>
          <Loading />
        </AccountCard>
      );
    case 'open':
      return children;
    default:
      return ended(standing === 'expired');
  }
}
