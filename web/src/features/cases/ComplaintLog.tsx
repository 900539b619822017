import { useState } from 'react';
import { errorMessage } from '@/shared/errorMessage';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { today } from '@/ui/dates';
import { SelectInput, TextInput } from '@/ui/form/inputs';
import { toast } from '@/ui/Toasts';
import styles from './cases.module.css';
import { type LogPeriod, useComplaintLog } from './queries';

/** Exports the complaints of a period. */
export function ComplaintLog() {
  const [open, setOpen] = useState(false);
  const [period, setPeriod] = useState<LogPeriod>(() => ({
    from: `${today().slice(0, 4)}-01-01`,
    to: today(),
    format: 'xlsx',
  }));
  const { mutate, isPending } = useComplaintLog();
  const close = () => setOpen(false);
  return (
    <>
      <Button size="small" onClick={() => setOpen(true)}>
        Complaint log
      </Button>
      <Dialog
        open={open}
        title="Complaint log"
        onClose={close}
        actions={
          <>
            <Button disabled={isPending} onClick={close}>
              Cancel
            </Button>
            <Button
              variant="primary"
              busy={isPending}
              onClick={() =>
                mutate(period, {
                  onSuccess: close,
                  onError: (error) =>
                    toast.error(errorMessage(error, "Error: Couldn't export the log. Try again.")),
                })
              }
            >
              Export
            </Button>
          </>
        }
      >
        <div className={styles.write}>
          <p>All complaints that the network received in this period, up to 366 days.</p>
          <TextInput
            type="date"
            label="From"
            value={period.from}
            onChange={({ target }) => setPeriod({ ...period, from: target.value })}
          />
          <TextInput
            type="date"
            label="To"
            value={period.to}
            onChange={({ target }) => setPeriod({ ...period, to: target.value })}
          />
          <SelectInput
            label="Format"
            options={[
              { value: 'xlsx', label: 'Excel' },
              { value: 'csv', label: 'CSV' },
            ]}
            value={period.format}
            onChange={({ target }) => setPeriod({ ...period, format: target.value as LogPeriod['format'] })}
          />
        </div>
      </Dialog>
    </>
  );
}
