import { tableState } from '@/ui/table/state';

export type State = 'received' | 'priced' | 'denied' | 'short' | 'takenBack';

/** The follow-up states of a bill. */
export const stateNames: Record<State, string> = {
  received: 'Not repriced',
  priced: 'Repriced, unpaid',
  denied: 'Denied',
  short: 'Paid below allowance',
  takenBack: 'Payment reversed',
};

/** The same for rows of the list. A bill with only a $0 payment counts as denied. */
export const statusNames: Record<State | 'nothingPaid', string> = {
  ...stateNames,
  nothingPaid: 'Paid $0',
};

// The maximum number of selected bills that Open Bills shows.
export const maxChosen = 500;

// The navigation state that makes Open Bills show these bills.
const narrowed = (owner: string, criteria: { bills: readonly string[]; tin?: string }) => ({
  kept: { owner, criteria, table: tableState({ pageSize: 50, sort: { id: 'service', desc: false } }) },
});

/** Exactly these bills, by the IDs of their pages. */
export const showOpenBills = (owner: string, pages: readonly string[]) =>
  narrowed(owner, { bills: pages.slice(0, maxChosen) });

export const openBillsOfTin = (owner: string, tin: string) => narrowed(owner, { bills: [], tin });
