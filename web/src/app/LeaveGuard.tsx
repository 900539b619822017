import { useBlocker } from '@tanstack/react-router';
import { useSyncExternalStore } from 'react';
import { isAnythingUnsaved, isLostOnTheWayTo, onUnsaved } from '@/shared/Unsaved';
import { ConfirmDialog } from '@/ui/Dialog';

/** Asks before a changed form is left. Signing out is not held up. */
export function LeaveGuard() {
  const unsaved = useSyncExternalStore(onUnsaved, isAnythingUnsaved);
  const leaving = useBlocker({
    shouldBlockFn: ({ current, next }) =>
      isLostOnTheWayTo(next.fullPath) && next.pathname !== current.pathname && next.fullPath !== '/logout',
    // The forms themselves ask before the whole page is left.
    enableBeforeUnload: false,
    disabled: !unsaved,
    withResolver: true,
  });
  return (
    <ConfirmDialog
      open={leaving.status === 'blocked'}
      title="Leave this page?"
      confirmLabel="Leave"
      cancelLabel="Stay"
      onConfirm={() => leaving.proceed?.()}
      onCancel={() => leaving.reset?.()}
    >
      <p>Your changes won't be saved.</p>
    </ConfirmDialog>
  );
}
