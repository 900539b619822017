import { useMemo, useState } from 'react';
import { useSession } from '@/api/session';
import { useTableState } from '@/shared/historyState';
import { unexplainedText } from '@/shared/ReasonChip';
import { getExplanation, listNames } from '@/shared/reasons';
import { Button } from '@/ui/Button';
import { Chip } from '@/ui/Chip';
import { formatBusinessDate, formatDate, formatLocalDateTime } from '@/ui/dates';
import { formatCount } from '@/ui/format';
import { DownloadIcon, UploadIcon } from '@/ui/icons';
import { NotPermitted } from '@/ui/PageState';
import { toast } from '@/ui/Toasts';
import { DataTable } from '@/ui/table/DataTable';
import type { Column } from '@/ui/table/state';
import { EditReason, formatName } from './EditReason';
import { ImportReasons } from './ImportReasons';
import { type DeskCode, useDesk, useExport } from './queries';
import styles from './reasoncodes.module.css';

/** The codes on bills with the network's explanations, unexplained ones first. */
export default function DeskReasonsPage() {
  const { can } = useSession();
  return (
    <div className="page">
      <header>
        <h1>Manage reason codes</h1>
        <p className="page-lead">
          Edit the reason code explanations offices see. Codes with no explanation are listed first.
        </p>
      </header>
      {can('desk.open') ? <Codes /> : <NotPermitted />}
    </div>
  );
}

function Codes() {
  const { can } = useSession();
  const manages = can('codes.manage');
  const desk = useDesk();
  const { data, isError } = desk;
  const { table, setTable } = useTableState({ pageSize: 25 });
  const { mutate: save, isPending: saving } = useExport();
  const [opened, setOpened] = useState<DeskCode | 'new' | 'import' | null>(null);
  const columns = useMemo(() => getColumns(manages, setOpened), [manages]);
  const close = () => setOpened(null);
  return (
    <>
      <DataTable
        title="Codes"
        columns={columns}
        rows={data?.codes ?? []}
        rowId={formatName}
        controlled={{ state: table, onChange: setTable }}
        status={isError ? (data ? 'stale' : 'failed') : data ? 'ready' : 'loading'}
        onRetry={() => void desk.refetch()}
        notice={data && <p className={styles.when}>{formatCounted(data)}</p>}
        toolbar={
          <>
            {manages && (
              <>
                <Button size="small" onClick={() => setOpened('new')}>
                  Add explanation
                </Button>
                <Button size="small" onClick={() => setOpened('import')}>
                  <UploadIcon width="1rem" height="1rem" />
                  Import CSV
                </Button>
              </>
            )}
            <Button
              size="small"
              busy={saving}
              onClick={() =>
                save(undefined, {
                  onError: () => toast.error("Couldn't export the table. Try again."),
                })
              }
            >
              <DownloadIcon width="1rem" height="1rem" />
              Export CSV
            </Button>
          </>
        }
      />
      {opened === 'import' ? (
        <ImportReasons onClose={close} />
      ) : (
        opened && (
          <EditReason code={opened === 'new' ? undefined : opened} readOnly={!manages} onClose={close} />
        )
      )}
    </>
  );
}

const formatCounted = ({ countedAt, since }: { countedAt: string | null; since?: string }) =>
  countedAt
    ? `Bills paid since ${formatDate(since)}, as of ${formatLocalDateTime(countedAt)}.`
    : "Bill counts aren't available yet. We update them nightly.";

const hasExplanation = ({ title, official }: DeskCode) => title !== '' || official !== '';

const getColumns = (manages: boolean, onOpen: (code: DeskCode) => void): Column<DeskCode>[] => [
  { id: 'list', header: 'List', value: ({ list }) => list, choices: Object.keys(listNames) },
  { id: 'code', header: 'Code', lead: true, value: ({ code }) => code },
  { id: 'jurisdiction', header: 'State', value: ({ jurisdiction }) => jurisdiction },
  {
    id: 'title',
    header: 'Explanation',
    value: (code) => (hasExplanation(code) ? getExplanation(code) : unexplainedText),
    cell: (code) =>
      hasExplanation(code) ? getExplanation(code) : <Chip kind="warning">No explanation yet</Chip>,
    text: (code) => (hasExplanation(code) ? getExplanation(code) : 'No explanation yet'),
    wrap: true,
    minWidth: '16rem',
  },
  {
    id: 'bills',
    header: 'Bills',
    align: 'end',
    value: ({ bills }) => bills,
    text: ({ bills }) => formatCount(bills),
  },
  {
    id: 'lastSeen',
    header: 'Last paid',
    value: ({ lastSeen }) => lastSeen,
    text: ({ lastSeen }) => formatDate(lastSeen),
  },
  {
    id: 'status',
    header: 'Status',
    value: ({ status }) => statusNames[status],
    choices: ['Active', 'Inactive'],
  },
  {
    id: 'updatedAt',
    header: 'Last updated',
    value: ({ updatedAt }) => updatedAt,
    text: ({ updatedAt, updatedBy }) => (updatedAt ? `${formatBusinessDate(updatedAt)} by ${updatedBy}` : ''),
  },
  {
    id: 'open',
    header: manages ? 'Edit' : 'View',
    value: () => '',
    sortable: false,
    filterable: false,
    exported: false,
    pinned: true,
    cell: (code) => (
      <Button size="small" onClick={() => onOpen(code)}>
        {manages ? 'Edit' : 'View'}
        <span className="visually-hidden"> {formatName(code)}</span>
      </Button>
    ),
  },
];

const statusNames = { ACTIVE: 'Active', ENDED: 'Inactive' };
