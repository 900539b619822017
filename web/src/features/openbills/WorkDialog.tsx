import { useId, useState } from 'react';
import { listAssignees, usePeople } from '@/shared/billWork';
import { Banner } from '@/ui/Banner';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { addDays, formatDate, today } from '@/ui/dates';
import { SelectInput, TextInput } from '@/ui/form/inputs';
import { type Done, formatBills, useChange } from './change';
import styles from './openbills.module.css';
import type { OpenBill } from './queries';

interface Props {
  action: 'assign' | 'followUp' | 'park';
  bills: readonly OpenBill[];
  onClose: () => void;
  onDone: (done: Done) => void;
}

const titles = { assign: 'Assign', followUp: 'Set follow-up for', park: 'Snooze' };

/** Asks for an assignee, or for a date. */
export default function WorkDialog({ action, bills, onClose, onDone }: Props) {
  const only = bills.length === 1 ? bills[0]?.work : undefined;
  const { data: people = [] } = usePeople();
  const [person, setPerson] = useState(only?.assignedTo?.userName ?? '');
  const [day, setDay] = useState((action === 'followUp' && only?.followUpOn) || addDays(today(), 7));
  const { change, isPending, problem } = useChange(onDone);
  const id = useId();
  const submit = () => {
    if (action === 'assign') {
      // An inactive assignee can't be saved again.
      if (person === only?.assignedTo?.userName) return onClose();
      const name = people.find(({ userName }) => userName === person)?.name;
      return change(bills, { assignTo: person }, name ? `Assigned to ${name}` : 'Unassigned', name);
    }
    if (action === 'followUp')
      return change(
        bills,
        { followUpOn: day },
        day ? `Follow-up set for ${formatDate(day)}` : 'Follow-up date cleared',
      );
    return change(bills, { marked: 'parked', until: day }, `Snoozed until ${formatDate(day)}`);
  };
  return (
    <Dialog
      open
      title={`${titles[action]} ${formatBills(bills)}`}
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
        {action === 'assign' ? (
          <SelectInput
            label="Assign to"
            placeholder="Unassigned"
            options={listAssignees(people, only?.assignedTo)}
            value={person}
            onChange={({ target }) => setPerson(target.value)}
            hint="Only people with access to the bill's Tax ID can be assigned."
          />
        ) : (
          <TextInput
            type="date"
            label={action === 'park' ? 'Snooze until' : 'Follow-up date'}
            min={action === 'park' ? addDays(today(), 1) : today()}
            required={action === 'park'}
            value={day}
            onChange={({ target }) => setDay(target.value)}
            hint={
              action === 'park'
                ? 'The bill returns to your list on this date.'
                : 'Leave blank for no follow-up.'
            }
          />
        )}
      </form>
    </Dialog>
  );
}
