import { zodResolver } from '@hookform/resolvers/zod';
import { Navigate, useNavigate } from '@tanstack/react-router';
import { type ReactNode, Suspense, useEffect, useMemo, useRef, useState } from 'react';
import { useForm } from 'react-hook-form';
import { Problem } from '@/api/client';
import { useSession } from '@/api/session';
import type { UserRow } from '@/shared/accounts';
import { parseCriteria, useSearchState } from '@/shared/historyState';
import * as paths from '@/shared/paths';
import { useUnsavedChanges } from '@/shared/UnsavedChangesGuard';
import { Banner } from '@/ui/Banner';
import { Button } from '@/ui/Button';
import { showServerProblems } from '@/ui/form/FormBanner';
import { RadioGroupInput } from '@/ui/form/inputs';
import { lazyPart } from '@/ui/lazyPart';
import { Loading, NotPermitted } from '@/ui/PageState';
import { DataTable } from '@/ui/table/DataTable';
import {
  audienceSchema,
  describeAudience,
  isSameAudience,
  toAudience,
  toValues,
  type Values,
} from './audience';
import { byUserName, formatName, type Recipient, recipientColumns } from './columns';
import { criteriaSchema } from './criteria';
import { type Draft, encryptDraft, isChanged, useDraft } from './draft';
import { formatRecipientCount } from './notification';
import styles from './notifications.module.css';
import { useAudienceCount, useRecipients } from './queries';
import { type Adding, Outcome, RecipientSearch } from './RecipientSearch';

// Few notifications go to everyone who matches.
const [AudienceForm, usePreloadForm] = lazyPart(async () => (await import('./AudienceForm')).AudienceForm);

export default function ManageRecipientsPage() {
  const { can } = useSession();
  const { pending, found, store } = useDraft();
  if (!can('notifications.manage'))
    return (
      <div className="page">
        <h1>Manage Notification Recipients</h1>
        <NotPermitted />
      </div>
    );
  if (pending) return <Loading />;
  // Without a notification there are no recipients to manage.
  if (!found) return <Navigate to={paths.notifications} replace />;
  return <Recipients stored={found} store={store} />;
}

const formatLabel = (row: Recipient) => formatName(row);

const choosing: Adding = { button: 'ADD SELECTED', done: 'added', header: 'Recipient', mark: 'Selected' };
const leavingOut: Adding = {
  button: 'EXCLUDE SELECTED',
  done: 'excluded',
  header: 'Excluded',
  mark: 'Excluded',
};

const sendOptions = [
  { value: 'chosen', label: 'Selected users' },
  { value: 'matching', label: 'Everyone who matches' },
];

