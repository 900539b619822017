import { useQuery } from '@tanstack/react-query';
import { api, unwrap } from '@/api/client';
import type { components } from '@/api/schema';

export type RosterSource = components['schemas']['HubSource'];

/**
 * All roster hub sources by name. They load on each visit, but not again while users select
 * sources. The two screens don't share the result.
 */
export const useRosterSources = (screen: 'groups' | 'sources') =>
  useQuery({
    queryKey: ['roster-sources', screen],
    queryFn: ({ signal }) => unwrap(api.GET('/roster/sources', { signal })),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnReconnect: false,
  });
