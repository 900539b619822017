import { useMemo, useState } from 'react';
import { Problem } from '@/api/client';
import { useSession } from '@/api/session';
import { useSearchState } from '@/shared/historyState';
import { Button } from '@/ui/Button';
import { formatBusinessDate } from '@/ui/dates';
import { formatCount } from '@/ui/format';
import { DownloadIcon } from '@/ui/icons';
import { NotPermitted, retrievalError } from '@/ui/PageState';
import { toast } from '@/ui/Toasts';
import { DataTable } from '@/ui/table/DataTable';
import type { Column } from '@/ui/table/state';
import { getBusinessZone } from '@/ui/zone';
import { noCriteria, read } from './criteria';
import { operations } from './operations';
import { type Entry, maxCounted, useAuditEntries, useExport } from './queries';
import { SearchedDialog } from './SearchedDialog';
import { SearchForm } from './SearchForm';

/** The log of all users' actions. */
export default function AuditLogPage() {
  const { can, actingUser } = useSession();
  return (
    <div className="page">
      <header>
        <h1>Audit log</h1>
        <p className="page-lead">
          {actingUser.grpInfoId === null
            ? 'All user activity in the portal, newest first. Viewing this log is also recorded.'
            : "Activity by your group's users, on their behalf and on their accounts. Viewing this log is also recorded."}
        </p>
      </header>
      {can('audit.read') ? <Log /> : <NotPermitted />}
    </div>
  );
}

function Log() {
  const { search, table, setTable, start } = useSearchState(read, { pageSize: 25 });
  const current = search ?? { criteria: noCriteria, run: 0 };
  const { shown, isFetching, error, goesOn } = useAuditEntries(current, table);
  const { mutate: save, isPending: saving } = useExport();
  const [opened, setOpened] = useState<Entry | null>(null);
  const columns = useMemo(() => getColumns(setOpened), []);
  return (
    <>
      <SearchForm current={current.criteria} searching={isFetching} onSearch={start} />
      <DataTable
        title="Entries"
        columns={columns}
        {...shown}
        rowId={({ id }) => String(id)}
        controlled={{ state: table, onChange: setTable }}
        empty="No entries match your search."
        failure={error instanceof Problem && error.status === 503 ? error.message : retrievalError}
        notice={
          goesOn &&
          `More than ${formatCount(maxCounted)} entries follow. We count the rest as you page through them.`
        }
        toolbar={
          <Button
            size="small"
            busy={saving}
            disabled={shown.rows.length === 0}
            onClick={() =>
              save(current.criteria, {
                onError: () => toast.error("Couldn't export the table. Try again."),
              })
            }
          >
            <DownloadIcon width="1rem" height="1rem" />
            Export CSV
          </Button>
        }
      />
      {opened && <SearchedDialog entry={opened} onClose={() => setOpened(null)} />}
    </>
  );
}

const toTheSecond = (instant: string) =>
  new Date(instant).toLocaleTimeString('en-US', { timeZone: getBusinessZone() });

const plain = { sortable: false, filterable: false } as const;

const getColumns = (onOpen: (entry: Entry) => void): Column<Entry>[] => [
  {
    ...plain,
    id: 'when',
    header: 'Date',
    value: ({ at }) => at,
    text: ({ at }) => `${formatBusinessDate(at)} ${toTheSecond(at)}`,
  },
  { ...plain, id: 'who', header: 'User', value: ({ who }) => who || 'Not signed in' },
  { ...plain, id: 'actingFor', header: 'On behalf of', value: ({ actingFor }) => actingFor },
  {
    ...plain,
    id: 'what',
    header: 'Action',
    lead: true,
    value: describeOperation,
    wrap: true,
    minWidth: '11rem',
  },
  {
    ...plain,
    id: 'subject',
    header: 'Subject',
    value: ({ subject }) => subject,
    wrap: true,
    minWidth: '7rem',
  },
  {
    ...plain,
    id: 'answered',
    header: 'Results',
    value: ({ answered }) => shortenList(answered),
    wrap: true,
    minWidth: '8rem',
  },
  { ...plain, id: 'from', header: 'IP address', value: ({ from }) => from },
  {
    ...plain,
    id: 'searched',
    header: 'Details',
    value: () => '',
    cell: (entry) =>
      entry.searched && (
        <Button size="small" onClick={() => onOpen(entry)}>
          Search criteria
          <span className="visually-hidden">
            {' '}
            by {entry.who}, {toTheSecond(entry.at)}
          </span>
        </Button>
      ),
  },
];

const results: Record<string, string> = {
  refused: 'denied',
  mismatch: 'no match',
  'too-many': 'too many matches',
  waits: 'pending review',
};

function describeOperation({ operation, call, result }: Entry) {
  const what = operations[operation] ?? call ?? operation;
  return result === 'ok' ? what : `${what} (${results[result] ?? result})`;
}

const maxShown = 3;

function shortenList(numbers: readonly string[]) {
  if (numbers.length <= maxShown) return numbers.join(', ');
  return `${numbers.slice(0, maxShown).join(', ')} and ${numbers.length - maxShown} more`;
}
