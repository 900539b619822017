import { Link } from '@tanstack/react-router';
import { Suspense, useEffect, useEffectEvent } from 'react';
import { useSession } from '@/api/session';
import { useFiles, useRefreshFiles } from '@/features/feeschedules/queries';
import {
  connectToUpdates,
  useMyNotifications,
  useRefreshMyNotifications,
} from '@/features/notifications/bellQueries';
import { subscribeToUpdates } from '@/features/notifications/events';
import { useRefetchFailed } from '@/shared/FailedFeeSchedules';
import * as paths from '@/shared/paths';
import { formatCount } from '@/ui/format';
import { BellIcon } from '@/ui/icons';
import { lazyPart } from '@/ui/lazyPart';
import styles from './Bell.module.css';
import frame from './Header.module.css';
import { useDisclosure } from './useDisclosure';

const [BellLists, usePreloadLists] = lazyPart(async () => (await import('./BellLists')).BellLists);

/** Fee schedules and notifications of the acting user. */
export function Bell() {
  const { can } = useSession();
  const { open, area, panelId, trigger, close } = useDisclosure<HTMLDivElement>();
  const { successCount, feeSchedList } = useFiles().data;
  const notifications = useMyNotifications().data?.list ?? [];
  const count = successCount + notifications.length;
  const isNew =
    feeSchedList.some(({ fileViwed }) => fileViwed !== 'Y') ||
    notifications.some(({ notification_user_dwnld: viewed }) => viewed !== 'Y');
  useLiveUpdates();
  usePreloadLists();
  return (
    <div className={styles.bell} ref={area}>
      <button
        type="button"
        className={frame.tool}
        aria-label={formatLabel(count)}
        aria-description={count > 0 && !isNew ? 'All viewed' : undefined}
        {...trigger}
      >
        <BellIcon />
        {count > 0 && (
          <span className={styles.badge} data-viewed={!isNew || undefined} aria-hidden="true">
            {formatCount(count)}
          </span>
        )}
      </button>
      <div id={panelId} className={styles.panel} hidden={!open}>
        <h2>Notifications</h2>
        {open && (
          <Suspense>
            <BellLists />
          </Suspense>
        )}
        {can('feeSchedules.request') && (
          <Link to={paths.feeSchedule} className={styles.more} onClick={close}>
            PPO Fee Schedule
          </Link>
        )}
      </div>
    </div>
  );
}

/**
 * Updates the lists without a reload. It's off while mirroring, which shows the state from its
 * start.
 */
function useLiveUpdates() {
  const { actingUser, mirroredUser } = useSession();
  const refreshFiles = useRefreshFiles();
  const refreshFailed = useRefetchFailed();
  const refreshNotifications = useRefreshMyNotifications();
  const refresh = useEffectEvent(() => {
    void refreshFiles();
    void refreshFailed();
    refreshNotifications();
  });
  const listening = !mirroredUser;
  useEffect(() => {
    if (listening) return subscribeToUpdates(connectToUpdates(actingUser.id), () => refresh());
  }, [actingUser.id, listening]);
}

const formatLabel = (count: number) => (count > 0 ? `Notifications, ${formatCount(count)}` : 'Notifications');
