import { useNavigate, useParams } from '@tanstack/react-router';
import { type ComponentProps, useState } from 'react';
import { useSession } from '@/api/session';
import { AtDesk } from '@/shared/BillLink';
import { Breadcrumbs } from '@/shared/Breadcrumbs';
import { errorMessage } from '@/shared/errorMessage';
import * as paths from '@/shared/paths';
import { useUnsavedChanges } from '@/shared/UnsavedChangesGuard';
import { Button } from '@/ui/Button';
import { Chip } from '@/ui/Chip';
import { ConfirmDialog } from '@/ui/Dialog';
import { formatBusinessDateTime } from '@/ui/dates';
import { SelectInput, TextInput } from '@/ui/form/inputs';
import { Failed, Loading, NotPermitted } from '@/ui/PageState';
import { toast } from '@/ui/Toasts';
import { AssignTo } from './AssignTo';
import { ComplaintCard } from './ComplaintCard';
import { type CaseThread, deskStates, kinds, type Outcome, outcomes } from './cases';
import styles from './cases.module.css';
import { OpenCall } from './OpenCall';
import { CaseFacts } from './QuestionPage';
import { useDeskCase, useMerge, useOwn, useWrite } from './queries';
import { Thread } from './Thread';
import { UnsentText, useTextDraft, WriteForm } from './WriteForm';
import { WritingNotice } from './WritingNotice';

type Written = Parameters<ComponentProps<typeof WriteForm>['send']>[0];

/** A question of an office, for network staff. */
export default function DeskQuestionPage() {
  const { number } = useParams({ strict: false }) as { number: string };
  const { can } = useSession();
  return (
    <AtDesk value={true}>
      <div className="page">
        <Breadcrumbs name={number} list={{ name: 'Questions', to: paths.deskCases }} />
        {can('cases.desk') ? <Question key={number} number={number} /> : <NotPermitted />}
      </div>
    </AtDesk>
  );
}

function Question({ number }: { number: string }) {
  const { data, error, refetch } = useDeskCase(number);
  const { can } = useSession();
  if (!data)
    return error ? (
      <Failed
        message={errorMessage(error, "Error: Couldn't load the question. Try again.")}
        onRetry={() => void refetch()}
      />
    ) : (
      <Loading />
    );
  const { state, dueAt } = data;
  return (
    <>
      <header>
        <h1>
          {kinds[data.kind]} <span className={styles.number}>{data.number}</span>{' '}
          <Chip kind={deskStates[state].kind}>{deskStates[state].label}</Chip>
        </h1>
        {dueAt && (
          <p className="page-lead">
            {data.complaint ? 'Answer planned by' : 'Answer promised by'} {formatBusinessDateTime(dueAt)}.{' '}
            {Date.parse(dueAt) < Date.now() && <Chip kind="error">Overdue</Chip>}
          </p>
        )}
      </header>
      <CaseFacts thread={data} isAtDesk />
      <ComplaintCard thread={data} isAtDesk={can('cases.work')} />
      <Thread thread={data} />
      {can('cases.work') && <Actions thread={data} onReload={() => void refetch()} />}
    </>
  );
}

