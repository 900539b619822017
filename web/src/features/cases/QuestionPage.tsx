import { Link, Navigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useSession } from '@/api/session';
import { BillLink, RemittanceLink } from '@/shared/BillLink';
import { Breadcrumbs } from '@/shared/Breadcrumbs';
import { errorMessage } from '@/shared/errorMessage';
import * as paths from '@/shared/paths';
import { useRestoredInput } from '@/shared/UnsavedChangesGuard';
import { Button } from '@/ui/Button';
import { Chip } from '@/ui/Chip';
import { ConfirmDialog } from '@/ui/Dialog';
import { formatBusinessDateTime } from '@/ui/dates';
import { Facts } from '@/ui/Facts';
import { formatTin } from '@/ui/format';
import { Failed, Loading, NotPermitted } from '@/ui/PageState';
import { toast } from '@/ui/Toasts';
import { ComplaintCard } from './ComplaintCard';
import {
  type CaseThread,
  describeReceipt,
  describeTopic,
  formatContacts,
  kinds,
  nameKind,
  officeStates,
} from './cases';
import styles from './cases.module.css';
import { isMissing, useCase, useCaseUpdates, useEnd, useReply } from './queries';
import { Thread } from './Thread';
import { UnsentText, useTextDraft, WriteForm } from './WriteForm';

/** A question of an office, with its answers. */
export default function QuestionPage() {
  const { number } = useParams({ strict: false }) as { number: string };
  const { can } = useSession();
  return (
    <div className="page">
      <Breadcrumbs name={number} list={{ name: 'Questions', to: paths.cases }} />
      {can('cases.own') ? <Question key={number} number={number} /> : <NotPermitted />}
    </div>
  );
}

function Question({ number }: { number: string }) {
  const { data, error, refetch } = useCase(number);
  // A question that is merged while it's open stays, because the user may be writing. So does one
  // with an unsent reply from before a reload.
  const { hasInput } = useRestoredInput('reply');
  const [opened, setOpened] = useState('');
  if (data && !data.mergedInto && opened !== number) setOpened(number);
  if (!data || isMissing(error))
    return error ? (
      <Failed
        message={errorMessage(error, "Error: Couldn't load the question. Try again.")}
        onRetry={() => void refetch()}
      />
    ) : (
      <Loading />
    );
  if (data.mergedInto && opened !== number && !hasInput)
    return <Navigate {...paths.toCase(data.mergedInto)} replace />;
  return <OpenedQuestion thread={data} />;
}

function OpenedQuestion({ thread }: { thread: CaseThread }) {
  const { mirroredUser } = useSession();
  useCaseUpdates(thread);
  const { kind, number, state, mergedInto } = thread;
  return (
    <>
      <header>
        <h1>
          {kinds[kind]} <span className={styles.number}>{number}</span>{' '}
          <Chip kind={officeStates[state].kind}>{officeStates[state].label}</Chip>
        </h1>
        <p className="page-lead">
          {state === 'MERGED' ? (
            <>
              This question was merged with <Link {...paths.toCase(mergedInto)}>{mergedInto}</Link>.
            </>
          ) : (
            describeState(thread)
          )}
        </p>
      </header>
      <CaseFacts thread={thread} />
      <ComplaintCard thread={thread} />
      <Thread thread={thread} />
      {!mirroredUser && <Actions thread={thread} />}
    </>
  );
}

function describeState(thread: CaseThread) {
  const { kind, state, dueAt, helpful, complaint } = thread;
  if (kind === 'CALL') return 'Network staff logged a call from your office.';
  const days = complaint ? 30 : 14;
  switch (state) {
    case 'OPEN':
      return complaint
        ? describeReceipt(complaint)
        : describePromise(formatBusinessDateTime(dueAt), Date.parse(dueAt ?? '') < Date.now());
    case 'WAITING':
      return 'The network needs your reply before it can answer.';
    case 'ANSWERED':
      return `Did this answer your ${nameKind(thread)}? You can reply for ${days} days.`;
    case 'CLOSED':
      return helpful === 'YES'
        ? 'You confirmed that the answer helped.'
        : `The answer had no reply for ${days} days.`;
    case 'WITHDRAWN':
      return `Your office withdrew this ${nameKind(thread)}.`;
  }
}

