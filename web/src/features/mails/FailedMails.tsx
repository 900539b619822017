import { useMemo } from 'react';
import { Button } from '@/ui/Button';
import { Chip } from '@/ui/Chip';
import { formatInstant } from '@/ui/dates';
import { toast } from '@/ui/Toasts';
import { DataTable } from '@/ui/table/DataTable';
import type { Column } from '@/ui/table/state';
import styles from './FailedMails.module.css';
import { type FailedMail, useFailedMails, useResendMail } from './queries';

const resendFailed = 'Error: An error has occurred. Please try again or contact Customer Service.';

/** What mails are about; a kind that has no words here is shown as it is called. */
const kinds: Record<string, string> = {
  'account-request': 'Account request: link to the form',
  'account-known': 'Account request: account exists already',
  'account-request-under-review': 'Account request: under review',
  'account-request-submitted': 'Account request: submitted',
  registration: 'Registration',
  'password-reset': 'Password reset',
  'password-reset-by-admin': 'Password reset by an administrator',
  'forgotten-username': 'Forgotten username',
  'password-changed': 'Password changed',
  'email-changed': 'Email address changed',
  'email-asked': 'Notice of a new email address',
  'email-confirm': 'Link to confirm an email address',
  'tin-shared': 'TIN added by another office',
  'tin-shared-waiting': 'TIN asked for by another office',
  'tin-waiting': 'TIN that waits for the review',
  'tin-approved': 'TIN approved',
  'tin-refused': 'TIN refused',
  'tin-kept': 'TIN kept after an objection',
  'tin-taken-away': 'TIN taken away after an objection',
  'tin-objection-decided': 'Objection decided',
  'sign-in-bind': 'Link to confirm a sign-in',
  'sign-in-notice': 'Notice of a sign-in',
  'factor-reset': 'Reset of the second step',
  'factors-removed': 'Second step was reset',
  'passkey-added': 'Passkey added',
  'app-added': 'Authenticator app added',
  'factor-removed': 'Passkey or app removed',
  'recovery-codes': 'New recovery codes',
  news: 'News on bills',
  'watched-news': 'News on watched bills',
  'mailbox-confirm': "Link to confirm an office's mailbox",
  'feed-late': 'News of a late feed',
  'recovery-code-used': 'Recovery code used',
};

/** Emails that did not get through, for whoever looks after them; nothing where there are none. */
export function FailedMails() {
  const mails = useFailedMails();
  const { mutate: resend, isPending, variables } = useResendMail();
  const sending = isPending ? variables : null;
  const columns = useMemo(
    () =>
      columnsOf(sending, (id) =>
        resend(id, {
          onSuccess: () => toast.success('The email is being sent again.'),
          onError: () => toast.error(resendFailed),
        }),
      ),
    [sending, resend],
  );

  if (mails.isError && !mails.data)
    return (
      <p className={styles.unknown} role="status">
        Whether emails could not be sent is not known at the moment.{' '}
        <Button variant="link" onClick={() => void mails.refetch()}>
          Try again
        </Button>
      </p>
    );
  if (!mails.data || mails.data.length === 0) return null;
  return (
    <DataTable
      title="Emails that could not be sent"
      columns={columns}
      rows={mails.data}
      rowId={({ id }) => String(id)}
      status={mails.isError ? 'stale' : 'ready'}
      onRetry={() => void mails.refetch()}
    />
  );
}

const columnsOf = (sending: number | null, onResend: (id: number) => void): Column<FailedMail>[] => [
  {
    id: 'kind',
    header: 'About',
    value: ({ kind }) => kinds[kind] ?? kind,
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
  { id: 'tries', header: 'Tries', align: 'end', value: ({ attempts }) => attempts },
  {
    id: 'since',
    header: 'Since',
    value: ({ createdAt }) => createdAt,
    text: ({ createdAt }) => formatInstant(createdAt),
  },
  {
    id: 'error',
    header: 'What the mail server said',
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
          Send again
          <span className="visually-hidden"> to {to}</span>
        </Button>
      ),
  },
];

const statuses = { waiting: 'Being retried', failed: 'Given up' };
