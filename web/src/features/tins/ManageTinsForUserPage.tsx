import { type HistoryState, Navigate, useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useSession } from '@/api/session';
import type { UserRow } from '@/shared/accounts';
import { toProblem } from '@/shared/apiError';
import { Conflict } from '@/shared/Conflict';
import { type EditConflict, getConflict } from '@/shared/editConflict';
import * as paths from '@/shared/paths';
import { useTinColumn } from '@/shared/tins';
import { useUnsavedChanges } from '@/shared/UnsavedChangesGuard';
import { Banner } from '@/ui/Banner';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { formatBusinessDate } from '@/ui/dates';
import { formatTin } from '@/ui/format';
import { DataTable } from '@/ui/table/DataTable';
import type { Column } from '@/ui/table/state';
import { type AssignedTin, getTableStatus, useAssignedTins, useAssignTins } from './queries';
import { actionError, mirroring, readOnlyText, removeAll } from './tins';
import { formatName, useVisit } from './visit';

/** The group's TINs that a user in the group has. */
export default function ManageTinsForUserPage() {
  const { user, groupId, list, searchInfo } = useVisit();
  if (!user) return <Navigate to={paths.manageUsers} replace />;
  return (
    <div className="page">
      <header>
        <h1>Manage TINs</h1>
        <p className="page-lead">{formatName(user)}</p>
      </header>
      <Assignment user={user} back={{ groupId, list, searchInfo }} />
    </div>
  );
}

function Assignment({ user, back }: { user: UserRow; back: HistoryState }) {
  const { mirroredUser, can } = useSession();
  const navigate = useNavigate();
  const tins = useAssignedTins(user.userNm);
  const { mutateAsync: assign, isPending } = useAssignTins(user.userNm);
  // Only this user's selections, so that other administrators' changes to other TINs stay.
  const [chosen, setChosen] = useState<ReadonlyMap<string, boolean>>(new Map());
  useUnsavedChanges(chosen.size > 0);
  const [stale, setStale] = useState<EditConflict | null>(null);
  const [emptied, setEmptied] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);

  const rows = tins.data ?? noTins;
  const tinColumn = useTinColumn('ftin', 'Tax ID (TIN)', rows);
  const columns = useMemo(() => [tinColumn, addedColumn], [tinColumn]);
  const administrator = user.typeCd === 'PRAD';
  const isAssigned = ({ ftin, hasIt }: AssignedTin) => administrator || (chosen.get(ftin) ?? hasIt);
  const selected = rows.filter(isAssigned).map(({ ftin }) => ftin);
  const fixed = mirroredUser
    ? mirroring
    : !can('tins.manage')
      ? readOnlyText
      : administrator
        ? "A provider administrator has all of the group's TINs."
        : null;

  function choose(selection: ReadonlySet<string>) {
    const differ = rows.filter(({ ftin, hasIt }) => selection.has(ftin) !== hasIt);
    setChosen(new Map(differ.map(({ ftin, hasIt }) => [ftin, !hasIt])));
  }

  async function save(list: readonly AssignedTin[] = rows) {
    setFailure(null);
    setStale(null);
    const marked = list.map((row) => ({ ...row, hasIt: isAssigned(row) }));
    if (!marked.some(({ hasIt }) => hasIt)) return setEmptied(true);
    try {
      await assign(marked);
      void navigate({
        to: paths.manageUsers,
        ignoreBlocker: true,
        state: { ...back, message: 'The selected account was successfully updated.' },
      });
    } catch (error) {
      const found = getConflict(error);
      if (found) return setStale(found);
      const { status, message } = toProblem(error);
      // The server's messages on the selection are written for users.
      setFailure(status === 400 || status === 409 ? `${actionError} ${message}` : actionError);
    }
  }

  return (
    <>
      {fixed && <Banner kind="info">{fixed}</Banner>}
      {failure && (
        <Banner kind="error" focusOn="failure">
          {failure}
        </Banner>
      )}
      {stale && (
        <Conflict
          differences={[...stale.theirs].map(([ftin, theirs]) => ({
            name: ftin,
            label: formatTin(ftin),
            theirs: theirs === 'true' ? 'Selected' : 'Not selected',
            mine: !chosen.has(ftin) ? null : chosen.get(ftin) ? 'Selected' : 'Not selected',
          }))}
          busy={isPending}
          onTheirs={() => {
            setChosen(new Map([...chosen].filter(([ftin]) => !stale.theirs.has(ftin))));
            setStale(null);
          }}
          onMine={async () => {
            const { data } = await tins.refetch();
            if (data) await save(data);
            else setFailure(actionError);
          }}
        />
      )}
      <DataTable
        title="Group TINs"
        columns={columns}
        rows={rows}
        rowId={({ ftin }) => ftin}
        status={getTableStatus(tins)}
        onRetry={() => void tins.refetch()}
        initial={{ sort: { id: 'ftin', desc: false } }}
        selection={{
          selected: new Set(selected),
          onChange: choose,
          label: ({ ftin }) => ftin,
          disabled: fixed !== null,
        }}
      />
      <div className="button-row">
        <Button
          variant="primary"
          disabled={fixed !== null || rows.length === 0}
          busy={isPending}
          onClick={() => void save()}
        >
          SAVE
        </Button>
        <Button onClick={() => void navigate({ to: paths.manageUsers, state: back })}>CANCEL</Button>
      </div>
      {emptied && (
        <Dialog
          open
          title={removeAll}
          onClose={() => setEmptied(false)}
          actions={
            <Button variant="primary" onClick={() => setEmptied(false)}>
              OK
            </Button>
          }
        />
      )}
    </>
  );
}

const noTins: AssignedTin[] = [];

const addedColumn: Column<AssignedTin> = {
  id: 'added',
  header: 'Date Added',
  value: ({ addedDate }) => addedDate,
  text: ({ addedDate }) => formatBusinessDate(addedDate),
};
