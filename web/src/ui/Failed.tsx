import type { ReactNode } from 'react';
import { Banner } from './Banner';
import { Button } from './Button';
import styles from './Failed.module.css';

/*
 * A module apart from the other page states, because signed-out screens don't need to load
 * those.
 */

/** The message when data couldn't load and there is no better one. */
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
