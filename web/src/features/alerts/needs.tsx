import { Link } from '@tanstack/react-router';
import { useSession } from '@/api/session';
import type { Summary } from '@/shared/openBillSummary';
import { workLists } from '@/shared/openBillSummary';
import { showOpenBillsBy } from '@/shared/openBills';
import { getOwner } from '@/shared/owner';
import * as paths from '@/shared/paths';
import { useNeededQuestions } from '@/shared/questions';
import { formatCount, formatMoney } from '@/ui/format';
import { pluralize } from '@/ui/pluralize';
import styles from './alerts.module.css';
import type { Alerts } from './queries';

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

/** A need as a row of a list, which opens its bills. */
export function NeedRow({ need: { name, title, bills, amount } }: { need: Need }) {
  const owner = getOwner(useSession());
  return (
    <Link to={paths.openBills} state={showOpenBillsBy(owner, workLists[name])} className={styles.row}>
      <span>{title}</span>
      <span className={styles.number}>{pluralize(bills, 'bill')}</span>
      <strong className={styles.number}>{formatMoney(amount)}</strong>
    </Link>
  );
}

/** Opens the bills in Open Bills. */
export function NeedLink({ need: { name, phrase, bills, amount } }: { need: Need }) {
  const owner = getOwner(useSession());
  return (
    <Link to={paths.openBills} state={showOpenBillsBy(owner, workLists[name])}>
      <strong>{formatCount(bills)}</strong> {phrase} ({formatMoney(amount)})
    </Link>
  );
}

/** Counts the questions to the network that need the user. The link opens them all. */
const countQuestions = ({ answers, replies }: Alerts) =>
  [
    answers > 0 && `${pluralize(answers, 'answer')} to read`,
    replies > 0 && `${pluralize(replies, 'reply', 'replies')} to write`,
  ]
    .filter(Boolean)
    .join(', ');

export const hasQuestions = ({ answers, replies }: Alerts) => answers + replies > 0;

export const QuestionsRow = ({ alerts }: { alerts: Alerts }) => (
  <Link {...useNeededQuestions()} className={styles.row}>
    <span>Questions</span>
    <span className={styles.count}>{countQuestions(alerts)}</span>
  </Link>
);

export const QuestionsLink = ({ alerts }: { alerts: Alerts }) => (
  <Link {...useNeededQuestions()}>{countQuestions(alerts)}</Link>
);
