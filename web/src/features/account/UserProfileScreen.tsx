import { createLink } from '@tanstack/react-router';
import { isPasswordExternal } from '@/api/config';
import { useSession } from '@/api/session';
import * as paths from '@/shared/paths';
import { Banner } from '@/ui/Banner';
import { LinkButton } from '@/ui/Button';
import { Failed, Loading } from '@/ui/PageState';
import { genericError, ProfileForm } from './ProfileForm';
import { useProfile, useSaveProfile } from './queries';

const ButtonToRoute = createLink(LinkButton);

export default function UserProfileScreen() {
  const { actingUser, mirroredUser, can } = useSession();
  const profile = useProfile(actingUser.userNm);
  const { mutateAsync: save } = useSaveProfile();
  return (
    <div className="page">
      <header>
        <h1>User Profile</h1>
        {!mirroredUser && <p className="page-lead">Your account details and contact information.</p>}
      </header>
      {mirroredUser && (
        <Banner kind="info">
          {`You can view the profile of ${mirroredUser.userFirstName} ${mirroredUser.userLastName} but not change it while mirroring.`}
        </Banner>
      )}
      {profile.isPending ? (
        <Loading />
      ) : profile.isError ? (
        <Failed message={genericError} onRetry={() => void profile.refetch()} />
      ) : (
        <ProfileForm account={profile.data} editor="owner" readOnly={Boolean(mirroredUser)} onSave={save}>
          {!isPasswordExternal() && <ButtonToRoute to={paths.changePassword}>Change Password</ButtonToRoute>}
          {!mirroredUser && <ButtonToRoute to={paths.signInAndSecurity}>Sign-in and security</ButtonToRoute>}
          {(can('tins.sharing') || can('tins.decide')) && (
            <ButtonToRoute to={paths.tinSharing}>TIN sharing</ButtonToRoute>
          )}
          {can('audit.read') && <ButtonToRoute to={paths.auditLog}>Audit log</ButtonToRoute>}
        </ProfileForm>
      )}
    </div>
  );
}
