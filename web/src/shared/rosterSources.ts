import { useQuery } from '@tanstack/react-query';
import { answer, api } from '@/api/client';
import type { components } from '@/api/schema';

export type RosterSource = components['schemas']['HubSource'];

/**
 * All roster hub sources, by name. Read for each visit, and not again while sources are chosen: a screen that the
 * other leads to does not go on with what that one read.
 */
export const useRosterSources = (screen: 'groups' | 'sources') =>
  useQuery({
    queryKey: ['roster-sources', screen],
    queryFn: ({ signal }) => answer(api.GET('/roster/sources', { signal })),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnReconnect: false,
  });
