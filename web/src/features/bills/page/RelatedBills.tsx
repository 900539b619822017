import { RemittanceLink } from '@/shared/BillLink';
import { Chip } from '@/ui/Chip';
import { formatDate } from '@/ui/dates';
import { formatMoney } from '@/ui/format';
import { ShortTable } from '@/ui/table/ShortTable';
import styles from './bill.module.css';
import type { Page, PaidBy } from './queries';
import { OtherBillsTable } from './SameClaimBills';

/** All payments, with their effect on the bill, and the bills that replace this one or are replaced by it. */
export function RelatedBills({ page: { payments, related } }: { page: Page }) {
  if (payments.length + related.length === 0) return null;
  return (
    <section className="card" aria-labelledby="family">
      <h2 id="family" className={styles.heading}>
        {payments.length > 0 ? 'Payments' : 'Replacement bills'}
      </h2>
      {payments.length > 0 && (
        <ShortTable
          label="Payments"
          rows={payments}
          rowId={(payment) => payments.indexOf(payment)}
          muted={({ role }) => !counting.has(role)}
          columns={[
            {
              header: 'Payment',
              cell: ({ nature, role }: PaidBy) => (
                <div className={styles.marked}>
                  {nature} {role === 'waits' && <Chip kind="warning">Pending</Chip>}
                  {role === 'uncounted' && <Chip kind="warning">Not counted</Chip>}
                </div>
              ),
            },
            { header: 'Paid on', cell: ({ paidDate }) => formatDate(paidDate) },
            {
              header: 'Check or EFT',
              cell: ({ checkNumber, payerClaimNumber, remittance }) => (
                <>
                  {remittance ? (
                    <RemittanceLink page={remittance}>{checkNumber}</RemittanceLink>
                  ) : (
                    checkNumber
                  )}
                  {payerClaimNumber && <div className={styles.small}>payer claim {payerClaimNumber}</div>}
                </>
              ),
            },
            {
              header: 'Payer',
              cell: ({ payer }) => payer,
            },
            {
              header: 'Paid',
              align: 'end',
              cell: ({ paid, patientsPart }) => (
                <>
                  {formatMoney(paid)}
                  {patientsPart !== 0 && (
                    <div className={styles.small}>patient responsibility {formatMoney(patientsPart)}</div>
                  )}
                </>
              ),
            },
            { header: 'Effect on this bill', cell: ({ why }) => why },
          ]}
        />
      )}
      {related.length > 0 && (
        <>
          {payments.length > 0 && <h3 className={styles.heading}>Replacement bills</h3>}
          <OtherBillsTable label="Replacement bills" bills={related} />
        </>
      )}
    </section>
  );
}

const counting = new Set<PaidBy['role']>(['stands', 'reduced', 'waits', '']);
