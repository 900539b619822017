import { createLink, useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useSession } from '@/api/session';
import type { UserRow } from '@/shared/accounts';
import { parseCriteria, useSearchState } from '@/shared/historyState';
import * as paths from '@/shared/paths';
import { ActionMenu } from '@/ui/ActionMenu';
import { LinkButton } from '@/ui/Button';
import { DataTable } from '@/ui/table/DataTable';
import { byFirstName, formatName, getGroupColumns } from './columns';
import { criteriaSchema } from './criteria';
import { MirrorDialog } from './MirrorDialog';
import { formatMirrorFailure, useGroupNames, useMirror, useUserSearch } from './queries';
import { SearchForm } from './SearchForm';
import { useSelectedUsers } from './SelectedUsers';
import { newAccountLabel, Outcome, type Texts, UserActionDialogs, useUserActions } from './userActions';
import styles from './users.module.css';

const texts: Texts = {
  done: {
    'Convert to Provider Admin': 'The selected account was successfully converted to PRAD',
    'Convert to Provider User': 'The selected account was successfully converted to PRUS',
    'Reset Password': 'The selected account was successfully updated',
    Terminate: 'The selected account was successfully terminated',
    'Resend Registration': 'The Registration Emails were resent to the selected account.',
    'Delete Draft': 'Draft deleted',
    'Reset Two-Step Verification': 'Link sent to the selected account.',
  },
  failed: 'Error: An error has occurred. Please try again or contact Customer Service.',
};

const noUsers =
  'There are no users available for the criteria entered. Please revise your search criteria and try again or go to ADD USER.';

/** Staff with a service desk can record why they mirror. *Mirror* itself asks nothing. */
const mirrorWithReason = 'Mirror with a reason';

const ButtonToRoute = createLink(LinkButton);

/** Finds users of all groups, with the actions that the account and their status allow. */
export default function UserSearchPage() {
  const navigate = useNavigate();
  const { search, searchInfo, table, setTable, start, clear } = useSearchState(read, byFirstName);
  const { shown, isFetching, data } = useUserSearch(search, table);
  const names = useGroupNames(shown.rows);
  const columns = useMemo(() => getGroupColumns(names), [names]);
  const many = useSelectedUsers(shown.rows, { admin: true, searchInfo });
  const actions = useUserActions(texts);
  const mirror = useMirror();
  const { mirrorReason, can } = useSession();
  const [mirrored, setMirrored] = useState<UserRow | null>(null);
  const getLabels = (user: UserRow) => {
    const labels = actions.getLabels(user);
    return labels.includes('Mirror') && !mirrorReason && can('desk.open')
      ? [...labels, mirrorWithReason]
      : labels;
  };
  const failed = (error: unknown) => actions.announce('error', formatMirrorFailure(error, texts.failed));

  function choose(label: string, user: UserRow) {
    if (actions.start(label, user)) return;
    const handed = { user, searchInfo };
    switch (label) {
      case 'Mirror':
        if (mirrorReason) return setMirrored(user);
        return mirror.mutate({ userNm: user.userNm }, { onError: failed });
      case mirrorWithReason:
        return setMirrored(user);
      case 'Edit Profile':
        return void navigate({ to: paths.editProfile, state: { ...handed, admin: true } });
      case 'View TINs':
        return void navigate({ to: paths.viewTins, state: handed });
      case 'Manage TINs':
        return void navigate({ to: paths.manageNonNetworkTins, state: handed });
      case 'Manage Roster Hub Sources':
        return void navigate({
          to: paths.manageSources,
          state: { ...handed, mode: 'existingGroup', groupInfo: user.groupInfo },
        });
      case newAccountLabel:
        return void navigate({ to: paths.addUser, state: { ...handed, mode: 'anew' } });
      case 'Continue Registration':
        return void navigate({ to: paths.addUser, state: { ...handed, mode: 'draftUser' } });
    }
  }

  return (
    <div className="page">
      <header>
        <h1>User Search</h1>
        <p className="page-lead">Search by one criterion, then select an action.</p>
      </header>
      <SearchForm
        current={search?.criteria ?? null}
        searching={isFetching && !data}
        onInvalid={clear}
        onSearch={(criteria) => {
          actions.clear();
          start(criteria);
        }}
        onReset={() => {
          actions.clear();
          clear();
        }}
      />
      <Outcome actions={actions} />
      <DataTable
        title="Users"
        columns={columns}
        {...shown}
        {...many}
        rowId={({ id }) => String(id)}
        controlled={{ state: table, onChange: setTable }}
        empty={search ? <NoUsers /> : 'Search to see users here.'}
        rowMenu={{
          menu: ActionMenu,
          actions: (user) => getLabels(user).map((label) => ({ label, onSelect: () => choose(label, user) })),
          label: formatName,
        }}
        exportMenu={{ menu: ActionMenu, fileName: 'UserSearch' }}
      />
      <UserActionDialogs actions={actions} />
      {mirrored && (
        <MirrorDialog
          user={mirrored}
          choices={!mirrorReason}
          failed={texts.failed}
          onClose={() => setMirrored(null)}
        />
      )}
    </div>
  );
}

function NoUsers() {
  const { can } = useSession();
  return (
    <div className={styles.none}>
      <p>{noUsers}</p>
      {can('users.draft') && <ButtonToRoute to={paths.addUser}>ADD USER</ButtonToRoute>}
    </div>
  );
}

const read = parseCriteria(criteriaSchema);
