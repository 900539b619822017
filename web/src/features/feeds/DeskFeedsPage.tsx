import { useMemo, useState } from 'react';
import { useSession } from '@/api/session';
import { useSearchState } from '@/shared/historyState';
import { Banner } from '@/ui/Banner';
import { Button } from '@/ui/Button';
import { Chip } from '@/ui/Chip';
import { formatBusinessDateTime, getZoneAbbreviation } from '@/ui/dates';
import { SelectInput } from '@/ui/form/inputs';
import { formatCount } from '@/ui/format';
import { NotPermitted } from '@/ui/PageState';
import { DataTable } from '@/ui/table/DataTable';
import { type Column, createTableState } from '@/ui/table/state';
import { useFold } from '@/ui/useFold';
import { DeleteSource, EditSource } from './EditSource';
import { describeExpectation } from './expected';
import { FileDialog } from './FileDialog';
import { type FeedFile, type FileFilter, type Source, useFiles, useSources } from './queries';
import { UploadFile } from './UploadFile';
import {
  formatArrival,
  formatDuration,
  formatLight,
  formatStatus,
  getKindName,
  statusNames,
} from './wording';

/** The sources with late ones marked, the imported files, and their check results. */
export default function DeskFeedsPage() {
  const { can } = useSession();
  return (
    <div className="page">
      <header>
        <h1>Imports</h1>
        <p className="page-lead">Import sources, their schedules, and the files received from them.</p>
      </header>
      {can('feeds.watch') ? <Feeds /> : <NotPermitted />}
    </div>
  );
}

function Feeds() {
  const { can } = useSession();
  const manages = can('feeds.manage');
  const sources = useSources();
  const [opened, setOpened] = useState(0);
  const canUpload = sources.data?.takes ?? false;
  return (
    <>
      <LateFeeds sources={sources.data?.sources ?? []} />
      <Files sources={sources.data?.sources ?? []} onOpen={setOpened} />
      <Sources sources={sources} manages={manages} />
      {manages && sources.data && <UploadFile takes={canUpload} onBrought={({ id }) => setOpened(id)} />}
      {opened !== 0 && (
        <FileDialog
          key={opened}
          id={opened}
          takes={canUpload}
          onOpen={setOpened}
          onClose={() => setOpened(0)}
        />
      )}
    </>
  );
}

function LateFeeds({ sources }: { sources: Source[] }) {
  const late = sources.filter(({ lateFrom }) => lateFrom);
  if (late.length === 0) return null;
  return (
    <Banner
      kind="warning"
      title={late.length === 1 ? '1 file is late' : `${formatCount(late.length)} files are late`}
    >
      <ul>
        {late.map(({ id, name, lateFrom }) => (
          <li key={id}>
            {name}: expected {formatBusinessDateTime(lateFrom)}
          </li>
        ))}
      </ul>
    </Banner>
  );
}

type Change = { what: 'edit'; source?: Source } | { what: 'delete'; source: Source };

function Sources({ sources, manages }: { sources: ReturnType<typeof useSources>; manages: boolean }) {
  const { data, isError } = sources;
  const [table, setTable] = useState(() => createTableState({ pageSize: 10 }));
  const [change, setChange] = useState<Change | null>(null);
  const asOf = data?.asOf ?? '';
  const { rows, toggle, open } = useFold(data?.sources ?? noSources, isInOrder, 'sources');
  const columns = useMemo(() => getSourceColumns(asOf, manages, setChange), [asOf, manages]);
  const close = () => setChange(null);
  return (
    <>
      <DataTable
        title="Sources"
        columns={columns}
        rows={rows}
        rowId={({ id }) => String(id)}
        controlled={{ state: table, onChange: setTable }}
        empty={toggle ? 'No file is late.' : 'No sources yet. Add one to track its files.'}
        status={isError ? (data ? 'stale' : 'failed') : data ? 'ready' : 'loading'}
        onRetry={() => void sources.refetch()}
        toolbar={
          <>
            {toggle}
            {manages && (
              <Button
                size="small"
                disabled={!data}
                onClick={() => {
                  open(); // so that the new source is in the list
                  setChange({ what: 'edit' });
                }}
              >
                Add source
              </Button>
            )}
          </>
        }
      />
      {change?.what === 'edit' && data && (
        <EditSource source={change.source} fileKinds={data.kinds} zone={data.zone} onClose={close} />
      )}
      {change?.what === 'delete' && <DeleteSource source={change.source} onClose={close} />}
    </>
  );
}

const noSources: Source[] = [];

/** No file of the source is missing. */
const isInOrder = ({ light }: Source) => light !== 'LATE' && light !== 'NEVER';

