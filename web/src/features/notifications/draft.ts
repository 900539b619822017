import { useRouter } from '@tanstack/react-router';
import { useCallback, useState } from 'react';
import { useSession } from '@/api/session';
import { noValues, recipientsOf, type Values, valuesOf } from './notification';
import type { Notification } from './queries';

/**
 * A notification on the form, with its recipients. The history keeps it, so that Back, Reload and the way to the
 * recipients and back find it.
 */
export interface Draft {
  id: number;
  /** Whose it is: nobody else's visit finds it. */
  owner: number;
  /** The notification as it was read, when one is edited. */
  editing: Notification | null;
  values: Values;
  recipients: readonly number[];
}

declare module '@tanstack/react-router' {
  interface HistoryState {
    draft?: Draft;
  }
}

// Back and Forward meet entries of the history that know an older version; null for what was saved or left.
const newest = new Map<number, Draft | null>();

/** The draft of this visit, and how it is kept. */
export function useDraft() {
  const router = useRouter();
  const { user } = useSession();
  const [screen] = useState(() => router.history.location.pathname);
  const [kept] = useState(() => {
    const { draft } = router.history.location.state;
    if (draft?.owner !== user.id) return null;
    // After Reload, the entry it happened on is the newest that is known.
    if (!newest.has(draft.id)) newest.set(draft.id, draft);
    return newest.get(draft.id) ?? null;
  });

  const keep = useCallback(
    (draft: Draft) => {
      newest.set(draft.id, draft);
      // While the next screen is loaded the history is that screen's already.
      if (router.history.location.pathname !== screen) return;
      void router.navigate({
        to: '.',
        replace: true,
        resetScroll: false,
        // Asking takes time, in which another screen may have come.
        ignoreBlocker: true,
        state: (before) => ({ ...before, draft }),
      });
    },
    [router, screen],
  );

  return {
    kept,
    keep,
    forget: (draft: Draft) => newest.set(draft.id, null),
    begin: (editing: Notification | null): Draft => ({
      id: Date.now(),
      owner: user.id,
      editing,
      values: editing ? valuesOf(editing) : noValues,
      recipients: editing ? recipientsOf(editing) : [],
    }),
  };
}

/** Whether something would be lost with it. */
export function isChanged({ editing, values, recipients }: Draft): boolean {
  const before = editing ? valuesOf(editing) : noValues;
  return (
    (Object.keys(before) as (keyof Values)[]).some((field) => before[field] !== values[field]) ||
    recipients.join(',') !== (editing?.userNotList ?? '')
  );
}
