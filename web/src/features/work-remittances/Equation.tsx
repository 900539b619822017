import { sentenceOf, useReasons } from '@/shared/reasons';
import { formatMoney } from '@/ui/format';
import type { Page, Term } from './queries';
import styles from './remittances.module.css';

/** What the check is made of: bills paid, less what was taken back, less or plus what was adjusted beside them. */
export function Equation({ page }: { page: Page }) {
  const { equation, comesTo, remittance } = page;
  const { data: reasons } = useReasons();
  const labelOf = ({ kind, reason, amount }: Term) => {
    if (kind === 'paid') return 'Bills paid';
    if (kind === 'reversed') return 'Taken back of bills';
    const explained = reasons?.of('PLB', reason);
    const words = explained ? sentenceOf(explained).replace(/\.$/, '') : 'Adjusted beside the bills';
    return `${words} (${reason})${amount === 0 ? ', nothing' : ''}`;
  };
  const off = remittance.kind === 'whole' && remittance.amount !== comesTo;
  return (
    <ol className={styles.equation} aria-label="Equation">
      {equation.map((term, index) => (
        <Part
          key={`${term.kind} ${term.reason}`}
          operator={term.amount < 0 && index > 0 ? '−' : '+'}
          amount={index > 0 ? Math.abs(term.amount) : term.amount}
          label={labelOf(term)}
        />
      ))}
      <Part operator="=" amount={comesTo} label={off ? 'What that comes to' : totalOf(page)} />
      {off && <Part operator="≠" amount={remittance.amount} label="Announced by the payer" />}
    </ol>
  );
}

const Part = ({ operator, amount, label }: { operator: string; amount: number; label: string }) => (
  <li>
    <span className={styles.operator}>{operator}</span>
    <span className={styles.term}>
      <span className={styles.figure}>{formatMoney(amount)}</span>
      <span className={styles.label}>{label}</span>
    </span>
  </li>
);

function totalOf({ remittance: { kind, method } }: Page) {
  if (kind === 'noAmount') return 'Paid for these bills';
  if (kind === 'shared') return 'The part of your Tax ID';
  if (kind === 'assembled') return 'Paid, as far as it is known';
  return method === 'CHK' || method === '' ? 'Paid by the check' : 'Paid';
}
