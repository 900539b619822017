import { type HistoryState, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { currentSession, onSessionChange } from '@/api/session';
import { ownedBy } from '@/shared/owner';

/** Stays on the page in the user's next session, which another tab has opened. */
export function useRenewed() {
  const router = useRouter();
  useEffect(
    () =>
      onSessionChange(async ({ type }) => {
        const session = currentSession();
        if (type !== 'renewed' || !session) return;
        const state = (before: HistoryState) => ownedBy(session, before);
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
