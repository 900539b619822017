import { useQuery } from '@tanstack/react-query';
import { answer, api } from '@/api/client';

/* Apart from the other calls of the area, as every signed-in page asks this one. */

// What a form starts with: read for each visit, and not again while it is filled in.
export const formData = {
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: 0,
  refetchOnReconnect: false,
} as const;

export const backfillKey = (userName: string) => ['account', 'backfill', userName];

/** Whether the profile lacks what it must have. */
export function useNeedsBackfill(userName: string, enabled: boolean) {
  return useQuery({
    queryKey: backfillKey(userName),
    enabled,
    queryFn: ({ signal }) =>
      answer(api.GET('/users/needsBackfill/{userName}', { params: { path: { userName } }, signal })),
    ...formData,
  });
}
