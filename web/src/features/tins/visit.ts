import type { KeptSearch, KeptTable, UserRow } from '@/shared/navigation';
import { useNavigationState } from '@/shared/navigationState';

interface Visit {
  user: UserRow | null;
  /** The list that the screen leads back to: a group's users, or those of a search. */
  groupId?: number | null;
  list?: KeptTable;
  searchInfo?: KeptSearch;
}

/** Whom a screen is about, as the list of users handed it over. */
export function useVisit(): Visit {
  const { user, groupId, list, searchInfo } = useNavigationState();
  return { user: user?.userNm ? user : null, groupId, list, searchInfo };
}

/** First and last name, and the user name. */
export const nameOf = ({ userFirstName, userLastName, userNm }: UserRow) =>
  `${userFirstName} ${userLastName} (${userNm})`;
