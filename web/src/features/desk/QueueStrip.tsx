import { Link } from '@tanstack/react-router';
import { Fragment } from 'react';
import { queueLists, useQueues } from '@/shared/queues';
import { formatCount } from '@/ui/format';
import styles from './desk.module.css';

/** The queues with work for staff, in one line above Home. Empty without any or until loaded. */
export function QueueStrip() {
  const { data = [] } = useQueues();
  const waiting = data.filter(({ kind, count }) => count > 0 && kind in queueLists);
  if (waiting.length === 0) return null;
  return (
    <section className={styles.strip} aria-label="Queues">
      <p>
        <strong>Queues:</strong>{' '}
        {waiting.map(({ kind, count, more }, at) => (
          <Fragment key={kind}>
            {at > 0 && <span aria-hidden="true"> · </span>}
            <Link to={queueLists[kind]?.to}>
              {queueLists[kind]?.name}{' '}
              <strong>
                {formatCount(count)}
                {more && '+'}
              </strong>
            </Link>
          </Fragment>
        ))}
      </p>
    </section>
  );
}
