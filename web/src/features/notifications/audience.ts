import { z } from 'zod/mini';
import type { components } from '@/api/schema';
import { accountTypes } from '@/shared/accounts';
import { boundedText } from '@/ui/form/boundedText';
import { nameList } from '@/ui/form/kinds';
import { formatCount } from '@/ui/format';
import { pluralize } from '@/ui/pluralize';
import { splitNames, statuses } from './criteria';

/* A notification's audience, if its recipients aren't selected individually. */

export type Audience = components['schemas']['Audience'];

/** Terminated users get no notifications. */
export const statusOptions = statuses
  .filter(({ code }) => code !== 'TERM')
  .map(({ code, name }) => ({ value: code, label: name }));

/** The kinds of the fields. */
export const kinds = { groups: nameList(1200), tins: nameList(1200), states: nameList(300) };

const makeListSchema = (kind: (typeof kinds)[keyof typeof kinds], item: RegExp, message: string) =>
  boundedText(kind).check(
    z.refine((list) => splitNames(list).every((one) => item.test(one)), { error: `Error: ${message}` }),
  );

export const audienceSchema = z.object({
  types: z.array(z.string()),
  statuses: z.array(z.string()),
  groups: makeListSchema(kinds.groups, /^\d{1,15}$/, 'Enter numeric Group IDs, separated by commas'),
  tins: makeListSchema(kinds.tins, /^(\d-?){9}$/, 'Enter 9-digit Tax IDs (TINs), separated by commas'),
  states: makeListSchema(kinds.states, /^[a-z]{2}$/i, 'Enter 2-letter state codes, separated by commas'),
});

export type Values = z.infer<typeof audienceSchema>;

export const toValues = ({ types, statuses, groups, tins, states }: Audience): Values => ({
  types: types ?? [],
  statuses: statuses ?? [],
  groups: (groups ?? []).join(', '),
  tins: (tins ?? []).join(', '),
  states: (states ?? []).join(', '),
});

/**
 * Builds the audience as the server stores it, without the excluded users. Empty fields are
 * absent.
 */
export function toAudience(values: Values, excluded: readonly number[] = []): Audience {
  const parts = {
    types: [...values.types].sort(),
    statuses: [...values.statuses].sort(),
    groups: splitNames(values.groups).map(Number).sort(byNumber),
    tins: splitNames(values.tins)
      .map((tin) => tin.replace(/-/g, ''))
      .sort(),
    states: splitNames(values.states)
      .map((state) => state.toUpperCase())
      .sort(),
    excluded: [...excluded].sort(byNumber),
  };
  return Object.fromEntries(Object.entries(parts).filter(([, list]) => list.length > 0));
}

const byNumber = (a: number, b: number) => a - b;

const serialize = (audience: Audience | null) =>
  audience ? JSON.stringify(toAudience(toValues(audience), audience.excluded)) : '';

export const isSameAudience = (a: Audience | null, b: Audience | null) => serialize(a) === serialize(b);

const orList = new Intl.ListFormat('en', { type: 'disjunction' });

/** Describes an audience. */
export function describeAudience(audience: Audience): string {
  const { types = [], groups = [], tins = [], states = [], excluded = [] } = audience;
  const formatLabels = (options: readonly { value: string; label: string }[], values: readonly string[]) =>
    orList.format(options.filter(({ value }) => values.includes(value)).map(({ label }) => label));
  const formatPart = (what: string, values: readonly (string | number)[]) =>
    values.length > 0 && `${what} ${orList.format(values.map(String))}`;
  const filters = [
    audience.statuses && `status ${formatLabels(statusOptions, audience.statuses)}`,
    formatPart('group', groups),
    formatPart('TIN', tins),
    formatPart('state', states),
  ].filter(Boolean);
  // With a group it isn't everyone.
  const people = types.length > 0 ? formatLabels(accountTypes, types) : 'everyone';
  const without = excluded.length > 0 && `${formatCount(excluded.length)} excluded`;
  return [[people, filters.join('; ')].filter(Boolean).join(' with '), without].filter(Boolean).join('; ');
}

/** The current count as text. */
export const describeMatches = (count: number) => `${pluralize(count, 'user matches', 'users match')} now`;
