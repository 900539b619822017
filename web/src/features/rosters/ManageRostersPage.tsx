import { useState } from 'react';
import { useSession } from '@/api/session';
import { useTableState } from '@/shared/historyState';
import { useRestoredInput } from '@/shared/UnsavedChangesGuard';
import { Empty, Failed, Loading, NotPermitted } from '@/ui/PageState';
import { createTableState } from '@/ui/table/state';
import { History } from './History';
import { useUserGroup } from './queries';
import { inputName, UploadRoster } from './UploadRoster';

export default function ManageRostersPage() {
  const { can } = useSession();
  return (
    <div className="page">
      <header>
        <h1>Manage Rosters</h1>
        <p className="page-lead">Upload your provider groups' rosters and see past uploads.</p>
      </header>
      {can('rosters.upload') ? <OwnRosters /> : <NotPermitted />}
    </div>
  );
}

function OwnRosters() {
  const { actingUser } = useSession();
  const group = useUserGroup(actingUser.userNm);
  if (group.isPending) return <Loading />;
  if (group.isError)
    return (
      <Failed
        message="Error: There was a problem retrieving user information. Please try again later."
        onRetry={() => void group.refetch()}
      />
    );
  if (group.data === null)
    return (
      <div className="card">
        <Empty title="Your account isn't in a roster group">
          Only users in a roster group can send rosters. To find a group, go to Manage Groups.
        </Empty>
      </div>
    );
  return <Rosters groupId={group.data} />;
}

function Rosters({ groupId }: { groupId: number }) {
  const { hasInput, discard } = useRestoredInput(inputName);
  const [shown, setShown] = useState<'history' | 'upload' | 'history again'>(hasInput ? 'upload' : 'history');
  const newestFirst = { sort: { id: 'date', desc: true } };
  const { table, setTable } = useTableState(newestFirst);
  function close() {
    setShown('history again');
    void discard();
  }
  function showSent() {
    // Above all earlier uploads.
    setTable(createTableState({ ...newestFirst, pageSize: table.pageSize }));
    close();
  }
  return shown === 'upload' ? (
    <UploadRoster groupId={groupId} onClose={close} onSent={showSent} />
  ) : (
    <History
      groupId={groupId}
      table={table}
      onTableChange={setTable}
      focus={shown === 'history again'}
      onUpload={() => setShown('upload')}
    />
  );
}
