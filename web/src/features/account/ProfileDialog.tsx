import { useQueryClient } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { lazy, Suspense, useCallback, useState } from 'react';
import { useSession } from '@/api/session';
import { backfillKey, useNeedsBackfill } from './needsBackfill';

const ProfileDialogForm = lazy(() => import('./ProfileDialogForm'));

/** Asks for what the profile must have and lacks; while mirroring, nobody is asked for another's. */
export function ProfileDialog() {
  const { user, mirroredUser } = useSession();
  const needed = useNeedsBackfill(user.userNm, !mirroredUser);
  const client = useQueryClient();
  const pathname = useLocation({ select: ({ pathname }) => pathname });
  // Where saving failed the person goes on, and is asked again on the next screen.
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
