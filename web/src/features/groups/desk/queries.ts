import { useQuery } from '@tanstack/react-query';
import { api, unwrap } from '@/api/client';
import { useAnnounceChange } from '@/shared/changes';
import type { PortalUserGroup } from '@/shared/groups';
import { useServerPage } from '@/shared/pages';
import { useMutation } from '@/shared/useMutation';
import type { TableState } from '@/ui/table/state';

export const useAllGroups = (table: TableState) =>
  useServerPage<PortalUserGroup>({
    key: ['groups', 'all'],
    table,
    fetchPage: (table, signal) => unwrap(api.POST('/desk/groups', { body: { table }, signal })),
  });

/** A group's current use, refetched each time it's shown. */
export const useGroupUse = (groupId: number) =>
  useQuery({
    queryKey: ['groups', 'use', groupId],
    gcTime: 0,
    queryFn: ({ signal }) =>
      unwrap(api.GET('/desk/groups/{groupId}/use', { params: { path: { groupId } }, signal })),
  });

function useChange<Change>(mutationFn: (change: Change) => Promise<unknown>) {
  const announce = useAnnounceChange();
  return useMutation({ mutationFn, onSettled: () => void announce('groups', 'users', 'tins') });
}

/**
 * Assigns a TIN to a provider group, without the proof that the group's own administrator needs.
 */
export const useAssignTin = (groupId: number) =>
  useChange((ftin: string) =>
    unwrap(api.POST('/ftin/groupFtins/{groupId}/{ftin}', { params: { path: { groupId, ftin } } })),
  );

export const useNameGroup = (groupId: number) =>
  useChange((body: { name: string; version?: string }) =>
    unwrap(api.PUT('/desk/groups/{groupId}/name', { params: { path: { groupId } }, body })),
  );

export const useSetGroupStatus = (groupId: number) =>
  useChange((statusCd: 'ACTIV' | 'INACT') =>
    unwrap(api.PUT('/desk/groups/{groupId}/status', { params: { path: { groupId } }, body: { statusCd } })),
  );
