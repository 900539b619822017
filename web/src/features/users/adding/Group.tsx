import type { ReactNode } from 'react';
import styles from './adding.module.css';

/** Fields that belong together; their head stands beside them where there is room. */
export function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={styles.group}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}
