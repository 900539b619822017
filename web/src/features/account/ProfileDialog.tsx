import { useQueryClient } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { lazy, Suspense, useCallback, useState } from 'react';
import { useSession } from '@/api/session';
import { backfillKey, useNeedsBackfill } from './needsBackfill';

const ProfileDialogForm = lazy(() => import('./ProfileDialogForm'));

/** Asks for missing required profile fields. Users who mirror aren't asked for another person's. */
export function ProfileDialog() {
  const { user, mirroredUser } = useSession();
  const needed = useNeedsBackfill(user.userNm, !mirroredUser);
  const client = useQueryClient();
  const pathname = useLocation({ select: ({ pathname }) => pathname });
  // If saving fails, the user continues, and the next screen asks again.
  const [failedOn, setFailedOn] = useState<string>();
  const fail = useCallback(() => setFailedOn(pathname), [pathname]);
  if (needed.data !== true || failedOn === pathname || mirroredUser) return null;
  return (
    <Suspense>
      <ProfileDialogForm
        onSaved={() => client.setQueryData(backfillKey(user.userNm), false)}
        onFailed={fail}
      />
    </Suspense>
  );
}
