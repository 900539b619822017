import { useQuery } from '@tanstack/react-query';
import { api, getLimit } from '@/api/client';
import type { components } from '@/api/schema';
import type { SearchRun } from '@/shared/historyState';
import type { Criteria } from './criteria';

export type PortalUserGroup = components['schemas']['PortalUserGroup'];

export function useGroupSearch(search: SearchRun<Criteria> | null) {
  return useQuery({
    queryKey: ['groups', 'search', search],
    enabled: search !== null,
    queryFn: async ({ signal }) => {
      const { data = [], response } = await api.POST('/admin/groupList', {
        body: { ...search?.criteria },
        signal,
      });
      return { groups: data, limitedTo: getLimit(response) };
    },
    // Users decide when to search again. The results are dropped when they leave the screen.
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnReconnect: false,
  });
}
