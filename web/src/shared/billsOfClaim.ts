import { tableState } from '@/ui/table/state';

/** The search for all bills of a claim, which Bill Search finds as if it had been kept there. */
export const billsOfClaim = (owner: string, claimNumber: string) => ({
  kept: {
    owner,
    criteria: { mode: 'wholeClaim', claimNumber },
    table: tableState({ sort: { id: 'claimant', desc: false } }),
  },
});
