import { zodResolver } from '@hookform/resolvers/zod';
import { type ReactNode, useMemo, useState } from 'react';
import { type UseFormReturn, useForm, useWatch } from 'react-hook-form';
import { useSession } from '@/api/session';
import { addRetryTime, toProblem } from '@/shared/apiError';
import { type GroupTin, useGroupTins, useTinColumn } from '@/shared/tins';
import { Banner } from '@/ui/Banner';
import { Button } from '@/ui/Button';
import { ConfirmDialog, Dialog } from '@/ui/Dialog';
import { showServerProblems } from '@/ui/form/FormBanner';
import { TextField } from '@/ui/form/fields';
import { formatCount } from '@/ui/format';
import { Empty } from '@/ui/PageState';
import { DataTable } from '@/ui/table/DataTable';
import { AddTinForm, type ManagementProps } from './AddTinForm';
import { addedColumn } from './columns';
import { PendingTins } from './PendingTins';
import { getTableStatus, type Removal, useAddTin, useRemoveTins, useTinUsers } from './queries';
import {
  actionError,
  kinds,
  mirroring,
  noProvenTin,
  type ProvenTin,
  provenTinSchema,
  removeAll,
} from './tins';
import styles from './tins.module.css';

const addError = 'Error:  An error has occurred.  Please try again or contact Customer Service.';
const noSuchBill = 'Error: The TIN and Bill Control Number combination is not on file.';
const noSuchProvider = 'Error: The TIN and Provider ID combination is not on file.';

/** The messages for the server's codes, and their fields. */
const refusals: Record<string, { path: keyof ProvenTin; message: string }> = {
  TIN_EXISTS_INTGRP: { path: 'ftin', message: 'TIN already associated to the Provider Group.' },
  FTIN_RESTRICTED_FOR_REGISTRATION: {
    path: 'ftin',
    message: 'Adding a TIN owned by our organization is not allowed.  Select a different TIN and resubmit..',
  },
  VALID_FTIN_INVALID_BCN: { path: 'billControlNumber', message: noSuchBill },
  INVALID_FTIN_BCN: { path: 'billControlNumber', message: noSuchBill },
  VALID_FTIN_INVALID_CPDID: { path: 'providerId', message: noSuchProvider },
  INVALID_FTIN_CPDID: { path: 'providerId', message: noSuchProvider },
};

export default function ManageTinsPage() {
  const { actingUser, mirroredUser, can } = useSession();
  const groupId = actingUser.grpInfoId;
  const fixed = mirroredUser
    ? mirroring
    : can('tins.manage')
      ? null
      : "You don't have permission to edit TINs. Ask your group's administrator.";
  const [message, setMessage] = useState<ReactNode>(null);
  return (
    <div className="page">
      <header>
        <h1>Manage Tax ID Numbers</h1>
        <p className="page-lead">Your group can find bills under these TINs.</p>
      </header>
      {groupId == null ? (
        <div className="card">
          <Empty title="Your account isn't in a group">
            TINs belong to provider groups. To see another user's TINs, go to User Search.
          </Empty>
        </div>
      ) : (
        <>
          {fixed && <Banner kind="info">{fixed}</Banner>}
          {message}
          <AddForm groupId={groupId} disabled={fixed !== null} show={setMessage} />
          {can('tins.sharing') && (
            <PendingTins groupId={groupId} disabled={fixed !== null} show={setMessage} />
          )}
          <GroupTins groupId={groupId} disabled={fixed !== null} show={setMessage} />
        </>
      )}
    </div>
  );
}

function AddForm(props: ManagementProps) {
  const { mutateAsync: add } = useAddTin(props.groupId);
  const form = useForm<ProvenTin>({
    resolver: zodResolver(provenTinSchema),
    shouldFocusError: false,
    defaultValues: noProvenTin,
  });
  const { control, clearErrors } = form;
  const [billControlNumber, providerId] = useWatch({ control, name: ['billControlNumber', 'providerId'] });

  return (
    <AddTinForm
      {...props}
      form={form}
      empty={noProvenTin}
      title={'An error has occurred. Please address all fields marked with “Error".'}
      layout="proof"
      add={async (tin) => {
        const waits = await add(tin);
        const added = `TIN ${tin.ftin} has been successfully added.`;
        return waits ? `${added} You can use it after the review.` : added;
      }}
      refuse={(error) => showServerError(form, error)}
    >
      <TextField
        control={control}
        name="ftin"
        label="Tax ID Number (TIN)"
        kind={kinds.ftin}
        inputMode="numeric"
        autoComplete="off"
        required
      />
      <span className={styles.word}>AND</span>
      <TextField
        control={control}
        name="billControlNumber"
        label="Bill Control Number"
        hint="From a bill on file for this TIN"
        kind={kinds.billControlNumber}
        autoComplete="off"
        disabled={providerId !== ''}
      />
      <span className={styles.word}>OR</span>
      <TextField
        control={control}
        name="providerId"
        label="Provider ID Number"
        hint="For a provider who bills under this TIN but not under your group's TINs"
        kind={kinds.providerId}
        inputMode="numeric"
        autoComplete="off"
        disabled={billControlNumber !== ''}
        onChanged={() => clearErrors('billControlNumber')}
      />
    </AddTinForm>
  );
}