function Actions({ thread, onReload }: { thread: CaseThread; onReload: () => void }) {
  const { number, version, state, owner, mine, kind, complaint } = thread;
  const { can } = useSession();
  const { mutateAsync: answer } = useWrite('answer');
  const { mutateAsync: ask } = useWrite('ask');
  const { mutateAsync: note } = useWrite('note');
  const [outcome, setOutcome] = useState<Outcome | ''>('');
  const [outcomeError, setOutcomeError] = useState('');
  const isOpen = state === 'OPEN' || state === 'WAITING';
  useUnsavedChanges(isOpen && outcome !== '');
  const seen = { number, version };
  const addNote = {
    submit: 'Add internal note',
    send: (written: Written) => note({ ...seen, ...written }),
    sent: 'Note added',
  };
  const answerDraft = useTextDraft('reply', thread, (submit) => {
    if (submit !== addNote.submit) setOutcome('');
  });
  const noteDraft = useTextDraft('note', thread);
  const isWriting = (isOpen ? answerDraft : noteDraft).values.body !== '';
  const notice = <WritingNotice {...seen} isWriting={isWriting} onReload={onReload} />;
  if (state === 'MERGED') return <UnsentText draft={answerDraft} what="answer" happened="merged" />;
  if (!isOpen)
    return (
      <section className={`card ${styles.card}`} aria-label="Your note">
        {kind === 'CALL' && <OpenCall seen={seen} />}
        {notice}
        <UnsentText draft={answerDraft} what="answer" happened="answered or closed" isFirst />
        <WriteForm
          isAtDesk
          draft={noteDraft}
          label="Internal note"
          empty="Enter the note"
          failed="Error: Couldn't add the note. Try again."
          {...addNote}
        />
      </section>
    );
  return (
    <section className={`card ${styles.card}`} aria-label="Your answer">
      <div className="button-row">
        {!mine && <OwnButton how="take" seen={seen} label="Take" done="Question taken" />}
        {owner && <OwnButton how="release" seen={seen} label="Release" done="Question released" />}
        {(mine || can('cases.lead')) && <AssignTo seen={seen} />}
        {kind === 'QUESTION' && <MergeButton seen={seen} />}
      </div>
      {complaint && (
        <div className={styles.write}>
          <SelectInput
            label="Outcome"
            required
            placeholder="Select an outcome"
            options={Object.entries(outcomes).map(([value, label]) => ({ value, label }))}
            value={outcome}
            error={outcomeError || undefined}
            onChange={({ target }) => {
              setOutcome(target.value as Outcome | '');
              setOutcomeError('');
            }}
          />
        </div>
      )}
      {notice}
      <WriteForm
        isAtDesk
        draft={answerDraft}
        label={complaint ? 'Resolution' : 'Answer'}
        submit={complaint ? 'Send resolution' : 'Send answer'}
        empty={complaint ? 'Enter the resolution' : 'Enter the answer'}
        check={() => {
          if (complaint && !outcome) setOutcomeError('Error: Select an outcome');
          return !complaint || outcome !== '';
        }}
        send={async (written) => {
          await answer({ ...seen, ...written, outcome: outcome || undefined });
          setOutcome('');
        }}
        failed="Error: Couldn't send it. Your text is still here. Try again."
        sent={complaint ? 'Resolution sent' : 'Answer sent'}
        others={[
          ...(state === 'OPEN' && !complaint?.complainant
            ? [
                {
                  submit: 'Ask the office instead',
                  send: async (written: Written) => {
                    await ask({ ...seen, ...written });
                    setOutcome('');
                  },
                  sent: 'The office was asked',
                },
              ]
            : []),
          addNote,
        ]}
      />
    </section>
  );
}

interface Seen {
  number: string;
  version: number;
}

interface OwnProps {
  how: Parameters<typeof useOwn>[0];
  seen: Seen;
  label: string;
  done: string;
}

function OwnButton({ how, seen, label, done }: OwnProps) {
  const { mutate, isPending } = useOwn(how);
  return (
    <Button
      busy={isPending}
      onClick={() =>
        mutate(seen, {
          onSuccess: () => toast.success(done),
          onError: (error) =>
            toast.error(errorMessage(error, "Error: Couldn't change the question. Try again.")),
        })
      }
    >
      {label}
    </Button>
  );
}

/** Merges the question into another one of the office. */
function MergeButton({ seen }: { seen: Seen }) {
  const [open, setOpen] = useState(false);
  const [into, setInto] = useState('');
  const [error, setError] = useState('');
  const { mutate, isPending } = useMerge();
  const navigate = useNavigate();
  const close = () => {
    setOpen(false);
    setError('');
  };
  return (
    <>
      <Button onClick={() => setOpen(true)}>Merge</Button>
      <ConfirmDialog
        open={open}
        title="Merge question?"
        confirmLabel="Merge"
        cancelLabel="Cancel"
        busy={isPending}
        onConfirm={() => {
          if (!into.trim()) return setError('Error: Enter the number of an open question');
          mutate(
            { ...seen, into: into.trim() },
            {
              onSuccess: ({ mergedInto }) => {
                close();
                toast.success('Questions merged');
                void navigate({ ...paths.toDeskCase(mergedInto), replace: true });
              },
              onError: (problem) => setError(errorMessage(problem, "Error: Couldn't merge. Try again.")),
            },
          );
        }}
        onCancel={close}
      >
        <p>All messages move to the other question. Users who open this one see the other.</p>
        <TextInput
          label="Question"
          hint="Number of an open question of the same office and Tax ID"
          value={into}
          error={error || undefined}
          onChange={({ target }) => {
            setInto(target.value);
            setError('');
          }}
        />
      </ConfirmDialog>
    </>
  );
}
