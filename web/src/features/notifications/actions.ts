import { useState } from 'react';
import { toProblem } from '@/shared/apiError';
import { getConflict } from '@/shared/editConflict';
import type { useAnnouncement } from '@/ui/Announcement';
import { showServerProblems } from '@/ui/form/FormBanner';
import { type Draft, isChanged } from './draft';
import { describeSendTime, genericError, type Notification } from './notification';
import { useDelete, type useNotifications, useSaveNotification, useUnpublish } from './queries';
import type { DraftForm } from './useDraftForm';

/* The administrator's actions, and what the page shows about their results. */

type Notifications = ReturnType<typeof useNotifications>;
type Announce = ReturnType<typeof useAnnouncement>['announce'];

/** Another user was faster, or the notification has been sent. The server says which. */
const conflict = 409;

const notFound = 404;
const deleted = 'Another administrator deleted this notification.';
const deletedText = `Error: ${deleted} Your entries are still here. Create a new notification, or reset the form.`;

/** Saves a draft. A conflict or a failure appears in the form, which is disabled until then. */
export function useSaveDraft(draftForm: DraftForm, notifications: Notifications, announce: Announce) {
  const { form, draft, start, setTheirs, setEditing } = draftForm;
  const { mutateAsync } = useSaveNotification();
  const [isSaving, setSaving] = useState(false);

  async function save(sent: Draft) {
    setTheirs(null);
    setSaving(true);
    try {
      const saved = await mutateAsync(sent);
      start(null);
      announce(
        'success',
        sent.editing ? 'Notification updated.' : 'Notification Created.',
        describeNextStep(saved),
      );
    } catch (error) {
      if (getConflict(error)) await showConflict(sent);
      else if (sent.editing && toProblem(error).status === notFound) keepAsNew();
      else showProblem(error);
    } finally {
      setSaving(false);
    }
  }

  async function showConflict({ editing }: Draft) {
    const { data } = await notifications.refetch();
    const stored = data?.rows.find(
      ({ wcp_notification_id }) => wcp_notification_id === editing?.wcp_notification_id,
    );
    if (stored) setTheirs(stored);
    else if (data?.limitedTo === null) keepAsNew();
    else showServerProblems(form, genericError);
  }

  /** If the notification has been deleted, the input stays in the form as a new one. */
  function keepAsNew() {
    setEditing(null);
    showServerProblems(form, deletedText);
  }

  function showProblem(error: unknown) {
    const { status, message, fields } = toProblem(error);
    const elsewhere = fields.find(({ path }) => !(path in draft.values));
    showServerProblems(
      form,
      elsewhere?.message ?? (status === conflict ? message : genericError),
      fields.map((field) => ({ ...field, message: `Error: ${field.message}` })),
    );
  }

  return { save, isSaving };
}

/** Deletes a notification, or recalls it from its recipients. */
export function useWithdraw(draftForm: DraftForm, notifications: Notifications, announce: Announce) {
  const { form, draft, current, start, setEditing } = draftForm;
  const removal = useDelete();
  const unpublishing = useUnpublish();

  async function withdraw(action: 'delete' | 'unpublish', row: Notification, onSettled: () => void) {
    try {
      await (action === 'delete' ? removal : unpublishing).mutateAsync(row);
      onSettled();
      const rows = (await notifications.refetch()).data?.rows ?? [];
      const isRow = (other: Notification | null) => other?.wcp_notification_id === row.wcp_notification_id;
      const left = rows.find(isRow) ?? null;
      // The form follows its notification's changes. Input for one that still exists stays.
      if (isRow(draft.editing)) {
        form.clearErrors();
        if (left && isChanged(current)) setEditing(left);
        else start(left);
      }
      if (action === 'delete') announce('success', 'Notification deleted.', `“${row.name}” was deleted.`);
      else announce('success', 'Notification updated.', `“${row.name}” was recalled from its recipients.`);
    } catch (error) {
      onSettled();
      const { status, message } = toProblem(error);
      announce(
        'error',
        status === notFound ? `Error: ${deleted}` : genericError,
        status === conflict ? message : undefined,
      );
    }
  }

  return { withdraw, isWithdrawing: removal.isPending || unpublishing.isPending };
}

function describeNextStep({ name, status, sendDt }: Notification): string {
  switch (status) {
    case 'DRAFT':
      return `“${name}” is a draft. Complete it to send it.`;
    case 'READY':
      return `“${name}” is ready. Add a send date to send it.`;
    case 'SCHEDULED':
      return `“${name}” will be sent ${describeSendTime(sendDt ?? '')}.`;
    case 'SENT':
      return `“${name}” was sent.`;
  }
}
