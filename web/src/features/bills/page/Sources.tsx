import { Chip } from '@/ui/Chip';
import { formatDate } from '@/ui/dates';
import { formatMoney } from '@/ui/format';
import { ShortTable } from '@/ui/table/ShortTable';
import { formatWhen } from './BillHistory';
import styles from './bill.module.css';
import type { Event, Page, PaidBy, Version } from './queries';

/** Where the page's data comes from: submissions, files of payments, and the source of each event. */
export function Sources({ page: { versions, payments, journey } }: { page: Page }) {
  const files = payments.filter(({ file }) => file);
  return (
    <details className={`card ${styles.sources}`}>
      <summary>
        <h2>Sources</h2>
      </summary>
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
      {files.length > 0 && (
        <ShortTable
          label="Payment files"
          rows={files}
          rowId={(payment) => files.indexOf(payment)}
          columns={[
            { header: 'Payment', cell: ({ nature }: PaidBy) => nature },
            { header: 'Paid on', cell: ({ paidDate }) => formatDate(paidDate) },
            { header: 'Check or EFT', cell: ({ checkNumber }) => checkNumber },
            { header: 'File', cell: ({ file }) => file },
          ]}
        />
      )}
      {journey.length > 0 && (
        <ShortTable
          label="Sources of the history"
          rows={journey}
          rowId={(event) => journey.indexOf(event)}
          columns={[
            { header: 'Date', cell: (event: Event) => formatWhen(event) },
            { header: 'Event', cell: ({ text }) => text },
            { header: 'Source', cell: ({ source }) => source },
          ]}
        />
      )}
    </details>
  );
}
