import { type KeyboardEvent, lazy, Suspense, useEffect, useRef, useState } from 'react';
import { BillLink } from '@/shared/BillLink';
import { NoteList } from '@/shared/billNotes/NoteList';
import { useNotes } from '@/shared/billNotes/queries';
import { billStates } from '@/shared/billStates.gen';
import { listAssignees, usePeople } from '@/shared/billWork';
import { ReasonChips } from '@/shared/Codes';
import { FollowUp } from '@/shared/FollowUp';
import { CallList } from '@/shared/payerCall/CallList';
import { usePayerCalls } from '@/shared/payerCall/queries';
import { useConfirmLeave } from '@/shared/UnsavedChangesGuard';
import { useDraft } from '@/shared/useDraft';
import { Banner } from '@/ui/Banner';
import { Button } from '@/ui/Button';
import { Chip } from '@/ui/Chip';
import { Dialog, UnsavedWarning } from '@/ui/Dialog';
import { formatDate } from '@/ui/dates';
import { SelectInput, TextAreaInput } from '@/ui/form/inputs';
import { formatCount, formatMoney } from '@/ui/format';
import { formatAnswer } from './answer';
import type { Done } from './change';
import { formatClaimant, tones } from './columns';
import { DueText } from './DueText';
import styles from './openbills.module.css';
import type { OpenBill } from './queries';
import { noChanges, toDraft, useSaveBill } from './useSaveBill';

const PayerCallDialog = lazy(() => import('@/shared/payerCall/PayerCallDialog'));

interface Props {
  bill: OpenBill;
  /** The list has another bill after it. */
  hasNext: boolean;
  /** The list is of open bills, which can be marked as done. */
  canFinish: boolean;
  onClose: () => void;
  /** The bill is saved. The panel moves to the next one. */
  onSaved: (done: Done) => void;
}

/** Shows a bill of the list and saves the group's work on it. */
export default function BillPanel({ bill, hasNext, canFinish, onClose, onSaved }: Props) {
  const { save, isPending, problem } = useSaveBill(bill);
  const [isCalling, setCalling] = useState(false);
  const { values, set, clear, guard } = useDraft(`bill ${bill.id}`, noChanges);
  const { isConfirming, leave, cancelLeave } = useConfirmLeave(
    values.note.trim() !== '' || Object.keys(values.changes).length > 0,
    () => {
      clear();
      onClose();
    },
  );
  return (
    <Dialog
      open
      side
      title={`Bill ${bill.billControlNumber}`}
      onClose={isPending ? undefined : leave}
      keepOnClickOutside
      ownerConfirms
      actions={
        isConfirming && (
          <>
            <UnsavedWarning />
            <Button onClick={leave}>Discard changes</Button>
          </>
        )
      }
    >
      {guard}
      <Answer bill={bill} />
      <p className={styles.call}>
        <Button size="small" onClick={() => setCalling(true)}>
          Log payer call
        </Button>
      </p>
      <Suspense>{isCalling && <PayerCallDialog bills={[bill]} onClose={() => setCalling(false)} />}</Suspense>
      <WorkForm
        key={bill.id}
        {...{ bill, hasNext, canFinish, isPending, problem, values }}
        onType={(part) => {
          if (isPending) return;
          cancelLeave();
          set(part);
        }}
        onSave={async (isDone) => {
          const done = await save({ ...toDraft(bill), ...values.changes, note: values.note }, isDone);
          if (!done) return;
          clear();
          onSaved(done);
        }}
      />
      {bill.lastCall && <Calls bill={bill} />}
      {bill.work.notes > 0 && <Notes bill={bill} />}
    </Dialog>
  );
}

