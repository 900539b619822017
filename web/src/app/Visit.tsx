import { type HistoryState, useLocation } from '@tanstack/react-router';
import { Fragment, type ReactNode, useState } from 'react';

/** Whether an entry of the history tells what was searched. The directory's ways to a provider and back are its own. */
const tellsSearch = ({ kept, searchInfo, claim, provider }: HistoryState) =>
  provider ? null : Boolean(kept ?? searchInfo ?? claim);

/**
 * The screen, made anew where one with a search leads to itself: a claim chosen in the Workspace's dialog above Bill
 * Search, or Back to what was searched before it.
 */
export function Visit({ children }: { children: ReactNode }) {
  const { pathname, state } = useLocation();
  const entry = state.__TSR_index;
  const searched = tellsSearch(state);
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
