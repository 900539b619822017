import { useQuery } from '@tanstack/react-query';
import { answer, api } from '@/api/client';
import type { components } from '@/api/schema';
import type { Run } from '@/shared/keptSearch';
import { type Criteria, noCriteria, searchPayload } from './criteria';

export type Claim = components['schemas']['ClaimResult'];

/** A claim with its place in the answer: payers number their claims each for themselves. */
export interface ClaimRow extends Claim {
  place: string;
}

/** The claims of a claimant, or the server's reason why it shows none. */
export function useClaimSearch(search: Run<Criteria> | null) {
  return useQuery({
    queryKey: ['claims', 'search', search],
    enabled: search !== null,
    queryFn: async ({ signal }): Promise<{ claims: ClaimRow[]; message?: string }> => {
      const body = searchPayload(search?.criteria ?? noCriteria);
      const found = await answer(api.POST('/globalclaim/searchByClaimant', { body, signal }));
      if (!Array.isArray(found)) return { claims: [], message: found.resultMessage };
      return { claims: found.map((claim, place) => ({ ...claim, place: String(place) })) };
    },
    // A person decides when to search again; nothing of a search is kept once its screen is left.
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnReconnect: false,
  });
}
