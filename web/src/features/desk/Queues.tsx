import { Link, type LinkProps } from '@tanstack/react-router';
import * as paths from '@/shared/paths';
import { formatCount } from '@/ui/format';
import { Failed, Loading } from '@/ui/PageState';
import { pluralize } from '@/ui/pluralize';
import { ShortTable } from '@/ui/table/ShortTable';
import styles from './desk.module.css';
import { useQueues, type Waiting } from './queries';

/** The queues by the server's kinds. A new domain adds a line here. */
const lists: Record<string, { name: string; to: LinkProps['to'] }> = {
  requests: { name: 'Account requests', to: paths.deskRequests },
  tinSharings: { name: 'Shared Tax IDs', to: paths.tinSharing },
  rosters: { name: 'Unclaimed rosters', to: paths.deskRosters },
  feeds: { name: 'Late imports', to: paths.deskFeeds },
  mails: { name: 'Failed emails', to: paths.deskFailedEmails },
  jobs: { name: 'Failed jobs', to: paths.deskJobs },
  drafts: { name: 'Draft accounts', to: paths.deskDrafts },
  notifications: { name: 'Draft notifications', to: paths.notifications },
};

/** The work queues for staff. Empty for users without any. */
export function Queues() {
  const { data, isError, refetch } = useQueues();
  if (data && data.length === 0) return null;
  return (
    <section className="card" aria-labelledby="waits">
      <h2 id="waits" className={styles.part}>
        Work queue
      </h2>
      {data ? <Table queues={data} /> : isError ? <Failed onRetry={() => void refetch()} /> : <Loading />}
    </section>
  );
}

const Table = ({ queues }: { queues: readonly Waiting[] }) => (
  <ShortTable
    label="Work queue"
    rows={queues.filter(({ kind }) => kind in lists)}
    rowId={({ kind }) => kind}
    muted={({ count }) => count === 0}
    columns={[
      { header: 'Queue', cell: ({ kind }) => <Link to={lists[kind]?.to}>{lists[kind]?.name}</Link> },
      {
        header: 'Waiting',
        align: 'end',
        cell: ({ count, more }) => (count === 0 ? 'None' : `${formatCount(count)}${more ? '+' : ''}`),
      },
      { header: 'Oldest', align: 'end', cell: ({ since }) => since && formatAge(since) },
    ]}
  />
);

const day = 86_400_000;

function formatAge(since: string): string {
  const days = Math.floor((Date.now() - Date.parse(since)) / day);
  if (days < 1) return 'less than a day';
  return pluralize(days, 'day');
}
