import { Link } from '@tanstack/react-router';
import { useSession } from '../api/session';
import { FileList } from '../features/feeschedules/FileList';
import { useFiles } from '../features/feeschedules/queries';
import { BellIcon } from '../ui/icons';
import styles from './Bell.module.css';
import frame from './Frame.module.css';
import { useDisclosure } from './useDisclosure';

/** Fee schedules of the acting user. */
export function Bell() {
  const { can } = useSession();
  const { open, area, panelId, trigger, close } = useDisclosure<HTMLDivElement>();
  const count = useFiles().data.successCount;
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
        {open && <FileList />}
        {can('feeSchedules.request') && (
          <Link to="/FeeSchedule" className={styles.more} onClick={close}>
            PPO Fee Schedule
          </Link>
        )}
      </div>
    </div>
  );
}

const name = (count: number) => (count > 0 ? `Notifications, ${count}` : 'Notifications');
