import { useLocation, useRouter } from '@tanstack/react-router';
import { useState } from 'react';

/**
 * What the screen was handed by the one before, or keeps itself. The location is the next screen's as soon as that is
 * on its way, while this one is still to be seen.
 */
export function useHanded() {
  const router = useRouter();
  const [own] = useState(router.state.location.pathname);
  const now = useLocation({ select: ({ pathname, state }) => (pathname === own ? state : undefined) });
  const [latest, setLatest] = useState(now ?? router.state.location.state);
  if (now && now !== latest) setLatest(now);
  return latest;
}
