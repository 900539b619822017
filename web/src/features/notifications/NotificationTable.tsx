import { ActionMenu } from '@/ui/ActionMenu';
import { Banner } from '@/ui/Banner';
import { formatCount } from '@/ui/format';
import { DataTable } from '@/ui/table/DataTable';
import { notificationColumns } from './columns';
import { genericError, type Notification } from './notification';
import type { useNotifications } from './queries';

interface Props {
  notifications: ReturnType<typeof useNotifications>;
  /** The actions are disabled. */
  disabled: boolean;
  onEdit: (row: Notification) => void;
  onDelete: (row: Notification) => void;
  onUnpublish: (row: Notification) => void;
}

/** All notifications, with the actions of each. */
export function NotificationTable({ notifications, disabled, onEdit, onDelete, onUnpublish }: Props) {
  const { data, isError, isPending, refetch } = notifications;
  const failure = data ? 'stale' : 'failed';
  return (
    <>
      {typeof data?.limitedTo === 'number' && (
        <Banner kind="info">{`There are more notifications. This list shows the newest ${formatCount(data.limitedTo)}.`}</Banner>
      )}
      <DataTable
        title="All Notifications"
        columns={notificationColumns}
        rows={data?.rows ?? []}
        rowId={({ wcp_notification_id }) => String(wcp_notification_id)}
        initial={{ sort: { id: 'lastUpdate', desc: true } }}
        status={isError ? failure : isPending ? 'loading' : 'ready'}
        failure={genericError}
        onRetry={() => void refetch()}
        empty="No notifications yet. Create the first one above."
        rowMenu={{
          menu: ActionMenu,
          actions: (row) => [
            { label: 'EDIT', disabled, onSelect: () => onEdit(row) },
            row.status === 'SENT'
              ? { label: 'UN-PUBLISH', disabled, onSelect: () => onUnpublish(row) }
              : { label: 'DELETE', disabled, onSelect: () => onDelete(row) },
          ],
          label: ({ name }) => name,
        }}
      />
    </>
  );
}
