import { useLayoutEffect, useSyncExternalStore } from 'react';
import { getCoverName, onCoverChange } from '@/api/cover';

/**
 * Returns the name of the user mirrored in another tab, while this tab waits. Restores focus and
 * scroll position later.
 */
export function useCover(): string | null {
  const name = useSyncExternalStore(onCoverChange, getCoverName);
  const covered = name !== null;
  useLayoutEffect(() => {
    if (!covered) return;
    const { scrollY } = window;
    const focused = document.activeElement;
    return () => {
      window.scrollTo(0, scrollY);
      if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
    };
  }, [covered]);
  return name;
}
