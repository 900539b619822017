import { zodResolver } from '@hookform/resolvers/zod';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { Problem } from '@/api/client';
import { useSession } from '@/api/session';
import { Conflict } from '@/shared/Conflict';
import { getConflict } from '@/shared/editConflict';
import { discardWork } from '@/shared/encryptedState';
import { useUnsavedChanges } from '@/shared/UnsavedChangesGuard';
import { ActionMenu } from '@/ui/ActionMenu';
import { AnnouncementBanner, useAnnouncement } from '@/ui/Announcement';
import { Banner } from '@/ui/Banner';
import { ConfirmDialog } from '@/ui/Dialog';
import { parseDate } from '@/ui/dates';
import { showServerProblems } from '@/ui/form/FormBanner';
import { formatCount } from '@/ui/format';
import { Loading, NotPermitted } from '@/ui/PageState';
import { DataTable } from '@/ui/table/DataTable';
import { capitalize } from '@/ui/text';
import { describeMatches } from './audience';
import { notificationColumns } from './columns';
import {
  type Draft,
  differences,
  encryptDraft,
  isChanged,
  isForEveryone,
  rebaseDraft,
  startDraft,
  useDraft,
} from './draft';
import { NotificationForm } from './NotificationForm';
import {
  defaultName,
  describeSendTime,
  genericError,
  type Notification,
  notificationSchema,
  type Values,
} from './notification';
import {
  useAudienceCount,
  useDelete,
  useNotifications,
  useSaveNotification,
  useUnpublish,
} from './queries';

export default function NotificationsPage() {
  const { can } = useSession();
  const { pending, found, keep } = useDraft();
  return (
    <div className="page">
      <header>
        <h1>Notifications</h1>
        <p className="page-lead">Announcements that users see under the bell.</p>
      </header>
      {!can('notifications.manage') ? (
        <NotPermitted />
      ) : pending ? (
        <Loading />
      ) : (
        <Notifications kept={found} keep={keep} />
      )}
    </div>
  );
}

type Asked =
  | { about: 'edit' | 'delete' | 'unpublish'; row: Notification }
  | { about: 'draft'; values: Values }
  | { about: 'everyone'; sent: Draft };

// Milliseconds to collect keystrokes before writing to the history.
const writeDelay = 200;

interface Props {
  kept: Draft | null;
  keep: (draft: Draft) => Promise<void>;
}

