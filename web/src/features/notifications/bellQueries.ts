import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api, getLimit, unwrap } from '@/api/client';
import type { components } from '@/api/schema';
import { useSession } from '@/api/session';
import { toast } from '@/ui/Toasts';

export type UserNotification = components['schemas']['UserNotification'];

const ownKey = (userId: number) => ['notifications', 'own', userId];

/** The acting user's notifications. While mirroring they load once. */
export function useMyNotifications() {
  const userId = useSession().actingUser.id;
  return useQuery({
    queryKey: ownKey(userId),
    queryFn: async ({ signal }) => {
      const { data = [], response } = await api.GET('/notifications/user/{userId}', {
        params: { path: { userId } },
        signal,
      });
      return { list: data, limitedTo: getLimit(response) };
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Refetches the notifications; not while mirroring. */
export function useRefreshMyNotifications() {
  const { actingUser, mirroredUser } = useSession();
  const client = useQueryClient();
  return () => {
    if (!mirroredUser) void client.invalidateQueries({ queryKey: ownKey(actingUser.id) });
  };
}

/** Marks one or all notifications as viewed and refetches the list; not while mirroring. */
export function useMarkViewed() {
  const { actingUser, mirroredUser } = useSession();
  const refresh = useRefreshMyNotifications();
  const mark = (body?: Pick<UserNotification, 'wcp_notification_id'>) =>
    api.PATCH('/notifications/viewed/{userId}', { params: { path: { userId: actingUser.id } }, body });
  return {
    view({ wcp_notification_id, notification_user_dwnld }: UserNotification) {
      if (mirroredUser || notification_user_dwnld === 'Y') return;
      mark({ wcp_notification_id })
        .catch(() => undefined)
        .finally(refresh);
    },
    viewAll: mirroredUser ? undefined : () => void mark().then(refresh, () => toast.error(notMarked)),
  };
}

const notMarked = "Couldn't mark them as viewed. Try again.";

/** Connects to a user's update stream. */
export const connectToUpdates = (userId: number) => (signal: AbortSignal) =>
  unwrap(
    api.GET('/notifications/events/{userId}', {
      params: { path: { userId } },
      parseAs: 'stream',
      signal,
    }) as Promise<{ data?: ReadableStream<Uint8Array> }>,
  );
