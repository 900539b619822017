import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { formatPortalName } from '@/api/config';
import { repeatSignOut, signOut } from '@/api/session';
import * as paths from '@/shared/paths';
import { Banner } from '@/ui/Banner';
import { Button } from '@/ui/Button';
import styles from './LogoutScreen.module.css';
import { useSignOutPending } from './useSignOutPending';

/** Ends the session and stays visible. */
export default function LogoutScreen() {
  const pending = useSignOutPending();
  useEffect(() => {
    void signOut({ reason: 'signed-out' });
  }, []);
  return (
    <div className={styles.page}>
      {pending ? (
        <PendingSignOut />
      ) : (
        <>
          <h1>You are logged out</h1>
          <p className="page-lead">{thanks.replace('the Provider Portal', formatPortalName)}</p>
        </>
      )}
      <p>
        <Link to={paths.login}>Sign in again</Link>
      </p>
    </div>
  );
}

const thanks = 'Thank you for using the Provider Portal.';

/** Shown while the server is unreachable. It retries until the sign-out succeeds. */
function PendingSignOut() {
  const [busy, setBusy] = useState(false);
  return (
    <>
      <h1>Sign-out incomplete</h1>
      <Banner kind="error">
        Couldn't reach the portal, so your session may still be open in this browser. Stay at this computer
        until sign-out finishes. We'll keep trying.
      </Banner>
      <Button
        variant="primary"
        busy={busy}
        onClick={async () => {
          setBusy(true);
          await repeatSignOut().catch(() => undefined);
          setBusy(false);
        }}
      >
        Try again
      </Button>
    </>
  );
}
