import { z } from 'zod/mini';
import { type ages, payerStates } from '@/shared/openBillSummary';
import { type Filter, filters, type ListFilter } from './filters';

type Filters = typeof filters;
type Name = keyof Filters;

/** The list's filters, as typed. */
export type Criteria = { [Key in Name]: Filters[Key]['none'] };

const all = Object.entries(filters) as [Name, ListFilter<unknown>][];

/** Returns an object with a value for each filter. */
const mapFilters = (map: (filter: ListFilter<unknown>) => unknown) =>
  Object.fromEntries(all.map(([name, filter]) => [name, map(filter)]));

export const criteriaSchema = z.object(
  mapFilters(({ schema }) => schema) as { [Key in Name]: Filters[Key]['schema'] },
);

export const noFilters = mapFilters(({ none }) => none) as Criteria;

/** Parses stored criteria, or those from another screen, which only contain its own filters. */
export function read(stored: unknown): Criteria | null {
  const criteria = criteriaSchema.safeParse(
    typeof stored === 'object' && stored !== null && 'bills' in stored ? { ...noFilters, ...stored } : stored,
  );
  return criteria.success ? criteria.data : null;
}

/**
 * The filter as requested and as saved in a view. Counts of tiles and bars ignore their own
 * filters.
 */
export function toFilter(criteria: Criteria, by: 'list' | 'tiles' | 'ages' = 'list'): Filter {
  const counted = by === 'tiles' && isPayerLate(criteria) ? { ...criteria, due: '' } : criteria;
  return Object.assign(
    {},
    ...all.map(([name, filter]) => filter.ignoredBy !== by && filter.toRequest(counted[name])),
  );
}

/** The form values of a view's filter. */
export const toCriteria = (saved: Filter) => mapFilters((filter) => filter.fromView(saved)) as Criteria;

/** Describes a view's filter. */
export const describeFilter = (saved: Filter, formatUser: (userName: string) => string): string =>
  all
    .map(([, filter]) => filter.describe(saved, formatUser))
    .filter(Boolean)
    .join(', ') || 'all open bills';

/** Reports whether the criteria match the age bar. */
export const isAge = ({ ageFrom, ageTo }: Criteria, { least, most }: (typeof ages)[number]) =>
  ageFrom === String(least) && ageTo === String(most ?? '');

/** The overdue payers' bills, for their tile. */
export const payerOverdue: Pick<Criteria, 'states' | 'due'> = { states: [...payerStates], due: 'passed' };

export const isPayerLate = ({ states, due }: Criteria) =>
  due === 'passed' &&
  states.length === payerStates.length &&
  payerStates.every((state) => states.includes(state));
