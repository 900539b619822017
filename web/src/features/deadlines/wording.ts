import { z } from 'zod/mini';
import {
  basisNames,
  conditionNames,
  kindNames,
  lineNames,
  type RuleKind,
  unitNames,
} from '@/shared/deadlines';
import { formatDate, parseDate } from '@/ui/dates';
import { boundedText } from '@/ui/form/boundedText';
import { type Kind, line } from '@/ui/form/kinds';
import { normalizeText } from '@/ui/text';
import type { Holiday, Rule, RuleEdit, Trial } from './queries';

/* The desk's input for rules, holidays and tests. */

/** The staff's label for a rule's deadline. */
export const getDeskName = (kind: RuleKind) => kindNames[kind];

const toOptions = (names: Record<string, string>) =>
  Object.entries(names).map(([value, label]) => ({ value, label }));

export const choices = {
  line: toOptions(lineNames),
  kind: (Object.keys(kindNames) as RuleKind[]).map((value) => ({ value, label: getDeskName(value) })),
  basis: toOptions(basisNames),
  unit: toOptions(unitNames),
  condition: toOptions(conditionNames),
  status: [
    { value: 'DRAFT', label: 'Draft (not applied)' },
    { value: 'ACTIVE', label: 'Active' },
  ],
};

const upperCase = (most: number): Kind => ({
  maxChars: most,
  normalize: (typed) => normalizeText(typed).toUpperCase(),
});

export const kinds = {
  state: upperCase(2),
  amount: line(4),
  rate: line(6),
  citation: line(160),
  url: line(300),
  text: line(400),
  reviewedBy: line(120),
  name: line(80),
};

const wrongDate = 'Error: Enter a date as MM/DD/YYYY';
const state = boundedText(kinds.state).check(z.minLength(1, 'Error: Enter a 2-letter state code'));
const requiredDay = z.string().check(z.refine((typed) => parseDate(typed) !== null, { error: wrongDate }));
const day = z
  .string()
  .check(z.refine((typed) => typed.trim() === '' || parseDate(typed) !== null, { error: wrongDate }));
const makeChoiceSchema = (error: string) => z.string().check(z.minLength(1, error));

export const ruleSchema = z.object({
  state,
  line: makeChoiceSchema('Error: Select a line of business'),
  kind: makeChoiceSchema('Error: Select a deadline'),
  amount: boundedText(kinds.amount).check(
    z.refine((typed) => /^[1-9]\d{0,3}$/.test(typed), { error: 'Error: Enter 1 or more' }),
  ),
  unit: makeChoiceSchema('Error: Select days, business days or months'),
  basis: makeChoiceSchema('Error: Select the date to calculate from'),
  nextWorkday: z.boolean(),
  condition: z.string(),
  rate: boundedText(kinds.rate).check(
    z.refine((typed) => /^(\d{1,3}(\.\d{1,2})?)?$/.test(typed), {
      error: 'Error: Enter a percentage, such as 1.5',
    }),
  ),
  citation: boundedText(kinds.citation).check(z.minLength(1, 'Error: Enter a citation')),
  url: boundedText(kinds.url).check(
    z.refine((typed) => typed.startsWith('https://'), {
      error: 'Error: Enter a URL that starts with https://',
    }),
  ),
  text: boundedText(kinds.text).check(z.minLength(1, 'Error: Enter a summary of the rule')),
  effective: requiredDay,
  ended: day,
  status: z.enum(['DRAFT', 'ACTIVE']),
  reviewedBy: boundedText(kinds.reviewedBy),
});

export type Values = z.infer<typeof ruleSchema>;

export const toValues = (rule?: Rule): Values => ({
  state: rule?.state ?? '',
  line: rule?.line ?? '',
  kind: rule?.kind ?? '',
  amount: rule ? String(rule.amount) : '',
  unit: rule?.unit ?? '',
  basis: rule?.basis ?? '',
  nextWorkday: rule?.nextWorkday ?? false,
  condition: rule?.condition ?? '',
  rate: rule?.rate ? String(rule.rate) : '',
  citation: rule?.citation ?? '',
  url: rule?.url ?? '',
  text: rule?.text ?? '',
  effective: formatDate(rule?.effective),
  ended: formatDate(rule?.ended),
  status: rule?.status ?? 'DRAFT',
  reviewedBy: rule?.reviewedBy ?? '',
});

/** Converts a server value to its field's value. */
export const toFieldValue = (name: string, value: string) =>
  name === 'effective' || name === 'ended'
    ? formatDate(value)
    : name === 'rate' && value === '0'
      ? ''
      : value;

/** The request's body, in place of a version. */
export const toRequest = (values: Values, version: number): RuleEdit =>
  ({
    ...values,
    amount: Number(values.amount),
    rate: Number(values.rate),
    effective: parseDate(values.effective) ?? '',
    ended: parseDate(values.ended) ?? '',
    version,
  }) as RuleEdit; // the options are the API's values

export const trialSchema = z.object({
  state,
  line: makeChoiceSchema('Error: Select a line of business'),
  service: day,
  received: day,
  receivedSure: z.boolean(),
  payerReceived: day,
  paid: day,
});

export type TrialValues = z.infer<typeof trialSchema>;

export const noTrial: TrialValues = {
  state: '',
  line: 'WC',
  service: '',
  received: '',
  receivedSure: true,
  payerReceived: '',
  paid: '',
};

export const toTrial = ({ state, line, receivedSure, ...days }: TrialValues): Trial => ({
  state,
  line: line as Trial['line'],
  receivedSure,
  service: parseDate(days.service) ?? '',
  received: parseDate(days.received) ?? '',
  payerReceived: parseDate(days.payerReceived) ?? '',
  paid: parseDate(days.paid) ?? '',
});

export const holidaySchema = z.object({
  state,
  day: requiredDay,
  name: boundedText(kinds.name).check(z.minLength(1, 'Error: Enter a holiday name')),
});

export type HolidayValues = z.infer<typeof holidaySchema>;

export const noHoliday: HolidayValues = { state: '', day: '', name: '' };

export const toHoliday = (values: HolidayValues): Holiday => ({
  ...values,
  day: parseDate(values.day) ?? '',
});
