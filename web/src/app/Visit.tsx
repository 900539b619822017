import { type HistoryState, useLocation } from '@tanstack/react-router';
import { Fragment, type ReactNode, useState } from 'react';

/**
 * Reports whether a history entry has search criteria. The directory handles its own navigation
 * to a provider and back.
 */
const hasSearch = ({ kept, searchInfo, claim, provider }: HistoryState) =>
  provider ? null : Boolean(kept ?? searchInfo ?? claim);

/**
 * The screen, remounted when a search screen navigates to itself: a claim selected in the
 * Workspace dialog above Bill Search, or Back to an earlier search.
 */
export function Visit({ children }: { children: ReactNode }) {
  const { pathname, state } = useLocation();
  const entry = state.__TSR_index;
  const searched = hasSearch(state);
  const [shown, setShown] = useState({ pathname, entry, searched, visit: 0 });
  if (shown.pathname !== pathname || shown.entry !== entry || shown.searched !== searched) {
    const again =
      shown.pathname === pathname &&
      shown.entry !== entry &&
      searched !== null &&
      shown.searched !== null &&
      (searched || shown.searched);
    setShown({ pathname, entry, searched, visit: shown.visit + (again ? 1 : 0) });
  }
  return <Fragment key={shown.visit}>{children}</Fragment>;
}