function showServerError(form: UseFormReturn<ProvenTin>, error: unknown) {
  const problem = toProblem(error);
  const known = refusals[problem.code];
  if (known) showServerProblems(form, known.message, [known]);
  else showServerProblems(form, addRetryTime(addError, problem), problem.fields);
}

const noTins: GroupTin[] = [];

function GroupTins({ groupId, disabled, show }: ManagementProps) {
  const { user } = useSession();
  const tins = useGroupTins(groupId);
  const remove = useRemoveTins(groupId, user.userNm);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [isConfirming, setConfirming] = useState(false);
  const rows = tins.data ?? noTins;
  const tinColumn = useTinColumn('ftin', 'TIN', rows);
  const columns = useMemo(() => [tinColumn, addedColumn], [tinColumn]);
  // Another administrator may have removed a selected TIN.
  const selected = rows.map(({ ftin }) => ftin).filter((ftin) => chosen.has(ftin));
  const close = () => setConfirming(false);

  async function confirmRemoval() {
    show(null);
    const removal = await remove.mutateAsync(selected);
    setChosen(new Set(selected.filter((ftin) => !removal.removed.includes(ftin))));
    close();
    show(<Outcome requested={selected} {...removal} />);
  }

  return (
    <>
      <DataTable
        title="Your group's TINs"
        columns={columns}
        rows={rows}
        rowId={({ ftin }) => ftin}
        status={getTableStatus(tins)}
        onRetry={() => void tins.refetch()}
        initial={{ sort: { id: 'added', desc: true } }}
        selection={{
          selected: new Set(selected),
          onChange: setChosen,
          label: ({ ftin }) => ftin,
          header: 'Remove',
          disabled,
        }}
        toolbar={
          <Button disabled={disabled || rows.length === 0} onClick={() => setConfirming(true)}>
            REMOVE SELECTED TIN(S)
          </Button>
        }
      />
      {isConfirming &&
        (selected.length > 0 && selected.length < rows.length ? (
          <ConfirmDialog
            open
            title="Are you sure you want to remove the(se) TIN(s)?"
            confirmLabel="OK"
            verb="remove"
            cancelLabel="Cancel"
            busy={remove.isPending}
            onConfirm={() => void confirmRemoval()}
            onCancel={close}
          >
            <p>{selected.join(', ')}</p>
            <p>Your group will no longer find their bills.</p>
            <Holders groupId={groupId} ftins={selected} />
          </ConfirmDialog>
        ) : (
          <Dialog
            open
            title={selected.length === 0 ? 'You have not selected a TIN to remove.' : removeAll}
            onClose={close}
            actions={
              <Button variant="primary" onClick={close}>
                OK
              </Button>
            }
          />
        ))}
    </>
  );
}

const maxNames = 10;

/** The users affected when TINs are removed. */
function Holders({ groupId, ftins }: { groupId: number; ftins: readonly string[] }) {
  const { data, isPending } = useTinUsers(groupId, ftins);
  if (isPending) return <p>Checking for provider users with these TINs…</p>;
  if (!data) return <p>Provider users with these TINs will lose them too.</p>;
  if (data.length === 0) return <p>No provider users have these TINs.</p>;
  const names = data
    .slice(0, maxNames)
    .map(({ userFirstName, userLastName, userNm }) => `${userFirstName} ${userLastName} (${userNm})`);
  const others = data.length - names.length;
  return (
    <p>
      {`This also removes them from ${data.length === 1 ? '1 provider user' : `${formatCount(data.length)} provider users`}: `}
      {names.join(', ')}
      {others > 0 && ` and ${formatCount(others)} more`}.
    </p>
  );
}

function Outcome({ requested, removed, failure }: Removal & { requested: readonly string[] }) {
  if (!failure)
    return (
      <Banner kind="success" focusOn="removed">
        The selected TIN(s) have been successfully removed.
      </Banner>
    );
  const left = requested.filter((ftin) => !removed.includes(ftin));
  return (
    <Banner kind="error" focusOn="removed" title={failure.status === 409 ? failure.message : actionError}>
      {removed.length > 0 && <p>Removed: {removed.join(', ')}.</p>}
      <p>Not removed: {left.join(', ')}.</p>
    </Banner>
  );
}
