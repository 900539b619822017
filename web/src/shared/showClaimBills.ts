import { createTableState } from '@/ui/table/state';

/** The navigation state that makes Bill Search show all bills of a claim. */
export const showClaimBills = (owner: string, claimNumber: string) => ({
  kept: {
    owner,
    criteria: { mode: 'wholeClaim', claimNumber },
    table: createTableState({ sort: { id: 'claimant', desc: false } }),
  },
});
