import { useState } from 'react';
import { useSession } from '@/api/session';
import { errorMessage } from '@/shared/errorMessage';
import { formatDate } from '@/ui/dates';
import { pluralize } from '@/ui/pluralize';
import { toast } from '@/ui/Toasts';
import { type Change, type OpenBill, type Outcome, usePeople, useSetWork } from './queries';

export type WorkAction = 'assign' | 'followUp' | 'park' | 'done' | 'open';

const failed = "Error: Couldn't update the bills. Try again.";

export const formatBills = (bills: readonly OpenBill[]) =>
  bills.length === 1 ? `bill ${bills[0]?.billControlNumber}` : pluralize(bills.length, 'bill');

/**
 * Summarizes a change's result. Bills that another user changed first are listed with that
 * change and the name of its user. `name` is the new assignee's.
 */
export function formatOutcome(
  outcomes: readonly Outcome[],
  bills: readonly OpenBill[],
  formatUser: (userName: string) => string,
  name = 'This person',
): string {
  const filterOutcomes = (kind: Outcome['outcome']) => outcomes.filter(({ outcome }) => outcome === kind);
  const stale = filterOutcomes('stale').map(({ id, work }) => {
    const number = bills.find((bill) => bill.id === id)?.billControlNumber ?? '';
    const now = [
      work.assignedTo ? `assigned to ${work.assignedTo.name}` : 'unassigned',
      work.marked === 'done' && 'done',
      work.marked === 'parked' && `snoozed until ${formatDate(work.until)}`,
      work.followUpOn && `follow up on ${formatDate(work.followUpOn)}`,
    ].filter(Boolean);
    return `${formatUser(work.updatedBy)} just changed bill ${number}: ${now.join(', ')}.`;
  });
  const unseen = filterOutcomes('unseen').length;
  const gone = filterOutcomes('gone').length;
  return [
    ...stale.slice(0, 5),
    stale.length > 5 && `${pluralize(stale.length - 5, 'more was', 'more were')} also just changed.`,
    unseen > 0 &&
      `${name} doesn't have access to the Tax IDs of ${pluralize(unseen, 'bill')}, so ${unseen === 1 ? "it wasn't" : "they weren't"} changed.`,
    gone > 0 && `${pluralize(gone, 'bill is', 'bills are')} no longer available.`,
  ]
    .filter(Boolean)
    .join(' ');
}

/** A change's result. */
export interface Done {
  /** The bills that are done. */
  ids: string[];
  /** The bills that left the list, with their current work. */
  removed: OpenBill[];
}

/** Returns a function that names a user. It's "You" for the same user, in another window. */
export function useFormatUser() {
  const { actingUser } = useSession();
  const { data: people = [] } = usePeople();
  return (userName: string) =>
    userName === actingUser.userNm
      ? 'You'
      : (people.find((person) => person.userName === userName)?.name ?? userName);
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
