import type { ReactNode } from 'react';
import { CopyButton } from '@/shared/CopyButton';
import { formatDate } from '@/ui/dates';
import { formatPhone } from '@/ui/format';
import styles from './answer.module.css';
import type { Contact } from './queries';

/** How to reach the payer about the bill, and from where that is known. */
export function PayerContact({ contact }: { contact: Contact | undefined }) {
  if (!contact) return <p className={styles.small}>No payer contact on file.</p>;
  const { payer, phone, extension, web, address, hours, claimNumber, ready, possibly } = contact;
  return (
    <>
      <p>
        {possibly && 'Possibly '}
        {payer}
      </p>
      {phone && (
        <p className={styles.line}>
          <a href={`tel:${phone}`}>{formatPhone(phone)}</a>
          {extension && <span>ext. {extension}</span>}
          <CopyButton text={formatPhone(phone)} what="phone number" />
        </p>
      )}
      {!phone && web && <p>{web}</p>}
      {hours && <p>{hours}</p>}
      {claimNumber && (
        <p className={styles.line}>
          <span>Claim {claimNumber}</span>
          <CopyButton text={claimNumber} what="claim number" />
        </p>
      )}
      {address && <p>{address}</p>}
      <Small>Have ready: {ready}</Small>
      <Small>{describeSource(contact)}</Small>
    </>
  );
}

const Small = ({ children }: { children: ReactNode }) => <p className={styles.small}>{children}</p>;

function describeSource({ source, on }: Contact) {
  switch (source) {
    case 'staff':
      return `Source: network staff, ${formatDate(on)}`;
    case 'remittance':
      return `Source: the payer's latest 835, ${formatDate(on)}`;
    default:
      return 'Source: client list';
  }
}
