import { useMemo, useState } from 'react';
import { useSession } from '@/api/session';
import { Banner } from '@/ui/Banner';
import { Button } from '@/ui/Button';
import { ConfirmDialog } from '@/ui/Dialog';
import { formatBusinessDate } from '@/ui/dates';
import { DataTable } from '@/ui/table/DataTable';
import type { Column } from '@/ui/table/state';
import type { ManagementProps } from './AddTinForm';
import { getTableStatus, useRemoveTins } from './queries';
import { type AwaitedTin, usePendingTins } from './sharing';
import { actionError } from './tins';
import styles from './tins.module.css';

/** The group's TINs that are still under review. Empty without any. */
export function PendingTins({ groupId, disabled, show }: ManagementProps) {
  const { user } = useSession();
  const tins = usePendingTins(groupId);
  const remove = useRemoveTins(groupId, user.userNm, { withdraw: true });
  const [removing, setRemoving] = useState<string | null>(null);
  const columns = useMemo(() => getColumns(disabled, setRemoving), [disabled]);
  const rows = tins.data ?? [];

  async function confirmRemoval(ftin: string) {
    show(null);
    const { failure } = await remove.mutateAsync([ftin]);
    setRemoving(null);
    show(
      failure ? (
        <Banner kind="error" focusOn={ftin}>
          {failure.status === 409 ? failure.message : actionError}
        </Banner>
      ) : (
        <Banner kind="success" focusOn={ftin}>
          TIN {ftin} withdrawn
        </Banner>
      ),
    );
  }

  if (tins.isError && !tins.data)
    return (
      <p className={styles.word} role="status">
        Couldn't check for TINs pending review.{' '}
        <Button variant="link" onClick={() => void tins.refetch()}>
          Refresh
        </Button>
      </p>
    );
  if (rows.length === 0) return null;
  return (
    <>
      <DataTable
        title="TINs pending review"
        columns={columns}
        rows={rows}
        rowId={({ ftin }) => ftin}
        status={getTableStatus(tins)}
        onRetry={() => void tins.refetch()}
      />
      {removing && (
        <ConfirmDialog
          open
          title="Withdraw this TIN?"
          confirmLabel="Withdraw"
          cancelLabel="Cancel"
          busy={remove.isPending}
          onConfirm={() => void confirmRemoval(removing)}
          onCancel={() => setRemoving(null)}
        >
          <p>{removing}</p>
        </ConfirmDialog>
      )}
    </>
  );
}

const getColumns = (disabled: boolean, onWithdraw: (ftin: string) => void): Column<AwaitedTin>[] => [
  { id: 'ftin', header: 'TIN', value: ({ ftin }) => ftin },
  {
    id: 'added',
    header: 'Date Added',
    value: ({ addedDate }) => addedDate,
    text: ({ addedDate }) => formatBusinessDate(addedDate),
  },
  { id: 'by', header: 'Added by', value: ({ addedBy }) => addedBy },
  {
    id: 'withdraw',
    header: 'Action',
    sortable: false,
    filterable: false,
    value: () => '',
    cell: ({ ftin }) => (
      <Button size="small" disabled={disabled} onClick={() => onWithdraw(ftin)}>
        Withdraw
        <span className="visually-hidden"> {ftin}</span>
      </Button>
    ),
  },
];
