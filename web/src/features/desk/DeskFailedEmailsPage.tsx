import { useTableState } from '@/shared/historyState';
import { mailKinds } from '@/shared/mailKinds.gen';
import { Button } from '@/ui/Button';
import { formatBusinessDate } from '@/ui/dates';
import { DataTable } from '@/ui/table/DataTable';
import type { Column } from '@/ui/table/state';
import styles from './desk.module.css';
import { QueuePage, useQueueActions } from './QueuePage';
import { type FailedMail, useMails } from './queries';

/** Failed emails, which aren't retried. */
export default function DeskFailedEmailsPage() {
  return (
    <QueuePage title="Failed emails" lead="These won't be retried automatically.">
      <Mails />
    </QueuePage>
  );
}

function Mails() {
  const { table, setTable } = useTableState({ pageSize: 25 });
  const { shown } = useMails(table);
  const steps = useQueueActions();
  return (
    <>
      <DataTable
        title="Emails"
        columns={getColumns(steps)}
        {...shown}
        rowId={({ id }) => String(id)}
        controlled={{ state: table, onChange: setTable }}
        empty="No failed emails."
      />
      {steps.dialog}
    </>
  );
}

const getColumns = ({ runStep, confirm, busy }: ReturnType<typeof useQueueActions>): Column<FailedMail>[] => [
  {
    id: 'kind',
    header: 'Subject',
    lead: true,
    filterable: false,
    value: ({ kind }) => mailKinds[kind] ?? kind,
    wrap: true,
  },
  { id: 'to', header: 'To', value: ({ to }) => to, wrap: true },
  {
    id: 'error',
    header: 'Mail server response',
    value: ({ error }) => error,
    wrap: true,
    minWidth: '14rem',
  },
  {
    id: 'tries',
    header: 'Attempts',
    align: 'end',
    sortable: false,
    filterable: false,
    value: ({ attempts }) => attempts,
  },
  {
    id: 'since',
    header: 'Since',
    value: ({ createdAt }) => createdAt,
    text: ({ createdAt }) => formatBusinessDate(createdAt),
  },
  {
    id: 'actions',
    header: 'Action',
    sortable: false,
    filterable: false,
    value: () => '',
    cell: ({ id, to }) => (
      <div className={styles.steps}>
        <Button
          size="small"
          busy={busy('send again', id)}
          onClick={() => runStep('send again', id, 'Resending email')}
        >
          Resend
          <span className="visually-hidden"> to {to}</span>
        </Button>
        <Button
          size="small"
          onClick={() =>
            confirm({
              step: 'end mail',
              id,
              title: 'Dismiss this email?',
              about: `We won't send it to ${to}.`,
              label: 'Dismiss',
              done: 'Email dismissed',
            })
          }
        >
          Dismiss
          <span className="visually-hidden"> the email to {to}</span>
        </Button>
      </div>
    ),
  },
];
