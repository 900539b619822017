import { useState } from 'react';
import { errorMessage } from '@/shared/errorMessage';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { SelectInput } from '@/ui/form/inputs';
import { Failed, Loading } from '@/ui/PageState';
import { toast } from '@/ui/Toasts';
import { useAssign, useStaff } from './queries';

interface Props {
  seen: { number: string; version: number };
}

/** Assigns a question to someone who can answer it. */
export function AssignTo({ seen }: Props) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>Assign to…</Button>
      {open && <AssignDialog seen={seen} onClose={() => setOpen(false)} />}
    </>
  );
}

function AssignDialog({ seen, onClose }: Props & { onClose: () => void }) {
  const { data, isError, refetch } = useStaff();
  const { mutate, isPending } = useAssign();
  const [userName, setUserName] = useState('');
  const [error, setError] = useState('');
  function assign() {
    if (!userName) {
      setError('Error: Select a staff member');
      return;
    }
    mutate(
      { ...seen, userName },
      {
        onSuccess: ({ owner }) => {
          toast.success(`Assigned to ${owner}`);
          onClose();
        },
        onError: (problem) =>
          toast.error(errorMessage(problem, "Error: Couldn't assign the question. Try again.")),
      },
    );
  }
  return (
    <Dialog
      open
      title={`Assign question ${seen.number}`}
      onClose={isPending ? undefined : onClose}
      actions={
        <>
          <Button disabled={isPending} onClick={onClose}>
            Cancel
          </Button>
          <Button variant="primary" busy={isPending} disabled={!data} onClick={assign}>
            Assign
          </Button>
        </>
      }
    >
      {data ? (
        <SelectInput
          label="Staff member"
          required
          placeholder="Select a staff member"
          options={data
            .filter(({ answers }) => answers)
            .map(({ userName: value, name }) => ({ value, label: `${name} (${value})` }))}
          value={userName}
          error={error || undefined}
          onChange={({ target }) => {
            setUserName(target.value);
            setError('');
          }}
        />
      ) : isError ? (
        <Failed onRetry={() => void refetch()} />
      ) : (
        <Loading />
      )}
    </Dialog>
  );
}
