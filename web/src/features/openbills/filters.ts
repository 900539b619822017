import { z } from 'zod/mini';
import type { components } from '@/api/schema';
import { billStates } from '@/shared/billStates.gen';
import { callOutcomes } from '@/shared/callOutcomes.gen';
import { nobody, type State, states } from '@/shared/openBills';
import { boundedText } from '@/ui/form/boundedText';
import { type Kind, line } from '@/ui/form/kinds';
import { formatTin } from '@/ui/format';
import { pluralize } from '@/ui/pluralize';

/* The list's filters: all that the chips, requests and saved views need to know about each. */

export type Filter = components['schemas']['OpenBillFilter'];

/** A filter's field. Tax IDs and assignees have their own. */
type Field =
  | { as: 'text'; label: string; kind: Kind; inputMode?: 'decimal' | 'numeric' }
  | { as: 'select'; label: string; placeholder?: string; options: { value: string; label: string }[] }
  | { as: 'checkbox'; label: string };

export interface ListFilter<Value> {
  schema: z.ZodMiniType<Value, Value>;
  none: Value;
  /** Returns its part of the request. */
  toRequest(value: Value): Filter;
  /** Returns its value in a saved view. */
  fromView(filter: Filter): Value;
  /** Describes it on its chip and in a saved view. */
  describe(filter: Filter, formatUser: (userName: string) => string): string | false | undefined;
  /** The totals ignore it, because clicking one of them sets it. */
  setByTotals?: boolean;
  field?: Field;
}

const define = <Value>(filter: ListFilter<Value>) => filter;

/** Makes a filter that views don't save, so it's always absent there. */
const defineUnsaved = <Value>(filter: Pick<ListFilter<Value>, 'schema' | 'none' | 'toRequest'>) =>
  define<Value>({ ...filter, fromView: () => filter.none, describe: () => undefined });

export { nobody };
/** Can't be a username, because usernames contain no spaces. */
export const me = 'to me';

const toPart = (name: keyof Filter, value: unknown): Filter =>
  value === undefined || value === '' || value === false ? {} : { [name]: value };

function defineText(
  name: 'payer' | 'provider' | 'reason',
  label: string,
  kind: Kind,
  schema = boundedText(kind),
) {
  return define<string>({
    schema,
    none: '',
    toRequest: (typed) => toPart(name, typed.trim()),
    fromView: (filter) => filter[name] ?? '',
    describe: (filter) => filter[name] && `${label.toLowerCase()} ${filter[name]}`,
    field: { as: 'text', label, kind },
  });
}

type NumberName = 'ageFrom' | 'ageTo' | 'amountFrom' | 'amountTo' | 'shortFrom';

interface NumberUnit extends Pick<ListFilter<string>, 'schema'> {
  parse: (typed: string) => number | null | undefined;
  kind: Kind;
  inputMode: 'decimal' | 'numeric';
}

function defineNumber(
  { parse, kind, inputMode, ...unit }: NumberUnit,
  name: NumberName,
  label: string,
  describe: (value: number) => string,
) {
  return define<string>({
    ...unit,
    none: '',
    toRequest: (typed) => toPart(name, parse(typed) ?? undefined),
    fromView: (filter) => String(filter[name] ?? ''),
    describe: ({ [name]: value }) => value !== undefined && describe(value),
    field: { as: 'text', label, kind, inputMode },
  });
}

interface Choice<Value extends string> {
  label: string;
  placeholder?: string;
  /** Each value's label in its field, and its words in a description. */
  values: Record<Value, [label: string, description: string]>;
}

/** Makes a filter with one of several values, or any. */
const defineChoice = <Name extends 'due' | 'answered' | 'called' | 'callOutcome'>(
  name: Name,
  { label, placeholder = 'Any time', values }: Choice<NonNullable<Filter[Name]>>,
) => {
  type Value = NonNullable<Filter[Name]>;
  const names = Object.keys(values) as Value[];
  return define<Value | ''>({
    schema: z.enum(['', ...names]) as z.ZodMiniType<Value | '', Value | ''>,
    none: '',
    toRequest: (value) => toPart(name, value),
    fromView: (filter) => filter[name] ?? '',
    describe: ({ [name]: value }) => value && values[value as Value][1],
    field: {
      as: 'select',
      label,
      placeholder,
      options: names.map((value) => ({ value, label: values[value][0] })),
    },
  });
};

