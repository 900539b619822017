import { Button } from '@/ui/Button';
import { Chip } from '@/ui/Chip';
import { formatMoment } from '@/ui/dates';
import { Empty, Failed, Loading } from '@/ui/PageState';
import { ShortTable } from '@/ui/table/ShortTable';
import styles from './desk.module.css';
import { QueuePage, useSteps } from './QueuePage';
import { type FailedJob, useJobs } from './queries';

/** What the portal does by itself, as people say it. */
const jobNames: Record<string, string> = {
  tidy: 'Forget what is over',
  mail: 'Send an email',
  'fee-schedule': 'Make a fee schedule',
  'send-notifications': 'Send notifications',
  'feed-scan': 'Look for files that came',
  'feed-file': 'Take a file that came',
  'count-reasons': 'Count reason codes',
  deadlines: 'Count deadlines anew',
  digest: 'Send news on bills',
  'remittance-export': 'Make a file of remittances',
  'look-up': 'Look up a file of numbers',
  'open-bills-export': 'Make a file of open bills',
};

const nameOf = ({ kind }: FailedJob) => jobNames[kind] ?? kind;

/** What the portal should have done by itself, and did not. */
export default function DeskJobsPage() {
  return (
    <QueuePage
      title="Failed jobs"
      lead="The portal does these by itself. Those that were given up stay here for a week."
    >
      <Jobs />
    </QueuePage>
  );
}

function Jobs() {
  const { data, isError, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useJobs();
  const { take, ask, busy, dialog } = useSteps();
  if (!data) return isError ? <Failed onRetry={() => void refetch()} /> : <Loading />;
  const jobs = data.pages.flatMap((part) => part.jobs);
  return (
    <div className="card">
      {jobs.length === 0 ? (
        <Empty title="No job has failed." />
      ) : (
        <ShortTable
          label="Failed jobs"
          rows={jobs}
          rowId={({ id }) => id}
          columns={[
            { header: 'Job', cell: nameOf },
            {
              header: 'State',
              cell: ({ givenUp, next }) =>
                givenUp || !next ? (
                  <Chip kind="error">Given up</Chip>
                ) : (
                  <Chip kind="warning">Tried again {formatMoment(next)}</Chip>
                ),
            },
            { header: 'Tries', align: 'end', cell: ({ tries, most }) => `${tries} of ${most}` },
            { header: 'Since', cell: ({ since }) => formatMoment(since) },
            { header: 'Why', cell: ({ why }) => why },
            {
              header: 'Action',
              cell: (job) => (
                <div className={styles.steps}>
                  <Button
                    size="small"
                    busy={busy('run again', job.id)}
                    onClick={() => take('run again', job.id, 'The job runs again.')}
                  >
                    Run again
                    <span className="visually-hidden">: {nameOf(job)}</span>
                  </Button>
                  <Button
                    size="small"
                    onClick={() =>
                      ask({
                        step: 'forget',
                        id: job.id,
                        title: 'Forget this job?',
                        about: `${nameOf(job)}: what it was to do is not done.`,
                        label: 'Forget',
                        done: 'The job is forgotten.',
                      })
                    }
                  >
                    Forget
                    <span className="visually-hidden">: {nameOf(job)}</span>
                  </Button>
                </div>
              ),
            },
          ]}
        />
      )}
      {hasNextPage && (
        <p className={styles.note}>
          <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Show more
          </Button>
        </p>
      )}
      {dialog}
    </div>
  );
}
