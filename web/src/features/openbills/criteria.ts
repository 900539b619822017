import { z } from 'zod/mini';
import type { components } from '@/api/schema';
import { billStates } from '@/shared/billStates.gen';
import { states as openStates, type State } from '@/shared/openBills';
import { boundedText } from '@/ui/form/boundedText';
import { line } from '@/ui/form/kinds';
import { pluralize } from '@/ui/pluralize';

export type Filter = components['schemas']['OpenBillFilter'];
/** The first and last day of each bar, counted from the date of service. */
export const ages = [
  { label: '0–30 days', least: 0, most: 30 },
  { label: '31–60', least: 31, most: 60 },
  { label: '61–90', least: 61, most: 90 },
  { label: 'Over 90', least: 91, most: undefined },
] as const;

/** When the payer last paid or denied. */
export const periods = {
  thisMonth: 'This month',
  lastMonth: 'Last month',
  last7: 'Last 7 days',
  last30: 'Last 30 days',
} as const;

export const kinds = {
  payer: line(80),
  provider: line(80),
  amount: line(14),
  reason: line(13),
  days: line(5),
};

const reason = boundedText(kinds.reason).check(
  z.refine(
    (formatNumber) => /^([a-z]{2}-)?[a-z0-9]{0,10}$/i.test(formatNumber.trim()),
    'Error: Enter a code, such as CO-45, 45 or N130',
  ),
);
const days = z
  .string()
  .check(z.refine((typed) => /^\d{0,5}$/.test(typed.trim()), 'Error: Enter a number of days'));
const amount = z
  .string()
  .check(z.refine((typed) => parseAmount(typed) !== null, 'Error: Enter an amount, such as 1234.56'));

/** The list's filters, as typed. */
export const criteriaSchema = z.object({
  states: z.array(z.enum(openStates)),
  followUps: z.boolean(),
  ageFrom: days,
  ageTo: days,
  tin: z.string(),
  payer: boundedText(kinds.payer),
  provider: boundedText(kinds.provider),
  amountFrom: amount,
  amountTo: amount,
  assigned: z.string(),
  marked: z.enum(['open', 'done', 'parked']),
  noted: z.boolean(),
  due: z.enum(['', 'passed', 'week']),
  reason,
  answered: z.enum(['', 'thisMonth', 'lastMonth', 'last7', 'last30']),
  shortFrom: amount,
  /** Only these bills, by the IDs of their pages; empty for all. */
  bills: z.array(z.string()),
  /** Only the bills that lost their assignee because a user lost a Tax ID: the ID of that event. */
  lost: z.nullable(z.number()),
});

export type Criteria = z.infer<typeof criteriaSchema>;

export const noFilters: Criteria = {
  states: [],
  followUps: false,
  ageFrom: '',
  ageTo: '',
  tin: '',
  payer: '',
  provider: '',
  amountFrom: '',
  amountTo: '',
  assigned: '',
  marked: 'open',
  noted: false,
  due: '',
  reason: '',
  answered: '',
  shortFrom: '',
  bills: [],
  lost: null,
};

/** Can't be a username, because usernames contain no spaces. */
export const nobody = 'to nobody';
export const me = 'to me';

/** Parses stored criteria, or those from another screen, which only contain its own filters. */
export function read(stored: unknown): Criteria | null {
  const criteria = criteriaSchema.safeParse(
    typeof stored === 'object' && stored !== null && 'bills' in stored ? { ...noFilters, ...stored } : stored,
  );
  return criteria.success ? criteria.data : null;
}

/** Reports whether the criteria match the age bar. */
export const isAge = ({ ageFrom, ageTo }: Criteria, { least, most }: (typeof ages)[number]) =>
  ageFrom === String(least) && ageTo === String(most ?? '');

/** Parses decimal dollars; undefined if empty, null if invalid. */
export function parseAmount(typed: string): number | null | undefined {
  const text = typed.replaceAll(/[$,\s]/g, '');
  if (text === '') return undefined;
  return /^\d{1,9}(\.\d{0,2})?$/.test(text) ? Number(text) : null;
}

/** The states in which the payer's deadline runs. */
const payerStates: readonly State[] = ['received', 'priced'];

