import { useQuery } from '@tanstack/react-query';
import { api, limitOf } from '@/api/client';
import type { components } from '@/api/schema';
import type { Run } from '@/shared/keptSearch';
import type { Criteria } from './criteria';

export type PortalUserGroup = components['schemas']['PortalUserGroup'];

export function useGroupSearch(search: Run<Criteria> | null) {
  return useQuery({
    queryKey: ['groups', 'search', search],
    enabled: search !== null,
    queryFn: async ({ signal }) => {
      const { data = [], response } = await api.POST('/admin/groupList', {
        body: { ...search?.criteria },
        signal,
      });
      return { groups: data, limitedTo: limitOf(response) };
    },
    // A person decides when to search again; nothing of a search is kept once its screen is left.
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnReconnect: false,
  });
}
