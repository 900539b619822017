import { tableState } from '@/ui/table/state';

export type State = 'received' | 'priced' | 'denied' | 'short' | 'takenBack';

/** What is left to do about a bill. */
export const stateNames: Record<State, string> = {
  received: 'Not priced',
  priced: 'Priced, unpaid',
  denied: 'Denied',
  short: 'Paid short',
  takenBack: 'Taken back',
};

// Open Bills shows at most so many chosen bills.
export const mostChosen = 500;

/** Just these bills, by the ids of their pages, which Open Bills shows as if it had been kept there. */
export const theseOpenBills = (owner: string, pages: readonly string[]) => ({
  kept: {
    owner,
    criteria: { bills: pages.slice(0, mostChosen) },
    table: tableState({ pageSize: 50, sort: { id: 'service', desc: false } }),
  },
});
