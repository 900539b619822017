import { useSession } from '@/api/session';
import { Failed, Loading, NotPermitted } from '@/ui/PageState';
import { type ShortColumn, ShortTable } from '@/ui/table/ShortTable';
import { type Report, useHealth } from './queries';

/** How long the portal keeps each kind of data. */
export default function DeskRetentionPage() {
  const { can } = useSession();
  return (
    <div className="page">
      <header>
        <h1>Data retention</h1>
        <p className="page-lead">
          How long we keep each kind of data. Expired data is deleted automatically.
        </p>
      </header>
      {can('health.read') ? <Retention /> : <NotPermitted />}
    </div>
  );
}

function Retention() {
  const { data, isError, refetch } = useHealth();
  if (isError) return <Failed onRetry={() => void refetch()} />;
  if (!data) return <Loading />;
  return (
    <section className="card">
      <ShortTable label="Data retention" rows={data.cleanups} rowId={({ what }) => what} columns={columns} />
    </section>
  );
}

const columns: ShortColumn<Report['cleanups'][number]>[] = [
  { header: 'Data', cell: ({ what }) => what },
  { header: 'Kept for', cell: ({ after }) => after },
];
