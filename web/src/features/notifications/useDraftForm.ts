import { zodResolver } from '@hookform/resolvers/zod';
import { useEffect, useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { discardWork } from '@/shared/encryptedState';
import * as paths from '@/shared/paths';
import { useUnsavedChanges } from '@/shared/UnsavedChangesGuard';
import { type Draft, isChanged, rebaseDraft, startDraft } from './draft';
import { type Notification, notificationSchema, type Values } from './notification';

// Milliseconds to collect keystrokes before writing to the history.
const writeDelay = 200;

export type DraftForm = ReturnType<typeof useDraftForm>;

/** The form and its draft. `store` saves the draft for Back and Reload. */
export function useDraftForm(stored: Draft | null, store: (draft: Draft) => Promise<void>) {
  const [draft, setDraft] = useState(() => stored ?? startDraft(null));
  const form = useForm<Values>({
    resolver: zodResolver(notificationSchema),
    shouldFocusError: false,
    defaultValues: draft.values,
  });
  const values = useWatch({ control: form.control }) as Values;
  const current = { ...draft, values };
  useUnsavedChanges(isChanged(current), paths.manageRecipients);
  const [attempted, setAttempted] = useState(false);
  // The form's notification as another administrator stored it.
  const [theirs, setTheirs] = useState<Notification | null>(null);

  useEffect(() => {
    const timer = setTimeout(() => store({ ...draft, values }), writeDelay);
    return () => clearTimeout(timer);
  }, [draft, values, store]);

  /** Replaces the form with a notification, or with an empty one. */
  function start(editing: Notification | null) {
    const next = startDraft(editing);
    discardWork(draft.id);
    setTimeout(() => store(next)); // a reload must not restore the one that was saved or abandoned
    setDraft(next);
    setTheirs(null);
    form.reset(next.values);
    setAttempted(false);
  }

  /** Starts with their version and reapplies this user's changes; `mineToo` also where both changed. */
  function rebase(stored: Notification, mineToo: boolean): Draft {
    const next = rebaseDraft(current, stored, mineToo);
    setTheirs(null);
    setDraft(next);
    form.reset(next.values);
    return next;
  }

  return {
    form,
    draft,
    /** The draft with the form's input. */
    current,
    theirs,
    setTheirs,
    attempted,
    setAttempted,
    start,
    rebase,
    /** Changes the notification that the input belongs to. */
    setEditing: (editing: Notification | null) => setDraft({ ...draft, editing }),
  };
}
