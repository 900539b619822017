import { getExplanation, useReasons } from '@/shared/reasons';
import { formatMoney } from '@/ui/format';
import type { Page, Term } from './queries';
import styles from './remittances.module.css';

/** The payment's total: bills paid, minus reversals, plus or minus provider-level adjustments. */
export function PaymentSummary({ page }: { page: Page }) {
  const { equation, comesTo, remittance } = page;
  const { data: reasons } = useReasons();
  const formatLabel = ({ kind, reason }: Term) => {
    if (kind === 'paid') return 'Bills paid';
    if (kind === 'reversed') return 'Reversals';
    const explained = reasons?.find('PLB', reason);
    const words = explained ? getExplanation(explained).replace(/\.$/, '') : 'Provider-level adjustments';
    return `${words} (${reason})`;
  };
  const differs = remittance.kind === 'whole' && remittance.amount !== comesTo;
  return (
    <ol className={styles.equation} aria-label="Payment summary">
      {equation.map((term, index) => (
        <Part
          key={`${term.kind} ${term.reason}`}
          operator={term.amount < 0 && index > 0 ? '−' : '+'}
          amount={index > 0 ? Math.abs(term.amount) : term.amount}
          label={formatLabel(term)}
        />
      ))}
      <Part operator="=" amount={comesTo} label={differs ? 'Total' : formatTotal(page)} />
      {differs && <Part operator="≠" amount={remittance.amount} label="Payment amount per payer (BPR02)" />}
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

function formatTotal({ remittance: { kind, method } }: Page) {
  if (kind === 'noAmount') return 'Paid for these bills';
  if (kind === 'shared') return 'Your share';
  if (kind === 'assembled') return 'Known payments';
  return method === 'CHK' || method === '' ? 'Check amount' : 'Paid';
}
