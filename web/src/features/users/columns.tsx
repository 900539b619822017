import { statusChipKinds, type UserRow } from '@/shared/accounts';
import { Chip } from '@/ui/Chip';
import { formatBusinessDate } from '@/ui/dates';
import type { Column } from '@/ui/table/state';
import styles from './users.module.css';

/** Identifies a user in dialogs and menu labels. */
export const formatName = ({ userFirstName, userLastName, userNm }: UserRow) =>
  [userFirstName, userLastName, userNm && `(${userNm})`].filter(Boolean).join(' ');

export const userColumns: Column<UserRow>[] = [
  { id: 'firstName', header: 'First Name', value: ({ userFirstName }) => userFirstName, wrap: true },
  { id: 'lastName', header: 'Last Name', value: ({ userLastName }) => userLastName, wrap: true },
  { id: 'userName', header: 'Username', value: ({ userNm }) => userNm },
  {
    id: 'email',
    header: 'Email Address',
    value: ({ emailAddr }) => emailAddr,
    wrap: true,
    minWidth: '12rem',
  },
  {
    id: 'status',
    header: 'Account Status',
    value: ({ statusDesc }) => statusDesc,
    cell: ({ statusCd, statusDesc }) => <Chip kind={statusChipKinds[statusCd]}>{statusDesc}</Chip>,
  },
  { id: 'type', header: 'Account Type', value: ({ typeDesc }) => typeDesc },
  {
    id: 'group',
    header: 'Group ID',
    value: ({ grpInfoId }) => grpInfoId,
    identifies: true,
  },
];

/** With the group's name below its ID. */
export const getGroupColumns = (names: Map<number, string>) =>
  userColumns.map((column) =>
    column.id === 'group'
      ? {
          ...column,
          cell: ({ grpInfoId }: UserRow) => (
            <>
              {grpInfoId}
              {grpInfoId !== null && <span className={styles.groupName}>{names.get(grpInfoId)}</span>}
            </>
          ),
        }
      : column,
  );

/**
 * The columns of a group's users, with creation and last sign-in. The newly created user is
 * highlighted.
 */
export const getManagedColumns = (createdId?: number): Column<UserRow>[] => [
  ...userColumns.map((column) =>
    column.id === 'firstName' && createdId !== undefined
      ? {
          ...column,
          cell: ({ id, userFirstName }: UserRow) =>
            id === createdId ? (
              <>
                {userFirstName} <Chip kind="success">Just added</Chip>
              </>
            ) : (
              userFirstName
            ),
        }
      : column,
  ),
  {
    id: 'created',
    header: 'Create Date',
    value: ({ createdDt }) => createdDt,
    text: ({ createdDt }) => formatBusinessDate(createdDt),
  },
  {
    id: 'lastLogin',
    header: 'Last Login Date',
    value: ({ lastLoginDt }) => lastLoginDt,
    text: ({ lastLoginDt }) => formatBusinessDate(lastLoginDt),
  },
];

export const byNewest = { sort: { id: 'created', desc: true } };
export const byFirstName = { sort: { id: 'firstName', desc: false } };
