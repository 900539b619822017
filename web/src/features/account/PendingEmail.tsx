import { useState } from 'react';
import { Problem } from '@/api/client';
import { Button } from '@/ui/Button';
import { useCancelEmailChange } from './queries';

interface Props {
  userName: string;
  newEmail: string;
  readOnly: boolean;
  onCanceled: () => void;
}

/** The address that waits for its confirmation, with a way to cancel the change. */
export function PendingEmail({ userName, newEmail, readOnly, onCanceled }: Props) {
  const { mutateAsync: cancel, isPending } = useCancelEmailChange(userName);
  const [failure, setFailure] = useState('');

  async function cancelChange() {
    setFailure('');
    try {
      await cancel();
      onCanceled();
    } catch (error) {
      setFailure(
        error instanceof Problem && error.status === 409
          ? `Error: ${error.message}`
          : "Error: Couldn't cancel the change. Try again.",
      );
    }
  }

  return (
    <>
      {`Open the link we sent to ${newEmail} to confirm it. `}
      {!readOnly && (
        <Button variant="link" busy={isPending} onClick={() => void cancelChange()}>
          Cancel this change
        </Button>
      )}
      {failure && <span role="alert">{` ${failure}`}</span>}
    </>
  );
}