/** What happened to the bill, and what it's about. */
const Answer = ({ bill }: { bill: OpenBill }) => (
  <>
    <p className={styles.answer}>
      <Chip kind={tones[bill.state]}>{billStates[bill.state]}</Chip> {formatAnswer(bill)}
    </p>
    {bill.reasons.length > 0 && (
      <p className={styles.answer}>
        <ReasonChips codes={bill.reasons} jurisdiction={bill.jurisdiction} />
      </p>
    )}
    {bill.due && (
      <p className={styles.answer}>
        {bill.dueBy === 'payer' ? 'Payer' : 'Your office'}: <DueText due={bill.due} /> ({formatDate(bill.due)}
        )
      </p>
    )}
    <p className={styles.by}>
      {[formatClaimant(bill), bill.beginServiceDate && `service ${formatDate(bill.beginServiceDate)}`]
        .filter(Boolean)
        .join(', ')}
      , {formatMoney(bill.charge)} charged. <BillLink page={bill.id}>Open bill page</BillLink>
    </p>
  </>
);

interface FormProps extends Pick<Props, 'bill' | 'hasNext' | 'canFinish'> {
  isPending: boolean;
  problem: string;
  values: typeof noChanges;
  onType: (part: Partial<typeof noChanges>) => void;
  onSave: (isDone: boolean) => Promise<void>;
}

const maxNote = 1000;

function WorkForm({ bill, hasNext, canFinish, isPending, problem, values, onType, onSave }: FormProps) {
  const { data: people = [] } = usePeople();
  const stored = toDraft(bill);
  // Fields that the user didn't change follow a logged call, or a colleague.
  const draft = { ...stored, ...values.changes };
  const change = (part: typeof values.changes) => {
    const { assignTo, followUpOn } = { ...draft, ...part };
    onType({
      changes: {
        ...(assignTo !== stored.assignTo && { assignTo }),
        ...(followUpOn !== stored.followUpOn && { followUpOn }),
      },
    });
  };
  const note = useRef<HTMLTextAreaElement>(null);
  // The next bill starts where this one did.
  useEffect(() => note.current?.focus(), []);
  const over = values.note.trim().length - maxNote;
  const submit = (isDone: boolean) => {
    if (!isPending && over <= 0) void onSave(isDone);
  };
  const submitByKey = (event: KeyboardEvent<HTMLFormElement>) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.repeat) return;
    event.preventDefault();
    event.currentTarget.requestSubmit();
  };
  return (
    // The browser refuses an incomplete date, which would otherwise clear the stored one.
    <form
      className={styles['work-form']}
      onKeyDown={submitByKey}
      onSubmit={(event) => {
        event.preventDefault();
        submit(false);
      }}
    >
      {problem && (
        <Banner kind="error">
          <p>{problem}</p>
        </Banner>
      )}
      <TextAreaInput
        ref={note}
        label="Note"
        rows={3}
        value={values.note}
        readOnly={isPending}
        error={over > 0 ? `Error: Use 1,000 characters or fewer (${formatCount(over)} over)` : undefined}
        onChange={({ target }) => onType({ note: target.value })}
      />
      <FollowUp
        day={draft.followUpOn}
        stored={stored.followUpOn}
        onChange={(followUpOn) => change({ followUpOn })}
      />
      <SelectInput
        label="Assigned to"
        placeholder="Unassigned"
        options={listAssignees(people, bill.work.assignedTo)}
        value={draft.assignTo}
        onChange={({ target }) => change({ assignTo: target.value })}
      />
      <div className={styles['work-actions']}>
        <span className={styles.by}>Ctrl+Enter saves</span>
        <span className={styles.tools}>
          {canFinish && (
            <Button
              disabled={isPending}
              onClick={({ currentTarget }) => currentTarget.form?.reportValidity() && submit(true)}
            >
              Mark as done
            </Button>
          )}
          <Button type="submit" variant="primary" busy={isPending}>
            {hasNext ? 'Save and next' : 'Save'}
          </Button>
        </span>
      </div>
    </form>
  );
}

/** The group's earlier calls to the payer. */
function Calls({ bill }: { bill: OpenBill }) {
  const { data } = usePayerCalls(bill.id);
  return (
    data && (
      <section className={styles.earlier} aria-label="Payer calls">
        <h3>Payer calls</h3>
        <CallList calls={data} />
      </section>
    )
  );
}

/** The group's earlier notes. */
function Notes({ bill }: { bill: OpenBill }) {
  const { data } = useNotes(bill.id);
  return (
    data && (
      <section className={styles.earlier} aria-label="Earlier notes">
        <NoteList notes={data} />
      </section>
    )
  );
}
