import { useState } from 'react';
import { useSession } from '@/api/session';
import { toProblem } from '@/shared/apiError';
import { errorMessage } from '@/shared/errorMessage';
import { Button } from '@/ui/Button';
import { Chip } from '@/ui/Chip';
import { ConfirmDialog } from '@/ui/Dialog';
import { formatLocalDateTime } from '@/ui/dates';
import { SelectInput, TextInput } from '@/ui/form/inputs';
import { findLengthProblem, line } from '@/ui/form/kinds';
import { Failed, Loading } from '@/ui/PageState';
import { toast } from '@/ui/Toasts';
import { DataTable } from '@/ui/table/DataTable';
import { type Column, createTableState } from '@/ui/table/state';
import styles from './accesslog.module.css';
import { type Request, type Settings, useAnswer, useRequests, useSetSettings, useSettings } from './queries';

const showFailure = (error: unknown) =>
  toast.error(errorMessage(error, "Error: Couldn't save your changes. Try again."));

/** The group's setting for network access, and the requests from network staff. */
export function AccessApproval() {
  const { data, isPending, refetch } = useSettings();
  if (isPending) return <Loading />;
  if (!data) return <Failed onRetry={() => void refetch()} />;
  return (
    <>
      <Choices settings={data} />
      <Requests />
    </>
  );
}

const mails = [
  { value: 'weekly', label: 'Weekly, in the bill updates email' },
  { value: 'at-once', label: 'Email right away' },
  { value: 'never', label: 'Never' },
];

function Choices({ settings }: { settings: Settings }) {
  const { mirroredUser } = useSession();
  const { mutate, isPending } = useSetSettings();
  const [switching, setSwitching] = useState(false);
  const { asksFirst } = settings;
  const save = (change: Partial<Settings>) =>
    mutate(
      { ...settings, ...change },
      {
        onSuccess: () => toast.success('Settings saved'),
        onError: showFailure,
        onSettled: () => setSwitching(false),
      },
    );
  return (
    <section className={`card ${styles.choices}`} aria-labelledby="choices">
      <h2 id="choices">Access settings</h2>
      <SelectInput
        label="Notify administrators when network staff use an account"
        value={settings.mails}
        disabled={isPending || mirroredUser !== undefined}
        options={mails}
        onChange={({ target }) => save({ mails: target.value as Settings['mails'] })}
      />
      <p>
        <strong>{asksFirst ? 'Approval required.' : 'Approval not required.'}</strong>{' '}
        {asksFirst
          ? 'Network staff must request access before using one of your accounts. You can approve it for 60 minutes or decline.'
          : 'You can require approval before network staff use one of your accounts.'}{' '}
        In an emergency, a system administrator can override this. We'll notify you right away.
      </p>
      {!mirroredUser && (
        <div>
          <Button onClick={() => setSwitching(true)}>
            {asksFirst ? 'Stop requiring approval' : 'Require approval'}
          </Button>
        </div>
      )}
      <ConfirmDialog
        open={switching}
        title={asksFirst ? 'Stop requiring approval?' : 'Require approval for network access?'}
        confirmLabel={asksFirst ? 'Stop requiring approval' : 'Require approval'}
        cancelLabel="Cancel"
        busy={isPending}
        onConfirm={() => save({ asksFirst: !asksFirst })}
        onCancel={() => setSwitching(false)}
      >
        <p>
          {asksFirst
            ? "Pending requests will be canceled. We'll notify your other administrators."
            : "An administrator must approve access before network staff can help a caller from your office. We'll notify your other administrators."}
        </p>
      </ConfirmDialog>
    </section>
  );
}

const states = {
  ASKED: ['Pending', 'warning'],
  APPROVED: ['Approved', 'success'],
  REFUSED: ['Declined', 'neutral'],
  EXPIRED: ['Expired', 'neutral'],
  NEEDLESS: ['No longer needed', 'neutral'],
  OVERRIDE: ['Emergency override', 'warning'],
} as const;

const plain = { sortable: false, filterable: false } as const;

