import { useState } from 'react';
import { useWriteNote } from '@/shared/billNotes/queries';
import { formatOutcome, formatStillOpen, useFormatUser, usePeople } from '@/shared/billWork';
import { errorMessage } from '@/shared/errorMessage';
import { toast } from '@/ui/Toasts';
import type { Done } from './change';
import { type Change, type OpenBill, useSetWork } from './queries';

/** A user's work on a bill, before it's saved. */
interface Draft {
  note: string;
  assignTo: string;
  followUpOn: string;
}

export const toDraft = ({ work }: OpenBill): Draft => ({
  note: '',
  assignTo: work.assignedTo?.userName ?? '',
  followUpOn: work.followUpOn ?? '',
});

/** A user's input in a bill's panel. Fields that equal the bill's aren't in the changes. */
interface Typed {
  note: string;
  changes: Partial<Omit<Draft, 'note'>>;
}

export const noChanges: Typed = { note: '', changes: {} };

const failed = "Error: Couldn't save. Try again.";

/** Saves a note and the work on a bill in one step. A failure saves nothing. */
export function useSaveBill(bill: OpenBill) {
  const work = useSetWork();
  const note = useWriteNote(bill.id);
  const { data: people = [] } = usePeople();
  const formatUser = useFormatUser();
  const [problem, setProblem] = useState('');

  /** Returns what changed, or null if it failed. */
  const save = async (draft: Draft, isDone: boolean): Promise<Done | null> => {
    const before = toDraft(bill);
    const text = draft.note.trim();
    const change: Change = {
      ...(draft.assignTo !== before.assignTo && { assignTo: draft.assignTo }),
      ...(draft.followUpOn !== before.followUpOn && { followUpOn: draft.followUpOn }),
      ...(isDone && { marked: 'done' }),
    };
    setProblem('');
    try {
      if (Object.keys(change).length === 0) {
        if (text) await note.mutateAsync({ note: undefined, body: text });
      } else {
        const outcomes = await work.mutateAsync({
          bills: [bill],
          change: { ...change, ...(text && { body: text }) },
        });
        const [outcome] = outcomes;
        if (outcome?.outcome !== 'saved') {
          const name = people.find(({ userName }) => userName === draft.assignTo)?.name;
          setProblem(`Error: ${formatOutcome(outcomes, [bill], formatUser, name)} Nothing was saved.`);
          return null;
        }
        bill = { ...bill, work: outcome.work };
      }
    } catch (error) {
      setProblem(errorMessage(error, failed));
      return null;
    }
    const { id, billControlNumber } = bill;
    const leaves = isDone && bill.work.marked === 'done';
    if (leaves) toast.success(`Marked as done: bill ${billControlNumber}`);
    else if (text || Object.keys(change).some((part) => part !== 'marked'))
      toast.success(`Saved: bill ${billControlNumber}`);
    if (isDone && !leaves) toast.error(formatStillOpen(1, `Bill ${billControlNumber}`));
    return leaves ? { ids: [id], changed: [], removed: [bill] } : { ids: [], changed: [bill], removed: [] };
  };
  return { save, isPending: work.isPending || note.isPending, problem };
}
