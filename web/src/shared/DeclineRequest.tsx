import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, Problem, unwrap } from '@/api/client';
import type { components } from '@/api/schema';
import { Banner } from '@/ui/Banner';
import { ConfirmDialog, UnsavedWarning } from '@/ui/Dialog';
import { TextAreaInput } from '@/ui/form/inputs';
import styles from './DeclineRequest.module.css';
import { useRefreshQueues } from './queues';
import { useConfirmLeave } from './UnsavedChangesGuard';
import { useMutation } from './useMutation';

const failedText = 'Error: An error has occurred. Please try again or contact Customer Service.';

const maxLength = 400;

interface Props {
  request: Pick<components['schemas']['RequestedAccount'], 'id' | 'firstName' | 'lastName' | 'emailAddress'>;
  /** Called after declining, where nothing on the screen shows the request any longer. */
  onDeclined?: () => void;
  onClose: () => void;
}

/** Asks for the reason, then declines an account request by email. */
export function DeclineRequest({ request, onDeclined, onClose }: Props) {
  const name = `${request.firstName} ${request.lastName}`;
  const [reason, setReason] = useState('');
  const [failed, setFailed] = useState<string>();
  const { mutateAsync, isPending } = useDeclineRequest(request.id);
  const tooLong = reason.trim().length > maxLength;
  const { isConfirming, leave, cancelLeave } = useConfirmLeave(reason.trim() !== '' && !isPending, onClose);
  async function decline() {
    try {
      await mutateAsync(reason);
      onDeclined?.();
      onClose();
    } catch (error) {
      const conflict = error instanceof Problem && error.status === 409;
      setFailed(conflict ? error.message : failedText);
    }
  }
  return (
    <ConfirmDialog
      open
      size="medium"
      title={`Decline the account request of ${name}?`}
      confirmLabel="Decline"
      cancelLabel={isConfirming ? 'Discard changes' : 'Cancel'}
      busy={isPending}
      confirmDisabled={tooLong}
      onConfirm={() => void decline()}
      onCancel={leave}
      ownerAsks
    >
      {failed && <Banner kind="error">{failed}</Banner>}
      <p>{`We'll email ${request.emailAddress}. No account will be created.`}</p>
      <TextAreaInput
        className={styles.reason}
        label="Reason"
        hint="Optional. Included in the email."
        rows={3}
        value={reason}
        error={tooLong ? `Error: Use ${maxLength} characters or fewer` : undefined}
        onChange={({ target }) => {
          cancelLeave();
          setReason(target.value);
        }}
      />
      {isConfirming && <UnsavedWarning />}
    </ConfirmDialog>
  );
}

/** Closes an account request without an account and emails the reason. */
export function useDeclineRequest(id: number) {
  const client = useQueryClient();
  const refreshQueues = useRefreshQueues();
  return useMutation({
    mutationFn: (reason: string) =>
      unwrap(api.POST('/accountRequests/{id}/decline', { params: { path: { id } }, body: { reason } })),
    gcTime: 0,
    // Another user may have been faster.
    onSettled: () => {
      refreshQueues();
      return client.invalidateQueries({ queryKey: ['account-requests'] });
    },
  });
}
