import { statusChipKinds, type UserRow } from '@/shared/accounts';
import { Chip } from '@/ui/Chip';
import { formatBusinessDate, formatDate } from '@/ui/dates';
import type { Column } from '@/ui/table/state';
import type { Notification } from './notification';

const chipKinds: Record<Notification['status'], 'neutral' | 'info' | 'warning' | 'success'> = {
  DRAFT: 'neutral',
  READY: 'info',
  SCHEDULED: 'warning',
  SENT: 'success',
};

export const StatusChip = ({ status }: Pick<Notification, 'status'>) => (
  <Chip kind={chipKinds[status]}>{status}</Chip>
);

export const notificationColumns: Column<Notification>[] = [
  { id: 'name', header: 'Notification Name', value: ({ name }) => name, wrap: true, minWidth: '12rem' },
  { id: 'campaign', header: 'Campaign', value: ({ campaign }) => campaign, wrap: true, minWidth: '9rem' },
  {
    id: 'requestedBy',
    header: 'Requested by',
    value: ({ requestedBy }) => requestedBy,
    wrap: true,
    minWidth: '8rem',
  },
  {
    id: 'status',
    header: 'Status',
    value: ({ status }) => status,
    cell: ({ status }) => <StatusChip status={status} />,
  },
  {
    id: 'sendDt',
    header: 'Send Date',
    value: ({ sendDt }) => sendDt,
    text: ({ sendDt }) => formatDate(sendDt),
  },
  {
    id: 'lastUpdate',
    header: 'Last Update',
    value: ({ lastUpdate }) => lastUpdate,
    text: ({ lastUpdate }) => formatBusinessDate(lastUpdate),
  },
  { id: 'lastUpdateBy', header: 'Last Update By', value: ({ lastUpdateBy }) => lastUpdateBy },
];

/** A notification's recipient. The user is missing if the ID no longer exists. */
export interface Recipient {
  id: number;
  user: UserRow | null;
}

export const formatName = ({ id, user }: Recipient) => user?.userNm || `user ${id}`;

const notFoundText = 'No longer found';

export const recipientColumns: Column<Recipient>[] = [
  {
    id: 'firstName',
    header: 'First Name',
    value: ({ user }) => user?.userFirstName,
    wrap: true,
    minWidth: '7rem',
  },
  {
    id: 'lastName',
    header: 'Last Name',
    value: ({ user }) => user?.userLastName,
    wrap: true,
    minWidth: '7rem',
  },
  { id: 'userName', header: 'Username', value: formatName },
  {
    id: 'email',
    header: 'Email Address',
    value: ({ user }) => user?.emailAddr,
    wrap: true,
    minWidth: '14rem',
  },
  {
    id: 'status',
    header: 'Account Status',
    value: ({ user }) => user?.statusDesc ?? notFoundText,
    cell: ({ user }) =>
      user ? (
        <Chip kind={statusChipKinds[user.statusCd]}>{user.statusDesc}</Chip>
      ) : (
        <Chip kind="error">{notFoundText}</Chip>
      ),
  },
  { id: 'type', header: 'Account Type', value: ({ user }) => user?.typeDesc },
  { id: 'group', header: 'Group ID', value: ({ user }) => user?.grpInfoId, identifies: true },
];

/** The columns of a search result, which mark existing recipients or excluded users. */
export const getCandidateColumns = (
  chosen: ReadonlySet<number>,
  { header, mark }: { header: string; mark: string },
): Column<Recipient>[] => [
  ...recipientColumns,
  {
    id: 'chosen',
    header,
    value: ({ id }) => (chosen.has(id) ? mark : ''),
    cell: ({ id }) => chosen.has(id) && <Chip kind="success">{mark}</Chip>,
  },
];

export const byUserName = { sort: { id: 'userName', desc: false } };
