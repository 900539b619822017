import { Link } from '@tanstack/react-router';
import { useSession } from '@/api/session';
import { useSearchState } from '@/shared/historyState';
import * as paths from '@/shared/paths';
import { Button } from '@/ui/Button';
import { Chip } from '@/ui/Chip';
import { formatBusinessDateTime, formatDate, formatLocalDateTime, today } from '@/ui/dates';
import { formatTin } from '@/ui/format';
import { Empty, Failed, Loading, NotPermitted } from '@/ui/PageState';
import { ShortTable } from '@/ui/table/ShortTable';
import { ComplaintLog } from './ComplaintLog';
import { type CaseSummary, describeTopic, deskStates } from './cases';
import styles from './cases.module.css';
import { type Queue, useDeskCases } from './queries';
import { SavedReplies } from './SavedReplies';

const queues: Record<Queue, string> = {
  all: 'To answer',
  mine: 'Mine',
  unassigned: 'Unassigned',
  overdue: 'Overdue',
  waiting: 'Waiting for office',
  legal: 'Legal deadlines',
};

// The server lists no more.
const maxShown = 200;

const defaultQueue: Queue = 'all';

function readQueue(stored: unknown): { queue: Queue } | null {
  const { queue } = (stored as { queue: Queue } | null) ?? {};
  return queue && queue in queues ? { queue } : null;
}

/** The questions of offices that network staff answer. */
export default function DeskQuestionsPage() {
  const { can } = useSession();
  return (
    <div className="page">
      <header>
        <h1>Questions</h1>
        <p className="page-lead">
          Questions and complaints, the earliest due first.{' '}
          {can('cases.lead') && <Link to={paths.caseTimes}>Answer times</Link>}
        </p>
      </header>
      {can('cases.desk') ? <Questions /> : <NotPermitted />}
    </div>
  );
}

function Questions() {
  const { can } = useSession();
  const { search, start } = useSearchState(readQueue, {});
  const queue = search?.criteria.queue ?? defaultQueue;
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
            onClick={() => start({ queue: name })}
          >
            {queues[name]}
          </Button>
        ))}
        <div className={styles.actions}>
          {can('cases.work') && <Link to={paths.recordComplaint}>Record complaint</Link>}
          {can('cases.lead') && <ComplaintLog />}
          {can('cases.lead') && <SavedReplies />}
        </div>
      </div>
      <div className={`card ${styles.card}`}>
        {!data ? (
          isError ? (
            <Failed onRetry={() => void refetch()} />
          ) : (
            <Loading />
          )
        ) : data.cases.length === 0 ? (
          <Empty title={queue === 'legal' ? 'No legal deadlines.' : 'No questions here.'} />
        ) : (
          <ShortTable
            label="Questions"
            rows={data.cases}
            rowId={({ number }) => number}
            columns={data.cases.some(({ legalDue }) => legalDue) ? [...columns, legalColumn] : columns}
          />
        )}
        {data && data.cases.length >= maxShown && (
          <p>Showing the first {maxShown}, the earliest due first.</p>
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
  { header: 'Topic', cell: (row: CaseSummary) => describeTopic(row) },
  {
    header: 'State',
    cell: ({ state }: CaseSummary) => <Chip kind={deskStates[state].kind}>{deskStates[state].label}</Chip>,
  },
  { header: 'Office', cell: ({ office }: CaseSummary) => office },
  { header: 'Tax ID', cell: ({ ftin }: CaseSummary) => formatTin(ftin) },
  { header: 'Assigned to', cell: ({ owner }: CaseSummary) => owner },
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

const legalColumn = {
  header: 'Law requires by',
  cell: ({ legalDue }: CaseSummary) =>
    legalDue && (
      <>
        {formatDate(legalDue)} {legalDue < today() && <Chip kind="error">Late</Chip>}
      </>
    ),
};
