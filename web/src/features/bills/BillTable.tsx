import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { BillState, getState } from '@/shared/BillState';
import { formatReference } from '@/shared/billDocuments/calls';
import type { DocumentKind } from '@/shared/billDocuments/useDocuments';
import { OpenBillsLink } from '@/shared/OpenBillsLink';
import * as paths from '@/shared/paths';
import { Banner } from '@/ui/Banner';
import { Button } from '@/ui/Button';
import { formatDate } from '@/ui/dates';
import { formatMoney, formatTin } from '@/ui/format';
import { makeMoneyColumn } from '@/ui/table/columns';
import { DataTable } from '@/ui/table/DataTable';
import type { Column, TableState } from '@/ui/table/state';
import styles from './bills.module.css';
import type { Bill } from './queries';
import { type BillRow, formatWaiting, getPayment, type Outcome } from './results';

interface Props {
  outcome: Outcome;
  state: TableState;
  onStateChange: (state: TableState) => void;
  onOpen: (bill: Bill, document: DocumentKind) => void;
  onPayment: (bill: Bill) => void;
}

/** The search results, with a link to their follow-up. */
export function BillTable({ outcome, state, onStateChange, onOpen, onPayment }: Props) {
  const columns = useMemo(() => getColumns(onOpen, onPayment), [onOpen, onPayment]);
  const { rows } = outcome;
  // Memoized because there can be thousands.
  const onward = useMemo(() => <OpenBillsLink pages={rows.flatMap(({ bill }) => bill.page ?? [])} />, [rows]);
  const searching = outcome.outstanding > 0;
  return (
    <>
      <DataTable
        title="Bills"
        columns={columns}
        rows={rows}
        rowId={(row) => row.key}
        controlled={{ state, onChange: onStateChange }}
        status={searching ? 'loading' : 'ready'}
        loadingText={formatWaiting(outcome)}
        notice={
          rows.length > 0 && (
            <>
              {searching && <p role="status">{formatWaiting(outcome)}</p>}
              <Banner kind="info">
                The EOR and pricing sheet amounts are recommended reimbursements. They may differ from actual
                reimbursement because of compensability decisions or authorizations, and may differ in format
                from mailed documents.
              </Banner>
              <p className={styles.terms}>
                EOR: explanation of review, the recommended amount for each charge. DCN: document control
                number, called Document ID in the search form.
              </p>
            </>
          )
        }
        empty="There are no Bills available for the criteria entered, please revise your search criteria and try again."
      />
      {onward}
    </>
  );
}

function getColumns(
  onOpen: (bill: Bill, document: DocumentKind) => void,
  onPayment: (bill: Bill) => void,
): Column<BillRow>[] {
  return [
    { id: 'tin', header: 'Tax ID (TIN)', value: ({ bill }) => formatTin(bill.ftin) },
    {
      id: 'claimant',
      header: 'Claimant Name',
      // Groups a claimant's bills by date, even if only one system has the middle name.
      value: (row) => row.claimantOrder,
      text: (row) => row.claimantName,
      wrap: true,
      minWidth: '6rem',
    },
    {
      id: 'begin',
      header: 'Begin Service Date',
      minWidth: '5rem',
      value: ({ bill }) => bill.beginServiceDate,
      text: ({ bill }) => formatDate(bill.beginServiceDate),
    },
    {
      id: 'end',
      header: 'End Service Date',
      minWidth: '5rem',
      value: ({ bill }) => bill.endServiceDate,
      text: ({ bill }) => formatDate(bill.endServiceDate),
    },
    {
      id: 'reference',
      lead: true,
      header: 'Bill Reference Number / DCN',
      minWidth: '9rem',
      wrap: true,
      value: ({ bill }) => formatReference(bill),
      cell: ({ bill }) => (
        <>
          <Button variant="link" onClick={() => onOpen(bill, 'image')}>
            {formatReference(bill)}
            <span className="visually-hidden">, bill image</span>
          </Button>
          <StateChip bill={bill} />
        </>
      ),
    },
    {
      id: 'provider',
      header: 'Provider Name',
      value: (row) => row.providerName,
      wrap: true,
      minWidth: '6rem',
    },
    {
      id: 'facility',
      header: 'Facility Name',
      value: ({ bill }) => bill.facilityName,
      wrap: true,
      minWidth: '7.5rem',
    },
    makeMoneyColumn('charges', 'Billed Charges', ({ bill }) => bill.billCharges),
    {
      id: 'allowance',
      header: 'Recommended Allowance',
      align: 'end',
      value: ({ bill }) => bill.recommendedAllowance,
      text: ({ bill }) => formatMoney(bill.recommendedAllowance),
      cell: ({ bill }) => <Allowance bill={bill} onOpen={onOpen} />,
    },
    { id: 'claim', header: 'Claim Number', value: ({ bill }) => bill.claimNumber },
    {
      id: 'payment',
      header: 'Payment Information',
      sortable: false,
      filterable: false,
      value: ({ bill }) => getPayment(bill),
      cell: ({ bill }) => {
        const payment = getPayment(bill);
        if (payment !== 'link') return payment;
        return (
          <Button variant="link" onClick={() => onPayment(bill)}>
            Payment Info
            <span className="visually-hidden"> of bill {formatReference(bill)}</span>
          </Button>
        );
      },
    },
  ];
}

/** The bill's status, which links to its page. */
function StateChip({ bill }: { bill: Bill }) {
  const state = getState(bill);
  if (!state) return null;
  const chip = <BillState {...state} />;
  return (
    <div>
      {bill.page ? (
        <Link {...paths.toBill(bill.page)} className={styles.state}>
          {chip}
          <span className="visually-hidden">, page of bill {formatReference(bill)}</span>
        </Link>
      ) : (
        chip
      )}
    </div>
  );
}

function Allowance({ bill, onOpen }: { bill: Bill; onOpen: Props['onOpen'] }) {
  const amount = formatMoney(bill.recommendedAllowance);
  if (!bill.mcpsBill && !bill.eor) return amount;
  const document = bill.mcpsBill ? 'pricing-sheet' : 'eor';
  const name = bill.mcpsBill ? 'Pricing Sheet' : 'EOR';
  return (
    <Button variant="link" onClick={() => onOpen(bill, document)}>
      {amount || name}
      <span className="visually-hidden">
        {amount && `, ${name}`} of bill {formatReference(bill)}
      </span>
    </Button>
  );
}
