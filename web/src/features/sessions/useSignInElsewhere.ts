import { useRouter } from '@tanstack/react-router';
import { useEffect, useEffectEvent } from 'react';
import { findSession } from '@/api/session';
import { onTabMessage } from '@/api/tabs';

/**
 * While the sign-in screen waits, continues with a session that another tab opens. Returns a
 * function that does this for any user's session and reports whether there is one.
 */
export function useSignInElsewhere(waiting: boolean): () => Promise<boolean> {
  const router = useRouter();

  async function continueSession(anyUser: boolean): Promise<boolean> {
    // Without a response the sign-in page itself asks.
    const found = await findSession({ anyUser }).catch(() => null);
    if (found) await router.invalidate();
    return found !== null;
  }

  const continueOwnSession = useEffectEvent(() => void continueSession(false));
  useEffect(() => {
    if (!waiting) return;
    continueOwnSession();
    // A frozen tab receives no messages.
    window.addEventListener('focus', continueOwnSession);
    const unsubscribe = onTabMessage(({ type }) => {
      if (type === 'started') continueOwnSession();
    });
    return () => {
      window.removeEventListener('focus', continueOwnSession);
      unsubscribe();
    };
  }, [waiting]);

  return () => continueSession(true);
}
