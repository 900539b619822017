import type { ReactNode } from 'react';
import { cx } from '@/ui/cx';
import styles from './account.module.css';

interface Props {
  title: string;
  lead?: ReactNode;
  /** For larger forms. */
  wide?: boolean;
  children: ReactNode;
}

/** The layout of signed-out screens: one card with a heading. */
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
