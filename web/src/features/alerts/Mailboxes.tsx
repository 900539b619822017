import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { EditDialog } from '@/shared/EditDialog';
import { Button } from '@/ui/Button';
import { Chip } from '@/ui/Chip';
import { formatBusinessDate } from '@/ui/dates';
import { TextField } from '@/ui/form/fields';
import { line } from '@/ui/form/kinds';
import { onFirstClick } from '@/ui/onFirstClick';
import { Empty, Failed, Loading } from '@/ui/PageState';
import { toast } from '@/ui/Toasts';
import { ShortTable } from '@/ui/table/ShortTable';
import styles from './alerts.module.css';
import { MailingFields } from './MailingFields';
import { initialMailing, type MailingValues, toMails } from './mailing';
import { formatFailure, type Mailbox, useAddMailbox, useMailboxes, useRemoveMailbox } from './queries';

/** The maximum per office. */
const maxMailboxes = 5;

const email = line(120);

/** The shared mailboxes of an office, for its administrator. */
export function Mailboxes({ tins, readOnly }: { tins: readonly string[]; readOnly: boolean }) {
  const boxes = useMailboxes();
  const [adding, setAdding] = useState(false);
  const { mutate: remove, isPending, variables } = useRemoveMailbox();
  const list = boxes.data ?? [];
  return (
    <section className={`card ${styles.form}`} aria-label="Shared office mailboxes">
      <div className={styles.head}>
        <h2>Shared office mailboxes</h2>
        {!readOnly && list.length < maxMailboxes && (
          <Button onClick={() => setAdding(true)}>Add mailbox</Button>
        )}
      </div>
      <p className={styles.small}>
        Up to {maxMailboxes}. Each address gets a confirmation link first. Updates start after someone
        confirms it.
      </p>
      {boxes.isPending ? (
        <Loading />
      ) : boxes.isError && !boxes.data ? (
        <Failed onRetry={() => void boxes.refetch()} />
      ) : list.length === 0 ? (
        <Empty>No shared mailboxes yet. Add one to send updates to your team.</Empty>
      ) : (
        <ShortTable
          label="Shared office mailboxes"
          rows={list}
          rowId={({ id }) => id}
          columns={[
            { header: 'Mailbox', cell: ({ email }) => email },
            { header: 'Status', cell: (box) => <State box={box} /> },
            { header: 'Frequency', cell: ({ digest }) => (digest === 'mondays' ? 'Mondays' : 'Daily') },
            ...(readOnly
              ? []
              : [
                  {
                    header: 'Action',
                    cell: ({ id, email }: Mailbox) => (
                      <Button
                        busy={isPending && variables === id}
                        onClick={onFirstClick(() =>
                          remove(id, {
                            onSuccess: () => toast.success(`${email} removed`),
                            onError: (error) => toast.error(formatFailure(error)),
                          }),
                        )}
                      >
                        Remove<span className="visually-hidden"> {email}</span>
                      </Button>
                    ),
                  },
                ]),
          ]}
        />
      )}
      {adding && <AddDialog tins={tins} onClose={() => setAdding(false)} />}
    </section>
  );
}

const states: Record<Mailbox['state'], [string, 'success' | 'neutral' | 'warning']> = {
  on: ['Confirmed', 'success'],
  waiting: ['Waiting for confirmation', 'neutral'],
  link: ['Unsubscribed', 'warning'],
  refused: ['Stopped (email bounced)', 'warning'],
};

const State = ({ box: { state, at } }: { box: Mailbox }) => (
  <>
    <Chip kind={states[state][1]}>{states[state][0]}</Chip>{' '}
    <span className={styles.small}>since {formatBusinessDate(at)}</span>
  </>
);

function AddDialog({ tins, onClose }: { tins: readonly string[]; onClose: () => void }) {
  const { mutateAsync: add } = useAddMailbox();
  const form = useForm<MailingValues>({ defaultValues: initialMailing, shouldFocusError: false });

  async function save(wanted: MailingValues) {
    await add({ ...toMails(wanted), email: wanted.email });
    return `Confirmation link sent to ${wanted.email}. We'll send updates after they confirm.`;
  }

  return (
    <EditDialog
      form={form}
      size="small"
      title="Add mailbox"
      action="Add"
      save={save}
      failed="Error: Couldn't add the mailbox. Try again."
      onClose={onClose}
    >
      <TextField
        control={form.control}
        name="email"
        kind={email}
        label="Email address"
        autoComplete="off"
        inputMode="email"
        hint="A shared address, such as billing@example.com"
      />
      <MailingFields control={form.control} tins={tins} />
    </EditDialog>
  );
}
