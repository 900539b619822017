import type { ReactNode } from 'react';
import { Banner } from './Banner';
import { Button } from './Button';
import { cx } from './cx';
import states from './Failed.module.css';
import styles from './PageState.module.css';

export { Failed, retrievalError } from './Failed';

/** The message while data loads. */
export const retrievingText = 'Please wait while we retrieve data.';

/** Shown while data loads. It appears after a delay, so that fast responses don't flicker. */
export function Loading({ children = retrievingText }: { children?: ReactNode }) {
  return (
    <div className={cx(states.state, styles.loading)} role="status" data-loading="">
      <span className={styles.spinner} aria-hidden="true" />
      <p>{children}</p>
    </div>
  );
}

export function Empty({ title, children }: { title?: ReactNode; children?: ReactNode }) {
  return (
    <div className={states.state} role="status">
      {title && <p className={styles.title}>{title}</p>}
      {children && <div className={styles.text}>{children}</div>}
    </div>
  );
}

/** Replaces a screen that the account can open but not use. */
export function NotPermitted({ children = 'Ask your administrator for access.' }: { children?: ReactNode }) {
  return (
    <div className={cx('card', states.state)} role="status">
      <p className={styles.title}>You don't have access</p>
      <div className={styles.text}>{children}</div>
    </div>
  );
}

/** The content can be out of date because the last refresh failed. */
export function Stale({
  children = 'Last refresh failed. This may be out of date.',
  onRetry,
}: {
  children?: ReactNode;
  onRetry: () => void;
}) {
  return (
    <Banner kind="warning">
      <div className={styles.stale}>
        <span>{children}</span>
        <Button size="small" onClick={onRetry}>
          Refresh
        </Button>
      </div>
    </Banner>
  );
}
