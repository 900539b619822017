import { BillLink } from '@/shared/BillLink';
import { CopyButton } from '@/shared/CopyButton';
import { formatCallOutcome } from '@/shared/payerCall/draft';
import { Button } from '@/ui/Button';
import { Chip } from '@/ui/Chip';
import { formatDate, today } from '@/ui/dates';
import { formatMoney, formatPhone } from '@/ui/format';
import { pluralize } from '@/ui/pluralize';
import { type ShortColumn, ShortTable } from '@/ui/table/ShortTable';
import { type Contact, getNextCall, type SheetBill, type SheetPayer } from './callSheet';
import styles from './callSheet.module.css';
import { formatClaimant, OfficeNote } from './columns';
import { DueText } from './DueText';

interface Props {
  payer: SheetPayer;
  /** Undefined for users who can't log calls. */
  onCall: ((bills: readonly SheetBill[]) => void) | undefined;
}

/** A payer's contact and the bills of one call. */
export function CallSheetPayer({ payer: { name, contact, bills }, onCall }: Props) {
  const title = name || 'No payer on file';
  const isCalled = bills.every(({ lastCall }) => lastCall?.on === today());
  return (
    <section className={`card ${styles.payer}`} aria-label={title}>
      <header className={styles['payer-head']}>
        <div className={styles.who}>
          <h2>{title}</h2>
          <p className={styles.small}>{pluralize(bills.length, 'bill')}, one call</p>
          {isCalled && <Chip kind="success">Called today</Chip>}
        </div>
        <PhoneLine contact={contact} />
        {onCall && (
          <Button
            variant={isCalled ? 'secondary' : 'primary'}
            className={styles.log}
            aria-label={`Log call to ${title}`}
            onClick={() => onCall(getNextCall(bills, today()))}
          >
            Log call
          </Button>
        )}
      </header>
      <ShortTable label={`Bills of ${title}`} columns={columns} rows={bills} rowId={({ id }) => id} />
      <p className={styles.blank}>Spoke with / outcome / reference:</p>
    </section>
  );
}

function PhoneLine({ contact }: { contact: Contact | undefined }) {
  if (!contact) return <p className={styles.small}>No payer contact on file.</p>;
  const { payer, phone, extension, web, hours, possibly } = contact;
  return (
    <div className={styles.contact}>
      <p className={styles.line}>
        {phone ? (
          <>
            <a href={`tel:${phone}`}>{formatPhone(phone)}</a>
            {extension && <span>ext. {extension}</span>}
            <CopyButton text={formatPhone(phone)} what="phone number" />
          </>
        ) : (
          web
        )}
      </p>
      <p className={styles.small}>{[possibly && `Possibly ${payer}`, hours].filter(Boolean).join(', ')}</p>
    </div>
  );
}

const columns: ShortColumn<SheetBill>[] = [
  {
    header: 'Bill',
    cell: ({ id, billControlNumber, ftin }) => (
      <>
        <BillLink page={id}>{billControlNumber}</BillLink>
        <OfficeNote ftin={ftin} />
      </>
    ),
  },
  { header: 'Claimant', cell: formatClaimant },
  {
    header: 'Claim number',
    cell: ({ claimNumber }) =>
      claimNumber && (
        <span className={styles.line}>
          {claimNumber}
          <CopyButton text={claimNumber} what={`claim number ${claimNumber}`} />
        </span>
      ),
  },
  { header: 'Service', cell: ({ beginServiceDate }) => formatDate(beginServiceDate) },
  { header: 'Charge', align: 'end', cell: ({ charge }) => formatMoney(charge) },
  { header: 'Due', cell: ({ due }) => due && <DueText due={due} /> },
  { header: 'Follow-up', cell: ({ work }) => formatDate(work.followUpOn) },
  {
    header: 'Last call',
    cell: ({ lastCall }) =>
      lastCall && `${formatDate(lastCall.on)} ${formatCallOutcome(lastCall.outcome, lastCall.promisedOn)}`,
  },
];