/** Parses decimal dollars; undefined if empty, null if invalid. */
export function parseAmount(typed: string): number | null | undefined {
  const text = typed.replaceAll(/[$,\s]/g, '');
  if (text === '') return undefined;
  return /^\d{1,9}(\.\d{0,2})?$/.test(text) ? Number(text) : null;
}

const days: NumberUnit = {
  schema: z
    .string()
    .check(z.refine((typed) => /^\d{0,5}$/.test(typed.trim()), 'Error: Enter a number of days')),
  parse: (typed) => (typed.trim() === '' ? undefined : Number(typed)),
  kind: line(5),
  inputMode: 'numeric',
};

const amount: NumberUnit = {
  schema: z
    .string()
    .check(z.refine((typed) => parseAmount(typed) !== null, 'Error: Enter an amount, such as 1234.56')),
  parse: parseAmount,
  kind: line(14),
  inputMode: 'decimal',
};

const reasonKind = line(13);
const reason = boundedText(reasonKind).check(
  z.refine(
    (code) => /^([a-z]{2}-)?[a-z0-9]{0,10}$/i.test(code.trim()),
    'Error: Enter a code, such as CO-45, 45 or N130',
  ),
);

/** In the order of a view's description. */
export const filters = {
  states: define<State[]>({
    schema: z.array(z.enum(states)),
    none: [],
    toRequest: (chosen) => (chosen.length > 0 ? { states: chosen } : {}),
    fromView: (filter) => filter.states ?? [],
    describe: (filter) => filter.states?.map((state) => billStates[state]).join(' or '),
    setByTotals: true,
  }),
  followUps: define<boolean>({
    schema: z.boolean(),
    none: false,
    toRequest: (only) => toPart('followUps', only),
    fromView: ({ followUps = false }) => followUps,
    describe: ({ followUps }) => followUps && 'my follow-ups',
    setByTotals: true,
  }),
  ageFrom: defineNumber(
    days,
    'ageFrom',
    'Days from',
    (age) => `service at least ${pluralize(age, 'day')} ago`,
  ),
  ageTo: defineNumber(days, 'ageTo', 'Days to', (age) => `service up to ${pluralize(age, 'day')} ago`),
  tin: define<string>({
    schema: z.string(),
    none: '',
    toRequest: (tin) => (tin ? { tins: [tin] } : {}),
    fromView: ({ tins }) => tins?.[0] ?? '',
    describe: ({ tins }) => !!tins && `Tax ID ${tins.map(formatTin).join(' or ')}`,
  }),
  payer: defineText('payer', 'Payer', line(128)),
  provider: defineText('provider', 'Provider', line(80)),
  amountFrom: defineNumber(amount, 'amountFrom', 'Charge from', (value) => `charge of ${value} or more`),
  amountTo: defineNumber(amount, 'amountTo', 'Charge to', (value) => `charge up to ${value}`),
  /** When the payer last paid or denied. */
  answered: defineChoice('answered', {
    label: 'Date paid or denied',
    values: {
      thisMonth: ['This month', 'paid or denied this month'],
      lastMonth: ['Last month', 'paid or denied last month'],
      last7: ['Last 7 days', 'paid or denied last 7 days'],
      last30: ['Last 30 days', 'paid or denied last 30 days'],
      last90: ['Last 90 days', 'paid or denied last 90 days'],
    },
  }),
  shortFrom: defineNumber(
    amount,
    'shortFrom',
    'Underpaid by at least',
    (value) => `underpaid by ${value} or more`,
  ),
  due: defineChoice('due', {
    label: 'Due',
    values: {
      passed: ['Overdue', 'overdue'],
      week: ['Within 7 days', 'due within 7 days'],
      soon: ['Within 14 days', 'due within 14 days'],
    },
  }),
  reason: defineText('reason', 'Reason code', reasonKind, reason),
  assigned: define<string>({
    schema: z.string(),
    none: '',
    toRequest: (to) =>
      to === nobody ? { unassigned: true } : to === me ? { mine: true } : toPart('assigned', to),
    fromView: ({ unassigned, mine, assigned = '' }) => (unassigned ? nobody : mine ? me : assigned),
    describe: ({ mine, unassigned, assigned }, formatUser) =>
      [
        mine && 'assigned to the viewer',
        unassigned && 'unassigned',
        assigned && `assigned to ${formatUser(assigned)}`,
      ]
        .filter(Boolean)
        .join(', '),
  }),
  noted: define<boolean>({
    schema: z.boolean(),
    none: false,
    toRequest: (only) => toPart('noted', only),
    fromView: ({ noted = false }) => noted,
    describe: ({ noted }) => noted && 'with notes',
    field: { as: 'checkbox', label: 'Has notes' },
  }),
  /** When the group last called the payer. */
  called: defineChoice('called', {
    label: 'Last payer call',
    values: {
      never: ['Never', 'payer never called'],
      last7: ['Last 7 days', 'payer called last 7 days'],
      last30: ['Last 30 days', 'payer called last 30 days'],
      notLast14: ['Not in 14 days', 'payer not called in 14 days'],
    },
  }),
  callOutcome: defineChoice('callOutcome', {
    label: 'Call outcome',
    placeholder: 'Any outcome',
    values: {
      promised: [callOutcomes.promised, 'payment promised in the last call'],
      notOnFile: [callOutcomes.notOnFile, 'not on file in the last call'],
      resend: [callOutcomes.resend, 'resend asked in the last call'],
      denied: [callOutcomes.denied, 'denied in the last call'],
      other: [callOutcomes.other, 'other outcome of the last call'],
    },
  }),
  marked: define<'open' | 'done' | 'parked'>({
    schema: z.enum(['open', 'done', 'parked']),
    none: 'open',
    toRequest: (marked) => ({ marked }),
    fromView: ({ marked = 'open' }) => marked,
    describe: ({ marked }) => (marked === 'parked' ? 'snoozed' : marked === 'done' && marked),
    field: {
      as: 'select',
      label: 'Work status',
      options: [
        { value: 'open', label: 'Open' },
        { value: 'done', label: 'Done' },
        { value: 'parked', label: 'Snoozed' },
      ],
    },
  }),
  doneThisWeek: define<boolean>({
    schema: z.boolean(),
    none: false,
    toRequest: (only) => toPart('doneThisWeek', only),
    fromView: ({ doneThisWeek = false }) => doneThisWeek,
    describe: ({ doneThisWeek }) => doneThisWeek && 'done this week',
    field: { as: 'checkbox', label: 'Done this week' },
  }),
  /** Only these bills, by the IDs of their pages; empty for all. */
  bills: defineUnsaved<string[]>({
    schema: z.array(z.string()),
    none: [],
    toRequest: (bills) => (bills.length > 0 ? { bills } : {}),
  }),
  /** Only the bills that lost their assignee because a user lost a Tax ID: the ID of that event. */
  lost: defineUnsaved<number | null>({
    schema: z.nullable(z.number()),
    none: null,
    toRequest: (lost) => (lost === null ? {} : { lost }),
  }),
};

/** The filters with a chip of their own, and those under "More filters". */
export const chipNames = {
  main: [
    { label: 'Payer', names: ['payer'] },
    { label: 'Age', names: ['ageFrom', 'ageTo'] },
    { label: 'Due', names: ['due'] },
    { label: 'Assigned to', names: ['assigned'] },
  ],
  more: [
    'tin',
    'provider',
    'reason',
    'amountFrom',
    'amountTo',
    'shortFrom',
    'answered',
    'called',
    'callOutcome',
    'marked',
    'doneThisWeek',
    'noted',
  ],
} as const satisfies {
  main: readonly { label: string; names: readonly (keyof typeof filters)[] }[];
  more: readonly (keyof typeof filters)[];
};

/** The filters that are about a group's work, for users who see it. */
export const workFilters: ReadonlySet<keyof typeof filters> = new Set([
  'assigned',
  'called',
  'callOutcome',
  'marked',
  'doneThisWeek',
  'noted',
]);
