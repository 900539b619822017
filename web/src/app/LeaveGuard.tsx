import { useBlocker } from '@tanstack/react-router';
import { useSyncExternalStore } from 'react';
import * as paths from '@/shared/paths';
import { hasUnsavedChanges, onUnsavedChange, wouldLoseChanges } from '@/shared/UnsavedChangesGuard';
import { ConfirmDialog } from '@/ui/Dialog';

/** Asks before the user leaves a changed form. Signing out doesn't ask. */
export function LeaveGuard() {
  const unsaved = useSyncExternalStore(onUnsavedChange, hasUnsavedChanges);
  const leaving = useBlocker({
    shouldBlockFn: ({ current, next }) =>
      wouldLoseChanges(next.fullPath) && next.pathname !== current.pathname && next.fullPath !== paths.logout,
    // The forms themselves ask before the whole page unloads.
    enableBeforeUnload: false,
    disabled: !unsaved,
    withResolver: true,
  });
  // It mounts with each question, because the dialog that mounts last is on top.
  if (leaving.status !== 'blocked') return null;
  return (
    <ConfirmDialog
      open
      title="Leave this page?"
      confirmLabel="Leave"
      cancelLabel="Stay"
      onConfirm={() => leaving.proceed()}
      onCancel={() => leaving.reset()}
    >
      <p>Your changes won't be saved.</p>
    </ConfirmDialog>
  );
}
