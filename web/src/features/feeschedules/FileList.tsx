import { useEffect } from 'react';
import { useSession } from '@/api/session';
import { Stale } from '@/ui/PageState';
import { ViewedList } from '@/ui/ViewedList';
import { FileLink } from './FileLink';
import { useFiles, useRefreshFiles, useViewFiles } from './queries';

/** The acting user's fee schedules in the bell's menu. They load when it opens. */
export function FileList() {
  const { mirroredUser } = useSession();
  const { data, isError } = useFiles();
  const refresh = useRefreshFiles();
  const viewAll = useViewFiles();
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the menu opens
  useEffect(() => void refresh(), []);

  return (
    <ViewedList
      id="bell-fee-schedules"
      title="Fee Schedules"
      onViewAll={viewAll}
      empty={mirroredUser ? 'No fee schedules for this user yet.' : 'No fee schedules yet.'}
      items={data.feeSchedList.map((file) => ({
        key: file.feeSchedRqstId,
        viewed: file.fileViwed === 'Y',
        content: <FileLink file={file} />,
      }))}
    >
      {isError && <Stale onRetry={() => void refresh()}>Couldn't refresh the list.</Stale>}
    </ViewedList>
  );
}