function Notifications({ kept, keep }: Props) {
  const navigate = useNavigate();
  const [draft, setDraft] = useState(() => kept ?? startDraft(null));
  const form = useForm<Values>({
    resolver: zodResolver(notificationSchema),
    shouldFocusError: false,
    defaultValues: draft.values,
  });
  const values = useWatch({ control: form.control }) as Values;
  const current = { ...draft, values };
  useUnsavedChanges(isChanged(current), '/ManageRecipients');
  const notifications = useNotifications();
  const { mutateAsync: save, isPending: isSaving } = useSaveNotification();
  const limitedTo = notifications.data?.limitedTo;
  const removal = useDelete();
  const unpublishing = useUnpublish();
  const { announcement, announce, clear } = useAnnouncement();
  const [asked, setAsked] = useState<Asked | null>(null);
  // The form's notification as another administrator stored it.
  const [theirs, setTheirs] = useState<Notification | null>(null);
  const [begun, setBegun] = useState(0);
  const [attempted, setAttempted] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);

  useEffect(() => {
    const timer = setTimeout(() => keep({ ...draft, values }), writeDelay);
    return () => clearTimeout(timer);
  }, [draft, values, keep]);

  useEffect(() => {
    if (begun > 0) heading.current?.focus();
  }, [begun]);

  /** Replaces the form with a notification, or with an empty one. */
  function start(editing: Notification | null) {
    const next = startDraft(editing);
    discardWork(draft.id);
    setTimeout(() => keep(next)); // a reload must not restore the one that was saved or abandoned
    setDraft(next);
    setTheirs(null);
    form.reset(next.values);
    clear();
    setAttempted(false);
  }

  function edit(row: Notification) {
    start(row);
    setBegun((times) => times + 1);
  }

  function attempt() {
    clear();
    setAttempted(true);
  }

  /** Saving an unchanged notification is a mistake. */
  async function submit(valid: Values) {
    attempt();
    const sent = { ...draft, values: valid };
    if (!draft.editing && !isChanged(sent)) setAsked({ about: 'draft', values: valid });
    else if (isForEveryone(sent)) setAsked({ about: 'everyone', sent });
    else await storeDraft(sent);
  }

  const store = (valid: Values) => storeDraft({ ...draft, values: valid });

  async function storeDraft(sent: Draft) {
    setTheirs(null);
    try {
      const saved = await save(sent);
      start(null);
      announce(
        'success',
        sent.editing ? 'Notification updated.' : 'Notification Created.',
        whatFollows(saved),
      );
    } catch (error) {
      if (getConflict(error)) await askWhose(sent);
      else if (sent.editing && findProblem(error).status === notFound) keepAsNew();
      else showProblem(error);
    }
  }

  async function askWhose({ editing }: Draft) {
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
    setDraft({ ...draft, editing: null });
    showServerProblems(form, keptAsNew);
  }

  function rebase(stored: Notification, mineToo: boolean): Draft {
    const next = rebaseDraft(current, stored, mineToo);
    setTheirs(null);
    setDraft(next);
    form.reset(next.values);
    return next;
  }

  function showProblem(error: unknown) {
    const { status, message, fields } = findProblem(error);
    const elsewhere = fields.find(({ path }) => !(path in draft.values));
    showServerProblems(
      form,
      elsewhere?.message ?? (status === conflict ? message : genericError),
      fields.map((field) => ({ ...field, message: `Error: ${field.message}` })),
    );
  }

  async function confirmed(answered: Asked) {
    if (answered.about === 'draft') {
      setAsked(null);
      return store(answered.values);
    }
    if (answered.about === 'everyone') {
      setAsked(null);
      return storeDraft(answered.sent);
    }
    const { about, row } = answered;
    if (about === 'edit') {
      setAsked(null);
      return edit(row);
    }
    try {
      await (about === 'delete' ? removal : unpublishing).mutateAsync(row);
      setAsked(null);
      const rows = (await notifications.refetch()).data?.rows ?? [];
      const isRow = (other: Notification | null) => other?.wcp_notification_id === row.wcp_notification_id;
      const left = rows.find(isRow) ?? null;
      // The form follows its notification's changes. Input for one that still exists stays.
      if (isRow(draft.editing)) {
        form.clearErrors();
        if (left && isChanged(current)) setDraft({ ...draft, editing: left });
        else start(left);
      }
      if (about === 'delete') announce('success', 'Notification deleted.', `“${row.name}” was deleted.`);
      else announce('success', 'Notification updated.', `“${row.name}” was recalled from its recipients.`);
    } catch (error) {
      setAsked(null);
      const { status, message } = findProblem(error);
      announce(
        'error',
        status === notFound ? `Error: ${deleted}` : genericError,
        status === conflict ? message : undefined,
      );
    }
  }

  return (
    <>
      <AnnouncementBanner announcement={announcement} />
      <NotificationForm
        form={form}
        draft={current}
        heading={heading}
        onSave={submit}
        attempted={attempted}
        onInvalid={attempt}
        onRecipients={async () => {
          await keep(current);
          // The draft moves to the next screen.
          await navigate({
            to: '/ManageRecipients',
            state: await encryptDraft(current),
            ignoreBlocker: true,
          });
        }}
        conflict={
          theirs && (
            <Conflict
              differences={differences(current, theirs)}
              busy={isSaving}
              onTheirs={() => {
                rebase(theirs, false);
                heading.current?.focus();
              }}
              onMine={() => {
                const next = rebase(theirs, true);
                void form.handleSubmit((values) => storeDraft({ ...next, values }), attempt)();
              }}
            />
          )
        }
        onReset={() => start(draft.editing)}
        onCancel={() => start(null)}
      />
      {typeof limitedTo === 'number' && (
        <Banner kind="info">{`There are more notifications. This list shows the newest ${formatCount(limitedTo)}.`}</Banner>
      )}
      <DataTable
        title="All Notifications"
        columns={notificationColumns}
        rows={notifications.data?.rows ?? []}
        rowId={({ wcp_notification_id }) => String(wcp_notification_id)}
        rowLabel={({ name }) => name}
        menu={ActionMenu}
        rowActions={(row) => [
          {
            label: 'EDIT',
            onSelect: () => (isChanged(current) ? setAsked({ about: 'edit', row }) : edit(row)),
          },
          row.status === 'SENT'
            ? { label: 'UN-PUBLISH', onSelect: () => setAsked({ about: 'unpublish', row }) }
            : { label: 'DELETE', onSelect: () => setAsked({ about: 'delete', row }) },
        ]}
        initial={{ sort: { id: 'lastUpdate', desc: true } }}
        status={
          notifications.isError
            ? notifications.data
              ? 'stale'
              : 'failed'
            : notifications.isPending
              ? 'loading'
              : 'ready'
        }
        failure={genericError}
        onRetry={() => void notifications.refetch()}
        empty="No notifications yet. Create the first one above."
      />
      {asked && (
        <ConfirmDialog
          open
          title={questions[asked.about]}
          confirmLabel="CONTINUE"
          verb={verbs[asked.about]}
          cancelLabel="CANCEL"
          busy={removal.isPending || unpublishing.isPending}
          onConfirm={() => void confirmed(asked)}
          onCancel={() => setAsked(null)}
        >
          <p>
            <strong>{formatName(asked)}</strong>
          </p>
          {asked.about === 'everyone' && <Everyone draft={asked.sent} />}
        </ConfirmDialog>
      )}
    </>
  );
}

const formatName = (asked: Asked) =>
  asked.about === 'draft'
    ? defaultName
    : asked.about === 'everyone'
      ? asked.sent.values.name || defaultName
      : asked.row.name;

/** The number of users, and when it's sent. */
function Everyone({ draft: { audience, values } }: { draft: Draft }) {
  const { data } = useAudienceCount(audience);
  return (
    <p>
      {data && `${capitalize(describeMatches(data.count))}. `}
      {`It will be sent ${describeSendTime(parseDate(values.sendDt) ?? '')}.`}
    </p>
  );
}

const verbs: Record<Asked['about'], string> = {
  draft: 'create',
  everyone: 'send',
  edit: 'edit',
  unpublish: 'un-publish',
  delete: 'delete',
};

const questions: Record<Asked['about'], string> = {
  draft: 'The form is blank. CREATE NOTIFICATION will save an empty draft. Do you want to continue?',
  everyone: 'This notification will go to every user. Do you want to continue?',
  edit: 'EDIT will discard your unsaved changes on the form. Do you want to continue?',
  delete: 'DELETE will remove this notification. Do you want to continue?',
  unpublish: 'UN-PUBLISH will recall this notification from its recipients. Do you want to continue?',
};

function whatFollows({ name, status, sendDt }: Notification): string {
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

/** Another user was faster, or the notification has been sent. The server says which. */
const conflict = 409;

const notFound = 404;
const deleted = 'Another administrator deleted this notification.';
const keptAsNew = `Error: ${deleted} Your entries are still here. Create a new notification, or reset the form.`;

const findProblem = (error: unknown): Problem =>
  error instanceof Problem ? error : new Problem(0, '', String(error));
