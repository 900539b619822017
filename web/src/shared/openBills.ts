import { tableState } from '@/ui/table/state';

export type State = 'received' | 'priced' | 'denied' | 'short' | 'takenBack';

/** What is left to do about a bill. */
export const stateNames: Record<State, string> = {
  received: 'Not repriced',
  priced: 'Repriced, unpaid',
  denied: 'Denied',
  short: 'Paid below allowance',
  takenBack: 'Payment reversed',
};

/** The same of a bill in the list: one that is known from a payment of nothing alone is counted with those denied. */
export const standingNames: Record<State | 'nothingPaid', string> = {
  ...stateNames,
  nothingPaid: 'Paid $0',
};

// Open Bills shows at most so many chosen bills.
export const mostChosen = 500;

// What Open Bills shows as if it had been kept there.
const narrowed = (owner: string, criteria: { bills: readonly string[]; tin?: string }) => ({
  kept: { owner, criteria, table: tableState({ pageSize: 50, sort: { id: 'service', desc: false } }) },
});

/** Just these bills, by the ids of their pages. */
export const theseOpenBills = (owner: string, pages: readonly string[]) =>
  narrowed(owner, { bills: pages.slice(0, mostChosen) });

export const openBillsOfTin = (owner: string, tin: string) => narrowed(owner, { bills: [], tin });
