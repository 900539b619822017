import { type HistoryState, useLocation, useRouter } from '@tanstack/react-router';
import { useCallback, useState } from 'react';

/**
 * The state that the screen received from the previous one, or set itself. The location changes
 * when the next screen starts loading, while this one is still visible.
 */
export function useNavigationState() {
  const router = useRouter();
  const [own] = useState(router.state.location.pathname);
  const now = useLocation({ select: ({ pathname, state }) => (pathname === own ? state : undefined) });
  const [latest, setLatest] = useState(now ?? router.state.location.state);
  if (now && now !== latest) setLatest(now);
  return latest;
}

/**
 * Changes only the visit's state for Back and Reload. While the next screen loads, the history
 * entry belongs to that screen, so there is nothing to change. The same applies while the app
 * asks users who clicked Back whether to leave. The browser is then at the previous entry.
 */
export function useSetNavigationState() {
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
        // This doesn't leave the screen.
        ignoreBlocker: true,
        state: change,
      });
    },
    [router, screen],
  );
}
