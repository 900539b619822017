import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import type { KeptSearch, UserRow } from '../../api/navigation';

/**
 * The user whom a screen is about, and the search to lead back to, as the list of users handed them over. They stay
 * while the next screen is on its way.
 */
export function useVisit(): { user: UserRow | null; searchInfo?: KeptSearch } {
  const router = useRouter();
  const [visit] = useState(() => {
    const { user, searchInfo } = router.history.location.state;
    return { user: user?.userNm ? user : null, searchInfo };
  });
  return visit;
}

/** First and last name, and the user name. */
export const nameOf = ({ userFirstName, userLastName, userNm }: UserRow) =>
  `${userFirstName} ${userLastName} (${userNm})`;
