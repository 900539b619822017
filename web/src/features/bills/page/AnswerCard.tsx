import { Link } from '@tanstack/react-router';
import { AskLink } from '@/shared/askAbout';
import { BillLink } from '@/shared/BillLink';
import { OfficeCall } from '@/shared/OfficeCall';
import * as paths from '@/shared/paths';
import { cx } from '@/ui/cx';
import { formatDate } from '@/ui/dates';
import { pluralize } from '@/ui/pluralize';
import styles from './answer.module.css';
import { LogCall } from './LogCall';
import { PayerContact } from './PayerContact';
import type { DeskPage, Page, Question } from './queries';
import { WorkActions } from './WorkActions';

interface Props {
  /** The ID of the bill's page. */
  id: string;
  page: Page;
  /** At the service desk. */
  desk?: DeskPage;
}

/** Whose turn it is, in an open question. */
const turns: Record<Question['state'], string> = {
  OPEN: 'to answer',
  WAITING: 'waiting for the office',
  ANSWERED: 'answered',
};

/** What happened to the bill, what to do next, by when, and the group's work on it. */
export function AnswerCard({ id, page, desk }: Props) {
  const { answer, banners, kind } = page;
  const isWorked = answer.open && !desk && kind !== 'second';
  const replacement = banners.find((banner) => banner.kind === 'replaced')?.page;
  return (
    <section className={cx('card', styles.answer)} data-tone={answer.tone} aria-labelledby="answer">
      <h2 id="answer" className="visually-hidden">
        Status
      </h2>
      <p className={styles.sentence}>
        {answer.text} {replacement && <BillLink page={replacement}>View bill</BillLink>}
      </p>
      <dl className={styles.next}>
        {answer.nextStep && !replacement && (
          <div>
            <dt>Next step</dt>
            <dd>{answer.nextStep}</dd>
          </div>
        )}
        {answer.due && (
          <div>
            <dt>{answer.dueBy === 'payer' ? 'Payer deadline' : 'Your deadline'}</dt>
            <dd>
              {formatDate(answer.due)}{' '}
              <span className={cx(styles.left, answer.daysLeft < 0 && styles.overdue)}>
                {formatTimeLeft(answer)}
              </span>
            </dd>
          </div>
        )}
        {desk && desk.questions.length > 0 && (
          <div>
            <dt>Open questions</dt>
            {desk.questions.map(({ number, state, office }) => (
              <dd key={number}>
                <Link {...paths.toDeskCase(number)}>{number}</Link>, {turns[state]} ({office})
              </dd>
            ))}
          </div>
        )}
        <div>
          <dt>Payer contact</dt>
          <dd>
            <PayerContact contact={page.contact} />
            {isWorked && <LogCall id={id} page={page} />}
            <AskLink
              className={styles.call}
              bills={[{ id, number: page.bill.billControlNumber || page.bill.documentId }]}
            />
            {desk && <OfficeCall className={styles.call} id={id} ftin={page.bill.ftin} />}
          </dd>
        </div>
      </dl>
      {isWorked && <WorkActions id={id} />}
    </section>
  );
}

function formatTimeLeft({ daysLeft, dueBy }: Page['answer']) {
  if (daysLeft === 0) return 'due today';
  if (daysLeft > 0) return `${pluralize(daysLeft, 'day')} left`;
  const days = pluralize(-daysLeft, 'day');
  return dueBy === 'payer' ? `${days} overdue` : `passed ${days} ago`;
}
