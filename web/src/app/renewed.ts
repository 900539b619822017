import { type HistoryState, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { currentSession, onSessionChange } from '@/api/session';
import { keepOwnState } from '@/shared/owner';

/** Stays on the page when another tab has opened the user's next session. */
export function useRenewed() {
  const router = useRouter();
  useEffect(
    () =>
      onSessionChange(async ({ type }) => {
        const session = currentSession();
        if (type !== 'renewed' || !session) return;
        const state = (before: HistoryState) => keepOwnState(session, before);
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
