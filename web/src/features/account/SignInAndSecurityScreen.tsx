import { createLink } from '@tanstack/react-router';
import { isPasswordExternal } from '@/api/config';
import { useSession } from '@/api/session';
import * as paths from '@/shared/paths';
import { LinkButton } from '@/ui/Button';
import { NotPermitted } from '@/ui/PageState';
import { OpenSessions } from './OpenSessions';
import { TwoStepVerification } from './TwoStepVerification';

const ButtonToRoute = createLink(LinkButton);

/** The user's sign-in methods and sessions. */
export default function SignInAndSecurityScreen() {
  const { can, mirroredUser } = useSession();
  return (
    <div className="page">
      <header>
        <h1>Sign-in and security</h1>
        {!mirroredUser && <p className="page-lead">Manage two-step verification and your active sessions.</p>}
      </header>
      {mirroredUser ? (
        <NotPermitted>You can&apos;t view sign-in settings while mirroring.</NotPermitted>
      ) : (
        <>
          {can('account.factors') && <TwoStepVerification />}
          <OpenSessions />
          <div className="button-row">
            {!isPasswordExternal() && (
              <ButtonToRoute to={paths.changePassword}>Change Password</ButtonToRoute>
            )}
            <ButtonToRoute to={paths.userProfile}>Back to User Profile</ButtonToRoute>
          </div>
        </>
      )}
    </div>
  );
}
