import { Problem } from '@/api/client';
import { ConfirmDialog } from '@/ui/Dialog';
import { formatTin } from '@/ui/format';
import { pluralize } from '@/ui/pluralize';

/** A new group's Tax ID, and the groups that already have it. */
export interface SharedTin {
  ftin: string;
  groups: string[];
}

/** Returns the Tax IDs that the server asks about, or null for other errors. */
export function getSharedTins(error: unknown): SharedTin[] | null {
  if (!(error instanceof Problem) || error.code !== 'TIN_SHARED') return null;
  const ftins = [...new Set(error.fields.map(({ value = '' }) => value))];
  return ftins.map((ftin) => ({
    ftin,
    groups: error.fields.filter(({ value }) => value === ftin).map(({ message }) => message),
  }));
}

interface Props {
  tins: readonly SharedTin[];
  onConfirm: () => void;
  onCancel: () => void;
}

/** Asks for confirmation before a new group gets other groups' Tax IDs. */
export const SharedTinsDialog = ({ tins, onConfirm, onCancel }: Props) => (
  <ConfirmDialog
    open
    title={tins.length === 1 ? 'Share this Tax ID?' : 'Share these Tax IDs?'}
    confirmLabel="Share"
    cancelLabel="Cancel"
    onConfirm={onConfirm}
    onCancel={onCancel}
  >
    {tins.map(({ ftin, groups }) => (
      <p key={ftin}>
        <strong>{formatTin(ftin)}</strong>: {pluralize(groups.length, 'group has', 'groups have')} it already.{' '}
        {groups.join('; ')}.
      </p>
    ))}
    <p>
      The new group will see the bills of {tins.length === 1 ? 'this Tax ID' : 'these Tax IDs'}. We'll email
      the other groups' administrators. No review is needed.
    </p>
  </ConfirmDialog>
);
