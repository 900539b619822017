import { payerOverdue } from './criteria';
import type { Definition } from './queries';

export interface Starter {
  name: string;
  filter: Definition['filter'];
}

/** Suggested views for users without any. Their dates are relative to today. */
export const starters: readonly Starter[] = [
  { name: 'Denied this month', filter: { states: ['denied'], answered: 'thisMonth' } },
  { name: 'Underpaid by over $50', filter: { states: ['short'], shortFrom: 50.01 } },
  { name: 'Not repriced after 14 days', filter: { states: ['received'], ageFrom: 15 } },
  { name: 'Payer overdue', filter: payerOverdue as Definition['filter'] },
];

export const makePayerView = (payer: string): Starter => ({ name: payer.slice(0, 60), filter: { payer } });
