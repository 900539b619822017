import { useQuery } from '@tanstack/react-query';
import { api, unwrap } from '@/api/client';
import type { components } from '@/api/schema';

export type View = components['schemas']['SavedView'];

export const viewsKey = 'saved views';

/** The user's views of Open Bills and the group's shared ones; none for users who don't see them. */
export const useViews = (enabled: boolean) =>
  useQuery({
    queryKey: [viewsKey],
    enabled,
    queryFn: ({ signal }) => unwrap(api.GET('/work/views', { signal })),
    staleTime: 30_000,
    retry: false,
  });
