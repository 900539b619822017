import { useId, useState } from 'react';
import { refusal, withWait } from '@/shared/refusal';
import { Banner } from '@/ui/Banner';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { addDays, formatDate, today } from '@/ui/dates';
import { SelectInput, TextInput } from '@/ui/form/inputs';
import { formatCount } from '@/ui/format';
import { toast } from '@/ui/Toasts';
import styles from './openbills.module.css';
import { type Change, type OpenBill, type Outcome, usePeople, useSetWork } from './queries';

export type What = 'assign' | 'followUp' | 'park' | 'done' | 'open';

const failed = 'Error: Nothing was changed. Please try again.';

export const named = (bills: readonly OpenBill[]) =>
  bills.length === 1 ? `bill ${bills[0]?.billControlNumber}` : `${formatCount(bills.length)} bills`;

/** What became of the bills, in a sentence; those that somebody else changed are told with what they did. */
export function outcomeText(outcomes: readonly Outcome[], bills: readonly OpenBill[]): string {
  const of = (kind: Outcome['outcome']) => outcomes.filter(({ outcome }) => outcome === kind);
  const stale = of('stale').map(({ id, work }) => {
    const number = bills.find((bill) => bill.id === id)?.billControlNumber ?? '';
    const now = [
      work.assignedTo ? `assigned to ${work.assignedTo.name}` : 'assigned to nobody',
      work.marked === 'done' && 'done',
      work.marked === 'parked' && `parked until ${formatDate(work.until)}`,
      work.followUpOn && `follow up on ${formatDate(work.followUpOn)}`,
    ].filter(Boolean);
    return `${work.updatedBy} has changed ${number} meanwhile: ${now.join(', ')}.`;
  });
  const gone = of('gone').length;
  return [
    ...stale.slice(0, 5),
    stale.length > 5 && `${formatCount(stale.length - 5)} more were changed by others.`,
    gone > 0 &&
      `${formatCount(gone)} ${gone === 1 ? 'is' : 'are'} not among the bills that this can be done with.`,
  ]
    .filter(Boolean)
    .join(' ');
}

/** Changes the work about bills, and says what became of it. */
export function useChange(onDone: () => void) {
  const { mutateAsync, isPending } = useSetWork();
  const [problem, setProblem] = useState('');
  const change = async (bills: readonly OpenBill[], change: Change, said: string) => {
    setProblem('');
    try {
      const outcomes = await mutateAsync({ bills, change });
      const saved = outcomes.filter(({ outcome }) => outcome === 'saved').length;
      const rest = outcomeText(outcomes, bills);
      if (saved > 0)
        toast.success(`${said}: ${saved === bills.length ? named(bills) : `${formatCount(saved)} bills`}.`);
      if (rest) toast.error(rest);
      onDone();
    } catch (error) {
      const why = refusal(error);
      const text =
        why.fields.length > 0
          ? `Error: ${why.fields.map(({ message }) => message).join(' ')}`
          : withWait(failed, why);
      setProblem(text);
      return text;
    }
    return '';
  };
  return { change, isPending, problem };
}

interface Props {
  what: 'assign' | 'followUp' | 'park';
  bills: readonly OpenBill[];
  onClose: () => void;
  onDone: () => void;
}

const titles = { assign: 'Assign', followUp: 'Follow up on', park: 'Park until' };

/** Asks to whom bills go, or for which day. */
export function WorkDialog({ what, bills, onClose, onDone }: Props) {
  const only = bills.length === 1 ? bills[0]?.work : undefined;
  const { data: people = [] } = usePeople();
  const [person, setPerson] = useState(only?.assignedTo?.userName ?? '');
  const [day, setDay] = useState((what === 'followUp' && only?.followUpOn) || addDays(today(), 7));
  const { change, isPending, problem } = useChange(onDone);
  const id = useId();
  const submit = () => {
    if (what === 'assign') {
      const name = people.find(({ userName }) => userName === person)?.name;
      return change(bills, { assignTo: person }, name ? `Assigned to ${name}` : 'Assigned to nobody');
    }
    if (what === 'followUp')
      return change(bills, { followUpOn: day }, day ? `Follow up on ${formatDate(day)}` : 'No follow-up');
    return change(bills, { marked: 'parked', until: day }, `Parked until ${formatDate(day)}`);
  };
  return (
    <Dialog
      open
      title={`${titles[what]}: ${named(bills)}`}
      onClose={isPending ? undefined : onClose}
      actions={
        <>
          <Button disabled={isPending} onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form={id} variant="primary" busy={isPending}>
            Save
          </Button>
        </>
      }
    >
      <form
        id={id}
        className={styles.ask}
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        {problem && (
          <Banner kind="error">
            <p>{problem}</p>
          </Banner>
        )}
        {what === 'assign' ? (
          <SelectInput
            label="Assign to"
            placeholder="Nobody"
            options={people.map(({ userName, name }) => ({ value: userName, label: name }))}
            value={person}
            onChange={({ target }) => setPerson(target.value)}
            hint="Only those who see the bill's Tax ID can have it."
          />
        ) : (
          <TextInput
            type="date"
            label={what === 'park' ? 'Until' : 'On'}
            min={what === 'park' ? addDays(today(), 1) : today()}
            required={what === 'park'}
            value={day}
            onChange={({ target }) => setDay(target.value)}
            hint={what === 'park' ? 'It comes back on that day.' : 'Empty: no follow-up.'}
          />
        )}
      </form>
    </Dialog>
  );
}
