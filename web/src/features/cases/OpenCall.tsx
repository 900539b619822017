import { useState } from 'react';
import { errorMessage } from '@/shared/errorMessage';
import { Button } from '@/ui/Button';
import { ConfirmDialog } from '@/ui/Dialog';
import { SelectInput } from '@/ui/form/inputs';
import { toast } from '@/ui/Toasts';
import { useOpenCall } from './queries';

const hours = [
  { value: '1', label: '1 business hour' },
  { value: '4', label: '4 business hours' },
  { value: '12', label: '1 business day' },
  { value: '36', label: '3 business days' },
];

/** Opens a question from a logged call, with or without the promise to call back. */
export function OpenCall({ seen }: { seen: { number: string; version: number } }) {
  const [isAsking, setIsAsking] = useState(false);
  const [within, setWithin] = useState('4');
  const { mutate, isPending } = useOpenCall();
  const open = (callbackHours?: number) =>
    mutate(
      { ...seen, callbackHours },
      {
        onSuccess: () => toast.success(callbackHours ? 'Callback promised' : 'Question opened'),
        onError: (error) => toast.error(errorMessage(error, "Error: Couldn't open a question. Try again.")),
        onSettled: () => setIsAsking(false),
      },
    );
  return (
    <div className="button-row">
      <Button onClick={() => setIsAsking(true)}>Promise callback</Button>
      <Button busy={isPending && !isAsking} onClick={() => open()}>
        Open a question
      </Button>
      <ConfirmDialog
        open={isAsking}
        title="Promise callback?"
        confirmLabel="Promise callback"
        cancelLabel="Cancel"
        busy={isPending}
        onConfirm={() => open(Number(within))}
        onCancel={() => setIsAsking(false)}
      >
        <p>The call becomes an open question, which is assigned to you. The office sees when it's due.</p>
        <SelectInput
          label="Call back within"
          options={hours}
          value={within}
          onChange={({ target }) => setWithin(target.value)}
        />
      </ConfirmDialog>
    </div>
  );
}
