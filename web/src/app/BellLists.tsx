import { FileList } from '@/features/feeschedules/FileList';
import { NotificationList } from '@/features/notifications/NotificationList';

/** The lists in the bell's menu. */
export const BellLists = () => (
  <>
    <NotificationList />
    <FileList />
  </>
);
