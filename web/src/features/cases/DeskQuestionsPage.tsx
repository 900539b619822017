import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useSession } from '@/api/session';
import * as paths from '@/shared/paths';
import { Button } from '@/ui/Button';
import { Chip } from '@/ui/Chip';
import { formatBusinessDateTime, formatLocalDateTime } from '@/ui/dates';
import { formatTin } from '@/ui/format';
import { Empty, Failed, Loading, NotPermitted } from '@/ui/PageState';
import { ShortTable } from '@/ui/table/ShortTable';
import { type CaseSummary, deskStates, topics } from './cases';
import styles from './cases.module.css';
import { type Queue, useDeskCases } from './queries';

const queues: Record<Queue, string> = {
  all: 'To answer',
  mine: 'Mine',
  unassigned: 'Unassigned',
  overdue: 'Overdue',
  waiting: 'Waiting for office',
};

/** The questions of offices that network staff answer. */
export default function DeskQuestionsPage() {
  const { can } = useSession();
  return (
    <div className="page">
      <header>
        <h1>Questions</h1>
        <p className="page-lead">
          Questions of offices, the earliest promised answer first.{' '}
          {can('cases.lead') && <Link to={paths.caseTimes}>Answer times</Link>}
        </p>
      </header>
      {can('cases.desk') ? <Questions /> : <NotPermitted />}
    </div>
  );
}

function Questions() {
  const [queue, setQueue] = useState<Queue>('all');
  const { data, isError, refetch } = useDeskCases(queue);
  return (
    <>
      <div className={styles.tabs}>
        {(Object.keys(queues) as Queue[]).map((name) => (
          <Button
            key={name}
            size="small"
            variant={name === queue ? 'primary' : undefined}
            aria-pressed={name === queue}
            onClick={() => setQueue(name)}
          >
            {queues[name]}
          </Button>
        ))}
      </div>
      <div className={`card ${styles.card}`}>
        {!data ? (
          isError ? (
            <Failed onRetry={() => void refetch()} />
          ) : (
            <Loading />
          )
        ) : data.cases.length === 0 ? (
          <Empty title="No questions here." />
        ) : (
          <ShortTable label="Questions" rows={data.cases} rowId={({ number }) => number} columns={columns} />
        )}
      </div>
    </>
  );
}

const columns = [
  {
    header: 'Question',
    cell: ({ number }: CaseSummary) => <Link {...paths.toDeskCase(number)}>{number}</Link>,
  },
  { header: 'Topic', cell: ({ topic }: CaseSummary) => topics[topic] },
  {
    header: 'State',
    cell: ({ state }: CaseSummary) => <Chip kind={deskStates[state].kind}>{deskStates[state].label}</Chip>,
  },
  { header: 'Tax ID', cell: ({ ftin }: CaseSummary) => formatTin(ftin) },
  { header: 'Asked', cell: ({ openedAt }: CaseSummary) => formatLocalDateTime(openedAt) },
  {
    header: 'Answer by',
    cell: ({ dueAt }: CaseSummary) =>
      dueAt && (
        <>
          {formatBusinessDateTime(dueAt)}{' '}
          {Date.parse(dueAt) < Date.now() && <Chip kind="error">Overdue</Chip>}
        </>
      ),
  },
];
