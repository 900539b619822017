import { useEffect, useSyncExternalStore } from 'react';
import { isSignOutPending, onSignOutPending, repeatSignOut } from '@/api/session';

const repeatEvery = 15_000;

/** Reports whether a sign-out hasn't reached the server. It retries until it has. */
export function useSignOutPending(): boolean {
  const pending = useSyncExternalStore(onSignOutPending, isSignOutPending);
  useEffect(() => {
    if (!pending) return;
    const repeat = () => void repeatSignOut().catch(() => undefined);
    const timer = setInterval(repeat, repeatEvery);
    window.addEventListener('online', repeat);
    return () => {
      clearInterval(timer);
      window.removeEventListener('online', repeat);
    };
  }, [pending]);
  return pending;
}
