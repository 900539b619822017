import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { EditDialog } from '@/shared/EditDialog';
import { Button } from '@/ui/Button';
import { Chip } from '@/ui/Chip';
import { formatInstant } from '@/ui/dates';
import { TextField } from '@/ui/form/fields';
import { line } from '@/ui/form/kinds';
import { Empty, Failed, Loading } from '@/ui/PageState';
import { toast } from '@/ui/Toasts';
import { ShortTable } from '@/ui/table/ShortTable';
import { MailingFields } from './MailingFields';
import { mailsOf, usual, type Wanted } from './mailing';
import { failureOf, type Mailbox, useAddMailbox, useMailboxes, useRemoveMailbox } from './queries';
import styles from './today.module.css';

/** An office has at most so many. */
const most = 5;

const email = line(120);

/** The mailboxes of one's office, for its administrator. */
export function Mailboxes({ tins, readOnly }: { tins: readonly string[]; readOnly: boolean }) {
  const boxes = useMailboxes();
  const [adding, add] = useState(false);
  const { mutate: remove, isPending, variables } = useRemoveMailbox();
  const list = boxes.data ?? [];
  return (
    <section className={`card ${styles.form}`} aria-label="Mails to the office">
      <div className={styles.head}>
        <h2>To mailboxes of the office</h2>
        {!readOnly && list.length < most && <Button onClick={() => add(true)}>Add a mailbox</Button>}
      </div>
      <p className={styles.small}>
        Up to {most}. Each gets a mail with a link first, and news once somebody there has confirmed it.
      </p>
      {boxes.isPending ? (
        <Loading />
      ) : boxes.isError && !boxes.data ? (
        <Failed onRetry={() => void boxes.refetch()} />
      ) : list.length === 0 ? (
        <Empty>News go to no mailbox of the office.</Empty>
      ) : (
        <ShortTable
          label="Mailboxes of the office"
          rows={list}
          rowId={({ id }) => id}
          columns={[
            { header: 'Mailbox', cell: ({ email }) => email },
            { header: 'State', cell: (box) => <State box={box} /> },
            { header: 'Mails', cell: ({ digest }) => (digest === 'mondays' ? 'Mondays' : 'Daily') },
            ...(readOnly
              ? []
              : [
                  {
                    header: 'Action',
                    cell: ({ id, email }: Mailbox) => (
                      <Button
                        busy={isPending && variables === id}
                        onClick={() =>
                          remove(id, {
                            onSuccess: () => toast.success(`${email} is removed.`),
                            onError: (error) => toast.error(failureOf(error)),
                          })
                        }
                      >
                        Remove<span className="visually-hidden"> {email}</span>
                      </Button>
                    ),
                  },
                ]),
          ]}
        />
      )}
      {adding && <AddDialog tins={tins} onClose={() => add(false)} />}
    </section>
  );
}

const states: Record<Mailbox['state'], [string, 'success' | 'neutral' | 'warning']> = {
  on: ['Confirmed', 'success'],
  waiting: ['Waits for its link to be opened', 'neutral'],
  link: ['Stopped by the link of a mail', 'warning'],
  refused: ['Stopped: its mail server refused a mail', 'warning'],
};

const State = ({ box: { state, at } }: { box: Mailbox }) => (
  <>
    <Chip kind={states[state][1]}>{states[state][0]}</Chip>{' '}
    <span className={styles.small}>since {formatInstant(at)}</span>
  </>
);

function AddDialog({ tins, onClose }: { tins: readonly string[]; onClose: () => void }) {
  const { mutateAsync: add } = useAddMailbox();
  const form = useForm<Wanted>({ defaultValues: usual, shouldFocusError: false });

  async function save(wanted: Wanted) {
    await add({ ...mailsOf(wanted), email: wanted.email });
    return `A link was mailed to ${wanted.email}. News go there once it is confirmed.`;
  }

  return (
    <EditDialog
      form={form}
      size="small"
      title="Add a mailbox"
      action="Add"
      save={save}
      failed="Error: The mailbox was not added. Please try again."
      onClose={onClose}
    >
      <TextField
        control={form.control}
        name="email"
        kind={email}
        label="Email address"
        autoComplete="off"
        inputMode="email"
        hint="One that your office shares, such as billing@example.com."
      />
      <MailingFields control={form.control} tins={tins} />
    </EditDialog>
  );
}
