import { useMemo, useState } from 'react';
import { useSession } from '@/api/session';
import { useTableState } from '@/shared/historyState';
import { Button } from '@/ui/Button';
import { Chip } from '@/ui/Chip';
import { formatBusinessDate, formatBusinessTime } from '@/ui/dates';
import { formatCount } from '@/ui/format';
import { NotPermitted } from '@/ui/PageState';
import { DataTable } from '@/ui/table/DataTable';
import type { Column } from '@/ui/table/state';
import { updateTypes } from './History';
import { OpenedRoster } from './OpenedRoster';
import { type DeskRoster, useDeskRosters } from './queries';
import { formatRowCount, type ReceivingState, receivingNames } from './roster';
import styles from './rosters.module.css';

/** The groups' rosters that the network processes. */
export default function DeskRostersPage() {
  const { can } = useSession();
  return (
    <div className="page">
      <header>
        <h1>Rosters</h1>
        <p className="page-lead">Claim a roster, then mark it done or return it with comments.</p>
      </header>
      {can('rosters.receive') ? <Desk /> : <NotPermitted />}
    </div>
  );
}

function Desk() {
  const { table, setTable } = useTableState({ pageSize: 25 });
  const { shown } = useDeskRosters(table);
  const [opened, setOpened] = useState<number | null>(null);
  const columns = useMemo(() => getColumns(setOpened), []);
  return (
    <>
      <DataTable
        title="Rosters"
        titleHidden
        columns={columns}
        {...shown}
        rowId={({ id }) => String(id)}
        empty="No rosters yet"
        controlled={{ state: table, onChange: setTable }}
      />
      {opened !== null && <OpenedRoster id={opened} onClose={() => setOpened(null)} />}
    </>
  );
}

const chipKinds: Record<ReceivingState, 'info' | 'neutral' | 'success' | 'warning'> = {
  NEW: 'info',
  TAKEN: 'neutral',
  DONE: 'success',
  RETURNED: 'warning',
};

const getColumns = (onOpen: (id: number) => void): Column<DeskRoster>[] => [
  {
    id: 'date',
    header: 'Sent',
    value: ({ sentAt }) => sentAt,
    text: ({ sentAt }) => formatBusinessDate(sentAt),
    wrap: true,
    minWidth: '9rem',
    cell: ({ sentAt, sentBy }) => (
      <>
        {formatBusinessDate(sentAt)} <span className={styles.facts}>{formatBusinessTime(sentAt)}</span>
        <span className={styles.received}>{sentBy}</span>
      </>
    ),
  },
  { id: 'sender', header: 'Roster group', value: ({ group }) => group, wrap: true, minWidth: '10rem' },
  { id: 'source', header: 'Source', value: ({ source }) => source, wrap: true, minWidth: '8rem' },
  {
    id: 'group',
    header: 'Provider group',
    lead: true,
    value: ({ providerGroup, providerGroupId }) => providerGroup || `Group ID: ${providerGroupId}`,
    wrap: true,
    minWidth: '11rem',
  },
  {
    id: 'type',
    header: 'Update type',
    value: ({ updateType }) => updateTypes[updateType],
    choices: Object.values(updateTypes),
  },
  {
    id: 'files',
    header: 'Files',
    value: ({ files }) => files.map(({ fileName }) => fileName).join(', '),
    wrap: true,
    minWidth: '12rem',
    cell: ({ files }) => (
      <>
        {files.map(({ fileName }) => fileName).join(', ')}
        <span className={styles.received}>{countRows(files)}</span>
      </>
    ),
  },
  {
    id: 'changes',
    header: 'Changes',
    value: ({ changes }) =>
      changes &&
      `+${formatCount(changes.added)} ~${formatCount(changes.changed)} −${formatCount(changes.ended)}`,
    sortable: false,
    filterable: false,
    cell: ({ changes }) => (changes ? <Changes {...changes} /> : 'Not compared'),
  },
  {
    id: 'state',
    header: 'State',
    value: ({ receiving }) => receivingNames[receiving.state],
    choices: Object.values(receivingNames),
    minWidth: '7rem',
    cell: ({ receiving, handledBy }) => (
      <>
        <Chip kind={chipKinds[receiving.state]}>{receivingNames[receiving.state]}</Chip>
        {receiving.at && (
          <span className={styles.received}>
            {formatBusinessDate(receiving.at)} by {handledBy}
          </span>
        )}
      </>
    ),
  },
  {
    id: 'open',
    header: 'Open',
    value: () => '',
    sortable: false,
    filterable: false,
    exported: false,
    pinned: true,
    cell: ({ id, providerGroup, sentAt }) => (
      <Button size="small" onClick={() => onOpen(id)}>
        Open
        <span className="visually-hidden">
          {' '}
          the roster of {providerGroup} of {formatBusinessDate(sentAt)}
        </span>
      </Button>
    ),
  },
];

function countRows(files: DeskRoster['files']) {
  const bad = files.reduce((sum, { badRows }) => sum + badRows, 0);
  const rows = formatRowCount(files.reduce((sum, { rows }) => sum + rows, 0));
  return bad > 0 ? `${rows}, ${formatCount(bad)} with problems` : rows;
}

const Changes = ({ added, changed, ended }: NonNullable<DeskRoster['changes']>) => (
  <>
    {formatCount(added)} added
    <span className={styles.received}>
      {formatCount(changed)} changed, {formatCount(ended)} terminated
    </span>
  </>
);
