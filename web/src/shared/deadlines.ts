import type { components } from '@/api/schema';
import { formatDate } from '@/ui/dates';

/* The words in which the times that rules set are told: on bills' pages and at the desk. */

export type RuleTerms = Pick<
  components['schemas']['BillDeadline'],
  'kind' | 'basis' | 'amount' | 'unit' | 'nextWorkday' | 'condition'
>;
export type DayBasis = components['schemas']['DayBasis'];
export type RuleKind = RuleTerms['kind'];

export const kindNames: Record<RuleKind, string> = {
  PAYER_ANSWER: "Payer's time to answer",
  PAYER_PAY: "Payer's time to pay",
  FOLLOW_UP_FROM: 'Time to follow up',
  OFFICE_RECONSIDER: 'Your time to ask again',
  PAYER_RECONSIDER: "Payer's time to answer again",
  OFFICE_DISPUTE: 'Your time to dispute',
  INTEREST: 'Interest',
};

export const lineNames = { WC: "Workers' compensation", AUTO: 'Auto' };

export const basisNames: Record<RuleTerms['basis'], string> = {
  SERVICE: 'the first day of service',
  RECEIVED: "the network's receipt of the bill",
  PAYER_RECEIVED: "the payer's receipt of the bill",
  EOR_AVAILABLE: "the day the payer's decision could be read",
  EOR_OPENED: "the day the office first read the payer's decision",
  PAID: 'the payment',
  CASE_SENT: 'the day the office asked again',
};

export const conditionNames: Record<Exclude<RuleTerms['condition'], ''>, string> = {
  ELECTRONIC: 'sent electronically',
  PAPER: 'sent on paper',
  PUBLIC: 'to a public employer',
  NON_NETWORK: 'outside of a certified network',
  CONTRACT: "by the network's contract",
};

export const unitNames: Record<RuleTerms['unit'], string> = {
  DAYS: 'days',
  BUSINESS_DAYS: 'working days',
  MONTHS: 'months',
};

/** 45 days, 1 month. */
export const amountOf = ({ amount, unit }: Pick<RuleTerms, 'amount' | 'unit'>) =>
  `${amount} ${amount === 1 ? unitNames[unit].slice(0, -1) : unitNames[unit]}`;

const sources: Record<DayBasis['from'], string> = {
  bill: 'the bill tells it',
  repricer: "the network's own day of receipt",
  file: 'the day of the file that brought the bill',
  seen: 'the day the bill was first in the portal',
  payer: 'the payer tells it',
  payment: 'the day of the payment or denial',
};

/** Which day a time is counted from, and how that is known. */
export const basisInWords = (rule: Pick<RuleTerms, 'basis'>, { on, from, about }: DayBasis) =>
  `Counted from ${basisNames[rule.basis]}: ${formatDate(on)}, ${sources[from]}.${
    about ? ' It stands for a day that is not known, so the deadline is only about right.' : ''
  }`;

const unitsInWords: Record<RuleTerms['unit'], string> = {
  DAYS: 'Every day of the calendar counts.',
  BUSINESS_DAYS: "Saturdays, Sundays, federal holidays and the state's own do not count.",
  MONTHS: 'It is the same day of a later month, or its last day where that month is shorter.',
};

/** Which days count. */
export const unitInWords = ({ unit, nextWorkday }: Pick<RuleTerms, 'unit' | 'nextWorkday'>) =>
  `${unitsInWords[unit]}${nextWorkday ? ' A last day without work moves to the next one with.' : ''}`;
