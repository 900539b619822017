import { useState } from 'react';
import { useSession } from '@/api/session';
import { refusal } from '@/shared/refusal';
import { Banner } from '@/ui/Banner';
import { Button } from '@/ui/Button';
import { ConfirmDialog } from '@/ui/Dialog';
import { formatMoment } from '@/ui/dates';
import { TextInput } from '@/ui/form/inputs';
import { lengthProblem, line } from '@/ui/form/kinds';
import { toast } from '@/ui/Toasts';
import styles from './desk.module.css';
import { type Standing, useAsk, useOverride } from './queries';

/** What an office has said that wants to be asked first. */
function stateOf({ allowed, request }: Standing): string {
  const until = request?.until ? formatMoment(request.until) : '';
  if (allowed && request?.state === 'OVERRIDE')
    return `You can act as its users until ${until}, without its answer: its administrators were told.`;
  if (allowed) return `It has agreed: you can act as its users until ${until}.`;
  if (request?.state === 'ASKED')
    return `It was asked ${formatMoment(request.askedAt)} and has not answered yet. A request is good for 24 hours.`;
  if (request?.state === 'REFUSED' && request.answeredAt)
    return `It has refused ${formatMoment(request.answeredAt)}${request.words && `: “${request.words}”`}.`;
  if (request?.state === 'EXPIRED') return 'It has not answered the last request within 24 hours.';
  return 'Its administrators can agree for 60 minutes.';
}

/** Asks an office before one acts as its user, or goes in without its answer. */
export function AtOffice({ userName, standing }: { userName: string; standing: Standing }) {
  const { can } = useSession();
  const [overriding, setOverriding] = useState(false);
  const ask = useAsk();
  const waits = standing.request?.state === 'ASKED';
  return (
    <div className={styles.atOffice}>
      <Banner kind={standing.allowed ? 'success' : 'info'}>
        <p>
          <strong>This office wants to be asked first.</strong> {stateOf(standing)}
        </p>
      </Banner>
      {ask.error && (
        <Banner kind="error">
          <p>{refusal(ask.error).message}</p>
        </Banner>
      )}
      {!standing.allowed && (
        <div className="button-row">
          {!waits && (
            <Button
              busy={ask.isPending}
              onClick={() =>
                ask.mutate(userName, { onSuccess: () => toast.success('The office was asked.') })
              }
            >
              {standing.request ? 'Ask once more' : 'Ask the office'}
            </Button>
          )}
          {can('visits.override') && (
            <Button onClick={() => setOverriding(true)}>Go in without an answer</Button>
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
  const problem = error ? refusal(error) : undefined;
  const said = problem?.fields.find(({ path }) => path === 'reason')?.message;
  const wrong =
    tried && reason.trim() === ''
      ? 'Error: Say why it cannot wait'
      : (lengthProblem(reasonKind, reason) ?? (said && `Error: ${said}`));
  const confirm = () => {
    setTried(true);
    if (reason.trim() === '' || lengthProblem(reasonKind, reason)) return;
    mutate(
      { userName, reason },
      {
        onSuccess: () => {
          toast.success('You can act as its users for 60 minutes. Its administrators are told.');
          onClose();
        },
      },
    );
  };
  return (
    <ConfirmDialog
      open
      title="Go in without an answer?"
      confirmLabel="Go in"
      cancelLabel="Cancel"
      busy={isPending}
      onConfirm={confirm}
      onCancel={onClose}
    >
      {problem && !said && (
        <Banner kind="error">
          <p>{problem.message}</p>
        </Banner>
      )}
      <p>Only in an emergency. The administrators of the office are told at once, with your reason.</p>
      <TextInput
        label="Why it cannot wait"
        hint="The office reads it. Leave out names and numbers of patients."
        required
        value={reason}
        error={wrong}
        onChange={({ target }) => setReason(target.value)}
      />
    </ConfirmDialog>
  );
}
