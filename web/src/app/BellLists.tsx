import { FileList } from '@/features/feeschedules/FileList';
import { NotificationList } from '@/features/notifications/NotificationList';

/** What the bell lists. */
export const BellLists = () => (
  <>
    <NotificationList />
    <FileList />
  </>
);
