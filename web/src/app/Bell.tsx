import { useSession } from '../api/session';
import { BellIcon } from '../ui/icons';
import styles from './Bell.module.css';
import frame from './Frame.module.css';
import { useDisclosure } from './useDisclosure';

/** Fee schedule requests and notifications of the acting user. */
export function Bell() {
  const { actingUser } = useSession();
  const { open, area, panelId, trigger } = useDisclosure<HTMLDivElement>();
  const count = actingUser.feeSchedRqstsCnt;
  return (
    <div className={styles.bell} ref={area}>
      <button type="button" className={frame.tool} aria-label={name(count)} {...trigger}>
        <BellIcon />
        {count > 0 && (
          <span className={styles.badge} aria-hidden="true">
            {count > 99 ? '99+' : count}
          </span>
        )}
      </button>
      <div id={panelId} className={styles.panel} hidden={!open}>
        <h2>Notifications</h2>
        <p>
          {count > 0
            ? `${count} fee schedule ${count === 1 ? 'request' : 'requests'}`
            : 'You have no new notifications.'}
        </p>
      </div>
    </div>
  );
}

const name = (count: number) => (count > 0 ? `Notifications, ${count} new` : 'Notifications');