/** The overdue payers' bills, for their tile. */
export const payerOverdue: Pick<Criteria, 'states' | 'due'> = { states: [...payerStates], due: 'passed' };

export const isPayerLate = ({ states, due }: Criteria) =>
  due === 'passed' &&
  states.length === payerStates.length &&
  payerStates.every((state) => states.includes(state));

const parseNumber = (typed: string) => (typed.trim() === '' ? undefined : Number(typed));

/**
 * The filter as requested and as saved in a view. Counts of tiles and bars ignore their own
 * filters.
 */
export function toFilter(c: Criteria, by: 'list' | 'tiles' | 'ages' = 'list'): Filter {
  const assigned =
    c.assigned === nobody
      ? { unassigned: true }
      : c.assigned === me
        ? { mine: true }
        : c.assigned && { assigned: c.assigned };
  return {
    ...(by !== 'tiles' && c.states.length > 0 && { states: c.states }),
    ...(by !== 'tiles' && c.followUps && { followUps: true }),
    ...(by !== 'ages' && { ageFrom: parseNumber(c.ageFrom), ageTo: parseNumber(c.ageTo) }),
    ...(c.tin && { tins: [c.tin] }),
    ...(c.payer && { payer: c.payer }),
    ...(c.provider && { provider: c.provider }),
    amountFrom: parseAmount(c.amountFrom) ?? undefined,
    amountTo: parseAmount(c.amountTo) ?? undefined,
    ...assigned,
    ...(c.noted && { noted: true }),
    ...(c.due && (by !== 'tiles' || !isPayerLate(c)) && { due: c.due }),
    ...(c.reason && { reason: c.reason.trim() }),
    ...(c.answered && { answered: c.answered }),
    shortFrom: parseAmount(c.shortFrom) ?? undefined,
    ...(c.bills.length > 0 && { bills: c.bills }),
    ...(c.lost !== null && { lost: c.lost }),
    marked: c.marked,
  };
}

const typed = (value: number | undefined) => (value === undefined ? '' : String(value));

/** The form values of a view's filter. */
export const toCriteria = (f: Filter): Criteria => ({
  ...noFilters,
  states: f.states ?? [],
  followUps: f.followUps ?? false,
  ageFrom: typed(f.ageFrom),
  ageTo: typed(f.ageTo),
  tin: f.tins?.[0] ?? '',
  payer: f.payer ?? '',
  provider: f.provider ?? '',
  amountFrom: typed(f.amountFrom),
  amountTo: typed(f.amountTo),
  assigned: f.unassigned ? nobody : f.mine ? me : (f.assigned ?? ''),
  marked: f.marked ?? 'open',
  noted: f.noted ?? false,
  due: f.due ?? '',
  reason: f.reason ?? '',
  answered: f.answered ?? '',
  shortFrom: typed(f.shortFrom),
});

const dueNames = { passed: 'overdue', week: 'due within 7 days' };

/** Describes a view's filter. */
export function describeFilter(f: Filter, formatUser: (userName: string) => string): string {
  const { states, followUps, ageFrom, ageTo, assigned, tins } = f;
  const words = [
    states?.map((state) => billStates[state]).join(' or '),
    followUps && 'my follow-ups',
    ageFrom !== undefined && `service at least ${pluralize(ageFrom, 'day')} ago`,
    ageTo !== undefined && `service up to ${pluralize(ageTo, 'day')} ago`,
    tins?.join(' or '),
    f.payer && `payer ${f.payer}`,
    f.provider && `provider ${f.provider}`,
    f.amountFrom !== undefined && `charge of ${f.amountFrom} or more`,
    f.amountTo !== undefined && `charge up to ${f.amountTo}`,
    f.answered && `paid or denied ${periods[f.answered].toLowerCase()}`,
    f.shortFrom !== undefined && `underpaid by ${f.shortFrom} or more`,
    f.due && dueNames[f.due],
    f.reason && `reason code ${f.reason}`,
    f.mine && 'assigned to the viewer',
    f.unassigned && 'unassigned',
    assigned && `assigned to ${formatUser(assigned)}`,
    f.noted && 'with notes',
    f.marked === 'done' && 'done',
    f.marked === 'parked' && 'snoozed',
  ].filter(Boolean);
  return words.length > 0 ? words.join(', ') : 'all open bills';
}
