import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { Banner } from '@/ui/Banner';
import { Button } from '@/ui/Button';
import { cx } from '@/ui/cx';
import { Dialog, UnsavedWarning } from '@/ui/Dialog';
import { today } from '@/ui/dates';
import { RadioGroupInput, SelectInput, TextAreaInput, TextInput } from '@/ui/form/inputs';
import { pluralize } from '@/ui/pluralize';
import { toast } from '@/ui/Toasts';
import { formatOutcome, useFormatUser } from '../billWork';
import { callOutcomes } from '../callOutcomes.gen';
import { errorMessage } from '../errorMessage';
import { FollowUp } from '../FollowUp';
import { useConfirmLeave } from '../UnsavedChangesGuard';
import { useDraft } from '../useDraft';
import styles from './call.module.css';
import {
  checkDraft,
  type Draft,
  type Errors,
  emptyDraft,
  getRequest,
  groupByPayer,
  maxBills,
  toCallText,
} from './draft';
import { type CallBill, useLogCall } from './queries';

interface Props {
  bills: readonly CallBill[];
  onClose: () => void;
  /** The call is logged, about the bills with these IDs. */
  onLogged?: (ids: string[]) => void;
}

/** Logs one call to a payer about its bills, with an outcome and the next follow-up. */
export default function PayerCallDialog({ bills, onClose, onLogged }: Props) {
  const call = useCall(bills);
  const { isConfirming, leave, cancelLeave } = useConfirmLeave(call.isDirty, () => {
    call.clear();
    onClose();
  });
  const id = useId();
  const submit = async (form: HTMLFormElement) => {
    const ids = await call.submit(hasIncompleteDate(form));
    if (!ids) return;
    call.clear();
    toast.success(`Call logged: ${describeBills(bills, ids)}`);
    onLogged?.(ids);
    onClose();
  };
  return (
    <Dialog
      open
      size="medium"
      title="Log payer call"
      onClose={call.isPending ? undefined : leave}
      keepOnClickOutside
      ownerConfirms
      actions={
        <>
          {isConfirming && <UnsavedWarning />}
          <span className={cx(styles.hint, styles.keys)}>Ctrl+Enter saves</span>
          <Button disabled={call.isPending} onClick={leave}>
            {isConfirming ? 'Discard changes' : 'Cancel'}
          </Button>
          <Button type="submit" form={id} variant="primary" busy={call.isPending} disabled={call.isEmpty}>
            {call.conflict ? 'Replace and log call' : 'Log call'}
          </Button>
        </>
      }
    >
      <CallForm id={id} call={call} onSubmit={(form) => void submit(form)} onType={cancelLeave} />
    </Dialog>
  );
}

const describeBills = (bills: readonly CallBill[], ids: readonly string[]) =>
  ids.length === 1
    ? `bill ${bills.find((bill) => bill.id === ids[0])?.billControlNumber}`
    : pluralize(ids.length, 'bill');

/** The browser reports an incomplete date as empty, without a change. The promised date is required anyway. */
const hasIncompleteDate = (form: HTMLFormElement) =>
  [...form.querySelectorAll('input')].some(
    ({ name, validity }) => name !== 'promisedOn' && validity.badInput,
  );

const failed = "Error: Couldn't log the call. Try again.";

/** The call as typed, and how to log it. */
function useCall(all: readonly CallBill[]) {
  // The list behind the dialog can reload. The call is about the bills that the user chose.
  const [chosen] = useState(all);
  const [groups] = useState(() => groupByPayer(chosen));
  const [at, setAt] = useState(groups.length === 1 ? 0 : -1);
  const [initial] = useState<Draft>(() => ({
    ...emptyDraft,
    requestKey: crypto.randomUUID(),
    payer: (at === 0 && groups[0]?.payer) || '',
  }));
  const {
    values: draft,
    set,
    clear,
    guard,
  } = useDraft(`payer call ${chosen.map(({ id }) => id).join(' ')}`, initial);
  // How often the user tried to log it. From the first time on, errors show.
  const [tries, setTries] = useState(0);
  const [isIncomplete, setIncomplete] = useState(false);
  const [problem, setProblem] = useState('');
  const [conflict, setConflict] = useState('');
  // The versions that the user confirmed, and the bills that are gone.
  const [versions, setVersions] = useState<Readonly<Record<string, number>>>({});
  const [gone, setGone] = useState<readonly string[]>([]);
  const { mutateAsync, isPending } = useLogCall();
  const formatUser = useFormatUser();
  const group = groups[at];
  const available = group?.bills.filter((bill) => !gone.includes(bill.id)) ?? [];
  const bills = available.slice(0, maxBills);
  const errors = checkDraft(draft, today());
  if (isIncomplete && !draft.followUpOn) errors.followUpOn = 'Error: Enter a complete date';

  /** Returns the IDs of the call's bills, or null if it wasn't logged. */
  const submit = async (hasIncomplete: boolean): Promise<string[] | null> => {
    setTries(tries + 1);
    setIncomplete(hasIncomplete);
    const isWrong = hasIncomplete || Object.keys(checkDraft(draft, today())).length > 0;
    if (isPending || at < 0 || bills.length === 0 || isWrong) return null;
    setProblem('');
    setConflict('');
    const sent = bills.map(({ id, work }) => ({ id, version: versions[id] ?? work.version }));
    try {
      const request = getRequest(draft);
      set(request);
      const outcomes = await mutateAsync(toCallText({ ...draft, ...request }, sent));
      if (outcomes.length === 0) return sent.map(({ id }) => id);
      setConflict(formatOutcome(outcomes, chosen, formatUser));
      const stale = outcomes.filter(({ outcome }) => outcome === 'stale');
      setVersions({ ...versions, ...Object.fromEntries(stale.map(({ id, work }) => [id, work.version])) });
      const lost = outcomes.filter(({ outcome }) => outcome === 'gone').map(({ id }) => id);
      setGone([...gone, ...lost]);
    } catch (error) {
      setProblem(errorMessage(error, failed));
    }
    return null;
  };
  return {
    groups,
    at,
    /** Chooses one of several payers. */
    choose: (next: number) => {
      setAt(next);
      set({ payer: groups[next]?.payer ?? '' });
    },
    bills,
    /** The chosen payer's bills, without those that are gone. */
    count: available.length,
    draft,
    set,
    clear,
    guard,
    /** All bills of the payer are gone. */
    isEmpty: at >= 0 && bills.length === 0,
    tries,
    errors: (tries > 0 ? errors : {}) as Errors,
    mustChoose: tries > 0 && at < 0,
    problem,
    conflict,
    isDirty: JSON.stringify({ ...draft, payer: '', requestKey: '', sent: '' }) !== JSON.stringify(emptyDraft),
    isPending,
    submit,
  };
}

