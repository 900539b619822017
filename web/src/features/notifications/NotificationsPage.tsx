import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useSession } from '@/api/session';
import { Conflict } from '@/shared/Conflict';
import * as paths from '@/shared/paths';
import { AnnouncementBanner, useAnnouncement } from '@/ui/Announcement';
import { Loading, NotPermitted } from '@/ui/PageState';
import { useSaveDraft, useWithdraw } from './actions';
import { type Action, ConfirmAction } from './ConfirmAction';
import { type Draft, encryptDraft, findDifferences, isChanged, isForEveryone, useDraft } from './draft';
import { NotificationForm } from './NotificationForm';
import { NotificationTable } from './NotificationTable';
import type { Notification } from './notification';
import { useNotifications } from './queries';
import { useDraftForm } from './useDraftForm';

export default function NotificationsPage() {
  const { can } = useSession();
  const { pending, found, store } = useDraft();
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
        <Notifications stored={found} store={store} />
      )}
    </div>
  );
}

interface Props {
  stored: Draft | null;
  store: (draft: Draft) => Promise<void>;
}

function Notifications({ stored, store }: Props) {
  const navigate = useNavigate();
  const draftForm = useDraftForm(stored, store);
  const { form, draft, current, theirs, attempted, setAttempted, rebase } = draftForm;
  const notifications = useNotifications();
  const { announcement, announce, clear } = useAnnouncement();
  const { save, isSaving } = useSaveDraft(draftForm, notifications, announce);
  const { withdraw, isWithdrawing } = useWithdraw(draftForm, notifications, announce);
  const [action, setAction] = useState<Action | null>(null);
  const [edits, setEdits] = useState(0);
  const heading = useRef<HTMLHeadingElement>(null);

  useEffect(() => {
    if (edits > 0) heading.current?.focus();
  }, [edits]);

  function start(editing: Notification | null) {
    draftForm.start(editing);
    clear();
  }

  function edit(row: Notification) {
    start(row);
    setEdits((times) => times + 1);
  }

  function attempt() {
    clear();
    setAttempted(true);
  }

  /** Saving an unchanged notification is a mistake. */
  async function submit(sent: Draft) {
    attempt();
    if (!sent.editing && !isChanged(sent)) setAction({ kind: 'draft', values: sent.values });
    else if (isForEveryone(sent)) setAction({ kind: 'everyone', sent });
    else await save(sent);
  }

  async function run(confirmed: Action) {
    const close = () => setAction(null);
    if ('row' in confirmed && confirmed.kind !== 'edit')
      return withdraw(confirmed.kind, confirmed.row, close);
    close();
    if ('row' in confirmed) edit(confirmed.row);
    else await save(confirmed.kind === 'draft' ? { ...draft, values: confirmed.values } : confirmed.sent);
  }

  return (
    <>
      <AnnouncementBanner announcement={announcement} />
      <NotificationForm
        form={form}
        draft={current}
        heading={heading}
        onSave={(values) => submit({ ...draft, values })}
        isSaving={isSaving}
        attempted={attempted}
        onInvalid={attempt}
        onRecipients={async () => {
          await store(current);
          // The draft moves to the next screen.
          await navigate({
            to: paths.manageRecipients,
            state: await encryptDraft(current),
            ignoreBlocker: true,
          });
        }}
        conflict={
          theirs && (
            <Conflict
              differences={findDifferences(current, theirs)}
              busy={isSaving}
              onTheirs={() => {
                rebase(theirs, false);
                heading.current?.focus();
              }}
              onMine={() => {
                const next = rebase(theirs, true);
                void form.handleSubmit((values) => submit({ ...next, values }), attempt)();
              }}
            />
          )
        }
        onReset={() => start(draft.editing)}
        onCancel={() => start(null)}
      />
      <NotificationTable
        notifications={notifications}
        disabled={isSaving}
        onEdit={(row) => (isChanged(current) ? setAction({ kind: 'edit', row }) : edit(row))}
        onDelete={(row) => setAction({ kind: 'delete', row })}
        onUnpublish={(row) => setAction({ kind: 'unpublish', row })}
      />
      {action && (
        <ConfirmAction
          action={action}
          busy={isWithdrawing}
          onConfirm={() => void run(action)}
          onCancel={() => setAction(null)}
        />
      )}
    </>
  );
}
