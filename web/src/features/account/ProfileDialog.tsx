import { lazy, Suspense, useCallback, useState } from 'react';
import { useSession } from '@/api/session';
import { useNeedsBackfill } from './needsBackfill';

const ProfileDialogForm = lazy(() => import('./ProfileDialogForm'));

/** Asks for what the profile must have and lacks; while mirroring, nobody is asked for another's. */
export function ProfileDialog() {
  const { user, mirroredUser } = useSession();
  const needed = useNeedsBackfill(user.userNm, !mirroredUser);
  const [closed, setClosed] = useState(false);
  const close = useCallback(() => setClosed(true), []);
  if (needed.data !== true || closed || mirroredUser) return null;
  return (
    <Suspense>
      <ProfileDialogForm onClose={close} />
    </Suspense>
  );
}
