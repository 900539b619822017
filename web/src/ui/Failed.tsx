import type { ReactNode } from 'react';
import { Banner } from './Banner';
import { Button } from './Button';
import styles from './Failed.module.css';

/* Apart from the other states of a page, which signed-out screens need not load. */

/** Said where data could not be had, and nothing better is known. */
export const retrievalError =
  'Error: There was an error retrieving data. Please try again or contact Customer Service.';

export function Failed({ message = retrievalError, onRetry }: { message?: ReactNode; onRetry?: () => void }) {
  return (
    <div className={`${styles.state} ${styles.failed}`}>
      <Banner kind="error">{message}</Banner>
      {onRetry && <Button onClick={onRetry}>Try again</Button>}
    </div>
  );
}