const readOnly: Column<Request>[] = [
  {
    id: 'asked',
    header: 'Requested',
    lead: true,
    value: ({ askedAt }) => askedAt,
    text: ({ askedAt }) => formatLocalDateTime(askedAt),
  },
  { id: 'who', header: 'Network user', value: ({ who }) => who },
  { id: 'whom', header: 'Access as', value: ({ whom }) => whom },
  {
    ...plain,
    id: 'reason',
    header: 'Reason',
    value: ({ reason }) => reason || 'No reason given',
    wrap: true,
    minWidth: '9rem',
  },
  {
    ...plain,
    id: 'state',
    header: 'State',
    value: ({ state }) => states[state][0],
    cell: ({ state }) => <Chip kind={states[state][1]}>{states[state][0]}</Chip>,
  },
  {
    ...plain,
    id: 'answer',
    header: 'Decision',
    value: ({ answeredBy, words, until }) =>
      [answeredBy, words, until && `until ${formatLocalDateTime(until)}`].filter(Boolean).join(' · '),
    wrap: true,
    minWidth: '9rem',
  },
];

function Requests() {
  const { mirroredUser } = useSession();
  const [table, setTable] = useState(() => createTableState());
  const [refused, setRefused] = useState<Request | null>(null);
  const { shown } = useRequests(table);
  const { mutate, isPending, variables } = useAnswer();
  const columns: Column<Request>[] = mirroredUser
    ? readOnly
    : [
        ...readOnly,
        {
          ...plain,
          id: 'decide',
          header: 'Your decision',
          value: () => '',
          exported: false,
          cell: (request) =>
            request.state === 'ASKED' && (
              <span className="button-row">
                <Button
                  size="small"
                  variant="primary"
                  busy={isPending && variables.id === request.id}
                  onClick={() =>
                    mutate(
                      { id: request.id, agree: true },
                      {
                        onSuccess: () => toast.success('Access approved for 60 minutes'),
                        onError: showFailure,
                      },
                    )
                  }
                >
                  Approve<span className="visually-hidden"> the request from {request.who}</span>
                </Button>
                <Button size="small" onClick={() => setRefused(request)}>
                  Decline<span className="visually-hidden"> the request from {request.who}</span>
                </Button>
              </span>
            ),
        },
      ];
  return (
    <>
      <DataTable
        title="Access requests"
        columns={columns}
        {...shown}
        rowId={({ id }) => String(id)}
        controlled={{ state: table, onChange: setTable }}
        empty="No access requests yet."
      />
      {refused && <DeclineDialog request={refused} onClose={() => setRefused(null)} />}
    </>
  );
}

const wordsKind = line(200);

/** Statuses of a request that was deleted, or is no longer pending. */
const decided = [404, 409];

function DeclineDialog({ request, onClose }: { request: Request; onClose: () => void }) {
  const [words, setWords] = useState('');
  const [sent, setSent] = useState<string>();
  const { mutate, isPending } = useAnswer();
  const wrong = findLengthProblem(wordsKind, words) ?? sent;
  const decline = () =>
    mutate(
      { id: request.id, agree: false, words },
      {
        onSuccess: () => {
          toast.success('Access request declined');
          onClose();
        },
        onError: (error) => {
          const { fields, status } = toProblem(error);
          const wordsProblem = fields.find(({ path }) => path === 'words')?.message;
          if (wordsProblem) return setSent(`Error: ${wordsProblem}.`);
          showFailure(error);
          if (decided.includes(status)) onClose();
        },
      },
    );
  return (
    <ConfirmDialog
      open
      title={`Decline the request from ${request.who}?`}
      confirmLabel="Decline"
      cancelLabel="Cancel"
      busy={isPending}
      onConfirm={() => {
        if (!findLengthProblem(wordsKind, words)) decline();
      }}
      onCancel={onClose}
    >
      <TextInput
        label="Note"
        hint="Optional. Shown to the person who asked."
        value={words}
        error={wrong}
        onChange={({ target }) => {
          setWords(target.value);
          setSent(undefined);
        }}
      />
    </ConfirmDialog>
  );
}
