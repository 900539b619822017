import { createLink, type HistoryState, useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useSession } from '@/api/session';
import type { UserRow } from '@/shared/accounts';
import { formatGroup, useGroup } from '@/shared/groups';
import { useHistoryState, useTableState } from '@/shared/historyState';
import * as paths from '@/shared/paths';
import { ActionMenu } from '@/ui/ActionMenu';
import { Button, LinkButton } from '@/ui/Button';
import { DataTable } from '@/ui/table/DataTable';
import { startWizard } from './adding/visit';
import { byFirstName, byNewest, formatName, getManagedColumns } from './columns';
import { useManagedUsers } from './queries';
import { useSelectedUsers } from './SelectedUsers';
import { newAccountLabel, Outcome, type Texts, UserActionDialogs, useUserActions } from './userActions';
import styles from './users.module.css';

const texts: Texts = {
  done: {
    'Convert to Provider Admin': 'The selected account was successfully updated.',
    'Convert to Provider User': 'The selected account was successfully updated.',
    'Reset Password': 'The selected account was successfully updated.',
    Terminate: 'The selected account was successfully terminated.',
    'Resend Registration': 'The Registration Emails were resent to the selected account.',
    'Delete Draft': 'Draft deleted',
    'Reset Two-Step Verification': 'Link sent to the selected account.',
  },
  failed: 'Error: An error has occurred.  Please try again or contact Customer Service.',
};

const ButtonToRoute = createLink(LinkButton);

/** A group's users, with the actions of its administrator. */
export default function ManageUsersPage() {
  const { user: signedIn, actingUser, can, routes } = useSession();
  const navigate = useNavigate();
  // After creating a user, shows that user's group.
  const { groupId = actingUser.grpInfoId, createdId, searchInfo } = useHistoryState();
  const group = useGroup(groupId === actingUser.grpInfoId ? null : groupId);
  // The newest user comes first, right after creation.
  const { table, setTable, list } = useTableState(createdId === undefined ? byFirstName : byNewest);
  const columns = useMemo(() => getManagedColumns(createdId), [createdId]);
  const { shown } = useManagedUsers(groupId, table);
  const many = useSelectedUsers(shown.rows, { groupId, list, searchInfo });
  const actions = useUserActions(texts);

  function choose(label: string, user: UserRow) {
    if (actions.start(label, user)) return;
    if (label === 'Edit Profile')
      void navigate({ to: paths.editProfile, state: { user, admin: false, groupId, list, searchInfo } });
    if (label === newAccountLabel)
      void startWizard(user).then((wizard) =>
        navigate({ to: paths.wizardPerson, state: { ...wizard, list, searchInfo } }),
      );
    if (label === 'Manage TINs')
      void navigate({ to: paths.manageTinsForUser, state: { user, groupId, list, searchInfo } });
  }

  return (
    <div className="page">
      <div className={styles.head}>
        <div>
          <h1>Manage Users</h1>
          {groupId !== null && (
            <p className="page-lead">
              {groupId === actingUser.grpInfoId
                ? 'Users in your group and their account types.'
                : `Users in ${group ? formatGroup(group) : `group ${groupId}`} and their account types.`}
            </p>
          )}
        </div>
        <div className="button-row">
          {routes.includes('UserSearch') && (
            <ButtonToRoute to={paths.userSearch} state={{ searchInfo }}>
              Back to User Search
            </ButtonToRoute>
          )}
          {routes.includes('work/users/file') && (
            <ButtonToRoute to={paths.importUsers} state={{ groupId, list, searchInfo }}>
              Import users
            </ButtonToRoute>
          )}
          <AddUser back={{ list, searchInfo }} />
        </div>
      </div>
      <Outcome actions={actions} />
      <DataTable
        title="Users"
        columns={columns}
        {...shown}
        {...many}
        rowId={({ id }) => String(id)}
        controlled={{ state: table, onChange: setTable }}
        empty={
          groupId === null
            ? createdId === undefined
              ? 'To find users in all groups, go to User Search.'
              : "The new user isn't in a group. To find users in all groups, go to User Search."
            : undefined
        }
        rowMenu={{
          menu: ActionMenu,
          actions:
            can('users.manage') && signedIn.typeCd !== 'IRAD'
              ? (user) =>
                  actions.getLabels(user).map((label) => ({ label, onSelect: () => choose(label, user) }))
              : undefined,
          label: formatName,
          header: 'Update Account',
        }}
      />
      <UserActionDialogs actions={actions} />
    </div>
  );
}

function AddUser({ back }: { back: HistoryState }) {
  const { actingUser, mirroredUser, can } = useSession();
  if (!mirroredUser && can('users.manage'))
    return (
      <ButtonToRoute to={paths.wizardPerson} state={back} variant="primary">
        +ADD USER
      </ButtonToRoute>
    );
  return (
    <div className={styles.refused}>
      <Button variant="primary" disabled aria-describedby="add-user-reason">
        +ADD USER
      </Button>
      <p id="add-user-reason">
        {mirroredUser
          ? "You can't make changes while mirroring."
          : actingUser.typeCd === 'PRUS'
            ? "Only your group's administrator can add and change users."
            : 'Your account can view users but not change them.'}
      </p>
    </div>
  );
}
