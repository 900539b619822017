import { useMemo, useState } from 'react';
import { Banner } from '@/ui/Banner';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { formatBusinessDate } from '@/ui/dates';
import { CheckboxInput } from '@/ui/form/inputs';
import { toast } from '@/ui/Toasts';
import { DataTable } from '@/ui/table/DataTable';
import { type Column, createTableState } from '@/ui/table/state';
import {
  type Decision,
  formatFailure,
  objections,
  statuses,
  type TinSharing,
  useDecide,
  useNameOffice,
  useSharings,
} from './sharing';
import styles from './tins.module.css';

/** Shared TINs: those that need a decision, and the rest. */
export function Sharings() {
  return (
    <>
      <List title="Pending decision" undecided empty="No pending decisions." />
      <List title="In use or decided" undecided={false} empty="No groups have added another group's TIN." />
    </>
  );
}

function List({ title, undecided, empty }: { title: string; undecided: boolean; empty: string }) {
  const [table, setTable] = useState(() => createTableState());
  const [opened, setOpened] = useState<TinSharing | null>(null);
  const { shown } = useSharings(undecided, table);
  const columns = useMemo(() => getColumns(undecided, setOpened), [undecided]);
  return (
    <>
      <DataTable
        title={title}
        columns={columns}
        {...shown}
        rowId={({ id }) => id}
        controlled={{ state: table, onChange: setTable }}
        empty={empty}
      />
      {opened && (
        <SharingDialog
          // Another user's decision removes it from the list.
          sharing={shown.rows.find(({ id }) => id === opened.id) ?? opened}
          onClose={() => setOpened(null)}
        />
      )}
    </>
  );
}

const getColumns = (undecided: boolean, onOpen: (sharing: TinSharing) => void): Column<TinSharing>[] => [
  { id: 'ftin', header: 'TIN', value: ({ ftin }) => ftin },
  {
    id: 'added',
    header: 'Date Added',
    value: ({ addedDate }) => addedDate,
    text: ({ addedDate }) => formatBusinessDate(addedDate),
  },
  {
    id: 'group',
    header: 'Added by',
    value: (sharing) => formatName(sharing),
    wrap: true,
    minWidth: '10rem',
  },
  { id: 'status', header: 'Status', value: ({ statusCd }) => statuses[statusCd] },
  {
    id: 'open',
    header: 'Details',
    sortable: false,
    filterable: false,
    value: () => '',
    cell: (sharing) => (
      <Button size="small" onClick={() => onOpen(sharing)}>
        {undecided ? 'Decide' : 'View'}
        <span className="visually-hidden">
          {' '}
          {sharing.ftin} of {formatName(sharing)}
        </span>
      </Button>
    ),
  },
];

const formatName = ({ groupName, groupId }: { groupName: string; groupId: number }) =>
  groupName || `group ${groupId}`;

const formatLabel = (group: { groupName: string; groupId: number }) =>
  group.groupName ? `${group.groupName} (${group.groupId})` : formatName(group);

interface Choice {
  decision: Decision;
  label: string;
  done: string;
}

/** The possible decisions, the less drastic one last. */
const choices: Partial<Record<TinSharing['statusCd'], { says: string; choices: Choice[] }>> = {
  WAITING: {
    says: "The group can't use the TIN until you approve it. Your decision also settles any objections. We'll email the groups.",
    choices: [
      { decision: 'refuse', label: 'Deny', done: 'TIN denied' },
      { decision: 'approve', label: 'Approve', done: 'TIN approved' },
    ],
  },
  DISPUTED: {
    says: "Revoke removes the TIN from the group and its users, who can no longer find its bills. Keep dismisses the objection. We'll email the groups.",
    choices: [
      { decision: 'take-away', label: 'Revoke', done: 'TIN revoked' },
      { decision: 'keep', label: 'Keep', done: 'Objection dismissed' },
    ],
  },
};

function SharingDialog({ sharing, onClose }: { sharing: TinSharing; onClose: () => void }) {
  const decide = useDecide(sharing.id);
  const name = useNameOffice(sharing.id);
  const busy = decide.isPending || name.isPending;
  const open = choices[sharing.statusCd];
  const error = decide.error ?? name.error;
  return (
    <Dialog
      open
      size="medium"
      title={`TIN ${sharing.ftin}`}
      onClose={busy ? undefined : onClose}
      actions={
        <>
          <Button onClick={onClose} disabled={busy}>
            {open ? 'Cancel' : 'Close'}
          </Button>
          {open?.choices.map(({ decision, label, done }) => (
            <Button
              key={decision}
              disabled={busy && decide.variables !== decision}
              busy={decide.isPending && decide.variables === decision}
              onClick={() =>
                decide.mutate(decision, {
                  onSuccess: () => {
                    toast.success(done);
                    onClose();
                  },
                })
              }
            >
              {label}
            </Button>
          ))}
        </>
      }
    >
      {error && <Banner kind="error">{formatFailure(error)}</Banner>}
      <Facts sharing={sharing} />
      <CheckboxInput
        label={`Show the name ${formatName(sharing)} to holders`}
        hint='If off, they see "another office" instead of the name.'
        checked={sharing.named}
        disabled={busy}
        onChange={({ target }) => name.mutate(target.checked)}
      />
      {open && <p className={styles.reason}>{open.says}</p>}
    </Dialog>
  );
}

function Facts({ sharing }: { sharing: TinSharing }) {
  const { statusCd, addedDate, addedBy, decidedDate, decidedBy, holders } = sharing;
  return (
    <dl className={styles.facts}>
      <dt>Added by</dt>
      <dd>
        {formatLabel(sharing)}
        <span className={styles.said}>{`${addedBy}, ${formatBusinessDate(addedDate)}`}</span>
      </dd>
      <dt>Proof</dt>
      <dd>{formatProof(sharing)}</dd>
      <dt>Status</dt>
      <dd>
        {statuses[statusCd]}
        {decidedDate && (
          <span
            className={styles.said}
          >{`Last decided by ${decidedBy}, ${formatBusinessDate(decidedDate)}`}</span>
        )}
      </dd>
      <dt>Holders</dt>
      <dd>
        {holders.map((holder) => (
          <div key={holder.groupId} className={styles.holder}>
            {formatLabel(holder)}
            {holder.reason && (
              <span className={styles.said}>
                {`Objection from ${holder.objectedBy}, ${formatBusinessDate(holder.objectedDate)}: ${holder.reason}`}
                {holder.objectionCd !== 'OPEN' && ` (${objections[holder.objectionCd].toLowerCase()})`}
              </span>
            )}
          </div>
        ))}
      </dd>
    </dl>
  );
}

function formatProof({ billControlNumber, providerId }: TinSharing): string {
  if (billControlNumber) return `Bill Control Number ${billControlNumber}`;
  if (providerId) return `Provider ID Number ${providerId}`;
  return 'None. Added by a system administrator.';
}
