import { useQuery } from '@tanstack/react-query';
import { answer, api } from '@/api/client';
import type { components } from '@/api/schema';
import { useSession } from '@/api/session';
import { Button } from '@/ui/Button';
import { Chip } from '@/ui/Chip';
import { formatMoment } from '@/ui/dates';
import { formatCount } from '@/ui/format';
import { Failed, Loading, NotPermitted } from '@/ui/PageState';
import { DataTable } from '@/ui/table/DataTable';
import type { Column } from '@/ui/table/state';

type Report = components['schemas']['HealthReport'];
type System = Report['systems'][number];

/** How the program does, and the systems that it stands on. */
export default function DeskHealthPage() {
  const { can } = useSession();
  return (
    <div className="page">
      <header>
        <h1>How is it?</h1>
        <p className="page-lead">
          What the portal stands on, and when each last did what it was asked, told by all instances.
        </p>
      </header>
      {can('health.read') ? <Health /> : <NotPermitted />}
    </div>
  );
}

function Health() {
  const { data, isError, isFetching, refetch } = useQuery({
    queryKey: ['health'],
    queryFn: ({ signal }) => answer(api.GET('/desk/health', { signal })),
    refetchInterval: 30_000,
  });
  if (isError) return <Failed onRetry={() => void refetch()} />;
  if (!data) return <Loading />;
  return (
    <>
      <div className="button-row">
        <p>
          Version {data.version}, {data.engine === 'postgres' ? 'PostgreSQL' : 'SQLite'}, {sizeOf(data.bytes)}
          . The database took a write in {data.answeredMs.toFixed(1)} ms. As of {formatMoment(data.asOf)}.
        </p>
        <Button size="small" busy={isFetching} onClick={() => void refetch()}>
          Look again
        </Button>
      </div>
      <DataTable
        title="Systems"
        columns={systemColumns}
        rows={data.systems}
        rowId={({ name }) => name}
        initial={{ pageSize: 25 }}
      />
      <DataTable
        title="Instances"
        columns={instanceColumns}
        rows={data.instances}
        rowId={({ startedAt, here }) => `${startedAt} ${here}`}
        initial={{ pageSize: 10 }}
      />
      <DataTable
        title="Largest tables"
        columns={tableColumns}
        rows={data.tables}
        rowId={({ name }) => name}
        initial={{ pageSize: 25 }}
        empty="The database has not counted its tables yet"
      />
      <DataTable
        title="What is cleared away"
        columns={cleanupColumns}
        rows={data.cleanups}
        rowId={({ what }) => what}
        initial={{ pageSize: 25 }}
      />
    </>
  );
}

const kilo = 1024;

/** Bytes as people say them: 3.4 GB. */
function sizeOf(bytes: number): string {
  const units = ['bytes', 'KB', 'MB', 'GB', 'TB'];
  const power = Math.min(units.length - 1, Math.floor(Math.log(Math.max(bytes, 1)) / Math.log(kilo)));
  const size = bytes / kilo ** power;
  return `${power === 0 || size >= 100 ? formatCount(Math.round(size)) : size.toFixed(1)} ${units[power]}`;
}

const plain = { sortable: false, filterable: false };

const states: Record<System['state'], { word: string; kind: 'success' | 'error' | 'neutral' }> = {
  WORKS: { word: 'Works', kind: 'success' },
  FAILS: { word: 'Fails', kind: 'error' },
  UNKNOWN: { word: 'Not asked yet', kind: 'neutral' },
  ABSENT: { word: 'Not set up', kind: 'neutral' },
};

const systemColumns: Column<System>[] = [
  { id: 'title', header: 'System', value: ({ title }) => title, lead: true, ...plain },
  { id: 'what', header: 'Here', value: ({ what }) => what, wrap: true, minWidth: '11rem', ...plain },
  {
    id: 'state',
    header: 'State',
    value: ({ state }) => states[state].word,
    cell: ({ state }) => <Chip kind={states[state].kind}>{states[state].word}</Chip>,
    ...plain,
  },
  {
    id: 'ok',
    header: 'Last success',
    value: ({ okAt }) => okAt,
    text: ({ okAt }) => (okAt ? formatMoment(okAt) : ''),
    ...plain,
  },
  {
    id: 'failed',
    header: 'Last failure',
    value: ({ failedAt }) => failedAt,
    text: ({ failedAt, failure }) => (failedAt ? `${formatMoment(failedAt)}: ${failure}` : ''),
    wrap: true,
    minWidth: '16rem',
    ...plain,
  },
];

const instanceColumns: Column<Report['instances'][number]>[] = [
  { id: 'version', header: 'Version', value: ({ version }) => version, lead: true, ...plain },
  {
    id: 'started',
    header: 'Running since',
    value: ({ startedAt }) => startedAt,
    text: ({ startedAt }) => formatMoment(startedAt),
    ...plain,
  },
  {
    id: 'seen',
    header: 'Last heard of',
    value: ({ seenAt }) => seenAt,
    text: ({ seenAt }) => formatMoment(seenAt),
    ...plain,
  },
  {
    id: 'here',
    header: 'Answers here',
    value: ({ here }) => (here ? 'Yes' : ''),
    ...plain,
  },
];

const tableColumns: Column<Report['tables'][number]>[] = [
  { id: 'name', header: 'Table', value: ({ name }) => name, lead: true, ...plain },
  {
    id: 'rows',
    header: 'Rows, about',
    value: ({ rows }) => rows,
    text: ({ rows }) => formatCount(rows),
    align: 'end',
    ...plain,
  },
  {
    id: 'bytes',
    header: 'Size',
    value: ({ bytes }) => bytes,
    text: ({ bytes }) => (bytes === undefined ? 'Not told' : sizeOf(bytes)),
    align: 'end',
    ...plain,
  },
];

const cleanupColumns: Column<Report['cleanups'][number]>[] = [
  {
    id: 'what',
    header: 'What',
    value: ({ what }) => what,
    lead: true,
    wrap: true,
    minWidth: '16rem',
    ...plain,
  },
  { id: 'after', header: 'After', value: ({ after }) => after, wrap: true, minWidth: '8rem', ...plain },
];
