import { useQuery } from '@tanstack/react-query';
import { api, unwrap } from '@/api/client';

/* Apart from the account queries, because every signed-in page makes this request. */

// A form's initial values: loaded per visit, and not again while users fill it in.
export const formData = {
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: 0,
  refetchOnReconnect: false,
} as const;

export const backfillKey = (userName: string) => ['account', 'backfill', userName];

/** Reports whether required profile fields are missing. */
export function useNeedsBackfill(userName: string, enabled: boolean) {
  return useQuery({
    queryKey: backfillKey(userName),
    enabled,
    queryFn: ({ signal }) =>
      unwrap(api.GET('/users/needsBackfill/{userName}', { params: { path: { userName } }, signal })),
    ...formData,
  });
}
