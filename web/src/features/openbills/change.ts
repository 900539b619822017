import { useState } from 'react';
import { formatOutcome, useFormatUser } from '@/shared/billWork';
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
      const saved = outcomes.filter(({ outcome }) => outcome === 'saved').length;
      const rest = formatOutcome(outcomes, bills, formatUser, name);
      if (saved > 0)
        toast.success(
          `${successText}: ${saved === bills.length ? formatBills(bills) : pluralize(saved, 'bill')}`,
        );
      if (rest) toast.error(rest);
      const leaves = change.marked === 'done' || change.marked === 'parked';
      onDone({
        ids: outcomes.flatMap(({ id, outcome }) => (outcome === 'saved' || outcome === 'gone' ? id : [])),
        changed: bills.flatMap((bill) => {
          const stale = outcomes.find(({ id, outcome }) => id === bill.id && outcome === 'stale');
          return stale ? [{ ...bill, work: stale.work }] : [];
        }),
        removed: bills.flatMap((bill) => {
          const saved = outcomes.find(({ id, outcome }) => id === bill.id && outcome === 'saved');
          return leaves && saved ? [{ ...bill, work: saved.work }] : [];
        }),
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