const describePromise = (due: string, isLate: boolean) =>
  isLate ? `We promised an answer by ${due}. It's late.` : `You'll have an answer by ${due}.`;

/** The subject of a question. */
export const CaseFacts = ({ thread, isAtDesk = false }: { thread: CaseThread; isAtDesk?: boolean }) => (
  <section className={`card ${styles.card}`} aria-label="About">
    <Facts
      facts={[
        ['Topic', thread.kind !== 'COMPLAINT' && describeTopic(thread)],
        ['Asked by', thread.openedBy],
        ['Office', isAtDesk && thread.office],
        ['Tax ID', formatTin(thread.ftin)],
        [
          'Bills',
          thread.bills.length > 0 && (
            <ul>
              {thread.bills.map(({ id, number }) => (
                <li key={id}>
                  <BillLink page={id}>{number}</BillLink>
                </li>
              ))}
            </ul>
          ),
        ],
        [
          'Payment',
          thread.remittance.id && (
            <RemittanceLink key="payment" page={thread.remittance.id}>
              {thread.remittance.number || 'Payment'}
            </RemittanceLink>
          ),
        ],
        ['Assigned to', thread.owner],
        ['Contacts', thread.contacts > 1 && formatContacts(thread.contacts)],
      ]}
    />
  </section>
);

function Actions({ thread }: { thread: CaseThread }) {
  const { number, version, state } = thread;
  const { mutateAsync: reply } = useReply();
  const { mutate: confirm, isPending: confirming } = useEnd('helpful');
  const { mutate: withdraw, isPending: withdrawing } = useEnd('withdraw');
  const [asks, setAsks] = useState(false);
  const draft = useTextDraft('reply', thread);
  if (state === 'CLOSED' || state === 'WITHDRAWN' || state === 'MERGED')
    return <UnsentText draft={draft} what="reply" happened={state.toLowerCase()} />;
  const answered = state === 'ANSWERED';
  return (
    <section className={`card ${styles.card}`} aria-label="Your reply">
      {answered && (
        <p>
          <Button
            variant="primary"
            busy={confirming}
            onClick={() =>
              confirm(
                { number, version },
                {
                  onSuccess: () => toast.success(`${kinds[thread.kind]} closed`),
                  onError: (error) =>
                    toast.error(
                      errorMessage(error, `Error: Couldn't close the ${nameKind(thread)}. Try again.`),
                    ),
                },
              )
            }
          >
            Yes, it answered my {nameKind(thread)}
          </Button>
        </p>
      )}
      <WriteForm
        draft={draft}
        isSecond={answered}
        label={answered ? 'No, I still need to know' : 'Reply'}
        submit="Send reply"
        empty="Enter your reply"
        send={(written) => reply({ number, ...written })}
        failed="Error: Couldn't send the reply. Try again."
        sent="Reply sent"
      />
      {!answered && (
        <p>
          <Button onClick={() => setAsks(true)}>Withdraw {nameKind(thread)}</Button>
        </p>
      )}
      <ConfirmDialog
        open={asks}
        title={`Withdraw this ${nameKind(thread)}?`}
        confirmLabel="Withdraw"
        cancelLabel="Cancel"
        busy={withdrawing}
        onConfirm={() =>
          withdraw(
            { number, version },
            {
              onSuccess: () => toast.success(`${kinds[thread.kind]} withdrawn`),
              onError: (error) =>
                toast.error(
                  errorMessage(error, `Error: Couldn't withdraw the ${nameKind(thread)}. Try again.`),
                ),
              onSettled: () => setAsks(false),
            },
          )
        }
        onCancel={() => setAsks(false)}
      >
        <p>The network won't answer it. You can ask a new one.</p>
      </ConfirmDialog>
    </section>
  );
}
