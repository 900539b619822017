import { useEffect } from 'react';
import { useSession } from '@/api/session';
import { Stale } from '@/ui/PageState';
import { ViewedList } from '@/ui/ViewedList';
import {
  type UserNotification,
  useOwnNotifications,
  useRefreshOwnNotifications,
  useView,
} from './bellQueries';

/** The notifications of the acting user in the bell's menu, asked for anew when it opens. */
export function NotificationList() {
  const { mirroredUser } = useSession();
  const { data = [], isPending, isError, refetch } = useOwnNotifications();
  const refresh = useRefreshOwnNotifications();
  const { view, viewAll } = useView();
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the menu opens
  useEffect(refresh, []);

  const none = mirroredUser ? 'This user has no notifications.' : 'You have no notifications.';
  return (
    <ViewedList
      id="bell-notifications"
      title="Announcements"
      onViewAll={viewAll}
      empty={isPending ? 'Loading…' : isError ? '' : none}
      items={data.map((notification) => ({
        key: notification.wcp_notification_id,
        viewed: notification.notification_user_dwnld === 'Y',
        content: <NotificationLink notification={notification} onOpen={() => view(notification)} />,
      }))}
    >
      {isError && (
        <Stale onRetry={() => void refetch()}>
          {data.length > 0 ? 'The list could not be refreshed.' : 'The notifications could not be loaded.'}
        </Stale>
      )}
    </ViewedList>
  );
}

/** Nothing but a web address is a link, whatever the server sends. */
function NotificationLink({
  notification: { name, notification_link: address },
  onOpen,
}: {
  notification: UserNotification;
  onOpen: () => void;
}) {
  if (!/^https?:\/\//i.test(address)) return <span>{name}</span>;
  return (
    <a href={address} target="_blank" rel="noopener" onClick={onOpen}>
      {name}
      <span className="visually-hidden">, opens in a new window</span>
    </a>
  );
}
