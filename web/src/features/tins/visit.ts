import type { KeptSearch, KeptTable, UserRow } from '@/shared/navigation';
import { useNavigationState } from '@/shared/navigationState';

interface Visit {
  user: UserRow | null;
  /** The list to return to: a group's users, or a search's. */
  groupId?: number | null;
  list?: KeptTable;
  searchInfo?: KeptSearch;
}

/** The screen's user, from the list of users. */
export function useVisit(): Visit {
  const { user, groupId, list, searchInfo } = useNavigationState();
  return { user: user?.userNm ? user : null, groupId, list, searchInfo };
}

/** First name, last name and username. */
export const nameOf = ({ userFirstName, userLastName, userNm }: UserRow) =>
  `${userFirstName} ${userLastName} (${userNm})`;
