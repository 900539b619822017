import { RemittanceLink } from '@/shared/BillLink';
import { Chip } from '@/ui/Chip';
import { formatDate } from '@/ui/dates';
import { formatMoney } from '@/ui/format';
import { ShortTable } from '@/ui/table/ShortTable';
import styles from './bill.module.css';
import { OtherBillsTable } from './OtherBills';
import type { Page, PaidBy, Version } from './queries';

/** Every version and payment, what is in force and why, and what waits. */
export function Family({ page }: { page: Page }) {
  const { versions, payments, related } = page;
  if (versions.length + payments.length + related.length === 0) return null;
  return (
    <section className="card" aria-labelledby="family">
      <h2 id="family" className={styles.heading}>
        {titleOf(page)}
      </h2>
      {versions.length > 0 && (
        <ShortTable
          label="Versions"
          rows={versions}
          rowId={(version) => versions.indexOf(version)}
          muted={({ inForce }) => !inForce}
          columns={[
            {
              header: 'Version',
              cell: ({ name, times, inForce }: Version) => (
                <div className={styles.marked}>
                  {name}
                  {times > 1 && ` (sent ${times} times)`} {inForce && <Chip kind="info">In force</Chip>}
                </div>
              ),
            },
            { header: 'Sent', cell: ({ sentOn }) => formatDate(sentOn) },
            { header: 'From', cell: ({ file }) => file },
            {
              header: 'Numbers',
              cell: ({ number, document, reference }) => (
                <>
                  {[number, document].filter(Boolean).join(' / ')}
                  {reference && <div className={styles.small}>refers to {reference}</div>}
                </>
              ),
            },
            { header: 'Charge', align: 'end', cell: ({ charge }) => formatMoney(charge) },
            { header: "Network's allowance", align: 'end', cell: ({ allowance }) => formatMoney(allowance) },
            { header: 'Why', cell: ({ why }) => why },
          ]}
        />
      )}
      {payments.length > 0 && (
        <>
          {versions.length > 0 && <h3 className={styles.heading}>Payments</h3>}
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
                    {nature} {role === 'waits' && <Chip kind="warning">Waits</Chip>}
                    {role === 'uncounted' && <Chip kind="warning">Not counted</Chip>}
                  </div>
                ),
              },
              { header: 'Paid on', cell: ({ paidDate }) => formatDate(paidDate) },
              {
                header: 'Check',
                cell: ({ checkNumber, payerClaimNumber, remittance }) => (
                  <>
                    {remittance ? (
                      <RemittanceLink page={remittance}>{checkNumber}</RemittanceLink>
                    ) : (
                      checkNumber
                    )}
                    {payerClaimNumber && <div className={styles.small}>payer's claim {payerClaimNumber}</div>}
                  </>
                ),
              },
              {
                header: 'Payer',
                cell: ({ payer, file }) => (
                  <>
                    {payer}
                    {file && <div className={styles.small}>{file}</div>}
                  </>
                ),
              },
              {
                header: 'Paid',
                align: 'end',
                cell: ({ paid, patientsPart }) => (
                  <>
                    {formatMoney(paid)}
                    {patientsPart !== 0 && (
                      <div className={styles.small}>patient's part {formatMoney(patientsPart)}</div>
                    )}
                  </>
                ),
              },
              { header: 'What it is to the bill', cell: ({ why }) => why },
            ]}
          />
        </>
      )}
      {related.length > 0 && (
        <>
          <h3 className={styles.heading}>Replaces, or replaced by</h3>
          <OtherBillsTable label="Replaces, or replaced by" bills={related} />
        </>
      )}
    </section>
  );
}

const titleOf = ({ versions, payments }: Page) => {
  if (versions.length === 0) return 'Payments';
  return payments.length === 0 ? 'Versions' : 'Versions and payments';
};

const counting = new Set<PaidBy['role']>(['stands', 'reduced', 'waits', '']);
