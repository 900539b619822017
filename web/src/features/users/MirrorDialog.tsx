import { useState } from 'react';
import { useSession } from '@/api/session';
import type { UserRow } from '@/shared/accounts';
import { Banner } from '@/ui/Banner';
import { ConfirmDialog } from '@/ui/Dialog';
import { TextInput } from '@/ui/form/inputs';
import { findLengthProblem, line } from '@/ui/form/kinds';
import { formatName } from './columns';
import { formatMirrorFailure, useMirror } from './queries';

const reasonKind = line(200);

interface Props {
  user: UserRow;
  /** The message for a server error. */
  failed: string;
  onClose: () => void;
}

/** Asks why the user mirrors, where the portal requires a reason. */
export function MirrorDialog({ user, failed, onClose }: Props) {
  const { workspace } = useSession();
  const [reason, setReason] = useState('');
  const [missing, setMissing] = useState(false);
  const mirror = useMirror();
  const wrong =
    missing && reason.trim() === '' ? 'Error: Enter a reason' : findLengthProblem(reasonKind, reason);

  function start() {
    setMissing(true);
    if (reason.trim() !== '' && !wrong) mirror.mutate({ userNm: user.userNm, reason });
  }

  return (
    <ConfirmDialog
      open
      title={`Mirror ${formatName(user)}?`}
      confirmLabel="OK"
      verb="mirror"
      cancelLabel="Cancel"
      busy={mirror.isPending}
      onConfirm={start}
      onCancel={onClose}
    >
      {mirror.isError && <Banner kind="error">{formatMirrorFailure(mirror.error, failed)}</Banner>}
      <TextInput
        label="Reason"
        hint={
          // A non-network user's group doesn't have administrators.
          workspace && user.typeCd !== 'NNUS'
            ? "This is recorded in the audit log. Administrators of the user's group can see it."
            : 'This is recorded in the audit log.'
        }
        required
        value={reason}
        error={wrong}
        onChange={({ target }) => setReason(target.value)}
      />
    </ConfirmDialog>
  );
}
