import { useState } from 'react';
import { formatOutcome, formatStillOpen, isStillOpen, type Outcome, useFormatUser } from '@/shared/billWork';
import { errorMessage } from '@/shared/errorMessage';
import { pluralize } from '@/ui/pluralize';
import { toast } from '@/ui/Toasts';
import { type Change, type OpenBill, useSetWork } from './queries';

export type WorkAction = 'assign' | 'followUp' | 'park' | 'call' | 'done' | 'open';

const failed = "Error: Couldn't update the bills. Try again.";

export const formatBills = (bills: readonly OpenBill[]) =>
  bills.length === 1 ? `bill ${bills[0]?.billControlNumber}` : pluralize(bills.length, 'bill');

/** A change's result. */
export interface Done {
  /** The bills that are done. */
  ids: string[];
  /** The other bills that changed, with their current work. */
  changed: OpenBill[];
  /** The bills that left the list, with their current work. */
  removed: OpenBill[];
}

/** Changes the group's work on bills and reports the result. */
export function useChange(onDone: (done: Done) => void) {
  const { mutateAsync, isPending } = useSetWork();
  const formatUser = useFormatUser();
  const [problem, setProblem] = useState('');
  const change = async (bills: readonly OpenBill[], change: Change, successText: string, name?: string) => {
    setProblem('');
    try {
      const outcomes = await mutateAsync({ bills, change });
      const stillOpen = outcomes.filter((outcome) => isStillOpen(change.marked, outcome));
      const saved = outcomes.filter((one) => one.outcome === 'saved' && !stillOpen.includes(one));
      const stale = outcomes.filter(({ outcome }) => outcome === 'stale');
      const gone = outcomes.filter(({ outcome }) => outcome === 'gone');
      const update = (results: readonly Outcome[]) =>
        bills.flatMap((bill) => {
          const result = results.find(({ id }) => id === bill.id);
          return result ? [{ ...bill, work: result.work }] : [];
        });
      if (saved.length > 0)
        toast.success(
          `${successText}: ${saved.length === bills.length ? formatBills(bills) : pluralize(saved.length, 'bill')}`,
        );
      const [open] = update(stillOpen);
      if (open) toast.error(formatStillOpen(stillOpen.length, `Bill ${open.billControlNumber}`));
      const rest = formatOutcome(outcomes, bills, formatUser, name);
      if (rest) toast.error(rest);
      const leaves = change.marked === 'done' || change.marked === 'parked';
      onDone({
        ids: [...saved, ...gone].map(({ id }) => id),
        changed: update([...stale, ...stillOpen]),
        removed: leaves ? update(saved) : [],
      });
    } catch (error) {
      const text = errorMessage(error, failed);
      setProblem(text);
      return text;
    }
    return '';
  };
  return { change, isPending, problem };
}
