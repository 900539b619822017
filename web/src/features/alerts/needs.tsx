import { Link } from '@tanstack/react-router';
import { useSession } from '@/api/session';
import type { Summary } from '@/shared/openBillSummary';
import { showOpenBillsBy, workLists } from '@/shared/openBills';
import { getOwner } from '@/shared/owner';
import * as paths from '@/shared/paths';
import { formatCount, formatMoney } from '@/ui/format';

/** Open bills that need the office, with the amount at stake in dollars. */
export interface Need {
  name: keyof typeof workLists;
  title: string;
  /** After a number in a sentence. */
  phrase: string;
  bills: number;
  amount: number;
}

/** In the order in which offices work. */
export const listNeeds = ({ payerLate, short, followUps, followed, officeDue }: Summary): Need[] => [
  {
    name: 'overdue',
    title: 'Payer overdue',
    phrase: 'with the payer overdue',
    bills: payerLate.bills,
    amount: payerLate.charge,
  },
  {
    name: 'underpaid',
    title: 'Paid below allowance',
    phrase: 'paid below allowance',
    bills: short.bills,
    amount: short.short,
  },
  {
    name: 'followUps',
    title: 'Follow-ups due',
    phrase: 'with a follow-up due',
    bills: followUps,
    amount: followed,
  },
  {
    name: 'officeDue',
    title: 'Your deadlines within 14 days',
    phrase: 'with your deadline within 14 days',
    bills: officeDue.bills,
    amount: officeDue.charge,
  },
];

/** Opens the bills in Open Bills. */
export function NeedLink({ need: { name, phrase, bills, amount } }: { need: Need }) {
  const owner = getOwner(useSession());
  return (
    <Link to={paths.openBills} state={showOpenBillsBy(owner, workLists[name])}>
      <strong>{formatCount(bills)}</strong> {phrase} ({formatMoney(amount)})
    </Link>
  );
}