const getSourceColumns = (
  asOf: string,
  manages: boolean,
  onChange: (change: Change) => void,
): Column<Source>[] => [
  { id: 'name', header: 'Source', lead: true, value: ({ name }) => name, wrap: true, minWidth: '9rem' },
  {
    id: 'light',
    header: 'State',
    value: (source) => formatLight(source, asOf).text,
    cell: (source) => {
      const { text, kind } = formatLight(source, asOf);
      return <Chip kind={kind}>{text}</Chip>;
    },
  },
  { id: 'kind', header: 'Type', value: ({ kind }) => getKindName(kind) },
  { id: 'pattern', header: 'File names', value: ({ pattern }) => pattern },
  {
    id: 'expected',
    header: 'Expected',
    value: ({ expected }) => expected,
    text: (source) => describeExpectation(source, getZoneAbbreviation()),
    wrap: true,
    minWidth: '12rem',
  },
  {
    id: 'last',
    header: 'Last file',
    value: ({ lastAt }) => lastAt ?? '',
    text: ({ lastAt }) => formatBusinessDateTime(lastAt) || 'None',
    wrap: true,
    minWidth: '8rem',
  },
  {
    id: 'next',
    header: 'Next expected',
    value: ({ nextAt }) => nextAt ?? '',
    text: ({ nextAt }) => formatBusinessDateTime(nextAt),
    wrap: true,
    minWidth: '8rem',
  },
  { id: 'owner', header: 'Late-file email', value: ({ ownerMail }) => ownerMail },
  ...(manages
    ? [
        {
          id: 'change',
          header: 'Change',
          value: () => '',
          sortable: false,
          filterable: false,
          exported: false,
          pinned: true,
          minWidth: '10rem',
          cell: (source: Source) => (
            <div className="button-row">
              <Button size="small" onClick={() => onChange({ what: 'edit', source })}>
                Edit<span className="visually-hidden"> {source.name}</span>
              </Button>
              <Button size="small" onClick={() => onChange({ what: 'delete', source })}>
                Delete<span className="visually-hidden"> {source.name}</span>
              </Button>
            </div>
          ),
        },
      ]
    : []),
];

const initialFilter: FileFilter = { days: 30, sourceId: 0 };

function readFilter(stored: unknown): FileFilter | null {
  const { days, sourceId, problems } = (stored ?? {}) as Partial<FileFilter>;
  return typeof days === 'number' &&
    typeof sourceId === 'number' &&
    (problems === undefined || typeof problems === 'boolean')
    ? { days, sourceId, problems }
    : null;
}

const fileStates = [
  { value: 'problems', label: 'With problems or in progress' },
  { value: 'all', label: 'All files' },
];

const periods = [7, 30, 90, 400].map((days) => ({ value: String(days), label: `${days} days` }));

function Files({ sources, onOpen }: { sources: Source[]; onOpen: (id: number) => void }) {
  const { search, table, setTable, start } = useSearchState(readFilter, { pageSize: 25 });
  const chosen = search?.criteria ?? initialFilter;
  const { shown, problemsOnly } = useFiles(chosen, table);
  const columns = useMemo(() => getFileColumns(onOpen), [onOpen]);
  return (
    <DataTable
      title="Files"
      columns={columns}
      {...shown}
      rowId={({ id }) => String(id)}
      empty={problemsOnly ? 'No files with problems in this period' : 'No files in this period'}
      controlled={{
        state: table,
        onChange: (next) => {
          if (!search) start(chosen);
          setTable(next);
        },
      }}
      toolbar={
        <>
          <SelectInput
            id="files-shown"
            label="Show"
            value={problemsOnly ? 'problems' : 'all'}
            onChange={({ target }) => start({ ...chosen, problems: target.value === 'problems' })}
            options={fileStates}
          />
          <SelectInput
            id="files-source"
            label="Source"
            value={String(chosen.sourceId)}
            onChange={({ target }) => start({ ...chosen, sourceId: Number(target.value) })}
            options={[
              { value: '0', label: 'All sources' },
              ...sources.map(({ id, name }) => ({ value: String(id), label: name })),
            ]}
          />
          <SelectInput
            id="files-days"
            label="Period"
            value={String(chosen.days)}
            onChange={({ target }) => start({ ...chosen, days: Number(target.value) })}
            options={periods}
          />
        </>
      }
    />
  );
}

const count = (id: string, header: string, of: (file: FeedFile) => number): Column<FeedFile> => ({
  id,
  header,
  align: 'end',
  value: of,
  text: (file) => formatCount(of(file)),
});

const getFileColumns = (onOpen: (id: number) => void): Column<FeedFile>[] => [
  {
    id: 'file',
    header: 'File',
    lead: true,
    value: ({ name }) => name,
    cell: ({ id, name }) => (
      <Button variant="link" onClick={() => onOpen(id)}>
        {name}
      </Button>
    ),
    wrap: true,
    minWidth: '12rem',
  },
  {
    id: 'status',
    header: 'State',
    value: (file) => formatStatus(file).text,
    cell: (file) => {
      const { text, kind } = formatStatus(file);
      return <Chip kind={kind}>{text}</Chip>;
    },
    choices: statusNames,
  },
  { id: 'kind', header: 'Type', value: ({ kind }) => getKindName(kind), filterable: false },
  {
    id: 'began',
    header: 'Received',
    value: ({ beganAt }) => beganAt,
    text: ({ beganAt }) => formatBusinessDateTime(beganAt),
    minWidth: '11rem',
  },
  count('records', 'Records', ({ records }) => records),
  count('taken', 'Imported', ({ taken }) => taken),
  count('updated', 'Updated', ({ updated }) => updated),
  count('unchanged', 'Unchanged', ({ unchanged }) => unchanged),
  count('rejected', 'Rejected', ({ rejected }) => rejected),
  count('warnings', 'Warnings', ({ warnings }) => warnings),
  {
    id: 'via',
    header: 'Source',
    value: formatArrival,
    sortable: false,
    filterable: false,
  },
  {
    id: 'took',
    header: 'Duration',
    value: ({ beganAt, endedAt }) => (endedAt ? formatDuration(beganAt, endedAt) : ''),
    sortable: false,
    filterable: false,
  },
];
