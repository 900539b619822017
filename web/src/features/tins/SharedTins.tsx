import { useMemo, useState } from 'react';
import { useSession } from '@/api/session';
import { useConfirmLeave } from '@/shared/UnsavedChangesGuard';
import { Banner } from '@/ui/Banner';
import { Button } from '@/ui/Button';
import { ConfirmDialog, UnsavedWarning } from '@/ui/Dialog';
import { formatBusinessDate } from '@/ui/dates';
import { TextAreaInput } from '@/ui/form/inputs';
import { toast } from '@/ui/Toasts';
import { DataTable } from '@/ui/table/DataTable';
import { type Column, createTableState } from '@/ui/table/state';
import {
  anotherOffice,
  formatFailure,
  objections,
  type SharedTin,
  statuses,
  useObject,
  useSharedTins,
} from './sharing';
import { mirroring } from './tins';
import styles from './tins.module.css';

/**
 * The TINs of the user's group that other groups got or request. The group can object to each
 * once.
 */
export function SharedTins() {
  const { mirroredUser } = useSession();
  const [table, setTable] = useState(() => createTableState());
  const [objecting, setObjecting] = useState<SharedTin | null>(null);
  const { shown } = useSharedTins(table);
  const fixed = Boolean(mirroredUser);
  const columns = useMemo(() => getColumns(fixed, setObjecting), [fixed]);
  return (
    <>
      {fixed && <Banner kind="info">{mirroring}</Banner>}
      <DataTable
        title="TINs added by other offices"
        columns={columns}
        {...shown}
        rowId={({ id }) => id}
        controlled={{ state: table, onChange: setTable }}
        empty="No other office has added your TINs."
      />
      {objecting && <ObjectionDialog tin={objecting} onClose={() => setObjecting(null)} />}
    </>
  );
}

const getColumns = (fixed: boolean, onObject: (tin: SharedTin) => void): Column<SharedTin>[] => [
  { id: 'ftin', header: 'TIN', value: ({ ftin }) => ftin },
  {
    id: 'added',
    header: 'Date Added',
    value: ({ addedDate }) => addedDate,
    text: ({ addedDate }) => formatBusinessDate(addedDate),
  },
  {
    id: 'office',
    header: 'Added by',
    value: ({ office }) => office || anotherOffice,
    wrap: true,
    minWidth: '9rem',
  },
  { id: 'status', header: 'Their status', value: ({ statusCd }) => statuses[statusCd] },
  {
    id: 'objection',
    header: 'Your objection',
    value: ({ objectionCd }) => objections[objectionCd],
    cell: ({ objectionCd, reason }) => (
      <>
        {objections[objectionCd]}
        {reason && <span className={styles.said}>{reason}</span>}
      </>
    ),
    wrap: true,
    minWidth: '12rem',
  },
  {
    id: 'object',
    header: 'Action',
    sortable: false,
    filterable: false,
    value: () => '',
    cell: (tin) =>
      tin.objectionCd === '' &&
      (tin.statusCd === 'WAITING' || tin.statusCd === 'IN_USE') && (
        <Button size="small" disabled={fixed} onClick={() => onObject(tin)}>
          Object
          <span className="visually-hidden">
            {' '}
            to {tin.ftin} of {tin.office || anotherOffice.toLowerCase()}
          </span>
        </Button>
      ),
  },
];

const maxLength = 400;

function ObjectionDialog({ tin, onClose }: { tin: SharedTin; onClose: () => void }) {
  const [reason, setReason] = useState('');
  const [problem, setProblem] = useState<string>();
  const { mutate, isPending, error } = useObject(tin.id);
  const tooLong = reason.trim().length > maxLength;
  const { isConfirming, leave, cancelLeave } = useConfirmLeave(reason.trim() !== '' && !isPending, onClose);
  function send() {
    if (reason.trim() === '') {
      setProblem('Error: Enter a reason');
      return;
    }
    mutate(reason, {
      onSuccess: () => {
        toast.success("Objection sent. We'll email you the decision");
        onClose();
      },
    });
  }
  return (
    <ConfirmDialog
      open
      size="medium"
      title={`Object to sharing ${tin.ftin}?`}
      confirmLabel="Object"
      cancelLabel={isConfirming ? 'Discard changes' : 'Cancel'}
      busy={isPending}
      confirmDisabled={tooLong}
      onConfirm={send}
      onCancel={leave}
      ownerAsks
    >
      {error && <Banner kind="error">{formatFailure(error)}</Banner>}
      <p>The network decides. Nothing changes until then. You can object once.</p>
      <TextAreaInput
        className={styles.reason}
        label="Reason"
        hint="Only the network sees this, not the other office."
        required
        rows={4}
        value={reason}
        error={tooLong ? `Error: Use ${maxLength} characters or fewer` : problem}
        onChange={({ target }) => {
          cancelLeave();
          setReason(target.value);
          setProblem(undefined);
        }}
      />
      {isConfirming && <UnsavedWarning />}
    </ConfirmDialog>
  );
}
