import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { z } from 'zod/mini';
import { readAs, useKeptSearch } from '@/shared/keptSearch';
import { criteriaSchema, wholeClaimSchema } from './criteria';

/** The search for bills of this visit, and the claim number that another screen handed to it. */
export function useKeptBills() {
  const router = useRouter();
  const kept = useKeptSearch(read, { sort: { id: 'claimant', desc: false } });
  const [claimNumber] = useState(() => {
    const { claim } = router.history.location.state;
    return claim?.owner === kept.owner ? claim.claimNumber : '';
  });
  return { ...kept, claimNumber };
}

const searchSchema = z.union([criteriaSchema, wholeClaimSchema]);

const read = readAs(searchSchema);
