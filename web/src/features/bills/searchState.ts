import { z } from 'zod/mini';
import { parseCriteria, useInitialState, useSearchState } from '@/shared/historyState';
import { criteriaSchema, wholeClaimSchema } from './criteria';

/** The visit's bill search, and the claim number from another screen. */
export function useBillSearchState() {
  const searchState = useSearchState(read, { sort: { id: 'claimant', desc: false } });
  const { claim } = useInitialState();
  return { ...searchState, claimNumber: claim?.claimNumber ?? '' };
}

const searchSchema = z.union([criteriaSchema, wholeClaimSchema]);

const read = parseCriteria(searchSchema);