interface FormProps {
  id: string;
  call: ReturnType<typeof useCall>;
  onSubmit: (form: HTMLFormElement) => void;
  onType: () => void;
}

function CallForm({ id, call, onSubmit, onType }: FormProps) {
  const { draft, errors, problem, conflict } = call;
  const form = useRef<HTMLFormElement | null>(null);
  useEffect(() => {
    if (call.tries > 0) form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  }, [call.tries]);
  const set = (part: Partial<Draft>) => {
    if (call.isPending) return;
    onType();
    call.set(part);
  };
  const submitByKey = (event: KeyboardEvent<HTMLFormElement>) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.repeat) return;
    event.preventDefault();
    onSubmit(event.currentTarget);
  };
  return (
    <form
      ref={(element) => {
        form.current = element;
        // The payer is usually right, so the outcome comes first.
        element?.querySelector('select, input[type=radio]')?.setAttribute('data-autofocus', '');
      }}
      id={id}
      className={styles.form}
      noValidate
      onKeyDown={submitByKey}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit(event.currentTarget);
      }}
    >
      {call.guard}
      {problem && (
        <Banner kind="error">
          <p>{problem}</p>
        </Banner>
      )}
      {conflict && (
        <Banner kind="warning">
          <p>{conflict} Nothing was logged yet. Check this, then confirm.</p>
        </Banner>
      )}
      <Payer call={call} onType={onType} />
      <RadioGroupInput
        label="Outcome"
        name={`${id}-outcome`}
        className={styles.outcomes}
        required
        options={Object.entries(callOutcomes).map(([value, label]) => ({ value, label }))}
        value={draft.outcome}
        error={errors.outcome}
        onChange={(outcome) => set({ outcome: outcome as Draft['outcome'] })}
      />
      {draft.outcome === 'promised' && (
        <TextInput
          type="date"
          label="Promised payment date"
          name="promisedOn"
          required
          min={today()}
          value={draft.promisedOn}
          error={errors.promisedOn}
          onChange={({ target }) => set({ promisedOn: target.value })}
        />
      )}
      <FollowUp
        day={draft.followUpOn}
        hint="Leave blank for no change."
        error={errors.followUpOn}
        onChange={(followUpOn) => set({ followUpOn })}
      />
      <div className={styles.pair}>
        <TextInput
          label="Spoke with"
          autoComplete="off"
          value={draft.person}
          readOnly={call.isPending}
          error={errors.person}
          onChange={({ target }) => set({ person: target.value })}
        />
        <TextInput
          label="Reference number"
          autoComplete="off"
          value={draft.reference}
          readOnly={call.isPending}
          error={errors.reference}
          onChange={({ target }) => set({ reference: target.value })}
        />
      </div>
      <TextAreaInput
        label="Details"
        rows={2}
        value={draft.body}
        readOnly={call.isPending}
        error={errors.body}
        hint="Only your group can see this call. Network staff can't, even when mirroring."
        onChange={({ target }) => set({ body: target.value })}
      />
    </form>
  );
}

/** The payer and its bills. If the bills have several payers, users choose one. */
function Payer({ call, onType }: Pick<FormProps, 'call' | 'onType'>) {
  const { groups, at, bills, count, draft, errors } = call;
  const group = groups[at];
  const number = bills.length === 1 ? `Bill ${bills[0]?.billControlNumber}` : pluralize(bills.length, 'bill');
  return (
    <div className={styles.payer}>
      {groups.length > 1 && (
        <SelectInput
          label="Called payer"
          required
          placeholder="Select one payer"
          options={groups.map((group, index) => ({
            value: String(index),
            label: `${group.payer || 'No payer on file'} (${pluralize(group.bills.length, 'bill')})`,
          }))}
          value={at < 0 ? '' : String(at)}
          error={call.mustChoose ? 'Error: Select one payer' : undefined}
          hint={`You selected bills of ${groups.length} payers. A call is about one payer's bills.`}
          onChange={({ target }) => call.choose(target.value === '' ? -1 : Number(target.value))}
        />
      )}
      {group && (groups.length === 1 || !group.payer || errors.payer || draft.payer !== group.payer) && (
        <TextInput
          label="Payer"
          required
          autoComplete="off"
          value={draft.payer}
          readOnly={call.isPending}
          error={errors.payer}
          onChange={({ target }) => {
            onType();
            call.set({ payer: target.value });
          }}
        />
      )}
      {at >= 0 && (
        <p className={styles.hint}>
          {count > bills.length ? `The first ${bills.length} of ${count} bills are in this call.` : number}
        </p>
      )}
    </div>
  );
}
