import { type HistoryState, useNavigate } from '@tanstack/react-router';
import { api, unwrap } from '@/api/client';
import { toast } from '@/ui/Toasts';
import type { UserRow } from './accounts';
import { markCreated } from './addedUser';
import * as paths from './paths';

interface Added {
  user: UserRow;
  /** The account request that the user completes. */
  request: number | undefined;
  /** Shown with the group's users. */
  message: string;
}

/**
 * Opens the next screen after a user was created: the group's users, or the next account request
 * if this one was opened from the queue.
 */
export function useOpenAfterAdding({ searchInfo, fromQueue, timestamp }: HistoryState) {
  const navigate = useNavigate();
  return async ({ user, request, message }: Added) => {
    markCreated({ timestamp }, user);
    const open = (to: string, state: HistoryState = {}) =>
      navigate({ to, replace: true, ignoreBlocker: true, state });
    if (!fromQueue || request === undefined)
      return open(paths.manageUsers, { message, groupId: user.grpInfoId, createdId: user.id, searchInfo });
    const name = `${user.userFirstName} ${user.userLastName}`;
    const next = await findNextRequest().catch(() => undefined);
    if (next !== undefined)
      return open(paths.addUser, {
        accountRequest: next,
        fromQueue,
        message: `${name} was added, and the account request is approved. This is the next one.`,
      });
    toast.success(`${name} added`);
    return open(paths.deskRequests);
  };
}

/** Returns the oldest pending account request. */
async function findNextRequest(): Promise<number | undefined> {
  const { rows } = await unwrap(
    api.POST('/desk/queues/requests', { body: { table: { page: 0, pageSize: 1 } } }),
  );
  return rows[0]?.id;
}
