import type { components } from '@/api/schema';

type Change = components['schemas']['AlertBill']['change'];

/** A bill's change as text, with its chip style. */
export const changeNames: Record<Change, [string, 'neutral' | 'success' | 'info' | 'warning' | 'error']> = {
  RECEIVED: ['Received', 'neutral'],
  PRICED: ['Repriced', 'info'],
  NOT_PRICED: ['Not repriced', 'warning'],
  REPRICED: ['Price updated', 'info'],
  PAID: ['Paid', 'success'],
  PAID_SHORT: ['Paid below allowance', 'warning'],
  DENIED: ['Denied', 'error'],
  REVERSED: ['Payment reversed', 'warning'],
  VOIDED: ['Voided', 'neutral'],
  REPLACED: ['Replaced', 'neutral'],
  DOCUMENT: ['New document', 'info'],
  OVERDUE: ['Payer overdue', 'warning'],
};
