import { groupTypes, type PortalUserGroup } from '@/shared/groups';
import { Chip } from '@/ui/Chip';
import { formatInstant } from '@/ui/dates';
import type { Column } from '@/ui/table/state';

const statuses: Record<
  PortalUserGroup['statusCd'],
  { label: string; look: 'success' | 'info' | 'warning' | 'neutral' }
> = {
  ACTIV: { label: 'Active', look: 'success' },
  INACT: { label: 'Inactive', look: 'warning' },
  LOCK: { label: 'Locked', look: 'warning' },
  DISABL: { label: 'Disabled', look: 'neutral' },
  PEND: { label: 'Pending', look: 'info' },
};

export const groupColumns: Column<PortalUserGroup>[] = [
  { id: 'groupInfoId', header: 'Portal User Group ID', value: ({ groupInfoId }) => groupInfoId },
  {
    id: 'name',
    header: 'Group Name',
    value: ({ groupName }) => groupName,
    wrap: true,
    minWidth: '9rem',
  },
  { id: 'type', header: 'Group Type', value: ({ groupTypeCd }) => groupTypes[groupTypeCd] },
  {
    id: 'status',
    header: 'Group Status',
    value: ({ statusCd }) => statuses[statusCd].label,
    cell: ({ statusCd }) => <Chip kind={statuses[statusCd].look}>{statuses[statusCd].label}</Chip>,
  },
  {
    id: 'created',
    header: 'Create Date',
    value: ({ createdDate }) => createdDate,
    text: ({ createdDate }) => formatInstant(createdDate),
  },
];
