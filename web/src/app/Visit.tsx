import { useLocation } from '@tanstack/react-router';
import { Fragment, type ReactNode, useState } from 'react';

/**
 * The screen, made anew where one with a search leads to itself: a claim chosen in the Workspace's dialog above Bill
 * Search, or Back to what was searched before it.
 */
export function Visit({ children }: { children: ReactNode }) {
  const { pathname, state } = useLocation();
  const entry = state.__TSR_index;
  const searched = Boolean(state.kept ?? state.searchInfo ?? state.claim);
  const [shown, setShown] = useState({ pathname, entry, searched, visit: 0 });
  if (shown.pathname !== pathname || shown.entry !== entry || shown.searched !== searched) {
    const again = shown.pathname === pathname && shown.entry !== entry && (searched || shown.searched);
    setShown({ pathname, entry, searched, visit: shown.visit + (again ? 1 : 0) });
  }
  return <Fragment key={shown.visit}>{children}</Fragment>;
}
