import { useState } from 'react';
import { config } from '@/api/config';
import { useSession } from '@/api/session';
import { AnnouncementBanner, useAnnouncement } from '@/ui/Announcement';
import { Button } from '@/ui/Button';
import { cx } from '@/ui/cx';
import { ConfirmDialog } from '@/ui/Dialog';
import { formatInstant } from '@/ui/dates';
import styles from './account.module.css';
import { genericError } from './ProfileForm';
import type { Details } from './profile';
import { useUnbind } from './queries';

/** Since when somebody of the outside provider signs in to the account, for those who may disconnect them. */
export function SignInBinding({ account: { userNm, ssoBoundDt } }: { account: Details }) {
  const { user, can } = useSession();
  const [asking, setAsking] = useState(false);
  const { announcement, announce, clear } = useAnnouncement();
  const { mutateAsync: unbind, isPending } = useUnbind(userNm);
  if (!config().outsideSignIn || !can('users.unbind') || userNm === user.userNm) return null;

  async function disconnect() {
    clear();
    try {
      await unbind();
      announce('success', 'The sign-in was disconnected. Whoever signs in next has to be connected anew.');
    } catch {
      announce('error', genericError);
    }
    setAsking(false);
  }

  return (
    <>
      <AnnouncementBanner announcement={announcement} />
      {ssoBoundDt && (
        <div className={cx('card card-body', styles.binding)}>
          <p>Bound to the outside provider since {formatInstant(ssoBoundDt)}</p>
          <Button onClick={() => setAsking(true)}>Disconnect</Button>
        </div>
      )}
      <ConfirmDialog
        open={asking}
        title={`Are you sure you want to disconnect the sign-in of ${userNm}?`}
        confirmLabel="OK"
        verb="disconnect"
        cancelLabel="CANCEL"
        busy={isPending}
        onConfirm={() => void disconnect()}
        onCancel={() => setAsking(false)}
      >
        <p>Whoever is signed in to the account is signed out.</p>
      </ConfirmDialog>
    </>
  );
}
