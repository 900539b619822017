import type { ReactNode } from 'react';
import { Button } from '@/ui/Button';
import { formatDate } from '@/ui/dates';
import { formatPhone } from '@/ui/format';
import { toast } from '@/ui/Toasts';
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

function CopyButton({ text, what }: { text: string; what: string }) {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      toast.success(`Copied ${text}`);
    } catch {
      toast.error(`Couldn't copy the ${what}. Select it and copy it.`);
    }
  };
  return (
    <Button variant="quiet" size="small" onClick={() => void copy()}>
      Copy<span className="visually-hidden"> {what}</span>
    </Button>
  );
}

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
