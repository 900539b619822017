import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import type { KeptSearch, UserRow } from '@/shared/navigation';

interface Visit {
  user: UserRow | null;
  /** The list that the screen leads back to: a group's users, or those of a search. */
  groupId?: number | null;
  searchInfo?: KeptSearch;
}

/** Whom a screen is about, as the list of users handed it over. It stays while the next screen is on its way. */
export function useVisit(): Visit {
  const router = useRouter();
  const [visit] = useState(() => {
    const { user, groupId, searchInfo } = router.history.location.state;
    return { user: user?.userNm ? user : null, groupId, searchInfo };
  });
  return visit;
}

/** First and last name, and the user name. */
export const nameOf = ({ userFirstName, userLastName, userNm }: UserRow) =>
  `${userFirstName} ${userLastName} (${userNm})`;
