import { useState } from 'react';
import { useSession } from '@/api/session';
import { refusal } from '@/shared/refusal';
import { whyFailed } from '@/shared/whyFailed';
import { Button } from '@/ui/Button';
import { Chip } from '@/ui/Chip';
import { ConfirmDialog } from '@/ui/Dialog';
import { formatMoment } from '@/ui/dates';
import { SelectInput, TextInput } from '@/ui/form/inputs';
import { lengthProblem, line } from '@/ui/form/kinds';
import { Failed, Loading } from '@/ui/PageState';
import { toast } from '@/ui/Toasts';
import { DataTable } from '@/ui/table/DataTable';
import { type Column, tableState } from '@/ui/table/state';
import { type Request, type Settings, useAnswer, useRequests, useSetSettings, useSettings } from './queries';
import styles from './visits.module.css';

const tellFailure = (error: unknown) =>
  toast.error(whyFailed(error, 'Error: It could not be saved. Please try again.'));

/** What the group has chosen about the network's staff, and what they asked. */
export function AskFirst() {
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
  { value: 'weekly', label: 'A line in the first news mail of a week' },
  { value: 'at-once', label: 'A mail at once' },
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
        onSuccess: () => toast.success('Saved for your group.'),
        onError: tellFailure,
        onSettled: () => setSwitching(false),
      },
    );
  return (
    <section className={`card ${styles.choices}`} aria-labelledby="choices">
      <h2 id="choices">What your group wants</h2>
      <SelectInput
        label="Tell administrators when the network acted as a user"
        value={settings.mails}
        disabled={isPending || mirroredUser !== undefined}
        options={mails}
        onChange={({ target }) => save({ mails: target.value as Settings['mails'] })}
      />
      <p>
        <strong>{asksFirst ? 'The network must ask you first.' : 'The network need not ask you.'}</strong>{' '}
        {asksFirst
          ? 'Before one of its staff acts as a user of your group they ask, and you agree for 60 minutes or refuse.'
          : 'You can have it ask before it acts as a user of your group.'}{' '}
        In an emergency a system administrator can go in without an answer; you are told at once.
      </p>
      {!mirroredUser && (
        <div>
          <Button onClick={() => setSwitching(true)}>{asksFirst ? 'Ask us no more' : 'Ask us first'}</Button>
        </div>
      )}
      <ConfirmDialog
        open={switching}
        title={asksFirst ? 'Let the network act as users without asking?' : 'Have the network ask you first?'}
        confirmLabel={asksFirst ? 'Ask us no more' : 'Ask us first'}
        cancelLabel="Cancel"
        busy={isPending}
        onConfirm={() => save({ asksFirst: !asksFirst })}
        onCancel={() => setSwitching(false)}
      >
        <p>
          {asksFirst
            ? 'What waits for an answer need not be answered any more. The other administrators are told.'
            : 'When somebody of your office calls for help, an administrator has to agree before the network can see what they see. The other administrators are told.'}
        </p>
      </ConfirmDialog>
    </section>
  );
}

const states = {
  ASKED: ['Waits for you', 'warning'],
  APPROVED: ['Agreed', 'success'],
  REFUSED: ['Refused', 'neutral'],
  EXPIRED: ['Expired', 'neutral'],
  NEEDLESS: ['Not needed any more', 'neutral'],
  OVERRIDE: ['Went in without an answer', 'warning'],
} as const;

const plain = { sortable: false, filterable: false } as const;

const readOnly: Column<Request>[] = [
  {
    id: 'asked',
    header: 'Asked',
    lead: true,
    value: ({ askedAt }) => askedAt,
    text: ({ askedAt }) => formatMoment(askedAt),
  },
  { id: 'who', header: 'Who', value: ({ who }) => who },
  { id: 'whom', header: 'To act as', value: ({ whom }) => whom },
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
    header: 'Answer',
    value: ({ answeredBy, words, until }) =>
      [answeredBy, words, until && `until ${formatMoment(until)}`].filter(Boolean).join(' · '),
    wrap: true,
    minWidth: '9rem',
  },
];

function Requests() {
  const { mirroredUser } = useSession();
  const [table, setTable] = useState(() => tableState());
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
          header: 'Your answer',
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
                      { onSuccess: () => toast.success('Agreed for 60 minutes.'), onError: tellFailure },
                    )
                  }
                >
                  Agree<span className="visually-hidden"> to the request of {request.who}</span>
                </Button>
                <Button size="small" onClick={() => setRefused(request)}>
                  Refuse<span className="visually-hidden"> the request of {request.who}</span>
                </Button>
              </span>
            ),
        },
      ];
  return (
    <>
      <DataTable
        title="Requests of the network"
        columns={columns}
        {...shown}
        rowId={({ id }) => String(id)}
        state={table}
        onStateChange={setTable}
        empty="Nobody has asked."
      />
      {refused && <RefuseDialog request={refused} onClose={() => setRefused(null)} />}
    </>
  );
}

const wordsKind = line(200);

function RefuseDialog({ request, onClose }: { request: Request; onClose: () => void }) {
  const [words, setWords] = useState('');
  const [sent, setSent] = useState<string>();
  const { mutate, isPending } = useAnswer();
  const wrong = lengthProblem(wordsKind, words) ?? sent;
  const refuse = () =>
    mutate(
      { id: request.id, agree: false, words },
      {
        onSuccess: () => {
          toast.success('Refused.');
          onClose();
        },
        onError: (error) => {
          const said = refusal(error).fields.find(({ path }) => path === 'words')?.message;
          if (said) return setSent(`Error: ${said}.`);
          tellFailure(error);
          onClose();
        },
      },
    );
  return (
    <ConfirmDialog
      open
      title={`Refuse the request of ${request.who}?`}
      confirmLabel="Refuse"
      cancelLabel="Cancel"
      busy={isPending}
      onConfirm={() => {
        if (!lengthProblem(wordsKind, words)) refuse();
      }}
      onCancel={onClose}
    >
      <TextInput
        label="What you want to say"
        hint="Shown to who has asked. It can be left empty."
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
