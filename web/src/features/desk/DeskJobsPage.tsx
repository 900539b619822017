import { useShowMore } from '@/shared/useShowMore';
import { Button } from '@/ui/Button';
import { Chip } from '@/ui/Chip';
import { formatLocalDateTime } from '@/ui/dates';
import { Empty, Failed, Loading } from '@/ui/PageState';
import { ShortTable } from '@/ui/table/ShortTable';
import styles from './desk.module.css';
import { jobKinds } from './jobKinds.gen';
import { QueuePage, useQueueActions } from './QueuePage';
import { type FailedJob, useJobs } from './queries';

const formatName = ({ kind }: FailedJob) => jobKinds[kind] ?? kind;

/** Failed background jobs. */
export default function DeskJobsPage() {
  return (
    <QueuePage
      title="Failed jobs"
      lead="Background jobs that failed or are retrying. Failed jobs are kept for a week."
    >
      <Jobs />
    </QueuePage>
  );
}

function Jobs() {
  const list = useJobs();
  const { data, isError, refetch, hasNextPage } = list;
  const more = useShowMore(list);
  const { runStep, confirm, busy, dialog } = useQueueActions();
  if (!data) return isError ? <Failed onRetry={() => void refetch()} /> : <Loading />;
  const jobs = data.pages.flatMap((part) => part.jobs);
  return (
    <div className="card">
      {jobs.length === 0 ? (
        <Empty title="No failed jobs." />
      ) : (
        <ShortTable
          label="Failed jobs"
          rows={jobs}
          rowId={({ id }) => id}
          columns={[
            { header: 'Job', cell: formatName },
            {
              header: 'State',
              cell: ({ givenUp, next }) =>
                givenUp || !next ? (
                  <Chip kind="error">Failed</Chip>
                ) : (
                  <Chip kind="warning">Retrying {formatLocalDateTime(next)}</Chip>
                ),
            },
            { header: 'Attempts', align: 'end', cell: ({ tries, most }) => `${tries} of ${most}` },
            { header: 'Since', cell: ({ since }) => formatLocalDateTime(since) },
            { header: 'Reason', cell: ({ why }) => why },
            {
              header: 'Action',
              cell: (job) => (
                <div className={styles.steps}>
                  <Button
                    size="small"
                    busy={busy('run again', job.id)}
                    onClick={() => runStep('run again', job.id, 'Job restarted')}
                  >
                    Retry
                    <span className="visually-hidden">: {formatName(job)}</span>
                  </Button>
                  <Button
                    size="small"
                    onClick={() =>
                      confirm({
                        step: 'forget',
                        id: job.id,
                        title: 'Delete this job?',
                        about: `${formatName(job)}. It won't run again.`,
                        label: 'Delete',
                        done: 'Job deleted',
                      })
                    }
                  >
                    Delete
                    <span className="visually-hidden">: {formatName(job)}</span>
                  </Button>
                </div>
              ),
            },
          ]}
        />
      )}
      {hasNextPage && (
        <p className={styles.note}>
          <Button {...more}>Show more</Button>
        </p>
      )}
      {dialog}
    </div>
  );
}
