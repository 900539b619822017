import type { components } from '@/api/schema';
import { formatDate } from '@/ui/dates';

/* The wording of the rules' deadlines, on bill pages and at the desk. */

export type RuleTerms = Pick<
  components['schemas']['BillDeadline'],
  'kind' | 'basis' | 'amount' | 'unit' | 'nextWorkday' | 'condition'
>;
export type DayBasis = components['schemas']['DayBasis'];
export type RuleKind = RuleTerms['kind'];

export const kindNames: Record<RuleKind, string> = {
  PAYER_ANSWER: 'Payer response due',
  PAYER_PAY: 'Payment due',
  FOLLOW_UP_FROM: 'Earliest follow-up date',
  OFFICE_RECONSIDER: 'Deadline to request reconsideration',
  PAYER_RECONSIDER: 'Reconsideration response due',
  OFFICE_DISPUTE: 'Deadline to dispute',
  INTEREST: 'Interest',
  COMPLAINT_ACK: 'Complaint acknowledgment due',
  COMPLAINT_RESOLVE: 'Complaint resolution due',
};

export const lineNames = { WC: "Workers' compensation", AUTO: 'Auto' };

export const basisNames: Record<RuleTerms['basis'], string> = {
  SERVICE: 'the first date of service',
  RECEIVED: 'the date the network received it',
  PAYER_RECEIVED: 'the date the payer received the bill',
  EOR_AVAILABLE: 'the date the EOR was available',
  EOR_OPENED: 'the date the office first opened the EOR',
  PAID: 'the payment date',
  CASE_SENT: 'the date the office requested reconsideration',
};

export const conditionNames: Record<Exclude<RuleTerms['condition'], ''>, string> = {
  ELECTRONIC: 'sent electronically',
  PAPER: 'sent on paper',
  PUBLIC: 'to a public employer',
  NON_NETWORK: 'outside a certified network',
  CONTRACT: 'per the network contract',
};

export const unitNames: Record<RuleTerms['unit'], string> = {
  DAYS: 'days',
  BUSINESS_DAYS: 'business days',
  MONTHS: 'months',
};

/** 45 days, 1 month. */
export const formatPeriod = ({ amount, unit }: Pick<RuleTerms, 'amount' | 'unit'>) =>
  `${amount} ${amount === 1 ? unitNames[unit].slice(0, -1) : unitNames[unit]}`;

const sources: Record<DayBasis['from'], string> = {
  bill: 'from the bill',
  repricer: 'from the network',
  file: 'the date of the file that included the bill',
  seen: 'the date the bill first appeared in the portal',
  payer: 'from the payer',
  payment: 'the date of the payment or denial',
};

/** The day a deadline is calculated from, and its source. */
export const describeBasis = (rule: Pick<RuleTerms, 'basis'>, { on, from, about }: DayBasis) =>
  `Calculated from ${basisNames[rule.basis]}: ${formatDate(on)} (${sources[from]}).${
    about ? ' This date is an estimate, so the deadline is approximate.' : ''
  }`;

const unitPhrases: Record<RuleTerms['unit'], string> = {
  DAYS: 'All calendar days count.',
  BUSINESS_DAYS: "Saturdays, Sundays, federal holidays and state holidays don't count.",
  MONTHS: "The deadline falls on the same day of a later month, or on that month's last day if it's shorter.",
};

/** Which days count. */
export const describeUnit = ({ unit, nextWorkday }: Pick<RuleTerms, 'unit' | 'nextWorkday'>) =>
  `${unitPhrases[unit]}${nextWorkday ? ' If the deadline falls on a non-business day, it moves to the next business day.' : ''}`;
