import type { components } from '@/api/schema';

type Change = components['schemas']['AlertBill']['change'];

/** What became of a bill, in words, and how its chip looks. */
export const changeWords: Record<Change, [string, 'neutral' | 'success' | 'info' | 'warning' | 'error']> = {
  RECEIVED: ['Received', 'neutral'],
  PRICED: ['Priced', 'info'],
  NOT_PRICED: ['Could not be priced', 'warning'],
  REPRICED: ['Priced anew', 'info'],
  PAID: ['Paid', 'success'],
  PAID_SHORT: ['Paid short', 'warning'],
  DENIED: ['Denied', 'error'],
  REVERSED: ['Taken back', 'warning'],
  VOIDED: ['Voided', 'neutral'],
  REPLACED: ['Replaced', 'neutral'],
  DOCUMENT: ['New document', 'info'],
  OVERDUE: ["Past the payer's time", 'warning'],
};
