import { createSearch } from './historyState';

/** The follow-up states of a bill, as Open Bills filters them. */
export const states = ['received', 'priced', 'denied', 'short', 'takenBack'] as const;
export type State = (typeof states)[number];

/** The assignee filter for unassigned bills. It can't be a username, because these contain no spaces. */
export const nobody = 'to nobody';

// The maximum number of selected bills that Open Bills shows.
export const maxSelectedBills = 500;

/** Filters of Open Bills that another screen sets. */
export interface ListCriteria {
  bills?: readonly string[];
  tin?: string;
  states?: readonly State[];
  due?: 'passed' | 'soon';
  followUps?: boolean;
  ageFrom?: string;
  ageTo?: string;
  payer?: string;
  /** A username, or `nobody`. */
  assigned?: string;
  marked?: 'done';
  doneThisWeek?: boolean;
  answered?: 'last90';
}

// The navigation state that makes Open Bills show these bills.
const createListState = (owner: string, criteria: ListCriteria) => ({
  kept: createSearch(owner, { bills: [], ...criteria }, { pageSize: 50, sort: { id: 'due', desc: false } }),
});

/** Open Bills with these filters. */
export const showOpenBillsBy = (owner: string, criteria: ListCriteria) => createListState(owner, criteria);

/** Exactly these bills, by the IDs of their pages. */
export const showOpenBills = (owner: string, pages: readonly string[]) =>
  createListState(owner, { bills: pages.slice(0, maxSelectedBills) });

export const showOpenBillsByTin = (owner: string, tin: string) => createListState(owner, { bills: [], tin });
