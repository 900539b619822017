import { useState } from 'react';
import { useSession } from '@/api/session';
import type { PortalUserGroup } from '@/shared/groups';
import { useTableState } from '@/shared/historyState';
import { ActionMenu } from '@/ui/ActionMenu';
import { NotPermitted } from '@/ui/PageState';
import { DataTable } from '@/ui/table/DataTable';
import type { Column } from '@/ui/table/state';
import { detailColumns } from '../columns';
import { NameDialog, StatusDialog, TinDialog } from './dialogs';
import { useAllGroups } from './queries';

/**
 * All groups. Staff find them by part of the name, rename them, and deactivate or reactivate
 * them.
 */
export default function DeskGroupsPage() {
  const { can } = useSession();
  return (
    <div className="page">
      <header>
        <h1>Groups</h1>
        <p className="page-lead">
          All portal user groups. Filter by name to find a group, then rename it, assign a Tax ID or change
          its status.
        </p>
      </header>
      {can('groups.desk') ? <Groups /> : <NotPermitted />}
    </div>
  );
}

const dialogs = { name: NameDialog, status: StatusDialog, tin: TinDialog };

function Groups() {
  const { can } = useSession();
  const { table, setTable } = useTableState({ pageSize: 25 });
  const { shown } = useAllGroups(table);
  const [opened, setOpened] = useState<{ dialog: keyof typeof dialogs; group: PortalUserGroup } | null>(null);
  const Opened = dialogs[opened?.dialog ?? 'name'];
  return (
    <>
      <DataTable
        title="Groups"
        titleHidden
        columns={columns}
        {...shown}
        rowId={({ groupInfoId }) => String(groupInfoId)}
        controlled={{ state: table, onChange: setTable }}
        empty="No groups yet."
        rowMenu={{
          menu: ActionMenu,
          actions: can('groups.manage')
            ? (group) => [
                { label: 'Rename', onSelect: () => setOpened({ dialog: 'name', group }) },
                ...(can('tins.add') && group.groupTypeCd === 'PRV'
                  ? [{ label: 'Assign Tax ID', onSelect: () => setOpened({ dialog: 'tin', group }) }]
                  : []),
                {
                  label: group.statusCd === 'INACT' ? 'Make active' : 'Make inactive',
                  onSelect: () => setOpened({ dialog: 'status', group }),
                },
              ]
            : undefined,
          label: ({ groupInfoId }) => `group ${groupInfoId}`,
        }}
      />
      {opened && <Opened group={opened.group} onClose={() => setOpened(null)} />}
    </>
  );
}

const columns: Column<PortalUserGroup>[] = [
  {
    id: 'name',
    header: 'Group name',
    value: ({ groupName }) => groupName,
    lead: true,
    wrap: true,
    minWidth: '14rem',
  },
  { id: 'id', header: 'Portal User Group ID', value: ({ groupInfoId }) => groupInfoId },
  ...detailColumns,
];
