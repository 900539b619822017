import { Navigate, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { useSession } from '@/api/session';
import { useKeptSearch } from '@/shared/keptSearch';
import type { UserRow } from '@/shared/navigation';
import { Banner } from '@/ui/Banner';
import { Button } from '@/ui/Button';
import { Loading, NotPermitted } from '@/ui/PageState';
import { DataTable } from '@/ui/table/DataTable';
import { byUserName, nameOf, type Recipient, recipientColumns } from './columns';
import { type Criteria, criteriaSchema } from './criteria';
import { type Draft, draftStateOf, useDraft } from './draft';
import { recipientCount } from './notification';
import styles from './notifications.module.css';
import { useRecipients } from './queries';
import { Outcome, RecipientSearch } from './RecipientSearch';

export default function ManageRecipientsPage() {
  const { can } = useSession();
  const { pending, found, keep } = useDraft();
  if (!can('notifications.manage'))
    return (
      <div className="page">
        <h1>Manage Notification Recipients</h1>
        <NotPermitted />
      </div>
    );
  if (pending) return <Loading />;
  // The recipients of no notification are nothing to manage.
  if (!found) return <Navigate to="/Notifications" replace />;
  return <Recipients kept={found} keep={keep} />;
}

const label = (row: Recipient) => nameOf(row);

function Recipients({ kept, keep }: { kept: Draft; keep: (draft: Draft) => Promise<void> }) {
  const navigate = useNavigate();
  const [draft, setDraft] = useState(kept);
  const [added, setAdded] = useState<readonly UserRow[]>([]);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [message, setMessage] = useState<ReactNode>(null);
  const found = useRecipients(kept.recipients);
  const searching = useKeptSearch(read, byUserName);
  const [open, setOpen] = useState(searching.search !== null);
  const { opener, panel, byHand } = useFocusOn(open);
  const sent = draft.editing?.status === 'SENT';
  const name = draft.values.name ? `“${draft.values.name}”` : 'the new notification';
  const chosen = useMemo(() => new Set(draft.recipients), [draft]);

  const rows = useMemo(() => {
    const users = new Map([...found.users, ...added].map((user) => [user.id, user]));
    const known = draft.recipients.map((id) => ({ id, user: users.get(id) ?? null }));
    // Who is not there yet may still come.
    return found.isPending || found.isError ? known.filter(({ user }) => user) : known;
  }, [draft, found.users, found.isPending, found.isError, added]);
  const gone = rows.filter(({ user }) => !user).length;

  function change(recipients: readonly number[]) {
    const next = { ...draft, recipients };
    setDraft(next);
    void keep(next);
  }

  function add(users: readonly UserRow[]) {
    const fresh = users.filter(({ id }) => !chosen.has(id));
    setAdded((before) => [...before, ...fresh]);
    change([...draft.recipients, ...fresh.map(({ id }) => id)]);
    return fresh.length;
  }

  function remove() {
    change(draft.recipients.filter((id) => !selected.has(String(id))));
    setMessage(<Outcome key={Date.now()} done="removed" count={selected.size} />);
    setSelected(new Set());
  }

  function show(search: boolean) {
    byHand.current = true;
    setMessage(null);
    setOpen(search);
    if (!search) searching.clear();
  }

  return (
    <div className="page">
      <header className={styles.head}>
        <div>
          <h1>Manage Notification Recipients</h1>
          <p className="page-lead">
            {sent
              ? `Who was sent ${name}.`
              : `Who gets ${name}. ${draft.editing ? 'UPDATE' : 'CREATE'} NOTIFICATION saves them with it.`}
          </p>
        </div>
        {!open && (
          <div className="button-row">
            {!sent && (
              <Button ref={opener} variant="primary" onClick={() => show(true)}>
                SEARCH RECIPIENTS
              </Button>
            )}
            <Button
              onClick={async () => navigate({ to: '/Notifications', state: await draftStateOf(draft) })}
            >
              CLOSE
            </Button>
          </div>
        )}
      </header>
      {sent && (
        <Banner kind="info">This notification has been sent, so its recipients cannot be changed.</Banner>
      )}
      {open && !sent && (
        <RecipientSearch
          searching={searching}
          heading={panel}
          chosen={chosen}
          onAdd={add}
          onClose={() => show(false)}
        />
      )}
      <DataTable
        title="Chosen Recipients"
        columns={recipientColumns}
        rows={rows}
        rowId={({ id }) => String(id)}
        initial={byUserName}
        selection={sent ? undefined : { selected, onChange: setSelected, label, allLabel: 'SELECT ALL' }}
        toolbar={
          !sent && (
            <Button disabled={rows.length === 0} onClick={remove}>
              REMOVE SELECTED
            </Button>
          )
        }
        notice={
          (gone > 0 || message) && (
            <div className={styles.notices}>
              {gone > 0 && (
                <Banner kind="warning">
                  {`${recipientCount(gone)} cannot be found any more. Remove them, or the notification cannot be saved.`}
                </Banner>
              )}
              {message}
            </div>
          )
        }
        status={
          found.isError ? (rows.length > 0 ? 'stale' : 'failed') : found.isPending ? 'loading' : 'ready'
        }
        onRetry={found.refetch}
        empty={
          sent ? 'There are no recipients.' : 'Nobody is chosen yet. SEARCH RECIPIENTS finds whom to add.'
        }
      />
    </div>
  );
}

/** Takes the focus into the search when it is opened, and back to its button. */
function useFocusOn(open: boolean) {
  const opener = useRef<HTMLButtonElement>(null);
  const panel = useRef<HTMLHeadingElement>(null);
  const byHand = useRef(false);
  useEffect(() => {
    if (byHand.current) (open ? panel : opener).current?.focus();
  }, [open]);
  return { opener, panel, byHand };
}

function read(kept: unknown): Criteria | null {
  const criteria = criteriaSchema.safeParse(kept);
  return criteria.success ? criteria.data : null;
}
