import type { UserRow } from '@/shared/accounts';
import { type SavedSearch, type SavedTable, useHistoryState } from '@/shared/historyState';

interface Visit {
  user: UserRow | null;
  /** The list to return to: a group's users, or a search's. */
  groupId?: number | null;
  list?: SavedTable;
  searchInfo?: SavedSearch;
}

/** The screen's user, from the list of users. */
export function useVisit(): Visit {
  const { user, groupId, list, searchInfo } = useHistoryState();
  return { user: user?.userNm ? user : null, groupId, list, searchInfo };
}

/** First name, last name and username. */
export const formatName = ({ userFirstName, userLastName, userNm }: UserRow) =>
  `${userFirstName} ${userLastName} (${userNm})`;
