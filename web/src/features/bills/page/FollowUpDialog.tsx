import { useId, useState } from 'react';
import { FollowUp } from '@/shared/FollowUp';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { today } from '@/ui/dates';

interface Props {
  /** The current date, or empty. */
  day: string;
  onSave: (day: string) => void;
  onClose: () => void;
}

/** Any day for a bill's next step. */
export default function FollowUpDialog({ day, onSave, onClose }: Props) {
  const [chosen, setChosen] = useState(day);
  const [error, setError] = useState<string>();
  const id = useId();
  return (
    <Dialog
      open
      title="Follow up"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={id} variant="primary">
            Save
          </Button>
        </>
      }
    >
      <form
        id={id}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (chosen < today()) setError('Error: Enter today or a later date');
          else onSave(chosen);
        }}
      >
        <FollowUp day={chosen} onChange={setChosen} error={error} />
      </form>
    </Dialog>
  );
}
