import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useSession } from '@/api/session';
import * as paths from '@/shared/paths';
import { Banner } from '@/ui/Banner';
import { Button } from '@/ui/Button';
import { Chip } from '@/ui/Chip';
import { formatLocalDateTime } from '@/ui/dates';
import { formatCount } from '@/ui/format';
import { Failed, Loading, NotPermitted } from '@/ui/PageState';
import { type ShortColumn, ShortTable } from '@/ui/table/ShortTable';
import styles from './health.module.css';
import { type Report, useHealth } from './queries';

type System = Report['systems'][number];

/** The status of the program and of its dependencies. */
export default function DeskHealthPage() {
  const { can } = useSession();
  return (
    <div className="page">
      <header>
        <h1>System status</h1>
        <p className="page-lead">
          Status of the systems the portal depends on, as reported by all instances.
        </p>
      </header>
      {can('health.read') ? <Health /> : <NotPermitted />}
    </div>
  );
}

function Health() {
  const { data, isError, isFetching, refetch } = useHealth();
  if (isError) return <Failed onRetry={() => void refetch()} />;
  if (!data) return <Loading />;
  const failing = data.systems.filter(({ state }) => state === 'FAILS');
  const others = data.systems.filter(({ state }) => state !== 'FAILS');
  return (
    <>
      <div className="button-row">
        <p>As of {formatLocalDateTime(data.asOf)}.</p>
        <Button size="small" busy={isFetching} onClick={() => void refetch()}>
          Refresh
        </Button>
      </div>
      {failing.length === 0 ? (
        <Banner kind="success" title="All systems that we checked are up" />
      ) : (
        failing.map((system) => <Failing key={system.name} system={system} />)
      )}
      <Part title={failing.length > 0 ? 'Other systems' : 'Systems'}>
        <ShortTable
          label="Systems"
          rows={others}
          rowId={({ name }) => name}
          muted={({ state }) => state === 'ABSENT'}
          columns={systemColumns}
        />
      </Part>
      <Part title="Instances">
        <p className={styles.text}>
          Version {data.version}, {data.engine === 'postgres' ? 'PostgreSQL' : 'SQLite'},{' '}
          {formatSize(data.bytes)}. Database write time: {data.answeredMs.toFixed(1)} ms.
        </p>
        <ShortTable
          label="Instances"
          rows={data.instances}
          rowId={({ startedAt, here }) => `${startedAt} ${here}`}
          columns={instanceColumns}
        />
      </Part>
      {data.tables.length > 0 && (
        <Folded title="Largest tables">
          <ShortTable
            label="Largest tables"
            rows={data.tables}
            rowId={({ name }) => name}
            columns={tableColumns}
          />
        </Folded>
      )}
      <p>
        <Link to={paths.deskRetention}>Data retention</Link> shows how long we keep each kind of data.
      </p>
    </>
  );
}

/** What to do when a system is down. */
const advice: Record<string, ReactNode> = {
  database: 'Check that the database runs, has free space and accepts connections.',
  storage: 'Check the free space and the access rights of the data directory or bucket.',
  jobs: (
    <>
      Fix the cause, then retry the <Link to={paths.deskJobs}>failed jobs</Link>.
    </>
  ),
  mail: (
    <>
      Check the mail server (WCPP_SMTP_URL). Then resend the{' '}
      <Link to={paths.deskFailedEmails}>failed emails</Link>.
    </>
  ),
  feeds: 'Check that the watch folder (WCPP_FEED_URL) can be reached. Imports continue afterward.',
  rosters:
    'Check that the delivery folder (WCPP_ROSTER_OUT) can be reached. Rosters are delivered afterward.',
};

const Failing = ({ system: { name, title, what, okAt, failedAt, failure } }: { system: System }) => (
  <Banner kind="error" title={`${title} is down`}>
    <p>
      {failure} {failedAt && `Last failure: ${formatLocalDateTime(failedAt)}. `}
      {okAt ? `Last success: ${formatLocalDateTime(okAt)}.` : 'No success yet.'}
    </p>
    <p>
      {advice[name] ?? `Check its address and that it can be reached from the server (${what}).`} Details are
      in the server's log.
    </p>
  </Banner>
);

/** Routine facts, closed until someone needs them. */
const Folded = ({ title, children }: { title: string; children: ReactNode }) => (
  <details className="card">
    <summary className={styles.summary}>{title}</summary>
    {children}
  </details>
);

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className="card">
    <h2 className={styles.title}>{title}</h2>
    {children}
  </section>
);

const kilo = 1024;

/** Formats bytes: 3.4 GB. */
function formatSize(bytes: number): string {
  const units = ['bytes', 'KB', 'MB', 'GB', 'TB'];
  const power = Math.min(units.length - 1, Math.floor(Math.log(Math.max(bytes, 1)) / Math.log(kilo)));
  const size = bytes / kilo ** power;
  return `${power === 0 || size >= 100 ? formatCount(Math.round(size)) : size.toFixed(1)} ${units[power]}`;
}

const states: Record<System['state'], { word: string; kind: 'success' | 'error' | 'neutral' }> = {
  WORKS: { word: 'Up', kind: 'success' },
  FAILS: { word: 'Down', kind: 'error' },
  UNKNOWN: { word: 'Not checked', kind: 'neutral' },
  ABSENT: { word: 'Not set up', kind: 'neutral' },
};

const systemColumns: ShortColumn<System>[] = [
  { header: 'System', cell: ({ title }) => title },
  { header: 'Details', cell: ({ what }) => what },
  { header: 'State', cell: ({ state }) => <Chip kind={states[state].kind}>{states[state].word}</Chip> },
  { header: 'Last success', cell: ({ okAt }) => okAt && formatLocalDateTime(okAt) },
  {
    header: 'Last failure',
    cell: ({ failedAt, failure }) => failedAt && `${formatLocalDateTime(failedAt)}: ${failure}`,
  },
];

const instanceColumns: ShortColumn<Report['instances'][number]>[] = [
  { header: 'Version', cell: ({ version, here }) => (here ? `${version} (this instance)` : version) },
  { header: 'Running since', cell: ({ startedAt }) => formatLocalDateTime(startedAt) },
  { header: 'Last seen', cell: ({ seenAt }) => formatLocalDateTime(seenAt) },
];

const tableColumns: ShortColumn<Report['tables'][number]>[] = [
  { header: 'Table', cell: ({ name }) => name },
  { header: 'Approx. rows', align: 'end', cell: ({ rows }) => formatCount(rows) },
  {
    header: 'Size',
    align: 'end',
    cell: ({ bytes }) => (bytes === undefined ? 'Unknown' : formatSize(bytes)),
  },
];
