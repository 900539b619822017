import { useState } from 'react';
import { getConfig } from '@/api/config';
import { useSession } from '@/api/session';
import { AnnouncementBanner, useAnnouncement } from '@/ui/Announcement';
import { Button } from '@/ui/Button';
import { cx } from '@/ui/cx';
import { ConfirmDialog } from '@/ui/Dialog';
import { formatBusinessDate } from '@/ui/dates';
import styles from './account.module.css';
import { genericError } from './ProfileForm';
import type { Details } from './profile';
import { useUnlinkSignIn } from './queries';

/** When the external account was linked, for users who can unlink it. */
export function SignInBinding({ account: { userNm, ssoBoundDt } }: { account: Details }) {
  const { user, can } = useSession();
  const [asking, setAsking] = useState(false);
  const { announcement, announce, clear } = useAnnouncement();
  const { mutateAsync: unbind, isPending } = useUnlinkSignIn(userNm);
  if (!getConfig().outsideSignIn || !can('users.unbind') || userNm === user.userNm) return null;

  async function disconnect() {
    clear();
    try {
      await unbind();
      announce('success', 'SSO account unlinked. The user must confirm their next sign-in by email.');
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
          <p>SSO account linked since {formatBusinessDate(ssoBoundDt)}</p>
          <Button onClick={() => setAsking(true)}>Unlink</Button>
        </div>
      )}
      <ConfirmDialog
        open={asking}
        title={`Unlink the SSO account of ${userNm}?`}
        confirmLabel="Unlink"
        cancelLabel="Cancel"
        busy={isPending}
        onConfirm={() => void disconnect()}
        onCancel={() => setAsking(false)}
      >
        <p>This signs the user out of all sessions.</p>
      </ConfirmDialog>
    </>
  );
}
