import { BillLink } from '@/shared/BillLink';
import { Chip } from '@/ui/Chip';
import { formatDate } from '@/ui/dates';
import { formatMoney } from '@/ui/format';
import { ShortTable } from '@/ui/table/ShortTable';
import styles from './bill.module.css';
import type { OtherBill, Page } from './queries';

/** The claim's other bills that the user can see. */
export function SameClaimBills({ page: { sameClaim, moreOfClaim } }: { page: Page }) {
  if (sameClaim.length === 0) return null;
  return (
    <section className="card" aria-labelledby="same-claim">
      <h2 id="same-claim" className={styles.heading}>
        Same-claim bills
      </h2>
      <OtherBillsTable label="Same-claim bills" bills={sameClaim} />
      {moreOfClaim && (
        <p className={styles.note}>
          Showing the {sameClaim.length} with the latest service dates. To see all, use Bill Search with the
          claim number.
        </p>
      )}
    </section>
  );
}

export const OtherBillsTable = ({ label, bills }: { label: string; bills: readonly OtherBill[] }) => (
  <ShortTable
    label={label}
    rows={bills}
    rowId={({ ftin, billControlNumber }) => `${ftin} ${billControlNumber}`}
    columns={[
      {
        header: 'Bill',
        cell: ({ page, billControlNumber }: OtherBill) => (
          <BillLink page={page}>{billControlNumber}</BillLink>
        ),
      },
      { header: 'Service', cell: ({ beginServiceDate }) => formatDate(beginServiceDate) },
      { header: 'Charge', align: 'end', cell: ({ billCharges }) => formatMoney(billCharges) },
      { header: 'Status', cell: ({ state }) => <Chip kind={state.tone}>{state.text}</Chip> },
    ]}
  />
);
