import { useState } from 'react';
import { useSession } from '@/api/session';
import { toProblem } from '@/shared/apiError';
import { Banner } from '@/ui/Banner';
import { Button } from '@/ui/Button';
import { ConfirmDialog } from '@/ui/Dialog';
import { formatLocalDateTime } from '@/ui/dates';
import { TextInput } from '@/ui/form/inputs';
import { findLengthProblem, line } from '@/ui/form/kinds';
import { toast } from '@/ui/Toasts';
import styles from './desk.module.css';
import { type AccessStatus, useOverride, useRequestApproval } from './queries';

/** Describes the decision of an office that requires approval. */
function describeDecision({ allowed, request }: AccessStatus): string {
  const until = request?.until ? formatLocalDateTime(request.until) : '';
  if (allowed && request?.state === 'OVERRIDE')
    return `Emergency override active. You can act as its users until ${until}. We notified its administrators.`;
  if (allowed) return `Access approved. You can act as its users until ${until}.`;
  if (request?.state === 'ASKED')
    return `Access requested ${formatLocalDateTime(request.askedAt)}. No decision yet. Requests expire after 24 hours.`;
  if (request?.state === 'REFUSED' && request.answeredAt)
    return `Declined ${formatLocalDateTime(request.answeredAt)}${request.words && `: “${request.words}”`}.`;
  if (request?.state === 'EXPIRED') return 'The last request expired without a decision.';
  return 'An office administrator can approve access for 60 minutes.';
}

/** Requests an office's approval before mirroring its user, or overrides it in an emergency. */
export function OfficeAccess({ userName, status }: { userName: string; status: AccessStatus }) {
  const { can } = useSession();
  const [overriding, setOverriding] = useState(false);
  const requestApproval = useRequestApproval();
  const isWaiting = status.request?.state === 'ASKED';
  return (
    <div className={styles.atOffice}>
      <Banner kind={status.allowed ? 'success' : 'info'}>
        <p>
          <strong>This office requires approval.</strong> {describeDecision(status)}
        </p>
      </Banner>
      {requestApproval.error && (
        <Banner kind="error">
          <p>{toProblem(requestApproval.error).message}</p>
        </Banner>
      )}
      {!status.allowed && (
        <div className="button-row">
          {!isWaiting && (
            <Button
              busy={requestApproval.isPending}
              onClick={() =>
                requestApproval.mutate(userName, { onSuccess: () => toast.success('Access requested') })
              }
            >
              {status.request ? 'Request again' : 'Request access'}
            </Button>
          )}
          {can('visits.override') && (
            <Button onClick={() => setOverriding(true)}>Override and access now</Button>
          )}
        </div>
      )}
      {overriding && <OverrideDialog userName={userName} onClose={() => setOverriding(false)} />}
    </div>
  );
}

const reasonKind = line(200);

function OverrideDialog({ userName, onClose }: { userName: string; onClose: () => void }) {
  const [reason, setReason] = useState('');
  const [tried, setTried] = useState(false);
  const { mutate, isPending, error } = useOverride();
  const problem = error ? toProblem(error) : undefined;
  const reasonProblem = problem?.fields.find(({ path }) => path === 'reason')?.message;
  const wrong =
    tried && reason.trim() === ''
      ? 'Error: Enter a reason for the emergency'
      : (findLengthProblem(reasonKind, reason) ?? (reasonProblem && `Error: ${reasonProblem}`));
  const confirm = () => {
    setTried(true);
    if (reason.trim() === '' || findLengthProblem(reasonKind, reason)) return;
    mutate(
      { userName, reason },
      {
        onSuccess: () => {
          toast.success('You can act as its users for 60 minutes. We notified its administrators');
          onClose();
        },
      },
    );
  };
  return (
    <ConfirmDialog
      open
      title="Override and access now?"
      confirmLabel="Override"
      cancelLabel="Cancel"
      busy={isPending}
      onConfirm={confirm}
      onCancel={onClose}
    >
      {problem && !reasonProblem && (
        <Banner kind="error">
          <p>{problem.message}</p>
        </Banner>
      )}
      <p>For emergencies only. We'll notify the office's administrators right away, with your reason.</p>
      <TextInput
        label="Reason for the emergency"
        hint="The office sees this. Don't include patient names or numbers."
        required
        value={reason}
        error={wrong}
        onChange={({ target }) => setReason(target.value)}
      />
    </ConfirmDialog>
  );
}
