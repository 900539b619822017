import { Link } from '@tanstack/react-router';
import { useSession } from '@/api/session';
import { createSearch } from '@/shared/historyState';
import { type ListCriteria, showOpenBillsBy } from '@/shared/openBills';
import { getOwner } from '@/shared/owner';
import * as paths from '@/shared/paths';
import { addDays, formatDate, today } from '@/ui/dates';
import { formatCount, formatMoney, formatPercent } from '@/ui/format';
import { pluralize } from '@/ui/pluralize';
import { DataTable } from '@/ui/table/DataTable';
import type { Column } from '@/ui/table/state';
import { type Payer, usePayers } from './queries';
import styles from './team.module.css';

/** Days and answers of each payer in the last 90 days. */
export function Payers() {
  const { data = [], isPending, isError, refetch } = usePayers();
  return (
    <DataTable
      title="Payers, last 90 days"
      counted={data.length === 1 ? 'payer' : 'payers'}
      columns={columns}
      rows={data}
      rowId={({ name }) => name}
      status={isPending ? 'loading' : !isError ? 'ready' : data.length > 0 ? 'stale' : 'failed'}
      onRetry={() => void refetch()}
      empty="No payments or denials in the last 90 days yet. Figures appear with the next 835."
      pages={{ position: data.length > 25 ? 'bottom' : 'none' }}
      initial={{ pageSize: 50 }}
    />
  );
}

interface FigureProps {
  payer: Payer;
  criteria: ListCriteria;
  children: string;
  about: string;
}

/** A figure that opens the payer's bills in Open bills. */
function Bills({ payer, criteria, children, about }: FigureProps) {
  const owner = getOwner(useSession());
  return (
    <Link to={paths.openBills} state={showOpenBillsBy(owner, { payer: payer.name, ...criteria })}>
      {children}
      <span className="visually-hidden">
        {' '}
        {about}, {payer.name}
      </span>
    </Link>
  );
}

/** The days to pay, which open the payer's remittances. */
function Remittances({ payer, children }: { payer: Payer; children: string }) {
  const owner = getOwner(useSession());
  const criteria = {
    number: '',
    payer: payer.name.slice(0, 60),
    from: formatDate(addDays(today(), -89)),
    to: formatDate(today()),
    amount: '',
    method: '',
    ftin: '',
    reversals: false,
    adjusted: false,
    notPosted: false,
  };
  return (
    <Link to={paths.remittances} state={{ kept: createSearch(owner, criteria, { pageSize: 25 }) }}>
      {children}
      <span className="visually-hidden"> to pay, {payer.name}</span>
    </Link>
  );
}

const Counted = ({ children }: { children: string }) => <span className={styles.counted}>{children}</span>;

/** The share of some bills, with its counts. */
const formatShare = (bills: number, of: number) =>
  `${formatPercent(bills / of)}: ${formatCount(bills)} of ${formatCount(of)}`;

const getShare = (bills: number, of: number) => (of > 0 ? bills / of : null);

const columns: Column<Payer>[] = [
  {
    id: 'payer',
    header: 'Payer',
    lead: true,
    filterable: false,
    value: ({ name }) => name,
    wrap: true,
  },
  {
    id: 'denied',
    header: 'Denied',
    filterable: false,
    value: ({ denied, answered }) => getShare(denied.bills, answered),
    cell: (payer) =>
      payer.answered > 0 && (
        <>
          {payer.denied.bills > 0 ? (
            <Bills payer={payer} criteria={{ states: ['denied'], answered: 'last90' }} about="denied">
              {formatMoney(payer.denied.amount)}
            </Bills>
          ) : (
            formatMoney(0)
          )}
          <Counted>{formatShare(payer.denied.bills, payer.answered)}</Counted>
        </>
      ),
    brief: 'labeled below',
  },
  {
    id: 'short',
    header: 'Paid below allowance',
    filterable: false,
    value: ({ belowAllowance, paid }) => getShare(belowAllowance.bills, paid),
    cell: (payer) =>
      payer.paid > 0 && (
        <>
          {payer.belowAllowance.bills > 0 ? (
            <Bills payer={payer} criteria={{ states: ['short'], answered: 'last90' }} about="below allowance">
              {formatMoney(payer.belowAllowance.amount)}
            </Bills>
          ) : (
            formatMoney(0)
          )}
          <Counted>{formatShare(payer.belowAllowance.bills, payer.paid)}</Counted>
        </>
      ),
    brief: 'labeled below',
  },
  {
    id: 'toPrice',
    header: 'Days to price',
    filterable: false,
    value: ({ toPrice }) => toPrice?.median,
    cell: (payer) =>
      payer.toPrice && (
        <>
          <Bills payer={payer} criteria={{ states: ['received'] }} about="to price">
            {pluralize(payer.toPrice.median, 'day')}
          </Bills>
          <Counted>{pluralize(payer.toPrice.bills, 'bill')}</Counted>
        </>
      ),
  },
  {
    id: 'toPay',
    header: 'Days to pay',
    filterable: false,
    value: ({ toPay }) => toPay?.median,
    cell: (payer) =>
      payer.toPay && (
        <>
          <Remittances payer={payer}>{pluralize(payer.toPay.median, 'day')}</Remittances>
          <Counted>{pluralize(payer.toPay.bills, 'bill')}</Counted>
        </>
      ),
    brief: 'labeled end',
  },
];
