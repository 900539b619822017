import { useEffect, useState } from 'react';
import { needsReauthentication, Problem } from '@/api/client';
import { useSession } from '@/api/session';
import type { UserRow } from '@/shared/accounts';
import { useInitialState, useSetHistoryState } from '@/shared/historyState';
import { AnnouncementBanner, useAnnouncement } from '@/ui/Announcement';
import { Button } from '@/ui/Button';
import { ConfirmDialog, Dialog } from '@/ui/Dialog';
import { AccessHistoryDialog } from './AccessHistoryDialog';
import { formatName } from './columns';
import { type Change, isChange, lastAdmin, useChange } from './queries';

/* The user actions of Manage Users and User Search: confirm, run, show the result. */

/** The texts that differ between the two screens. */
export interface Texts {
  done: Record<Change, string>;
  failed: string;
}

const questions: Record<Change, string> = {
  'Convert to Provider Admin': 'Are you sure you want to convert this account to Provider Admin?',
  'Convert to Provider User': 'Are you sure you want to convert this account to Provider User?',
  Terminate: 'Are you sure you want to terminate this account?',
  'Reset Password': 'Are you sure you want to reset the password for this account?',
  'Resend Registration': 'Are you sure you want to resend the registration emails for this account?',
  'Delete Draft': 'Delete this draft?',
  'Reset Two-Step Verification': 'Send this user a link to reset two-step verification?',
};

const verbs: Record<Change, string> = {
  'Convert to Provider Admin': 'convert',
  'Convert to Provider User': 'convert',
  Terminate: 'terminate',
  'Reset Password': 'reset',
  'Resend Registration': 'resend',
  'Delete Draft': 'delete',
  'Reset Two-Step Verification': 'reset',
};

/** The consequences that the question doesn't mention. */
const consequences: Partial<Record<Change, string>> = {
  'Convert to Provider Admin': "An administrator has all of the group's Tax IDs (TINs).",
  Terminate: "You can't undo this.",
  'Delete Draft': 'This deletes the draft and frees its email address.',
  'Reset Password': "We'll email a link that lets the user sign in again.",
  'Reset Two-Step Verification':
    "We'll email a link that removes the user's passkeys, authenticator apps and recovery codes. Make sure the request came from the user.",
};

const accessHistory = 'Access History';
/**
 * A terminated account stays terminated. A returning user gets a new one, prefilled with the old
 * data.
 */
export const newAccountLabel = 'New account from this one';

type Open = { dialog: Change | 'history'; user: UserRow } | { dialog: 'only-admin' } | null;

export function useUserActions(texts: Texts) {
  const { can, workspace, mirroredUser } = useSession();
  const [open, setOpen] = useState<Open>(null);
  const { announcement, announce, clear } = useAnnouncement(useArrivalMessage());
  const { mutateAsync, isPending } = useChange();

  /** The labels of a row's menu. */
  const getLabels = (user: UserRow) => [
    ...user.userActions,
    ...(can('users.factors') && user.hasSecondStep ? ['Reset Two-Step Verification'] : []),
    ...(user.statusCd === 'TERM' && workspace && !mirroredUser && can('users.manage')
      ? [newAccountLabel]
      : []),
    ...(can('users.manage') ? [accessHistory] : []),
  ];

  /** Starts the action of a menu label; false if it's not handled here. */
  function start(label: string, user: UserRow): boolean {
    clear();
    if (label === accessHistory) setOpen({ dialog: 'history', user });
    else if (!isChange(label)) return false;
    else if ((label === 'Reset Password' || label === 'Resend Registration') && user.emailAddr.trim() === '')
      announce('error', 'The email address is blank for the selected user.');
    else setOpen({ dialog: label, user });
    return true;
  }

  async function confirm(change: Change, user: UserRow) {
    try {
      const result = await mutateAsync({ change, user });
      if (result !== lastAdmin) announce('success', texts.done[change]);
      else if (change === 'Convert to Provider User') return setOpen({ dialog: 'only-admin' });
      else
        announce(
          'error',
          'Error: This account cannot be terminated because there is not another Admin in the group.',
        );
    } catch (error) {
      // Another user was faster, or re-authentication failed. The server's message says which.
      const hasReason = error instanceof Problem && (error.status === 409 || needsReauthentication(error));
      announce('error', texts.failed, hasReason ? error.message : undefined);
    }
    setOpen(null);
  }

  return {
    getLabels,
    start,
    announcement,
    announce,
    clear,
    open,
    close: () => setOpen(null),
    confirm,
    busy: isPending,
  };
}

export type UserActions = ReturnType<typeof useUserActions>;

/** The open dialog, one at a time. */
export function UserActionDialogs({ actions: { open, close, confirm, busy } }: { actions: UserActions }) {
  const { mirroredUser } = useSession();
  if (!open) return null;
  if (open.dialog === 'history') return <AccessHistoryDialog user={open.user} onClose={close} />;
  if (open.dialog === 'only-admin')
    return (
      <Dialog
        open
        title="Account cannot be changed to PRUS because this is the only PRAD for user group."
        onClose={close}
        actions={
          <Button variant="primary" onClick={close} data-autofocus>
            OK
          </Button>
        }
      />
    );
  const { dialog, user } = open;
  return (
    <ConfirmDialog
      open
      title={questions[dialog]}
      confirmLabel="OK"
      verb={verbs[dialog]}
      cancelLabel="Cancel"
      busy={busy}
      confirmDisabled={Boolean(mirroredUser)}
      onConfirm={() => void confirm(dialog, user)}
      onCancel={close}
    >
      <p>
        <strong>{formatName(user)}</strong>
      </p>
      <p>{mirroredUser ? "You can't make changes while mirroring." : consequences[dialog]}</p>
    </ConfirmDialog>
  );
}

/** The result of the last action, or of the previous screen's action. */
export const Outcome = ({ actions }: { actions: UserActions }) => (
  <AnnouncementBanner announcement={actions.announcement} />
);

/** The message from the previous screen. Back and Reload don't repeat it. */
function useArrivalMessage(): string | undefined {
  const setHistoryState = useSetHistoryState();
  const { message } = useInitialState();
  useEffect(() => {
    if (message) void setHistoryState(({ message: _, ...state }) => state);
  }, [message, setHistoryState]);
  return message;
}
