import { z } from 'zod/mini';
import { payerStates } from '@/shared/openBillSummary';
import { type Filter, filters, type ListFilter, me } from './filters';

type Filters = typeof filters;
type Name = keyof Filters;

/** The list's filters, as typed. */
export type Criteria = { [Key in Name]: Filters[Key]['none'] };

const all = Object.entries(filters) as [Name, ListFilter<unknown>][];

/** Returns an object with a value for each filter. */
const mapFilters = (map: (filter: ListFilter<unknown>) => unknown) =>
  Object.fromEntries(all.map(([name, filter]) => [name, map(filter)]));

export const criteriaSchema = z
  .object(mapFilters(({ schema }) => schema) as { [Key in Name]: Filters[Key]['schema'] })
  .check(
    z.superRefine((typed, context) => {
      const { ageFrom, ageTo, amountFrom, amountTo } = toFilter(typed as Criteria);
      const addIssue = (name: Name, message: string) =>
        context.addIssue({ code: 'custom', path: [name], message });
      if (isReversed(ageFrom, ageTo)) addIssue('ageTo', 'Error: Maximum days must be at least the minimum');
      if (isReversed(amountFrom, amountTo))
        addIssue('amountTo', 'Error: Maximum amount must be at least the minimum');
    }),
  );

const isReversed = (from: number | undefined, to: number | undefined) =>
  from !== undefined && to !== undefined && from > to;

export const noFilters = mapFilters(({ none }) => none) as Criteria;

/** Parses stored criteria, or those from another screen, which only contain its own filters. */
export function read(stored: unknown): Criteria | null {
  const criteria = criteriaSchema.safeParse(
    typeof stored === 'object' && stored !== null && 'bills' in stored ? { ...noFilters, ...stored } : stored,
  );
  return criteria.success ? criteria.data : null;
}

/** The filter as requested and as saved in a view. Totals ignore the filters that they set. */
export function toFilter(criteria: Criteria, by: 'list' | 'totals' = 'list'): Filter {
  const counted = by === 'totals' && isPayerLate(criteria) ? { ...criteria, due: '' } : criteria;
  return Object.assign(
    {},
    ...all.map(
      ([name, filter]) => !(by === 'totals' && filter.setByTotals) && filter.toRequest(counted[name]),
    ),
  );
}

/** The criteria of a view's filter. */
export const toCriteria = (saved: Filter) => mapFilters((filter) => filter.fromView(saved)) as Criteria;

/** Describes a view's filter. */
export const describeFilter = (saved: Filter, formatUser: (userName: string) => string): string =>
  all
    .map(([, filter]) => filter.describe(saved, formatUser))
    .filter(Boolean)
    .join(', ') || 'all open bills';

/** Describes the chosen values of these filters; empty without any. */
export function describeChosen(
  criteria: Criteria,
  names: readonly Name[],
  formatUser: (userName: string) => string,
): string {
  if (names.includes('ageFrom')) return describeAge(criteria);
  if (names.includes('assigned') && criteria.assigned === me) return 'Assigned to you';
  const text = names
    .map((name) => {
      const { toRequest, describe } = filters[name] as ListFilter<unknown>;
      return describe(toRequest(criteria[name]), formatUser);
    })
    .filter(Boolean)
    .join(', ');
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

function describeAge({ ageFrom, ageTo }: Criteria) {
  if (ageFrom && ageTo) return `${ageFrom}–${ageTo} days old`;
  if (ageFrom) return `At least ${ageFrom} days old`;
  return ageTo && `Up to ${ageTo} days old`;
}

/** The overdue payers' bills, for their total. */
export const payerOverdue: Pick<Criteria, 'states' | 'due'> = { states: [...payerStates], due: 'passed' };

export const isPayerLate = ({ states, due }: Criteria) =>
  due === 'passed' &&
  states.length === payerStates.length &&
  payerStates.every((state) => states.includes(state));
