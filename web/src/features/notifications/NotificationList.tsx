import { useEffect } from 'react';
import { useSession } from '@/api/session';
import { formatCount } from '@/ui/format';
import { Stale } from '@/ui/PageState';
import { ViewedList } from '@/ui/ViewedList';
import {
  type UserNotification,
  useMarkViewed,
  useMyNotifications,
  useRefreshMyNotifications,
} from './bellQueries';

/** The acting user's notifications in the bell's menu, refetched when it opens. */
export function NotificationList() {
  const { mirroredUser } = useSession();
  const { data: { list, limitedTo } = none, isPending, isError, refetch } = useMyNotifications();
  const refresh = useRefreshMyNotifications();
  const { view, viewAll } = useMarkViewed();
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the menu opens
  useEffect(refresh, []);

  const empty = mirroredUser ? 'No notifications for this user yet.' : 'No notifications yet.';
  return (
    <ViewedList
      id="bell-notifications"
      title="Announcements"
      onViewAll={viewAll}
      empty={isPending ? 'Loading…' : isError ? '' : empty}
      items={list.map((notification) => ({
        key: notification.wcp_notification_id,
        viewed: notification.notification_user_dwnld === 'Y',
        content: <NotificationLink notification={notification} onOpen={() => view(notification)} />,
      }))}
    >
      {isError && (
        <Stale onRetry={() => void refetch()}>
          {list.length > 0 ? "Couldn't refresh the list." : "Couldn't load notifications."}
        </Stale>
      )}
      {limitedTo !== null && <p>{`Only the newest ${formatCount(limitedTo)} are shown.`}</p>}
    </ViewedList>
  );
}

// The mouse button that opens a link in a background tab.
const middle = 1;

const none = { list: [], limitedTo: null };

/** Only a web address becomes a link, whatever the server sends. */
function NotificationLink({
  notification: { name, notification_link: address },
  onOpen,
}: {
  notification: UserNotification;
  onOpen: () => void;
}) {
  if (!/^https?:\/\//i.test(address)) return <span>{name}</span>;
  return (
    <a
      href={address}
      target="_blank"
      rel="noopener"
      onClick={onOpen}
      onAuxClick={({ button }) => button === middle && onOpen()}
    >
      {name}
      <span className="visually-hidden">, opens in a new window</span>
    </a>
  );
}
