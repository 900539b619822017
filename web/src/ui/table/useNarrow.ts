import { useCallback, useSyncExternalStore } from 'react';

// Up to so many columns fit side by side on a tablet.
const fitting = 6;
const phone = '(max-width: 39.99rem)';
const tablet = '(max-width: 63.99rem)';

/** Tells whether the screen is too narrow to show so many columns side by side. */
export function useNarrow(columns: number) {
  const query = columns > fitting ? tablet : phone;
  const subscribe = useCallback(
    (changed: () => void) => {
      const list = window.matchMedia(query);
      list.addEventListener('change', changed);
      return () => list.removeEventListener('change', changed);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => window.matchMedia(query).matches);
}
