import { useQuery } from '@tanstack/react-query';
import { api, unwrap } from '@/api/client';
import type { components } from '@/api/schema';
import { useSession } from '@/api/session';

export type PortalUserGroup = components['schemas']['PortalUserGroup'];

export const groupTypes: Record<PortalUserGroup['groupTypeCd'], string> = {
  ROS: 'Roster Group',
  PRV: 'Provider Group',
  NNW: 'Non-Network Group',
};

export const groupStatuses: Record<
  PortalUserGroup['statusCd'],
  { label: string; chipKind: 'success' | 'info' | 'warning' | 'neutral' }
> = {
  ACTIV: { label: 'Active', chipKind: 'success' },
  INACT: { label: 'Inactive', chipKind: 'warning' },
  LOCK: { label: 'Locked', chipKind: 'warning' },
  DISABL: { label: 'Disabled', chipKind: 'neutral' },
  PEND: { label: 'Pending', chipKind: 'info' },
};

/** Groups by ID or TIN. Only users who can search groups request them. */
export function useGroups(by: { portalUserGroupId: string } | { taxIdNumber: string } | null) {
  const { can } = useSession();
  return useQuery({
    queryKey: ['groups', 'by', by],
    enabled: by !== null && can('groups.search'),
    queryFn: ({ signal }) => unwrap(api.POST('/admin/groupList', { body: { ...by }, signal })),
  });
}

/** The group with an ID: null if there is none, undefined until it's loaded. */
export function useGroup(id: number | null) {
  const groups = useGroups(id === null ? null : { portalUserGroupId: String(id) });
  return groups.data && (groups.data[0] ?? null);
}

/** A group's display name. */
export const formatGroup = ({ groupInfoId, groupName }: PortalUserGroup) =>
  groupName === '' ? `group ${groupInfoId}` : `group ${groupInfoId}, ${groupName}`;
