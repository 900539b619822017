import { Link } from '@tanstack/react-router';
import { queueLists as lists, useQueues, type Waiting } from '@/shared/queues';
import { formatCount } from '@/ui/format';
import { Failed, Loading } from '@/ui/PageState';
import { pluralize } from '@/ui/pluralize';
import { ShortTable } from '@/ui/table/ShortTable';

/** The work queues for staff. Empty for users without any. */
export function Queues() {
  const { data, isError, refetch } = useQueues();
  if (data && data.length === 0) return null;
  return (
    <section className="card" aria-label="Work queue">
      {data ? <Table queues={data} /> : isError ? <Failed onRetry={() => void refetch()} /> : <Loading />}
    </section>
  );
}

const Table = ({ queues }: { queues: readonly Waiting[] }) => (
  <ShortTable
    label="Work queue"
    slim
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
