import { zodResolver } from '@hookform/resolvers/zod';
import { Navigate, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useMemo, useState } from 'react';
import { type UseFormReturn, useForm } from 'react-hook-form';
import { useSession } from '@/api/session';
import { addRetryTime, toProblem } from '@/shared/apiError';
import type { SavedSearch } from '@/shared/historyState';
import * as paths from '@/shared/paths';
import { type GroupTin, useGroupTins } from '@/shared/tins';
import { Banner } from '@/ui/Banner';
import { Button } from '@/ui/Button';
import { ConfirmDialog } from '@/ui/Dialog';
import { showServerProblems } from '@/ui/form/FormBanner';
import { TextField } from '@/ui/form/fields';
import { Empty, NotPermitted } from '@/ui/PageState';
import { DataTable } from '@/ui/table/DataTable';
import type { Column } from '@/ui/table/state';
import { AddTinForm, type ManagementProps } from './AddTinForm';
import { tinColumns } from './columns';
import { getTableStatus, useAddNonNetworkTin, useRemoveTins } from './queries';
import { actionError, kinds, mirroring, noTin, readOnlyText, type Tin, tinSchema } from './tins';
import { formatName, useVisit } from './visit';

const already = 'TIN already associated to the Non-Network User';
const lastRecord = 'Cannot delete the last record';

/** The messages for the server's codes. */
const refusals: Record<string, string> = {
  INVALID_FTIN_IN_NETWORK:
    'Error: This TIN cannot be added because it is registered as In-network TIN.  Only non-network TINs are permitted for non-network user.',
  INVALID_FTIN_NO_BILLS_FOUND:
    'Error: This TIN cannot be added because no bills exist in the system. Only TINs with existing bills can be associated with user account.',
  FTIN_RESTRICTED_FOR_REGISTRATION:
    'Error: Adding a TIN owned by our organization is not allowed.  Select a different TIN and resubmit.',
  TIN_EXISTS_INTGRP: already,
};

/** The TINs of a user who doesn't belong to a network provider. */
export default function ManageNonNetworkTinsPage() {
  const { mirroredUser, can } = useSession();
  const { user, searchInfo } = useVisit();
  const reads = can('tins.nonNetwork');
  if (!user && reads) return <Navigate to={paths.userSearch} replace />;
  return (
    <div className="page">
      <header>
        <h1>Manage TINs</h1>
        {user && <p className="page-lead">{formatName(user)}</p>}
      </header>
      {!user || !(reads || mirroredUser) ? (
        <div className="card">
          <NotPermitted />
        </div>
      ) : user.grpInfoId === null ? (
        <div className="card">
          <Empty title="This user isn't in a group">Only users of a group can have TINs.</Empty>
        </div>
      ) : (
        <Management groupId={user.grpInfoId} searchInfo={searchInfo} />
      )}
    </div>
  );
}

function Management({ groupId, searchInfo }: { groupId: number; searchInfo?: SavedSearch }) {
  const { mirroredUser, can } = useSession();
  const fixed = mirroredUser ? mirroring : can('tins.add') ? null : readOnlyText;
  const [message, setMessage] = useState<ReactNode>(null);
  const common = { groupId, disabled: fixed !== null, show: setMessage };
  return (
    <>
      {fixed && <Banner kind="info">{fixed}</Banner>}
      {message}
      <AddForm {...common} searchInfo={searchInfo} />
      {can('tins.nonNetwork') && <NonNetworkTins {...common} />}
    </>
  );
}

function AddForm({ searchInfo, ...props }: ManagementProps & { searchInfo?: SavedSearch }) {
  const { user, can } = useSession();
  const navigate = useNavigate();
  const reads = can('tins.nonNetwork');
  const tins = useGroupTins(props.groupId, reads);
  const { mutateAsync: add } = useAddNonNetworkTin(props.groupId, user.userNm);
  const form = useForm<Tin>({
    resolver: zodResolver(tinSchema),
    shouldFocusError: false,
    defaultValues: noTin,
  });

  return (
    <AddTinForm
      {...props}
      form={form}
      empty={noTin}
      layout="one"
      add={async ({ ftin }) => {
        if (tins.data?.some((tin) => tin.ftin === ftin)) {
          form.setError('ftin', { message: already });
          return;
        }
        await add(ftin);
        return `TIN ${ftin} has been successfully added to the user.`;
      }}
      refuse={(error) => showRefusal(form, error)}
      // A mirrored user has no User Search to return to.
      actions={
        reads && (
          <Button onClick={() => void navigate({ to: paths.userSearch, state: { searchInfo } })}>
            Cancel
          </Button>
        )
      }
    >
      <TextField
        control={form.control}
        name="ftin"
        label="Tax ID Number (TIN)"
        kind={kinds.ftin}
        inputMode="numeric"
        autoComplete="off"
        required
      />
    </AddTinForm>
  );
}

function showRefusal(form: UseFormReturn<Tin>, error: unknown) {
  const problem = toProblem(error);
  const message = refusals[problem.code];
  if (message) showServerProblems(form, message, [{ path: 'ftin', message }]);
  else showServerProblems(form, addRetryTime(actionError, problem), problem.fields);
}

function NonNetworkTins({ groupId, disabled, show }: ManagementProps) {
  const { user } = useSession();
  const tins = useGroupTins(groupId);
  const remove = useRemoveTins(groupId, user.userNm);
  const [removing, setRemoving] = useState<string | null>(null);
  const rows = tins.data ?? [];
  const last = rows.length === 1;
  const columns = useMemo(() => getColumns(disabled, last, setRemoving), [disabled, last]);

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
          The selected TIN {ftin} has been successfully removed.
        </Banner>
      ),
    );
  }

  return (
    <>
      <DataTable
        title="User TINs"
        columns={columns}
        rows={rows}
        rowId={({ ftin }) => ftin}
        status={getTableStatus(tins)}
        empty="No records found"
        onRetry={() => void tins.refetch()}
        initial={{ sort: { id: 'added', desc: true } }}
      />
      {removing && (
        <ConfirmDialog
          open
          title="Are you sure you want to remove this TIN?"
          confirmLabel="OK"
          verb="remove"
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

const getColumns = (
  disabled: boolean,
  last: boolean,
  onDelete: (ftin: string) => void,
): Column<GroupTin>[] => [
  ...tinColumns,
  {
    id: 'delete',
    header: 'Delete',
    sortable: false,
    filterable: false,
    value: () => '',
    cell: ({ ftin }) => (
      <span title={last ? lastRecord : undefined}>
        <Button size="small" disabled={disabled || last} onClick={() => onDelete(ftin)}>
          Delete
          <span className="visually-hidden"> {ftin}</span>
        </Button>
        {last && <span className="visually-hidden">{lastRecord}</span>}
      </span>
    ),
  },
];
