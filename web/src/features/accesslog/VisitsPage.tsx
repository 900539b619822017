import { useMemo, useState } from 'react';
import { useSession } from '@/api/session';
import { ActionMenu } from '@/ui/ActionMenu';
import { Banner } from '@/ui/Banner';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { formatLocalDateTime } from '@/ui/dates';
import { NotPermitted } from '@/ui/PageState';
import { DataTable } from '@/ui/table/DataTable';
import { type Column, createTableState } from '@/ui/table/state';
import { AccessApproval } from './AccessApproval';
import { type Opening, useAccessSessions, useOpenings, type Visit } from './queries';

/** When network staff mirrored the group's users, why, and what they opened. */
export default function VisitsPage() {
  const { can, actingUser, mirroredUser } = useSession();
  const staff = actingUser.grpInfoId === null;
  return (
    <div className="page">
      <header>
        <h1>Network access log</h1>
        <p className="page-lead">
          {staff
            ? "Each time network staff used an office's account: when, why, and what they opened."
            : 'Each time network staff used one of your accounts: when, why, and what they opened.'}
        </p>
      </header>
      {can('visits.manage') && mirroredUser && (
        <Banner kind="info">You can view this but not change it while mirroring.</Banner>
      )}
      {can('visits.manage') && <AccessApproval />}
      {can('visits.read') ? <Visits staff={staff} /> : <NotPermitted />}
    </div>
  );
}

function Visits({ staff }: { staff: boolean }) {
  const [table, setTable] = useState(() => createTableState());
  const [opened, setOpened] = useState<Visit | null>(null);
  const { shown } = useAccessSessions(table);
  const columns = useMemo(() => getColumns(staff, setOpened), [staff]);
  return (
    <>
      <DataTable
        title="Access sessions"
        columns={columns}
        {...shown}
        rowId={({ id }) => String(id)}
        controlled={{ state: table, onChange: setTable }}
        empty="No network access yet."
        exportMenu={{ menu: ActionMenu, fileName: 'NetworkAccessLog' }}
      />
      <p className="page-lead">Shows the past 400 days. For older entries, see the audit log.</p>
      {opened && <OpenedDialog visit={opened} onClose={() => setOpened(null)} />}
    </>
  );
}

const plain = { sortable: false, filterable: false } as const;

const getColumns = (staff: boolean, onOpen: (visit: Visit) => void): Column<Visit>[] => [
  {
    id: 'start',
    header: 'Started',
    lead: true,
    value: ({ startedAt }) => startedAt,
    text: ({ startedAt }) => formatLocalDateTime(startedAt),
  },
  {
    ...plain,
    id: 'end',
    header: 'Ended',
    value: ({ endedAt }) => endedAt,
    text: ({ endedAt }) => (endedAt ? formatLocalDateTime(endedAt) : 'Ongoing'),
  },
  { id: 'who', header: 'Network user', value: ({ who }) => who },
  { id: 'whom', header: 'Acted as', value: ({ whom }) => whom },
  ...(staff
    ? [
        {
          id: 'group',
          header: 'Group',
          value: ({ groupName }: Visit) => groupName,
          wrap: true,
          minWidth: '9rem',
        },
      ]
    : []),
  {
    ...plain,
    id: 'reason',
    header: 'Reason',
    value: ({ reason, override }) =>
      override ? `Emergency override: ${reason}` : reason || 'No reason given',
    wrap: true,
    minWidth: '9rem',
  },
  {
    ...plain,
    id: 'opened',
    header: 'Opened',
    align: 'end',
    value: ({ opened }) => opened,
    cell: (visit) =>
      visit.opened === 0 ? (
        0
      ) : (
        <Button size="small" onClick={() => onOpen(visit)}>
          {visit.opened}
          <span className="visually-hidden">
            {' '}
            opened by {visit.who}, {formatLocalDateTime(visit.startedAt)}
          </span>
        </Button>
      ),
  },
];

const kindNames = { bill: 'Bill', remittance: 'Remittance' };

const openedColumns: Column<Opening>[] = [
  { id: 'at', header: 'Time', value: ({ at }) => at, text: ({ at }) => formatLocalDateTime(at) },
  { ...plain, id: 'what', header: 'Type', value: ({ what }) => kindNames[what] },
  { id: 'number', header: 'Tax ID and number', lead: true, value: ({ number }) => number },
];

function OpenedDialog({ visit, onClose }: { visit: Visit; onClose: () => void }) {
  const [table, setTable] = useState(() => createTableState());
  const { shown } = useOpenings(visit.id, table);
  return (
    <Dialog
      open
      title={`Opened by ${visit.who} as ${visit.whom}`}
      size="medium"
      onClose={onClose}
      actions={<Button onClick={onClose}>Close</Button>}
    >
      <DataTable
        title="Opened records"
        titleHidden
        headingLevel={3}
        columns={openedColumns}
        {...shown}
        rowId={({ at, what, number }) => `${at} ${what} ${number}`}
        controlled={{ state: table, onChange: setTable }}
        empty="No records opened."
        exportMenu={{ menu: ActionMenu, fileName: 'OpenedByNetwork' }}
      />
    </Dialog>
  );
}
