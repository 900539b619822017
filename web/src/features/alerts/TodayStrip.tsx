import { Link } from '@tanstack/react-router';
import { Fragment } from 'react';
import { useSession } from '@/api/session';
import { createSearch } from '@/shared/historyState';
import { getOwner } from '@/shared/owner';
import * as paths from '@/shared/paths';
import { formatLocalDateTime, formatSince } from '@/ui/dates';
import { formatCount } from '@/ui/format';
import styles from './alerts.module.css';
import { figures } from './figures';
import { useToday } from './queries';

/**
 * The changes to the user's bills in one line above Home. Empty without changes or until it's
 * loaded.
 */
export function TodayStrip() {
  const session = useSession();
  const { data } = useToday();
  if (!data?.since || data.counts.length === 0) return null;
  const owner = getOwner(session);
  return (
    <section className={styles.strip} aria-label="Today">
      <p>
        Bills since {formatSince(data.since)}:{' '}
        {data.counts.map(({ kind, bills }, at) => (
          <Fragment key={kind}>
            {at > 0 && <span aria-hidden="true"> · </span>}
            <Link to={paths.today} state={{ searchInfo: createSearch(owner, { kind }, { pageSize: 25 }) }}>
              <strong>{formatCount(bills)}</strong> {figures[kind].phrase}
            </Link>
          </Fragment>
        ))}
      </p>
      <p className={styles.small}>
        {data.asOf && (
          <>
            Data as of <time dateTime={data.asOf}>{formatLocalDateTime(data.asOf)}</time>.{' '}
          </>
        )}
        <Link to={paths.today}>Open Today</Link>
      </p>
    </section>
  );
}
