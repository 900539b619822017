import { memo } from 'react';
import { billStates } from '@/shared/billStates.gen';
import { ages, stateAmounts } from '@/shared/openBillSummary';
import { type State, states } from '@/shared/openBills';
import { formatCount, formatMoney } from '@/ui/format';
import { Tiles as Figures, Tile, ToggleTile } from '@/ui/Tiles';
import { type Criteria, isAge, isPayerLate, payerOverdue, toFilter } from './criteria';
import styles from './openbills.module.css';
import { useCanWork, useSummary } from './queries';

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
 * The totals by state and age. Clicking one filters the list by it; clicking again removes the
 * filter.
 */
export const Tiles = memo(function Tiles({ criteria, run, onChoose }: Props) {
  const canWork = useCanWork();
  const { data: byState } = useSummary(toFilter(criteria, 'tiles'), run);
  const { data: byAge } = useSummary(toFilter(criteria, 'ages'), run);
  const maxBills = Math.max(1, ...(byAge?.ages.map(({ bills }) => bills) ?? []));
  const late = isPayerLate(criteria) && !criteria.followUps;
  const due = isPayerLate(criteria) ? '' : criteria.due; // the tile's own filter is removed with it
  const isOnlyState = (state: State) =>
    criteria.states.length === 1 && criteria.states[0] === state && !criteria.followUps;
  return (
    <>
      <Figures label="By status">
        <Tile
          label="All open"
          pressed={criteria.states.length === 0 && !criteria.followUps}
          count={byState?.all.bills}
          note={byState ? `${formatMoney(byState.all.charge)} charged` : '\u00a0'}
          onToggle={() => onChoose({ ...criteria, due, states: [], followUps: false })}
        />
        {states.map((state) => (
          <Tile
            key={state}
            label={billStates[state]}
            pressed={isOnlyState(state)}
            count={byState?.[state].bills}
            note={
              byState ? `${formatMoney(stateAmounts[state](byState[state]))} ${amountNames[state]}` : '\u00a0'
            }
            onToggle={() =>
              onChoose({ ...criteria, due, states: isOnlyState(state) ? [] : [state], followUps: false })
            }
          />
        ))}
        <Tile
          label="Payer overdue"
          pressed={late}
          count={byState?.payerLate.bills}
          note={byState ? `${formatMoney(byState.payerLate.charge)} charged` : '\u00a0'}
          onToggle={() =>
            onChoose({ ...criteria, ...(late ? { states: [], due: '' } : payerOverdue), followUps: false })
          }
        />
        {canWork && (
          <Tile
            label="My follow-ups"
            pressed={criteria.followUps}
            count={byState?.followUps}
            note="due today or earlier"
            onToggle={() => onChoose({ ...criteria, due, states: [], followUps: !criteria.followUps })}
          />
        )}
      </Figures>
      <Figures label="By age since service date">
        {ages.map((age, index) => {
          const { label, least, most: atMost } = age;
          const chosen = isAge(criteria, age);
          const bills = byAge?.ages[index]?.bills ?? 0;
          return (
            <ToggleTile
              key={label}
              pressed={chosen}
              onToggle={() =>
                onChoose({
                  ...criteria,
                  ageFrom: chosen ? '' : String(least),
                  ageTo: chosen ? '' : String(atMost ?? ''),
                })
              }
            >
              <span className={styles['age-text']}>
                {label} <strong>{byAge && formatCount(bills)}</strong>
              </span>
              <span className={styles.bar} aria-hidden="true">
                <span style={{ inlineSize: `${(100 * bills) / maxBills}%` }} />
              </span>
            </ToggleTile>
          );
        })}
      </Figures>
    </>
  );
});
