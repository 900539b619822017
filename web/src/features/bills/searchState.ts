import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { z } from 'zod/mini';
import { parseCriteria, useSearchState } from '@/shared/useSearchState';
import { criteriaSchema, wholeClaimSchema } from './criteria';

/** The visit's bill search, and the claim number from another screen. */
export function useBillSearchState() {
  const router = useRouter();
  const searchState = useSearchState(read, { sort: { id: 'claimant', desc: false } });
  const [claimNumber] = useState(() => {
    const { claim } = router.history.location.state;
    return claim?.owner === searchState.owner ? claim.claimNumber : '';
  });
  return { ...searchState, claimNumber };
}

const searchSchema = z.union([criteriaSchema, wholeClaimSchema]);

const read = parseCriteria(searchSchema);
