import { memo } from 'react';
import { billStates } from '@/shared/billStates.gen';
import { useCanWork } from '@/shared/billWork';
import { stateAmounts } from '@/shared/openBillSummary';
import { type State, states } from '@/shared/openBills';
import { cx } from '@/ui/cx';
import { fadingRow, markEdges } from '@/ui/fadingRow';
import { formatCount, formatMoney } from '@/ui/format';
import { type Criteria, isPayerLate, payerOverdue, toFilter } from './criteria';
import styles from './openbills.module.css';
import { useSummary } from './queries';

interface Props {
  criteria: Criteria;
  run: number;
  onChoose: (criteria: Criteria) => void;
}

const amountNames: Record<State, string> = {
  received: 'charged',
  priced: 'allowed',
  denied: 'charged',
  short: 'underpaid',
  takenBack: 'charged',
};

/**
 * The totals by state, with dollars. Clicking one filters the list by it; clicking again removes
 * the filter.
 */
export const StateStrip = memo(function StateStrip({ criteria, run, onChoose }: Props) {
  const canWork = useCanWork();
  const { data } = useSummary(toFilter(criteria, 'totals'), run);
  const isLate = isPayerLate(criteria);
  const late = isLate && !criteria.followUps;
  const others = { ...criteria, due: isLate ? '' : criteria.due, states: [], followUps: false } as const;
  const isOnlyState = (state: State) =>
    criteria.states.length === 1 && criteria.states[0] === state && !criteria.followUps;
  const choose = (part: Partial<Criteria>) => onChoose({ ...others, states: [], ...part });
  return (
    <ul ref={markEdges} className={cx(styles.strip, fadingRow)} aria-label="By status">
      <Total
        label="All open"
        pressed={criteria.states.length === 0 && !criteria.followUps}
        count={data?.all.bills}
        amount={data?.all.charge}
        amountName="charged"
        onToggle={() => choose({})}
      />
      {states.map((state) => (
        <Total
          key={state}
          label={billStates[state]}
          pressed={isOnlyState(state)}
          count={data?.[state].bills}
          amount={data && stateAmounts[state](data[state])}
          amountName={amountNames[state]}
          onToggle={() => choose(isOnlyState(state) ? {} : { states: [state] })}
        />
      ))}
      <Total
        label="Payer overdue"
        pressed={late}
        count={data?.payerLate.bills}
        amount={data?.payerLate.charge}
        amountName="charged"
        onToggle={() => choose(late ? {} : payerOverdue)}
      />
      {canWork && (
        <Total
          label="My follow-ups"
          pressed={criteria.followUps}
          count={data?.followUps}
          amount={data?.followed}
          amountName="charged"
          onToggle={() => choose({ followUps: !criteria.followUps })}
        />
      )}
    </ul>
  );
});

interface TotalProps {
  label: string;
  pressed: boolean;
  /** Undefined until they're loaded. */
  count: number | undefined;
  amount: number | undefined;
  /** What the amount is, for screen readers and on hover. */
  amountName: string;
  onToggle: () => void;
}

const Total = ({ label, pressed, count, amount, amountName, onToggle }: TotalProps) => (
  <li>
    <button type="button" className={styles.total} aria-pressed={pressed} onClick={onToggle}>
      <span>{label}</span> <strong>{count === undefined ? '–' : formatCount(count)}</strong>{' '}
      <span className={styles.amount} title={amount === undefined ? undefined : amountName}>
        {amount === undefined ? '\u00a0' : formatMoney(amount)}
        <span className="visually-hidden"> {amountName}</span>
      </span>
    </button>
  </li>
);
