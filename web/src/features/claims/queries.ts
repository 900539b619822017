import { useQuery } from '@tanstack/react-query';
import { api, unwrap } from '@/api/client';
import type { components } from '@/api/schema';
import type { SearchRun } from '@/shared/historyState';
import { type Criteria, noCriteria, toSearchPayload } from './criteria';

export type Claim = components['schemas']['ClaimResult'];

/** A claim with its index in the response, because payers number claims independently. */
export interface ClaimRow extends Claim {
  place: string;
}

/** A claimant's claims, or the server's reason for showing none. */
export function useClaimSearch(search: SearchRun<Criteria> | null) {
  return useQuery({
    queryKey: ['claims', 'search', search],
    enabled: search !== null,
    queryFn: async ({ signal }): Promise<{ claims: ClaimRow[]; message?: string }> => {
      const body = toSearchPayload(search?.criteria ?? noCriteria);
      const found = await unwrap(api.POST('/globalclaim/searchByClaimant', { body, signal }));
      if (!Array.isArray(found)) return { claims: [], message: found.resultMessage };
      return { claims: found.map((claim, place) => ({ ...claim, place: String(place) })) };
    },
    // Users decide when to search again. The results are dropped when they leave the screen.
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnReconnect: false,
  });
}
