import { createLink } from '@tanstack/react-router';
import { useSession } from '@/api/session';
import type { UserRow } from '@/shared/accounts';
import { useHistoryState } from '@/shared/historyState';
import * as paths from '@/shared/paths';
import { Banner } from '@/ui/Banner';
import { LinkButton } from '@/ui/Button';
import { Empty, Failed, Loading } from '@/ui/PageState';
import { genericError, ProfileForm } from './ProfileForm';
import { useProfile, useSaveProfile } from './queries';
import { SignInBinding } from './SignInBinding';

const ButtonToRoute = createLink(LinkButton);

/** The profile of another user, selected in Manage Users or User Search. */
export default function EditProfileScreen() {
  const { user } = useHistoryState();
  return (
    <div className="page">
      <header>
        <h1>Edit Profile</h1>
        {user && <EditedUser userName={user.userNm} />}
      </header>
      {user ? <Profile user={user} /> : <NobodyChosen />}
    </div>
  );
}

/** The server returns it only to users who can see it. */
function EditedUser({ userName }: { userName: string }) {
  const { data } = useProfile(userName);
  return (
    data && <p className="page-lead">{`${data.userFirstName} ${data.userLastName}, ${data.typeDesc}`}</p>
  );
}

function Profile({ user }: { user: UserRow }) {
  const { actingUser, mirroredUser, can } = useSession();
  const profile = useProfile(user.userNm);
  const { mutateAsync: save } = useSaveProfile();
  if (profile.isPending) return <Loading />;
  if (profile.isError) return <Failed message={genericError} onRetry={() => void profile.refetch()} />;
  const editor =
    user.userNm === actingUser.userNm
      ? 'owner'
      : actingUser.typeCd === 'ISAD'
        ? 'internal-administrator'
        : 'group-administrator';
  return (
    <>
      {mirroredUser && (
        <Banner kind="info">You can view this profile but not change it while mirroring.</Banner>
      )}
      <SignInBinding account={profile.data} />
      <ProfileForm
        account={profile.data}
        editor={editor}
        readOnly={Boolean(mirroredUser) || !can('users.manage')}
        onSave={save}
      >
        <Cancel />
      </ProfileForm>
    </>
  );
}

function Cancel() {
  const { admin, searchInfo, groupId, list } = useHistoryState();
  return admin ? (
    <ButtonToRoute to={paths.userSearch} state={{ searchInfo }}>
      CANCEL
    </ButtonToRoute>
  ) : (
    <ButtonToRoute to={paths.manageUsers} state={{ groupId, list, searchInfo }}>
      CANCEL
    </ButtonToRoute>
  );
}

function NobodyChosen() {
  const searches = useSession().routes.includes('UserSearch');
  return (
    <div className="card">
      <Empty title="No user selected">
        {searches ? (
          <ButtonToRoute to={paths.userSearch}>Select one in User Search</ButtonToRoute>
        ) : (
          <ButtonToRoute to={paths.manageUsers}>Select one in Manage Users</ButtonToRoute>
        )}
      </Empty>
    </div>
  );
}
