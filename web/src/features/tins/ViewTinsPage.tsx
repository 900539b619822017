import { Navigate, useNavigate } from '@tanstack/react-router';
import type { UserRow } from '@/shared/accounts';
import * as paths from '@/shared/paths';
import { type UserTin, useUserTins } from '@/shared/tins';
import { Button } from '@/ui/Button';
import { DataTable } from '@/ui/table/DataTable';
import type { Column } from '@/ui/table/state';
import { getTableStatus } from './queries';
import { formatName, useVisit } from './visit';

/** A user's TINs, read-only. */
export default function ViewTinsPage() {
  const { user, searchInfo } = useVisit();
  const navigate = useNavigate();
  if (!user) return <Navigate to={paths.userSearch} replace />;
  return (
    <div className="page">
      <header>
        <h1>View TINs</h1>
        <p className="page-lead">{formatName(user)}</p>
      </header>
      <UserTins user={user} />
      <div className="button-row">
        <Button onClick={() => void navigate({ to: paths.userSearch, state: { searchInfo } })}>BACK</Button>
      </div>
    </div>
  );
}

function UserTins({ user }: { user: UserRow }) {
  const tins = useUserTins(user.userNm);
  return (
    <DataTable
      title="User TINs"
      columns={columns}
      rows={tins.data ?? []}
      rowId={({ ftin }) => ftin}
      status={getTableStatus(tins)}
      onRetry={() => void tins.refetch()}
      initial={{ sort: { id: 'ftin', desc: false } }}
    />
  );
}

const columns: Column<UserTin>[] = [{ id: 'ftin', header: 'Tax ID (TIN)', value: ({ ftin }) => ftin }];
