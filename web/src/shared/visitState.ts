import { type HistoryState, useLocation, useRouter } from '@tanstack/react-router';
import { useCallback, useState } from 'react';

/**
 * What the screen was handed by the one before, or keeps itself. The location is the next screen's as soon as that is
 * on its way, while this one is still to be seen.
 */
export function useHanded() {
  const router = useRouter();
  const [own] = useState(router.state.location.pathname);
  const now = useLocation({ select: ({ pathname, state }) => (pathname === own ? state : undefined) });
  const [latest, setLatest] = useState(now ?? router.state.location.state);
  if (now && now !== latest) setLatest(now);
  return latest;
}

/**
 * Changes what the visit keeps for Back and Reload, and nothing else. While the next screen is loaded the history is
 * that screen's already, with what was handed to it: then there is nothing to change any more. So it is while somebody
 * who pressed Back is asked whether to leave: the browser stands at the visit before.
 */
export function useKeep() {
  const router = useRouter();
  const [screen] = useState(() => router.history.location.pathname);
  return useCallback(
    async (change: (before: HistoryState) => HistoryState) => {
      const { pathname, state } = router.history.location;
      const entry: number = window.history.state?.__TSR_index ?? state.__TSR_index;
      if (pathname !== screen || entry !== state.__TSR_index) return;
      await router.navigate({
        to: '.',
        replace: true,
        resetScroll: false,
        // Nobody leaves.
        ignoreBlocker: true,
        state: change,
      });
    },
    [router, screen],
  );
}
