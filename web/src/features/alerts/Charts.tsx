import { Link, useNavigate } from '@tanstack/react-router';
import { useSession } from '@/api/session';
import { billStates } from '@/shared/billStates.gen';
import type { Summary } from '@/shared/openBillSummary';
import { ages, stateAmounts } from '@/shared/openBillSummary';
import { type State, showOpenBillsBy, states } from '@/shared/openBills';
import { getOwner } from '@/shared/owner';
import * as paths from '@/shared/paths';
import { Bars, ChartCard, Columns, Legend } from '@/ui/Chart';
import { formatDate } from '@/ui/dates';
import { formatMoney } from '@/ui/format';
import { pluralize } from '@/ui/pluralize';
import { ShortTable } from '@/ui/table/ShortTable';
import styles from './alerts.module.css';
import { type PaymentTrends, usePaymentTrends } from './queries';

/** What people would rather see than read: the age of open bills, and payments. */
export function Charts({ summary }: { summary: Summary | undefined }) {
  const { can } = useSession();
  const { data: trends } = usePaymentTrends(can('remittances.read'));
  return (
    <div className={styles.charts}>
      {summary && summary.all.bills > 0 && <Aging summary={summary} />}
      {trends?.weeks.some(({ paid }) => paid !== 0) && <PaidByWeek weeks={trends.weeks} />}
      {trends && trends.payers.length > 0 && <DaysToPay payers={trends.payers} />}
    </div>
  );
}

const colors = Object.fromEntries(states.map((state, at) => [state, at + 1])) as Record<State, number>;

/** The open amounts by age and state. A click on a part opens its bills. */
function Aging({ summary: { aging } }: { summary: Summary }) {
  const owner = getOwner(useSession());
  const navigate = useNavigate();
  const shown = aging.filter(({ ages }) => ages.some(({ bills }) => bills > 0));
  const getAmount = (state: State, age: number) => {
    const sum = aging.find((one) => one.state === state)?.ages[age];
    return sum ? stateAmounts[state](sum) : 0;
  };
  const getTotal = (age: number) => shown.reduce((sum, { state }) => sum + getAmount(state, age), 0);
  const toList = (age: number, state?: State) =>
    showOpenBillsBy(owner, {
      ageFrom: String(ages[age]?.least ?? ''),
      ageTo: String(ages[age]?.most ?? ''),
      ...(state && { states: [state] }),
    });
  return (
    <ChartCard
      title="Open bills by age"
      note="Days since service, in dollars"
      chart={
        <>
          <Bars
            bars={ages.map(({ label }, age) => ({
              name: label,
              label: (
                <Link to={paths.openBills} state={toList(age)}>
                  {label}
                </Link>
              ),
              value: formatMoney(getTotal(age)),
              parts: shown.map(({ state }) => ({
                key: state,
                value: getAmount(state, age),
                color: colors[state],
                title: `${billStates[state]}: ${formatMoney(getAmount(state, age))}`,
                onSelect: () => void navigate({ to: paths.openBills, state: toList(age, state) }),
              })),
            }))}
          />
          <Legend entries={shown.map(({ state }) => ({ name: billStates[state], color: colors[state] }))} />
        </>
      }
      table={
        <ShortTable
          label="Open bills by age"
          rows={ages.map(({ label }, age) => ({ label, age }))}
          rowId={({ label }) => label}
          columns={[
            { header: 'Age', cell: ({ label }) => label },
            ...shown.map(({ state }) => ({
              header: billStates[state],
              align: 'end' as const,
              cell: ({ age }: { age: number }) => (
                <Link to={paths.openBills} state={toList(age, state)}>
                  {formatMoney(getAmount(state, age))}
                </Link>
              ),
            })),
            { header: 'Total', align: 'end' as const, cell: ({ age }) => formatMoney(getTotal(age)) },
          ]}
        />
      }
    />
  );
}

function PaidByWeek({ weeks }: { weeks: PaymentTrends['weeks'] }) {
  const points = weeks.map(({ begins, paid }, at) => ({
    name: `Week of ${formatDate(begins)}`,
    // Every fourth week has room for its date.
    tick: (weeks.length - 1 - at) % 4 === 0 ? formatDate(begins).slice(0, 5) : '',
    value: paid,
  }));
  return (
    <ChartCard
      title="Paid per week"
      note="The last 13 weeks, by payment date"
      chart={<Columns label="Paid per week" points={points} format={formatMoney} />}
      table={
        <ShortTable
          label="Paid per week"
          rows={points}
          rowId={({ name }) => name}
          columns={[
            { header: 'Week', cell: ({ name }) => name.replace('Week of ', '') },
            { header: 'Paid', align: 'end', cell: ({ value }) => formatMoney(value) },
          ]}
        />
      }
    />
  );
}

// The table has the others.
const shownPayers = 5;

function DaysToPay({ payers }: { payers: PaymentTrends['payers'] }) {
  return (
    <ChartCard
      title="Days to pay by payer"
      note="Median from receipt to payment, last 13 weeks"
      chart={
        <Bars
          bars={payers.slice(0, shownPayers).map(({ name, bills, median }) => ({
            name,
            label: name,
            value: pluralize(median, 'day'),
            parts: [
              {
                key: name,
                value: median,
                color: 1,
                title: `${pluralize(median, 'day')}, ${pluralize(bills, 'bill')}`,
              },
            ],
          }))}
        />
      }
      table={
        <ShortTable
          label="Days to pay by payer"
          rows={payers}
          rowId={({ name }) => name}
          columns={[
            { header: 'Payer', cell: ({ name }) => name },
            { header: 'Paid bills', align: 'end', cell: ({ bills }) => bills },
            { header: 'Median days', align: 'end', cell: ({ median }) => median },
          ]}
        />
      }
    />
  );
}
