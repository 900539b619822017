import { Link } from '@tanstack/react-router';
import { Fragment, type ReactNode } from 'react';
import { useSession } from '@/api/session';
import { createSearch } from '@/shared/historyState';
import { useOpenBillSummary } from '@/shared/openBillSummary';
import { getOwner } from '@/shared/owner';
import * as paths from '@/shared/paths';
import { useToday } from '@/shared/today';
import { formatLocalDateTime, formatSince } from '@/ui/dates';
import { formatCount } from '@/ui/format';
import styles from './alerts.module.css';
import { figures } from './figures';
import { hasQuestions, listNeeds, NeedLink, QuestionsLink } from './needs';

/**
 * The bills that need the office, and the changes since the last visit, above Home. Empty until
 * it's loaded, and if there are none.
 */
export function TodayStrip() {
  const session = useSession();
  const { data: summary } = useOpenBillSummary();
  const { data: today } = useToday();
  const needs = summary ? listNeeds(summary).filter(({ bills }) => bills > 0) : [];
  const questions = today && hasQuestions(today);
  const changes = today?.since ? today.counts : [];
  if (needs.length + changes.length === 0 && !questions) return null;
  const owner = getOwner(session);
  return (
    <section className={styles.strip} aria-label="Today">
      <div>
        {(needs.length > 0 || questions) && (
          <p>
            <strong>Needs you:</strong>{' '}
            {separate([
              ...needs.map((need): [string, ReactNode] => [
                need.name,
                <NeedLink key={need.name} need={need} />,
              ]),
              ...(questions
                ? ([['questions', <QuestionsLink key="questions" alerts={today} />]] as const)
                : []),
            ])}
          </p>
        )}
        {today?.since && changes.length > 0 && (
          <p>
            Bills since {formatSince(today.since)}:{' '}
            {separate(
              changes.map(({ kind, bills }) => [
                kind,
                <Link
                  key={kind}
                  to={paths.today}
                  state={{ searchInfo: createSearch(owner, { kind }, { pageSize: 25 }) }}
                >
                  <strong>{formatCount(bills)}</strong> {figures[kind].phrase}
                </Link>,
              ]),
            )}
          </p>
        )}
      </div>
      <p className={styles.small}>
        {today?.asOf && (
          <>
            Data as of <time dateTime={today.asOf}>{formatLocalDateTime(today.asOf)}</time>.{' '}
          </>
        )}
        <Link to={paths.today}>Open Today</Link>
        {session.can('remittances.read') && (
          <>
            {' · '}
            <Link to={paths.remittances}>Remittances</Link>
          </>
        )}
      </p>
    </section>
  );
}

const separate = (parts: (readonly [key: string, part: ReactNode])[]) =>
  parts.map(([key, part], at) => (
    <Fragment key={key}>
      {at > 0 && <span aria-hidden="true"> · </span>}
      {part}
    </Fragment>
  ));
