import { z } from 'zod/mini';
import type { components } from '@/api/schema';
import { addDays, today } from '@/ui/dates';
import { boundedText } from '@/ui/form/boundedText';
import { line } from '@/ui/form/kinds';

export type Filter = components['schemas']['OpenBillFilter'];
export type State = 'received' | 'priced' | 'denied' | 'short' | 'takenBack';

export const stateNames: Record<State, string> = {
  received: 'Not priced',
  priced: 'Priced, unpaid',
  denied: 'Denied',
  short: 'Paid short',
  takenBack: 'Taken back',
};

/** Days since the service: those of a bar, first and last. */
export const ages = [
  { label: '0–30 days', least: 0, most: 30 },
  { label: '31–60', least: 31, most: 60 },
  { label: '61–90', least: 61, most: 90 },
  { label: 'Over 90', least: 91, most: undefined },
] as const;

export const kinds = { payer: line(80), provider: line(80), amount: line(14), reason: line(13) };

const reason = boundedText(kinds.reason).check(
  z.refine(
    (typed) => /^([a-z]{2}-)?[a-z0-9]{0,10}$/i.test(typed.trim()),
    'Enter a code, such as CO-45, 45 or N130',
  ),
);
const amount = z.string().check(z.refine((typed) => amountOf(typed) !== null, 'Enter an amount as 1234.56'));

/** What the list is narrowed by, as it stands in the fields. */
export const criteriaSchema = z.object({
  states: z.array(z.enum(['received', 'priced', 'denied', 'short', 'takenBack'])),
  followUps: z.boolean(),
  age: z.nullable(z.number().check(z.gte(0), z.lte(3))),
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
});

export type Criteria = z.infer<typeof criteriaSchema>;

export const everything: Criteria = {
  states: [],
  followUps: false,
  age: null,
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
};

/** No user is called so: names have no space. */
export const nobody = 'to nobody';

export function read(kept: unknown): Criteria | null {
  const criteria = criteriaSchema.safeParse(kept);
  return criteria.success ? criteria.data : null;
}

/** Decimal dollars; undefined where nothing is typed, null where it is no amount. */
export function amountOf(typed: string): number | null | undefined {
  const text = typed.replaceAll(/[$,\s]/g, '');
  if (text === '') return undefined;
  return /^\d{1,9}(\.\d{0,2})?$/.test(text) ? Number(text) : null;
}

/** The states in which it is the payer's time that runs. */
const payersTurn: readonly State[] = ['received', 'priced'];

/** Those about which the payer's time is over: what its tile chooses. */
export const payerLate: Pick<Criteria, 'states' | 'due'> = { states: [...payersTurn], due: 'passed' };

export const isPayerLate = ({ states, due }: Criteria) =>
  due === 'passed' &&
  states.length === payersTurn.length &&
  payersTurn.every((state) => states.includes(state));

/** As the server is asked. What the tiles and bars choose is left out of what they count. */
export function filterOf(c: Criteria, by: 'list' | 'tiles' | 'ages' = 'list'): Filter {
  const age = c.age === null || by === 'ages' ? undefined : ages[c.age];
  return {
    ...(by !== 'tiles' && c.states.length > 0 && { states: c.states }),
    ...(by !== 'tiles' && c.followUps && { followUps: true }),
    ...(age && {
      to: addDays(today(), -age.least),
      ...(age.most !== undefined && { from: addDays(today(), -age.most) }),
    }),
    ...(c.tin && { tins: [c.tin] }),
    ...(c.payer && { payer: c.payer }),
    ...(c.provider && { provider: c.provider }),
    amountFrom: amountOf(c.amountFrom) ?? undefined,
    amountTo: amountOf(c.amountTo) ?? undefined,
    ...(c.assigned === nobody ? { unassigned: true } : c.assigned && { assigned: c.assigned }),
    ...(c.noted && { noted: true }),
    ...(c.due && (by !== 'tiles' || !isPayerLate(c)) && { due: c.due }),
    ...(c.reason && { reason: c.reason.trim() }),
    marked: c.marked,
  };
}
