import { createSearch } from './historyState';

/** The navigation state that makes Bill Search show all bills of a claim. */
export const showClaimBills = (owner: string, claimNumber: string) => ({
  kept: createSearch(owner, { mode: 'wholeClaim', claimNumber }, { sort: { id: 'claimant', desc: false } }),
});
