import type { UserRow } from '@/shared/accounts';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { formatLocalDateTime } from '@/ui/dates';
import { DataTable } from '@/ui/table/DataTable';
import type { Column } from '@/ui/table/state';
import { formatName } from './columns';
import { useAccessHistory } from './queries';

interface Entry {
  at: string;
  userName: string;
  action: string;
  result: string;
}

const columns: Column<Entry>[] = [
  {
    id: 'when',
    header: 'Date',
    value: ({ at }) => at,
    text: ({ at }) => formatLocalDateTime(at),
  },
  { id: 'who', header: 'User', value: ({ userName }) => userName || 'Not signed in' },
  {
    id: 'what',
    header: 'Action',
    value: ({ action, result }) => (result === 'ok' ? action : `${action} (refused)`),
    wrap: true,
    minWidth: '10rem',
  },
];
const newestFirst = { sort: { id: 'when', desc: true } };

/** Who mirrored a user or changed the account. */
export function AccessHistoryDialog({ user, onClose }: { user: UserRow; onClose: () => void }) {
  const { data, isPending, isError, refetch } = useAccessHistory(user.userNm);
  return (
    <Dialog
      open
      title={`Access History of ${formatName(user)}`}
      size="medium"
      onClose={onClose}
      actions={<Button onClick={onClose}>Close</Button>}
    >
      <DataTable
        title="Access History"
        titleHidden
        headingLevel={3}
        columns={columns}
        rows={(data ?? []).map((entry, place) => ({ ...entry, place }))}
        rowId={({ place }) => String(place)}
        status={isPending ? 'loading' : isError ? 'failed' : 'ready'}
        onRetry={() => void refetch()}
        empty="No access or account changes yet."
        initial={newestFirst}
      />
    </Dialog>
  );
}
