import { useState } from 'react';
import { useSession } from '@/api/session';
import type { UserRow } from '@/shared/accounts';
import { formatSupportReason, type SupportReason, supportReasons } from '@/shared/supportReasons';
import { Banner } from '@/ui/Banner';
import { ConfirmDialog } from '@/ui/Dialog';
import { SelectInput, TextInput } from '@/ui/form/inputs';
import { findLengthProblem, line } from '@/ui/form/kinds';
import { formatName } from './columns';
import { formatMirrorFailure, useMirror } from './queries';

const reasonKind = line(200);

interface Props {
  user: UserRow;
  /** Offers the reasons of support sessions. Otherwise the user types one. */
  choices: boolean;
  /** The message for a server error. */
  failed: string;
  onClose: () => void;
}

/** Asks why the user mirrors, if the portal requires a reason or the user wants to record one. */
export function MirrorDialog({ user, choices, failed, onClose }: Props) {
  const { workspace } = useSession();
  const [choice, setChoice] = useState<SupportReason>('CALL');
  const [text, setText] = useState('');
  const [submitted, setSubmitted] = useState(false);
  const mirror = useMirror();
  const required = !choices || choice === 'OTHER';
  const isMissing = required && text.trim() === '';
  const reason = [choices && formatSupportReason(choice), text.trim()].filter(Boolean).join(': ');
  const wrong = submitted && isMissing ? 'Error: Enter a reason' : findLengthProblem(reasonKind, reason);

  function start() {
    setSubmitted(true);
    if (!isMissing && !wrong) mirror.mutate({ userNm: user.userNm, reason });
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
      {choices && (
        <SelectInput
          label="Reason"
          options={supportReasons}
          value={choice}
          onChange={({ target }) => setChoice(target.value as SupportReason)}
        />
      )}
      <TextInput
        label={choices ? 'Details' : 'Reason'}
        hint={
          // A non-network user's group doesn't have administrators.
          workspace && user.typeCd !== 'NNUS'
            ? "This is recorded in the audit log. Administrators of the user's group can see it."
            : 'This is recorded in the audit log.'
        }
        required={required}
        value={text}
        error={wrong}
        onChange={({ target }) => setText(target.value)}
      />
    </ConfirmDialog>
  );
}
