import { useMemo } from 'react';
import { mailKinds } from '@/shared/mailKinds.gen';
import { Button } from '@/ui/Button';
import { Chip } from '@/ui/Chip';
import { formatBusinessDate } from '@/ui/dates';
import { toast } from '@/ui/Toasts';
import { DataTable } from '@/ui/table/DataTable';
import type { Column } from '@/ui/table/state';
import styles from './FailedEmails.module.css';
import { type FailedMail, useFailedEmails, useResendMail } from './queries';

const resendFailed = 'Error: An error has occurred. Please try again or contact Customer Service.';

/** Failed emails, for the users who handle them. Empty without any. */
export function FailedEmails() {
  const mails = useFailedEmails();
  const { mutate: resend, isPending, variables } = useResendMail();
  const sending = isPending ? variables : null;
  const columns = useMemo(
    () =>
      getColumns(sending, (id) =>
        resend(id, {
          onSuccess: () => toast.success('Resending email'),
          onError: () => toast.error(resendFailed),
        }),
      ),
    [sending, resend],
  );

  if (mails.isError && !mails.data)
    return (
      <p className={styles.unknown} role="status">
        Couldn't check for failed emails.{' '}
        <Button variant="link" onClick={() => void mails.refetch()}>
          Try again
        </Button>
      </p>
    );
  if (!mails.data || mails.data.length === 0) return null;
  return (
    <DataTable
      title="Failed emails"
      columns={columns}
      rows={mails.data}
      rowId={({ id }) => String(id)}
      status={mails.isError ? 'stale' : 'ready'}
      onRetry={() => void mails.refetch()}
    />
  );
}

const getColumns = (sending: number | null, onResend: (id: number) => void): Column<FailedMail>[] => [
  {
    id: 'kind',
    header: 'Subject',
    value: ({ kind }) => mailKinds[kind] ?? kind,
    wrap: true,
    minWidth: '9rem',
  },
  { id: 'to', header: 'To', value: ({ to }) => to, wrap: true, minWidth: '10rem' },
  {
    id: 'status',
    header: 'Status',
    value: ({ status }) => statuses[status],
    cell: ({ status }) => <Chip kind={status === 'failed' ? 'error' : 'warning'}>{statuses[status]}</Chip>,
  },
  { id: 'tries', header: 'Attempts', align: 'end', value: ({ attempts }) => attempts },
  {
    id: 'since',
    header: 'Since',
    value: ({ createdAt }) => createdAt,
    text: ({ createdAt }) => formatBusinessDate(createdAt),
  },
  {
    id: 'error',
    header: 'Mail server response',
    value: ({ error }) => error,
    wrap: true,
    minWidth: '14rem',
  },
  {
    id: 'resend',
    header: 'Action',
    sortable: false,
    filterable: false,
    value: () => '',
    cell: ({ id, status, to }) =>
      status === 'failed' && (
        <Button size="small" busy={sending === id} onClick={() => onResend(id)}>
          Resend
          <span className="visually-hidden"> to {to}</span>
        </Button>
      ),
  },
];

const statuses = { waiting: 'Retrying', failed: 'Failed' };
