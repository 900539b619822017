import type { ReactNode } from 'react';
import { Brand } from './Brand';
import { Footer } from './Footer';
import styles from './Frame.module.css';
import { SkipLink } from './SkipLink';
import { Offline } from './Unreachable';

export function SignedOutFrame({ children }: { children: ReactNode }) {
  return (
    <div className={styles.frame}>
      <SkipLink />
      <header className={styles.header}>
        <div className={styles.bar}>
          <Brand />
        </div>
      </header>
      <main id="main" tabIndex={-1} className={styles.main}>
        <Offline />
        {children}
      </main>
      <Footer />
    </div>
  );
}
