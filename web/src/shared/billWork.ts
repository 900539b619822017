import { useQuery } from '@tanstack/react-query';
import { api, unwrap } from '@/api/client';
import type { components } from '@/api/schema';
import { useSession } from '@/api/session';
import { formatDate } from '@/ui/dates';
import { pluralize } from '@/ui/pluralize';

export type Outcome = components['schemas']['OpenBillOutcome'];
type Person = components['schemas']['OpenBillPerson'];

/**
 * Reports whether the user sees and changes the group's work on bills. Users who mirror see the
 * bills without it.
 */
export function useCanWork(): boolean {
  const { can, mirroredUser } = useSession();
  return can('work.notes') && !mirroredUser;
}

/** The possible assignees; none for users without a group's work. */
export const usePeople = () =>
  useQuery({
    queryKey: ['people of the group'],
    enabled: useCanWork(),
    queryFn: ({ signal }) => unwrap(api.GET('/work/people', { signal })),
    staleTime: 60_000,
  });

/** The options for an assignee, including the current one, who can be inactive. */
export const listAssignees = (people: readonly Person[], assignedTo: Person | undefined) =>
  (assignedTo && !people.some(({ userName }) => userName === assignedTo.userName)
    ? [assignedTo, ...people]
    : people
  ).map(({ userName, name }) => ({ value: userName, label: name }));

/** The name of a saved view's assignee, who can be inactive. It's the username until people are loaded. */
export const formatAssignee = (people: readonly Person[] | undefined, userName: string) =>
  people?.find((person) => person.userName === userName)?.name ??
  (people ? `${userName} (inactive)` : userName);

/** Returns a function that names a user. It's "You" for the same user, in another window. */
export function useFormatUser() {
  const { actingUser } = useSession();
  const { data: people = [] } = usePeople();
  return (userName: string) =>
    userName === actingUser.userNm
      ? 'You'
      : (people.find((person) => person.userName === userName)?.name ?? userName);
}

/**
 * Reports whether a bill is still open after it was marked as done, because it changed since the
 * user loaded it.
 */
export const isStillOpen = (marked: string | undefined, { outcome, work }: Outcome) =>
  marked === 'done' && outcome === 'saved' && work.marked !== 'done';

/** The message for bills that are still open after they were marked as done. One is named. */
export const formatStillOpen = (count: number, bill: string) =>
  count === 1
    ? `${bill} changed. Check the change, then mark it as done.`
    : `${count} bills changed. Check the changes, then mark them as done.`;

/**
 * Summarizes a change's result. Bills that another user changed first are listed with that
 * change and the name of its user. `name` is the new assignee's.
 */
export function formatOutcome(
  outcomes: readonly Outcome[],
  bills: readonly { id: string; billControlNumber: string }[],
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