function Recipients({ stored, store }: { stored: Draft; store: (draft: Draft) => Promise<void> }) {
  usePreloadForm();
  const navigate = useNavigate();
  const [draft, setDraft] = useState(stored);
  const [added, setAdded] = useState<readonly UserRow[]>([]);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [message, setMessage] = useState<ReactNode>(null);
  const { can } = useSession();
  const { audience } = draft;
  const criteria = useCriteria(draft, change);
  const isTyping = audience !== null && criteria.form.formState.isDirty;
  // The notification's screen gets the draft, but not the criteria that are still being typed.
  useUnsavedChanges(isChanged(draft), paths.notifications);
  useUnsavedChanges(isTyping);
  const found = useRecipients(useMemo(() => listAllUsers(stored), [stored]));
  const searching = useSearchState(read, byUserName);
  const [open, setOpen] = useState(searching.search !== null);
  const { opener, panel, byHand } = usePanelFocus(open);
  const sent = draft.editing?.status === 'SENT';
  const name = draft.values.name ? `“${draft.values.name}”` : 'the new notification';
  const listed = audience ? (audience.excluded ?? noUserIds) : draft.recipients;
  const chosen = useMemo(() => new Set(listed), [listed]);

  const rows = useMemo(() => {
    const users = new Map([...found.users, ...added].map((user) => [user.id, user]));
    const known = listed.map((id) => ({ id, user: users.get(id) ?? null }));
    // Missing users may still be loading.
    return found.isPending || found.isError ? known.filter(({ user }) => user) : known;
  }, [listed, found.users, found.isPending, found.isError, added]);
  const missing = rows.filter(({ user }) => !user).length;
  const ended = sent || audience ? 0 : rows.filter(({ user }) => user?.statusCd === 'TERM').length;

  function change(part: Partial<Draft>) {
    const next = { ...draft, ...part };
    setDraft(next);
    void store(next);
    return next;
  }

  const list = (ids: number[]) =>
    change(audience ? { audience: toAudience(toValues(audience), ids) } : { recipients: ids });

  const close = async (left: Draft) =>
    navigate({ to: paths.notifications, state: await encryptDraft(left), ignoreBlocker: true });

  function changeSendOption(way: string) {
    show(false);
    setSelected(new Set());
    change({ audience: way === 'matching' ? criteria.applied() : null });
  }

  function add(users: readonly UserRow[]) {
    const fresh = users.filter(({ id }) => !chosen.has(id));
    setAdded((before) => [...before, ...fresh]);
    list([...listed, ...fresh.map(({ id }) => id)]);
    return fresh.length;
  }

  function remove() {
    list(listed.filter((id) => !selected.has(String(id))));
    setMessage(
      <Outcome key={Date.now()} done={audience ? 'included again' : 'removed'} count={selected.size} />,
    );
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
              ? `Recipients of ${name}.`
              : `Recipients of ${name}. Select ${draft.editing ? 'UPDATE' : 'CREATE'} NOTIFICATION to save them.`}
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
              onClick={
                audience && !sent
                  ? criteria.form.handleSubmit((values) => close(criteria.apply(values)))
                  : () => close(draft)
              }
            >
              CLOSE
            </Button>
          </div>
        )}
      </header>
      {sent && <Banner kind="info">This notification was sent, so you can't change its recipients.</Banner>}
      {can('announcements.manage') && !sent && (
        <RadioGroupInput
          label="Send to"
          name="way"
          options={sendOptions}
          value={audience ? 'matching' : 'chosen'}
          onChange={changeSendOption}
        />
      )}
      {audience &&
        (sent ? (
          <p>{`Sent to everyone who matched: ${describeAudience(audience)}.`}</p>
        ) : (
          <Suspense fallback={<Loading />}>
            <AudienceForm
              form={criteria.form}
              audience={audience}
              counted={criteria.counted}
              onCount={criteria.apply}
            />
          </Suspense>
        ))}
      {open && !sent && (
        <RecipientSearch
          searching={searching}
          heading={panel}
          chosen={chosen}
          adding={audience ? leavingOut : choosing}
          onAdd={add}
          onClose={() => show(false)}
        />
      )}
      <DataTable
        title={audience ? 'Excluded Recipients' : 'Selected Recipients'}
        columns={recipientColumns}
        rows={rows}
        rowId={({ id }) => String(id)}
        initial={byUserName}
        selection={
          sent ? undefined : { selected, onChange: setSelected, label: formatLabel, allLabel: 'SELECT ALL' }
        }
        toolbar={
          !sent && (
            <Button disabled={rows.length === 0} onClick={remove}>
              REMOVE SELECTED
            </Button>
          )
        }
        notice={
          (missing > 0 || ended > 0 || message) && (
            <div className={styles.notices}>
              {missing > 0 && (
                <Banner kind="warning">
                  {`${formatRecipientCount(missing)} no longer found.${sent ? '' : ' Remove them to save the notification.'}`}
                </Banner>
              )}
              {ended > 0 && (
                <Banner kind="warning">
                  {`${formatRecipientCount(ended)} can't get it because ${ended === 1 ? 'the account is' : 'their accounts are'} terminated.`}
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
          audience
            ? sent
              ? 'No users excluded.'
              : 'No users excluded yet. Use SEARCH RECIPIENTS to exclude users.'
            : sent
              ? 'No recipients.'
              : 'No recipients yet. Use SEARCH RECIPIENTS to add them.'
        }
      />
    </div>
  );
}

const noUserIds: readonly number[] = [];

/** Recipients and excluded users. They can move from one list to the other. */
const listAllUsers = ({ recipients, audience }: Draft) => [
  ...new Set([...recipients, ...(audience?.excluded ?? noUserIds)]),
];

/** The audience's form, and its number of users. */
function useCriteria({ audience, editing }: Draft, change: (part: Partial<Draft>) => Draft) {
  const form = useForm<Values>({
    resolver: zodResolver(audienceSchema),
    shouldFocusError: false,
    defaultValues: toValues(audience ?? {}),
  });
  const { data, isFetching, error, refetch } = useAudienceCount(editing?.status === 'SENT' ? null : audience);
  const excluded = useRef(audience?.excluded);
  useEffect(() => {
    if (audience) excluded.current = audience.excluded;
  }, [audience]);
  useEffect(() => {
    if (error) showServerProblems(form, error.message, error instanceof Problem ? error.fields : []);
  }, [error, form]);
  return {
    form,
    // Read here, because React Query doesn't rerender for unread fields and the form may load
    // after the response.
    counted: { data, isFetching },
    /** Restores the criteria and excluded users after a switch to individual recipients and back. */
    applied() {
      form.reset();
      return toAudience(form.getValues(), excluded.current);
    },
    apply(values: Values) {
      form.reset(values);
      const criteria = toAudience(values, audience?.excluded);
      if (isSameAudience(criteria, audience)) void refetch();
      return change({ audience: criteria });
    },
  };
}

/** Moves the focus to the search when it opens, and back to its button. */
function usePanelFocus(open: boolean) {
  const opener = useRef<HTMLButtonElement>(null);
  const panel = useRef<HTMLHeadingElement>(null);
  const byHand = useRef(false);
  useEffect(() => {
    if (byHand.current) (open ? panel : opener).current?.focus();
  }, [open]);
  return { opener, panel, byHand };
}

const read = parseCriteria(criteriaSchema);
