import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';

/**
 * What the screen before handed to this one, as it was when this one was made. The location is the next screen's as
 * soon as that is on its way, while this one is still to be seen.
 */
export function useHanded() {
  const router = useRouter();
  const [handed] = useState(() => router.history.location.state);
  return handed;
}
