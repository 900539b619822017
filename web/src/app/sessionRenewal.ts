import { type HistoryState, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { getSession, onSessionChange } from '@/api/session';
import { restoreState } from '@/shared/owner';

/** Stays on the page when another tab has opened the user's next session. */
export function useSessionRenewal() {
  const router = useRouter();
  useEffect(
    () =>
      onSessionChange(async ({ type }) => {
        const session = getSession();
        if (type !== 'renewed' || !session) return;
        const state = (before: HistoryState) => restoreState(session, before);
        await router.navigate({
          to: '.',
          search: true,
          replace: true,
          resetScroll: false,
          ignoreBlocker: true,
          state,
        });
        await router.invalidate();
      }),
    [router],
  );
}
