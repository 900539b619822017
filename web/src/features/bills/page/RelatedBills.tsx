import { RemittanceLink } from '@/shared/BillLink';
import { Chip } from '@/ui/Chip';
import { formatDate } from '@/ui/dates';
import { formatMoney } from '@/ui/format';
import { ShortTable } from '@/ui/table/ShortTable';
import styles from './bill.module.css';
import type { Page, PaidBy, Version } from './queries';
import { OtherBillsTable } from './SameClaimBills';

/** All versions and payments: which are current and why, and which are pending. */
export function RelatedBills({ page }: { page: Page }) {
  const { versions, payments, related } = page;
  if (versions.length + payments.length + related.length === 0) return null;
  return (
    <section className="card" aria-labelledby="family">
      <h2 id="family" className={styles.heading}>
        {getTitle(page)}
      </h2>
      {versions.length > 0 && (
        <ShortTable
          label="Submissions"
          rows={versions}
          rowId={(version) => versions.indexOf(version)}
          muted={({ inForce }) => !inForce}
          columns={[
            {
              header: 'Submission',
              cell: ({ name, times, inForce }: Version) => (
                <div className={styles.marked}>
                  {name}
                  {times > 1 && ` (sent ${times} times)`} {inForce && <Chip kind="info">Current</Chip>}
                </div>
              ),
            },
            { header: 'Sent', cell: ({ sentOn }) => formatDate(sentOn) },
            { header: 'File', cell: ({ file }) => file },
            {
              header: 'Numbers',
              cell: ({ number, document, reference }) => (
                <>
                  {[number, document].filter(Boolean).join(' / ')}
                  {reference && <div className={styles.small}>references {reference}</div>}
                </>
              ),
            },
            { header: 'Charge', align: 'end', cell: ({ charge }) => formatMoney(charge) },
            { header: 'Network allowance', align: 'end', cell: ({ allowance }) => formatMoney(allowance) },
            { header: 'Explanation', cell: ({ why }) => why },
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
                      <div className={styles.small}>patient responsibility {formatMoney(patientsPart)}</div>
                    )}
                  </>
                ),
              },
              { header: 'Effect on this bill', cell: ({ why }) => why },
            ]}
          />
        </>
      )}
      {related.length > 0 && (
        <>
          <h3 className={styles.heading}>Replacement bills</h3>
          <OtherBillsTable label="Replacement bills" bills={related} />
        </>
      )}
    </section>
  );
}

const getTitle = ({ versions, payments }: Page) => {
  if (versions.length === 0) return 'Payments';
  return payments.length === 0 ? 'Related submissions' : 'Related submissions and payments';
};

const counting = new Set<PaidBy['role']>(['stands', 'reduced', 'waits', '']);
