import { groupStatuses, groupTypes, type PortalUserGroup } from '@/shared/groups';
import { Chip } from '@/ui/Chip';
import { formatBusinessDate } from '@/ui/dates';
import type { Column } from '@/ui/table/state';

/** The columns besides the group's ID and name. */
export const detailColumns: Column<PortalUserGroup>[] = [
  { id: 'type', header: 'Group Type', value: ({ groupTypeCd }) => groupTypes[groupTypeCd] },
  {
    id: 'status',
    header: 'Group Status',
    value: ({ statusCd }) => groupStatuses[statusCd].label,
    cell: ({ statusCd }) => (
      <Chip kind={groupStatuses[statusCd].chipKind}>{groupStatuses[statusCd].label}</Chip>
    ),
  },
  {
    id: 'created',
    header: 'Create Date',
    value: ({ createdDate }) => createdDate,
    text: ({ createdDate }) => formatBusinessDate(createdDate),
  },
];

export const groupColumns: Column<PortalUserGroup>[] = [
  {
    id: 'groupInfoId',
    header: 'Portal User Group ID',
    value: ({ groupInfoId }) => groupInfoId,
    identifies: true,
  },
  {
    id: 'name',
    header: 'Group Name',
    value: ({ groupName }) => groupName,
    wrap: true,
    minWidth: '9rem',
  },
  ...detailColumns,
];
