import type { ReactNode } from 'react';
import { cx } from '@/ui/cx';
import styles from './account.module.css';

interface Props {
  title: string;
  lead?: ReactNode;
  /** For forms of more than a few fields. */
  wide?: boolean;
  children: ReactNode;
}

/** What the screens of people who are not signed in stand on: one card with a heading. */
export function AccountCard({ title, lead, wide, children }: Props) {
  return (
    <div className={cx(styles.page, wide && styles.wide)}>
      <section className={styles.card}>
        <h1>{title}</h1>
        {lead && <p className={styles.lead}>{lead}</p>}
        {children}
      </section>
    </div>
  );
}
