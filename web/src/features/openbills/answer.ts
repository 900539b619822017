import { formatMoney } from '@/ui/format';
import type { OpenBill } from './queries';

/** Says in one sentence what happened to a bill. */
export function formatAnswer({ state, payerName, allowance, paid }: OpenBill): string {
  const payer = payerName || 'The payer';
  switch (state) {
    case 'received':
      return "The network hasn't repriced this bill yet.";
    case 'priced':
      return `Repriced at ${formatMoney(allowance)}. ${payer} hasn't paid yet.`;
    case 'denied':
      return `${payer} denied this bill.`;
    case 'nothingPaid':
      return `${payer} paid $0.00.`;
    case 'short':
      return `${payer} paid ${formatMoney(paid)} of the ${formatMoney(allowance)} allowance.`;
    case 'takenBack':
      return `${payer} reversed its payment.`;
  }
}
