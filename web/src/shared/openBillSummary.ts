import { useQuery } from '@tanstack/react-query';
import { api, unwrap } from '@/api/client';
import type { components } from '@/api/schema';
import type { ListCriteria, State } from './openBills';

export type Summary = components['schemas']['OpenBillSummary'];

export const summaryKey = 'open bills in all';

/** The totals of all open bills, for the Workspace bar, Home and Today. */
export const useOpenBillSummary = (enabled = true) =>
  useQuery({
    queryKey: [summaryKey],
    enabled,
    queryFn: ({ signal }) => unwrap(api.POST('/work/bills/summary', { body: {}, signal })),
    staleTime: 60_000,
    retry: false,
  });

/** The amount at stake in each state: charged, allowed, or missing. */
export const stateAmounts: Record<State, (sum: components['schemas']['OpenBillSum']) => number> = {
  received: ({ charge }) => charge,
  priced: ({ allowance }) => allowance,
  denied: ({ charge }) => charge,
  short: ({ short }) => short,
  takenBack: ({ charge }) => charge,
};

/** The first and last day of each age, counted from the date of service. */
export const ages = [
  { label: '0–30 days', least: 0, most: 30 },
  { label: '31–60', least: 31, most: 60 },
  { label: '61–90', least: 61, most: 90 },
  { label: 'Over 90', least: 91, most: undefined },
] as const;

/** The states in which the payer's deadline runs, and those in which the office's does. */
export const payerStates: readonly State[] = ['received', 'priced'];
export const officeStates: readonly State[] = ['denied', 'short', 'takenBack'];

/** The lists of Open Bills that need someone to act. */
export const workLists = {
  overdue: { states: payerStates, due: 'passed' },
  underpaid: { states: ['short'] },
  followUps: { followUps: true },
  officeDue: { states: officeStates, due: 'soon' },
} as const satisfies Record<string, ListCriteria>;
