import { useMemo, useState } from 'react';
import { useSession } from '@/api/session';
import { errorMessage } from '@/shared/errorMessage';
import { useTableState } from '@/shared/historyState';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { SelectInput } from '@/ui/form/inputs';
import { NotPermitted } from '@/ui/PageState';
import { toast } from '@/ui/Toasts';
import { DataTable } from '@/ui/table/DataTable';
import type { Column } from '@/ui/table/state';
import { useSetStaffRole, useStaff } from './queries';
import { describeRole, type Role, roles, type StaffMember } from './staff';

/** What the network's staff can do with questions of offices. */
export default function StaffRolesPage() {
  const { can } = useSession();
  return (
    <div className="page">
      <header>
        <h1>Staff roles</h1>
        <p className="page-lead">
          Read-only administrators with a role also answer or assign questions of offices. They can't change
          anything else. System administrators don't need a role.
        </p>
      </header>
      {can('staff.roles') ? <Staff /> : <NotPermitted />}
    </div>
  );
}

function Staff() {
  const staff = useStaff();
  const { data, isError } = staff;
  const { table, setTable } = useTableState({ pageSize: 25 });
  const [opened, setOpened] = useState('');
  const columns = useMemo(() => getColumns(setOpened), []);
  const member = data?.find(({ userName }) => userName === opened);
  return (
    <>
      <DataTable
        title="Staff"
        columns={columns}
        rows={data ?? []}
        rowId={({ userName }) => userName}
        controlled={{ state: table, onChange: setTable }}
        status={isError ? (data ? 'stale' : 'failed') : data ? 'ready' : 'loading'}
        onRetry={() => void staff.refetch()}
        empty="No staff can sign in."
      />
      {member && <ChangeRole key={member.userName} member={member} onClose={() => setOpened('')} />}
    </>
  );
}

const options = (Object.keys(roles) as Role[]).map((value) => ({ value, label: roles[value] }));

function ChangeRole({ member, onClose }: { member: StaffMember; onClose: () => void }) {
  const { userName, name, role: seen } = member;
  const [role, setRole] = useState(seen);
  const { mutate, isPending } = useSetStaffRole();
  return (
    <Dialog
      open
      title={`Role of ${name}`}
      onClose={isPending ? undefined : onClose}
      actions={
        <>
          <Button disabled={isPending} onClick={onClose}>
            Cancel
          </Button>
          <Button
            variant="primary"
            busy={isPending}
            disabled={role === seen}
            onClick={() =>
              mutate(
                { userName, role, seen },
                {
                  onSuccess: () => {
                    toast.success('Role saved');
                    onClose();
                  },
                  onError: (error) =>
                    toast.error(errorMessage(error, "Error: Couldn't save the role. Try again.")),
                },
              )
            }
          >
            Save role
          </Button>
        </>
      }
    >
      <SelectInput
        label="Role"
        hint="Applies immediately. Without a role, their open questions become unassigned."
        options={options}
        value={role}
        onChange={({ target }) => setRole(target.value as Role)}
      />
    </Dialog>
  );
}

const getColumns = (onOpen: (userName: string) => void): Column<StaffMember>[] => [
  { id: 'name', header: 'Name', lead: true, value: ({ name, userName }) => `${name} (${userName})` },
  {
    id: 'type',
    header: 'Account type',
    value: ({ typeCd }) => (typeCd === 'ISAD' ? 'Internal System Admin' : 'Internal Read-Only Admin'),
  },
  { id: 'role', header: 'Role', value: describeRole },
  {
    id: 'change',
    header: 'Actions',
    value: () => '',
    sortable: false,
    filterable: false,
    exported: false,
    pinned: true,
    cell: ({ userName, name, typeCd }) =>
      typeCd === 'IRAD' && (
        <Button size="small" onClick={() => onOpen(userName)}>
          Change role<span className="visually-hidden"> of {name}</span>
        </Button>
      ),
  },
];
